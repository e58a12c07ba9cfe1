"""Lines that were asked back and still wait to be put right, as letters name them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from judge.game.core.faults import Fault
from judge.game.core.model import Game
from judge.game.core.parts import Seat
from judge.game.filing.dropping import how_to_drop
from judge.game.filing.standing import Standing, standing
from judge.orders.spelled import unit_text
from judge.report.core.facts import Moment, Said, say
from judge.report.core.frame import moment
from judge.report.core.naming import order_text


@dataclass(frozen=True, slots=True)
class OpenLine:
    """One line: its text, when it came, why it was no order, and how the question ends.

    `line` is its number in the mail `mail`.
    """

    text: str
    when: Moment | None
    said: str
    mend: Said
    line: int = 0
    mail: str = ""


def in_full(one: OpenLine) -> Said:
    """One line with all there is to it: which, why not, and how the question ends."""
    return say("open-line", line=named(one), why=one.said.rstrip("."), mend=one.mend)


def named(one: OpenLine) -> Said:
    """Which line it is."""
    return say("your-line", when=one.when, text=one.text)


def open_lines(game: Game, seat: Seat | None) -> tuple[OpenLine, ...]:
    """The open lines of a seat, the oldest first; empty in a game in which faulty orders stand as written."""
    return open_lines_of(game, [standing(game, power) for power in seat.powers] if seat else ())


def open_lines_of(game: Game, found: Iterable[Standing]) -> tuple[OpenLine, ...]:
    """The open lines of these powers, the oldest first."""
    faults = [fault for one in found for fault in one.faults]
    return tuple(_open_line(game, fault, faults) for fault in faults)


def _open_line(game: Game, fault: Fault, faults: list[Fault]) -> OpenLine:
    proposals = [order_text(line, game.board, adjusting=fault.adjusts) for line in fault.proposals]
    return OpenLine(
        text=fault.text.partition("\n")[0],
        when=moment(game, fault.at) if fault.at else None,
        said=fault.sentence,
        mend=say("mend", proposals=proposals, wants=_wanted(game, fault), drop=how_to_drop(fault, faults)),
        line=fault.line,
        mail=fault.mail,
    )


def _wanted(game: Game, fault: Fault) -> Said:
    """What puts it right: an order for a certain unit, a build or removal, or an order for every unit."""
    position = game.position
    units = (*position.units, *(lost.unit for lost in position.dislodged)) if position is not None else ()
    unit = next((unit for unit in units if unit.id == fault.unit), None)
    if unit is not None:
        return say("wanted-order", unit=unit_text(unit, game.board))
    return say("wanted-adjustment") if fault.adjusts else say("wanted-orders")
