"""A judge that goes on from an earlier state of itself: a restored backup.

First, before anything leaves: what was on its way is kept back, numbers are skipped, letters get other Message-IDs
(`go_on_from`). Then, when the judge runs: sources that keep what they handed over are asked again, every game is told
what is lost and gets the time back, and the operator reads it all in one letter (`recover`).
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from judge.game.clock.schedule import TellLostTime, TimeLost
from judge.game.core.commands import Actor, Context, Decision, Role
from judge.game.core.model import Stage
from judge.game.decide import decide
from judge.service.core.house import House
from judge.service.core.keeper import GameChange, thaw
from judge.service.posting.operator import tell_operator
from judge.service.posting.outgoing import post_letters
from judge.store import MarkerState, StoreTrouble, Transaction, advance_marker, marker_state
from judge.store.meta import KEPT_BACK, LostTime, lost_time
from judge.transport.ports import MailSource, SourceUnreachable

log = logging.getLogger("judge.daemon")

HEARTBEAT = "daemon.last_seen"
"""When a daemon was last seen alive, as the database knows it."""

RECALLING = "the judge was restored from a backup and asks for its mail once more"

_OVERLAP = timedelta(hours=1)
"""Mail is asked for from a little earlier: clocks of servers differ, and what is known is not taken twice."""


def go_on_from(house: House, known_until: datetime | None = None) -> LostTime:
    """Make a database safe that is older than what the world has seen of its judge."""
    now = house.clock.now()
    with house.store.write() as unit:
        since = known_until or _last_seen(unit.meta.get(HEARTBEAT), now)
        lost = LostTime(since, now, unit.outbox.hold_open(KEPT_BACK))
        unit.recovery.begin(lost, epoch=house.entropy(8).hex())
    log.warning("going on from a backup", extra={"since": lost.since.isoformat(), "kept_back": lost.kept_back})
    return lost


def trust_database(house: House, marker: Path) -> LostTime | None:
    """The operator says that this is the right database. If its marker has seen a later one, it is a backup that was
    put back by hand: the same care is taken as by a restore.
    """
    older = marker_state(house.store, marker).state is MarkerState.OLDER
    lost = go_on_from(house) if older else None
    advance_marker(house.store, marker)
    return lost


def awaits_recovery(house: House) -> bool:
    """Whether a restored judge has still to ask for mail and to tell what is lost."""
    with house.store.read() as view:
        return lost_time(view.meta) is not None


def recover(house: House, sources: Sequence[MailSource]) -> bool:
    """Ask the sources, tell the games, tell the operator. False if a source is out of reach: then nobody is told yet,
    no turn is processed, and it is tried again.
    """
    with house.store.read() as view:
        lost = lost_time(view.meta)
    if lost is None:
        return True
    fetched: list[str] = []
    for source in sources:
        try:
            count = source.recall(lost.since - _OVERLAP, lambda raw: _knows(house, raw))
        except SourceUnreachable as trouble:
            log.warning("mail cannot be asked for again: %s", trouble)
            return False
        fetched.append(f"{source.name}: {count} {'mail' if count == 1 else 'mails'} that the backup did not know")
    games = _tell_games(house, lost)
    with house.store.write() as unit:
        unit.recovery.told()
        tell_operator(
            house, unit, f"recovered/{lost.until.isoformat()}", subject="the judge runs again from a backup",
            items=_report(lost, fetched, games),
        )  # fmt: skip
    return True


def _tell_games(house: House, lost: LostTime) -> list[str]:
    with house.store.read() as view:
        keys = [row.key for row in view.games.list() if row.state != Stage.ENDED]
    told = []
    for key in keys:
        try:
            told += [key] if _tell_game(house, key, lost) else []
        except StoreTrouble:
            raise
        except Exception:
            log.exception("a game was not told what is lost", extra={"game": key})
    return told


def _tell_game(house: House, key: str, lost: LostTime) -> bool:
    now = house.clock.now()
    with house.store.write() as unit:
        game = house.keeper.load(unit, key)
        if game is None or game.practice is not None or _told_before(unit, key, lost):
            return False
        context = Context(Actor(Role.JUDGE), now, house.lot, house.shelf)
        decision = decide(game, TellLostTime(lost.since, lost.until), context)
        assert isinstance(decision, Decision)
        change = GameChange(game, game)
        house.keeper.apply(change, decision.events)
        house.keeper.save(unit, change, now, house.entropy)
        post_letters(house, unit, change, now)
    house.keeper.settle(change)
    return True


def _told_before(unit: Transaction, key: str, lost: LostTime) -> bool:
    """Whether we died between telling this game and telling the last one."""
    seq = unit.events.last_of(key, TimeLost.__name__, upto_seq=unit.events.last_seq(key))
    events = unit.events.load(key, after_seq=seq - 1, upto_seq=seq) if seq else ()
    return any(isinstance(event := thaw(one), TimeLost) and event.until == lost.until for one in events)


def _report(lost: LostTime, fetched: Sequence[str], games: Sequence[str]) -> tuple[str, ...]:
    back = f"{lost.kept_back} letters that were on their way when it was taken are kept back: they may have gone."
    mend = "To send them after all: judge outbox release --all. To look at them first: judge outbox list."
    return (
        f"The backup knows nothing of the time from {_written(lost.since)} to {_written(lost.until)}.",
        f"Mail was asked for again. {'; '.join(fetched)}." if fetched else _NO_SOURCE,
        f"{back} {mend}" if lost.kept_back else "No letter was on its way when it was taken.",
        f"Told what is lost, with their time given back: {', '.join(games) or 'no game'}.",
        "Numbers of mails and letters go on at the next hundred thousand, so that none is given twice.",
    )  # fmt: skip


_NO_SOURCE = (
    "No source of ours keeps old mail: what came by SMTP or LMTP is lost, unless your mail server kept copies; "
    "judge feed takes them."
)


def _written(moment: datetime) -> str:
    return f"{moment:%a %d %b %Y %H:%M} UTC"


def _last_seen(heartbeat: str | None, now: datetime) -> datetime:
    return min(datetime.fromisoformat(heartbeat), now) if heartbeat else now


def _knows(house: House, raw: bytes) -> bool:
    with house.store.read() as view:
        return view.inbox.knows(hashlib.sha256(raw).hexdigest())
