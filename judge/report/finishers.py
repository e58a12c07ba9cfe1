"""Who played what to the end: the table of a finished game, and its points."""

from __future__ import annotations

from dataclasses import dataclass

from judge.game.core.model import Game, Seat, Stage, Term
from judge.game.table.scoring import score_of, terms_of
from judge.report.cast import Cast
from judge.report.naming import power_name
from judge.report.ratings import PointsRow, points_rows


@dataclass(frozen=True, slots=True)
class Finisher:
    """One power at the end: who played it (all of them, first to last), its centres, what became of it."""

    power: str
    players: str
    centres: int
    fate: str


def finishers(game: Game, cast: Cast) -> tuple[Finisher, ...]:
    """All powers that were played, the one with most centres first."""
    rows = []
    for power in game.board.powers:
        seat = game.seat_of(power)
        if seat is None:
            continue
        centres = len(game.position.centres(power)) if game.position else 0
        rows.append(Finisher(power_name(power, game.board), players_of(game, seat, cast), centres, _fate(game, power)))
    return tuple(sorted(rows, key=lambda row: -row.centres))


def players_of(game: Game, seat: Seat, cast: Cast) -> str:
    """ "Ada to F1903, Hal from F1903"; while an anonymous game runs, whoever plays is "a player"."""
    secret = game.settings.anonymous and game.stage is not Stage.ENDED
    terms = terms_of(seat)
    names = ["a player" if secret else cast.member(term.person).name for term in terms]
    if len(terms) == 1 and not terms[0].why:
        return names[0]
    parts = [f"{name} {_span(term)}" for name, term in zip(names, terms, strict=True)]
    return ", ".join(parts if seat.filled else [*parts, "then vacant"])


def _span(term: Term) -> str:
    """ "to F1903", "from F1903", "F1903 to S1905"."""
    since, until = term.since[:5], term.until[:5]
    if not since:
        return f"to {until}"
    return f"{since} to {until}" if until else f"from {since}"


def game_points(game: Game) -> tuple[PointsRow, ...]:
    """The points of each power by all systems; none where the game is not rated."""
    score = score_of(game)
    if score is None:
        return ()
    return points_rows(score.placings, lambda power: power_name(power, game.board))


def _fate(game: Game, power: str) -> str:
    ending = game.ending
    if ending is not None and power in ending.powers:
        if len(ending.powers) == 1:
            return "winner"
        return "shares the win" if ending.how == "limit" and ending.reason else "shares the draw"
    return "survivor" if power in game.survivors else "eliminated"
