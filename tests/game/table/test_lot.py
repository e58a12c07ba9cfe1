"""The lot: the only element of chance, recorded, and as kind to everybody's wishes as it can be."""

import hashlib
from collections.abc import Mapping, Sequence
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from judge.game.table.seating import cheapest
from judge.game.table.seating import draw as draw_hands

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
HANDS = tuple((power,) for power in POWERS)
SEATS = ("1", "2", "3", "4", "5", "6", "7")


def draw(seed: int, wishes: Mapping[str, Sequence[Sequence[str]]]) -> dict[str, str]:
    """A lot among seven players of one power each."""
    return {seat: power for seat, (power,) in draw_hands(seed, SEATS, HANDS, wishes).items()}


def test_the_same_seed_draws_the_same_powers() -> None:
    assert draw(1901, {}) == draw(1901, {})


def test_other_seeds_draw_otherwise() -> None:
    assert len({tuple(draw(seed, {}).values()) for seed in range(50)}) > 30


def test_every_power_is_drawn_by_everybody_about_as_often() -> None:
    first = [draw(seed, {})["1"] for seed in range(700)]
    assert all(60 <= first.count(power) <= 145 for power in POWERS)


@given(st.integers(0, 2**63 - 1))
def test_a_wish_that_nobody_shares_is_granted(seed: int) -> None:
    wishes = {"3": [["RUSSIA"]], "5": [["ITALY"], ["FRANCE"]]}
    drawn = draw(seed, wishes)
    assert (drawn["3"], drawn["5"]) == ("RUSSIA", "ITALY")


@given(st.integers(0, 2**63 - 1))
def test_of_two_who_want_the_same_one_gets_it_and_the_other_the_second_wish(seed: int) -> None:
    wishes = {"1": [["FRANCE"], ["ENGLAND"]], "2": [["FRANCE"], ["TURKEY"]]}
    drawn = draw(seed, wishes)
    assert (drawn["1"], drawn["2"]) in {("FRANCE", "TURKEY"), ("ENGLAND", "FRANCE")}


def test_who_gets_the_shared_wish_is_the_lots_choice() -> None:
    wishes = {"1": [["FRANCE"], ["ENGLAND"]], "2": [["FRANCE"], ["TURKEY"]]}
    winners = {draw(seed, wishes)["1"] for seed in range(40)}
    assert winners == {"FRANCE", "ENGLAND"}


@given(st.integers(0, 2**63 - 1), st.permutations(POWERS))
def test_equals_in_a_group_count_alike_and_all_powers_are_given_once(seed: int, order: list[str]) -> None:
    wishes = {"4": [order[:3], order[3:]]}
    drawn = draw(seed, wishes)
    assert drawn["4"] in order[:3]
    assert sorted(drawn.values()) == sorted(POWERS)


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_no_other_assignment_costs_less(cost: list[list[int]]) -> None:
    rows = range(len(cost))
    found = cheapest(cost)
    assert sorted(found) == list(rows)
    least = min(sum(cost[row][way[row]] for row in rows) for way in permutations(rows))
    assert sum(cost[row][found[row]] for row in rows) == least


def test_thirty_four_powers_are_drawn_as_wished() -> None:
    seats = [str(number) for number in range(34)]
    hands = [(f"POWER{number}",) for number in range(34)]
    wishes = {seat: [hand] for seat, hand in zip(seats, reversed(hands), strict=True)}
    assert draw_hands(1, seats, hands, wishes) == {seat: wishes[seat][0] for seat in seats}


def test_who_wants_one_of_two_powers_of_a_hand_gets_both() -> None:
    hands = (("ENGLAND",), ("AUSTRIA", "FRANCE"))
    for seed in range(20):
        assert draw_hands(seed, ("1", "2"), hands, {"2": [["FRANCE"]]}) == {"1": ("ENGLAND",), "2": hands[1]}


_WISHES = st.dictionaries(st.sampled_from("1234"), st.lists(st.sampled_from(POWERS[:5]), unique=True, max_size=4))


@given(st.integers(0, 2**63 - 1), _WISHES)
def test_anybody_can_repeat_the_draw_as_the_page_of_help_tells(seed: int, liked: dict[str, list[str]]) -> None:
    """The page `help lot`, followed step by step."""
    seats, hands = ("1", "2", "3", "4"), ("AUSTRIA", "ENGLAND+ITALY", "FRANCE", "GERMANY")

    def cost(way: tuple[str, ...]) -> int:
        wishes = [liked.get(seat, []) for seat in seats]
        ranks = ([mine.index(power) for power in hand.split("+") if power in mine] or [len(mine)]
                 for mine, hand in zip(wishes, way, strict=True))  # fmt: skip
        return sum(min(rank) for rank in ranks)

    def lots(way: tuple[str, ...]) -> int:
        texts = (f"{seed}/{seat}/{hand}" for seat, hand in zip(seats, way, strict=True))
        return sum(int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) for text in texts)

    least = min(map(cost, permutations(hands)))
    taken = min((way for way in permutations(hands) if cost(way) == least), key=lots)
    drawn = draw_hands(
        seed, seats, [tuple(hand.split("+")) for hand in hands], {s: [[p] for p in w] for s, w in liked.items()}
    )
    assert {seat: "+".join(hand) for seat, hand in drawn.items()} == dict(zip(seats, taken, strict=True))
