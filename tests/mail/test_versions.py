"""A mail of two versions: the text is read, and what only one of them says is known."""

from datetime import UTC, datetime

import pytest

from judge.mail.envelope import Envelope, read_envelope

NOW = datetime(2026, 5, 4, 18, 0, tzinfo=UTC)
HEAD = "From: anna@players.test\r\nTo: judge@judge.test\r\nSubject: x\r\nMIME-Version: 1.0\r\n"


def _read(text: str, html: str) -> Envelope:
    parts = (("plain", text), ("html", html))
    body = "".join(f"--b\r\nContent-Type: text/{kind}; charset=utf-8\r\n\r\n{said}\r\n" for kind, said in parts)
    raw = f'{HEAD}Content-Type: multipart/alternative; boundary="b"\r\n\r\n{body}--b--\r\n'
    return read_envelope(raw.encode(), NOW)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("A PAR - BUR\nA MAR H", "<p>A PAR - BUR</p><p>A MAR H</p>"),
        ("*A PAR - BUR*", "<b>A PAR</b> - <i>BUR</i>"),
        ("press to all\nWe meet in Paris, and\nthen in Rome.", "press to all<br>We meet in Paris, and then in Rome."),
        ("A PAR - BUR", '<p>A PAR - BUR</p><p style="display:none">A MAR - SPA</p>'),
        ("A PAR - BUR\n\nOn 4 May 2026 at 19:00 J wrote:\n> A MAR H", "A PAR - BUR<blockquote>F BRE H</blockquote>"),
        ("A PAR - BUR", ""),
    ],
)
def test_versions_that_say_the_same(text: str, html: str) -> None:
    envelope = _read(text, html)
    assert (envelope.only_in_text, envelope.only_in_html) == ((), ())


def test_the_text_is_read_and_the_difference_known() -> None:
    envelope = _read("A PAR - BUR\nA MAR H", "<p>A PAR - PIC</p><p>A MAR H</p>")
    assert envelope.own_text == "A PAR - BUR\nA MAR H"
    assert (envelope.only_in_text, envelope.only_in_html) == (("A PAR - BUR",), ("A PAR - PIC",))


def test_a_line_crossed_out_in_the_html_stands_only_in_the_text() -> None:
    envelope = _read("A PAR - BUR\nA MAR H", "<p><s>A PAR - BUR</s></p><p>A MAR H</p>")
    assert (envelope.only_in_text, envelope.only_in_html) == (("A PAR - BUR",), ())
