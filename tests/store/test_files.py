"""What the judge makes is its owner's alone, unless it is meant for others; what was made wider is narrowed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge import resources
from judge.cli.common import be_private
from judge.store import open_store
from judge.store.files import narrow, private_file, public_file, public_folder, too_open
from tests.support.stores import fresh_store


@pytest.fixture(autouse=True)
def wide() -> Iterator[None]:
    """A careless umask, put back at the end."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_new_database_is_private_under_any_umask(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "judge.db"
    with open_store(f"sqlite:///{path}", migrations=resources.folder("migrations"), upgrade=True) as store:
        with store.write() as unit:
            unit.meta.set("a", "b")
        assert {mode(each) for each in path.parent.iterdir()} == {0o600}
        assert {each.name for each in path.parent.iterdir()} == {"judge.db", "judge.db-wal", "judge.db-shm"}
        assert mode(path.parent) == 0o700


def test_files_and_folders_are_private_or_public_as_they_are_meant(tmp_path: Path) -> None:
    assert mode(private_file(tmp_path / "a" / "b")) == 0o600
    assert mode(tmp_path / "a") == 0o700
    be_private()
    assert mode(public_folder(tmp_path / "zine" / "96")) == mode(tmp_path / "zine") == 0o755
    assert mode(public_file(tmp_path / "zine" / "game.txt")) == 0o644
    (tmp_path / "mine").write_text("x")
    assert mode(tmp_path / "mine") == 0o600


def test_what_is_too_open_is_found_and_narrowed(tmp_path: Path) -> None:
    root = tmp_path / "var"
    (root / "mail" / "new").mkdir(parents=True)
    (root / "mail" / "new" / "1").write_text("secret")
    (root / "mail" / "new" / "1").chmod(0o640)
    (root / "link").symlink_to("/etc/hostname")
    assert {path.name for path in too_open(root)} == {"var", "mail", "new", "1"}
    assert all(narrow(path) for path in too_open(root))
    assert list(too_open(root)) == []
    assert (mode(root / "mail" / "new" / "1"), mode(root)) == (0o600, 0o700)
    assert list(too_open(tmp_path / "nothing")) == []


def test_a_store_that_was_copied_wide_is_found(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with fresh_store(tmp_path):
        (tmp_path / "judge.db").chmod(0o644)
        assert tmp_path / "judge.db" in list(too_open(tmp_path))
