"""The receipt: how the player stands, what must be put right, what became of every line, what is on file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from judge.game.core import commands as cmd
from judge.game.core.commands import Status, Verdict
from judge.game.filing.standing import standing
from judge.game.instructions.kinds import unit_of
from judge.orders.model import Hold
from judge.report.core.letter import Answer, Enclosure, Kind, Letter, Received, Thread
from judge.report.reply import inquiries
from judge.report.reply.receipt import answer_to_person, receipt
from judge.report.seat.desk import filed_lines
from tests.report.conftest import read, spoken
from tests.support.builders import OFFICE, START, Table, cast_of

MAIL = Received("1042", START, "7c1e9a42" * 8, "<a1@players.test>", "tannenburg")


def answered(table: Table, power: str, *answers: Answer, **more: Any) -> Letter:
    seat = table.game.seat_of(power)
    assert seat is not None and seat.person is not None
    return read(receipt(table.game, seat.id, cast_of().member(seat.person), MAIL, answers, office=OFFICE, **more))


def mailed(table: Table, power: str, *lines: str) -> Letter:
    """The receipt for a mail of orders."""
    before = table.game
    decision = table.orders(power, *lines)
    return answered(table, power, Answer.of(decision, line=1, text="", verb="orders"), before=before)


def test_a_complete_set_needs_nothing_more(table: Table) -> None:
    view = mailed(table, "FRANCE", "A Par - Bur", "A Mar - Spa", "F Bre - Mid").view
    assert view["status"] == "COMPLETE"
    assert view["headline"] == "nothing more is needed. You may change it until Fri 8 Jan 23:59 EST."
    (filed,) = view["sets"]
    assert (filed["number"], filed["state"], filed["missing"]) == (1, "COMPLETE", [])
    assert set(filed["lines"]) == {"A Paris - Burgundy", "A Marseilles - Spain", "F Brest - Mid-Atlantic Ocean"}


def test_the_subject_names_the_set_and_how_it_stands(table: Table) -> None:
    letter = mailed(table, "FRANCE", "A Par - Bur", "A Mar - Spa", "F Bre - Mid")
    assert letter.view["subject"] == "set 1 for France - COMPLETE"
    assert letter.view["frame"]["phase"] == "S1901 Moves"


def test_a_partial_set_says_which_units_have_no_order(table: Table) -> None:
    view = mailed(table, "FRANCE", "A Par - Bur").view
    assert view["status"] == "PARTIAL"
    assert view["sets"][0]["missing"] == ["no order for F Brest", "no order for A Marseilles"]


def test_a_faulty_line_comes_first_and_the_earlier_set_stays_in_force(table: Table) -> None:
    mailed(table, "FRANCE", "A Par - Bur", "A Mar - Spa", "F Bre - Mid")
    view = mailed(table, "FRANCE", "A Par - Rome").view
    assert view["status"] == "NEEDS CORRECTION"
    assert view["headline"] == "line 1 was not taken. Set 1 is in force and complete."
    assert [line["text"] for line in view["wrong"]] == ["A Par - Rome"]
    assert view["sets"][0]["lines"].count("A Paris - Burgundy") == 1


def test_a_complete_set_beside_a_line_that_makes_its_player_late_says_so(table: Table) -> None:
    """A line for no unit of one's own stands in no order's place, and waits to be put right or dropped."""
    mailed(table, "FRANCE", "A Par - Bur", "A Mar - Spa", "F Bre - Mid")
    for line, late in (("A Par - Rome", False), ("A Boh - Mun", True), ("A Par - Rome", True)):
        view = mailed(table, "FRANCE", line).view
        assert standing(table.game, "FRANCE").late is late
        told = (
            "Yet a line still waits to be put right, or dropped with `drop that line`, by Fri 8 Jan 23:59 EST"
            in str(view["headline"])
        )
        assert told is late, view["headline"]


def test_what_changed_since_the_set_before(table: Table) -> None:
    mailed(table, "FRANCE", "A Par - Bur", "A Mar - Spa", "F Bre - Mid")
    view = mailed(table, "FRANCE", "F Bre - Pic").view
    changed = view["sets"][0]["lines"].index("F Brest - Picardy") + 1
    assert view["sets"][0]["changed"] == f"Changed since set 1: line {changed}."


def test_every_line_is_shown_with_what_it_was_read_as(table: Table) -> None:
    view = mailed(table, "FRANCE", "A Par - Bur", "F Paris H").view
    assert view["lines"][0]["said"] == "ok: A Paris - Burgundy"
    assert [line["number"] for line in view["lines"]] == [1, 2]


def test_lines_that_no_command_claimed_are_shown_too(table: Table) -> None:
    unread = Verdict(7, "Lovely weather", Status.IGNORED, sentence="not a command")
    view = answered(table, "FRANCE", unread=[unread]).view
    assert view["lines"] == [
        {
            "number": 7, "text": "Lovely weather", "status": "ignored", "said": "not a command", "mends": [],
            "clause": "", "first_choice": 1, "worth_saying": False, "game": "", "fails": False,
            "of_command": False,
        }
    ]  # fmt: skip
    assert view["status"] == "NOTHING TO DO"


def test_mends_are_numbered_through_and_stored_for_the_answer(table: Table) -> None:
    verdicts = (
        Verdict(1, "F Edi - Nor", Status.REFUSED, candidates=("F EDI - NTH", "F EDI - NWG")),
        Verdict(2, "A Liv - Yrk", Status.REFUSED, candidates=("A LVP - YOR",)),
    )
    view = answered(table, "ENGLAND", Answer(1, "", Status.TAKEN, verb="orders", verdicts=verdicts)).view
    assert [line["first_choice"] for line in view["wrong"]] == [1, 3]
    assert view["reply"]["choices"] == [
        "F Edinburgh - North Sea",
        "F Edinburgh - Norwegian Sea",
        "A Liverpool - Yorkshire",
    ]


def test_other_commands_are_done_or_refused_with_their_mend(table: Table) -> None:
    refused = table.tell(cmd.ChangeSettings("gace", "3d"), table.gm)
    done = table.tell(cmd.Note("words"), table.gm)
    letter = receipt(
        table.game,
        "gm",
        cast_of().member(table.game.gm),
        MAIL,
        [Answer.of(refused, line=1, text="set gace 3d", verb="set"), Answer.of(done, line=2, text="note", verb="note")],
        office=OFFICE,
    )
    view = read(letter).view
    assert (view["status"], view["headline"]) == ("PARTLY DONE", "1 line could not be followed.")
    assert view["sets"] == []
    assert view["subject"] == "set and note - partly done"


def test_how_many_others_are_missing_but_never_who(table: Table) -> None:
    view = mailed(table, "FRANCE", "A Par - Bur", "A Mar - Spa", "F Bre - Mid").view
    assert view["waiting"] == "6 of 6 still missing"
    secret = Table(table.maps, {"waiting_shown": "no"}).seated().started()
    assert mailed(secret, "FRANCE", "A Par - Bur").view["waiting"] is None


def test_the_proof_is_the_mail_itself(table: Table) -> None:
    letter = mailed(table, "FRANCE", "A Par - Bur")
    assert letter.view["proof"] == {
        "id": "1042",
        "message_id": "<a1@players.test>",
        "received": {"at": START.isoformat(), "zone": "America/New_York", "own": "", "note": ""},
        "sha256": "7c1e9a42" * 8,
        "code": "7c1e-9a42",
    }
    assert (letter.thread, letter.parent) == (Thread.MAIL, "<a1@players.test>")
    assert letter.idem_key == "tannenburg/mail/1042/3"


def question(table: Table) -> tuple[Answer, Enclosure]:
    return Answer(1, "status", Status.TAKEN, verb="status", enclosed=True), inquiries.status_view(
        table.game, "3", cast_of()
    )


def test_a_single_question_is_answered_by_a_letter_of_its_kind(table: Table) -> None:
    answer, enclosure = question(table)
    chatter = Verdict(2, "Hello judge", Status.IGNORED)
    letter = answered(table, "FRANCE", answer, enclosures=[enclosure], unread=[chatter])
    assert letter.kind == "status"
    assert letter.view["stage"] == "Spring 1901 moves"
    assert letter.view["ignored"] == ["2  Hello judge"]


def test_a_question_among_other_things_is_enclosed(table: Table) -> None:
    answer, enclosure = question(table)
    other = Answer(2, "wait", Status.TAKEN, "I wait.", verb="wait")
    letter = answered(table, "FRANCE", answer, other, enclosures=[enclosure])
    assert letter.kind is Kind.RECEIPT
    assert letter.view["enclosures"][0]["kind"] == "status"


@pytest.mark.parametrize("asker", ["3", "gm", ""])
def test_the_status_of_orders_is_for_their_player_and_the_gamemaster(table: Table, asker: str) -> None:
    table.orders("FRANCE", "A Par - Bur")
    rows = inquiries.status_view(table.game, asker, cast_of()).view["seats"]
    rows = spoken(rows)
    states = {row["powers"]: row["state"] for row in rows}
    assert (states["France"] == "partial") is (asker in ("3", "gm"))
    assert (states["Italy"] == "nothing sent") is (asker == "gm")


def test_history_between_two_bounds(fall_1902: Table) -> None:

    def phases(since: str = "", until: str = "") -> list[str]:
        view = inquiries.history_view(fall_1902.game, fall_1902.events, since, until).view
        return [result["phase"] for result in view["results"]]

    assert phases()[:3] == ["S1901M", "S1901R", "F1901M"]
    assert phases("1902") == ["S1902M", "S1902R", "F1902M"]
    assert phases("F1901R", "S1902M") == ["F1901R", "W1901A", "S1902M"]
    assert phases("", "S1901") == ["S1901M", "S1901R"]


def test_a_person_without_a_seat_is_answered_too() -> None:
    member = cast_of().member(8)
    answer = Answer(1, "join verdun", Status.REFUSED, "There is no game verdun.", mend="list", verb="join")
    letter = answer_to_person(member, MAIL, [answer], office=OFFICE)
    assert (letter.kind, letter.game, letter.reply_as, letter.person) == (Kind.RECEIPT, "", "", 8)
    assert letter.view["status"] == "NOT DONE"


def test_a_command_in_the_subject_has_no_line_number(table: Table) -> None:
    refused = Answer(0, "A Par - Rom", Status.REFUSED, "It cannot.", verb="orders")
    view = answered(table, "FRANCE", refused).view
    assert view["headline"] == "the subject was not taken; nothing is on file."
    assert view["lines"][0]["text"] == "Subject: A Par - Rom"


def test_an_order_for_another_turn_says_for_which(table: Table) -> None:
    mailed(table, "FRANCE", "A Par - Bur")
    sheet = table.game.sheets["FRANCE"]
    unit = unit_of(sheet.lines[0].instruction)
    assert unit is not None
    later = replace(sheet.lines[0], phase="F1901M", instruction=Hold(unit))
    game = replace(table.game, sheets={"FRANCE": replace(sheet, lines=(*sheet.lines, later))})
    assert tuple(map(spoken, filed_lines(game, "FRANCE"))) == (
        "A Paris - Burgundy",
        "A Paris H   (for Fall 1901 moves)",
    )


def test_a_removal_on_file_is_called_one(fall_1902: Table) -> None:
    fall_1902.orders("RUSSIA", "A StP R Mos")
    fall_1902.orders("RUSSIA", "remove A Gal")
    assert filed_lines(fall_1902.game, "RUSSIA") == ("A St Petersburg R Moscow", "remove A Galicia")


def test_a_line_that_is_kept_for_later_is_told_in_its_own_words(table: Table) -> None:
    kept = Verdict(1, "A Par - Bur", Status.TAKEN, sentence="kept for Fall 1901 moves")
    view = answered(table, "FRANCE", Answer(1, "", Status.TAKEN, verb="orders", verdicts=(kept,))).view
    assert view["lines"][0]["said"] == "ok: kept for Fall 1901 moves"
