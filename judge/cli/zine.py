"""`judge zine`: zines on the shell; `judge zine export` writes the static archive."""

from __future__ import annotations

from pathlib import Path

import click

from judge import resources
from judge.cli.common import boards_folder, judge
from judge.mail.letters.rendering import TemplateError
from judge.report.core.naming import many
from judge.zine.archive import MapPainter, gathered, write


@click.group("zine")
def zine_group() -> None:
    """Zines, and what the public may read."""


@zine_group.command("export")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--base", default="", metavar="URL", help="Where the folder will stand on the web, for its feeds.")
@click.pass_context
def export_command(context: click.Context, folder: Path, base: str) -> None:
    """Write a web site into FOLDER: issues of zines, public games with their maps, ratings, feeds.

    Any web server can show it, and so can a browser without one. A later export into the same FOLDER writes what has
    changed, draws only new maps, and takes away what is no longer public; files that it did not write stay.
    """
    if base and not base.startswith(("https://", "http://")):
        raise click.UsageError('--base: write an address such as "https://zine.example/archive/"')
    boards = boards_folder(context)
    try:
        with judge(context) as home:
            templates = [*([home.config.templates] if home.config.templates else []), resources.folder("templates")]
            with home.store.read() as view:
                archive = gathered(home, view, boards, base and base.rstrip("/") + "/")
            count = write(archive, folder, templates, MapPainter().png)
    except TemplateError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename or folder}: {error.strerror}") from error
    site = archive.site
    issues = sum(len(zine.issues) for zine in site.zines)
    told = f"{many(len(site.games), 'game')}, {many(issues, 'issue')}, {many(count, 'file')}"
    click.echo(f"{told}: {folder / 'index.html'}")
