"""How long the judge goes on answering one sender: a small state, and what one more mail does to it. Pure.

Programs answer programs. Those that mark their letters are known (`mail/noise.py`); the others are known by what they
do: they ask for nothing, or for the same thing again and again. So answers are measured twice, by what a mail comes to
(`PAILS`: so many at once, so many a day in the long run) and by sameness (`HABITS`: ever slower). Both reach over
weeks, not hours, and neither holds up a receipt for good orders because of mails that were none.

>>> noon = datetime(1901, 3, 1, 12, tzinfo=UTC)
>>> state, word = weigh(FRESH, Sort.EMPTY, "same", noon)
>>> word.answered
True
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from types import MappingProxyType


class Sort(StrEnum):
    """What a mail came to. UNPROVED stands for all of them where nothing vouches for the sender."""

    DONE = "done"
    """Something was carried out."""
    ASKED = "asked"
    """Questions only."""
    FAILED = "failed"
    """Nothing but lines that could not be followed."""
    EMPTY = "empty"
    """Nothing was asked for: what an answering program sends."""
    UNPROVED = "unproved"
    NOTICE = "notice"
    """No mail, but our word that there are no more answers."""


@dataclass(frozen=True, slots=True)
class Pail:
    """A leaky bucket: so many answers at once, and so many a day in the long run."""

    room: float
    a_day: float


@dataclass(frozen=True, slots=True)
class Habit:
    """What the same words may count on: `free` answers, then one only after a wait that doubles each time that they
    come, `doublings` times at most; `fades` of their comings a day are forgotten.
    """

    free: float
    wait: timedelta
    fades: float
    doublings: int


_QUARTER = timedelta(minutes=15)

PAILS: Mapping[Sort, tuple[Pail, ...]] = MappingProxyType(
    {
        Sort.DONE: (Pail(60, 24 * 60), Pail(300, 100)),
        Sort.ASKED: (Pail(30, 24 * 30), Pail(100, 8)),
        Sort.FAILED: (Pail(30, 24 * 30), Pail(60, 3)),
        Sort.EMPTY: (Pail(10, 24 * 10), Pail(20, 1)),
        Sort.UNPROVED: (Pail(12, 1),),
        Sort.NOTICE: (Pail(1, 1 / 7),),
    }
)

HABITS: Mapping[Sort, Habit] = MappingProxyType(
    {
        Sort.DONE: Habit(6, timedelta(minutes=5), 3, 8),
        Sort.ASKED: Habit(5, _QUARTER, 3, 7),
        Sort.FAILED: Habit(5, _QUARTER, 1, 9),
        Sort.EMPTY: Habit(3, _QUARTER, 0.25, 10),
        Sort.UNPROVED: Habit(2, timedelta(hours=1), 1, 8),
    }
)

_KEPT = 12
"""Different words of one sender that are remembered."""


@dataclass(frozen=True, slots=True)
class Level:
    """How full a pail was, and when."""

    answers: float
    at: datetime


@dataclass(frozen=True, slots=True)
class Repeat:
    """The same words: how often they came, as far as that is not forgotten; when last, and when last answered."""

    comings: float
    seen: datetime
    answered: datetime | None = None


@dataclass(frozen=True, slots=True)
class PatienceState:
    """What is remembered of one sender. `last`: the words of the last mail by which something was done."""

    levels: Mapping[Sort, tuple[Level, ...]] = field(default_factory=dict)
    repeats: Mapping[str, Repeat] = field(default_factory=dict)
    last: str = ""


FRESH = PatienceState()


@dataclass(frozen=True, slots=True)
class Answering:
    """Whether a mail is answered, why not, and whether its author is to be told that it is not."""

    answered: bool
    why: str = ""
    tell: bool = False


def weigh(state: PatienceState, sort: Sort, words: str, now: datetime) -> tuple[PatienceState, Answering]:
    """The state after one more mail of this sort that says `words` (a digest), and what to do about it."""
    state = _done_anew(state, words) if sort is Sort.DONE else state
    repeat = _faded(state.repeats.get(words), HABITS[sort], now)
    due = _due(repeat, HABITS[sort], now)
    levels = _leaked(state, sort, now)
    room = _has_room(levels, sort)
    answered = due and room
    repeat = Repeat(repeat.comings + 1, now, now if answered else repeat.answered)
    state = _with_repeat(state, words, _capped(repeat, HABITS[sort]))
    if answered:
        return _filled(state, sort, levels), Answering(True)
    why = f"enough answers to mails of this sort ({sort})" if due else "the same words again, answered lately"
    return _told(state, now, why)


def _told(state: PatienceState, now: datetime, why: str) -> tuple[PatienceState, Answering]:
    levels = _leaked(state, Sort.NOTICE, now)
    tell = _has_room(levels, Sort.NOTICE)
    return (_filled(state, Sort.NOTICE, levels) if tell else state), Answering(False, why, tell)


# --- sameness -------------------------------------------------------------------------------------------------------


def _done_anew(state: PatienceState, words: str) -> PatienceState:
    """Whoever changes their mind and back is no machine: only the very same words twice running are a repetition."""
    if state.last in ("", words):
        return replace(state, last=words)
    return replace(state, last=words, repeats={key: one for key, one in state.repeats.items() if key != words})


def _faded(known: Repeat | None, habit: Habit, now: datetime) -> Repeat:
    if known is None:
        return Repeat(0, now)
    days = max(timedelta(), now - known.seen) / timedelta(days=1)
    return replace(known, comings=max(0.0, known.comings - days * habit.fades))


def _due(repeat: Repeat, habit: Habit, now: datetime) -> bool:
    if repeat.comings < habit.free or repeat.answered is None:
        return True
    return now - repeat.answered >= habit.wait * 2 ** (repeat.comings - habit.free)


def _capped(repeat: Repeat, habit: Habit) -> Repeat:
    return replace(repeat, comings=min(repeat.comings, habit.free + habit.doublings))


def _with_repeat(state: PatienceState, words: str, repeat: Repeat) -> PatienceState:
    others = [(key, one) for key, one in state.repeats.items() if key != words]
    newest = sorted(others, key=lambda other: other[1].seen)[-(_KEPT - 1) :]
    return replace(state, repeats=dict([*newest, (words, repeat)]))


# --- number ---------------------------------------------------------------------------------------------------------


def _leaked(state: PatienceState, sort: Sort, now: datetime) -> tuple[Level, ...]:
    """How full the pails of a sort are now."""
    known = state.levels.get(sort, ())
    if len(known) != len(PAILS[sort]):
        return tuple(Level(0.0, now) for _ in PAILS[sort])
    return tuple(_leak(level, pail, now) for level, pail in zip(known, PAILS[sort], strict=True))


def _leak(level: Level, pail: Pail, now: datetime) -> Level:
    days = max(timedelta(), now - level.at) / timedelta(days=1)
    return Level(max(0.0, level.answers - days * pail.a_day), now)


def _has_room(levels: Iterable[Level], sort: Sort) -> bool:
    return all(level.answers + 1 <= pail.room for level, pail in zip(levels, PAILS[sort], strict=True))


def _filled(state: PatienceState, sort: Sort, levels: Iterable[Level]) -> PatienceState:
    fuller = tuple(replace(level, answers=level.answers + 1) for level in levels)
    return replace(state, levels={**state.levels, sort: fuller})


# --- as text --------------------------------------------------------------------------------------------------------


def write(state: PatienceState) -> str:
    """The state as short JSON; moments as seconds since 1970."""
    facts = {
        "levels": {str(sort): [[round(one.answers, 3), _seconds(one.at)] for one in levels]
                   for sort, levels in state.levels.items()},
        "repeats": {key: [round(one.comings, 3), _seconds(one.seen), _seconds(one.answered)]
                    for key, one in state.repeats.items()},
        "last": state.last,
    }  # fmt: skip
    return json.dumps(facts, separators=(",", ":"))


def read(text: str) -> PatienceState:
    """What `write` wrote; "" is a sender of whom nothing is known."""
    if not text:
        return FRESH
    facts = json.loads(text)
    return PatienceState(
        {Sort(sort): tuple(Level(full, _known(at)) for full, at in levels) for sort, levels in facts["levels"].items()},
        {
            key: Repeat(comings, _known(seen), None if answered is None else _known(answered))
            for key, (comings, seen, answered) in facts["repeats"].items()
        },
        facts["last"],
    )


def _seconds(moment: datetime | None) -> int | None:
    return None if moment is None else round(moment.timestamp())


def _known(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
