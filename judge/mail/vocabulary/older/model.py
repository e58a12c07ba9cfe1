"""A row of the table: a line as the older judges have it, and what it is here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from judge.orders.spelled import listed

NJUDGE, DPJUDGE = "njudge", "dpjudge"
BOTH, DP = (NJUDGE, DPJUDGE), (DPJUDGE,)

GAME = r"(?P<game>[\w-]+)"
POWER = r"(?P<power>[\w-]+)"
SECRET = r"(?: \S+)?"
"""The password of a game, of which there is none here."""

_FIRST = re.compile(r"(?:\(\?(?::|P<\w+>))?([a-z|-]+)")
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Here:
    """What an old line comes to: our lines, to be read in its place; with `asks` they are only offered.

    `said`: what differs, or what there is instead, in whole sentences.
    """

    lines: tuple[str, ...] = ()
    said: str = ""
    asks: bool = False

    @property
    def read(self) -> bool:
        """Whether our lines are carried out in its place."""
        return bool(self.lines) and not self.asks

    @property
    def shown(self) -> str:
        """Our lines as a sentence shows them."""
        return listed((f"`{line}`" for line in self.lines), "or" if self.asks else "and")


Words = Mapping[str, str]
"""What stood in the places of a form, by name; "" where it was left out."""


@dataclass(frozen=True)
class Row:
    """`written`: the line as it is typed there, an example that is tested. `here`: our lines, with {names} of what the
    form found, or a function of that, which may also decline. `same`: the words mean the same here, and our own
    vocabulary reads them.

    `form`: a regular expression for the line, its blanks made single; without one the line is as it is `written`.
    `asks`: our lines are only offered, since they are not quite what was meant.
    """

    written: str
    here: str | tuple[str, ...] | Callable[[Words], Here | None] = ()
    said: str = ""
    asks: bool = False
    form: str = ""
    judges: tuple[str, ...] = (NJUDGE,)
    same: bool = False

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile((self.form or re.escape(self.written)) + r"[ .!]*", re.IGNORECASE)

    @property
    def first_words(self) -> tuple[str, ...]:
        """The words with which a line of this form may begin."""
        match = _FIRST.match(self.form or self.written.lower())
        return () if self.same or match is None else tuple(match[1].split("|"))

    def read(self, line: str) -> Here | None:
        """What a line of this form comes to; None for one of another form."""
        if self.same or len(line) > _LONGEST:
            return None
        match = self._pattern.fullmatch(" ".join(line.split()))
        if match is None:
            return None
        words = MappingProxyType({name: value or "" for name, value in match.groupdict().items()})
        if callable(self.here):
            return self.here(words)
        lines = (self.here,) if isinstance(self.here, str) else self.here
        return Here(tuple(" ".join(each.format_map(words).split()) for each in lines), self.said, self.asks)

    @property
    def meaning(self) -> Here:
        """What its example comes to, for whoever reads the table."""
        return self.read(self.written) or Here(said=self.said)


def none(said: str, *written: str) -> tuple[Row, ...]:
    """Rows of njudge's lines that have no counterpart, all for one reason."""
    return tuple(Row(each, said=said) for each in written)
