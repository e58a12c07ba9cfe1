"""Elo and Ghost-Rating over many games: nothing is made from nothing, replacements move no figure, who gives up counts
as beaten.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.people.ratings import FIRST, GHOST_FIRST, GHOST_WEIGHTS, GamePart, K, rate


def part(person: int, share: float, kind: str = "regular", weight: float = 1.0) -> GamePart:
    fate = "won" if share == 1 else "shared" if share else "survived"
    return GamePart(person, kind, fate, share, {"calhamer": share}, weight)


games = st.lists(
    st.lists(
        st.tuples(st.sampled_from(["regular", "left", "standby"]), st.sampled_from([0.0, 0.25, 0.5])),
        min_size=2, max_size=7,
    ),
    max_size=12,
)  # fmt: skip


@given(games)
def test_the_sum_of_all_figures_stays(tables: list[list[tuple[str, float]]]) -> None:
    parts = [[part(person, share, kind) for person, (kind, share) in enumerate(table)] for table in tables]
    figures = rate(parts)
    assert sum(has.elo for has in figures.values()) == pytest.approx(FIRST * len(figures))
    assert sum(has.ghost for has in figures.values()) == pytest.approx(GHOST_FIRST * len(figures))
    assert all(has.ghost > 0 for has in figures.values())


def test_a_ghost_rating_moves_by_what_was_not_expected_of_the_stake() -> None:
    """Seven newcomers: the table has 700, the pot is 700 / 17.5 = 40, and a seventh of it was everybody's own."""
    won = [part(1, 1.0), *(part(n, 0.0) for n in range(2, 8))]
    figures = rate([won])
    assert figures[1].ghost == pytest.approx(100 + 40 * 6 / 7)
    assert all(figures[n].ghost == pytest.approx(100 - 40 / 7) for n in range(2, 8))
    quiet = rate([[part(one.person, one.share, weight=4.0) for one in won]])
    assert quiet[1].ghost == pytest.approx(100 + 10 * 6 / 7)
    assert rate([[part(n, 1 / 7) for n in range(7)]])[3].ghost == pytest.approx(GHOST_FIRST)


def test_a_table_of_two_hundred_moves_as_the_page_on_ghost_ratings_has_it() -> None:
    """It reckons 200 / 17.5 = 11.43 for full press; a game without press weighs four times as much."""
    for press, moved in (("full", 11.43), ("public", 11.43 / 2), ("none", 11.43 / 4)):
        figures = rate([[part(1, 1.0, weight=GHOST_WEIGHTS[press]), part(2, 0.0, weight=GHOST_WEIGHTS[press])]])
        assert figures[1].ghost - GHOST_FIRST == pytest.approx(moved / 2, abs=0.005), press


def test_what_a_replacement_won_moves_no_ghost_rating() -> None:
    figures = rate([[part(1, 0.0), part(2, 0.0, "left"), part(8, 1.0, "standby")]])
    assert {has.ghost for has in figures.values()} == {GHOST_FIRST}


@given(games)
def test_no_game_moves_anybody_further_than_k(tables: list[list[tuple[str, float]]]) -> None:
    parts = [[part(person, share, kind) for person, (kind, share) in enumerate(table)] for table in tables]
    assert all(abs(has.change) <= K for has in rate(parts).values())


def test_a_winner_gains_what_the_others_lose() -> None:
    figures = rate([[part(1, 1.0), *(part(n, 0.0) for n in range(2, 8))]])
    assert figures[1].elo == FIRST + K / 2
    assert all(figures[n].elo == pytest.approx(FIRST - K / 12) for n in range(2, 8))
    assert (figures[1].won, figures[2].survived) == (1, 1)


def test_to_beat_the_strong_is_worth_more() -> None:
    strong = [[part(1, 1.0), part(2, 0.0)]] * 10
    assert rate([*strong, [part(1, 0.0), part(3, 1.0)]])[3].change > K / 2


def test_a_replacement_moves_no_figure_and_is_counted_apart() -> None:
    figures = rate([[part(1, 0.5), part(2, 0.5), part(8, 0.5, "standby")]])
    assert (figures[8].elo, figures[8].taken_over, figures[8].games) == (FIRST, 1, 0)


def test_who_gives_up_stands_as_one_without_points() -> None:
    figures = rate([[part(1, 0.5), part(2, 0.5, "left")]])
    assert figures[2].elo < FIRST < figures[1].elo
    assert (figures[2].left, figures[2].points) == (1, {})


def test_who_plays_two_powers_is_not_his_own_opponent() -> None:
    assert rate([[part(1, 1.0), part(1, 0.0)]])[1].elo == FIRST
