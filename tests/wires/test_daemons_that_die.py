"""Four daemons on one PostgreSQL while mail comes in without a pause: every few seconds one is killed wherever it
stands and started again, and one is stopped in the middle of its work and goes on later.
"""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

import pytest

from judge.service.turning.replaying import rebuild_all
from judge.store.rows import DeliveryState, MailState
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
    end = time.monotonic() + 90
    while not many.at_rest():
        assert time.monotonic() < end, many.unrest()
        time.sleep(0.2)
    numbers = {f"<bench.{number}@players.test>": lines for author in many.authors for number, lines in author.sent}
    assert len(numbers) > 100
    with many.house.store.read() as view:
        mails = [mail for mail in view.inbox.list(limit=100_000) if mail.message_id in numbers]
        letters = view.letters.list(limit=100_000)
        assert set(view.outbox.counts()) == {DeliveryState.SENT}
    # What was acknowledged is there, was heard, and acted once, whoever was killed with it in hand.
    acted = Counter(mail.message_id for mail in mails if mail.state is not MailState.DUPLICATE)
    assert acted == Counter(dict.fromkeys(numbers, 1))
    assert {mail.state for mail in mails} <= {MailState.PROCESSED, MailState.DUPLICATE}
    heard = {mail.id for mail in mails if mail.state is MailState.PROCESSED}
    answers = Counter(letter.mail_id for letter in letters if letter.mail_id in heard)
    assert answers == Counter(dict.fromkeys(heard, 1))
    # A letter may have gone twice where one was killed between the relay's word and its commit: then it is the same.
    copies: dict[str, set[bytes]] = defaultdict(set)
    for raw in many.letters():
        copies[str(message_from_bytes(raw)["Message-ID"])].add(raw.partition(b"\n\n")[2])
    assert len(copies) == len(letters) and {len(bodies) for bodies in copies.values()} == {1}
    # The mails of each author were heard in their order, so that the last one stands.
    for author in many.authors:
        own = [mail for mail in mails if mail.envelope_from == author.address and mail.state is MailState.PROCESSED]
        moments = [mail.finished_at for mail in own if mail.finished_at is not None]
        assert moments == sorted(moments) and len(moments) == len(author.sent), author.address
        if own:
            key = author.address.partition(".")[2].partition("@")[0]
            with many.house.store.read() as view:
                game = many.house.keeper.load(view, key)
            taken = {one["order"] for one in json.loads(own[-1].verdict or "")["commands"] if one["status"] == "taken"}
            assert game is not None and taken <= {line.order for line in game.sheets[author.power].lines}
    assert not [finding.drift for finding in rebuild_all(many.house) if finding.drift]
