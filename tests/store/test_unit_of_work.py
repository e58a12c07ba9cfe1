"""A unit of work keeps all of it or nothing; a view shows one moment; neither waits for itself."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from judge.store import Store, StoreBusy, StoreTrouble, View
from judge.store.rows import MailState, NewEvent, PictureRow
from judge.store.unit import InTurn
from tests.support.stores import NOON, WAIT, some_letter, some_mail

EVENT = NewEvent("PhaseBegan", 1, "{}")


def test_what_one_unit_writes_is_kept_together(store: Store) -> None:
    with store.write() as unit:
        unit.events.append("g17", 0, [EVENT], at=NOON)
        unit.letters.add(some_letter("g17/welcome"))

    with store.read() as view:
        assert view.events.last_seq("g17") == 1
        assert view.letters.by_key("g17/welcome") is not None


def test_what_waits_to_be_written_is_seen_by_every_question(store: Store) -> None:
    with store.write() as unit:
        [stored] = unit.inbox.put_all([some_mail("a")])
        number = stored.id or 0
        unit.letters.add(some_letter("g17/welcome", "a@x.test", "b@x.test"))
        unit.events.append("g17", 0, [EVENT], at=NOON)
        unit.inbox.finish(number, MailState.PROCESSED, NOON, sender="a@x.test")

        assert [letter.idem_key for letter in unit.letters.list()] == ["g17/welcome"]
        assert [line.delivery.address for line in unit.outbox.list()] == ["a@x.test", "b@x.test"]
        assert [event.seq for event in unit.events.load("g17")] == [1]
        assert unit.inbox.get(number).sender == "a@x.test"


def test_what_waits_is_written_before_anything_is_changed(store: Store) -> None:
    with store.write() as unit:
        person = unit.people.add("Marie", zone="", check_phrase="amber oak", now=NOON)
        unit.letters.add(replace(some_letter("goodbye"), person_id=person.id))
        unit.people.erase(person.id)

    with store.read() as view:
        letter = view.letters.by_key("goodbye")
        assert letter is not None
        assert letter.person_id is None


def test_a_part_that_fails_takes_what_waited_with_it_and_nothing_else(store: Store) -> None:
    with store.write() as unit:
        unit.events.append("g17", 0, [EVENT], at=NOON)
        with suppress(ZeroDivisionError), unit.part():
            unit.letters.add(some_letter("never"))
            unit.events.append("g17", 1, [EVENT], at=NOON)
            raise ZeroDivisionError
        unit.events.append("g17", 1, [EVENT], at=NOON)

    with store.read() as view:
        assert view.events.last_seq("g17") == 2
        assert view.letters.by_key("never") is None


def test_nothing_waits_from_one_unit_to_the_next(store: Store) -> None:
    with suppress(ZeroDivisionError), store.write() as unit:
        unit.letters.add(some_letter("never"))
        raise ZeroDivisionError
    with store.write() as unit:
        assert unit.letters.list() == ()


def test_an_exception_undoes_everything(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.write() as unit:
        unit.events.append("g17", 0, [EVENT], at=NOON)
        unit.letters.add(some_letter("g17/welcome"))
        raise ZeroDivisionError

    with store.read() as view:
        assert view.events.last_seq("g17") == 0
        assert view.letters.by_key("g17/welcome") is None


def test_a_part_fails_alone(store: Store) -> None:
    with store.write() as unit:
        for name in ("first", "bad", "third"):
            with suppress(ZeroDivisionError), unit.part():
                unit.meta.set(f"part.{name}", "written")
                if name == "bad":
                    raise ZeroDivisionError

    with store.read() as view:
        assert list(view.meta.all("part.")) == ["part.first", "part.third"]


def test_a_rehearsal_shows_what_would_happen_and_keeps_nothing(store: Store) -> None:
    with store.rehearse() as unit:
        unit.events.append("g17", 0, [EVENT], at=NOON)
        assert unit.events.last_seq("g17") == 1

    with store.read() as view:
        assert view.events.last_seq("g17") == 0


def test_a_view_shows_the_moment_at_which_it_began(store: Store) -> None:
    with store.read() as view:
        assert view.inbox.list() == ()
        with store.write() as unit:
            unit.inbox.put(some_mail("first"))
        assert view.inbox.list() == ()

    with store.read() as view:
        assert len(view.inbox.list()) == 1


def test_a_second_unit_in_the_same_thread_is_refused_at_once(store: Store) -> None:
    with store.write(), pytest.raises(RuntimeError, match="unit of work is open"), store.write():
        pass

    with store.write() as unit:
        unit.meta.set("after", "fine")


def test_threads_write_in_the_order_in_which_they_ask(store: Store) -> None:
    """Also where one of them asks again a moment after its commit: it does not go ahead of those that wait."""
    order = list[str]()

    def wait_in_line(name: str) -> threading.Thread:
        def write() -> None:
            with store.write() as unit:
                order.append(f"{name} sees {unit.meta.get('turn')}")

        thread, before = threading.Thread(target=write, daemon=True), len(store._turn._waiting)
        thread.start()
        while len(store._turn._waiting) == before:
            thread.join(0.001)
        return thread

    with store.write() as unit:
        threads = [wait_in_line("second"), wait_in_line("third")]
        unit.meta.set("turn", "first")
        order.append("first ends")
    with store.write():
        order.append("first asked again")
    for thread in threads:
        thread.join(WAIT)

    assert order == ["first ends", "second sees first", "third sees first", "first asked again"]


def test_who_waits_too_long_for_a_turn_hears_that_the_store_is_busy(store: Store) -> None:
    turn = InTurn()
    with turn.held(WAIT), pytest.raises(StoreBusy), turn.held(0.01):
        pass
    with turn.held(0.01):
        pass


class _Interrupting:
    """A lock for which nobody waits to the end."""

    def acquire(self, timeout: float = -1) -> bool:
        if timeout >= 0:
            raise KeyboardInterrupt
        return True


def test_who_is_interrupted_while_they_wait_leaves_no_place_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = InTurn()
    with turn.held(WAIT):
        with monkeypatch.context() as patch:
            patch.setattr("judge.store.unit.threading.Lock", _Interrupting)
            with pytest.raises(KeyboardInterrupt), turn.held(WAIT):
                pass
        assert not turn._waiting
    with turn.held(0.01):
        pass


def test_whoever_asks_for_a_view_may_be_handed_a_unit(store: Store) -> None:
    with store.write() as unit:
        assert isinstance(unit, View)


def test_a_database_keeps_its_identity_and_its_secret(store: Store, reopened: Callable[[str], Store]) -> None:
    assert (len(store.id), len(store.secret)) == (16, 32)
    again = reopened("another")
    assert (again.id, again.secret) == (store.id, store.secret)
    with store.read() as view:
        assert store.secret.hex() not in view.meta.all().values()


def test_settings_are_written_made_once_and_forgotten(store: Store) -> None:
    with store.write() as unit:
        unit.meta.set("desk.motd", "welcome")
        assert unit.meta.set_once("desk.motd", lambda: "never") == "welcome"
        assert unit.meta.set_once("desk.seal", lambda: "made") == "made"
        assert unit.meta.all("desk.") == {"desk.motd": "welcome", "desk.seal": "made"}
        unit.meta.unset("desk.motd")
        assert unit.meta.get("desk.motd", "nothing") == "nothing"


def test_a_picture_is_drawn_once(store: Store) -> None:
    with store.write() as unit:
        assert unit.pictures.put(PictureRow("g17", "S1901M", "orders", "image/png", b"first"))
        assert not unit.pictures.put(PictureRow("g17", "S1901M", "orders", "image/png", b"second"))
        found = unit.pictures.get("g17", "S1901M", "orders")
        assert found is not None and found.data == b"first"
        assert unit.pictures.get("g17", "S1901M", "position") is None


def test_a_view_refuses_to_write_at_once_or_later(store: Store) -> None:
    with pytest.raises(StoreTrouble), store.read() as view:
        view.meta.set("desk.motd", "welcome")
    with pytest.raises(RuntimeError, match="only reads"), store.read() as view:
        view.events.append("g17", 0, [NewEvent("created", 1, "{}")], at=NOON)
    with store.read() as view:
        assert view.meta.get("desk.motd") is None
        assert view.events.load("g17") == ()
