"""How reliable a player is, in figures: turns played, turns late, seats lost or left. Counted from the events.

A turn whose results are taken back counts for nobody until it is played again, and then as it was the first time, or
as it goes where it is ordered anew. What an excuse or an outage explains was never called late.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from judge.game.core import events as ev
from judge.game.core.model import Game, Played
from judge.game.core.parts import Seat
from judge.game.filing.standing import seats_behind, standings
from judge.game.repair.rewriting import RolledBack, replay_of
from judge.game.table.vacancies import PlayerExcused
from judge.languages import tell, tell_counted

_LOST = {"nmr": "missed", "left": "resigned", "disqualified": "disqualified"}


@dataclass(frozen=True, slots=True)
class Record:
    """What is counted of one person over all games.

    `turns`: those that asked something of them. In some they were `late`, for some they had sent nothing (`silent`),
    and some the Gamemaster had processed ahead of the deadline before they had sent anything (`early`): no fault of
    theirs, and not on time either, so that these count for nothing.
    """

    turns: int = 0
    late: int = 0
    silent: int = 0
    early: int = 0
    missed: int = 0
    resigned: int = 0
    disqualified: int = 0

    @property
    def counted(self) -> int:
        """The turns of which the share on time is taken."""
        return self.turns - self.early

    @property
    def on_time(self) -> int:
        """How many of them were on time."""
        return max(0, self.counted - self.late - self.silent)

    def __str__(self) -> str:
        """As the Gamemaster reads it, and whoever is told what is asked of them: the same figures everywhere.

        >>> str(Record(24, 2, missed=1)), str(Record())
        ('22 of 24 turns on time, 1 seat lost', 'no turns yet')
        >>> str(Record(24, late=1, silent=2, early=1)), str(Record(1, early=1))
        ('20 of 23 turns on time, 2 without orders, 1 more processed early', 'no turns yet, 1 processed early')
        """
        turns = tell_counted(self.counted, "turn", "turns")
        words = [
            tell("{on_time} of {counted} {turns} on time", on_time=self.on_time, counted=self.counted, turns=turns)
            if self.counted
            else tell("no turns yet")
        ]
        if self.silent:
            words.append(tell("{silent} without orders", silent=self.silent))
        if self.early:
            words.append(
                tell("{early} more processed early", early=self.early)
                if self.counted
                else tell("{early} processed early", early=self.early)
            )
        if self.missed:
            words.append(f"{self.missed} {'seat' if self.missed == 1 else 'seats'} lost")
        if self.resigned:
            words.append(f"resigned {self.resigned} times" if self.resigned > 1 else tell("resigned once"))
        if self.disqualified:
            words.append("disqualified")
        return ", ".join(words)


def in_words(records: Iterable[Record]) -> list[str]:
    """Several records as the Gamemaster reads them."""
    return [str(record) for record in records]


def counted(before: Game, events: Sequence[ev.Event]) -> Mapping[int, Mapping[str, int]]:
    """Person -> what the events of one transaction add to their record."""
    found: dict[int, dict[str, int]] = {}

    def add(person: int, what: str, count: int = 1) -> None:
        mine = found.setdefault(person, {})
        mine[what] = mine.get(what, 0) + count

    if before.practice is not None:
        return found
    for game, played, sign in _turns(before, events):
        asked = {one.power for one in standings(game)}
        for seat in game.seats.values():
            if seat.person is not None and asked.intersection(seat.powers):
                add(seat.person, "turns", sign)
                if (fault := _fault(game, played, seat)) != "":
                    add(seat.person, fault, sign)
    for event in events:
        if isinstance(event, ev.SeatVacated) and event.why in _LOST and before.position is not None:
            add(event.person, _LOST[event.why])
        elif isinstance(event, ev.SeatFilled) and (lost := _back_again(before, events, event)):
            add(event.person, lost, -1)
    return found


def _turns(before: Game, events: Sequence[ev.Event]) -> Iterator[tuple[Game, Sequence[ev.Event], int]]:
    """The turns that count more for it, and with -1 less: those whose results are taken back."""
    taken = _by_turn(before.replay.taken) if before.replay is not None else ()
    for event in events:
        if isinstance(event, RolledBack):
            taken = _by_turn(replay_of(before, event).taken)
            yield from ((game, played, -1) for game, played in taken)
    phases = {event.phase for event in events if isinstance(event, ev.PhaseAdjudicated)}
    if taken:
        yield from ((game, played, 1) for game, played in taken if played[0].phase in phases)
    elif phases:
        yield before, events, 1


def _by_turn(taken: Iterable[Played]) -> tuple[tuple[Game, Sequence[Any]], ...]:
    """Results that were taken back, those together that were played together."""
    groups = [list(group) for _, group in groupby(taken, key=lambda one: (one.event.at, one.before.deadline.version))]
    return tuple((group[0].before, [one.event for one in group]) for group in groups)


def _back_again(before: Game, events: Sequence[ev.Event], event: ev.SeatFilled) -> str:
    """What is struck out for whoever has their last seat again: that they gave it up, which they take back; that it
    fell vacant, which the Gamemaster excuses. "" for anybody else.
    """
    terms = before.seats[event.seat].terms if event.seat in before.seats else ()
    if not terms or terms[-1].person != event.person:
        return ""
    excused = any(isinstance(one, PlayerExcused) and one.person == event.person for one in events)
    return {"left": "resigned", "nmr": "missed" if excused else ""}.get(terms[-1].why, "")


def _fault(before: Game, events: Sequence[ev.Event], seat: Seat) -> str:
    """Why a turn that is processed was not on time for a seat; "" if it was."""
    deadline = before.deadline
    if deadline is not None and seat.id in deadline.late:
        return "late"
    if seat not in seats_behind(before):
        return ""
    played = next(event for event in events if isinstance(event, ev.PhaseAdjudicated))
    by_hand = played.by != "judge" and deadline is not None and played.at < deadline.at
    return "early" if by_hand else "silent"
