"""`judge gallery`: plays conversations and writes the letters that they show, to be looked at."""

from __future__ import annotations

from pathlib import Path

import click

from judge.cli.logs import silence
from judge.testing.exhibition import SHOWS, Exhibits, hang, play
from judge.testing.matching import Difference
from judge.testing.transcript import TranscriptError


@click.command("gallery")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--no-pictures", is_flag=True, help="Letters without maps: faster.")
def gallery_command(folder: Path, files: tuple[Path, ...], *, no_pictures: bool) -> None:
    """Write letters of every kind into FOLDER: as mails, texts, pages and pictures, with a list of them.

    They come from conversations (FILE.mail ...) that are played here and now; without any, from those that come with
    the judge, the rulebook's sample game among them.
    """
    silence()
    rooms = [_played(file, pictures=not no_pictures) for file in files or sorted(SHOWS.glob("*.mail"))]
    try:
        index = hang(rooms, folder)
    except OSError as error:
        raise click.ClickException(f"{error.filename or folder}: {error.strerror}") from error
    count = sum(len(room.letters) for room in rooms)
    click.echo(f"{count} {'letter' if count == 1 else 'letters'}; the list: {index}")


def _played(file: Path, *, pictures: bool) -> Exhibits:
    try:
        return play(file, pictures=pictures)
    except (Difference, TranscriptError) as error:
        raise click.ClickException(str(error)) from error
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{file}: byte {error.start + 1} is not UTF-8") from error
    except OSError as error:
        raise click.ClickException(f"{error.filename or file}: {error.strerror}") from error
