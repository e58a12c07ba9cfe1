"""Notices: what changed without a phase being played, folded into one letter for each reader.

News about what players have agreed on or asked for: divided turns, amended rules, orders sent ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import Any

from judge.game.clock.schedule import TimeLost, absent_at
from judge.game.clock.turnover import TurnSplit
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT
from judge.game.core.events import DeadlineSet, Event, SettingChanged
from judge.game.core.model import Game, Running, Stage
from judge.game.core.reasons import reason_told
from judge.game.filing.advance import KeptBound
from judge.game.filing.standing import told_of
from judge.game.filing.submitting import deeds_from_json
from judge.game.office.desk import PROMISED
from judge.game.repair.rewriting import PhaseReopened
from judge.game.settings.table import TABLE, Settings, settings_from_text
from judge.game.table.seating import StartScheduled
from judge.game.table.substitutes import ProxyGiven, proxy_of
from judge.game.table.vacancies import DisorderChanged
from judge.game.talk.ballots import RulesAmended
from judge.orders.spelled import listed
from judge.pace import zone_info
from judge.report.core.audience import Batch
from judge.report.core.houserules import rules_said
from judge.report.core.letter import Kind, Letter, Reader, moment, shown_name, who
from judge.report.core.naming import Moment, Said, Who, instruction_words, phase_fact, power_name, say
from judge.report.played.results import UnitsLine, final_positions
from judge.report.seat.desk import closed, desk, filed_lines
from judge.report.table import calls, gathering, repairs, turns
from judge.report.table.calls import asked_to_come, dismissed_at_once, hopefuls
from judge.report.table.news import News, NoticeView, news
from judge.report.table.votes import done_at_once


def kept_news(batch: Batch, event: KeptBound, reader: Reader) -> Iterator[News]:
    """To their author alone: their orders sent ahead are on file now, or wait to be put right."""
    game = batch.after
    if reader.seat not in game.seats or event.power not in game.seats[reader.seat].powers:
        return
    powers = game.seats[reader.seat].powers  # what is kept for several stands under the first of them
    on_file = {power: game.sheets[power].lines for power in powers if power in game.sheets}
    filed = {
        power: tuple(
            instruction_words(line.instruction, game.board, adjusting=line.adjusts)
            for line in lines
            if line.phase == event.phase and line.order in event.filed
        )
        for power, lines in on_file.items()
    }
    told: dict[str, Any] = {"phase": phase_fact(game, event.phase), "failed": event.failed}
    if any(filed.values()):
        names = [power_name(power, game.board) for power, lines in filed.items() if lines]
        yield news("ahead-filed", 6, tuple(chain.from_iterable(filed.values())), power=listed(names), **told)
    elif event.failed:
        yield news("ahead-failed", 6, event.failed, power=power_name(event.power, game.board), **told)


def split_news(batch: Batch, event: TurnSplit, reader: Reader) -> Iterator[News]:
    """A turn is divided, at somebody's wish or because it came to what nobody could foresee."""
    yield news("turn-split", 6, by=batch.doer(event), phase=phase_fact(batch.after, event.phase))


def proxy_news(batch: Batch, event: ProxyGiven, reader: Reader) -> Iterator[News]:
    """To its holder alone: they may order for another power, or may not any more."""
    before, game, seat = batch.before, batch.after, who(batch.after, event.seat)
    phase = phase_fact(game, event.phase)
    if event.holder and reader.seat == event.holder:
        powers = [power_name(power, game.board) for power in game.seats[event.seat].powers]
        yield news("proxy-given", 7, seat=seat, phase=phase, powers=powers)
        return
    given = proxy_of(before, before.seats[event.seat]) if before is not None else None
    if given is not None and reader.seat == given.holder != event.holder:
        yield news("proxy-ended", 7, seat=seat, phase=phase)


def amendment_news(batch: Batch, event: RulesAmended, reader: Reader) -> Iterator[News]:
    """The house rules are different now."""
    yield news("rules-amended", 8, vote=event.number, version=event.version, text=event.text)


def setting_news(batch: Batch, event: SettingChanged, reader: Reader) -> Iterator[News]:
    """A setting has another value; one that a vote has changed is told by the vote."""
    by = batch.doer(event)
    if event.name == "headlines" and event.by in batch.after.seats:
        yield news("headlines-off", 4, by=by)
    elif not batch.has(RulesAmended):
        yield news("setting-changed", 4, by=by, name=event.name, change=_change(batch, event, reader))


def _change(batch: Batch, event: SettingChanged, reader: Reader) -> Said:
    """What a change comes to: the sentences of the house rules that it replaces, or the bare values."""
    values = {"old": event.old, "new": event.new}
    if event.name == "zone":
        return say("zone-changed", **values, **_other_zone(batch, event))
    gone, come = _replaced(batch.after.settings, event.name, event.old, event.new)
    return say("setting-change", **values, gone=gone, come=come, stays=_grace_kept(batch, event, reader))


def _grace_kept(batch: Batch, event: SettingChanged, reader: Reader) -> Moment | None:
    """The end of a grace that runs and that the change leaves as it was promised."""
    deadline = batch.after.deadline
    if deadline is None or deadline.grace is None or event.name not in PROMISED:
        return None
    return moment(batch.after, deadline.grace, reader.member)


@lru_cache(maxsize=8)
def _replaced(settings: Settings, name: str, old: str, new: str) -> tuple[list[Said], list[Said]]:
    """The sentences of the house rules that a change takes away and those that it brings: the same for all readers."""
    was, now = _said(settings, name, old), _said(settings, name, new)
    return [one for one in was if one not in now], [one for one in now if one not in was]


def _said(settings: Settings, name: str, value: str) -> tuple[Said, ...]:
    """The house rules as they are, but for one setting."""
    return rules_said(settings_from_text({name: value}, settings) if value and name in TABLE else settings)


def _other_zone(batch: Batch, event: SettingChanged) -> dict[str, Moment | None]:
    """Another clock on the wall moves no deadline: the running one by the old clock and by the new one."""
    deadline = batch.after.deadline
    if deadline is None or batch.after.held_since is not None or batch.has(DeadlineSet):
        return {"then": None, "now": None}
    return {"then": Moment(deadline.at, event.old), "now": Moment(deadline.at, event.new)}


AGREEMENTS: dict[type[Event], Callable[[Batch, Any, Reader], Iterator[News]]] = {
    KeptBound: kept_news,
    TurnSplit: split_news,
    ProxyGiven: proxy_news,
    RulesAmended: amendment_news,
    SettingChanged: setting_news,
}
"""For the table of notices."""


def notices(batch: Batch) -> Iterator[Letter]:
    """One notice for each reader to whom something is news; those who lost their seat are told too."""
    if batch.before is None:
        yield from _of_a_new_game(batch)
        return
    if batch.after.stage is Stage.FORMING:
        return
    heard: dict[Reader, list[ev.Event]] = {}
    for event in batch.events:
        if type(event) in NEWS:
            for reader in batch.told(event):
                heard.setdefault(reader, []).append(event)
    for reader in batch.readers() if heard else ():
        yield from _notice(batch, reader, heard.get(reader, ()))
    for event in batch.every(ev.SeatVacated):
        if event.by != event.seat:
            yield _farewell(batch, event)


def _of_a_new_game(batch: Batch) -> Iterator[Letter]:
    """A game that is made and filled at once has welcomed everybody; its Gamemaster hears that it begins by itself."""
    if scheduled := batch.every(StartScheduled):
        yield from _notice(batch, Reader(GM_SEAT, batch.cast.member(batch.after.gm)), scheduled)


def _notice(batch: Batch, reader: Reader, events: Sequence[ev.Event]) -> Iterator[Letter]:
    told = [item for event in events for item in NEWS[type(event)](batch, event, reader)]
    if not told:
        return
    moved = not batch.tells_results and not batch.starts and batch.has(ev.DeadlineSet)
    view = NoticeView(
        subject=max(told, key=lambda item: item.weight).in_short,
        items=(*repairs.undone(batch), *(item.said for item in told)),
        desk=desk(batch.after, reader.seat, reader.member),
        deadline_moved=moved,
        shift=_shift(batch, reader) if moved else None,
        stands=moved and _stands(batch),
        positions=_positions(batch),
        on_file=tuple(line for item in told for line in item.on_file),
        votes=done_at_once(batch),
    )
    yield batch.letter(Kind.NOTICE, str(batch.after.seq), reader, view)


def _positions(batch: Batch) -> tuple[UnitsLine, ...]:
    position = batch.after.position
    return final_positions(position) if position is not None and batch.has(PhaseReopened) else ()


def _moved(batch: Batch) -> tuple[datetime, datetime] | None:
    """The deadline of a phase as it was promised before, and as it is now; None where it had none, or has none."""
    before, after = batch.before, batch.after
    if before is None or before.deadline is None or after.deadline is None or before.phase != after.phase:
        return None
    return before.deadline.promised, after.deadline.at


def _stands(batch: Batch) -> bool:
    moved = _moved(batch)
    return moved is not None and moved[0] == moved[1]


def _shift(batch: Batch, reader: Reader) -> Said | None:
    """The old deadline beside the new one; None where they are one, or the old one has been called off."""
    if (moved := _moved(batch)) is None or _stands(batch):
        return None
    if batch.before is not None and batch.before.held_since is not None and batch.has(PhaseReopened):
        return None  # that of results which were taken back has been called off already
    old, new = moved
    zone = zone_info(batch.after.settings.zone)
    minutes = round((new.astimezone(zone) - old.astimezone(zone)).total_seconds() / 60)  # as clocks there show it
    was = Moment(old, batch.after.settings.zone, reader.member.zone)
    return say("deadline-shift", minutes=minutes, later=new > old, was=was)


Tell = Callable[[Batch, Any, Reader], Iterator[News]]


def _deadline_news(batch: Batch, event: ev.DeadlineSet, reader: Reader) -> Iterator[News]:
    if batch.tells_results or batch.starts or event.why == "reopened":
        return
    if event.why == "replacement" and _hears_of_arrival(batch, reader):
        return
    game, seat = batch.after, batch.after.seats.get(event.by)
    at = game.deadline.at if game.deadline is not None else event.deadline  # of several in one mail the last holds
    old = batch.before.deadline if batch.before is not None else None
    into = absent_at(game, event.deadline) if event.why == "set" else ()
    yield news(
        "deadline-moved", 9, by=batch.doer(event), why=event.why, reason=reason_told(event.reason), at=moment(game, at),
        left=game.extensions_left(seat) if event.free and seat is not None else None, most=game.settings.extensions,
        beyond=[who(game, one) for one in event.beyond], into=[who(game, one) for one in into],
        earlier=old is not None and at < old.at, same=_stands(batch), holidays=event.holidays,
    )  # fmt: skip


def _hears_of_arrival(batch: Batch, reader: Reader) -> bool:
    """Whether another letter says that a replacement moved the deadline: that to the new player, or the answer to
    whoever seated them. A deputy who did it has that answer, and not the Gamemaster.
    """
    filled = batch.every(ev.SeatFilled)
    seated = any(one.seat == reader.seat for one in filled)
    return seated or (reader.member.person == batch.cast.writer and any(one.by == reader.seat for one in filled))


def _vacancy_news(batch: Batch, event: ev.SeatVacated, reader: Reader) -> Iterator[News]:
    if batch.after.stage is Stage.OPEN and event.seat in batch.after.seats and reader.seat != GM_SEAT:
        return  # somebody from the reserve list took the seat at once
    if event.why == "replaced":  # the new player is news enough
        return
    alike = [one for one in batch.every(ev.SeatVacated) if one.why == event.why == "nmr"] or [event]
    if event is not alike[0]:
        return  # those that fall vacant together are told of together
    former = shown_name(batch.before or batch.after, batch.cast, event.seat)
    seats = tuple(one.seat for one in alike)
    names = tuple(name for seat in seats for name in _before(batch, seat).names)
    yield news(
        "vacated", 6, seat=replace(_before(batch, event.seat), names=names), player=former, why=event.why,
        reason=event.reason, at_once=dismissed_at_once(batch), wanted=_wanted(batch.after, event.seat),
        gm=reader.seat == GM_SEAT, asked=len(asked_to_come(batch, but=event.person)),
        ways=calls.ways_to_go_on(batch.after, seats), hopefuls=hopefuls(batch, but=event.person),
    )  # fmt: skip


def _wanted(game: Game, seat: str) -> str:
    """The power for which a player is looked for, as `assign` takes it; "" where none is."""
    if not isinstance(game, Running) or game.seats[seat].filled:
        return ""
    alive = set(game.survivors)
    return next((power.title() for power in game.seats[seat].powers if power in alive), "")


def _before(batch: Batch, seat: str) -> Who:
    return who(batch.before if batch.before is not None else batch.after, seat)


def _disorder_news(batch: Batch, event: DisorderChanged, reader: Reader) -> Iterator[News]:
    yield news("disorder", 6, seat=who(batch.after, event.seat), stands=event.stands)


def _filled_news(batch: Batch, event: ev.SeatFilled, reader: Reader) -> Iterator[News]:
    if reader.seat == event.seat:
        return
    name, address = shown_name(batch.after, batch.cast, event.seat), batch.cast.member(event.person).address
    player = f"{name} <{address}>" if name and address and reader.seat else name  # players may write to each other
    back = batch.before is not None and event.person in batch.before.seats[event.seat].past
    yield news("seat-filled", 7, seat=who(batch.after, event.seat), player=player, back=back)


def _filed_news(batch: Batch, event: ev.OrdersFiled, reader: Reader) -> Iterator[News]:
    game = batch.after
    name, proxy = power_name(event.power, game.board), event.by in game.seats
    substitute = proxy and bool(event.deputy)
    theirs = batch.cast.member(event.deputy).name if substitute and not game.settings.anonymous else ""
    lines = filed_lines(game, event.power)
    facts = {"proxy": proxy, "power": name, "substitute": substitute, "name": theirs}
    yield news("orders-filed", 5, lines, by=batch.doer(event), **facts)


def _deeds_news(batch: Batch, event: ev.DeedsFiled, reader: Reader) -> Iterator[News]:
    """What a power put on file, or took back, that it lets the reader know at once."""
    game, seat = batch.after, batch.after.seats.get(reader.seat)
    if event is not [each for each in batch.every(ev.DeedsFiled) if each.power == event.power][-1]:
        return  # of several of one mail the last has them all
    old = batch.before.deeds.get(event.power, ()) if batch.before is not None else ()
    new, name = deeds_from_json(event.deeds), power_name(event.power, game.board)
    for deed in dict.fromkeys((*new, *old)):
        if (deed in new) is (deed in old) or seat is None or not set(told_of(game, deed)) & set(seat.powers):
            continue
        if deed in new:
            yield news("deed-told", 5, power=name, deed=str(deed), phase=game.phase_title)
        else:
            yield news("deed-gone", 5, power=name, deed=str(deed), phase=game.phase_title)


def _delay_news(batch: Batch, event: ev.ProcessingDelayed, reader: Reader) -> Iterator[News]:
    if reader.seat == GM_SEAT:
        yield news("processing-delayed", 8, reason=reason_told(event.reason.rstrip(".")))
    else:
        yield news("results-delayed", 8, meanwhile=calls.meanwhile(batch.after, reader))


def _held_news(batch: Batch, event: ev.GameHeld, reader: Reader) -> Iterator[News]:
    game, deadline = batch.after, batch.after.deadline
    runs = deadline is not None and not deadline.called
    grace = deadline.grace if deadline is not None and deadline.called else None
    yield news(
        "held", 8, by=batch.doer(event), reason=event.reason,
        until=moment(game, event.until, reader.member) if event.until is not None else None,
        deadline=moment(game, deadline.at) if deadline is not None and runs else None,
        grace=moment(game, grace) if grace is not None else None,
    )  # fmt: skip


def _resumed_news(batch: Batch, event: ev.GameResumed, reader: Reader) -> Iterator[News]:
    yield news("resumed", 7)


def _lost_news(batch: Batch, event: TimeLost, reader: Reader) -> Iterator[News]:
    game = batch.after
    seat = game.seats.get(reader.seat)
    lines = tuple(line for power in (seat.powers if seat else ()) for line in filed_lines(game, power))
    yield news(
        "time-lost", 10, lines, since=moment(game, event.since), until=moment(game, event.until),
        phase=phase_fact(game, str(game.phase)) if game.phase else None, plays=seat is not None, filed=bool(lines),
    )  # fmt: skip


NEWS: dict[type[ev.Event], Tell] = {
    ev.DeadlineSet: _deadline_news,
    ev.SeatVacated: _vacancy_news,
    ev.SeatFilled: _filled_news,
    DisorderChanged: _disorder_news,
    ev.OrdersFiled: _filed_news,
    ev.DeedsFiled: _deeds_news,
    ev.GameHeld: _held_news,
    ev.GameResumed: _resumed_news,
    ev.ProcessingDelayed: _delay_news,
    TimeLost: _lost_news,
    **AGREEMENTS,
    **calls.AWAITED,
    **turns.NEWS,
    **gathering.NEWS,
    **calls.NEWS,
    **repairs.NEWS,
}
"""Event -> what it says to a reader; `judge.acts` adds those of its acts. An event that is absent is nobody's news, or
has a letter of its own.
"""


def _farewell(batch: Batch, event: ev.SeatVacated) -> Letter:
    """To the former player; answers go to the judge's own address, since the seat's token is dead."""
    reader = Reader("", batch.cast.member(event.person))
    facts: dict[str, Any] = {"seat": _before(batch, event.seat), "game": batch.after.key, "reason": event.reason}
    facts["drawn"] = batch.after.stage is not Stage.OPEN
    said = say("farewell", why=event.why, at_once=dismissed_at_once(batch), **facts)
    lost = batch.before.seats.get(event.seat) if batch.before is not None else None
    view = NoticeView(
        say("farewell-in-short"), (said, *_way_back(batch, event)), desk(batch.after, "", reader.member),
        closes=closed(batch.before, lost) if lost is not None else None,
    )  # fmt: skip
    return batch.letter(Kind.NOTICE, f"{batch.after.seq}/farewell", reader, view)


def _way_back(batch: Batch, event: ev.SeatVacated) -> tuple[Said, ...]:
    """Whoever missed a deadline may return once, if they are the first to claim the seat."""
    game = batch.after
    if event.why != "nmr" or game.returns.get(event.person, 0) or game.seats[event.seat].filled:
        return ()
    claim = f"claim {game.key} {game.seats[event.seat].powers[0].title()}"
    return say("way-back"), say("reply-with", line=claim)
