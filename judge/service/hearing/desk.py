"""Hears one mail, from the inbox to its disposition, in one transaction.

    taken = hear_mail(house, unit, ledger, mail, raw)

Everything that a mail brings about (events, letters, its own verdict) is committed together or not at all.
"""

from __future__ import annotations

import logging
from dataclasses import replace

import msgspec

from judge.mail.envelope import Envelope
from judge.mail.noise import NULL_SENDER, Noise
from judge.mail.tokens import Purpose
from judge.report.core.letter import Letter
from judge.report.mailing import filed_under
from judge.service.core.envelopes import envelope_of
from judge.service.core.house import House
from judge.service.core.keeper import Ledger
from judge.service.hearing.answering import also_to, enough, receipt_of, with_last_word
from judge.service.hearing.doorstep import is_forged_stranger, nameless, stranger_heard, unreadable
from judge.service.hearing.invited import news_answered, no_more_boards
from judge.service.hearing.offering import weigh_offers
from judge.service.hearing.persons import called_by_header
from judge.service.hearing.postmaster import for_operator, forward
from judge.service.hearing.remarks import remarks
from judge.service.hearing.requests import perform_all
from judge.service.hearing.returned import alive, note_bounce
from judge.service.hearing.unsubscribing import unsubscribe
from judge.service.people.dossiers import forget
from judge.service.posting.mailbag import post_letters
from judge.service.trust import asking, confirmed, consent, replies
from judge.service.trust.addresses import check_password
from judge.service.trust.reading import lines_noted, read_requests
from judge.service.trust.sitting import Sitting, Taken
from judge.service.trust.speaker import Speaker, hear, tokens_of
from judge.store import Transaction
from judge.store.rows import Mail, MailState

log = logging.getLogger("judge.mail")


def hear_mail(house: House, unit: Transaction, ledger: Ledger, mail: Mail, raw: bytes) -> Taken:
    """Hear one mail inside a transaction. Raises whatever goes wrong; the worker counts the attempts."""
    envelope = envelope_of(house, mail, raw)
    if mail.first_id is not None:
        better = confirmed.take_place(house, unit, mail, envelope)
        if better is None:
            return Taken("ignored", f"a duplicate of mail {mail.first_id}")
        mail = better
    sitting = _sit(house, unit, ledger, mail, envelope)
    taken = _hear(sitting)
    _finish(sitting, taken)
    if taken.verdict == "ignored":
        confirmed.give_way(sitting)
    if taken.verdict == "processed":
        ledger.heard(mail, sitting.now)
    for change in sitting.changes.values():
        ledger.keep(change)
    _log(sitting, taken)
    return taken


def whose(house: House, unit: Transaction, mail: Mail, raw: bytes) -> None:
    """Attribute a mail that could not be heard to its sender and game, as far as its envelope tells."""
    envelope = envelope_of(house, mail, raw)
    people = house.directory.open(unit)
    speaker = hear(house, unit, people, mail, envelope)
    seat = speaker.seat.seat if speaker.seat else None
    unit.inbox.attribute(mail.id, game=speaker.game or None, seat=seat, sender=speaker.address)


def _sit(house: House, unit: Transaction, ledger: Ledger, mail: Mail, envelope: Envelope) -> Sitting:
    speaker = hear(house, unit, ledger.people, mail, envelope)
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
            if isinstance(heard, Taken):
                return heard
            if heard is not None and not sitting.word_taken:
                return _answer(heard)
            if heard is not None:
                _answer(heard)
                _goes_on(sitting, heard)
        if token.purpose is Purpose.BOUNCE and not envelope.noise.is_noise:
            return Taken("ignored", "to the return address of a letter, where programs write and nobody else")
    if envelope.from_address is None and envelope.noise.reason == NULL_SENDER:
        return nameless(sitting)  # a program would have said who it is
    if envelope.noise.is_noise:
        note_bounce(sitting)
        return Taken("ignored", f"{envelope.noise.kind}: {envelope.noise.reason}")
    if envelope.from_address is None:
        return nameless(sitting)
    if sitting.speaker.person is None:
        unit.contacts.heard(envelope.from_address, sitting.now)
    alive(sitting)
    called_by_header(sitting)
    if is_forged_stranger(sitting):
        return Taken("ignored", f"a stranger, and not from there as our server says: {envelope.auth_reason}")
    if envelope.unsafe:
        return unreadable(sitting)
    read_requests(sitting)
    news_answered(sitting)
    if (done := no_more_boards(sitting)) is not None:
        return done
    check_password(sitting)
    asking.foreseen(sitting)
    if (held := consent.needed(sitting)) is not None:
        return held
    if sitting.speaker.acting is None and not sitting.mail.confirmed_at and not consent.comes_in(sitting):
        return stranger_heard(sitting)
    return _answer(sitting)


def _goes_on(sitting: Sitting, first: Sitting) -> None:
    """What a mail said yes to is written down; the rest of that mail is heard upon it."""
    for change in first.changes.values():
        sitting.ledger.keep(change)
    sitting.changes, sitting.commands = {}, [*first.commands]


def _answer(sitting: Sitting) -> Taken:
    """Carry out every request in the order of the mail, then write one answer."""
    confirmed.settle_order(sitting)
    perform_all(sitting)
    on_time = confirmed.count_on_time(sitting)
    sitting.remarks = f"{on_time} {remarks(sitting)}".strip()
    weigh_offers(sitting)
    reason = _write(sitting)
    asking.ask(sitting)
    if sitting.forgotten:
        forget(sitting.house, sitting.unit, sitting.forgotten, sitting.now)
    return Taken("processed", reason, sitting.commands, *lines_noted(sitting), sitting.letters)


def _unsubscribed(sitting: Sitting, reference: str) -> Taken:
    reason = unsubscribe(sitting, reference)
    for letter in _save(sitting):
        sitting.send(letter)
    return Taken("processed", reason, letters=sitting.letters)


def _save(sitting: Sitting) -> list[Letter]:
    """Write down what was changed in games; returns the letters that this calls for."""
    house, unit, now, letters = sitting.house, sitting.unit, sitting.now, list[Letter]()
    writer = sitting.speaker.acting.id if sitting.speaker.acting is not None else 0
    for change in sitting.changes.values():
        house.keeper.save(unit, change, now, house.entropy, mail_id=sitting.mail.id)
        letters += post_letters(
            house, unit, change, now, mail_id=sitting.mail.id, noted=sitting.letters, members=sitting.ledger.members,
            writer=writer,
        )  # fmt: skip
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
    letter = with_last_word(sitting, receipt_of(sitting))
    if sitting.first_mail:  # what else stands beside the yes is answered, too
        letter = replace(letter, idem_key=f"{letter.idem_key}/{sitting.first_mail}")
    sitting.send(letter, also=also_to(sitting))
    return ""


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
