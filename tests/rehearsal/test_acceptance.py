"""Whole runs: a newcomer from his first mail to the end of the game, and a Gamemaster through ten game years.

They are conversations like the others (tests/README.md), only long ones: each step of a run needs all before it.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.testing.process import DaemonUnderTest
from judge.testing.rehearsal import rehearse
from judge.testing.transcript import Transcript, read_transcript

FOLDER = Path(__file__).resolve().parent.parent / "transcripts" / "acceptance"
FILES = sorted(FOLDER.glob("*.mail"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_run(file: Path, play: Callable[[Transcript], None]) -> None:
    transcript = read_transcript(file.read_text(encoding="utf-8"), file.name)
    play(transcript)


@pytest.mark.long
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_run_with_a_daemon(file: Path, tmp_path: Path) -> None:
    transcript = read_transcript(file.read_text(encoding="utf-8"), file.name)
    rehearse(transcript, lambda start: DaemonUnderTest(tmp_path, start=start))
