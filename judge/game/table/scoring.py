"""The score of a finished game: how each power ended, and who answers for it.

Points are computed from it alone (`judge.game.table.points`). Practice games and games that their Gamemaster closed
without a result come to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.game.core.model import Game
from judge.game.core.parts import Ending, Seat, Tenure
from judge.game.core.system import for_players

RATED = ("win", "concession", "draw", "limit")
"""Ways to end that come to a score."""
_BLAMED = frozenset({"nmr", "left", "disqualified"})
"""Ways to lose a seat that its player answers for."""
_TAKEN_BACK = frozenset({"replaced", "withdrawn"})
"""Ways to lose a seat that somebody else had decided to give away."""


@dataclass(frozen=True, slots=True)
class Placing:
    """One power at the end. `fate`: "won", "shared", "survived" or "eliminated"; `terms`: who played it, in turn;
    `out`: the first year at whose end an eliminated power had no centre, 0 where it is not known.
    """

    power: str
    centres: int
    fate: str
    terms: tuple[Tenure, ...]
    out: int = 0

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
        _placing(game, game.ending, power, terms_of(seat), len(game.position.centres(power)))
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
        [p.power, p.centres, p.fate, [[t.person, t.since, t.until, t.why] for t in p.terms], p.out]
        for p in score.placings
    ]
    return {"how": score.how, "at": score.at.isoformat(), "placings": placings}


def score_from_json(found: Mapping[str, Any]) -> Score:
    """The inverse of `score_to_json`; a score that was written without years of elimination has none."""
    placings = (
        Placing(power, centres, fate, tuple(Tenure(*term) for term in terms), *out)
        for power, centres, fate, terms, *out in found["placings"]
    )
    return Score(found["how"], datetime.fromisoformat(found["at"]), tuple(placings))


def _placing(game: Game, ending: Ending, power: str, terms: tuple[Tenure, ...], centres: int) -> Placing:
    fate = _fate(game, ending, power)
    return Placing(power, centres, fate, terms, _year_out(game, power) if fate == "eliminated" else 0)


def _year_out(game: Game, power: str) -> int:
    """The year after the last one at whose end a power had a centre."""
    had = [year for year, counts in game.chart.items() if counts.get(power)]
    return max(had) + 1 if had else 0


def _fate(game: Game, ending: Ending, power: str) -> str:
    if power in ending.powers and power in for_players(game.system):  # no second share for what joined a player
        return "won" if len(ending.powers) == 1 else "shared"
    return "survived" if power in game.survivors else "eliminated"
