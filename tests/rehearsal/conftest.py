"""A conversation is played, and whatever it shows, its letters keep to what holds for every letter."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from judge.testing.rehearsal import rehearse
from judge.testing.stage import Playhouse
from judge.testing.transcript import Transcript

SUBJECT = 78
"""The longest subject. What is longer is cut, so that a list of mails shows it; no usual letter has to be."""


@pytest.fixture
def play(tmp_path: Path) -> Callable[[Transcript], None]:
    """Plays a conversation in this process."""
    return lambda transcript: _play(transcript, tmp_path)


def _play(transcript: Transcript, folder: Path) -> None:
    stages: list[Playhouse] = []

    def opened(start: datetime) -> Playhouse:
        stages.append(Playhouse(folder, start=start))
        return stages[-1]

    rehearse(transcript, opened)
    subjects = {letter.subject for stage in stages for letter in stage.everything()}
    assert not [subject for subject in subjects if len(subject) > SUBJECT or subject.endswith("...")]
