"""One game as the operator reads it: times in the game's zone, powers and places by name. `--json` has it raw."""

from __future__ import annotations

from collections.abc import Iterator

from judge.game.core.model import Game
from judge.game.core.parts import Seat
from judge.game.settings.table import settings_to_text
from judge.orders.spelled import unit_text
from judge.report.core.naming import order_text, power_name
from judge.report.core.times import deadline, written


def portrait(game: Game) -> Iterator[str]:
    """The lines of `judge game show`."""
    zone = game.settings.zone
    yield f"{game.key}: {_state(game)}"
    if game.deadline is not None:
        yield f"Deadline: {deadline(game.deadline.at, zone)}"
    if game.held_since is not None:
        yield f"On hold since {written(game.held_since, zone)}"
    yield from _section("Seats", [_seat(seat, game) for seat in game.seats.values()])
    yield from _section("Centres", _centres(game))
    yield from _section("Units", _units(game))
    yield from _section("Orders on file", _orders(game))
    yield from _section("Settings", [f"{name} = {value}" for name, value in settings_to_text(game.settings).items()])


def _state(game: Game) -> str:
    return f"{game.stage}, {game.phase_title}" if game.phase else str(game.stage)


def _section(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"{title}:"
        yield from (f"  {line}" for line in lines)


def _seat(seat: Seat, game: Game) -> str:
    powers = ", ".join(power_name(power, game.board) for power in seat.powers)
    taken = "taken" if seat.filled else "vacant"
    return f"{seat.id:<4} {powers or '(no power yet)':<24} {taken}{', asks to wait' if seat.wait else ''}"


def _centres(game: Game) -> list[str]:
    if game.position is None:
        return []
    owned = {power: game.position.centres(power) for power in game.board.powers}
    return [f"{power_name(power, game.board):<18} {len(codes):>2}" for power, codes in owned.items()]


def _units(game: Game) -> list[str]:
    if game.position is None:
        return []
    board, lines = game.board, []
    for power in board.powers:
        units = ", ".join(unit_text(unit, board) for unit in game.position.of(power))
        if units:
            lines.append(f"{power_name(power, board):<18} {units}")
    for each in game.position.dislodged:
        lines.append(f"{power_name(each.unit.power, board):<18} {unit_text(each.unit, board)} must retreat")
    return lines


def _orders(game: Game) -> list[str]:
    return [
        f"{power_name(power, game.board):<18} {order_text(line.order, game.board)}"
        for power, sheet in game.sheets.items()
        for line in sheet.lines
    ]
