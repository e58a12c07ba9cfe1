"""How much press one player sends through us: so many pieces with one mail, in an hour, in a day (ruling 39).

Pieces are counted, not copies. What is beyond is refused with a sentence, so that its author knows to send it again.
"""

from __future__ import annotations

from datetime import timedelta

from judge.game.commands import Role
from judge.game.model import Game
from judge.game.refusal import Refusal
from judge.service.sitting import Sitting


def too_much(sitting: Sitting, game: Game) -> Refusal | None:
    """Why no more press is taken from who speaks; None if it is, and for the Gamemaster always."""
    bounds, person = sitting.house.config.bounds, sitting.speaker.acting
    if person is None or sitting.actor(game).role is not Role.PLAYER:
        return None
    if sitting.pressed >= bounds.press_a_mail:
        return _refusal(f"One mail carries {bounds.press_a_mail} pieces of press", "send it in another mail")
    now, contacts = sitting.now, sitting.unit.contacts
    whose = f"person:{person.id}"
    if contacts.count(whose, _of_day(game), now.date()) >= bounds.press_a_day:
        said = f"{bounds.press_a_day} pieces of press of yours went out in {game.key} today"
        return _refusal(said, "send it again after midnight (UTC)")
    if contacts.count(whose, _of_hour(sitting, game), now.date()) >= bounds.press_an_hour:
        said = f"{bounds.press_an_hour} pieces of press of yours went out in {game.key} within this hour"
        return _refusal(said, f"send it again after {now + timedelta(hours=1):%H}:00 (UTC)")
    return None


def count(sitting: Sitting, game: Game) -> None:
    """One piece more has gone out."""
    sitting.pressed += 1
    if (person := sitting.speaker.acting) is not None:
        for kind in (_of_day(game), _of_hour(sitting, game)):
            sitting.unit.contacts.allow(f"person:{person.id}", kind, sitting.now.date(), _COUNTED)


_COUNTED = 1_000_000


def _of_day(game: Game) -> str:
    return f"press/{game.key}"


def _of_hour(sitting: Sitting, game: Game) -> str:
    return f"press/{game.key}/{sitting.now:%H}"


def _refusal(said: str, mend: str) -> Refusal:
    return Refusal("too-much-press", f"{said}; this piece was not sent. Please {mend}.")
