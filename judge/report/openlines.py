"""Lines that were asked back and still wait to be put right, as letters name them (ruling 30)."""

from __future__ import annotations

from dataclasses import dataclass

from judge.game.core.model import Fault, Game, Seat
from judge.game.filing.dropping import how_to_drop
from judge.game.filing.standing import standing
from judge.orders.spelled import unit_text
from judge.report import times
from judge.report.naming import order_text


@dataclass(frozen=True, slots=True)
class OpenLine:
    """One line: its text, when it came ("Tue 5 Jan 10:00 EST"), why it was no order, and how the question ends.

    `line` is its number in the mail `mail`; `proposals` are lines to send instead, likeliest first.
    """

    text: str
    when: str
    said: str
    mend: str
    line: int = 0
    mail: str = ""
    proposals: tuple[str, ...] = ()

    @property
    def named(self) -> str:
        """'your line of Tue 5 Jan 10:00 EST, "A Rom - Moscow"'."""
        return f'your line of {self.when}, "{self.text}"' if self.when else f'your line "{self.text}"'


def words(one: OpenLine) -> str:
    """One line in full: which, why not, and how the question ends."""
    why = f" ({one.said.rstrip('.')})" if one.said else ""
    return f"{one.named}{why}. {one.mend}"


def open_lines(game: Game, seat: Seat | None) -> tuple[OpenLine, ...]:
    """Those of a seat, the oldest first; none where the game takes mistakes."""
    faults = [fault for power in (seat.powers if seat else ()) for fault in standing(game, power).faults]
    return tuple(_open_line(game, fault, faults) for fault in faults)


def _open_line(game: Game, fault: Fault, faults: list[Fault]) -> OpenLine:
    return OpenLine(
        text=fault.text.partition("\n")[0],
        when=times.short(fault.at, game.settings.zone) if fault.at else "",
        said=fault.sentence,
        mend=f"Send {_wanted(game, fault)}, or: {how_to_drop(fault, faults)}",
        line=fault.line,
        mail=fault.mail,
        proposals=tuple(order_text(line, game.board, adjusting=fault.adjusts) for line in fault.proposals),
    )


def _wanted(game: Game, fault: Fault) -> str:
    """What puts it right: "an order for A Rome"."""
    position = game.position
    units = (*position.units, *(lost.unit for lost in position.dislodged)) if position is not None else ()
    unit = next((unit for unit in units if unit.id == fault.unit), None)
    if unit is not None:
        return f"an order for {unit_text(unit, game.board)}"
    if fault.adjusts:
        return "what you want to build or remove"
    return "an order for every unit"
