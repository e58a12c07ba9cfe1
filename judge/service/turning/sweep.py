"""The way of a deadline: `due`, `barrier`, `turn`, `tell`. Called by the alarm clock, harmless when called twice.

Every game whose moment has come is looked at; and what is due beside games is done: mails that nobody confirmed,
letters of the week, boards of tournaments, housekeeping, and the subjects that are folders of their own.

What is kept for a while only, and thrown away once a day: questions that nobody answered in time, counts of days
gone by, addresses of strangers, what forgotten persons left, and the bytes of old mails where the operator wishes so
(`mail.keep_raw`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.game.clock.clockwork import in_time
from judge.game.core.commands import Actor, Context, Decision, Role, Tick
from judge.game.core.model import Game
from judge.game.decide import decide
from judge.service.core.directory import lapsed_errands
from judge.service.core.judge import Judge, JudgeSubject, all_subjects
from judge.service.core.keeper import GameChange
from judge.service.people.dossiers import clear_away, left_behind
from judge.service.posting.digest import LettersOfTheWeek, due_this_week, send_week
from judge.service.posting.outgoing import post_letters
from judge.service.tournament.telling import ended_boards, note_boards
from judge.service.trust.heard import HELD_FOR
from judge.service.turning.barrier import Surroundings, barrier
from judge.store import Conflict, StoreTrouble, Transaction, View
from judge.store.engine import game_key
from judge.store.errors import Contended, NotShared, StoreBusy
from judge.store.inbox import PURGED_AT_ONCE
from judge.store.rows import Mail

TIDIED = "housekeeping.tidied"
"""The day (ISO date) on which things were last put in order."""

COUNTS_KEPT = timedelta(days=7)
STRANGERS_KEPT = timedelta(days=90)
"""How long after their last mail the address of somebody unknown is remembered."""


def untidy(view: View, now: datetime) -> bool:
    """Whether things were not put in order today."""
    return (view.meta.get(TIDIED) or "") < now.date().isoformat()


def tidy(judge: Judge) -> None:
    """Put things in order."""
    now = judge.clock.now()
    with judge.store.write() as unit:
        unit.meta.set(TIDIED, now.date().isoformat())
        for key in lapsed_errands(unit, now):
            unit.meta.unset(key)
        unit.contacts.forget_counts((now - COUNTS_KEPT).date())
        unit.contacts.forget_silent(now - STRANGERS_KEPT)
        unit.contacts.forget_patience(now - STRANGERS_KEPT)
        trails = left_behind(unit)
    clear_away(judge, trails)
    _purge(judge)


def _purge(judge: Judge) -> None:
    """Forget the bytes of old mails, a transaction for each handful."""
    keep = judge.config.keep_raw
    while keep is not None:
        with judge.store.write() as unit:
            if unit.inbox.purge(judge.clock.now() - keep) < PURGED_AT_ONCE:
                return


log = logging.getLogger("judge.turn")

CLOCK = Actor(Role.JUDGE)


@dataclass(frozen=True, slots=True)
class DueNow:
    """What a sweep has to do, found in one look at the store."""

    games: Sequence[str]
    lapsed: Sequence[int]
    """Mails that waited for a word as long as our letter says."""
    untidy: bool
    week: LettersOfTheWeek
    tournaments: Sequence[str]
    """Those of which a board has ended."""
    others: Sequence[tuple[JudgeSubject, Sequence[str]]] = ()
    """What is due of subjects that are folders of their own, by key."""


def sweep(
    judge: Judge,
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
    now = judge.clock.now()
    with judge.store.read() as view:
        found = due(judge, view, now, limit=limit, subjects=subjects)
    if found.lapsed:
        _lapse(judge, found.lapsed, now)
    if found.untidy:
        tidy(judge)  # after that: what has lapsed is settled, and can be cleared away today
    changed = send_week(judge, found.week) + note_boards(judge, found.tournaments)
    games = [(key, False) for key in found.games]
    for key, patiently in games:  # what another daemon has in hand comes once more, at the end
        if stop():
            return changed
        try:
            if tick(judge, key, around, patiently=patiently):
                changed += 1
                turned()
        except StoreTrouble:
            raise  # the next game would fare no better
        except Conflict as conflict:
            if isinstance(conflict, Contended) and not patiently:
                games.append((key, True))
            continue  # somebody else did it; the next sweep looks again
        except Exception:
            log.exception("tick failed", extra={"game": key})
    return changed + sum(subject.sweep(judge, keys) for subject, keys in found.others if keys)


def sweep_subjects(judge: Judge) -> int:
    """What is due beside games; returns how much was done. It may take a minute, and no deadline waits for it where it
    has a thread of its own. Raises StoreTrouble.
    """
    with judge.store.read() as view:
        others = _due_beside(view, judge.clock.now())
    return sum(subject.sweep(judge, keys) for subject, keys in others if keys)


def due(judge: Judge, view: View, now: datetime, *, limit: int, subjects: bool) -> DueNow:
    """The first stage: whose moment has come."""
    waiting = view.inbox.waiting_for_a_word(now - HELD_FOR)
    return DueNow(
        games=[row.key for row in view.games.due(now, limit=limit)],
        lapsed=[mail.id for mail in waiting if not _may_still_count(judge, view, mail)],
        untidy=untidy(view, now),
        week=due_this_week(judge, view, now),
        tournaments=ended_boards(view),
        others=_due_beside(view, now) if subjects else (),
    )


def _due_beside(view: View, now: datetime) -> list[tuple[JudgeSubject, Sequence[str]]]:
    return [(subject, subject.due(view, now)) for subject in all_subjects()]


def _may_still_count(judge: Judge, view: View, mail: Mail) -> bool:
    """Whether a mail speaks for a seat: it can be confirmed until the turn for which it came is processed, however long
    that takes.
    """
    keys = {claim.partition(" ")[0] for claim in mail.claims}
    games = (judge.keeper.load(view, key) for key in keys)
    return any(game is not None and in_time(game, mail.arrived_at) for game in games)


def _lapse(judge: Judge, mails: Sequence[int], now: datetime) -> None:
    with judge.store.write() as unit:
        for mail_id in mails:
            unit.inbox.drop(mail_id, now, reason="nobody confirmed it in time")


def tick(judge: Judge, key: str, around: Surroundings, *, patiently: bool = True, shared: bool = True) -> bool:
    """The other stages, for one game, in one transaction. True if anything happened. Raises Contended where another
    daemon has the game in hand: at once, or having waited `patiently`.
    """
    now = judge.clock.now()
    try:
        with judge.store.write(shared=shared) as unit:
            if judge.store.company and not _taken_in_hand(unit, key, now, patiently=patiently):
                return False
            game = judge.keeper.load(unit, key)
            if game is None:
                return False
            change = turn(judge, game, barrier(judge, unit, game, now, around), now)
            if not change.events:
                judge.keeper.reckon_again(unit, game, now)
                return False
            tell(judge, unit, change, now)
    except NotShared:
        return tick(judge, key, around, shared=False)
    judge.keeper.settle(change)
    for event in change.events:
        log.info("event", extra={"game": key, "what": type(event).__name__})
    return True


def _taken_in_hand(unit: Transaction, key: str, now: datetime, *, patiently: bool) -> bool:
    """Take a game in hand, so that no other daemon writes to it; False where one has done what was due. Raises
    Contended.
    """
    if patiently:
        try:
            unit.locks.wait([game_key(key)])
        except StoreBusy as busy:  # of this game alone
            raise Contended(*game_key(key)) from busy
    elif not unit.locks.get([game_key(key)]):
        raise Contended(*game_key(key))
    card = unit.games.find(key)
    return card is not None and card.next_due_at is not None and card.next_due_at <= now


def turn(judge: Judge, game: Game, facts: Tick, now: datetime) -> GameChange:
    """The third stage: what the game does at this moment, knowing what stands in its way."""
    change = GameChange(game, game)
    decision = decide(game, facts, Context(CLOCK, now, judge.lot, judge.shelf))
    assert isinstance(decision, Decision)
    judge.keeper.apply(change, decision.events)
    return change


def tell(judge: Judge, unit: Transaction, change: GameChange, now: datetime) -> None:
    """The last stage: the events are written down, and the letters that they call for."""
    judge.keeper.save(unit, change, now, judge.entropy)
    post_letters(judge, unit, change, now)
