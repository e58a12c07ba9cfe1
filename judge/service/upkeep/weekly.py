"""The operator's weekly letter: what the judge did, and what wants a look. It comes in quiet weeks too: a letter that
comes every week is missed when it does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from judge.game.core import events as ev
from judge.service.core.house import House
from judge.service.posting.operator import tell_operator
from judge.service.upkeep.wellbeing import Wellbeing, look
from judge.spans import zone_info
from judge.store import View
from judge.store.rows import DeliveryState, MailState

LAST = "weekly.last"
"""The point of the week whose letter is written."""
WEEK = timedelta(days=7)
OLD_BACKUP = timedelta(days=2)


def send_weekly(house: House) -> bool:
    """Write the letter that is due, if one is. Harmless when asked again."""
    pace = house.config.weekly
    if not house.config.operator or pace is None:
        return False
    now = house.clock.now()
    points = pace.points(now - 2 * WEEK, zone_info(house.config.zone))
    slot = max((moment for moment in _until(points, now)), default=now)
    with house.store.read() as view:
        done = view.meta.get(LAST)
        if done is not None and done >= slot.isoformat():
            return False
        items = tuple(_items(view, look(house), slot - WEEK))
    with house.store.write() as unit:
        unit.meta.set(LAST, slot.isoformat())
        if done is None:
            return False  # a judge that begins has no week behind it
        return tell_operator(house, unit, f"weekly/{slot.isoformat()}", subject=_subject(items), items=items)


def _until(points: Iterator[datetime], now: datetime) -> Iterator[datetime]:
    for moment in points:
        if moment > now:
            return
        yield moment


def _subject(items: tuple[str, ...]) -> str:
    return "the week: all is well" if items[0] == _WELL else "the week: something wants a look"


_WELL = "Nothing wants a look."


def _items(view: View, now: Wellbeing, since: datetime) -> Iterator[str]:
    wants = list(_wants_a_look(now))
    yield f"{'One thing wants' if len(wants) == 1 else f'{len(wants)} things want'} a look." if wants else _WELL
    yield from wants
    week = view.inbox.settled_since(since)
    became = ", ".join(f"{said} {week[state]}" for state, said in _BECAME.items() if week.get(state))
    yield f"Mails that came this week: {sum(week.values())}{became and '; '}{became}."
    sent = view.outbox.done_since(since)
    yield (
        f"Letters that went out: {sent.get(DeliveryState.SENT, 0)}; {sent.get(DeliveryState.FAILED, 0)} did not arrive."
    )
    turns = view.events.count_since(ev.PhaseAdjudicated.__name__, since)
    ended = view.events.count_since(ev.GameEnded.__name__, since)
    begun = view.events.count_since(ev.GameStarted.__name__, since)
    yield (
        f"Phases played: {turns}. Games begun: {begun}, ended: {ended}; {now.games.get('running', 0)} running now, "
        f"{now.games.get('open', 0)} looking for players."
    )
    last = now.last_backup
    backup = f"{last:%a} {last.day} {last:%b, %H:%M} UTC" if last is not None else "never taken"
    yield f"People known here: {view.people.count()}. The last backup: {backup}."


_BECAME = {
    MailState.PROCESSED: "answered or passed on",
    MailState.IGNORED: "from machines and without an answer",
    MailState.DUPLICATE: "copies of others",
    MailState.HELD: "waiting for their author's yes",
    MailState.QUARANTINED: "unreadable",
}
"""What is said of mails that stand so; what there is none of goes without saying."""


def _wants_a_look(now: Wellbeing) -> Iterator[str]:
    if now.paused:
        yield f"NOTHING IS SENT: {now.paused}. When that is mended: judge outbox resume"
    if aside := now.mails.get(MailState.QUARANTINED, 0):
        yield f"{_many(aside, 'mail')} could not be processed: judge quarantine list"
    if now.broken_letters:
        yield f"{_many(now.broken_letters, 'letter')} cannot be written: judge outbox list"
    if (age := now.queues["outbox"].age(now.now)) > timedelta(hours=4):
        waited = f"{age // timedelta(hours=1)} hours" if age < timedelta(days=2) else f"{age.days} days"
        yield f"The oldest letter has waited for {waited}: judge outbox list"
    if now.late:
        yield f"{_many(len(now.late), 'turn')} overdue: judge game list, judge doctor"
    if now.last_backup is None:
        yield "There is no backup: judge backup FOLDER --keep 14, every night"
    elif now.now - now.last_backup > OLD_BACKUP:
        yield f"The last backup is {(now.now - now.last_backup).days} days old: judge backup FOLDER --keep 14"


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
