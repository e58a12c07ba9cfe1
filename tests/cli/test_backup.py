"""`judge backup` and `judge restore`: what works, and the sentence for everything that cannot."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.config import Config
from judge.daemon.continuity import Alone, lock_of
from judge.store.files import FILE
from judge.testing.casting import player_of
from tests.daemon.test_damage import break_events
from tests.support.standing import seated

FRANCE = player_of("FRANCE")


def judge(home: Path, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["--config", str(home / "judge.toml"), *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A judge with a game in which orders are on file, closed."""
    folder = tmp_path / "home"
    folder.mkdir()
    stage = seated(folder)
    stage.begin()
    stage.send(FRANCE, "A Par - Bur", subject="baltic")
    stage.close()
    (folder / "judge.toml").write_text('[judge]\ndomain = "judge.test"\n[smtp]\nlisten = "127.0.0.1:0"\n')
    yield folder


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A configuration with no database yet."""
    folder = tmp_path / "empty"
    folder.mkdir()
    (folder / "judge.toml").write_text('[judge]\ndomain = "judge.test"\n')
    return folder


def test_a_backup_is_made_verified_and_restored_elsewhere(home: Path, empty: Path, tmp_path: Path) -> None:
    backup = tmp_path / "b"
    code, said = judge(home, "backup", str(backup))
    assert code == 0 and "is a verified backup" in said and "; 1 game built again from " in said
    assert stat.S_IMODE(backup.stat().st_mode) == FILE, "mails and secrets are in it"
    before = backup.read_bytes()
    code, said = judge(empty, "backup", "--verify", str(backup))
    assert code == 0 and "can be restored" in said
    code, said = judge(empty, "restore", str(backup))
    assert code == 0 and "1 game built again" in said and "judge run" in said
    assert backup.read_bytes() == before, "nobody writes into a backup"
    assert judge(empty, "replay", "--rebuild") == (0, judge(home, "replay", "--rebuild")[1].replace("home", "empty"))
    assert '"A PAR - BUR"' in judge(empty, "game", "show", "baltic", "--json")[1]
    assert [path.name for path in empty.iterdir() if path.name.startswith(".")] == [], "no scratch is left"


def test_facts_for_programs(home: Path, empty: Path, tmp_path: Path) -> None:
    code, said = judge(home, "backup", str(tmp_path / "b"), "--json")
    facts = json.loads(said)
    assert code == 0 and facts["games"] == 1 and facts["bytes"] == (tmp_path / "b").stat().st_size
    code, said = judge(empty, "restore", str(tmp_path / "b"), "--json")
    assert code == 0 and json.loads(said)["lost"]["since"] == facts["taken_at"]


def test_whether_the_judge_was_stopped_is_in_the_backup(home: Path, empty: Path, tmp_path: Path) -> None:
    running = Alone(lock_of(Config(var=home)))
    running.take()
    assert json.loads(judge(home, "backup", str(tmp_path / "a"), "--json")[1])["stopped"] is False
    running.free()
    assert json.loads(judge(home, "backup", str(tmp_path / "b"), "--json")[1])["stopped"] is True
    code, said = judge(empty, "restore", "--moved", str(tmp_path / "a"))
    assert code != 0 and "without --moved" in said and not (empty / "judge.db").exists()
    code, said = judge(empty, "restore", "--moved", str(tmp_path / "b"))
    assert code == 0 and "Nothing is lost" in said and "tells you" not in said


def test_a_folder_keeps_the_last_few(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    for day in ("01", "02", "03"):
        (folder / f"judge-202001{day}T000000Z.backup").write_bytes(b"old")
    (folder / "notes.txt").write_text("mine")
    code, _ = judge(home, "backup", str(folder), "--keep", "2")
    names = sorted(path.name for path in folder.iterdir())
    assert code == 0 and len(names) == 3
    assert names[0] == "judge-20200103T000000Z.backup" and names[2] == "notes.txt"


def test_while_others_write_it_is_whole(home: Path, tmp_path: Path) -> None:
    stop, count = threading.Event(), 0

    def write() -> None:
        nonlocal count
        with closing(sqlite3.connect(home / "judge.db", timeout=30)) as base:
            while not stop.is_set():
                with base:
                    base.execute("INSERT OR REPLACE INTO meta VALUES ('a', ?), ('b', ?)", (str(count), str(count)))
                count += 1
                time.sleep(0.001)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        while count < 5:
            pass
        assert judge(home, "backup", str(tmp_path / "b"))[0] == 0
    finally:
        stop.set()
        writer.join()
    with closing(sqlite3.connect(tmp_path / "b")) as base:
        a, b = (base.execute("SELECT value FROM meta WHERE key = ?", key).fetchone()[0] for key in "ab")
    assert a == b, "both or neither of what one transaction wrote"


def test_a_file_that_is_there_stays_as_it_is(home: Path, tmp_path: Path) -> None:
    (tmp_path / "b").write_text("mine")
    code, said = judge(home, "backup", str(tmp_path / "b"))
    assert code == 1 and "never overwrites" in said and (tmp_path / "b").read_text() == "mine"


def test_there_is_nothing_to_back_up(empty: Path, tmp_path: Path) -> None:
    code, said = judge(empty, "backup", str(tmp_path / "b"))
    assert code == 1 and "nothing to back up" in said and not (tmp_path / "b").exists()


def test_a_place_that_cannot_be_written(home: Path, tmp_path: Path) -> None:
    code, said = judge(home, "backup", str(tmp_path / "home" / "judge.toml" / "b"))
    assert code == 1 and "cannot be written" in said


def test_of_a_damaged_database_no_backup_is_made(home: Path, tmp_path: Path) -> None:
    break_events(home / "judge.db")
    code, said = judge(home, "backup", str(tmp_path / "b"))
    assert code == 1 and "damaged" in said
    assert [path.name for path in tmp_path.iterdir()] == ["home"], "and nothing is left of it"


def test_a_server_has_its_own_tools(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Config, "database", property(lambda self: "postgresql+psycopg://judge@localhost/judge"))
    code, said = judge(home, "restore", str(tmp_path / "b"))
    assert code == 1 and "pg_dump" in said


def spoil(backup: Path, how: str) -> str:
    """Make a backup useless; returns words of the sentence that must come."""
    if how == "not there":
        backup.unlink()
        return "cannot be read"
    if how == "a text":
        backup.write_text("no database at all, but long enough to be looked at " * 5)
        return "no SQLite file"
    if how == "empty":
        backup.write_bytes(b"")
        return "no SQLite file"
    if how == "truncated":
        with backup.open("r+b") as file:
            file.truncate(backup.stat().st_size - 5000)
        return "cut short"
    if how == "a broken page":
        break_events(backup)
        return "damaged"
    with closing(sqlite3.connect(backup)) as base, base:
        if how == "another program's":
            base.execute("DROP TABLE alembic_version")
            return "another program's database"
        if how == "newer":
            base.execute("UPDATE alembic_version SET version_num = '9999'")
            return "install the newer program"
        if how == "a mail of other bytes":  # as a disk may give it back, where no index and no page shows it
            base.execute("UPDATE mail_bytes SET raw = CAST(replace(raw, 'Bur', 'Gas') AS BLOB)")
            return "is not as it came"
        if how == "a tampered event":
            base.execute("UPDATE events SET data = '{}' WHERE seq = 1")
            return "built again"
        assert how == "an event short"
        base.execute("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)")
        return "not as their events say"


BAD = (
    "not there", "a text", "empty", "truncated", "a broken page", "another program's", "newer", "a tampered event",
    "an event short", "a mail of other bytes",
)  # fmt: skip


@pytest.mark.parametrize("how", BAD)
def test_a_bad_backup_is_refused_and_nothing_is_made(home: Path, empty: Path, tmp_path: Path, how: str) -> None:
    backup = tmp_path / "b"
    assert judge(home, "backup", str(backup))[0] == 0
    words = spoil(backup, how)
    for command in (("restore",), ("backup", "--verify")):
        code, said = judge(empty, *command, str(backup))
        assert code == 1 and words in said, said
    assert {path.name for path in empty.iterdir()} <= {"judge.toml", "judge.db.lock"}


def test_a_copy_of_a_living_database_is_no_backup(home: Path, empty: Path, tmp_path: Path) -> None:
    shutil.copyfile(home / "judge.db", tmp_path / "b")
    (tmp_path / "b-wal").write_bytes(b"what came last")
    code, said = judge(empty, "restore", str(tmp_path / "b"))
    assert code == 1 and "a log lies beside it" in said


def test_a_restore_overwrites_nothing(home: Path, empty: Path, tmp_path: Path) -> None:
    judge(home, "backup", str(tmp_path / "b"))
    code, said = judge(home, "restore", str(tmp_path / "b"))
    assert code == 1 and "is there already" in said
    (empty / "judge.db-wal").write_bytes(b"of another database")
    code, said = judge(empty, "restore", str(tmp_path / "b"))
    assert code == 1 and "judge.db-wal" in said and "spoil" in said


def test_not_under_a_running_judge(home: Path, empty: Path, tmp_path: Path) -> None:
    judge(home, "backup", str(tmp_path / "b"))
    alone = Alone(lock_of(Config(var=empty)))
    alone.take()
    try:
        code, said = judge(empty, "restore", str(tmp_path / "b"))
    finally:
        alone.free()
    assert code == 1 and "another judge runs" in said


def test_the_marker_of_the_lost_database_does_not_stop_the_restored_one(home: Path, tmp_path: Path) -> None:
    judge(home, "doctor", "--trust-database")
    judge(home, "backup", str(tmp_path / "b"))
    for _ in range(3):
        judge(home, "doctor", "--trust-database")
    for path in home.glob("judge.db*"):
        path.unlink()
    assert judge(home, "restore", str(tmp_path / "b"))[0] == 0
    assert "database marker: of this judge" in judge(home, "doctor")[1]
