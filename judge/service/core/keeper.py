"""Games in memory and on disk: loads them from their events, appends new ones, keeps the index cards true.

The cache is only ever filled with what is committed: a unit of work that fails leaves no trace here.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Lock

import msgspec

from judge.game.clock.clockwork import next_wake
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT
from judge.game.core.events import all_from_json, all_to_json, from_json
from judge.game.core.evolve import Systems, begin, evolve_all, rebuild
from judge.game.core.model import Game, Stage
from judge.game.table.filling import powers_vacant
from judge.game.table.scoring import score_of, score_to_json
from judge.service.core.directory import Directory, Members, keep_readers, keep_records
from judge.store import Transaction, View
from judge.store.rows import GameRow, Mail, NewEvent, SeatRow, StoredEvent

MAX_CACHED = 256
EVER = datetime.min.replace(tzinfo=UTC)
"""Before anything came."""


@dataclass
class GameChange:
    """What one unit of work does to one game: its state before, the events, its state after."""

    before: Game | None
    after: Game
    events: list[ev.Event] = field(default_factory=list)


class Ledger:
    """The games of one transaction: what earlier mails of the same transaction did is seen, and kept from the cache
    until the commit.
    """

    def __init__(self, keeper: Keeper, view: View | Transaction, directory: Directory) -> None:
        self._keeper = keeper
        self._view = view
        self._read: dict[str, Game | None] = {}
        self._changed: dict[str, Game] = {}
        self._tables: dict[str, tuple[str, str] | None] = {}
        self._newest: datetime | None = None
        self.people = directory.open(view)
        self.members = Members(view, self.people)

    def table_of(self, key: str) -> tuple[str, str] | None:
        """The names of a game's map and rules, None if there is no such game; the game need not be read for it."""
        known = self._changed.get(key) or self._read.get(key)
        if known is not None:
            return known.settings.map, known.settings.rules
        if key not in self._tables:
            card = self._view.games.find(key)
            self._tables[key] = (card.map, card.rules) if card else None
        return self._tables[key]

    def keys(self) -> Sequence[str]:
        """The names of all games."""
        return sorted({row.key for row in self._view.games.list()} | set(self._changed))

    def game(self, key: str) -> Game | None:
        """The game as this transaction sees it; None if there is none of that name."""
        if key in self._changed:
            return self._changed[key]
        if key not in self._read:
            self._read[key] = self._keeper.load(self._view, key)
        return self._read[key]

    def keep(self, change: GameChange) -> None:
        """Note that a change is written, not yet committed."""
        self._changed[change.after.key] = change.after

    def newest_heard(self, now: datetime) -> datetime:
        """When the mail reached our site that came last of all that were heard; asked once in a transaction."""
        if self._newest is None:
            self._newest = self._view.inbox.newest_heard(now) or EVER
        return self._newest

    def heard(self, mail: Mail, now: datetime) -> None:
        """Note that a mail of this transaction was heard. What is in the future came while the clock was ahead."""
        if mail.arrived_at <= now:
            self._newest = max(self.newest_heard(now), mail.arrived_at)

    def settle(self) -> None:
        """Move the kept states to the cache, after the commit."""
        for game in self._changed.values():
            self._keeper.remember(game)


class Keeper:
    """Loads and saves games."""

    def __init__(self, systems: Systems) -> None:
        self.systems = systems
        self._cache: OrderedDict[str, Game] = OrderedDict()
        self._lock = Lock()

    def load(self, view: View | Transaction, key: str) -> Game | None:
        """The game as this unit of work sees it; None if there is none of that name."""
        last = view.events.last_seq(key)
        if last == 0:
            return None
        with self._lock:
            game = self._cache.get(key)
        if game is not None and game.seq > last:
            # The database is younger than our memory (another file was put in its place): read it afresh.
            game = None
        if game is None or game.seq < last:
            game = self._read_on(view, key, game)
            self.remember(game)
        return game

    def apply(self, change: GameChange, events: Sequence[ev.Event]) -> None:
        """Let events happen to the game of a change (in memory; `save` writes them)."""
        change.events.extend(events)
        change.after = evolve_all(change.after, events, self.systems)

    def create(self, event: ev.GameCreated) -> GameChange:
        """The change that makes a new game."""
        return GameChange(None, begin(event, self.systems), [event])

    def save(
        self,
        unit: Transaction,
        change: GameChange,
        now: datetime,
        entropy: Callable[[int], bytes],
        *,
        mail_id: int | None = None,
    ) -> None:
        """Append the events, bring index card and seats up to date. Raises Conflict if somebody was first."""
        if not change.events:
            return
        seq = change.before.seq if change.before else 0
        unit.events.append(change.after.key, seq, freeze_all(change.events), at=now, mail_id=mail_id)
        after = change.after
        if after.practice is not None and after.practice.cleared:
            unit.games.remove(after.key)
            return
        unit.games.put_drawn(after.key, lambda: card(after, now))
        keep_records(unit, change.before, change.events)
        keep_readers(unit, change.before, after, now)
        for seat in _new_tenures(change.events):
            person = after.gm or None if seat == GM_SEAT else after.seats[seat].person
            unit.games.put_seat(SeatRow(after.key, seat, entropy(8).hex(), now, person))
        for seat in _lost_tenures(change):
            unit.games.put_seat(SeatRow(change.after.key, seat, entropy(8).hex(), now, None))

    def reckon_again(self, unit: Transaction, game: Game, now: datetime) -> None:
        """The moment for which the game was looked at asks for nothing any more: its card gets the next one."""
        noted = unit.games.find(game.key)
        if noted is not None and noted.next_due_at != next_wake(game, now):
            unit.games.put_drawn(game.key, lambda: card(game, now))

    def settle(self, change: GameChange) -> None:
        """Keep the state after a change in the cache; call it after the commit."""
        self.remember(change.after)

    def remember(self, game: Game) -> None:
        """Keep a committed state in memory."""
        with self._lock:
            self._cache[game.key] = game
            self._cache.move_to_end(game.key)
            while len(self._cache) > MAX_CACHED:
                self._cache.popitem(last=False)

    def _read_on(self, view: View | Transaction, key: str, game: Game | None) -> Game:
        events = thaw_all(view.events.load(key, after_seq=game.seq if game else 0))
        return evolve_all(game, events, self.systems) if game else rebuild(events, self.systems)


def freeze_all(events: Sequence[ev.Event]) -> list[NewEvent]:
    """Events as rows to be stored."""
    stored = [msgspec.json.encode(fields).decode() for fields in all_to_json(events)]
    return [NewEvent(type(e).__name__, e.VERSION, data) for e, data in zip(events, stored, strict=True)]


def thaw(stored: StoredEvent) -> ev.Event:
    """The event of a stored row."""
    return from_json(stored.kind, stored.version, msgspec.json.decode(stored.data))


def thaw_all(stored: Iterable[StoredEvent]) -> list[ev.Event]:
    """The events of several rows."""
    return all_from_json([(each.kind, each.version, msgspec.json.decode(each.data)) for each in stored])


def card(game: Game, now: datetime) -> GameRow:
    """The index card of a game."""
    phase = game.phase
    summary = {
        "players": game.settings.players,
        "seats": len(game.seats),
        "vacant": list(powers_vacant(game)),
        "deadline": game.deadline.at.isoformat() if game.deadline else None,
        "listed": game.settings.listed,
        "held": game.held_since is not None,
    }
    if game.stage is Stage.ENDED:
        score = score_of(game)
        summary["score"] = score_to_json(score) if score else None
    return GameRow(
        key=game.key,
        name=game.key,
        state=str(game.stage),
        map=game.settings.map,
        rules=game.settings.rules,
        created_at=game.created_at,
        phase=str(phase) if phase else None,
        next_due_at=next_wake(game, now),
        seq=game.seq,
        summary=json.dumps(summary),
    )


def _new_tenures(events: Sequence[ev.Event]) -> list[str]:
    seats: list[str] = []
    for event in events:
        if isinstance(event, (ev.GameCreated, ev.GamemasterChanged)):
            seats.append(GM_SEAT)
        elif isinstance(event, (ev.PlayerJoined, ev.SeatFilled)):
            seats.append(event.seat)
    return seats


def _lost_tenures(change: GameChange) -> list[str]:
    """Seats that have lost their player: the tokens of that tenure must stop working."""
    lost = {event.seat for event in change.events if isinstance(event, ev.SeatVacated)}
    return [seat for seat in lost if seat not in change.after.seats or not change.after.seats[seat].filled]
