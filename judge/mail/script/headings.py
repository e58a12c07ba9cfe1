"""Headings: "tannenburg france F1901", "Orders for France:", "for S1902:", and the tag in our own subjects."""

from __future__ import annotations

import re
from collections.abc import Mapping

from judge.board.phase import Phase
from judge.game.office.desk import RESERVED
from judge.mail.envelope.headers import topic_of
from judge.mail.vocabulary import Around, Heading
from judge.mail.vocabulary.clauses import known_game
from judge.mail.vocabulary.powers import is_power_word
from judge.rules.calendar import CALENDAR_1976, Calendar
from judge.rules.spoken import read_phase, read_season

_LONGEST = 100
_MOST_TOKENS = 12
SILENT = frozenset(
    (
        *(
            "orders",
            "order",
            "moves",
            "move",
            "for",
            "from",
            "of",
            "my",
            "our",
            "the",
            "this",
            "here",
            "are",
            "is",
            "in",
        ),
        *("game", "turn", "phase", "season", "power", "player", "set", "please", "and"),
        *("current", "present", "now", "name", "spiel", "partie"),
    )
)
_SPOKEN = frozenset({"is", "are", "in", "here", "this", "please"})
"""Words of a sentence: "Winter is here" is not a heading."""

_NEVER_NAMES = SILENT & RESERVED
"""Of these, the words that no game, power or phase can be called: most subjects are one of them."""

_NOW = frozenset({"current", "present", "now"})
_TURNS = frozenset({"turn", "phase", "season"})
_TOKEN = re.compile(r"[^\s:,;()\[\]<>#/=|]+")
_SEAT = re.compile(r"[^\W\d_]{3,20}@[A-Za-z][A-Za-z0-9-]{1,31}")
_TAG = re.compile(r"^\s*\[([\w-]{1,40})\]\s*")
_PASTED = re.compile(r"\s*(?:[^\W\d_]{2,8}\s*:\s*)*(?=\[)")
""" "Subject: Re: " before a tag that was pasted into a mail."""

_LONGEST_LINE = 2000
_BEGINS_ORDERS = re.compile(r"(?:a|f|army|fleet)\b\.?\s*[^\W\d_]{2}", re.IGNORECASE)


def read_heading(text: str, around: Around) -> Heading | None:
    """A line that only says for what the lines below are; None for any other line.

    Game, power and phase may come in any order, each at most once, between words such as "orders for".
    """
    if len(text) > _LONGEST:
        return None
    tokens = tokens_of(text)
    if not tokens or len(tokens) > _MOST_TOKENS:
        return None
    spoken = not text.rstrip().endswith(":") and any(token.lower() in _SPOKEN for token in tokens)
    found = {"game": "", "power": "", "turn": ""}
    at = 0
    while at < len(tokens):
        if tokens[at].lower() in _NEVER_NAMES:
            at += 1
            continue
        part, taken = part_at(tokens, at, found, around, undated=not spoken)
        if part and found[part[0]]:
            return None
        if part:
            found[part[0]] = part[1]
        elif tokens[at].lower() not in SILENT:
            return None
        at += taken
    if not any(found.values()) and not text.rstrip().endswith(":"):
        return None
    return Heading(found["game"], found["power"], found["turn"] or _present(tokens, around))


def _present(tokens: list[str], around: Around) -> str:
    """The phase that "this turn", "now" and the like name; "" where no such words stand."""
    words = {token.lower() for token in tokens}
    here = words & _NOW or ("this" in words and words & _TURNS)
    return str(around.phase) if here and around.phase else ""


def tokens_of(text: str) -> list[str]:
    """The words of a heading, without the marks around them; the older judges' POWER@GAME is two, the game first."""
    words = (word.strip(".-–—*_='\"") for word in _TOKEN.findall(text))
    return [part for word in words for part in (word.split("@")[::-1] if _SEAT.fullmatch(word) else [word]) if part]


def part_at(
    tokens: list[str], at: int, found: Mapping[str, str], around: Around, *, undated: bool = True
) -> tuple[tuple[str, str] | None, int]:
    """What begins at a token (kind and value; None for what is no heading), and how many tokens it takes.

    `undated`: whether a season without its year counts.
    """
    calendar = around.calendar_of(found["game"]) if found["game"] else around.calendar
    left = len(tokens) - at
    for count in range(min(5, left), 0, -1):
        if phase := read_phase(" ".join(tokens[at : at + count]), calendar, around.phase):
            return ("turn", phase), count
    for count in range(min(3, left), 0, -1) if undated else ():
        if phase := read_season(" ".join(tokens[at : at + count]), calendar, around.phase):
            return ("turn", phase), count
    if not found["game"] and (game := _game(tokens[at], around)):
        return ("game", game), 1
    board = around.games.get(found["game"]) or around.board
    for count in range(min(2, left), 0, -1):
        if board and (power := is_power_word(" ".join(tokens[at : at + count]), board)):
            return ("power", power), count
    return None, 1


def _game(word: str, around: Around) -> str:
    """The game that a word names, "" for none. Names of games are lower case, and there may be very many of them."""
    return word.lower() if word.lower() == around.game else known_game(word, around)


def split_heading(text: str, around: Around) -> tuple[Heading, str] | None:
    """(heading, orders) of "for S1902: A Par - Bur" or "tannenburg france: A Par - Bur"; None for any other line.

    A power alone before the colon is left to the reader of orders.
    """
    before, colon, after = text[:_LONGEST_LINE].partition(":")
    heading = read_heading(before, around) if colon and after.strip() else None
    if heading is None or not (heading.turn or heading.game):
        return None
    return heading, text[len(before) + 1 :].strip()


def split_tag(subject: str, around: Around) -> tuple[str, str]:
    """("tannenburg", "F1901 Moves: results") of one of our subjects; the game is empty where it has no tag."""
    match = _TAG.match(subject)
    game = _game(match[1], around) if match else ""
    return (game, subject[match.end() :]) if match and game else ("", subject)


def split_game(text: str, around: Around) -> tuple[str, str]:
    """("tannenburg", "A Par - Bur, F Bre - Mid") of orders behind the bare name of a game; ("", text) of others. A unit
    must follow at once: "Baltic - Kiel" is an order, whatever game is called so.
    """
    word, _, rest = text.partition(" ")
    orders = rest.strip(" :,-–—")
    game = _game(word.strip("[]:,"), around) if _BEGINS_ORDERS.match(orders) else ""
    return (game, orders) if game else ("", text)


def tagged_game(text: str, around: Around) -> str:
    """The game whose tag begins a line, as subjects of our letters have it: "Re: [tannenburg] S1901 Moves: results"."""
    match = _PASTED.match(text) if len(text) <= _LONGEST_LINE else None
    return split_tag(text[match.end() :], around)[0] if match else ""


def answered_turn(subject: str, game: str, current: Phase, calendar: Calendar = CALENDAR_1976) -> str:
    """The phase that the subject of an answer to a letter about `game` names first, "" for none.

    >>> answered_turn("Re: [baltic] S1901 Moves: orders due", "baltic", Phase.read("F1901M"))
    'S1901M'
    """
    topic = topic_of(subject)[:200]
    match = _TAG.match(topic)
    if topic == subject.strip()[:200] or match is None or match[1].lower() != game:
        return ""
    words = tokens_of(topic[match.end() :])
    found = (read_phase(" ".join(words[:count]), calendar, current) for count in (3, 2, 1))
    return next((phase for phase in found if phase), "")
