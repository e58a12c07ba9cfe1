"""The daemon: threads that process mail, deadlines and letters until a signal stops it.

Each loop does one thing and survives every trouble of one mail, game or letter. What must not be lost is in the
database before any loop touches it, so stopping (or dying) at any point only delays.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.date import DateTrigger
from apscheduler.triggers.interval import IntervalTrigger

from judge import resources
from judge.daemon.alarm import Alarm, Silence
from judge.daemon.continuity import EVERY, NOT_TRUSTED, Continuity, DaemonCall, OtherDaemons, SharedMailbox
from judge.daemon.loops import Loops
from judge.daemon.watching import Measures, calm_collector, give_back, watch_listener
from judge.daemon.wires import Wires, make_courier, make_wires
from judge.service.core.judge import Judge
from judge.service.intake.door import Door
from judge.service.intake.worker import BATCH, PAUSE, Worker
from judge.service.pictures.artist import Studio
from judge.service.pictures.gallery import Gallery
from judge.service.posting.operator import tell_operator
from judge.service.posting.post import Post
from judge.service.turning.barrier import RECEIVE, Surroundings, Watch
from judge.service.turning.sweep import sweep, sweep_subjects
from judge.service.upkeep.backups import RECALLING
from judge.store import InboxWriter, StoreTrouble
from judge.transport.ports import MailSource, SourceUnreachable

log = logging.getLogger("judge.daemon")

SWEEP_EVERY = 30
"""Seconds between sweeps; the alarm is set to the next due moment besides."""
LOOK_EVERY = 10.0
"""Seconds after which the post looks for letters that another process set free: `judge outbox retry`."""
GATHER = 0.03
"""Seconds that more mails may take to come in, once some were heard: the next ones are heard together."""
BREATH = 0.3
"""Seconds between two sweeps at the least: mail asks for one as long as anything is due, and a turn may be due for long
while it waits for a source that cannot be read.
"""
WAIT_FOR_OTHERS = 3.0
"""Seconds after which a turn that waits for what another daemon may hold is looked at again, whatever that one says."""
LISTENERS_MOMENT = timedelta(seconds=1)
"""What a listener may need from noting when a mail arrived to handing it to the door."""
WORK, TURN, SEND, DRAW = "work", "turn", "send", "draw"
IN_ORDER = (RECEIVE, WORK, TURN, SEND, DRAW)
ROLES = frozenset(IN_ORDER)
"""What a daemon does: takes mail in, hears it, processes turns, composes and sends letters, draws what they show. Who
sends and does not draw leaves that to those who do, as long as one lives.
"""
FORESEE_EVERY = 1.0
"""Seconds after which one that draws for others looks whether letters wait for pictures."""
DRAWING = min(4, max(1, (os.cpu_count() or 1) // 2))
"""Processes that draw when many pictures are wanted; one that is not wanted does not begin. On two processors one: the
other is for mail, turns and letters.
"""
STUCK = 900.0
"""Seconds without a sign of a sweep, after which this process is taken for stuck. A sweep hears mail and turns pages by
itself; it may last longer than that, but between two mails or two games it gives a sign.
"""


class Daemon(Loops, Continuity):
    """One process that plays judge. `start()` returns when the wires are open; `stop()` drains and returns.

    Without `carry_letters` another process composes and sends what this one decides.
    """

    def __init__(self, judge: Judge, *, carry_letters: bool = True, roles: frozenset[str] = ROLES) -> None:
        Loops.__init__(self)
        Continuity.__init__(self, judge)
        self._roles = roles
        self.receives = RECEIVE in roles
        self._carry = carry_letters and SEND in roles
        self._mail = threading.Event()
        self.worker = Worker(judge)
        self.writer = InboxWriter(judge.store, stored=self._mail_came, taker=self.worker if WORK in roles else None)
        self.door = Door(judge, self.writer)
        self.wires: Wires = make_wires(judge, self.door) if RECEIVE in roles else Wires()
        self.company = self._make_company() if judge.store.many else None
        self._draws_ahead = carry_letters and DRAW in roles and not self._carry
        wants_pictures = judge.config.pictures and (self._carry or self._draws_ahead)
        self.gallery = self._make_gallery() if wants_pictures else None
        self.measures = Measures(judge, self._silent_for, lambda: not self.findings())
        judge.store.waited = self.measures.waited
        courier = make_courier(judge.config, self._senders)
        self.post = Post(judge, courier, gallery=self.gallery, answered=self.measures.answered)
        if listen := judge.config.health_listen:
            self.wires.listeners["health"] = watch_listener(
                listen,
                alive=self.alive,
                findings=self.findings,
                figures=self.measures.text,
                others=self.company.facts if self.company is not None else tuple,
            )
        self._alarm_bell = Alarm(judge.config.alarm, judge.config.name)
        self._scheduler = BackgroundScheduler(
            timezone="UTC", job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        )
        self._copies = threading.Event()
        self._due = threading.Event()
        self._to_settle = threading.Event()
        self._polled = judge.clock.now()
        self._waits_for_others = False
        self._unreachable: tuple[str, ...] = ()
        self._sweeping = threading.Lock()
        self._alarm: datetime | None = None
        self._setting = threading.Lock()
        self._silence = Silence(judge.clock.now())
        self._pulse = time.monotonic()

    def _make_gallery(self) -> Gallery:
        """Pictures are drawn by processes beside this one; each that is done wakes the post."""
        maps = self.judge.config.maps or resources.folder("maps")
        return Gallery(
            self.judge,
            Studio(maps, DRAWING),
            tell_operator,
            hands=DRAWING,
            ready=self._hang,
            elsewhere=self._others_draw,
        )

    def _make_company(self) -> OtherDaemons:
        roles = tuple(role for role in IN_ORDER if role in self._roles)
        sources = self.wires.sources
        return OtherDaemons(self.judge, roles, settled=self._settled, heard=self._called, sources=sources)

    def findings(self) -> list[str]:
        """Why this judge is not ready to do its work, a sentence each with what mends it; none if it is."""
        found = [self._frozen, self.door.closed, self._unwritable, RECALLING if self._recovering else ""]
        found.append(self._wrong_clock())
        try:
            with self.judge.store.read() as view:
                paused = view.outbox.paused()
        except StoreTrouble as trouble:
            return [*filter(None, found), str(trouble)]
        found.append(f"nothing is sent: {paused}; when that is mended: judge outbox resume" if paused else "")
        return [sentence for sentence in found if sentence]

    def _silent_for(self) -> dict[str, float]:
        found = ((source.name, source.silent_for()) for source in self._fetched_here())
        return {name: seconds for name, seconds in found if seconds is not None}

    def start(self) -> None:
        """Look whether the database may be trusted, note an outage, open the wires, start the loops."""
        # The listener answers each line of a dialogue in microseconds, but waits for the interpreter as long as a turn
        # of the worker lasts; with the usual 5 ms turns that wait is much of a mail's way in;
        # with turns of less than one, changing them costs more than it spares.
        sys.setswitchinterval(0.003)
        calm_collector()
        if self.company is not None:
            self.company.join()
            self._watch = Watch(self._reading())  # the clock was set right by that
        self._check_marker()
        if self.company is not None:
            self._spawn("company", partial(self.company.run, self._stop.is_set))
        self.post.sending.frozen = self._frozen
        self._note_outage()
        self._give_back()
        self.wires.start(self.judge.config)
        if WORK in self._roles:
            self._spawn("take", self._take_mail)
        self._spawn("turn", self._turn_pages)
        if self.company is not None and self.wires.sources:
            self._spawn("settle", self._settle)
        if self._carry:
            self._spawn("compose", self._compose_letters)
            self._spawn("send", self._send_letters)
        if self.gallery is not None:
            for _ in range(DRAWING):
                self._spawn("draw", partial(self.gallery.work, self._stop.is_set))
            if self._draws_ahead:
                self._spawn("foresee", self._foresee)
        if TURN in self._roles:
            self._spawn("subjects", self._tend_subjects)
        if self._recovering:
            self._due.set()  # the first sweep asks for it
        else:
            self._fetch_mail()
        self._scheduler.add_job(self._due.set, IntervalTrigger(seconds=SWEEP_EVERY), id="sweep")
        self._scheduler.start()
        self._mail.set()
        self._letters.set()

    def stop(self, *, grace: float = 5.0) -> None:
        """Close the wires, finish what is in hand, note the time, close the database."""
        self.wires.stop(grace=grace)
        self._stop.set()
        self._mail.set()
        self._due.set()
        self._letters.set()
        self._copies.set()
        self._to_settle.set()
        if self.company is not None:
            self.company.leave_mailboxes()
        if self._scheduler.running:
            self._scheduler.shutdown(wait=True)
        self.door.close()
        self.writer.close()
        if self.gallery is not None:
            self.gallery.close()
        for thread in self._threads:
            thread.join(timeout=grace)
        self._guarded(self.worker.put_back)
        self._guarded(self._note_heartbeat)
        if self.company is not None:
            self._guarded(self.company.leave)
        self.post.close()
        self.judge.close()

    def wait(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Until somebody asks to stop; `meanwhile` is called twice a second."""
        while not self._stop.wait(0.5):
            meanwhile()

    def alive(self) -> bool:
        """Whether sweeps go on, for a watchdog. A database in trouble is no reason to be started again."""
        return time.monotonic() - self._pulse < STUCK

    def ask_to_stop(self) -> None:
        """From a signal handler: only sets a flag."""
        self._stop.set()

    def wake_post(self) -> None:
        """Wake the threads that compose and send letters: there are new ones."""
        self._letters.set()

    def _mail_came(self) -> None:
        """The door has stored some: for us, or where others hear mail, for them."""
        self._mail.set()
        if WORK not in self._roles and self.company is not None:
            self.company.call(DaemonCall.MAIL)

    def _letters_came(self) -> None:
        """There are letters to be composed: by us, or where others do that, by them."""
        self._letters.set()
        if not self._carry and self.company is not None:
            self.company.call(DaemonCall.LETTERS)

    def _others_draw(self) -> bool:
        """Whether what our letters show is drawn by other daemons."""
        return DRAW not in self._roles and self.company is not None and self.company.anybody(DRAW)

    def _senders(self) -> int:
        """How many daemons send letters at present."""
        others = self.company.others if self.company is not None else ()
        return 1 + sum(SEND in daemon.roles for daemon in others)

    def _called(self, word: str) -> None:
        """Another daemon called out."""
        if word == DaemonCall.MAIL:
            self._mail.set()
        elif word == DaemonCall.LETTERS:
            self._letters.set()
        elif word.startswith(DaemonCall.DRAWN):
            self.post.picture_came(word.partition(" ")[2])
            self._letters.set()
        elif word == DaemonCall.SETTLE and self.wires.sources:
            self._to_settle.set()
        elif word == DaemonCall.SETTLE and self.company is not None:
            self.company.call(DaemonCall.SETTLED)
        elif word == DaemonCall.LEFT and self._carry and DRAW not in self._roles:
            self.post.composing.look_at_all()  # what that one was to draw is drawn here, if nobody else does
            self._letters.set()
            self._due.set()
        elif word == DaemonCall.LEFT or (word == DaemonCall.SETTLED and self._waits_for_others):
            self._due.set()

    def _settle(self) -> None:
        """Fetch what came, because a turn elsewhere waits for it."""
        while not self._stop.is_set():
            self._to_settle.wait()
            self._to_settle.clear()
            if not self._stop.is_set() and self.company is not None:
                self._guarded(self._surroundings)
                self.company.call(DaemonCall.SETTLED)
                self._stop.wait(BREATH)

    def _settled(self) -> tuple[datetime, str]:
        """Up to when what reached us is stored, and what is wrong with us; a listener notes the arrival of a mail a
        moment before it says so.
        """
        moment = (self._polled if self.wires.sources else self.judge.clock.now()) - LISTENERS_MOMENT
        oldest = self.door.oldest_in_hand()
        unreachable = ", ".join(self._unreachable)
        trouble = f"mail cannot be fetched from {unreachable}" if unreachable else ""
        return min(moment, oldest or moment), trouble if self._trusted else NOT_TRUSTED

    def _hang(self, picture: str) -> None:
        self.post.picture_came(picture)
        self._letters.set()
        if self.company is not None:
            self.company.call(DaemonCall.DRAWN, picture)

    def beat(self) -> None:
        """One sweep: poll the sources if something is due, hear what came, tick the games, set the alarm."""
        with self._sweeping:
            try:
                self._beat()
                give_back()
            finally:
                self._pulse = time.monotonic()
                self._alarm_bell.look(self.findings(), self.judge.clock.now())

    def tend(self) -> None:
        """What is due beside the games, in a thread of its own: an issue of a zine may take a minute to make, and
        neither a turn nor a mail waits for it. While the clock is not believed nothing is due.
        """
        if not self.door.closed and sweep_subjects(self.judge):
            self._letters.set()

    def _tend_subjects(self) -> None:
        while not self._stop.wait(SWEEP_EVERY):
            self._guarded(self.tend)

    def _turn_pages(self) -> None:
        """Sweep whenever it is asked for. What was asked for during a sweep, which saw less, is done after it."""
        while not self._stop.is_set():
            self._due.wait(timeout=WAIT_FOR_OTHERS if self._waits_for_others else None)
            self._due.clear()
            if not self._stop.is_set():
                self._guarded(self.beat)
                self._stop.wait(BREATH)

    def _beat(self) -> None:
        if not self._clock_is_sane():
            return
        self._give_back()
        self._note_heartbeat()
        self._note_put_off()
        if self._recover(self.wires.sources):
            self._fetch_mail()
        around = self._surroundings()
        self._silence.look(self.judge, self._fetched_here())
        heard = self._hear_what_came() if self._roles & {WORK, TURN} else 0
        turned = self._turn(around) if TURN in self._roles else 0
        if turned or heard:
            self._letters_came()
        self.post.release_leases()
        if self._set_alarm() and turned:
            self._due.set()  # more was due than one sweep takes
        if TURN in self._roles and not self._frozen and self._guarded(self._tell_operator):
            self._letters.set()

    def _turn(self, around: Surroundings) -> int:
        self._waits_for_others = False
        turned = sweep(self.judge, around, turned=self._note_turn, stop=self._stop.is_set, subjects=False)
        if self._waits_for_others and self.company is not None:
            self.company.call(DaemonCall.SETTLE)
        return turned

    def _note_that_a_turn_waits(self) -> None:
        self._waits_for_others = True

    def _hear_what_came(self) -> int:
        """Hear every mail that is stored by now. One that comes meanwhile holds up no turn that is due already; the
        barrier looks after what came in time for another.
        """
        with self.judge.store.read() as view:
            last = view.inbox.last()
        heard = 0
        while not self._stop.is_set() and (group := self.worker.hear_group(before=last + 1)):
            heard += group
            self._pulse = time.monotonic()
        return heard

    def _note_turn(self) -> None:
        self._letters_came()
        self._pulse = time.monotonic()

    def _take_mail(self) -> None:
        while not self._stop.is_set():
            self._mail.wait()
            self._mail.clear()
            if not self._guarded(self._take_some):
                self._mail.set()  # what we had in hand is to go back as soon as the store is well again

    def _take_some(self) -> None:
        """Hear a group of mails. The first of them is heard at once; a busy evening's go by large groups, which cost
        less.
        """
        if not (heard := self.worker.hear_group()):
            if self.worker.held_up:  # by another daemon, for a moment
                self._stop.wait(PAUSE)
                self._mail.set()
            return
        self._mail.set()  # there may be more
        self._letters_came()
        self._look_at_the_clock()
        if heard < BATCH:
            self.worker.gather(GATHER)

    def _look_at_the_clock(self) -> None:
        """The last orders came in: no need to wait for the next sweep. The thread that takes mail only asks for it."""
        if self._set_alarm():
            self._due.set()

    def _foresee(self) -> None:
        """Draw for letters that others compose."""
        while not self._stop.is_set():
            self._letters.wait(FORESEE_EVERY)
            self._letters.clear()
            self._guarded(self.post.composing.foresee)

    def _compose_letters(self) -> None:
        self.post.prepare()
        while not self._stop.is_set():
            self._letters.wait(timeout=self._pause(self.post.composing.next_try))
            self._letters.clear()
            self._copies.set()  # who woke us may have set copies free as well
            self._guarded(self._compose_what_waits)

    def _compose_what_waits(self) -> None:
        while not self._stop.is_set() and self.post.composing.compose_some():
            self._copies.set()

    def _send_letters(self) -> None:
        while not self._stop.is_set():
            self._copies.wait(timeout=self._pause(self.post.sending.next_try))
            self._copies.clear()
            if not self._stop.is_set():
                self._guarded(self.post.sending.send)

    def _pause(self, next_try: Callable[[], datetime | None]) -> float:
        pause = 5.0
        try:
            wait = next_try()
        except StoreTrouble:
            return pause
        if wait is None:
            return LOOK_EVERY
        return min(LOOK_EVERY, max(0.2, (wait - self.judge.clock.now()).total_seconds()))

    def _surroundings(self) -> Surroundings:
        if self._anything_due() and not self._recovering:
            began, unreachable = self.judge.clock.now(), []
            for source in self.wires.sources:
                try:
                    source.poll_once()
                except SourceUnreachable:
                    unreachable.append(source.name)
            self._unreachable = tuple(unreachable)
            if not unreachable:
                self._polled = began
        else:
            self._unreachable = ()
        self._learn_of_outages()
        return Surroundings(
            unreachable=self._unreachable,
            outage=self._outage,
            backlog_window=self.judge.config.backlog_window,
            stopped=self._frozen or self.door.closed or (RECALLING if self._recovering else "") or self._wrong_clock(),
            in_hand=self.door.oldest_in_hand,
            waits_for_others=self._note_that_a_turn_waits,
            receives=self.receives,
        )

    def _wrong_clock(self) -> str:
        return self.company.wrong_clock if self.company is not None else ""

    def _anything_due(self) -> bool:
        with self.judge.store.read() as view:
            return bool(view.games.due(self.judge.clock.now(), limit=1))

    def _fetch_mail(self) -> None:
        """Begin to fetch what lies in the mailboxes. Not while older mail is still to be asked for again: heard after
        what its author wrote later, it would overrule that.
        """
        for source in self.wires.sources:
            self._spawn(source.name, partial(self._fetch_from, source))

    def _fetch_from(self, source: MailSource) -> None:
        if (shared := self._shared(source)) is not None:
            shared.fetch(EVERY)
        else:
            source.run(self._stop)

    def _fetched_here(self) -> list[MailSource]:
        """The sources that are ours to fetch from, or would be if they answered; not those of another daemon."""
        found = ((source, self._shared(source)) for source in self.wires.sources)
        return [source for source, shared in found if shared is None or shared.ours or shared.left]

    def _shared(self, source: MailSource) -> SharedMailbox | None:
        return self.company.shared(source) if self.company is not None else None

    def _set_alarm(self) -> bool:
        """Set the alarm to the next due moment of any game; returns whether one has come."""
        with self._setting:
            with self.judge.store.read() as view:
                due = view.games.next_due()
            now = self.judge.clock.now()
            if due is None or due <= now:  # the sweep looks after what is overdue
                self._alarm = due
            elif due != self._alarm and due <= now + timedelta(days=30) and self._scheduler.running:
                self._alarm = due
                self._scheduler.add_job(self._due.set, DateTrigger(due), id="alarm", replace_existing=True)
            return due is not None and due <= now
