"""Every schema that ever landed, with a played game in it, becomes the present one; what fails changes nothing."""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from click.testing import CliRunner

from judge import resources
from judge.cli import cli
from judge.config import Config
from judge.service.core.judge import open_judge
from judge.service.upkeep.moving import adjudicate_again, rebuild_all
from judge.store import StoreTrouble, check_soundness, upgrade
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge

KEPT = sorted((Path(__file__).parent / "schemas").glob("*.sql.gz"))
MIGRATIONS = resources.folder("migrations")
REVISIONS = sorted(script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions())

EACH = pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.name.partition(".")[0])


def unpack(kept: Path, database: Path) -> dict[str, int]:
    """A database as it was kept; returns how many rows each table has."""
    with closing(sqlite3.connect(database)) as base:
        base.executescript(gzip.decompress(kept.read_bytes()).decode())
    return rows_of(database)


def rows_of(database: Path) -> dict[str, int]:
    with closing(sqlite3.connect(database)) as base:
        tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: base.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables}


def shape_of(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """The columns of each table, whatever their order, and whether its numbers are given once."""
    with closing(sqlite3.connect(database)) as base:
        tables = list(
            base.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        )
        return {
            name: [
                *sorted(row[1:4] for row in base.execute(f'PRAGMA table_info("{name}")')),
                ("numbered", "AUTOINCREMENT" in sql),
            ]
            for name, sql in tables
        }


def test_every_schema_is_kept() -> None:
    """A migration without the database of its day: python -m tests.support.keep_schema tests/store/schemas"""
    assert [path.name.partition(".")[0] for path in KEPT] == REVISIONS


@EACH
def test_an_old_database_becomes_the_present_one_and_loses_nothing(kept: Path, tmp_path: Path) -> None:
    database = tmp_path / "judge.db"
    before = unpack(kept, database)
    assert before["events"] > 20 and before["inbox"] > 3 and before["letters"] > 20, "a game was played in it"
    upgrade(f"sqlite:///{database}", migrations=MIGRATIONS)
    after = rows_of(database)
    lost = {name: rows for name, rows in before.items() if name in after and after[name] < rows}
    assert lost == {}
    check_soundness(f"sqlite:///{database}", thorough=True)
    fresh = tmp_path / "fresh.db"
    upgrade(f"sqlite:///{fresh}", migrations=MIGRATIONS)
    assert shape_of(database) == shape_of(fresh)


@EACH
def test_its_games_are_built_again_and_played_on(kept: Path, tmp_path: Path) -> None:
    unpack(kept, tmp_path / "judge.db")
    stage = LocalJudge(tmp_path)
    (game,) = rebuild_all(stage.judge)
    (phases,) = adjudicate_again(stage.judge)
    assert game.drift == () == phases.drift and phases.phases >= 1
    with stage.judge.store.read() as view:
        latest = max(event.at for event in view.events.load("baltic"))
    stage.set_clock(latest)
    stage._arrivals = 1000  # the keys of the kept mails are taken
    stage.send(player_of("RUSSIA"), "A Ukr - Rum", subject="baltic", headers={"Message-ID": "<new@players.test>"})
    assert "A Ukraine - Rumania" in stage.inbox(player_of("RUSSIA"))[-1].text
    stage.close()


@pytest.mark.parametrize("kept", KEPT[:-1], ids=lambda path: path.name.partition(".")[0])
def test_a_migration_that_fails_leaves_the_old_schema(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "judge.db"
    before = unpack(kept, database)
    shape = shape_of(database)
    monkeypatch.setattr("judge.store.schema._check_keys", _disk_full)
    with pytest.raises(StoreTrouble):
        upgrade(f"sqlite:///{database}", migrations=MIGRATIONS)
    assert (shape_of(database), rows_of(database)) == (shape, before)
    assert list(tmp_path.glob("judge.db.before-*")), "and a copy was taken before"
    monkeypatch.undo()
    upgrade(f"sqlite:///{database}", migrations=MIGRATIONS)
    open_judge(replace(Config(), var=tmp_path)).close()


def _disk_full(_connection: object) -> None:
    raise StoreTrouble("the disk is full")


@pytest.mark.parametrize("words", [("run",), ("doctor",), ("db", "upgrade"), ("game", "list")], ids=" ".join)
def test_a_newer_schema_is_refused_with_a_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    unpack(KEPT[-1], tmp_path / "judge.db")
    with closing(sqlite3.connect(tmp_path / "judge.db")) as base, base:
        base.execute("UPDATE alembic_version SET version_num = '9999'")
    (tmp_path / "judge.toml").write_text('[judge]\ndomain = "judge.test"\n[smtp]\nlisten = "127.0.0.1:0"\n')
    result = CliRunner().invoke(cli, ["--config", str(tmp_path / "judge.toml"), *words])
    assert result.exit_code == 1 and isinstance(result.exception, SystemExit)
    assert "9999" in result.output and "install the newer program" in result.output
    with closing(sqlite3.connect(tmp_path / "judge.db")) as base:
        assert base.execute("SELECT version_num FROM alembic_version").fetchone() == ("9999",)
