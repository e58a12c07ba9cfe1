"""Checks of the event log: rebuilding games from it, and adjudicating their phases again.

Rebuilding never adjudicates: it applies the stored events and compares the index cards. Adjudicating again takes the
position and the orders of each stored phase and compares every outcome and the position that follows. Results that were
taken back are left out: that they were wrong is why they no longer count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judge.adjudicate import adjudicate
from judge.adjudicate.outcome import Outcome
from judge.game.core import events as ev
from judge.game.core.evolve import rebuild
from judge.game.core.model import Game
from judge.game.filing.submitting import deeds_from_json
from judge.history import played_phase
from judge.orders.model import Order, power_of
from judge.report.played.results import counting
from judge.service.core.house import House
from judge.service.core.keeper import card, thaw_all


@dataclass(frozen=True, slots=True)
class Replayed:
    """One game replayed: how many events or phases, and every difference as a sentence."""

    game: str
    phases: int
    unit: str
    drift: tuple[str, ...] = ()


def rebuild_all(house: House, games: Iterable[str] = ()) -> list[Replayed]:
    """Rebuild games from zero."""
    return [_rebuild(house, key) for key in _keys(house, games)]


def adjudicate_again(house: House, games: Iterable[str] = ()) -> list[Replayed]:
    """Adjudicate every stored phase of games again, as far as its results count."""
    return [_adjudicate(house, key) for key in _keys(house, games)]


def _keys(house: House, games: Iterable[str]) -> list[str]:
    with house.store.read() as view:
        return list(games) or [row.key for row in view.games.list()]


def _rebuild(house: House, key: str) -> Replayed:
    with house.store.read() as view:
        events = thaw_all(view.events.load(key))
        found = view.games.get(key)
    game = rebuild(events, house.shelf)
    wanted = card(game, house.clock.now())
    drift = [
        f"{name}: the card says {getattr(found, name)!r}, the events {getattr(wanted, name)!r}"
        for name in ("state", "phase", "seq", "map", "rules")
        if getattr(found, name) != getattr(wanted, name)
    ]
    return Replayed(key, len(events), "events", tuple(drift))


def _adjudicate(house: House, key: str) -> Replayed:
    with house.store.read() as view:
        events = thaw_all(view.events.load(key))
    game = rebuild(events, house.shelf)
    phases = sum(isinstance(event, ev.PhaseAdjudicated) for event in counting(events, game.calendar))
    return Replayed(key, phases, "phases", drift_of(events, game))


def drift_of(events: Sequence[ev.Event], game: Game) -> tuple[str, ...]:
    """What comes out otherwise when every phase that counts is adjudicated again; `game`: as its events make it."""
    played = (one for one in counting(events, game.calendar) if isinstance(one, ev.PhaseAdjudicated))
    return tuple(line for one in played for line in _compare(one, game))


def _compare(event: ev.PhaseAdjudicated, game: Game) -> list[str]:
    played = played_phase(event, game.board)
    rules, kind = game.system.rules, played.phase.kind
    fit = rules.kinds().standing_in(kind)
    given = [result.order for result in played.results if result.given and isinstance(result.order, fit)]
    deeds, lot = deeds_from_json(event.deeds), game.lot(played.phase)
    again = adjudicate(played.before, given, rules, disorder=event.disorder, deeds=deeds, lot=lot)
    now = [*again.outcomes]
    drift = []
    for then in (result.outcome for result in played.results):
        same = next((each for each in now if _alike(each.order, then.order)), None)
        if same is not None:
            now.remove(same)
        if same is None or same.results != then.results:
            drift.append(f"{event.phase} {then.order}: {_words(then)} then, {_words(same)} now")
    if again.after != played.after:
        drift.append(f"{event.phase}: the position that follows differs")
    return drift


def _alike(one: Order, other: Order) -> bool:
    """Whether two orders are one; what rules remember of their units may differ by what was done before the orders."""
    return str(one) == str(other) and power_of(one) == power_of(other)


def _words(outcome: Outcome | None) -> str:
    return " ".join(outcome.results) if outcome else "not there"
