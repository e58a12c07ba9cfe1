"""How values of settings are read and shown: flags, numbers, lists, seasons, scoring systems."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple, TypeVar

from judge.languages import tell
from judge.pace import Pace, read_span, read_span_or_none, show_span

T = TypeVar("T")

_YES = {"yes", "y", "on", "true", "1"}
_NO = {"no", "n", "off", "false", "0"}


def flag(text: str) -> bool:
    """Yes or no."""
    word = text.strip().lower()
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise ValueError(tell('"{text}" is neither yes nor no', text=text))


def show_flag(value: bool) -> str:  # noqa: FBT001 - a formatter of flags
    """The inverse of `flag`."""
    return "yes" if value else "no"


def number(low: int, high: int) -> Callable[[str], int]:
    """A whole number within bounds."""

    def read(text: str) -> int:
        try:
            value = int(text.strip())
        except ValueError:
            raise ValueError(tell('"{text}" is not a number', text=text)) from None
        if not low <= value <= high:
            raise ValueError(tell("it must be from {low} to {high}", low=low, high=high))
        return value

    return read


def number_or_none(low: int, high: int) -> Callable[[str], int]:
    """A whole number within bounds, or 0 for "none"."""
    read_number = number(low, high)

    def read(text: str) -> int:
        return 0 if text.strip().lower() in ("", "0", "none", "no", "off") else read_number(text)

    return read


def show_number(value: int) -> str:
    """The inverse of `number_or_none`."""
    return str(value) if value else "none"


def percent(text: str) -> int:
    """A share in percent: "80%", "80", "0.8"; 0 for "none"."""
    word = text.strip().lower().removesuffix("%").removesuffix("percent").strip()
    if word in ("", "0", "none", "no", "off"):
        return 0
    if re.fullmatch(r"0?\.\d+|1\.0+", word):
        return round(float(word) * 100)
    return number(1, 100)(word)


def show_percent(value: int) -> str:
    """The inverse of `percent`."""
    return f"{value}%" if value else "none"


class TooLong(ValueError):
    """A text that is right but for its length: an example of another one is of no use to its author."""


def how_to_write(error: ValueError, line: str) -> str:
    """What follows a sentence about a bad value: a line that would do, where that helps."""
    return "" if isinstance(error, TooLong) else tell("Write it like `{line}`.", line=line)


def text_up_to(most: int) -> Callable[[str], str]:
    """A text of at most so many characters, on one line; "" for "none"."""

    def read(text: str) -> str:
        words = " ".join(text.split())
        if len(words) > most:
            sentence = tell(
                "it has {count} characters; {most} is the most, so leave out {over}",
                count=len(words),
                most=most,
                over=len(words) - most,
            )
            raise TooLong(sentence)
        return "" if words.lower() == "none" else words

    return read


def hours(text: str) -> tuple[int, ...]:
    """Hours before a moment, the most first: "48h, 24h"."""
    if text.strip().lower() in ("", "none", "off"):
        return ()
    spans = [read_span(part if re.search("[a-z]", part, re.I) else part + "h") for part in re.split(r"[,\s]+", text)]
    return tuple(sorted((int(span.total_seconds() // 3600) for span in spans), reverse=True))


def among(*words: str) -> Callable[[str], str]:
    """One of these words."""

    def read(text: str) -> str:
        word = text.strip().lower()
        if word not in words:
            known = ", ".join(w for w in words if w)
            raise ValueError(tell('"{text}" is none of: {known}', text=text, known=known))
        return word

    return read


def several(*words: str) -> Callable[[str], tuple[str, ...]]:
    """Some of these words, or "none"."""

    def read(text: str) -> tuple[str, ...]:
        chosen = [word for word in re.split(r"[,+/\s]+|\band\b", text.strip().lower()) if word]
        if chosen == ["none"]:
            return ()
        for word in chosen:
            if word not in words:
                known = ", ".join((*words, "none"))
                raise ValueError(tell('"{text}" is none of: {known}', text=word, known=known))
        return tuple(word for word in words if word in chosen)

    return read


def show_list(value: tuple[Any, ...]) -> str:
    """The inverse of readers of lists."""
    return ", ".join(str(item) for item in value) or "none"


def names(text: str) -> tuple[str, ...]:
    """Names between commas or "and"; "none" for none."""
    parts = (part.strip(" .") for part in re.split(r"[,;+/]|\band\b", text))
    found = tuple(dict.fromkeys(part for part in parts if part))
    return () if [part.lower() for part in found] in ([], ["none"], ["nobody"]) else found


def choices(text: str) -> tuple[str, ...]:
    """Single rules, each NAME=VALUE."""
    if text.strip().lower() in ("", "none"):
        return ()
    return tuple(sorted(part.strip() for part in re.split(r"[,;\s]+", text) if part.strip()))


_SEASON = re.compile(r"([A-Z]{1,2})(\d{4})(?:[MRAN]\d?)?", re.IGNORECASE)


def season(text: str) -> str:
    """A season such as F1905; "" for none."""
    if text.strip().lower() in ("", "always", "none", "any"):
        return ""
    match = _SEASON.fullmatch(text.strip())
    if match is None:
        raise ValueError(tell('"{text}" is not a season; write one like F1905', text=text))
    return f"{match[1].upper()}{match[2]}"


def pace_or_same(text: str) -> Pace | None:
    """A pace, or None for the one of other phases."""
    return None if text.strip().lower() in ("", "none", "same") else Pace.read(text)


def show_pace(pace: Pace | None) -> str:
    """The inverse of `pace_or_same`."""
    return str(pace) if pace else "same"


def span_or_never(text: str) -> timedelta | None:
    """A length of time, "0m" for none at all, or None for never."""
    return None if text.strip().lower() in ("", "none", "no", "never", "off") else read_span(text)


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
    group: str
    """The name of the `Group` in which help lists it (`judge.game.settings.bundles`)."""
    behind: str = ""
    """The setting behind which help lists it there; "": where it is declared."""
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


def setting(default: T, summary: str, example: str, form: ValueForm, group: str, **more: Any) -> T:
    """A field of `Settings` with its row of the table; `more`: as `Setting` has it."""
    return field(default=default, metadata={"setting": Setting("", summary, example, form, group, **more)})


FLAG = ValueForm(flag, show_flag)
SPAN = ValueForm(read_span, show_span)
SPAN_OR_NONE = ValueForm(read_span_or_none, lambda v: show_span(v) if v else "none")
PACE = ValueForm(Pace.read, str)
PACE_OR_SAME = ValueForm(pace_or_same, show_pace)
SPAN_OR_NEVER = ValueForm(span_or_never, lambda v: "none" if v is None else show_span(v))
WORD = ValueForm(str.strip, str)


SYSTEM_NAMES = (
    "calhamer", "draw-size", "hall-of-fame", "dsi", "squares", "c-diplo", "c-diplo-73", "carnage", "dixie", "manorcon",
)  # fmt: skip
"""All of them, in the order in which letters print them."""

USUAL_SYSTEMS = ("calhamer", "hall-of-fame", "squares", "c-diplo")
"""Those by which a game is scored whose Gamemaster has said nothing else, and those of the ratings."""

AT_MOST = 4
"""So many columns of points fit a line of a letter."""

OTHER_NAMES = {
    "sum-of-squares": "squares", "sos": "squares", "cdiplo": "c-diplo", "c-diplo-namur": "c-diplo",
    "cdiplo-73": "c-diplo-73", "c-diplo73": "c-diplo-73", "drawsize": "draw-size", "draws": "draw-size",
    "draw": "draw-size", "hof": "hall-of-fame", "dixiecon": "dixie", "manor": "manorcon",
}  # fmt: skip
"""Other names of systems."""


def read_systems(text: str) -> tuple[str, ...]:
    """One to four systems between commas. Raises ValueError with a sentence."""
    words = [word for word in text.lower().replace(" and ", ",").replace("/", ",").replace(",", " ").split() if word]
    found = tuple(dict.fromkeys(OTHER_NAMES.get(word, word) for word in words))
    for name in found:
        if name not in SYSTEM_NAMES:
            known = ", ".join(SYSTEM_NAMES)
            raise ValueError(tell('"{name}" is not a scoring system; there are {known}', name=name[:40], known=known))
    if not 1 <= len(found) <= AT_MOST:
        known = ", ".join(SYSTEM_NAMES)
        raise ValueError(tell("a game is scored by one to {most} systems: {known}", most=AT_MOST, known=known))
    return tuple(name for name in SYSTEM_NAMES if name in found)
