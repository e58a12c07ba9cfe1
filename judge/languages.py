"""The language in which somebody is spoken to: a message in English, and what a catalogue has for it.

English is the source and the key. A catalogue of another language (`templates/languages/CODE/*.po`, in the form of GNU
gettext) has a message for a message; what it lacks is said in English. Whoever writes to somebody sets the language:

    with speak(language):
        answer = tell("Vote {number} is closed.", number=3)

Facts are words already, so that a message never depends on how a number or a name is written. A moment is a mark, which
`judge.report.core.naming.spelled` writes in the game's zone and the reader's when the letter is composed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

Message = str | tuple[str, str]
"""A message; of one that depends on a number, what is said of one and of several."""


@dataclass(frozen=True)
class Language:
    """A language: its code ("de"), its own name ("Deutsch"), and what it has for a message.

    `plurals`: what it has for a message that depends on a number, for one and for several.
    """

    code: str
    name: str
    messages: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    plurals: Mapping[str, tuple[str, str]] = field(default_factory=dict, repr=False, compare=False)

    def __hash__(self) -> int:
        return hash(self.code)

    def __bool__(self) -> bool:
        """Whether it is another one than English."""
        return self.code != "en"

    def text(self, message: str) -> str:
        """The message in this language, or in English where it lacks it."""
        return self.messages.get(message, message)


ENGLISH = Language("en", "English")

SPOKEN: ContextVar[Language] = ContextVar("language", default=ENGLISH)
"""The language in which is spoken, for what asks at every name; others ask `spoken`."""


def spoken() -> Language:
    """The language in which is spoken now."""
    return SPOKEN.get()


@contextmanager
def speak(language: Language) -> Iterator[None]:
    """Whatever is told inside is told in this language."""
    token = SPOKEN.set(language)
    try:
        yield
    finally:
        SPOKEN.reset(token)


def go_on_in(language: Language) -> None:
    """Speak another language from here to the end of the innermost `speak`: its reader has chosen it."""
    SPOKEN.set(language)


def tell(message: str, /, **facts: Any) -> str:
    """A message in the language that is spoken, with its facts in their places (`{name}`, as `str.format` has it).

    >>> tell("Vote {number} is closed.", number=3)
    'Vote 3 is closed.'
    """
    language = SPOKEN.get()
    if language:
        message = language.text(message)
    return message.format(**facts) if facts else message


def tell_counted(number: int, one: str, several: str) -> str:
    """Words that depend on a number, such as a noun: those for one, or those for any other number.

    >>> tell_counted(1, "unit", "units"), tell_counted(0, "unit", "units")
    ('unit', 'units')
    """
    language = SPOKEN.get()
    if language:
        one, several = language.plurals.get(one, (language.text(one), language.text(several)))
    return one if number == 1 else several


def together(*sentences: str) -> str:
    """Whole sentences, one behind the other; those that are "" are left out.

    >>> together("Noted.", "", "The deadline stays.")
    'Noted. The deadline stays.'
    """
    return " ".join(filter(None, sentences))


def told_later(message: str) -> str:
    """A message that stands in a table, and is told when it is asked for: `tell(TABLE[key])`."""
    return message


_MARK = re.compile(r"<<([0-9T:.+-]+)>>")


def moment_mark(moment: datetime) -> str:
    """The mark of a moment, to be put into a sentence."""
    return f"<<{moment.astimezone(UTC).isoformat()}>>"


def moments_spelled(text: str, spell: Callable[[datetime], str]) -> str:
    """The text with every mark spelled.

    >>> moments_spelled(f"until {moment_mark(datetime(2027, 1, 9, tzinfo=UTC))}.", lambda at: f"{at:%d %b}")
    'until 09 Jan.'
    """
    return _MARK.sub(lambda match: spell(datetime.fromisoformat(match[1])), text)


class Recorded:
    """Sentences that a log keeps in English, whatever language is spoken where they are made, by their forms.

    >>> Recorded("{unit} is lost", "nothing is lost").told("F Brest is lost", lambda name, text: text.upper())
    'F BREST is lost'
    """

    def __init__(self, *forms: str) -> None:
        self._forms = {form: re.compile(_FIELD.sub(r"(?P<\1>.+)", re.escape(form)), re.DOTALL) for form in forms}

    def told(self, text: str, fact: Callable[[str, str], str] = lambda name, text: text) -> str:
        """The sentence in the language that is spoken, its facts as `fact` makes them of their names and of what stood
        there; a text of none of the forms as it is.
        """
        for form, pattern in self._forms.items():
            if (match := pattern.fullmatch(text)) is not None:
                return tell(form, **{name: fact(name, value) for name, value in match.groupdict().items()})
        return text


_FIELD = re.compile(r"\\{(\w+)\\}")
