"""Anonymous press is looked through for its author's name before it goes out (requirements 4.9).

Whatever names him is asked back once, in the receipt; the same words sent again within the day are meant, and go.
"""

from __future__ import annotations

import hashlib

from judge.game.commands import Colour, Press
from judge.game.model import Game
from judge.game.refusal import Refusal
from judge.people.leaks import giveaways
from judge.report.naming import joined
from judge.service.sitting import Sitting


def leak(sitting: Sitting, game: Game, press: Press) -> Refusal | None:
    """Why this press is asked back; None if it may go."""
    anonymous = press.colour is not Colour.WHITE or game.settings.anonymous
    person = sitting.speaker.acting
    if not anonymous or person is None:
        return None
    addresses = [row.address for row in sitting.ledger.members.addresses(person.id)]
    if sitting.envelope.from_address:
        addresses.append(sitting.envelope.from_address)
    names = [person.name, sitting.envelope.from_name]
    found = giveaways(f"{press.text}\n{press.dateline}", names, dict.fromkeys(addresses))
    if not found or not _first_time(sitting, game, press):
        return None
    named = joined(f'"{word}"' for word in found)
    return Refusal(
        "names-author",
        f"Nobody is to know who wrote this, but it holds {named}, which is yours. It was not sent. Take that out, or "
        "send the very same press again if you mean it.",
    )


def _first_time(sitting: Sitting, game: Game, press: Press) -> bool:
    words = f"{game.key}\0{press.to}\0{press.colour}\0{' '.join(press.text.split())}"
    key = f"press:{hashlib.sha256(words.encode()).hexdigest()}"
    return sitting.unit.contacts.allow(key, "leak", sitting.now.date(), 1)
