"""The letter to somebody who takes a power over in the middle of a game: the whole file, in the order of its use.

What the former player was told in confidence stays with them, unless the house rules hand the press of the last turns
on with the power; what everybody was told, everybody may read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from judge.board.phase import PhaseKind
from judge.board.position import position_to_json
from judge.game.core import events as ev
from judge.game.core.model import Game, Running
from judge.game.core.parts import Seat
from judge.orders.spelled import listed
from judge.report.core.batch import Batch
from judge.report.core.frame import Reader
from judge.report.core.houserules import InShort, in_short
from judge.report.core.letter import Kind, Letter
from judge.report.core.naming import Said, many, power_name, say
from judge.report.played.chart import CentreChart, YearTable, chart, years
from judge.report.played.results import Results, UnitsLine, final_positions, results_of, retreats_due
from judge.report.seat.desk import Desk, desk
from judge.report.table.arrivals import Player, players_of, unusual
from judge.report.table.talk import Clipping, addressees, announcements, clippings, has_followed, signature
from judge.report.table.turns import vacant_powers
from judge.report.table.votes import OpenVote, open_votes

TURNS = 1
"""How many seasons of moves, with what followed them, are printed."""
TALKED = 2
"""Of how many seasons the press to everybody is."""


@dataclass(frozen=True, slots=True)
class TakeoverView:
    """What is needed today, and the file of the game below it (5.2 step 7).

    `before`: who played the power, first to last, where that is no secret; `offer`: by how much the deadline moves for
    the asking; `results`: the last turns; `press`, `notes`: what players and Gamemaster told everybody since then;
    `handed_on`: press of the power itself, in games that hand it on (`inherits`); `short`: the house rules in short,
    `differs`: names of the settings that are not the usual ones, `version`: of the rules.
    """

    desk: Desk
    power: str
    before: tuple[str, ...]
    players: tuple[Player, ...]
    positions: tuple[UnitsLine, ...]
    retreats: tuple[Said, ...]
    chart: CentreChart
    years: YearTable
    votes: tuple[OpenVote, ...]
    vacant: tuple[str, ...]
    results: tuple[Results, ...]
    press: tuple[Clipping, ...]
    notes: tuple[str, ...]
    inherits: bool
    handed_on: tuple[Confidence, ...]
    short: tuple[InShort, ...]
    differs: tuple[str, ...]
    version: int
    offer: str = ""
    returning: bool = False
    """Whether the reader had the power before, and comes back to it."""
    freezes: bool = False
    """Whether orders on file cannot be changed while the game waits for others."""
    confidential: bool = True
    """Whether somebody else had it, whose press in confidence stays with them."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """Press that was for the power, or from it: who wrote to whom, and the text."""

    source: Said
    to: Said
    text: str


def takeovers(batch: Batch) -> Iterator[Letter]:
    """To each new player of a running game."""
    game = batch.after
    if not isinstance(game, Running):
        return
    for seq, event in batch.numbered():
        if isinstance(event, ev.SeatFilled):
            reader = Reader(event.seat, batch.cast.member(event.person))
            letter = batch.letter(Kind.TAKEOVER, str(seq), reader, _view(batch, game, reader, event))
            yield replace(letter, answers=event.by == event.seat)


def _view(batch: Batch, game: Running, reader: Reader, event: ev.SeatFilled) -> TakeoverView:
    seat = game.seats[event.seat]
    former = seat.past if not game.settings.anonymous else ()
    inherits = game.settings.inherit_press
    return TakeoverView(
        desk=desk(game, reader.seat, reader.member),
        power=listed(power_name(power, game.board) for power in seat.powers),
        before=tuple(dict.fromkeys(batch.cast.member(p).name for p in former if p != reader.member.person)),
        players=players_of(game, batch.cast),
        positions=final_positions(game.position),
        retreats=retreats_due(game.position),
        chart=chart(game.position, game.position, projected=False, year=max(game.chart, default=0)),
        years=years(game),
        votes=open_votes(game),
        vacant=vacant_powers(game),
        results=recent_results(game),
        press=clippings(batch),
        notes=announcements(batch),
        inherits=inherits,
        handed_on=tuple(_handed_on(batch, seat)) if inherits else (),
        short=in_short(game),
        differs=unusual(game),
        version=game.rules_version,
        offer=many(game.settings.takeover_extension.days, "day") if seat.offer else "",
        returning=event.person in seat.past,
        freezes=game.settings.freeze_others,
        confidential=any(person != event.person for person in seat.past),
    )


def recent_results(game: Game, turns: int = TURNS) -> tuple[Results, ...]:
    """The results of so many last turns as they count now, the oldest first."""
    found: list[Results] = []
    seasons = 0
    for played in reversed(game.past):
        if seasons == turns or played.before.position is None:
            break
        event = replace(played.event, before=position_to_json(played.before.position))
        found.append(results_of(event, game, verbatim=game.settings.show_orders == "verbatim"))
        seasons += found[-1].kind == PhaseKind.MOVES
    return tuple(reversed(found))


def _handed_on(batch: Batch, seat: Seat) -> Iterator[Confidence]:
    """Press of the last turns to the power or from it, but for what everybody got."""
    game = batch.after
    for event in _private(batch.earlier):
        if event.by != seat.id and not set(seat.powers) & set(event.to):
            continue
        source, claims = signature(game, batch.cast, event, former=has_followed(batch, event))
        yield Confidence(source or say("confidence", claims=claims), addressees(game, event.to), event.text)


def _private(events: Sequence[ev.Event]) -> Iterator[ev.PressSent]:
    return (event for event in events if isinstance(event, ev.PressSent) and not event.everyone)
