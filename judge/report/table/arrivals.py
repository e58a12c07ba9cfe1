"""Letters to people who arrive: the Gamemaster of a new game, a new player, everybody at the start."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT
from judge.game.core.model import Game, Stage
from judge.game.office.undoing import GRAVE_ACTS
from judge.game.settings.bundles import HOUSE_PRESETS
from judge.game.settings.table import TABLE, Settings
from judge.game.table.autostart import begins
from judge.game.table.deciding import Matter, undecided
from judge.languages import tell
from judge.report.core.audience import did
from judge.report.core.batch import Batch
from judge.report.core.frame import Cast, Office, Reader, moment, shown_name
from judge.report.core.houserules import InShort, in_short
from judge.report.core.letter import Kind, Letter
from judge.report.core.naming import Moment, Said, power_name, say
from judge.report.played.results import UnitsLine, final_positions
from judge.report.seat.desk import Desk, desk
from judge.rules.questions import Block
from judge.rules.registry import ROOMS


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
    players = players_of(game, batch.cast)
    for reader in batch.told(*batch.every(ev.GameStarted), doer=True):
        view = StartedView(
            desk=desk(game, reader.seat, reader.member),
            players=players,
            positions=final_positions(batch.after.position),
            seed=None if game.settings.anonymous and reader.seat != GM_SEAT else game.seed,
            anonymous=game.settings.anonymous,
            press=bool(game.settings.press),
            brief=ROOMS[game.settings.rules].brief if game.settings.rules in ROOMS else (),
            own_page=(room := ROOMS.get(game.settings.rules)) is not None and bool(room.page),
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
