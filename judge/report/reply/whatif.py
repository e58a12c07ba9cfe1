"""The answer to `what if`: the outcome that some orders would have. Text, page and maps are marked as speculation."""

from __future__ import annotations

from dataclasses import dataclass

from judge.board.position import position_from_json
from judge.game.core.decision import Status
from judge.game.core.model import Game
from judge.game.table.speculation import Speculation
from judge.report.core.answer import Enclosure
from judge.report.core.facts import Said
from judge.report.core.letter import plain
from judge.report.played.pictures import SPECULATION, MapPicture, tried_pictures
from judge.report.played.results import Results, UnitsLine, final_positions, results_of, retreats_due
from judge.rules.questions import Block


@dataclass(frozen=True, slots=True)
class SpeculationView:
    """`result`: the phase as it would go; `untried`: lines that could not be tried, each with why; `shown`: the maps,
    `asked`: whether its reader has asked for them.
    """

    result: Results
    retreats: tuple[Said, ...]
    positions: tuple[UnitsLine, ...]
    untried: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    shown: tuple[MapPicture, ...] = ()
    asked: bool = False
    more: tuple[Block, ...] = ()
    """What the rules of the game report beside the board."""


def speculation_view(
    game: Game, found: Speculation, form: str = "png", *, printed: bool = False, asked: bool = False
) -> Enclosure:
    """The enclosure of a dry run. `form`, `printed`: of its maps, and whether they were `asked` for."""
    after = position_from_json(found.outcome.after, game.board)
    view = SpeculationView(
        result=results_of(found.outcome, game, explain=game.settings.explain),
        retreats=retreats_due(after),
        positions=final_positions(after),
        more=game.rules.desk(after),
        untried=tuple(f"{v.text}: {v.sentence}" for v in found.verdicts if v.status is not Status.TAKEN),
        shown=tried_pictures(game, SPECULATION, [found.outcome], form, printed=printed),
        asked=asked,
    )
    return Enclosure(SPECULATION, plain(view))
