"""Help as facts about the board and the game of the person who asks: pages, examples, the tour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judge.board.model import Board, Location, coast_of, province_of
from judge.board.names import gazetteer_of
from judge.board.position import Position
from judge.game.core.commands import Role
from judge.game.core.model import Game, Running, Stage
from judge.game.settings.bundles import about, bundle
from judge.game.settings.table import TABLE, Settings, find_setting, settings_to_text
from judge.game.settings.values import Setting
from judge.languages import tell
from judge.orders.spelled import place, unit_text
from judge.report.core.letter import Enclosure, Member, Office, plain
from judge.report.core.naming import Said, power_name, say
from judge.report.seat.desk import Desk, desk
from judge.rules.model import RULES_1976


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A place as pages name it: its code, its name, and the coasts that fleets must name."""

    code: str
    name: str
    coasts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShortForm:
    """A short form with several meanings: what is written, and the names that it can mean."""

    written: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Samples:
    """Lines of orders by what they show, "" where the board or its rules have no such thing.

    `power`: whose units they are; `other`: another power, with its `adjective`. `moves`: one move in several ways
    of writing, likeliest first; `far`: one that its unit cannot make. `supported`, `carried`: the line of the unit
    that is helped. `others`: lines of the kinds of order that the rules have of their own, with what they do.
    `conditions`: orders on a condition. `now`: a line for each thing that the phase asks for. `places`: all of the
    board.

    What the rules say otherwise than those of 1976: `units_win`: how many units win, 0 where centres do; `own_cuts`:
    whether own attacks cut a support as foreign ones do, and none from the place that is supported into;
    `fleets_pass`: whether fleets change places along different coasts; `raised_at`: what the power may raise and where,
    () for anything in its home centres; `raised_beside`: whether where own units stand too, as many as are due;
    `stand_together`: whether units retreat to one place where several may stand; `any_fleet`: whether fleets take
    armies of other countries aboard.
    """

    power: str
    other: str
    adjective: str
    move: str = ""
    moves: tuple[str, ...] = ()
    far: str = ""
    stand: str = ""
    support: str = ""
    supported: str = ""
    support_hold: str = ""
    foreign: str = ""
    convoy: str = ""
    carried: str = ""
    via: str = ""
    rail: str = ""
    others: tuple[tuple[str, str], ...] = ()
    retreat: str = ""
    disband: str = ""
    build: str = ""
    build_fleet: str = ""
    build_coast: str = ""
    remove: str = ""
    coast: str = ""
    coast_place: NamedPlace | None = None
    conditions: tuple[str, ...] = ()
    ambiguous: tuple[ShortForm, ...] = ()
    places: tuple[NamedPlace, ...] = ()
    now: tuple[str, ...] = ()
    units_win: int = 0
    own_cuts: bool = False
    fleets_pass: bool = False
    raised_at: tuple[str, ...] = ()
    raised_beside: bool = False
    stand_together: bool = False
    any_fleet: bool = False


def named_place(board: Board, code: str) -> NamedPlace:
    """A place of a board, by its code."""
    one = board.provinces[code]
    return NamedPlace(code, board.spelled[code], tuple(coast.lower() for coast in one.coasts))


def two_coasts(board: Board) -> NamedPlace | None:
    """The first place with coasts that fleets must name."""
    return next((named_place(board, code) for code, one in board.provinces.items() if one.coasts), None)


def short_forms(board: Board) -> tuple[ShortForm, ...]:
    """Up to four short forms that mean several places, shortest first."""
    found = []
    for written in sorted(board.ambiguous, key=lambda text: (len(text), text)):
        places = gazetteer_of(board).places(written)
        if len(places) > 1:
            found.append(ShortForm(written, tuple(place(one, board) for one in places)))
    return tuple(found[:4])


@dataclass(frozen=True, slots=True)
class HelpEntry:
    """One thing that can be written: its name, what it does, its forms, a line that could be sent, its synonyms, and
    who uses it."""

    name: str
    summary: str
    usage: tuple[str, ...]
    example: str
    also: tuple[str, ...] = ()
    who: str = ""


@dataclass(frozen=True, slots=True)
class HelpSetting:
    """A setting: what it decides, what it is in this game and by default, lines that set it; `fixed`: not after the
    start; `words`: what each word means that it may be; `flag`: whether it is yes or no."""

    name: str
    summary: str
    value: str
    usual: str
    examples: tuple[str, ...]
    also: tuple[str, ...] = ()
    fixed: bool = False
    words: tuple[tuple[str, str], ...] = ()
    flag: bool = False


@dataclass(frozen=True, slots=True)
class HelpRow:
    """A term of a table, and what is said of it."""

    line: str
    text: str


@dataclass(frozen=True, slots=True)
class HelpRule:
    """A rule on which editions differ: the question, and for each answer the word, what it means, and the editions
    that give it.
    """

    name: str
    asked: str
    answers: tuple[tuple[str, str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class HelpPart:
    """A part of the handbook, for its table of contents: (name, title) of its topics, the words of each."""

    title: str
    topics: tuple[tuple[str, str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class HelpPlace:
    """A place of the board: its kind, whose home it is ("" for nobody's), and its neighbours for each kind of unit,
    from each coast.
    """

    code: str
    name: str
    terrain: str
    centre: bool
    home: str
    coasts: tuple[str, ...]
    reach: tuple[HelpRow, ...]


@dataclass(frozen=True, slots=True)
class HelpPower:
    """A power: its homes and the units with which it begins; its units now, where a game runs."""

    name: str
    adjective: str
    letter: str
    homes: tuple[str, ...]
    start: tuple[str, ...]
    units: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HelpView:
    """A page of help.

    `topic`: what was asked, "" for the overview; `title`: its heading; `page`: the template of its text, "" where the
    commands are all there is to say; `role`: "player", "gm", "observer" (of this game), "guest" (known here, without a
    seat in it) or "stranger"; `game`, `phase`: theirs; `kind`: of the phase ("M"), "" where no game runs; `shown`:
    examples on their board; `house`: the settings of the game, or what they are by default; `entries`: commands,
    `whole`: with all that is known of each; `more`: topics that go on from here.
    """

    address: str
    topic: str
    title: str
    page: str
    role: str
    game: str
    phase: str
    kind: str
    desk: Desk | None
    shown: Samples
    house: Mapping[str, str]
    entries: tuple[HelpEntry, ...] = ()
    whole: bool = False
    settings: tuple[HelpSetting, ...] = ()
    rows: tuple[HelpRow, ...] = ()
    rules: tuple[HelpRule, ...] = ()
    parts: tuple[HelpPart, ...] = ()
    places: tuple[HelpPlace, ...] = ()
    power: HelpPower | None = None
    more: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks for help: their role, their game and seat in it, where there is one, and examples of its board.

    `member`: None for somebody whom nobody knows, or whose mail is not proved.
    """

    shown: Samples
    role: Role = Role.STRANGER
    game: Game | None = None
    seat: str = ""
    member: Member | None = None
    observes: bool = False

    @property
    def settings(self) -> Settings:
        """Those of the game, or the defaults."""
        return self.game.settings if self.game is not None else Settings()


def help_page(
    asker: Asker,
    office: Office,
    *,
    topic: str = "",
    title: str = "",
    page: str = "",
    entries: Sequence[HelpEntry] = (),
    whole: bool = False,
    settings: Sequence[str] = (),
    rows: Sequence[HelpRow] = (),
    rules: Sequence[HelpRule] = (),
    parts: Sequence[HelpPart] = (),
    places: Sequence[HelpPlace] = (),
    power: HelpPower | None = None,
    more: Sequence[str] = (),
) -> HelpView:
    """A page for one reader. `settings`: names of settings or of single rules."""
    game = asker.game
    phase = game.position.phase if game is not None and game.position is not None else None
    return HelpView(
        address=office.game_address(game.key if game else ""),
        topic=topic,
        title=title,
        page=page,
        role=_role(asker),
        game=game.key if game else "",
        phase=game.phase_title if game and phase else "",
        kind=phase.kind.value if phase and game and game.stage is Stage.RUNNING else "",
        desk=_desk(asker),
        shown=asker.shown,
        house=settings_to_text(asker.settings),
        entries=tuple(entries),
        whole=whole,
        settings=tuple(_setting(name, asker) for name in settings),
        rows=tuple(rows),
        rules=tuple(rules),
        parts=tuple(parts),
        places=tuple(places),
        power=power,
        more=tuple(more),
    )


def enclosed(view: HelpView) -> Enclosure:
    """A page as the answer to `help`."""
    return Enclosure("help", plain(view))


def _desk(asker: Asker) -> Desk | None:
    """What is asked of the reader now, where a game runs and the mail is proved to be theirs."""
    if not isinstance(asker.game, Running) or asker.member is None or not asker.seat:
        return None
    return desk(asker.game, asker.seat, asker.member)


def _role(asker: Asker) -> str:
    if asker.role in (Role.GM, Role.OPERATOR):
        return "gm"
    if asker.role is Role.PLAYER:
        return "player"
    return "observer" if asker.observes else "guest" if asker.member is not None else "stranger"


def _setting(name: str, asker: Asker) -> HelpSetting:
    setting = TABLE.get(name) or find_setting(name)
    assert setting is not None
    values = settings_to_text(asker.settings) | (asker.game.rules.choices() if asker.game is not None else {})
    usual = (settings_to_text(Settings()) | RULES_1976.choices()).get(name, "")
    value = values.get(name, "") if asker.game is not None else ""
    return HelpSetting(
        name,
        tell(setting.summary),
        value,
        usual,
        _lines(setting),
        setting.synonyms,
        setting.frozen_after_start,
        setting.words,
        setting.is_flag,
    )


def _lines(setting: Setting) -> tuple[str, ...]:
    return tuple(f"set {setting.name}{' =' if setting.prose else ''} {value}" for value in setting.examples)


def preset_rows(name: str) -> tuple[HelpRow, ...]:
    """What a preset is good for, and the settings in which it differs from the defaults."""
    return (HelpRow("about", about(name)), *(HelpRow(key, value) for key, value in bundle(name).items()))


# --- the board ------------------------------------------------------------------------------------------------------


def place_page(location: Location, board: Board) -> HelpPlace:
    """What the board says of a place."""
    code = province_of(location)
    one = board.provinces[code]
    home = board.home_of.get(code, "")
    return HelpPlace(
        code,
        board.spelled[code],
        one.terrain.value,
        one.centre,
        board.powers[home].told if home else "",
        tuple(coast.lower() for coast in one.coasts),
        tuple(_reach(code, board)),
    )


def _reach(code: str, board: Board) -> list[HelpRow]:
    """Which kind of unit, from which coast, goes where."""
    found = []
    for kind in board.kinds.values():
        for here in board.standings(kind.letter, code):
            coast = f" ({(coast_of(here) or '').lower()})" if coast_of(here) else ""
            near = ", ".join(place(to, board) for to in board.reach(kind.letter, here))
            if near:
                found.append(HelpRow(f"{kind.letter} {board.spelled[code]}{coast}", near))
    return found


def power_page(key: str, board: Board, position: Position | None) -> HelpPower:
    """What the board says of a power, and where its units stand."""
    power = board.powers[key]
    start = tuple(f"{line[0]} {place(line[2:], board)}" for line in power.start)
    units = tuple(unit_text(unit, board) for unit in position.of(key)) if position is not None else ()
    return HelpPower(
        power.told, tell(power.adjective), power.letter, tuple(place(home, board) for home in power.homes), start, units
    )


@dataclass(frozen=True, slots=True)
class Chapter:
    """A page of a book: which book, under which heading, and the page's facts (a `HelpView` as plain JSON, but for the
    examples, which all pages have in common)."""

    book: str
    part: str
    title: str
    facts: Any


@dataclass(frozen=True, slots=True)
class BookView:
    """The books; the letter takes them along as files."""

    address: str
    shown: Samples
    chapters: tuple[Chapter, ...]
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TourView:
    """Letter `number` of `of`: what it shows, in the last the games that look for players, and in the others the line
    that brings the next one. The lines to try stand in its template.

    `sandbox`: the reader's own board, "" if they have none; `game`: one that they play with others, and `other`: a
    power there to write to.
    """

    number: int
    of: int
    title: Said
    lesson: Said
    openings: tuple[str, ...]
    next: str
    sandbox: str = ""
    game: str = ""
    other: str = ""
    ignored: tuple[str, ...] = ()


def tour_view(number: int, of: int, openings: Sequence[str], played: Iterable[tuple[Game, str]] = ()) -> Enclosure:
    """One letter of the tour. `openings`: names of games that look for players; `played`: the games of the person
    who asks, each with their seat.
    """
    going = [(game, seat) for game, seat in played if game.stage is Stage.RUNNING and seat in game.seats]
    sandboxes = [game.key for game, _ in going if game.sandbox is not None]
    talking = [(game, seat) for game, seat in going if game.practice is None and game.settings.press]
    game, other = _partner(*talking[0]) if talking else ("", "")
    view = TourView(
        number=number,
        of=of,
        title=say(f"tour-title-{number}"),
        lesson=say(f"tour-{number}", openings=openings[:3], game=game),
        openings=tuple(openings[:3]),
        next="" if number == of else f"tour {number + 1}",
        sandbox=max(sandboxes, key=lambda key: (len(key), key), default=""),
        game=game,
        other=other,
    )
    return Enclosure("tour", plain(view))


def _partner(game: Game, seat: str) -> tuple[str, str]:
    """(a game, the name of the first power of somebody else there, "" if there is none)."""
    others = [power for one in game.seats.values() if one.filled and one.id != seat for power in one.powers]
    return (game.key, power_name(others[0], game.board)) if others else ("", "")
