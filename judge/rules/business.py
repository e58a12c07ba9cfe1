"""What players do beside ordering units: a deed is a line that a rule system knows by its first word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from judge.board.position import Position


class Deed(NamedTuple):
    """A line such as "capital Lyon": whose, its first word in lower case, and the words behind it as they were sent."""

    power: str
    word: str
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.word, *self.words))


def nothing_wrong(position: Position, deed: Deed) -> str:
    """The check of what anybody may do at any time."""
    return ""


def fits_all(position: Position, deed: Deed, others: tuple[Deed, ...]) -> str:
    """The check of what never gets in the way of other lines."""
    return ""


def nobody(position: Position, deed: Deed) -> tuple[str, ...]:
    """Whom a line is told that is its author's alone until its phase is played."""
    return ()


class Business(NamedTuple):
    """What a word does; of several words, all have to begin the line. A deed is secret until its phase is played. The
    last of a power's with one word counts, or, of a word of which there may be `several`, the last with one word and
    `slot`.
    """

    usage: str
    """How it is written, for help: "capital PLACE"."""
    summary: str
    """What it does, in a sentence."""
    effect: Callable[[Position, Deed], Position]
    """The position with what it does, asked when the phase has been judged; deeds are taken in the board's order of
    powers, and those that the check now refuses are left out.
    """
    fault: Callable[[Position, Deed], str] = nothing_wrong
    """Why it cannot be done, as a reason's slug; ""."""
    first: bool = False
    """Whether it is done before the phase is judged, so that its orders go by it; else after that."""
    several: bool = False
    """Whether several lines with the word stand beside each other."""
    slot: Callable[[Deed], str] | None = None
    """Of several, which of them a later line replaces: the one that this answers alike; None: no other."""
    among: Callable[[Position, Deed, tuple[Deed, ...]], str] = fits_all
    """Why it cannot be done beside the power's others with its word, as a reason's slug; ""."""
    told: Callable[[Position, Deed], Iterable[str]] = nobody
    """The powers that are told at once that it is on file, or is taken back; all others hear of it when its phase is
    played.
    """
    begins: tuple[str, ...] = ()
    """Other beginnings of its line, in lower case."""
    example: Callable[[Position, str], str] | None = None
    """A line with the word that a power could write in a position, for help; "": none fits there."""

    tries: Callable[[Position, str], Iterable[Deed]] | None = None
    """Lines with the word that a power could send, the best first: what robots try."""

    def replaces(self, deed: Deed, old: Deed) -> bool:
        """Whether a new line takes the place of one that is on file."""
        if deed.word != old.word:
            return False
        if not self.several:
            return True
        return self.slot is not None and self.slot(deed) == self.slot(old)


def begun(line: str, business: Mapping[str, Business]) -> tuple[str, str] | None:
    """The word of the business with which a line begins, and the rest of the line; None: it is no business."""
    first, _, rest = line.strip().partition(" ")
    if (word := first.lower().rstrip(":,")) in business:
        return word, rest.strip()
    lowered = " ".join(line.lower().split())
    for word, one in business.items():
        for start in (word, *one.begins) if " " in word or one.begins else ():
            if lowered.startswith(f"{start} "):
                return word, " ".join(line.split())[len(start) :].strip()
    return None


def standing(deeds: Iterable[Deed], business: Callable[[str], Business | None]) -> tuple[Deed, ...]:
    """Of lines in the order in which they were sent, those that count."""
    found: list[Deed] = []
    for deed in deeds:
        known = business(deed.word)
        if known is not None:
            found = [old for old in found if old.power != deed.power or not known.replaces(deed, old)]
        found.append(deed)
    return tuple(found)
