"""Files orders: reads and checks them, merges them with the set on file, and answers line by line.

A mail that names some units changes only these; the last order for a unit counts;
a line that cannot be taken leaves everything on file as it was.

Which power of a player's an order is for, where one player has several.

Every line is read for each of them. A name above or before an order says whose it is; without one, the unit or the
home does. What more than one of them can follow ("waive") is asked back; what goes for all units goes for all powers.

No more builds and removals than are due (XIII).

In one mail more than are due are asked back, none of them taken; where the game takes mistakes the first legal ones
count. Of several mails the newest count: waives give way first, then the oldest lines.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from judge.adjudicate import adjudicate
from judge.adjudicate.adjustments import ledger_at
from judge.adjudicate.duty import duty
from judge.adjudicate.legality import legality
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Context, Decision, OrderLine, Status
from judge.game.core.model import Begun, G, Game
from judge.game.core.parts import Fault, Sheet, faults_from_json, faults_to_json
from judge.game.filing.judging import (
    Judged,
    apart,
    better,
    is_legal,
    judge,
    noted,
    read_mail,
    refused,
    veiled,
    with_block,
    with_free_sites,
    with_offers,
    without_contradictions,
    written,
)
from judge.game.filing.overtaken import fault_word
from judge.game.filing.read import (
    Read,
    as_ahead,
    filed,
    filed_line,
    keeps,
    left_alone,
    left_open,
    left_to_rest,
    merged,
    plain_words,
    unseen_words,
    without_blanket,
)
from judge.game.filing.standing import forecast, goes_on, standing, with_deeds_done
from judge.game.instructions.kinds import Conditional, FiledOrder, first_order
from judge.languages import tell, tell_counted
from judge.orders import problems
from judge.orders.filing import spread
from judge.orders.model import Build, Order, Waive
from judge.orders.reading import AWAY, EXPANDED, Problem
from judge.orders.spelled import listed, order_words


@dataclass(frozen=True, slots=True)
class Due:
    """How many builds, or else removals, one phase asks for: of everything, or of one of several ledgers."""

    builds: int
    removals: int
    ledger: str = ""
    waivable: bool = False
    """Whether it stands for the builds of all ledgers together: what is waived is waived in any of them."""

    @property
    def number(self) -> int:
        return self.builds + self.removals

    @property
    def words(self) -> str:
        """ "2 builds are due", "1 removal is due in Asia"."""
        number, where = self.number, self.ledger
        if not number:
            return tell("no build is due in {where}" if where else "no build is due", where=where)
        if self.removals:
            due = tell_counted(number, "1 removal is due", "{number} removals are due")
            due_there = tell_counted(number, "1 removal is due in {where}", "{number} removals are due in {where}")
        else:
            due = tell_counted(number, "1 build is due", "{number} builds are due")
            due_there = tell_counted(number, "1 build is due in {where}", "{number} builds are due in {where}")
        return (due_there if where else due).format(number=number, where=where)

    def counts(self, line: FiledOrder, game: Begun, power: str) -> bool:
        """Whether an order on file is one of so many."""
        if self.waivable:
            return line.unit is None
        return not self.ledger or (not line.waives and _ledger(line, game, power) == self.ledger)


def _ledger(line: FiledOrder, game: Begun, power: str) -> str:
    order = first_order(line.instruction)
    if isinstance(order, Waive):
        return ""
    if isinstance(order, Build):
        return ledger_at(game.position, power, order.at, game.rules)
    return game.rules.ledger(game.position, order.unit)


def too_many(game: Begun, power: str, old: Sequence[FiledOrder], taken: Sequence[Read]) -> Mapping[int, Problem]:
    """Place among the lines taken of a mail -> why it is one too many. `old`: what stays on file beside the mail."""
    if game.deliberates or not any(read.phase.kind is PhaseKind.ADJUSTMENTS for read in taken):
        return {}
    fresh = [filed_line(read) for read in taken]
    found: dict[int, Problem] = {}
    for phase, dues in _due(game, power, merged(old, fresh)).items():
        here = [at for at, line in enumerate(fresh) if line.phase == phase and not _fills_up(taken[at])]
        for due in dues:
            found |= _beyond(due, game, taken, [at for at in here if due.counts(fresh[at], game, power)], fresh)
    return found


def _beyond(
    due: Due, game: Begun, taken: Sequence[Read], places: list[int], fresh: Sequence[FiledOrder]
) -> Mapping[int, Problem]:
    slots = {(fresh[at].key, at if fresh[at].waives else 0) for at in places}
    if len(slots) <= due.number:
        return {}
    if not game.settings.no_mistakes:
        return dict.fromkeys(_after_the_first(game, taken, places, due.number), _not_counted(due))
    lines = ", ".join(order_words(order, game.board, adjusting=True) for at in places if (order := taken[at].order))
    return dict.fromkeys(places, _build_asked_back(due, lines))


def _fills_up(read: Read) -> bool:
    """Whether it waives whatever is left, be that nothing."""
    return EXPANDED in read.reading.notes


def _after_the_first(game: Game, taken: Sequence[Read], places: Sequence[int], number: int) -> list[int]:
    legal = [at for at in places if _is_legal(game, taken[at])]
    return legal[number:]


def _is_legal(game: Game, read: Read) -> bool:
    return read.order is not None and (bool(read.filed) or legality(read.order, read.position, game.rules) is None)


def _build_asked_back(due: Due, lines: str) -> Problem:
    words = due.words[0].upper() + due.words[1:]
    return Problem(
        "too-many",
        tell(
            "{words}, and this mail orders more: {lines}. None of them is on file; please send {due}.",
            words=words,
            lines=lines,
            due=due.number,
        ),
        (),
        "XIII.2",
    )


def _not_counted(due: Due) -> Problem:
    words = due.words[0].upper() + due.words[1:]
    first = (
        tell("the first that you wrote counts")
        if due.number == 1
        else tell("the first {due} that you wrote count", due=due.number)
    )
    return Problem(
        "too-many", tell("{words}; {first}, and this line does not.", words=words, first=first), (), "XIII.2"
    )


def within_number(game: Begun, power: str, lines: tuple[FiledOrder, ...]) -> tuple[FiledOrder, ...]:
    """No more builds or removals than are due: the newest count, waives give way first."""
    if game.deliberates or not any(line.adjusts for line in lines):
        return lines
    dues = _due(game, power, lines)
    room = {phase: [due.number for due in found] for phase, found in dues.items()}
    kept: list[FiledOrder] = []
    newest_first = [*reversed(lines)]
    for line in sorted(newest_first, key=lambda line: line.waives):
        among = [at for at, due in enumerate(dues.get(line.phase, ())) if due.counts(line, game, power)]
        if all(room[line.phase][at] > 0 for at in among):
            kept.append(line)
            for at in among:
                room[line.phase][at] -= 1
    keep = {id(line) for line in kept}
    return tuple(line for line in lines if id(line) in keep)


def _due(game: Begun, power: str, lines: Sequence[FiledOrder]) -> Mapping[str, tuple[Due, ...]]:
    """Adjustment phases of this turn -> what may stand there; where conditions are, as much as may come to be."""
    conditional = {line.phase for line in lines if isinstance(line.instruction, Conditional)}
    return _limits(with_lines(game, power, tuple(lines)), power, conditional)


def with_lines(game: G, power: str, lines: tuple[FiledOrder, ...]) -> G:
    """The game as it were with these orders on file."""
    sheet = Sheet(power, str(game.phase), 0, lines)
    return replace(game, sheets={**game.sheets, power: sheet})


def _limits(game: Begun, power: str, conditional: Collection[str]) -> Mapping[str, tuple[Due, ...]]:
    if game.position.phase.kind is PhaseKind.ADJUSTMENTS:
        return {str(game.position.phase): _adjustments(game, game.position, power)}
    later = forecast(game, power) if goes_on(game) else None
    if later is None or later.phase.kind is not PhaseKind.ADJUSTMENTS:
        return {}
    possible = [position for position in (later, forecast(game, power, spared=True)) if position is not None]
    if str(later.phase) in conditional:
        possible.append(adjudicate(game.position, (), game.rules).after)
    most: dict[tuple[str, bool], Due] = {}
    for due in (due for one in possible for due in _adjustments(game, one, power)):
        known = most.get((due.ledger, due.waivable), due)
        most[due.ledger, due.waivable] = due if due.number > known.number else known
    return {str(later.phase): tuple(most.values())}


def _adjustments(game: Game, position: Position, power: str) -> tuple[Due, ...]:
    due = duty(position, power, game.rules)
    if not any(game.rules.ledgers(position, power)):
        return (Due(due.builds, due.removals),)
    return (*(Due(each.builds, each.removals, each.ledger) for each in due.apart), Due(due.builds, 0, waivable=True))


IsLegal = Callable[[Read, Order], bool]
Lines = Sequence[Sequence[Read]]
"""For each line its readings for one power."""

_LEAST_LIKELY = (AWAY, "not-your-unit", "wrong-phase", "not-an-order", "unfinished")
"""Problems of a line that is hardly for the power for which it was read, the least likely one first."""


def of_each_line(game: Game, found: Sequence[Lines], is_legal: IsLegal) -> list[Read]:
    """The readings of all lines, each for the power and the unit that is meant. `found`: power by power, in the seat's
    order.
    """
    reads = _for_powers(game, found, is_legal)
    return _one_for_each(reads) if "stacks" in game.rules.answered else reads


def _for_powers(game: Game, found: Sequence[Lines], is_legal: IsLegal) -> list[Read]:
    if len(found) == 1:
        return [read for line in found[0] for read in line]
    meant = [_of_line(list(line), is_legal) for line in zip(*found, strict=True)]
    return list(_waived_once(game, list(chain.from_iterable(meant)), is_legal))


def _of_line(by_power: list[Sequence[Read]], is_legal: IsLegal) -> list[list[Read]]:
    """One line's orders, each as the readings that may be meant: one, or several waived builds. A condition over
    several lines may hold orders for each power.
    """
    every = [read for reads in by_power for read in reads]
    if all(read.filed is not None and read.reading.problem is None for read in every):
        return [[read] for read in every]
    single = [[read for read in reads if not _is_expanded(read)] for reads in by_power]
    everywhere = [read for reads in by_power for read in reads if _is_expanded(read)]
    for_all = [[read] for read in _for_all(everywhere, is_legal)]
    if len({len(reads) for reads in single}) == 1:
        return [*(_likeliest(list(same), is_legal) for same in zip(*single, strict=True)), *for_all]
    here = [[read for read in reads if _slug(read) != AWAY] for reads in single]
    best = max(here, key=lambda reads: min((_likelihood(read, is_legal) for read in reads), default=(-1,)))
    return [*([read] for read in best), *for_all]


def _is_expanded(read: Read) -> bool:
    return EXPANDED in read.reading.notes


def _for_all(reads: list[Read], is_legal: IsLegal) -> list[Read]:
    """What goes for all units goes for all powers that can follow it; somebody answers in any case."""
    able = [read for read in reads if read.order is not None and is_legal(read, read.order)]
    return able or [read for read in reads if read.power == reads[0].power]


def _likeliest(reads: list[Read], is_legal: IsLegal) -> list[Read]:
    ranks = [_likelihood(read, is_legal) for read in reads]
    best = [read for read, rank in zip(reads, ranks, strict=True) if rank == max(ranks)]
    waives = len(best) > 1 and all(isinstance(read.order, Waive) for read in best)
    return best if waives else best[:1]


def _likelihood(read: Read, is_legal: IsLegal) -> tuple[int, ...]:
    """How likely a reading is the one that is meant."""
    order = read.order
    if read.reading.problem is None and order is not None:
        at_home = isinstance(order, Build) and read.position.board.home_of.get(read.reading.site) == order.power
        return (len(_LEAST_LIKELY) + 2, not read.reading.corrected, is_legal(read, order), at_home)
    slug = _slug(read)
    if slug in _LEAST_LIKELY:
        return (_LEAST_LIKELY.index(slug), read.unit is not None)
    offers = bool(read.reading.problem and read.reading.problem.candidates)
    return (len(_LEAST_LIKELY), read.unit is not None, offers)


def _slug(read: Read) -> str:
    return read.reading.problem.slug if read.reading.problem else ""


def _waived_once(game: Game, meant: list[list[Read]], is_legal: IsLegal) -> list[Read]:
    """One reading for each order: a waived build goes to the one power that has a build left beside this mail's."""
    sure = [reads[0] for reads in meant if len(reads) == 1]
    found = []
    for reads in meant:
        if len(reads) > 1:
            able = [read for read in reads if _has_build_left(game, read, sure, is_legal)]
            reads = [_asked_back(able)] if len(able) > 1 else able or reads
        found.append(reads[0])
    return found


def _has_build_left(game: Game, read: Read, sure: Sequence[Read], is_legal: IsLegal) -> bool:
    used = sum(
        one.power == read.power and one.phase == read.phase and isinstance(one.order, (Build, Waive)) for one in sure
    )
    legal = read.order is not None and is_legal(read, read.order)
    return legal and duty(read.position, read.power, game.rules).builds > used


def _asked_back(reads: Sequence[Read]) -> Read:
    board = reads[0].position.board
    names = [board.powers[read.power].name for read in reads]
    lines = [f"{name}: {read.reading.text}" for name, read in zip(names, reads, strict=True)]
    sentence = tell(
        "{names} have builds to use or to waive; which of them is this for?",
        names=listed(board.powers[read.power].told for read in reads),
    )
    problem = problems.whose(sentence, lines)
    return reads[0]._replace(reading=reads[0].reading._replace(order=None, problem=problem), filed=None)


def _one_for_each(found: Sequence[Read]) -> list[Read]:
    """Where several units alike stand together, lines that do not say which they mean are spread over them."""
    reads = list(found)
    for phase in dict.fromkeys(read.phase for read in found):
        places = [at for at, read in enumerate(found) if read.phase == phase and not read.filed]
        if places:
            new = spread([found[at].reading for at in places], found[places[0]].position)
            for at, reading in zip(places, new, strict=True):
                reads[at] = found[at]._replace(reading=reading)
    return reads


def any_taken(decision: Decision) -> bool:
    """Whether a line was taken at all."""
    return any(verdict.status is Status.TAKEN for verdict in decision.verdicts)


def filed_by(game: Game, event: ev.OrdersFiled, seat: str) -> ev.OrdersFiled:
    """Orders that the seat `seat` files for a power which it does not play: its slips are no faults of the player."""
    sheet = game.sheets.get(event.power)
    own = tuple(fault for fault in faults_from_json(event.faults) if sheet and fault in sheet.faults)
    return replace(event, by=seat, faults=faults_to_json(own))


def file_lines(
    game: Begun,
    lines: Sequence[OrderLine],
    powers: tuple[str, ...],
    context: Context,
    *,
    replace_all: bool,
    unseen: bool = False,
    sent_ahead: bool = False,
) -> Decision:
    """Read lines, judge each, and put what can be taken on file.

    `unseen`: their author may not see what is on file, so nothing of that shows in the verdicts. `sent_ahead`: they
    were written before the position was known; what fits nothing that is there is over with the next mail of orders.
    """
    pieces = apart(lines, game.board)
    seen = _without_sheets(game, powers) if unseen else game
    reads = _best(seen, powers, pieces)
    stays = left_alone(game, reads, replace_all=replace_all)
    reads = [read if line else without_blanket(game, read) for read, line in zip(reads, stays, strict=True)]
    replace_all = replace_all and not any(map(keeps, reads))  # then every unit is spoken of, and what stays is on file
    judged = [judge(seen, read, line, context.actor) for read, line in zip(reads, stays, strict=True)]
    for power in powers:
        judged = _counted(seen, power, judged, context.actor, replace_all=replace_all)
    then = {power: _lines_then(game, power, judged, context.actor, replace_all=replace_all) for power in powers}
    judged = _without_used_sites(judged, [line for lines in then.values() for line in lines])
    left = {power: _left_open(game, power, judged, then[power], context, replace_all=replace_all) for power in powers}
    if sent_ahead:
        left = {power: tuple(map(as_ahead, faults)) for power, faults in left.items()}
    said = {power: frozenset(plain_words(fault.text) for fault in faults) for power, faults in left.items()}
    judged = [noted(one, said[one.read.power], context) for one in judged]
    verdicts = [one.verdict for one in judged]
    for piece in pieces:
        verdicts = with_block(piece, verdicts) if piece.more else verdicts
    filed = [_file(game, power, then[power], left[power], context) for power in powers]
    if unseen:
        verdicts = veiled(
            verdicts, {read.line: unseen_words(read) for read in reads if keeps(read) or left_to_rest(reads)}
        )
    return Decision(tuple(event for event in filed if event is not None), tuple(verdicts))


def stay(sheet: Sheet | None, actor: Actor, *, replace_all: bool) -> tuple[FiledOrder, ...]:
    """The lines that stay on file beside those of a mail."""
    if sheet is None:
        return ()
    return tuple(line for line in sheet.lines if not replace_all or (sheet.power, *line.key) in actor.later)


def still_open(sheet: Sheet | None, actor: Actor, *, replace_all: bool) -> tuple[Fault, ...]:
    """The lines of mails before it that are still to be put right beside a mail."""
    faults = sheet.faults if sheet is not None else ()
    return tuple(one for one in faults if sheet and (not replace_all or fault_word(sheet.power, one) in actor.later))


def _counted(game: Begun, power: str, judged: Sequence[Judged], actor: Actor, *, replace_all: bool) -> list[Judged]:
    """Builds and removals beyond what is due are no orders."""
    places = [at for at, one in enumerate(judged) if one.files and one.read.power == power]
    old = stay(game.sheets.get(power), actor, replace_all=replace_all)
    extra = too_many(game, power, old, [judged[at].read for at in places])
    found = list(judged)
    for number, problem in extra.items():
        read = judged[places[number]].read
        found[places[number]] = Judged(read, refused(read._replace(reading=read.reading._replace(problem=problem))))
    return found


def _without_used_sites(judged: Sequence[Judged], lines: Sequence[FiledOrder]) -> list[Judged]:
    """What is offered instead of a build is no build where another one is on file."""
    used = {line.site for line in lines if line.site}
    return [one._replace(verdict=with_free_sites(one.verdict, used)) for one in judged] if used else list(judged)


def _without_sheets(game: G, powers: tuple[str, ...]) -> G:
    return replace(game, sheets={power: sheet for power, sheet in game.sheets.items() if power not in powers})


def _best(game: Begun, powers: tuple[str, ...], pieces: Sequence[OrderLine]) -> list[Read]:
    """The readings of every line, in order."""
    legal = partial(is_legal, game)
    meant = of_each_line(game, [_in_turn(game, power, pieces) for power in powers], legal)
    settled = without_contradictions(game, meant, legal)
    return with_offers(game, settled)


def _in_turn(game: Begun, power: str, lines: Sequence[OrderLine]) -> list[list[Read]]:
    """Read for the present phase; what does not fit, for the next one of the turn, as it will be after this mail."""
    reads = read_mail(game, power, lines, with_deeds_done(game, power))
    if not goes_on(game):
        return reads
    taken = [read for some in reads for read in some if read.order is not None]
    sheet = game.sheets.get(power)
    lines_then = merged(sheet.lines if sheet else (), [filed_line(read) for read in taken])
    later = forecast(with_lines(game, power, lines_then), power)
    return reads if later is None else better(reads, read_mail(game, power, lines, later))


def _lines_then(
    game: Begun, power: str, judged: Sequence[Judged], actor: Actor, *, replace_all: bool
) -> tuple[FiledOrder, ...]:
    """A power's set with a mail in it."""
    old = stay(game.sheets.get(power), actor, replace_all=replace_all)
    fresh = [filed_line(one.read) for one in judged if one.files and one.read.power == power]
    return within_number(game, power, merged(old, fresh))


def _left_open(
    game: Begun,
    power: str,
    judged: Sequence[Judged],
    lines: tuple[FiledOrder, ...],
    context: Context,
    *,
    replace_all: bool,
) -> tuple[Fault, ...]:
    """What is still to be put right after a mail with which `lines` are the power's set."""
    old = still_open(game.sheets.get(power), context.actor, replace_all=replace_all)
    if not old and not any(one.verdict.status is Status.REFUSED for one in judged):
        return ()
    fresh = [written(one, context) for one in judged if one.read.power == power]
    complete = standing(with_lines(game, power, lines), power).full
    return left_open(old, [one for one in fresh if one is not None], context.actor.mail, complete=complete)


def _file(
    game: Begun, power: str, lines: tuple[FiledOrder, ...], faults: tuple[Fault, ...], context: Context
) -> ev.OrdersFiled | None:
    """The set in force after a mail, with what is still to be put right; None where nothing changes."""
    sheet = game.sheets.get(power)
    before = () if sheet is None else sheet.lines
    if sheet is None and not lines and not faults:
        return None
    if sheet is not None and lines == before and faults == sheet.faults:
        return None
    number = (sheet.number if sheet else 0) + (lines != before)
    return filed(Sheet(power, str(game.position.phase), number, lines, faults), context)
