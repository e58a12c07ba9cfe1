"""Answers to questions about a game: list, status, history, maps, what if."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.board.position import Position, position_from_json
from judge.board.spelling import nearest
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, Status
from judge.game.core.model import Game, Stage
from judge.game.filing.standing import seats_behind, standing
from judge.game.table.deciding import undecided
from judge.game.table.filling import fills_by
from judge.game.table.seating import begins
from judge.game.table.speculation import Speculation
from judge.game.talk.press import edits
from judge.languages import tell
from judge.report.core.houserules import InShort, deadline_rule, in_short
from judge.report.core.letter import Cast, Enclosure, Office, Reader, labelled, moment, plain, shown_name
from judge.report.core.naming import Said, Text, phase_fact, power_name, say
from judge.report.played.chart import CentreChart, Finisher, YearTable, chart, ending_sentence, finishers, years
from judge.report.played.results import (
    FINAL,
    ORDERS,
    POSITION,
    SPECULATION,
    MapPicture,
    Played,
    Results,
    UnitsLine,
    counting,
    final_positions,
    last_fought,
    results_of,
    retreats_due,
    tried_pictures,
)
from judge.report.seat.desk import Desk, desk, filed_lines, status_of
from judge.report.seat.onfile import FiledSet, KeptSet, filed_set, kept_sets, waiting_for
from judge.report.table.arrivals import preference_words, wishes_shown
from judge.report.table.turns import Call, call_for, vacant_powers
from judge.report.table.votes import OpenVote, open_votes
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


MAP = "map"


@dataclass(frozen=True, slots=True)
class MapView:
    """What goes along; `positions`: where everything stands now, for who cannot see pictures."""

    shown: tuple[MapPicture, ...]
    positions: tuple[UnitsLine, ...]
    ignored: tuple[str, ...] = ()


def map_view(
    game: Game,
    events: Sequence[ev.Event],
    phase: str,
    form: str,
    *,
    printed: bool,
    extent: str = "",
    powers: tuple[str, ...] = (),
    face: str = "",
) -> Enclosure | None:
    """The maps of a phase ("": of the last turn and of now); None if the game has not played it. `extent`, `powers`
    and `face` as `MapPicture` has them.
    """
    if game.position is None:
        return None
    played = counting(events, game.calendar)
    now = str(game.position.phase)
    named: list[tuple[str, str, int]] = []
    if not phase:
        if (fought := last_fought(played)) is not None:
            named.append((ORDERS, fought.phase, fought.version))
        named.append((_standing(game), now, game.results_version))
    elif (event := next((one for one in played if one.phase == phase), None)) is not None:
        if isinstance(event, ev.PhaseAdjudicated):
            named.append((ORDERS, event.phase, event.version))
        after = str(_skipped_after(played, event).after["phase"])
        named.append((_standing(game) if after == now else POSITION, after, getattr(event, "version", 1)))
    elif phase == now:
        named.append((_standing(game), now, game.results_version))
    else:
        return None
    shown = tuple(
        MapPicture(
            what, phase_fact(game, code), version, form, printed, game.key, extent=extent, powers=powers, face=face
        )
        for what, code, version in named
    )
    return Enclosure(MAP, plain(MapView(shown, final_positions(game.position) if not phase else ())))


def standing_now(game: Game) -> tuple[MapPicture, ...]:
    """The picture of the present position as a tuple of one; empty before the start."""
    if game.position is None:
        return ()
    now = phase_fact(game, str(game.position.phase))
    return (MapPicture(_standing(game), now, game.results_version, game=game.key),)


def _standing(game: Game) -> str:
    return FINAL if game.stage is Stage.ENDED else POSITION


def _skipped_after(played: Sequence[Played], event: Played) -> Played:
    """The last of the phases after this one in which nobody had anything to do, or this one."""
    for later in played[played.index(event) + 1 :]:
        if not isinstance(later, ev.PhaseSkipped):
            break
        event = later
    return event


# --- list ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opening:
    """One game in the list: taken from its index card. `vacant`: powers that look for a player."""

    game: str
    variant: str
    stage: str
    players: int
    wanted: int
    pace: Said
    press: str
    gm: str
    phase: str = ""
    vacant: tuple[str, ...] = ()
    anonymous: bool = False
    access: str = "open"
    about: str = ""


@dataclass(frozen=True, slots=True)
class ListView:
    """`open`: games that take players; `full`: games whose seats are taken, and that have not begun; `wanted`: running
    games with a vacant power; `running`: the rest. `missing`: a name that the reader gave to a game, and that none has,
    `near`: the listed game whose name is nearest, each "" for none."""

    address: str
    open: tuple[Opening, ...]
    wanted: tuple[Opening, ...]
    running: tuple[Opening, ...]
    full: tuple[Opening, ...] = ()
    ignored: tuple[str, ...] = ()
    missing: str = ""
    near: str = ""
    unfiled: bool = False
    """Whether the reader has sent orders that are for no game."""


def opening(game: Game, cast: Cast) -> Opening:
    """A game's line in the list."""
    settings = game.settings
    return Opening(
        game=game.key,
        variant=labelled(game),
        stage=game.stage.value,
        players=sum(seat.filled for seat in game.seats.values()),
        wanted=settings.players,
        pace=deadline_rule(settings),
        press=" + ".join(map(tell, settings.press)) or tell("no press"),
        gm=cast.member(game.gm).name,
        phase=game.phase_title,
        vacant=vacant_powers(game) if game.stage is Stage.RUNNING else (),
        anonymous=settings.anonymous,
        access=settings.access,
        about=settings.about,
    )


def list_view(openings: Iterable[Opening], office: Office, missing: str = "", *, unfiled: bool = False) -> Enclosure:
    """The answer to `list`, to somebody who named a game that is not there, or to orders for no game."""
    known = tuple(openings)
    running = [one for one in known if one.stage == Stage.RUNNING]
    view = ListView(
        office.address,
        tuple(one for one in known if one.stage == Stage.OPEN and one.players < one.wanted),
        tuple(one for one in running if one.vacant),
        tuple(one for one in running if not one.vacant),
        tuple(one for one in known if one.stage == Stage.OPEN and one.players >= one.wanted),
        missing=missing,
        near="".join(nearest(missing, (one.game for one in known))) if missing else "",
        unfiled=unfiled,
    )
    return Enclosure("list", plain(view))


# --- status -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StatusSeat:
    """One seat in a status table. `state` is how its orders stand: filled in for the Gamemaster and its own player
    only; `flags`: "wait", extensions used; `preferences` before the lot, for the Gamemaster."""

    seat: str
    powers: Text
    player: str
    state: Text
    flags: str
    late: bool = False


@dataclass(frozen=True, slots=True)
class StatusView:
    """How a game stands. `stage` in words; the rest is empty before the start."""

    stage: Text | None
    desk: Desk
    seats: tuple[StatusSeat, ...]
    positions: tuple[UnitsLine, ...]
    retreats: tuple[Said, ...]
    chart: CentreChart | None
    votes: tuple[OpenVote, ...]
    before: tuple[Said, ...] = ()
    """Before the start: what is still awaited, and what the asker can do."""
    short: tuple[InShort, ...] = ()
    """Before the start: what will be played, in short."""
    held: str = ""
    finishers: tuple[Finisher, ...] = ()
    """Of a game that is over: who played what, and what became of it."""
    call: Call | None = None
    """Of a game that is over, while its statements are sealed."""
    sets: tuple[FiledSet, ...] = ()
    """The asker's own orders on file."""
    kept: tuple[KeptSet, ...] = ()
    """What the asker has sent ahead, and what always stands."""
    more: tuple[Block, ...] = ()
    """What the game's rules tell beside what the board shows."""
    ignored: tuple[str, ...] = ()
    shown: tuple[MapPicture, ...] = ()
    editors: tuple[str, ...] = ()
    """Names of those who print the game in a zine."""
    waiting: tuple[Said, ...] = ()
    """Who would like a seat, and who is invited: for the Gamemaster of a game that has a free one."""
    others: Said | None = None
    """For whose orders the turn waits beside the asker's: how many, never who; None where the game keeps it secret."""


def hopefuls_said(game: Game, cast: Cast) -> tuple[Said, ...]:
    """Who asks for a seat and who waits for one, as the Gamemaster reads it."""
    asking = set(game.gathering.applicants)
    return tuple(
        say(
            "status-hopeful", name=cast.member(one.person).name, record=cast.member(one.person).record,
            number=one.number, asks=one in asking,
        )
        for one in game.gathering.hopefuls
    )  # fmt: skip


def invited_said(game: Game, address: str, state: str, at: datetime) -> Said:
    """How an invitation stands; the Gamemaster gave the address."""
    return say("status-invited", address=address, state=state, at=moment(game, at))


def status_view(game: Game, seat: str, cast: Cast, person: int = 0, waiting: tuple[Said, ...] = ()) -> Enclosure:
    """The answer to `status`: public facts for everybody, their own orders' standing for a player, all for the GM."""
    position = game.position
    reader = seat_member(game, seat, cast, person)
    over = game.stage is Stage.ENDED
    held = game.seats.get(seat) if game.stage is Stage.RUNNING else None
    view = StatusView(
        stage=_stage(game),
        desk=desk(game, seat, reader),
        seats=()
        if over or (game.sandbox is not None and held)
        else tuple(_seat_row(game, key, seat, cast) for key in game.seats),
        positions=final_positions(position) if position else (),
        retreats=retreats_due(position) if position else (),
        chart=_chart(game, position) if position else None,
        votes=open_votes(game),
        before=tuple(_before(game, seat)),
        short=in_short(game) if game.stage in (Stage.FORMING, Stage.OPEN) else (),
        held=game.held_reason or "on hold" if game.held_since else "",
        finishers=finishers(game, cast) if over else (),
        call=call_for(game, Reader(seat, reader)) if over else None,
        sets=_sets(game, held.powers if held else ()),
        kept=kept_sets(game, held),
        more=game.rules.desk(position) if position else (),
        shown=standing_now(game),
        editors=tuple(cast.member(person).name for person in game.editors if edits(game, person)),
        waiting=waiting,
        others=waiting_for(game, held),
    )
    return Enclosure("status", plain(view))


def _sets(game: Game, powers: Sequence[str]) -> tuple[FiledSet, ...]:
    """What is on file for these powers; in a sandbox, where nobody waits for the rest, only where something is."""
    found = (standing(game, power) for power in powers)
    return tuple(filed_set(game, None, one) for one in found if game.sandbox is None or filed_lines(game, one.power))


def _before(game: Game, seat: str) -> Iterator[Said]:
    """What a game that has not begun waits for, and what whoever asks can do until then."""
    if game.stage not in (Stage.FORMING, Stage.OPEN):
        return
    gm, held = seat == GM_SEAT, game.seats.get(seat)
    if game.stage is Stage.FORMING:
        yield say("before-opening", gm=gm, left=len(undecided(game)))
        return
    free, by = game.settings.players - len(game.seats), fills_by(game)
    yield say("before-start", free=free, gm=gm, begins=begins(game) is not None, after=game.settings.autostart)
    if free > 0 and by is not None:
        yield say("before-full", by=moment(game, by), closes=game.settings.unfilled == "close")
    if held is not None:
        wishes = preference_words(game, held.preferences)
        yield say("before-your-part", wishes=wishes, example=wishes_shown(game))
    elif not gm and free > 0:
        yield say("before-joining", game=game.key, access=game.settings.access)


def _chart(game: Game, position: Position) -> CentreChart:
    """The centres as they are now."""
    year, to_win = max(game.chart, default=0), game.settings.victory
    return chart(position, position, projected=False, year=year, to_win=to_win)


def seat_member(game: Game, seat: str, cast: Cast, person: int = 0) -> Any:
    """The person who reads from a seat."""
    held = game.seats.get(seat)
    number = game.gm if seat == GM_SEAT else (held.person or person) if held else person
    return cast.member(number)


def _stage(game: Game) -> Said | None:
    if game.stage is Stage.ENDED:
        return ending_sentence(game)
    if game.stage is Stage.RUNNING and game.phase:
        return say("stage-running", phase=phase_fact(game, str(game.phase)))
    start, filled = begins(game), sum(seat.filled for seat in game.seats.values())
    if start is not None:
        return say("stage-begins", filled=filled, at=moment(game, start))
    return say("stage-forming", open=game.stage is Stage.OPEN, filled=filled, of=game.settings.players)


def _seat_row(game: Game, key: str, asker: str, cast: Cast) -> StatusSeat:
    seat = game.seats[key]
    powers: Text = " + ".join(power_name(power, game.board) for power in seat.powers)
    powers = say("all-powers") if game.sandbox is not None else powers
    shown = cast.member(seat.person).name if asker == GM_SEAT and seat.person else shown_name(game, cast, key)
    state: Text = ""
    flags = ""
    if asker in (GM_SEAT, key) and game.position is not None:
        state = status_of(game, seat)
        record = cast.member(seat.person).record if seat.person else ""
        flags = ", ".join(word for word in ("wait" if seat.wait else "", record) if word)
    secret = game.settings.hide_late and asker not in (GM_SEAT, key)
    behind = any(one.id == key for one in seats_behind(game)) if game.position is not None else False
    late = behind and game.deadline is not None and key in game.deadline.late and not secret
    player = shown or ("vacant" if not seat.filled else "a player")
    return StatusSeat(key, powers or tell("seat {number}", number=key), player, state, flags, late)


# --- history ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HistoryView:
    """Every phase played, in order, and the chart of all years. A replaced version is left out."""

    results: tuple[Results, ...]
    years: YearTable
    ended: Said | None
    ignored: tuple[str, ...] = ()


def history_view(game: Game, events: Sequence[ev.Event], since: str = "", until: str = "") -> Enclosure:
    """The answer to `history`: all phases, or those between two bounds ("S1901M", "F1901", "1903"), both included."""
    chosen = [event for event in counting(events, game.calendar) if _within(game, event, since.upper(), until.upper())]
    verbatim = game.settings.show_orders == "verbatim"
    results = tuple(results_of(event, game, verbatim=verbatim) for event in chosen)
    return Enclosure("history", plain(HistoryView(results, years(game), ending_sentence(game))))


def _within(game: Game, event: Played, since: str, until: str) -> bool:
    here, calendar = game.calendar.rank(event.phase), game.calendar
    return (not since or calendar.bounds(since)[0] <= here) and (not until or here <= calendar.bounds(until)[1])
