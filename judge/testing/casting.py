"""Scenery: games at a certain stage, set up without the mails that lead there, and chance that repeats itself."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from datetime import datetime

from judge.board.model import Board
from judge.game.core import commands as cmd
from judge.game.core.decision import Context, Decision
from judge.game.core.model import Game
from judge.game.decide import decide
from judge.game.office.desk import create
from judge.service.core.keeper import GameChange
from judge.service.core.persons import enrol
from judge.service.posting.outgoing import post_letters
from judge.store import Transaction
from judge.testing.theatre import GM, Theatre

STAGES = ("forming", "open", "running")


def player_of(power: str) -> str:
    """The address of whoever plays a power.

    >>> player_of("FRANCE")
    'france@players.test'
    """
    return f"{power.lower().replace('_', '-').replace(' ', '-')}@players.test"


def seat_everybody(
    theatre: Theatre,
    key: str,
    settings: Mapping[str, str] | None = None,
    *,
    preset: str = "standard",
    stage: str = "running",
    gm: str = GM,
    deadline: datetime | None = None,
    who: Callable[[str], str] = player_of,
) -> Game:
    """A game with a Gamemaster and, unless it is only forming or open, a player at each seat: `who` by power.

    Raises ValueError where the game refuses a setting. The letters that players get on the way are sent.
    """
    setter = _Setter(theatre, key)
    setter.found(gm, cmd.Create(key, preset, tuple({"nmr": "grace", **(settings or {})}.items())))
    if stage != "forming":
        setter.tell(gm, cmd.Open())
    if stage == "running":
        for power in setter.firsts:
            setter.tell(who(power), cmd.Join(((power,),)), name=f"Player {setter.board.powers[power].name}")
        setter.tell(gm, cmd.Start(deadline))
    theatre.settle()
    return theatre.game(key)


class _Setter:
    """Gives commands to one game on behalf of persons known by their addresses."""

    def __init__(self, theatre: Theatre, key: str) -> None:
        self._theatre = theatre
        self._house = theatre.house
        self._key = key

    @property
    def firsts(self) -> tuple[str, ...]:
        """Of each seat, the power after which its player is called."""
        return tuple(hand[0] for hand in self._theatre.game(self._key).rules.seats(self.board))

    @property
    def board(self) -> Board:
        return self._theatre.game(self._key).board

    def found(self, gm: str, command: cmd.Create) -> None:
        """Make the game."""
        house, now = self._house, self._theatre.now
        with house.store.write() as unit:
            person = enrol(house, unit, gm, name="Gina Master", verified=True)
            actor = cmd.Actor(cmd.Role.GM, cmd.GM_SEAT, person.id)
            decision = create(command, Context(actor, now, systems=house.shelf))
            if not isinstance(decision, Decision):
                raise ValueError(decision.sentence)
            change = house.keeper.create(decision.events[0])  # type: ignore[arg-type]
            self._keep(unit, change)
        house.keeper.settle(change)

    def tell(self, address: str, command: cmd.Command, *, name: str = "") -> None:
        """One command from a person."""
        house, now = self._house, self._theatre.now
        with house.store.write() as unit:
            person = enrol(house, unit, address, name=name, verified=True)
            game = house.keeper.load(unit, self._key)
            assert game is not None
            actor = cmd.Actor(cmd.Role.STRANGER, person=person.id)
            if game.gm == person.id:
                actor = cmd.Actor(cmd.Role.GM, cmd.GM_SEAT, person.id)
            decision = decide(game, command, Context(actor, now, house.lot, house.shelf))
            if not isinstance(decision, Decision):
                raise ValueError(decision.sentence)
            change = GameChange(game, game)
            house.keeper.apply(change, decision.events)
            self._keep(unit, change)
        house.keeper.settle(change)

    def _keep(self, unit: Transaction, change: GameChange) -> None:
        self._house.keeper.save(unit, change, self._theatre.now, self._house.entropy)
        post_letters(self._house, unit, change, self._theatre.now)


class Chance:
    """Lots and random bytes that are the same in every run of one seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._count = 0

    def lot(self) -> int:
        """A seed for a drawing of lots."""
        return int.from_bytes(self.entropy(7), "big")

    def entropy(self, length: int) -> bytes:
        """Random bytes in name only."""
        self._count += 1
        return hashlib.shake_256(f"{self._seed}/{self._count}".encode("ascii")).digest(length)
