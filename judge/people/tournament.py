"""A tournament as a value: announced, entered, seeded, played in rounds, ended. Events in, state out; pure; and who
plays at which board, and which power.

What a board came to is handed in, as points by person: this room knows persons by number, and no games.

Nobody meets the same people again where it can be avoided, nobody plays a power twice, the boards are equally strong,
and wishes are served as far as these leave a choice. The same arguments give the same boards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from itertools import combinations
from typing import Any

Wishes = tuple[tuple[str, ...], ...]


class TournamentStage(StrEnum):
    """Where a tournament is in its life."""

    OPEN = "open"
    """People enter; also between rounds."""
    PLAYING = "playing"
    """The boards of a round are on."""
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Announced:
    """The first event. `settings`: of its games, as pairs; `access`: "open" or "invitation"; `top`: whether the last
    round has a top board.
    """

    director: int
    rounds: int
    scoring: str
    preset: str
    settings: tuple[tuple[str, str], ...]
    access: str
    top: bool
    zone: str


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody takes part from the next round on; or has other wishes."""

    person: int
    wishes: Wishes


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Somebody takes part in no further round; boards that they play go on. `why`: "left" or "removed"."""

    person: int
    why: str


@dataclass(frozen=True, slots=True)
class InvitedTo:
    """Whoever reads one of some addresses may enter: a ticket stands for each, so that no log keeps an address."""

    tickets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Seeded:
    """The boards of the next round as a draft: each as pairs of a person and their powers; `idle`: who sits out."""

    boards: tuple[tuple[tuple[int, tuple[str, ...]], ...], ...]
    idle: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """The draft is played: `games` are the boards' names, in its order."""

    games: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardOver:
    """A board has come to its end."""

    game: str


@dataclass(frozen=True, slots=True)
class TournamentEnded:
    """There are no more rounds; `early`: the director closed it."""

    early: bool = False


Happening = Announced | Entered | Withdrawn | InvitedTo | Seeded | RoundBegun | BoardOver | TournamentEnded
_KINDS: Mapping[str, type[Any]] = {
    kind.__name__: kind
    for kind in (Announced, Entered, Withdrawn, InvitedTo, Seeded, RoundBegun, BoardOver, TournamentEnded)
}


def happening_to_json(event: Happening) -> tuple[str, dict[str, Any]]:
    """(kind, facts as plain JSON); `happening_from_json` reads them back."""
    return type(event).__name__, asdict(event)


def happening_from_json(kind: str, facts: Mapping[str, Any]) -> Happening:
    """The inverse of `happening_to_json`."""
    found: Happening = _KINDS[kind](**{name: _frozen(value) for name, value in facts.items()})
    return found


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, (list, tuple)) else value


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who takes part; `gone`: in no further round."""

    person: int
    wishes: Wishes = ()
    gone: str = ""
    sat_out: int = 0


@dataclass(frozen=True, slots=True)
class TournamentBoard:
    """One board of a round: person -> powers."""

    game: str
    seats: Mapping[int, tuple[str, ...]]
    over: bool = False


@dataclass(frozen=True, slots=True)
class Tournament:
    """The whole state after `seq` events."""

    name: str
    terms: Announced
    seq: int = 1
    stage: TournamentStage = TournamentStage.OPEN
    entrants: Mapping[int, Entrant] = field(default_factory=dict)
    invited: frozenset[str] = frozenset()
    """Tickets."""
    rounds: tuple[tuple[TournamentBoard, ...], ...] = ()
    draft: Seeded | None = None

    @property
    def staying(self) -> tuple[int, ...]:
        """Who takes part in the next round, in the order in which they entered."""
        return tuple(person for person, entrant in self.entrants.items() if not entrant.gone)

    @property
    def last_round(self) -> bool:
        """Whether the next round is the last."""
        return len(self.rounds) + 1 == self.terms.rounds

    def met(self, person: int) -> dict[int, int]:
        """Whom somebody has met, and how often."""
        found: dict[int, int] = {}
        for board in self._boards_of(person):
            for other in board.seats:
                if other != person:
                    found[other] = found.get(other, 0) + 1
        return found

    def played(self, person: int) -> dict[str, int]:
        """Which powers somebody was given, and how often."""
        found: dict[str, int] = {}
        for board in self._boards_of(person):
            for power in board.seats[person]:
                found[power] = found.get(power, 0) + 1
        return found

    def _boards_of(self, person: int) -> Iterable[TournamentBoard]:
        return (board for boards in self.rounds for board in boards if person in board.seats)


def announce(name: str, event: Announced) -> Tournament:
    """A tournament after its first event."""
    return Tournament(name, event)


def proceed(now: Tournament, event: Happening) -> Tournament:
    """The tournament after one more event."""
    after = _proceed(now, event)
    return replace(after, seq=now.seq + 1)


def _proceed(now: Tournament, event: Happening) -> Tournament:
    if isinstance(event, Entered):
        known = now.entrants.get(event.person) or Entrant(event.person)
        entrant = replace(known, wishes=event.wishes, gone="")
        return replace(now, entrants={**now.entrants, event.person: entrant}, draft=None)
    if isinstance(event, Withdrawn):
        entrant = replace(now.entrants[event.person], gone=event.why)
        return replace(now, entrants={**now.entrants, event.person: entrant}, draft=None)
    if isinstance(event, InvitedTo):
        return replace(now, invited=now.invited | frozenset(event.tickets))
    if isinstance(event, Seeded):
        return replace(now, draft=event)
    if isinstance(event, RoundBegun):
        return _begun(now, event)
    if isinstance(event, BoardOver):
        return _board_over(now, event)
    return replace(now, stage=TournamentStage.OVER, draft=None)


def _begun(now: Tournament, event: RoundBegun) -> Tournament:
    assert now.draft is not None
    boards = tuple(
        TournamentBoard(game, dict(seats)) for game, seats in zip(event.games, now.draft.boards, strict=True)
    )
    idle = {
        person: replace(now.entrants[person], sat_out=now.entrants[person].sat_out + 1) for person in now.draft.idle
    }
    entrants = {**now.entrants, **idle}
    return replace(now, rounds=(*now.rounds, boards), stage=TournamentStage.PLAYING, draft=None, entrants=entrants)


def _board_over(now: Tournament, event: BoardOver) -> Tournament:
    *before, last = now.rounds
    boards = tuple(replace(board, over=board.over or board.game == event.game) for board in last)
    stage = TournamentStage.OPEN if all(board.over for board in boards) else now.stage
    return replace(now, rounds=(*before, boards), stage=stage)


# --- standings ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BoardPart:
    """What somebody has to show for one board. `part`: "regular", "standby" (took a power over and finished) or
    "left"; `best`: won or shared in the result.
    """

    person: int
    part: str
    points: float
    best: bool
    centres: int


@dataclass(frozen=True, slots=True)
class TableLine:
    """One line of the table; equal places are shared. `rounds`: points of each round, None for one not played."""

    place: int
    person: int
    total: float
    rounds: tuple[float | None, ...]
    wins: int
    centres: int
    gone: str = ""


def standings(now: Tournament, results: Mapping[str, Sequence[BoardPart]]) -> tuple[TableLine, ...]:
    """The running totals. `results`: game -> what its players have to show, of boards that are over.

    A power's points go to whoever played it from the first phase to the last; who gave it up has none; who took over
    and finished has them if they have no board of their own in that round. Ties: by wins, then the best single board,
    then centres; what is still equal shares the place.
    """
    lines = []
    for person, entrant in now.entrants.items():
        rounds = tuple(_of_round(person, boards, results) for boards in now.rounds)
        points = tuple(None if parts is None else sum(_counted(part) for part in parts) for parts in rounds)
        parts = [part for found in rounds for part in found or ()]
        wins = sum(any(part.best and part.part != "left" for part in found or ()) for found in rounds)
        centres = sum(part.centres for part in parts if part.part != "left")
        total = sum(one for one in points if one is not None)
        lines.append(TableLine(0, person, total, points, wins, centres, entrant.gone))
    lines.sort(key=_order)
    return tuple(replace(line, place=_place(lines, line)) for line in lines)


def _of_round(
    person: int, boards: Sequence[TournamentBoard], results: Mapping[str, Sequence[BoardPart]]
) -> list[BoardPart] | None:
    own = next((board for board in boards if person in board.seats), None)
    if own is not None:
        if own.game not in results:
            return None
        return [part for part in results[own.game] if part.person == person and part.part != "standby"]
    found = [part for board in boards for part in results.get(board.game, ()) if part.person == person]
    return found or None


def _counted(part: BoardPart) -> float:
    return 0.0 if part.part == "left" else part.points


def _order(line: TableLine) -> tuple[float, int, float, int]:
    best = max((one for one in line.rounds if one is not None), default=0.0)
    return -round(line.total, 6), -line.wins, -round(best, 6), -line.centres


def _place(lines: Sequence[TableLine], line: TableLine) -> int:
    return 1 + sum(_order(other) < _order(line) for other in lines)


_MET, _REPEATED = 1_000_000.0, 1_000.0
"""What it costs that two meet once more, and that somebody gets a power once more: wishes and strength come after."""
_MOST_PASSES = 50
"""Rounds of exchanges; far fewer are needed."""


@dataclass(frozen=True, slots=True)
class Seed:
    """Somebody to be seated: their rating, their wishes (best first, equals together), whom they have met and which
    powers they have played in this tournament, each with how often.
    """

    person: int
    rating: float = 1500.0
    wishes: tuple[tuple[str, ...], ...] = ()
    met: Mapping[int, int] = field(default_factory=dict)
    played: Mapping[str, int] = field(default_factory=dict)


def seed_boards(seeds: Sequence[Seed], hands: Sequence[tuple[str, ...]], lot: int) -> list[dict[int, tuple[str, ...]]]:
    """The boards, each as person -> the powers in their hand. There must be as many seeds as the boards have hands.

    >>> boards = seed_boards([Seed(n) for n in range(4)], [("FRANCE",), ("ITALY",)], 1)
    >>> sorted(person for board in boards for person in board)
    [0, 1, 2, 3]
    """
    size = len(hands)
    if size == 0 or len(seeds) % size:
        raise ValueError("the seeds must fill the boards")
    boards = _apart(_snake(seeds, len(seeds) // size, lot))
    return [_powers(board, hands, lot) for board in boards]


def top_board(seeds: Sequence[Seed], hands: Sequence[tuple[str, ...]], lot: int) -> list[dict[int, tuple[str, ...]]]:
    """Boards in the order in which the seeds stand: the best together at the first, and so on."""
    size = len(hands)
    return [_powers(seeds[first : first + size], hands, lot) for first in range(0, len(seeds), size)]


Draft = tuple[tuple[tuple[int, tuple[str, ...]], ...], ...]
"""Boards as they are written down: each as pairs of a person and their powers."""


def swapped(boards: Draft, idle: tuple[int, ...], one: int, other: int) -> tuple[Draft, tuple[int, ...]]:
    """A draft in which two have changed places, at one board or two, or with somebody who sits out.

    >>> swapped((((1, ("FRANCE",)), (2, ("ITALY",))),), (3,), 2, 3)
    ((((1, ('FRANCE',)), (3, ('ITALY',))),), (2,))
    """
    place = {one: other, other: one}
    seated = tuple(tuple(sorted((place.get(person, person), hand) for person, hand in board)) for board in boards)
    return seated, tuple(sorted(place.get(person, person) for person in idle))


def _chance(lot: int, *words: object) -> float:
    digest = sha256("/".join(map(str, (lot, *words))).encode()).digest()
    return int.from_bytes(digest[:4], "big") / 2**32


def _snake(seeds: Sequence[Seed], count: int, lot: int) -> list[list[Seed]]:
    """The best to the first board, the next to the second ..., and back again."""
    ranked = sorted(seeds, key=lambda seed: (-seed.rating, _chance(lot, seed.person)))
    boards: list[list[Seed]] = [[] for _ in range(count)]
    for place, seed in enumerate(ranked):
        there, back = divmod(place, count)[1], (place // count) % 2
        boards[count - 1 - there if back else there].append(seed)
    return boards


def _apart(boards: list[list[Seed]]) -> list[list[Seed]]:
    """Exchange players between boards as long as that lets fewer people meet again, or evens the boards out."""
    for _ in range(_MOST_PASSES):
        gained = [_exchange(one, other) for one, other in combinations(boards, 2)]
        if not any(gained):
            break
    return boards


def _exchange(one: list[Seed], other: list[Seed]) -> bool:
    """The best exchange of two players between two boards; False if none is any use."""
    before, best = _cost(one, other), None
    least = before
    for i in range(len(one)):
        for j in range(len(other)):
            one[i], other[j] = other[j], one[i]
            cost = _cost(one, other)
            one[i], other[j] = other[j], one[i]
            if cost < least - 1e-6:
                least, best = cost, (i, j)
    if best is None:
        return False
    i, j = best
    one[i], other[j] = other[j], one[i]
    return True


def _cost(one: Sequence[Seed], other: Sequence[Seed]) -> float:
    uneven = abs(sum(seed.rating for seed in one) - sum(seed.rating for seed in other))
    return _MET * (meetings(one) + meetings(other)) + uneven


def meetings(board: Sequence[Seed]) -> int:
    """How often those at a board have met before, counted for each pair; a second time weighs more than a first."""
    return sum(one.met.get(other.person, 0) ** 2 for one, other in combinations(board, 2))


def _powers(board: Sequence[Seed], hands: Sequence[tuple[str, ...]], lot: int) -> dict[int, tuple[str, ...]]:
    """Who gets which hand: as well as exchanges of two can make it."""
    order = sorted(board, key=lambda seed: _chance(lot, seed.person))
    dealt = sorted(hands, key=lambda hand: _chance(lot, *hand))
    for _ in range(_MOST_PASSES):
        gained = False
        for i, j in combinations(range(len(order)), 2):
            now = _liked(order[i], dealt[i], lot) + _liked(order[j], dealt[j], lot)
            if _liked(order[i], dealt[j], lot) + _liked(order[j], dealt[i], lot) < now - 1e-9:
                dealt[i], dealt[j], gained = dealt[j], dealt[i], True
        if not gained:
            break
    return {seed.person: hand for seed, hand in zip(order, dealt, strict=True)}


def _liked(seed: Seed, hand: tuple[str, ...], lot: int) -> float:
    """What it costs that somebody gets a hand."""
    again = sum(seed.played.get(power, 0) for power in hand)
    rank = next((i for i, group in enumerate(seed.wishes) if not set(hand).isdisjoint(group)), len(seed.wishes))
    return _REPEATED * again**2 + rank + _chance(lot, seed.person, *hand) / 2
