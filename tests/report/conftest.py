"""Tables to play at: the start, the sample game, and the letters of whatever happened last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.game.core.events import Event
from judge.mail.letters import Printer
from judge.report.core.letter import Letter, plain
from judge.report.mailing import letters_for
from tests.support.builders import Table, cast_of
from tests.support.sample import sample_game

MAPS = Path(__file__).parents[2] / "maps"

Letters = Callable[..., tuple[Letter, ...]]

PRESS = Printer(MAPS.parent / "templates")


def spoken(fact: Any) -> Any:
    """A view, or a fact of one, in the words of the templates."""
    return PRESS.spoken(plain(fact))


def read(letter: Letter) -> Letter:
    """A letter whose view says in words what it tells."""
    return replace(letter, view=spoken(letter.view))


@pytest.fixture
def table() -> Table:
    """A game that has just begun."""
    return Table(MAPS).seated().started()


@pytest.fixture
def fall_1902() -> Table:
    """The sample game after the moves of Fall 1902: a French and a Russian army must retreat."""
    return sample_game(MAPS, 5)


@pytest.fixture
def letters() -> Letters:
    """The letters of a table's last command in words, optionally to some seats only."""

    def of(table: Table, *seats: str, earlier: Sequence[Event] = ()) -> tuple[Letter, ...]:
        cast = cast_of(zones={3: "Europe/Berlin"})
        made = letters_for(table.before, table.last, table.game, cast, earlier)
        return tuple(read(letter) for letter in made if not seats or letter.seat in seats)

    return of
