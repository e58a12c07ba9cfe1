"""A state machine over a game and its clock: whatever players, Gamemaster, clock and outages do, in whatever order,

- no deadline fires twice, no reminder is sent twice for one version of a deadline;
- nobody is called late, or loses his seat, who has valid orders on file;
- nothing is adjudicated in a no-NMR game while a set is missing, unless the Gamemaster says so;
- no turn is due sooner than its floor after it opened, and the version of a deadline only goes up;
- a moment that was promised (a grace, a deadline, the end of a hold, an absence) is broken by no later command unless
  an event says so: what is set meanwhile, setting or deadline, counts from then on;
- no act of the Gamemaster, repeated, processes a second phase;
- no vote is open after its end;
- the game built again from its events is the same game.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from judge.acts.absences import Away
from judge.game.clock.clockwork import next_wake
from judge.game.clock.extensions import CallExtensionVote
from judge.game.clock.holds import HoldGame, Resume
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.events import LadderStep, from_json, to_json
from judge.game.core.evolve import rebuild
from judge.game.core.model import Stage
from judge.game.filing.standing import seats_behind
from judge.game.settings.table import NEVER_WAITS
from judge.game.table.vacancies import Claim, Excuse
from judge.game.talk.ballots import ProposeDraw, Vote
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[2] / "maps"
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
GRIDS = ("Friday 24:00", "3d", "2d at 21:00", "Monday 20:00, Thursday 20:00")
ZONES = ("America/New_York", "EST", "Europe/Berlin", "UTC")

powers = st.sampled_from(POWERS)
BY_HAND = ("set", "extended", "resumed", "excused")
"""Why a deadline is another one by the Gamemaster's word."""

spans = st.integers(min_value=1, max_value=72 * 60).map(lambda minutes: timedelta(minutes=minutes))


class CalendarMachine(RuleBasedStateMachine):
    """A running game in which every power's orders are that its units hold."""

    table: Table

    @initialize(
        moves=st.sampled_from(GRIDS),
        zone=st.sampled_from(ZONES),
        nmr=st.sampled_from(("wait", "grace")),
        early=st.sampled_from(("yes", "no")),
        holidays=st.sampled_from(("none", "5 Jan - 9 Jan", "14 Jan")),
    )
    def begin(self, moves: str, zone: str, nmr: str, early: str, holidays: str) -> None:
        texts = {"moves": moves, "zone": zone, "nmr": nmr, "early": early, "holidays": holidays}
        self.table = Table(MAPS, texts).seated()
        self.table.tell(cmd.Start(), self.table.gm)
        self.checked = 0
        self.behind: set[str] = set()
        self.promised = self.promise()
        self.processed: set[str] = set()
        self.fired: set[tuple[str, str, int]] = set()
        self.version = 0
        self.notice = self.table.game.settings.min_notice

    # --- what may happen ------------------------------------------------------------------------------------------

    @rule(power=powers)
    def orders(self, power: str) -> None:
        seat = self.table.game.seat_of(power)
        if seat is not None and seat.filled and self.table.game.position is not None:
            units = self.table.game.position.of(power)
            self.table.orders(power, *[f"{unit.kind} {unit.at} H" for unit in units])
            self.check()

    @rule()
    def everybody_orders(self) -> None:
        for power in POWERS:
            self.orders(power)

    @rule(power=powers)
    def clears(self, power: str) -> None:
        self.as_player(power, cmd.Clear())

    @rule(power=powers, on=st.booleans())
    def waits(self, power: str, *, on: bool) -> None:
        self.as_player(power, cmd.Wait(on=on))

    @rule(power=powers)
    def extends(self, power: str) -> None:
        self.as_player(power, cmd.Extend())

    @rule(power=powers)
    def calls_a_vote(self, power: str) -> None:
        self.as_player(power, CallExtensionVote())

    @rule(power=powers, aye=st.booleans())
    def votes(self, power: str, *, aye: bool) -> None:
        self.as_player(power, Vote(aye=aye))

    @rule(power=powers, ahead=spans, long=spans)
    def goes_away(self, power: str, ahead: timedelta, long: timedelta) -> None:
        since = self.table.now + ahead
        self.as_player(power, Away(since, since + long))

    @rule(power=powers)
    def leaves(self, power: str) -> None:
        self.as_player(power, cmd.Leave(for_good=True))

    @rule(power=powers, person=st.integers(min_value=1, max_value=12))
    def somebody_claims(self, power: str, person: int) -> None:
        self.table.tell(Claim(power), cmd.Actor(cmd.Role.STRANGER, person=person))
        self.check()

    @rule(power=powers)
    def is_excused(self, power: str) -> None:
        self.table.tell(Excuse(power), self.table.gm)
        self.check()

    @rule(span=spans)
    def the_gamemaster_extends(self, span: timedelta) -> None:
        self.table.tell(cmd.Extend(span), self.table.gm)
        self.check()

    @rule(span=spans)
    def the_gamemaster_names_a_deadline(self, span: timedelta) -> None:
        self.table.tell(cmd.SetDeadline(self.table.now + span), self.table.gm)
        self.check()

    @rule(long=spans, span=st.none() | spans)
    def holds_and_resumes(self, long: timedelta, span: timedelta | None) -> None:
        self.table.tell(HoldGame(), self.table.gm)
        self.check()
        self.pass_time(long)
        if span is not None:
            self.table.tell(Resume(self.table.now + span), self.table.gm)
        self.table.tell(Resume(), self.table.gm)
        self.check()

    @rule(long=spans)
    def holds_until(self, long: timedelta) -> None:
        until = self.table.now + long
        self.table.tell(HoldGame("", until), self.table.gm)
        self.check()
        if self.table.game.held_until == until:
            self.table.now = until - timedelta(minutes=1)
            self.strike()
            assert self.table.game.held_since is not None, "it went on before its day"
            self.table.now = until
            self.strike()
            assert self.table.game.held_since is None, "the day came, and it did not go on"

    @rule(
        setting=st.sampled_from(
            (("nmr", "hold"), ("nmr", "grace"), ("nmr", "wait"), ("grace", "6h"), ("early", "yes"), ("early", "no"),
             ("no_mistakes", "no"), ("moves", "1d"), ("zone", "UTC"))
        )
    )  # fmt: skip
    def a_setting_changes(self, setting: tuple[str, str]) -> None:
        """Nothing happens in the same moment, whatever was promised."""
        before = len(self.table.events)
        self.table.tell(cmd.ChangeSettings(*setting), self.table.gm)
        self.check()
        self.strike()
        played = [e for e in self.table.events[before:] if isinstance(e, (ev.PhaseAdjudicated, ev.SeatVacated))]
        assert not played or self.table.now >= self.promised, "a setting broke a promise"

    @rule()
    def processes_twice(self) -> None:
        """Once with a yes to whatever is asked; the same once more changes nothing."""
        if self.table.game.stage is not Stage.RUNNING:
            return
        named = cmd.Process(str(self.table.game.phase))
        self.behind = set()
        self.table.process()
        self.check()
        before = len(self.table.events)
        agreed = replace(self.table.gm, agreed=(f"process {named.phase} despite",))
        self.table.tell(named, agreed)
        self.check()
        assert len(self.table.events) == before, "processed again"

    @rule(power=powers)
    def proposes_a_draw(self, power: str) -> None:
        self.as_player(power, ProposeDraw())

    @rule(but=st.sampled_from((*POWERS, "")))
    def all_say_aye(self, but: str) -> None:
        for number in list(self.table.game.votes):
            for power in POWERS:
                if power != but:
                    self.as_player(power, Vote(aye=True, vote=number))

    @rule(long=spans)
    def time_passes(self, long: timedelta) -> None:
        """With a judge that wakes when it means to."""
        self.pass_time(long)

    @rule(long=spans)
    def the_clock_strikes_late(self, long: timedelta) -> None:
        """A busy machine: it strikes once, after everything that was due, and then once more."""
        self.table.now += long
        self.strike()
        self.strike()

    @rule(long=spans)
    def the_judge_is_away(self, long: timedelta) -> None:
        since, self.table.now = self.table.now, self.table.now + long
        for _ in range(2):
            self.table.tell(cmd.Tick(away=(since, self.table.now)), cmd.Actor(cmd.Role.JUDGE))
            self.check()
        self.strike()

    @rule()
    def the_judge_is_restarted(self) -> None:
        """All that it knows is what it wrote down."""
        written = [(type(event).__name__, event.VERSION, to_json(event)) for event in self.table.events]
        again = rebuild((from_json(*one) for one in written), self.table.systems)
        assert again == self.table.game
        self.table.game = again

    # --- how it is told -------------------------------------------------------------------------------------------

    def as_player(self, power: str, command: cmd.Command) -> None:
        seat = self.table.game.seat_of(power)
        if seat is not None and seat.filled:
            self.table.tell(command, self.table.player(power))
            self.check()

    def strike(self) -> None:
        game = self.table.game
        plays_on = game.terms.nmr in NEVER_WAITS
        self.behind = {seat.id for seat in seats_behind(game)} if game.deadline and not plays_on else set()
        self.table.tick(self.table.now)
        self.check(by_the_clock=True)

    def pass_time(self, long: timedelta) -> None:
        end = self.table.now + long
        for _ in range(60):
            moment = next_wake(self.table.game, self.table.now) if self.table.game.stage is Stage.RUNNING else None
            if moment is None or moment > end:
                break
            self.table.now = max(moment, self.table.now)
            self.strike()
        self.table.now = end
        self.strike()

    # --- what must hold -------------------------------------------------------------------------------------------

    def check(self, *, by_the_clock: bool = False) -> None:
        """Every event since the last look keeps the promises."""
        before, self.promised = self.promised, self.promise()
        fresh, self.checked = self.table.events[self.checked :], len(self.table.events)
        for event in fresh:
            if isinstance(event, ev.PhaseAdjudicated):
                assert event.phase not in self.processed, f"{event.phase} twice"
                assert not self.behind, "adjudicated with a set missing"
                assert event.phase[-1] != "M" or self.only_fresh_votes(event), "a vote stays open"
                self.processed.add(event.phase)
            elif isinstance(event, ev.ReminderDue):
                for seat in event.seats:
                    self.once(f"reminder {event.rung}", seat, event.version)
            elif isinstance(event, ev.LateCalled):
                self.once("late", "", event.version)
                assert by_the_clock and set(event.seats) <= self.behind, "called late who had ordered"
            elif isinstance(event, LadderStep):
                self.once(f"{event.kind} {event.number}", "", event.version)
            elif isinstance(event, ev.SeatVacated) and event.why == "nmr":
                assert event.seat in self.behind, "lost his seat who had ordered"
            elif isinstance(event, ev.DeadlineSet):
                assert event.version > self.version and event.deadline > event.at
                assert event.why not in BY_HAND or event.deadline >= min(before, event.at + self.notice), "taken away"
                self.version = event.version

    def promise(self) -> datetime:
        """The moment before which nobody's turn is played without their orders, as was last announced."""
        deadline = self.table.game.deadline
        if deadline is None:
            return self.table.now
        return deadline.grace or deadline.at

    def only_fresh_votes(self, played: ev.PhaseAdjudicated) -> bool:
        """Whether all that are open were called after the results, or stay open until the moment that was named."""
        ballots = self.table.game.votes.values()
        return all(ballot.called_at >= played.at or (ballot.until or played.at) > played.at for ballot in ballots)

    def once(self, what: str, seat: str, version: int) -> None:
        assert (what, seat, version) not in self.fired, f"{what} twice"
        self.fired.add((what, seat, version))

    @precondition(lambda self: hasattr(self, "table"))
    @invariant()
    def the_clock_is_never_lost(self) -> None:
        """A game that runs wakes again by itself, or waits for a mail, or is overdue and looked at in every sweep."""
        game = self.table.game
        if game.stage is not Stage.RUNNING or game.held_since is not None:
            return
        if next_wake(game, self.table.now) is None:
            assert seats_behind(game), "nothing is missing, and yet nothing will happen"


CalendarMachine.TestCase.settings = settings(
    max_examples=15,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestCalendarMachine = CalendarMachine.TestCase
