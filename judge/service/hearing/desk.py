"""Hears one mail, from the inbox to its disposition, in one transaction.

    taken = hear_mail(house, unit, ledger, mail, raw)

Everything that a mail brings about (events, letters, its own verdict) is committed together or not at all.
"""

from __future__ import annotations

import logging
from typing import Any

import msgspec

from judge.mail.envelope import Envelope
from judge.mail.noise import NULL_SENDER, Noise
from judge.mail.tokens import Purpose
from judge.mail.vocabulary.clauses import is_key
from judge.report.core.letter import Letter
from judge.report.mailing import filed_under
from judge.report.reply.doorstep import error, stranger
from judge.report.reply.receipt import answer_to_person
from judge.service.core.house import House
from judge.service.core.keeper import Ledger
from judge.service.hearing.answering import also_to, enough, receipt_of, room
from judge.service.hearing.postmaster import for_operator, forward
from judge.service.hearing.questions import enclose_list
from judge.service.hearing.remarks import remarks
from judge.service.hearing.requests import perform_all
from judge.service.hearing.returned import alive, note_bounce
from judge.service.hearing.unsubscribing import unsubscribe
from judge.service.people.forgetting import forget
from judge.service.posting.mailbag import post_letters
from judge.service.trust import asking, confirmed, consent, copies, replies
from judge.service.trust.passwords import check_password
from judge.service.trust.sitting import Sitting
from judge.service.trust.speaker import Speaker, hear, tokens_of
from judge.service.trust.taken import Taken, envelope_of
from judge.store import Transaction
from judge.store.rows import Mail, MailState

log = logging.getLogger("judge.mail")

NAMELESS_LETTERS = 4
"""Letters in a day about mails to a person's own reply addresses that do not say who wrote them (ruling 39)."""

STRANGER_LETTERS = 1
"""Fixed letters that an unknown address gets in a day (ruling 1a); answers to its questions are measured with them."""

_NO_NAMES = frozenset({"a", "the", "game", "to", "in", "me", "as", "up", "please"})
"""Words between such a verb and the name."""

_WANTS_A_GAME = frozenset({"join", "observe", "claim"})
"""Verbs that name a game. A stranger who uses them and is not asked to confirm has named one that is not there."""


def hear_mail(house: House, unit: Transaction, ledger: Ledger, mail: Mail, raw: bytes) -> Taken:
    """Hear one mail inside a transaction. Raises whatever goes wrong; the worker counts the attempts."""
    envelope = envelope_of(house, mail, raw)
    if mail.first_id is not None:
        better = copies.take_place(house, unit, mail, envelope, envelope_of)
        if better is None:
            return Taken("ignored", f"a duplicate of mail {mail.first_id}")
        mail = better
    sitting = _sit(house, unit, ledger, mail, envelope)
    taken = _hear(sitting)
    _finish(sitting, taken)
    if taken.verdict == "ignored":
        copies.give_way(sitting, envelope_of)
    for change in sitting.changes.values():
        ledger.keep(change)
    _log(sitting, taken)
    return taken


def whose(house: House, unit: Transaction, mail: Mail, raw: bytes) -> None:
    """Attribute a mail that could not be heard to its sender and game, as far as its envelope tells."""
    config = house.config
    envelope = envelope_of(house, mail, raw)
    people = house.directory.open(unit)
    speaker = hear(unit, people, mail, envelope, config.domain, config.local_part, house.store.secret)
    seat = speaker.seat.seat if speaker.seat else None
    unit.inbox.attribute(mail.id, game=speaker.game or None, seat=seat, sender=speaker.address)


def _sit(house: House, unit: Transaction, ledger: Ledger, mail: Mail, envelope: Envelope) -> Sitting:
    config = house.config
    speaker = hear(unit, ledger.people, mail, envelope, config.domain, config.local_part, house.store.secret)
    if (known := speaker.acting) is not None and known.id not in ledger.members:
        ledger.members.learn(known)
    return Sitting(house, unit, ledger, mail, envelope, speaker, house.clock.now())


def _hear(sitting: Sitting) -> Taken:
    unit, mail, envelope = sitting.unit, sitting.mail, sitting.envelope
    config = sitting.house.config
    if for_operator(sitting):
        return Taken("ignored", forward(sitting), letters=sitting.letters)
    for token in tokens_of(mail, envelope, config.domain, config.local_part, sitting.house.store.secret):
        if token.purpose is Purpose.UNSUBSCRIBE and envelope.noise.kind is not Noise.BOUNCE:
            return _unsubscribed(sitting, token.reference)
        if token.purpose is Purpose.CONFIRM and not envelope.noise.is_noise:
            alive(sitting)
            heard = replies.reply(sitting, token.reference)
            if heard is not None:
                return heard if isinstance(heard, Taken) else _answer(heard)
        if token.purpose is Purpose.BOUNCE and not envelope.noise.is_noise:
            return Taken("ignored", "to the return address of a letter, where programs write and nobody else")
    if envelope.from_address is None and envelope.noise.reason == NULL_SENDER:
        return _nameless(sitting)  # a program would have said who it is
    if envelope.noise.is_noise:
        note_bounce(sitting)
        return Taken("ignored", f"{envelope.noise.kind}: {envelope.noise.reason}")
    if envelope.from_address is None:
        return _nameless(sitting)
    if sitting.speaker.person is None:
        unit.contacts.heard(envelope.from_address, sitting.now)
    alive(sitting)
    if envelope.unsafe:
        return _unreadable(sitting)
    sitting.read()
    check_password(sitting)
    asking.foreseen(sitting)
    if (held := consent.needed(sitting)) is not None:
        return held
    if sitting.speaker.acting is None and not sitting.mail.confirmed_at and not consent.comes_in(sitting):
        return _stranger(sitting)
    return _answer(sitting)


def _nameless(sitting: Sitting) -> Taken:
    """No From line that names one sender: nothing is carried out. Where the mail went to the live address of a seat,
    whoever sits there is told, at their address of record; else nobody knows whom to answer.
    """
    holder, why = sitting.speaker.holder, f"no single sender: {sitting.envelope.from_problem}"
    if holder is None:
        return Taken("ignored", why)
    if not sitting.unit.contacts.allow(f"person:{holder.id}", "nameless", sitting.now.date(), NAMELESS_LETTERS):
        return Taken("ignored", f"{why}; its supposed author was told often enough today")
    sitting.send(
        error(
            sitting.received,
            sitting.house.office,
            wrong="A mail came to the address to which you answer my letters, and its From line does not say who wrote "
            f"it ({sitting.envelope.from_problem}). So nothing in it was carried out.",
            mend="If it is yours, send it again with your own address alone in From.",
            member=sitting.ledger.members[holder.id],
        ),
    )
    return Taken("processed", why, letters=sitting.letters)


def _unreadable(sitting: Sitting) -> Taken:
    """A limit against hostile mail was met: nothing in it is carried out. Whoever is proved is told so, nobody else."""
    why = ", ".join(sitting.envelope.defects)
    if sitting.speaker.person is None or not sitting.speaker.proved:
        return Taken("ignored", f"unsafe: {why}")
    sitting.send(
        error(
            sitting.received,
            sitting.house.office,
            wrong="Your mail is built in a way that I do not read, so nothing in it was carried out.",
            mend="Send it again as plain text, without attachments.",
            member=sitting.ledger.members[sitting.speaker.person.id],
        ),
    )
    return Taken("processed", f"unsafe: {why}", letters=sitting.letters)


def _answer(sitting: Sitting) -> Taken:
    """Carry out every request in the order of the mail, then write one answer."""
    confirmed.settle_order(sitting)
    perform_all(sitting)
    confirmed.count_on_time(sitting)
    sitting.remarks = remarks(sitting)
    reason = _write(sitting)
    asking.ask(sitting)
    if sitting.forgotten:
        forget(sitting.unit, sitting.forgotten, sitting.now)
    return Taken("processed", reason, sitting.commands, _unread(sitting), sitting.letters)


def _stranger(sitting: Sitting) -> Taken:
    """Somebody we do not know: a question is answered, a wish to join what is not there by the list of what is;
    everything else gets one fixed letter a day (ruling 1a).
    """
    perform_all(sitting)
    verbs = {said.verb for said in sitting.script.said} | {unread.verb for unread in sitting.script.unread}
    if verbs & _WANTS_A_GAME and not sitting.enclosures:
        enclose_list(sitting, _missing(sitting))
    address, today = sitting.envelope.from_address or "", sitting.now.date()
    if not sitting.enclosures and not sitting.unit.contacts.allow(address, "stranger", today, STRANGER_LETTERS):
        why = "an unknown address had its stranger letter today"
        return Taken("ignored", why, sitting.commands, _unread(sitting))
    quiet, _ = enough(sitting)
    if quiet:
        return Taken("ignored", quiet, sitting.commands, _unread(sitting))
    office = sitting.house.office
    if sitting.enclosures:
        known = sitting.ledger.members[0]
        letter = answer_to_person(
            known, sitting.received, (), office=office, enclosures=sitting.enclosures[:1], address=address,
            room=room(sitting),
        )  # fmt: skip
    else:
        letter = stranger(address, sitting.received, office, day=today.isoformat())
    sitting.send(letter)
    return Taken("processed", "a stranger's mail", sitting.commands, _unread(sitting), sitting.letters)


def _missing(sitting: Sitting) -> str:
    """The name of the game that a stranger wants to join and that is not there; "" where it has not the form of one.
    Nothing else of their mail is repeated.
    """
    script = sitting.script
    named = [str(getattr(one.request, "game", "")) or one.game for one in script.said if one.verb in _WANTS_A_GAME]
    named += [word for one in script.unread if one.verb in _WANTS_A_GAME for word in one.text.split()[1:]]
    names = (word.strip("[]?#\"'.,!").lower() for word in named)
    return next((name for name in names if is_key(name) and name not in _NO_NAMES and not sitting.game(name)), "")


def _unsubscribed(sitting: Sitting, reference: str) -> Taken:
    reason = unsubscribe(sitting, reference)
    for letter in _save(sitting):
        sitting.send(letter)
    return Taken("processed", reason, letters=sitting.letters)


def _save(sitting: Sitting) -> list[Letter]:
    """Write down what was changed in games; returns the letters that this calls for."""
    house, unit, now, letters = sitting.house, sitting.unit, sitting.now, list[Letter]()
    for change in sitting.changes.values():
        house.keeper.save(unit, change, now, house.entropy, mail_id=sitting.mail.id)
        letters += post_letters(
            house, unit, change, now, mail_id=sitting.mail.id, noted=sitting.letters, members=sitting.ledger.members
        )
    return letters


def _write(sitting: Sitting) -> str:
    """Events, the letters they call for, and the receipt; returns why there is none, where there is none."""
    answers = _save(sitting)
    person = sitting.speaker.acting
    whole = [letter for letter in answers if person is not None and letter.person == person.id]
    for letter in answers:
        sitting.send(filed_under(letter, sitting.received.message_id) if letter in whole else letter)
    if whole and len(sitting.script.said) == 1 and not sitting.script.unread:
        return ""
    if asking.nothing_else(sitting):
        return ""  # the question is the answer
    quiet, notice = enough(sitting)
    if notice is not None:
        sitting.send(notice)
    if quiet:
        return quiet
    sitting.send(receipt_of(sitting), also=also_to(sitting))
    return ""


def _unread(sitting: Sitting) -> list[dict[str, Any]]:
    return [
        {"line": u.line, "text": u.text, "reason": u.sentence, "candidates": list(u.candidates)}
        for u in sitting.script.unread
    ]


def _finish(sitting: Sitting, taken: Taken) -> None:
    if taken.verdict == "held":
        return
    state = MailState.IGNORED if taken.verdict == "ignored" else MailState.PROCESSED
    verdict = msgspec.json.encode(taken.facts()).decode()
    speaker = sitting.speaker
    sitting.unit.inbox.finish(
        sitting.mail.id,
        state,
        sitting.now,
        verdict=verdict,
        reason=taken.reason or None,
        game=speaker.game or None,
        seat=speaker.seat.seat if speaker.seat else None,
        sender=speaker.address,
    )


def _log(sitting: Sitting, taken: Taken) -> None:
    """One line per mail: no body, no token, no address."""
    speaker: Speaker = sitting.speaker
    log.info(
        "mail",
        extra={
            "mail": sitting.mail.id,
            "verdict": taken.verdict,
            "reason": taken.reason,
            "game": speaker.game,
            "seat": speaker.seat.seat if speaker.seat else "",
            "commands": len(taken.commands),
            "unread": len(taken.unread),
            "letters": len(taken.letters),
        },
    )
