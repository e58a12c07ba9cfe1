"""A wish that no line fulfils is answered with the commands next to it, which whoever reads of them may write."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from judge.game.core.commands import Role
from judge.mail.script.phrases import asked, wished
from judge.mail.script.phrases.answers import SAID
from judge.mail.vocabulary import BY_NAME, find_verb, may_use


def _named(told: str) -> Iterator[str]:
    """The commands in a sentence; not those of which it says that they are somebody else's."""
    yield from re.findall(r"`([^`]+)`", re.sub(r"The Gamemaster may `[^`]+`", "", told))


def _of_gamemasters() -> Iterator[str]:
    for told in map(SAID.__getitem__, wished.TOLD_THE_GAMEMASTER):
        yield from _named(told)
        yield from re.findall(r"(?:like this|when): (.+)$", told)


@pytest.mark.parametrize(
    ("role", "lines"),
    [(Role.PLAYER, [line for told in wished.TOLD for line in _named(SAID[told])]), (Role.GM, list(_of_gamemasters()))],
    ids=["player", "gamemaster"],
)
def test_what_is_named_may_be_written(role: Role, lines: list[str], subtests: pytest.Subtests) -> None:
    assert len(lines) > 3
    for line in lines:
        with subtests.test(line=line):
            match = find_verb(line)
            said = {Role.GM: "The Gamemaster", Role.PLAYER: "A player"}[role]
            assert match is not None, f"`{line}` is no command"
            assert may_use(match.verb, role), f"{said} may not write `{line}`"


def test_what_a_phrase_comes_to_is_a_command() -> None:
    words = {"power": "Italy", "address": "ann@new.test", "zone": "Europe/Paris", "span": "2 days", "count": "18"}
    words |= {"name": "Ann", "game": "tannenburg", "text": "hello", "setting": "moves", "rest": "3d"}
    tables = (asked.ASKED, asked.IN_NEED, wished.OFFERED, wished.TAKEN_OVER, wished.OF_A_GAMEMASTER)
    for line in (line for table in tables for line in table):
        assert find_verb(line.format(**words)) is not None, line


def test_what_is_near_is_a_command() -> None:
    assert all(name in BY_NAME for _, names in wished.NEAR for name in names)
