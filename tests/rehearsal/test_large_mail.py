"""A mail of five megabytes is turned away at the door, by word of the listener; nothing is kept and nothing changes."""

from pathlib import Path

import pytest

from judge.testing.casting import seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.process import DaemonUnderTest
from judge.testing.under_test import JudgeUnderTest

LARGE = "A par-bur\n" * (5 * 1024 * 1024 // 10)


@pytest.mark.parametrize("judge", [LocalJudge, DaemonUnderTest], ids=["stage", "daemon"])
def test_a_large_mail_is_turned_away_and_the_next_one_is_heard(
    judge: type[LocalJudge] | type[DaemonUnderTest], tmp_path: Path
) -> None:
    under_test: JudgeUnderTest = judge(tmp_path)
    seat_everybody(under_test, "baltic")
    under_test.begin()
    under_test.send("france@players.test", LARGE, subject="baltic")
    assert len(under_test.refused) == 1
    with under_test.judge.store.read() as view:
        assert view.inbox.list() == ()
    under_test.send("france@players.test", "A par-bur", subject="baltic")
    assert "set 1 for France" in under_test.inbox("france@players.test")[-1].subject
    under_test.close()
