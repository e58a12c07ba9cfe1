"""The lines of a mail's text, what each of them is, and the sheet on which they are marked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

_QUOTE = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")


class LineKind(StrEnum):
    """What a line of a mail is."""

    OWN = "own"
    QUOTED = "quoted"
    ATTRIBUTION = "attribution"
    SIGNATURE = "signature"
    DISCLAIMER = "disclaimer"
    FOOTER = "footer"
    FORWARDED = "forwarded"


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of a mail's text: its number from 1, the text as written, its kind, its depth of quotation."""

    number: int
    text: str
    kind: LineKind
    depth: int = 0


def strip_quote(text: str) -> tuple[int, str]:
    """(depth, rest) of a line: how many `>` stand before it, and what stands behind them.

    >>> strip_quote("> > A PAR - BUR")
    (2, 'A PAR - BUR')
    """
    match = _QUOTE.match(text)
    return (match[0].count(">"), text[match.end() :]) if match else (0, text)


class MarkedLines:
    """The lines while they are being marked: `kinds[i]` is None as long as nobody but the author claims line i."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = tuple(lines)
        self.kinds: list[LineKind | None] = [None] * len(lines)
        self.depths = [strip_quote(line)[0] for line in lines]
        self.words = [0, *accumulate(bool(line.strip()) for line in lines)]
        self.ends: list[int] = []

    def free(self, at: int) -> bool:
        return 0 <= at < len(self.lines) and self.kinds[at] is None

    def blank(self, at: int) -> bool:
        return not self.lines[at].strip()

    def claim(self, start: int, end: int, kind: LineKind) -> None:
        """Mark the unmarked lines of [start, end)."""
        for at in range(start, min(end, len(self.lines))):
            if self.kinds[at] is None:
                self.kinds[at] = kind

    def measure(self) -> None:
        """Note where the regions between quotations end, once all quotations are marked."""
        self.ends = [len(self.lines)] * (len(self.lines) + 1)
        for at in range(len(self.lines) - 1, -1, -1):
            quoted = self.kinds[at] in (LineKind.QUOTED, LineKind.ATTRIBUTION, LineKind.FORWARDED)
            self.ends[at] = at if quoted else self.ends[at + 1]

    def words_between(self, start: int, end: int) -> int:
        """How many lines of [start, end) are not empty."""
        return self.words[end] - self.words[start]

    def next_words(self, at: int) -> int:
        """The first line from `at` on that is not empty, or the end."""
        while at < len(self.lines) and self.blank(at):
            at += 1
        return at

    def fill_gaps(self) -> None:
        """Empty lines between two lines of one kind belong to it."""
        before: LineKind | None = None
        gap: list[int] = []
        for at, kind in enumerate(self.kinds):
            if kind is None and self.blank(at):
                gap.append(at)
                continue
            if kind is not None and kind is before:
                for empty in gap:
                    self.kinds[empty] = kind
            gap.clear()
            before = kind
