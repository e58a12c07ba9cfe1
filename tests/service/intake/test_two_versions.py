"""Of a mail whose text and HTML differ the text counts, and the receipt says so where it matters; copies do no harm."""

from dataclasses import replace

import pytest

from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import build
from tests.service.conftest import filed

FRANCE = player_of("FRANCE")


def _send(stage: LocalJudge, text: str, html: str) -> str:
    """What the receipt says, on one line."""
    parts = (("plain", text), ("html", html))
    body = "".join(f"--b\r\nContent-Type: text/{kind}; charset=utf-8\r\n\r\n{said}\r\n" for kind, said in parts)
    plain = build(
        [("From", FRANCE), ("Subject", "baltic")], "", now=stage.now, number=1, to=stage.address, vouched=True
    )
    head = plain.raw.partition(b"\r\n\r\n")[0].replace(
        b"text/plain; charset=utf-8", b'multipart/alternative; boundary="b"'
    )
    stage.offer(replace(plain, raw=head + f"\r\n\r\n{body}--b--\r\n".encode()))
    return " ".join(stage.inbox(FRANCE)[-1].text.split())


@pytest.mark.parametrize(
    ("text", "html", "where"),
    [
        ("A Par - Bur", "<p>A Par - Bur</p><p>A Mar - Spa</p>", "only in the HTML"),
        ("A Par - Bur\n", "<p>A Par - Pic</p>", "only in the HTML"),
        ("A Par - Bur\nwait", "<p>A Par - Bur</p>", "only in the text"),
        ("A Par - Bur\nA Mar H", "<p>A Par - Bur</p><p><s>A Mar H</s></p>", "only in the text"),
    ],
)
def test_an_order_or_command_in_one_version_alone_is_told(table: LocalJudge, text: str, html: str, where: str) -> None:
    said = _send(table, text, html)
    assert "A PAR - BUR" in filed(table, "FRANCE")
    assert "A MAR - SPA" not in filed(table, "FRANCE")
    assert f"stands {where}" in said


@pytest.mark.parametrize(
    "html",
    ["<p>A Par - Bur</p>", "<p>Dear judge,</p><p>A Par - Bur</p>", "A Par - Bur<div hidden>A Mar - Spa</div>"],
)
def test_versions_that_ask_for_the_same_are_not_spoken_of(table: LocalJudge, html: str) -> None:
    said = _send(table, "A Par - Bur", html)
    assert "in the HTML" not in said and "in the text" not in said


def test_a_receipt_sent_back_without_marks_gives_no_order_twice(table: LocalJudge) -> None:
    receipt = _send(
        table, "A Par - Bur\nA Mar - Spa\nF Bre - Mid", "<p>A Par - Bur</p><p>A Mar - Spa</p><p>F Bre - Mid</p>"
    )
    letter = table.inbox(FRANCE)[-1].text.partition("\n")[2]
    assert "ON FILE" in receipt
    headers = [("From", FRANCE), ("Subject", "baltic"), ("Message-ID", "<second@players.test>")]
    table.offer(build(headers, f"A Par - Pic\n\n{letter}", now=table.now, number=2, to=table.address, vouched=True))
    assert "A PAR - PIC" in filed(table, "FRANCE") and "A PAR - BUR" not in filed(table, "FRANCE")
    assert "more than one order" not in table.inbox(FRANCE)[-1].text
