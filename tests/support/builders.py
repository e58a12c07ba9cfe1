"""A game at a table of paper: played in memory by its own commands, for tests that need one in a certain state.

table = Table(maps).seated().started()
table.orders("FRANCE", "A Par - Bur", "F Bre - Mao")
table.process()
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType

from judge.game.core import commands as cmd
from judge.game.core.commands import Context, Decision, Question, Refusal
from judge.game.core.events import Event, GameCreated
from judge.game.core.evolve import begin, evolve
from judge.game.core.model import Game, Running
from judge.game.decide import decide
from judge.game.office import desk
from judge.game.table.sandbox import practice_game, sandbox_game
from judge.report.core.letter import Cast, Member, Office
from judge.service.core.judge import shelf_of

START = datetime(2027, 1, 1, 12, 0, tzinfo=UTC)
GM = 100
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus")

OFFICE = Office("Judge", "judge.test", "judge@judge.test")


def cast_of(*, zones: Mapping[int, str] | None = None) -> Cast:
    """Seven players (persons 1 to 7), a Gamemaster (100) and a spare player (8)."""
    people = dict(enumerate(NAMES, 1)) | {8: "Hal", GM: "Gina"}
    zones = zones or {}
    members = {
        number: Member(number, name, f"{name.lower()}@players.test", zones.get(number, ""), f"copper heron {number}")
        for number, name in people.items()
    }
    return Cast(MappingProxyType(members), OFFICE)


class Table:
    """One game. `events` is its whole log; `last` what the last command brought; `before` the game ahead of that."""

    def __init__(
        self,
        maps: Path,
        settings: Mapping[str, str] | None = None,
        *,
        key: str = "tannenburg",
        preset: str = "standard",
    ) -> None:
        self.maps = maps
        self.systems = shelf_of(maps)
        self.now = START
        self.mails = 0
        self.events: list[Event] = []
        self.last: tuple[Event, ...] = ()
        self.before: Game | None = None
        self.answer: Decision | Refusal | None = None
        wanted = {"nmr": "grace", "early": "no", "zone": "America/New_York", **(settings or {})}
        create = cmd.Create(key, preset, tuple(wanted.items()))
        self._take(desk.create(create, Context(self.gm, self.now, systems=self.systems)))

    game: Game

    @property
    def running(self) -> Running:
        """The game while it runs."""
        assert isinstance(self.game, Running)
        return self.game

    @property
    def gm(self) -> cmd.Actor:
        return cmd.Actor(cmd.Role.GM, cmd.GM_SEAT, GM)

    def player(self, power: str) -> cmd.Actor:
        """Whoever plays a power."""
        seat = self.game.seat_of(power)
        assert seat is not None and seat.person is not None
        return cmd.Actor(cmd.Role.PLAYER, seat.id, seat.person)

    def seated(self) -> Table:
        """Open, with a player for each seat, who wants the first power of the seat of his place."""
        self.tell(cmd.Open(), self.gm)
        for person, (power, *_) in enumerate(self.game.rules.seats(self.game.board), 1):
            self.tell(cmd.Join(((power,),)), cmd.Actor(cmd.Role.STRANGER, "", person))
        return self

    def started(self, deadline: datetime | None = None) -> Table:
        """Begun: seat 1 plays the board's first power, and so on."""
        self.tell(cmd.Start(deadline or START + timedelta(days=7, hours=17)), self.gm)
        return self

    def practising(self, power: str = "") -> Table:
        """Another game in the place of this one: a practice game of person 1."""
        self.events = []
        self._take(practice_game("practice-1", 1, power, "UTC", self.now, self._lot, self.systems))
        return self

    def in_sandbox(self, of: Mapping[str, str] | None = None) -> Table:
        """Another game in the place of this one: a sandbox of person 1, on the board that some settings say."""
        self.events = []
        self._take(sandbox_game("sandbox-1", 1, of or {}, "UTC", self.now, self._lot, self.systems))
        return self

    def tell(self, command: cmd.Command, actor: cmd.Actor) -> Decision | Refusal:
        """One command; what it changes is taken over at once."""
        result = decide(self.game, command, Context(actor, self.now, self._lot, self.systems))
        self._take(result)
        return result

    def orders(self, power: str, *lines: str) -> Decision | Refusal:
        """A mail of orders from a power's player."""
        written = tuple(cmd.OrderLine(number, text) for number, text in enumerate(lines, 1))
        self.mails += 1
        return self.tell(cmd.Submit(written), replace(self.player(power), mail=f"mail-{self.mails}"))

    def all_orders(self, orders: Mapping[str, Sequence[str]]) -> Table:
        """Orders of several powers, each in a mail of its own."""
        for power, lines in orders.items():
            self.orders(power, *lines)
        return self

    def at_the_deadline(self) -> Table:
        """The time is that of the deadline; the clock has not struck yet."""
        assert self.game.deadline is not None
        self.now = max(self.now, self.game.deadline.at)
        return self

    def process(self) -> Table:
        """The Gamemaster turns the page; asked about missing sets, he says yes."""
        said = self.tell(wanted := cmd.Process(str(self.game.phase)), self.gm)
        if isinstance(said, Question):
            self.tell(wanted, replace(self.gm, agreed=(said.about,)))
        return self

    def tick(self, at: datetime) -> Table:
        """The clock strikes at a moment."""
        self.now = at
        self.tell(cmd.Tick(), cmd.Actor(cmd.Role.JUDGE))
        return self

    def _take(self, result: Decision | Refusal) -> None:
        self.answer = result
        self.last = result.events if isinstance(result, Decision) else ()
        self.before = getattr(self, "game", None)
        for event in self.last:
            if isinstance(event, GameCreated):
                self.game = begin(event, self.systems)
            else:
                self.game = evolve(self.game, event, self.systems)
            self.events.append(event)

    def _lot(self) -> int:
        return 7


def as_anonymous(game: Game) -> Game:
    """The same game played without names."""
    return replace(game, settings=replace(game.settings, anonymous=True))
