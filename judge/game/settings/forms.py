"""What a setting is: its name, what it decides, and how its value is read and shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from judge.game.settings.values import flag, pace_or_same, show_flag, show_pace, span_or_never
from judge.pace import Pace
from judge.spans import read_span, read_span_or_none, show_span


class ValueForm(NamedTuple):
    """How a value is written. `read` raises ValueError with a sentence; `show` is its inverse."""

    read: Callable[[str], Any]
    show: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Setting:
    """One line of the table."""

    name: str
    summary: str
    example: str
    form: ValueForm
    frozen_after_start: bool = False
    synonyms: tuple[str, ...] = ()
    prose: bool = False
    """Its value is any text, so that a line must say NAME = VALUE to mean it."""
    after_end: bool = False
    """It still means something in a game that is over, and may change there."""
    words: tuple[tuple[str, str], ...] = ()
    """Where its value is one of a few words, or some of them: each, and what it means."""

    @property
    def examples(self) -> tuple[str, ...]:
        """Its example, or each of several ("7d, or Friday 24:00"), as it can be typed."""
        return ("yes", "no") if self.form is FLAG else tuple(self.example.split(", or "))

    @property
    def is_flag(self) -> bool:
        """Whether it is yes or no; its summary then says what is so if it is yes."""
        return self.form is FLAG


FLAG = ValueForm(flag, show_flag)
SPAN = ValueForm(read_span, show_span)
SPAN_OR_NONE = ValueForm(read_span_or_none, lambda v: show_span(v) if v else "none")
PACE = ValueForm(Pace.read, str)
PACE_OR_SAME = ValueForm(pace_or_same, show_pace)
SPAN_OR_NEVER = ValueForm(span_or_never, lambda v: "none" if v is None else show_span(v))
WORD = ValueForm(str.strip, str)
