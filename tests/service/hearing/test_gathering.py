"""Guarding a table: approval, pass phrase, thresholds, the reserve list, a time to fill, news of games, onlookers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.game.core.model import Stage
from judge.service.people.applicants import GUESSES
from judge.service.trust.prove import TABLE, ActKind
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM
from tests.service.conftest import person_of, staffed
from tests.support.standing import seated

JANE, OLGA, PAUL = player_of("FRANCE"), player_of("ITALY"), "paul@club.test"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LocalJudge]:
    """An open game; Olga has joined it."""
    stage = seated(tmp_path, stage="open", config=staffed)
    stage.begin()
    for address, name in ((JANE, "Jane"), (OLGA, "Olga")):
        stage.send(address, f"register name {name}")
    stage.send(OLGA, "join baltic")
    yield stage
    stage.close()


def last(stage: LocalJudge, address: str) -> str:
    """The last letter to somebody, as text on one line."""
    return " ".join(stage.inbox(address)[-1].text.split())


def told(stage: LocalJudge, line: str, *, by: str = GM) -> str:
    """A line about the game; the answer."""
    stage.send(by, line, to="judge+baltic@judge.test")
    return last(stage, by)


def seats_of(stage: LocalJudge) -> int:
    return len(stage.game("baltic").seats)


# --- approval -----------------------------------------------------------------------------------------------------


def test_the_gamemaster_approves_by_number_or_refuses_with_a_reason(table: LocalJudge) -> None:
    told(table, "set access approval")
    assert "In baltic the Gamemaster decides who plays." in told(table, "join baltic prefer France", by=JANE)
    assert "Jane asks for a seat" in last(table, GM) and 'Reply with "approve 1"' in last(table, GM)
    assert "You have asked for a seat in baltic already" in told(table, "join baltic", by=JANE)
    assert "1 Jane asks for a seat" in told(table, "status")
    assert "Jane asks for a seat" not in told(table, "status", by=OLGA)
    told(table, 'refuse jane reason "friends only"')
    assert "does not give you a seat" in last(table, JANE) and "friends only" in last(table, JANE)
    assert "only they can let you in" in told(table, "join baltic", by=JANE)
    assert "They have a seat: 2 of 7." in told(table, "approve Jane")
    assert seats_of(table) == 2


def test_nobody_of_that_name_is_answered_with_those_whom_there_are(table: LocalJudge) -> None:
    assert 'Nobody called "Bob" has joined baltic; there is Olga.' in told(table, "remove Bob")
    assert 'Nobody called "Bob" has asked for a seat in baltic; nobody has so far.' in told(table, "approve Bob")
    assert "The player is missing" in told(table, "remove")
    assert "Only the Gamemaster may write `remove`" in told(table, "remove Olga", by=OLGA)
    assert seats_of(table) == 1


# --- the pass phrase ----------------------------------------------------------------------------------------------


def test_a_pass_phrase_lets_in_whoever_knows_it_however_it_is_written(table: LocalJudge) -> None:
    assert "Players need it to join." in told(table, "pass phrase Copper Kettle")
    assert "Write: join baltic phrase, and the words." in told(table, "join baltic", by=JANE)
    told(table, 'join baltic phrase "copper  kettle!"', by=JANE)
    assert seats_of(table) == 2
    for address in (JANE, OLGA, GM):
        assert "opper" not in told(table, "house rules", by=address)
    assert "The pass phrase is what it was before." in told(table, "undo")
    assert table.game("baltic").settings.access == "open"


def test_after_five_wrong_phrases_even_the_right_one_waits_for_tomorrow(table: LocalJudge) -> None:
    told(table, "pass phrase copper kettle")
    for number in range(GUESSES):
        answer = told(table, f"join baltic phrase guess {number}", by=JANE)
        assert "That is not the pass phrase of baltic." in answer
    assert "That was the fifth time" in answer
    assert "wrong pass phrases" in table.inbox(GM)[-1].subject
    assert "five times today" in told(table, "join baltic phrase copper kettle", by=JANE)
    assert seats_of(table) == 1
    table.advance(timedelta(days=1))
    told(table, "join baltic phrase copper kettle", by=JANE)
    assert seats_of(table) == 2


# --- thresholds ---------------------------------------------------------------------------------------------------


def _record(stage: LocalJudge, address: str, **figures: int) -> None:
    with stage.judge.store.write() as unit:
        person = person_of(stage, address)
        options = {**json.loads(person.options), "record": figures}
        unit.people.save(replace(person, options=json.dumps(options)))


def test_who_is_often_late_is_told_the_figures_and_may_be_invited_all_the_same(table: LocalJudge) -> None:
    told(table, "set min_reliability 80%")
    _record(table, JANE, turns=10, late=3)
    assert "yours are 70% (7 of 10)" in told(table, "join baltic", by=JANE)
    told(table, f"invite {JANE}")
    table.send(JANE, "accept", to=table.inbox(JANE)[-1].reply_to)
    assert seats_of(table) == 2


def test_newcomers_have_no_share_yet_but_no_experience_either(table: LocalJudge) -> None:
    told(table, "set min_reliability 80%")
    told(table, "set min_turns 5")
    assert "you have played 0." in told(table, "join baltic", by=JANE)
    told(table, "set min_turns none")
    told(table, "join baltic", by=JANE)
    assert seats_of(table) == 2


def test_games_at_once_are_counted(table: LocalJudge) -> None:
    told(table, "set max_games 1")
    told(table, "join baltic", by=JANE)
    assert seats_of(table) == 2
    told(table, "set max_games none")
    assert "players with at most" not in told(table, "house rules")


# --- the reserve list, and the time to fill -----------------------------------------------------------------------


def test_a_full_table_has_a_reserve_list_and_who_waits_hears_of_the_start(table: LocalJudge) -> None:
    for number in range(6):
        table.send(f"p{number}@club.test", "join baltic")
    assert "You are first on the reserve list" in told(table, "join baltic", by=JANE)
    assert "You are first on the reserve list of baltic already." in told(table, "join baltic", by=JANE)
    told(table, "start")
    assert "baltic has begun without you" in last(table, JANE) and "You stay on its reserve list" in last(table, JANE)
    assert "You are off the list" in told(table, "leave baltic", by=JANE)


def test_a_table_that_does_not_fill_is_closed_and_everybody_reads_why(table: LocalJudge) -> None:
    told(table, "set fill_within 7d")
    table.advance(timedelta(days=8))
    assert table.game("baltic").stage is Stage.ENDED
    for address in (OLGA, GM):
        assert "The game did not fill, and is closed: 1 of 7 players had joined in 7 days." in last(table, address)


def test_a_table_that_waits_says_so_and_goes_on(table: LocalJudge) -> None:
    told(table, "set unfilled wait")
    told(table, "set fill_within 7d")
    table.advance(timedelta(days=8))
    assert table.game("baltic").stage is Stage.OPEN
    assert "The game has not filled in time: 1 of 7 players have joined." in last(table, OLGA)
    assert '"advertise" tells people who want to hear of games' in last(table, GM)


def test_advertise_reaches_who_wished_for_it_once_in_three_days(table: LocalJudge) -> None:
    told(table, "set about For friends of slow play")
    table.send(JANE, "hear of games")
    assert "One reader wishes to hear of games and was told." in told(table, "advertise")
    assert "Gina Master looks for players for baltic." in last(table, JANE) and "For friends of slow play" in last(
        table, JANE
    )
    assert "baltic was advertised already" in told(table, "advertise")
    table.send(PAUL, "list")
    assert "For friends of slow play" in last(table, PAUL)


@pytest.mark.parametrize(("kind", "hears"), [("standard", True), ("short", False), ("fast", False)])
def test_advertise_reaches_who_waits_for_a_game_of_this_kind(table: LocalJudge, kind: str, *, hears: bool) -> None:
    table.send(JANE, f"queue {kind}")
    before = len(table.inbox(JANE))
    told(table, "advertise")
    assert (len(table.inbox(JANE)) > before) is hears
    if hears:
        assert "players wanted" in table.inbox(JANE)[-1].subject


# --- what the game is about ---------------------------------------------------------------------------------------

ABOUT = "For friends of slow and courteous play, who like to write long letters to one another, in good humour."
WRAPPED = (
    "For friends of slow and courteous play, who like to write\nlong letters to one another, in good humour.",
    '"For friends of slow and courteous play,\nwho like to write long\nletters to one another, in good humour."',
)


@pytest.mark.parametrize("text", WRAPPED, ids=["full lines", "quoted"])
@pytest.mark.parametrize("begin", ["about = ", "set about = ", "set about ", "description = "])
def test_a_text_about_the_game_that_a_mail_program_wraps_is_kept_whole(
    table: LocalJudge, begin: str, text: str
) -> None:
    answer = told(table, f"{begin}{text}\nset min_turns 5")
    assert table.game("baltic").settings.about == ABOUT and table.game("baltic").settings.min_turns == 5
    assert "DONE - all that you asked for." in answer
    if "=" in begin:
        table.send(GM, f"create other preset standard\n{begin}{text}\nmin_turns = 5\nopen")
        assert table.game("other").settings.about == ABOUT and table.game("other").settings.min_turns == 5
        assert table.game("other").stage is Stage.OPEN


def test_a_command_or_a_new_paragraph_below_the_text_is_no_part_of_it(table: LocalJudge) -> None:
    told(table, "about = For friends of slow and courteous play, who like to write a\ninvite anna@club.test")
    assert table.game("baltic").settings.about.endswith("write a") and table.inbox("anna@club.test")
    told(table, "about = For friends of slow and courteous play, who like to write\n\nGreetings from the north")
    assert table.game("baltic").settings.about.endswith("who like to write")
    told(table, "about = Short.\nGreetings from the north")
    assert table.game("baltic").settings.about == "Short."


def test_a_text_that_is_too_long_is_refused_and_not_cut(table: LocalJudge) -> None:
    answer = told(
        table, "about = " + "\n".join(["Seventy columns of kind words about the game and all its players."] * 8)
    )
    assert "400" in answer and table.game("baltic").settings.about == ""


# --- a Gamemaster's first letter ----------------------------------------------------------------------------------


@pytest.mark.parametrize("lines", ["", "\nopen", "\nopen\ninvite anna@club.test", "\ninvite anna@club.test"])
def test_the_first_letter_names_what_needs_a_second_proof_as_the_table_of_authority_does(
    table: LocalJudge, lines: str
) -> None:
    before = len(table.inbox(GM))
    table.send(GM, f"create other preset standard{lines}")
    letters = [" ".join(letter.text.split()) for letter in table.inbox(GM)[before:]]
    grave = TABLE[ActKind.GRAVE]
    assert sum(f"{grave.what}. `undo` takes back most others;" in text for text in letters) == 1


# --- onlookers, nudges --------------------------------------------------------------------------------------------


def test_an_observer_writes_to_the_gamemaster_and_to_players_only_where_that_is_set(table: LocalJudge) -> None:
    assert "send press" in told(table, "press to gm: Hello", by=JANE)
    table.send(JANE, "observe baltic")
    assert "Your letter goes to the Gamemaster." in told(table, "press to gm: A fine game.", by=JANE)
    assert "A fine game." in last(table, GM) and "Jane observes baltic" in last(table, GM)
    assert "observers write to the Gamemaster alone" in told(table, "press to all: Hello", by=JANE)
    told(table, "set observers no")
    table.send(PAUL, "observe baltic")
    assert "baltic has no observers." in last(table, PAUL)


def test_a_nudge_goes_to_whoever_is_missing_and_not_twice(tmp_path: Path) -> None:
    stage = seated(tmp_path, config=staffed)
    stage.begin()
    assert "are reminded." in told(stage, "nudge: Please, all of you.")
    assert "| Please, all of you." in stage.inbox(JANE)[-1].text
    assert "nudged already, and can be again from" in told(stage, "nudge")
    assert "names no power" in told(stage, "nudge Atlantis: come")
    deadline = stage.game("baltic").deadline
    assert deadline is not None and set(deadline.prompted.values()) == {1}
    assert "The letter has been read" in told(stage, "undo")
    stage.close()


@pytest.mark.parametrize(("answer", "seats"), [("Count me in!", 2), ("Yes, I'll play", 2), ("I'm in\nprefer France", 2),
                                               ("I'll pass", 1), ("I'm in if Bob plays", 1)])  # fmt: skip
def test_the_news_of_a_game_may_be_answered_in_own_words(table: LocalJudge, answer: str, seats: int) -> None:
    told(table, "hear of games", by=JANE)
    told(table, "advertise")
    news = table.inbox(JANE)[-1]
    assert "players wanted" in news.subject
    table.send(JANE, answer, to=news.reply_to, subject=f"Re: {news.subject}", headers={"In-Reply-To": news.message_id})
    assert seats_of(table) == seats
    if answer == "I'll pass":
        assert "You have no seat in baltic, and get none; you need not do anything." in last(table, JANE)
