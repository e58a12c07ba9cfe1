"""News about what players have agreed on or asked for: divided turns, amended rules, orders sent ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Any

from judge.game.clock.splitting import TurnSplit
from judge.game.core.events import DeadlineSet, Event, SettingChanged
from judge.game.filing.advance import KeptBound
from judge.game.office.desk import PROMISED
from judge.game.settings.table import TABLE, Settings, settings_from_text
from judge.game.table.proxies import ProxyGiven, proxy_of
from judge.game.talk.amendments import RulesAmended
from judge.orders.spelled import listed
from judge.report.core.batch import Batch
from judge.report.core.frame import Reader, moment, who
from judge.report.core.houserules import rules_said
from judge.report.core.naming import Moment, Said, instruction_words, phase_fact, power_name, say
from judge.report.table.news import News, news


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


NEWS: dict[type[Event], Callable[[Batch, Any, Reader], Iterator[News]]] = {
    KeptBound: kept_news,
    TurnSplit: split_news,
    ProxyGiven: proxy_news,
    RulesAmended: amendment_news,
    SettingChanged: setting_news,
}
"""For the table of notices."""
