"""A judge's whole database in another one: every row, every number, and nothing where it was not empty."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from judge import resources
from judge.store import (
    MarkerState,
    Store,
    StoreUnusable,
    TransferFailed,
    advance_marker,
    check,
    marker_state,
    open_store,
    transfer,
    upgrade,
)
from judge.store.backup import MARKER_FILE
from judge.store.tables import metadata
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from tests.support.stores import some_mail

MIGRATIONS = resources.folder("migrations")


def opened(url: str) -> Store:
    return open_store(url, migrations=MIGRATIONS)


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The database of a judge on which a game runs, and whose last letter is gone."""
    with_game = LocalJudge(tmp_path / "judge")
    seat_everybody(with_game, "baltic")
    with_game.begin()
    with_game.send(player_of("FRANCE"), "A Par - Bur\npress to all\nGrüße, ☃", subject="baltic")
    with with_game.judge.store.write() as unit:
        # A mail whose place a later copy took, with more proof, refers to a row behind its own.
        first, later = (unit.inbox.put(some_mail(key)).id for key in ("first", "later"))
        assert first is not None and later is not None
        unit.inbox.hold(first, "a key", reason="nobody proved it")
        unit.inbox.take_place(later, unit.inbox.get(first), with_game.now, arrived_at=with_game.now)
        unit.connection.exec_driver_sql("DELETE FROM deliveries WHERE id = (SELECT max(id) FROM deliveries)")
    with_game.close()
    return with_game.judge.config.database


def tables(url: str) -> dict[str, list[tuple[object, ...]]]:
    with opened(url).read() as view:
        return {
            table.name: sorted(map(tuple, view.connection.execute(select(table))), key=repr)
            for table in metadata.sorted_tables
        }


def test_every_row_goes_over_and_numbers_go_on(url: str, tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path / 'other.db'}"
    moved = transfer(url, target, migrations=MIGRATIONS)
    assert moved["events"] > 10 and moved["inbox"] == 3
    assert tables(target) == tables(url)
    with opened(url).read() as old, opened(target).read() as new:
        query = "SELECT name, seq FROM sqlite_sequence ORDER BY name"
        given = [view.connection.exec_driver_sql(query).all() for view in (old, new)]
    assert given[0] == given[1] != []


def test_a_database_that_holds_something_is_not_written_to(url: str, tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path / 'other.db'}"
    transfer(url, target, migrations=MIGRATIONS)
    before = tables(target)
    with pytest.raises(StoreUnusable, match="empty"):
        transfer(url, target, migrations=MIGRATIONS)
    assert tables(target) == before
    with pytest.raises(StoreUnusable, match="empty"):  # nor its own
        transfer(url, url, migrations=MIGRATIONS)


def test_a_database_of_an_older_program_is_not_brought_up_to_date(url: str, tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path / 'other.db'}"
    upgrade(target, migrations=MIGRATIONS, revision="0008")
    with pytest.raises(StoreUnusable, match="empty"):
        transfer(url, target, migrations=MIGRATIONS)
    assert check(target, migrations=MIGRATIONS).found == "0008"


def test_what_fails_half_way_leaves_an_empty_database(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = f"sqlite:///{tmp_path / 'other.db'}"
    monkeypatch.setitem(transfer.__globals__, "_digest", lambda connection, _table: id(connection))
    with pytest.raises(TransferFailed, match="did not come over"):
        transfer(url, target, migrations=MIGRATIONS)
    monkeypatch.undo()
    transfer(url, target, migrations=MIGRATIONS)
    assert tables(target) == tables(url)


def test_whoever_starts_on_the_old_one_is_not_trusted(url: str, tmp_path: Path) -> None:
    target, marker = f"sqlite:///{tmp_path / 'other.db'}", tmp_path / MARKER_FILE
    advance_marker(opened(url), marker)
    transfer(url, target, migrations=MIGRATIONS)
    advance_marker(opened(target), marker)
    assert marker_state(opened(target), marker).state is MarkerState.CURRENT
    assert marker_state(opened(url), marker).state is MarkerState.OLDER
