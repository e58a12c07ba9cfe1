"""`judge map import`: a board out of a `.map` file of other judges."""

from __future__ import annotations

import re
from pathlib import Path

import click

from judge.board.dotmap import MapError, board_toml, read_map
from judge.board.lint import lint
from judge.board.load import load_board
from judge.board.sheet import BoardError
from judge.cli.common import boards_folder

_KEY = re.compile(r"[a-z][a-z0-9-]{1,31}")


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--name", help="The board's name here, if not that of the file.")
@click.option(
    "--maps",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder of the boards, if not the one of this judge.",
)
@click.option("--replace", is_flag=True, help="Write over a board of that name.")
@click.pass_context
def import_command(context: click.Context, file: Path, name: str | None, maps: Path | None, *, replace: bool) -> None:
    """Make a board of FILE, a `.map` file as DPjudge and the Python package diplomacy have them.

    Files that it includes are looked for beside it. Prints the lines that were not understood (the exit code is 1
    then), what has no counterpart here and what looks wrong; the board can be played at once under any rules that need
    no facts of their own: create NAME map=BOARD.
    """
    key = name or file.stem.lower().replace("_", "-")
    if not _KEY.fullmatch(key):
        raise click.UsageError(f'"{key}" cannot name a board: use small letters, digits and -, and give it as --name')
    target = boards_folder(context, maps) / key / "board.toml"
    if target.exists() and not replace:
        raise click.UsageError(f"there is a board {key} already; write over it with --replace, or use --name")
    try:
        found = read_map(file.name, lambda other: _beside(file, other))
        text, remarks = board_toml(found)
    except MapError as error:
        raise click.ClickException(str(error)) from None
    before = target.read_text(encoding="utf-8") if target.exists() else None
    target.parent.mkdir(exist_ok=True)
    target.write_text(text, encoding="utf-8")
    try:
        board = load_board(target.parent)
    except BoardError as error:
        _take_back(target, before)
        raise click.ClickException(f"this makes no board; nothing was written\n{error}") from None
    powers, centres = len(board.powers), len(board.centres)
    click.echo(f"{target}: {powers} powers, {len(board.provinces)} spaces, {centres} centres, {board.victory} to win")
    for line in found.unread:
        click.echo(f"  not understood: {line}")
    for remark in remarks:
        click.echo(f"  not taken over: {remark}")
    for problem in lint(board, None).problems:
        click.echo(f"  look at this: {problem}")
    click.echo(f"Play it: create NAME map={key}   Look at it: judge map show {key}, judge map draw {key} FILE.svg")
    if found.unread:
        raise SystemExit(1)


def _beside(file: Path, name: str) -> str:
    """The text of a file in the same folder; KeyError where there is none."""
    path = file.parent / Path(name).name
    if not path.is_file():
        raise KeyError(name)
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        return path.read_text(encoding="latin-1")


def _take_back(target: Path, before: str | None) -> None:
    if before is not None:
        target.write_text(before, encoding="utf-8")
        return
    target.unlink()
    target.parent.rmdir()
