"""Backups of a running judge: made, verified, put back into an empty place; and a judge that goes on from an earlier
state of itself.

To verify is to do what a restore would do, in a scratch folder: the copy is brought to the present schema, every page
of it is read, and every game is built again from its events. A backup that fails that is none.

First, before anything leaves: what was on its way is kept back, numbers are skipped, letters get other Message-IDs
(`go_on_from`). Then, when the judge runs: sources that keep what they handed over are asked again, every game is told
what is lost and gets the time back, and the operator reads it all in one letter (`recover`).
"""

from __future__ import annotations

import hashlib
import logging
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from judge import resources
from judge.clock import Clock
from judge.config import Config
from judge.game.clock.schedule import TellLostTime, TimeLost
from judge.game.core.commands import Actor, Context, Decision, Role
from judge.game.core.model import Stage
from judge.game.decide import decide
from judge.service.core.judge import Judge, open_judge
from judge.service.core.keeper import GameChange, thaw
from judge.service.posting.operator import tell_operator
from judge.service.posting.outgoing import post_letters
from judge.service.upkeep.moving import rebuild_all
from judge.store import (
    MARKER_FILE,
    BackupUnusable,
    MarkerState,
    StoreDamaged,
    StoreError,
    StoreTrouble,
    Transaction,
    advance_marker,
    check_soundness,
    marker_state,
    upgrade,
)
from judge.store.backup import TAKEN_AT, BackupFacts, check_vacant, copy_living, look_at, settle_in
from judge.store.files import private_folder
from judge.store.meta import KEPT_BACK, LostTime, lost_time
from judge.transport.ports import MailSource, SourceUnreachable

daemon_log = logging.getLogger("judge.daemon")

HEARTBEAT = "daemon.last_seen"
"""When a daemon was last seen alive, as the database knows it."""

RECALLING = "the judge was restored from a backup and asks for its mail once more"

_OVERLAP = timedelta(hours=1)
"""Mail is asked for from a little earlier: clocks of servers differ, and what is known is not taken twice."""


def go_on_from(judge: Judge, known_until: datetime | None = None) -> LostTime:
    """Make a database safe that is older than what the world has seen of its judge."""
    now = judge.clock.now()
    with judge.store.write() as unit:
        since = known_until or _last_seen(unit.meta.get(HEARTBEAT), now)
        lost = LostTime(since, now, unit.outbox.hold_open(KEPT_BACK))
        unit.recovery.begin(lost, epoch=judge.entropy(8).hex())
    daemon_log.warning("going on from a backup", extra={"since": lost.since.isoformat(), "kept_back": lost.kept_back})
    return lost


def trust_database(judge: Judge, marker: Path) -> LostTime | None:
    """The operator says that this is the right database. If its marker has seen a later one, it is a backup that was
    put back by hand: the same care is taken as by a restore.
    """
    older = marker_state(judge.store, marker).state is MarkerState.OLDER
    lost = go_on_from(judge) if older else None
    advance_marker(judge.store, marker)
    return lost


def awaits_recovery(judge: Judge) -> bool:
    """Whether a restored judge has still to ask for mail and to tell what is lost."""
    with judge.store.read() as view:
        return lost_time(view.meta) is not None


def recover(judge: Judge, sources: Sequence[MailSource]) -> bool:
    """Ask the sources, tell the games, tell the operator. False if a source is out of reach: then nobody is told yet,
    no turn is processed, and it is tried again.
    """
    with judge.store.read() as view:
        lost = lost_time(view.meta)
    if lost is None:
        return True
    fetched: list[str] = []
    for source in sources:
        try:
            count = source.recall(lost.since - _OVERLAP, lambda raw: _knows(judge, raw))
        except SourceUnreachable as trouble:
            daemon_log.warning("mail cannot be asked for again: %s", trouble)
            return False
        fetched.append(f"{source.name}: {count} {'mail' if count == 1 else 'mails'} that the backup did not know")
    games = _tell_games(judge, lost)
    with judge.store.write() as unit:
        unit.recovery.told()
        tell_operator(
            judge, unit, f"recovered/{lost.until.isoformat()}", subject="the judge runs again from a backup",
            items=_report(lost, fetched, games),
        )  # fmt: skip
    return True


def _tell_games(judge: Judge, lost: LostTime) -> list[str]:
    with judge.store.read() as view:
        keys = [row.key for row in view.games.list() if row.state != Stage.ENDED]
    told = []
    for key in keys:
        try:
            told += [key] if _tell_game(judge, key, lost) else []
        except StoreTrouble:
            raise
        except Exception:
            daemon_log.exception("a game was not told what is lost", extra={"game": key})
    return told


def _tell_game(judge: Judge, key: str, lost: LostTime) -> bool:
    now = judge.clock.now()
    with judge.store.write() as unit:
        game = judge.keeper.load(unit, key)
        if game is None or game.practice is not None or _told_before(unit, key, lost):
            return False
        context = Context(Actor(Role.JUDGE), now, judge.lot, judge.shelf)
        decision = decide(game, TellLostTime(lost.since, lost.until), context)
        assert isinstance(decision, Decision)
        change = GameChange(game, game)
        judge.keeper.apply(change, decision.events)
        judge.keeper.save(unit, change, now, judge.entropy)
        post_letters(judge, unit, change, now)
    judge.keeper.settle(change)
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


def _knows(judge: Judge, raw: bytes) -> bool:
    with judge.store.read() as view:
        return view.inbox.knows(hashlib.sha256(raw).hexdigest())


log = logging.getLogger("judge.store")

_NAME = re.compile(r"judge-\d{8}T\d{6}Z\.backup")
"""What a backup is called in a folder of them."""


_RAN_ON = (
    "the judge ran while this backup was taken, so something may have come after it. Stop the judge, take another "
    "backup and restore that one; or restore this one without --moved, as after a loss"
)


@dataclass(frozen=True, slots=True)
class Verified:
    """A backup that can be restored, and what is in it."""

    facts: BackupFacts
    games: int
    events: int
    mails: int
    letters: int


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored, where to, and the time that is lost (None: the judge was moved, and lost nothing)."""

    verified: Verified
    database: Path
    lost: LostTime | None


def back_up(config: Config, target: Path, clock: Clock, *, stopped: bool = False) -> Verified:
    """Copy the database to a file, or under a dated name into a folder, while it is in use; and verify the copy.

    The living database is only read, so that one that cannot be written any more can still be saved; it remembers the
    backup if it can. Raises BackupUnusable, StoreDamaged, StoreFull; what fails leaves no file behind.
    """
    at = clock.now()
    file = target / f"judge-{at:%Y%m%dT%H%M%SZ}.backup" if target.is_dir() else target
    copy_living(config.database, file, at=at, stopped=stopped)
    try:
        verified = verify(config, file)
    except Exception:
        file.unlink()
        raise
    try:
        with closing(open_judge(config, clock=clock)) as judge, judge.store.write() as unit:
            unit.meta.set(TAKEN_AT, at.isoformat())
    except StoreError as error:
        log.warning("the database does not remember its backup: %s", error)
    return verified


def thin_out(folder: Path, *, keep: int) -> list[Path]:
    """Remove the oldest backups of a folder, all but the last few; only files that bear our dated names."""
    backups = sorted(path for path in folder.iterdir() if _NAME.fullmatch(path.name))
    old = backups[:-keep]
    for path in old:
        path.unlink()
    return old


def verify(config: Config, backup: Path) -> Verified:
    """Whether a backup could be restored. Raises BackupUnusable, StoreNewer, StoreDamaged with why not."""
    with _tried(config, backup, tempfile.gettempdir()) as (_, verified):
        return verified


def restore(config: Config, backup: Path, clock: Clock, *, moved: bool = False) -> Restored:
    """Put a backup where the configuration has its database, and nothing is yet.

    What may have been sent before is kept back, and the judge will tell operator and games what is lost when it runs.
    `moved`: the backup is the last thing that its judge did, so nothing is lost and every letter may go.
    Nobody else may be using the place: see `judge.daemon.continuity`. Raises what `verify` raises, and BackupUnusable
    for a move whose backup was taken while the judge ran.
    """
    target = check_vacant(config.database)
    private_folder(target.parent)
    with _tried(config, backup, str(target.parent)) as (copy, verified):
        if moved and not verified.facts.stopped:
            raise BackupUnusable(f"{backup}: {_RAN_ON}")
        with closing(open_judge(_at(config, copy), clock=clock)) as judge:
            lost = None if moved else go_on_from(judge, _known_until(verified, judge))
        settle_in(copy, target)
    with closing(open_judge(config, clock=clock)) as judge:
        advance_marker(judge.store, config.var / MARKER_FILE)
    return Restored(verified, target, lost)


def _known_until(verified: Verified, judge: Judge) -> datetime | None:
    taken = verified.facts.taken_at
    return None if taken is None else min(taken, judge.clock.now())


@contextmanager
def _tried(config: Config, backup: Path, folder: str) -> Iterator[tuple[Path, Verified]]:
    """A copy of the backup that was brought up to date and looked through; it is gone when the block ends."""
    facts = look_at(backup, migrations=resources.folder("migrations"))
    try:
        scratch = Path(tempfile.mkdtemp(prefix=".judge-backup-", dir=folder))
    except OSError as error:
        raise BackupUnusable(f"{folder}: a copy of the backup cannot be made here ({error.strerror})") from error
    try:
        copy = scratch / "judge.db"
        try:
            shutil.copyfile(backup, copy)
        except OSError as error:
            raise BackupUnusable(f"{copy}: the backup cannot be copied ({error.strerror})") from error
        upgrade(f"sqlite:///{copy}", migrations=resources.folder("migrations"))
        check_soundness(f"sqlite:///{copy}", thorough=True)
        with closing(open_judge(_at(config, copy))) as judge:
            verified = _looked_through(judge, facts)
        yield copy, verified
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _at(config: Config, copy: Path) -> Config:
    return replace(config, var=copy.parent, store_url=f"sqlite:///{copy}")


def _looked_through(judge: Judge, facts: BackupFacts) -> Verified:
    try:
        games = rebuild_all(judge)
    except Exception as error:  # whatever an event holds that no program wrote
        raise StoreDamaged(f"{facts.path}: a game cannot be built again from its events ({error})") from error
    if drift := [f"{game.game}: {line}" for game in games for line in game.drift]:
        raise StoreDamaged(f"{facts.path}: the games are not as their events say: {'; '.join(drift[:3])}")
    with judge.store.read() as view:
        if (number := view.inbox.altered()) is not None:
            raise StoreDamaged(f"{facts.path}: mail {number} is not as it came; take another backup")
        mails, letters = sum(view.inbox.counts().values()), sum(view.outbox.counts().values())
    return Verified(facts, len(games), sum(game.phases for game in games), mails, letters)
