"""A letter before it is composed: its kind, its reader, and its view (the facts it tells).

The transaction that changes a game stores its letters in this shape. Composing happens later, from the stored JSON
alone, so that a letter tells what was true when it was decided on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum, StrEnum
from types import NoneType
from typing import Any

import msgspec

from judge.report.core.naming import Said

Json = Any
"""Plain JSON: dicts, lists, strings, numbers, booleans, None."""


class Kind(StrEnum):
    """Kinds of letters; `templates/` holds a folder for each, and one for each kind of answer to a question."""

    CREATED = "created"
    WELCOME = "welcome"
    STARTED = "started"
    TAKEOVER = "takeover"
    VACANCY = "vacancy"
    INVITATION = "invitation"
    RESULTS = "results"
    RECEIPT = "receipt"
    REMINDER = "reminder"
    LATE = "late"
    NOTICE = "notice"
    PRESS = "press"
    VOTE = "vote"
    ENDED = "ended"
    ERROR = "error"
    STRANGER = "stranger"
    CONFIRM = "confirm"
    HELD = "held"
    AWAITED = "awaited"
    CORRECTED = "corrected"
    APPEAL = "appeal"
    ALERT = "alert"
    PRACTICE = "practice"
    SANDBOX = "sandbox"
    SHOWN = "shown"
    TOURNAMENT = "tournament"
    STATEMENTS = "statements"
    DIGEST = "digest"
    DOSSIER = "dossier"
    ARCHIVE = "archive"


class Thread(StrEnum):
    """Under what a letter is filed in the reader's mailbox."""

    GAME = "game"
    """The one thread of the game: results, notices, reminders, votes."""
    MAIL = "mail"
    """Under the reader's own mail, which it answers."""
    ALONE = "alone"
    """Nothing to hang on: press, and answers to mails without a Message-ID."""


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter to one reader.

    `person` is 0 for somebody we know only by `address`; otherwise the person's address of record is looked up when
    the letter is sent. `reply_as` is the seat whose token address goes into Reply-To ("": the judge's own address).
    `parent` is the Message-ID of the mail answered (Thread.MAIL); `topic` names a thread other than the game's.
    `idem_key` says what the letter is: a second letter with the same key is the same letter. `answers`: it says all
    that a receipt for the mail that caused it would say.
    """

    kind: str
    idem_key: str
    view: Mapping[str, Json]
    game: str = ""
    seat: str = ""
    person: int = 0
    address: str = ""
    reply_as: str = ""
    thread: Thread = Thread.GAME
    parent: str = ""
    topic: str = ""
    answers: bool = False
    veil: timedelta = timedelta()
    """How long at most it waits so that its moment tells nothing about its author, who is hidden; 0: nobody is."""
    wait: timedelta = timedelta()
    """How long it stays here, so that it can be recalled."""

    def frozen(self) -> str:
        """What the outbox keeps: the view and where to file it, as JSON text."""
        kept = {
            "view": self.view,
            "reply_as": self.reply_as,
            "thread": self.thread.value,
            "parent": self.parent,
            "topic": self.topic or self.game,
        }
        return msgspec.json.encode(kept).decode()


def frozen(letters: Iterable[Letter]) -> list[str]:
    """What the outbox keeps of several letters, in their order."""
    return [letter.frozen() for letter in letters]


@dataclass(frozen=True, slots=True)
class Reply:
    """What an answer to a letter may refer to; stored with the view for whoever reads the answer.

    `turn`: code of the phase that the letter calls orders for, `version` of the results it stands on; `form`: the
    lines of its order form; `choices`: the lines that its numbers stand for, the first being number 1; `yes`: the line
    that a plain yes stands for.
    """

    turn: str = ""
    version: int = 0
    form: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    yes: str = ""


@dataclass(frozen=True, slots=True)
class Plain:
    """Facts that are plain JSON already, shared by several letters."""

    json: Json


def plain(value: Any) -> Json:
    """A view as plain JSON: the one codec of this room. Dataclasses become objects, tuples lists, moments ISO UTC,
    spans of time seconds; a fact to be put into words holds its key under "say".

    >>> plain({"kind": Kind.RECEIPT, "lines": ("a", "b")})
    {'kind': 'receipt', 'lines': ['a', 'b']}
    """
    kind = type(value)
    if kind is Plain:
        return value.json
    if kind is Said:
        return _each_plain({"say": value.key, **value.facts})
    if kind in _SCALARS:
        return value
    if kind is tuple or kind is list:
        return [item if type(item) in _SCALARS else plain(item) for item in value]
    if (names := _FIELDS.get(kind)) is None and is_dataclass(kind):
        names = _FIELDS[kind] = tuple(field.name for field in fields(kind))
    if names is not None:
        return _each_plain({name: getattr(value, name) for name in names})
    return _rarer(value)


def _each_plain(facts: dict[str, Any]) -> dict[str, Json]:
    for name, fact in facts.items():
        if type(fact) not in _SCALARS:
            facts[name] = [] if fact is _NOTHING else plain(fact)
    return facts


_NOTHING: tuple[()] = ()
"""There is one empty tuple, and it is what most lists of a view are."""


_SCALARS = frozenset({str, int, bool, NoneType})
"""What is plain JSON as it is: most of every view, so it is passed over where it stands."""

_FIELDS: dict[type, tuple[str, ...]] = {}
"""The fields of every class of view met so far."""


def _rarer(value: Any) -> Json:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, timedelta):
        return int(value.total_seconds())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, frozenset, set)):
        items = sorted(value) if isinstance(value, (set, frozenset)) else value
        return [plain(item) for item in items]
    return value
