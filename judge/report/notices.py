"""Notices: what changed without a phase being played, folded into one letter for each reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from judge.game.clock.schedule import absent_at
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT
from judge.game.core.model import Game, Stage
from judge.game.repair.reopening import PhaseReopened
from judge.game.table.autostart import StartScheduled, begins
from judge.report import agreements, awaiting, epilogue, ladder, repairs, starting, times
from judge.report.batch import Batch
from judge.report.cast import shown_name
from judge.report.desk import Desk, desk, filed_lines
from judge.report.frame import Reader, seat_does, seat_title
from judge.report.letter import Kind, Letter
from judge.report.naming import agreed, joined, many, power_name
from judge.report.news import News, because, sentence_start
from judge.report.results import Standing, final_positions
from judge.report.turns import dismissed_at_once


@dataclass(frozen=True, slots=True)
class NoticeView:
    """`items`: a finished sentence each; `subject`: the weightiest of them in a few words; `on_file`: orders that
    somebody else filed for the reader; `deadline_moved`: whether the desk's deadline is news."""

    subject: str
    items: tuple[str, ...]
    desk: Desk
    deadline_moved: bool = False
    on_file: tuple[str, ...] = ()
    shift: str = ""
    """Where the deadline has moved: by how much, earlier or later, and what it was (ruling 40)."""
    positions: tuple[Standing, ...] = ()
    """Where the units stand, of a phase that everybody orders anew; the order form follows them."""


def notices(batch: Batch) -> Iterator[Letter]:
    """One notice for each reader to whom something is news; those who lost their seat are told too."""
    if batch.before is None:
        yield from _of_a_new_game(batch)
        return
    if batch.after.stage is Stage.FORMING:
        return
    for reader in batch.readers():
        yield from _notice(batch, reader, batch.events)
    for event in batch.every(ev.SeatVacated):
        if event.by != event.seat:
            yield _farewell(batch, event)


def _of_a_new_game(batch: Batch) -> Iterator[Letter]:
    """A game that is made and filled at once has welcomed everybody; its Gamemaster hears that it begins by itself."""
    if scheduled := batch.every(StartScheduled):
        yield from _notice(batch, Reader(GM_SEAT, batch.cast.member(batch.after.gm)), scheduled)


def _notice(batch: Batch, reader: Reader, events: Sequence[ev.Event]) -> Iterator[Letter]:
    news = [item for event in events for item in _news(batch, event, reader)]
    if not news:
        return
    moved = not batch.tells_results and not batch.starts and batch.has(ev.DeadlineSet)
    view = NoticeView(
        subject=max(news, key=lambda item: item.weight).subject,
        items=tuple(item.sentence for item in news),
        desk=desk(batch.after, reader.seat, reader.member),
        deadline_moved=moved,
        shift=_shift(batch, reader) if moved else "",
        positions=_positions(batch),
        on_file=tuple(line for item in news for line in item.on_file),
    )
    yield batch.letter(Kind.NOTICE, str(batch.after.seq), reader, view)


def _positions(batch: Batch) -> tuple[Standing, ...]:
    position = batch.after.position
    return final_positions(position) if position is not None and batch.has(PhaseReopened) else ()


def _shift(batch: Batch, reader: Reader) -> str:
    """The old deadline beside the new one, in the game's zone and the reader's."""
    before, after = batch.before, batch.after
    if before is None or before.deadline is None or after.deadline is None or before.phase != after.phase:
        return ""
    old, new, zone = before.deadline.at, after.deadline.at, after.settings.zone
    was = times.deadline(old, zone) + (
        f" (yours: {own})" if (own := times.theirs(old, zone, reader.member.zone)) else ""
    )
    if old == new:
        return f"That is the same moment as before: {was}."
    word = "LATER" if new > old else "EARLIER"
    return f"That is {word} than before, by {_distance(abs(new - old))}. It was {was}."


def _distance(span: timedelta) -> str:
    """To the minute: "2 days and 3 hours"."""
    minutes = round(span.total_seconds() / 60)
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [many(n, word) for n, word in ((days, "day"), (hours, "hour"), (rest, "minute")) if n]
    return joined(parts) or "less than a minute"


Tell = Callable[[Batch, Any, Reader], Iterator[News]]


def _news(batch: Batch, event: ev.Event, reader: Reader) -> Iterator[News]:
    """What an event says to this reader: nothing if he did it himself, or another letter says it."""
    tell = NEWS.get(type(event))
    if tell is not None and event.by != reader.seat:
        yield from tell(batch, event, reader)


def _actor(batch: Batch, event: ev.Event) -> str:
    """Whoever did it, at the beginning of a sentence."""
    return sentence_start(seat_title(batch.after, event.by))


def _deadline_news(batch: Batch, event: ev.DeadlineSet, reader: Reader) -> Iterator[News]:
    if batch.tells_results or batch.starts or event.why == "reopened":
        return
    game = batch.after
    has, new = seat_does(game, event.by, "has"), seat_does(game, event.by, "is")
    what = {
        "extension": f"{has} taken a free extension. It needs no reason.",
        "extended": f"{has} extended the deadline.",
        "resumed": "The deadline has been set anew.",
        "vote": "The players have voted for more time.",
        "outage": "The judge was out of reach for a while, so the deadline is moved.",
        "replacement": "A new player has taken over, so the deadline is moved.",
        "takeover": f"{new} new in the game: the time offered for that is taken.",
        "correction": "The deadline is moved on account of the correction; it counts against nobody.",
        "excused": f"{has} excused a player, so the deadline is moved.",
    }.get(event.why, f"{has} moved the deadline.")
    seat = game.seats.get(event.by)
    if event.free and seat is not None:
        left = game.extensions_left(seat)
        what += f" {left} of {game.settings.extensions} left."
    moment = game.deadline.at if game.deadline is not None else event.deadline  # of several in one mail the last holds
    when = times.short(moment, game.settings.zone)
    yield News(
        what + because(event.reason) + _absences(batch, event), f"deadline now {_sooner(batch, moment)}{when}", 9
    )


def _sooner(batch: Batch, moment: datetime) -> str:
    """A deadline that comes earlier says so in the subject."""
    old = batch.before.deadline if batch.before is not None else None
    return "EARLIER, " if old is not None and moment < old.at else ""


def _absences(batch: Batch, event: ev.DeadlineSet) -> str:
    """Whose announced absence the deadline was kept clear of, or falls into because the Gamemaster named it."""
    game = batch.after
    if event.beyond:
        return f" It was moved on past the absence of {joined(seat_title(game, seat) for seat in event.beyond)}."
    into = absent_at(game, event.deadline) if event.why == "set" else ()
    return f" It falls into the absence of {joined(seat_title(game, seat) for seat in into)}." if into else ""


def _vacancy_news(batch: Batch, event: ev.SeatVacated, reader: Reader) -> Iterator[News]:
    if event.why == "replaced":  # the new player is news enough
        return
    game = batch.before if batch.before is not None else batch.after
    has, vacant = seat_does(game, event.seat, "has"), seat_does(game, event.seat, "is")
    sentence = {
        "left": f"{has} no player now: the one who played left the game.",
        "nmr": f"{has} no player now: no orders came {_by_when(batch)}.",
    }.get(event.why, f"{has} no player now.")
    yield News(sentence + because(event.reason), f"{vacant} vacant", 6)


def _by_when(batch: Batch) -> str:
    return "by the deadline" if dismissed_at_once(batch) else "within the time of grace"


def _title_before(batch: Batch, seat: str) -> str:
    return seat_title(batch.before if batch.before is not None else batch.after, seat)


def _filled_news(batch: Batch, event: ev.SeatFilled, reader: Reader) -> Iterator[News]:
    if reader.seat == event.seat:
        return
    has = seat_does(batch.after, event.seat, "has")
    player = shown_name(batch.after, batch.cast, event.seat)
    who = f": {player}" if player else ""
    yield News(f"{has} a new player{who}.", f"{has} a new player", 7)


def _joined_news(batch: Batch, event: ev.PlayerJoined, reader: Reader) -> Iterator[News]:
    if reader.seat != GM_SEAT:
        return
    game = batch.after
    name = batch.cast.member(event.person).name
    count = f"{len(game.seats)} of {many(game.settings.players, 'player')}"
    taken = len(game.seats) >= game.settings.players and begins(game) is None
    full = " All seats are taken; reply with START when you are ready." if taken else ""
    yield News(f"{name} has joined: {count}.{full}", f"{count}", 3)


def _filed_news(batch: Batch, event: ev.OrdersFiled, reader: Reader) -> Iterator[News]:
    game = batch.after
    if reader.seat != _owner(game, event.power):
        return
    name = power_name(event.power, game.board)
    lines = filed_lines(game, event.power)
    by_proxy = event.by in game.seats
    has = agreed("has", len(game.seats[event.by].powers) if by_proxy else 1)
    actor = _actor(batch, event) + (", to whom you gave your proxy," if by_proxy else "")
    yield News(f"{actor} {has} filed orders for {name}. On file now:", f"orders filed for {name}", 5, lines)


def _delay_news(batch: Batch, event: ev.ProcessingDelayed, reader: Reader) -> Iterator[News]:
    if reader.seat == GM_SEAT:
        yield News(f"The phase has not been processed yet: {event.reason.rstrip('.')}.", "processing delayed", 8)
        return
    told = "The results come later than planned, for a technical reason."
    yield News(f"{told} {ladder.meanwhile(batch.after, reader)}".strip(), "results delayed", 8)


def _held_news(batch: Batch, event: ev.GameHeld, reader: Reader) -> Iterator[News]:
    game, zone = batch.after, batch.after.settings.zone
    what = f"{_actor(batch, event)} has put the game on hold.{because(event.reason)}"
    if event.until is not None:
        own = times.theirs(event.until, zone, reader.member.zone)
        until = times.written(event.until, zone) + (f" (yours: {own})" if own else "")
        what += f" It goes on by itself: {until}."
    if game.deadline is not None and not game.deadline.called:
        what += f" Meanwhile no deadline runs, neither that of {times.deadline(game.deadline.at, zone)}."
    elif game.deadline is not None and game.deadline.grace is not None:
        what += f" The grace stands still, too; it would have ended {times.deadline(game.deadline.grace, zone)}."
    subject = f"on hold until {times.short(event.until, zone)}" if event.until is not None else "on hold"
    yield News(what, subject, 8)


def _resumed_news(batch: Batch, event: ev.GameResumed, reader: Reader) -> Iterator[News]:
    yield News("The game goes on.", "the game goes on", 7)


NEWS: Mapping[type[ev.Event], Tell] = {
    ev.DeadlineSet: _deadline_news,
    ev.SeatVacated: _vacancy_news,
    ev.SeatFilled: _filled_news,
    ev.PlayerJoined: _joined_news,
    ev.OrdersFiled: _filed_news,
    ev.GameHeld: _held_news,
    ev.GameResumed: _resumed_news,
    ev.ProcessingDelayed: _delay_news,
    **agreements.NEWS,
    **awaiting.NEWS,
    **starting.NEWS,
    **epilogue.NEWS,
    **ladder.NEWS,
    **repairs.NEWS,
}
"""Event -> what it says to a reader. An event that is absent is nobody's news, or has a letter of its own."""


def _farewell(batch: Batch, event: ev.SeatVacated) -> Letter:
    """To the former player; answers go to the judge's own address, since the seat's token is dead."""
    reader = Reader("", batch.cast.member(event.person))
    name = _title_before(batch, event.seat)
    why = f"No orders came {_by_when(batch)}." if event.why == "nmr" else ""
    sentence = f"You no longer play {name} in {batch.after.key}. {why}".strip() + because(event.reason)
    view = NoticeView("your seat", (sentence, *_way_back(batch, event)), desk(batch.after, "", reader.member))
    return batch.letter(Kind.NOTICE, f"{batch.after.seq}/farewell", reader, view)


def _way_back(batch: Batch, event: ev.SeatVacated) -> tuple[str, ...]:
    """Whoever missed a deadline may return once, if he is the first to claim the seat (B25)."""
    game = batch.after
    if event.why != "nmr" or game.returns.get(event.person, 0) or game.seats[event.seat].filled:
        return ()
    power = game.seats[event.seat].powers[0].title()
    return "You may come back once, unless somebody else is first.", f"Reply with: claim {game.key} {power}"


def _owner(game: Game, power: str) -> str:
    seat = game.seat_of(power)
    return seat.id if seat else ""
