"""What several verbs read the same way: reasons, dates, games, numbers, stretches of a game, words of yes and no."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from itertools import islice

from judge.board.spelling import nearest
from judge.languages import tell
from judge.mail.dates import DateProblem, read_moment
from judge.mail.queries import AboutGame
from judge.mail.raw.addresses import read_address
from judge.mail.vocabulary.model import Around, Clause, Read, Reading, Unclear
from judge.rules.calendar import Calendar, read_phase

_REASON = re.compile(r"(?:^|\s)(?:reason|because(?: of)?|due to|since|as)\b[\s:=]*(.+)$", re.IGNORECASE)
_QUOTED = re.compile(r"[\s:,-]*[\"“”](.+?)[\"“”]\s*$")
_POLITE = re.compile(r"^(?:please|pls|plz|thanks|thx|thank you|now)$", re.IGNORECASE)

_BEFORE_A_DEADLINE = re.compile(r"^\s*(?:the\s+game|game)?\s*(?:with\s+)?(?:deadline|due|by|on)?\b", re.IGNORECASE)

YES = frozenset({"yes", "y", "aye", "yea", "yeah", "for", "in favour", "in favor", "ok"})
NO = frozenset({"no", "n", "nay", "nae", "against"})


def plain(text: str) -> str:
    """Arguments without blanks and closing marks around them."""
    return text.strip().rstrip(".!;,").strip()


_POLITE_END = re.compile(r"(?:^|[\s,;]+)(?:please|pls|plz|thanks|thank you|thx)[\s.!]*$", re.IGNORECASE)


def without_thanks(rest: str) -> str:
    """Arguments without a "please" or thanks at their end: "24h please" is "24h"."""
    return _POLITE_END.sub("", rest)


def no_more(rest: str) -> bool:
    """Whether nothing that matters follows a verb."""
    return not plain(rest) or bool(_POLITE.match(plain(rest)))


def split_reason(rest: str) -> tuple[str, str]:
    """What stands before a reason, and the reason.

    >>> split_reason('48h reason "power cut"'), split_reason("Friday 24:00 because of the holiday")
    (('48h', 'power cut'), ('Friday 24:00', 'the holiday'))
    """
    match = _REASON.search(rest) or _QUOTED.search(rest)
    if match is None:
        return plain(rest), ""
    return plain(rest[: match.start()]), match[1].strip().strip('"“”').strip()


def read_when(text: str, around: Around, verb: str) -> datetime | Unclear:
    """A moment, or what to ask; candidates are whole lines that begin with `verb`."""
    found = read_moment(text, now=around.now, zone=around.zone, default_time=around.default_time)
    if isinstance(found, DateProblem):
        return Unclear(found.reason, found.sentence, tuple(f"{verb} {text}" for text in found.candidates))
    return found.at


def read_first_deadline(clause: Clause, verb: str) -> datetime | Unclear | None:
    """The deadline with which a game starts or goes on: "with deadline Friday"; None where no moment is named."""
    text = plain(_BEFORE_A_DEADLINE.sub("", clause.rest))
    return None if no_more(text) else read_when(text, clause.around, f"{verb} deadline")


_KEY = re.compile(r"[a-z][a-z0-9-]{1,31}")
_MOST_LISTED = 500
"""Games among which the nearest name is looked for."""


def is_key(word: str) -> bool:
    """Whether a word has the form of a game's key."""
    return _KEY.fullmatch(word) is not None


def known_game(word: str, around: Around) -> str:
    """The key of the game that a word names exactly, in any case, else "". Keys are lower case; one is looked up."""
    key = word.lower()
    return key if _KEY.fullmatch(key) and key in around.games else ""


def read_game(text: str, around: Around, verb: str) -> str | Unclear:
    """The key of a game that exists, in any case; a leading "?" or "#" and brackets are let pass."""
    word = plain(text).strip("[]?#\"'").lower()
    if word == around.game or known_game(word, around):
        return word
    listed = list(islice(around.games, _MOST_LISTED)) if _KEY.fullmatch(word) else []
    near = tuple(f"{verb} {name}" for name in nearest(word, listed, 3))
    return Unclear("no-such-game", tell('I know no game "{word}".', word=word[:60]), near or ("list",))


def alone(value: Reading, verb: str) -> Read:
    """A reader for verbs that take nothing after them."""

    def read(clause: Clause) -> Reading:
        if no_more(clause.rest):
            return value
        return Unclear(
            "too-much",
            tell("`{verb}` takes nothing after it, so I did nothing. Write it alone on its line.", verb=verb),
            (verb,),
        )

    return read


def of_game(asked: type[AboutGame], verb: str) -> Read:
    """A reader for questions that take the name of a game, or nothing: `rules`, `rules of baltic`."""

    def read(clause: Clause) -> Reading:
        if no_more(clause.rest):
            return asked(game=clause.around.game)
        game = read_game(re.sub(r"^(?:of|in|for)\s+", "", clause.rest.strip()), clause.around, verb)
        return game if isinstance(game, Unclear) else asked(game=game)

    return read


ADDRESS = re.compile(r"<?([^\s<>@,;:\"]{1,64}@[^\s<>@,;:\"]{1,190})>?")
"""A mail address among other words; whether it can be one is for others to say."""


def read_addresses(words: Iterable[str]) -> tuple[tuple[str, ...], str]:
    """The mail addresses among words, each once, and what to say of those that are none: '"bob" is not a mail address'.

    >>> read_addresses(["ann@a.test", "bob", "ann@a.test"]), read_addresses(["ann@a.test"])
    ((('ann@a.test',), '"bob" is not a mail address'), (('ann@a.test',), ''))
    """
    read = {word: read_address(word) for word in words}
    wrong = [f'"{word[:60]}"' for word, address in read.items() if address is None]
    be = tell("is not a mail address") if len(wrong) == 1 else tell("are not mail addresses")
    said = f"{' and '.join(wrong[:5])} {be}" if wrong else ""
    return tuple(dict.fromkeys(filter(None, read.values()))), said


def missing(what: str, example: str) -> Unclear:
    """A verb without what it needs. The example is made up, so no number chooses it."""
    return Unclear("incomplete", tell("{what} is missing; write it like this: {example}", what=what, example=example))


_RANGE = re.compile(r"\b(?:from|since|between|to|until|till|through|and|up to|in|of)\b|\.\.+|[–—-]", re.IGNORECASE)
_UP_TO = re.compile(r"\s*(?:to|until|till|through|up to)\b", re.IGNORECASE)
_FROM = re.compile(r"\s*(?:from|since)\b", re.IGNORECASE)
_YEAR = re.compile(r"\d{4}")
_SEASON = re.compile(r".*?\d{4}")

Stretch = tuple[str, str]
"""The first and the last: codes of phases ("F1903R"), of seasons ("F1903") or years; both count, "" is not a bound."""


_LINES = re.compile(r"\s*\blines\s+\d{1,5}\s*$", re.IGNORECASE)
"""The older judges were told how much of it to send."""


def read_stretch(text: str, calendar: Calendar) -> Stretch | Unclear:
    """The bounds of a stretch; one alone is both of them.

    >>> from judge.rules.calendar import CALENDAR_1976 as year
    >>> read_stretch("F1903", year), read_stretch("since 1902", year), read_stretch("S1901 to Fall '03 moves", year)
    (('F1903', 'F1903'), ('1902', ''), ('S1901', 'F1903M'))
    """
    text = _LINES.sub("", text)
    parts = [plain(part) for part in _RANGE.split(text) if plain(part)]
    if len(parts) == 1 and len(words := parts[0].split()) == 2 and all(_bound(word, calendar) for word in words):
        parts = words
    found = [_bound(part, calendar) for part in parts]
    if len(found) > 2 or not all(found):
        return Unclear(
            "no-phase",
            tell('"{plain}" is not a stretch of phases; write one like S1901 to F1903.', plain=plain(text)[:60]),
        )
    if not found:
        return "", ""
    if len(found) == 2:
        return found[0], found[1]
    if _UP_TO.match(text):
        return "", found[0]
    return found[0], "" if _FROM.match(text) else found[0]


def _bound(text: str, calendar: Calendar) -> str:
    """The code of a phase; of a season where no phase of it is named; a year; "" for anything else."""
    if _YEAR.fullmatch(text):
        return text
    code = read_phase(text, calendar) or ""
    names_a_kind = read_phase(f"{text} moves", calendar) is None
    whole = _SEASON.match(code)
    return code if names_a_kind or whole is None else whole[0]
