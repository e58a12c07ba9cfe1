"""Answers for the Gamemaster: previews, dry runs, imported positions, the checklist, the log of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judge.board.position import position_from_json
from judge.game.core import events as ev
from judge.game.core.model import Game, Stage
from judge.game.repair.importing import Imported, owners_by_power
from judge.game.settings.bundles import HOUSE_PRESETS
from judge.game.table.deciding import Matter, undecided
from judge.report.core.answer import Enclosure
from judge.report.core.frame import Cast, moment, who
from judge.report.core.letter import Letter, Plain, plain
from judge.report.core.naming import Moment, Said, phase_fact, power_name, say
from judge.report.played.pictures import IMPORTED, PREVIEW, MapPicture, placed_picture, tried_pictures
from judge.report.played.results import Results, UnitsLine, final_positions, results_of, retreats_due
from judge.report.table.acts import Teller


@dataclass(frozen=True, slots=True)
class ChecklistView:
    """What must be decided before the game opens: a line to type for each; `presets`: lines that decide all; `stage`:
    "forming", "open", "running" or "ended"; `next`: what may be sent now, "" for nothing."""

    game: str
    matters: tuple[Matter, ...]
    presets: tuple[str, ...]
    stage: str = "forming"
    next: str = ""
    ignored: tuple[str, ...] = ()


def checklist_view(game: Game) -> Enclosure:
    """The checklist of a game that is being set up; of a later one it says that nothing is left to decide."""
    presets = tuple(f"preset {name}" for name in HOUSE_PRESETS)
    full = sum(seat.filled for seat in game.seats.values()) == game.settings.players
    step = {Stage.FORMING: "open", Stage.OPEN: "start" if full else ""}.get(game.stage, "")
    return Enclosure("checklist", plain(ChecklistView(game.key, undecided(game), presets, game.stage.value, step)))


@dataclass(frozen=True, slots=True)
class CentreOwner:
    """A power and the centres that it owns, spelled out."""

    name: str
    centres: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportedView:
    """What was understood of a position from elsewhere: where it begins, who stands where, who owns what; `doubts`:
    what to look at; `left`: lines and sections that were not used."""

    phase: str
    positions: tuple[UnitsLine, ...]
    retreats: tuple[Said, ...]
    owners: tuple[CentreOwner, ...]
    doubts: tuple[str, ...]
    left: tuple[str, ...]
    ignored: tuple[str, ...] = ()
    shown: tuple[MapPicture, ...] = ()


def imported_view(game: Game, found: Imported) -> Enclosure:
    """All that an import comes to, for the Gamemaster to compare."""
    position = found.position
    owners = owners_by_power(position)
    view = ImportedView(
        phase=game.calendar.title(position.phase),
        positions=final_positions(position),
        retreats=retreats_due(position),
        owners=tuple(CentreOwner(power_name(power, position.board), names) for power, names in owners.items()),
        doubts=found.doubts,
        left=found.left,
        shown=(placed_picture(game, position, IMPORTED),),
    )
    return Enclosure(IMPORTED, plain(view))


@dataclass(frozen=True, slots=True)
class PreviewView:
    """The results as they would be; `next`: what would come after them, and when; `shown`: the maps."""

    results: tuple[Results, ...]
    positions: tuple[UnitsLine, ...]
    retreats: tuple[Said, ...]
    next: Said | None
    missing: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    shown: tuple[MapPicture, ...] = ()


def preview_view(game: Game, events: Sequence[ev.Event]) -> Enclosure:
    """The answer to `preview`: the results that these events of a turn, not stored, would have."""
    played = [event for event in events if isinstance(event, (ev.PhaseAdjudicated, ev.PhaseSkipped))]
    results = tuple(results_of(event, game) for event in played)
    after = position_from_json(played[-1].after, game.board) if played else game.position
    assert after is not None
    last = events[-1]
    coming = None
    if isinstance(last, ev.DeadlineSet):
        coming = say("would-be-due", phase=phase_fact(game, last.phase), at=moment(game, last.deadline))
    view = PreviewView(
        results=results,
        positions=final_positions(after),
        retreats=retreats_due(after),
        next=coming,
        missing=tuple(dict.fromkeys(name for result in results for name in result.missing)),
        shown=tried_pictures(game, PREVIEW, played),
    )
    return Enclosure(PREVIEW, plain(view))


def would_do(said: str, letters: Sequence[Letter]) -> Said:
    """The answer to a dry run: what would have been answered (`said`), how many letters of which kind, and the news in
    one of them.
    """
    kinds = Counter(letter.kind for letter in letters)
    items = [item for letter in letters[:1] for item in letter.view.get("items", ())]
    return say("would-do", said=said, kinds=dict(kinds), news=Plain(items[0]) if items else "")


@dataclass(frozen=True, slots=True)
class LoggedAct:
    """One act: its number in the game's log, when, who, what."""

    seq: int
    when: Moment
    who: Said
    what: Said


@dataclass(frozen=True, slots=True)
class ActsView:
    """Acts, oldest first."""

    title: Said
    acts: tuple[LoggedAct, ...]
    ignored: tuple[str, ...] = ()


def acts_view(
    game: Game, numbered: Iterable[tuple[int, ev.Event]], cast: Cast, *, everything: bool = False
) -> Enclosure:
    """The log of a game for its Gamemaster."""
    teller = Teller(game, cast)
    acts = tuple(
        LoggedAct(seq, moment(game, event.at), _actor(event, game, cast), teller.tell(event)) for seq, event in numbered
    )
    return Enclosure("log", plain(ActsView(say("log-title", all=everything), acts)))


def _actor(event: ev.Event, game: Game, cast: Cast) -> Said:
    return say("actor", who=who(game, event.by), deputy=cast.member(event.deputy).name if event.deputy else "")
