"""A person's addresses and password: proved before they count, told to the old address, undone from there."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from judge.game.core.commands import Decision, Refusal, Submit
from judge.languages import tell
from judge.mail.raw.addresses import read_address
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.account import DropAddress, NewAddress, NewPassword
from judge.report.core import naming
from judge.report.reply.unproved import NOBODY, alert
from judge.service.core.directory import Errand
from judge.service.core.persons import PASSWORD, right_password
from judge.service.posting.outgoing import CONFIRM
from judge.service.trust.heard import HeardMail, Result, answers, keep_errand, owner_of
from judge.service.trust.patience import WRONG_PASSWORDS
from judge.service.trust.prove import Speaker
from judge.store.people import alike, hash_password, normal

ADD, UNDO = "add", "undo"
"""Errands of this module: a new address waits for its owner's yes; a change may be taken back."""

CONFIRM_WITHIN = timedelta(days=3)
UNDO_WITHIN = timedelta(days=30)
MOST_ADDRESSES = 8
LETTERS_A_DAY = 3
"""Confirmation letters that one person may have sent to new addresses in a day."""


@answers
def new_address(heard: HeardMail, said: ReadRequest, request: NewAddress) -> Result:
    """Ask the new address whether it is the sender's; an address that is proved already only changes its rank."""
    person = heard.speaker.acting
    if person is None:
        return _nobody()
    address = read_address(request.address)
    if address is None or _is_ours(heard, address):
        return Refusal(
            "no-address", tell('"{address}" is not an address that I could write to.', address=request.address)
        )
    rows = heard.unit.people.addresses(person.id)
    known = next((row for row in rows if alike(row.address, address) and row.verified_at), None)
    if known is not None:
        return _rank(heard, person.id, known.address, of_record=request.of_record)
    if len(rows) >= MOST_ADDRESSES:
        return Refusal(
            "too-many",
            tell("You have {rows} addresses on file; drop one first.", rows=len(rows)),
            mend="help drop address",
        )
    if not heard.unit.contacts.allow(f"person:{person.id}", "new-address", heard.now.date(), LETTERS_A_DAY):
        return Refusal("enough-today", tell("That is enough new addresses for today; please try again tomorrow."))
    _ask(heard, person.id, address, of_record=request.of_record)
    return Decision(
        said=tell(
            "Unless {address} is on file for somebody else, I have written to it. It counts when "
            "you have answered that letter from there.",
            address=address,
        )
    )


@answers
def drop_address(heard: HeardMail, said: ReadRequest, request: DropAddress) -> Result:
    """Forget an address of the sender's, but not the last one."""
    person = heard.speaker.acting
    if person is None:
        return _nobody()
    rows = heard.unit.people.addresses(person.id)
    gone = next((row for row in rows if alike(row.address, request.address)), None)
    if gone is None:
        return Refusal("not-on-file", tell("{address} is not among your addresses.", address=request.address))
    proved = [row for row in rows if row.verified_at and row.address != gone.address]
    if not proved:
        return Refusal(
            "last-address", tell("It is your only proved address; add another one first."), mend="help my address"
        )
    what = tell(
        "{address} was taken off your addresses by a mail from {from_}.", address=gone.address, from_=_from(heard)
    )
    _tell_old(heard, person.id, gone.address, what, {"restore": gone.address, "of_record": gone.primary})
    heard.unit.people.remove_address(gone.address)
    if gone.primary:
        heard.unit.people.make_primary(proved[0].address)
    heard.ledger.members.forget(person.id)
    return Decision(said=tell("{address} is forgotten.", address=gone.address))


@answers
def new_password(heard: HeardMail, said: ReadRequest, request: NewPassword) -> Result:
    """Set or change the password."""
    person = heard.speaker.acting
    if person is None:
        return _nobody()
    kept = hash_password(request.word, salt=heard.judge.entropy(16))
    heard.unit.people.set_secret(person.id, PASSWORD, kept, heard.now)
    return Decision(said=tell("Your password is changed. Write it as: password WORD. I never repeat it."))


def _ask(heard: HeardMail, person: int, address: str, *, of_record: bool) -> None:
    """A letter to an address that may be anybody's: it says nothing of the person. Where it is somebody else's
    already, nothing is sent, and nobody learns that.
    """
    owner = heard.unit.people.by_address(address, verified=True)
    if owner is not None:
        return
    key = keep_errand(heard, ADD, person, CONFIRM_WITHIN, address=address, of_record=of_record)
    letter = alert(
        NOBODY,
        heard.judge.office,
        key=f"judge/mail/{heard.mail.id}/address/{normal(address)}",
        address=address,
        subject=tell("Please confirm your address"),
        reply_as=CONFIRM + key,
        items=(
            tell("Somebody, I hope you, asked me to write to this address from now on."),
            tell("If so, reply to this letter with: confirm"),
            tell(
                "If it was not you, do nothing, or reply with: no. The request expires on {moment}.",
                moment=_moment(heard, CONFIRM_WITHIN),
            ),
        ),
    )
    heard.send(letter)


def add(heard: HeardMail, errand: Errand) -> str:
    """The new address said yes: it counts. Returns what was done, for the log."""
    person, address = errand.person, str(errand.facts["address"])
    people, old = heard.unit.people, heard.ledger.members[person].address
    owner = people.by_address(address, verified=True)
    if owner is not None and owner.id != person:
        return tell("an address belongs to somebody else now")
    _own(heard, person, address)
    if errand.facts["of_record"]:
        people.make_primary(address)
    what = (
        tell("Letters go there from now on.") if errand.facts["of_record"] else tell("Letters still come to you here.")
    )
    _tell_old(
        heard,
        person,
        old,
        tell("{address} was added to your addresses. {what}", address=address, what=what),
        {"remove": address, "of_record": True},
    )
    heard.ledger.members.forget(person)
    letter = alert(
        heard.ledger.members[person],
        heard.judge.office,
        key=f"judge/mail/{heard.mail.id}/welcome-address",
        subject=tell("your address is confirmed"),
        items=(tell("{address} is confirmed.", address=address),),
        address=address,
    )
    heard.send(letter)
    return "a new address is confirmed"


def undo(heard: HeardMail, errand: Errand) -> str:
    """The old address takes a change back. Returns what was done, for the log."""
    people, person = heard.unit.people, errand.person
    if gone := str(errand.facts.get("remove", "")):
        people.remove_address(gone)
    back = str(errand.facts["back"])
    _own(heard, person, back)
    if errand.facts["of_record"]:
        people.make_primary(back)
    people.drop_secret(person, PASSWORD)
    heard.ledger.members.forget(person)
    letter = alert(
        heard.ledger.members[person], heard.judge.office, key=f"judge/mail/{heard.mail.id}/undone", address=back,
        subject=tell("the change is taken back"),
        items=(
            tell("Your address of record is {address} again.", address=heard.ledger.members[person].address),
            tell("I have also forgotten your password, in case somebody else set it. A new one: new " "password WORD"),
        ),
    )  # fmt: skip
    heard.send(letter)
    return "a change of address is undone"


def _own(heard: HeardMail, person: int, address: str) -> None:
    """The address is this person's and proved, whoever claimed it before without proof."""
    people, row = heard.unit.people, heard.unit.people.address(address)
    if row is not None and row.person_id != person and row.verified_at is None:
        people.remove_address(address)
    people.add_address(person, address, heard.now)
    people.verify(address, heard.now)


def _rank(heard: HeardMail, person: int, address: str, *, of_record: bool) -> Result:
    old = heard.ledger.members[person].address
    if not of_record or old == address:
        return Decision(said=tell("{address} is on file and proved already.", address=address))
    heard.unit.people.make_primary(address)
    _tell_old(heard, person, old, tell("Letters go to {address} from now on.", address=address), {"of_record": True})
    heard.ledger.members.forget(person)
    return Decision(said=tell("Letters go to {address} from now on.", address=address))


def _tell_old(heard: HeardMail, person: int, old: str, what: str, back: dict[str, Any]) -> None:
    """To the address that is affected, at once, with the word that takes it back."""
    key = keep_errand(heard, UNDO, person, UNDO_WITHIN, back=back.pop("restore", old), **back)
    letter = alert(
        heard.ledger.members[person], heard.judge.office, key=f"judge/mail/{heard.mail.id}/changed/{key}",
        address=old, subject=tell("your addresses were changed"), reply_as=CONFIRM + key,
        items=(
            what, tell("If you did not want this, reply with: undo"),
            tell("Until {moment} that takes the change back.", moment=_moment(heard, UNDO_WITHIN)),
        ),
    )  # fmt: skip
    heard.send(letter)


def _moment(heard: HeardMail, within: timedelta) -> str:
    return naming.written(heard.now + within, heard.judge.config.zone)


def _nobody() -> Refusal:
    return Refusal("unknown-person", tell("I do not know you yet."), mend="register")


def _is_ours(heard: HeardMail, address: str) -> bool:
    return address.rpartition("@")[2].lower() == heard.judge.config.domain.lower()


def _from(heard: HeardMail) -> str:
    return heard.envelope.from_address or "an unknown address"


def check_password(heard: HeardMail) -> HeardMail:
    """The mail with its password lines, if there are any, believed or counted as wrong."""
    if not heard.script.secrets:
        return heard
    speaker = heard.speaker
    if owner_of(heard) is None:
        speaker = _signed_on(heard) or speaker
    person = speaker.holder or speaker.person
    if person is None:
        return heard
    day, key = heard.now.date(), f"person:{person.id}"
    if heard.unit.contacts.count(key, "wrong-password", day) >= WRONG_PASSWORDS:
        return heard  # no password is believed any more today: nobody may go on guessing
    right = any(right_password(heard.unit, person, word) for word in heard.script.secrets)
    if not right:
        heard.unit.contacts.allow(key, "wrong-password", day, WRONG_PASSWORDS)
    return replace(heard, speaker=speaker.with_password(right=right))


def _signed_on(heard: HeardMail) -> Speaker | None:
    """An unknown address that names one seat for its orders speaks for that seat, should the password be right."""
    named = {
        (said.game, said.request.power)
        for said in heard.script.said
        if isinstance(said.request, Submit) and said.request.power
    }
    if len(named) != 1:
        return None
    key, power = named.pop()
    game = heard.game(key)
    held = game.seat_of(power) if game else None
    seat = heard.unit.games.seat(key, held.id) if held else None
    if seat is None or seat.person_id is None:
        return None
    return replace(heard.speaker, seat=seat, holder=heard.unit.people.get(seat.person_id), game=key)
