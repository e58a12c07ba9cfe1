"""Powers whose letters are not unique: such a letter is asked back with the names, all others are understood."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from judge.board.model import Board
from judge.mail.vocabulary import Unclear
from judge.mail.vocabulary.powers import read_powers, read_preferences


@pytest.fixture(scope="module")
def shared(board: Board) -> Board:
    """The standard board, on which Germany and Turkey have the letter of Russia."""
    powers = {
        key: replace(power, letter="R") if key in ("GERMANY", "TURKEY") else power
        for key, power in board.powers.items()
    }
    return replace(board, powers=MappingProxyType(powers))


@pytest.mark.parametrize("text", ["R", "r", "FR", "ER"])
def test_a_letter_that_several_powers_have_is_asked_back(text: str, shared: Board) -> None:
    found = read_powers(text, shared)
    assert isinstance(found, Unclear)
    assert found.sentence == f'"{text[-1]}" can be Germany, Russia or Turkey; write the name.'
    assert found.candidates == ("Germany", "Russia", "Turkey")


def test_other_letters_and_names_are_understood(shared: Board) -> None:
    assert read_powers("FE", shared) == ("FRANCE", "ENGLAND")
    assert read_powers("Russia, F", shared) == ("RUSSIA", "FRANCE")


def test_a_preference_list_with_such_a_letter_is_asked_back(shared: Board) -> None:
    found = read_preferences("F R E", shared)
    assert isinstance(found, Unclear) and "Germany, Russia or Turkey" in found.sentence
