"""Letters to people who arrive: the Gamemaster of a new game, a new player, everybody at the start.

The letter to somebody who takes a power over in the middle of a game: the whole file, in the order of its use.

What the former player was told in confidence stays with them, unless the house rules hand the press of the last turns
on with the power; what everybody was told, everybody may read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from judge.board.phase import PhaseKind
from judge.board.position import position_to_json
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT
from judge.game.core.model import Game, Running, Stage
from judge.game.core.parts import Seat
from judge.game.office.undoing import GRAVE_ACTS
from judge.game.settings.bundles import HOUSE_PRESETS
from judge.game.settings.table import TABLE, Settings
from judge.game.table.deciding import Matter, undecided
from judge.game.table.seating import begins
from judge.languages import tell
from judge.orders.spelled import listed
from judge.report.core.audience import Batch, did
from judge.report.core.houserules import InShort, in_short
from judge.report.core.letter import Cast, Kind, Letter, Office, Reader, moment, shown_name
from judge.report.core.naming import Moment, Said, many, power_name, say
from judge.report.played.chart import CentreChart, YearTable, chart, years
from judge.report.played.results import Results, UnitsLine, final_positions, results_of, retreats_due
from judge.report.seat.desk import Desk, desk
from judge.report.table.talk import Clipping, addressees, announcements, clippings, has_followed, signature
from judge.report.table.turns import vacant_powers
from judge.report.table.votes import OpenVote, open_votes
from judge.rules.model import RULE_SYSTEMS
from judge.rules.questions import Block


@dataclass(frozen=True, slots=True)
class Rule:
    """One setting of the game: name, what it is, its value in the words that `set` takes."""

    name: str
    summary: str
    value: str


def house_rules(game: Game) -> tuple[Rule, ...]:
    """All settings of a game, in the order of the settings table, then its rules in words."""
    settings = tuple(
        Rule(
            setting.name,
            tell(setting.summary),
            setting.form.show(getattr(game.settings, setting.name)) or tell("undecided"),
        )
        for setting in TABLE.values()
    )
    in_words = (Rule(f"version {one.version}", tell("a rule in words"), f'"{one.text}"') for one in game.amendments)
    return (*settings, *in_words)


def own_rules(game: Game) -> tuple[Rule, ...]:
    """The settings in which a game differs from the usual, and its rules in words: what whoever comes must know."""
    usual = {setting.name: setting.form.show(getattr(_USUAL, setting.name)) for setting in TABLE.values()}
    return tuple(rule for rule in house_rules(game) if usual.get(rule.name) != rule.value)


_USUAL = Settings()


def unusual(game: Game) -> tuple[str, ...]:
    """The names of the settings in which a game differs from the usual."""
    return tuple(rule.name for rule in own_rules(game) if rule.name in TABLE)


# --- a new game, a new player -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CreatedView:
    """To the Gamemaster: the settings, and what must be decided before the game can open. `grave`: the acts that
    need a second proof, as a list in words."""

    rules: tuple[Rule, ...]
    matters: tuple[Matter, ...]
    presets: tuple[str, ...]
    address: str
    grave: str = GRAVE_ACTS


def created(batch: Batch) -> Iterator[Letter]:
    """The Gamemaster's first letter about a new game."""
    if not batch.has(ev.GameCreated) or batch.after.stage is not Stage.FORMING:
        return  # what was opened at once needs no list of what is still to be decided
    reader = Reader(GM_SEAT, batch.cast.member(batch.after.gm))
    view = created_view(batch.after, batch.cast.office)
    yield replace(batch.letter(Kind.CREATED, str(batch.after.seq), reader, view), answers=True)


def created_view(game: Game, office: Office) -> CreatedView:
    """What a new game is like, and what is still to be decided."""
    presets = tuple(f"preset {name}" for name in HOUSE_PRESETS)
    return CreatedView(house_rules(game), undecided(game), presets, office.game_address(game.key))


@dataclass(frozen=True, slots=True)
class WelcomeView:
    """To a player who joined: what they wished, how full the game is, who runs it, its house rules in short.

    `differs`: names of the settings that are not the usual ones; `version`: of the house rules, which they accept by
    taking part.
    """

    preferences: Said | None
    players: int
    wanted: int
    gm: str
    anonymous: bool
    short: tuple[InShort, ...] = ()
    differs: tuple[str, ...] = ()
    version: int = 1
    begins: Moment | None = None
    """When the game begins by itself, None where it does not."""
    freezes: bool = False
    """Whether orders on file cannot be changed while the game waits for others."""
    example: str = ""
    """Two powers of the game, as a list of wishes names them."""
    begun: bool = False
    """Whether the game has begun with it, so that a letter beside this one asks for the first orders."""


def welcomes(batch: Batch) -> Iterator[Letter]:
    """A welcome to everybody who joined."""
    for seq, event in batch.numbered():
        if not isinstance(event, ev.PlayerJoined):
            continue
        game, start = batch.after, begins(batch.after)
        reader = Reader(event.seat, batch.cast.member(event.person))
        view = WelcomeView(
            preferences=preference_words(game, event.preferences),
            players=len(game.seats),
            wanted=game.settings.players,
            example=wishes_shown(game),
            gm=shown_name(game, batch.cast, GM_SEAT),
            anonymous=game.settings.anonymous,
            short=in_short(game),
            differs=unusual(game),
            version=game.rules_version,
            begins=moment(game, start, reader.member) if start else None,
            freezes=game.settings.freeze_others,
            begun=batch.starts,
        )
        yield replace(batch.letter(Kind.WELCOME, str(seq), reader, view), answers=event.by == event.seat)


def wishes_shown(game: Game) -> str:
    """Two powers of a game, as a list of wishes names them: an example."""
    powers = game.rules.for_players(game.board)[1:3]
    return ", ".join(power_name(power, game.board) for power in reversed(powers))


def preference_words(game: Game, preferences: tuple[tuple[str, ...], ...]) -> Said | None:
    """A preference list, the powers liked alike together; None without any."""
    steps = [[power_name(power, game.board) for power in step] for step in preferences]
    return say("preferences", steps=steps) if steps else None


# --- the start ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays what: `name` "" in an anonymous game, `address` only where players may write to each other."""

    power: str
    name: str
    address: str = ""
    free: bool = False
    """Whether the power is in no player's hand."""
    vacant: bool = False
    """Whether a player is wanted for it."""


@dataclass(frozen=True, slots=True)
class StartedView:
    """To everybody: who plays what, where everything stands, and the call for the first orders.

    `seed`: of the lot; from it and the order in which the players came anybody can tell who plays what, so where that
    is a secret it is the Gamemaster's alone.
    """

    desk: Desk
    players: tuple[Player, ...]
    positions: tuple[UnitsLine, ...]
    seed: int | None
    anonymous: bool
    press: bool = True
    """Whether the judge relays any press."""
    own_page: bool = False
    """Whether the rules are told on a page of their own, as they differ from those of 1976."""
    brief: tuple[str, ...] = ()
    """The rules in a dozen lines, where they need that."""
    more: tuple[Block, ...] = ()
    """What the rules add to the positions."""


def started(batch: Batch) -> Iterator[Letter]:
    """The call for the first orders; a game that starts has powers, players and a deadline. To the Gamemaster who has
    written `start` it is the answer; the boards that a tournament makes answer nobody.
    """
    if not batch.starts or batch.after.position is None:
        return
    game = batch.after
    by_hand = batch.before is not None and any(event.by == GM_SEAT for event in batch.every(ev.GameStarted))
    players, system = players_of(game, batch.cast), RULE_SYSTEMS.get(game.settings.rules)
    for reader in batch.told(*batch.every(ev.GameStarted), doer=True):
        view = StartedView(
            desk=desk(game, reader.seat, reader.member),
            players=players,
            positions=final_positions(batch.after.position),
            seed=None if game.settings.anonymous and reader.seat != GM_SEAT else game.seed,
            anonymous=game.settings.anonymous,
            press=bool(game.settings.press),
            brief=tuple(map(tell, system.brief if system is not None else ())),
            own_page=system is not None and bool(system.page),
            more=game.rules.desk(batch.after.position),
        )
        yield replace(
            batch.letter(Kind.STARTED, str(game.seq), reader, view),
            answers=by_hand and any(did(event, reader) for event in batch.every(ev.GameStarted)),
        )


def players_of(game: Game, cast: Cast) -> tuple[Player, ...]:
    """Who plays what, in the board's order."""
    rows = []
    for power in game.board.powers:
        seat = game.seat_of(power)
        name = shown_name(game, cast, seat.id) if seat else ""
        address = cast.member(seat.person).address if seat and seat.person and name else ""
        rows.append(
            Player(
                power_name(power, game.board), name, address, free=seat is None, vacant=bool(seat and not seat.filled)
            )
        )
    return tuple(rows)


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
