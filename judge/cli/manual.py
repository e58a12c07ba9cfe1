"""Pages about the judge: `judge manual`, its books; `judge man` and `judge completion`, for shells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from judge import __version__, resources
from judge.cli.common import read_configuration
from judge.mail.letters.binding import Binding, bind
from judge.mail.letters.rendering import TemplateError
from judge.report.core.letter import Office, plain
from judge.service.core.judge import Pressroom, Shelf
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


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the completion script of SHELL.

    bash reads it from ~/.local/share/bash-completion/completions/judge, zsh from a folder of $fpath, where it is called
    _judge, fish from ~/.config/fish/completions/judge.fish.
    """
    complete = get_completion_class(shell)
    assert complete is not None, "click knows each of them"
    script = complete(context.find_root().command, {}, "judge", "_JUDGE_COMPLETE")
    click.echo(script.source_template % script.source_vars())


@click.command("man")
@click.argument("words", nargs=-1, metavar="[COMMAND]...")
@click.option(
    "--to", type=click.Path(file_okay=False, path_type=Path), help="Write the pages of all commands into this folder."
)
@click.pass_context
def man_command(context: click.Context, words: tuple[str, ...], to: Path | None) -> None:
    """Print the man page of COMMAND, as in: judge man game list | man -l -"""
    pages = dict(_pages(context.find_root().command))
    if to is not None:
        to.mkdir(parents=True, exist_ok=True)
        for name, page in pages.items():
            path = to / f"{name}.1"
            path.write_text(page, encoding="utf-8")
            path.chmod(0o644)
        click.echo(f"{len(pages)} pages written to {to}")
        return
    if (name := "-".join(("judge", *words))) not in pages:
        raise click.UsageError(f"there is no command {' '.join(words)}; see: judge --help", context)
    click.echo(pages[name], nl=False)


def _pages(command: click.Command, above: click.Context | None = None) -> Iterator[tuple[str, str]]:
    """The name of each page and its text: of a command, and of all below it."""
    context = click.Context(command, above, info_name=command.name if above else "judge")
    yield context.command_path.replace(" ", "-"), _page(command, context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from _pages(below, context)


def _page(command: click.Command, context: click.Context) -> str:
    """One page in the language of man(7)."""
    name = context.command_path.replace(" ", "-")
    parts = [
        f'.TH "{_roff(name.upper())}" 1 "" "judge {__version__}" "Judge"',
        f".SH NAME\n{_roff(name)} \\- {_roff(command.get_short_help_str(limit=200))}",
        f".SH SYNOPSIS\n.B {_roff(context.command_path)}\n{_roff(' '.join(command.collect_usage_pieces(context)))}",
        f".SH DESCRIPTION\n{_paragraphs(command.help or '')}",
    ]
    records = [param.get_help_record(context) for param in command.get_params(context)]
    if options := [record for record in records if record and record[1]]:
        parts.append(".SH OPTIONS\n" + "\n".join(_tagged(*record) for record in options))
    if isinstance(command, click.Group):
        below = [(sub, command.get_command(context, sub)) for sub in command.list_commands(context)]
        parts.append(
            ".SH COMMANDS\n" + "\n".join(_tagged(sub, found.get_short_help_str(200)) for sub, found in below if found)
        )
    if context.parent is not None:
        parts.append(f".SH SEE ALSO\n.BR {_roff(context.parent.command_path.replace(' ', '-'))} (1)")
    return "\n".join(parts) + "\n"


def _tagged(tag: str, text: str) -> str:
    return f".TP\n.B {_roff(tag)}\n{_roff(text)}"


def _paragraphs(text: str) -> str:
    return "\n.PP\n".join(_roff(" ".join(part.split())) for part in re.split(r"\n\s*\n", text.replace("\b", "")))


def _roff(text: str) -> str:
    """Text that no formatter takes for a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line[:1] in ".'" else line for line in text.splitlines())
