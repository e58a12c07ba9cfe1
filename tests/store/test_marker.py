"""The marker beside the database: a restored backup is noticed before any old letter goes again."""

import shutil
from pathlib import Path

import pytest

from judge.store import MarkerState, Store, advance_marker, marker_state
from tests.support.stores import fresh_store, same_store


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "var" / "marker.json"


def test_a_new_database_has_no_marker_and_is_trusted(store: Store, marker: Path) -> None:
    found = marker_state(store, marker)
    assert (found.state, found.trusted) == (MarkerState.FRESH, True)


def test_a_marked_database_is_current(store: Store, marker: Path) -> None:
    assert [advance_marker(store, marker) for _ in range(3)] == [1, 2, 3]
    found = marker_state(store, marker)
    assert (found.state, found.generation, found.marked) == (MarkerState.CURRENT, 3, 3)


def test_a_death_between_database_and_file_is_harmless(store: Store, marker: Path) -> None:
    advance_marker(store, marker)
    with store.write() as unit:
        unit.meta.advance_generation()
    assert marker_state(store, marker).trusted


def test_a_restored_backup_is_noticed_until_the_operator_confirms(tmp_path: Path, store: Store, marker: Path) -> None:
    advance_marker(store, marker)
    backup = tmp_path / "backup.db"
    store.close()
    shutil.copyfile(tmp_path / "judge.db", backup)
    with same_store(tmp_path / "judge.db") as lived_on:
        for _ in range(5):
            advance_marker(lived_on, marker)

    with same_store(backup) as restored:
        found = marker_state(restored, marker)
        assert (found.state, found.generation, found.marked) == (MarkerState.OLDER, 1, 6)
        assert not found.trusted
        assert advance_marker(restored, marker) == 7
        assert marker_state(restored, marker).trusted


def test_a_marker_of_another_judge_is_noticed(tmp_path: Path, store: Store, marker: Path) -> None:
    advance_marker(store, marker)
    (tmp_path / "other").mkdir()
    with fresh_store(tmp_path / "other") as twin, twin.write() as unit:
        unit.meta.set("instance.id", "somebody-else")
    with same_store(tmp_path / "other" / "judge.db") as other:
        assert marker_state(other, marker).state is MarkerState.FOREIGN
        assert advance_marker(other, marker) == 1
        assert marker_state(other, marker).trusted


@pytest.mark.parametrize("text", ["", "garbage", "[]", '{"database": "x"}'])
def test_a_used_database_without_a_readable_marker_is_asked_about(store: Store, marker: Path, text: str) -> None:
    advance_marker(store, marker)
    marker.write_text(text)
    assert marker_state(store, marker).state is MarkerState.MISSING
    marker.unlink()
    assert not marker_state(store, marker).trusted
