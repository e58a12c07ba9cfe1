"""Two versions on one PostgreSQL while an administrator upgrades one daemon after the other: the newer one adds to the
tables at its start, the older one works on until its turn comes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from judge.release import release
from judge.testing.process import PATIENCE
from tests.support.many import ManyDaemons, in_threads
from tests.wires.conftest import until

pytestmark = pytest.mark.wires

LATER = "9999"
"""A revision of a version to come."""
MAILS = 12


@pytest.fixture
def many(url: str, tmp_path: Path) -> Iterator[ManyDaemons]:
    found = ManyDaemons(url, tmp_path, daemons=2, games=2)
    found.start()
    yield found
    found.close()


def change_tables(many: ManyDaemons, revision: str) -> str:
    """What the upgrade of a version to come does, or its way back; the revision before."""
    with many.judge.store.write() as unit:
        before = str(unit.connection.scalar(text("SELECT version_num FROM alembic_version")))
        change = "ADD COLUMN later TEXT" if revision == LATER else "DROP COLUMN later"
        unit.connection.execute(text(f"ALTER TABLE games {change}"))
        unit.connection.execute(text("UPDATE alembic_version SET version_num = :r"), {"r": revision})
    return before


def write(many: ManyDaemons, authors: slice) -> None:
    """Some mails to whichever daemon takes them, until all are acknowledged."""
    (thread,) = in_threads([lambda: many.write(many.authors[authors], 1, stop=lambda: False, most=MAILS)])
    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_one_daemon_after_the_other(many: ManyDaemons) -> None:
    old, other = many.daemons
    before = change_tables(many, LATER)
    until(lambda: f"to revision {LATER}" in old.log and f"of version {release()}" in old.log, seconds=PATIENCE)
    write(many, slice(0, 7))
    # One that ends cannot come back as it is, and says so; the other has the work.
    other.stop()
    assert not other.start() and "install the newer program" in other.log
    write(many, slice(7, 14))
    many.come_to_rest()
    many.check_promises()
    change_tables(many, before)
    assert other.start(), other.log
    with many.judge.store.read() as view:
        versions = [daemon.version for daemon in view.daemons.all()]
    assert versions == [release(), release()]
    many.come_to_rest()
