"""The stage `hear`: what a mail asks for, and whether its proofs suffice; or what becomes of one that asks for nothing:
to the operator, from a machine, a reply with one word, from no single sender, unsafe to read.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from judge.languages import speak, tell
from judge.mail.noise import NULL_SENDER, Blame, Noise
from judge.mail.tokens import Purpose
from judge.report.reply.unproved import alert, error
from judge.service.core.directory import topic_of
from judge.service.core.persons import name_by_header
from judge.service.hearing.invited import unsubscribed
from judge.service.people.participants import step_down
from judge.service.posting.bounces import SUSPENDED, came_back
from judge.service.posting.operator import LONGEST_QUOTE, tell_operator, to_operator_alone
from judge.service.posting.outgoing import invitation_of, letters_of, subscription_of
from judge.service.trust import consent
from judge.service.trust.addresses import check_password
from judge.service.trust.heard import HeardMail, Ready, Taken, reader_of
from judge.service.trust.reading import read_requests
from judge.service.trust.replies import reply
from judge.store import NoSuchRow
from judge.store.rows import Delivery

log = logging.getLogger("judge.bounce")

NAMELESS_LETTERS = 4
"""Letters in a day about mails to a person's own reply addresses that do not say who wrote them."""


def hear(heard: HeardMail) -> Ready | Taken:
    """What is to be carried out of a mail, or what becomes of it where nothing is."""
    envelope, tokens = heard.envelope, heard.speaker.tokens
    if to_operator_alone(heard.judge.config, heard.mail, envelope):
        return _forward(heard)
    for place, token in enumerate(tokens):
        if token.purpose is Purpose.UNSUBSCRIBE and envelope.noise.kind is not Noise.BOUNCE:
            return heard.taken("processed", _ended(heard, token.reference))
        if token.purpose is Purpose.CONFIRM and not envelope.noise.is_noise:
            _alive(heard)
            answered = reply(heard, token.reference)
            if isinstance(answered, Ready) and (rest := answered.rest) is not None:  # it may answer more letters
                left = replace(rest.speaker, tokens=tokens[place + 1 :])
                return replace(answered, rest=replace(rest, speaker=left))
            if not isinstance(answered, HeardMail):
                return answered
            heard = answered
        if token.purpose is Purpose.BOUNCE and not envelope.noise.is_noise:
            return heard.taken("ignored", "to the return address of a letter, where programs write and nobody else")
    return _hear_requests(heard)


def _hear_requests(heard: HeardMail) -> Ready | Taken:
    """The same of a mail that answers no question of ours, or asks for more than that."""
    envelope = heard.envelope
    if envelope.from_address is None and envelope.noise.reason == NULL_SENDER:
        return _nameless(heard)  # a program would have said who it is
    if envelope.noise.is_noise:
        _note_bounce(heard)
        return heard.taken("ignored", f"{envelope.noise.kind}: {envelope.noise.reason}")
    if envelope.from_address is None:
        return _nameless(heard)
    if heard.speaker.person is None:
        heard.unit.contacts.heard(envelope.from_address, heard.now)
    _alive(heard)
    heard = _called_by_header(heard)
    if _is_forged_stranger(heard):
        why = f"a stranger, and not from there as our server says: {envelope.auth_reason}"
        return heard.taken("ignored", why)
    if envelope.unsafe:
        return _unreadable(heard)
    heard = read_requests(heard)
    if heard.letter.kind and (reader := reader_of(heard.letter.kind)) is not None:
        found = reader(heard)
        if isinstance(found, Taken):
            return found
        heard = found
    if heard.script.secrets:
        heard = check_password(heard)
    if heard.mail.confirmed_at is not None:
        heard = consent.foreseen(heard)
    if (held := consent.needed(heard)) is not None:
        return held
    stranger = heard.speaker.acting is None and not heard.mail.confirmed_at and not consent.comes_in(heard)
    return Ready(replace(heard, stranger=True) if stranger else heard)


def _called_by_header(heard: HeardMail) -> HeardMail:
    """The mail, whose author is called as it says if they never chose a name, once it is proved to be theirs."""
    person = heard.speaker.person
    if person is None or not heard.speaker.proved or heard.envelope.auth == "fail":
        return heard
    named = name_by_header(heard.unit, person, heard.envelope.from_name)
    if named is person:
        return heard
    heard.ledger.members.learn(named)
    holder = named if heard.speaker.holder == person else heard.speaker.holder
    return replace(heard, speaker=replace(heard.speaker, person=named, holder=holder))


# --- mails of which no line is carried out --------------------------------------------------------------------------


def _forward(heard: HeardMail) -> Taken:
    """A mail to postmaster@ or abuse@ and to no address of ours beside: passed on to the operator, never answered."""
    judge, envelope = heard.judge, heard.envelope
    noise = envelope.noise
    if noise.is_noise and noise.kind is not Noise.COMPLAINT:
        return heard.taken("ignored", f"to the operator, but {noise.kind}: {noise.reason}")
    lines = [line.text for line in envelope.text_lines][:LONGEST_QUOTE]
    told = tell_operator(
        judge, heard.unit, f"mail/{heard.mail.id}",
        subject=f"mail to the operator: {envelope.subject or '(no subject)'}",
        items=(
            f"Mail number {heard.mail.id} came to postmaster@ or abuse@ of this judge, from "
            f"{envelope.from_address or 'an unreadable address'}. I have not answered it.",
        ),
        quoted=lines,
    )  # fmt: skip
    why = "passed on to the operator" if told else "for the operator, who is not to be reached or had enough today"
    return heard.taken("ignored", why)


def _ended(heard: HeardMail, reference: str) -> str:
    """End the subscription that the address in List-Unsubscribe names, or all invitations; returns what was done, for
    the log. Asking twice is no mistake.
    """
    unit, secret = heard.unit, heard.judge.store.secret
    if (errand := invitation_of(unit, reference)) is not None:
        return unsubscribed(heard, errand)
    person = int(reference[:8], 16)
    try:
        unit.people.get(person)
    except NoSuchRow:
        return "a subscription of nobody"
    ended = [row.topic for row in subscription_of(unit, reference, secret)]
    for topic in ended:
        unit.lists.unsubscribe(person, topic)
        if (game := heard.game(topic.removeprefix(topic_of("")))) is not None:
            step_down(heard, game, person)
    if not ended:
        return "a subscription that had ended"
    reader = heard.ledger.members[person]
    with speak(heard.judge.language(reader.language)):  # a link was pressed: nobody has written
        letter = alert(
            reader, heard.judge.office, key=f"judge/mail/{heard.mail.id}/unsubscribed",
            subject=tell("your subscription has ended"),
            items=(tell("You get no more {letters_of}, because you asked for that.", letters_of=letters_of(ended[0])),),
        )  # fmt: skip
    heard.send(letter)
    return "a subscription is ended"


def _nameless(heard: HeardMail) -> Taken:
    """No From line that names one sender: nothing is carried out. Where the mail went to the live address of a seat,
    whoever sits there is told, at their address of record; else nobody knows whom to answer.
    """
    holder, why = heard.speaker.holder, f"no single sender: {heard.envelope.from_problem}"
    if holder is None:
        return heard.taken("ignored", why)
    if not heard.unit.contacts.allow(f"person:{holder.id}", "nameless", heard.now.date(), NAMELESS_LETTERS):
        return heard.taken("ignored", f"{why}; its supposed author was told often enough today")
    reader = heard.ledger.members[holder.id]
    with speak(heard.judge.language(reader.language)):  # whoever wrote may be somebody else
        heard.send(
            error(
                heard.received,
                heard.judge.office,
                wrong=tell(
                    "A mail came to the address to which you answer my letters, and its From line does "
                    "not say who wrote it ({from_problem}). So nothing in it was carried out.",
                    from_problem=tell(heard.envelope.from_problem or ""),
                ),
                mend=tell("If it is yours, send it again with your own address alone in From."),
                member=reader,
            ),
        )
    return heard.taken("processed", why)


def _is_forged_stranger(heard: HeardMail) -> bool:
    """Whether somebody unknown did not write this mail, as our server says, nor got a letter that they could answer:
    whoever is named as its author is not to hear of it.
    """
    speaker = heard.speaker
    unknown = speaker.person is None and speaker.holder is None and heard.mail.confirmed_at is None
    return unknown and heard.envelope.auth == "fail"


def _unreadable(heard: HeardMail) -> Taken:
    """A limit against hostile mail was met: nothing in it is carried out. Whoever is proved is told so, nobody else."""
    why = ", ".join(heard.envelope.defects)
    if heard.speaker.person is None or not heard.speaker.proved:
        return heard.taken("ignored", f"unsafe: {why}")
    heard.send(
        error(
            heard.received,
            heard.judge.office,
            wrong=tell("Your mail has a form that I cannot read, so nothing in it was carried out."),
            mend=tell("Send it again as plain text, without attachments."),
            member=heard.ledger.members[heard.speaker.person.id],
        ),
    )
    return heard.taken("processed", f"unsafe: {why}")


# --- what a mail says of an address of record: a letter of ours came back, or somebody writes from there again ----


def _note_bounce(heard: HeardMail) -> None:
    """Count a bounce against the address whose letter came back; other noise counts nothing."""
    finding = heard.envelope.noise
    if finding.kind is not Noise.BOUNCE:
        return
    delivery = _returned(heard)
    if delivery is None:
        log.info("bounce of nothing we sent", extra={"mail": heard.mail.id})
        return
    fault = min((failure.blame for failure in finding.failures), key=list(Blame).index)
    text = "; ".join(failure.diagnostic or failure.status for failure in finding.failures)[:200]
    if fault is not Blame.PASSING:
        heard.unit.outbox.bounced(delivery.id, heard.now, text=text)
    came_back(heard.judge, heard.unit, delivery, fault=fault, text=text)


def _alive(heard: HeardMail) -> None:
    """A person's own mail from an address proves that it lives: its counts begin again, what waited for it may go."""
    address, person = heard.speaker.address, heard.speaker.person
    if person is None or address is None:
        return
    row = next((row for row in heard.ledger.members.addresses(person.id) if row.address == address), None)
    if row is None or not (row.bounce_soft or row.bounce_hard or row.suspended_at):
        return
    heard.unit.people.delivered(row.address)
    heard.unit.outbox.unshelve(row.address, heard.now, text=SUSPENDED)
    heard.ledger.members.forget(person.id)


def _returned(heard: HeardMail) -> Delivery | None:
    """The delivery that a bounce speaks of."""
    unit = heard.unit
    for token in heard.speaker.tokens:
        if token.purpose is Purpose.BOUNCE:
            try:
                return unit.outbox.get(int(token.reference, 16))
            except NoSuchRow:
                continue
    about = heard.envelope.noise.about
    letter = unit.letters.by_message_id(about) if about else None
    if letter is None:
        return None
    failed = {failure.recipient.lower() for failure in heard.envelope.noise.failures}
    copies = unit.outbox.of_letter(letter.id)
    return next((copy for copy in copies if copy.address.lower() in failed), None)
