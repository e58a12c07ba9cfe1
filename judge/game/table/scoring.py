"""The score of a finished game: how each power ended, who answers for it, and its points by four known systems.

Points are computed from the final counts, the survivors and the sharers alone, so anybody can check them with a pencil:

    calhamer       a win is 1; n who share have 1/n each
    hall-of-fame   those who did not share, divided among those who did: a win of seven is 6, a draw of two 2.5
    squares        centres squared, as a share of all such squares, of 100; a winner by centres or concession has all
    c-diplo        1 for playing, 1 for each centre, 38, 14 and 7 for the first three places; a winner has 100

Practice games and games that their Gamemaster closed without a result come to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from judge.game.core.model import Game
from judge.game.core.parts import Ending, Seat, Tenure

RATED = ("win", "concession", "draw", "limit")
"""Ways to end that come to a score."""
_BLAMED = frozenset({"nmr", "left", "disqualified"})
"""Ways to lose a seat that its player answers for."""
_TAKEN_BACK = frozenset({"replaced", "withdrawn"})
"""Ways to lose a seat that somebody else had decided to give away."""
_PLACES = (38, 14, 7)


@dataclass(frozen=True, slots=True)
class Placing:
    """One power at the end. `fate`: "won", "shared", "survived" or "eliminated"; `terms`: who played it, in turn."""

    power: str
    centres: int
    fate: str
    terms: tuple[Tenure, ...]

    @property
    def best(self) -> bool:
        """Whether it won, or shares in the result."""
        return self.fate in ("won", "shared")


@dataclass(frozen=True, slots=True)
class Score:
    """A finished game: how it ended, and every power that somebody played, in the board's order."""

    how: str
    at: datetime
    placings: tuple[Placing, ...]


def score_of(game: Game) -> Score | None:
    """What a game comes to; None while it runs, and where it is not rated."""
    if game.ending is None or game.ending.how not in RATED or game.position is None or game.practice is not None:
        return None
    placings = [
        Placing(power, len(game.position.centres(power)), _fate(game, game.ending, power), terms_of(seat))
        for power in game.board.powers
        if (seat := game.seat_of(power)) is not None
    ]
    return Score(game.ending.how, game.ending.at, tuple(placings))


def terms_of(seat: Seat) -> tuple[Tenure, ...]:
    """Everybody who held a seat, first to last, the present player with no end; who came back at once never went, and
    whose seat was given away again in the phase in which they got it never came.
    """
    gone = (term for term in seat.terms if term.why not in _TAKEN_BACK or term.since != term.until)
    held = [*gone, *([Tenure(seat.person, seat.since, "", "")] if seat.person is not None else [])]
    terms: list[Tenure] = []
    for term in held:
        if terms and terms[-1].person == term.person:
            term = Tenure(term.person, terms.pop().since, term.until, term.why)
        terms.append(term)
    return tuple(terms)


def answers_for(terms: Sequence[Tenure]) -> tuple[tuple[int, str], ...]:
    """(person, part) of those who answer for a power's result: "regular" who played it from the first phase to the
    last, "standby" who took it over and finished, "left" who gave it up or lost it by their own doing.
    """
    found = []
    for place, term in enumerate(terms):
        if not term.why and place == len(terms) - 1:
            found.append((term.person, "standby" if term.since else "regular"))
        elif term.why in _BLAMED and not any(later.person == term.person for later in terms[place + 1 :]):
            found.append((term.person, "left"))
    return tuple(found)


def score_to_json(score: Score) -> dict[str, Any]:
    """A score as plain JSON; `score_from_json` reads it back."""
    placings = [
        [p.power, p.centres, p.fate, [[t.person, t.since, t.until, t.why] for t in p.terms]] for p in score.placings
    ]
    return {"how": score.how, "at": score.at.isoformat(), "placings": placings}


def score_from_json(found: Mapping[str, Any]) -> Score:
    """The inverse of `score_to_json`."""
    placings = (
        Placing(power, centres, fate, tuple(Tenure(*term) for term in terms))
        for power, centres, fate, terms in found["placings"]
    )
    return Score(found["how"], datetime.fromisoformat(found["at"]), tuple(placings))


def _fate(game: Game, ending: Ending, power: str) -> str:
    if power in ending.powers:
        return "won" if len(ending.powers) == 1 else "shared"
    return "survived" if power in game.survivors else "eliminated"


# --- points -------------------------------------------------------------------------------------------------------


def points_of(placings: Sequence[Placing]) -> Mapping[str, Mapping[str, float]]:
    """System -> power -> points.

    >>> two = tuple(Placing(power, count, "shared", ()) for power, count in (("FRANCE", 3), ("ITALY", 1)))
    >>> points_of(two)["squares"]
    {'FRANCE': 90.0, 'ITALY': 10.0}
    """
    return MappingProxyType({system: compute(placings) for system, compute in SYSTEMS.items()})


def _calhamer(placings: Sequence[Placing]) -> Mapping[str, float]:
    sharers = sum(placing.best for placing in placings)
    return {placing.power: 1 / sharers if placing.best else 0.0 for placing in placings}


def _hall_of_fame(placings: Sequence[Placing]) -> Mapping[str, float]:
    sharers = sum(placing.best for placing in placings)
    each = (len(placings) - sharers) / sharers if sharers else 0.0
    return {placing.power: each if placing.best else 0.0 for placing in placings}


def _squares(placings: Sequence[Placing]) -> Mapping[str, float]:
    if any(placing.fate == "won" for placing in placings):
        return {placing.power: 100.0 if placing.fate == "won" else 0.0 for placing in placings}
    whole = sum(placing.centres**2 for placing in placings) or 1
    return {placing.power: 100 * placing.centres**2 / whole for placing in placings}


def _c_diplo(placings: Sequence[Placing]) -> Mapping[str, float]:
    if any(placing.fate == "won" for placing in placings):
        return {placing.power: 100.0 if placing.fate == "won" else 0.0 for placing in placings}
    counts = sorted((placing.centres for placing in placings), reverse=True)
    found = {}
    for placing in placings:
        first, tied = counts.index(placing.centres), counts.count(placing.centres)
        prizes = sum(_PLACES[first : first + tied]) / tied
        found[placing.power] = 1 + placing.centres + prizes
    return found


SYSTEMS: Mapping[str, Callable[[Sequence[Placing]], Mapping[str, float]]] = {
    "calhamer": _calhamer,
    "hall-of-fame": _hall_of_fame,
    "squares": _squares,
    "c-diplo": _c_diplo,
}
"""The systems, in the order in which letters print them."""
