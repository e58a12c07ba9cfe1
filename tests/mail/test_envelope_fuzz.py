"""Properties of the reader on mails that nobody thought of: random bytes, mutated mails of the zoo, built mails."""

from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from judge.mail.envelope import Envelope, TrustedSite, read_envelope
from judge.mail.headers import clean_header
from judge.mail.html import html_to_text
from judge.mail.quoting import SENTINEL, LineKind, classify_lines
from judge.mail.raw.addresses import read_address, read_mailboxes
from judge.mail.raw.fields import decode_words, parameters

NOW = datetime(2026, 5, 4, tzinfo=UTC)
SITE = TrustedSite(authserv_id="mx.judge.test", trusted_mx=frozenset({"mx.judge.test"}), instance="judge-test")
ZOO = sorted((Path(__file__).parent / "zoo").glob("*/*.eml"))
RELAXED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=150)
LONG = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=5_000)

FRAGMENTS = st.sampled_from(
    [
        *(b"\r\n", b"\n", b"\r", b"\n\n", b"--b\n", b"--b--\n", b"From: ", b"To: ", b"Subject: "),
        *(b"=?utf-8?b?", b"=?utf-8?q?", b"?=", b"<", b">", b'"', b"(", b")", b"@", b",", b";", b":", b"\\"),
        *(b"&#", b"<!--", b"<blockquote>", b"</div>", b"<div id=divRplyFwdMsg>", b"> ", b"-- \n", b"From x\n"),
        *(b"a@b.test", b"A PAR - BUR\n", b"MAILER-DAEMON@x.test", b"\0", b"\xff", b"\xe2\x80\xa8", b"x" * 70 + b" \n"),
        b"Received: by mx.judge.test; ",
        b"Content-Type: multipart/mixed; boundary=b\n\n",
        b"Content-Type: multipart/alternative; boundary=b\n\n",
        b"Content-Type: text/html; charset=",
        b"Content-Type: message/delivery-status\n\n",
        b"Content-Type: message/rfc822\n\n",
        b"Content-Type: application/ms-tnef\n\n",
        b"Content-Transfer-Encoding: base64\n\n",
        b"Content-Transfer-Encoding: quoted-printable\n\n",
        b"; format=flowed\n\n",
        b"Content-Disposition: attachment; filename*0*=utf-8''%",
        b"Date: Mon, 31 Feb 99999 25:61:61 +9999\n",
        b"Authentication-Results: mx.judge.test; dmarc=",
        b"pass header.from=",
        b"Final-Recipient: rfc822; ",
        b"Action: failed\n",
        b"On 1 May 2026, x wrote:\n",
        b"-----BEGIN PGP MESSAGE-----\n",
        b"-----Original Message-----\n",
        SENTINEL.encode() + b"\n",
    ]
)


def check(envelope: Envelope) -> None:
    """What holds for any mail whatsoever."""
    assert not any(defect.startswith("reader-failed") for defect in envelope.defects), envelope.defects
    assert [line.number for line in envelope.text_lines] == list(range(1, len(envelope.text_lines) + 1))
    assert all("\n" not in line.text and "\r" not in line.text for line in envelope.text_lines)
    assert envelope.arrived_at <= envelope.received_at
    assert (envelope.from_address is None) == bool(envelope.from_problem)
    assert len(envelope.subject.splitlines()) <= 1
    assert envelope.topic in envelope.subject
    assert envelope.auth == "none" or envelope.from_address is not None


def read(raw: bytes) -> Envelope:
    return read_envelope(raw, NOW, rcpt="judge@judge.test", peer="mx.judge.test", trusted=SITE)


@RELAXED
@given(st.binary(max_size=2000))
def test_random_bytes(raw: bytes) -> None:
    check(read(raw))


@RELAXED
@given(st.lists(FRAGMENTS | st.binary(max_size=8), max_size=60).map(b"".join))
def test_fragments_of_mails(raw: bytes) -> None:
    check(read(raw))


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A mail of the zoo with a few cuts, insertions and repetitions."""
    raw = draw(st.sampled_from(ZOO)).read_bytes()[:8000]
    for _ in range(draw(st.integers(1, 4))):
        start, end = sorted((draw(st.integers(0, len(raw))), draw(st.integers(0, len(raw)))))
        middle = draw(st.sampled_from([b"", raw[start:end] * 2]) | FRAGMENTS | st.binary(max_size=6))
        raw = raw[:start] + middle + raw[min(end, start + 80) :]
    return raw


@RELAXED
@given(mutated())
def test_mutated_mails_of_the_zoo(raw: bytes) -> None:
    check(read(raw))


@pytest.mark.long
@LONG
@given(mutated() | st.lists(FRAGMENTS, max_size=80).map(b"".join))
def test_many_mutated_mails(raw: bytes) -> None:
    check(read(raw))


PRINTABLE = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"], include_characters=" "), max_size=60)
TEXT_LINES = st.lists(PRINTABLE.map(str.strip), max_size=12)


@RELAXED
@given(PRINTABLE, TEXT_LINES, st.sampled_from(["quoted-printable", "base64", "8bit"]), st.sampled_from(["", "html"]))
def test_mails_built_by_the_standard_library_come_back(name: str, lines: list[str], encoding: str, other: str) -> None:
    """An independent writer: what it encodes, this reader decodes."""
    assume(any(lines) and "=?" not in name)
    subject = f"tannenburg {name}".strip()
    mail = EmailMessage(policy=SMTP)
    mail["From"] = "anna@players.test"
    mail["Subject"] = subject
    mail.set_content("\n".join(lines) + "\n", cte=encoding, charset="utf-8")
    if other:
        mail.add_alternative("<p>not this</p>", subtype=other)
    # Where it folds a subject between two encoded words, that writer may lose the blank (even by its own reader).
    assume(message_from_bytes(mail.as_bytes(), policy=SMTP)["Subject"] == subject)
    envelope = read(mail.as_bytes())
    plain = read_envelope(b"From: anna@players.test\n\n" + "\n".join(lines).encode(), NOW)
    assert [line.text for line in envelope.text_lines] == [line.text for line in plain.text_lines]
    assert envelope.subject == clean_header(subject)
    assert envelope.from_address == "anna@players.test"


ORDERS = st.sampled_from(
    ["A PAR - BUR", "F BRE S A PAR - PIC", "On F BRE I wrote", "A MUN H;", "press to all", "From Vienna"]
)
QUOTED = st.sampled_from(["> A PAR - BUR", ">> old", "> ", "> " + SENTINEL])
ATTRIBUTIONS = st.sampled_from(["On Mon, 4 May 2026, Judge <j@x.test> wrote:", "Am 04.05.2026 schrieb Judge:"])
TAILS = st.sampled_from(["-----Original Message-----", SENTINEL, "-- ", "Sent from my iPhone", "--", "________", ""])


@given(st.lists(ORDERS, min_size=1, max_size=8), st.lists(QUOTED | ATTRIBUTIONS | TAILS | ORDERS, max_size=12))
def test_text_above_everything_else_is_never_lost(orders: list[str], rest: list[str]) -> None:
    lines = classify_lines([*orders, "", *rest])
    assert [line.kind for line in lines[: len(orders)]] == [LineKind.OWN] * len(orders)


@given(st.lists(st.tuples(QUOTED, ORDERS), min_size=1, max_size=8))
def test_text_between_quotations_is_never_lost(pairs: list[tuple[str, str]]) -> None:
    lines = classify_lines([line for pair in pairs for line in pair])
    assert [line.kind for line in lines] == [LineKind.QUOTED, LineKind.OWN] * len(pairs)


@given(st.lists(st.text(max_size=40)))
def test_every_line_has_one_record(lines: list[str]) -> None:
    assert [line.text for line in classify_lines(lines)] == lines


WORDS = st.text("abcdefgh", min_size=1, max_size=6)
MARKUP = st.sampled_from(
    ["<div>", "</div>", "<br>", "<p>", "</p>", "<b>", "</b>", "<li>", "<td>", "</blockquote>", "<blockquote>"]
)


@given(st.lists(st.tuples(MARKUP, WORDS), max_size=30))
def test_html_keeps_every_word_in_order(pieces: list[tuple[str, str]]) -> None:
    text = html_to_text("".join(f"{tag} {word} " for tag, word in pieces))
    assert [word for word in text.split() if word.isalpha()] == [word for _, word in pieces]


@given(st.text(max_size=300))
def test_html_is_total(source: str) -> None:
    assert "\x00" not in html_to_text(source.replace("\x00", ""))


@given(st.text(max_size=100))
def test_small_readers_are_total_and_stable(value: str) -> None:
    for box in read_mailboxes(value):
        assert box.address is None or read_address(box.address) == box.address
    parameters(value)
    assert decode_words(value) == value or "=?" in value
