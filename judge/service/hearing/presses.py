"""Press on its way through the service: how much of it one player may send, and whom it does not reach.

Pieces are counted, not copies. What is beyond is refused with a sentence, so that its author knows to send it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from judge.game.core.commands import Role
from judge.game.core.decision import Refusal
from judge.game.core.events import Event, PressSent
from judge.game.core.model import Game
from judge.game.core.parts import Seat
from judge.game.talk.press import ALL
from judge.orders.spelled import listed
from judge.report.core.frame import seat_title
from judge.service.trust.sitting import Sitting


def too_much(sitting: Sitting, game: Game) -> Refusal | None:
    """Why no more press is taken from who speaks; None if it is, and for the Gamemaster always."""
    bounds, person = sitting.house.config.bounds, sitting.speaker.acting
    if person is None or sitting.actor(game).role is not Role.PLAYER:
        return None
    if sitting.pressed >= bounds.press_a_mail:
        return _refusal(f"One mail carries {bounds.press_a_mail} pieces of press", "send it in another mail")
    now = sitting.now
    kinds = (_of_day(game), _of_hour(sitting, game))
    of_day, of_hour = sitting.unit.contacts.counts(f"person:{person.id}", kinds, now.date())
    if of_day >= bounds.press_a_day:
        said = f"{bounds.press_a_day} pieces of press of yours went out in {game.key} today"
        return _refusal(said, "send it again after midnight (UTC)")
    if of_hour >= bounds.press_an_hour:
        said = f"{bounds.press_an_hour} pieces of press of yours went out in {game.key} within this hour"
        return _refusal(said, f"send it again after {now + timedelta(hours=1):%H}:00 (UTC)")
    return None


def count(sitting: Sitting, game: Game) -> None:
    """One piece more has gone out."""
    sitting.pressed += 1
    if (person := sitting.speaker.acting) is not None:
        kinds = (_of_day(game), _of_hour(sitting, game))
        sitting.unit.contacts.count_more(f"person:{person.id}", kinds, sitting.now.date())


def not_delivered(sitting: Sitting, game: Game, events: Sequence[Event]) -> str:
    """A word about readers whose mailbox sends letters back; none in an anonymous game, where it would tell whose."""
    if game.settings.anonymous:
        return ""
    to = [power for event in events if isinstance(event, PressSent) and not event.postal for power in event.to]
    waiting = [seat for seat in game.seats.values() if _reads(seat, to) and _suspended(sitting, seat)]
    if not waiting:
        return ""
    names = listed(seat_title(game, seat.id) for seat in waiting)
    whose, until = ("mailbox sends", "mailbox") if len(waiting) == 1 else ("mailboxes send", "mailboxes")
    return f"{names}'s {whose} my letters back at present: your press waits until a mail comes from their {until}."


def _reads(seat: Seat, to: Sequence[str]) -> bool:
    return seat.person is not None and (ALL in to or any(power in to for power in seat.powers))


def _suspended(sitting: Sitting, seat: Seat) -> bool:
    address = sitting.ledger.members[seat.person or 0].address
    return bool(address and sitting.unit.people.suspended({address}))


def _of_day(game: Game) -> str:
    return f"press/{game.key}"


def _of_hour(sitting: Sitting, game: Game) -> str:
    return f"press/{game.key}/{sitting.now:%H}"


def _refusal(said: str, mend: str) -> Refusal:
    return Refusal("too-much-press", f"{said}; this piece was not sent. Please {mend}.")
