"""Headings that cannot be read: what stands below one is for something that we do not know, so none of it is done.

A line counts as such a heading only if it has the shape of one and stands where one can; other lines are chatter, and
what stands below them is read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from judge.board.names import gazetteer_of
from judge.board.spelling import allowance, nearest, slips
from judge.game.core.parts import ASTRAY
from judge.mail.script.headings import SILENT, part_at, tokens_of
from judge.mail.vocabulary import Around, Unclear
from judge.rules.calendar import Calendar
from judge.rules.spoken import season_names


class What(StrEnum):
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
_LONGEST_TAGGED = 120
_MOST_WORDS = 5
_MOST_LISTED = 500
_NEAR = 0.75

_SEAT = re.compile(r"[^\W\d_]{1,20}@[A-Za-z][A-Za-z0-9-]{1,31}[.:]?")
_CODE = re.compile(r"[^\W\d_]{1,6}['’.-]?(?=\w*\d)[\dOol]{2,6}[^\W\d_]{0,2}")
""" "X1901M", and "F19O1" with a letter for a figure."""
_NUMBER = re.compile(r"['’]?(?=\w*\d)[\dOol]{1,6}[^\W\d_]{0,2}")
_KEY = re.compile(r"[a-z][a-z0-9-]{2,31}")
_FOR = re.compile(
    r"(?:(?:and|now|also|next|then)\s+)?"
    r"(?:(?:my |the |our )?(?:orders?|moves?|builds?|retreats?) (?:for|in)|for)(?: (?:the |my )?game)?\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\s*(?:(?:(?:(?:my |the |our )?(?:orders?|moves?) )?(?:for|in) )?(?:(?:the|my|our)\s+)?(?:game|spiel|partie)"
    r"(?:\s+name)?\s*[:=#]?\s+(?P<name>[^\W\d_][\w-]{1,39})|(?:(?:orders|moves) (?:for|in) )?(?:the )?"
    r"(?P<before>(?!other|second|third|next|last|first|same|my|this|our|whole|new|old)[a-z][a-z0-9-]{2,31})"
    r"\s+(?:game|spiel|partie)\s*:)[\s.:]*",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"(?:(?:and |now )?(?:(?:my |the )?(?:orders|moves) )?(?:for|in) )?(?:(?:the|my|our) )?"
    r"(?:(?:other|second|third|next) game|game\s*(?:#|no\.?|number)?\s*\d{1,3})\s*:?",
    re.IGNORECASE,
)
""" "For the other game:", "Game 2"."""
_TAG = re.compile(
    r"(?:(?:subject|betreff|objet|asunto|oggetto|re|aw|fwd?|wg)\s*:\s*)*\[(?P<name>[^\[\]]{2,40})\]\s*(?P<rest>[^:].*)?:?",
    re.IGNORECASE,
)
""" "[tagos]", as in the subjects of our letters."""
_MARKS = re.compile(r"(?P<mark>[=*_~#<>({|-]{1,5})\s*(?P<said>\S.*?)\s*[=*_~#<>)}|-]{1,5}:?")
_PRESS = re.compile(r"(?:to|@|an|für|fuer|à|para|aan)\s*:?\s*(?P<name>\S.{1,30}?)\s*:", re.IGNORECASE)
""" "To Germany:" above words that were hardly for the judge."""
_NO_TAG = frozenset(
    (
        *("snip", "cut", "sic", "end", "begin", "start", "orders", "order", "moves", "move", "draft", "final", "new"),
        *("ext", "external", "extern", "internal", "spam", "bulk", "secure", "encrypted", "confidential", "public"),
        *("image", "photo", "logo", "picture", "attachment", "attached", "smile", "grin", "joke", "done", "note"),
        *("update", "updated", "corrected", "correction", "edit", "edited", "thanks", "please", "quote", "text"),
        *("truncated", "deleted", "removed", "redacted", "signed", "signature", "unsigned", "yes", "none", "list"),
    )
)

_WHEN = frozenset({"next", "last", "previous", "following", "coming", "later", "year", "years"})
_CASE = re.compile(
    r"(?:(?:and|but|only|even|or|so)\s+)?"
    r"(?:if|unless|else|otherwise|in case|provided|assuming|should|when|suppose)\b.*:",
    re.IGNORECASE,
)
_LONGEST_CASE = 120
_TURNS = frozenset({"turn", "phase", "season", "year", "moves"})
_COUNTED = re.compile(r"(?:(?:orders|moves) for )?(?:turn|season|zug|tour|turno)\s*(?:#|no\.?)?\s*\d{1,5}\s*:?", re.I)
_SEASONS_ABROAD = frozenset(
    (
        *("frühjahr", "frühling", "fruehjahr", "sommer", "herbst", "printemps", "été", "automne", "hiver"),
        *("primavera", "verano", "otoño", "otono", "invierno", "estate", "autunno", "inverno"),
        *("voorjaar", "lente", "zomer", "herfst", "najaar"),
    )
)
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
""" "1902" alone on a line, "Herbst 1901", "March 1901"."""

_NOTHING = {"game": "", "power": "", "turn": ""}
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
    """The unreadable heading that a line is, or None. In a `subject`, which has no colon at its end, only the clear
    cases count.
    """
    line = " ".join(text.split())
    if not subject and len(line) <= _LONGEST_TAGGED and _tagged(line, around):
        return Astray(number, text, What.GAME)
    words = tokens_of(line)
    if not words or len(line) > _LONGEST or len(words) > _MOST_WORDS:
        return None
    set_off = _MARKS.fullmatch(line)
    colon = (line.endswith(":") or set_off is not None) and not subject
    left = _unknown(words, around)
    for what, found in (
        (What.PRESS, not subject and _addressed(line, around)),
        (What.GAME, _seat(line) or _NAMED.fullmatch(line) or (colon and _other_game(line, left))),
        (What.GAME, not subject and (_ANOTHER.fullmatch(line) or _beside_a_phase(words, left, around))),
        (What.TURN, _COUNTED.fullmatch(line) or _phase(line, words, around.calendar, colon=colon)),
        (What.GAME, (colon or len(words) > 1) and _near_game(left, around)),
        (What.NOT_PLAYED, (colon or len(words) > 1) and _not_played(left, around)),
        (What.POWER, (colon or len(words) > 1) and _near_power(left, around)),
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
        return no_such_game(match["name"] or match["before"])
    if heading.what is What.NOT_PLAYED:
        said = f'"{_short(heading)}" names a power that is not played in this game, so nothing of it was taken.'
        return Unclear("power-not-played", said)
    said = {
        What.PRESS: f'"{_short(heading)}" sends nothing: press begins with a line such as `press to Germany`',
        What.GAME: f'I know no game or power that "{_short(heading)}" names',
        What.POWER: f'I know no power that "{_short(heading)}" names',
        What.CASE: f'I cannot follow "{_short(heading)}" above orders; write it in each line, or put ENDIF below them',
        What.TURN: f'I cannot tell which phase "{_short(heading)}" names; write it like `for F1901:`',
    }[heading.what]
    return Unclear("no-such-heading", f"{said}. Nothing below it was done, down to the next heading that I can read.")


def belongs_below(heading: Astray, order: str = "") -> Unclear:
    """What to say of a line that stands below it; an `order` that could be given here and now may be sent alone."""
    if match := _NAMED.fullmatch(heading.text):
        return no_such_game(match["name"] or match["before"], order)
    sentence = f"It is below {heading.shown}, a heading that I cannot read, so nothing was done."
    advice = " If it is for this game and this turn, send it without the heading." if order else " Send it again."
    return Unclear(ASTRAY, sentence + advice, (order,) if order else ())


def no_such_game(name: str, order: str = "") -> Unclear:
    """What to say to orders for a game that nobody knows."""
    said = f'I know no game "{name}" of yours, so that ordered nothing. For this game, send the order without the name.'
    return Unclear("no-such-game", said, (order,) if order else ())


def _short(heading: Astray) -> str:
    return " ".join(heading.text.split())[:_LONGEST].rstrip(":")


def _seat(line: str) -> bool:
    """ "france@tagos", also behind a misspelled "sign on"."""
    return any(_SEAT.fullmatch(word) for word in line.split()[:3])


def _tagged(line: str, around: Around) -> bool:
    """ "[tagos]", "Re: [tagos] S1901 Moves: orders due": the tag of a game that nobody knows."""
    match = _TAG.fullmatch(line)
    if match is None or (match["rest"] and part_at(tokens_of(match["rest"]) or [""], 0, _NOTHING, around)[0] is None):
        return False
    name = match["name"].strip().lower()
    if _ANOTHER.fullmatch(name):
        return True
    return _KEY.fullmatch(name) is not None and name not in _NO_TAG and not part_at([name], 0, _NOTHING, around)[0]


def _beside_a_phase(words: list[str], left: list[str], around: Around) -> bool:
    """ "tagos S1901", "orders tagos - Spring 1901": a small word beside nothing but a year's phase; a name is large.
    `left`: the words that are no part of a heading.
    """
    if len(left) != 1 or not _KEY.fullmatch(left[0]) or left[0] in _NO_TAG or not any(map(str.isdigit, "".join(words))):
        return False
    rest = [word for word in words if word != left[0]]
    return len(rest) < len(words) <= _MOST_WORDS and any(
        part_at(rest, at, _NOTHING, around, undated=False)[0] is not None for at in range(len(rest))
    )


def _addressed(line: str, around: Around) -> bool:
    """ "To Germany:", "@Russia:"."""
    match = _PRESS.fullmatch(line)
    name = match["name"].strip(" ,") if match else ""
    return bool(name) and around.board is not None and bool(gazetteer_of(around.board).power(name))


def _other_game(line: str, left: list[str]) -> bool:
    """ "Orders for verona:": the only word that is no part of a heading stands where a game's name would."""
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
    if rest and _NUMBER.fullmatch(first) and _is_season(rest[0], calendar):
        first, rest = rest[0], [first, *rest[1:]]
    if not rest and _CODE.fullmatch(first):
        return True
    abbreviated = rest and _NUMBER.fullmatch(rest[0]) and _begins_season(first, calendar)
    if (abbreviated or _is_season(first, calendar)) and (rest or headed):
        dated = any(_NUMBER.fullmatch(word) for word in rest)
        others = [word for word in rest if not _NUMBER.fullmatch(word) and word.lower() not in _AFTER_SEASON]
        return (dated and len(others) <= 1) or (headed and not others)
    named = any(word.lower() in _WHEN or re.fullmatch(r"\d[\dOol]{3}", word) for word in left)
    plain = all(word.lower() in _WHEN | _AFTER_SEASON or _NUMBER.fullmatch(word) for word in left)
    if named and plain and (headed or not _TURNS.isdisjoint(word.lower() for word in words)):
        return True
    if len(words) == len(left) <= 2 and _YEAR.fullmatch(left[-1]) and left[0][0].isupper() | (len(left) == 1):
        return True
    return line.lower().startswith("phase ") and (len(words) <= 2 or any(map(str.isdigit, line)))


def _is_season(word: str, calendar: Calendar) -> bool:
    typed = word.lower()
    if typed in _SEASONS_ABROAD:
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
        elif words[at].lower() not in SILENT:
            left.append(words[at])
        at += taken
    return left
