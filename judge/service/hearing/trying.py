"""Trying a request out: it is carried out in a part of the transaction that is undone, and nobody is told."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from judge.game.core.decision import Decision
from judge.mail.script import ReadRequest
from judge.service.core.keeper import GameChange
from judge.service.trust.handlers import Result, handle
from judge.service.trust.sitting import Sitting


class _Undone(Exception):
    """Ends the part of a transaction that was only tried."""


def tried(sitting: Sitting, said: ReadRequest) -> tuple[Result, Sitting]:
    """What would come of a request, and the sitting as it would leave it."""
    trial = replace(
        sitting,
        changes={key: GameChange(c.before, c.after, list(c.events)) for key, c in sitting.changes.items()},
        answers=[], enclosures=[], commands=[], letters=[], questions=[], asked=set(),
    )  # fmt: skip
    result: Result = Decision()
    members = dict(sitting.ledger.members)
    with suppress(_Undone), sitting.unit.part():
        result = handle(trial, said)
        raise _Undone
    sitting.ledger.members.clear()  # whoever was enrolled, renamed or moved is so no longer
    sitting.ledger.members.update(members)
    return result, trial
