"""Bombs: mails that made well-known readers raise, recurse or run for seconds are read here like any other."""

from datetime import UTC, datetime

import pytest

from judge.mail.envelope import TrustedSite, read_envelope
from judge.mail.raw.fields import LIMITS
from tests.support.mailbombs import BOMBS

NOW = datetime(2026, 5, 4, tzinfo=UTC)
SITE = TrustedSite(authserv_id="mx.judge.test")


@pytest.mark.parametrize("name", BOMBS)
def test_bomb_is_read_within_the_limits(name: str) -> None:
    envelope = read_envelope(BOMBS[name](), NOW, rcpt="judge+abc@judge.test", trusted=SITE)
    assert not any(defect.startswith("reader-failed") for defect in envelope.defects)
    assert envelope.envelope_recipient == "judge+abc@judge.test"
    assert len(envelope.text_lines) <= LIMITS.lines
    assert sum(len(line.text) + 1 for line in envelope.text_lines) <= LIMITS.text + 1
    assert len(envelope.recipients) <= LIMITS.recipients
    assert [line.number for line in envelope.text_lines] == list(range(1, len(envelope.text_lines) + 1))


@pytest.mark.parametrize(
    ("name", "defect"),
    [
        ("from-of-a-megabyte", "mail-too-large"),
        ("from-of-brackets", "identity-field-too-long"),
        ("message-id-of-brackets", "header-block-too-large"),
        ("twenty-thousand-recipients", "header-block-too-large"),
        ("field-flood", "too-many-fields"),
        ("multiparts-a-thousand-deep", "nested-too-deep"),
        ("fifty-thousand-parts", "too-many-parts"),
    ],
)
def test_bomb_is_marked_unsafe_and_says_why(name: str, defect: str) -> None:
    envelope = read_envelope(BOMBS[name](), NOW)
    assert envelope.unsafe
    assert defect in envelope.defects
    assert envelope.content_hash is None


def test_long_text_is_cut_and_counted() -> None:
    envelope = read_envelope(b"From: anna@players.test\n\n" + b"A PAR - BUR\n" * 3000, NOW)
    assert len(envelope.text_lines) == LIMITS.lines
    assert envelope.lines_cut == 1000
    assert "text-cut" in envelope.defects
    assert not envelope.unsafe


def test_long_line_keeps_its_beginning() -> None:
    envelope = read_envelope(b"From: anna@players.test\n\n" + b"x" * 70_000, NOW)
    assert [len(line.text) for line in envelope.text_lines] == [LIMITS.text]
    assert envelope.lines_cut == 1


def test_many_recipients_are_cut_and_ours_is_kept() -> None:
    to = b", ".join(b"u%d@x.test" % n for n in range(500))
    raw = b"From: anna@players.test\nTo: " + to + b"\n\nA PAR - BUR\n"
    envelope = read_envelope(raw, NOW, rcpt="judge+abc@judge.test")
    assert "recipients-cut" in envelope.defects
    assert envelope.addressed_to("judge.test") == [("judge", "abc")]


def test_naive_moment_is_an_error_of_ours() -> None:
    with pytest.raises(ValueError, match="aware"):
        read_envelope(b"", datetime(2026, 5, 4))  # noqa: DTZ001
