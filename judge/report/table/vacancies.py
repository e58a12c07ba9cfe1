"""Letters to people without a seat: a power needs a player, or may need one soon."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from judge.game.core import events as ev
from judge.game.core.events import LadderStep
from judge.game.core.model import Game, Running
from judge.game.core.parts import Seat
from judge.game.table.substitutes import SubstituteSought, line_to_take
from judge.game.table.vacancies import may_come
from judge.orders.spelled import listed, unit_text
from judge.report.core.batch import Batch
from judge.report.core.frame import Reader, moment
from judge.report.core.letter import Kind, Letter
from judge.report.core.naming import Moment, agreed, many, power_name

MOST_NAMED = 7
"""Of those who wait for a power."""


@dataclass(frozen=True, slots=True)
class VacancyView:
    """`warning`: nobody is wanted yet; `units`, `centres`: what the power has; `due`: the deadline, None once it has
    passed, and while the game is on hold; `claim`: the line to reply with, "" where the
    Gamemaster says who plays; `offer`: how long the deadline moves for the asking."""

    warning: bool
    power: str
    units: tuple[str, ...]
    centres: str
    standing: str
    due: Moment | None
    claim: str
    offer: str
    press: str
    needs: str = "needs"
    """The verb of `power`, which may be several."""
    invited: str = ""
    """Where the Gamemaster says who plays: the line that takes the power at once, for whoever has an invitation."""
    until: Moment | None = None
    """Where its player only looks for a substitute: until when."""


def vacancy_letters(batch: Batch) -> Iterator[Letter]:
    """To the reserve list, standbys and readers of the openings: when a seat falls vacant, once a week while nobody
    takes it, and a warning while its player is late. Nobody who plays in the game is asked.
    """
    game = batch.after
    if not isinstance(game, Running) or batch.before is None:
        return
    for seq, event in batch.numbered():
        if isinstance(event, ev.SeatVacated):
            yield from _calls(batch, game, seq, (event.seat,), but=event.person)
        elif isinstance(event, SubstituteSought):
            yield from _calls(batch, game, seq, (event.seat,), until=event.until)
        elif isinstance(event, LadderStep) and event.kind == "wanted":
            yield from _calls(batch, game, seq, event.seats)
        elif isinstance(event, LadderStep) and event.kind == "standby" and not game.settings.hide_late:
            yield from _calls(batch, game, seq, event.seats, warning=True)


def _calls(
    batch: Batch, game: Running, seq: int, seats: tuple[str, ...], *, but: int | None = None, warning: bool = False,
    until: datetime | None = None,
) -> Iterator[Letter]:  # fmt: skip
    """`until`: a player looks for a substitute for so long."""
    alive = set(game.survivors)
    for key in seats:
        seat = game.seats[key]
        if seat.filled != (warning or until is not None) or not alive.intersection(seat.powers):
            continue
        for person in asked_to_come(batch, but=but, warning=warning):
            reader = Reader("", batch.cast.member(person))
            view = _view(game, seat, reader, warning=warning, at=batch.events[-1].at, until=until)
            yield batch.letter(Kind.VACANCY, f"{seq}/{key}", reader, view, yes="" if warning else view.claim)


def asked_to_come(batch: Batch, *, but: int | None = None, warning: bool = False) -> tuple[int, ...]:
    """The persons who get a letter about a seat that is vacant, or with `warning` may become so: the reserve list and
    the standbys; whoever reads of openings, too, where a seat is free and anybody may come. `but`: who has just left.
    """
    game = batch.after
    seated = {seat.person for seat in game.seats.values()} | {game.gm, but} | game.barred | game.gathering.turned_away
    seated |= {seat.substitute.person for seat in game.seats.values() if seat.substitute is not None}
    people = (*(one.person for one in game.gathering.reserve), *batch.cast.standbys)
    if not warning and game.settings.access == "open":
        people = (*people, *batch.cast.openings)
    return tuple(person for person in dict.fromkeys(people) if person not in seated)


def hopefuls(batch: Batch, *, but: int | None = None) -> tuple[str, ...]:
    """Those who wait for a power, and whom the Gamemaster alone can seat: names and addresses, for them to choose."""
    waiting = [batch.cast.member(one) for one in asked_to_come(batch, but=but) if not may_come(batch.after, one)]
    return tuple(f"{one.name} <{one.address}>" for one in waiting[:MOST_NAMED])


def _view(
    game: Running, seat: Seat, reader: Reader, *, warning: bool, at: datetime, until: datetime | None
) -> VacancyView:
    position = game.position
    units = tuple(unit_text(unit, game.board) for power in seat.powers for unit in position.of(power))
    centres = sum(len(position.centres(power)) for power in seat.powers)
    over = game.deadline.called or game.held_since is not None
    line = f"claim {game.key} {seat.powers[0].title()}" if until is None else line_to_take(game, seat)
    unasked = may_come(game, reader.member.person)
    invited = any(one.state == "open" and at <= one.until for one in game.gathering.invitations.values())
    return VacancyView(
        warning=warning,
        power=listed(power_name(power, game.board) for power in seat.powers),
        units=units,
        centres=many(centres, "centre"),
        standing=game.phase_title,
        due=None if over else moment(game, game.deadline.at, reader.member),
        claim=line if unasked else "",
        invited=line if invited and not unasked and until is None else "",
        offer=_days(game),
        press=" + ".join(game.settings.press) or "no press",
        needs=agreed("needs", len(seat.powers)),
        until=moment(game, until, reader.member) if until is not None else None,
    )


def _days(game: Game) -> str:
    days = game.settings.takeover_extension.days
    return many(days, "day") if days else ""
