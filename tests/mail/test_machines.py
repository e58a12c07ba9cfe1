"""Programs' mail is known by the kind of its marks: those in `marks-of-machines.txt` were collected, not foreseen."""

from __future__ import annotations

from datetime import UTC, datetime
from email.header import Header
from pathlib import Path

from judge.mail.envelope import Envelope, read_envelope

MARKS = Path(__file__).with_name("marks-of-machines.txt")
NOON = datetime(2031, 1, 7, 12, tzinfo=UTC)


def mail_with(mark: str) -> Envelope:
    name, _, value = mark.partition(": ")
    marked = f"{name}: {value if value.isascii() else Header(value, 'utf-8', maxlinelen=900).encode()}\n"
    subject = "" if name == "Subject" else "Subject: Re: [vistula] your orders\n"
    raw = f"From: anna@players.test\nTo: judge@judge.test\n{subject}{marked}\nThank you for your message.\n"
    return read_envelope(raw.encode(), NOON)


def test_every_mark_of_a_machine_is_known_and_no_persons() -> None:
    lines = [line for line in MARKS.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    wrong = []
    for line in lines:
        person = line.startswith("person ")
        mark = line.removeprefix("person").strip()
        if mail_with(mark).noise.is_noise is person:
            wrong.append(line)
    assert not wrong
    assert len(lines) > 80
