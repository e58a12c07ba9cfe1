"""Retreats in order of liking: the first that is open is made."""

import pytest

from judge.game.core.commands import Decision, Status
from tests.support.builders import Table


def filed(table: Table) -> list[str]:
    return [line.order for line in table.game.sheets["FRANCE"].lines]


@pytest.mark.parametrize(
    ("written", "on_file"),
    [
        ("A Bur - Gas, Par, or disband", "A BUR R GAS OR PAR OR D"),
        ("A Bur R Par or Gas", "A BUR R PAR OR GAS"),
        ("A Bur retreats to Picardy, else to Paris", "A BUR R PIC OR PAR"),
        ("retreat: Gas, Pic, Par", "A BUR R GAS OR PIC OR PAR"),
        ("A Bur - Ruh, Gas", "A BUR R GAS"),
    ],
)
def test_a_list_goes_on_file_as_it_is_ranked(fallen: Table, written: str, on_file: str) -> None:
    fallen.orders("FRANCE", written)
    assert filed(fallen) == [on_file]


def test_the_first_open_place_is_taken(fallen: Table) -> None:
    fallen.orders("FRANCE", "A Bur - Gas, Par, or disband")
    fallen.process()
    position = fallen.game.position
    assert position is not None
    assert "A GAS" in {str(unit) for unit in position.of("FRANCE")}


def test_a_place_that_nobody_knows_is_asked_back(fallen: Table) -> None:
    answer = fallen.orders("FRANCE", "A Bur - Gas, Xanadu")
    assert isinstance(answer, Decision)
    assert answer.verdicts[0].status is Status.REFUSED
