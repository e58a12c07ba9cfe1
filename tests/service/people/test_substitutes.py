"""Substitutes: who may take a player's place for a while, what they may do there, what they read, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from judge.testing.casting import player_of
from tests.service.hearing.test_gm_table import heard
from tests.support.tables import DEPUTY, FRANCE, GAME, KNOWN, UNKNOWN, Hall, Table

ENGLAND, GM = player_of("ENGLAND"), "gm@players.test"


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    return Hall(tmp_path_factory.mktemp("hall"), {"draw_from": "S1901"})


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    return Hall(tmp_path_factory.mktemp("secret"), {"anonymous": "yes"})


@pytest.fixture
def table(hall: Hall) -> Iterator[Table]:
    """Karl plays for France until the 20th."""
    with hall.at("moves") as table:
        replaced(table)
        yield table


def replaced(table: Table) -> None:
    table.say("player", "substitute wanted until 20 January")
    table.say("known", f"substitute for France in {GAME}")
    assert not refused(table)


def refused(table: Table) -> str:
    return " ".join(sentence for _, status, sentence in heard(table).lines if status != "taken")


def orders(table: Table) -> list[str]:
    sheet = table.stage.game(GAME).sheets.get("FRANCE")
    return [str(line.unit) for line in sheet.lines] if sheet is not None else []


def to(table: Table, address: str) -> str:
    return "\n".join(letter.text for letter in table.written if letter.to == address)


def test_a_substitute_orders_and_writes_press_and_the_player_gets_a_copy(table: Table) -> None:
    table.say("known", "A Par - Bur\npress to England\nGood morning.")
    assert len(orders(table)) == 1 and "Karl Passerby, who plays for you, has filed" in " ".join(
        to(table, FRANCE).split()
    )
    assert "Good morning." in to(table, ENGLAND)
    table.say("player", "F Bre - Mao")
    assert len(orders(table)) == 2


@pytest.mark.parametrize(
    "line", ["draw", "leave", "extension", "proxy Germany", "away 3 January to 9 January", "diary\nOf today"]
)
def test_what_is_the_players_own_is_refused(table: Table, line: str) -> None:
    table.say("known", line)
    assert "That is for the player in person." in to(table, KNOWN).replace("\n     ", " "), to(table, KNOWN)


def test_the_diary_and_the_press_of_before_are_not_read(hall: Hall) -> None:
    with hall.at("moves") as table:
        table.say("player", "diary\nI mean to betray England.\nENDDIARY\npress to Italy\nA secret of old.")
        replaced(table)
        for line in ("diary list", "diary 1", "my press", "press with Italy", "search secret"):
            table.say("known", line)
            assert "betray" not in to(table, KNOWN) and "of old" not in to(table, KNOWN), line


def test_a_mail_in_the_substitutes_name_without_proof_waits_for_their_own_word(table: Table) -> None:
    table.stage.send(KNOWN, "A Par - Pic", to=f"judge+{GAME}@judge.test", vouched=False)
    assert not orders(table) and "waits for your answer" in table.stage.inbox(KNOWN)[-1].subject


@pytest.mark.parametrize("who", ["player", "known"])
def test_either_of_them_ends_it(table: Table, who: str) -> None:
    table.say(who, "substitute off")
    assert not refused(table) and "its own player again" in " ".join(to(table, ENGLAND).split())
    table.say("known", "A Par - Bur")
    assert not orders(table)


def test_it_ends_on_its_day_also_while_the_game_is_on_hold(table: Table) -> None:
    table.say("gm", "hold reason holidays")
    table.say("known", "A Par - Bur")
    assert len(orders(table)) == 1
    table.stage.advance(timedelta(days=20))
    assert "you play France yourself again" in " ".join(table.stage.inbox(FRANCE)[-1].text.split())
    table.say("known", "A Par - Pic")
    assert "Only the players" in to(table, KNOWN)


def test_results_that_are_taken_back_leave_the_substitute(hall: Hall) -> None:
    with hall.at("fall") as table:
        replaced(table)
        table.say("gm", 'rollback S1901M reason "a support was judged wrongly"')
        table.say("gm", "reopen S1901M reason once more")
        table.say("known", "A Par - Gas")
        assert "Only the players" not in to(table, KNOWN), to(table, KNOWN)


def test_who_leaves_the_seat_leaves_no_substitute_there(table: Table) -> None:
    table.say("player", f"leave {GAME} for good")
    assert f"reply with: claim {GAME} France" in " ".join(to(table, KNOWN).split())
    table.say("known", "A Par - Bur")
    assert "Only the players" in to(table, KNOWN) or "no player" in to(table, KNOWN)


def test_it_ends_with_the_game(table: Table) -> None:
    table.say("gm", "end game by agreement")
    assert "the game has ended" in to(table, KNOWN) and "statement" not in to(table, KNOWN)
    table.stage.send(ENGLAND, "press to France\nBetween us.", to=f"judge+{GAME}@judge.test")
    assert "Between us." not in to(table, KNOWN)


@pytest.mark.parametrize(
    "line", ["assign Italy to {}", "deputy {} until 10 January 2027", "hand over to {}", "editor {}"]
)
def test_whoever_plays_for_somebody_gets_no_other_place_in_the_game(table: Table, line: str) -> None:
    table.say("gm", line.format(KNOWN))
    assert "already plays France" in refused(table) or "That person plays in" in refused(table)


def test_who_runs_the_game_says_whom_and_the_player_reads_that_they_ended_it(hall: Hall) -> None:
    with hall.at("moves") as table:
        table.say("player", "substitute wanted until 20 January")
        for who, line in (("gm", f"by {DEPUTY}"), ("gm", f"in {GAME}"), ("deputy", f"in {GAME}")):
            table.say(who, f"substitute for France {line}")
            assert "Whoever runs a game does not play in it" in refused(table)
        table.say("gm", "substitute off France")
        assert "The Gamemaster has ended the search" in to(table, FRANCE)
        replaced(table)
        table.say("gm", "substitute off France")
        assert "The Gamemaster has ended it" in to(table, FRANCE)


@pytest.mark.parametrize(("state", "why"), [("open", "has not begun"), ("practice", "which one person plays alone")])
def test_where_nobody_can_come_nobody_is_looked_for(hall: Hall, state: str, why: str) -> None:
    with hall.at(state) as table:
        table.say("player", "substitute wanted until 20 January")
        assert why in refused(table)


@pytest.mark.parametrize(
    ("who", "line", "why"),
    [
        ("unknown", f"substitute for France in {GAME}", ""),
        ("known", f"substitute for Italy in {GAME}", "looks for no substitute"),
        ("gm", f"substitute for France by {KNOWN}", ""),
    ],
)
def test_who_takes_a_place(hall: Hall, who: str, line: str, why: str) -> None:
    with hall.at("moves") as table:
        table.say("player", "substitute wanted until 20 January")
        table.say(who, line)
        answer = " ".join(to(table, UNKNOWN if who == "unknown" else KNOWN if who == "known" else GM).split())
        assert (why in answer) if why else "looks for no" not in answer, answer
        seat = next(seat for seat in table.stage.game(GAME).seats.values() if "FRANCE" in seat.powers)
        assert bool(seat.substitute and seat.substitute.person) is not bool(why), answer


def test_in_an_anonymous_game_nobody_reads_who_it_is(secret: Hall) -> None:
    with secret.at("moves") as table:
        replaced(table)
        assert "played by a substitute" in " ".join(one.subject for one in table.written)
        everybody = "".join(one.text for one in table.written if one.to not in (KNOWN, GM, "dora@deputy.test"))
        assert "Karl" not in everybody
        table.say("known", "A Par - Bur\npress to England\nGood morning.")
        assert "Karl" not in to(table, ENGLAND) + to(table, FRANCE)
