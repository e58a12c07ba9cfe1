"""Which readers share lines: where two would take one, the order of `READERS` decides, and each such pair is known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.mail.script import ScriptContext
from judge.mail.script.builder import ScriptBuilder
from judge.mail.script.copies import plain_line
from judge.mail.script.cursor import Cursor, LineToRead
from judge.mail.script.reader import READERS
from tests.script.test_plain_words import rows
from tests.script.test_small_talk import PIECES

SHARED = """
several sentences: an order; a question; a call for help; a wish for more time; a wish put as a question; a command
an order: a command cut short
a command in another language: a command
a player named for a power: a command
an idiom: an order; a command; a command cut short
a word of other judges: a command; a heading
a question: a call for help; a question about your own orders; a command
a setting: a command; a command cut short
a condition that I do not know: an order
a wish for more time: a command
a question about your own orders: a command
a command: an order; a heading; a command cut short
a heading: an order
"""
"""The reader that takes a line, and those behind it that would take it too. The last reader takes every line."""

_TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
_STEP = 16
"""Of all lines, each so many is looked at in every run."""


def lines() -> tuple[str, ...]:
    """Single lines of every kind: of the tables of this folder, of small talk, and of the transcripts."""
    table = Path(__file__).with_name("commands.txt").read_text(encoding="utf-8").splitlines()
    found = [re.split(r"\s+->", line)[0] for line in table if " -> " in line and not line.startswith("#")]
    found += [sentence for _, _, sentence in rows()]
    found += [line for piece in PIECES for line in piece.splitlines()]
    for path in sorted(_TRANSCRIPTS.glob("*.mail")):
        found += [line[3:] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("-> ")]
    return tuple(dict.fromkeys(filter(None, map(str.strip, found))))


def takers(line: str, context: ScriptContext) -> Iterator[str]:
    """The readers that would take a line, each asked by itself, but for the last, which takes every line."""
    for name, reads in READERS[:-1]:
        cursor = Cursor(ScriptBuilder(), context, [(1, line)], READERS)
        cursor.at = 1
        if reads(cursor, LineToRead(1, line, plain_line(line), ())):
            yield name


def shared(found: tuple[str, ...], *writers: ScriptContext) -> set[tuple[str, str]]:
    """The pairs of readers that share one of these lines."""
    takes = (list(dict.fromkeys(takers(line, writer))) for line in found for writer in writers)
    return {(names[0], name) for names in takes for name in names[1:]}


def written() -> set[tuple[str, str]]:
    """The pairs of the table."""
    found = (row.split(": ", 1) for row in SHARED.strip().splitlines())
    return {(first, name) for first, others in found for name in others.split("; ")}


@pytest.fixture
def writers(player: ScriptContext, gm: ScriptContext) -> tuple[ScriptContext, ...]:
    """A player of a game in which some are known by name, and its Gamemaster."""
    return replace(player, players_of=lambda game: {"anna": ("GERMANY",), "tom": ("RUSSIA", "TURKEY")}), gm


def test_readers_share_only_the_lines_that_are_known(writers: tuple[ScriptContext, ...]) -> None:
    assert shared(lines()[::_STEP], *writers) <= written()


@pytest.mark.long
def test_each_pair_of_readers_that_is_known_shares_a_line(writers: tuple[ScriptContext, ...]) -> None:
    assert shared(lines(), *writers) == written()


def test_a_reader_is_named_once_but_for_orders() -> None:
    names = [name for name, _ in READERS]
    assert [name for name in names if names.count(name) > 1] == ["an order"] * 3
