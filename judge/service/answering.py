"""The one answer to a mail: the receipt, to whom it goes, and when there is none."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from judge.game.decision import Status
from judge.report.doorstep import error
from judge.report.letter import Letter
from judge.report.receipt import Place, answer_to_person, receipt
from judge.service.authority import Proof
from judge.service.limits import HOUR, Count
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
        unread=sitting.unread(), enclosures=sitting.enclosures, others=_other_places(sitting, game.key),
    )  # fmt: skip
    # A deputy answers to the game's address: the Gamemaster's own is not for him.
    return replace(letter, reply_as="") if actor.deputy else letter


def _other_places(sitting: Sitting, first: str) -> list[Place]:
    """Further games for which the mail gave orders, and in which its author plays."""
    places = []
    for key in dict.fromkeys(answer.game for answer in sitting.answers if answer.verdicts):
        game = sitting.game(key)
        seat = game.seats.get(sitting.actor(game).seat) if game is not None and key != first else None
        if game is not None and seat is not None and seat.filled:
            places.append(Place(game, seat, sitting.changes[key].before if key in sitting.changes else game))
    return places


def also_to(sitting: Sitting) -> str:
    """The receipt goes to the address of record, and to the one that the mail came from if it is the person's too."""
    speaker, person = sitting.speaker, sitting.speaker.acting
    same = person is not None and speaker.person is not None and speaker.person.id == person.id
    return speaker.address or "" if same and (speaker.proofs - {Proof.TOKEN}) else ""


QUIET = "carried out, but its author had enough answers within the hour"
"""Why a mail got no answer."""


def enough(sitting: Sitting) -> tuple[str, Letter | None]:
    """(why this mail gets no receipt, "" if it gets one; a letter that says so, once): its author had too many within
    the hour, or too many that answered nothing.
    """
    person, now = sitting.speaker.acting, sitting.now
    whom = _whom(person.id) if person else sitting.envelope.from_address or ""
    empty = _asked_nothing(sitting.commands)
    if _counted(sitting, whom, empty=empty).over <= 0:
        return "", None
    if person is None or not sitting.house.answers.say_so(whom):
        return QUIET, None
    if not sitting.unit.contacts.allow(whom, f"enough/{now:%H}", now.date(), 1):
        return QUIET, None  # another process has said it
    return QUIET, error(
        sitting.received,
        sitting.house.office,
        member=sitting.ledger.members[person.id],
        wrong="So many mails came from you within the hour that I answer no more of them for a while.",
        mend="What asks for something is carried out all the same; send status later to see what is in force.",
        done=not empty,
    )


def _counted(sitting: Sitting, whom: str, *, empty: bool) -> Count:
    """How many answers this one makes, by what this process and the others know."""
    tally, person = sitting.house.answers, sitting.speaker.acting
    if not tally.remembers:
        tally.remembers = True
        _recall(sitting, sitting.now - HOUR)
    count = tally.add(whom, sitting.mail.id, sitting.now, empty=empty)
    if person is None or not count.near:
        return count
    _recall(sitting, count.since, person=person.id)
    return tally.add(whom, sitting.mail.id, sitting.now, empty=empty)


def _recall(sitting: Sitting, since: datetime, *, person: int | None = None) -> None:
    """Count what the inbox says was answered, whoever answered it."""
    for heard in sitting.unit.inbox.heard_since(since, person=person):
        if heard.reason is None or heard.reason == QUIET:
            empty = _asked_nothing(json.loads(heard.verdict or "{}").get("commands", ()))
            sitting.house.answers.add(_whom(heard.person_id), heard.mail_id, heard.at, empty=empty)


def _whom(person: int) -> str:
    return f"p{person}"


def _asked_nothing(commands: Sequence[Mapping[str, Any]]) -> bool:
    return all(fact["status"] == Status.IGNORED for fact in commands)
