"""A table that has so long to fill: when that is over, everybody is told, and it closes or waits as long again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.game.core import events as ev
from judge.game.core.altering import altered
from judge.game.core.commands import Command
from judge.game.core.decision import Context, Decision, Lot, Refusal
from judge.game.core.model import Game, Stage
from judge.game.core.moments import told
from judge.game.core.registry import Feature, OwnClock
from judge.game.settings.bundles import PRESETS, bundle
from judge.game.settings.table import Settings, settings_from_text
from judge.game.table.places import gathers
from judge.languages import tell
from judge.pace import later
from judge.spans import spell_span, zone_info

A_DAY = timedelta(days=1)
"""How long the Gamemaster waits to read who has joined, unless the table is full before."""
BETWEEN_ADVERTISEMENTS = timedelta(days=3)
"""How often a game may be advertised."""


@dataclass(frozen=True, slots=True)
class Advertise(Command):
    """Tell all who wish to hear of games that this one looks for players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAdvertised(ev.Event, told=""):
    """Whoever wished to hear of games was told of this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FillingSet(ev.Event, told="fill_by"):
    """Until when the table may take to fill; None: as long as it likes. `again`: it was not full, and waits again."""

    fill_by: datetime | None
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedTold(ev.Event, told=""):
    """The Gamemaster was told who has joined since the last such letter."""


def fills_by(game: Game) -> datetime | None:
    """When a table that is not full by then closes or waits again; None if none is to."""
    return game.gathering.fill_by if gathers(game) else None


def _opened(game: Game, event: ev.GameOpened) -> tuple[ev.Event, ...]:
    return _set(game, event.at) if game.settings.fill_within is not None else ()


def _changed(game: Game, event: ev.SettingChanged) -> tuple[ev.Event, ...]:
    """Another span counts from the change."""
    return _set(game, event.at) if event.name == "fill_within" and game.stage is Stage.OPEN else ()


def _set(game: Game, now: datetime, *, again: bool = False) -> tuple[ev.Event, ...]:
    span = game.settings.fill_within
    by = later(now, span, zone_info(game.settings.zone)) if span is not None else None
    return (FillingSet(at=now, fill_by=by, again=again),)


def next_moment(game: Game) -> datetime | None:
    """When a table that gathers wants the clock: its time is over, or the Gamemaster is told who has joined."""
    moments = (fills_by(game), _tells_at(game))
    return min((moment for moment in moments if moment is not None), default=None)


def _tells_at(game: Game) -> datetime | None:
    since = game.gathering.fresh_since
    return since + A_DAY if since is not None and gathers(game) else None


def events_due(game: Game, now: datetime, lot: Lot) -> tuple[ev.Event, ...]:
    """The table has had its time, or its Gamemaster is told who has joined."""
    tells = _tells_at(game)
    news = (JoinedTold(at=now),) if tells is not None and now >= tells else ()
    return (*news, *_time_is_over(game, now))


def _time_is_over(game: Game, now: datetime) -> tuple[ev.Event, ...]:
    moment, span = fills_by(game), game.settings.fill_within
    if moment is None or now < moment or span is None:
        return ()
    if game.settings.unfilled == "wait":
        return _set(game, now, again=True)
    reason = tell(
        "{seats} of {players} players had joined in {span}",
        seats=len(game.seats),
        players=game.settings.players,
        span=spell_span(span),
    )
    return (ev.GameEnded(at=now, how="unfilled", reason=reason),)


def advertise(game: Game, command: Advertise, context: Context) -> Decision | Refusal:
    """A letter to all who wish to hear of games, now and then."""
    if game.stage is not Stage.OPEN:
        mend = "open" if game.stage is Stage.FORMING else ""
        what = tell("is not open yet") if game.stage is Stage.FORMING else tell("takes no more players")
        return Refusal("not-open", f"{game.key} {what}.", mend=mend)
    if not gathers(game):
        return Refusal(
            "full",
            tell("All {players} seats of {game} are taken.", players=game.settings.players, game=game.key),
            mend="start",
        )
    if game.settings.access == "invitation":
        sentence = tell("{game} is only for those whom you invite; nobody else could join.", game=game.key)
        return Refusal("not-invited", sentence, mend="set access approval")
    last = game.gathering.advertised_at
    if last is not None and context.now < (again := last + BETWEEN_ADVERTISEMENTS):
        sentence = tell(
            "{game} was advertised already; it can be again from {again} on.", game=game.key, again=told(again)
        )
        return Refusal("advertised", sentence)
    return Decision((GameAdvertised(at=context.now, by=context.seat),))


_KIND = ("map", "rules", "choices", "unplayed", "victory", "moves", "press", "anonymous", "seasons", "end_after")
"""The settings by which somebody who waits for a game of a kind would know it."""


def is_of_kind(settings: Settings, preset: str) -> bool:
    """Whether a game is what somebody wishes for who waits for one of a preset: board, rules, pace, press and end."""
    if preset not in PRESETS:
        return False
    wished = settings_from_text(bundle(preset))
    return all(getattr(settings, name) == getattr(wished, name) for name in _KIND)


def _filling(game: Game, event: FillingSet) -> Game:
    return altered(game, gathering=replace(game.gathering, fill_by=event.fill_by))


def _advertised(game: Game, event: GameAdvertised) -> Game:
    return altered(game, gathering=replace(game.gathering, advertised_at=event.at))


def _told(game: Game, event: JoinedTold) -> Game:
    return altered(game, gathering=replace(game.gathering, fresh=(), fresh_since=None))


FEATURE = Feature(
    evolve={FillingSet: _filling, GameAdvertised: _advertised, JoinedTold: _told},
    decide={Advertise: advertise},
    gm_only=(Advertise,),
    outside=(Advertise,),
    undo={GameAdvertised: ("Everybody who wanted to hear of games has the letter", "log")},
    follow={ev.GameOpened: _opened, ev.SettingChanged: _changed},
    clock=OwnClock(next_moment, events_due, stage=Stage.OPEN),
)
