"""An issue of a zine as one frozen value: everything that is printed, before it has a face.

The desk makes it out of items, results and the register; the faces (`text`, `html`, `pdf`, `epub`) print it, each all
of it. It holds words, numbers and names that are ready to be read, never markup of a face, and nothing that a reader
must not know: what is secret is left out when it is made. Pictures are named here and handed to the faces beside it,
as bytes.

`frozen(issue)` is JSON text that may be stored; `thawed(text)` is the issue again. Fields that are added later have a
default, so that what was stored stays readable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from hashlib import sha256
from typing import Any

import msgspec

from judge.game.core.commands import Colour
from judge.languages import tell
from judge.orders.spelled import listed


@dataclass(frozen=True, slots=True)
class Byline:
    """Somebody who is named with an address, as zines write it: "ebrosius@lucy.test/Eric Brosius"."""

    name: str
    address: str = ""

    def __str__(self) -> str:
        """
        >>> str(Byline("Eric Brosius", "ebrosius@lucy.test")), str(Byline("Eric Brosius"))
        ('ebrosius@lucy.test/Eric Brosius', 'Eric Brosius')
        """
        return "/".join(filter(None, (self.address, self.name)))


@dataclass(frozen=True, slots=True)
class Masthead:
    """What stands above an issue. `zine`: its name as the editor writes it; `key`: the part of its address that names
    it ("electronic-protocol"); `address`: where one writes to it; `suffix`: "a" of the first errata of an issue, "" of
    the issue itself; `date`: its day of publication in the zine's zone; `title`: of this issue, "" for none.
    """

    zine: str
    number: int
    date: date
    editor: Byline
    key: str = ""
    address: str = ""
    suffix: str = ""
    title: str = ""

    @property
    def issue(self) -> str:
        """How it is called: "#96", "#96a"."""
        return f"#{self.number}{self.suffix}"


@dataclass(frozen=True, slots=True)
class Epigraph:
    """A quotation or a joke to begin with, and where it is from ("Erehwon #82")."""

    text: str
    credit: str = ""


# -- games -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReportedOrder:
    """One order as the report has it ("A Paris - Burgundy"), and whether it failed."""

    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class PowerOrders:
    """All orders of one power in one phase."""

    power: str
    orders: tuple[ReportedOrder, ...]


@dataclass(frozen=True, slots=True)
class ReportedPhase:
    """What happened in one phase. `title`: "Fall 1901 moves"; `said`: a sentence that stands instead of orders where
    there were none; `missing`: powers that sent nothing.
    """

    title: str
    powers: tuple[PowerOrders, ...] = ()
    said: str = ""
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Press:
    """Press of players. `source`: who signed white press, or what black press claims to come from."""

    colour: Colour
    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Holding:
    """One power in a centre chart: how it is called and shortened ("Germany", "GER"), the codes of its centres ("BEL",
    "BER", ...), how many they are now, and at the last count.
    """

    power: str
    label: str
    centres: tuple[str, ...]
    now: int
    was: int

    @property
    def mark(self) -> str:
        """
        >>> Holding("Germany", "GER", ("BER",), 16, 14).mark, Holding("Italy", "ITA", (), 0, 1).mark
        ('++', '-')
        """
        change = self.now - self.was
        return "+" * change if change > 0 else "-" * -change


@dataclass(frozen=True, slots=True)
class Holdings:
    """Who owns which centres, under a title that says as of when; `free`: centres that nobody owns."""

    title: str
    rows: tuple[Holding, ...]
    free: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardMap:
    """A map of a position. `picture`: the name under which the faces find it; `position`: as
    `judge.board.position.position_to_json` writes it, from which it is drawn; `caption`: "Before Spring 1902 moves".
    """

    picture: str
    position: Mapping[str, Any]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a game sent. Of a game of this judge: its facts. Of one that is run elsewhere: `words`, its Gamemaster's
    text, which is printed word for word.

    `season`: as zines write it, "Summer '01" or "Autumn and Winter '03"; `headline`: the Gamemaster's; `correction`: a
    sentence, where it takes the place of results that were printed or sent before; `retreats`: sentences on what must
    retreat or was lost; `notes`: the Gamemaster's, apart from press; `wanted`: powers without a player; `ended`: a
    sentence, of a game that is over; `source`: who sent `words`.
    """

    season: str
    headline: str = ""
    correction: str = ""
    phases: tuple[ReportedPhase, ...] = ()
    retreats: tuple[str, ...] = ()
    press: tuple[Press, ...] = ()
    notes: tuple[str, ...] = ()
    chart: Holdings | None = None
    wanted: tuple[str, ...] = ()
    ended: str = ""
    map: BoardMap | None = None
    words: str = ""
    source: Byline | None = None


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game in a chapter: every game has an entry, whether or not anything came from it.

    `game`: its name; `number`: of the custodian ("2027AB", "2027AZrb32"), "" before it has one; `miller`: whether that
    is a Miller number, of a variant; `kind`: "game" or "gunboat game"; `variant`: board and rules in words, where they
    are not the usual ones; `seasons`: those that are reported or waited for, in their order, each once; `status`: a
    sentence such as "Nothing happened.", "Due Thursday December 21" or "On hold until January 20", shown below the
    heading; `reports` in the order in which they were played; `changes`: sentences on players and Gamemasters who were
    replaced, and why.
    """

    game: str
    number: str = ""
    miller: bool = False
    kind: str = "game"
    variant: str = ""
    gm: Byline | None = None
    seasons: tuple[str, ...] = ()
    status: str = ""
    reports: tuple[Report, ...] = ()
    changes: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """As zines head a game.

        >>> GameEntry("VERDUN", "2027AZrb32", True, "gunboat game", seasons=("Summer '01",)).heading
        "Summer '01 of the gunboat game VERDUN (MNC number 2027AZrb32)"
        >>> GameEntry("Hero", "2027AB", seasons=("Autumn '03", "Winter '03")).heading
        "Autumn and Winter '03 of the game HERO (BNC number 2027AB)"
        """
        which = f"the {self.kind} {self.game.upper()}"
        season = joined(self.seasons)
        numbered = f" ({'MNC' if self.miller else 'BNC'} number {self.number})" if self.number else ""
        return (f"{season} of {which}" if season else f"{which[:1].upper()}{which[1:]}") + numbered

    @property
    def run_by(self) -> str:
        """The line below it: "(GM is ADDRESS/NAME)"."""
        return f"(GM is {self.gm})" if self.gm else tell("(A GM is wanted)")


def joined(seasons: tuple[str, ...]) -> str:
    """Seasons as one: those of a year share it.

    >>> joined(("Fall '01", "Autumn '01", "Winter '01")), joined(("Winter '01", "Spring '02")), joined(())
    ("Fall, Autumn and Winter '01", "Winter '01 and Spring '02", '')
    """
    years = {season.rpartition(" '")[2] for season in seasons if " '" in season}
    if len(seasons) > 1 and len(years) == 1 and all(" '" in season for season in seasons):
        return f"{listed(season.rpartition(' ')[0] for season in seasons)} '{years.pop()}"
    return listed(seasons)


# -- items -----------------------------------------------------------------------------------------------------------


class ItemKind(StrEnum):
    """What an item is; items of a chapter are printed sort by sort in this order."""

    COMMENT = "comment"
    """Of the editor, a publisher or a Gamemaster, apart from reports."""
    ERRATUM = "erratum"
    LETTER = "letter"
    ARTICLE = "article"
    RULES = "rules"
    """Of a variant, with `source`, `copyright` and `licence`."""
    BIOGRAPHY = "biography"
    CARTOON = "cartoon"
    STATEMENT = "statement"
    """At the end of a game, by a player or the Gamemaster."""
    OPENING = "opening"
    """Words about an opening, beside the list that writes itself."""
    CLASSIFIED = "classified"


class Markup(StrEnum):
    """How the words of an item are to be read."""

    TEXT = "text"
    """Paragraphs parted by empty lines; lines that are set in, or hold gaps, are kept as they are."""
    MARKDOWN = "markdown"
    """CommonMark with tables; HTML in it is text, and pictures of others are named, not shown."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something that was sent in. `number`: the one in its receipt; `author`: as printed, "" for nobody; `source`:
    "Command #3" behind "Taken from"; `copyright`: its line, whole; `licence`: how it may be reprinted; `picture`: the
    name of a picture that goes with it, "" for none; `alt`: what that shows, in words; `credit`: who drew it; `until`:
    number of the last issue in which it stands, 0 for this alone; `seen`: whether the editor has looked at it.
    """

    number: int
    sort: ItemKind
    text: str
    title: str = ""
    author: str = ""
    markup: Markup = Markup.TEXT
    source: str = ""
    copyright: str = ""
    licence: str = ""
    picture: str = ""
    alt: str = ""
    credit: str = ""
    until: int = 0
    seen: bool = True


# -- tables ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StatTable:
    """A table for reading. `columns`: headings; `rows`: as many cells each; `numbers`: indices of columns that hold
    numbers and are set to the right; `notes`: sentences below it, such as the method and its source.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphLine:
    """A line of a graph: one value for each label, None where there is none."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """A picture of numbers: `labels` along the bottom ("1901", ...), a line for each of `lines`. Every face draws it
    itself, but for those of text, where the table beside it says the same.
    """

    title: str
    labels: tuple[str, ...]
    lines: tuple[GraphLine, ...]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Tables and graphs that belong together: of one game, or ratings. `game`: the name of the game in whose entry they
    stand, "" for a part of their own. `notes` stand above the tables.
    """

    title: str
    tables: tuple[StatTable, ...] = ()
    graphs: tuple[Graph, ...] = ()
    notes: tuple[str, ...] = ()
    game: str = ""


@dataclass(frozen=True, slots=True)
class GameOpening:
    """A game that looks for players or for a Gamemaster. `seats`: "5 of 7 players"; `how`: how one signs up, as a
    sentence with the line to send; `gm`: None where one is wanted; `preferences`: whether countries may be named;
    `map_offered`: whether a printed map is sent to players.
    """

    game: str
    variant: str = ""
    gm: Byline | None = None
    seats: str = ""
    how: str = ""
    preferences: bool = False
    map_offered: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StandbyWanted:
    """A power without a player. `since`: "Spring '03"; `state`: "5 centres"; `how`: how one takes it."""

    game: str
    power: str
    since: str = ""
    state: str = ""
    how: str = ""


# -- the issue -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ZineChapter:
    """A chapter. `names`: its games, for the directory that stands in every chapter; `entries` and what follows: what
    is printed, empty in a chapter that this issue only names (`printed` False). `publisher`: None where it needs one.
    """

    number: int
    names: tuple[str, ...]
    publisher: Byline | None = None
    title: str = ""
    printed: bool = True
    entries: tuple[GameEntry, ...] = ()
    items: tuple[Item, ...] = ()

    @property
    def heading(self) -> str:
        """
        >>> ZineChapter(3, ()).heading, ZineChapter(21, (), title="Variants").heading
        ('Chapter Three', 'Chapter 21: Variants')
        """
        number = _NUMBERS[self.number] if 0 <= self.number < len(_NUMBERS) else str(self.number)
        return f"Chapter {number}" + (f": {self.title}" if self.title else "")


_NUMBERS = (
    "Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue, or one of its chapters with what all chapters have in common.

    `changed`: sentences on what is new since the last issue (starts, ends, replacements with their reasons, numbers
    given out); `items`: those that belong to no chapter; `standbys`: names on the list of standbys.
    """

    masthead: Masthead
    chapters: tuple[ZineChapter, ...] = ()
    epigraph: Epigraph | None = None
    items: tuple[Item, ...] = ()
    changed: tuple[str, ...] = ()
    openings: tuple[GameOpening, ...] = ()
    wanted: tuple[StandbyWanted, ...] = ()
    standbys: tuple[str, ...] = ()
    statistics: tuple[Statistics, ...] = ()
    notes: tuple[str, ...] = field(default=())
    """Sentences at the end: how to subscribe, to leave, to send something in."""

    @property
    def printed(self) -> tuple[ZineChapter, ...]:
        """The chapters that are printed here."""
        return tuple(chapter for chapter in self.chapters if chapter.printed)

    @property
    def all_items(self) -> Iterator[Item]:
        """Every item, those of chapters first."""
        for chapter in self.printed:
            yield from chapter.items
        yield from self.items

    @property
    def maps(self) -> Iterator[tuple[str, BoardMap]]:
        """Every map that is shown, behind the name of its game."""
        for chapter in self.printed:
            for entry in chapter.entries:
                yield from ((entry.game, report.map) for report in entry.reports if report.map is not None)

    @property
    def pictures(self) -> tuple[str, ...]:
        """The names of all pictures that the faces look for, each once; those of graphs are `graph_name`'s."""
        maps = [board_map.picture for _, board_map in self.maps]
        return tuple(dict.fromkeys((*maps, *(item.picture for item in self.all_items if item.picture))))


def graph_name(graph: Graph) -> str:
    """Under which a face that needs a graph as a picture finds it: the same for the same graph."""
    return f"graph-{sha256(repr(graph).encode('utf-8', 'replace')).hexdigest()[:16]}"


def chapter_alone(issue: Issue, number: int, *, rest: bool = False) -> Issue:
    """An issue with this chapter printed, 0 for none, and all others only named, as its publisher sends it. `rest`:
    what belongs to no chapter is printed too. Raises KeyError where there is no such chapter.
    """
    if number and number not in {chapter.number for chapter in issue.chapters}:
        raise KeyError(number)
    chapters = tuple(
        chapter if chapter.number == number else replace(chapter, printed=False, entries=(), items=())
        for chapter in issue.chapters
    )
    games = {entry.game for chapter in chapters for entry in chapter.entries}
    if rest:
        statistics = tuple(one for one in issue.statistics if not one.game or one.game in games)
        return replace(issue, chapters=chapters, statistics=statistics)
    statistics = tuple(one for one in issue.statistics if one.game in games)
    return replace(
        issue, chapters=chapters, items=(), changed=(), openings=(), wanted=(), standbys=(), statistics=statistics
    )


def has_rest(issue: Issue) -> bool:
    """Whether something in an issue belongs to no chapter."""
    general = [one for one in issue.statistics if not one.game]
    return any((issue.items, issue.changed, issue.openings, issue.wanted, issue.standbys, general))


def frozen(issue: Issue) -> str:
    """The issue as JSON text."""
    return msgspec.json.encode(issue).decode()


def thawed(text: str | bytes) -> Issue:
    """The issue that `frozen` wrote. Raises msgspec.ValidationError for anything else."""
    return msgspec.json.decode(text, type=Issue)
