"""What is kept of invitations beside the game: to which address a ticket went, when, and how it was answered.

The game's log knows tickets alone. The address is an errand of its letter (`judge.service.trust.errands`), under a key
that is made of game and address, so that the same two always have the same ticket. How often somebody was invited who
never answered is counted over all games: nobody is written to for ever.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import datetime, timedelta

from judge.game.core.model import Game
from judge.game.table.tickets import is_invited
from judge.report.core.letter import Kind
from judge.service.core.house import House
from judge.service.trust import errands
from judge.service.trust.errands import Errand
from judge.service.trust.sitting import Sitting
from judge.store import Transaction, View
from judge.store.people import folded

INVITATION = Kind.INVITATION.value
"""The errand of an invitation's letter: game and address, when it was sent, until when a yes to it counts."""

GOOD_FOR = timedelta(days=30)
"""How long a yes to an invitation seats."""
REMEMBERED = timedelta(days=90)
"""How long answers that come later are told so."""
BETWEEN = timedelta(days=3)
"""A second letter about the same game goes out after that at the earliest; there is no third."""
LETTERS_A_GAME = 2
UNANSWERED = 3
"""Invitations that an address gets which answers none of them, over all games, while they are remembered."""


def ticket_for(house: House, game: str, address: str) -> str:
    """The ticket of an address in a game: it names the errand, and can be made by nobody else."""
    said = f"invitation\0{game}\0{folded(address)}".encode()
    return hmac.digest(house.store.secret, said, hashlib.sha256).hex()[:16]


def ticket_of(sitting: Sitting, game: Game, person: int) -> str:
    """The ticket that is good for one of a person's proved addresses, "" if none is."""
    proved = [row.address for row in sitting.ledger.members.addresses(person) if row.verified_at]
    tickets = (ticket_for(sitting.house, game.key, address) for address in proved)
    return next((one for one in tickets if is_invited(game, one, sitting.now)), "")


def sent(errand: Errand) -> list[datetime]:
    """When letters of this invitation left, oldest first."""
    return [datetime.fromisoformat(one) for one in errand.facts["sent"]]


def of_game(house: House, view: View | Transaction, game: Game) -> Iterator[tuple[str, Errand]]:
    """Every invitation of a game that is remembered, with how it stands: a state of its ticket, "came back" or
    "over".
    """
    for ticket, one in game.gathering.invitations.items():
        errand = errands.find(view, ticket)
        if errand is None or errand.do != INVITATION:
            continue
        state = one.state
        if state == "open":
            state = "over" if one.until < house.clock.now() else "came back" if errand.facts.get("back") else "open"
        yield state, errand


# --- how often somebody may be written to -------------------------------------------------------------------------


def _whom(address: str) -> str:
    return f"invited:{folded(address)}"


def _never(house: House, address: str) -> str:
    """The setting that remembers who wants no invitations, and not the address itself."""
    return "uninvited." + hmac.digest(house.store.secret, _whom(address).encode(), hashlib.sha256).hex()[:32]


def unanswered(sitting: Sitting, address: str) -> int:
    """How many letters of invitation an address got lately and never answered."""
    return len(_lately(sitting, address))


def _lately(sitting: Sitting, address: str) -> list[str]:
    kept: list[str] = json.loads(sitting.unit.contacts.patience(_whom(address)) or "[]")
    return [one for one in kept if datetime.fromisoformat(one) > sitting.now - REMEMBERED]


def wants_none(sitting: Sitting, address: str) -> bool:
    """Whether whoever reads this address has asked for no more invitations."""
    return sitting.unit.meta.get(_never(sitting.house, address)) is not None


def may_be_written(sitting: Sitting, address: str) -> bool:
    """Whether an address that somebody names may get a letter: it is not ours, letters to it do not come back, and its
    reader neither wants none nor leaves them unanswered.
    """
    config = sitting.house.config
    local, _, domain = address.partition("@")
    ours = domain == config.domain and local.partition("+")[0] == config.local_part
    if ours or sitting.unit.people.suspended([address]) or wants_none(sitting, address):
        return False
    return unanswered(sitting, address) < UNANSWERED


def count_letter(sitting: Sitting, address: str) -> None:
    """One letter more has left."""
    dates = json.dumps([*_lately(sitting, address), sitting.now.isoformat()])
    sitting.unit.contacts.be_patient(_whom(address), dates, sitting.now)


def heard_from(sitting: Sitting, address: str, *, never: bool = False) -> None:
    """Somebody has answered: they may be invited again, or never more if that is what they wish."""
    sitting.unit.contacts.be_patient(_whom(address), "[]", sitting.now)
    if never:
        sitting.unit.meta.set(_never(sitting.house, address), sitting.now.date().isoformat())
    else:
        sitting.unit.meta.unset(_never(sitting.house, address))
