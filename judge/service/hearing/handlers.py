"""Who answers which request of a mail: one table, to which every module here adds its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from judge.game.core.decision import Decision
from judge.game.core.refusal import Refusal
from judge.mail.queries import Query
from judge.mail.script import ReadRequest
from judge.service.trust.sitting import Handlers, Sitting

Result = Decision | Refusal

MOST_ENCLOSED = 20
"""Different questions that one mail may ask."""


_HANDLERS: dict[type[Any], Callable[[Sitting, ReadRequest], Result]] = {}


def register(handlers: Handlers) -> None:
    """Add handlers by class of request, `object` for every other one; raises ValueError for one that is there."""
    for kind, handler in handlers.items():
        if kind in _HANDLERS:
            raise ValueError(f"{kind.__name__} is answered for twice")
        _HANDLERS[kind] = handler


def handle(sitting: Sitting, said: ReadRequest) -> Result:
    """What comes of one request. A question that was asked before in this mail is answered there."""
    if isinstance(said.request, Query) and said.request.once:
        if (said.request, said.game) in sitting.asked:
            return Decision()
        if len(sitting.asked) >= MOST_ENCLOSED:
            return Refusal("too-many", f"One letter answers {MOST_ENCLOSED} questions; please ask this one in another.")
        sitting.asked.add((said.request, said.game))
    return (_HANDLERS.get(type(said.request)) or _HANDLERS[object])(sitting, said)
