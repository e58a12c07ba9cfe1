"""`judge rehearse`: plays conversation files against a temporary judge and reports the first difference."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import click

from judge.cli.common import json_option, say_json
from judge.testing.matching import Difference
from judge.testing.rehearsal import rehearse
from judge.testing.stage import Playhouse
from judge.testing.theatre import Theatre
from judge.testing.tour import Tour
from judge.testing.transcript import TranscriptError, read_transcript


@click.command("rehearse")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--daemon", "on_tour", is_flag=True, help="Against a real daemon in a process of its own.")
@json_option
@click.pass_context
def rehearse_command(context: click.Context, files: tuple[Path, ...], *, on_tour: bool, as_json: bool) -> None:
    """Play conversations (FILE.mail ...) in a temporary judge under a fake clock. Their grammar: tests/README.md."""
    wrong = 0
    for file in files:
        report = _play(file, Tour if on_tour else Playhouse)
        wrong += bool(report)
        if as_json:
            say_json({"file": str(file), "ok": not report, "difference": report})
        else:
            click.echo(f"{file}: {'ok' if not report else 'DIFFERS'}")
            if report:
                click.echo(report)
    context.exit(1 if wrong else 0)


def _play(file: Path, house: type[Playhouse] | type[Tour]) -> str:
    """What differs, "" if nothing does."""
    with tempfile.TemporaryDirectory(prefix="judge-rehearsal-") as folder:
        opener: Callable[[datetime], Theatre] = lambda start: house(Path(folder), start=start)  # noqa: E731
        try:
            rehearse(read_transcript(file.read_text(encoding="utf-8"), str(file)), opener)
        except (Difference, TranscriptError) as error:
            return str(error)
        except UnicodeDecodeError as error:
            return f"{file}: byte {error.start + 1} is not UTF-8"
        except OSError as error:
            return f"{error.filename or file}: {error.strerror}"
    return ""
