"""`judge init`: from nothing to a judge that can be started, by options or by asking; it never writes over anything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from click import ClickException
from click.testing import CliRunner, Result

from judge.cli import cli, common
from judge.cli.common import must_reach
from judge.cli.init import with_settings
from judge.config import load_config, read_secret
from judge.daemon.wires import make_courier
from judge.resources import folder
from judge.service.posting.composing import make_signer

WAYS = {
    "postfix": ["--host", "mx.example.org"],
    "imap": ["--imap", "imap.example.org", "--relay", "smtp.example.org"],
    "local": [],
}
NOBODY = 65534
KNOWN = ["--domain", "judge.example.org", "--operator", "me@example.org", "--gm", "gm@example.org"]


def init(home: Path, *words: str, given: str = "") -> Result:
    return CliRunner().invoke(cli, ["--config", str(home / "judge.toml"), "init", *words], input=given)


@pytest.mark.parametrize("way", WAYS)
def test_each_way_makes_a_configuration_that_is_right_and_explained(tmp_path: Path, way: str) -> None:
    done = init(tmp_path, *KNOWN, "--mail", way, *WAYS[way])
    assert done.exit_code == 0, done.output
    assert "Password (shown this once)" in done.output
    config = load_config(tmp_path / "judge.toml")
    assert (config.domain, config.operator) == ("judge.example.org", "me@example.org")
    assert (bool(config.lmtp_listen), bool(config.imap)) == (way == "postfix", way == "imap")
    assert bool(config.health_listen) == (way != "local"), "judge health asks the judge itself"
    documented = (folder("deploy") / "judge.toml").read_text().splitlines()
    written = (tmp_path / "judge.toml").read_text().splitlines()
    sentences = {
        line for line in documented if line.startswith("# ") and " = " not in line and not line.startswith("# [")
    }
    assert sentences <= set(written), "every explanation is there"
    if way == "imap":
        (tmp_path / "mail-password").write_text("secret")
    make_courier(config)
    assert (make_signer(config) is not None) == (way == "postfix")


def test_the_file_that_is_asked_for_is_the_one_that_is_read(tmp_path: Path) -> None:
    """A relative name counts from the judge's folder, which is not that of judge.toml on a machine of its own."""
    done = init(tmp_path, *KNOWN, "--mail", "imap", *WAYS["imap"])
    named = re.search(r"password into (\S+);", done.output)
    assert named is not None, done.output
    Path(named[1]).write_text("secret")
    config = load_config(tmp_path / "judge.toml")
    assert read_secret(config.imap[0].password_file, config.var) == "secret"


def test_a_judge_that_fetches_its_mail_publishes_no_mail_server_of_its_own(tmp_path: Path) -> None:
    init(tmp_path, *KNOWN, "--mail", "imap", *WAYS["imap"])
    said = CliRunner().invoke(cli, ["--config", str(tmp_path / "judge.toml"), "dns"]).output
    records = [line.split("\t")[2:4] for line in said.splitlines() if not line.startswith(";")]
    assert {kind for kind, _ in records} == {"TXT"}, said
    assert "reverse DNS" not in said and "; MX: " in said


def test_what_no_option_says_is_asked_for(tmp_path: Path) -> None:
    done = init(tmp_path, given="judge.example.org\npostfix\nmx.example.org\nme@example.org\n\n")
    assert done.exit_code == 0, done.output
    assert "me@example.org may create and run games" in done.output, (
        "the operator is the first Gamemaster, if they like"
    )
    assert load_config(tmp_path / "judge.toml").authserv_id == "mx.example.org"


def test_nothing_is_written_over(tmp_path: Path) -> None:
    assert init(tmp_path, *KNOWN, "--mail", "local").exit_code == 0
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    again = init(tmp_path, *KNOWN, "--mail", "local")
    assert again.exit_code == 1 and "nothing was touched" in again.output
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--domain", "no domain"], "is not a mail domain"),
        (["--domain", "judge.example.org", "--mail", "postfix", "--host", "judge.example.org"], "a name of its own"),
        ([*KNOWN[:2], "--mail", "local", "--operator", "nobody"], '"nobody" is not a mail address'),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_made(tmp_path: Path, words: list[str], said: str) -> None:
    done = init(tmp_path, *words)
    assert done.exit_code == 2 and said in done.output
    assert list(tmp_path.iterdir()) == []


def test_everything_is_its_owners_alone(tmp_path: Path) -> None:
    init(tmp_path, *KNOWN, "--mail", "postfix", *WAYS["postfix"])
    assert {path.name: oct(path.stat().st_mode & 0o077) for path in tmp_path.iterdir()} == dict.fromkeys(
        ["judge.toml", "judge.db", "dkim.pem"], "0o0"
    )


def test_a_setting_that_is_not_documented_is_an_error() -> None:
    with pytest.raises(KeyError, match=r"relay\.hots"):
        with_settings((folder("deploy") / "judge.toml").read_text(), {"relay": {"hots": "x"}})


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_program_that_the_judge_s_own_user_cannot_read_is_no_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `pipx install` of root's leaves it: the service would not start, and says so nowhere that a beginner looks."""
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        monkeypatch.setattr(os, "__file__", place + "/os.py")
        with pytest.raises(ClickException, match=r"cannot read .*install it where everybody can"):
            must_reach(NOBODY)
        (Path(place) / "os.py").touch(0o644)
        Path(place).chmod(0o755)
        monkeypatch.setattr(common, "__file__", place + "/os.py")
        must_reach(NOBODY)
    assert os.geteuid() == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_command_of_roots_works_as_the_one_whom_the_folder_belongs_to() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as place:  # a folder that others can get to
        home = Path(place)
        assert init(home, *KNOWN, "--mail", "local").exit_code == 0
        for path in (home, *home.iterdir()):
            os.chown(path, 12345, 12345)
        command = [
            sys.executable,
            "-m",
            "judge.cli",
            "--config",
            str(home / "judge.toml"),
            "gm",
            "add",
            "b@example.org",
        ]
        done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
        assert done.returncode == 0, done.stderr
        assert {path.stat().st_uid for path in home.rglob("*")} == {12345}
