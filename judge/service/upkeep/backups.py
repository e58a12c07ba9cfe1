"""Backups of a running judge, made and verified; and a backup put back into an empty place.

To verify is to do what a restore would do, in a scratch folder: the copy is brought to the present schema, every page
of it is read, and every game is built again from its events. A backup that fails that is none.
"""

from __future__ import annotations

import logging
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from judge import resources
from judge.clock import Clock
from judge.config import Config
from judge.service.core.house import House, open_house
from judge.service.turning.replaying import rebuild_all
from judge.service.upkeep.recovering import go_on_from
from judge.store import MARKER_FILE, BackupUnusable, StoreDamaged, StoreError, advance_marker, check_soundness, upgrade
from judge.store.backup import TAKEN_AT, BackupFacts, check_vacant, copy_living, look_at, settle_in
from judge.store.files import private_folder
from judge.store.meta import LostTime

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
        with closing(open_house(config, clock=clock)) as house, house.store.write() as unit:
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
        with closing(open_house(_at(config, copy), clock=clock)) as house:
            lost = None if moved else go_on_from(house, _known_until(verified, house))
        settle_in(copy, target)
    with closing(open_house(config, clock=clock)) as house:
        advance_marker(house.store, config.var / MARKER_FILE)
    return Restored(verified, target, lost)


def _known_until(verified: Verified, house: House) -> datetime | None:
    taken = verified.facts.taken_at
    return None if taken is None else min(taken, house.clock.now())


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
        with closing(open_house(_at(config, copy))) as house:
            verified = _looked_through(house, facts)
        yield copy, verified
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _at(config: Config, copy: Path) -> Config:
    return replace(config, var=copy.parent, store_url=f"sqlite:///{copy}")


def _looked_through(house: House, facts: BackupFacts) -> Verified:
    try:
        games = rebuild_all(house)
    except Exception as error:  # whatever an event holds that no program wrote
        raise StoreDamaged(f"{facts.path}: a game cannot be built again from its events ({error})") from error
    if drift := [f"{game.game}: {line}" for game in games for line in game.drift]:
        raise StoreDamaged(f"{facts.path}: the games are not as their events say: {'; '.join(drift[:3])}")
    with house.store.read() as view:
        if (number := view.inbox.altered()) is not None:
            raise StoreDamaged(f"{facts.path}: mail {number} is not as it came; take another backup")
        mails, letters = sum(view.inbox.counts().values()), sum(view.outbox.counts().values())
    return Verified(facts, len(games), sum(game.phases for game in games), mails, letters)
