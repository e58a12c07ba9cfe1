"""Judges one line of a mail: taken, refused with a reason and what to send instead, or no order at all.

What the lines of a mail say: read together, for this phase and, where a line does not fit, for a later one.

Read together, because "all others hold", headings and orders broken over two lines mean what their neighbours make
of them. Besides plain orders a line may hold a condition (`judge.game.instructions.conditions`) or a list of retreats
in order of liking (`judge.game.instructions.kinds`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import NamedTuple

from judge.adjudicate.explain import meaning, sentence_of
from judge.adjudicate.legality import Illegality, legality
from judge.board.model import Board, province_of
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.board.unit import NUMBER
from judge.game.core.commands import MENDED, STAYS, Actor, Context, Doubt, OrderLine, Role, Status, Verdict
from judge.game.core.model import Begun, Game
from judge.game.core.parts import Fault
from judge.game.filing.conditional import gathered, is_block, numbers_of, under_block, under_condition
from judge.game.filing.overtaken import OVERTAKEN
from judge.game.filing.read import Read, fault_of, filed_line, is_faulty, keeps, options_of, plain_words
from judge.game.filing.standing import forecast
from judge.game.instructions.conditions import mentions_condition
from judge.game.instructions.kinds import Conditional, FiledOrder, Ranked, first_order, split_list
from judge.languages import tell, together
from judge.orders.filing import GIVES_WAY, SUPERSEDED, settled
from judge.orders.kinds import units_of_order
from judge.orders.model import Convoy, Disband, Misorder, Order, Retreat, Support, Waive
from judge.orders.problems import out_of_reach, suggest
from judge.orders.reader import read_line, read_orders
from judge.orders.reading import CHATTER, Problem, Reading
from judge.orders.spelled import order_words

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
            verdict = replace(verdict, status=Status.IGNORED, reason="overtaken", sentence=tell(OVERTAKEN))
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
        why = _why(wrong, read) if wrong else ""
        sentence = together(why, tell("Another line of this mail counts for it."))
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


def told_again(game: Game, power: str, fault: Fault) -> str:
    """What the author of a line that is open was told, in the language that is spoken: it is read once more. As it was
    told then, where the line means something else without those around it, or was for a phase to come.
    """
    if not isinstance(game, Begun) or fault.phase != str(game.position.phase) or not fault.reason:
        return fault.sentence
    reads = with_offers(game, read_mail(game, power, [OrderLine(fault.line, fault.text)], game.position)[0])
    verdicts = (judge(game, read, None, Actor(Role.PLAYER)).verdict for read in reads)
    return next((one.sentence for one in verdicts if one.reason == fault.reason and one.sentence), fault.sentence)


_OF_ANOTHER_PHASE = frozenset(("wrong-phase", "not-dislodged", "unfinished", CHATTER))
"""How the reader of one phase answers a line that may be meant for another one of the turn."""


def read_mail(game: Game, power: str, lines: Sequence[OrderLine], position: Position) -> list[list[Read]]:
    """For each line its readings for one power in the phase of a position."""
    found: list[list[Read]] = [[] for _ in lines]
    plain: list[str] = []
    for index, line in enumerate(lines):
        if line.doubt is not None:
            special: list[Read] | None = [_doubted(power, line, line.doubt, position)]
        elif is_block(line.text):
            above = [read for some in found[:index] for read in some]
            above += [Read(0, power, position.phase, position, r) for r in _plainly(game, power, plain, position)]
            special = under_block(game, power, line, position, above)
        else:
            special = _special(game, power, line, position)
        found[index] += special or ()
        plain.append("" if special is not None else " ".join(line.text.splitlines()))
    for reading in read_orders("\n".join(plain), position, power, options=options_of(game, power)):
        index = reading.line - 1
        found[index].append(Read(lines[index].number, power, position.phase, position, reading))
    return found


def with_offers(game: Game, found: Sequence[Read]) -> list[Read]:
    """The readings, with what can be sent instead of those that are refused; the first `MOST_LINES` of these."""
    left = MOST_LINES
    reads = []
    for read in found:
        problem = read.reading.problem
        if problem is not None and problem.candidates:
            left -= 1
            better = possible_only(game, problem, read.position) if left >= 0 else replace(problem, candidates=())
            read = read._replace(reading=read.reading._replace(problem=better))
        reads.append(read)
    return reads


def better(first: Sequence[list[Read]], then: Sequence[list[Read]]) -> list[list[Read]]:
    """For each line the readings that fit; where none do, the first. Orders on one line may fit different phases."""
    return [_better(one, other) for one, other in zip(first, then, strict=True)]


def _better(one: list[Read], other: list[Read]) -> list[Read]:
    if len(one) == len(other):
        return [then if _fit(then) > _fit(now) else now for now, then in zip(one, other, strict=True)]
    return other if any(map(is_faulty, one)) and not any(map(is_faulty, other)) else one


def _fit(read: Read) -> int:
    """How well a reading fits its phase: an order, a line of its kind with something wrong in it, or neither."""
    problem = read.reading.problem
    if problem is None:
        return 2
    return int(problem.slug not in _OF_ANOTHER_PHASE)


def apart(lines: Sequence[OrderLine], board: Board) -> tuple[OrderLine, ...]:
    """The lines: conditions over several lines as one, other lines with a condition cut at their semicolons."""
    found: list[OrderLine] = []
    for line in gathered(lines, board):
        conditional = line.doubt is None and mentions_condition(line.text) and not is_block(line.text)
        pieces = _RETREAT_FIRST.sub(r"\1;", line.text).split(";") if conditional else [line.text]
        texts = [piece.strip() for piece in pieces if piece.strip()]
        found += [line] if texts == [line.text] else [replace(line, text=text) for text in texts]
    return tuple(found)


_RETREAT_FIRST = re.compile(
    r"^((?:(?!\b(?:if|unless|provided|in case|build|remove)s?\b)[^;,])+),\s*(?:and\s+|then\s+)?"
    r"(?=(?:build|remove)s?\b)",
    re.IGNORECASE,
)
"""The retreat in "A Bur - Gas, build A Par if ...": it hangs on no condition, and a comma sets it off as ";" does."""


def _plainly(game: Game, power: str, lines: Sequence[str], position: Position) -> tuple[Reading, ...]:
    return read_orders("\n".join(lines), position, power, options=options_of(game, power))


def _doubted(power: str, line: OrderLine, doubt: Doubt, position: Position) -> Read:
    """A line about orders that is none in our words; what is offered instead tells for which unit it was."""
    offered = [order for text in doubt.proposals for order in _orders_of(read_line(text, position, power))]
    problem = Problem(doubt.reason, doubt.sentence, tuple(offered), guessed=True)
    units = {unit for order in offered if (unit := getattr(order, "unit", None)) is not None}
    about = units.pop() if len(units) == 1 else None
    reading = Reading(line.number, line.text, None, power, problem=problem, about=about)
    return Read(line.number, power, position.phase, position, reading)


def _orders_of(readings: Sequence[Reading]) -> list[Order]:
    return [reading.order for reading in readings if reading.understood and reading.order is not None]


def _special(game: Game, power: str, line: OrderLine, position: Position) -> list[Read] | None:
    """The readings of a line with a condition or a list of retreats in it; None for any other."""
    if mentions_condition(line.text):
        return under_condition(game, power, line, position)
    return _list(game, power, line, position)


def _list(game: Game, power: str, line: OrderLine, position: Position) -> list[Read] | None:
    """Retreats in order of liking: "A Bur - Gas, Par, or disband"."""
    parts = split_list(line.text, position, power)
    if parts is None:
        return None
    readings = [read for part in parts for read in read_line(part, position, power, options=options_of(game, power))]
    bad = next((reading for reading in readings if reading.problem is not None or reading.order is None), None)
    if bad is not None:
        return [Read(line.number, power, position.phase, position, bad._replace(text=line.text, order=None))]
    orders = [reading.order for reading in readings if reading.order is not None]
    open_ones = [order for order in orders if legality(order, position, game.rules) is None] or orders[:1]
    closed = [_closed(game, order, position) for order in orders if order not in open_ones]
    first = readings[0]._replace(text=line.text, order=open_ones[0], corrected="; ".join(closed))
    ranked = Ranked(tuple(each for each in open_ones if isinstance(each, (Retreat, Disband))))
    return [Read(line.number, power, position.phase, position, first, ranked if len(ranked.orders) > 1 else None)]


def _closed(game: Game, order: Order, position: Position) -> str:
    """What is said of a retreat of a list that cannot be made: "not to Munich, the space is occupied"."""
    wrong = legality(order, position, game.rules)
    if wrong is None or not isinstance(order, Retreat):
        return ""
    why = meaning(order, wrong.reason, position.board, position.phase.season)
    return f"not to {position.board.place_name(order.to)}: {why}"


def without_contradictions(game: Game, found: Sequence[Read], is_legal: Callable[[Read, Order], bool]) -> list[Read]:
    """The last legal order for a unit counts; in a no-mistakes game two different ones are asked back."""
    reads = list(found)
    for phase in {read.phase for read in found}:
        places = [
            n for n, read in enumerate(found) if read.phase == phase and read.order is not None and not read.filed
        ]
        if not places:
            continue
        legal = partial(is_legal, found[places[0]])
        position = found[places[0]].position
        plain = settled(
            [found[number].reading for number in places],
            game.board,
            legal,
            options=options_of(game, found[places[0]].power),
            room=lambda build: game.rules.room(position, province_of(build.at)),  # noqa: B023
        )
        for number, reading in zip(places, plain, strict=True):
            if reading is not found[number].reading:
                reads[number] = found[number]._replace(reading=reading)
    return reads
