"""`judge zine export`: the static archive in a folder, readable for a web server."""

from __future__ import annotations

import stat
from pathlib import Path

from click.testing import CliRunner, Result

from judge.cli import cli
from tests.support.standing import seated


def export(home: Path, *words: str) -> Result:
    config = home / "judge.toml"
    config.write_text('[judge]\ndomain = "judge.test"\n', encoding="utf-8")
    return CliRunner().invoke(cli, ["--config", str(config), "zine", "export", *words])


def test_the_folder_holds_a_site_that_others_may_read(tmp_path: Path) -> None:
    stage = seated(tmp_path)
    stage.begin()
    stage.stop()
    site = tmp_path / "site"
    told = export(tmp_path, str(site), "--base", "https://zine.test/archive")
    assert told.exit_code == 0, told.output
    assert told.output.startswith("1 game, 0 issues, ")
    assert 'xml:base="https://zine.test/archive/games/baltic/"' in (site / "games/baltic/feed.atom").read_text("utf-8")
    (board,) = site.glob("games/baltic/now-*.png")
    assert board.read_bytes().startswith(b"\x89PNG")
    for path in (site, *site.rglob("*")):
        wanted = 0o755 if path.is_dir() else 0o644
        assert stat.S_IMODE(path.stat().st_mode) == wanted, path


def test_where_it_stands_is_an_address_of_the_web(tmp_path: Path) -> None:
    told = export(tmp_path, str(tmp_path / "site"), "--base", "zine.test")
    assert told.exit_code == 2 and "https://zine.example/archive/" in told.output
    assert not (tmp_path / "site").exists()
