"""The scene in which the mails of these tests are read: tannenburg in Spring 1901, at noon (UTC) of a Tuesday."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import pytest

from judge.board.load import load_board
from judge.board.model import Board
from judge.board.position import start_position
from judge.game.core.commands import OrderLine, Role, Submit
from judge.mail.queries import ForPerson
from judge.mail.quoting import classify_lines
from judge.mail.script import Script, ScriptContext, read_script
from judge.pace import show_span

NOON = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)


class ReadMail(Protocol):
    """Reads a mail as the service does; `to` is a context, other keywords change it."""

    def __call__(self, text: str, *, subject: str = "", **context: Any) -> Script: ...


@pytest.fixture(scope="session")
def board() -> Board:
    return load_board(Path(__file__).parents[2] / "maps" / "standard")


@pytest.fixture(scope="session")
def player(board: Board) -> ScriptContext:
    """What is known of a mail to France's seat."""
    return ScriptContext(
        now=NOON,
        zone=ZoneInfo("Europe/Berlin"),
        role=Role.PLAYER,
        game="tannenburg",
        board=board,
        position=start_position(board),
        powers=("FRANCE",),
        games={"tannenburg": board, "verdun": board},
        offered=lambda: ("tannenburg", "verdun"),
        domain="judge.test",
    )


@pytest.fixture(scope="session")
def gm(player: ScriptContext) -> ScriptContext:
    """What is known of a mail to the Gamemaster's seat."""
    return replace(player, role=Role.GM, powers=())


@pytest.fixture(scope="session")
def stranger(player: ScriptContext) -> ScriptContext:
    """What is known of a mail to judge@."""
    return replace(player, role=Role.STRANGER, powers=(), game="", board=None, position=None)


@pytest.fixture(scope="session")
def mail(player: ScriptContext) -> ReadMail:
    """Reads a mail to France's seat, unless `to` says otherwise."""

    def read(text: str, *, subject: str = "", **context: Any) -> Script:
        scene = replace(context.pop("to", player), **context)
        return read_script(classify_lines(text.splitlines()), subject=subject, context=scene)

    return read


@pytest.fixture(scope="session")
def shown() -> Callable[[Script], list[str]]:
    """Writes a script down as commands.txt does, one string for each request, question and ignored line."""
    return lambda script: list(_shown(script))


def _shown(script: Script) -> Iterator[str]:
    for said in script.said:
        where = f" in {said.game}" if said.game not in ("", "tannenburg") else ""
        yield _request(said.request) + where + (" abbreviated" if "abbreviated" in said.notes else "")
    for unread in script.unread:
        yield f"? {unread.reason}" + (f": {' | '.join(unread.candidates)}" if unread.candidates else "")
    for ignored in script.ignored:
        if ignored.line and ignored.why != "blank":
            yield f"({ignored.why})"


def _request(request: object) -> str:
    if isinstance(request, Submit):
        marks = "".join(f" {mark}" for mark in (request.power, request.turn, "replace" * request.replace) if mark)
        return f"orders{marks} " + " / ".join(map(_order_line, request.lines))
    if isinstance(request, ForPerson):
        return f"{_request(request.command)} for {request.address}"
    values = [(field.name, getattr(request, field.name), field.default) for field in fields(request)]  # type: ignore[arg-type]
    said = [f"{name}={_value(value)}" for name, value, default in values if value != default and value not in ("", ())]
    return f"{type(request).__name__}({' '.join(said)})"


def _order_line(line: OrderLine) -> str:
    """As written; behind "?" why it is asked back, and what is offered instead."""
    doubt = line.doubt
    return line.text + (f" ?{doubt.reason} {' | '.join(doubt.proposals)}".rstrip() if doubt else "")


def _value(value: object) -> str:
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%MZ")
    if isinstance(value, timedelta):
        return show_span(value)
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return "/".join("+".join(part) if isinstance(part, tuple) else str(part) for part in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value).replace("\n", "\\n")
    return f'"{text}"' if " " in text else text
