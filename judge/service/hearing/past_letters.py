"""The letters of a game that have left for the person who asks, as they were: which, their phase, and their text."""

from __future__ import annotations

import email
import email.policy
import json
from collections.abc import Iterator, Mapping
from typing import Any

from judge.game.core.model import Game
from judge.history.phases import Timeline
from judge.report.core.letter import Kind
from judge.report.reply.bygone import PastLetter, past_letter
from judge.rules.spoken import read_phase
from judge.service.trust.sitting import Sitting
from judge.store.rows import LetterRow, LetterState

SEARCHED = 5_000
"""So many letters are looked through, the last ones."""


def letters_of(sitting: Sitting, game: Game, kind: str | None = None) -> list[LetterRow]:
    """The letters about a game that have left for the person who asks, oldest first: none that waits to be sent, or
    that was recalled before it was.
    """
    person = sitting.speaker.acting
    assert person is not None
    rows = sitting.unit.letters.list(game=game.key, kind=kind, person_id=person.id, limit=SEARCHED)
    return [
        row
        for row in rows
        if row.state not in (LetterState.WITHDRAWN, LetterState.BROKEN)
        and (row.not_before is None or row.not_before <= sitting.now)
    ]


def view_of(row: LetterRow) -> Mapping[str, Any]:
    """The facts of a letter, as they were frozen."""
    view: Mapping[str, Any] = json.loads(row.view)["view"]
    return view


def phase_of(row: LetterRow, game: Game, times: Timeline) -> str:
    """The phase that a letter belongs to: results to the one that was played, all others to the one then to come."""
    if row.kind == Kind.RESULTS and (played := read_phase(str(view_of(row)["phase"]), game.calendar)):
        return played
    return times.at(row.created_at)


def told(sitting: Sitting, game: Game, times: Timeline, row: LetterRow, found: str = "") -> PastLetter:
    """A letter as it is told again; `found`: the text around what was looked for."""
    subject, text = _printed(sitting, row)
    return past_letter(game, row.created_at, phase_of(row, game, times), subject, text, found)


def _printed(sitting: Sitting, row: LetterRow) -> tuple[str, str]:
    """Subject and text of a letter as they went out, or as they would now where its bytes are gone."""
    mime = sitting.unit.letters.mime(row.id)
    if mime is not None:
        mail = email.message_from_bytes(mime, policy=email.policy.default)
        part = mail.get_body(("plain",))
        if part is not None:
            return str(mail["Subject"]), str(part.get_content())
    sheets, _ = sitting.house.pressroom.do(
        lambda press: press.print(row.kind, view_of(row), page=False), game=row.game or ""
    )
    return sheets.subject, sheets.text


def texts_of(view: Any) -> Iterator[str]:
    """Every text of a view: names, orders, people's own words."""
    if isinstance(view, str):
        yield view
    elif isinstance(view, Mapping):
        for name, each in view.items():
            if name not in ("frame", "reply", "say", "files"):
                yield from texts_of(each)
    elif isinstance(view, list):
        for each in view:
            yield from texts_of(each)
