"""One piece of news for one reader: the material that notices are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from judge.report.facts import Said, Text


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
