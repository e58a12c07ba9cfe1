"""What a mail asks for, knowing what it answers and who sent it; and what of it could not be read."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from typing import Any

from judge.board.model import Board
from judge.game.core.commands import Actor, Create, OrderLine, Process, Role, Status, Submit, Verdict
from judge.game.core.model import Game, Stage
from judge.languages import tell
from judge.mail.assent import Word, answer_of, greets, hides, word_of
from judge.mail.envelope import Envelope
from judge.mail.quoting import TextLine, classify_lines
from judge.mail.script import Ignored, ReadRequest, Script, ScriptContext, answered_turn, read_script
from judge.mail.script.copies import came_back_unfilled
from judge.mail.script.doubtful import UNKNOWN
from judge.mail.script.model import SUBJECT, Unasked
from judge.mail.vocabulary.anyone import Help
from judge.mail.vocabulary.founding import DryCreate
from judge.mail.vocabulary.help import Shows, find_page
from judge.mail.vocabulary.sandbox import SHOWN_BOARD, SandboxGame
from judge.pace import zone_info
from judge.report.core.letter import Kind
from judge.rules.business import Business
from judge.rules.calendar import CALENDAR_1976, Calendar
from judge.rules.questions import NO_BUSINESS
from judge.service.core.judge import subject_at
from judge.service.trust.heard import AnsweredLetter, HeardMail
from judge.service.trust.prove import details


def two_versions(envelope: Envelope, context: ScriptContext, number: int) -> Iterator[Verdict]:
    """A verdict, under this line number, for each version that asks for something of which the other has nothing.

    Versions that differ in a greeting or a name are no matter.
    """
    if unread := _asking(envelope.only_in_html, context):
        sentence = tell(
            "stands only in the HTML of your mail, not in its text; where the two differ, I read the text alone"
        )
        yield Verdict(number, unread, Status.IGNORED, reason="two-versions", sentence=sentence)
    if taken := _asking(envelope.only_in_text, context):
        sentence = tell(
            "stands only in the text of your mail, not in its HTML; where the two differ, I read the text alone"
        )
        yield Verdict(number, taken, Status.IGNORED, reason="two-versions", sentence=sentence)


def _asking(lines: Sequence[str], context: ScriptContext) -> str:
    """The first of these lines that is an order or a command by itself; "" if none is."""
    script = read_script(classify_lines(lines), subject="", context=context) if lines else None
    return script.said[0].text.strip().partition("\n")[0] if script and script.said else ""


_ASKING_NOTHING = ("", Kind.VOTE, Kind.RESULTS, Kind.REMINDER, Kind.LATE)
"""Kinds of letters to which a plain yes can only mean a vote that is open."""

_SILENT = ("blank", "quoted", "attribution", "signature", "disclaimer", "footer", "form", "report", "subject")
"""Reasons to pass over a line of which nothing is said."""


def read_requests(heard: HeardMail) -> HeardMail:
    """The mail with its script, and the letter that it answers."""
    envelope, letter = heard.envelope, _letter_answered(heard)
    meant = _meant(envelope, letter)
    lines = [replace(line, text=meant.get(line.number, line.text)) for line in envelope.text_lines]
    script = read_script(lines, subject=envelope.subject, context=context_of(heard, letter))
    if meant:  # what is answered is what was written
        typed: dict[tuple[int, ...], str] = {
            (line.number,): line.text for line in envelope.text_lines if line.number in meant
        }
        said = (replace(one, text=typed.get(one.lines, one.text)) for one in script.said)
        script = replace(script, said=tuple(said))
    if letter.kind == Kind.SHOWN:
        said = (_about_this_letter(_on_own_board(said, letter.called[0])) for said in script.said)
        script = replace(script, said=tuple(said))
    script = _on_new_board(heard, script)
    if any(isinstance(said.request, Process) for said in script.said):
        script = replace(script, said=tuple(_bound(said, letter.turn) for said in script.said))
    script = _at_a_subject(heard, script, letter)
    if heard.consent.word_taken:
        script = _but_for_the_word(script, line_that_answers(heard))
    if came_back_unfilled(script, letter.form):
        letter = replace(letter, unfilled=True)
    return replace(heard, script=script, letter=letter)


def line_that_answers(heard: HeardMail) -> tuple[int, str]:
    """Number and text of the line in which a reply answers the letter: the first that is, as a whole, a yes or a no;
    else the first that is more than a greeting; 0 and the subject where there is none.
    """
    typed = [line for line in heard.envelope.own_lines if line.text.strip()]
    words = [line for line in typed if word_of(line.text) is not None]
    found = next(iter((*words, *(line for line in typed if not greets(line.text)), *typed)), None)
    return (found.number, found.text.strip()) if found is not None else (SUBJECT, heard.envelope.topic)


def _but_for_the_word(script: Script, word: tuple[int, str]) -> Script:
    """What a mail asks for beside the word whose effect is known (`Consent.word_taken`)."""
    lines = [(one.lines[0], one.text) for one in script.said] + [(one.line, one.text) for one in script.unread]
    lines += [(one.line, one.text) for one in script.ignored]
    words = dict([*((number, text) for number, text in lines if word_of(text) is not None), word])
    kept = tuple(one for one in script.ignored if one.line not in words)
    return replace(
        script, said=tuple(one for one in script.said if words.keys().isdisjoint(one.lines)),
        unread=tuple(one for one in script.unread if words.keys().isdisjoint(one.lines)),
        ignored=(*kept, *(Ignored(number, text, Unasked.ANSWER) for number, text in words.items())),
    )  # fmt: skip


def _meant(envelope: Envelope, letter: AnsweredLetter) -> dict[int, str]:
    """Number of a line -> the line that it stands for, because of the letter that it answers."""
    meant = {}
    if letter.tournament:
        acts = (line for line in envelope.own_lines if _OF_A_TOURNAMENT.match(line.text))
        meant = {line.number: f"tournament {letter.tournament} {line.text.strip()}" for line in acts}
    if (agreed := _agreed(envelope, letter)) is not None:
        meant[agreed.number] = letter.yes
    elif len(letter.choices) == 1 and not letter.yes and (agreed := _said_yes(envelope)) is not None:
        meant[agreed.number] = "1"  # "Yes please" to the one line that was offered
    return meant


_OF_A_TOURNAMENT = re.compile(
    r"\s*(?:(?:seed|start|enter|withdraw|standings|totals|table|status|results|pairings|draft)[\s.!]*$"
    r"|(?:enter\s+prefer|swap|remove)\s+\S)",
    re.IGNORECASE,
)
"""What somebody writes in answer to a letter about a tournament without naming it again; to end it they name it."""


def _agreed(envelope: Envelope, letter: AnsweredLetter) -> TextLine | None:
    """The line that takes what a letter offers: a plain yes, a word that takes things (`accept`, `join`), or the name
    of what is offered.
    """
    if not letter.yes:
        return None
    typed = [line for line in envelope.own_lines if line.text.strip()]
    names = letter.yes.casefold().split()[1:]
    taking = {*names, *_TAKES, *(f"{word} {name}" for word in _TAKES for name in names)}
    for line in typed:
        if line.text.strip(" .!\"'").casefold() in taking:
            return line
    return _said_yes(envelope)


def _said_yes(envelope: Envelope) -> TextLine | None:
    """The line that is a plain yes, where the mail as a whole is one."""
    if answer_of(envelope, (envelope.subject,)) is not Word.YES:
        return None
    return next((line for line in envelope.own_lines if word_of(line.text) is Word.YES), None)


_TAKES = ("accept", "i accept", "join", "enter", "open", "show me", "play", "i'm in", "count me in")


def _on_own_board(said: ReadRequest, shared: str) -> ReadRequest:
    """Orders in answer to the letter about somebody's board begin a board of one's own there, and are its first."""
    if not isinstance(said.request, Submit) or said.game != shared:
        return said
    return replace(said, request=SandboxGame(shared, said.request.lines), verb="sandbox", game="")


def _about_this_letter(said: ReadRequest) -> ReadRequest:
    """What is asked of a letter that shows a board is about the letter: "What is this?", "How do I play?"."""
    if not isinstance(said.request, Help) or said.text.lower().startswith("help"):
        return said
    page = find_page(said.request.topic)
    general = page is not None and (page.key in _GENERAL or page.shows is Shows.OVERVIEW)
    return replace(said, request=Help(SHOWN_BOARD)) if general else said


_GENERAL = ("diplomacy", "first steps", "practice", "sandbox", "joining")


def _on_new_board(heard: HeardMail, script: Script) -> Script:
    """Orders below `sandbox` that are for no game that counts are the first on the new board."""
    begun = [(one, one.request) for one in script.said if isinstance(one.request, SandboxGame)]
    if len(begun) != 1 or begun[0][1].orders or heard.speaker.game:
        return script
    new, request = begun[0]
    first = new.lines[0]
    headed = any(one.why is Unasked.HEADING and one.line > first for one in script.ignored)
    lost = [one for one in script.unread if one.reason == "which-game" and not one.verb and one.line > first]
    tried = [one for one in script.said if isinstance(one.request, Submit) and not headed and one.lines[0] > first]
    tried = [one for one in tried if (game := heard.game(one.game)) is not None and game.practice is not None]
    lines = [OrderLine(number, one.text) for one in lost for number in one.lines[:1]]
    lines += [line for one in tried if isinstance(one.request, Submit) for line in one.request.lines]
    if not lines or (headed and lost):
        return script
    request = replace(request, orders=tuple(sorted(lines, key=lambda line: line.number)))
    said = (replace(one, request=request) if one is new else one for one in script.said if one not in tried)
    return replace(script, said=tuple(said), unread=tuple(one for one in script.unread if one not in lost))


def _at_a_subject(heard: HeardMail, script: Script, letter: AnsweredLetter) -> Script:
    """Words that ask for nothing, where a subject knows better than any list of commands what was meant."""
    if all(one.reason != UNKNOWN for one in script.unread):
        return script
    config, view = heard.judge.config, heard.unit
    said = (*details(heard.mail, heard.envelope, config.domain, config.local_part), letter.called[0])
    subject = next(filter(None, (subject_at(view, word) for word in said)), None)
    if subject is None or not subject.unasked[0]:
        return script
    sentence, instead = subject.unasked
    unread = (
        replace(one, sentence=tell(sentence), candidates=(instead,)) if one.reason == UNKNOWN else one
        for one in script.unread
    )
    return replace(script, unread=tuple(unread))


def _bound(said: ReadRequest, turn: str) -> ReadRequest:
    """`process` without a phase is for the one that the letter was about which it answers."""
    request = said.request
    if not isinstance(request, Process) or request.phase:
        return said
    return replace(said, request=replace(request, phase=turn))


# --- what the reader knows ----------------------------------------------------------------------------------------


def _letter_answered(heard: HeardMail) -> AnsweredLetter:
    envelope = heard.envelope
    for reference in (envelope.in_reply_to, *reversed(envelope.references)):
        letter = heard.unit.letters.by_message_id(reference) if reference else None
        if letter is None:
            continue
        view = json.loads(letter.view)["view"]
        reply, opened = view.get("reply") or {}, view.get("open")
        return AnsweredLetter(
            kind=letter.kind,
            called=(letter.game or "", int(opened.get("number", 0)) if isinstance(opened, dict) else 0),
            press=str(view.get("answer") or "") if letter.kind == Kind.PRESS else "",
            turn=str(reply.get("turn", "")),
            version=int(reply.get("version", 0)),
            form=tuple(reply.get("form", ())),
            choices=tuple(reply.get("choices", ())),
            yes=str(reply.get("yes", "")) or _entering(letter.kind, view),
            tournament=str(view.get("name", "")) if letter.kind == Kind.TOURNAMENT else "",
        )
    return AnsweredLetter()


def _entering(kind: str, view: Mapping[str, Any]) -> str:
    """What a yes to the page of a tournament, which somebody has asked for, stands for; "" if it offers no place."""
    lines = view.get("lines", ()) if kind == Kind.TOURNAMENT else ()
    return next((line for line in lines if str(line).endswith(" enter")), "")


def context_of(heard: HeardMail, letter: AnsweredLetter | None = None) -> ScriptContext:
    """What a line from whoever speaks is read by: where it is meant for, who they are there, and what they answer."""
    letter = letter or AnsweredLetter()
    judge = heard.judge
    key = heard.speaker.game or heard.only_game()
    game = heard.game(key)
    actor = heard.actor(game)
    seat = game.seats.get(actor.seat) if game else None
    votes = _votes_of(heard, game, actor)
    return ScriptContext(
        now=heard.now,
        zone=zone_info(game.settings.zone if game else judge.config.zone),
        # Alone in a practice game or a sandbox one may try every word, `process` too.
        role=Role.STRANGER if game is not None and game.practice is not None else actor.role,
        game=game.key if game else "",
        addressed=bool(heard.speaker.game),
        board=game.board if game else None,
        position=game.position if game else None,
        powers=seat.powers if seat else (),
        games=GameBoards(heard),
        calendar_of=cache(partial(_calendar_of, heard)),  # every line asks
        business_of=partial(_business_of, heard),
        vacant_in=partial(_vacant_in, heard),
        players_of=cache(partial(_players_of, heard)),
        votes=votes,
        ballots=tuple(line for number in votes for line in game.votes[number].lines) if game else (),
        called=letter.called[1] if game is not None and letter.called[0] == game.key else 0,
        free=letter.kind in _ASKING_NOTHING,
        press=letter.press,
        turn=letter.turn or _overtaken_turn(heard, game),
        form=letter.form,
        choices=letter.choices,
        domain=judge.config.domain,
        offered=cache(partial(_offered, heard)),
    )


def _players_of(heard: HeardMail, key: str) -> dict[str, tuple[str, ...]] | None:
    """The powers of each player of a game, by name, by first name and by address; None where the reader may not know
    who plays what. Names that several players have are left out.
    """
    game = heard.game(key)
    role = heard.actor(game).role
    if game is None or game.stage is not Stage.RUNNING or role not in (Role.PLAYER, Role.GM):
        return {}
    if game.settings.anonymous and role is not Role.GM:
        return None
    found: dict[str, set[tuple[str, ...]]] = {}
    for seat in game.seats.values():
        if seat.person and seat.powers:
            member = heard.ledger.members[seat.person]
            for name in {member.name, member.name.partition(" ")[0], member.address} - {""}:
                found.setdefault(name.lower(), set()).add(seat.powers)
    return {name: powers.pop() for name, powers in found.items() if len(powers) == 1}


def _calendar_of(heard: HeardMail, key: str) -> Calendar:
    """The calendar of a game, or of the judge where there is none."""
    game = heard.game(key) if key else None
    return game.calendar if game else CALENDAR_1976


def _business_of(heard: HeardMail, key: str) -> Mapping[str, Business]:
    """A game's own business, by its words."""
    game = heard.game(key)
    return game.rules.business() if game else NO_BUSINESS


def _offered(heard: HeardMail) -> tuple[str, ...]:
    """The games that a line which names none may mean: those of its author that go on, else those that are listed."""
    person = heard.speaker.person
    own = tuple(game.key for game, _ in heard.games_of(person.id) if game.ending is None) if person else ()
    rows = () if own else heard.unit.games.list()
    open_to_all = (row.key for row in rows if row.state != Stage.ENDED and json.loads(row.summary).get("listed"))
    return tuple(islice(own or open_to_all, _MOST_OFFERED))


_MOST_OFFERED = 3


def _votes_of(heard: HeardMail, game: Game | None, actor: Actor) -> tuple[int, ...]:
    """The votes that are open for whoever speaks; none where a part of what they wrote is hidden from us."""
    if (
        game is None
        or not game.votes
        or actor.seat not in {seat.id for seat in game.active_seats}
        or hides(heard.envelope)
    ):
        return ()
    return tuple(sorted(game.votes))


def _vacant_in(heard: HeardMail, key: str) -> Collection[str]:
    """Powers of a running game that nobody plays, for somebody who has no seat there and does not govern it."""
    game = heard.game(key)
    if game is None or game.stage is not Stage.RUNNING or heard.actor(game).role is not Role.STRANGER:
        return ()
    return tuple(power for seat in game.seats.values() if not seat.filled for power in seat.powers)


def _overtaken_turn(heard: HeardMail, game: Game | None) -> str:
    """The turn for which a delayed mail was written: its Date is older than the results that the game has seen
    since, and its subject, an answer to a letter of ours, names a turn before them. Else ""."""
    written, subject = heard.envelope.date_claimed, heard.envelope.subject
    if game is None or game.phase is None or game.turn_opened_at is None or written is None:
        return ""
    named = answered_turn(subject, game.key, game.phase, game.calendar) if written < game.turn_opened_at else ""
    return named if named and game.calendar.rank(named) < game.calendar.rank(game.phase) else ""


class GameBoards(Mapping[str, Board]):
    """Every game by name with its board."""

    def __init__(self, heard: HeardMail) -> None:
        self._heard = heard

    def __getitem__(self, key: str) -> Board:
        table = self._heard.ledger.table_of(key)
        if table is None:
            raise KeyError(key)
        return self._heard.judge.shelf.played(*table)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._heard.ledger.table_of(key) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._heard.ledger.keys())

    def __len__(self) -> int:
        return len(self._heard.ledger.keys())


# --- what could not be read ---------------------------------------------------------------------------------------


def unread(heard: HeardMail) -> tuple[Verdict, ...]:
    """Verdicts on lines that were to be commands and could not be followed, and on those that ask for nothing."""
    refused = [
        Verdict(u.line, u.text, Status.REFUSED, reason=u.reason, sentence=u.sentence, candidates=u.candidates)
        for u in heard.script.unread
    ]
    ignored = [_passed_over(heard, one) for one in heard.script.ignored if str(one.why) not in _SILENT]
    return (*refused, *ignored, *_not_read(heard))


def _passed_over(heard: HeardMail, one: Ignored) -> Verdict:
    """The verdict on a line that asks for nothing; of the one that answers our letter, what came of it."""
    if one.why is Unasked.ANSWER:
        return Verdict(one.line, one.text, Status.TAKEN, sentence=heard.consent.word_taken)
    return Verdict(one.line, one.text, Status.IGNORED, reason=str(one.why))


def _not_read(heard: HeardMail) -> Iterator[Verdict]:
    """What of the mail lay beyond the text that was read: said, so that nothing is dropped in silence."""
    envelope = heard.envelope
    last = envelope.text_lines[-1].number + 1 if envelope.text_lines else 1
    if envelope.lines_cut:
        sentence = tell(
            "{lines_cut} more lines were not read; send them in another mail.", lines_cut=envelope.lines_cut
        )
        yield Verdict(last, "...", Status.REFUSED, reason="text-cut", sentence=sentence)
    if envelope.only_in_html or envelope.only_in_text:
        yield from two_versions(envelope, context_of(heard, heard.letter), last)
    if "encrypted" in envelope.defects:
        sentence = tell("This mail is encrypted; I cannot read it. Send it in the clear.")
        yield Verdict(last, "(encrypted)", Status.REFUSED, reason="encrypted", sentence=sentence)
    if "signed-opaque" in envelope.defects:
        sentence = tell("This mail is signed in a way that hides its text from me; send it unsigned, or clear-signed.")
        yield Verdict(last, "(signed)", Status.REFUSED, reason="signed-opaque", sentence=sentence)
    creates = any(isinstance(said.request, (Create, DryCreate)) for said in heard.script.said)
    for attachment in envelope.attachments:
        if attachment.name and not (creates and attachment.text):
            name = f"({attachment.name})"
            yield Verdict(last, name, Status.IGNORED, reason="attachment", sentence=tell("attachments are not read"))


def lines_noted(heard: HeardMail) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The lines that could not be followed, and of every line who has read it: for the log, `judge feed --json` and
    `why line 3`.
    """
    script = heard.script
    unread = [
        {"line": u.line, "text": u.text, "reason": u.sentence, "candidates": list(u.candidates)} for u in script.unread
    ]
    read = [{"line": one.line, "by": one.by, "as": one.became} for one in script.read]
    return unread, read
