"""Proof and consent: what is not proved waits for one word from the address of record."""

from __future__ import annotations

from judge.game.commands import End, Vacate
from judge.game.model import Game
from judge.game.rewriting import Amend, RollBack
from judge.game.rulings import Disqualify, Reveal
from judge.mail.queries import DeputyByAddress, DropAddress, ForgetMe, HandOverByAddress, NewAddress, NewPassword
from judge.report import times
from judge.report.alerts import alert
from judge.report.doorstep import confirm, held
from judge.report.frame import seat_title
from judge.service import asking, copies
from judge.service.limits import UNPROVED
from judge.service.mailbag import CONFIRM, put
from judge.service.operator import tell_gm
from judge.service.sitting import DOORSTEP, Sitting, owner_of
from judge.service.taken import Taken, envelope_of
from judge.store.rows import Person

CONFIRMATIONS = 1
"""Confirmation letters that an unknown address gets in a day."""

GRAVE = (End, Vacate, RollBack, Amend, Disqualify, Reveal, HandOverByAddress, DeputyByAddress)
"""Commands of a Gamemaster that destroy something (rulings, Mail 1)."""

ACCOUNT = (NewAddress, DropAddress, ForgetMe)
"""Requests about the ways in which a person proves himself: they need two proofs, so that one never becomes two."""

_BETTER_COPY = "a copy of it came that has more proof, and is heard instead"


def needed(sitting: Sitting) -> Taken | None:
    """Hold the mail if what it asks for needs more proof than it has; None if it may be carried out."""
    speaker, script = sitting.speaker, sitting.script
    if speaker.acting is None and owner_of(sitting) is None:
        return _newcomer(sitting) if any(isinstance(said.request, DOORSTEP) for said in script.said) else None
    if not _account_proved(sitting):
        return _hold(sitting)
    if sitting.needs_govern():
        settled = not _grave(sitting) or speaker.password or speaker.confirmed
        return None if settled and (speaker.may_govern() or _deputy_proved(sitting)) else _hold(sitting)
    if sitting.needs_play() or any(isinstance(said.request, DOORSTEP) for said in script.said):
        return None if speaker.may_play() else _hold(sitting)
    return None


def _deputy_proved(sitting: Sitting) -> bool:
    """A deputy has no seat: his word is a confirmation, or a password from his own proved address, for each mail."""
    speaker = sitting.speaker
    actors = [sitting.actor(game) for said in sitting.script.said if (game := sitting.game(said.game)) is not None]
    if not any(actor.deputy for actor in actors) or speaker.foreign:
        return False
    return speaker.confirmed or (speaker.proven and speaker.password)


def _account_proved(sitting: Sitting) -> bool:
    """Whether requests about addresses and password, if there are any, have the proof that they need."""
    speaker, asked = sitting.speaker, [said.request for said in sitting.script.said]
    if speaker.confirmed:
        return True
    if any(isinstance(one, NewPassword) for one in asked) and not speaker.password:
        return False
    token = speaker.seat is not None and not speaker.foreign
    two = token + speaker.proven + speaker.password >= 2
    return two or not any(isinstance(one, ACCOUNT) for one in asked)


def _grave(sitting: Sitting) -> bool:
    """Whether something is asked for that cannot be taken back: it always needs a password or a confirmation."""
    return any(isinstance(said.request, GRAVE) for said in sitting.script.said)


def comes_in(sitting: Sitting) -> bool:
    """Whether somebody unknown, whose address is proved, asks for what makes him known."""
    return sitting.envelope.auth == "pass" and any(isinstance(said.request, DOORSTEP) for said in sitting.script.said)


def _newcomer(sitting: Sitting) -> Taken | None:
    """An unknown address wants to come in: its owner must say so, once."""
    if sitting.mail.confirmed_at is not None or sitting.envelope.auth == "pass":
        return None
    if copies.give_way(sitting, envelope_of):
        return Taken("ignored", _BETTER_COPY)
    address = sitting.envelope.from_address or ""
    if not sitting.unit.contacts.allow(address, "confirm", sitting.now.date(), CONFIRMATIONS):
        return Taken("ignored", "an unknown address had its confirmation letter today")
    key = _keep(sitting, "an unknown address")
    letter = confirm(address, sitting.received, sitting.house.office, what=_what(sitting), reply_as=CONFIRM + key)
    put(
        sitting.house,
        sitting.unit,
        letter,
        sitting.now,
        mail_id=sitting.mail.id,
        noted=sitting.letters,
        members=sitting.ledger.members,
    )
    return Taken("held", "waits for the confirmation of a new address", letters=sitting.letters)


def _hold(sitting: Sitting) -> Taken:
    """Keep the mail until the address of record says yes. Too many of them in a day are put aside in silence."""
    if copies.give_way(sitting, envelope_of):
        return Taken("ignored", _BETTER_COPY)
    owner = owner_of(sitting)
    assert owner is not None
    if not sitting.unit.contacts.allow(f"person:{owner.id}", "unproved", sitting.now.date(), UNPROVED):
        return _too_many(sitting, owner)
    reader = sitting.ledger.members[owner.id]
    game = sitting.game(sitting.speaker.game)
    zone = reader.zone or (game.settings.zone if game else sitting.house.config.zone)
    key = _keep(sitting, "not proved")
    letter = held(
        reader,
        sitting.received,
        sitting.house.office,
        what=_what(sitting),
        sender=_shown_sender(sitting, owner, game),
        when=times.received(sitting.mail.arrived_at, zone),
        reply_as=CONFIRM + key,
        game=game.key if game else "",
        questions=asking.foresee(sitting, key),
        doubted=True,
    )
    put(
        sitting.house,
        sitting.unit,
        letter,
        sitting.now,
        mail_id=sitting.mail.id,
        noted=sitting.letters,
        members=sitting.ledger.members,
    )
    return Taken("held", "waits for a word from the address of record", letters=sitting.letters)


def _shown_sender(sitting: Sitting, owner: Person, game: Game | None) -> str:
    """Where a mail came from, as its supposed author may know it: in an anonymous game no other person's address."""
    known = sitting.speaker.person
    if game is not None and game.settings.anonymous and known is not None and known.id != owner.id:
        return "an address that is not yours"
    return sitting.envelope.from_address or ""


def _too_many(sitting: Sitting, owner: Person) -> Taken:
    """Somebody, he or a forger, sends one mail without proof after the other: say so once, to him and to the GM."""
    attribute(sitting)
    day = sitting.now.date().isoformat()
    game = sitting.game(sitting.speaker.game) or next(
        (found for said in sitting.script.said if (found := sitting.game(said.game)) is not None), None
    )
    letter = alert(
        sitting.ledger.members[owner.id], sitting.house.office, key=f"judge/unproved/p{owner.id}/{day}",
        subject="too many mails without proof",
        items=(
            f"More than {UNPROVED} mails in your name came today that I could not take as yours. Until midnight (UTC) "
            "I neither act on such mails nor write about them; number "
            f"{sitting.mail.id} is the first that was put aside. Nothing of yours was changed.",
            "Answer one of my letters from your own address, or put your password on a line: password WORD",
        ),
    )  # fmt: skip
    put(sitting.house, sitting.unit, letter, sitting.now, mail_id=sitting.mail.id, members=sitting.ledger.members)
    if game is not None:
        who = seat_title(game, sitting.actor(game).seat or (sitting.speaker.seat.seat if sitting.speaker.seat else ""))
        tell_gm(
            sitting.house, sitting.unit, game.key, f"unproved/p{owner.id}/{day}",
            subject=f"many mails in the name of {who} lack proof",
            items=(
                f"More than {UNPROVED} mails in the name of {who} came today without proof. Nothing was changed by "
                "them, and until midnight (UTC) I am silent about any more.",
            ),
        )  # fmt: skip
    return Taken("ignored", "too many mails without proof today")


def _keep(sitting: Sitting, reason: str) -> str:
    attribute(sitting)
    key = sitting.house.entropy(8).hex()
    sitting.unit.inbox.hold(sitting.mail.id, key, reason=reason)
    return key


def attribute(sitting: Sitting) -> None:
    """Note whose mail this seems to be: the deadline barrier asks."""
    speaker = sitting.speaker
    named = (said.game for said in sitting.script.said if sitting.game(said.game) is not None)
    sitting.unit.inbox.attribute(
        sitting.mail.id,
        game=speaker.game or next(named, None),
        seat=speaker.seat.seat if speaker.seat else None,
        sender=speaker.address,
    )


def _what(sitting: Sitting) -> str:
    """The requests in words, without quoting the mail: "join", "orders and press"."""
    verbs = list(dict.fromkeys(said.verb for said in sitting.script.said))
    return " and ".join(verbs) or "nothing that I could read"
