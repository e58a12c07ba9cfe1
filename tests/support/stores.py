"""Stores for tests: a migrated database is made once per process and copied, so that each test has a fresh one."""

import shutil
import tempfile
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from judge import resources
from judge.store import Store, Transaction, open_store
from judge.store.inbox import LEASE
from judge.store.outbox import BY_CAUSE, SendingOrder
from judge.store.rows import LetterRow, Mail, NewLetter, NewMail

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

WAIT = 60.0
"""Seconds after which a test gives up what another thread should do."""


def fresh_store(folder: Path, *, instance: str = "test") -> Store:
    """An empty store in `folder`, of the newest revision; careless about loss of power."""
    path = folder / "judge.db"
    shutil.copyfile(_template(), path)
    return same_store(path, instance=instance)


def same_store(path: Path, *, instance: str | None = "test") -> Store:
    """One more opening of an existing store, as another process would have it."""
    migrations = resources.folder("migrations")
    return open_store(f"sqlite:///{path}", migrations=migrations, instance=instance, synchronous="OFF")


def some_mail(
    key: str,
    *,
    raw: bytes = b"Subject: g17\n\nA par-bur\n",
    received_at: datetime = NOON,
    arrived_at: datetime | None = None,
    message_id: str | None = None,
    content_hash: str | None = None,
    game: str | None = None,
) -> NewMail:
    """A mail at the door of which only its transport key matters."""
    return NewMail(
        raw,
        "smtp",
        key,
        received_at,
        envelope_from="france@players.test",
        rcpts=("judge+g17@judge.test",),
        arrived_at=arrived_at,
        message_id=message_id,
        content_hash=content_hash,
        game=game,
    )


def some_letter(
    key: str,
    *recipients: str,
    created_at: datetime = NOON,
    not_before: datetime | None = None,
    game: str | None = "g17",
    kind: str = "receipt",
    seat: str | None = None,
    mail_id: int | None = None,
) -> NewLetter:
    """A letter of which only its key matters."""
    return NewLetter(
        idem_key=key,
        message_id=f"<{key.replace('/', '.')}@judge.test>",
        kind=kind,
        view="{}",
        recipients=recipients or ("france@players.test",),
        created_at=created_at,
        game=game,
        seat=seat,
        mail_id=mail_id,
        not_before=not_before,
    )


@cache
def _template() -> Path:
    path = Path(tempfile.mkdtemp(prefix="judge-store-")) / "template.db"
    open_store(f"sqlite:///{path}", migrations=resources.folder("migrations"), upgrade=True).close()
    return path


def written(unit: Transaction, letter: NewLetter) -> int:
    """Write a letter, or find the same one; returns its number."""
    unit.letters.add(letter)
    found = unit.letters.by_key(letter.idem_key)
    assert found is not None
    return found.id


def claim_next(unit: Transaction, now: datetime, *, owner: str, lease: timedelta = LEASE) -> Mail | None:
    """Take the oldest new mail in hand, None if there is none."""
    return next(iter(unit.inbox.claim(now, owner=owner, lease=lease)), None)


def claim_letters(
    unit: Transaction, now: datetime, *, owner: str, limit: int = 20, order: SendingOrder = BY_CAUSE
) -> tuple[LetterRow, ...]:
    """Take in hand what is to be composed now, as the composer does."""
    found = unit.letters.in_turn(now, limit=limit, order=order)
    return unit.letters.claim([letter.id for letter in found], now, owner=owner)
