"""The password line: whose it must be, and whether it is right.

As with older judges, `sign on FBALTIC WORD` names the seat for which the lines below are. From an address that is
on file the word proves its author; from any other the mail waits for a yes from the address of record, whether the
word is right or wrong, and so the player hears of it.
"""

from __future__ import annotations

from dataclasses import replace

from judge.game.core.commands import Submit
from judge.service.core.persons import right_password
from judge.service.trust.limits import WRONG_PASSWORDS
from judge.service.trust.sitting import Sitting, owner_of
from judge.service.trust.speaker import Speaker


def check_password(sitting: Sitting) -> None:
    """Believe the password lines of a mail, if there are any, or count them as wrong."""
    if not sitting.script.secrets:
        return
    speaker = sitting.speaker
    if owner_of(sitting) is None:
        speaker = _signed_on(sitting) or speaker
    person = speaker.holder or speaker.person
    if person is None:
        return
    day, key = sitting.now.date(), f"person:{person.id}"
    if sitting.unit.contacts.count(key, "wrong-password", day) >= WRONG_PASSWORDS:
        return  # no password is believed any more today: nobody may go on guessing
    right = any(right_password(sitting.unit, person, word) for word in sitting.script.secrets)
    sitting.speaker = speaker.with_password(right=right)
    if right:
        return
    sitting.unit.contacts.allow(key, "wrong-password", day, WRONG_PASSWORDS)


def _signed_on(sitting: Sitting) -> Speaker | None:
    """An unknown address that names one seat for its orders speaks for that seat, should the password be right."""
    named = {
        (said.game, said.request.power)
        for said in sitting.script.said
        if isinstance(said.request, Submit) and said.request.power
    }
    if len(named) != 1:
        return None
    key, power = named.pop()
    game = sitting.game(key)
    held = game.seat_of(power) if game else None
    seat = sitting.unit.games.seat(key, held.id) if held else None
    if seat is None or seat.person_id is None:
        return None
    return replace(sitting.speaker, seat=seat, holder=sitting.unit.people.get(seat.person_id), game=key)
