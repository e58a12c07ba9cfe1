"""Whom our relay can write to: addresses beyond ASCII need one that offers SMTPUTF8 (RFC 6531).

What the relay offered when it was last greeted is remembered, so that the door may refuse whom we could not answer.
Mail that comes by a way without a door is heard as any other; who runs the judge and the game is told of its author.
"""

from __future__ import annotations

from datetime import datetime

from judge.report.core.frame import seat_title
from judge.service.core.house import House
from judge.service.posting.operator import is_ours, tell_gm, tell_operator
from judge.store import Transaction, View
from judge.store.rows import Delivery

_OFFERED = "relay.smtputf8"


def is_plain(address: str) -> bool:
    """Whether any relay takes it: a domain beyond ASCII has another form, a local part has none.

    >>> is_plain("anna@b\u00fccher.test"), is_plain("j\u00f6rg@players.test")
    (True, False)
    """
    return address.rpartition("@")[0].isascii()


def learn(unit: Transaction, *, smtputf8: bool) -> None:
    """Remember what the relay offers now."""
    unit.meta.set(_OFFERED, "yes" if smtputf8 else "no")


def reaches(view: View | Transaction, address: str) -> bool:
    """Whether a letter to this address can leave here; a relay that was never greeted is trusted to take it."""
    return is_plain(address) or view.meta.get(_OFFERED) != "no"


def report_unreached(house: House, unit: Transaction, delivery: Delivery, now: datetime) -> None:
    """A letter was refused whose reader nobody but a human being can reach: the operator and the Gamemaster hear the
    address, once a day.
    """
    letter = unit.letters.get(delivery.letter_id)
    if is_plain(delivery.address) or is_ours(house, letter):
        return
    key = f"beyond-ascii/{letter.person_id or 0}/{now.date().isoformat()}"
    subject = "an answer to an address beyond ASCII cannot leave"
    why = "Addresses with letters beyond ASCII before the @ are answered only through a relay that offers SMTPUTF8."
    items = (f"The relay refused a letter to {delivery.address}.", why)
    tell_operator(house, unit, key, subject=subject, items=items)
    game = house.keeper.load(unit, letter.game) if letter.game else None
    if game is not None:
        who = f"The {letter.kind} letter to {seat_title(game, letter.seat or '')} ({delivery.address}) was refused."
        tell_gm(
            house, unit, game.key, key, subject=subject,
            items=(who, why, "What such a player sends still counts, but no answer arrives: reach them another way."),
        )  # fmt: skip
