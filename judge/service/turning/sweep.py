"""The sweep: every game whose moment has come is looked at. Called by the alarm clock, harmless when called twice."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime

from judge.game.clock.awaiting import in_time
from judge.game.core.commands import Actor, Role, Tick
from judge.game.core.decision import Context, Decision
from judge.game.core.model import Game
from judge.game.decide import decide
from judge.service.core.house import House
from judge.service.core.keeper import GameChange
from judge.service.core.subjects import HouseSubject, all_subjects
from judge.service.posting.bounces import CALLS_FOR_ORDERS
from judge.service.posting.digest import send_desks, send_digests
from judge.service.posting.mailbag import post_letters
from judge.service.tournament.telling import note_boards
from judge.service.trust.sitting import HELD_FOR
from judge.service.turning.barrier import Surroundings, held_mails, obstacle
from judge.service.turning.housekeeping import tidy
from judge.store import Conflict, StoreTrouble, Transaction, View
from judge.store.rows import Mail

log = logging.getLogger("judge.turn")

CLOCK = Actor(Role.JUDGE)


def sweep(
    house: House,
    around: Surroundings,
    *,
    limit: int = 1000,
    turned: Callable[[], object] = lambda: None,
    stop: Callable[[], bool] = lambda: False,
    subjects: bool = True,
) -> int:
    """Tick every game that is due; returns how many changed. One game's trouble does not touch the others.

    `turned` is called after each game that changed: its letters need not wait for the other games. `stop`: whether to
    leave the rest to the next sweep. `subjects`: whether what is due beside games is done too, after them, by whoever
    has no thread for it. Raises StoreTrouble.
    """
    now = house.clock.now()
    with house.store.read() as view:
        lapsed = _lapsed(house, view, now)
        due = view.games.due(now, limit=limit)
        others = _due_beside(view, now) if subjects else []
    if lapsed:
        _lapse(house, lapsed, now)
    tidy(house)  # after that: what has lapsed is settled, and can be cleared away today
    changed = send_digests(house) + send_desks(house) + note_boards(house)
    for row in due:
        if stop():
            return changed
        try:
            if tick(house, row.key, around):
                changed += 1
                turned()
        except StoreTrouble:
            raise  # the next game would fare no better
        except Conflict:
            continue  # somebody else did it; the next sweep looks again
        except Exception:
            log.exception("tick failed", extra={"game": row.key})
    return changed + sum(subject.sweep(house, keys) for subject, keys in others if keys)


def sweep_subjects(house: House) -> int:
    """What is due beside games; returns how much was done. It may take a minute, and no deadline waits for it where it
    has a thread of its own. Raises StoreTrouble.
    """
    with house.store.read() as view:
        others = _due_beside(view, house.clock.now())
    return sum(subject.sweep(house, keys) for subject, keys in others if keys)


def _due_beside(view: View, now: datetime) -> list[tuple[HouseSubject, Sequence[str]]]:
    return [(subject, subject.due(view, now)) for subject in all_subjects()]


def _lapsed(house: House, view: View, now: datetime) -> list[int]:
    """Mails that waited for a word as long as our letter says. One that speaks for a seat can be confirmed until the
    turn for which it came is processed, however long that takes.
    """
    old = view.inbox.waiting_for_a_word(now - HELD_FOR)
    return [mail.id for mail in old if not _may_still_count(house, view, mail)]


def _lapse(house: House, mails: Sequence[int], now: datetime) -> None:
    with house.store.write() as unit:
        for mail_id in mails:
            unit.inbox.drop(mail_id, now, reason="nobody confirmed it in time")


def _may_still_count(house: House, view: View, mail: Mail) -> bool:
    keys = {claim.partition(" ")[0] for claim in mail.claims}
    games = (house.keeper.load(view, key) for key in keys)
    return any(game is not None and in_time(game, mail.arrived_at) for game in games)


def tick(house: House, key: str, around: Surroundings) -> bool:
    """Do what is due in one game. True if anything happened."""
    now = house.clock.now()
    with house.store.write() as unit:
        game = house.keeper.load(unit, key)
        if game is None:
            return False
        change = GameChange(game, game)
        _strike(house, change, _look(house, unit, game, now, around), now)
        if not change.events:
            house.keeper.reckon_again(unit, game, now)
            return False
        house.keeper.save(unit, change, now, house.entropy)
        post_letters(house, unit, change, now)
    house.keeper.settle(change)
    _log(change)
    return True


def _look(house: House, unit: Transaction, game: Game, now: datetime, around: Surroundings) -> Tick:
    """The facts that a tick needs, read inside the transaction that acts on them."""
    found = obstacle(house, unit, game, now, around)
    late = game.deadline is not None and now >= game.deadline.at and not game.deadline.called
    unheard = _unheard(unit, game) if late else ()
    return Tick(found.reason, found.cause, held_mails(unit, game, now), unheard)


def _strike(house: House, change: GameChange, command: Tick, now: datetime) -> None:
    decision = decide(change.after, command, Context(CLOCK, now, house.lot, house.shelf))
    assert isinstance(decision, Decision)
    house.keeper.apply(change, decision.events)


def _unheard(view: View, game: Game) -> tuple[str, ...]:
    """Seats whose last call for orders has not left the outbox, or came back."""
    opened = game.turn_opened_at or game.created_at
    return tuple(sorted(view.outbox.unsent_seats(game.key, kinds=CALLS_FOR_ORDERS, since=opened)))


def _log(change: GameChange) -> None:
    for event in change.events:
        log.info("event", extra={"game": change.after.key, "what": type(event).__name__})
