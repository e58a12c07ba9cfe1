"""One piece of news for one reader: the material that notices are made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class News:
    """One event's sentence for one reader, a subject for it, its weight among others, and orders to show."""

    sentence: str
    subject: str
    weight: int
    on_file: tuple[str, ...] = ()


def because(reason: str) -> str:
    """The reason that somebody gave, as a sentence of its own; "" without one."""
    return f' Reason: "{reason.strip()}"' if reason.strip() else ""


def sentence_start(text: str) -> str:
    """The text with a capital first."""
    return text[:1].upper() + text[1:]
