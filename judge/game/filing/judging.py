"""Judges one line of a mail: taken, refused with a reason and what to send instead, or no order at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from judge.adjudicate.explain import meaning, sentence_of
from judge.adjudicate.legality import Illegality, legality
from judge.board.model import province_of
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.board.unit import NUMBER
from judge.game.core.commands import Actor, OrderLine
from judge.game.core.decision import MENDED, STAYS, Context, Status, Verdict
from judge.game.core.model import Begun, Game
from judge.game.core.parts import Fault
from judge.game.filing.conditional import numbers_of
from judge.game.filing.faults import fault_of, plain_words
from judge.game.filing.overtaken import TOO_LATE
from judge.game.filing.read import Read, filed_line, keeps
from judge.game.filing.standing import forecast
from judge.game.instructions.kinds import Conditional, FiledOrder, first_order
from judge.languages import tell
from judge.orders.filing import GIVES_WAY, SUPERSEDED
from judge.orders.kinds import units_of_order
from judge.orders.model import Convoy, Misorder, Order, Support, Waive
from judge.orders.problems import out_of_reach
from judge.orders.reader import read_line
from judge.orders.reading import Problem
from judge.orders.spelled import order_words
from judge.orders.suggestions import suggest

_MOST_INSTEAD = 5
"""As many where nothing of what was written can be done."""

MOST_LINES = 100
"""Refused lines of one mail for which something is offered: more than the units of any player."""


def illegality_of(game: Game, order: Order, position: Position) -> Illegality | None:
    """Why an order cannot be followed in a position; None for one that can, and for one of another kind of phase."""
    try:
        return legality(order, position, game.rules)
    except ValueError:
        return Illegality(order, "wrong-phase")


def known(game: Game, order: Order | None) -> bool:
    """Whether the rules know this kind of order at all."""
    return order is None or game.rules.kinds().of(order) is not None


def instead_of(game: Game, order: Order, position: Position) -> tuple[Order, ...]:
    """What can be done that is nearest to an order that cannot."""
    if isinstance(order, Misorder):
        return ()
    possible = suggest(order, position, lambda one: known(game, one) and illegality_of(game, one, position) is None)
    return tuple(islice(possible, _MOST_INSTEAD))


def possible_only(game: Game, problem: Problem, position: Position) -> Problem:
    """A problem that offers nothing impossible. Where all that was meant is impossible, it says so."""
    meant = [(candidate, _order_of(candidate, position)) for candidate in problem.candidates]
    faults = [illegality_of(game, order, position) if order is not None else None for _, order in meant]
    good = tuple(one for (one, order), wrong in zip(meant, faults, strict=True) if wrong is None and known(game, order))
    if good or not meant:
        return _offering(game, problem, good)
    if not problem.guessed:
        wrong = faults[0]
        why = sentence_of(wrong.order, wrong.reason, game.board, position.phase.season) if wrong else problem.sentence
        problem = replace(out_of_reach(why), clause=problem.clause)
    order = meant[0][1]
    return _offering(game, problem, instead_of(game, order, position) if order is not None else ())


def _order_of(candidate: Order | str, position: Position) -> Order | None:
    """The order that a candidate is; one with words that no order value has is read."""
    if not isinstance(candidate, str):
        return candidate
    return next((reading.order for reading in read_line(candidate, position, None)), None)


def _offering(game: Game, problem: Problem, candidates: Iterable[Order | str]) -> Problem:
    lines = lines_of(game, candidates)
    return replace(problem, candidates=lines)


def lines_of(game: Game, candidates: Iterable[Order | str]) -> tuple[Order | str, ...]:
    """The lines as this game wants them written: foreign units by their nationality, where it demands that."""
    found = tuple(candidates)
    return tuple(_line_of(game, candidate) for candidate in found) if game.settings.nationality else found


def _line_of(game: Game, order: Order | str) -> Order | str:
    if not isinstance(order, (Support, Convoy)) or order.of.power == order.unit.power:
        return order
    unit, of = str(order.of), game.board.powers[order.of.power].adjective.upper()
    return str(order).replace(f" {unit}", f" {of} {unit}", 1)


def with_free_sites(verdict: Verdict, used: Collection[str]) -> Verdict:
    """A verdict that offers no build in a province where one is on file."""
    free = tuple(line for line in verdict.candidates if not (line.endswith(" B") and _site(line) in used))
    return verdict if free == verdict.candidates else replace(verdict, candidates=free)


def _site(build: str) -> str:
    """The province of a build as an order is stored: "F STP/SC B"."""
    return province_of(build.split()[-2])


class Judged(NamedTuple):
    """One reading and what becomes of it; `stays`: the order on file that it leaves as it is."""

    read: Read
    verdict: Verdict
    stays: bool = False

    @property
    def files(self) -> bool:
        """Whether it goes on file."""
        if self.verdict.status is Status.REFUSED:
            return isinstance(self.read.order, Misorder)  # its unit stands, and the report prints the line
        return self.verdict.status is Status.TAKEN and not self.stays


def judge(game: Begun, read: Read, stays: FiledOrder | None, actor: Actor) -> Judged:
    """What becomes of one reading: the verdict on its line, and what goes on file, if anything.

    `stays`: the order on file that the line leaves as it is, if it does.
    """
    if stays is None and keeps(read) and read.reading.order is None and read.reading.problem is None:
        said = tell("what is on file for the others stays")
        return Judged(read, Verdict(read.line, read.reading.text, Status.TAKEN, sentence=said), stays=True)
    if stays is None:
        verdict = _judge_anew(game, read)
        if verdict.status is not Status.IGNORED and _overtaken(actor, read):
            verdict = replace(verdict, status=Status.IGNORED, reason="overtaken", sentence=TOO_LATE)
        return Judged(read, verdict)
    same = Verdict(
        read.line, read.reading.text, Status.TAKEN, stays.order, notes=(STAYS,), instruction=stays.instruction
    )
    return Judged(read, same, stays=True)


def _overtaken(actor: Actor, read: Read) -> bool:
    """Whether a mail that came after this one has ordered the same."""
    if not actor.later:
        return False
    what = f"build {read.reading.site}" if read.unit is None else f"unit {read.unit}"
    key = (str(read.phase), what) if read.order is None else filed_line(read).key
    return (read.power, *key) in actor.later


def veiled(verdicts: Sequence[Verdict], lines: Mapping[int, str]) -> list[Verdict]:
    """The verdicts, with one for each of these lines, which speak of other units; `lines` has what is said of each: it
    tells nothing of which units had orders before.
    """
    found: dict[object, Verdict] = {}
    for number, verdict in enumerate(verdicts):
        if verdict.line in lines and verdict.status is Status.TAKEN:
            found[verdict.line] = Verdict(verdict.line, verdict.text, Status.TAKEN, sentence=lines[verdict.line])
        else:
            found[f"{number}"] = verdict
    return list(found.values())


def with_block(piece: OrderLine, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts, with one for each line of a condition over several lines, and these as they were written."""
    texts = dict(zip(numbers_of(piece), piece.text.split("\n"), strict=False))
    answered = {verdict.line: verdict.status for verdict in verdicts if verdict.line in texts}
    taken = Status.REFUSED not in answered.values()
    status, words = Status.TAKEN, tell("part of the condition in line {piece}", piece=piece.number)
    if not taken:
        status, words = Status.IGNORED, tell("{words}, of which nothing was taken", words=words)
    rest = [Verdict(number, text, status, sentence=words) for number, text in texts.items() if number not in answered]
    return [*(replace(verdict, text=texts.get(verdict.line, verdict.text)) for verdict in verdicts), *rest]


def _judge_anew(game: Begun, read: Read) -> Verdict:
    reading, order = read.reading, read.order
    if order is None or isinstance(order, Misorder):
        return refused(read)
    wrong = _fault_of(game, read, order)
    if SUPERSEDED in reading.notes:
        sentence = f"{_why(wrong, read)} " if wrong else ""
        sentence += tell("Another line of this mail counts for it.")
        return Verdict(read.line, reading.text, Status.IGNORED, reason=SUPERSEDED, sentence=sentence)
    if GIVES_WAY in reading.notes:
        sentence = tell("Another line moves this unit, and goes before this one in this game.")
        return Verdict(read.line, reading.text, Status.IGNORED, reason=GIVES_WAY, sentence=sentence)
    status, candidates = Status.TAKEN, tuple[str, ...]()
    if wrong is not None and isinstance(read.filed, Conditional):
        said = order_words(wrong.order, game.board, adjusting=read.phase.kind is PhaseKind.ADJUSTMENTS)
        sentence = tell(
            "{said}: {why} Nothing of the condition was taken; please write all of it again.",
            said=said,
            why=_why(wrong, read),
        )
        return Verdict(
            read.line, reading.text, Status.REFUSED, "", wrong.reason, sentence, (), reading.notes, wrong.clause
        )
    if wrong is not None and game.settings.no_mistakes:
        offered = lines_of(game, instead_of(game, order, read.position))
        status, candidates = Status.REFUSED, tuple(_line_for(read, each) for each in offered)
    if wrong is not None:
        taken = status is Status.TAKEN  # the reason is then a remark on the order, and no sentence of its own
        why = meaning(wrong.order, wrong.reason, game.board, read.position.phase.season) if taken else _why(wrong, read)
        return Verdict(
            read.line, reading.text, status, str(read.instruction), wrong.reason,
            why, candidates, reading.notes, wrong.clause, read.instruction,
        )  # fmt: skip
    return Verdict(
        read.line, reading.text, status, str(read.instruction), sentence=reading.corrected, notes=reading.notes,
        instruction=read.instruction,
    )  # fmt: skip


def _why(wrong: Illegality, read: Read) -> str:
    """The reason as a sentence, as receipts print it."""
    return sentence_of(wrong.order, wrong.reason, read.position.board, read.position.phase.season)


def is_legal(game: Begun, read: Read, order: Order) -> bool:
    """Whether the rules allow this order in the position of a reading."""
    return not isinstance(order, Misorder) and _fault_of(game, read._replace(filed=None), order) is None


def _fault_of(game: Begun, read: Read, order: Order) -> Illegality | None:
    """Why an order that was read cannot be followed; of a condition, the first order of it that can never be."""
    if isinstance(order, Misorder):
        return None
    if isinstance(read.filed, Conditional):
        faults = (_never(game, read, first_order(branch.order)) for branch in read.filed.branches)
        return next(filter(None, faults), None)
    wrong = legality(order, read.position, game.rules)
    return None if wrong is not None and _would_be_right(game, read, order) else wrong


_WHATEVER_COMES = frozenset({"not-a-home-centre", "unit-cannot-stand-there", "build-coast-missing"})
"""Why a build can never be made, whatever the retreats before it bring."""


def _never(game: Begun, read: Read, order: Order) -> Illegality | None:
    """Why an order under a condition cannot be followed even if it comes to be due."""
    wrong = None if isinstance(order, (Waive, Misorder)) else legality(order, read.position, game.rules)
    if wrong is None or read.phase == game.position.phase or wrong.reason in _WHATEVER_COMES:
        return wrong
    return None


def _would_be_right(game: Begun, read: Read, order: Order) -> bool:
    """Whether an adjustment is wrong only because a retreat is not on file yet: it may still come."""
    if read.phase == game.position.phase:
        return False
    spared = forecast(game, read.power, spared=True)
    return spared is not None and spared.phase == read.phase and legality(order, spared, game.rules) is None


def refused(read: Read) -> Verdict:
    """A line that cannot be taken; chatter is no fault."""
    reading, problem = read.reading, read.reading.problem
    if problem is None or not reading.order_like:
        return Verdict(read.line, reading.text, Status.IGNORED, reason="no-order", sentence=tell("not an order"))
    candidates = tuple(_line_for(read, candidate) for candidate in problem.candidates)
    return Verdict(
        read.line, reading.text, Status.REFUSED, "", problem.slug, problem.sentence, candidates, reading.notes,
        problem.clause,
    )  # fmt: skip


def _line_for(read: Read, offered: Order | str) -> str:
    """A line that is offered, which is read back when it is chosen; units with numbers are called by them."""
    if isinstance(offered, str) or not any(unit.mark(NUMBER) for unit in units_of_order(offered).values()):
        return str(offered)
    return order_words(offered, read.position.board, reader=read.power or "")


def noted(one: Judged, left: Collection[str], context: Context) -> Judged:
    """A refused line that a later one of the same mail has put right is said to be so. `left`: the lines that are still
    asked back, as `plain_words`.
    """
    fault = written(one, context) if one.verdict.status is Status.REFUSED else None
    if not isinstance(fault, Fault) or plain_words(fault.text) in left:
        return one
    return one._replace(verdict=replace(one.verdict, notes=(*one.verdict.notes, MENDED)))


def written(one: Judged, context: Context) -> FiledOrder | Fault | None:
    """A line as it went on file, or as it was asked back; None for one that is neither."""
    if one.files:
        return filed_line(one.read)
    return (
        fault_of(one.read, one.verdict, context.actor.mail, context.now)
        if one.verdict.status is Status.REFUSED
        else None
    )
