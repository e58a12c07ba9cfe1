"""One piece of news for one reader: the material that notices are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from judge.report.core.naming import Said, Text
from judge.report.played.results import UnitsLine
from judge.report.seat.desk import ClosedDeadline, Desk
from judge.report.table.votes import ClosedVote


@dataclass(frozen=True, slots=True)
class News:
    """What one event tells one reader, the same in short for a subject, its weight among others, and orders to show."""

    said: Said
    in_short: Said | None = None
    weight: int = 0
    on_file: tuple[Text, ...] = ()


def news(key: str, weight: int, on_file: tuple[Text, ...] = (), /, **facts: Any) -> News:
    """News whose table entries are `key` and, for the subject, `key`-in-short."""
    return News(Said(key, facts), Said(f"{key}-in-short", facts), weight, on_file)


@dataclass(frozen=True, slots=True)
class NoticeView:
    """`items`: what each event tells; `subject`: the weightiest of them in short; `on_file`: orders that
    somebody else filed for the reader; `deadline_moved`: whether the desk's deadline is news."""

    subject: Said | None
    items: tuple[Said, ...]
    desk: Desk
    deadline_moved: bool = False
    on_file: tuple[Text, ...] = ()
    shift: Said | None = None
    """Where the deadline has moved: by how much, earlier or later, and what it was."""
    stands: bool = False
    """Whether the deadline that runs again is the one that ran before."""
    positions: tuple[UnitsLine, ...] = ()
    """Where the units stand, of a phase that everybody orders again; the order form follows them."""
    votes: tuple[ClosedVote, ...] = ()
    """Votes that have decided what the notice tells."""
    closes: ClosedDeadline | None = None
    """The deadline that is the reader's no more, for calendars: they have lost their seat."""
