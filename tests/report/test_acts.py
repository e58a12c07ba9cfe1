"""The log in sentences: every kind of event has one, and none tells what is secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.game.clock.holds import HoldGame
from judge.game.core import commands as cmd
from judge.game.core.events import kinds
from judge.game.talk.ballots import ProposeDraw, Vote
from judge.game.talk.epilogue import Diary
from judge.mail.letters.words import sentences
from judge.report.table.acts import Teller, act_key
from tests.report.conftest import spoken
from tests.support.builders import Table, cast_of

TABLE = sentences(Path(__file__).parents[2] / "templates" / "words")


def log(table: Table) -> str:
    teller = Teller(table.game, cast_of())
    return "\n".join(spoken(teller.tell(event)) for event in table.events)


def test_every_kind_of_event_is_told() -> None:
    for kind in kinds().values():
        assert all(hasattr(kind, name) for name in kind.told.split(",") if name not in ("", "made")), kind
        assert f"words:{act_key(kind)}" in TABLE


@pytest.fixture
def busy(table: Table) -> Table:
    """A table at which everything secret was written."""
    table.orders("FRANCE", "A Par - Bur")
    table.tell(cmd.SendPress("Shall we?", to=("ENGLAND",)), table.player("FRANCE"))
    table.tell(
        cmd.SendPress("I know.", to=("RUSSIA",), colour=cmd.Colour.BLACK, dateline="VIENNA"), table.player("ITALY")
    )
    table.tell(cmd.SendPress("Peace to all.", everyone=True), table.player("FRANCE"))
    table.tell(Diary("I do not trust them."), table.player("FRANCE"))
    table.tell(ProposeDraw(), table.player("ITALY"))
    table.tell(Vote(aye=False), table.player("TURKEY"))
    return table


@pytest.mark.parametrize("secret", ["Shall we?", "I know.", "Peace", "trust", "nay"])
def test_what_is_secret_from_the_gamemaster_stays_so(busy: Table, secret: str) -> None:
    assert secret not in log(busy)


@pytest.mark.parametrize(
    "sentence",
    [
        "game tannenburg created, for Gina",
        "powers drawn by lot (seed 7), in the order of seats: Austria-Hungary, England, France, Germany, Italy, ",
        "Spring 1901 moves due by ",
        "orders of France for Spring 1901 moves, set 1: A Par - Bur",
        "white press 1 to England",
        'black press 2 to Russia as "VIENNA"',
        "white press 3 to everybody",
        "a page is added to the diary of France",
        "vote 1 called, draw: ",
        "a ballot in vote 1",
    ],
)
def test_the_rest_is_told_in_words(busy: Table, sentence: str) -> None:
    assert sentence in log(busy)


def test_no_sentence_has_the_marks_of_a_program_in_it(busy: Table) -> None:
    busy.process()
    busy.tell(HoldGame("holidays"), busy.gm)
    busy.tell(cmd.Assign("TURKEY", 8), busy.gm)
    assert not any(mark in log(busy) for mark in ("{", "['", "True", "None", "FRANCE", "S1901M"))
    assert "Turkey is played by Hal" in log(busy) and "game put on hold: holidays" in log(busy)
