"""Who answers which request of a mail: one table, to which `@answers` adds a function by the class of its request; and
trying a request out.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from inspect import signature
from typing import Any, TypeVar

from judge.game.core.decision import Decision, Refusal
from judge.languages import tell
from judge.mail.queries import Query, Request
from judge.mail.script import ReadRequest
from judge.service.core.keeper import GameChange
from judge.service.trust.heard import Done, HeardMail

Result = Decision | Refusal

R = TypeVar("R", bound=Request)
Handler = Callable[[HeardMail, ReadRequest, R], Result]
"""(heard, what was read, its request) -> what comes of it."""

MOST_ENCLOSED = 20
"""Different questions that one mail may ask."""

_HANDLERS: dict[type[Any], Handler[Any]] = {}


def answers(handler: Handler[R]) -> Handler[R]:
    """Register a function for the class that its last parameter is annotated with, and for the classes below it.

    Raises ValueError for a class that is answered for already.
    """
    *_, request = signature(handler, eval_str=True).parameters.values()
    kind = request.annotation
    if kind in _HANDLERS:
        raise ValueError(f"{kind.__name__} is answered for twice")
    _HANDLERS[kind] = handler
    return handler


def handler_of(kind: type[Any]) -> Handler[Any]:
    """What answers requests of a class: its own handler, else that of the nearest class above it (`Command`)."""
    return next(_HANDLERS[one] for one in kind.__mro__ if one in _HANDLERS)


def handle(heard: HeardMail, said: ReadRequest) -> Result:
    """What comes of one request. A question that was asked before in this mail is answered there."""
    if isinstance(said.request, Query) and said.request.once:
        if (said.request, said.game) in heard.done.asked:
            return Decision()
        if len(heard.done.asked) >= MOST_ENCLOSED:
            return Refusal(
                "too-many",
                tell(
                    "One letter answers {most_enclosed} questions; please ask this one in another.",
                    most_enclosed=MOST_ENCLOSED,
                ),
            )
        heard.done.asked.add((said.request, said.game))
    return handler_of(type(said.request))(heard, said, said.request)


class _Undone(Exception):
    """Ends the part of a transaction that was only tried."""


def tried(heard: HeardMail, said: ReadRequest) -> tuple[Result, Done]:
    """What would come of a request, and what the mail would have done then. It is carried out in a part of the
    transaction that is undone, and nobody is told.
    """
    changes = {key: GameChange(c.before, c.after, list(c.events)) for key, c in heard.done.changes.items()}
    trial = replace(heard, done=Done(changes, pressed=heard.done.pressed))
    result: Result = Decision()
    members = dict(heard.ledger.members)
    with suppress(_Undone), heard.unit.part():
        result = handle(trial, said)
        raise _Undone
    heard.ledger.members.clear()  # whoever was enrolled, renamed or moved is so no longer
    heard.ledger.members.update(members)
    return result, trial.done
