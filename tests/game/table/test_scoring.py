"""Points of a finished game: the worked example of every system, wins, sums, and who answers for a power."""

from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.game.core import commands as cmd
from judge.game.core.parts import Tenure
from judge.game.settings.table import TABLE
from judge.game.settings.values import SYSTEM_NAMES
from judge.game.table.scoring import (
    SYSTEMS,
    Placing,
    answers_for,
    points_of,
    score_from_json,
    score_of,
    score_to_json,
    terms_of,
)
from judge.game.talk.ballots import ProposeDraw, Vote
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[3] / "maps"
COUNTS = {"AUSTRIA": 4, "ENGLAND": 0, "FRANCE": 9, "GERMANY": 7, "ITALY": 7, "RUSSIA": 3, "TURKEY": 4}


def drawn() -> tuple[Placing, ...]:
    return tuple(Placing(power, n, "shared" if n else "eliminated", ()) for power, n in COUNTS.items())


@pytest.mark.parametrize(
    ("system", "points"),
    [
        ("calhamer", [1 / 6, 0, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6]),
        ("hall-of-fame", [1 / 6, 0, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6]),
        ("squares", [7.27, 0, 36.82, 22.27, 22.27, 4.09, 7.27]),
        ("c-diplo", [5, 1, 48, 18.5, 18.5, 4, 5]),
        ("c-diplo-73", [5, 1, 48, 18.5, 18.5, 4, 5]),
        ("draw-size", [100 / 6, 0, 100 / 6, 100 / 6, 100 / 6, 100 / 6, 100 / 6]),
        ("dsi", [7 / 6, 0.25, 7 / 6, 7 / 6, 7 / 6, 7 / 6, 7 / 6]),
        ("carnage", [3504, 1000, 7009, 5507, 5507, 2003, 3504]),
        ("dixie", [91.67, 0, 111.67, 103.67, 103.67, 87.67, 91.67]),
        # P: 48, 133 for nine, 93 for seven, 37 for three; 452 in all.
        ("manorcon", [10.62, 0, 29.42, 20.58, 20.58, 8.19, 10.62]),
    ],
)
def test_a_draw_of_six_is_worth_what_the_systems_say(system: str, points: list[float]) -> None:
    found = points_of(drawn())[system]
    assert [found[power] for power in COUNTS] == pytest.approx(points, abs=0.005)


@pytest.mark.parametrize(("system", "won"), [
    ("calhamer", 1), ("hall-of-fame", 6), ("squares", 100), ("c-diplo", 100), ("c-diplo-73", 73), ("draw-size", 100),
    ("carnage", 28034), ("manorcon", 100),
])  # fmt: skip
def test_a_win_takes_all(system: str, won: float) -> None:
    placings = tuple(Placing(power, n, "won" if n == 9 else "survived", ()) for power, n in COUNTS.items())
    found = points_of(placings)[system]
    assert {power: points for power, points in found.items() if points} == {"FRANCE": won}


@pytest.mark.parametrize(("sharers", "each"), [(2, 2.5), (3, 4 / 3), (4, 0.75), (5, 0.4), (6, 1 / 6), (7, 0)])
def test_the_hall_of_fame_divides_losers_by_winners(sharers: int, each: float) -> None:
    placings = tuple(Placing(str(n), 1, "shared" if n < sharers else "survived", ()) for n in range(7))
    assert points_of(placings)["hall-of-fame"]["0"] == pytest.approx(each)


def tables(*, won: bool = False) -> st.SearchStrategy[tuple[Placing, ...]]:
    """Ends of games of seven on a board of 34 centres, of which some may be nobody's; who has none is out."""
    counts = st.lists(st.integers(0, 34), min_size=7, max_size=7).map(lambda n: [x * 34 // max(34, sum(n)) for x in n])

    def placed(counts: list[int], sharing: set[int], years: list[int]) -> tuple[Placing, ...]:
        alive = [n for n, count in enumerate(counts) if count]
        best = {max(range(7), key=counts.__getitem__)} if won else sharing & set(alive) or set(alive)
        fates = ["won" if won and n in best else "shared" if n in best else "survived" if counts[n] else "eliminated"
                 for n in range(7)]  # fmt: skip
        return tuple(Placing(f"P{n}", counts[n], fates[n], (), 0 if counts[n] else years[n]) for n in range(7))

    return st.builds(
        placed, counts.filter(any), st.sets(st.integers(0, 6)),
        st.lists(st.integers(1901, 1910), min_size=7, max_size=7),
    )  # fmt: skip


def owned(table: tuple[Placing, ...]) -> int:
    return sum(placing.centres for placing in table)


@given(tables())
def test_every_system_shares_out_a_fixed_sum_or_a_prize_for_each_centre(table: tuple[Placing, ...]) -> None:
    sums = {system: sum(found.values()) for system, found in points_of(table).items()}
    sharers = sum(placing.best for placing in table)
    others = sum(0.5 if placing.fate == "survived" else 0.25 for placing in table if not placing.best)
    assert sums == pytest.approx(
        {
            "calhamer": 1, "draw-size": 100, "hall-of-fame": 7 - sharers, "dsi": 7 + others, "squares": 100,
            "c-diplo": 7 + owned(table) + 59, "c-diplo-73": 7 + owned(table) + 59,
            "carnage": 28000 + owned(table), "dixie": 454 + 4 * owned(table), "manorcon": 100,
        }
    )  # fmt: skip


@given(tables(won=True))
def test_nobody_has_more_than_a_winner(table: tuple[Placing, ...]) -> None:
    winner = next(placing.power for placing in table if placing.fate == "won")
    for system, found in points_of(table).items():
        assert max(found.values()) == found[winner], system


@given(tables())
def test_more_centres_are_never_worth_less_in_the_same_fate(table: tuple[Placing, ...]) -> None:
    for system, found in points_of(table).items():
        for one, other in combinations(table, 2):
            if one.fate == other.fate and one.centres > other.centres:
                assert found[one.power] >= found[other.power], system


def test_the_systems_have_the_names_that_settings_and_tournaments_take() -> None:
    assert tuple(SYSTEMS) == SYSTEM_NAMES
    assert set(points_of(drawn())) == set(SYSTEM_NAMES)


def test_two_tops_of_eight_centres_share_the_first_places_of_carnage() -> None:
    counts = (8, 8, 6, 5, 4, 3, 0)
    found = points_of(tuple(Placing(str(n), c, "shared" if c else "eliminated", ()) for n, c in enumerate(counts)))
    assert (found["carnage"]["0"], found["carnage"]["1"]) == (6508, 6508)


def test_who_was_eliminated_earlier_is_placed_lower() -> None:
    years = (0, 1903, 1905, 1905)
    table = tuple(Placing(str(n), 0 if y else 9, "eliminated" if y else "shared", (), y) for n, y in enumerate(years))
    assert [points_of(table)["carnage"][str(n)] for n in range(4)] == [4009, 1000, 2500, 2500]
    assert [points_of(table)["dixie"][str(n)] for n in range(4)] == [306, 34, 60, 60]


@pytest.mark.parametrize(("sharers", "printed"), [(1, 270), (2, 170), (3, 130), (4, 106), (5, 89), (6, 76), (7, 65)])
def test_dixie_averages_the_first_places(sharers: int, printed: int) -> None:
    fates = ["won"] if sharers == 1 else ["shared"] * sharers
    table = tuple(Placing(str(n), 4, fate, ()) for n, fate in enumerate([*fates, *["survived"] * (7 - sharers)]))
    assert round(points_of(table)["dixie"]["0"] - 16) == printed


def test_dsi_tells_surviving_from_being_eliminated() -> None:
    table = (Placing("A", 18, "won", ()), Placing("B", 9, "survived", ()), Placing("C", 0, "eliminated", ()))
    assert points_of(table)["dsi"] == {"A": 7, "B": 0.5, "C": 0.25}


def test_a_score_written_before_years_of_elimination_were_kept_is_read() -> None:
    found = score_from_json({"how": "draw", "at": "2027-01-01T00:00:00+00:00", "placings": [["A", 3, "shared", []]]})
    assert found.placings == (Placing("A", 3, "shared", ()),)


@pytest.mark.parametrize(
    ("text", "read"),
    [("squares, carnage", "squares, carnage"), ("carnage and squares", "squares, carnage"), ("SoS", "squares")],
)
def test_a_game_is_scored_as_its_gamemaster_says(text: str, read: str) -> None:
    form = TABLE["scoring"].form
    assert form.show(form.read(text)) == read


@pytest.mark.parametrize("text", ["none", "", "elo", "calhamer dsi squares dixie carnage"])
def test_a_game_is_scored_by_one_to_four_systems(text: str) -> None:
    with pytest.raises(ValueError, match="carnage"):
        TABLE["scoring"].form.read(text)


@pytest.mark.parametrize(
    ("terms", "answers"),
    [
        ([Tenure(1, "", "", "")], ((1, "regular"),)),
        ([Tenure(1, "", "F1903M", "nmr"), Tenure(8, "F1903M", "", "")], ((1, "left"), (8, "standby"))),
        ([Tenure(1, "", "F1903M", "removed"), Tenure(8, "F1903M", "", "")], ((8, "standby"),)),
        ([Tenure(1, "", "F1903M", "left")], ((1, "left"),)),
        ([Tenure(1, "", "S1902M", "nmr"), Tenure(8, "S1902M", "F1902M", "left"), Tenure(1, "F1902M", "", "")],
         ((8, "left"), (1, "standby"))),
    ],
)  # fmt: skip
def test_who_answers_for_a_power(terms: list[Tenure], answers: tuple[tuple[int, str], ...]) -> None:
    assert answers_for(terms) == answers


def test_a_seat_remembers_who_played_when(table: Table) -> None:
    table.tell(cmd.Vacate("FRANCE", "by agreement"), table.gm)
    table.tell(cmd.Assign("FRANCE", 8), table.gm)
    seat = table.game.seat_of("FRANCE")
    assert seat is not None
    assert terms_of(seat) == (Tenure(3, "", "S1901M", "removed"), Tenure(8, "S1901M", "", ""))


def test_who_comes_back_at_once_never_went(table: Table) -> None:
    table.tell(cmd.Vacate("FRANCE", "by mistake"), table.gm)
    table.tell(cmd.Assign("FRANCE", 3), table.gm)
    seat = table.game.seat_of("FRANCE")
    assert seat is not None and terms_of(seat) == (Tenure(3, "", "", ""),)


def test_a_game_that_the_gamemaster_closes_comes_to_nothing(table: Table) -> None:
    table.tell(cmd.EndGame("nobody has time"), table.gm)
    assert score_of(table.game) is None


def test_a_score_survives_its_card(table: Table) -> None:
    table.tell(ProposeDraw(), table.player("ENGLAND"))
    for power in table.game.survivors:
        table.tell(Vote(aye=True), table.player(power))
    table.process()
    score = score_of(table.game)
    assert score is not None and score.how == "draw"
    assert score.at > datetime(2027, 1, 1, tzinfo=UTC) or score.at == table.now
    assert {placing.fate for placing in score.placings} == {"shared"}
    assert score_from_json(score_to_json(score)) == score
