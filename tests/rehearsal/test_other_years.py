"""Conversations in games whose years have other phases than those of 1976."""

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.testing.transcript import Transcript, read_transcript
from tests.variants.rule_systems import enter

FOLDER = Path(__file__).resolve().parent.parent / "transcripts" / "years"


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.mail")), ids=lambda file: file.stem)
def test_conversation(file: Path, play: Callable[[Transcript], None], monkeypatch: pytest.MonkeyPatch) -> None:
    enter(monkeypatch)
    play(read_transcript(file.read_text(encoding="utf-8"), file.name))
