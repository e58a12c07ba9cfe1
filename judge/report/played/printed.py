"""Results as a zine prints them (G05 to G09): the facts of the file that goes with an editor's report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.game.core.model import Game
from judge.report.core.cast import Cast
from judge.report.core.facts import Moment, PhaseFact, phase_fact
from judge.report.core.frame import moment


@dataclass(frozen=True, slots=True)
class ZinePrint:
    """What the print says beside the results. `file`: its name; `phases`: all that were played at once; `gm`,
    `address`: whom the heading names, and where the game is written to; `gunboat`: nobody knows who plays what; `due`:
    the next deadline, None where there is none.
    """

    file: str
    phases: tuple[PhaseFact, ...]
    gm: str
    address: str
    gunboat: bool
    due: Moment | None


def printed(game: Game, cast: Cast, phases: Sequence[str]) -> ZinePrint:
    """The facts of a print of these phases, by their codes, as the game stands behind them."""
    return ZinePrint(
        file=f"{game.key}-{phases[0]}.txt",
        phases=tuple(phase_fact(game, code) for code in phases),
        gm=cast.member(game.gm).name,
        address=cast.office.game_address(game.key),
        gunboat=game.settings.anonymous,
        due=moment(game, game.deadline.at) if game.deadline is not None and game.ending is None else None,
    )
