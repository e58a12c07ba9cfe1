"""The judge on a real PostgreSQL, whose numbers have gaps and whose transactions would end in any order.

It runs in a folder of its own, on a socket there. Nothing may be missed that another connection commits later, and
nothing may count on a number that was left out.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge import resources
from judge.config import Bounds, Config
from judge.store import Store, StoreBusy, engine, open_store
from judge.store.acceptance import Receipt
from judge.store.rows import MailState
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.under_test import rehearsal_config
from tests.support.sample import SPRING_1901
from tests.support.stores import NOON, some_letter, some_mail, written
from tests.wires.conftest import until

pytestmark = pytest.mark.wires


class Undone(Exception):
    """Ends a transaction that is not to be kept."""


@pytest.fixture
def opened(url: str) -> Iterator[Callable[[str], Store]]:
    """Opens the database as one more process would."""
    with ExitStack() as stack:
        yield lambda instance: stack.enter_context(
            open_store(url, migrations=resources.folder("migrations"), upgrade=True, instance=instance)
        )


def test_numbers_are_committed_in_their_order_whoever_is_slow(opened: Callable[[str], Store]) -> None:
    """Whoever remembers the last number that they saw must never find a lower one later."""
    slow, quick, reader = opened("slow"), opened("quick"), opened("reader")
    written_now = threading.Event()
    seen: list[int] = []

    def hurry() -> None:
        written_now.wait(60)
        with quick.write() as unit:
            unit.inbox.put(some_mail("second"))

    other = threading.Thread(target=hurry)
    other.start()
    with slow.write() as unit:
        first = unit.inbox.put(some_mail("first"))
        written_now.set()
        time.sleep(0.3)
        with reader.read() as view:
            seen += [mail.id for mail in view.inbox.list()]
    other.join(60)
    with reader.read() as view:
        mails = view.inbox.list(after_id=max(seen, default=0))
    assert seen == [], "the second one waits its turn"
    assert [mail.transport_key for mail in mails] == ["first", "second"] and mails[0].id == number(first)


def test_a_number_that_was_left_out_is_missed_by_nobody(opened: Callable[[str], Store]) -> None:
    store = opened("one")
    for attempt in range(4):
        try:
            with store.write() as unit:
                unit.inbox.put(some_mail(f"m{attempt}", raw=b"%d" % attempt))
                written(unit, some_letter(f"l{attempt}", game=None))
                if attempt % 2:
                    raise Undone
        except Undone:
            continue
    with store.write() as unit:
        mails = unit.inbox.claim(NOON, owner="one", limit=9)
        letters = unit.letters.list(limit=9)
    assert [mail.transport_key for mail in mails] == ["m0", "m2"] and mails[1].id - mails[0].id == 2
    assert [letter.idem_key for letter in letters] == ["l0", "l2"]


def test_a_view_is_of_one_moment(opened: Callable[[str], Store]) -> None:
    store, other = opened("one"), opened("other")
    with store.read() as view:
        before = view.inbox.counts()
        with other.write() as unit:
            unit.inbox.put(some_mail("meanwhile"))
        assert view.inbox.counts() == before
    with store.read() as view:
        assert view.inbox.counts()[MailState.NEW] == 1


def test_a_writer_that_waits_too_long_is_told_so(
    opened: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_SECONDS", 1)
    store, other = opened("one"), opened("other")
    busy: list[BaseException] = []

    def ask() -> None:
        try:
            with other.write():
                pass
        except StoreBusy as trouble:
            busy.append(trouble)

    with store.write():
        waiting = threading.Thread(target=ask)
        waiting.start()
        waiting.join(60)
    assert len(busy) == 1


def test_two_processes_do_nothing_twice(opened: Callable[[str], Store]) -> None:
    """Both find the same content new, both want the same mails: one has it."""
    stores = [opened(f"p{number}") for number in range(4)]
    taken: list[int] = []

    def work(store: Store) -> None:
        for turn in range(10):
            with store.write() as unit:
                unit.inbox.put(some_mail(f"{store.owner}/{turn}", raw=b"%d" % turn, content_hash=f"h{turn}"))
            with store.write() as unit:
                taken.extend(mail.id for mail in unit.inbox.claim(NOON, owner=store.owner, limit=3))

    threads = [threading.Thread(target=work, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    until(lambda: not any(thread.is_alive() for thread in threads))
    assert len(taken) == len(set(taken)) == 10


def test_a_phase_is_played(url: str, tmp_path: Path) -> None:
    def here(var: Path) -> Config:
        return replace(rehearsal_config(var), store_url=url)

    stage = LocalJudge(tmp_path, config=here)
    seat_everybody(stage, "baltic")
    stage.begin()
    for power, orders in SPRING_1901.items():
        stage.send(player_of(power), "\n".join(orders), subject="baltic")
    stage.restart()
    stage.advance(timedelta(hours=1))
    assert str(stage.game("baltic").phase) == "F1901M"
    assert all("results" in stage.inbox(player_of(power))[-1].subject for power in SPRING_1901)
    stage.close()


def test_a_year_with_press_is_played(url: str, tmp_path: Path) -> None:
    """Every kind of mail in every phase of a year, several a day: what is counted and compared fits its columns."""

    def here(var: Path) -> Config:
        bounds = Bounds(press_a_day=2**40, press_an_hour=2**40)
        return replace(rehearsal_config(var), store_url=url, bounds=bounds)

    stage = LocalJudge(tmp_path, config=here)
    seat_everybody(stage, "baltic")
    stage.begin()
    while str(stage.game("baltic").phase) != "S1902M":
        phase = str(stage.game("baltic").phase)
        for number in range(3):
            stage.send(player_of("FRANCE"), f"press to Italy\n{phase} number {number}\nend press", subject="baltic")
        stage.send("nobody@else.test", "list", subject="games", vouched=False)
        for power in SPRING_1901:
            stage.send(player_of(power), "all hold\nready" if phase.endswith("M") else "ready", subject="baltic")
        stage.advance(timedelta(days=8))
        assert str(stage.game("baltic").phase) != phase
    with stage.judge.store.read() as view:
        assert view.inbox.counts().get(MailState.QUARANTINED, 0) == 0
    heard = [letter for letter in stage.inbox(player_of("ITALY")) if "number 2" in letter.text]
    assert len(heard) == 2  # one in each phase: nobody adjusts
    stage.close()


def number(receipt: Receipt) -> int:
    """The number of a mail that was stored."""
    assert receipt.id is not None
    return receipt.id
