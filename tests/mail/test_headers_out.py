"""Values that go into our own headers: no mail from outside may add a line to a letter of ours."""

from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail import headers
from judge.mail.envelope import read_envelope
from judge.mail.headers import HeaderInjectionError, clean_header, self_test
from tests.mail.test_zoo import RECEIVED_AT

EVIL_SUBJECT = b"From: x@evil.test\nSubject: =?utf-8?q?hi=0ABcc=3A_thief=40evil=2Etest?=\n\nx\n"


def test_self_test_passes_with_the_cleaning() -> None:
    self_test()


def test_self_test_finds_a_missing_cleaning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where this Python is vulnerable, or refuses with an error, sending uncleaned values must not pass unseen."""
    monkeypatch.setattr(headers, "clean_header", lambda value: value)
    with pytest.raises((HeaderInjectionError, ValueError)):
        self_test()


def test_decoded_subject_of_an_evil_mail_is_one_line() -> None:
    subject = read_envelope(EVIL_SUBJECT, RECEIVED_AT).subject
    assert subject == "hi Bcc: thief@evil.test"
    reply = EmailMessage()
    reply["Subject"] = clean_header("Re: " + subject)
    assert "\nBcc" not in reply.as_string()


def test_encoded_word_is_defused() -> None:
    assert "=?" not in clean_header("=?utf-8?q?hi=0ABcc=3A?=")


def test_cap_is_shown() -> None:
    assert clean_header("x" * 500, longest=10) == "xxxxxxx..."


@given(st.text())
def test_any_value_becomes_one_printable_line(value: str) -> None:
    clean = clean_header(value)
    assert len(clean.splitlines()) <= 1
    assert not any(ord(sign) < 32 or 0x7F <= ord(sign) <= 0x9F for sign in clean)
    assert clean == clean_header(clean)


@given(st.text(max_size=200))
def test_any_value_makes_exactly_one_header_line(value: str) -> None:
    letter = EmailMessage()
    letter["Subject"] = clean_header(value)
    letter["To"] = "anna@players.test"
    letter.set_content("ok")
    names = [line.partition(":")[0] for line in letter.as_string().partition("\n\n")[0].split("\n") if line[:1].strip()]
    assert names == ["Subject", "To", "Content-Type", "Content-Transfer-Encoding", "MIME-Version"]
