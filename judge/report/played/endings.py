"""How a game ended, in a sentence and for subjects, who played what to the end, and what points each power has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from judge.game.core.model import Game, Stage
from judge.game.core.parts import Ending, Seat
from judge.game.core.system import for_players
from judge.game.table.scoring import score_of, terms_of
from judge.report.core.frame import Cast
from judge.report.core.naming import Said, power_name, say
from judge.report.played.ratings import PointsRow, points_rows


def ending_sentence(game: Game) -> Said | None:
    """How the game ended; None while it goes on."""
    return say("ended", **_ending(game, game.ending)) if game.ending else None


def ending_in_short(game: Game) -> Said | None:
    """The end for a subject; None while it goes on."""
    return say("ended-in-short", **_ending(game, game.ending)) if game.ending else None


def _ending(game: Game, end: Ending) -> dict[str, Any]:
    """`reason`: of a time limit, what is counted then ("" for a draw); else the Gamemaster's own."""
    powers = [power_name(power, game.board) for power in end.powers]
    return {"how": end.how, "powers": powers, "reason": end.reason, "after": game.end_after}


@dataclass(frozen=True, slots=True)
class Finisher:
    """One power at the end: who played it (all of them, first to last), its centres, what became of it."""

    power: str
    players: Said
    centres: int
    fate: Said


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


def players_of(game: Game, seat: Seat, cast: Cast) -> Said:
    """Who played, from and until which phase ("": the start, the end); while an anonymous game runs, without names."""
    secret = game.settings.anonymous and game.stage is not Stage.ENDED
    terms = [
        {"name": "" if secret else cast.member(term.person).name, "since": term.since[:5], "until": term.until[:5]}
        for term in terms_of(seat)
    ]
    left = any(term.why for term in terms_of(seat))
    return say("players", terms=terms, always=len(terms) == 1 and not left, vacant=not seat.filled)


def game_points(game: Game) -> tuple[PointsRow, ...]:
    """The points of each power by the systems of the game; none where the game is not rated."""
    score = score_of(game)
    if score is None:
        return ()
    return points_rows(score.placings, game.settings.scoring, lambda power: power_name(power, game.board))


def _fate(game: Game, power: str) -> Said:
    ending = game.ending
    if ending is not None and power in ending.powers and power not in for_players(game.system):
        return say("fate", fate="joined")
    if ending is not None and power in ending.powers:
        draw = ending.how not in ("limit", "win") or (ending.how == "limit" and not ending.reason)
        return say("fate", fate="winner" if len(ending.powers) == 1 else "shares-draw" if draw else "shares-win")
    return say("fate", fate="survivor" if power in game.survivors else "eliminated")
