"""The conversations of tests/transcripts, played on a PostgreSQL: a sample each time, the rest in the long set."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from judge.testing.casting import scenery_of
from judge.testing.local import LocalJudge
from judge.testing.rehearsal import Rehearsal
from judge.testing.transcript import read_transcript
from judge.testing.under_test import rehearsal_config

pytestmark = pytest.mark.wires

FOLDER = Path(__file__).resolve().parent.parent / "transcripts"
FILES = sorted((*FOLDER.glob("*.mail"), *FOLDER.glob("acceptance/*.mail")))
EACH = 20
"""Of so many conversations one is in the sample."""

SAMPLE = [
    pytest.param(file, id=file.stem, marks=() if number % EACH == 0 and file.parent == FOLDER else pytest.mark.long)
    for number, file in enumerate(FILES)
]


@pytest.mark.parametrize("file", SAMPLE)
def test_conversation(file: Path, url: str, tmp_path: Path) -> None:
    transcript = read_transcript(file.read_text(encoding="utf-8"), file.name)
    scenery, steps = scenery_of(transcript)
    stage = LocalJudge(tmp_path, start=scenery.now, config=lambda var: replace(rehearsal_config(var), store_url=url))
    try:
        Rehearsal(transcript, stage).play(scenery, steps)
    finally:
        stage.close()
