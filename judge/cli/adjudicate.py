"""`judge adjudicate`: phases in, results out, one JSON object a line; nothing is stored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from judge.adjudicate.jsonl import BadPhase, adjudicate_object
from judge.board.load import load_board
from judge.board.model import Board
from judge.board.sheet import BoardError
from judge.resources import folder
from judge.rules import Rules, UnknownChoice
from judge.variants import UnknownRules, rules_for


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
@click.option("--choice", "choices", multiple=True, metavar="NAME=VALUE", help="Answer one choice otherwise.")
@click.option("--explain", "explained", is_flag=True, help="Say in a sentence why each order ended as it did.")
def adjudicate_command(
    source: str | None,
    map_name: str,
    rules_name: str,
    choices: tuple[str, ...],
    explained: bool,  # noqa: FBT001
) -> None:
    """Adjudicate phases given as JSON, one a line; answer one a line.

    A line that is no phase is answered with {"id", "error"}, and the stream goes on; the exit code is 1 then.
    """
    if source is None:
        raise click.UsageError("say where the phases come from: --jsonl FILE, or --jsonl for standard input")
    board, rules = _board(map_name), _rules(rules_name, choices)
    wrong = 0
    for line in _lines(source):
        answer = answer_line(line, board, rules, explained=explained)
        wrong += "error" in answer
        click.echo(json.dumps(answer, ensure_ascii=False))
    if wrong:
        raise SystemExit(1)


def answer_line(line: str, board: Board, rules: Rules, *, explained: bool = False) -> dict[str, Any]:
    """The answer to one line, whatever it contains."""
    try:
        data = json.loads(line)
    except ValueError as error:
        return {"id": None, "error": f"this is no JSON: {error}"}
    if not isinstance(data, dict):
        return {"id": None, "error": "this is no JSON object"}
    try:
        return adjudicate_object(data, board, rules, explained=explained)
    except BadPhase as error:
        return {"id": data.get("id"), "error": str(error)}


def _lines(source: str) -> Iterator[str]:
    with click.open_file(source, encoding="utf-8", errors="replace") as stream:
        for line in stream:
            if line.strip():
                yield line


def _board(name: str) -> Board:
    home = folder("maps")
    if not (Path(home) / name / "board.toml").exists():
        known = ", ".join(sorted(each.parent.name for each in Path(home).glob("*/board.toml")))
        raise click.BadParameter(f"there is no board {name!r}; there are {known}", param_hint="--map")
    try:
        return load_board(Path(home) / name)
    except BoardError as error:
        raise click.ClickException(str(error)) from error


def _rules(name: str, choices: tuple[str, ...]) -> Rules:
    try:
        rules = rules_for(name)
        return rules.with_choices(dict(_choice(choice) for choice in choices))
    except UnknownRules as error:
        raise click.BadParameter(str(error), param_hint="--rules") from error
    except UnknownChoice as error:
        raise click.BadParameter(str(error), param_hint="--choice") from error


def _choice(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--choice")
    return name, value
