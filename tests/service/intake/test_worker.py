"""The worker hears each mail once: what the door hands over, what waits in the inbox, what another has settled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import count
from threading import Event, Semaphore, Thread

import pytest

from judge.service.core.judge import Judge
from judge.service.core.keeper import Ledger
from judge.service.hearing.stages import hear_mail
from judge.service.intake import worker as hearing
from judge.service.intake.door import new_mail
from judge.service.intake.worker import Worker
from judge.store import InboxWriter, Transaction
from judge.store.rows import Mail, MailState, NewMail
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import START, build
from judge.transport.ports import Arrival
from tests.service.conftest import filed, kind_of
from tests.support.stores import same_store

FRANCE = player_of("FRANCE")
_KEYS = count(1)


def orders(table: LocalJudge, text: str) -> NewMail:
    """A mail of France as the door reads it."""
    number = next(_KEYS)
    headers = [("From", FRANCE), ("Subject", "baltic"), ("Message-ID", f"<w{number}@players.test>")]
    mail = build(headers, text, now=START, number=number, to=table.address, vouched=True)
    return new_mail(
        table.judge, Arrival(mail.raw, "smtp", f"door:{number}", mail.mail_from, mail.rcpts, table.now, "127.0.0.1")
    )


def stored(table: LocalJudge, text: str) -> int:
    """A mail that waits in the inbox, as one that another process took in."""
    with table.judge.store.write() as unit:
        number = unit.inbox.put(orders(table, text)).id
    assert number is not None
    return number


def row(table: LocalJudge, number: int) -> Mail:
    with table.judge.store.read() as view:
        return view.inbox.get(number)


def receipts(table: LocalJudge) -> int:
    """How many receipts France has been sent."""
    table.settle()
    return sum(kind_of(letter) == "receipt" for letter in table.inbox(FRANCE))


def stumbling_over(poison: int) -> Callable[..., object]:
    """A hearing that one mail makes stumble."""

    def hear(judge: Judge, unit: Transaction, ledger: Ledger, mail: Mail, raw: bytes) -> object:
        if mail.id == poison:
            raise RuntimeError("poison")
        return hear_mail(judge, unit, ledger, mail, raw)

    return hear


class Hands(Worker):
    """A worker of whom one can tell when he was handed something; the mail's sender hears of it a moment before."""

    def __init__(self, table: LocalJudge) -> None:
        super().__init__(table.judge)
        self.got = Semaphore(0)

    def hand(self, mails: Sequence[tuple[Mail, bytes]]) -> None:
        super().hand(mails)
        self.got.release(len(mails))


@pytest.fixture
def worker(table: LocalJudge) -> Hands:
    """A worker to whom a door can hand mails."""
    return Hands(table)


@pytest.fixture
def door(table: LocalJudge, worker: Hands) -> Iterator[InboxWriter]:
    """A door that hands the worker what it stores."""
    with InboxWriter(table.judge.store, taker=worker) as writer:
        yield writer


def handed(table: LocalJudge, door: InboxWriter, worker: Hands, text: str) -> int:
    """A mail that the door has stored and handed over."""
    number = door.submit(orders(table, text)).result(timeout=30).id
    assert number is not None and worker.got.acquire(timeout=30)
    return number


def test_what_the_door_hands_over_is_heard_once(table: LocalJudge, door: InboxWriter, worker: Hands) -> None:
    number = handed(table, door, worker, "A Par - Bur")
    assert row(table, number).attempts == 1, "counted with the commit that stored it"
    assert worker.drain() == 1
    assert worker.drain() == 0
    assert row(table, number).state is MailState.PROCESSED
    assert filed(table, "FRANCE") == ["A PAR - BUR"]
    assert receipts(table) == 1


def test_an_older_mail_that_waits_in_the_inbox_goes_first(table: LocalJudge, door: InboxWriter, worker: Hands) -> None:
    handed(table, door, worker, "A Par - Bur")
    stored(table, "A Par - Pic")
    handed(table, door, worker, "A Par - Gas")
    assert worker.drain() == 3
    assert filed(table, "FRANCE") == ["A PAR - GAS"]


def test_a_clock_that_jumps_leaves_no_mail_lying(table: LocalJudge, door: InboxWriter, worker: Hands) -> None:
    """The machine slept, and the leases of what had just been handed over lapsed: it is heard all the same, once, and
    so is what comes after it.
    """
    numbers = [handed(table, door, worker, text) for text in ("A Par - Bur", "A Par - Pic")]
    table.clock.advance(timedelta(hours=1))
    numbers.append(handed(table, door, worker, "A Par - Gas"))
    assert worker.drain() == 3
    assert {row(table, number).state for number in numbers} == {MailState.PROCESSED}
    assert filed(table, "FRANCE") == ["A PAR - GAS"]
    assert receipts(table) == 3


def test_a_lapsed_mail_that_another_has_heard_is_not_heard_again(
    table: LocalJudge, door: InboxWriter, worker: Hands
) -> None:
    handed(table, door, worker, "A Par - Bur")
    table.clock.advance(timedelta(hours=1))
    assert Worker(table.judge).drain() == 1
    worker.drain()
    assert receipts(table) == 1


def test_a_mail_out_of_quarantine_does_not_overrule_what_came_after_it(
    table: LocalJudge, worker: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It counts from its own arrival, as one that was held; what nobody ordered since, it orders."""
    first = stored(table, "A Par - Bur\nF Bre - Mid")
    with monkeypatch.context() as patched:
        patched.setattr(hearing, "hear_mail", stumbling_over(first))
        worker.drain()
    assert row(table, first).state is MailState.QUARANTINED
    table.clock.advance(timedelta(minutes=5))
    stored(table, "A Par - Pic")
    worker.drain()
    with table.judge.store.write() as unit:
        assert unit.inbox.retry(first, table.now)
    worker.drain()
    assert row(table, first).state is MailState.PROCESSED
    assert sorted(filed(table, "FRANCE")) == ["A PAR - PIC", "F BRE - MAO"]
    table.settle()
    assert "came too late" in " ".join(table.inbox(FRANCE)[-1].text.split())


def test_what_another_has_settled_is_not_heard_again(table: LocalJudge, door: InboxWriter, worker: Hands) -> None:
    number = handed(table, door, worker, "A Par - Bur")
    other = Worker(table.judge)
    with table.judge.store.write() as unit:
        unit.inbox.give_back(table.judge.store.owner, table.now)
    assert other.drain() == 1
    worker.drain()
    assert row(table, number).attempts == 2
    assert receipts(table) == 1


def test_nor_when_it_is_heard_alone(
    table: LocalJudge, door: InboxWriter, worker: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    poison = handed(table, door, worker, "poison")
    number = handed(table, door, worker, "A Par - Bur")

    def stumble_once_the_other_is_settled(judge, unit, ledger, mail, raw):  # type: ignore[no-untyped-def]
        """The group breaks at its first mail; before its second one is heard alone, somebody else has heard it."""
        monkeypatch.setattr(hearing, "hear_mail", settle_the_other)
        raise RuntimeError("poison")

    def settle_the_other(judge, unit, ledger, mail, raw):  # type: ignore[no-untyped-def]
        monkeypatch.setattr(hearing, "hear_mail", stumbling_over(poison))
        unit.inbox.finish(number, MailState.IGNORED, table.now, reason="settled elsewhere")
        return hear_mail(judge, unit, ledger, mail, raw)

    monkeypatch.setattr(hearing, "hear_mail", stumble_once_the_other_is_settled)
    worker.drain()
    assert row(table, number).reason == "settled elsewhere"
    assert filed(table, "FRANCE") == []


def test_one_that_stumbles_delays_no_other_and_is_set_aside(
    table: LocalJudge, door: InboxWriter, worker: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    poison = handed(table, door, worker, "poison")
    number = handed(table, door, worker, "A Par - Bur")

    monkeypatch.setattr(hearing, "hear_mail", stumbling_over(poison))
    worker.drain()
    assert row(table, number).state is MailState.PROCESSED
    assert (row(table, poison).state, row(table, poison).attempts) == (MailState.QUARANTINED, 3)


def test_what_is_put_back_counts_no_attempt(table: LocalJudge, door: InboxWriter, worker: Hands) -> None:
    number = handed(table, door, worker, "A Par - Bur")
    worker.put_back()
    assert (row(table, number).state, row(table, number).attempts) == (MailState.NEW, 0)
    assert worker.drain() == 1
    assert row(table, number).attempts == 1


def test_a_worker_with_full_hands_wants_no_more(
    table: LocalJudge, door: InboxWriter, worker: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hearing, "MOST_IN_HAND", 1)
    handed(table, door, worker, "A Par - Bur")
    late = door.submit(orders(table, "A Par - Gas")).result(timeout=30).id
    assert late is not None and row(table, late).attempts == 0
    assert worker.drain() == 2
    assert filed(table, "FRANCE") == ["A PAR - GAS"]


@pytest.mark.parametrize("in_hand", [True, False])
def test_what_came_after_a_number_is_left_for_later(
    table: LocalJudge, door: InboxWriter, worker: Hands, monkeypatch: pytest.MonkeyPatch, *, in_hand: bool
) -> None:
    monkeypatch.setattr(hearing, "MOST_IN_HAND", 10 if in_hand else 0)
    numbers = [door.submit(orders(table, text)).result(timeout=30).id for text in ("A Par - Bur", "A Par - Gas")]
    first, second = (number for number in numbers if number is not None)
    assert [worker.hear_group(before=second) for _ in range(2)] == [1, 0]
    assert filed(table, "FRANCE") == ["A PAR - BUR"] and row(table, second).state is MailState.NEW
    with table.judge.store.read() as view:
        assert view.inbox.last() == second > first
    assert worker.drain() == 1
    assert filed(table, "FRANCE") == ["A PAR - GAS"]


def test_mails_may_be_handed_over_while_others_are_heard(table: LocalJudge, door: InboxWriter, worker: Hands) -> None:
    done, heard = Event(), []

    def hear() -> None:
        while not done.is_set():
            heard.append(worker.drain())

    listening = Thread(target=hear)
    listening.start()
    futures = [door.submit(orders(table, text)) for text in ("A Par - Bur", "A Par - Gas", "A Par - Pic") * 10]
    numbers = [future.result(timeout=30).id for future in futures]
    done.set()
    listening.join()
    heard.append(worker.drain())
    assert sum(heard) == 30
    assert {row(table, number).state for number in numbers if number} == {MailState.PROCESSED}
    assert filed(table, "FRANCE") == ["A PAR - PIC"]
    assert receipts(table) == 30


def test_what_another_process_changes_in_the_directory_is_seen(table: LocalJudge, worker: Hands) -> None:
    stored(table, "A Par - Bur")
    worker.drain()
    with same_store(table.folder / "judge.db", instance="another") as elsewhere, elsewhere.write() as unit:
        unit.people.remove_address(FRANCE)
    stored(table, "A Par - Gas")
    worker.drain()
    assert filed(table, "FRANCE") == ["A PAR - BUR"], "this address speaks for nobody now"
