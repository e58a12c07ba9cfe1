"""Proof and consent: what is not proved waits for one word from the address of record."""

from __future__ import annotations

from dataclasses import replace

from judge.game.core.commands import Submit
from judge.game.core.model import Game
from judge.mail.script import ReadRequest
from judge.report.core import times
from judge.report.core.alerts import alert
from judge.report.core.frame import seat_title
from judge.report.core.naming import Said
from judge.report.reply.doorstep import WaitsFor, confirm, error, held
from judge.report.table.awaiting import outlook
from judge.service.posting.mailbag import CONFIRM, put
from judge.service.posting.operator import tell_gm
from judge.service.trust import asking, confirmed
from judge.service.trust.authority import Act
from judge.service.trust.claims import claim_on, claims_of, speaks_of_play
from judge.service.trust.patience import UNPROVED, no_room
from judge.service.trust.sitting import HELD_FOR, Sitting, Taken, comes_in_by, owner_of
from judge.store.rows import MailState, Person

CONFIRMATIONS = 1
"""Confirmation letters that an unknown address gets in a day."""

_BETTER_COPY = "a copy of it came that has more proof, and is heard instead"


def needed(sitting: Sitting) -> Taken | None:
    """Hold the mail if what it asks for needs more proof than it has; None if it may be carried out."""
    if sitting.speaker.acting is None and owner_of(sitting) is None:
        asks = any(comes_in_by(said.request) for said in sitting.script.said)
        return _newcomer(sitting) if asks else None
    lacking = tuple((_named(sitting, said), act) for said, act in sitting.acts() if not sitting.speaker.may(act))
    if not lacking:
        return None
    return _never_enough(sitting, lacking) if sitting.speaker.confirmed else _hold(sitting, lacking)


Lacking = tuple[tuple[str, Act], ...]
"""Requests for which there is not proof enough: the verb, and its row in the table of authority."""


def reason(sitting: Sitting, lacking: Lacking) -> WaitsFor:
    """Why the mail is held, for the letter: the most serious cause."""
    if not sitting.speaker.proved and sitting.speaker.elsewhere:
        return WaitsFor.ELSEWHERE
    if not sitting.speaker.proved:
        return WaitsFor.WRONG_PASSWORD if sitting.speaker.wrong_password else WaitsFor.UNPROVED
    if any(act is Act.ACCOUNT for _, act in lacking):
        return WaitsFor.ACCOUNT
    return WaitsFor.GRAVE if any(act in (Act.GRAVE, Act.CLOSE) for _, act in lacking) else WaitsFor.UNPROVED


def yes_is_not_enough(sitting: Sitting) -> bool:
    """Whether a yes alone would not suffice for something that the mail asks for."""
    sure = replace(sitting.speaker, confirmed=True)
    return any(not sure.may(act) for _, act in sitting.acts())


def _never_enough(sitting: Sitting, lacking: Lacking) -> Taken:
    """Somebody said yes, and even so it is not enough: they are told what is, and nothing is done."""
    owner = owner_of(sitting)
    assert owner is not None
    verbs = " and ".join(dict.fromkeys(verb for verb, _ in lacking))
    letter = error(
        sitting.received, sitting.house.office, member=sitting.ledger.members[owner.id],
        wrong=f"Your yes came, but `{verbs}` needs more proof than that.",
        mend="Send it again, in answer to a letter of mine about the game, or with a line: password WORD",
        game=game.key if (game := _about(sitting, owner)) is not None else "",
    )  # fmt: skip
    sitting.send(letter)
    return Taken("processed", "confirmed, but not proved enough", letters=sitting.letters)


def comes_in(sitting: Sitting) -> bool:
    """Whether somebody unknown, whose address is proved, asks for what makes them known."""
    return sitting.speaker.vouched and any(comes_in_by(said.request) for said in sitting.script.said)


def _newcomer(sitting: Sitting) -> Taken | None:
    """An unknown address wants to come in: its owner must say so, once."""
    if sitting.mail.confirmed_at is not None or sitting.speaker.vouched:
        return None
    if confirmed.give_way(sitting):
        return Taken("ignored", _BETTER_COPY)
    address = sitting.envelope.from_address or ""
    if not sitting.unit.contacts.allow(address, "confirm", sitting.now.date(), CONFIRMATIONS):
        return Taken("ignored", "an unknown address had its confirmation letter today")
    if quiet := no_room(sitting, address):
        return Taken("ignored", f"not proved, not answered: {quiet}")
    key = _keep(sitting, "an unknown address")
    letter = confirm(
        address, sitting.received, sitting.house.office, what=_what(sitting), reply_as=CONFIRM + key,
        lapses=times.short(sitting.mail.arrived_at + HELD_FOR, sitting.house.config.zone),
    )  # fmt: skip
    sitting.send(letter)
    return Taken("held", "waits for the confirmation of a new address", letters=sitting.letters)


def _hold(sitting: Sitting, lacking: Lacking) -> Taken:
    """Keep the mail until the address of record says yes. Too many of them in a day are put aside in silence."""
    if confirmed.give_way(sitting):
        return Taken("ignored", _BETTER_COPY)
    owner = owner_of(sitting)
    assert owner is not None
    if not sitting.unit.contacts.allow(f"person:{owner.id}", "unproved", sitting.now.date(), UNPROVED):
        return _too_many(sitting, owner)
    reader = sitting.ledger.members[owner.id]
    game = _about(sitting, owner)
    zone = reader.zone or (game.settings.zone if game else sitting.house.config.zone)
    key, why = _keep(sitting, "not proved"), reason(sitting, lacking)
    if why is WaitsFor.WRONG_PASSWORD:
        sitting.unit.inbox.waive(sitting.mail.id)  # no turn waits for whoever guesses
    letter = held(
        reader,
        sitting.received,
        sitting.house.office,
        what=_what(sitting),
        sender=_shown_sender(sitting, owner, game),
        when=times.received(sitting.mail.arrived_at, zone),
        lapses=times.short(sitting.mail.arrived_at + HELD_FOR, zone),
        reply_as=CONFIRM + key,
        game=game.key if game else "",
        why=why,
        grave=" and ".join(dict.fromkeys(verb for verb, _ in lacking)),
        more=yes_is_not_enough(sitting),
        questions=(*asking.consequences(sitting), *asking.foresee(sitting, key, more=yes_is_not_enough(sitting))),
        turn=_outlook(sitting, owner),
        others=_others(sitting, owner),
    )
    sitting.send(letter)
    return Taken("held", "waits for a word from the address of record", letters=sitting.letters)


def _outlook(sitting: Sitting, owner: Person) -> Said | None:
    """Whether a turn waits for the word that is asked for: of the game to which the mail was sent, or that it names."""
    game, seat = _place(sitting, owner)
    if game is None or not speaks_of_play(sitting):
        return None
    claim = claim_on(replace(sitting.mail, claims=claims_of(sitting)), game.key)
    return outlook(game, claim, seat, sitting.now)


def _others(sitting: Sitting, owner: Person) -> tuple[str, ...]:
    """The numbers of the mails that wait for the same person's word on the same seat, oldest first."""
    game, seat = _place(sitting, owner)
    if game is None:
        return ()
    waiting = sitting.unit.inbox.unsettled(sitting.now, game=game.key)
    held = (mail for mail in waiting if mail.state is MailState.HELD and mail.id != sitting.mail.id)
    claims = (claim for mail in held if (claim := claim_on(mail, game.key)) is not None)
    return tuple(str(claim.number) for claim in claims if claim.seat == seat)


def _place(sitting: Sitting, owner: Person) -> tuple[Game | None, str]:
    """The game to which the mail was sent, or that it names, and the seat in it of the one whose word is asked for."""
    keys = (sitting.speaker.game, *(said.game for said in sitting.script.said))
    games = (game for key in keys if (game := sitting.game(key)) is not None)
    found = ((game, seat.id) for game in games if (seat := game.seat_held_by(owner.id)) is not None)
    return next(found, (None, ""))


def _about(sitting: Sitting, owner: Person) -> Game | None:
    """The game that the letter's subject names: that of the address, else the owner's own that the mail names, else
    any that it names.
    """
    if (game := sitting.game(sitting.speaker.game)) is not None:
        return game
    own, _ = _place(sitting, owner)
    named = (game for said in sitting.script.said if (game := sitting.game(said.game)) is not None)
    return own if own is not None else next(named, None)


def _shown_sender(sitting: Sitting, owner: Person, game: Game | None) -> str:
    """Where a mail came from, as its supposed author may know it: in an anonymous game no other person's address."""
    known = sitting.speaker.person
    if game is not None and game.settings.anonymous and known is not None and known.id != owner.id:
        return "an address that is not yours"
    return sitting.envelope.from_address or ""


def _too_many(sitting: Sitting, owner: Person) -> Taken:
    """Somebody (the person themselves or a forger) sends one mail without proof after the other: say so once, to them
    and to the GM.
    """
    attribute(sitting)
    day = sitting.now.date().isoformat()
    game = _about(sitting, owner)
    letter = alert(
        sitting.ledger.members[owner.id], sitting.house.office, key=f"judge/unproved/p{owner.id}/{day}",
        subject=f"{f'[{game.key}] ' if game is not None else ''}too many mails without proof",
        items=(
            f"More than {UNPROVED} mails in your name came today that I could not take as yours. Until midnight (UTC) "
            "I neither act on such mails nor tell you about them; number "
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
                "them, and until midnight (UTC) I do not write about any more.",
            ),
        )  # fmt: skip
    return Taken("ignored", "too many mails without proof today")


def _keep(sitting: Sitting, reason: str) -> str:
    attribute(sitting)
    key = sitting.house.entropy(8).hex()
    sitting.unit.inbox.hold(sitting.mail.id, key, reason=reason, claims=claims_of(sitting))
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


def _named(sitting: Sitting, said: ReadRequest) -> str:
    """A request by its verb; orders that name a power by what is done with them, and for whom."""
    request, game = said.request, sitting.game(said.game)
    if not isinstance(request, Submit) or not request.power or game is None:
        return said.verb
    name = game.board.powers[request.power].name
    return f"amend as {name}" if request.amends else f"orders for {name}"


def _what(sitting: Sitting) -> str:
    """The requests in words, without quoting the mail: "join", "orders and press"."""
    verbs = list(dict.fromkeys(_named(sitting, said) for said in sitting.script.said))
    return " and ".join(verbs) or "nothing that I could read"
