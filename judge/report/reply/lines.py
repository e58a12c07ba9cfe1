"""Every line of a mail with what became of it: the middle of a receipt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType

from judge.board.model import Board
from judge.game.core.commands import MENDED, STAYS, Status, Verdict
from judge.game.core.parts import is_wish
from judge.orders.kinds import system_of
from judge.orders.model import Hold
from judge.orders.reading import EXPANDED, KEPT
from judge.report.core.letter import ORDERING, Answer
from judge.report.core.naming import Said, Text, instruction_words, order_text, say
from judge.rules.reasons import clause_in


@dataclass(frozen=True, slots=True)
class MailLine:
    """One line: its number (0: the subject line), its text, its status, and what is said of it.

    `status`: "taken", "refused", "mended" (refused, and put right by another line), "ignored" or "read".
    `mends`: finished lines to send instead, likeliest first. `clause`: the rule behind a refusal.
    """

    number: int
    text: Text
    status: str
    said: Text = ""
    mends: tuple[str, ...] = ()
    clause: str = ""
    first_choice: int = 1
    """The number of its first mend; the others follow."""
    worth_saying: bool = True
    """Whether it needs a receipt: false for a question that an enclosure answers."""
    game: str = ""
    """The game that it is about, where that is not the letter's."""
    fails: bool = False
    """Whether it is on file as it was written, though it cannot be followed."""
    of_command: bool = False
    """Whether it was understood as a command, and refused for what it asked; the game never waits for that."""

    def asks_as(self, other: MailLine) -> bool:
        """Whether the same is to be chosen from for the same reason."""
        return bool(self.mends) and (self.said, self.mends) == (other.said, other.mends)

    @property
    def to_mend(self) -> bool:
        """Whether it was refused and is still to be put right, or a choice is offered in its place."""
        return self.refused and (bool(self.mends) or not self.of_command)

    @property
    def missed(self) -> bool:
        """Whether it was ignored, and may have been meant for something: a greeting was not."""
        courtesy = isinstance(self.said, Said) and self.said.facts.get("reason") == "courtesy"
        return self.status == Status.IGNORED and not courtesy

    @property
    def refused(self) -> bool:
        """Whether nothing came of it, and no other line of the mail put that right."""
        return self.status == Status.REFUSED


_NOWHERE: Mapping[str, Board] = MappingProxyType({})

READ = "read"
"""What became of a line that asks for nothing by itself, but was not lost."""

_NOTHING_MENDS = frozenset(
    {"game-over", "cannot-undo", "not-started", "no-seat", "eliminated", "nothing-on-file", "nothing-to-undo"}
)
"""Why orders as a whole are not taken, whatever they say."""

NOT_FOR_YOU = "not-for-you"
"""The reason of a word that only others may write: nothing puts that right."""

_ASIDE = "words-ignored"

_NOT_LOST = frozenset({"heading", "password", "stop", "repeated", "replaced"})
"""Reasons why a line asks for nothing, of lines that were read nevertheless."""


def lines_of(
    answers: Sequence[Answer], unread: Sequence[Verdict], board: Board | None, others: Mapping[str, Board] = _NOWHERE
) -> tuple[MailLine, ...]:
    """All lines of a mail in their order. `board` is that of the letter's game, `others` those of further games. What
    is said of a block of orders as a whole stands beside the line that heads it.
    """
    lines: list[MailLine] = []
    headed = {verdict.line: verdict for verdict in unread if verdict.reason == "heading"}
    said_above: dict[int, MailLine] = {}
    for answer in answers:
        head = max((number for number in headed if number < answer.line), default=0)
        if head and answer.verdicts and answer.sentence and answer.status is Status.TAKEN:
            said_above[head] = MailLine(head, headed[head].text, str(answer.status), answer.sentence)
            answer = replace(answer, sentence="")
        if answer.game in others:
            lines += [_elsewhere(line, answer.game) for line in _answer_lines(answer, others[answer.game])]
        else:
            lines += _answer_lines(answer, board)
    lines += [said_above.get(verdict.line) or _verdict_line(verdict, board) for verdict in unread]
    return tuple(_numbered(_without_done(sorted(lines, key=lambda line: line.number))))


def _without_done(lines: Sequence[MailLine]) -> Iterator[MailLine]:
    """The lines; of what can be sent in the place of one nothing that the mail itself sends below it."""
    taken = [(line.number, _alike(line.text)) for line in lines if line.status == Status.TAKEN]
    for line in lines:
        below = {text for number, text in taken if number > line.number} if line.mends else ()
        mends = tuple(mend for mend in line.mends if _alike(mend) not in below)
        yield line if mends == line.mends else replace(line, mends=mends)


def _alike(text: Text) -> str:
    return str(text).casefold().strip(" .!")


def _numbered(lines: Iterable[MailLine]) -> Iterator[MailLine]:
    """The lines with the numbers of what can be sent instead; a question that follows itself keeps its numbers."""
    choice, before = 1, None
    for line in lines:
        text = line.text if line.number else say("subject-line", text=line.text)
        repeated = before is not None and line.to_mend and line.asks_as(before)
        first = before.first_choice if repeated and before else choice
        same = text is line.text and first == line.first_choice
        numbered = line if same else replace(line, text=text, first_choice=first)
        yield numbered
        if line.to_mend:
            choice += 0 if repeated else len(line.mends)
            before = numbered


def _elsewhere(line: MailLine, game: str) -> MailLine:
    """A line about another game than the letter's; what is to be sent instead must name it."""
    return replace(line, game=game, mends=tuple(f"{game}: {mend}" for mend in line.mends))


def _answer_lines(answer: Answer, board: Board | None) -> Iterator[MailLine]:
    if answer.verdicts:
        yield from _verdict_lines(answer.verdicts, board)
    if answer.verdicts and not answer.sentence:
        return
    mends = _offered(answer.mend.split("\n"))
    question = answer.status is Status.TAKEN and not answer.sentence and answer.enclosed
    done = say("line-done", below=question) if answer.status is Status.TAKEN else ""
    said = answer.sentence or done
    yield MailLine(
        answer.line,
        answer.text,
        str(answer.status),
        said,
        mends,
        _cited(answer.clause, board),
        worth_saying=not question,
        of_command=answer.verb not in ORDERING or answer.slug in _NOTHING_MENDS,
    )


def _offered(lines: Sequence[str]) -> tuple[str, ...]:
    """What is worth a number: each line once, and no `help`, which is no answer to what somebody meant."""
    return tuple(dict.fromkeys(line for line in lines if line and line.split()[0].lower() != "help"))


def _verdict_lines(verdicts: Sequence[Verdict], board: Board | None) -> Iterator[MailLine]:
    """One line for each, but for a line that came to the same for several units: what it came to stands on file."""
    for (number, text), group in groupby(_said_once(verdicts), key=_source):
        alike = tuple(group)
        kinds = {_spoken_of(verdict) for verdict in alike}
        if len(alike) > 1 and len(kinds) == 1 and (kind := kinds.pop()):
            yield MailLine(number, text, str(Status.TAKEN), say("line-written-out", units=len(alike), became=kind))
        else:
            yield from (_verdict_line(verdict, board) for verdict in alike)


def _said_once(verdicts: Sequence[Verdict]) -> Iterator[Verdict]:
    """The verdicts; that words of a line were not needed is said with the first order of it."""
    told: set[int] = set()
    for verdict in verdicts:
        notes = verdict.notes
        if _ASIDE in notes and verdict.line in told:
            verdict = replace(verdict, notes=tuple(note for note in notes if note != _ASIDE))
        elif _ASIDE in notes:
            told.add(verdict.line)
        yield verdict


def _source(verdict: Verdict) -> tuple[int, str]:
    return verdict.line, verdict.text


def _spoken_of(verdict: Verdict) -> str:
    """What became of a unit of which a line spoke together with others, where nothing more is to be said: "hold",
    "stay" or "other"; "" for any other verdict.
    """
    if verdict.status is not Status.TAKEN or verdict.sentence:
        return ""
    if verdict.notes == (STAYS,):
        return "stay"
    if EXPANDED not in verdict.notes or set(verdict.notes) - {EXPANDED, KEPT}:
        return ""
    return "hold" if isinstance(verdict.instruction, Hold) else "other"


def _cited(clause: str, board: Board | None) -> str:
    """The clause as the game's own rules number it."""
    return clause_in(system_of(board), clause) if clause and board else clause


def _verdict_line(verdict: Verdict, board: Board | None) -> MailLine:
    def spelled(text: str) -> str:
        return order_text(text, board) if board else text

    if verdict.status is Status.TAKEN:
        order = instruction_words(verdict.instruction, board) if verdict.instruction and board else verdict.order
        fails = bool(verdict.reason)
        notes = tuple(note for note in verdict.notes if note != EXPANDED) if KEPT in verdict.notes else verdict.notes
        taken = say("line-taken", order=order, sentence=verdict.sentence, notes=notes, fails=fails)
        return MailLine(
            verdict.line, verdict.text, str(verdict.status), taken, clause=_cited(verdict.clause, board), fails=fails
        )
    mends = tuple(spelled(candidate) for candidate in _offered(verdict.candidates))
    ignored = verdict.status is Status.IGNORED
    status = str(verdict.status)
    said: Text = verdict.sentence or say("line-refused", reason=verdict.reason)
    if ignored and not verdict.sentence:
        said = say("line-ignored", reason=verdict.reason)
        status = READ if verdict.reason in _NOT_LOST else status
    if MENDED in verdict.notes:
        status, mends = MENDED, ()
    worth_saying = not ignored or verdict.reason == "two-versions"
    return MailLine(
        verdict.line, verdict.text, status, said, mends, _cited(verdict.clause, board),
        worth_saying=worth_saying, of_command=verdict.reason == NOT_FOR_YOU or is_wish(verdict.reason),
    )  # fmt: skip
