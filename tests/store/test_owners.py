"""Who holds a lease: every process has a name of its own, and only what the dead held is given back."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from judge.store import sql
from judge.store.sql import LeaseOwner, is_dead, this_process
from tests.support.stores import NOON, claim_letters, fresh_store, same_store, some_letter, some_mail


def test_a_process_is_alive_under_each_of_its_names() -> None:
    first, second = this_process(), this_process()
    assert first != second
    assert LeaseOwner.read(str(first)) == first
    assert not is_dead(str(first)) and not is_dead(str(second))


def test_a_process_that_has_ended_is_dead() -> None:
    code = "from judge.store.sql import this_process; print(this_process())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert is_dead(done.stdout.strip())


def test_another_process_with_the_same_number_is_not_it() -> None:
    me = this_process()
    assert me.began, "this machine tells when a process began"
    assert is_dead(str(me._replace(began=str(int(me.began) - 1))))


def test_of_another_machine_and_of_unknown_names_nothing_is_known() -> None:
    me = this_process()
    assert not is_dead(str(me._replace(host=f"{me.host}-2", pid=1)))
    for name in ("", "daemon", "host:12", "a:b:c:d", "::::", "host:x:1:2"):
        assert not is_dead(name)


def test_a_command_with_a_parenthesis_and_blanks_in_its_name_is_read(tmp_path: Path) -> None:
    odd = tmp_path / "a) b (c"
    odd.symlink_to(sys.executable)
    with subprocess.Popen([odd, "-c", "input()"], stdin=subprocess.PIPE) as process:
        assert sql._began(process.pid).isdigit()
        assert process.stdin is not None
        process.stdin.write(b"\n")


def test_the_stores_of_one_process_have_names_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "judge.db"
    with fresh_store(tmp_path), same_store(path, instance=None) as one, same_store(path, instance=None) as two:
        assert one.owner != two.owner
        assert f":{os.getpid()}:" in one.owner


def test_every_room_tells_who_holds_something(tmp_path: Path) -> None:
    with fresh_store(tmp_path) as store, store.write() as unit:
        assert unit.inbox.holders() == unit.letters.holders() == unit.outbox.holders() == frozenset()
        unit.inbox.put(some_mail("a"))
        unit.inbox.claim(NOON, owner="one")
        unit.letters.add(some_letter("k"))
        [letter] = claim_letters(unit, NOON, owner="two")
        assert unit.inbox.holders() == {"one"}
        assert unit.letters.holders() == {"two"}
        unit.letters.put_back([letter.id], owner="two", now=NOON)
        assert unit.letters.holders() == frozenset()
        assert unit.letters.get(letter.id).attempts == 0
        [letter] = claim_letters(unit, NOON, owner="two")
        unit.letters.composed(letter.id, b"mime")
        unit.outbox.claim(NOON, owner="three")
        assert unit.letters.holders() == frozenset()
        assert unit.outbox.holders() == {"three"}
