"""Asking once: a command of the game wants its author's yes first (`judge.game.core.decision.Question`).

The other lines of the mail are carried out. The questions of one mail go into one letter; a yes to it carries out the
lines that were asked about, with `Actor.agreed` saying what the yes was about. It proves its author beyond doubt.
"""

from __future__ import annotations

from dataclasses import replace

from judge.game.core.commands import Command, Leave, Process, SendPress
from judge.game.core.decision import Decision, Question
from judge.mail.script import ReadRequest
from judge.report.core import times
from judge.report.reply.doorstep import WaitsFor, held
from judge.service.core.envelopes import envelope_of
from judge.service.posting.mailbag import CONFIRM
from judge.service.trust import errands
from judge.service.trust.authority import Act, Proof
from judge.service.trust.errands import Errand
from judge.service.trust.reading import read_requests
from judge.service.trust.sitting import HELD_FOR, Sitting
from judge.service.trust.speaker import hear

ASKED = "asked"
"""The errand of a question: the mail, and the lines in it that wait for a yes."""

FORESEEN = "foreseen"
"""What the yes to a held mail says yes to, beside the mail: kept under the same token."""

ASKING = (Leave, Process, SendPress)
"""Commands that may answer with a question."""


def note(sitting: Sitting, said: ReadRequest, question: Question) -> None:
    """This line waits for a yes; the letter is written once the mail is carried out."""
    sitting.questions.append((said, question))


def nothing_else(sitting: Sitting) -> bool:
    """Whether the mail held nothing but what is asked about, so that the question is the one answer to it."""
    return bool(sitting.questions) and len(sitting.questions) == len(sitting.script.said) and not sitting.script.unread


def ask(sitting: Sitting) -> None:
    """One letter with every question of the mail."""
    person = sitting.speaker.acting
    if not sitting.questions or person is None:
        return
    lines = [list(said.lines) for said, _ in sitting.questions]
    about = [question.about for _, question in sitting.questions]
    game = sitting.game(next((said.game for said, _ in sitting.questions if said.game), ""))
    key = errands.keep(
        sitting, ASKED, person.id, HELD_FOR,
        mail=sitting.asked_in, lines=lines, about=about, game=game.key if game else "",
    )  # fmt: skip
    reader = sitting.ledger.members[person.id]
    zone = reader.zone or (game.settings.zone if game else sitting.house.config.zone)
    letter = held(
        reader,
        sitting.received,
        sitting.house.office,
        what=" and ".join(dict.fromkeys(said.verb for said, _ in sitting.questions)),
        sender=sitting.envelope.from_address or "",
        when=times.received(sitting.mail.arrived_at, zone),
        lapses=times.short(sitting.now + HELD_FOR, zone),
        reply_as=CONFIRM + key,
        game=game.key if game else "",
        questions=tuple(question.sentence for _, question in sitting.questions),
        why=WaitsFor.ASKED,
    )
    sitting.send(letter)


def foresee(sitting: Sitting, key: str, *, more: bool) -> tuple[str, ...]:
    """What would be asked of the author of a mail that is held for their yes anyway: the letter says it, and the yes
    (`key` is its token's reference) is about it, too. `more`: the yes must bring a proof of its own.
    """
    trial = replace(sitting, speaker=replace(sitting.speaker, confirmed=True))
    found = [
        replace(result, sentence=sitting.spelled(result.sentence, game))
        for said in sitting.script.said
        if isinstance(said.request, ASKING) and (game := sitting.game(said.game)) is not None
        if isinstance(result := trial.would(game, said.request), Question)
    ]
    if found or more:
        about = [question.about for question in found]
        errands.keep(sitting, FORESEEN, 0, HELD_FOR, key=key, about=about, more=more)
    return tuple(question.sentence for question in found)


def consequences(sitting: Sitting) -> tuple[str, ...]:
    """What the grave acts of a mail would do, as the game would say it once they are done: for the letter that asks
    for a second proof of them.
    """
    trial = replace(sitting, speaker=replace(sitting.speaker, confirmed=True))
    found = [
        f"With your yes: {sitting.spelled(result.said, game)}"
        for said, act in sitting.acts()
        if act is Act.GRAVE and isinstance(said.request, Command) and (game := sitting.game(said.game)) is not None
        if isinstance(result := trial.would(game, said.request), Decision) and result.said
    ]
    return tuple(found)


def foreseen(sitting: Sitting) -> None:
    """Remember what the yes to a held mail was about beside the mail itself, and the proofs that came with it."""
    key = sitting.mail.confirm_key if sitting.mail.confirmed_at is not None else None
    errand = errands.find(sitting.unit, key) if key else None
    if errand is not None:
        sitting.agreed = tuple(errand.facts["about"])
        lent = frozenset(Proof(one) for one in errand.facts.get("lent", ()))
        sitting.speaker = replace(sitting.speaker, lent=lent)


def agreed(sitting: Sitting, errand: Errand) -> Sitting | None:
    """The yes came: the mail that asked, with nothing left in it but what was asked about, and the yes with it.

    None if its bytes are kept no longer.
    """
    house, unit, number = sitting.house, sitting.unit, int(errand.facts["mail"])
    raw = unit.inbox.raw(number)
    if raw is None:
        return None
    mail = unit.inbox.get(number)
    envelope = envelope_of(house, mail, raw)
    confirmed = replace(mail, confirmed_at=sitting.now)
    known = sitting.ledger.people
    speaker = hear(house, unit, known, confirmed, envelope)
    again = Sitting(
        house, unit, sitting.ledger, sitting.mail, envelope, speaker, sitting.now, changes=sitting.changes,
        letters=sitting.letters, agreed=tuple(errand.facts["about"]), first_mail=number,
    )  # fmt: skip
    read_requests(again)
    wanted = [tuple(lines) for lines in errand.facts["lines"]]
    again.script = replace(
        again.script, said=tuple(said for said in again.script.said if said.lines in wanted), unread=(), ignored=()
    )
    sitting.speaker = speaker
    return again
