"""A database whose bytes are broken is found by whoever looks at all of it, and told as damage wherever it is met."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from judge import resources
from judge.store import NoSuchRow, StoreDamaged, StoreTrouble, check, check_soundness
from judge.store.rows import NewEvent
from tests.support.stores import NOON, fresh_store, same_store, some_letter, some_mail

PAGE = 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with something in most tables, closed, its log written back."""
    with fresh_store(tmp_path) as store, store.write() as unit:
        for number in range(60):
            unit.inbox.put(some_mail(f"m{number}", raw=bytes(3000)))
            unit.letters.add(some_letter(f"k{number}"))
        unit.events.append("g17", 0, [NewEvent("Made", 1, "x" * 300)] * 200, at=NOON)
    with closing(sqlite3.connect(tmp_path / "judge.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return tmp_path / "judge.db"


def url(path: Path) -> str:
    return f"sqlite:///{path}"


def root_page(path: Path, name: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0])


def break_page(path: Path, number: int) -> None:
    """Write nonsense over one page, as a dying disk does."""
    with path.open("r+b") as file:
        file.seek((number - 1) * PAGE)
        file.write(b"\xa5" * PAGE)


INTERIOR, LEAF = 0x05, 0x0D
"""How the page of a table begins in SQLite's file format; an interior one has its rightmost child at byte 8."""


def leaf_page(path: Path, name: str) -> int:
    """A page of a table that is not its root."""
    pages, number = path.read_bytes(), root_page(path, name)
    while pages[(number - 1) * PAGE] == INTERIOR:
        at = (number - 1) * PAGE + 8
        number = int.from_bytes(pages[at : at + 4], "big")
    assert pages[(number - 1) * PAGE] == LEAF and number != root_page(path, name)
    return number


def test_a_sound_database_is_sound(path: Path) -> None:
    check_soundness(url(path))
    check_soundness(url(path), thorough=True)


@pytest.mark.parametrize("thorough", [False, True])
@pytest.mark.parametrize("table", ["events", "inbox", "letters", "mail_bytes", "meta"])
def test_a_broken_root_is_found(path: Path, table: str, thorough: bool) -> None:  # noqa: FBT001
    break_page(path, root_page(path, table))
    with pytest.raises(StoreDamaged, match="restore your last backup"):
        check_soundness(url(path), thorough=thorough)


def test_a_broken_first_page_is_no_database(path: Path) -> None:
    break_page(path, 1)
    with pytest.raises(StoreDamaged, match="is damaged"):
        check_soundness(url(path))
    with pytest.raises(StoreDamaged, match=str(path)):
        check(url(path), migrations=resources.folder("migrations"))


def test_a_broken_leaf_is_found(path: Path) -> None:
    break_page(path, leaf_page(path, "events"))
    with pytest.raises(StoreDamaged):
        check_soundness(url(path))


def test_whoever_meets_a_broken_page_is_told_of_damage_and_not_of_a_mistake(path: Path) -> None:
    break_page(path, root_page(path, "events"))
    with same_store(path) as store:
        with pytest.raises(StoreDamaged), store.read() as view:
            view.events.load("g17")
        with pytest.raises(StoreTrouble), store.write() as unit:
            unit.events.append("g17", 200, [NewEvent("More", 1, "{}")], at=NOON)
        with store.read() as view, pytest.raises(NoSuchRow):
            view.inbox.get(999)


def test_a_file_that_cannot_be_opened_and_is_met_first_breaks_no_other(tmp_path: Path) -> None:
    """In a process of its own: what all databases have in common must not be learned from one that never answered."""
    broken, folder = tmp_path / "folder.db", str(resources.folder("migrations"))
    broken.mkdir()
    tried = f"""
from pathlib import Path
from judge.store import StoreError, open_store
for url in ({url(broken)!r}, {url(tmp_path / "new.db")!r}):
    try:
        with open_store(url, migrations=Path({folder!r}), upgrade=True).write() as unit:
            unit.meta.set("looked", "yes")
        print("ok")
    except StoreError as error:
        print(type(error).__name__)
"""
    done = subprocess.run([sys.executable, "-c", tried], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["StoreFull", "ok"]
