"""Habits of mail programs, of other sites and of newcomers, each over its whole class."""

from __future__ import annotations

import pytest

from judge.board.load import load_board
from judge.game.core.parts import TAKES_BACK
from judge.game.instructions.conditions import read_branches
from judge.mail.html import html_to_text
from judge.mail.script import ScriptContext
from judge.resources import folder
from tests.script.conftest import ReadMail

ORDERS = ["A Par - Bur", "A Mar - Spa", "F Bre - Mid"]


def lines_of_orders(script: object) -> list[str]:
    return [line.text for one in script.orders for line in one.lines]  # type: ignore[attr-defined]


@pytest.mark.parametrize("rule", ["|---|---|", "|:--|--:|", "| === | === |", ""])
@pytest.mark.parametrize("head", ["| Unit | Order |", "| Units | Orders |", "| My unit | Goes to |", ""])
def test_a_table_drawn_with_bars_is_read_row_by_row(
    head: str, rule: str, mail: ReadMail, player: ScriptContext
) -> None:
    rows = ["| A Par | - Bur |", "| A Mar | - | Spa |", "  | F Bre | - Mid |  "]
    script = mail("\n".join(line for line in (head, rule, *rows) if line), to=player)
    assert [" ".join(one.split()) for one in lines_of_orders(script)] == ORDERS and not script.unread


@pytest.mark.parametrize("word", ["Unit", "Units:", "Unit(s)", "United", "Great", "Frank", "Frank:"])
def test_a_word_that_only_begins_like_a_name_of_a_power_heads_no_orders(
    word: str, mail: ReadMail, player: ScriptContext
) -> None:
    script = mail("\n".join([word, *ORDERS]), to=player)
    assert lines_of_orders(script) == ORDERS and not any(one.power for one in script.orders)


@pytest.mark.parametrize("comment", ["// just in case", "// if all goes well", "# in case of war", "// unless I err"])
def test_a_condition_in_a_comment_is_none(comment: str) -> None:
    board = load_board(folder("maps") / "standard")
    assert read_branches(f"A Par - Bur   {comment}", board, "FRANCE", lambda _: True) is None


SIGNED = (
    '<div class="gmail_signature"><b>Jane</b><br>F Bre H</div>', '<pre class="moz-signature">F Bre H</pre>',
    '<div id="AppleMailSignature">F Bre H</div>', '<div id="Signature"><p>F Bre H</p></div>',
    '<div id="ms-outlook-mobile-signature">F Bre H</div>', '<div class="protonmail_signature_block">F Bre H</div>',
)  # fmt: skip


@pytest.mark.parametrize("signature", SIGNED)
def test_what_a_program_marks_as_signature_is_one(signature: str, mail: ReadMail, player: ScriptContext) -> None:
    text = html_to_text(f"<div>A Par - Bur<br>A Mar - Spa</div>{signature}")
    assert "-- " in text.splitlines()
    quoted = f'<blockquote type="cite">{signature}</blockquote>'
    assert "-- " not in html_to_text(f"<p>A Par - Bur</p>{quoted}").splitlines()
    assert "-- " not in html_to_text(f"{signature}<div>A Par - Bur</div>").splitlines()  # nothing stands above it


@pytest.mark.parametrize(
    "why", ["work is crazy at the moment and ", "my exams have begun, ", "I'm sorry but ", "we had a baby, so "]
)
@pytest.mark.parametrize("leaving", ["I have to quit the game", "I can't play any more", "I must stop playing"])
def test_whoever_ends_a_sentence_with_leaving_reads_how(
    why: str, leaving: str, mail: ReadMail, player: ScriptContext
) -> None:
    script = mail(f"Hi all, {why}{leaving}.", to=player)
    assert [one.reason for one in script.unread] == ["perhaps-leave"] and not script.said


@pytest.mark.parametrize("sorry", ["", "Sorry, I made a mistake! ", "Oh dear. "])
@pytest.mark.parametrize("more", ["", ", I'll send new ones tomorrow when I have heard from Germany and Italy."])
def test_orders_taken_back_in_a_longer_line_are_asked_about(
    sorry: str, more: str, mail: ReadMail, player: ScriptContext
) -> None:
    script = mail(f"{sorry}Please ignore the orders I sent before{more}", to=player)
    doubts = [line.doubt.reason for one in script.orders for line in one.lines if line.doubt]
    assert doubts == [TAKES_BACK], script.accounts()


@pytest.mark.parametrize(
    "wish",
    [
        "I’d like my “army” in Paris to move to Burgundy, my army in Marseilles to move to Spain.",
        "I would like to move my army from Paris to Burgundy and my fleet to the Channel.",
        "I want to support Germany into Burgundy with my army in Marseilles.",
    ],
)
def test_a_wish_that_may_be_orders_is_told_how_they_are_written(
    wish: str, mail: ReadMail, player: ScriptContext
) -> None:
    script = mail(wish, to=player)
    assert [one.reason for one in script.unread] == ["perhaps-orders"] or lines_of_orders(script), script.accounts()
    assert not mail("I want to support my local football club this year.", to=player).unread
    assert not mail("I would like to know whether Italy is asleep.", to=player).unread


def test_the_older_judges_length_of_a_history_is_passed_over(mail: ReadMail, player: ScriptContext) -> None:
    script = mail("HISTORY tannenburg FROM 1901 LINES 100", to=player)
    assert script.said and not script.unread
