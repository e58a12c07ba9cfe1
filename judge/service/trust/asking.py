"""Asking once: a command of the game wants its author's yes first (`judge.game.core.decision.Question`).

The other lines of the mail are carried out. The questions of one mail go into one letter; a yes to it carries out the
lines that were asked about, with `Actor.agreed` saying what the yes was about. It proves its author beyond doubt.
"""

from __future__ import annotations

from dataclasses import replace

from judge.game.core.commands import Command, Leave, Process, SendPress
from judge.game.core.decision import Decision, Question
from judge.languages import tell
from judge.report.core import times
from judge.report.reply.unproved import WaitsFor, held
from judge.service.posting.outgoing import CONFIRM
from judge.service.trust import errands
from judge.service.trust.authority import ActKind, Proof
from judge.service.trust.errands import Errand
from judge.service.trust.heard import HELD_FOR, Consent, Done, HeardMail
from judge.service.trust.prove import prove
from judge.service.trust.read import envelope_of
from judge.service.trust.reading import read_requests

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
    key = errands.keep(
        heard, ASKED, person.id, HELD_FOR,
        mail=heard.consent.first_mail or heard.mail.id, lines=lines, about=about, game=game.key if game else "",
    )  # fmt: skip
    reader = heard.ledger.members[person.id]
    zone = reader.zone or (game.settings.zone if game else heard.house.config.zone)
    letter = held(
        reader,
        heard.received,
        heard.house.office,
        what=" and ".join(dict.fromkeys(said.named for said, _ in heard.done.questions)),
        sender=heard.envelope.from_address or "",
        when=times.received(heard.mail.arrived_at, zone),
        lapses=times.short(heard.now + HELD_FOR, zone),
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
        errands.keep(heard, FORESEEN, 0, HELD_FOR, key=key, about=about, more=more)
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
    errand = errands.find(heard.unit, key) if key else None
    if errand is None:
        return heard
    lent = frozenset(Proof(one) for one in errand.facts.get("lent", ()))
    consent = replace(heard.consent, agreed=tuple(errand.facts["about"]))
    return replace(heard, speaker=replace(heard.speaker, lent=lent), consent=consent)


def agreed(heard: HeardMail, errand: Errand) -> HeardMail | None:
    """The yes came: the mail that asked, with nothing left in it but what was asked about, and the yes with it.

    None if its bytes are kept no longer.
    """
    house, unit, number = heard.house, heard.unit, int(errand.facts["mail"])
    raw = unit.inbox.raw(number)
    if raw is None:
        return None
    mail = unit.inbox.get(number)
    envelope = envelope_of(house, mail, raw)
    confirmed = replace(mail, confirmed_at=heard.now)
    known = heard.ledger.people
    speaker = prove(house, unit, known, confirmed, envelope)
    asked = HeardMail(
        house, unit, heard.ledger, heard.now, heard.mail, envelope, speaker,
        consent=Consent(agreed=tuple(errand.facts["about"]), first_mail=number),
        done=Done(changes=heard.done.changes, letters=heard.done.letters),
    )  # fmt: skip
    asked = read_requests(asked)
    wanted = [tuple(lines) for lines in errand.facts["lines"]]
    said = tuple(said for said in asked.script.said if said.lines in wanted)
    return replace(asked, script=replace(asked.script, said=said, unread=(), ignored=()))
