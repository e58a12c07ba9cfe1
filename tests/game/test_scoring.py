"""Points of a finished game: the worked example of four systems, wins, and who answers for a power."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge.game.core import commands as cmd
from judge.game.core.parts import Tenure
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

MAPS = Path(__file__).resolve().parents[2] / "maps"
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
    ],
)
def test_a_draw_of_six_is_worth_what_the_systems_say(system: str, points: list[float]) -> None:
    found = points_of(drawn())[system]
    assert [found[power] for power in COUNTS] == pytest.approx(points, abs=0.005)


@pytest.mark.parametrize(("system", "won"), [("calhamer", 1), ("hall-of-fame", 6), ("squares", 100), ("c-diplo", 100)])
def test_a_win_takes_all(system: str, won: float) -> None:
    placings = tuple(Placing(power, n, "won" if n == 9 else "survived", ()) for power, n in COUNTS.items())
    found = points_of(placings)[system]
    assert {power: points for power, points in found.items() if points} == {"FRANCE": won}


@pytest.mark.parametrize(("sharers", "each"), [(2, 2.5), (3, 4 / 3), (4, 0.75), (5, 0.4), (6, 1 / 6), (7, 0)])
def test_the_hall_of_fame_divides_losers_by_winners(sharers: int, each: float) -> None:
    placings = tuple(Placing(str(n), 1, "shared" if n < sharers else "survived", ()) for n in range(7))
    assert points_of(placings)["hall-of-fame"]["0"] == pytest.approx(each)


def test_every_system_shares_out_a_fixed_sum_or_a_prize_for_each_centre() -> None:
    found = points_of(drawn())
    assert set(found) == set(SYSTEMS)
    assert sum(found["calhamer"].values()) == pytest.approx(1)
    assert sum(found["squares"].values()) == pytest.approx(100)
    assert sum(found["c-diplo"].values()) == pytest.approx(7 + 34 + 38 + 14 + 7)


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
