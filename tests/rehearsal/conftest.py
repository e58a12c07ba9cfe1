"""A conversation is played, and whatever it shows, its letters keep to what holds for every letter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.testing.rehearsal import Rehearsal
from judge.testing.scenery import scenery_of
from judge.testing.transcript import Transcript
from tests.support.standing import set_up

SUBJECT = 78
"""The longest subject. What is longer is cut, so that a list of mails shows it; no usual letter has to be."""


@pytest.fixture
def play(tmp_path: Path) -> Callable[[Transcript], None]:
    """Plays a conversation in this process."""
    return lambda transcript: _play(transcript, tmp_path)


def _play(transcript: Transcript, folder: Path) -> None:
    scenery, steps = scenery_of(transcript)
    stage, standing = set_up(folder, scenery)
    try:
        Rehearsal(transcript, stage).play(standing, steps)
    finally:
        stage.close()
    subjects = {letter.subject for letter in stage.everything()}
    assert not [subject for subject in subjects if len(subject) > SUBJECT or subject.endswith("...")]
