"""The score of a finished game: how each power ended, who answers for it, the points by the systems of the hobby."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from judge.game.core.model import Game, for_players
from judge.game.core.parts import Ending, Seat, Tenure

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
    """A finished game: how it ended, and every power that somebody played, in the board's order. `press`: between the
    players, "full", "public" or "none".
    """

    how: str
    at: datetime
    placings: tuple[Placing, ...]
    press: str = "full"


def score_of(game: Game) -> Score | None:
    """What a game comes to; None while it runs, and where it is not rated."""
    if game.ending is None or game.ending.how not in RATED or game.position is None or game.practice is not None:
        return None
    placings = [
        _placing(game, game.ending, power, terms_of(seat), len(game.position.centres(power)))
        for power in game.board.powers
        if (seat := game.seat_of(power)) is not None
    ]
    return Score(game.ending.how, game.ending.at, tuple(placings), game.ending.press)


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
    return {"how": score.how, "at": score.at.isoformat(), "placings": placings, "press": score.press}


def score_from_json(found: Mapping[str, Any]) -> Score:
    """The inverse of `score_to_json`; a score that was written without years of elimination has none, and one
    that says nothing of press had all of it.
    """
    placings = (
        Placing(power, centres, fate, tuple(Tenure(*term) for term in terms), *out)
        for power, centres, fate, terms, *out in found["placings"]
    )
    return Score(found["how"], datetime.fromisoformat(found["at"]), tuple(placings), found.get("press", "full"))


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


Points = Mapping[str, float]
"""Power -> its points."""

_POT = 100.0
_C_DIPLO = (38, 14, 7)
_DIXIE = (270, 70, 50, 34, 20, 10, 0)
_RANK, _USUAL_CENTRES = 1000, 34


def points_of(placings: Sequence[Placing], systems: Sequence[str] = ()) -> Mapping[str, Points]:
    """System -> power -> points; by all systems, unless some are named.

    >>> two = tuple(Placing(power, count, "shared", ()) for power, count in (("FRANCE", 3), ("ITALY", 1)))
    >>> points_of(two)["squares"]
    {'FRANCE': 90.0, 'ITALY': 10.0}
    """
    return MappingProxyType({system: SYSTEMS[system](placings) for system in systems or SYSTEMS})


def _calhamer(placings: Sequence[Placing]) -> Points:
    """Calhamer points: a win is 1; n who share have 1/n each. Sum: 1."""
    sharers = sum(placing.best for placing in placings)
    return {placing.power: 1 / sharers if placing.best else 0.0 for placing in placings}


def _draw_size(placings: Sequence[Placing]) -> Points:
    """Draw-size scoring: as Calhamer's, of a pot, which is 100 here. Sum: 100."""
    return {power: _POT * share for power, share in _calhamer(placings).items()}


def _hall_of_fame(placings: Sequence[Placing]) -> Points:
    """The E-mail Hall of Fame of Electronic Protocol: those who did not share, divided among those who did. Of seven a
    win is 6, a draw of two 2.5, of three 4/3, ... of seven 0. Sum: the number of those who did not share.
    """
    sharers = sum(placing.best for placing in placings)
    each = (len(placings) - sharers) / sharers if sharers else 0.0
    return {placing.power: each if placing.best else 0.0 for placing in placings}


def _dsi(placings: Sequence[Placing]) -> Points:
    """DSI, of Electronic Protocol's days: a win is 7, a draw of n 7/n for each in it; to survive is 1/2, to be
    eliminated 1/4. Who was replaced has 0: that is for whoever gives points to persons, who gives them none. Sum: 7,
    and 1/2 and 1/4 for each of the others. The 7 is the 7 of the system, whatever the board.
    """
    each = 7 / max(1, sum(placing.best for placing in placings))
    worth = {"won": each, "shared": each, "survived": 0.5, "eliminated": 0.25}
    return {placing.power: worth[placing.fate] for placing in placings}


def _squares(placings: Sequence[Placing]) -> Points:
    """Sum of squares: centres squared, as a share of all such squares, of 100; a winner has all. Sum: 100."""
    return _winner_has(100.0, placings) or _shares(placings, {one.power: one.centres**2 for one in placings})


def _c_diplo(placings: Sequence[Placing]) -> Points:
    """C-Diplo: 1 for playing, 1 for each centre; 38, 14 and 7 for the first three by centres, equals share; a winner
    has 100. Sum, of seven powers with all 34 centres: 100.
    """
    return _winner_has(100.0, placings) or _c_diplo_drawn(placings)


def _c_diplo_73(placings: Sequence[Placing]) -> Points:
    """The French variant of C-Diplo, named after what a winner has: 73 = 38 + 34 + 1, the first place, all centres and
    having played. Without a winner as C-Diplo.
    """
    return _winner_has(38.0 + _USUAL_CENTRES + 1, placings) or _c_diplo_drawn(placings)


def _c_diplo_drawn(placings: Sequence[Placing]) -> Points:
    prizes = _by_place(placings, _C_DIPLO, lambda placing: (placing.centres,))
    return {placing.power: 1 + placing.centres + prizes[placing.power] for placing in placings}


def _carnage(placings: Sequence[Placing]) -> Points:
    """Carnage: 7000 for the first place, 6000 for the second ... 1000 for the last, equals share; and 1 for each
    centre. Places go by centres, of those eliminated by the year in which they were. A winner has 28034: all places
    and all centres of the usual board. On a board of n powers the first place is n thousand, and a winner has all of
    them and 34. Sum without a winner: all places, and the centres that are owned.
    """
    places = [_RANK * rank for rank in range(len(placings), 0, -1)]
    if alone := _winner_has(float(sum(places) + _USUAL_CENTRES), placings):
        return alone
    ranked = _by_place(placings, places, _standing)
    return {placing.power: ranked[placing.power] + placing.centres for placing in placings}


def _dixie(placings: Sequence[Placing]) -> Points:
    """Dixie: places at 270, 70, 50, 34, 20, 10 and 0, and 4 for each centre. The n who share a draw have the average
    of the first n places: 170, 130, 106, 88.8, 75.67, 64.86 (printed in its rules without the fractions: 89, 76, 65).
    The others follow by centres, then by the year in which they were eliminated, and equals share. A win is the draw
    of one. Sum, of seven powers: 454, and 4 for each centre that is owned.
    """
    ranked = _by_place(placings, _DIXIE, lambda placing: (1,) if placing.best else (0, *_standing(placing)))
    return {placing.power: ranked[placing.power] + 4 * placing.centres for placing in placings}


def _manorcon(placings: Sequence[Placing]) -> Points:
    """Manorcon: for S centres P = S*S + 4*S + 16; each survivor has its share of all survivors' P, of 100. Of a win
    the formula says nothing: a winner has all, as by sum of squares. Sum: 100.
    """
    weights = {one.power: one.centres**2 + 4 * one.centres + 16 for one in placings if one.fate != "eliminated"}
    return _winner_has(100.0, placings) or _shares(placings, weights)


def _winner_has(prize: float, placings: Sequence[Placing]) -> Points:
    """A winner has the prize, all others nothing; empty where nobody has won alone."""
    if not any(placing.fate == "won" for placing in placings):
        return {}
    return {placing.power: prize if placing.fate == "won" else 0.0 for placing in placings}


def _shares(placings: Sequence[Placing], weights: Mapping[str, int]) -> Points:
    """Of a pot of 100, by weight; whoever has none gets nothing."""
    whole = sum(weights.values()) or 1
    return {placing.power: _POT * weights.get(placing.power, 0) / whole for placing in placings}


def _standing(placing: Placing) -> tuple[int, ...]:
    """By centres; without any, whoever survives is before those eliminated, and these go by year."""
    return placing.centres, placing.fate != "eliminated", placing.out


def _by_place(
    placings: Sequence[Placing], prizes: Sequence[int], standing: Callable[[Placing], tuple[int, ...]]
) -> Points:
    """The prizes of the places, the greatest standing first; equals share those of the places that they fill."""
    order = sorted(map(standing, placings), reverse=True)
    found = {}
    for placing in placings:
        first, tied = order.index(standing(placing)), order.count(standing(placing))
        found[placing.power] = sum(prizes[first : first + tied]) / tied
    return found


SYSTEMS: Mapping[str, Callable[[Sequence[Placing]], Points]] = MappingProxyType(
    {
        "calhamer": _calhamer,
        "draw-size": _draw_size,
        "hall-of-fame": _hall_of_fame,
        "dsi": _dsi,
        "squares": _squares,
        "c-diplo": _c_diplo,
        "c-diplo-73": _c_diplo_73,
        "carnage": _carnage,
        "dixie": _dixie,
        "manorcon": _manorcon,
    }
)
"""The systems, in the order in which letters print them."""
