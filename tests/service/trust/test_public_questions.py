"""What everybody may know is told to everybody: to a player without proof as to a stranger, and never held.

A sweep over the vocabulary: every verb whose line is a question about public facts, so that a new one is held to it.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from judge.board.load import load_board
from judge.mail.queries import Query
from judge.mail.vocabulary import VERBS, Around, Clause, Verb, find_verb
from judge.resources import folder
from judge.store.rows import MailState
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from tests.service.conftest import kind_of, last_mail
from tests.support.tables import POWERS

FRANCE, STRANGER = player_of("FRANCE"), "nora@else.test"


def _is_public(verb: Verb, line: str) -> bool:
    board = load_board(folder("maps") / "standard")
    match = find_verb(line)
    around = Around(datetime(1901, 3, 1, tzinfo=UTC), UTC, game="baltic", board=board, games={"baltic": board})
    read = verb.read(Clause(match.word, match.rest, around)) if match is not None else None
    return isinstance(read, Query) and read.public


PUBLIC = tuple(verb for verb in VERBS if _is_public(verb, verb.example))
LINES = [line for verb in PUBLIC for line in (verb.words[0], f"{verb.words[0]} baltic") if _is_public(verb, line)]


def test_there_are_such_questions() -> None:
    assert {"help", "list", "status", "house rules", "settings", "history", "map"} <= {verb.name for verb in PUBLIC}


@pytest.mark.parametrize("verb", PUBLIC, ids=lambda verb: verb.name)
def test_a_public_question_is_answered_without_proof(table: LocalJudge, verb: Verb) -> None:
    before = len(table.inbox(FRANCE))
    table.send(FRANCE, verb.words[0], subject="baltic", vouched=False)
    assert last_mail(table).state is MailState.PROCESSED, last_mail(table).reason
    (answer,) = table.inbox(FRANCE)[before:]
    assert kind_of(answer) != "held"


@pytest.mark.parametrize("line", LINES)
def test_a_public_question_of_a_stranger_is_answered_with_more_than_the_fixed_letter(
    table: LocalJudge, line: str
) -> None:
    table.send(STRANGER, line, vouched=False)
    (letter,) = table.inbox(STRANGER)
    assert "nothing was done with your mail" not in " ".join(letter.lines), line


@pytest.mark.parametrize("verb", PUBLIC, ids=lambda verb: verb.name)
def test_a_public_question_about_a_game_named_in_the_subject_is_answered_to_a_stranger(
    table: LocalJudge, verb: Verb
) -> None:
    table.send(STRANGER, verb.words[0], subject="baltic", vouched=False)
    (letter,) = table.inbox(STRANGER)
    assert "nothing was done with your mail" not in " ".join(letter.lines), verb.name


def test_a_stranger_gets_few_sentences_and_every_question_has_its_answer_or_a_word(table: LocalJudge) -> None:
    """Nobody makes the judge talk at length to an address that they forge; what is left out is said."""
    seat_everybody(table, "hansa")
    table.send(STRANGER, "due\nholidays\ncentres to win\ndue\n[hansa]\ndue", subject="baltic", vouched=False)
    text = " ".join(table.inbox(STRANGER)[-1].lines)
    assert "knows no holidays" in text and "18 centres" in text and "Asked twice" not in text
    assert text.count("are due by") == 1 and "I answer the first few" in text
    table.send(STRANGER, "holidays\nstatus", subject="baltic", vouched=False)
    text = " ".join(table.inbox(STRANGER)[-1].lines)
    assert "knows no holidays" in text and "UNIT POSITIONS" in text


def test_whether_all_orders_are_in_is_told_to_those_who_play(table: LocalJudge) -> None:
    for power in POWERS:
        table.send(player_of(power), "all hold", subject="baltic")
    for writer, told in ((FRANCE, True), (STRANGER, False)):
        table.send(writer, "due", subject="baltic", vouched=writer == FRANCE)
        assert ("all orders are in" in " ".join(table.inbox(writer)[-1].lines)) is told
