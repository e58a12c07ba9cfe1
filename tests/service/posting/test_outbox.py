"""Letters on their way out: tried again by an exact series, by several workers at once, held, paced, and left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from operator import length_hint
from threading import Thread

import pytest

from judge.service.core.directory import topic_of
from judge.service.posting.post import BATCH, LOOK_AGAIN, Post
from judge.store.rows import DeliveryState
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.sink import MemoryPost
from judge.testing.transcript import ReceivedLetter
from judge.transport.ports import Handed, Parcel, PauseQueue
from tests.service.conftest import kind_of, person_of
from tests.support.fates import DEFERRED

FRANCE, ENGLAND = player_of("FRANCE"), player_of("ENGLAND")


def press(stage: LocalJudge, text: str = "Hello") -> None:
    """One letter to France."""
    stage.send(ENGLAND, f"press to France\n{text}", subject="baltic")


def attempts(stage: LocalJudge) -> list[datetime]:
    """The moments at which France's letter is tried, as the clock goes on."""
    moments: list[datetime] = []
    with stage.judge.store.read() as view:
        (line,) = view.outbox.list(states=(DeliveryState.DEFERRED,))
    while len(moments) < 6:
        with stage.judge.store.read() as view:
            moment = view.outbox.get(line.delivery.id).next_try
        assert moment is not None
        moments.append(moment)
        stage.advance(to=moment)
    return moments


def test_a_letter_that_is_put_off_comes_again_by_the_series_and_half_the_jitter(table: LocalJudge) -> None:
    table.post.answers[FRANCE] = DEFERRED
    start = table.now
    press(table)
    minutes = [round((moment - start).total_seconds() / 60, 2) for moment in attempts(table)]
    assert minutes == [1.05, 6.3, 22.05, 85.05, 148.05, 211.05]


def test_each_attempt_carries_the_same_bytes(table: LocalJudge) -> None:
    table.post.answers[FRANCE] = DEFERRED
    press(table)
    table.advance(timedelta(minutes=30))
    del table.post.answers[FRANCE]
    table.advance(timedelta(hours=2))
    tried = [parcel for parcel in table.post.tried if b"Hello" in parcel.data]
    assert len(tried) == 5 and len({(parcel.data, parcel.mail_from) for parcel in tried}) == 1


def wait(stage: LocalJudge, letters: int = 40) -> None:
    """So many letters to France and as many receipts, ready to go."""
    with stage.judge.store.write() as unit:
        unit.outbox.pause("they wait")
    for number in range(letters):
        press(stage, f"letter {number:02}")
    with stage.judge.store.write() as unit:
        unit.outbox.resume()


class CountingPost(MemoryPost):
    """Counts how often it is handed letters, and how many wait for it at the most."""

    handed = most = 0

    def deliver(self, batch: Iterable[Parcel], /) -> Iterator[Handed]:
        self.handed += 1
        for handed in super().deliver(batch):
            yield handed
            self.most = max(self.most, length_hint(batch))


def test_while_all_goes_well_no_connection_runs_dry(table: LocalJudge) -> None:
    wait(table)
    courier = CountingPost()
    assert Post(table.judge, courier).send_all() == 80 and courier.handed == 1
    assert courier.most <= BATCH, "an answer that is composed meanwhile waits for no more than before"
    told = [letter.text for letter in courier.letters if kind_of(letter) == "press"]
    assert [number for number in range(40) if f"letter {number:02}" in told[number]] == [*range(40)]


def test_a_few_letters_are_handed_over_by_themselves_however_many_come_meanwhile(table: LocalJudge) -> None:
    """The courier opens as many connections as they are worth: for many more."""

    class Meanwhile(CountingPost):
        def deliver(self, batch: Iterable[Parcel], /) -> Iterator[Handed]:
            if not self.handed:
                wait(table)
            yield from super().deliver(batch)

    wait(table, 1)
    courier = Meanwhile()
    assert Post(table.judge, courier).send_all() == 82 and courier.handed == 2


def test_where_a_relay_puts_letters_off_it_is_asked_anew_for_the_next(table: LocalJudge) -> None:
    wait(table)
    courier = CountingPost()
    courier.answers[ENGLAND] = DEFERRED  # whose receipts go first
    assert Post(table.judge, courier).send_all() == 80 and courier.handed == 2


def test_two_workers_never_send_one_letter_twice(table: LocalJudge) -> None:
    wait(table)
    couriers = [MemoryPost(), MemoryPost()]
    workers = [Thread(target=Post(table.judge, courier).send_all, daemon=True) for courier in couriers]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    sent = [letter.message_id for courier in couriers for letter in courier.letters]
    assert len(sent) == len(set(sent)) == 80  # forty letters and forty receipts


def test_a_relay_that_turns_us_away_costs_no_letter_an_attempt_or_a_moment(table: LocalJudge) -> None:
    table.post.strike = "the relay rejects our login"
    for number in range(3):
        press(table, f"letter {number}")
    with table.judge.store.write() as unit:
        waiting = unit.outbox.list(states=(DeliveryState.READY,), limit=100)
        assert len(waiting) >= 6 and {line.delivery.attempts for line in waiting} == {0}
        assert not unit.outbox.list(states=(DeliveryState.LEASED,)), "what was not touched is in nobody's hand"
        unit.outbox.resume()
    table.post.strike = ""
    table.settle()
    assert sum(kind_of(letter) == "press" for letter in table.inbox(FRANCE)) == 3


def test_a_held_letter_waits_for_its_release(table: LocalJudge) -> None:
    table.post.answers[FRANCE] = DEFERRED
    press(table)
    with table.judge.store.write() as unit:
        (line,) = unit.outbox.list(states=(DeliveryState.DEFERRED,))
        assert unit.outbox.hold(line.delivery.id)
    del table.post.answers[FRANCE]
    table.advance(timedelta(days=1))
    assert "Hello" not in table.inbox(FRANCE)[-1].text
    with table.judge.store.write() as unit:
        assert unit.outbox.release(line.delivery.id, table.now)
    table.settle()
    assert "Hello" in table.inbox(FRANCE)[-1].text


def onlooker(stage: LocalJudge, address: str) -> ReceivedLetter:
    """Somebody who subscribes to the game, and the first letter that he gets."""
    stage.send(address, "register name Olga Onlooker")
    with stage.judge.store.write() as unit:
        unit.lists.subscribe(person_of(stage, address).id, topic_of("baltic"), stage.now)
    stage.send(ENGLAND, "press to all\nTo whom it may concern", subject="baltic")
    return [letter for letter in stage.inbox(address) if kind_of(letter) == "press"][-1]


def test_an_onlooker_leaves_by_the_address_in_the_letter_and_is_told(table: LocalJudge) -> None:
    letter = onlooker(table, "olga@else.test")
    link = letter.header("List-Unsubscribe")
    assert link.startswith("<mailto:judge+") and link.endswith("?subject=unsubscribe>")
    address = link.removeprefix("<mailto:").partition("?")[0]
    for _ in range(2):
        table.send("olga@elsewhere.test", "", subject="unsubscribe", to=address, vouched=False)
    assert "ended" in table.inbox("olga@else.test")[-1].subject
    count = len(table.inbox("olga@else.test"))
    table.send(ENGLAND, "press to all\nOnce more", subject="baltic")
    assert len(table.inbox("olga@else.test")) == count


def test_whoever_holds_a_seat_cannot_leave_it_by_a_click(table: LocalJudge) -> None:
    with table.judge.store.write() as unit:
        unit.lists.subscribe(person_of(table, FRANCE).id, topic_of("baltic"), table.now)
    press(table)
    assert not any(letter.header("List-Unsubscribe") for letter in table.inbox(FRANCE))


@pytest.mark.parametrize("passes", [True, False])
def test_what_somebody_else_may_mend_is_tried_again_by_itself(table: LocalJudge, *, passes: bool) -> None:
    """A relay whose certificate had lapsed: the operator is told once a day, and need do nothing."""
    table.post.answers[FRANCE] = PauseQueue("the certificate of mx.test is not valid", passes=passes)
    press(table)
    here, now = len(table.inbox(FRANCE)), table.now
    table.advance(timedelta(hours=2))
    table.post.answers.clear()
    assert len(table.inbox(FRANCE)) == here
    table.advance(LOOK_AGAIN)
    assert (len(table.inbox(FRANCE)) > here) is passes
    with table.judge.store.read() as view:
        assert view.letters.by_key(f"judge/operator/outbox/{now.date().isoformat()}") is not None
        assert (view.outbox.paused() is None) is passes


def test_a_restored_database_sends_nothing_but_a_word_to_the_operator(table: LocalJudge) -> None:
    from judge.service.posting.operator import tell_operator
    from tests.service.conftest import OPERATOR

    with table.judge.store.write() as unit:
        unit.outbox.pause("nobody sends")
    press(table)
    with table.judge.store.write() as unit:
        tell_operator(table.judge, unit, "restored/1", subject="restored", items=("Look at it.",))
        unit.outbox.resume()
    courier = MemoryPost()
    post = Post(table.judge, courier)
    post.sending.frozen = "a restored backup"
    post.run()
    assert [letter.to for letter in courier.letters] == [OPERATOR]
