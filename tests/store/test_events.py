"""The event log: append-only, numbered, and the arbiter when two want to go on from the same state."""

import threading
from collections.abc import Callable

import pytest

from judge.store import Conflict, Store
from judge.store.rows import NewEvent
from tests.support.stores import NOON, WAIT, some_mail


def event(kind: str, data: str = "{}") -> NewEvent:
    return NewEvent(kind, 1, data)


def test_events_come_back_in_order_as_they_were_written(store: Store) -> None:
    with store.write() as unit:
        mail = unit.inbox.put(some_mail("a")).id
        assert unit.events.append("g17", 0, [event("Created"), event("Joined", '{"seat":"france"}')], at=NOON) == 2
        assert unit.events.append("g17", 2, [event("Ordered")], at=NOON, mail_id=mail) == 3

    with store.read() as view:
        log = view.events.load("g17")
    assert [(each.seq, each.kind) for each in log] == [(1, "Created"), (2, "Joined"), (3, "Ordered")]
    assert (log[1].data, log[1].at, log[2].mail_id) == ('{"seat":"france"}', NOON, mail)


def test_a_part_of_the_log_may_be_asked_for(store: Store) -> None:
    with store.write() as unit:
        unit.events.append("g17", 0, [event(kind) for kind in "abcd"], at=NOON)
        assert [each.kind for each in unit.events.load("g17", after_seq=2)] == ["c", "d"]
        assert [each.kind for each in unit.events.load("g17", after_seq=1, upto_seq=3)] == ["b", "c"]
        assert unit.events.load("g18") == ()
        assert unit.events.games() == ("g17",)


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_whoever_goes_on_from_another_state_is_refused_with_the_true_one(store: Store, expected: int) -> None:
    with store.write() as unit:
        unit.events.append("g17", 0, [event("a"), event("b")], at=NOON)
    with pytest.raises(Conflict, match="stands at event 2") as refused, store.write() as unit:
        unit.meta.set("side-effect", "must not stay")
        unit.events.append("g17", expected, [event("c")], at=NOON)
    assert (refused.value.game, refused.value.expected, refused.value.found) == ("g17", expected, 2)
    with store.read() as view:
        assert view.meta.get("side-effect") is None


def test_of_many_who_adjudicate_at_once_exactly_one_wins(store: Store, reopened: Callable[[str], Store]) -> None:
    with store.write() as unit:
        unit.events.append("g17", 0, [event("Created")], at=NOON)
    stores = [reopened(f"daemon-{n}") for n in range(4)]
    gate, verdicts = threading.Barrier(len(stores)), list[str]()

    def adjudicate(mine: Store) -> None:
        with mine.read() as view:
            seen = view.events.last_seq("g17")
        gate.wait(WAIT)
        try:
            with mine.write() as unit:
                unit.events.append("g17", seen, [event("Adjudicated")], at=NOON)
            verdicts.append("won")
        except Conflict:
            verdicts.append("too late")

    threads = [threading.Thread(target=adjudicate, args=(each,), daemon=True) for each in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
        assert not thread.is_alive()

    assert sorted(verdicts) == ["too late", "too late", "too late", "won"]
    with store.read() as view:
        assert view.events.last_seq("g17") == 2


def test_no_events_are_no_change_but_still_a_check(store: Store) -> None:
    with store.write() as unit:
        assert unit.events.append("g17", 0, [], at=NOON) == 0
        with pytest.raises(Conflict):
            unit.events.append("g17", 5, [], at=NOON)
