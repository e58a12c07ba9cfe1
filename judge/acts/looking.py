"""The Gamemaster's desk: what they look at before they act (the coming results, orders on file, the checklist, what a
command would do, what was understood of a position), and after: the log of their acts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judge.acts.declared import Ask, MayAsk, Seen
from judge.board.position import position_from_json
from judge.game.clock.turnover import turn_page
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, Refusal
from judge.game.core.model import Game, Running, Stage
from judge.game.filing.standing import standing
from judge.game.office.undoing import by_gm
from judge.game.repair.importing import Imported, owners_by_power
from judge.game.repair.rewriting import replayed
from judge.game.settings.bundles import HOUSE_PRESETS
from judge.game.table.deciding import Matter, undecided
from judge.languages import tell
from judge.mail.queries import AboutGame
from judge.mail.vocabulary.clauses import alone, missing, no_more, plain
from judge.mail.vocabulary.gmdesk import dry_run
from judge.mail.vocabulary.model import Clause, Reading, Unclear, VerbOfGm
from judge.mail.vocabulary.powers import read_power
from judge.report.core.letter import Cast, Enclosure, Letter, Plain, moment, who
from judge.report.core.letter import plain as as_json
from judge.report.core.naming import Moment, Said, phase_fact, power_name, say
from judge.report.played.results import (
    IMPORTED,
    PREVIEW,
    MapPicture,
    Results,
    UnitsLine,
    final_positions,
    placed_picture,
    results_of,
    retreats_due,
    tried_pictures,
)
from judge.report.table.acts import Teller


@dataclass(frozen=True, slots=True)
class Preview(AboutGame, enclosed=True):
    """What the turn would come to if it were processed now; nothing is changed and nobody else is told."""


def _read_preview(clause: Clause) -> Reading:
    """`preview` alone shows the coming results to the Gamemaster; `preview COMMAND` what a command would do."""
    return Preview() if no_more(clause.rest) else dry_run(clause)


def _coming(seen: Seen, _: Preview) -> Enclosure | Refusal:
    game = seen.game
    if not isinstance(game, Running):
        return _not_running(game, tell("there is nothing to preview"))
    turn = replayed if game.replay is not None else turn_page
    return preview_view(game, turn(game, seen.now, by=GM_SEAT))


def _not_running(game: Game, otherwise: str) -> Refusal:
    return Refusal("not-running", tell("{game} is not running; {otherwise}.", game=game.key, otherwise=otherwise))


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
    return Enclosure(PREVIEW, as_json(view))


@dataclass(frozen=True, slots=True)
class OrdersOf(AboutGame):
    """What one power has on file, for the Gamemaster's eyes only. `power`: its key."""

    power: str


def _read_orders_of(clause: Clause) -> Reading:
    """`orders of POWER`."""
    named = plain(re.sub(r"['’]s?$", "", clause.rest.strip()))
    if not named:
        return missing(tell("The power"), "orders of Turkey")
    power = read_power(named, clause.around.board)
    return power if isinstance(power, Unclear) else OrdersOf(power)


def _on_file(seen: Seen, asked: OrdersOf) -> str | Refusal:
    """Order by order."""
    game = seen.game
    if not isinstance(game, Running):
        return _not_running(game, tell("nobody has orders on file"))
    name = game.board.powers[asked.power].told
    state = standing(game, asked.power).state
    sheet = game.sheets.get(asked.power)
    orders = [str(line.order) for line in sheet.lines] if sheet else []
    return f"{name}, {game.phase_title}: {state}. {'; '.join(orders) or 'Nothing is on file'}."


@dataclass(frozen=True, slots=True)
class GmLog(AboutGame, enclosed=True):
    """What the Gamemaster and their deputies did; with `everything`, what the clock and the players did too."""

    everything: bool = False


def _read_log(clause: Clause) -> Reading:
    return GmLog(everything=plain(clause.rest).lower() in ("all", "everything", "of everything"))


def _acts(seen: Seen, asked: GmLog) -> Enclosure:
    """Every act of the Gamemaster and their deputies, and who took the office over."""
    numbered = [(seq, event) for seq, event in enumerate(seen.story(), 1) if asked.everything or by_gm(event)]
    return acts_view(seen.game, numbered, seen.cast(), everything=asked.everything)


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
    return Enclosure("log", as_json(ActsView(say("log-title", all=everything), acts)))


def _actor(event: ev.Event, game: Game, cast: Cast) -> Said:
    return say("actor", who=who(game, event.by), deputy=cast.member(event.deputy).name if event.deputy else "")


@dataclass(frozen=True, slots=True)
class Checklist(AboutGame, enclosed=True):
    """What must still be decided before the game can open, for its Gamemaster."""


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
    return Enclosure("checklist", as_json(ChecklistView(game.key, undecided(game), presets, game.stage.value, step)))


# --- what the service shows beside them -------------------------------------------------------------------------------


def would_do(said: str, letters: Sequence[Letter]) -> Said:
    """The answer to a dry run: what would have been answered (`said`), how many letters of which kind, and the news in
    one of them.
    """
    kinds = Counter(letter.kind for letter in letters)
    items = [item for letter in letters[:1] for item in letter.view.get("items", ())]
    return say("would-do", said=said, kinds=dict(kinds), news=Plain(items[0]) if items else "")


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
    return Enclosure(IMPORTED, as_json(view))


ACTS = (
    Ask(
        Preview,
        _coming,
        VerbOfGm(
            "preview",
            words=("preview", "predict"),
            summary="See what the turn or a command would bring, for you alone. Players have `what if`.",
            usage=("preview", "preview COMMAND"),
            example="preview",
            read=_read_preview,
            topic="looking",
            after="end",
        ),
        MayAsk.GM,
    ),
    Ask(
        OrdersOf,
        _on_file,
        VerbOfGm(
            "orders of",
            words=("orders of", "orders from", "show orders of", "show me the orders of", "show me orders of"),
            summary="See what a power has on file, for you alone.",
            usage=("orders of POWER",),
            example="orders of Turkey",
            read=_read_orders_of,
            topic="looking",
            after="preview",
        ),
        MayAsk.GM,
    ),
    Ask(
        GmLog,
        _acts,
        VerbOfGm(
            "log",
            words=("log", "gm log", "show log", "acts"),
            summary="All that the Gamemaster and their deputies did, with the mails in which they did it.",
            usage=("log", "log all"),
            example="log",
            read=_read_log,
            topic="looking",
            after="dry-run",
        ),
        MayAsk.GM,
    ),
    Ask(
        Checklist,
        lambda seen, _: checklist_view(seen.game),
        VerbOfGm(
            "checklist",
            words=("checklist", "undecided", "what is undecided"),
            summary="What must still be decided before the game can open, with a line for each.",
            usage=("checklist",),
            example="checklist",
            read=alone(Checklist(), "checklist"),
            topic="starting",
            after="preset",
        ),
        MayAsk.GM,
    ),
)
"""The questions; where help prints each, its verb says."""
