"""Every command of deploy/RUNBOOK.md is run here, in the order of the book, on a machine that is a folder.

`/etc`, `/var`, `/usr/local` and `/opt` are that folder's. The judge, the shell and Postfix's `postconf` are the real
ones; what changes the machine itself (packages, services, users) is held against what there is: the packages that
Debian has, the units that we ship, and the options that a program knows.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import cli

ROOT = Path(__file__).resolve().parents[2]
BOOK = (ROOT / "deploy" / "RUNBOOK.md").read_text(encoding="utf-8")
MOVED = re.compile(r"(?<![\w.])/(etc|var|usr/local|opt)/")
UNITS = {"judge", "judge-backup.timer", "postfix", "opendkim", "opendmarc"}
VERBS = {"restart", "reload", "start", "stop", "status", "enable", "disable", "daemon-reload", "list-timers"}


@dataclass(frozen=True)
class Line:
    """One command, and the page that it stands on."""

    page: str
    text: str


def lines() -> Iterator[Line]:
    page, inside = "", False
    for text in BOOK.splitlines():
        if text.startswith("```"):
            inside = text == "```sh"
        elif inside:
            yield Line(page, text)
        elif text.startswith("#"):
            page = text.lstrip("# ")


LINES = list(lines())

STUBS = {
    "apt-get": """
[ "$1" = update ] && exit 0
[ "$1" = install ] || exit 64
shift
for word in "$@"; do
    case "$word" in -y | --no-install-recommends) ;; -*) exit 64 ;;
    *) command -v apt-cache >/dev/null && [ -n "$(ls -A /var/lib/apt/lists 2>/dev/null)" ] || continue
       apt-cache show "$word" >/dev/null || exit 65 ;;
    esac
done
""",
    "debconf-set-selections": 'read -r package rest && [ "$package" = opendmarc ]',
    "systemd-sysusers": '[ "$#" = 0 ] && grep -q "^u judge " @ROOT@/etc/sysusers.d/judge.conf',
    "postconf": '[ -x /usr/sbin/postconf ] || exit 0; exec /usr/sbin/postconf -c @ROOT@/etc/postfix "$@"',
    "postfix": '[ "$1" = check ] || exit 64; [ -x /usr/sbin/postconf ] || exit 0\n'
    'out=$(/usr/sbin/postconf -c @ROOT@/etc/postfix -n 2>&1) && case "$out" in *warning*) echo "$out"; exit 65 ;; esac',
    "journalctl": """
for word in "$@"; do
    case "$word" in
    --no-pager | -u | -n | --grep | --vacuum-size=* | judge | judge-backup | "postfix*" | player@* | [0-9]*) ;;
    *) exit 64 ;;
    esac
done
""",
    "certbot": 'case "$1" in certonly | renew) ;; *) exit 64 ;; esac',
    "postqueue": '[ "$1" = -f ]',
    "install": 'for each; do case "$each" in /*) /usr/bin/install -d -m 0700 "$each" || exit 65 ;; esac; done',
    "chown": '[ "$1" = -R ] || exit 64; shift 2; for each; do [ -e "$each" ] || exit 65; done',
    "systemctl": "exit 66",
}


@dataclass(frozen=True)
class Machine:
    """A folder with the ways of a Debian machine."""

    root: Path

    def here(self, text: str) -> str:
        """A command for this machine."""
        text = MOVED.sub(lambda path: f"{self.root}/{path[1]}/", text)
        return text.replace("BACKUP", str(next(iter(sorted((self.root / "var/backups/judge").glob("*"))), "BACKUP")))

    def run(self, line: Line) -> tuple[int, str]:
        """Exit code and output."""
        text = self.here(line.text)
        words = shlex.split(text)
        if words[0] == "systemctl":
            return self._systemctl(words[1:]), text
        if words[0] == "judge" and not re.search(r"[<>|&;]", text):
            done = CliRunner().invoke(cli, words[1:])
            return done.exit_code, done.output
        shell = subprocess.run(["bash", "-ec", text], cwd=self.root, capture_output=True, text=True, timeout=120)
        return shell.returncode, shell.stdout + shell.stderr

    def _systemctl(self, words: list[str]) -> int:
        verb, *units = [word for word in words if not word.startswith("--")]
        return 0 if verb in VERBS and set(units) <= UNITS else 64


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    root = tmp_path_factory.mktemp("machine")
    for folder in ("etc/judge", "etc/postfix", "etc/systemd/system", "usr/local/bin", "opt/judge/bin", "var/lib",
                   "var/backups", "var/log", "bin"):  # fmt: skip
        (root / folder).mkdir(parents=True)
    (root / "etc/judge").chmod(0o700)
    (root / "var/lib/judge").symlink_to(root / "etc/judge")
    (root / "diplomacy_judge-0.1.0-py3-none-any.whl").touch()
    given = Path("/usr/share/postfix/master.cf.dist")
    (root / "etc/postfix/master.cf").write_text(given.read_text() if given.is_file() else "")
    python = f'exec {sys.executable} -m judge.cli "$@"'
    stubs = {f"bin/{name}": text for name, text in STUBS.items()}
    stubs |= {
        "bin/judge": python,
        "opt/judge/bin/judge": python,
        "bin/python3": f'[ "$*" = "-m venv {root}/opt/judge" ]',
    }
    stubs["opt/judge/bin/pip"] = '[ "$1" = install ] && for file in "$@"; do last=$file; done && [ -f "$last" ]'
    for name, text in stubs.items():
        (root / name).write_text(f"#!/bin/bash\n{text.replace('@ROOT@', str(root))}\n")
        (root / name).chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{root}/bin:{os.environ['PATH']}")
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.setenv("JUDGE_CONFIG", str(root / "etc/judge/judge.toml"))
        yield Machine(root)


def prepare(machine: Machine, line: Line) -> None:
    """What has happened on the machine before the page is opened."""
    backups, database = machine.root / "var/backups/judge", machine.root / "etc/judge/judge.db"
    if line.page == "The database is damaged" and not any(backups.iterdir()):
        assert CliRunner().invoke(cli, ["backup", "--keep", "14", str(backups)]).exit_code == 0, "the timer's"
    if line.text.startswith("judge restore") and database.exists():  # another machine
        for path in database.parent.glob("judge.db*"):
            path.unlink()
        (database.parent / "generation.json").unlink(missing_ok=True)


def test_the_book_has_the_pages_that_are_asked_for() -> None:
    pages = set(re.findall(r"^##+ (.*)$", BOOK, re.MULTILINE))
    assert pages >= {
        "The first day", "4. The DNS", "5. Big providers", "6. The first game", "A player says they got nothing",
        "Disk full", "The relay refuses", "IMAP is gone", "The database is damaged",
        "Restoring a backup", "Another machine", "Upgrade", "The end of a judge", "A certificate", "Personal data",
    }  # fmt: skip


def test_every_alert_names_a_page_of_the_book() -> None:
    alerts = (ROOT / "deploy" / "monitoring" / "alerts.yml").read_text()
    named = re.findall(r"^ +page: (.+)$", alerts, re.MULTILINE)
    assert len(named) == len(re.findall(r"- alert:", alerts)) > 5
    assert set(named) - set(re.findall(r"^##+ (.*)$", BOOK, re.MULTILINE)) == set()


def test_a_folder_is_made_before_something_is_carried_into_it() -> None:
    page = BOOK[BOOK.index("## Another machine") :]
    assert page.index("install -d") < page.index("carry three things over") < page.index("chown -R judge:judge")


@pytest.mark.parametrize("page", ["The judge does not run", "Disk full", "Restoring a backup", "Upgrade"])
def test_whoever_brings_a_judge_back_is_told_to_let_the_waiting_mail_in(page: str) -> None:
    """Postfix would come again by itself after five minutes or more, and players wait for their receipts."""
    said = [line.text for line in LINES if line.page == page]
    assert "postqueue -f" in said
    assert said.index("postqueue -f") > max([said.index(line) for line in said if "start judge" in line], default=-1)


def test_every_command_of_the_book_runs(machine: Machine) -> None:
    assert len(LINES) > 70
    wrong = []
    looked: set[str] = set()
    for line in LINES:
        prepare(machine, line)
        if line.text in looked:
            continue
        code, said = machine.run(line)
        looked |= {line.text} if line.text.startswith(("judge doctor", "judge dns")) else set()
        may_find = line.text.startswith(("judge doctor", "judge health"))  # there is no relay here; they say so
        if code not in ((0, 1) if may_find else (0,)) or "Usage:" in said:
            wrong.append((line.page, line.text, code, said[-500:]))
    assert not wrong, wrong


def test_the_machine_is_what_the_first_day_makes_of_it(machine: Machine) -> None:
    """Runs after the book, and looks at what it has left."""
    assert (machine.root / "etc/postfix/main.cf").is_file(), "the test above runs first"
    if shutil.which("postconf", path="/usr/sbin"):
        asked = ["/usr/sbin/postconf", "-c", str(machine.root / "etc/postfix"), "-M"]
        services = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
        assert len(re.findall(r"^smtp +inet", services, re.MULTILINE)) == 1
        assert re.search(r"^judge +unix", services, re.MULTILINE)
    assert (machine.root / "etc/systemd/system/judge.service").read_text().count("ExecStart=") == 1
    assert (machine.root / "usr/local/share/man/man1/judge-doctor.1").is_file()


@pytest.mark.parametrize(
    "text", ["systemctl restart jugde", "judge outbox rety --all", "apt-get install no-such-package-x"]
)
def test_a_mistake_in_the_book_would_be_seen(machine: Machine, text: str) -> None:
    if text.startswith("apt") and not any(Path("/var/lib/apt/lists").glob("*Packages*")):
        pytest.skip("no package lists here")
    code, said = machine.run(Line("", text))
    assert code != 0, said
