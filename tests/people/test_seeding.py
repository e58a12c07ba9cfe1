"""Seeding: every board is full, nobody meets the same people or plays a power twice where that can be avoided."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.people.tournament import Seed, seed_boards, top_board

SEVEN = tuple((name,) for name in ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"))
TWO_EACH = (("ENGLAND", "ITALY"), ("FRANCE",), ("RUSSIA", "TURKEY"))


@given(st.integers(1, 4), st.sampled_from([SEVEN, TWO_EACH]), st.integers(0, 9), st.randoms(use_true_random=False))
def test_every_board_has_every_hand_once_and_everybody_plays_once(count: int, hands: tuple, lot: int, chance) -> None:  # type: ignore[no-untyped-def,type-arg]
    seeds = [Seed(person, chance.uniform(1000, 2000)) for person in range(count * len(hands))]
    boards = seed_boards(seeds, hands, lot)
    assert [sorted(board.values()) for board in boards] == [sorted(hands)] * count
    assert sorted(person for board in boards for person in board) == list(range(len(seeds)))
    assert boards == seed_boards(seeds, hands, lot)


@pytest.mark.parametrize("lot", range(3))
def test_in_a_second_round_nobody_plays_their_power_again(lot: int) -> None:
    first = seed_boards([Seed(person) for person in range(21)], SEVEN, lot)
    seeds = [_after(person, [first]) for person in range(21)]
    second = seed_boards(seeds, SEVEN, lot + 1)
    assert not [
        person for board in second for person, hand in board.items() if _after(person, [first]).played.get(hand[0])
    ]


@pytest.mark.parametrize("lot", range(3))
def test_in_a_second_round_few_meet_again(lot: int) -> None:
    """Of seven at each of three boards three must meet again somewhere: each board of 7 is filled from three of 7."""
    first = seed_boards([Seed(person) for person in range(21)], SEVEN, lot)
    second = seed_boards([_after(person, [first]) for person in range(21)], SEVEN, lot + 1)
    met = {pair for board in first for pair in combinations(sorted(board), 2)}
    again = [pair for board in second for pair in combinations(sorted(board), 2) if pair in met]
    assert len(again) == 15  # 3 + 2 + 2 from each board: 3 + 1 + 1 pairs, at each of three boards


def test_boards_are_equally_strong() -> None:
    boards = seed_boards([Seed(person, 1000 + 50 * person) for person in range(21)], SEVEN, 1)
    strengths = [sum(1000 + 50 * person for person in board) for board in boards]
    assert max(strengths) - min(strengths) <= 0.01 * max(strengths)


def test_wishes_are_served_where_nothing_else_speaks() -> None:
    seeds = [Seed(place, wishes=((hand[0],),)) for place, hand in enumerate(reversed(SEVEN))]
    (board,) = seed_boards(seeds, SEVEN, 5)
    assert [board[place] for place in range(7)] == list(reversed(SEVEN))


def test_the_top_board_has_the_best() -> None:
    boards = top_board([Seed(person) for person in (5, 3, 1, 4, 0, 2)], TWO_EACH, 1)
    assert [set(board) for board in boards] == [{5, 3, 1}, {4, 0, 2}]


def test_what_does_not_fit_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="fill the boards"):
        seed_boards([Seed(1)], TWO_EACH, 1)


def _after(person: int, rounds: list[list[dict[int, tuple[str, ...]]]]) -> Seed:
    boards = [board for boards in rounds for board in boards if person in board]
    met = {other: 1 for board in boards for other in board if other != person}
    return Seed(person, met=met, played={board[person][0]: 1 for board in boards})
