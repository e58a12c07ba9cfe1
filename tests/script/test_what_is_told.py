"""A wish that no line fulfils is answered with the commands next to it, which whoever reads of them may write."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from judge.game.core.commands import Role
from judge.mail.script import gmwords, wishes
from judge.mail.vocabulary import BY_NAME, find_verb, may_use


def _named(told: str) -> Iterator[str]:
    """The commands in a sentence; not those of which it says that they are somebody else's."""
    yield from re.findall(r"`([^`]+)`", re.sub(r"The Gamemaster may `[^`]+`", "", told))


def _of_gamemasters() -> Iterator[str]:
    for _, told in gmwords._TOLD:
        yield from _named(told)
        yield from re.findall(r"(?:like this|when): (.+)$", told)


@pytest.mark.parametrize(
    ("role", "lines"),
    [(Role.PLAYER, [line for told in wishes.TOLD for line in _named(told)]), (Role.GM, list(_of_gamemasters()))],
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


def test_what_is_near_is_a_command() -> None:
    assert all(name in BY_NAME for _, names in wishes.NEAR for name in names)
