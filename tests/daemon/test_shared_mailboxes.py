"""A mailbox that several daemons can fetch from: one of them does, and leaves it to another when it does not answer."""

from __future__ import annotations

import threading
from datetime import datetime

from judge.daemon.continuity import TOO_SILENT, SharedMailbox
from judge.transport.ports import Knows, SourceUnreachable


class Account:
    """A source whose server answers as the test says; `fetching` while somebody fetches from it."""

    name = "imap:main"
    mailbox = "judge mail.test:993 INBOX"

    def __init__(self) -> None:
        self.silent = 0.0
        self.fetching = threading.Event()

    def poll_once(self) -> int:
        if self.silent:
            raise SourceUnreachable("imap:main: no route to host")
        return 0

    def run(self, stop: threading.Event, /) -> None:
        self.fetching.set()
        stop.wait()
        self.fetching.clear()

    def recall(self, since: datetime, knows: Knows, /) -> int:
        return 0

    def silent_for(self) -> float | None:
        return self.silent


class Passing:
    """Time that passes when the test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_it_is_fetched_from_while_it_is_ours() -> None:
    account = Account()
    box = SharedMailbox(account, Passing())
    box.fetch(0.0)
    assert not box.ours and not account.fetching.is_set()
    box.share(ours=True)
    thread = threading.Thread(target=box.fetch, args=(60.0,))
    thread.start()
    assert account.fetching.wait(60) and box.ours
    box.share(ours=False)
    thread.join(60)
    assert not thread.is_alive() and not account.fetching.is_set()


def test_one_that_does_not_answer_is_left_to_another_until_it_does() -> None:
    account, passing = Account(), Passing()
    box = SharedMailbox(account, passing)
    box.share(ours=True)
    account.silent = TOO_SILENT
    assert box.within_reach(anybody_else=True), "a server may be slow"
    account.silent = TOO_SILENT + 1
    assert not box.within_reach(anybody_else=True) and box.left
    box.share(ours=False)
    box.fetch(0.0)
    assert box.left, "it is not asked again at once"
    passing.now += TOO_SILENT
    box.fetch(0.0)
    assert box.left and not box.within_reach(anybody_else=True), "it does not answer yet"
    account.silent = 0.0
    passing.now += TOO_SILENT
    box.fetch(0.0)
    assert not box.left and box.within_reach(anybody_else=True)


def test_nobody_leaves_a_mailbox_that_no_other_can_fetch_from() -> None:
    account = Account()
    box = SharedMailbox(account, Passing())
    box.share(ours=True)
    account.silent = 10 * TOO_SILENT
    assert box.within_reach(anybody_else=False) and not box.left
    account.silent = TOO_SILENT + 1
    assert not box.within_reach(anybody_else=True)
    assert box.within_reach(anybody_else=False), "the other has gone: we go on asking"
