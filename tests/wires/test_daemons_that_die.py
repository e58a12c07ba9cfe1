"""Four daemons on one PostgreSQL while mail comes in without a pause: every few seconds one is killed wherever it
stands and started again, and one is stopped in the middle of its work and goes on later.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.many import ManyDaemons, in_threads

pytestmark = pytest.mark.wires

KILLS = 6
EVERY = 3.0
SENDERS = 6


@pytest.fixture
def many(url: str, tmp_path: Path) -> Iterator[ManyDaemons]:
    found = ManyDaemons(url, tmp_path, daemons=4, games=12)
    found.start()
    yield found
    found.close()


def test_every_mail_is_answered_once_and_the_last_word_of_each_author_stands(many: ManyDaemons) -> None:
    chance, done = random.Random(7), [False]
    threads = in_threads(
        [
            lambda k=k: many.write(many.authors[k::SENDERS], k, stop=lambda: done[0])  # type: ignore[misc]
            for k in range(SENDERS)
        ]
    )
    for turn in range(KILLS):
        time.sleep(EVERY)
        victim = chance.choice(many.daemons)
        if turn % 3 == 2:
            os.kill(victim.pid, signal.SIGSTOP)
            time.sleep(EVERY)
            os.kill(victim.pid, signal.SIGCONT)
        else:
            victim.kill()
            assert victim.start(), victim.log
    done[0] = True
    for thread in threads:
        thread.join(60)
    many.come_to_rest()
    assert many.acknowledged > 100
    many.check_promises()
