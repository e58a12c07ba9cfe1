"""The calendar as data: which phases a year has, which of them share a deadline, and when centres change hands.

A *turn* is one deadline and one set of orders; it covers one phase or several, in order. In 1976 a year is
(Spring moves), (Spring retreats), (Fall moves), (Fall retreats, Winter adjustments).

Whatever asks which of two phases comes first, what a phase is called or how long it takes, asks here.

Phases as people write them: "F1901", "Sp01", "S1902M", "Fall 1901 moves", "1901-Spring", "winter '01", read by the
names that a calendar has for its seasons, and in other languages: "Herbst 1901 Rückzüge".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from judge.board.abroad import phase_words_abroad
from judge.board.phase import (
    ADJUSTMENTS,
    FALL,
    MANNERS,
    MOVES,
    RETREATS,
    SEASONS,
    SPRING,
    SUMMER,
    WINTER,
    Phase,
    PhaseKind,
    Season,
)
from judge.languages import tell


@dataclass(frozen=True, slots=True)
class Step:
    """A phase of every year: its season, what is ordered, and what it is called where that is not told by these two."""

    season: Season
    kind: PhaseKind
    part: int = 1
    name: str = ""
    """What is ordered, in titles: "naval moves"; "" for the name of the kind."""
    pace: str = ""
    """The setting that says how fast it goes; "" for that of the kind."""
    shown: Season | None = None
    """The season that titles name; None for its own. December's retreats are those of Fall's moves."""
    also: Season | None = None
    """Another season under which people write it: retreats of Spring are made in Summer."""

    @property
    def code(self) -> str:
        """The code of its phases without the year: "SM"."""
        return f"{self.season.code}{self.kind.value}{self.part if self.part > 1 else ''}"

    def phase(self, year: int) -> Phase:
        """This phase of a year."""
        return Phase(year, self.season.code, self.kind, self.part)

    def called(self, season: Season) -> bool:
        """Whether people may call this phase by a season that is not its own, as "Summer" for retreats of Spring."""
        return season in (self.shown, self.also)


@dataclass(frozen=True)
class Calendar:
    """A year of turns. `captures` are the codes of the steps after which centres belong to who stands on them (XIII.1).

    `new_year` is the code of the year's first step; "": the first of all. A turn may begin in one year and end in the
    next. `prelude` is a phase at the end of the year before the first, which never comes again.
    """

    turns: tuple[tuple[Step, ...], ...]
    captures: frozenset[str]
    new_year: str = ""
    prelude: Step | None = None

    def __hash__(self) -> int:
        """By the strings alone, which know their hashes: what is remembered of a calendar is asked for with each word
        of a mail.
        """
        return hash((self.captures, self.new_year))

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The phases of a year, in order."""
        played = [step for turn in self.turns for step in turn]
        first = next((at for at, step in enumerate(played) if step.code == self.new_year), 0)
        return (*played[first:], *played[:first])

    @cached_property
    def stations(self) -> tuple[Step, ...]:
        """The phases of a year, and the prelude behind them."""
        return (*self.steps, self.prelude) if self.prelude else self.steps

    @cached_property
    def seasons(self) -> tuple[Season, ...]:
        """All seasons that a phase may be named by, each once, those of its phases first."""
        own = [step.season for step in self.steps]
        other = [season for step in self.steps for season in (step.shown, step.also) if season is not None]
        return tuple(dict.fromkeys((*own, *other)))

    # -- What follows what

    @cached_property
    def _places(self) -> dict[tuple[str, PhaseKind, int], int]:
        return {(step.season.code, step.kind, step.part): at for at, step in enumerate(self.stations)}

    def step(self, phase: Phase) -> Step:
        """The step of a phase. Raises ValueError for what is no phase of this calendar."""
        return self.stations[self._place(phase)]

    def _place(self, phase: Phase) -> int:
        at = self._places.get((phase.season, phase.kind, phase.part))
        if at is None:
            raise ValueError(f"{phase} is no phase of this calendar; a year has {self.describe()}")
        return at

    def __contains__(self, phase: Phase) -> bool:
        return (phase.season, phase.kind, phase.part) in self._places

    def rank(self, phase: Phase | str) -> tuple[int, int]:
        """The key by which phases are sorted: (year, place in the year). A phase that this calendar does not have gets
        the rank of the last phase of its season, or of the year if there is no such season.

        >>> CALENDAR_1976.rank("F1901R") < CALENDAR_1976.rank("W1901A") < CALENDAR_1976.rank("S1902M")
        True
        """
        phase = Phase.read(phase) if isinstance(phase, str) else phase
        if phase in self:
            return phase.year, self._place(phase)
        return phase.year, self._span(phase.season)[1]

    def _span(self, code: str) -> tuple[int, int]:
        """First and last place in the year of the season with this code; if no step has the code, of the steps that may
        be called by it; if there are none, of the whole year.
        """
        steps = list(enumerate(self.stations))
        named = next((each for each in (*self.seasons, *SEASONS) if each.code == code), None)
        at = [i for i, step in steps if step.season.code == code]
        at = at or [i for i, step in steps if named is not None and step.called(named)]
        return (at[0], at[-1]) if at else (0, len(steps) - 1)

    def bounds(self, text: str) -> tuple[tuple[int, int], tuple[int, int]]:
        """The ranks of the first and the last phase of "1903", "F1903" or "F1903R"."""
        if text.isdigit():
            return (int(text), 0), (int(text), len(self.stations) - 1)
        if not text[-1].isdigit() or not text[-4:].isdigit():
            return self.rank(text), self.rank(text)
        first, last = self._span(text[:-4])
        return (int(text[-4:]), first), (int(text[-4:]), last)

    def next_phase(self, phase: Phase) -> Phase:
        """The phase after this one, played or not.

        >>> str(CALENDAR_1976.next_phase(Phase.read("W1901A")))
        'S1902M'
        """
        return self.passing(phase)[0]

    def passing(self, phase: Phase) -> tuple[Phase, bool]:
        """The phase after this one, and whether centres change hands when this one has been played."""
        known = self._passed.get(phase)
        if known is None:
            at = min(self._place(phase) + 1, len(self.steps))  # after the prelude, as after the last phase of its year
            years, at = divmod(at, len(self.steps))
            known = self._passed[phase] = self.steps[at].phase(phase.year + years), self.is_capture(phase)
        return known

    @cached_property
    def _passed(self) -> dict[Phase, tuple[Phase, bool]]:
        """What `passing` has answered so far."""
        return {}

    def moves_from(self, phase: Phase) -> Phase:
        """The phase itself where units move in it, else the next one in which they do."""
        while phase.kind is not MOVES:
            phase = self.next_phase(phase)
        return phase

    def moves_before(self, phase: Phase) -> Phase:
        """The phase itself where units move in it, else the last one in which they did."""
        year, at = phase.year, min(self._place(phase), len(self.steps) - 1)
        while self.steps[at].kind is not MOVES:
            year, at = (year, at - 1) if at else (year - 1, len(self.steps) - 1)
        return self.steps[at].phase(year)

    # -- Turns and captures

    def turn_of(self, phase: Phase) -> tuple[Phase, ...]:
        """All phases, in order, of the turn to which this phase belongs.

        >>> [str(each) for each in CALENDAR_1976.turn_of(Phase.read("W1901A"))]
        ['F1901R', 'W1901A']
        """
        known = self._turns_of.get(phase)
        if known is None:
            step = self.step(phase)
            turn = (step,) if step is self.prelude else next(turn for turn in self.turns if step in turn)
            here = [self._places[each.season.code, each.kind, each.part] for each in turn]
            # A turn that goes over the new year has its first phases late in one year, its others early in the next.
            begun = phase.year - (self._place(phase) < here[0])
            known = tuple(each.phase(begun + (at < here[0])) for each, at in zip(turn, here, strict=True))
            self._turns_of[phase] = known
        return known

    @cached_property
    def _turns_of(self) -> dict[Phase, tuple[Phase, ...]]:
        """What `turn_of` has answered so far."""
        return {}

    def is_capture(self, phase: Phase) -> bool:
        """Whether centres change hands when this phase has been played."""
        return self.step(phase).code in self.captures

    def captures_before_moves(self, phase: Phase) -> bool:
        """Whether centres change hands after this phase or one that follows it, before units move again."""
        while not self.is_capture(phase):
            phase = self.next_phase(phase)
            if phase.kind is MOVES:
                return False
        return True

    def is_over(self, season: str, phase: Phase) -> bool:
        """Whether the moves of a season ("F1905") have been played when a phase begins; of a season without moves, all
        that it has.
        """
        first, last = self._span(season[:-4])
        moves = [at for at in range(first, last + 1) if self.stations[at].kind is MOVES]
        return self.rank(phase) > (int(season[-4:]), max(moves, default=last))

    def is_settled(self, season: str, phase: Phase) -> bool:
        """Whether a season and all that follows from it, retreats and adjustments, lie behind a phase.

        >>> [CALENDAR_1976.is_settled("F1908", Phase.read(code)) for code in ("W1908A", "S1909M")]
        [False, True]
        """
        last = self.stations[self._span(season[:-4])[1]].phase(int(season[-4:]))
        return self.rank(phase) >= self.rank(self.moves_from(self.next_phase(last)))

    def describe(self) -> str:
        """The phases of a year in short: "SM, SR, FM, FR + WA"."""
        return ", ".join(" + ".join(step.code for step in turn) for turn in self.turns)

    def split(self, phase: Phase) -> Calendar:
        """This calendar with the phase's turn cut into one turn for each phase (a winter in two)."""
        step = self.step(phase)
        turns: list[tuple[Step, ...]] = []
        for turn in self.turns:
            turns.extend(((each,) for each in turn) if step in turn else (turn,))
        return replace(self, turns=tuple(turns), new_year=self.steps[0].code)

    # -- For people

    def read(self, code: str) -> Phase:
        """The phase of a code. Raises ValueError for what is none, or none of this calendar."""
        phase = Phase.read(code)
        self.step(phase)
        return phase

    def title(self, phase: Phase | str) -> str:
        """ "Spring 1901 moves"; also for a code of what this calendar does not have.

        >>> CALENDAR_1976.title("F1901R"), CALENDAR_1976.title("S1901A")
        ('Fall 1901 retreats', 'Spring 1901 adjustments')
        """
        phase = Phase.read(phase) if isinstance(phase, str) else phase
        step = self.step(phase) if phase in self else None
        season = (step.shown or step.season).name if step else self._season(phase.season)
        return tell("{season} {year:04} {what}", season=tell(season), year=phase.year, what=tell(self._name(phase)))

    def _season(self, code: str) -> str:
        return next((season.name for season in (*self.seasons, *SEASONS) if season.code == code), code)

    def label(self, phase: Phase | str) -> str:
        """For subjects of letters: "F1901 Moves"; of a season that its code does not tell "Feb 1902 Adjustments"."""
        phase = Phase.read(phase) if isinstance(phase, str) else phase
        step = self.step(phase) if phase in self else None
        month = step.shown or (step.season if step.season not in SEASONS else None) if step else None
        season = f"{tell(month.name)[:3]} " if month else phase.season
        return f"{season}{phase.year:04} {tell(self._name(phase).capitalize())}"

    def _name(self, phase: Phase) -> str:
        return (self.step(phase).name if phase in self else "") or MANNERS[phase.kind].name

    def pace(self, phase: Phase) -> str:
        """The setting that says how fast a phase goes."""
        return self.step(phase).pace or MANNERS[phase.kind].pace


_FALL_RETREATS = Step(FALL, RETREATS, also=WINTER)

CALENDAR_1976 = Calendar(
    turns=(
        (Step(SPRING, MOVES),),
        (Step(SPRING, RETREATS, also=SUMMER),),
        (Step(FALL, MOVES),),
        (_FALL_RETREATS, Step(WINTER, ADJUSTMENTS)),
    ),
    captures=frozenset({_FALL_RETREATS.code}),
)


_CENTURY = 1900
_LONG = re.compile(r"[^\W\d_]{4,}")
_MARKS = re.compile(r"[\s.,/_’'`-]+")


class _Words(NamedTuple):
    """What a calendar's phases are called, and how a phase is written with that."""

    seasons: dict[str, Season]
    kinds: dict[str, tuple[PhaseKind, int]]
    season_first: re.Pattern[str]
    year_first: re.Pattern[str]
    undated: re.Pattern[str]
    inside: re.Pattern[str]


@lru_cache(maxsize=64)
def _words(calendar: Calendar) -> _Words:
    seasons = {word: season for season in reversed(calendar.seasons) for word in (*season.words, season.code.lower())}
    kinds = {word: (kind, 1) for kind, manner in MANNERS.items() if _known(kind, calendar) for word in manner.words}
    for step in calendar.stations:
        kinds[f"{step.kind.value}{step.part}".lower()] = step.kind, step.part
        if step.name:
            kinds[step.name.lower()] = step.kind, step.part
    for each in calendar.seasons:
        for word in phase_words_abroad(each.name):
            seasons.setdefault(word, each)
    for called, meant in [(MANNERS[kind].name, (kind, 1)) for kind in MANNERS if _known(kind, calendar)]:
        for word in phase_words_abroad(called):
            kinds.setdefault(_tidy(word), meant)
    season, kind, long = _any_of(seasons), _any_of(kinds), _any_of(word for word in kinds if len(word) > 3)
    return _Words(
        seasons,
        kinds,
        re.compile(rf"({season}) ?(?:of )?(\d{{4}}|\d{{2}})(?: ?({kind}))?(?: phase| turn)?", re.IGNORECASE),
        re.compile(rf"(\d{{4}}) ?({season})(?: ?({kind}))?(?: phase| turn)?", re.IGNORECASE),
        re.compile(rf"({season})(?: ({kind}))?(?: phase| turn)?", re.IGNORECASE),
        re.compile(
            rf"\b({_any_of(word for word in seasons if len(word) > 3)})\s*(?:of\s*)?'?(\d{{4}})(?:\s+({long})\b)?",
            re.IGNORECASE,
        ),
    )


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _known(kind: PhaseKind, calendar: Calendar) -> bool:
    """Whether people can mean a kind of phase: who writes "Spring builds" is told that there are none."""
    return kind is not PhaseKind.TALKS or any(step.kind is kind for step in calendar.stations)


def season_names(calendar: Calendar) -> tuple[str, ...]:
    """The seasons by their whole names, lower case."""
    return tuple(word for season in calendar.seasons for word in season.words if len(word) > 3)


def read_phase(text: str, calendar: Calendar, current: Phase | None = None, *, here: bool = True) -> str | None:
    """The code of the phase that a text names, or None. It may be a phase that the calendar does not have. If the text
    names no kind, the current phase is meant if it is of that season (unless `here` is False), else the first of the
    season.

    >>> from judge.rules.calendar import CALENDAR_1976 as year
    >>> read_phase("Sp01", year), read_phase("Spring '02 retreats", year), read_phase("summer 1903", year)
    ('S1901M', 'S1902R', 'S1903R')
    """
    known, words = _words(calendar), _tidy(text)
    if match := known.season_first.fullmatch(words):
        season, year, kind = match[1], match[2], match[3]
    elif match := known.year_first.fullmatch(words):
        season, year, kind = match[2], match[1], match[3]
    else:
        return None
    return _code(calendar, season, year, kind or "", current, here=here)


def read_season(text: str, calendar: Calendar, current: Phase | None) -> str | None:
    """The code of the phase that "Spring", "Fall moves" or "winter builds" means: that of this year if it is not over
    yet; that of next year if it shares its deadline with the current phase; else None.
    """
    match = _words(calendar).undated.fullmatch(_tidy(text)) if current and len(text) > 3 else None
    if match is None or current is None:
        return None
    found = _code(calendar, match[1], str(current.year), match[2] or "", current)
    if calendar.rank(found) >= calendar.rank(current):
        return found
    later = _code(calendar, match[1], str(current.year + 1), match[2] or "", current)
    return later if current in calendar and later in map(str, calendar.turn_of(current)) else None


def find_phase(text: str, calendar: Calendar, *, whole: bool = False) -> str:
    """The first phase that is named inside a text, by a season's whole name and a full year; "" for none. Its kind may
    stand anywhere, unless only a `whole` name counts.
    """
    known = _words(calendar)
    match = known.inside.search(text)
    if match is None or (whole and not match[3]):
        return ""
    kind = match[3] or next((word for word in _LONG.findall(text) if word.lower() in known.kinds), "")
    return _code(calendar, match[1], match[2], kind, None)


def _tidy(text: str) -> str:
    return " ".join(_MARKS.sub(" ", text).split()).strip(":")


def _code(
    calendar: Calendar, season_word: str, year_word: str, kind_word: str, current: Phase | None, *, here: bool = True
) -> str:
    """The code for a season, a year and a kind ("" if none is named). Steps of the season itself go before those that
    are only called by it; the current phase goes first if it is one of them, no kind is named and `here` is True.
    """
    known = _words(calendar)
    season, wanted = known.seasons[season_word.lower()], known.kinds.get(kind_word.lower())
    year = int(year_word)
    if len(year_word) == 2:
        year += current.year // 100 * 100 if current else _CENTURY
    meant = [step for step in calendar.stations if wanted in (None, (step.kind, step.part))]
    own = [step.phase(year) for step in meant if step.season == season]
    phases = own or [step.phase(year) for step in meant if step.called(season)]
    if here and wanted is None and current in phases:
        return str(current)
    kind, part = wanted or (PhaseKind.MOVES, 1)
    return str(phases[0] if phases else Phase(year, season.code, kind, part))
