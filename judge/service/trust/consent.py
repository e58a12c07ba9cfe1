"""Proof and consent: what is not proved waits for one word from the address of record.

For which seats a held mail speaks: noted when it is held, asked by the deadline barrier.

A claim is stored as words: "GAME SEAT", and "token" behind them where the mail came to the seat's own live address from
a foreign one. A mail that our own mail server denies claims nothing, and neither does a Gamemaster's.

Asking once: a command of the game wants its author's yes first (`judge.game.core.commands.Question`).

The other lines of the mail are carried out. The questions of one mail go into one letter; a yes to it carries out the
lines that were asked about, with `Actor.agreed` saying what the yes was about. It proves its author beyond doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from judge.game.core.commands import (
    GM_SEAT,
    Command,
    Decision,
    HeldMail,
    Leave,
    Process,
    Question,
    Role,
    SendPress,
    Submit,
)
from judge.game.core.model import Game
from judge.languages import tell, told_later
from judge.mail.script import ReadRequest
from judge.orders.spelled import listed
from judge.report.core import naming
from judge.report.core.letter import seat_title
from judge.report.core.naming import Said
from judge.report.reply.unproved import WaitsFor, alert, confirm, error, held
from judge.report.table.calls import outlook
from judge.service.core.directory import Errand, find_errand
from judge.service.posting.operator import tell_gm
from judge.service.posting.outgoing import CONFIRM, put
from judge.service.trust.heard import HELD_FOR, Consent, Done, HeardMail, Taken, comes_in_by, keep_errand, owner_of
from judge.service.trust.patience import UNPROVED, no_room
from judge.service.trust.prove import ActKind, Proof, act_of, prove
from judge.service.trust.read import envelope_of, give_way
from judge.service.trust.reading import read_requests
from judge.store.rows import Mail, MailState, Person

ASKED = "asked"
"""The errand of a question: the mail, and the lines in it that wait for a yes."""

FORESEEN = "foreseen"
"""What the yes to a held mail says yes to, beside the mail: kept under the same token."""

ASKING = (Leave, Process, SendPress)
"""Commands that may answer with a question."""


def nothing_else(heard: HeardMail) -> bool:
    """Whether the mail held nothing but what is asked about, so that the question is the one answer to it."""
    return len(heard.done.questions) == len(heard.script.said) and not heard.script.unread


def ask(heard: HeardMail) -> None:
    """One letter with every question of the mail."""
    person = heard.speaker.acting
    if not heard.done.questions or person is None:
        return
    lines = [list(said.lines) for said, _ in heard.done.questions]
    about = [question.about for _, question in heard.done.questions]
    game = heard.game(next((said.game for said, _ in heard.done.questions if said.game), ""))
    key = keep_errand(
        heard, ASKED, person.id, HELD_FOR,
        mail=heard.consent.first_mail or heard.mail.id, lines=lines, about=about, game=game.key if game else "",
    )  # fmt: skip
    reader = heard.ledger.members[person.id]
    zone = reader.zone or (game.settings.zone if game else heard.judge.config.zone)
    letter = held(
        reader,
        heard.received,
        heard.judge.office,
        what=" and ".join(dict.fromkeys(said.named for said, _ in heard.done.questions)),
        sender=heard.envelope.from_address or "",
        when=naming.received(heard.mail.arrived_at, zone),
        lapses=naming.short(heard.now + HELD_FOR, zone),
        reply_as=CONFIRM + key,
        game=game.key if game else "",
        questions=tuple(question.sentence for _, question in heard.done.questions),
        why=WaitsFor.ASKED,
    )
    heard.send(letter)


def foresee(heard: HeardMail, key: str, *, more: bool) -> tuple[str, ...]:
    """What would be asked of the author of a mail that is held for their yes anyway: the letter says it, and the yes
    (`key` is its token's reference) is about it, too. `more`: the yes must bring a proof of its own.
    """
    trial = replace(heard, speaker=replace(heard.speaker, confirmed=True))
    found = [
        replace(result, sentence=heard.spelled(result.sentence, game))
        for said in heard.script.said
        if isinstance(said.request, ASKING) and (game := heard.game(said.game)) is not None
        if isinstance(result := trial.would(game, said.request), Question)
    ]
    if found or more:
        about = [question.about for question in found]
        keep_errand(heard, FORESEEN, 0, HELD_FOR, key=key, about=about, more=more)
    return tuple(question.sentence for question in found)


def consequences(heard: HeardMail) -> tuple[str, ...]:
    """What the grave acts of a mail would do, as the game would say it once they are done: for the letter that asks
    for a second proof of them.
    """
    trial = replace(heard, speaker=replace(heard.speaker, confirmed=True))
    found = [
        tell("With your yes: {spelled}", spelled=heard.spelled(result.said, game))
        for said, act in heard.acts()
        if act is ActKind.GRAVE and isinstance(said.request, Command) and (game := heard.game(said.game)) is not None
        if isinstance(result := trial.would(game, said.request), Decision) and result.said
    ]
    return tuple(found)


def foreseen(heard: HeardMail) -> HeardMail:
    """The mail with what the yes to it was about beside the mail itself, and the proofs that came with that yes."""
    key = heard.mail.confirm_key if heard.mail.confirmed_at is not None else None
    errand = find_errand(heard.unit, key) if key else None
    if errand is None:
        return heard
    lent = frozenset(Proof(one) for one in errand.facts.get("lent", ()))
    consent = replace(heard.consent, agreed=tuple(errand.facts["about"]))
    return replace(heard, speaker=replace(heard.speaker, lent=lent), consent=consent)


def agreed(heard: HeardMail, errand: Errand) -> HeardMail | None:
    """The yes came: the mail that asked, with nothing left in it but what was asked about, and the yes with it.

    None if its bytes are kept no longer.
    """
    judge, unit, number = heard.judge, heard.unit, int(errand.facts["mail"])
    raw = unit.inbox.raw(number)
    if raw is None:
        return None
    mail = unit.inbox.get(number)
    envelope = envelope_of(judge, mail, raw)
    confirmed = replace(mail, confirmed_at=heard.now)
    known = heard.ledger.people
    speaker = prove(judge, unit, known, confirmed, envelope)
    asked = HeardMail(
        judge, unit, heard.ledger, heard.now, heard.mail, envelope, speaker,
        consent=Consent(agreed=tuple(errand.facts["about"]), first_mail=number),
        done=Done(changes=heard.done.changes, letters=heard.done.letters),
    )  # fmt: skip
    asked = read_requests(asked)
    wanted = [tuple(lines) for lines in errand.facts["lines"]]
    said = tuple(said for said in asked.script.said if said.lines in wanted)
    return replace(asked, script=replace(asked.script, said=said, unread=(), ignored=()))


_TOKEN = "token"


def claims_of(heard: HeardMail) -> tuple[str, ...]:
    """The claims of a mail that is about to be held."""
    if heard.envelope.auth == "fail" or not speaks_of_play(heard):
        return ()
    return tuple(dict.fromkeys((*_by_token(heard), *_by_name(heard))))


def speaks_of_play(heard: HeardMail) -> bool:
    """Whether a turn may depend on a mail: not where all that it asks for concerns an account, or is a question."""
    asked = [said.request for said in heard.script.said]
    acts = {act_of(request, Role.PLAYER) for request in asked if not comes_in_by(request)}
    beside = {ActKind.ACCOUNT, ActKind.DATA, ActKind.QUESTION, ActKind.LEAD, ActKind.CLOSE}
    return not asked or bool(heard.script.unread) or bool(acts - beside)


def _by_token(heard: HeardMail) -> Iterator[str]:
    seat = heard.speaker.seat
    if seat is not None and heard.speaker.foreign and seat.seat != GM_SEAT:
        yield f"{seat.game} {seat.seat} {_TOKEN}"


def _by_name(heard: HeardMail) -> Iterator[str]:
    """The seats, in the games that it speaks of, of the person from whose address it says that it comes."""
    person = heard.speaker.person
    if person is None or heard.speaker.seat is not None:
        return
    for said in heard.script.said:
        game = heard.game(said.game)
        if game is None or comes_in_by(said.request) or act_of(said.request, Role.PLAYER) is not ActKind.PLAY:
            continue
        if (seat := game.seat_held_by(person.id)) is not None:
            yield f"{game.key} {seat.id}"


def claim_on(mail: Mail, game: str) -> HeldMail | None:
    """What a held mail claims in one game."""
    for words in (claim.split(" ") for claim in mail.claims):
        if words[0] == game:
            return HeldMail(mail.id, words[1], mail.arrived_at, token=_TOKEN in words[2:])
    return None


CONFIRMATIONS = 1
"""Confirmation letters that an unknown address gets in a day."""

_BETTER_COPY = told_later("a copy of it came that has more proof, and is heard instead")


def needed(heard: HeardMail) -> Taken | None:
    """Hold the mail if what it asks for needs more proof than it has; None if it may be carried out."""
    if heard.speaker.acting is None and owner_of(heard) is None:
        asks = any(comes_in_by(said.request) for said in heard.script.said)
        return _newcomer(heard) if asks else None
    lacking = tuple((_named(heard, said), act) for said, act in heard.acts() if not heard.speaker.may(act))
    if not lacking:
        return None
    return _never_enough(heard, lacking) if heard.speaker.confirmed else _hold(heard, lacking)


Lacking = tuple[tuple[str, ActKind], ...]
"""Requests for which there is not proof enough: the verb, and its row in the table of authority."""


def reason(heard: HeardMail, lacking: Lacking) -> WaitsFor:
    """Why the mail is held, for the letter: the most serious cause."""
    if not heard.speaker.proved and heard.speaker.elsewhere:
        return WaitsFor.ELSEWHERE
    if not heard.speaker.proved:
        return WaitsFor.WRONG_PASSWORD if heard.speaker.wrong_password else WaitsFor.UNPROVED
    if any(act is ActKind.ACCOUNT for _, act in lacking):
        return WaitsFor.ACCOUNT
    return WaitsFor.GRAVE if any(act in (ActKind.GRAVE, ActKind.CLOSE) for _, act in lacking) else WaitsFor.UNPROVED


def yes_is_not_enough(heard: HeardMail) -> bool:
    """Whether a yes alone would not suffice for something that the mail asks for."""
    sure = replace(heard.speaker, confirmed=True)
    return any(not sure.may(act) for _, act in heard.acts())


def _never_enough(heard: HeardMail, lacking: Lacking) -> Taken:
    """Somebody said yes, and even so it is not enough: they are told what is, and nothing is done."""
    owner = owner_of(heard)
    assert owner is not None
    verbs = listed(dict.fromkeys(verb for verb, _ in lacking))
    letter = error(
        heard.received, heard.judge.office, member=heard.ledger.members[owner.id],
        wrong=tell("Your yes came, but `{verbs}` needs more proof than that.", verbs=verbs),
        mend=tell("Send it again, in answer to a letter of mine about the game, or with a line: " "password WORD"),
        game=game.key if (game := _about(heard, owner)) is not None else "",
    )  # fmt: skip
    heard.send(letter)
    return heard.taken("processed", "confirmed, but not proved enough")


def comes_in(heard: HeardMail) -> bool:
    """Whether somebody unknown, whose address is proved, asks for what makes them known."""
    return heard.speaker.vouched and any(comes_in_by(said.request) for said in heard.script.said)


def _newcomer(heard: HeardMail) -> Taken | None:
    """An unknown address wants to come in: its owner must say so, once."""
    if heard.mail.confirmed_at is not None or heard.speaker.vouched:
        return None
    if give_way(heard):
        return heard.taken("ignored", _BETTER_COPY)
    address = heard.envelope.from_address or ""
    if not heard.unit.contacts.allow(address, "confirm", heard.now.date(), CONFIRMATIONS):
        return heard.taken("ignored", "an unknown address had its confirmation letter today")
    if quiet := no_room(heard, address)[0]:
        return heard.taken("ignored", f"not proved, not answered: {quiet}")
    key = _keep(heard, "an unknown address")
    letter = confirm(
        address, heard.received, heard.judge.office, what=_what(heard), reply_as=CONFIRM + key,
        lapses=naming.short(heard.mail.arrived_at + HELD_FOR, heard.judge.config.zone),
    )  # fmt: skip
    heard.send(letter)
    return heard.taken("held", "waits for the confirmation of a new address")


def _hold(heard: HeardMail, lacking: Lacking) -> Taken:
    """Keep the mail until the address of record says yes. Too many of them in a day are put aside in silence."""
    if give_way(heard):
        return heard.taken("ignored", _BETTER_COPY)
    owner = owner_of(heard)
    assert owner is not None
    if not heard.unit.contacts.allow(f"person:{owner.id}", "unproved", heard.now.date(), UNPROVED):
        return _too_many(heard, owner)
    reader = heard.ledger.members[owner.id]
    game = _about(heard, owner)
    zone = reader.zone or (game.settings.zone if game else heard.judge.config.zone)
    key, why = _keep(heard, "not proved"), reason(heard, lacking)
    if why is WaitsFor.WRONG_PASSWORD:
        heard.unit.inbox.waive(heard.mail.id)  # no turn waits for whoever guesses
    letter = held(
        reader,
        heard.received,
        heard.judge.office,
        what=_what(heard),
        sender=_shown_sender(heard, owner, game),
        when=naming.received(heard.mail.arrived_at, zone),
        lapses=naming.short(heard.mail.arrived_at + HELD_FOR, zone),
        reply_as=CONFIRM + key,
        game=game.key if game else "",
        why=why,
        grave=listed(dict.fromkeys(verb for verb, _ in lacking)),
        more=yes_is_not_enough(heard),
        questions=(*consequences(heard), *foresee(heard, key, more=yes_is_not_enough(heard))),
        turn=_outlook(heard, owner),
        others=_others(heard, owner),
    )
    heard.send(letter)
    return heard.taken("held", "waits for a word from the address of record")


def _outlook(heard: HeardMail, owner: Person) -> Said | None:
    """Whether a turn waits for the word that is asked for: of the game to which the mail was sent, or that it names."""
    game, seat = _place(heard, owner)
    if game is None or not speaks_of_play(heard):
        return None
    claim = claim_on(replace(heard.mail, claims=claims_of(heard)), game.key)
    return outlook(game, claim, seat, heard.now)


def _others(heard: HeardMail, owner: Person) -> tuple[str, ...]:
    """The numbers of the mails that wait for the same person's word on the same seat, oldest first."""
    game, seat = _place(heard, owner)
    if game is None:
        return ()
    waiting = heard.unit.inbox.unsettled(heard.now, game=game.key)
    held = (mail for mail in waiting if mail.state is MailState.HELD and mail.id != heard.mail.id)
    claims = (claim for mail in held if (claim := claim_on(mail, game.key)) is not None)
    return tuple(str(claim.number) for claim in claims if claim.seat == seat)


def _place(heard: HeardMail, owner: Person) -> tuple[Game | None, str]:
    """The game to which the mail was sent, or that it names, and the seat in it of the one whose word is asked for."""
    keys = (heard.speaker.game, *(said.game for said in heard.script.said))
    games = (game for key in keys if (game := heard.game(key)) is not None)
    found = ((game, seat.id) for game in games if (seat := game.seat_held_by(owner.id)) is not None)
    return next(found, (None, ""))


def _about(heard: HeardMail, owner: Person) -> Game | None:
    """The game that the letter's subject names: that of the address, else the owner's own that the mail names, else
    any that it names.
    """
    if (game := heard.game(heard.speaker.game)) is not None:
        return game
    own, _ = _place(heard, owner)
    named = (game for said in heard.script.said if (game := heard.game(said.game)) is not None)
    return own if own is not None else next(named, None)


def _shown_sender(heard: HeardMail, owner: Person, game: Game | None) -> str:
    """Where a mail came from, as its supposed author may know it: in an anonymous game no other person's address."""
    known = heard.speaker.person
    if game is not None and game.settings.anonymous and known is not None and known.id != owner.id:
        return tell("an address that is not yours")
    return heard.envelope.from_address or ""


def _too_many(heard: HeardMail, owner: Person) -> Taken:
    """Somebody (the person themselves or a forger) sends one mail without proof after the other: say so once, to them
    and to the GM.
    """
    attribute(heard)
    day = heard.now.date().isoformat()
    game = _about(heard, owner)
    letter = alert(
        heard.ledger.members[owner.id],
        heard.judge.office,
        key=f"judge/unproved/p{owner.id}/{day}",
        subject=tell("{how}too many mails without proof", how=f"[{game.key}] " if game is not None else ""),
        items=(
            tell(
                "More than {unproved} mails in your name came today that I could not take as yours. "
                "Until midnight (UTC) I neither act on such mails nor tell you about them; number "
                "{mail} is the first that was put aside. Nothing of yours was changed.",
                unproved=UNPROVED,
                mail=heard.mail.id,
            ),
            tell("Answer one of my letters from your own address, or put your password on a line: password WORD"),
        ),
    )
    put(heard.judge, heard.unit, letter, heard.now, mail_id=heard.mail.id, members=heard.ledger.members)
    if game is not None:
        seat = heard.actor(game).seat or (heard.speaker.seat.seat if heard.speaker.seat else "")
        tell_gm(heard.judge, heard.unit, game.key, f"unproved/p{owner.id}/{day}", partial(_words_on_many, game, seat))
    return heard.taken("ignored", "too many mails without proof today")


def _words_on_many(game: Game, seat: str) -> tuple[str, Sequence[str]]:
    who = seat_title(game, seat)
    return tell("many mails in the name of {who} lack proof", who=who), (
        tell(
            "More than {unproved} mails in the name of {who} came today without proof. Nothing "
            "was changed by them, and until midnight (UTC) I do not write about any more.",
            unproved=UNPROVED,
            who=who,
        ),
    )


def _keep(heard: HeardMail, reason: str) -> str:
    attribute(heard)
    key = heard.judge.entropy(8).hex()
    heard.unit.inbox.hold(heard.mail.id, key, reason=reason, claims=claims_of(heard))
    return key


def attribute(heard: HeardMail) -> None:
    """Note whose mail this seems to be: the deadline barrier asks."""
    speaker = heard.speaker
    named = (said.game for said in heard.script.said if heard.game(said.game) is not None)
    heard.unit.inbox.attribute(
        heard.mail.id,
        game=speaker.game or next(named, None),
        seat=speaker.seat.seat if speaker.seat else None,
        sender=speaker.address,
    )


def _named(heard: HeardMail, said: ReadRequest) -> str:
    """A request by its verb; orders that name a power by what is done with them, and for whom."""
    request, game = said.request, heard.game(said.game)
    if not isinstance(request, Submit) or not request.power or game is None:
        return said.named
    power = game.board.powers[request.power]
    return f"amend as {power.name}" if request.amends else tell("orders for {power}", power=power.told)


def _what(heard: HeardMail) -> str:
    """The requests in words, without quoting the mail: "join", "orders and press"."""
    verbs = list(dict.fromkeys(_named(heard, said) for said in heard.script.said))
    return listed(verbs) or tell("nothing that I could read")
