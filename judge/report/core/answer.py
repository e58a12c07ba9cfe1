"""What the service hands over for a receipt: the mail that came, and one answer for each command in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.game.core.commands import Decision, Refusal, Status, Verdict

BY_PROXY = "orders by proxy"
"""The verb of orders for units of another player: they say nothing about how their author stands with their own."""

ORDERING = ("orders", "clear", "undo", "drop line")
"""Verbs after which the receipt says how the orders stand."""


@dataclass(frozen=True, slots=True)
class Received:
    """The mail that is answered, and what proves it.

    `id`: the judge's own number for it; `message_id`: its Message-ID with brackets, "" if it had none; `at`: when it
    arrived at our site; `sha256`: of the bytes received, in hex; `subject`: decoded; `mistrusted`: "" or a sentence
    that the reader must see first ("This came from an address that is not on file.").
    """

    id: str
    at: datetime
    sha256: str
    message_id: str = ""
    subject: str = ""
    mistrusted: str = ""
    unfilled: bool = False
    """Whether it brought nothing but our order form, as it was sent."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """The answer to a question (help, list, status, history) as a view; it travels inside the receipt."""

    kind: str
    """Of its template: a folder."""
    view: Mapping[str, Any]
    game: str = ""
    """The game that it is about, "" for none."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One command of the mail and what became of it.

    `line`: its line number (0: from the subject); `text`: as written, secrets redacted; `sentence`: finished
    English; `mend`: the line to send instead; `verdicts`: for orders, one for each line of orders; `game`: for which.
    """

    line: int
    text: str
    status: Status
    sentence: str = ""
    mend: str = ""
    clause: str = ""
    verb: str = ""
    slug: str = ""
    verdicts: tuple[Verdict, ...] = ()
    game: str = ""
    enclosed: bool = False
    """Whether it was a question that an enclosure answers, unless it was refused."""
    about: str = ""
    """The name of what it is about, where the subject must say it."""

    @property
    def orders_own(self) -> bool:
        """Whether it was about orders for the author's own units, so that their receipt says how they stand."""
        return self.verb != BY_PROXY and (bool(self.verdicts) or self.verb in ORDERING)

    @classmethod
    def of(
        cls, result: Decision | Refusal, *, line: int, text: str, verb: str = "", game: str = "", enclosed: bool = False
    ) -> Answer:
        """The answer that a decision or a refusal comes to."""
        if isinstance(result, Refusal):
            said, mend, clause, slug = result.sentence, result.mend, result.clause, result.slug
            return cls(line, text, Status.REFUSED, said, mend, clause, verb, slug, game=game, enclosed=enclosed)
        verdicts = result.verdicts
        return cls(line, text, Status.TAKEN, result.said, verb=verb, verdicts=verdicts, game=game, enclosed=enclosed)
