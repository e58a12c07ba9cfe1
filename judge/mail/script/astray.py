"""Headings that cannot be read: what stands below one is for something that we do not know, so none of it is done.

A line is such a heading only where it has a heading's shape and its place: the rest is chatter, and stops nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from judge.board.names import gazetteer_of
from judge.board.spelling import allowance, nearest, slips
from judge.game.core.faults import ASTRAY
from judge.mail.script.headings import SILENT, part_at, tokens_of
from judge.mail.vocabulary import Around, Unclear
from judge.rules.calendar import Calendar
from judge.rules.spoken import season_names


class What(StrEnum):
    """What a heading was to name."""

    GAME = "game"
    POWER = "power"
    TURN = "turn"
    CASE = "case"
    """A condition above the orders that hang on it, without the ENDIF that would make it one of ours."""


@dataclass(frozen=True, slots=True)
class Astray:
    """A heading that cannot be read: its line number, its text, and what it was to name."""

    line: int
    text: str
    what: What

    @property
    def shown(self) -> str:
        """Where it stands, for letters."""
        return f"line {self.line}" if self.line else "the subject"


_LONGEST = 60
_MOST_WORDS = 5
_MOST_LISTED = 500
_NEAR = 0.75

_SEAT = re.compile(r"[^\W\d_]{1,20}@[A-Za-z][A-Za-z0-9-]{1,31}[.:]?")
_CODE = re.compile(r"[^\W\d_]{1,6}['’.-]?\d{2,6}[^\W\d_]{0,2}")
_NUMBER = re.compile(r"['’]?\d{1,6}[^\W\d_]{0,2}")
_KEY = re.compile(r"[a-z][a-z0-9-]{2,31}")
_FOR = re.compile(
    r"(?:(?:my |the |our )?(?:orders?|moves?|builds?|retreats?) (?:for|in)|for)(?: (?:the |my )?game)?\b", re.IGNORECASE
)
_NAMED = re.compile(r"\s*game\s*:?\s+(?P<name>[^\W\d_][\w-]{1,39})[\s.:]*", re.IGNORECASE)

_WHEN = frozenset({"next", "last", "previous", "following", "coming", "later", "year", "years"})
_CASE = re.compile(
    r"(?:(?:and|but|only|even|or|so)\s+)?"
    r"(?:if|unless|else|otherwise|in case|provided|assuming|should|when|suppose)\b.*:",
    re.IGNORECASE,
)
_LONGEST_CASE = 120
_TURNS = frozenset({"turn", "phase", "season", "year", "moves"})
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
""" "1902" alone on a line, "Herbst 1901", "March 1901"."""

_NOBODY = frozenset(
    (
        *("you", "today", "tonight", "tomorrow", "me", "us", "all", "everyone", "everybody", "judge", "review", "sure"),
        *("reference", "example", "instance", "clarity", "info", "information", "completeness", "safety", "processing"),
    )
)
_AFTER_SEASON = frozenset(
    ("moves", "move", "movement", "retreats", "retreat", "builds", "build", "adjustments", "removals")
)


def astray(number: int, text: str, around: Around, *, subject: bool = False) -> Astray | None:
    """The heading that a line was to be, or None. A subject has no colon to tell it by."""
    line = " ".join(text.split())
    words = tokens_of(line)
    if not words or len(line) > _LONGEST or len(words) > _MOST_WORDS:
        return None
    colon = line.endswith(":") and not subject
    for what, found in (
        (What.GAME, _seat(line) or _NAMED.fullmatch(line) or (colon and _other_game(line, words, around))),
        (What.TURN, _phase(line, words, around.calendar, colon=colon)),
        (What.GAME, _near_game(words, around, colon=colon)),
        (What.POWER, _near_power(words, around, colon=colon)),
    ):
        if found:
            return Astray(number, text, what)
    return None


def case_above(number: int, text: str) -> Astray | None:
    """The condition that a line puts above orders: "If Germany is in Belgium:"; None for any other line."""
    line = " ".join(text.split())
    return Astray(number, text, What.CASE) if len(line) <= _LONGEST_CASE and _CASE.fullmatch(line) else None


def question(heading: Astray) -> Unclear:
    """What to say of the heading itself."""
    if match := _NAMED.fullmatch(heading.text):
        return no_such_game(match["name"])
    said = {
        What.GAME: f'I know no game or power that "{_short(heading)}" names',
        What.POWER: f'I know no power that "{_short(heading)}" names',
        What.CASE: f'I cannot follow "{_short(heading)}" above orders; write it in each line, or put ENDIF below them',
        What.TURN: f'I cannot tell which phase "{_short(heading)}" names; write it like `for F1901:`',
    }[heading.what]
    return Unclear("no-such-heading", f"{said}. Nothing below it was done, down to the next heading that I can read.")


def belongs_below(heading: Astray, order: str = "") -> Unclear:
    """What to say of a line that stands below it; an `order` that could be given here and now may be sent alone."""
    if match := _NAMED.fullmatch(heading.text):
        return no_such_game(match["name"], order)
    sentence = f"It stands below {heading.shown}, a heading that I cannot read, so nothing was done."
    anew = " If it is for this game and this turn, send it without the heading." if order else " Send it anew."
    return Unclear(ASTRAY, sentence + anew, (order,) if order else ())


def no_such_game(name: str, order: str = "") -> Unclear:
    """What to say to orders for a game that nobody knows."""
    said = f'I know no game "{name}" of yours, so that ordered nothing. For this game, send the order without the name.'
    return Unclear("no-such-game", said, (order,) if order else ())


def _short(heading: Astray) -> str:
    return " ".join(heading.text.split())[:_LONGEST].rstrip(":")


def _seat(line: str) -> bool:
    """ "france@tagos", also behind a misspelled "sign on"."""
    return any(_SEAT.fullmatch(word) for word in line.split()[:3])


def _other_game(line: str, words: list[str], around: Around) -> bool:
    """ "Orders for verona:": the only word that is no part of a heading stands where a game's name would."""
    left = _unknown(words, around)
    match = _FOR.match(line)
    if match is None or len(left) != 1 or not _KEY.fullmatch(left[0].lower()):
        return False
    return left[0].lower() not in _NOBODY | _WHEN and tokens_of(line[match.end() :])[:1] == left


def _phase(line: str, words: list[str], calendar: Calendar, *, colon: bool) -> bool:
    """ "PHASE Fall 19011", "X1901M", "for next year:", "Autumn retreats:"."""
    left = [word for word in words if word.lower() not in SILENT]
    headed = colon or line.lower().startswith(("phase", "for ", "orders for ", "moves for "))
    if not left:
        return False
    first, rest = left[0], left[1:]
    if not rest and _CODE.fullmatch(first):
        return True
    if _is_season(first, calendar) and (rest or headed):
        dated = any(_NUMBER.fullmatch(word) for word in rest)
        others = [word for word in rest if not _NUMBER.fullmatch(word) and word.lower() not in _AFTER_SEASON]
        return (dated and len(others) <= 1) or (headed and not others)
    named = any(word.lower() in _WHEN or re.fullmatch(r"\d{4}", word) for word in left)
    plain = all(word.lower() in _WHEN | _AFTER_SEASON or _NUMBER.fullmatch(word) for word in left)
    if named and plain and (headed or not _TURNS.isdisjoint(word.lower() for word in words)):
        return True
    if len(words) == len(left) <= 2 and _YEAR.fullmatch(left[-1]) and left[0][0].isupper() | (len(left) == 1):
        return True
    return line.lower().startswith("phase ") and (len(words) <= 2 or any(map(str.isdigit, line)))


def _is_season(word: str, calendar: Calendar) -> bool:
    typed = word.lower()
    near = (slips(typed, name, min(allowance(typed), 1)) for name in season_names(calendar) if len(typed) > 3)
    return any(distance is not None for distance in near)


def _near_game(words: list[str], around: Around, *, colon: bool) -> bool:
    """A game's name misspelled, where everything else is a part of a heading, and something else is there."""
    left = _unknown(words, around)
    if len(left) != 1 or (len(words) == 1 and not colon):
        return False
    listed = list(islice(around.games, _MOST_LISTED)) if _KEY.fullmatch(left[0].lower()) else []
    return bool(nearest(left[0].lower(), listed, least=_NEAR))


def _near_power(words: list[str], around: Around, *, colon: bool) -> bool:
    """Another power's name misspelled; one's own stands for oneself, whatever its letters are."""
    left = _unknown(words, around)
    if around.board is None or len(left) != 1 or (len(words) == 1 and not colon):
        return False
    names = gazetteer_of(around.board)
    near = names.fuzzy_power(left[0]) if len(left[0]) > 3 and not names.places(left[0]) else ()
    return bool(near) and not any(power in around.powers for power in near)


def _unknown(words: list[str], around: Around) -> list[str]:
    """The words that are no part of a heading."""
    found: dict[str, str] = {}
    left, at = [], 0
    while at < len(words):
        part, taken = part_at(words, at, {"game": "", "power": "", "turn": "", **found}, around)
        if part:
            found[part[0]] = part[1]
        elif words[at].lower() not in SILENT:
            left.append(words[at])
        at += taken
    return left
