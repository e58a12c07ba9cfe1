"""What the store's own trouble does to mails and letters: nothing is lost, nothing counts as an attempt, nothing waits
longer than the trouble itself, and nothing is sent twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count, islice
from threading import Thread
from typing import Any

import pytest

from judge.service.core.judge import Judge
from judge.service.core.keeper import Keeper, Ledger
from judge.service.hearing.stages import hear_mail
from judge.service.intake import worker as hearing
from judge.service.intake.door import new_mail
from judge.service.intake.worker import MOST_CONFLICTS, Worker
from judge.service.posting.post import Post
from judge.store import Conflict, StoreFull, Transaction
from judge.store.rows import DeliveryState, LetterState, Mail, MailState
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.sink import MemoryPost
from judge.testing.under_test import START, build
from judge.transport.ports import Arrival
from tests.service.conftest import filed, kind_of
from tests.support.stores import same_store

FRANCE = player_of("FRANCE")
_KEYS = count(1)


def stored(table: LocalJudge, text: str, *, power: str = "FRANCE", game: str = "baltic") -> int:
    """A mail of a player that waits in the inbox."""
    number = next(_KEYS)
    headers = [("From", player_of(power)), ("Subject", game), ("Message-ID", f"<t{number}@players.test>")]
    mail = build(headers, text, now=START, number=number, to=table.address, vouched=True)
    arrival = Arrival(mail.raw, "smtp", f"t:{number}", mail.mail_from, mail.rcpts, table.now, "127.0.0.1")
    with table.judge.store.write() as unit:
        known = unit.inbox.put(new_mail(table.judge, arrival)).id
    assert known is not None
    return known


def row(table: LocalJudge, number: int) -> Mail:
    with table.judge.store.read() as view:
        return view.inbox.get(number)


def receipts(table: LocalJudge) -> int:
    table.settle()
    return sum(kind_of(letter) == "receipt" for letter in table.inbox(FRANCE))


def conflicting(times: int, heard: list[int]) -> Callable[..., object]:
    """A hearing in which somebody else was first, so often."""

    def hear(judge: Judge, unit: Transaction, ledger: Ledger, mail: Mail, raw: bytes) -> object:
        heard.append(mail.id)
        if len(heard) <= times:
            raise Conflict("baltic", 7, 8)
        return hear_mail(judge, unit, ledger, mail, raw)

    return hear


# --- somebody else was first --------------------------------------------------------------------------------------


def test_a_mail_whose_game_moved_on_is_heard_anew_at_once(table: LocalJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    number, heard, pauses = stored(table, "A Par - Bur"), list[int](), list[float]()
    monkeypatch.setattr(hearing, "hear_mail", conflicting(5, heard))
    assert Worker(table.judge, pause=pauses.append).drain() == 1
    assert (len(heard), len(pauses)) == (6, 4), "the group's conflict is not waited for"
    assert (row(table, number).state, row(table, number).attempts) == (MailState.PROCESSED, 1)
    assert filed(table, "FRANCE") == ["A PAR - BUR"]
    assert receipts(table) == 1


def test_conflicts_without_end_count_no_attempt_and_lose_no_mail(
    table: LocalJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, heard = stored(table, "A Par - Bur"), list[int]()
    monkeypatch.setattr(hearing, "hear_mail", conflicting(10 * MOST_CONFLICTS, heard))
    Worker(table.judge, pause=lambda _: None).drain()
    assert len(heard) > 9 * MOST_CONFLICTS, "far more than three attempts"
    assert (row(table, number).state, row(table, number).attempts) == (MailState.PROCESSED, 1)
    assert receipts(table) == 1


def test_two_judges_on_one_database_count_no_attempt_and_answer_each_mail_once(table: LocalJudge) -> None:
    """Each with a store, a memory and a name of its own, as two processes have them; each mail is for the one game."""
    judges = [
        replace(
            table.judge,
            store=same_store(table.folder / "judge.db", instance=f"judge-{number}"),
            keeper=Keeper(table.judge.shelf),
        )
        for number in range(2)
    ]
    powers = list(table.game("baltic").board.powers)
    numbers = [stored(table, "status", power=powers[n % 7]) for n in range(20)]
    numbers += [stored(table, f"press to {powers[(n + 1) % 7]}\nHello {n}", power=powers[n % 7]) for n in range(20)]
    posts = [MemoryPost(), MemoryPost()]
    errors: list[BaseException] = []

    def work(judge: Judge, post: MemoryPost) -> None:
        try:
            worker, carrier = Worker(judge), Post(judge, post)
            for _ in range(20):
                worker.drain()
                carrier.run()
        except BaseException as error:
            errors.append(error)

    threads = [Thread(target=work, args=pair) for pair in zip(judges, posts, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert {(row(table, number).state, row(table, number).attempts) for number in numbers} == {(MailState.PROCESSED, 1)}
    sent = [(parcel.data, parcel.rcpt_to) for post in posts for parcel in post.tried]
    assert len(sent) == len(set(sent)) >= 60
    for judge in judges:
        judge.store.close()


# --- the disk is full ---------------------------------------------------------------------------------------------


class Disk:
    """A store's disk: while it is full, what is written inside a transaction fails at its commit."""

    def __init__(self, table: LocalJudge, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        store, write = table.judge.store, table.judge.store.write

        @contextmanager
        def limited(**how: bool) -> Iterator[Transaction]:
            with write(**how) as unit:
                yield unit
                if self.full:
                    raise StoreFull("the database cannot be written (disk full)")

        monkeypatch.setattr(store, "write", limited)


@pytest.fixture
def disk(table: LocalJudge, monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(table, monkeypatch)


def test_a_mail_that_was_in_hand_when_the_disk_filled_is_heard_as_soon_as_there_is_room(
    table: LocalJudge, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, worker = stored(table, "A Par - Bur"), Worker(table.judge)

    def fill(judge: Judge, unit: Transaction, ledger: Ledger, mail: Mail, raw: bytes) -> object:
        disk.full = True
        return hear_mail(judge, unit, ledger, mail, raw)

    monkeypatch.setattr(hearing, "hear_mail", fill)
    with pytest.raises(StoreFull):
        worker.drain()
    monkeypatch.setattr(hearing, "hear_mail", hear_mail)
    for _ in range(5):
        with pytest.raises(StoreFull):
            worker.drain()
    assert (row(table, number).state, row(table, number).attempts) == (MailState.NEW, 1)
    disk.full = False
    assert worker.drain() == 1, "at once: no lease is waited for, the clock has not moved"
    assert (row(table, number).state, row(table, number).attempts) == (MailState.PROCESSED, 1)
    assert filed(table, "FRANCE") == ["A PAR - BUR"]


def test_it_does_not_miss_its_deadline(table: LocalJudge, disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fills just before the deadline, and has room again just after it."""
    deadline = table.game("baltic").deadline
    assert deadline is not None
    table.advance(to=deadline.at - (deadline.at - table.now) / 1000)
    stored(table, "A Par - Bur\nA Mar - Spa\nF Bre - Mid")

    def fill(*_: object) -> object:
        disk.full = True
        raise StoreFull("the database cannot be written (disk full)")

    monkeypatch.setattr(hearing, "hear_mail", fill)
    worker = Worker(table.judge)
    with pytest.raises(StoreFull):
        worker.drain()
    monkeypatch.setattr(hearing, "hear_mail", hear_mail)
    disk.full = False
    table.advance(to=deadline.at)
    worker.drain()
    assert filed(table, "FRANCE") == ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"]


def test_letters_in_hand_when_the_disk_filled_are_written_and_sent_once(table: LocalJudge, disk: Disk) -> None:
    carrier, post = _carrier(table)
    stored(table, "A Par - Bur")
    Worker(table.judge).drain()
    claim = carrier.composing._claim

    def claim_and_fill(*which: Any) -> object:
        batch = claim(*which)
        disk.full = bool(batch)
        return batch

    carrier.composing._claim = claim_and_fill  # type: ignore[method-assign,assignment]
    for _ in range(5):
        with pytest.raises(StoreFull):
            carrier.run()
    carrier.composing._claim = claim  # type: ignore[method-assign]
    disk.full = False
    carrier.run()
    with table.judge.store.read() as view:
        assert {letter.attempts for letter in view.letters.list(limit=1000)} == {1}
        assert {letter.state for letter in view.letters.list(limit=1000)} == {LetterState.READY}
    assert len(post.tried) == 1


@pytest.mark.parametrize(("under_way", "fates", "gone"), [(1, 1, 1), (2, 1, 2), (1, 2, 2), (1, 10, 3)])
def test_what_the_relay_took_when_the_disk_was_full_does_not_go_again(
    table: LocalJudge, disk: Disk, monkeypatch: pytest.MonkeyPatch, under_way: int, fates: int, gone: int
) -> None:
    """Nor does what went beside it over another connection, of which we hear while nothing can be written, nor what
    waited to be written down with others.
    """
    monkeypatch.setattr("judge.service.posting.post.FATES", fates)
    monkeypatch.setattr("judge.service.posting.post.FATES_WAIT", 3600.0)
    carrier, post = _carrier(table)
    for power in ("FRANCE", "ENGLAND", "ITALY"):
        stored(table, "status", power=power)
    Worker(table.judge).drain()
    deliver = post.deliver

    def deliver_and_fill(batch):  # type: ignore[no-untyped-def]
        results = iter(deliver(batch))
        while some := list(islice(results, under_way)):
            disk.full = True
            yield from some

    post.deliver = deliver_and_fill  # type: ignore[method-assign]
    for _ in range(3):
        with pytest.raises(StoreFull):
            carrier.run()
    assert len(post.tried) == gone
    post.deliver = deliver  # type: ignore[method-assign]
    disk.full = False
    carrier.run()
    assert len(post.tried) == len({parcel.data for parcel in post.tried}) == 3
    with table.judge.store.read() as view:
        lines = view.outbox.list(limit=1000)
        assert {line.delivery.state for line in lines} == {DeliveryState.SENT}
        assert {line.delivery.attempts for line in lines} == {1}


def _carrier(table: LocalJudge) -> tuple[Post, MemoryPost]:
    """A post of our own; all earlier letters have gone."""
    table.settle()
    post = MemoryPost()
    return Post(table.judge, post), post


def test_letters_go_while_others_are_still_to_be_composed(table: LocalJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand letters that fall due at once: the first have gone before the last are laid out."""
    from judge.service.posting import composing

    carrier, post = _carrier(table)
    for number in range(4):
        seat_everybody(table, f"game-{number}")
    table.post.tried.clear()
    monkeypatch.setattr(composing, "GROUP", 5)
    for power in table.game("baltic").board.powers:
        for _ in range(3):
            stored(table, "status", power=power)
    Worker(table.judge).drain()
    waiting: list[int] = []
    deliver = post.deliver

    def count_waiting(batch):  # type: ignore[no-untyped-def]
        for handed in deliver(batch):
            with table.judge.store.read() as view:
                waiting.append(len(view.letters.list(states=(LetterState.COMPOSING,), limit=1000)))
            yield handed

    post.deliver = count_waiting  # type: ignore[method-assign]
    carrier.run()
    assert len(post.tried) == 21
    assert waiting[0] == 16 and waiting[-1] == 0
