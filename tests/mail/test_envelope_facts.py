"""Facts of an Envelope that need two mails or another way in: fingerprints, recipients, the runnable examples."""

import doctest
from datetime import UTC, datetime, timedelta, timezone
from importlib import import_module
from types import ModuleType

import pytest

from judge.mail.envelope import TrustedSite, read_envelope
from judge.mail.noise import Noise

NOW = datetime(2026, 5, 4, 18, 0, tzinfo=UTC)
HEAD = b"From: anna@players.test\r\nTo: judge@judge.test\r\nSubject: x\r\n"
IDENTIFIED = HEAD + b"Message-ID: <a@players.test>\r\nDate: Mon, 4 May 2026 19:30:00 +0200\r\n"
BODY = b"\r\nA PAR - BUR\r\n"


def fingerprint(raw: bytes) -> str | None:
    return read_envelope(raw, NOW).content_hash


def test_same_mail_by_two_routes_has_one_fingerprint() -> None:
    one = (
        b"Received: from a by mx1.test; x\r\nDelivered-To: judge@judge.test\r\nX-Spam-Score: 0\r\n" + IDENTIFIED + BODY
    )
    two = b"Received: from b by mx2.test; y\r\nReturn-Path: <anna@players.test>\r\n" + IDENTIFIED + BODY
    assert fingerprint(one) == fingerprint(two) is not None


def test_line_ends_and_space_at_ends_do_not_change_the_fingerprint() -> None:
    changed = (IDENTIFIED + BODY).replace(b"\r\n", b"\n") + b"\n\n"
    assert fingerprint(changed) == fingerprint(IDENTIFIED + BODY)
    assert fingerprint(IDENTIFIED + b"\r\nA PAR - BUR  \r\n") == fingerprint(IDENTIFIED + BODY)


@pytest.mark.parametrize(
    "other",
    [
        IDENTIFIED + b"\r\nA PAR - PIC\r\n",
        IDENTIFIED.replace(b"Subject: x", b"Subject: y") + BODY,
        IDENTIFIED.replace(b"anna@", b"boris@", 1) + BODY,
        IDENTIFIED.replace(b"19:30", b"19:31") + BODY,
    ],
    ids=["text", "subject", "sender", "date"],
)
def test_another_mail_under_the_same_message_id_has_another_fingerprint(other: bytes) -> None:
    assert fingerprint(other) not in (None, fingerprint(IDENTIFIED + BODY))


def test_without_message_id_or_date_there_is_no_fingerprint() -> None:
    assert fingerprint(HEAD + b"Date: Mon, 4 May 2026 19:30:00 +0200\r\n" + BODY) is None
    assert fingerprint(HEAD + b"Message-ID: <a@players.test>\r\n" + BODY) is None


def test_moments_are_kept_in_utc() -> None:
    local = datetime(2026, 5, 4, 20, 0, tzinfo=timezone(timedelta(hours=2)))
    envelope = read_envelope(IDENTIFIED + BODY, local)
    assert envelope.received_at == envelope.arrived_at == NOW
    assert envelope.received_at.tzinfo is UTC


def test_envelope_sender_of_the_transport_goes_before_the_field() -> None:
    raw = b"Return-Path: <anna@players.test>\r\n" + IDENTIFIED + BODY
    assert read_envelope(raw, NOW).return_path == "anna@players.test"
    assert read_envelope(raw, NOW, mail_from="<>").return_path == ""


def test_site_without_authserv_id_believes_nobody() -> None:
    raw = b"Authentication-Results: mx.judge.test; dmarc=pass header.from=players.test\r\n"
    raw += b"Received: from players.test by mx.judge.test\r\n" + IDENTIFIED + BODY
    assert read_envelope(raw, NOW).auth == "none"
    assert read_envelope(raw, NOW, trusted=TrustedSite(authserv_id="mx.judge.test")).auth == "pass"


def test_quoted_lines_keep_text_and_depth() -> None:
    line = read_envelope(b"From: a@b.test\n\n> > A PAR - BUR\n", NOW).text_lines[0]
    assert (line.depth, line.text) == (2, "> > A PAR - BUR")


def test_what_breaks_the_reader_is_still_an_envelope(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last net: an error of ours becomes a defect of the mail, and the mail goes to quarantine, not the daemon."""

    def broken(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr("judge.mail.envelope.reader.read_parts", broken)
    envelope = read_envelope(IDENTIFIED + BODY, NOW, rcpt="judge+abc@judge.test")
    assert envelope.unsafe
    assert envelope.defects == ("reader-failed", "reader-failed-RecursionError")
    assert envelope.addressed_to("judge.test") == [("judge", "abc")]


MODULES = (
    *("authres", "headers", "html", "noise", "quoting"),
    *("raw.addresses", "raw.charsets", "raw.fields", "envelope.reader"),
)


@pytest.mark.parametrize("module", [import_module(f"judge.mail.{name}") for name in MODULES], ids=MODULES)
def test_examples_in_the_docstrings_run(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


UNDELIVERED = b"""Votre message n'a pas pu etre delivre a
france@players.test

Your message could not be delivered to
france@players.test
"""


@pytest.mark.parametrize(
    ("subject", "text", "kind"),
    [
        (b"RE: [baltic] S1901 Moves: orders due : non remis\n (delivery failed)", UNDELIVERED, Noise.BOUNCE),
        (b"RE: [baltic] S1901 Moves: orders due (delivery failed)", b"A Par - Bur\n", Noise.NONE),
        (b"RE: [baltic] S1901 Moves: orders due", UNDELIVERED, Noise.NONE),
    ],
)
def test_a_notice_of_an_unknown_sender_is_known_by_its_subject_and_what_it_says(
    subject: bytes, text: bytes, kind: Noise
) -> None:
    """Either alone is a person's: one may write a subject, or quote a notice."""
    raw = b"From: gateway@site.test\nTo: judge@judge.test\nSubject: " + subject + b"\n\n" + text
    assert read_envelope(raw, NOW).noise.kind is kind
