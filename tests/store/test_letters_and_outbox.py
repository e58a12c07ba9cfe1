"""Letters and their deliveries: written once, composed once, leased to one, tried by the series, never lost."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest

from judge.store import NoSuchRow, Store, Transaction
from judge.store.outbox import SendingOrder
from judge.store.rows import DeliveryState, LetterState, NewLetter, ParcelRow
from tests.support.stores import NOON, WAIT, claim_letters, some_letter, some_mail, written

MINUTE = timedelta(minutes=1)


def ready(unit: Transaction, letter: NewLetter, mime: bytes = b"From: judge\n\nhello\n") -> int:
    """A letter whose bytes are stored."""
    letter_id = written(unit, letter)
    assert unit.letters.composed(letter_id, mime, subject="Hello")
    return letter_id


def claim_one(unit: Transaction, *, owner: str = "w") -> ParcelRow:
    [parcel] = unit.outbox.claim(NOON, owner=owner)
    return parcel


class TestLetters:
    def test_a_letter_with_a_known_key_is_the_same_letter(self, store: Store) -> None:
        with store.write() as unit:
            first = written(unit, some_letter("g17/S1901M/results/france"))
            assert written(unit, some_letter("g17/S1901M/results/france")) == first
            assert len(unit.outbox.of_letter(first)) == 1

    def test_each_recipient_has_one_delivery(self, store: Store) -> None:
        with store.write() as unit:
            letter = written(unit, some_letter("k", "a@x.test", "b@x.test", "a@x.test"))
            assert [each.address for each in unit.outbox.of_letter(letter)] == ["a@x.test", "b@x.test"]
            assert unit.letters.add_recipient(letter, "c@x.test", NOON)
            assert not unit.letters.add_recipient(letter, "c@x.test", NOON)

    def test_nothing_goes_before_it_is_composed(self, store: Store) -> None:
        with store.write() as unit:
            letter = written(unit, some_letter("k"))
            assert unit.outbox.claim(NOON, owner="w") == ()
            [taken] = claim_letters(unit, NOON, owner="c")
            assert (taken.id, taken.attempts) == (letter, 1)
            assert claim_letters(unit, NOON, owner="other") == ()
            assert unit.letters.composed(letter, b"bytes", subject="S")
            assert claim_one(unit).mime == b"bytes"

    def test_composed_bytes_never_change(self, store: Store) -> None:
        with store.write() as unit:
            letter = ready(unit, some_letter("k"), b"first")
            assert not unit.letters.composed(letter, b"second")
            assert unit.letters.mime(letter) == b"first"

    def test_a_broken_letter_waits_for_the_operator(self, store: Store) -> None:
        with store.write() as unit:
            letter = written(unit, some_letter("k"))
            assert unit.letters.broken(letter, "template results.txt, line 3: no such power")
            assert claim_letters(unit, NOON, owner="c") == ()
            assert not unit.letters.broken(letter, "again")
            assert "line 3" in (unit.letters.get(letter).error or "")

    def test_a_letter_that_kills_its_composer_is_set_aside(self, store: Store) -> None:
        with store.write() as unit:
            letter = written(unit, some_letter("k"))
            for _ in range(3):
                assert unit.letters.break_exhausted(NOON) == ()
                assert len(claim_letters(unit, NOON, owner="c")) == 1
                assert unit.letters.give_back("c", NOON) == 1
            assert unit.letters.break_exhausted(NOON) == (letter,)
            assert unit.letters.get(letter).state is LetterState.BROKEN

    def test_a_letter_is_found_by_what_an_answer_names(self, store: Store) -> None:
        with store.write() as unit:
            letter = written(unit, some_letter("k/1"))
            found = unit.letters.by_message_id("<k.1@judge.test>")
            assert found is not None and found.id == letter
            assert unit.letters.by_message_id("<other@judge.test>") is None
            with pytest.raises(NoSuchRow):
                unit.letters.get(99)

    def test_a_letter_is_recalled_only_while_nothing_has_gone(self, store: Store) -> None:
        with store.write() as unit:
            early = ready(unit, some_letter("early", not_before=NOON + 10 * MINUTE))
            gone = ready(unit, some_letter("gone"))
            claim_one(unit)
            assert not unit.letters.withdraw(gone)
            assert unit.letters.withdraw(early)
            assert not unit.letters.withdraw(early)
            later = unit.outbox.claim(NOON + 60 * MINUTE, owner="later")
            assert [parcel.delivery.letter_id for parcel in later] == [gone]

    def test_the_list_is_narrowed_by_kind_game_and_state(self, store: Store) -> None:
        with store.write() as unit:
            one = written(unit, some_letter("1", game="g17", kind="results"))
            unit.letters.add(some_letter("2", game="g17", kind="receipt"))
            unit.letters.add(some_letter("3", game="g18", kind="results"))
            assert [each.id for each in unit.letters.list(game="g17", kind="results")] == [one]
            assert len(unit.letters.list(states=(LetterState.COMPOSING,), limit=2)) == 2
            assert unit.letters.list(states=(LetterState.BROKEN,)) == ()


class TestLeases:
    def test_a_leased_delivery_is_nobody_elses(self, store: Store) -> None:
        with store.write() as unit:
            ready(unit, some_letter("k"))
            parcel = claim_one(unit)
            assert (parcel.delivery.attempts, parcel.delivery.first_try) == (1, NOON)
            assert unit.outbox.claim(NOON, owner="other") == ()

    def test_two_workers_share_the_letters_and_never_one(self, store: Store, reopened: Callable[[str], Store]) -> None:
        with store.write() as unit:
            for number in range(60):
                ready(unit, some_letter(f"k/{number}"))
        taken: dict[str, list[int]] = {"first": [], "second": []}
        gate = threading.Barrier(2)

        def work(name: str) -> None:
            mine = reopened(name)
            gate.wait(WAIT)
            while True:
                with mine.write() as unit:
                    parcels = unit.outbox.claim(NOON, owner=name, limit=7)
                if not parcels:
                    return
                taken[name] += [parcel.delivery.id for parcel in parcels]

        threads = [threading.Thread(target=work, args=(name,), daemon=True) for name in taken]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(WAIT)
            assert not thread.is_alive()
        assert len(taken["first"] + taken["second"]) == 60
        assert len(set(taken["first"] + taken["second"])) == 60

    def test_a_lapsed_lease_is_taken_again_with_the_same_bytes_and_message_id(self, store: Store) -> None:
        with store.write() as unit:
            ready(unit, some_letter("k"))
            [first] = unit.outbox.claim(NOON, owner="dead", lease=MINUTE)
            [second] = unit.outbox.claim(NOON + MINUTE, owner="living", lease=MINUTE)
            assert (second.message_id, second.mime) == (first.message_id, first.mime)
            assert (second.delivery.attempts, second.delivery.first_try) == (2, NOON)
            # Whoever lost the lease may no longer put the letter off or give it up.
            assert not unit.outbox.deferred(first.delivery.id, NOON, owner="dead")
            assert not unit.outbox.failed(first.delivery.id, NOON, owner="dead")
            # But what has gone has gone, whoever says so.
            assert unit.outbox.sent(first.delivery.id, NOON + MINUTE, code=250)
            assert unit.outbox.get(first.delivery.id).state is DeliveryState.SENT
            assert not unit.outbox.failed(first.delivery.id, NOON, owner="living")

    def test_a_restarted_worker_frees_what_it_had_in_hand(self, store: Store) -> None:
        with store.write() as unit:
            ready(unit, some_letter("k"))
            claim_one(unit)
            assert unit.outbox.give_back("w", NOON) == 1
            assert claim_one(unit).delivery.attempts == 2

    def test_what_was_never_tried_counts_no_attempt(self, store: Store) -> None:
        with store.write() as unit:
            ready(unit, some_letter("k"))
            parcel = claim_one(unit)
            assert unit.outbox.untried(parcel.delivery.id, NOON, owner="w")
            back = unit.outbox.get(parcel.delivery.id)
            assert (back.state, back.attempts, back.first_try) == (DeliveryState.READY, 0, None)


class TestVerdicts:
    def test_a_deferred_copy_waits_and_the_others_go(self, store: Store) -> None:
        with store.write() as unit:
            ready(unit, some_letter("k", "a@x.test", "b@x.test"))
            slow, quick = unit.outbox.claim(NOON, owner="w")
            assert unit.outbox.deferred(slow.delivery.id, NOON + 5 * MINUTE, owner="w", code=451, text="greylisted")
            assert unit.outbox.sent(quick.delivery.id, NOON, code=250)
            assert unit.outbox.get(quick.delivery.id).next_try is None
            assert unit.outbox.claim(NOON + 4 * MINUTE, owner="w") == ()
            assert unit.outbox.next_try() == NOON + 5 * MINUTE
            assert unit.outbox.get(slow.delivery.id).last_text == "greylisted"
            [again] = unit.outbox.claim(NOON + 5 * MINUTE, owner="w")
            assert again.delivery.id == slow.delivery.id
            assert unit.outbox.counts() == {DeliveryState.LEASED: 1, DeliveryState.SENT: 1}

    def test_a_refusal_is_final_until_the_operator_retries(self, store: Store) -> None:
        with store.write() as unit:
            ready(unit, some_letter("k"))
            parcel = claim_one(unit)
            assert unit.outbox.failed(parcel.delivery.id, NOON, owner="w", code=550, text="no such user")
            assert unit.outbox.claim(NOON + timedelta(days=9), owner="w") == ()
            assert unit.outbox.retry(parcel.delivery.id, NOON + timedelta(days=9))
            [again] = unit.outbox.claim(NOON + timedelta(days=9), owner="w")
            assert (again.delivery.attempts, again.delivery.first_try) == (1, NOON + timedelta(days=9))

    @pytest.mark.parametrize("asked", ["one", "all"])
    def test_a_letter_that_could_not_be_written_is_written_again_when_asked(self, store: Store, asked: str) -> None:
        with store.write() as unit:
            letter_id = written(unit, some_letter("k"))
            assert unit.letters.broken(letter_id, "TemplateError")
            [line] = unit.outbox.list()
            assert claim_letters(unit, NOON, owner="w") == ()
            assert unit.outbox.retry_all(NOON) if asked == "all" else unit.outbox.retry(line.delivery.id, NOON)
            [again] = claim_letters(unit, NOON, owner="w")
            assert (again.id, again.attempts) == (letter_id, 1)
            assert unit.letters.composed(letter_id, b"mended")
            assert claim_one(unit).mime == b"mended"
            assert not unit.outbox.retry_all(NOON), "what goes is not asked to go again"

    def test_one_provider_can_be_asked_again_alone(self, store: Store) -> None:
        with store.write() as unit:
            for key, address in (("a", "a@x.test"), ("b", "b@y.test")):
                assert unit.letters.broken(written(unit, some_letter(key, address)), "TemplateError")
            assert unit.outbox.retry_all(NOON, domain="y.test") == 1
            assert [letter.idem_key for letter in claim_letters(unit, NOON, owner="w")] == ["b"]

    def test_a_sent_copy_may_still_come_back(self, store: Store) -> None:
        with store.write() as unit:
            ready(unit, some_letter("k"))
            parcel = claim_one(unit)
            assert not unit.outbox.bounced(parcel.delivery.id, NOON)
            unit.outbox.sent(parcel.delivery.id, NOON)
            assert unit.outbox.bounced(parcel.delivery.id, NOON + MINUTE, code=511, text="gone")
            back = unit.outbox.get(parcel.delivery.id)
            assert (back.state, back.last_code) == (DeliveryState.FAILED, 511)

    def test_a_delivery_that_does_not_exist_is_named(self, store: Store) -> None:
        with store.write() as unit:
            assert not unit.outbox.sent(99, NOON)
            with pytest.raises(NoSuchRow, match="no delivery 99"):
                unit.outbox.get(99)


class TestInTurn:
    """Whatever waits, what answers a mail is composed and sent next; press and what goes to many is last."""

    ORDER = SendingOrder(calls=frozenset(("results",)), bulk=frozenset(("press",)))

    def fill(self, store: Store, others: int) -> None:
        """One answer, written after everything else; of what the same mail caused beside it the results and press."""
        with store.write() as unit:
            mail = unit.inbox.put(some_mail("m")).id
            unit.letters.add_all(some_letter(f"press/{n}", kind="press", mail_id=mail) for n in range(others))
            unit.letters.add_all(some_letter(f"results/{n}", kind="results", mail_id=mail) for n in range(others))
            unit.letters.add(some_letter("notice", kind="notice"))
            unit.letters.add(some_letter("answer", mail_id=mail))

    def test_an_answer_is_composed_with_the_next_group(self, store: Store) -> None:
        self.fill(store, 3)
        with store.write() as unit:
            taken = [claim_letters(unit, NOON, owner="c", limit=1, order=self.ORDER) for _ in range(8)]
        keys = [letter.idem_key for group in taken for letter in group]
        assert keys == ["answer", *(f"results/{n}" for n in range(3)), "notice", *(f"press/{n}" for n in range(3))]

    def test_an_answer_is_sent_ahead_however_long_the_queue_is(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("judge.store.outbox.FORESIGHT", 5)
        self.fill(store, 10)
        with store.write() as unit:
            composing = claim_letters(unit, NOON, owner="c", limit=100)
            unit.letters.composed_all([(letter.id, b"x", None) for letter in sorted(composing, key=lambda one: one.id)])
            kinds = [parcel.kind for parcel in unit.outbox.claim(NOON, owner="w", limit=4, order=self.ORDER)]
        assert kinds == ["receipt", "results", "results", "results"]

    def test_a_letter_that_waits_for_something_is_taken_when_it_is_woken_or_its_time_is_over(
        self, store: Store
    ) -> None:
        with store.write() as unit:
            for key in ("a", "b", "c"):
                written(unit, some_letter(key))
            in_hand, a, b = (letter.id for letter in unit.letters.in_turn(NOON))
            unit.letters.claim([in_hand], NOON, owner="c")
            unit.letters.put_off([in_hand, a, b], NOON, NOON + 2 * MINUTE)
            assert claim_letters(unit, NOON + MINUTE, owner="c") == ()
            unit.letters.wake([in_hand, a], NOON + MINUTE)
            assert [one.id for one in claim_letters(unit, NOON + MINUTE, owner="c")] == [a]
            unit.letters.put_back([a], owner="c", now=NOON + MINUTE)
            unit.letters.put_off([a], NOON + MINUTE, NOON + 3 * MINUTE)
            assert [one.id for one in claim_letters(unit, NOON + 2 * MINUTE, owner="c")] == [b]
            unit.letters.wake_all(NOON + 2 * MINUTE)
            [woken] = claim_letters(unit, NOON + 2 * MINUTE, owner="c")
            assert (woken.id, woken.attempts) == (a, 1), "what is in somebody's hand is not woken"
            later = NOON + timedelta(days=1)  # whoever had it in hand has died
            assert in_hand in [one.id for one in unit.letters.in_turn(later)]
            unit.letters.put_off([in_hand], later, later + MINUTE)
            assert in_hand not in [one.id for one in unit.letters.in_turn(later)]


class TestHolding:
    def test_held_copies_stay_until_released_and_keep_their_delay(self, store: Store) -> None:
        with store.write() as unit:
            letter = ready(unit, some_letter("k", not_before=NOON + 10 * MINUTE))
            [delivery] = unit.outbox.of_letter(letter)
            assert unit.outbox.hold(delivery.id)
            assert not unit.outbox.hold(delivery.id)
            assert unit.outbox.claim(NOON + 20 * MINUTE, owner="w") == ()
            assert unit.outbox.release(delivery.id, NOON)
            assert not unit.outbox.release(delivery.id, NOON)
            assert unit.outbox.claim(NOON + 9 * MINUTE, owner="w") == ()
            assert len(unit.outbox.claim(NOON + 10 * MINUTE, owner="w")) == 1

    def test_a_copy_held_before_its_letter_is_composed_goes_after_both(self, store: Store) -> None:
        with store.write() as unit:
            letter = written(unit, some_letter("k", "a@x.test", "b@x.test"))
            held, free = unit.outbox.of_letter(letter)
            assert unit.outbox.hold(held.id)
            unit.letters.composed(letter, b"bytes")
            assert [parcel.delivery.id for parcel in unit.outbox.claim(NOON, owner="w")] == [free.id]
            assert unit.outbox.release(held.id, NOON)
            assert [parcel.delivery.id for parcel in unit.outbox.claim(NOON, owner="w")] == [held.id]

    def test_a_copy_released_before_its_letter_is_composed_waits_for_the_bytes(self, store: Store) -> None:
        with store.write() as unit:
            letter = written(unit, some_letter("k"))
            [copy] = unit.outbox.of_letter(letter)
            assert unit.outbox.hold(copy.id)
            assert unit.outbox.release(copy.id, NOON)
            assert unit.outbox.claim(NOON, owner="w") == ()
            unit.letters.add_recipient(letter, "late@x.test", NOON)
            unit.letters.composed(letter, b"bytes")
            assert len(unit.outbox.claim(NOON, owner="w")) == 2

    def test_a_recalled_letter_is_not_released(self, store: Store) -> None:
        with store.write() as unit:
            letter = ready(unit, some_letter("k"))
            assert unit.letters.withdraw(letter)
            [copy] = unit.outbox.of_letter(letter)
            unit.outbox.release(copy.id, NOON)
            assert unit.outbox.claim(NOON, owner="w") == ()

    def test_a_paused_outbox_gives_nothing_and_says_why(self, store: Store) -> None:
        with store.write() as unit:
            ready(unit, some_letter("k"))
            unit.outbox.pause("restored backup: confirm with `judge outbox resume`")
            assert unit.outbox.claim(NOON, owner="w") == ()
            assert "restored" in (unit.outbox.paused() or "")
            unit.outbox.resume()
            assert unit.outbox.paused() is None
            assert len(unit.outbox.claim(NOON, owner="w")) == 1

    def test_a_pause_that_has_an_end_ends_by_itself_and_no_other_does(self, store: Store) -> None:
        with store.write() as unit:
            unit.outbox.pause("the certificate is not valid", until=NOON + timedelta(hours=1))
            for moment, why in ((NOON, "the certificate is not valid"), (NOON + timedelta(hours=1), None)):
                unit.outbox.resume_in_time(moment)
                assert unit.outbox.paused() == why
            unit.outbox.pause("the certificate is not valid", until=NOON + timedelta(hours=1))
            unit.outbox.pause("wrong password")
            unit.outbox.resume_in_time(NOON + timedelta(hours=1))
            assert unit.outbox.paused() == "wrong password"


def test_the_list_says_what_each_delivery_is(store: Store) -> None:
    with store.write() as unit:
        ready(unit, some_letter("1", game="g17", kind="call", seat="france"))
        ready(unit, some_letter("2", game="g17", kind="call", seat="italy", created_at=NOON + MINUTE))
        unit.letters.add(some_letter("3", game="g18", kind="receipt"))
        [line] = unit.outbox.list(game="g17", kind="call", seat="france")
        assert (line.subject, line.letter_state, line.delivery.state) == (
            "Hello",
            LetterState.READY,
            DeliveryState.READY,
        )
        assert [each.seat for each in unit.outbox.list(created_from=NOON + MINUTE)] == ["italy"]
        assert len(unit.outbox.list(letter_states=(LetterState.COMPOSING,))) == 1
        assert len(unit.outbox.list(states=(DeliveryState.SENT,))) == 0
        assert len(unit.outbox.list(after_id=line.delivery.id, limit=1)) == 1
        assert unit.outbox.oldest_open() == NOON
