"""News about what players have agreed on or asked for: divided turns, amended rules, orders sent ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from judge.game.clock.splitting import TurnSplit
from judge.game.core.events import DeadlineSet, Event, SettingChanged
from judge.game.filing.advance import KeptBound
from judge.game.filing.proxies import ProxyGiven, proxy_of
from judge.game.settings.table import TABLE, settings_from_text
from judge.game.talk.amendments import RulesAmended
from judge.report import times
from judge.report.batch import Batch
from judge.report.frame import Reader, seat_does, seat_title
from judge.report.houserules import rules_said
from judge.report.naming import instruction_words, power_name
from judge.report.news import News, sentence_start

_SPLIT = "Retreats are due at the deadline that stands; the builds follow with a deadline of their own."


def kept_news(batch: Batch, event: KeptBound, reader: Reader) -> Iterator[News]:
    """To their author alone: their orders sent ahead are on file now, or wait to be put right."""
    game = batch.after
    if reader.seat not in game.seats or event.power not in game.seats[reader.seat].powers:
        return
    name, title = power_name(event.power, game.board), game.calendar.title(event.phase)
    on_file = game.sheets[event.power].lines if event.power in game.sheets else ()
    filed = tuple(
        instruction_words(line.instruction, game.board, adjusting=line.adjusts)
        for line in on_file
        if line.phase == event.phase and line.order in event.filed
    )
    if not filed:
        sentence = f"Nothing of what you sent ahead for {title} could be taken. Please put it right:"
        yield News(sentence, "orders sent ahead: to put right", 6, event.failed)
        return
    sentence = f"The orders that you sent ahead for {title} are on file for {name}."
    if event.failed:
        sentence += f" These could not be taken; please put them right: {' / '.join(event.failed)}"
    subject = "orders sent ahead: to put right" if event.failed else "orders sent ahead are on file"
    yield News(sentence, subject, 6, filed)


def split_news(batch: Batch, event: TurnSplit, reader: Reader) -> Iterator[News]:
    """A turn is divided, at somebody's wish or because it came to what nobody could foresee."""
    if event.by == "judge":
        title = batch.after.calendar.title(event.phase)
        sentence = (
            f"The turn asks something of a player that they could not foresee, so {title} has a deadline of its own."
        )
        yield News(sentence, "a turn is divided", 6)
        return
    actor = seat_does(batch.after, event.by, "has")
    yield News(f"{actor} asked that retreats and builds be ordered apart (6E). {_SPLIT}", "a turn is divided", 6)


def proxy_news(batch: Batch, event: ProxyGiven, reader: Reader) -> Iterator[News]:
    """To its holder alone: he may order for another power, or may not any more."""
    before, owner = batch.before, batch.after.seats[event.seat]
    name, title = sentence_start(seat_title(batch.after, event.seat)), batch.after.calendar.title(event.phase)
    if event.holder and reader.seat == event.holder:
        how = "Write `order as POWER`, then the orders." if len(owner.powers) > 1 else _how(batch, owner.powers[0])
        yield News(f"{name} has given you its proxy for {title}. {how}", f"the proxy of {name}", 7)
        return
    given = proxy_of(before, before.seats[event.seat]) if before is not None else None
    if given is not None and reader.seat == given.holder != event.holder:
        yield News(f"{name} has ended your proxy for {title}.", f"the proxy of {name} has ended", 7)


def _how(batch: Batch, power: str) -> str:
    return f"Write `order as {power_name(power, batch.after.board)}`, and its orders below."


def amendment_news(batch: Batch, event: RulesAmended, reader: Reader) -> Iterator[News]:
    """The house rules are different now."""
    sentence = f'Vote {event.number} has amended the house rules, now version {event.version}: "{event.text}".'
    yield News(sentence, f"house rules, version {event.version}", 8)


def setting_news(batch: Batch, event: SettingChanged, reader: Reader) -> Iterator[News]:
    """A setting has another value; one that a vote has changed is told by the vote."""
    actor = seat_does(batch.after, event.by, "has")
    if event.name == "headlines" and event.by in batch.after.seats:
        yield News(f"{actor} objected to headlines; there will be none any more (8A).", "no more headlines", 4)
    elif not batch.has(RulesAmended):
        said = " ".join((f"{actor} changed the setting {event.name}.", *_as_rules(batch, event, reader)))
        yield News(said, f"{event.name} changed", 4)


def _as_rules(batch: Batch, event: SettingChanged, reader: Reader) -> Iterator[str]:
    """What a change comes to: the sentences of the house rules that it replaces, or the bare values."""
    if event.name == "zone":
        yield from _other_zone(batch, event)
        return
    old, new = _said(batch, event.name, event.old), _said(batch, event.name, event.new)
    gone, come = [one for one in old if one not in new], [one for one in new if one not in old]
    if not (gone or come):
        yield f'It was "{event.old or "undecided"}", and is "{event.new or "undecided"}" now.'
    if gone:
        yield f"No longer in the house rules: {' '.join(gone)}"
    if come:
        yield f"From now on: {' '.join(come)}"


def _said(batch: Batch, name: str, value: str) -> tuple[str, ...]:
    """The house rules as they are, but for one setting."""
    settings = batch.after.settings
    return rules_said(settings_from_text({name: value}, settings) if value and name in TABLE else settings)


def _other_zone(batch: Batch, event: SettingChanged) -> Iterator[str]:
    """Another clock on the wall moves no deadline."""
    yield f"Times are written in the time of {event.new} from now on (before: {event.old})."
    deadline = batch.after.deadline
    if deadline is not None and batch.after.held_since is None and not batch.has(DeadlineSet):
        then, now = times.deadline(deadline.at, event.old), times.deadline(deadline.at, event.new)
        yield f"The deadline is the same moment as before: {then} is {now}."


NEWS: dict[type[Event], Callable[[Batch, Any, Reader], Iterator[News]]] = {
    KeptBound: kept_news,
    TurnSplit: split_news,
    ProxyGiven: proxy_news,
    RulesAmended: amendment_news,
    SettingChanged: setting_news,
}
"""For the table of notices."""
