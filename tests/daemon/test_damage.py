"""A database whose bytes are broken: no daemon starts on it; one that meets it takes nothing in and turns no page."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.config import Config
from judge.daemon.running import Daemon
from judge.service.core.judge import open_judge
from judge.service.intake.door import new_mail
from judge.service.intake.worker import Worker
from judge.service.upkeep.backups import HEARTBEAT
from judge.service.upkeep.wellbeing import narrow_own
from judge.store import StoreDamaged
from judge.store.rows import MailState
from judge.testing.casting import player_of
from judge.testing.under_test import rehearsal_config
from judge.transport.ports import Arrival, TemporaryTrouble
from tests.support.standing import seated

PATIENCE = 60.0
PAGE = 4096


def break_events(database: Path) -> None:
    """Nonsense over the root page of the events, and nothing left in the log."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'events'").fetchone()
    with database.open("r+b") as file:
        file.seek((int(root) - 1) * PAGE)
        file.write(b"\xa5" * PAGE)


def judge(home: Path, *words: str) -> tuple[int, str]:
    (home / "judge.toml").write_text('[judge]\ndomain = "judge.test"\n[smtp]\nlisten = "127.0.0.1:0"\n')
    result = CliRunner().invoke(cli, ["--config", str(home / "judge.toml"), *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


@pytest.mark.parametrize("words", ["run", "doctor"])
def test_a_broken_page_is_found_before_anything_is_done(tmp_path: Path, words: str) -> None:
    open_judge(Config(var=tmp_path), upgrade=True).close()
    assert judge(tmp_path, "doctor")[0] == 0
    break_events(tmp_path / "judge.db")
    code, said = judge(tmp_path, words)
    assert code == 1
    assert "the database is damaged" in said and "restore your last backup" in said


def test_a_daemon_that_meets_damage_takes_no_more_mail(tmp_path: Path) -> None:
    judge = open_judge(replace(rehearsal_config(tmp_path), smtp_listen=""), upgrade=True, careless=True)
    daemon = Daemon(judge)
    try:
        mail = Arrival(
            b"From: a@x.test\n\nhelp\n", "smtp", "k1", "a@x.test", (judge.config.address,), judge.clock.now(), ""
        )
        daemon.door.take(mail).result(PATIENCE)

        def meet() -> None:
            raise StoreDamaged("the database is damaged (page 7)")

        assert daemon._guarded(meet) is False
        with pytest.raises(TemporaryTrouble, match="damaged"):
            daemon.door.take(replace(mail, transport_key="k2")).result(PATIENCE)
        assert daemon._surroundings().stopped, "no page is turned while mail is kept out"
        with judge.store.write() as unit:
            unit.meta.set(HEARTBEAT, "then")
        daemon._note_heartbeat()
        with judge.store.read() as view:
            assert view.meta.get(HEARTBEAT) == "then", "the time without mail counts as an outage later"
    finally:
        daemon.stop()


def test_a_mail_met_by_damage_waits_and_is_not_set_aside(tmp_path: Path) -> None:
    """Its game cannot be read; the mail is as if never taken."""
    stage = seated(tmp_path)
    stage.begin()
    stage.close()
    judge = open_judge(rehearsal_config(tmp_path), clock=stage.clock, careless=True)
    with closing(sqlite3.connect(tmp_path / "judge.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    judge.close()
    break_events(tmp_path / "judge.db")
    judge = open_judge(rehearsal_config(tmp_path), clock=stage.clock, careless=True)
    arrival = Arrival(
        b"From: " + player_of("FRANCE").encode() + b"\nSubject: baltic\n\nA Par - Bur\n", "smtp", "k3",
        player_of("FRANCE"), (judge.config.address,), judge.clock.now(), "",
    )  # fmt: skip
    with judge.store.write() as unit:
        number = unit.inbox.put(new_mail(judge, arrival)).id
    worker = Worker(judge)
    until = time.monotonic() + PATIENCE
    for _ in range(5):
        with pytest.raises(StoreDamaged):
            worker.drain()
        assert time.monotonic() < until
    with judge.store.read() as view:
        assert number is not None
        mail = view.inbox.get(number)
        assert (mail.state, mail.attempts) == (MailState.NEW, 1)
    judge.close()


def test_doctor_tells_what_others_may_read_and_run_mends_it(tmp_path: Path) -> None:
    open_judge(Config(var=tmp_path), upgrade=True).close()
    judge(tmp_path, "doctor")
    (tmp_path / "judge.db").chmod(0o644)
    (tmp_path / "mail" / "a@x.test").mkdir(parents=True)
    (tmp_path / "mail" / "a@x.test").chmod(0o755)
    (tmp_path / "in").mkdir()
    (tmp_path / "in").chmod(0o770)
    tmp_path.chmod(0o711)
    code, said = judge(tmp_path, "doctor")
    assert code == 1 and "others may read or write" in said and "chmod -R go=" in said
    narrow_own(Config(var=tmp_path, file=tmp_path / "judge.toml", maildir="in"))
    assert (tmp_path / "judge.db").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "mail" / "a@x.test").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "in").stat().st_mode & 0o777 == 0o770, "a mail server fills this one"
    assert tmp_path.stat().st_mode & 0o777 == 0o711, "and must be able to come there"
