"""`judge adjudicate`: phases in, results out, one JSON object a line; nothing is stored."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, cast

import click

from judge.adjudicate.jsonin import BadPhase
from judge.adjudicate.jsonl import answer_line, read_lines, write_line
from judge.board.load import available_boards, load_board
from judge.board.model import Board
from judge.board.sheet import BoardError
from judge.cli.common import boards_folder
from judge.rules import Rules, UnknownChoice
from judge.variants import UnknownRules, rules_for
from judge.variants.tables import OPTIONS, Tables, read_option


@click.command("adjudicate")
@click.option(
    "--jsonl",
    "source",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    help="Read one JSON object a line from FILE, or from standard input.",
)
@click.option("--map", "map_name", default="standard", show_default=True, help="The board.")
@click.option("--rules", "rules_name", default="1976", show_default=True, help="The rules: a preset or a variant.")
@click.option(
    "--choice",
    "choices",
    multiple=True,
    metavar="NAME=VALUE",
    help="Answer one choice of the rules otherwise, or say what counts where a line has no such option.",
)
@click.option("--explain", "explained", is_flag=True, help="Say in a sentence why each order ended as it did.")
@click.pass_context
def adjudicate_command(
    context: click.Context,
    source: str | None,
    map_name: str,
    rules_name: str,
    choices: tuple[str, ...],
    explained: bool,  # noqa: FBT001
) -> None:
    """Adjudicate phases given as JSON, one a line; answer one a line.

    A line that is no phase is answered with {"id", "error"}, and the stream goes on; the exit code is 1 then. Units
    that cannot be where they are together are named under "flaws": {"code", "where", "what"} each. Blank lines are
    skipped.

    In: {"id", "phase", "units", "centers", "dislodged", "orders"}. The phase is one of S1901M, S1901R, F1901M, F1901R,
    W1901A. Out: {"id", "units", "dislodged", "centers", "outcomes", "corrected", "unread"}, as all stands after the
    phase. The answer names no next phase; after S1901M comes S1901R, whether or not anybody must retreat.

    Centres change hands at the end of F1901R: run it with "dislodged": {} where nobody must retreat, and take its
    "centers" to W1901A. A unit under "dislodged" with an empty list had nowhere to go, and is lost.

    What a rule system remembers of units, powers and spaces stands under "marks", in and out, where there is any:
    {"units": {"A TYR": {"entered": "S1891M", "entered_from": "MUN"}}}.

    What the settings of a game say may stand under "options": {"players": "six", "first_year": 1914, "disorder":
    ["ITALY"]}; --choice players=six says it for every line that does not. A power in civil disorder, or in no player's
    hand, is not ordered: its lines come back as unread, with the reason "civil-disorder".

    Of several orders for one unit the last counts, of too many builds the first. In every other way the sequence of
    powers, units and orders means nothing.
    """
    if source is None:
        raise click.UsageError("say where the phases come from: --jsonl FILE, or --jsonl for standard input")
    said = dict(_choice(choice) for choice in choices)
    usual = {name: read_option(name, said.pop(name)) for name in OPTIONS if name in said}
    rules = _rules(rules_name, said)
    board = _board(boards_folder(context), map_name)
    tables = Tables(board, rules, usual)
    try:
        tables.table(None)
    except BadPhase as error:
        raise click.BadParameter(str(error), param_hint="--choice") from error
    wrong = 0
    with _opened(source) as stream:
        for line in read_lines(stream):
            answer = answer_line(line, board, rules, explained=explained, options=tables.table)
            wrong += "error" in answer
            click.echo(write_line(answer))
    if wrong:
        raise SystemExit(1)


def _opened(source: str) -> BinaryIO:
    try:
        return cast(BinaryIO, click.open_file(source, "rb"))
    except OSError as error:
        raise click.BadParameter(f"{source}: {error.strerror}", param_hint="--jsonl") from error


def _board(home: Path, name: str) -> Board:
    known = available_boards(home)
    if name not in known:
        raise click.BadParameter(f"there is no board {name!r}; there are {', '.join(known)}", param_hint="--map")
    try:
        return load_board(home / name)
    except BoardError as error:
        raise click.ClickException(str(error)) from error


def _rules(name: str, choices: dict[str, str]) -> Rules:
    try:
        return rules_for(name).with_choices(choices)
    except UnknownRules as error:
        raise click.BadParameter(str(error), param_hint="--rules") from error
    except UnknownChoice as error:
        raise click.BadParameter(
            f"{error}; of a game's settings {', '.join(OPTIONS)}", param_hint="--choice"
        ) from error


def _choice(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--choice")
    return name, value
