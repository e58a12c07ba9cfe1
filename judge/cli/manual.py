"""`judge manual`: the pages of help as books, for players, for Gamemasters, and for who knows older judges."""

from __future__ import annotations

from pathlib import Path

import click

from judge import resources
from judge.cli.common import read_configuration
from judge.mail.letters.binding import Binding, bind
from judge.mail.letters.press import TemplateError
from judge.report.core.frame import Office
from judge.report.core.letter import plain
from judge.service.core.pressroom import Pressroom
from judge.service.core.systems import Shelf
from judge.service.hearing.helping import books
from judge.store.files import public_file

_FORMS = {"markdown": Binding.MARKDOWN, "html": Binding.HTML, "man": Binding.MAN}


@click.command("manual")
@click.argument("out", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--format", "forms", type=click.Choice(list(_FORMS)), multiple=True, help="In this form alone; may be given again."
)
@click.pass_context
def manual_command(context: click.Context, out: Path, forms: tuple[str, ...]) -> None:
    """Write the handbook into FOLDER, as Markdown, web pages and man pages.

    It has three books: for players, for Gamemasters, and with the words of njudge and DPjudge beside ours. They are the
    pages that `help` sends, with the templates and boards of this judge. How to run a judge is in deploy/RUNBOOK.md.
    """
    config = read_configuration(context)
    office = Office(domain=config.domain, address=f"{config.local_part}@{config.domain}")
    view = plain(books(Shelf(config.maps or resources.folder("maps")), office))
    pressroom = Pressroom(resources.folder("templates"), config.templates)
    try:
        for name in forms or _FORMS:
            for file, text in pressroom.do(lambda press, name=name: bind(view, press, _FORMS[name]))[0].items():  # type: ignore[misc]
                out.mkdir(parents=True, exist_ok=True)
                public_file(out / file).write_text(text, encoding="utf-8")
                click.echo(str(out / file))
    except TemplateError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename or out}: {error.strerror}") from error
