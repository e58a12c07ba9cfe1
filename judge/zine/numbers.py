"""The numbers under which the hobby registers games: Boardman numbers, and Miller numbers of variants.

A Boardman number ("2027AB") is the year in which the game began and letters by the order of starts: A to Z, then AA to
ZZ. A Miller number ("2027AZrb32") has a designator besides, the map and the variant's place in the catalogue: "rb32" is
the regular board, number 32, gunboat; a letter or two may follow for a version ("rb32a"). Each series counts for
itself. They are given out by a custodian's rule, or by another custodian, and then entered as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from judge.game.core.events import Event, GameStarted, SettingChanged
from judge.languages import tell

GUNBOAT = "rb32"
"""The designator of gunboat on the regular board, the one that the hobby's custom leaves no doubt about."""
MOST_IN_A_YEAR = 26 + 26 * 26
"""So many numbers a year has room for: A to ZZ."""

_NUMBER = re.compile(r"(?P<year>\d{4})(?P<letters>[A-Z]{1,2})(?P<designator>[a-z]{2}\d{2})?(?P<suffix>[a-z]{0,2})")
_DESIGNATOR = re.compile(r"[a-z]{2}\d{2}[a-z]{0,2}")
_LETTERS = re.compile(r"[A-Z]{1,2}")
_LOOSE = re.compile(r"(?P<year>\d{4})(?P<rest>[A-Za-z]{1,2}(?:[A-Za-z]{2}\d{2}[A-Za-z]{0,2})?)")


class Series(StrEnum):
    """Whose numbers they are, as headings print them: "BNC number", "MNC number"."""

    BOARDMAN = "BNC"
    MILLER = "MNC"


@dataclass(frozen=True, slots=True, order=True)
class GameNumber:
    """A number of either series; `designator` ("rb32", or "rb32a" with a suffix) is that of a variant, else "".

    >>> str(GameNumber(2027, "AZ", "rb32")), GameNumber(2027, "AB").heading
    ('2027AZrb32', 'BNC number 2027AB')
    """

    year: int
    letters: str
    designator: str = ""

    def __str__(self) -> str:
        return f"{self.year:04}{self.letters}{self.designator}"

    @property
    def series(self) -> Series:
        """Boardman's, or Miller's where it names a variant."""
        return Series.MILLER if self.designator else Series.BOARDMAN

    @property
    def heading(self) -> str:
        """As the heading of a game has it: "MNC number 2027AZrb32"."""
        return f"{self.series} number {self}"

    @property
    def place(self) -> int:
        """Which start of its year it is: 1 for A, 26 for Z, 27 for AA."""
        return place_of(self.letters)


def place_of(letters: str) -> int:
    """A is 1, Z 26, AA 27, ZZ 702."""
    place = 0
    for letter in letters:
        place = place * 26 + ord(letter) - ord("A") + 1
    return place


def letters_at(place: int) -> str:
    """The letters of a year's n-th start. Raises ValueError beyond ZZ.

    >>> [letters_at(place) for place in (1, 26, 27, 52, 53, 702)]
    ['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ']
    """
    if not 1 <= place <= MOST_IN_A_YEAR:
        raise ValueError(tell("a year has room for {most} numbers, A to ZZ", most=MOST_IN_A_YEAR))
    first, second = divmod(place - 27, 26)
    return chr(ord("A") + place - 1) if place <= 26 else chr(ord("A") + first) + chr(ord("A") + second)


def read_number(text: str) -> GameNumber:
    """A number as somebody writes it. Raises ValueError with a sentence that says how one looks.

    Letters in one case only are put right where that leaves no doubt.

    >>> str(read_number("1989hz")), str(read_number("BNC 2027AB")), str(read_number("2027AZRB32"))
    ('1989HZ', '2027AB', '2027AZrb32')
    """
    bare = re.sub(r"(?i)^\s*(?:[bm]nc?|boardman|miller)\b\.?\s*(?:number\b|no\b\.?)?\s*:?\s*", "", text).strip()
    found = _NUMBER.fullmatch(bare) or _put_right(bare)
    if found is None or (found["suffix"] and not found["designator"]):
        raise ValueError(
            tell(
                '"{text}" is no number of a game: a Boardman number looks like 2027AB, a Miller number like 2027AZrb32',
                text=text.strip()[:40],
            )
        )
    return GameNumber(int(found["year"]), found["letters"], (found["designator"] or "") + found["suffix"])


def _put_right(text: str) -> re.Match[str] | None:
    """Letters of one case: without a digit behind them they are the year's, else the last two are the designator's."""
    loose = _LOOSE.fullmatch(text)
    if loose is None:
        return None
    rest = loose["rest"]
    if (digits := re.search(r"\d", rest)) is None:
        return _NUMBER.fullmatch(loose["year"] + rest.upper())
    letters = digits.start() - 2
    return _NUMBER.fullmatch(loose["year"] + rest[:letters].upper() + rest[letters:].lower())


def read_designator(text: str) -> str:
    """The designator of a variant, "rb32". Raises ValueError with a sentence."""
    bare = text.strip().lower()
    if not _DESIGNATOR.fullmatch(bare):
        raise ValueError(
            tell(
                '"{text}" is no designator of a variant: two letters for the map and two digits, like rb32',
                text=text.strip()[:40],
            )
        )
    return bare


# --- giving them out -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NumberRule:
    """What a custodian goes by: for each series the number to be given next, and where starts and ends are reported.

    `following`: series -> the year and the place of its next number. A year that has not come up begins with A; one
    that is over is not gone back to. `custodian`: an address, "" where nobody wants to hear.
    """

    following: Mapping[Series, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))
    custodian: str = ""

    def next(self, year: int, designator: str = "") -> GameNumber:
        """The number that the next game of this year gets. Raises ValueError where the year is full."""
        series = Series.MILLER if designator else Series.BOARDMAN
        counted, place = self.following.get(series, (year, 1))
        return GameNumber(max(year, counted), letters_at(place if counted >= year else 1), designator)

    def after(self, number: GameNumber) -> NumberRule:
        """The rule once a number is given out, or entered because another custodian gave it: it is not given again."""
        counted, place = self.following.get(number.series, (0, 1))
        if (number.year, number.place) < (counted, place):
            return self
        return self._with(number.series, number.year, number.place + 1)

    def starting(self, number: GameNumber) -> NumberRule:
        """The rule with this as the next number of its series, whatever was given out before."""
        return self._with(number.series, number.year, number.place)

    def _with(self, series: Series, year: int, place: int) -> NumberRule:
        return replace(self, following=MappingProxyType({**self.following, series: (year, place)}))


def rule_to_json(rule: NumberRule) -> dict[str, Any]:
    """A rule as plain JSON; `rule_from_json` reads it back."""
    following = {str(series): [year, place] for series, (year, place) in sorted(rule.following.items())}
    return {"following": following, "custodian": rule.custodian}


def rule_from_json(found: Mapping[str, Any]) -> NumberRule:
    """The inverse of `rule_to_json`."""
    following = {Series(series): (int(year), int(place)) for series, (year, place) in found["following"].items()}
    return NumberRule(MappingProxyType(following), found["custodian"])


# --- what the custodian is told ------------------------------------------------------------------------------------

PLAYED_BY = (
    "no_mistakes", "proxy", "press", "broadcast_press", "partial_press", "minor_press", "nmr", "seasons",
    "draw_from", "dias", "concessions", "end_after", "short_winner",
)  # fmt: skip
"""Settings that make another game of it when they change while it is played. Those of the board, the rules and of who
knows whom cannot change then; those of days, hours and letters change no game."""


def irregularities(events: Iterable[Event]) -> tuple[str, ...]:
    """Names of the settings that were changed in mid-game: with any, the number of the game is irregular."""
    changed: set[str] = set()
    started = False
    for event in events:
        started = started or isinstance(event, GameStarted)
        if started and isinstance(event, SettingChanged) and event.old != event.new:
            changed.add(event.name)
    return tuple(name for name in PLAYED_BY if name in changed)
