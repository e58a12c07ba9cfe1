"""The one answer to a mail: the receipt, to whom it goes, and when there is none."""

from __future__ import annotations

from dataclasses import replace

from judge.game.decision import Status
from judge.report.doorstep import error
from judge.report.letter import Letter
from judge.report.receipt import answer_to_person, receipt
from judge.service.limits import ANSWERS, EMPTY_ANSWERS
from judge.service.sitting import Sitting


def receipt_of(sitting: Sitting) -> Letter:
    """The receipt for a mail that was carried out."""
    person = sitting.speaker.acting
    key = next(iter(sitting.changes), "") or next((said.game for said in sitting.script.said if said.game), "")
    game = sitting.game(key or sitting.speaker.game)
    actor = sitting.actor(game)
    reader = sitting.ledger.members[person.id if person else 0]
    if game is None or not actor.seat:
        return answer_to_person(
            reader, sitting.received, sitting.answers, office=sitting.house.office, game=game,
            unread=sitting.unread(), enclosures=sitting.enclosures, address=sitting.envelope.from_address or "",
        )  # fmt: skip
    before = sitting.changes[game.key].before if game.key in sitting.changes else game
    letter = receipt(
        game, actor.seat, reader, sitting.received, sitting.answers, office=sitting.house.office, before=before,
        unread=sitting.unread(), enclosures=sitting.enclosures,
    )  # fmt: skip
    # A deputy answers to the game's address: the Gamemaster's own is not for him.
    return replace(letter, reply_as="") if actor.deputy else letter


def also_to(sitting: Sitting) -> str:
    """The receipt goes to the address of record, and to the one that the mail came from if it is the person's too."""
    speaker, person = sitting.speaker, sitting.speaker.acting
    same = person is not None and speaker.person is not None and speaker.person.id == person.id
    return speaker.address or "" if same and (speaker.proven or speaker.confirmed or speaker.password) else ""


def enough(sitting: Sitting) -> tuple[str, Letter | None]:
    """(why this mail gets no receipt, "" if it gets one; a letter that says so, once): its author had too many within
    the hour, or too many that answered nothing.
    """
    person, tally, now = sitting.speaker.acting, sitting.house.answers, sitting.now
    key = f"p{person.id}" if person else sitting.envelope.from_address or ""
    empty = all(fact["status"] == Status.IGNORED for fact in sitting.commands)
    over = tally.add(key, now) - ANSWERS
    if empty:
        over = max(over, tally.add(f"{key} empty", now) - EMPTY_ANSWERS)
    if over <= 0:
        return "", None
    quiet = "carried out, but its author had enough answers within the hour"
    if over > 1 or person is None:
        return quiet, None
    return quiet, error(
        sitting.received,
        sitting.house.office,
        member=sitting.ledger.members[person.id],
        wrong="So many mails came from you within the hour that I answer no more of them for a while.",
        mend="What asks for something is carried out all the same; send status later to see what is in force.",
        done=not empty,
    )
