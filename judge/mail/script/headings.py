"""Headings: "tannenburg france F1901", "Orders for France:", "for S1902:", tags of our subjects, and unreadable ones.

What stands below a heading that cannot be read is for something that we do not know, so none of it is done. A line
counts as such a heading only if it has the shape of one and stands where one can; other lines are chatter, and what
stands below them is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from judge.board.abroad import phase_words_abroad
from judge.board.names import gazetteer_of
from judge.board.phase import Phase
from judge.board.spelling import allowance, nearest, slips
from judge.game.core.parts import BELOW_UNREADABLE
from judge.game.office.desk import RESERVED
from judge.languages import tell, together
from judge.mail.envelope.reader import topic_of
from judge.mail.script.phrases import ordering as phrases
from judge.mail.vocabulary import Around, Heading, Unclear
from judge.mail.vocabulary.clauses import known_game
from judge.mail.vocabulary.powers import is_power_word
from judge.rules.calendar import CALENDAR_1976, Calendar, read_phase, read_season, season_names

_LONGEST = 100
_MOST_TOKENS = 12
_NEVER_NAMES = phrases.SILENT & RESERVED
"""Of these, the words that no game, power or phase can be called: most subjects are one of them."""

_TOKEN = re.compile(r"[^\s:,;()\[\]<>#/=|]+")
_SEAT = re.compile(r"[^\W\d_]{3,20}@[A-Za-z][A-Za-z0-9-]{1,31}")
_TAG = re.compile(r"^\s*\[([\w-]{1,40})\]\s*")
_PASTED = re.compile(r"\s*(?:[^\W\d_]{2,8}\s*:\s*)*(?=\[)")
""" "Subject: Re: " before a tag that was pasted into a mail."""

_LONGEST_LINE = 2000
_NOTHING = {"game": "", "power": "", "turn": ""}


def read_heading(text: str, around: Around) -> Heading | None:
    """A line that only says for what the lines below are; None for any other line.

    Game, power and phase may come in any order, each at most once, between words such as "orders for".
    """
    if len(text) > _LONGEST:
        return None
    tokens = heading_words(text)
    if not tokens or len(tokens) > _MOST_TOKENS:
        return None
    spoken = not text.rstrip().endswith(":") and any(token.lower() in phrases.SPOKEN for token in tokens)
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
        elif tokens[at].lower() not in phrases.SILENT:
            return None
        at += taken
    if not any(found.values()) and not text.rstrip().endswith(":"):
        return None
    return Heading(found["game"], found["power"], found["turn"] or _present(tokens, around))


def _present(tokens: list[str], around: Around) -> str:
    """The phase that "this turn", "now" and the like name; "" where no such words stand."""
    words = {token.lower() for token in tokens}
    here = words & phrases.NOW or ("this" in words and words & phrases.TURNS)
    return str(around.phase) if here and around.phase else ""


def heading_words(text: str) -> list[str]:
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
    game = _game(word.strip("[]:,"), around) if phrases.BEGINS_ORDERS.match(orders) else ""
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
    words = heading_words(topic[match.end() :])
    found = (read_phase(" ".join(words[:count]), calendar, current) for count in (3, 2, 1))
    return next((phase for phase in found if phase), "")


class HeadingKind(StrEnum):
    """What a heading was meant to name."""

    GAME = "game"
    POWER = "power"
    TURN = "turn"
    PRESS = "press"
    """Somebody to whom what stands below was to go."""
    NOT_PLAYED = "not played"
    """A power that is out of the game."""
    CASE = "case"
    """A condition above the orders that hang on it, without the ENDIF that would make it one of ours."""


@dataclass(frozen=True, slots=True)
class UnreadableHeading:
    """A heading that cannot be read: its line number, its text, and what it was to name."""

    line: int
    text: str
    kind: HeadingKind

    @property
    def shown(self) -> str:
        """Where it stands, for letters."""
        return f"line {self.line}" if self.line else tell("the subject")


_LONGEST_UNREAD = 60
_LONGEST_TAGGED = 120
_MOST_WORDS = 5
_MOST_LISTED = 500
_NEAR = 0.75

_SEAT_BY_ITSELF = re.compile(r"[^\W\d_]{1,20}@[A-Za-z][A-Za-z0-9-]{1,31}[.:]?")
_CODE = re.compile(r"[^\W\d_]{1,6}['’.-]?(?=\w*\d)[\dOol]{2,6}[^\W\d_]{0,2}")
""" "X1901M", and "F19O1" with a letter for a figure."""
_NUMBER = re.compile(r"['’]?(?=\w*\d)[\dOol]{1,6}[^\W\d_]{0,2}")
_KEY = re.compile(r"[a-z][a-z0-9-]{2,31}")
_MARKS = re.compile(r"(?P<mark>[=*_~#<>({|-]{1,5})\s*(?P<said>\S.*?)\s*[=*_~#<>)}|-]{1,5}:?")

_LONGEST_CASE = 120
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
""" "1902" alone on a line, "Herbst 1901", "March 1901"."""


def unreadable_heading(number: int, text: str, around: Around, *, subject: bool = False) -> UnreadableHeading | None:
    """The unreadable heading that a line is, or None. In a `subject`, which has no colon at its end, only the clear
    cases count.
    """
    line = " ".join(text.split())
    if not subject and len(line) <= _LONGEST_TAGGED and _tagged(line, around):
        return UnreadableHeading(number, text, HeadingKind.GAME)
    words = heading_words(line)
    if not words or len(line) > _LONGEST_UNREAD or len(words) > _MOST_WORDS:
        return None
    set_off = _MARKS.fullmatch(line)
    colon = (line.endswith(":") or set_off is not None) and not subject
    left = _unknown(words, around)
    for kind, found in (
        (HeadingKind.PRESS, not subject and _addressed(line, around)),
        (HeadingKind.GAME, _seat(line) or phrases.NAMED.fullmatch(line) or (colon and _other_game(line, left))),
        (HeadingKind.GAME, not subject and (phrases.ANOTHER.fullmatch(line) or _beside_a_phase(words, left, around))),
        (HeadingKind.TURN, phrases.COUNTED.fullmatch(line) or _phase(line, words, around.calendar, colon=colon)),
        (HeadingKind.GAME, (colon or len(words) > 1) and _near_game(left, around)),
        (HeadingKind.NOT_PLAYED, (colon or len(words) > 1) and _not_played(left, around)),
        (HeadingKind.POWER, (colon or len(words) > 1) and _near_power(left, around)),
    ):
        if found:
            return UnreadableHeading(number, text, kind)
    return None


def case_above(number: int, text: str) -> UnreadableHeading | None:
    """The condition that a line puts above orders: "If Germany is in Belgium:"; None for any other line."""
    line = " ".join(text.split())
    return (
        UnreadableHeading(number, text, HeadingKind.CASE)
        if len(line) <= _LONGEST_CASE and phrases.CASE.fullmatch(line)
        else None
    )


def ask_about_heading(heading: UnreadableHeading) -> Unclear:
    """What to say of the heading itself."""
    if match := phrases.NAMED.fullmatch(heading.text):
        return no_such_game(match["name"] or match["before"])
    shown = " ".join(heading.text.split())[:_LONGEST_UNREAD].rstrip(":")
    if heading.kind is HeadingKind.NOT_PLAYED:
        said = tell('"{shown}" names a power that is not played in this game, so nothing of it was taken.', shown=shown)
        return Unclear("power-not-played", said)
    said = {
        HeadingKind.PRESS: tell(
            '"{shown}" sends nothing: press begins with a line such as `press to Germany`', shown=shown
        ),
        HeadingKind.GAME: tell('I know no game or power that "{shown}" names', shown=shown),
        HeadingKind.POWER: tell('I know no power that "{shown}" names', shown=shown),
        HeadingKind.CASE: tell(
            'I cannot follow "{shown}" above orders; write it in each line, or put ENDIF below them', shown=shown
        ),
        HeadingKind.TURN: tell('I cannot tell which phase "{shown}" names; write it like `for F1901:`', shown=shown),
    }[heading.kind]
    return Unclear(
        "no-such-heading",
        tell("{said}. Nothing below it was done, down to the next heading that I can read.", said=said),
    )


def belongs_below(heading: UnreadableHeading, order: str = "") -> Unclear:
    """What to say of a line below it; an `order` that could be given here and now may be sent alone."""
    if match := phrases.NAMED.fullmatch(heading.text):
        return no_such_game(match["name"] or match["before"], order)
    sentence = tell("It is below {shown}, a heading that I cannot read, so nothing was done.", shown=heading.shown)
    advice = (
        tell("If it is for this game and this turn, send it without the heading.") if order else tell("Send it again.")
    )
    return Unclear(BELOW_UNREADABLE, together(sentence, advice), (order,) if order else ())


def no_such_game(name: str, order: str = "") -> Unclear:
    """What to say to orders for a game that nobody knows."""
    said = tell(
        'I know no game "{name}" of yours, so that ordered nothing. For this game, send the order without the name.',
        name=name,
    )
    return Unclear("no-such-game", said, (order,) if order else ())


def _seat(line: str) -> bool:
    """ "france@tagos", also behind a misspelled "sign on"."""
    return any(_SEAT_BY_ITSELF.fullmatch(word) for word in line.split()[:3])


def _tagged(line: str, around: Around) -> bool:
    """ "[tagos]", "Re: [tagos] S1901 Moves: orders due": the tag of a game that nobody knows."""
    match = phrases.ANY_TAG.fullmatch(line)
    if match is None or (
        match["rest"] and part_at(heading_words(match["rest"]) or [""], 0, _NOTHING, around)[0] is None
    ):
        return False
    name = match["name"].strip().lower()
    if phrases.ANOTHER.fullmatch(name):
        return True
    return (
        _KEY.fullmatch(name) is not None and name not in phrases.NO_TAG and not part_at([name], 0, _NOTHING, around)[0]
    )


def _beside_a_phase(words: list[str], left: list[str], around: Around) -> bool:
    """ "tagos S1901", "orders tagos - Spring 1901": a small word beside nothing but a year's phase; a name is large.
    `left`: the words that are no part of a heading.
    """
    if (
        len(left) != 1
        or not _KEY.fullmatch(left[0])
        or left[0] in phrases.NO_TAG
        or not any(map(str.isdigit, "".join(words)))
    ):
        return False
    rest = [word for word in words if word != left[0]]
    return len(rest) < len(words) <= _MOST_WORDS and any(
        part_at(rest, at, _NOTHING, around, undated=False)[0] is not None for at in range(len(rest))
    )


def _addressed(line: str, around: Around) -> bool:
    """ "To Germany:", "@Russia:"."""
    match = phrases.PRESS.fullmatch(line)
    name = match["name"].strip(" ,") if match else ""
    return bool(name) and around.board is not None and bool(gazetteer_of(around.board).power(name))


def _other_game(line: str, left: list[str]) -> bool:
    """ "Orders for verona:": the only word that is no part of a heading stands where a game's name would."""
    match = phrases.FOR.match(line)
    if match is None or len(left) != 1 or not _KEY.fullmatch(left[0].lower()):
        return False
    return left[0].lower() not in phrases.NOBODY | phrases.WHEN and heading_words(line[match.end() :])[:1] == left


def _phase(line: str, words: list[str], calendar: Calendar, *, colon: bool) -> bool:
    """ "PHASE Fall 19011", "X1901M", "for next year:", "Autumn retreats:"."""
    left = [word for word in words if word.lower() not in phrases.SILENT]
    headed = colon or line.lower().startswith(("phase", "for ", "orders for ", "moves for "))
    if not left:
        return False
    first, rest = left[0], left[1:]
    if rest and _NUMBER.fullmatch(first) and _is_season(rest[0], calendar):
        first, rest = rest[0], [first, *rest[1:]]
    if not rest and _CODE.fullmatch(first):
        return True
    abbreviated = first != "a" and rest and _NUMBER.fullmatch(rest[0]) and _begins_season(first, calendar)
    if (abbreviated or _is_season(first, calendar)) and (rest or headed):
        dated = any(_NUMBER.fullmatch(word) for word in rest)
        others = [word for word in rest if not _NUMBER.fullmatch(word) and word.lower() not in phrases.AFTER_SEASON]
        return (dated and len(others) <= 1) or (headed and not others)
    named = any(word.lower() in phrases.WHEN or re.fullmatch(r"\d[\dOol]{3}", word) for word in left)
    plain = all(word.lower() in phrases.WHEN | phrases.AFTER_SEASON or _NUMBER.fullmatch(word) for word in left)
    if named and plain and (headed or not phrases.TURN_WORDS.isdisjoint(word.lower() for word in words)):
        return True
    if len(words) == len(left) <= 2 and _YEAR.fullmatch(left[-1]) and left[0][0].isupper() | (len(left) == 1):
        return True
    return line.lower().startswith("phase ") and (len(words) <= 2 or any(map(str.isdigit, line)))


def _is_season(word: str, calendar: Calendar) -> bool:
    typed = word.lower()
    if any(typed in phase_words_abroad(season.name) for season in calendar.seasons):
        return True
    near = (slips(typed, name, min(allowance(typed), 1)) for name in season_names(calendar) if len(typed) > 3)
    return any(distance is not None for distance in near)


def _begins_season(word: str, calendar: Calendar) -> bool:
    return any(name.startswith(word.lower()) for name in season_names(calendar))


def _near_game(left: list[str], around: Around) -> bool:
    """A game's name misspelled, where everything else is a part of a heading, and something else is there."""
    if len(left) != 1:
        return False
    listed = list(islice(around.games, _MOST_LISTED)) if _KEY.fullmatch(left[0].lower()) else []
    return bool(nearest(left[0].lower(), listed, least=_NEAR))


def _not_played(left: list[str], around: Around) -> bool:
    return around.board is not None and len(left) == 1 and bool(gazetteer_of(around.board).not_played(left[0]))


def _near_power(left: list[str], around: Around) -> bool:
    """Another power's name misspelled; one's own stands for oneself, whatever its letters are."""
    if around.board is None or len(left) != 1:
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
        elif words[at].lower() not in phrases.SILENT:
            left.append(words[at])
        at += taken
    return left
