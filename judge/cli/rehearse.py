"""`judge rehearse`, `gallery` and `faults`: conversations played, looked at, and a judge that is broken on purpose."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import click

from judge.catalogues import shipped
from judge.cli.common import json_option, say_json, silence, table
from judge.service.hearing.correspondence import lines_read
from judge.testing.exhibition import SHOWS, Exhibits, hang, play
from judge.testing.faults import machines
from judge.testing.faults.trial import FAULTS, Breakage, Findings
from judge.testing.local import LocalJudge
from judge.testing.process import DaemonUnderTest
from judge.testing.rehearsal import rehearse
from judge.testing.transcript import Difference, TranscriptError, read_transcript
from judge.testing.under_test import JudgeUnderTest


@click.command("rehearse")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--daemon", "on_tour", is_flag=True, help="Against a real daemon in a process of its own.")
@click.option("--explain", is_flag=True, help="Print each line of each mail: who read it, as what, what came of it.")
@json_option
@click.pass_context
def rehearse_command(
    context: click.Context, files: tuple[Path, ...], *, on_tour: bool, explain: bool, as_json: bool
) -> None:
    """Play conversations (FILE.mail ...) in a temporary judge under a fake clock. Their grammar: tests/README.md."""
    wrong = 0
    for file in files:
        report = _play(
            file, DaemonUnderTest if on_tour else LocalJudge, _explain if explain else lambda under_test: None
        )
        wrong += bool(report)
        if as_json:
            say_json({"file": str(file), "ok": not report, "difference": report})
        else:
            click.echo(f"{file}: {'ok' if not report else 'DIFFERS'}")
            if report:
                click.echo(report)
    context.exit(1 if wrong else 0)


def _explain(under_test: JudgeUnderTest) -> None:
    with under_test.judge.store.read() as view:
        for mail in view.inbox.list(limit=100_000):
            click.echo(f"mail {mail.id} from {mail.sender or mail.envelope_from}: {mail.reason or mail.state}")
            for line in lines_read(under_test.judge, view, mail):
                click.echo(f"  {line}")


def _play(file: Path, judge: type[LocalJudge] | type[DaemonUnderTest], look: Callable[[JudgeUnderTest], None]) -> str:
    """What differs, "" if nothing does."""
    with tempfile.TemporaryDirectory(prefix="judge-rehearsal-") as folder:
        opener: Callable[[datetime], JudgeUnderTest] = lambda start: judge(Path(folder), start=start)  # noqa: E731
        try:
            rehearse(read_transcript(file.read_text(encoding="utf-8"), str(file)), opener, look)
        except (Difference, TranscriptError) as error:
            return str(error)
        except UnicodeDecodeError as error:
            return f"{file}: byte {error.start + 1} is not UTF-8"
        except OSError as error:
            return f"{error.filename or file}: {error.strerror}"
    return ""


@click.command("gallery")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--no-pictures", is_flag=True, help="Letters without maps: faster.")
@click.option("--language", type=click.Choice(shipped()), default="en", help="Letters in this language.")
def gallery_command(folder: Path, files: tuple[Path, ...], *, no_pictures: bool, language: str) -> None:
    """Write letters of every kind into FOLDER: as mails, texts, pages and pictures, with a list of them.

    They come from conversations (FILE.mail ...) that are played here and now; without any, from those that come with
    the judge, the rulebook's sample game among them.
    """
    silence()
    rooms = [
        _played(file, pictures=not no_pictures, language=language) for file in files or sorted(SHOWS.glob("*.mail"))
    ]
    try:
        index = hang(rooms, folder)
    except OSError as error:
        raise click.ClickException(f"{error.filename or folder}: {error.strerror}") from error
    count = sum(len(room.letters) for room in rooms)
    click.echo(f"{count} {'letter' if count == 1 else 'letters'}; the list: {index}")


def _played(file: Path, *, pictures: bool, language: str) -> Exhibits:
    try:
        return play(file, pictures=pictures, language=language)
    except (Difference, TranscriptError) as error:
        raise click.ClickException(str(error)) from error
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{file}: byte {error.start + 1} is not UTF-8") from error
    except OSError as error:
        raise click.ClickException(f"{error.filename or file}: {error.strerror}") from error


@click.command("faults")
@click.argument("names", nargs=-1)
@click.option("--scale", type=click.IntRange(1, 100), default=1, show_default=True, help="More deaths, more mails.")
@click.option("--list", "only_list", is_flag=True, help="Say which there are, and break nothing.")
@json_option
@click.pass_context
def faults_command(
    context: click.Context, names: tuple[str, ...], *, scale: int, only_list: bool, as_json: bool
) -> None:
    """Break a judge under load, mend it, and count the mails that were lost and the answers that were false.

    Each fault is tried on a temporary judge: a process of its own with games, players and a relay on loopback.
    Without NAMES all of them.
    """
    if unknown := [name for name in names if name not in FAULTS]:
        raise click.BadParameter(f"there is no fault {unknown[0]!r}; there are {', '.join(FAULTS)}")
    chosen = [FAULTS[name] for name in names or FAULTS]
    if only_list:
        table([(fault.name, fault.what) for fault in chosen], ("fault", "what breaks"))
        return
    wrong = 0
    for fault in chosen:
        if fault.root and os.geteuid() != 0:
            _say_skipped(fault, as_json=as_json)
            continue
        with tempfile.TemporaryDirectory(prefix="judge-faults-") as folder:
            findings = machines.play(fault.name, Path(folder), scale=scale)
        wrong += not findings.good
        _say(fault, findings, as_json=as_json)
    context.exit(1 if wrong else 0)


def _say_skipped(fault: Breakage, *, as_json: bool) -> None:
    if as_json:
        say_json({"fault": fault.name, "tried": False, "why": "only root can cause it"})
    else:
        click.echo(f"{fault.name}: NOT TRIED, only root can cause it")


def _say(fault: Breakage, findings: Findings, *, as_json: bool) -> None:
    if as_json:
        facts = {name: getattr(findings, name) for name in ("mails", "letters", "twice", "lost", "false", "noticed")}
        say_json({"fault": fault.name, "tried": True, **facts, "told": dict(findings.told)})
        return
    click.echo(
        f"{fault.name}: {fault.what}\n  {findings.mails} mails, lost {len(findings.lost)}, false answers "
        f"{len(findings.false)}; {findings.letters} letters arrived, {findings.twice} of them a second time"
    )
    for label, lines in (("LOST", findings.lost), ("FALSE", findings.false), ("noticed", findings.noticed)):
        for line in lines[:10]:
            click.echo(f"  {label}: {line}")
    for subject, number in findings.told:
        click.echo(f"  told {number} times: {subject}")
