"""Words and facts that letters share: what is on file, powers, lists, numbers, and moments, in the game's zone with its
offset, then in the reader's own.

One rule of courtesy lives here: a deadline at midnight is written as 23:59 of the day that ends, because
"midnight on Friday" has been misread for as long as games have been played by mail. The judge counts by the true
moment; the reader's own time is that of the same last minute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache, reduce
from typing import Any

from judge.board.model import Board, province_of
from judge.game.core.model import Game
from judge.game.instructions.kinds import Conditional, Instruction, Ranked
from judge.languages import SPOKEN, Language, moments_spelled, spoken, tell, tell_counted
from judge.orders.model import Retreat
from judge.orders.spelled import build_words, listed, order_words, place
from judge.pace import FIXED_ZONES, zone_info


def instruction_words(instruction: Instruction, board: Board, *, adjusting: bool = False) -> str:
    """What is on file, spelled out with its condition or its list: "if Italy owns Trieste: build F Brest"."""
    if isinstance(instruction, Conditional):
        said = [
            tell(
                "if {condition}: {order}",
                condition=branch.condition.words(board),
                order=instruction_words(branch.order, board, adjusting=adjusting),
            )
            if branch.condition
            else instruction_words(branch.order, board, adjusting=adjusting)
            for branch in instruction.branches
        ]
        return reduce(_otherwise, said)
    if isinstance(instruction, Ranked):
        first, *others = instruction.orders
        places = [place(each.to, board) if isinstance(each, Retreat) else tell("or disband") for each in others]
        return ", ".join([order_words(first, board), *places])
    return order_words(instruction, board, adjusting=adjusting)


def _otherwise(before: str, after: str) -> str:
    return tell("{before}; otherwise {after}", before=before, after=after)


def order_text(code: str, board: Board, *, adjusting: bool = False) -> str:
    """A line that is offered to be sent, with its places spelled out; words that name no place stay."""
    return _order_text(code, board, adjusting, SPOKEN.get())


@lru_cache(maxsize=1 << 12)
def _order_text(code: str, board: Board, adjusting: bool, _language: Language) -> str:  # noqa: FBT001  a cache tells keywords from places
    words = code.split()
    if len(words) == 3 and words[2] == "B":
        return build_words(words[0], words[1], board)
    if len(words) == 3 and words[2] == "D" and adjusting:
        return tell("remove {unit}", unit=f"{words[0]} {_word(words[1], board)}")
    return tell("waive") if code == "WAIVE" else " ".join(_word(word, board) for word in words)


def _word(word: str, board: Board) -> str:
    """A place of a line in its full name, also with the number of one unit of several there ("PAR#2")."""
    where, mark, number = word.partition("#")
    return f"{place(where, board)}{mark}{number}" if _is_place(where, board) else word


def _is_place(word: str, board: Board) -> bool:
    return len(word) > 1 and province_of(word) in board.provinces


def kept(text: str) -> str:
    """Words that belong on one line: their blanks become no-break spaces, which layouts honour and then drop."""
    return text.replace(" ", "\u00a0")


def power_name(power: str, board: Board) -> str:
    """A power as the board prints it: "Austria"; words that are no power ("GM") get their own name."""
    if power in OTHERS:
        return tell(OTHERS[power])
    known = board.powers.get(power)
    return tell(known.name) if known else power.title()


def powers_named(powers: tuple[str, ...], board: Board) -> str:
    """Powers as a sentence lists them: "Austria-Hungary, England and France"; "" for none."""
    return _powers_named(powers, board, spoken())


@lru_cache(maxsize=1 << 10)
def _powers_named(powers: tuple[str, ...], board: Board, language: Language) -> str:
    return listed([power_name(power, board) for power in powers])


OTHERS = {
    "GM": "the Gamemaster", "gm": "the Gamemaster", "OBSERVERS": "the observers", "EDITORS": "the editors",
    "ALL": "everybody",
}  # fmt: skip
"""Readers of press that are not powers."""


def many(number: int, word: str, plural: str = "") -> str:
    """A number and its noun: "1 unit", "2 units"."""
    return f"{number} {tell_counted(number, word, plural or word + 's')}"


_IRREGULAR = {"has": "have", "is": "are", "was": "were"}


def agreed(verb: str, subjects: int) -> str:
    """A verb in the third person, in the plural unless there is one subject.

    >>> agreed("proposes", 1), agreed("proposes", 2), agreed("has", 2)
    ('proposes', 'propose', 'have')
    """
    return tell_counted(subjects, verb, _IRREGULAR.get(verb, verb.removesuffix("s")))


def few(names: Sequence[str], word: str = "power") -> str:
    """Names for a subject line: one name as it is, several as a number. `names` must not be empty.

    >>> few(["England"]), few(["England", "France", "Turkey"])
    ('England', '3 powers')
    """
    return names[0] if len(names) == 1 else many(len(names), word)


@dataclass(frozen=True, slots=True)
class Said:
    """A fact to be put into words: the key of its sentence, and what the sentence tells."""

    key: str
    facts: Mapping[str, Any]


Text = Said | str
"""Something to be read: a fact to be put into words, or words that are somebody's own."""


def say(key: str, /, **facts: Any) -> Said:
    """A fact under its key.

    >>> say("vote-passed", number=3)
    Said(key='vote-passed', facts={'number': 3})
    """
    return Said(key, facts)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment in UTC, the IANA zone of its game, the IANA zone of the reader ("" if not known or not needed), and a
    fact to print beside it.
    """

    at: datetime
    zone: str
    own: str = ""
    note: Text = ""


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody in a game. `what`: "powers" (with their names), "seat" (with its number) before the lot, "gm" (with the
    name of the deputy who acts for them, if one does), "judge",
    "observers", "editors", "everybody"; of one reader without a seat "deputy", "observer", "editor".
    """

    what: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PhaseFact:
    """A phase of a game, with the words of that game's calendar: "F1901R", "December 1901 retreats", "F1901
    Retreats"."""

    code: str
    title: str
    label: str


def phase_fact(game: Game, code: str) -> PhaseFact:
    """A phase of a game, for templates to name."""
    return PhaseFact(code, game.calendar.title(code), game.calendar.label(code))


DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def offset(at: datetime) -> str:
    """The offset of an aware local time: "UTC-5", "UTC+5:30", "UTC".

    >>> from zoneinfo import ZoneInfo
    >>> offset(datetime(2027, 1, 8, tzinfo=ZoneInfo("Asia/Kolkata")))
    'UTC+5:30'
    """
    minutes = int((at.utcoffset() or timedelta()).total_seconds() // 60)
    if not minutes:
        return "UTC"
    sign, (hours, rest) = ("-" if minutes < 0 else "+"), divmod(abs(minutes), 60)
    return f"UTC{sign}{hours}" + (f":{rest:02}" if rest else "")


def abbreviation(at: datetime, zone: str) -> str:
    """The zone's abbreviation at that time: "EST", "CET"; the offset if it has none.

    A fixed zone ("EST" as UTC-5 all year) is called by the word of the setting.
    """
    if zone in FIXED_ZONES:
        return zone
    name = at.tzname() or ""
    return name if name.isalpha() else offset(at)


def day(at: datetime) -> str:
    """ "Fri 8 Jan 2027" of a local time."""
    return tell("{weekday} {day} {month} {year}", **_named(at), year=at.year)


def _short_day(at: datetime) -> str:
    """ "Fri 8 Jan" of a local time."""
    return tell("{weekday} {day} {month}", **_named(at))


def _named(at: datetime) -> dict[str, object]:
    """Weekday, day and month of a local time, in words."""
    return {"weekday": tell(DAYS[at.weekday()]), "day": at.day, "month": tell(MONTHS[at.month - 1])}


def last_minute(at: datetime, zone: str) -> datetime:
    """The minute to print for a deadline: that before midnight where it falls on midnight in the game's zone."""
    local = at.astimezone(_zone(zone))
    at_midnight = (local.hour, local.minute, local.second) == (0, 0, 0)
    return at - timedelta(minutes=1) if at_midnight else at


def written(at: datetime, zone: str) -> str:
    """A moment in one zone, as official times are written.

    >>> from datetime import UTC
    >>> written(datetime(2027, 1, 9, 4, 59, tzinfo=UTC), "America/New_York")
    'Fri 8 Jan 2027, 23:59 EST (UTC-5)'
    """
    local = at.astimezone(_zone(zone))
    name, distance = abbreviation(local, zone), offset(local)
    return f"{day(local)}, {local:%H:%M} {name}" + ("" if name == distance else f" ({distance})")


def short(at: datetime, zone: str) -> str:
    """A deadline for a subject line: "Fri 8 Jan 23:59 EST"."""
    local = last_minute(at, zone).astimezone(_zone(zone))
    return f"{_short_day(local)} {local:%H:%M} {abbreviation(local, zone)}"


def of_day(at: datetime, zone: str) -> str:
    """The day of a deadline, for a subject that has no room for more: "Fri 8 Jan"."""
    return _short_day(last_minute(at, zone).astimezone(_zone(zone)))


def deadline(at: datetime, zone: str) -> str:
    """A deadline in the game's zone: "Fri 8 Jan 2027, 23:59 EST (UTC-5)"."""
    return written(last_minute(at, zone), zone)


def theirs(at: datetime, zone: str, own: str) -> str:
    """The same deadline in the reader's own zone: "Sat 9 Jan, 05:59 CET"; "" where their clock shows the same.

    >>> from datetime import UTC
    >>> theirs(datetime(2027, 1, 9, 5, 0, tzinfo=UTC), "America/New_York", "Europe/Berlin")
    'Sat 9 Jan, 05:59 CET'
    """
    if not own:
        return ""
    try:
        _zone(own)
    except (KeyError, ValueError, OSError):  # a zone that this system has forgotten; the official time stands alone
        return ""
    minute = last_minute(at, zone)
    game, mine = minute.astimezone(_zone(zone)), minute.astimezone(_zone(own))
    if game.utcoffset() == mine.utcoffset():
        return ""
    return f"{_short_day(mine)}, {mine:%H:%M} {abbreviation(mine, own)}"


def apart(was: datetime, now: datetime, zone: str) -> str:
    """The difference between a moment and the one that it replaces, in local time: "3 days later"; "" for the same.

    >>> from datetime import UTC
    >>> apart(datetime(2027, 3, 13, 5, tzinfo=UTC), datetime(2027, 3, 16, 4, tzinfo=UTC), "America/New_York")
    '3 days later'
    """
    first, second = (at.astimezone(_zone(zone)).replace(tzinfo=None) for at in (was, now))
    minutes = int((second - first).total_seconds()) // 60
    (days, rest), word = divmod(abs(minutes), 1440), "later" if minutes > 0 else "earlier"
    parts = [(days, "day"), (rest // 60, "hour"), (rest % 60, "minute")]
    said = listed(f"{count} {tell_counted(count, name, name + 's')}" for count, name in parts if count)
    return tell("{span} {later}", span=said, later=tell(word)) if said else ""


def spelled(text: str, zone: str, own: str) -> str:
    """A sentence with its moments written in the game's zone, and in the reader's where their clock shows another time.

    >>> from datetime import UTC
    >>> from judge.languages import moment_mark
    >>> spelled(moment_mark(datetime(2027, 1, 9, 5, 0, tzinfo=UTC)), "America/New_York", "Europe/Berlin")
    'Fri 8 Jan 23:59 EST (yours: Sat 9 Jan, 05:59 CET)'
    """

    def spell(at: datetime) -> str:
        mine = theirs(at, zone, own)
        return tell("{moment} (yours: {theirs})", moment=short(at, zone), theirs=mine) if mine else short(at, zone)

    return moments_spelled(text, spell)


def received(at: datetime, zone: str) -> str:
    """The moment a mail arrived, to the second: "Thu 14 Jan 2027, 21:14:07 EST"."""
    local = at.astimezone(_zone(zone))
    return f"{day(local)}, {local:%H:%M:%S} {abbreviation(local, zone)}"


@lru_cache(maxsize=64)
def _zone(name: str) -> tzinfo:
    return zone_info(name or "UTC")
