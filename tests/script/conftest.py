"""The scene in which the mails of these tests are read: France's player in tannenburg, at noon of a Tuesday."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import pytest

from judge.board.load import load_board
from judge.board.model import Board
from judge.board.position import start_position
from judge.game.commands import Role
from judge.mail.quoting import classify_lines
from judge.mail.script import Script, ScriptContext, read_script

NOON = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)
"""A Tuesday."""


class ReadMail(Protocol):
    """Reads a mail as the service does; keywords change the context."""

    def __call__(self, text: str, *, subject: str = "", **context: Any) -> Script: ...


@pytest.fixture(scope="session")
def board() -> Board:
    return load_board(Path(__file__).parents[2] / "maps" / "standard")


@pytest.fixture(scope="session")
def france(board: Board) -> ScriptContext:
    """What is known of a mail to France's seat in Spring 1901."""
    return ScriptContext(
        now=NOON,
        zone=ZoneInfo("Europe/Berlin"),
        role=Role.PLAYER,
        game="tannenburg",
        board=board,
        position=start_position(board),
        powers=("FRANCE",),
        games={"tannenburg": board, "verdun": board},
        domain="judge.test",
    )


@pytest.fixture(scope="session")
def gm(france: ScriptContext) -> ScriptContext:
    """What is known of a mail to the Gamemaster's seat."""
    return replace(france, role=Role.GM, powers=())


@pytest.fixture(scope="session")
def stranger(france: ScriptContext) -> ScriptContext:
    """What is known of a mail to judge@."""
    return replace(france, role=Role.STRANGER, powers=(), game="", board=None, position=None)


@pytest.fixture(scope="session")
def mail(france: ScriptContext) -> ReadMail:
    """Reads a mail to France's seat, or in the context given as `to`."""

    def read(text: str, *, subject: str = "", **context: Any) -> Script:
        scene = context.pop("to", france)
        return read_script(classify_lines(text.splitlines()), subject=subject, context=replace(scene, **context))

    return read
