"""One mail, from the inbox to its one disposition, stage by stage: `judge/service/README.md` is this file in words.

    taken = hear_mail(judge, unit, ledger, mail, raw)

Everything that a mail brings about (events, letters, its own verdict) is committed together or not at all.
"""

from __future__ import annotations

import logging
from dataclasses import replace

import msgspec

from judge.languages import speak
from judge.service.core.directory import language_code
from judge.service.core.judge import Judge
from judge.service.core.keeper import Ledger
from judge.service.hearing.act import act
from judge.service.hearing.hear import hear
from judge.service.hearing.tell import tell, write_events
from judge.service.trust.heard import Done, HeardMail, Ready, Taken
from judge.service.trust.prove import prove
from judge.service.trust.read import envelope_of, give_way, read
from judge.store import Transaction
from judge.store.rows import Mail, MailState

log = logging.getLogger("judge.mail")


def hear_mail(judge: Judge, unit: Transaction, ledger: Ledger, mail: Mail, raw: bytes) -> Taken:
    """Hear one mail inside a transaction. Raises whatever goes wrong; the worker counts the attempts."""
    found = read(judge, unit, mail, raw)
    if found is None:
        return Taken("ignored", f"a duplicate of mail {mail.first_id}")
    mail, envelope = found
    speaker = prove(judge, unit, ledger.people, mail, envelope)
    with speak(judge.language(language_code(speaker.acting) if speaker.acting is not None else "")):
        if (known := speaker.acting) is not None and known.id not in ledger.members:
            ledger.members.learn(known)
        heard = HeardMail(judge, unit, ledger, judge.clock.now(), mail, envelope, speaker)
        ready = hear(heard)
        while isinstance(ready, Ready) and ready.rest is not None:
            heard, ready = _hear_the_rest(ready.first, ready.rest)
        if isinstance(ready, Ready):
            heard = act(ready.first)
            taken = tell(heard)
        else:
            taken = ready
            for letter in write_events(heard):  # to end a subscription no line is needed
                heard.send(letter)
        _settle(heard, taken)
        return taken


def whose(judge: Judge, unit: Transaction, mail: Mail, raw: bytes) -> None:
    """Attribute a mail that could not be heard to its sender and game, as far as its envelope tells."""
    speaker = prove(judge, unit, judge.directory.open(unit), mail, envelope_of(judge, mail, raw))
    seat = speaker.seat.seat if speaker.seat else None
    unit.inbox.attribute(mail.id, game=speaker.game or None, seat=seat, sender=speaker.address)


def _hear_the_rest(first: HeardMail, rest: HeardMail) -> tuple[HeardMail, Ready | Taken]:
    """What a mail said yes to is carried out; the rest of that mail is heard upon it."""
    acted = act(first)
    tell(acted)
    for change in acted.done.changes.values():
        acted.ledger.keep(change)
    heard = replace(rest, done=Done(commands=[*acted.done.commands], letters=acted.done.letters))
    return heard, hear(heard)


def _settle(heard: HeardMail, taken: Taken) -> None:
    """Write down the verdict on a mail, and one line about it in the log: no body, no token, no address."""
    mail, ledger, speaker = heard.mail, heard.ledger, taken.speaker or heard.speaker
    seat = speaker.seat.seat if speaker.seat else None
    if taken.verdict != "held":
        heard.unit.inbox.finish(
            mail.id,
            MailState.IGNORED if taken.verdict == "ignored" else MailState.PROCESSED,
            heard.now,
            verdict=msgspec.json.encode(taken.facts()).decode(),
            reason=taken.reason or None,
            game=speaker.game or None,
            seat=seat,
            sender=speaker.address,
        )
    if taken.verdict == "ignored":
        give_way(heard)
    if taken.verdict == "processed":
        ledger.heard(mail, heard.now)
    for change in heard.done.changes.values():
        ledger.keep(change)
    log.info(
        "mail",
        extra={
            "mail": mail.id,
            "verdict": taken.verdict,
            "reason": taken.reason,
            "game": speaker.game,
            "seat": seat or "",
            "commands": len(taken.commands),
            "unread": len(taken.unread),
            "letters": len(taken.letters),
        },
    )
