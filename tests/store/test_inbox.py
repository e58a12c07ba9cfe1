"""The inbox: what is new, what we have already, who may take it, what becomes of poison, what a deadline waits for."""

from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.store import NoSuchRow, Store
from judge.store.rows import Duplicate, GameRow, MailState, NewEvent, NewMail, Stored
from tests.support.stores import NOON, claim_next, some_mail

MINUTE = timedelta(minutes=1)


def put(store: Store, *mails: NewMail) -> list[int]:
    """Store mails that are all new; returns their numbers."""
    with store.write() as unit:
        receipts = [unit.inbox.put(mail) for mail in mails]
    assert all(isinstance(receipt, Stored) for receipt in receipts)
    return [receipt.id for receipt in receipts if isinstance(receipt, Stored)]


class TestIdentity:
    def test_a_new_mail_is_kept_byte_for_byte(self, store: Store) -> None:
        raw = bytes(range(256))
        [mail_id] = put(store, some_mail("a", raw=raw))

        with store.read() as view:
            mail = view.inbox.get(mail_id)
            assert view.inbox.raw(mail_id) == raw
        assert (mail.state, mail.attempts, mail.size) == (MailState.NEW, 0, 256)
        assert mail.rcpts == ("judge+g17@judge.test",)
        assert mail.arrived_at == mail.received_at == NOON

    def test_the_same_receipt_twice_is_one_mail(self, store: Store) -> None:
        [first] = put(store, some_mail("imap/1/7"))
        with store.write() as unit:
            assert unit.inbox.put(some_mail("imap/1/7")) == Duplicate(first)
            assert unit.inbox.counts() == {MailState.NEW: 1}

    def test_the_same_content_by_another_route_is_logged_and_points_to_the_first(self, store: Store) -> None:
        [first] = put(store, some_mail("smtp/1", content_hash="h"))
        with store.write() as unit:
            again = unit.inbox.put(some_mail("imap/1/7", content_hash="h"))
            assert isinstance(again, Duplicate) and again.first_id == first and again.id is not None
            logged = unit.inbox.get(again.id)
            assert (logged.state, logged.first_id) == (MailState.DUPLICATE, first)
            # The route that repeats itself is recognised as well, and still names the first receipt.
            assert unit.inbox.put(some_mail("imap/1/7", content_hash="h")) == Duplicate(first)
            assert unit.inbox.claim(NOON, owner="w", limit=9)[0].id == first
            assert unit.inbox.claim(NOON, owner="w", limit=9) == ()

    def test_a_message_id_with_other_bytes_is_a_new_mail_and_flagged(self, store: Store) -> None:
        with store.write() as unit:
            first = unit.inbox.put(some_mail("a", message_id="<1@x>", content_hash="h1"))
            second = unit.inbox.put(some_mail("b", message_id="<1@x>", content_hash="h2"))
            assert isinstance(first, Stored) and first.repeats is None
            assert isinstance(second, Stored) and second.repeats == first.id
            assert unit.inbox.get(second.id).repeats_id == first.id

    def test_without_message_id_and_date_only_the_wire_counts(self, store: Store) -> None:
        assert len(put(store, some_mail("a"), some_mail("b"), some_mail("c"))) == 3

    # Every example is only rehearsed, so that one store serves them all.
    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        mails=st.lists(
            st.tuples(st.sampled_from("abcd"), st.sampled_from(["", "h1", "h2"]), st.sampled_from(["", "m1", "m2"])),
            max_size=9,
        )
    )
    def test_a_group_is_received_as_if_each_came_alone(self, store: Store, mails: list[tuple[str, str, str]]) -> None:
        new = [some_mail(key, content_hash=hash_ or None, message_id=mid or None) for key, hash_, mid in mails]
        with store.rehearse() as unit:
            singly = [unit.inbox.put(mail) for mail in new]
        with store.rehearse() as unit:
            together = list(unit.inbox.put_all(new))
        assert together == singly


class TestTaking:
    def test_the_oldest_comes_first_and_its_attempt_is_counted(self, store: Store) -> None:
        first, second = put(store, some_mail("a"), some_mail("b"))
        with store.write() as unit:
            mail = claim_next(unit, NOON, owner="w")
            assert mail is not None and (mail.id, mail.attempts, mail.lease_owner) == (first, 1, "w")
            following = claim_next(unit, NOON, owner="w")
            assert following is not None and following.id == second
            assert claim_next(unit, NOON, owner="w") is None

    def test_a_clock_that_stepped_back_hides_no_mail(self, store: Store) -> None:
        put(store, some_mail("a"))
        with store.write() as unit:
            assert claim_next(unit, NOON - timedelta(hours=3), owner="w") is not None

    def test_a_lease_that_lapsed_is_taken_again(self, store: Store) -> None:
        [first] = put(store, some_mail("a"))
        with store.write() as unit:
            claim_next(unit, NOON, owner="dead", lease=MINUTE)
            assert claim_next(unit, NOON, owner="living") is None
            again = claim_next(unit, NOON + MINUTE, owner="living")
            assert again is not None and (again.id, again.attempts) == (first, 2)

    def test_a_restarted_process_frees_what_it_had_in_hand(self, store: Store) -> None:
        put(store, some_mail("a"), some_mail("b"))
        with store.write() as unit:
            unit.inbox.claim(NOON, owner="w", limit=2)
            assert unit.inbox.give_back("w", NOON) == 2
            assert claim_next(unit, NOON, owner="w") is not None

    def test_mails_come_in_groups_but_one_that_was_tried_comes_alone(self, store: Store) -> None:
        first, second, third = put(store, some_mail("a"), some_mail("b"), some_mail("c"))
        with store.write() as unit:
            assert [mail.id for mail in unit.inbox.claim(NOON, owner="w", limit=2)] == [first, second]
            unit.inbox.give_back("w", NOON)
            assert [mail.id for mail in unit.inbox.claim(NOON, owner="w", limit=9)] == [first]
            assert [mail.id for mail in unit.inbox.claim(NOON, owner="w", limit=9)] == [second]
            assert [mail.id for mail in unit.inbox.claim(NOON, owner="w", limit=9)] == [third]

    def test_a_verdict_settles_a_mail(self, store: Store) -> None:
        [first] = put(store, some_mail("a"))
        with store.write() as unit:
            claim_next(unit, NOON, owner="w")
            unit.inbox.finish(first, MailState.PROCESSED, NOON, verdict='{"taken": 5}')
            mail = unit.inbox.get(first)
            assert (mail.state, mail.verdict, mail.finished_at) == (MailState.PROCESSED, '{"taken": 5}', NOON)
            assert claim_next(unit, NOON + timedelta(days=1), owner="w") is None

    def test_only_two_states_are_verdicts(self, store: Store) -> None:
        [first] = put(store, some_mail("a"))
        with store.write() as unit, pytest.raises(ValueError, match="processed or ignored"):
            unit.inbox.finish(first, MailState.HELD, NOON)

    def test_a_mail_that_does_not_exist_is_named(self, store: Store) -> None:
        with pytest.raises(NoSuchRow, match="no mail 99"), store.write() as unit:
            unit.inbox.finish(99, MailState.PROCESSED, NOON)


class TestPoison:
    def test_the_third_stumble_is_the_last(self, store: Store) -> None:
        [bad] = put(store, some_mail("bad"))
        with store.write() as unit:
            for last in (False, False, True):
                assert claim_next(unit, NOON, owner="w") is not None
                assert unit.inbox.stumbled(bad, "Traceback: boom", NOON) is last
            mail = unit.inbox.get(bad)
            assert (mail.state, mail.traceback) == (MailState.QUARANTINED, "Traceback: boom")
            assert claim_next(unit, NOON, owner="w") is None

    def test_a_mail_that_kills_the_process_is_found_out_and_its_neighbours_are_not(self, store: Store) -> None:
        neighbour_a, bad, neighbour_b = put(store, some_mail("a"), some_mail("bad"), some_mail("b"))
        done: list[int] = []
        for _ in range(20):
            with store.write() as unit:
                unit.inbox.give_back("w", NOON)
                unit.inbox.quarantine_exhausted(NOON)
            with store.write() as unit:
                taken = unit.inbox.claim(NOON, owner="w", limit=10)
            for mail in taken:
                if mail.id == bad:
                    break  # the process dies here
                done.append(mail.id)
                with store.write() as unit:
                    unit.inbox.finish(mail.id, MailState.PROCESSED, NOON)

        assert sorted(done) == [neighbour_a, neighbour_b]
        with store.read() as view:
            assert view.inbox.get(bad).state is MailState.QUARANTINED
            assert "process ended" in (view.inbox.get(bad).traceback or "")

    def test_the_operator_retries_or_drops(self, store: Store) -> None:
        first, second = put(store, some_mail("a"), some_mail("b"))
        with store.write() as unit:
            unit.inbox.quarantine(first, "boom")
            unit.inbox.quarantine(second, "boom")
            assert unit.inbox.retry(first, NOON)
            assert not unit.inbox.retry(first, NOON)
            assert unit.inbox.drop(second, NOON, reason="spam")
            assert not unit.inbox.drop(second, NOON, reason="spam")
            assert unit.inbox.get(first).attempts == 0
            assert unit.inbox.counts() == {MailState.NEW: 1, MailState.DROPPED: 1}


class TestHolding:
    def test_a_confirmed_mail_is_new_again_and_counts_from_its_own_arrival(self, store: Store) -> None:
        [held] = put(store, some_mail("a", arrived_at=NOON - MINUTE))
        with store.write() as unit:
            claim_next(unit, NOON, owner="w")
            unit.inbox.hold(held, "token-1", reason="foreign From")
            waiting = unit.inbox.under("token-1")
            assert waiting is not None and (waiting.id, waiting.state) == (held, MailState.HELD)
            assert claim_next(unit, NOON + timedelta(days=1), owner="w") is None
            assert unit.inbox.confirm(held, NOON + MINUTE)
            assert not unit.inbox.confirm(held, NOON + MINUTE)
            taken = claim_next(unit, NOON + MINUTE, owner="w")
            assert taken is not None and taken.arrived_at == NOON - MINUTE and taken.confirmed_at == NOON + MINUTE


class TestBarrier:
    def test_a_deadline_waits_for_what_came_in_time_and_has_no_verdict(self, store: Store) -> None:
        names = ("new", "held", "quarantined", "processed", "ignored", "late")
        mails = [some_mail(name, arrived_at=NOON if name == "late" else NOON - MINUTE) for name in names]
        ids = dict(zip(names, put(store, *mails), strict=True))
        with store.write() as unit:
            unit.inbox.hold(ids["held"], "k", reason="r")
            unit.inbox.quarantine(ids["quarantined"], "t")
            unit.inbox.finish(ids["processed"], MailState.PROCESSED, NOON)
            unit.inbox.finish(ids["ignored"], MailState.IGNORED, NOON, reason="vacation")
            waiting = [mail.id for mail in unit.inbox.unsettled(NOON)]
            assert waiting == [ids["new"], ids["held"], ids["quarantined"]]

    def test_a_game_asks_for_its_own_mail_and_for_what_nobody_has_attributed(self, store: Store) -> None:
        mine, unread, other, strange = put(
            store, some_mail("mine"), some_mail("unread"), some_mail("other", game="g18"), some_mail("strange")
        )
        with store.write() as unit:
            unit.inbox.attribute(mine, game="g17", seat="france", sender="france@players.test")
            unit.inbox.hold(mine, "k", reason="r")
            unit.inbox.quarantine(strange, "nobody knows whose this is")
            waiting = unit.inbox.unsettled(NOON + MINUTE, game="g17")
            assert [(mail.id, mail.seat) for mail in waiting] == [(mine, "france"), (unread, None), (strange, None)]
            assert [mail.id for mail in unit.inbox.unsettled(NOON + MINUTE, game="g18")] == [unread, other, strange]

    def test_the_gm_may_go_on_despite_a_mail(self, store: Store) -> None:
        [held] = put(store, some_mail("a"))
        with store.write() as unit:
            unit.inbox.waive(held)
            assert unit.inbox.unsettled(NOON + MINUTE) == ()


class TestRetention:
    def test_the_purge_forgets_bytes_of_settled_mails_and_keeps_their_digests(self, store: Store) -> None:
        old, fresh, held = put(store, some_mail("a"), some_mail("b"), some_mail("c"))
        with store.write() as unit:
            unit.inbox.finish(old, MailState.PROCESSED, NOON)
            unit.inbox.finish(fresh, MailState.PROCESSED, NOON + timedelta(days=2))
            unit.inbox.hold(held, "k", reason="r")
            assert unit.inbox.purge(NOON + timedelta(days=1)) == 1
            assert unit.inbox.raw(old) is None
            assert len(unit.inbox.get(old).digest) == 64
            assert unit.inbox.raw(fresh) is not None and unit.inbox.raw(held) is not None

    def test_the_purge_of_one_game_touches_no_other(self, store: Store) -> None:
        mine, other = put(store, some_mail("a", game="g17"), some_mail("b", game="g18"))
        with store.write() as unit:
            for mail_id in (mine, other):
                unit.inbox.finish(mail_id, MailState.PROCESSED, NOON)
            assert unit.inbox.purge(NOON + MINUTE, game="g17") == 1
            assert unit.inbox.raw(other) is not None

    @pytest.mark.parametrize(
        ("state", "last_event", "kept"),
        [("running", NOON, True), ("ended", NOON + timedelta(days=2), True), ("ended", NOON, False)],
    )
    def test_the_purge_spares_games_that_run_or_ended_of_late(
        self, store: Store, state: str, last_event: datetime, *, kept: bool
    ) -> None:
        named, other = put(store, some_mail("a", game="g17"), some_mail("b"))
        with store.write() as unit:
            unit.games.put(GameRow("g17", "g17", state, "standard", "standard", NOON))
            unit.events.append("g17", 0, [NewEvent("Ordered", 1, "{}")], at=last_event, mail_id=other)
            for mail in (named, other):
                unit.inbox.finish(mail, MailState.PROCESSED, NOON)
        with store.write() as unit:
            unit.inbox.purge(NOON + timedelta(days=1))
            assert [unit.inbox.raw(mail) is not None for mail in (named, other)] == [kept, kept]

    def test_the_purge_takes_the_oldest_first_and_not_all_at_once(self, store: Store) -> None:
        ids = put(store, *(some_mail(str(n)) for n in range(5)))
        with store.write() as unit:
            for mail_id in ids:
                unit.inbox.finish(mail_id, MailState.PROCESSED, NOON)
            assert [unit.inbox.purge(NOON + MINUTE, limit=3) for _ in range(3)] == [3, 2, 0]


class TestTakenAtTheDoor:
    def test_what_is_stored_and_taken_in_one_commit_has_its_first_attempt_counted(self, store: Store) -> None:
        with store.write() as unit:
            [(receipt, mail)] = unit.inbox.take_all([some_mail("a")], owner="w", until=NOON + MINUTE)
        assert isinstance(receipt, Stored) and mail is not None
        with store.write() as unit:
            assert unit.inbox.get(receipt.id) == mail and mail.attempts == 1
            assert unit.inbox.claim(NOON, owner="another", limit=9) == (), "it is in somebody's hand"
            assert unit.inbox.first_waiting(NOON) is None
            assert unit.inbox.first_waiting(NOON + MINUTE) == mail.id, "the lease has lapsed"

    def test_a_copy_is_taken_by_nobody(self, store: Store) -> None:
        with store.write() as unit:
            copies = [some_mail("a", content_hash="h"), some_mail("b", content_hash="h")]
            (_, mail), (receipt, copy) = unit.inbox.take_all(copies, owner="w", until=NOON + MINUTE)
            assert mail is not None and isinstance(receipt, Duplicate) and copy is None

    def test_in_hand_is_what_nobody_else_has_taken_or_settled(self, store: Store) -> None:
        mails = [some_mail("a"), some_mail("b"), some_mail("c")]
        with store.write() as unit:
            ids = [receipt.id for receipt, _ in unit.inbox.take_all(mails, owner="w", until=NOON + MINUTE)]
            numbers = [number for number in ids if number is not None]
            unit.inbox.finish(numbers[0], MailState.IGNORED, NOON)
        with store.write() as unit:
            assert unit.inbox.in_hand(numbers, owner="w") == {numbers[1], numbers[2]}
            unit.inbox.put_back(numbers[1:2], owner="w")
            assert unit.inbox.in_hand(numbers, owner="w") == {numbers[2]}
            [claimed] = unit.inbox.claim(NOON + 2 * MINUTE, owner="another")
            assert (claimed.id, claimed.attempts) == (numbers[1], 1)
            assert unit.inbox.in_hand(numbers, owner="another") == {numbers[1]}


def test_the_list_is_narrowed_by_state_and_game_and_paged(store: Store) -> None:
    ids = put(store, *(some_mail(str(n), game="g17" if n % 2 else None) for n in range(6)))
    with store.write() as unit:
        unit.inbox.finish(ids[1], MailState.PROCESSED, NOON)
        assert [mail.id for mail in unit.inbox.list(limit=2)] == ids[:2]
        assert [mail.id for mail in unit.inbox.list(after_id=ids[3])] == ids[4:]
        assert [mail.id for mail in unit.inbox.list(game="g17")] == [ids[1], ids[3], ids[5]]
        assert [mail.id for mail in unit.inbox.list(states=(MailState.PROCESSED,))] == [ids[1]]


def test_a_mail_is_found_by_its_number_or_by_the_first_digits_of_its_digest(store: Store) -> None:
    first, second = put(store, some_mail("a", raw=b"one"), some_mail("b", raw=b"two"))
    with store.read() as view:
        digest = view.inbox.get(second).digest
        for proof in (str(second), digest, digest[:8], digest[:12].upper(), f"{digest[:4]}-{digest[4:9]}"):
            found = view.inbox.find_proof(proof)
            assert found is not None and found.id == second
        for nothing in ("", "99", digest[:7] + "g", digest[:3], "²", digest + "0"):
            assert view.inbox.find_proof(nothing) is None
        assert view.inbox.find_proof(str(first)) != view.inbox.find_proof(str(second))


def test_a_naive_datetime_is_refused_at_the_door(store: Store) -> None:
    naive = some_mail("a", received_at=NOON.replace(tzinfo=None))
    with pytest.raises(Exception, match="no zone"), store.write() as unit:
        unit.inbox.put(naive)
