"""A tournament as a value: who takes part, when a round is over, and whose points count."""

from __future__ import annotations

from functools import reduce

import pytest

from judge.people import tournament as tm

TERMS = tm.Announced(9, 2, "squares", "standard", (("moves", "2d"),), "open", False, "UTC")
ROUND = (((1, ("FRANCE",)), (2, ("ITALY",))), ((3, ("FRANCE",)), (4, ("ITALY",))))


def after(*events: tm.Happening) -> tm.Tournament:
    entered = [tm.Entered(person, ()) for person in (1, 2, 3, 4, 5)]
    return reduce(tm.proceed, [*entered, *events], tm.announce("autumn", TERMS))


def begun(*events: tm.Happening) -> tm.Tournament:
    return after(tm.Seeded(ROUND, (5,)), tm.RoundBegun(("a", "b")), *events)


def totals(now: tm.Tournament, **results: list[tm.BoardPart]) -> list[tuple[int, int, float]]:
    return [(line.place, line.person, line.total) for line in tm.standings(now, results)]


@pytest.mark.parametrize(
    "event",
    [
        TERMS, tm.Entered(1, (("FRANCE",), ("ITALY", "RUSSIA"))), tm.Withdrawn(1, "left"), tm.InvitedTo(("a@x.test",)),
        tm.Seeded(ROUND, (5,)), tm.RoundBegun(("a", "b")), tm.BoardOver("a"), tm.TournamentEnded(early=True),
    ],
)  # fmt: skip
def test_what_happens_is_stored_and_read_back(event: tm.Happening) -> None:
    assert tm.happening_from_json(*tm.happening_to_json(event)) == event


def test_a_round_is_over_with_its_last_board() -> None:
    assert begun(tm.BoardOver("a")).stage is tm.TournamentStage.PLAYING
    assert begun(tm.BoardOver("a"), tm.BoardOver("b")).stage is tm.TournamentStage.OPEN


def test_a_draft_is_void_when_somebody_comes_or_goes() -> None:
    assert after(tm.Seeded(ROUND, ())).draft is not None
    assert after(tm.Seeded(ROUND, ()), tm.Entered(6, ())).draft is None
    assert after(tm.Seeded(ROUND, ()), tm.Withdrawn(1, "left")).draft is None


def test_who_sat_out_is_remembered_and_who_left_may_come_back() -> None:
    now = begun(tm.Withdrawn(1, "left"))
    assert (now.entrants[5].sat_out, now.staying) == (1, (2, 3, 4, 5))
    assert tm.proceed(now, tm.Entered(1, ())).staying == (1, 2, 3, 4, 5)


def test_whom_somebody_met_and_what_they_played() -> None:
    assert (begun().met(1), begun().played(1), begun().met(5)) == ({2: 1}, {"FRANCE": 1}, {})


def test_totals_run_and_boards_that_are_on_count_nothing() -> None:
    now = begun(tm.BoardOver("a"))
    a = [tm.BoardPart(1, "regular", 60, best=True, centres=12), tm.BoardPart(2, "regular", 40, best=False, centres=8)]
    assert totals(now, a=a)[:2] == [(1, 1, 60), (2, 2, 40)]
    assert [line.rounds for line in tm.standings(now, {"a": a}) if line.person == 3] == [(None,)]


def test_who_gave_up_has_nothing_and_who_took_over_scores_if_they_had_no_board() -> None:
    a = [tm.BoardPart(1, "left", 60, best=True, centres=12), tm.BoardPart(5, "standby", 60, best=True, centres=12)]
    b = [tm.BoardPart(3, "regular", 50, best=True, centres=9), tm.BoardPart(2, "standby", 50, best=True, centres=9)]
    found = {line.person: (line.total, line.wins) for line in tm.standings(begun(), {"a": a, "b": b})}
    assert found == {1: (0, 0), 2: (0, 0), 3: (50, 1), 4: (0, 0), 5: (60, 1)}


def test_equal_totals_are_told_apart_by_wins_then_centres_else_the_place_is_shared() -> None:
    a = [tm.BoardPart(1, "regular", 50, best=False, centres=9), tm.BoardPart(2, "regular", 50, best=True, centres=8)]
    b = [tm.BoardPart(3, "regular", 50, best=False, centres=9), tm.BoardPart(4, "regular", 50, best=False, centres=7)]
    assert totals(begun(), a=a, b=b) == [(1, 2, 50), (2, 1, 50), (2, 3, 50), (4, 4, 50), (5, 5, 0)]


def test_all_powers_of_one_player_count_together() -> None:
    a = [tm.BoardPart(1, "regular", 30, best=False, centres=6), tm.BoardPart(1, "regular", 20, best=True, centres=4)]
    (first, *_) = tm.standings(begun(), {"a": a})
    assert (first.person, first.total, first.wins, first.centres) == (1, 50, 1, 10)
