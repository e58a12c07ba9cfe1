"""A table that fills: who is let in, by which conditions, word or pass phrase; how long it has, what everybody is told
when that is over, and who comes next.

The reserve list is who waits behind a full table, and sits down when a seat becomes free before the start. After the
start they are the first to hear of a vacant power.

A game may be open to whoever likes, or ask for the Gamemaster's approval, an invitation or a pass phrase. Beside that
it may ask for a share of turns on time, for turns played, and for not too many games at once. Whoever is invited, or
let in by the Gamemaster, is asked for none of these.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, Bearing, Command, Context, Decision, Join, Lot, Refusal
from judge.game.core.evolve import Feature, OwnClock
from judge.game.core.immutable import altered
from judge.game.core.model import Game, Stage
from judge.game.core.parts import Gathering, Hopeful
from judge.game.settings.bundles import PRESETS, bundle
from judge.game.settings.table import Settings, settings_from_text
from judge.languages import moment_mark, tell, together, told_later
from judge.pace import later, spell_span, zone_info


def is_full(game: Game) -> bool:
    """Whether every seat is taken."""
    return len(game.seats) >= game.settings.players


def gathers(game: Game) -> bool:
    """Whether a game is open, no practice, and has a free seat."""
    return game.stage is Stage.OPEN and game.practice is None and not is_full(game)


def noted_for_the_gamemaster(game: Game, event: ev.PlayerJoined) -> Gathering:
    """Who has joined is told to the Gamemaster in one letter a day, and at once when the last seat is taken: that
    letter tells of all. `game`: ahead of the event.
    """
    gathering = game.gathering
    if len(game.seats) + 1 >= game.settings.players:
        return replace(gathering, fresh=(), fresh_since=None)
    if event.by == GM_SEAT:
        return gathering
    return replace(gathering, fresh=(*gathering.fresh, event.person), fresh_since=gathering.fresh_since or event.at)


def sit_down(
    game: Game, person: int, preferences: tuple[tuple[str, ...], ...], at: datetime, *, by: str = ""
) -> ev.PlayerJoined:
    """Somebody takes the first free seat. `by`: who brought that about; "" for themselves."""
    seat = next(str(n) for n in range(1, game.settings.players + 1) if str(n) not in game.seats)
    tenure = game.tenures.get(seat, 0) + 1
    return ev.PlayerJoined(at=at, by=by or seat, seat=seat, person=person, tenure=tenure, preferences=preferences)


def powers_vacant(game: Game) -> tuple[str, ...]:
    """The powers of seats that nobody holds, in the order of seats."""
    return tuple(power for seat in game.seats.values() if not seat.filled for power in seat.powers)


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
            "{game} was advertised already; it can be again from {again} on.", game=game.key, again=moment_mark(again)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ReserveJoined(ev.Event, told="person,preferences"):
    """Somebody waits for a free seat; `number` is what the Gamemaster may call them by."""

    person: int
    number: int
    preferences: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HopefulLeft(ev.Event, told="person"):
    """Somebody who had asked for a seat, or waited for one, does so no longer."""

    person: int


ORDINALS = (
    told_later("first"),
    told_later("second"),
    told_later("third"),
    told_later("fourth"),
    told_later("fifth"),
)


def place_in_line(game: Game, person: int) -> int:
    """Which place somebody has on the reserve list, from 1; 0 for none."""
    line = [one.person for one in game.gathering.reserve]
    return line.index(person) + 1 if person in line else 0


def put_in_line(
    game: Game, person: int, preferences: tuple[tuple[str, ...], ...], context: Context, *, by: str = ""
) -> Decision | Refusal:
    """On the reserve list of a full table; `by` is "gm" where the Gamemaster brings it about."""
    if place := place_in_line(game, person):
        sentence = tell(
            "They are {ordinal} on the reserve list of {game} already."
            if by
            else "You are {ordinal} on the reserve list of {game} already.",
            ordinal=_ordinal(place),
            game=game.key,
        )
        return Refusal("in-line", sentence, mend="" if by else f"leave {game.key}")
    if len(game.gathering.reserve) >= game.settings.reserve:
        sentence = tell(
            "All {players} seats of {game} are taken, and {reserve} wait for a free seat."
            if game.gathering.reserve
            else "All {players} seats of {game} are taken.",
            players=game.settings.players,
            game=game.key,
            reserve=len(game.gathering.reserve),
        )
        return Refusal("full", sentence, mend="list")
    known = next((one for one in game.gathering.applicants if one.person == person), None)
    number = known.number if known is not None else game.gathering.counted + 1
    event = ReserveJoined(at=context.now, by=by or "judge", person=person, number=number, preferences=preferences)
    ordinal = _ordinal(len(game.gathering.reserve) + 1)
    said = tell(
        "All {players} seats of {game} are taken. They are {ordinal} on the reserve list: when a seat becomes free "
        "before the start, they take it and hear from me; after the start they are told of every vacant power."
        if by
        else "All {players} seats of {game} are taken. You are {ordinal} on the reserve list: when a seat becomes free "
        "before the start, you take it and hear from me; after the start you are told of every vacant power. "
        "`leave {game}` takes you off the list.",
        players=game.settings.players,
        game=game.key,
        ordinal=ordinal,
    )
    return Decision((event,), said=said)


def step_back(game: Game, person: int, context: Context) -> Decision | None:
    """Off the lists of those who would like a seat; None for somebody who is on none."""
    if all(one.person != person for one in game.gathering.hopefuls):
        return None
    event = HopefulLeft(at=context.now, person=person)
    return Decision(
        (event,), said=tell("You are off the list of those who would like a seat in {game}.", game=game.key)
    )


def _ordinal(place: int) -> str:
    return tell(ORDINALS[place - 1]) if place <= len(ORDINALS) else tell("number {place}", place=place)


def without_hopeful(game: Game, person: int, *, turned_away: frozenset[int] | None = None) -> Game:
    """The game with somebody on none of the lists of those who would like a seat."""
    gathering = replace(
        game.gathering,
        applicants=tuple(one for one in game.gathering.applicants if one.person != person),
        reserve=tuple(one for one in game.gathering.reserve if one.person != person),
        turned_away=game.gathering.turned_away if turned_away is None else turned_away,
    )
    return altered(game, gathering=gathering)


def _move_up(game: Game, event: ev.Event) -> tuple[ev.Event, ...]:
    """The first in line takes a seat that is free."""
    if not gathers(game) or not game.gathering.reserve:
        return ()
    first = game.gathering.reserve[0]
    return (sit_down(game, first.person, first.preferences, event.at, by="judge"),)


def _more_seats(game: Game, event: ev.SettingChanged) -> tuple[ev.Event, ...]:
    return _move_up(game, event) if event.name == "players" else ()


def _in_line(game: Game, event: ReserveJoined) -> Game:
    game = without_hopeful(game, event.person)
    wish = Hopeful(event.number, event.person, event.preferences)
    counted = max(game.gathering.counted, event.number)
    return altered(game, gathering=replace(game.gathering, reserve=(*game.gathering.reserve, wish), counted=counted))


def _left(game: Game, event: HopefulLeft) -> Game:
    return without_hopeful(game, event.person)


FEWEST_TURNS = 5
"""Turns before which nobody has a share on time that says anything."""


@dataclass(frozen=True, slots=True)
class Approve(Command):
    """Let somebody in who has asked, or who was turned away before."""

    person: int


@dataclass(frozen=True, slots=True)
class TurnAway(Command):
    """Say no to somebody who has asked for a seat, or who waits on the reserve list; with a reason, which they read."""

    person: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SetPhrase(Command):
    """The pass phrase as a hash; "": none any more. `access`: who may join then, "" for those who know the phrase."""

    phrase: str
    access: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatApplied(ev.Event, told="person,preferences"):
    """Somebody asks for a seat, and the Gamemaster has to answer."""

    person: int
    number: int
    preferences: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedAway(ev.Event, told="person,reason"):
    """The Gamemaster said no."""

    person: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseSet(ev.Event, told=""):
    """The pass phrase is another, or there is none any more. `phrase`: as a hash, which is told to nobody."""

    phrase: str


def refused(game: Game, command: Join, context: Context) -> Refusal | None:
    """Why somebody who comes by themselves is not let in; None if they are, as far as the game's conditions go."""
    if context.actor.person in game.gathering.turned_away:
        sentence = tell("The Gamemaster of {game} has said no; only they can let you in.", game=game.key)
        return Refusal("turned-away", sentence, mend="list")
    access = game.settings.access
    if access == "invitation":
        sentence = tell(
            "Only people whom its Gamemaster has invited can join {game}, and you have no invitation.", game=game.key
        )
        return Refusal("not-invited", sentence, mend="list")
    if access == "phrase" and command.phrase is not True:
        return _phrase_asked(game, named=command.phrase is not None)
    return _too_little(game, command.bearing) if command.bearing is not None else None


def _phrase_asked(game: Game, *, named: bool) -> Refusal:
    if named:
        return Refusal("wrong-phrase", tell("That is not the pass phrase of {game}.", game=game.key))
    sentence = tell("You need the pass phrase to join {game}. Write: join {game} phrase, and the words.", game=game.key)
    return Refusal("phrase", sentence)


def _too_little(game: Game, bearing: Bearing) -> Refusal | None:
    """What is missing to the conditions of a game, with the figures, which nobody else reads."""
    settings = game.settings
    share = bearing.on_time * 100 // bearing.counted if bearing.counted >= FEWEST_TURNS else 100
    if settings.min_reliability and share < settings.min_reliability:
        return Refusal(
            "reliability",
            tell(
                "{game} takes players with {min_reliability}% of their turns on time; yours are "
                "{share}% ({on_time} of {counted}). Its Gamemaster may invite you all the same.",
                game=game.key,
                min_reliability=settings.min_reliability,
                share=share,
                on_time=bearing.on_time,
                counted=bearing.counted,
            ),
            mend="list",
        )
    if bearing.turns < settings.min_turns:
        return Refusal(
            "experience",
            tell(
                "{game} takes players who have played {min_turns} turns here; you have played "
                "{turns}. Its Gamemaster may invite you all the same.",
                game=game.key,
                min_turns=settings.min_turns,
                turns=bearing.turns,
            ),
            mend="list",
        )
    if settings.max_games and bearing.games >= settings.max_games:
        games = tell("one game") if bearing.games == 1 else tell("{games} games", games=bearing.games)
        return Refusal(
            "too-many-games",
            tell(
                "{game} takes players with at most {max_games} games at once, itself included; you play {games} now.",
                game=game.key,
                max_games=settings.max_games,
                games=games,
            ),
            mend="my games",
        )
    return None


def apply_for_seat(game: Game, command: Join, context: Context) -> Decision | Refusal:
    """Ask the Gamemaster for a seat; a second wish only changes the preferences."""
    person = context.actor.person
    known = next((one for one in game.gathering.applicants if one.person == person), None)
    if known is not None and (not command.preferences or known.preferences == command.preferences):
        return Refusal(
            "asked",
            tell("You have asked for a seat in {game} already; its Gamemaster has yet to answer.", game=game.key),
        )
    number = known.number if known is not None else game.gathering.counted + 1
    event = SeatApplied(at=context.now, person=person, number=number, preferences=command.preferences)
    said = tell(
        "In {game} the Gamemaster decides who plays. They are asked, and you hear from me; `leave {game}` withdraws "
        "your request.",
        game=game.key,
    )
    return Decision((event,), said=said)


def approve(game: Game, command: Approve, context: Context) -> Decision | Refusal:
    """A seat for somebody who has asked, or whom the Gamemaster had sent away; on the reserve list if none is free."""
    if game.stage is not Stage.OPEN:
        return _not_open(game)
    if game.seat_held_by(command.person) is not None:
        return Refusal("already-in", tell("They have a seat in {game} already.", game=game.key))
    known = next((one for one in game.gathering.hopefuls if one.person == command.person), None)
    if known is None and command.person not in game.gathering.turned_away:
        return Refusal(
            "not-asked", tell("They have not asked for a seat in {game}. Send: invite, and the address.", game=game.key)
        )
    preferences = known.preferences if known is not None else ()
    if not is_full(game):
        event = sit_down(game, command.person, preferences, context.now, by=context.seat)
        return Decision(
            (event,),
            said=tell(
                "They have a seat: {seats} of {players}.", seats=len(game.seats) + 1, players=game.settings.players
            ),
        )
    return put_in_line(game, command.person, preferences, context, by=context.seat)


def turn_away(game: Game, command: TurnAway, context: Context) -> Decision | Refusal:
    """No seat for somebody who has asked or waits; they read the reason, and are off the lists."""
    if game.stage is not Stage.OPEN:
        return _not_open(game)
    if all(one.person != command.person for one in game.gathering.hopefuls):
        return Refusal("not-asked", tell("They have not asked for a seat in {game}.", game=game.key), mend="status")
    event = TurnedAway(at=context.now, by=context.seat, person=command.person, reason=command.reason)
    return Decision((event,), said=tell("They are told so; `approve` lets them in after all."))


def _not_open(game: Game) -> Refusal:
    if game.stage is Stage.FORMING:
        return Refusal("not-open", tell("{game} is not open yet; nobody can have asked.", game=game.key), mend="open")
    return Refusal(
        "not-open", tell("{game} has begun; `assign` and `vacate` say who plays.", game=game.key), mend="help assign"
    )


def set_phrase(game: Game, command: SetPhrase, context: Context) -> Decision | Refusal:
    """The pass phrase, and with it that one is asked for."""
    if game.stage is Stage.ENDED:
        return Refusal("game-over", tell("{game} has ended.", game=game.key))
    event = PhraseSet(at=context.now, by=context.seat, phrase=command.phrase)
    if command.access:
        return Decision(
            (*_access(game, command.access, context), event), said=tell("The pass phrase is what it was before.")
        )
    if not command.phrase:
        said = tell("{game} has no pass phrase any more.", game=game.key)
        if game.settings.access == "phrase":
            said = together(
                said, tell("Nobody can join with one until you give it another; `set access open` lets anybody join.")
            )
        return Decision((event,), said=said)
    said = tell(
        "{game} has this pass phrase now; none of my letters contains it, so tell it to your players.", game=game.key
    )
    changed = _access(game, "phrase", context)
    return Decision((*changed, event), said=tell("{said} Players need it to join.", said=said) if changed else said)


def _access(game: Game, access: str, context: Context) -> tuple[ev.Event, ...]:
    """The change that lets these join, if they are others."""
    old = game.settings.access
    changed = ev.SettingChanged(at=context.now, by=context.seat, name="access", old=old, new=access)
    return (changed,) if old != access else ()


def _applied(game: Game, event: SeatApplied) -> Game:
    others = tuple(one for one in game.gathering.applicants if one.person != event.person)
    wish = Hopeful(event.number, event.person, event.preferences)
    counted = max(game.gathering.counted, event.number)
    return altered(game, gathering=replace(game.gathering, applicants=(*others, wish), counted=counted))


def _turned_away(game: Game, event: TurnedAway) -> Game:
    return without_hopeful(game, event.person, turned_away=game.gathering.turned_away | {event.person})


def _phrase_set(game: Game, event: PhraseSet) -> Game:
    return altered(game, gathering=replace(game.gathering, phrase=event.phrase))


FEATURE = Feature(
    evolve={
        FillingSet: _filling,
        GameAdvertised: _advertised,
        JoinedTold: _told,
        ReserveJoined: _in_line,
        HopefulLeft: _left,
        SeatApplied: _applied,
        TurnedAway: _turned_away,
        PhraseSet: _phrase_set,
    },
    decide={
        Advertise: advertise,
        Approve: approve,
        TurnAway: turn_away,
        SetPhrase: set_phrase,
    },
    gm_only=(
        Advertise,
        Approve,
        TurnAway,
        SetPhrase,
    ),
    outside=(Advertise,),
    undo={
        GameAdvertised: ("Everybody who wanted to hear of games has the letter", "log"),
        ReserveJoined: ("They have read it; `refuse` takes them off the reserve list", "status"),
        PhraseSet: lambda act, before: SetPhrase(before().gathering.phrase, before().settings.access),
        TurnedAway: ("They have read it; `approve` lets them in after all", "status"),
    },
    follow={
        ev.GameOpened: _opened,
        ev.SettingChanged: lambda game, event: (*_changed(game, event), *_more_seats(game, event)),
        ev.SeatVacated: _move_up,
        ev.PlayerJoined: _move_up,
    },
    clock=OwnClock(next_moment, events_due, stage=Stage.OPEN),
)
