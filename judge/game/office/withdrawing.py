"""Taking back what the Gamemaster did to a seat: a player whom they seated or removed, orders filed for somebody.

An assignment is taken back by giving the seat to whom it belonged before, or leaving it vacant; nobody is blamed for
it. Orders are taken back only while they are the last word on their power.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.game.core import events as ev
from judge.game.core.commands import Command
from judge.game.core.decision import Context, Decision, Refusal, over
from judge.game.core.model import Game, Stage
from judge.game.core.registry import Feature
from judge.game.filing.again import restored
from judge.game.table.vacancies import take_over


@dataclass(frozen=True, slots=True)
class Unassign(Command):
    """`person`, whom the Gamemaster put at a seat, leaves it to `former`; 0: it was vacant before."""

    seat: str
    person: int
    former: int = 0


@dataclass(frozen=True, slots=True)
class SeatAgain(Command):
    """`person`, from whom the Gamemaster took a seat, has it again."""

    seat: str
    person: int


@dataclass(frozen=True, slots=True)
class WithdrawOrders(Command):
    """The orders that the Gamemaster filed for a power make way for those before them. `number`: of their set."""

    power: str
    number: int


def of_seat(events: Sequence[ev.Event], place: int) -> Unassign | None:
    """What takes an assignment back; the seat's former player left in the same act, or it was vacant."""
    act = events[place]
    if not isinstance(act, ev.SeatFilled):
        return None
    went = events[place - 1] if place else None
    replaced = isinstance(went, ev.SeatVacated) and went.seat == act.seat and went.why == "replaced"
    return Unassign(act.seat, act.person, went.person if replaced and isinstance(went, ev.SeatVacated) else 0)


def unassign(game: Game, command: Unassign, context: Context) -> Decision | Refusal:
    """Give a seat back to the player before, or leave it vacant; refused where it has changed hands since."""
    seat = game.seats.get(command.seat)
    if game.stage is Stage.ENDED:
        return over(game.key)
    if seat is None or seat.person != command.person:
        return Refusal("changed-since", "Somebody else has that seat now; assign the power again.", mend="status")
    if command.former and game.seat_held_by(command.former) is not None:
        return Refusal("elsewhere", "The former player now plays another power; assign the power again.")
    why = "replaced" if command.former else "withdrawn"
    events: list[ev.Event] = [
        ev.SeatVacated(
            at=context.now, by=context.seat, seat=seat.id, person=command.person, why=why, reason="taken back"
        )
    ]
    if command.former:
        tenure = game.tenures.get(seat.id, seat.tenure) + 1
        events.append(
            ev.SeatFilled(at=context.now, by=context.seat, seat=seat.id, person=command.former, tenure=tenure)
        )
    names = game.named(seat.powers)
    whose = "has its former player again; their orders must be sent again" if command.former else "is vacant again"
    return Decision(tuple(events), said=f"{names} {whose}.")


def seat_again(game: Game, command: SeatAgain, context: Context) -> Decision | Refusal:
    """Give a seat back that was vacated by mistake, as to somebody who returns; refused once it is filled."""
    if game.stage is Stage.ENDED:
        return over(game.key)
    seat = game.seats.get(command.seat)
    if seat is None or seat.filled or game.seat_held_by(command.person) is not None:
        return Refusal(
            "changed-since", "Somebody has taken that seat, or another one, since; assign the power again.", "status"
        )
    events = take_over(game, seat, command.person, context.now, by=context.seat, resumes=True)
    return Decision(
        events, said=f"{game.named(seat.powers)} has its former player again; their orders must be sent again."
    )


def withdraw_orders(game: Game, command: WithdrawOrders, context: Context) -> Decision | Refusal:
    """The set before the Gamemaster's is in force again."""
    sheet = game.sheets.get(command.power)
    name = game.board.powers[command.power].name
    if sheet is None or sheet.number != command.number or sheet.undo is None:
        sentence = f"The orders of {name} were changed or played since; nothing of them is taken back."
        return Refusal("changed-since", sentence, mend=f"order as {name}")
    what = "The orders before yours are" if sheet.undo else "Nothing is"
    return Decision((restored(sheet, context),), said=f"{what} on file for {name}; its player is told.")


FEATURE = Feature(
    decide={Unassign: unassign, SeatAgain: seat_again, WithdrawOrders: withdraw_orders},
    gm_only=(Unassign, SeatAgain, WithdrawOrders),
)
