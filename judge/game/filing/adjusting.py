"""No more builds and removals than are due (XIII).

In one mail more than are due are asked back, none of them taken; where the game takes mistakes the first legal ones
count. Of several mails the newest count: waives give way first, then the oldest lines.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from judge.adjudicate import adjudicate
from judge.adjudicate.adjustments import ledger_at
from judge.adjudicate.duty import duty
from judge.adjudicate.legality import legality
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.game.core.model import Begun, G, Game
from judge.game.core.parts import Sheet
from judge.game.filing.read import Read, filed_line, merged
from judge.game.filing.standing import forecast, goes_on
from judge.game.instructions.kinds import Conditional, FiledOrder, first_order
from judge.languages import tell
from judge.orders.model import Build, Waive
from judge.orders.reading import EXPANDED, Problem
from judge.orders.spelled import order_words


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
        number, word = (self.removals, "removal") if self.removals else (self.builds, "build")
        where = f" in {self.ledger}" if self.ledger else ""
        if not number:
            return tell("no build is due{where}", where=where)
        return (
            tell("1 {word} is due{where}", word=word, where=where)
            if number == 1
            else tell("{number} {word}s are due{where}", number=number, word=word, where=where)
        )

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
    return dict.fromkeys(places, _asked_back(due, lines))


def _fills_up(read: Read) -> bool:
    """Whether it waives whatever is left, be that nothing."""
    return EXPANDED in read.reading.notes


def _after_the_first(game: Game, taken: Sequence[Read], places: Sequence[int], number: int) -> list[int]:
    legal = [at for at in places if _is_legal(game, taken[at])]
    return legal[number:]


def _is_legal(game: Game, read: Read) -> bool:
    return read.order is not None and (bool(read.filed) or legality(read.order, read.position, game.rules) is None)


def _asked_back(due: Due, lines: str) -> Problem:
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
