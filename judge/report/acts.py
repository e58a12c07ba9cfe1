"""The log of a game in sentences: one for every kind of event.

What is secret even from the Gamemaster stays so: ballots before the close, diaries and statements before the end, and
the words of press, which may have been recalled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from judge.game.clock import absences, awaiting, ladder, outages, splitting
from judge.game.core import events as ev
from judge.game.core.model import Game
from judge.game.filing import advance, overtaken, plans, proxies
from judge.game.repair import reopening, rewriting, undoing
from judge.game.table import autostart, deciding, offices, practice, rulings, vacancies
from judge.game.talk import amendments, ballots, diaries, epilogue, recall
from judge.report import times
from judge.report.cast import Cast
from judge.report.frame import seat_title
from judge.report.naming import joined, many, power_name

_LONGEST = 120


class Teller:
    """Puts one game's events into sentences."""

    def __init__(self, game: Game, cast: Cast) -> None:
        self._game = game
        self._cast = cast

    def tell(self, event: ev.Event) -> str:
        """An event as a sentence without its author, who stands before it: "game put on hold: holidays"."""
        return " ".join(_SENTENCES[type(event)](self, event).split())

    def seat(self, seat: str) -> str:
        """A seat by its powers."""
        return seat_title(self._game, seat)

    def seats(self, seats: tuple[str, ...]) -> str:
        """Several seats; "nobody" for none."""
        return joined(self.seat(seat) for seat in seats) or "nobody"

    def power(self, power: str) -> str:
        """A power's name; GM, ALL and OBSERVERS as they are addressed."""
        return {"ALL": "everybody", "GM": "the Gamemaster", "OBSERVERS": "the observers"}.get(power) or power_name(
            power, self._game.board
        )

    def powers(self, powers: Any) -> str:
        """Several powers."""
        return joined(self.power(power) for power in powers)

    def person(self, person: int) -> str:
        """Somebody's name."""
        return self._cast.member(person).name if person else "nobody"

    def when(self, moment: Any) -> str:
        """A moment in the game's zone."""
        return times.short(moment, self._game.settings.zone)

    def phase(self, code: str) -> str:
        """A phase's title; what is no code stays as it is."""
        try:
            return self._game.calendar.title(code)
        except ValueError:
            return code


def _why(reason: str) -> str:
    return f": {_short(reason)}" if reason.strip() else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def _deadline(t: Teller, e: ev.DeadlineSet) -> str:
    why = {
        "calendar": "", "start": "", "extension": "a free extension", "extended": "extended", "vote": "by vote",
        "resumed": "the game goes on", "outage": "the judge was out of reach", "replacement": "a new player",
        "takeover": "time for a new player", "correction": "for a correction", "excused": "a player is excused",
    }.get(e.why, e.why.replace("-", " "))  # fmt: skip
    notes = "; ".join(part for part in (why, _short(e.reason)) if part)
    return f"{t.phase(e.phase)} due by {t.when(e.deadline)}{f' ({notes})' if notes else ''}"


def _filed(t: Teller, e: ev.OrdersFiled) -> str:
    orders = "; ".join(dict.fromkeys(line["text"] for line in e.lines)) or "none"
    faults = f"; {many(len(e.faults), 'faulty line')}" if e.faults else ""
    return f"orders of {t.power(e.power)} for {t.phase(e.phase)}, set {e.number}: {orders}{faults}"


def _vacated(t: Teller, e: ev.SeatVacated) -> str:
    why = {
        "nmr": "no orders came", "left": "left the game", "removed": "taken from the table",
        "replaced": "another takes over", "disqualified": "disqualified", "withdrawn": "not to have it after all",
    }.get(e.why, e.why)  # fmt: skip
    return f"{t.seat(e.seat)} loses its player {t.person(e.person)} ({why}){_why(e.reason)}"


def _filled(t: Teller, e: ev.SeatFilled) -> str:
    return f"{t.seat(e.seat)} is played by {t.person(e.person)}{', who comes back' if e.returning else ''}"


def _played(t: Teller, e: ev.PhaseAdjudicated) -> str:
    version = f", version {e.version} of its results" if e.version > 1 else ""
    missing = f"; no orders from {t.powers(e.missing)}" if e.missing else ""
    disorder = f"; in civil disorder: {t.powers(e.disorder)}" if e.disorder else ""
    return f"{t.phase(e.phase)} processed{version}{missing}{disorder}"


def _press(t: Teller, e: ev.PressSent) -> str:
    """That it was sent, and to whom; its words are in no log."""
    claims = f' as "{e.dateline}"' if e.dateline else ""
    postal = ", to be printed in the next report" if e.postal else ""
    return f"{e.colour} press {e.number} to {t.powers(e.to)}{claims}{postal}"


def _closed(t: Teller, e: ev.VoteClosed) -> str:
    ballots = [f"{word} {t.seats(found)}" for word in ("aye", "nay", "silent") if (found := _who(e.ballots, word))]
    return f"vote {e.number} {'passed' if e.passed else 'failed'}: {'; '.join(ballots) or 'nobody voted'}"


def _who(ballots: Mapping[str, str], word: str) -> tuple[str, ...]:
    return tuple(seat for seat, ballot in ballots.items() if ballot == word)


def _called(t: Teller, e: ev.VoteCalled) -> str:
    what = _short(e.text) or (t.powers(e.powers) if e.powers else "")
    return f"vote {e.number} called, {e.kind}{f': {what}' if what else ''}"


def _ended(t: Teller, e: ev.GameEnded) -> str:
    how = {"win": "won by", "draw": "drawn by", "concession": "conceded to", "limit": "at its time limit, for"}
    who = f" {how[e.how]} {t.powers(e.powers)}" if e.how in how and e.powers else ""
    return f"the game ends{who}{_why(e.reason)}"


def _wishes(t: Teller, preferences: tuple[tuple[str, ...], ...]) -> str:
    return ", ".join(" = ".join(t.power(power) for power in rank) for rank in preferences) or "none"


def _drawn(t: Teller, e: ev.PowersDrawn) -> str:
    drawn = joined(t.powers(e.powers[seat]) for seat in sorted(e.powers, key=int))
    return f"powers drawn by lot (seed {e.seed}), in the order of seats: {drawn}"


def _step(t: Teller, e: ladder.LadderStep) -> str:
    what = {
        "hint": "the Gamemaster is told of", "grace": f"day {e.number} of grace for", "waiting": "waiting for",
        "standby": "standbys are warned of", "wanted": f"a player is wanted (week {e.number}) for",
        "overdue": f"{e.number} hours overdue:", "word": f"vote {e.number} waits for the Gamemaster:",
    }.get(e.kind, e.kind)  # fmt: skip
    return f"{what} {t.seats(e.seats)}"


def _corrected(t: Teller, e: rewriting.PositionCorrected) -> str:
    against = " (against the results)" if e.differs else ""
    return f"position after {t.phase(e.phase)} corrected{against}: {'; '.join(e.changes)}{_why(e.reason)}"


def _back(t: Teller, e: rewriting.RolledBack) -> str:
    return f"results taken back of {joined(t.phase(code) for code in e.void)}{_why(e.reason)}"


def _bound(t: Teller, e: advance.KeptBound) -> str:
    failed = f"; not: {'; '.join(e.failed)}" if e.failed else ""
    return f"orders of {t.power(e.power)} sent ahead for {t.phase(e.phase)}: {'; '.join(e.filed) or 'none'}{failed}"


Sentence = Callable[[Teller, Any], str]

_SENTENCES: Mapping[type[ev.Event], Sentence] = {
    ev.GameCreated: lambda t, e: f"game {e.key} created, for {t.person(e.gm)}",
    ev.SettingChanged: lambda t, e: f"setting {e.name} is {e.new or 'undecided'} (it was {e.old or 'undecided'})",
    ev.GameOpened: lambda t, e: "game opened",
    ev.PlayerJoined: lambda t, e: f"{t.person(e.person)} joins; wishes: {_wishes(t, e.preferences)}",
    ev.PreferencesChanged: lambda t, e: f"wishes of {t.seat(e.seat)}: {_wishes(t, e.preferences)}",
    ev.SeatVacated: _vacated,
    ev.SeatFilled: _filled,
    ev.PowersDrawn: _drawn,
    ev.GameStarted: lambda t, e: "the game begins",
    ev.DeadlineSet: _deadline,
    ev.OrdersFiled: _filed,
    ev.WaitChanged: lambda t, e: f"{t.seat(e.seat)} {'waits for the deadline' if e.on else 'waits no more'}",
    ev.ReminderDue: lambda t, e: f"{t.seats(e.seats)} reminded, {many(e.rung, 'hour')} before the deadline",
    ev.LateCalled: lambda t, e: f"late: {t.seats(e.seats)}{f'; grace until {t.when(e.grace)}' if e.grace else ''}",
    awaiting.WordAwaited: lambda t, e: f"a word from {t.seat(e.seat)} is awaited, until {t.when(e.until)} at most",
    ev.ProcessingDelayed: lambda t, e: f"not processed yet{_why(e.reason)}",
    ev.PhaseAdjudicated: _played,
    ev.PhaseSkipped: lambda t, e: f"{t.phase(e.phase)}: nothing to do",
    ev.PressSent: _press,
    ev.VoteCalled: _called,
    ev.VoteCast: lambda t, e: f"a ballot in vote {e.number}",
    ev.VoteClosed: _closed,
    ev.GameHeld: lambda t, e: f"game put on hold{_why(e.reason)}",
    ev.GameResumed: lambda t, e: "the game goes on",
    ev.NoteWritten: lambda t, e: f"note for the next report: {_short(e.text)}",
    ev.GameEnded: _ended,
    absences.AbsenceNoted: lambda t, e: f"{t.seat(e.seat)} is away from {t.when(e.since)} to {t.when(e.until)}",
    absences.AbsencesEnded: lambda t, e: f"{t.seat(e.seat)} is away no more",
    advance.OrdersKept: lambda t, e: f"orders of {t.power(e.power)} sent ahead for {t.phase(e.phase)}",
    advance.KeptBound: _bound,
    advance.AlwaysChanged: lambda t, e: f"standing orders of {t.power(e.power)}: {'; '.join(e.orders) or 'none'}",
    amendments.RulesAmended: lambda t, e: f"house rules version {e.version} by vote {e.number}: {_short(e.text)}",
    ballots.VoteAllowed: lambda t, e: f"vote {e.number} may end the game",
    autostart.StartScheduled: lambda t, e: f"the game will begin by itself on {t.when(e.begins)}",
    autostart.StartCalledOff: lambda t, e: "the game does not begin by itself after all",
    deciding.PresetTaken: lambda t, e: f"settings taken from the preset {e.preset}",
    diaries.PageWritten: lambda t, e: f"a page in the diary of {t.seat(e.seat)}",
    diaries.PageDropped: lambda t, e: f"a page out of the diary of {t.seat(e.seat)}",
    epilogue.StatementMade: lambda t, e: f"{t.seat(e.seat)} {'has made a statement' if e.text else 'makes none'}",
    epilogue.StatementsCalled: lambda t, e: f"statements are wanted until {t.when(e.until)}",
    epilogue.StatementsReminded: lambda t, e: f"{t.seats(e.seats)} reminded of their statements",
    epilogue.StatementsPublished: lambda t, e: "the statements are handed round",
    ladder.LadderStep: _step,
    offices.DeputyNamed: lambda t, e: f"{t.person(e.person)} acts for the Gamemaster until {t.when(e.until)}",
    offices.DeputyDismissed: lambda t, e: f"{t.person(e.person)} is deputy no more",
    offices.GameOffered: lambda t, e: f"the game is offered to {t.person(e.person)}",
    offices.GamemasterChanged: lambda t, e: f"{t.person(e.person)} is Gamemaster in the place of {t.person(e.before)}",
    outages.GraceMoved: lambda t, e: f"grace lasts until {t.when(e.until)}",
    overtaken.LateWithdrawn: lambda t, e: f"{t.seat(e.seat)} was not late after all",
    plans.PlanMade: lambda t, e: f"a plan of {t.seat(e.seat)}" if e.lines else f"a plan of {t.seat(e.seat)} is dropped",
    practice.PracticeBegun: lambda t, e: "a practice game",
    practice.PhaseReleased: lambda t, e: f"{t.phase(e.phase)} is to be played as it stands",
    practice.PracticeCleared: lambda t, e: "the practice game is cleared away",
    proxies.ProxyGiven: lambda t, e: (
        f"{t.seat(e.seat)} gives {t.seat(e.holder)} a proxy" if e.holder else f"{t.seat(e.seat)} ends the proxy"
    ),
    recall.PressRecalled: lambda t, e: f"press {e.number} recalled",
    reopening.PhaseReopened: lambda t, e: f"{t.phase(e.phase)} is open again for orders{_why(e.reason)}",
    rewriting.RolledBack: _back,
    rewriting.PositionCorrected: _corrected,
    rulings.HeadlineSet: lambda t, e: f"headline: {e.text}" if e.text else "no headline",
    rulings.Revealed: lambda t, e: "everybody is told who plays what",
    rulings.PositionImported: lambda t, e: (
        "a position is imported" if e.position else "the imported position is dropped"
    ),
    splitting.TurnSplit: lambda t, e: f"the turn is divided before {t.phase(e.phase)}",
    undoing.ActTakenBack: lambda t, e: f"act {e.last} is taken back",
    undoing.NoteWithdrawn: lambda t, e: f"note withdrawn: {_short(e.text)}",
    undoing.GameClosed: lambda t, e: "the game is off the list",
    undoing.SettingsRestored: lambda t, e: "the settings are as they were before the preset",
    vacancies.PlayerExcused: lambda t, e: f"{t.person(e.person)} excused at {t.seat(e.seat)}{_why(e.reason)}",
}
"""Every kind of event; a test sees to it that none is missing."""
