"""`judge map`: show boards, check them, and make one out of a `.map` file of other judges."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from judge.board.dotmap import MapError, board_toml, read_map
from judge.board.lint import LintReport, lint, load_expectation
from judge.board.load import available_boards, load_board
from judge.board.model import Board, Location, Power
from judge.board.sheet import BoardError
from judge.cli.common import boards_folder
from judge.cli.draw import build_command, draw_command
from judge.draw.lint import lint_picture
from judge.draw.shelf import picture_of
from judge.draw.topology import read_topology
from judge.rules.calendar import CALENDAR_1976

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


_maps = click.option(
    "--maps",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder of the boards, if not the one that ships.",
)
_json = click.option("--json", "as_json", is_flag=True, help="For machines: one JSON object per board.")


@click.group("map")
def map_group() -> None:
    """Look at the boards, and prove them right."""


map_group.add_command(draw_command)
map_group.add_command(build_command)
map_group.add_command(import_command)


@map_group.command("lint")
@click.argument("name", required=False)
@_maps
@_json
@click.pass_context
def lint_command(context: click.Context, name: str | None, maps: Path | None, *, as_json: bool) -> None:
    """Check board NAME, or all boards: form, totals, coasts, drawing, reach, picture.

    Prints every figure with what was expected, then a sentence for everything that is wrong; then the exit code is 1.
    """
    home = boards_folder(context, maps)
    reports = [_lint_one(home / key) for key in _chosen(home, name)]
    for report in reports:
        click.echo(json.dumps(_report_json(report)) if as_json else "\n".join(_report_lines(report)))
    if any(report.problems for report in reports):
        raise SystemExit(1)


@map_group.command("show")
@click.argument("name")
@_maps
@_json
@click.pass_context
def show_command(context: click.Context, name: str, maps: Path | None, *, as_json: bool) -> None:
    """Show the facts of board NAME: powers, spaces, borders."""
    home = boards_folder(context, maps)
    (key,) = _chosen(home, name)
    try:
        board = load_board(home / key)
    except BoardError as error:
        click.echo(str(error), err=True)
        raise SystemExit(1) from None
    click.echo(json.dumps(_board_json(board)) if as_json else "\n".join(_board_lines(board)))


def _chosen(home: Path, name: str | None) -> tuple[str, ...]:
    known = available_boards(home)
    if not known:
        raise click.UsageError(f"there are no boards in {home}; name their folder with --maps")
    if name is None:
        return known
    if name not in known:
        raise click.UsageError(f'there is no board "{name}"; the boards are: {", ".join(known)}')
    return (name,)


def _lint_one(place: Path) -> LintReport:
    try:
        board = load_board(place)
        return _with_picture(lint(board, load_expectation(place)), board, place)
    except BoardError as error:
        return LintReport(place.name, (), tuple(str(problem) for problem in error.problems))


def _with_picture(report: LintReport, board: Board, place: Path) -> LintReport:
    """The report, and what is to be said of the board's picture if it has one."""
    path = picture_of(place)
    if not path.is_file():
        return report
    try:
        picture = lint_picture(board, read_topology(path))
    except ValueError as error:
        return report._replace(problems=(*report.problems, str(error)))
    return report._replace(figures=report.figures + picture.figures, problems=report.problems + picture.problems)


# -- lint, for eyes and machines -----------------------------------------------------------------------------------


def _report_lines(report: LintReport) -> Iterator[str]:
    yield report.board
    told = set()
    for figure in report.figures:
        mark = "  " if figure.found == figure.expected or not figure.expected else "! "
        expected = f", expected {figure.expected}" if mark == "! " else ""
        told.add(f"{figure.name}: {figure.found}{expected}")
        remark = f" ({figure.remark})" if figure.remark else ""
        yield f"  {mark}{figure.name:<18} {figure.found}{expected}{remark}"
    yield from (f"  ! {problem}" for problem in report.problems if problem not in told)
    yield f"  {len(report.problems)} problems" if report.problems else "  right"


def _report_json(report: LintReport) -> dict[str, Any]:
    figures = [figure._asdict() for figure in report.figures]
    return {"board": report.board, "ok": not report.problems, "figures": figures, "problems": list(report.problems)}


# -- show, for eyes and machines -----------------------------------------------------------------------------------


def _board_lines(board: Board) -> Iterator[str]:
    yield f"{board.title} ({board.key})" + (f" - {board.reconstruction}" if board.reconstruction else "")
    first = CALENDAR_1976.title(board.first_phase)
    yield f"First phase: {first}. Victory: {board.victory} of {len(board.centres)} centres."
    yield ""
    for power in board.powers.values():
        yield f"{power.name} ({power.letter}, {power.colour or 'no colour'}): {', '.join(power.start)}"
    yield ""
    for code, province in board.provinces.items():
        centre = f", centre{_whose(board, code)}" if province.centre else ""
        yield f"{code}  {province.name} ({province.terrain}{centre})"
        yield from _border_lines(board, code, province.locations())
    yield from (f"{name}: {why}" for name, why in board.impassable.items())


def _whose(board: Board, code: str) -> str:
    home = board.home_of.get(code)
    return f" of {board.powers[home].name}" if home else ""


def _border_lines(board: Board, code: str, locations: tuple[Location, ...]) -> Iterator[str]:
    for kind in board.kinds.values():
        for place in dict.fromkeys((code, *locations)):
            if others := board.reach(kind.letter, place):
                coast = place.removeprefix(code)
                yield f"     {kind.name}{coast}: {' '.join(others)}"


def _board_json(board: Board) -> dict[str, Any]:
    return {
        "board": board.key,
        "title": board.title,
        "reconstruction": board.reconstruction,
        "first_phase": str(board.first_phase),
        "victory": board.victory,
        "powers": {power.key: _power_json(power) for power in board.powers.values()},
        "provinces": {
            code: {
                "name": province.name,
                "terrain": str(province.terrain),
                "centre": province.centre,
                "home": board.home_of.get(code),
                "territory": province.territory,
                "coasts": list(province.coasts),
                "aliases": list(province.aliases),
                "facts": dict(province.facts),
            }
            for code, province in board.provinces.items()
        },
        "borders": [
            {
                "between": [border.a, border.b],
                "kinds": sorted(border.kinds),
                "closures": [asdict(closure) for closure in border.closures],
            }
            for border in board.borders
        ],
        "ambiguous": {short: list(codes) for short, codes in board.ambiguous.items()},
        "impassable": dict(board.impassable),
        "facts": dict(board.facts),
    }


def _power_json(power: Power) -> dict[str, Any]:
    return {
        "name": power.name,
        "adjective": power.adjective,
        "letter": power.letter,
        "colour": power.colour,
        "homes": list(power.homes),
        "start": list(power.start),
        "aliases": list(power.aliases),
        "minor": power.minor,
        "facts": dict(power.facts),
    }
