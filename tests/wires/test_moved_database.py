"""`judge db move`: a judge goes on on a PostgreSQL where it was on SQLite, and comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select, update

from judge import resources
from judge.cli import cli
from judge.clock import SystemClock
from judge.store import open_store
from judge.store.daemons import Presence
from judge.store.engine import parse
from judge.store.meta import GENERATION, STAMP
from judge.store.rows import DaemonRow
from judge.store.tables import daemons, letters, metadata
from judge.testing.casting import player_of
from tests.support.standing import seated

pytestmark = pytest.mark.wires

SETTINGS = '[judge]\ndomain = "judge.test"\n[smtp]\nlisten = "127.0.0.1:0"\n'
TABLES = [table for table in metadata.sorted_tables if table is not daemons]


def judge(home: Path, *words: str) -> str:
    result = CliRunner().invoke(cli, ["--config", str(home / "judge.toml"), *words])
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


def rows(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Every table but the one of the daemons; the marker's count differs, and the stamp of what is cached."""
    store = open_store(url, migrations=resources.folder("migrations"))
    with store.read() as view:
        found = {table.name: sorted(map(tuple, view.connection.execute(select(table))), key=repr) for table in TABLES}
    store.close()
    found["meta"] = [row for row in found["meta"] if str(row[0]) not in (GENERATION, STAMP)]
    return found


def told(home: Path, *words: str) -> str:
    """What is said of a move that is refused."""
    result = CliRunner().invoke(cli, ["--config", str(home / "judge.toml"), "db", "move", *words])
    assert result.exit_code == 1 and "Traceback" not in result.output, (result.output, result.exception)
    return result.output


def test_a_judge_moves_to_a_server_and_back(url: str, tmp_path: Path) -> None:
    stage = seated(tmp_path / "home")
    stage.send(player_of("FRANCE"), "A Par - Bur\npress to all\nGrüße aus Paris ☃", subject="baltic")
    stage.close()
    home, file = stage.judge.config.var, stage.judge.config.database
    back = f"sqlite:///{tmp_path / 'back.db'}"
    (home / "judge.toml").write_text(SETTINGS, "utf-8")
    before = rows(file)
    assert "every game as recorded" in judge(home, "db", "move", url)
    assert rows(url) == before
    server = open_store(url, migrations=resources.folder("migrations"))
    with server.write() as unit:  # a number goes on behind the last
        late = unit.people.add("Late", zone="", check_phrase="", now=stage.now)
        assert late.id == max(row[0] for row in before["persons"]) + 1  # type: ignore[type-var,operator]
    server.close()
    (home / "judge.toml").write_text(f'{SETTINGS}[store]\nurl = "{url}"\n', "utf-8")
    assert "every game as recorded" in judge(home, "db", "move", back)
    assert rows(back) == rows(url) != before


def test_what_a_server_cannot_keep_is_told_and_nothing_is_moved(url: str, tmp_path: Path) -> None:
    stage = seated(tmp_path / "home")
    with stage.judge.store.write() as unit:
        unit.connection.execute(update(letters).values(attempts=2**40))
    home, file = stage.judge.config.var, stage.judge.config.database
    stage.close()
    (home / "judge.toml").write_text(SETTINGS, "utf-8")
    assert "a row of letters" in (said := told(home, url)) and "out of range" in said
    assert not rows(url)["persons"] and not rows(url)["inbox"]
    with open_store(file, migrations=resources.folder("migrations")) as store, store.write() as unit:
        unit.connection.execute(update(letters).values(attempts=1))
    judge(home, "db", "move", url)


def test_words_that_an_older_program_stored_and_no_server_keeps_go_over_as_far_as_they_can(
    url: str, tmp_path: Path
) -> None:
    stage = seated(tmp_path / "home")
    home = stage.judge.config.var
    with stage.judge.store.write() as unit:
        person = unit.people.add("nobody", zone="", check_phrase="", now=stage.now)
        unit.connection.exec_driver_sql("UPDATE persons SET name = ? WHERE id = ?", ("with\0a NUL", person.id))
    stage.close()
    (home / "judge.toml").write_text(SETTINGS, "utf-8")
    judge(home, "db", "move", url)
    with open_store(url, migrations=resources.folder("migrations")) as store, store.read() as view:
        assert view.people.get(person.id).name == "with\ufffda NUL"


def test_a_daemon_on_the_new_database_is_not_robbed_of_it(url: str, tmp_path: Path) -> None:
    """It has read the secret that its tokens are signed with."""
    stage = seated(tmp_path / "home")
    home = stage.judge.config.var
    stage.close()
    (home / "judge.toml").write_text(SETTINGS, "utf-8")
    open_store(url, migrations=resources.folder("migrations"), upgrade=True).close()
    presence, now = Presence(parse(url), "there"), SystemClock().now()
    presence.look(DaemonRow("", "there", "1", (), now, now, now, 0, ""), SystemClock().now)
    assert "a judge runs on that database (there)" in told(home, url)
    presence.leave()
    judge(home, "db", "move", url)
