"""The index of games: what is due, who sits where, whose token this is."""

from dataclasses import replace
from datetime import timedelta

import pytest

from judge.store import NoSuchRow, Store
from judge.store.rows import GameRow, SeatRow
from tests.support.stores import NOON

HOUR = timedelta(hours=1)
CARD = GameRow("tannenburg", "Tannenburg", "running", "standard", "1976", NOON, phase="S1901M")


def test_a_card_is_written_and_overwritten(store: Store) -> None:
    with store.write() as unit:
        unit.games.put(CARD)
        unit.games.put(replace(CARD, phase="F1901M", seq=40, summary='{"seats": 7}'))
        assert unit.games.get("tannenburg") == replace(CARD, phase="F1901M", seq=40, summary='{"seats": 7}')
        assert unit.games.find("hero") is None
        with pytest.raises(NoSuchRow, match="no game hero"):
            unit.games.get("hero")


def test_the_sweep_finds_what_is_due_longest_overdue_first(store: Store) -> None:
    with store.write() as unit:
        for key, due in (("a", NOON), ("b", NOON - HOUR), ("c", NOON + HOUR), ("asleep", None)):
            unit.games.put(replace(CARD, key=key, next_due_at=due))
        assert [card.key for card in unit.games.due(NOON)] == ["b", "a"]
        assert [card.key for card in unit.games.due(NOON, limit=1)] == ["b"]
        assert unit.games.next_due() == NOON - HOUR


def test_with_nothing_to_do_there_is_no_next_moment(store: Store) -> None:
    with store.read() as view:
        assert view.games.next_due() is None


def test_the_list_is_narrowed_by_state(store: Store) -> None:
    with store.write() as unit:
        for key, state in (("b", "open"), ("a", "running"), ("c", "ended")):
            unit.games.put(replace(CARD, key=key, state=state))
        assert [card.key for card in unit.games.list()] == ["a", "b", "c"]
        assert [card.key for card in unit.games.list(states=("open", "running"))] == ["a", "b"]


def test_a_new_nonce_revokes_the_tokens_of_the_old_one(store: Store) -> None:
    with store.write() as unit:
        first = unit.people.add("Ada", zone="UTC", check_phrase="copper heron", now=NOON)
        second = unit.people.add("Bob", zone="UTC", check_phrase="silver newt", now=NOON)
        unit.games.put_seat(SeatRow("g17", "france", "old", NOON, first.id))
        unit.games.put_seat(SeatRow("g17", "france", "new", NOON + HOUR, second.id))
        assert unit.games.seat_by_nonce("old") is None
        found = unit.games.seat_by_nonce("new")
        assert found is not None and found.person_id == second.id
        assert unit.games.seats_of(first.id) == ()


def test_seats_are_found_by_game_and_by_person(store: Store) -> None:
    with store.write() as unit:
        ada = unit.people.add("Ada", zone="UTC", check_phrase="copper heron", now=NOON).id
        unit.games.put_seat(SeatRow("g17", "france", "1", NOON, ada))
        unit.games.put_seat(SeatRow("g17", "austria", "2", NOON))
        unit.games.put_seat(SeatRow("g9", "turkey", "3", NOON, ada))
        assert [seat.seat for seat in unit.games.seats("g17")] == ["austria", "france"]
        assert [(seat.game, seat.seat) for seat in unit.games.seats_of(ada)] == [("g17", "france"), ("g9", "turkey")]
        vacant = unit.games.seat("g17", "austria")
        assert vacant is not None and vacant.person_id is None
        assert unit.games.seat("g17", "italy") is None


def test_a_removed_game_takes_its_seats_along(store: Store) -> None:
    with store.write() as unit:
        unit.games.put(CARD)
        unit.games.put_seat(SeatRow("tannenburg", "france", "1", NOON))
        unit.games.remove("tannenburg")
        assert unit.games.find("tannenburg") is None
        assert unit.games.seats("tannenburg") == ()
