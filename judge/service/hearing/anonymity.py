"""Press is looked through before it goes out.

Whatever names the author of anonymous press, or signs it, is asked back once, in the receipt; the same words sent again
within the day are meant, and go. What we wrote to its author alone never goes, whatever the colour.
"""

from __future__ import annotations

import hashlib

from judge.game.core.commands import Colour, Role, SendPress
from judge.game.core.decision import Refusal
from judge.game.core.model import Game
from judge.orders.spelled import listed
from judge.people.leaks import contacts, giveaways, is_ours
from judge.service.trust.sitting import Sitting


def leak(sitting: Sitting, game: Game, press: SendPress) -> Refusal | None:
    """Why this press is asked back; None if it may go."""
    anonymous = press.colour is not Colour.WHITE or game.settings.anonymous
    person = sitting.speaker.acting
    if person is None:
        return None
    if is_ours(press.text, person.check_phrase, sitting.house.config.address):
        return _OURS
    if not anonymous or sitting.actor(game).role is Role.GM:
        return None
    addresses = [row.address for row in sitting.ledger.members.addresses(person.id)]
    if sitting.envelope.from_address:
        addresses.append(sitting.envelope.from_address)
    names = [person.name, sitting.envelope.from_name]
    found = giveaways(f"{press.text}\n{press.dateline}", names, dict.fromkeys(addresses))
    found += tuple(one for one in contacts(press.text, _names(game)) if one not in found)
    if not found or not _first_time(sitting, game, press):
        return None
    named = listed(f'"{word}"' for word in found)
    return Refusal(
        "names-author",
        f"This press is unsigned, but it contains {named}, which may give you away. It was not sent. Take that out, or "
        "send the very same press again if you mean it.",
    )


_OURS = Refusal(
    "our-letter",
    "This press contains part of a letter of mine that is for you alone: your check phrase, a receipt, or your reply "
    "address. It was not sent. Take that out and send it again.",
)


def _names(game: Game) -> list[str]:
    """What powers are called, and their adjectives: names under which a player signs in character."""
    powers = game.board.powers.values()
    return [word for power in powers for word in (power.name, power.adjective) if word]


def _first_time(sitting: Sitting, game: Game, press: SendPress) -> bool:
    words = f"{game.key}\0{press.to}\0{press.colour}\0{' '.join(press.text.split())}"
    key = f"press:{hashlib.sha256(words.encode()).hexdigest()}"
    return sitting.unit.contacts.allow(key, "leak", sitting.now.date(), 1)
