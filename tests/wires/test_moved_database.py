"""`judge db move`: a judge goes on on a PostgreSQL where it was on SQLite, and comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from judge import resources
from judge.cli import cli
from judge.store import open_store
from judge.store.meta import GENERATION, STAMP
from judge.store.tables import daemons, metadata
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


def test_a_judge_moves_to_a_server_and_back(url: str, tmp_path: Path) -> None:
    stage = seated(tmp_path / "home")
    stage.send(player_of("FRANCE"), "A Par - Bur\npress to all\nGrüße aus Paris ☃", subject="baltic")
    stage.close()
    home, file = stage.house.config.var, stage.house.config.database
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
