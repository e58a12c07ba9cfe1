"""What the reader of a receipt must see first: that their mail came another way than usual, or in another order.

Arrival decides which orders are in force, never the Date that a mail claims (architecture.md 3); but a mail that was
written before the one whose orders it replaces was probably overtaken, and its author must know.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from judge.game.core.events import OrdersFiled
from judge.game.core.parts import Sheet
from judge.game.table.proxies import filed_by_proxy
from judge.mail.envelope import read_envelope
from judge.report.core import times
from judge.service.core.keeper import GameChange
from judge.service.trust.sitting import Sitting


def remarks(sitting: Sitting) -> str:
    """All of it as finished sentences, "" if there is nothing odd. Call it once the mail is carried out."""
    return " ".join((*_address(sitting), *_repetition(sitting), *_overtaking(sitting)))


def _address(sitting: Sitting) -> Iterator[str]:
    """The person of record is told at once of what is done in their name from elsewhere."""
    speaker, person = sitting.speaker, sitting.speaker.acting
    if person is None:
        return
    if speaker.person is None or speaker.person.id != person.id:
        yield "This came from an address that is not on file for you."
    elif speaker.address and speaker.address != sitting.ledger.members[person.id].address:
        yield f"This came from {speaker.address}, which is on file for you, but is not where I write to."


def _repetition(sitting: Sitting) -> Iterator[str]:
    if sitting.mail.repeats_id is not None:
        yield (
            f"It bears the Message-ID of mail {sitting.mail.repeats_id}, but says something else: I took it as a new "
            "mail. If you did not write it, tell the Gamemaster."
        )


def _overtaking(sitting: Sitting) -> Iterator[str]:
    if sitting.comes_late:
        return  # it counts from its own arrival, and its receipt names the lines that came too late
    claimed, dates = sitting.envelope.date_claimed, sitting.house.dates
    for change in sitting.changes.values():
        filed = [event for event in change.events if isinstance(event, OrdersFiled)]
        own = [event for event in filed if not filed_by_proxy(change.after, event)]  # others' mail is no news of theirs
        for power in dict.fromkeys(event.power for event in own):
            before = change.before.sheets.get(power) if change.before else None
            after = change.after.sheets.get(power)
            if after is None or claimed is None:
                continue
            dates.keep(after.mail, claimed)
            yield from _delayed(change, claimed)
            if before is not None and before.phase == after.phase and before.number != after.number:
                yield from _overtaken(sitting, change, before, after, claimed)


def _delayed(change: GameChange, claimed: datetime) -> Iterator[str]:
    """A mail that was under way while a turn was processed: arrival decides, but its author thinks otherwise."""
    game = change.before
    if game is None or not game.played or game.turn_opened_at is None or claimed >= game.turn_opened_at:
        return
    phase = change.after.calendar.title(change.after.phase) if change.after.phase else "the present turn"
    yield (
        f"You wrote this on {times.received(claimed, game.settings.zone)}, before the last results went out, and it "
        f"came after them: I took it for {phase}. If that is not what you meant, `undo`."
    )


def _overtaken(sitting: Sitting, change: GameChange, before: Sheet, after: Sheet, claimed: datetime) -> Iterator[str]:
    earlier = _written(sitting, before)
    if earlier is None or claimed >= earlier:
        return
    zone = change.after.settings.zone
    yield (
        f"You wrote this on {times.received(claimed, zone)}, before the mail that filed set {before.number} "
        f"({times.received(earlier, zone)}), but it came after it. What comes last counts: set {after.number} is in "
        f"force. If set {before.number} should stand, send it again."
    )


def _written(sitting: Sitting, sheet: Sheet) -> datetime | None:
    """When the mail that filed a set says that it was written."""
    dates = sitting.house.dates
    if sheet.mail not in dates:
        mail = sitting.unit.inbox.by_reference(sheet.mail)
        raw = sitting.unit.inbox.raw(mail.id) if mail else None
        if raw is None or mail is None:
            return None
        claimed = read_envelope(raw, mail.received_at).date_claimed
        if claimed is None:
            return None
        dates.keep(sheet.mail, claimed)
    return dates.get(sheet.mail)
