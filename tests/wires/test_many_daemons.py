"""Several daemons on one PostgreSQL: mails of different games are heard at the same time, those of one game and those
of one person one after the other, and nothing is done by whoever has lost it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from datetime import datetime, timedelta
from email.utils import parseaddr
from pathlib import Path

import pytest

from judge.clock import CorrectedClock, SystemClock
from judge.config import Config, Relay
from judge.daemon.continuity import NOT_TRUSTED, OtherDaemons
from judge.daemon.running import Daemon
from judge.service.core.judge import Judge, open_judge
from judge.service.hearing import stages
from judge.service.intake import worker as hearing
from judge.service.intake.door import new_mail
from judge.service.intake.worker import Worker
from judge.service.posting.post import Allowance
from judge.service.turning.barrier import RECEIVE, Surroundings
from judge.service.turning.sweep import tick
from judge.store import MARKER_FILE, InboxWriter, Store, StoreTrouble, Transaction, advance_marker, engine
from judge.store.daemons import STILL, Presence
from judge.store.engine import game_key
from judge.store.errors import Contended
from judge.store.rows import DaemonRow, MailState
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.under_test import build, rehearsal_config
from judge.transport.ports import Arrival

pytestmark = pytest.mark.wires

FRANCE, ITALY = player_of("FRANCE"), player_of("ITALY")


class Site:
    """One database with two games of other people, and the daemons on it."""

    def __init__(self, url: str, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self.presences: list[Presence] = []

        def here(var: Path) -> Config:
            return replace(rehearsal_config(var), store_url=url)

        self._config = here
        self.stage = LocalJudge(folder / "first", config=here)
        stack.callback(self.stage.close)
        for game in ("baltic", "adria"):
            seat_everybody(self.stage, game, {"moves": "7d", "nmr": "hold", "reminders": "none"})
        self.stage.begin()
        self._arrived = 0

    def daemon(self, name: str) -> Judge:
        """One more house on the same database, in company."""
        judge = open_judge(self._config(self._folder / name), clock=self.stage.clock, instance=name)
        self._stack.callback(judge.close)
        judge.store.company = True
        return judge

    def mail(self, taker: Judge, sender: str, subject: str, text: str) -> int:
        """A mail that this daemon took in and has in hand; its number."""
        self._arrived += 1
        number = self._arrived
        arrival = arriving(f"many:{number}", sender, subject, text, number, taker)
        with taker.store.write(shared=True) as unit:
            until = taker.clock.now() + timedelta(minutes=5)
            ((_, mail),) = unit.inbox.take_all([new_mail(taker, arrival)], owner=taker.store.owner, until=until)
        assert mail is not None
        return mail.id

    def state(self, number: int) -> MailState:
        with self.stage.judge.store.read() as view:
            return view.inbox.get(number).state

    def worker(self, judge: Judge, *numbers: int) -> Worker:
        """A worker of this daemon that was handed these mails."""
        worker = Worker(judge, pause=lambda _: None)
        with judge.store.read() as view:
            worker.hand([(view.inbox.get(number), view.inbox.raw(number) or b"") for number in numbers])
        return worker


def arriving(key: str, sender: str, subject: str, text: str, number: int, judge: Judge) -> Arrival:
    """A mail from outside, for which our own mail server gives its word."""
    head = [("From", sender), ("Subject", subject)]
    mail = build(head, text, now=judge.clock.now(), number=number, to="judge@judge.test", vouched=True)
    address = parseaddr(sender)[1]
    return Arrival(mail.raw, "smtp", key, address, ("judge@judge.test",), judge.clock.now(), "127.0.0.1")


@pytest.fixture
def site(url: str, tmp_path: Path) -> Iterator[Site]:
    with ExitStack() as stack:
        found = Site(url, tmp_path, stack)
        yield found
        for presence in found.presences:
            presence.close()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], tuple[threading.Event, threading.Event]]:
    """Makes the hearing of one daemon stand still in the middle of its transaction: it has begun; it may go on."""

    def stands(daemon: str) -> tuple[threading.Event, threading.Event]:
        begun, go_on, hear = threading.Event(), threading.Event(), stages.hear_mail

        def slowly(judge: Judge, *rest: object) -> object:
            if judge.store.owner == daemon:
                begun.set()
                assert go_on.wait(60)
            return hear(judge, *rest)  # type: ignore[arg-type]

        monkeypatch.setattr(hearing, "hear_mail", slowly)
        return begun, go_on

    return stands


Slow = Callable[[str], tuple[threading.Event, threading.Event]]


def in_background(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_mails_of_two_games_are_heard_at_the_same_time_and_those_of_one_in_turn(site: Site, slow: Slow) -> None:
    one, two = site.daemon("one"), site.daemon("two")
    first = site.mail(one, FRANCE, "baltic", "A Par - Bur")
    same_game = site.mail(two, ITALY, "baltic", "A Ven - Tri")
    other_game = site.mail(two, player_of("TURKEY"), "adria", "A Con - Bul")
    begun, go_on = slow("one")
    hearing = in_background(site.worker(one, first).hear_group)
    assert begun.wait(60)
    worker = site.worker(two, same_game, other_game)
    assert worker.hear_group() == 1
    assert (site.state(first), site.state(same_game), site.state(other_game)) == ("new", "new", "processed")
    assert worker.held_up and worker.hear_group() == 0
    go_on.set()
    hearing.join(60)
    assert worker.hear_group() == 1
    assert {site.state(number) for number in (first, same_game, other_game)} == {"processed"}
    sheets = site.stage.game("baltic").sheets
    assert {power: len(sheets[power].lines) for power in ("FRANCE", "ITALY")} == {"FRANCE": 1, "ITALY": 1}


def test_mails_of_one_person_are_heard_in_their_order_whoever_has_them(site: Site) -> None:
    one, two = site.daemon("one"), site.daemon("two")
    first = site.mail(one, FRANCE, "baltic", "A Par - Bur")
    second = site.mail(two, FRANCE, "adria", "A Par - Pic")
    worker = site.worker(two, second)
    assert worker.hear_group() == 0 and worker.held_up
    assert site.worker(one, first).hear_group() == 1
    assert worker.hear_group() == 1
    assert {site.state(first), site.state(second)} == {"processed"}


def test_what_a_dead_daemon_had_in_hand_is_heard_before_what_its_authors_wrote_later(site: Site) -> None:
    """Also by whoever is alone since then: the survivor of two had its mails in hand when the other one died."""
    one, two = site.daemon("one"), site.daemon("two")
    first = site.mail(one, FRANCE, "baltic", "A Par - Bur")
    second = site.mail(two, FRANCE, "baltic", "A Par - Pic")
    other = site.mail(two, ITALY, "baltic", "A Ven - Tri")
    worker = site.worker(two, second, other)
    two.store.company = False
    assert worker.hear_group() == 1 and worker.held_up
    assert (site.state(first), site.state(second), site.state(other)) == ("new", "new", "processed")
    with two.store.write(shared=True) as unit:
        assert unit.inbox.give_back("one", two.clock.now()) == 1
    while worker.hear_group():
        site.stage.clock.set(site.stage.now + timedelta(milliseconds=1))
    with two.store.read() as view:
        moments = [view.inbox.get(number).finished_at for number in (first, second)]
    assert None not in moments and moments[0] < moments[1]  # type: ignore[operator]
    assert [line.order for line in site.stage.game("baltic").sheets["FRANCE"].lines] == ["A PAR - PIC"]


def test_a_game_that_no_envelope_names_is_locked_when_it_is_written_to(site: Site, slow: Slow) -> None:
    """The second mail names its game in its text alone: it is undone, waits with the game's lock among its own, and is
    heard when the first is done; no attempt is counted.
    """
    one, two = site.daemon("one"), site.daemon("two")
    first = site.mail(one, ITALY, "baltic", "A Ven - Tri")
    second = site.mail(two, FRANCE, "good morning", "game baltic\nA Par - Bur")
    begun, go_on = slow("one")
    hearing = in_background(site.worker(one, first).hear_group)
    assert begun.wait(60)
    worker = site.worker(two, second)
    assert worker.hear_group() == 0 and worker.held_up
    go_on.set()
    hearing.join(60)
    assert worker.hear_group() == 1
    assert {site.state(first), site.state(second)} == {"processed"}
    assert {power: len(sheet.lines) for power, sheet in site.stage.game("baltic").sheets.items()} == {
        "FRANCE": 1, "ITALY": 1,
    }  # fmt: skip
    with two.store.read() as view:
        assert view.inbox.get(second).attempts == 1


def test_orders_need_no_lock_that_keeps_all_others_waiting(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even the first ones, which say what their author is called."""
    with site.stage.judge.store.write() as unit:
        unnamed = unit.people.by_address(FRANCE)
        assert unnamed is not None
        unit.people.save(replace(unnamed, name=FRANCE.partition("@")[0], options="{}"))
    one, write = site.daemon("one"), Store.write
    number = site.mail(one, f"Anna Berger <{FRANCE}>", "baltic", "A Par - Bur\nA Mar H\nF Bre H")
    worker, alone = site.worker(one, number), []

    def watched(store: Store, *, shared: bool = False) -> AbstractContextManager[Transaction]:
        if not shared:
            alone.append(store)
        return write(store, shared=shared)

    monkeypatch.setattr(Store, "write", watched)
    assert worker.hear_group() == 1 and not alone
    with one.store.read() as view:
        author = view.people.by_address(FRANCE)
        assert author is not None and author.name == "Anna Berger"
    assert site.state(number) is MailState.PROCESSED


def test_what_may_change_only_alone_is_done_alone(site: Site) -> None:
    """A stranger registers: persons belong to whoever is alone. The mail is undone and heard once, before and after
    those around it.
    """
    judge = site.daemon("one")
    numbers = [
        site.mail(judge, FRANCE, "baltic", "A Par - Bur"),
        site.mail(judge, "nils@players.test", "observe baltic", "observe baltic\nname Nils Newcomer"),
        site.mail(judge, ITALY, "baltic", "A Ven - Tri"),
    ]
    assert site.worker(judge, *numbers).hear_group() == 3
    assert {site.state(number) for number in numbers} == {"processed"}
    with judge.store.read() as view:
        assert view.people.by_address("nils@players.test") is not None
        assert [view.inbox.get(number).attempts for number in numbers] == [1, 1, 1]
        assert len([one for one in view.letters.list(limit=1000) if one.mail_id == numbers[1]]) == 1


def test_whoever_lost_a_mail_does_nothing_with_it(site: Site) -> None:
    """One daemon stands still until its lease has lapsed and another has the mail: it hears nothing when it goes on,
    counts no failure against it, and puts nothing in quarantine.
    """
    one, two = site.daemon("one"), site.daemon("two")
    number = site.mail(one, FRANCE, "baltic", "A Par - Bur")
    sleeper = site.worker(one, number)
    site.stage.clock.set(site.stage.now + timedelta(minutes=6))
    assert Worker(two).hear_group() == 1 and site.state(number) is MailState.PROCESSED
    assert sleeper.hear_group() == 1
    with two.store.read() as view:
        sleeper._stumble(view.inbox.get(number), "Traceback")
    with two.store.read() as view:
        mail = view.inbox.get(number)
        assert (mail.state, mail.attempts, mail.traceback) == (MailState.PROCESSED, 2, None)
        assert len([one for one in view.letters.list(limit=1000) if one.mail_id == number]) == 1


def test_a_transaction_that_stands_still_is_ended_and_keeps_nothing(
    site: Site, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a machine that is stopped in the middle of a mail: the database takes its locks away, another daemon hears
    the mail, and what the first one wrote is nowhere.
    """
    monkeypatch.setattr(engine, "IDLE_SECONDS", 1)
    one, two = site.daemon("one"), site.daemon("two")
    number = site.mail(one, FRANCE, "baltic", "A Par - Bur")
    begun, go_on = slow("one")
    troubles: list[StoreTrouble] = []

    def sleep_through() -> None:
        try:
            site.worker(one, number).hear_group()
        except StoreTrouble as trouble:
            troubles.append(trouble)

    hearing = in_background(sleep_through)
    assert begun.wait(60)
    site.stage.clock.set(site.stage.now + timedelta(minutes=6))
    other = Worker(two)
    assert other.hear_group() == 0, "its row is in a living transaction"
    for _ in range(100):
        if other.hear_group():
            break
        threading.Event().wait(0.1)
    go_on.set()
    hearing.join(60)
    assert len(troubles) == 1 and site.state(number) is MailState.PROCESSED
    with two.store.read() as view:
        assert len([each for each in view.letters.list(limit=1000) if each.mail_id == number]) == 1
    assert len(site.stage.game("baltic").sheets["FRANCE"].lines) == 1


def test_a_deadline_strikes_once_whoever_looks(site: Site) -> None:
    judges = [site.daemon(f"d{number}") for number in range(4)]
    deadline = site.stage.game("baltic").deadline
    assert deadline is not None
    site.stage.clock.set(deadline.at + timedelta(seconds=1))
    done: list[str] = []

    def turn(judge: Judge) -> None:
        done.extend(key for key in ("baltic", "adria") if tick(judge, key, Surroundings()))

    threads = [in_background(lambda judge=judge: turn(judge)) for judge in judges]  # type: ignore[misc]
    for thread in threads:
        thread.join(120)
    assert sorted(done) == ["adria", "baltic"]


def test_two_daemons_that_are_handed_one_mail_keep_it_once(site: Site) -> None:
    """It is sent to two of our addresses and comes by two ways in the same moment."""
    judges = [site.daemon("one"), site.daemon("two")]
    receipts = []

    def put(judge: Judge, key: str) -> None:
        arrival = arriving(key, "a@b.test", "hello", "hello", 1, judge)
        with judge.store.write(shared=True) as unit:
            receipts.append(unit.inbox.put(new_mail(judge, arrival)))

    for turn in range(5):
        threads = [in_background(lambda h=h, k=f"{turn}/{h.store.owner}": put(h, k)) for h in judges]  # type: ignore[misc]
        for thread in threads:
            thread.join(60)
    assert len(receipts) == 10
    with judges[0].store.read() as view:
        assert [mail.state for mail in view.inbox.list(limit=50)].count(MailState.NEW) == 1


def test_what_another_daemon_keeps_for_too_long_is_put_off(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mail's sender keeps it and comes again, as with any trouble of the store; of the turns only this one waits."""
    monkeypatch.setattr(engine, "BUSY_SECONDS", 1)
    one, two = site.daemon("one"), site.daemon("two")
    site.stage.clock.set(due(site) + timedelta(seconds=5))
    double = new_mail(two, arriving("one way", "a@b.test", "hello", "hello", 1, two))
    with InboxWriter(two.store) as writer, one.store.write(shared=True) as unit:
        unit.inbox.put(replace(double, transport_key="another way"))
        assert unit.locks.get([game_key("baltic")])
        with pytest.raises(StoreTrouble):
            writer.submit(double).result(60)
        with pytest.raises(Contended):
            tick(two, "baltic", Surroundings())


def test_a_pooler_passes_on_what_a_connection_is_told(url: str) -> None:
    """What each connection needs is said by statements, not in the startup packet, which PgBouncer refuses."""
    writer, names = engine.write_engine(engine.parse(url)), ("lock_timeout", "idle_in_transaction_session_timeout")
    with writer.connect() as connection:
        told = [connection.exec_driver_sql(f"SHOW {name}").scalar() for name in names]
    writer.dispose()
    assert told == ["5s", "1min"]


# --- The deadline, over all of them ----------------------------------------------------------------------------------


def says(
    site: Site, judge: Judge, *, settled: timedelta, roles: tuple[str, ...] = (RECEIVE,), trouble: str = ""
) -> None:
    """What a daemon says of itself: up to when, seen from the deadline, what reached it is stored."""
    until = due(site) + settled
    about = DaemonRow("", "here", "1", roles, site.stage.now, site.stage.now, until, 0, trouble)
    presence = Presence(engine.parse(judge.config.database), judge.store.owner)
    presence.look(about, SystemClock().now)
    site.presences.append(presence)


def due(site: Site) -> datetime:
    deadline = site.stage.game("baltic").deadline
    assert deadline is not None
    return deadline.at


def test_no_turn_is_processed_while_another_daemon_may_hold_mail_of_before_the_deadline(site: Site) -> None:
    """What it has taken and not stored nobody else can see, so it says up to when all of it is stored."""
    one, two = site.daemon("one"), site.daemon("two")
    asked: list[int] = []
    around = Surroundings(waits_for_others=lambda: asked.append(1))
    site.stage.clock.set(due(site) + timedelta(seconds=5))
    says(site, two, settled=-timedelta(milliseconds=1))
    assert not tick(one, "baltic", around) and asked
    assert str(site.stage.game("baltic").phase) == "S1901M"
    says(site, two, settled=timedelta(seconds=1))
    assert tick(one, "baltic", around) and len(asked) == 1


def test_mail_that_is_stored_and_unheard_holds_up_its_turn_whoever_has_it(site: Site) -> None:
    one, two = site.daemon("one"), site.daemon("two")
    site.stage.clock.set(due(site) - timedelta(seconds=1))
    number = site.mail(two, FRANCE, "baltic", "A Par - Bur")
    site.stage.clock.set(due(site) + timedelta(seconds=5))
    says(site, two, settled=timedelta(seconds=5))
    assert not tick(one, "baltic", Surroundings())
    assert site.worker(two, number).hear_group() == 1
    assert tick(one, "baltic", Surroundings())


def test_who_cannot_fetch_their_mail_holds_up_every_turn_and_who_is_gone_none(site: Site) -> None:
    one, two = site.daemon("one"), site.daemon("two")
    site.stage.clock.set(due(site) + timedelta(seconds=5))
    says(site, two, settled=-timedelta(hours=1), trouble="mail cannot be fetched from imap")
    assert not tick(one, "baltic", Surroundings())
    with one.store.read() as view:
        (other,) = view.daemons.others("one")
    with one.store.write() as unit:  # it was not seen for a minute
        unit.daemons.put(replace(other, seen_at=other.seen_at - STILL - timedelta(seconds=1)))
    assert tick(one, "baltic", Surroundings())


def test_a_daemon_that_takes_no_mail_waits_for_one_that_does(site: Site) -> None:
    one, two = site.daemon("one"), site.daemon("two")
    site.stage.clock.set(due(site) + timedelta(seconds=5))
    says(site, two, settled=timedelta(seconds=5), roles=("work",))
    assert not tick(one, "baltic", Surroundings(receives=False))
    says(site, two, settled=timedelta(seconds=5), roles=("work", RECEIVE))
    assert tick(one, "baltic", Surroundings(receives=False))


def test_a_clock_that_is_off_is_seen_and_decides_nothing(site: Site) -> None:
    """The moment is the database's: a daemon corrects its clock by it, and says so where it is far off."""
    judge = replace(site.daemon("one"), clock=CorrectedClock())
    slow = ShiftedBy(-timedelta(seconds=90))
    company = OtherDaemons(
        judge, (RECEIVE,), settled=lambda: (judge.clock.now(), ""), heard=lambda _: None, machine=slow
    )
    company.join()
    assert "90 s behind" in company.wrong_clock
    slow.by = timedelta(seconds=1)
    company.look()
    assert company.wrong_clock == "" and abs(judge.clock.now() - slow.now() + timedelta(seconds=2)) < timedelta(
        seconds=3
    )
    company.leave()


class ShiftedBy:
    """The machine's clock, wrong."""

    def __init__(self, by: timedelta) -> None:
        self.by = by

    def now(self) -> datetime:
        return SystemClock().now() + self.by


# --- Whether the database may be trusted ------------------------------------------------------------------------------


@pytest.fixture
def starts(site: Site) -> Iterator[Callable[[str], Daemon]]:
    """A daemon that the others know, and that has not looked yet whether its database is a restored backup."""
    with ExitStack() as stack:

        def joined(name: str) -> Daemon:
            daemon = Daemon(replace(site.daemon(name), clock=CorrectedClock()), carry_letters=False)
            assert daemon.company is not None
            stack.callback(daemon.company.leave)
            stack.callback(daemon.writer.close)
            daemon.company.join()
            return daemon

        yield joined


def test_two_that_start_together_on_a_new_database_go_on(starts: Callable[[str], Daemon]) -> None:
    """The second looks at its marker when the first has moved the database on: that one was there before."""
    two, one = starts("two"), starts("one")
    for daemon in (one, two):
        daemon._check_marker()
    assert (one.findings(), two.findings()) == ([], [])


def test_no_daemon_goes_on_with_a_restored_database_because_another_looks_at_it(
    site: Site, starts: Callable[[str], Daemon]
) -> None:
    """One that stands still itself vouches for nothing; one that goes on does."""
    advance_marker(site.stage.judge.store, site.stage.judge.config.var / MARKER_FILE)
    one, two = starts("one"), starts("two")
    for daemon in (one, two, three := starts("three")):
        daemon._check_marker()
    assert one.findings() == two.findings() == three.findings() == [NOT_TRUSTED]
    confirmed = starts("four")
    advance_marker(confirmed.judge.store, confirmed.judge.config.var / MARKER_FILE)
    five = starts("five")
    for daemon in (confirmed, five):
        daemon._check_marker()
        assert daemon.findings() == []


# --- What leaves is counted for all of them ---------------------------------------------------------------------------


def test_the_measures_of_sending_are_the_houses_and_not_each_daemons(site: Site) -> None:
    """Five letters an hour are five, however many daemons send, and whichever is started again; a provider that asks
    one of them for a rest is left alone by all.
    """
    judges, went = [site.daemon("one"), site.daemon("two")], 0
    relay = Relay(provider_hourly=5)
    for turn in range(8):
        judge = judges[turn % 2]
        allowance, now = Allowance(relay), judge.clock.now()
        with judge.store.write(shared=True) as unit:
            allowance.learn_from(unit, now)
            gone = [one for one in ("anna@gmail.com",) if allowance.take(one, now) is None]
            went += len(gone)
            allowance.tell(unit, gone, now)
    assert went == 5
    with judges[0].store.write(shared=True) as unit:
        unit.departures.rest("web.de", judges[0].clock.now() + timedelta(minutes=15))
    with judges[1].store.write(shared=True) as unit:
        allowance = Allowance(Relay())
        allowance.learn_from(unit, judges[1].clock.now())
        assert allowance.take("bert@web.de", judges[1].clock.now()) is not None
        assert allowance.take("bert@else.de", judges[1].clock.now()) is None
