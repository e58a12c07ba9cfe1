"""Every command, whatever it is given and whatever it finds: a sentence and a documented exit code, never a traceback.

The table names each command with arguments that are right; the rest makes the world around it wrong.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from judge.cli import cli
from judge.config import Config
from judge.resources import folder
from judge.service.core.judge import open_judge

EX_USAGE, EX_TEMPFAIL = 64, 75

COMMANDS: dict[str, list[str]] = {
    "feed": ["--rcpt", "judge@judge.test", "{mail}"],
    "feed --dry-run": ["--rcpt", "judge@judge.test", "{mail}"],
    "mail": ["--from", "a@x.test", "help"],
    "inbox": ["a@x.test"],
    "game list": [],
    "game show": ["baltic"],
    "game history": ["baltic"],
    "game export": ["baltic"],
    "game archive": ["baltic"],
    "game adopt": ["baltic", "gm@x.test"],
    "game import": ["{mail}"],
    "person show": ["a@x.test"],
    "person export": ["a@x.test", "{mail}.zip"],
    "person erase": ["a@x.test", "--yes"],
    "gm add": ["gm@x.test"],
    "gm list": [],
    "outbox list": [],
    "outbox hold": ["1"],
    "outbox release": ["1"],
    "outbox retry": ["1"],
    "outbox resume": [],
    "quarantine list": [],
    "quarantine show": ["999"],
    "quarantine retry": ["999"],
    "quarantine drop": ["999"],
    "adjudicate": ["--jsonl", "{mail}"],
    "manual": ["{mail}-manual"],
    "translate": ["de", "{mail}-languages"],
    "map lint": ["standard"],
    "map draw": ["standard", "{mail}.svg"],
    "map build": ["standard", "--data", "."],
    "map show": ["standard"],
    "map import": ["{mail}"],
    "gallery": ["{mail}-gallery", "--no-pictures"],
    "rehearse": ["{mail}"],
    "faults": ["flood"],
    "backup": ["{mail}.backup"],
    "restore": ["{mail}.backup"],
    "replay": ["--rebuild"],
    "db check": [],
    "db move": ["sqlite:///elsewhere.db"],
    "db upgrade": [],
    "doctor": ["--offline"],
    "health": [],
    "dns": [],
    "init": ["--domain", "judge.test", "--operator", "a@x.test", "--gm", "a@x.test", "--mail", "local"],
    "files": ["main.cf"],
    "completion": ["bash"],
    "man": ["game", "list"],
    "zine export": ["{mail}.site"],
    "run": [],
    "play": ["--power", "Narnia"],
}
STATELESS = frozenset(
    {
        "adjudicate",
        "map lint",
        "map show",
        "map draw",
        "map build",
        "map import",
        "gallery",
        "manual",
        "translate",
        "rehearse",
        "faults",
        "play",
        "mail",
        "inbox",
        "files",
        "dns",
        "init",
        "completion",
        "man",
    }
)
"""These do not open the database."""
UNCONFIGURED = ("rehearse", "faults", "play", "gallery", "init", "completion", "man", "translate")
"""These do not read the configuration."""


def names(group: click.Group = cli, before: str = "") -> list[str]:
    """Every command there is."""
    found = []
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        whole = f"{before}{name}"
        found += names(command, f"{whole} ") if isinstance(command, click.Group) else [whole]
    return found


def test_the_table_names_every_command() -> None:
    assert {name.removesuffix(" --dry-run") for name in COMMANDS} == set(names())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A judge's home, with a configuration and a mail."""
    (tmp_path / "var").mkdir()
    configure(tmp_path)
    (tmp_path / "mail.eml").write_bytes(b"From: a@x.test\nTo: judge@judge.test\n\nhelp\n")
    return tmp_path


def configure(home: Path, text: str = "") -> None:
    settings = '[judge]\ndomain = "judge.test"\n[smtp]\nlisten = "127.0.0.1:0"\n'
    (home / "var" / "judge.toml").write_text(settings + text)


def run(home: Path, name: str, *arguments: str, given: str = "") -> Result:
    words = [word.format(mail=home / "mail.eml") for word in arguments]
    return CliRunner().invoke(cli, ["--config", str(home / "var" / "judge.toml"), *name.split(), *words], input=given)


def assert_spoken(result: Result, *, codes: tuple[int, ...]) -> None:
    """It ended as documented, and said so in words."""
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    assert "Traceback" not in result.output
    assert result.exit_code in codes, result.output
    assert result.output.strip()


def codes_of(name: str) -> tuple[int, ...]:
    return (EX_TEMPFAIL,) if name.startswith("feed") else (1,)


# --- the world is wrong -------------------------------------------------------------------------------------------


def garbage_database(home: Path) -> None:
    (home / "var" / "judge.db").write_bytes(b"this is no database " * 500)


def no_place_for_var(home: Path) -> None:
    configure(home, f'[paths]\nvar = "{home}/mail.eml/var"\n')


def database_in_a_file(home: Path) -> None:
    configure(home, f'[store]\nurl = "sqlite:///{home}/mail.eml/judge.db"\n')


def database_is_a_folder(home: Path) -> None:
    (home / "var" / "judge.db").mkdir()


def server_without_driver(home: Path) -> None:
    configure(home, '[store]\nurl = "mysql+pymysql://judge@nowhere.test/judge"\n')


def no_url(home: Path) -> None:
    configure(home, '[store]\nurl = "tea"\n')


def unknown_server(home: Path) -> None:
    configure(home, '[store]\nurl = "teapot://judge"\n')


def truncated_database(home: Path) -> None:
    open_judge(Config(var=home / "var"), upgrade=True).close()
    path = home / "var" / "judge.db"
    path.write_bytes(path.read_bytes()[:5000])


WORLDS = (
    garbage_database, no_place_for_var, database_in_a_file, database_is_a_folder, server_without_driver, no_url,
    unknown_server, truncated_database,
)  # fmt: skip


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.__name__)
@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in STATELESS])
def test_a_database_that_cannot_be_used_is_told(home: Path, name: str, world: Callable[[Path], None]) -> None:
    world(home)
    assert_spoken(run(home, name, *COMMANDS[name]), codes=codes_of(name))


def broken_toml(home: Path) -> None:
    (home / "var" / "judge.toml").write_text("[judge\n")


def toml_of_bytes(home: Path) -> None:
    (home / "var" / "judge.toml").write_bytes(b"\xff\xfe")


def no_toml(home: Path) -> None:
    (home / "var" / "judge.toml").unlink()


def toml_is_a_folder(home: Path) -> None:
    no_toml(home)
    (home / "var" / "judge.toml").mkdir()


def no_boards(home: Path) -> None:
    configure(home, '[paths]\nmaps = "/nonexistent"\n')


def wrong_in_four_places(home: Path) -> None:
    configure(home, '[time]\nzone = "Moon"\n[lmtp]\nlisten = "here"\n[log]\nformat = "xml"\n[mail]\nmax_bytes = 0\n')


CONFIGURATIONS = (broken_toml, toml_of_bytes, no_toml, toml_is_a_folder, no_boards, wrong_in_four_places)


@pytest.mark.parametrize("world", CONFIGURATIONS, ids=lambda world: world.__name__)
@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in UNCONFIGURED])
def test_a_configuration_that_cannot_be_used_is_told(home: Path, name: str, world: Callable[[Path], None]) -> None:
    world(home)
    assert_spoken(run(home, name, *COMMANDS[name]), codes=codes_of(name))


def test_everything_that_is_wrong_with_a_configuration_is_told_at_once(home: Path) -> None:
    wrong_in_four_places(home)
    said = run(home, "game list").output
    for key in ("time.zone", "lmtp.listen", "log.format", "mail.max_bytes"):
        assert key in said


# --- the arguments are wrong --------------------------------------------------------------------------------------

GARBAGE = ["", "0", "-1", "99999999999999999999", "\udcff", "a/b/../..", "x" * 5000, "*", "no such thing"]


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("run", "play")])
def test_garbage_arguments_are_answered(home: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setattr("judge.cli.rehearse.SHOWS", home)  # nothing is played for each word
    open_judge(Config(var=home / "var"), upgrade=True).close()
    codes = (0, 1, 2) if not name.startswith("feed") else (0, EX_USAGE, EX_TEMPFAIL)
    for word in GARBAGE:
        result = run(home, name, word)
        assert result.exception is None or isinstance(result.exception, SystemExit), (word, repr(result.exception))
        assert "Traceback" not in result.output, word
        assert result.exit_code in codes, (word, result.output)


@pytest.mark.parametrize("name", ["feed", "rehearse", "adjudicate --jsonl"])
@pytest.mark.parametrize("what", ["missing", "folder", "bytes"])
def test_files_that_cannot_be_read_are_named(home: Path, name: str, what: str) -> None:
    path = home / what
    if what == "folder":
        path.mkdir()
    elif what == "bytes":
        path.write_bytes(bytes(range(256)))
    result = run(home, name, str(path))
    codes = (1, 2) if name != "feed" else (0, EX_USAGE)
    assert_spoken(result, codes=codes)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game baltic players 8\n\n-> From: a@x.test\n\nhelp\n", "game baltic"),
        ("now yesterday\n", "line 1"),
        ('game "baltic\n', "line 1"),
        ("gm nobody\n\n-> From: a@x.test\n\nhelp\n", "nobody"),
        ("advance fish\n", "line 1"),
        ("<- To: a@x.test\n", ""),
    ],
)
def test_a_conversation_with_wrong_directions_is_told_the_line(home: Path, text: str, words: str) -> None:
    (home / "talk.mail").write_text(text)
    result = run(home, "rehearse", str(home / "talk.mail"))
    assert_spoken(result, codes=(1,))
    assert words in result.output


# --- boards and ports ---------------------------------------------------------------------------------------------


@pytest.fixture
def broken_board(home: Path) -> Path:
    maps = home / "maps"
    (maps / "standard").mkdir(parents=True)
    text = (folder("maps") / "standard" / "board.toml").read_text()
    (maps / "standard" / "board.toml").write_text(text.replace("victory = 18", 'victory = "many"'))
    configure(home, f'[paths]\nmaps = "{maps}"\n')
    return home


@pytest.mark.parametrize("name", ["run", "doctor", "map lint", "map show", "adjudicate"])
def test_a_broken_board_is_told_as_lint_tells_it(broken_board: Path, name: str) -> None:
    result = run(broken_board, name, *COMMANDS[name])
    assert_spoken(result, codes=(1,))
    assert "standard/board.toml" in result.output and "victory" in result.output


def test_a_folder_without_boards_is_told(home: Path) -> None:
    (home / "maps").mkdir()
    configure(home, f'[paths]\nmaps = "{home}/maps"\n')
    for name in ("run", "doctor"):
        result = run(home, name)
        assert_spoken(result, codes=(1,))
        assert "mend paths.maps" in result.output


def test_a_port_that_is_taken_names_setting_and_file(home: Path) -> None:
    import socket

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        path = home / "var" / "judge.toml"
        path.write_text(path.read_text().replace(":0", f":{other.getsockname()[1]}"))
        result = run(home, "run")
    assert_spoken(result, codes=(1,))
    assert "smtp.listen" in result.output and str(path) in result.output


def test_secrets_that_are_missing_are_told_all_at_once(home: Path) -> None:
    imap = '[[imap]]\nname = "{0}"\nhost = "imap.test"\nuser = "{0}"\npassword_file = "{0}.secret"\n'
    configure(home, imap.format("one") + imap.format("two"))
    for name in ("run", "doctor"):
        result = run(home, name)
        assert_spoken(result, codes=(1,))
        assert "one.secret" in result.output and "two.secret" in result.output


# --- as a program -------------------------------------------------------------------------------------------------


def test_the_program_itself_prints_no_traceback(home: Path) -> None:
    garbage_database(home)
    command = [sys.executable, "-m", "judge.cli", "--config", str(home / "var" / "judge.toml"), "quarantine", "list"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("Error: ") and "judge.db" in done.stderr


def test_a_mail_that_cannot_be_stored_is_the_mail_servers_to_keep(home: Path) -> None:
    """Exit code 1 would make a mail server send it back."""
    for world in (garbage_database, broken_toml):
        world(home)
        assert run(home, "feed", given="From: a@x.test\n\nhelp\n").exit_code == EX_TEMPFAIL


def test_a_missing_mail_is_a_sentence(home: Path) -> None:
    open_judge(replace(Config(), var=home / "var"), upgrade=True).close()
    result = run(home, "quarantine", "show", "999")
    assert_spoken(result, codes=(1,))
    assert "there is no mail 999" in result.output
