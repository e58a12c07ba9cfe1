"""Every conversation in tests/transcripts is played: one behaviour a file, what comes in and what must go out."""

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.testing.process import DaemonUnderTest
from judge.testing.rehearsal import rehearse
from judge.testing.transcript import Transcript, read_transcript

FOLDER = Path(__file__).resolve().parent.parent / "transcripts"
FILES = sorted(FOLDER.glob("*.mail"))

ON_TOUR = (
    *("bad-line", "join-to-welcome", "late-and-grace", "kill-after-desk-commit", "kill-after-send", "restart"),
    # Mails that only the wire brings in their own shape: what a machine or PGP wrote, a sender who is nobody or has an
    # international address, the address of one letter.
    *("answering-machine-is-no-yes", "encrypted-reply-is-no-yes"),
    *("mail-without-a-sender-to-a-live-address-is-answered", "sender-beyond-ascii-is-answered"),
    *("confirmed-gm-command-takes-effect", "deputy-can-answer-his-letter"),
)
"""Conversations that are played against a real daemon too, each time; the long set plays all of them there."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_conversation(file: Path, play: Callable[[Transcript], None]) -> None:
    transcript = read_transcript(file.read_text(encoding="utf-8"), file.name)
    assert transcript.rule, "a conversation says at its head what it shows"
    play(transcript)


@pytest.mark.parametrize("name", ON_TOUR)
def test_conversation_with_a_daemon(name: str, tmp_path: Path) -> None:
    _on_tour(FOLDER / f"{name}.mail", tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("file", [file for file in FILES if file.stem not in ON_TOUR], ids=lambda file: file.stem)
def test_every_conversation_with_a_daemon(file: Path, tmp_path: Path) -> None:
    _on_tour(file, tmp_path)


def _on_tour(file: Path, folder: Path) -> None:
    transcript = read_transcript(file.read_text(encoding="utf-8"), file.name)
    rehearse(transcript, lambda start: DaemonUnderTest(folder, start=start))
