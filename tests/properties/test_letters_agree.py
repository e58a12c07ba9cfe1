"""Whatever happens in a game, letters name one truth: no moment that lies behind them as one to come, one deadline to
everybody, and what they say of the others is what the clock waits for. The letters are read as they are sent: as texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from copy import copy
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from judge.acts.absences import Away
from judge.game.clock.clockwork import early_moment, next_wake
from judge.game.clock.extensions import CallExtensionVote
from judge.game.clock.holds import CallGoOnVote, CallPauseVote, HoldGame, Resume
from judge.game.core import commands as cmd
from judge.game.core.events import GameEnded, PhaseAdjudicated, VoteClosed
from judge.game.core.model import Running
from judge.game.filing.standing import standings
from judge.game.talk.ballots import ProposeDraw, Vote
from judge.game.talk.closing import OWN_TIME, closing, settles
from judge.mail.letters import Printer
from judge.report.core.audience import Batch
from judge.report.core.letter import Answer, Letter, Member, Received
from judge.report.core.naming import power_name
from judge.report.mailing import letters_for
from judge.report.reply.inquiries import status_view
from judge.report.reply.receipt import answer_to_person, receipt, soon
from judge.report.seat.desk import desk, due, due_said
from judge.report.seat.onfile import waiting_for
from judge.report.table.votes import closed_votes
from tests.support.builders import OFFICE, Table, cast_of

MAPS = Path(__file__).resolve().parents[2] / "maps"
NOBODY = Member(0, "")
_MARK = re.compile(r"<<([^>]+)>>")


def step(table: Table, dice: Random) -> str:
    """Something that people do, or time that goes by. The seat that has done it, "" for the clock."""
    filled = [seat for seat in table.game.seats.values() if seat.filled]
    if not filled:
        _time_goes_by(table, dice)
        return ""
    power = dice.choice([power for seat in filled for power in seat.powers])
    player = table.player(power)
    deed = dice.randrange(13)
    if deed < 4:
        table.orders(power, *_orders(table, power, dice))
    elif deed == 4:
        table.tell(cmd.Wait(on=dice.random() < 0.6), player)
    elif deed == 5:
        table.tell(cmd.Extend(timedelta(days=dice.randrange(1, 4))), player)
    elif deed == 6:
        table.tell(dice.choice((ProposeDraw(), CallPauseVote(), CallExtensionVote(), CallGoOnVote())), player)
    elif deed == 7:
        for number in list(table.game.votes):
            table.tell(Vote(aye=dice.random() < 0.8, vote=number), player)
    elif deed == 8:
        until = dice.choice((None, table.now + timedelta(hours=30)))
        named = cmd.SetDeadline(table.now + timedelta(hours=dice.randrange(25, 90)))
        table.tell(dice.choice((HoldGame("a flood", until), Resume(), cmd.Extend(timedelta(days=1)), named)), table.gm)
        return "gm"
    elif deed == 9:
        since = table.now + timedelta(days=dice.randrange(9))
        table.tell(Away(since, since + timedelta(days=2)), player)
    elif deed == 10:
        late = dice.choice([None, None, *filled])
        for seat in filled:
            if seat is not late:
                table.orders(seat.powers[0], "all hold")
    else:
        _time_goes_by(table, dice)
        return ""
    return player.seat


def _orders(table: Table, power: str, dice: Random) -> list[str]:
    """All or some orders of a power, or of all that its player has; at times with a slip."""
    assert table.game.position is not None
    units = [f"{unit.kind} {unit.at} H" for unit in table.game.position.of(power)]
    lines = dice.choice((["all hold"], ["all hold"], units, units, units[:1]))
    return [*lines, "A Gas - Bur"] if dice.random() < 0.2 else lines


def _time_goes_by(table: Table, dice: Random) -> None:
    """To the next moment that the clock wants, or some hours on; the clock strikes until nothing happens any more."""
    wake = next_wake(table.game, table.now)
    at = wake if wake is not None and wake > table.now and dice.random() < 0.7 else table.now + timedelta(hours=7)
    for _ in range(20):
        table.tick(at)
        if not table.last:
            return
    raise AssertionError("the clock does not come to rest")


def moments_to_come(table: Table) -> list[datetime]:
    """Every moment that letters would name as one to come, to anybody, as things stand."""
    game = table.game
    said = [closing(game, one.kind, one.text) for one in game.votes.values()]
    found = [datetime.fromisoformat(mark) for text in said for mark in _MARK.findall(text)]
    for seat in (*game.seats, "gm"):
        at_desk = desk(game, seat, NOBODY).due
        assert at_desk == due(game, NOBODY), "one deadline for everybody"
        if at_desk is not None and (not at_desk.note or getattr(at_desk.note, "key", "") == "due-grace"):
            found.append(at_desk.at)
    words = due_said(game)
    if words and not words.facts["held"] and words.facts["due"] is not None:  # type: ignore[union-attr]
        found.append(words.facts["due"].at)  # type: ignore[union-attr]
    return found


def check_what_is_said_of_the_others(table: Table) -> None:
    """Who reads that the others are all in, and is complete and ready, is told when the turn is played."""
    game = table.game
    assert isinstance(game, Running)
    if game.held_since is not None or not game.settings.early:
        return
    settled = {one.power: one.settled for one in standings(game)}
    for seat in game.seats.values():
        others = waiting_for(game, seat)
        if others is None or not seat.filled or seat.wait or not all(settled.get(one, True) for one in seat.powers):
            continue
        facts = others.facts
        if not (facts["missing"] or facts["unfinished"] or facts["waits"]):
            early = early_moment(game)
            assert early is not None or soon(game, game.deadline.at) is None
            assert all(settled.values()) or game.deadline.called


# --- the letters as they are read ---------------------------------------------------------------------------------

PRESS = Printer(MAPS.parent / "templates")
ZONES = {1: "Asia/Kolkata", 3: "America/New_York"}
CAST = cast_of(zones=ZONES)
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\d{1,2}) (Jan|Feb|Mar|Apr|May)(?: (\d{4}))?,? (\d\d):(\d\d)(?::\d\d)?"
_MOMENTS = re.compile(_DAY + " UTC")
_YOURS = re.compile(_DAY + r" UTC yours: " + _DAY + r" (IST|EST|EDT)")
_OFFSET = {"IST": 330, "EST": -300, "EDT": -240}
_PAST = re.compile(
    r"\b(?:was|were|Received|received|that of|line of|Sent|since|missed|passed)\b[^.;:,]*(?:, [a-z][^.;:,]*)?$"
)
"""Words ahead of a moment, in its own sentence, that do not speak of something to come."""
_BESIDE = re.compile(r"\b(?:away|goes on|on hold|ON HOLD|pause)\b[^.;]*$")
"""Words ahead of a moment that is none of a deadline, but may be the same: of an absence, of the end of a pause."""
_VOID = re.compile(r"\s*(?:[,-]\s+|\()?(?:ON HOLD|PASSED|passed|has passed|does not count)")
_DUE = re.compile(r"\b(?:DUE|DEADLINE|Deadline:)\s+" + _DAY + " UTC")
_WAIT = re.compile(r"\b(?:wait|waits) until " + _DAY + " UTC")
_PLAYED = re.compile(r"the turn is processed (?:on (.{10,20}?) UTC|(now))")
_OTHERS = re.compile(
    r"Others: (?:(\d+) of (\d+)(?: players)? still missing|all in)(?:, (\d+)(?: of \d+)? not complete)?(.*?)\."
)
_STATUS = re.compile(r"STATUS ((?:nothing sent|nothing needed|complete|partial|needs correction| / )+)")
_WAITING = re.compile(r"WAITING for (?:(\d+) sets?|nobody)")
_LATE = re.compile(r"Orders of (.*?) are missing, or still to be put right")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May")
OWED = ("nothing sent", "needs correction")


def _read(match: re.Match[str], first: int = 1) -> datetime:
    day, month, year, hour, minute = match.groups()[first - 1 : first + 4]
    return datetime(int(year or 2027), _MONTHS.index(month) + 1, int(day), int(hour), int(minute), tzinfo=UTC)


def _text(letter: Letter) -> str:
    stored = json.loads(letter.frozen())
    return " ".join(PRESS.print(letter.kind, stored["view"], page=False, reply_to="judge+a@judge.test").text.split())


def letters_of(table: Table, doer: str) -> Iterator[str]:
    """The texts of what the last act brought: to every reader, and to its author."""
    if table.last:
        for letter in letters_for(table.before, table.last, table.game, CAST, tuple(table.events)):
            yield _text(letter)
    received = Received("1", table.now, "0" * 64)
    if doer and table.answer is not None:
        member = CAST.member(table.game.gm if doer == "gm" else table.game.seats[doer].person or 0)
        answer = Answer.of(table.answer, line=1, text="a line")
        yield _text(receipt(table.game, doer, member, received, (answer,), office=OFFICE, before=table.before))


def statuses(table: Table) -> dict[str, str]:
    """What everybody who asks now reads: by seat, "gm" too."""
    received, found = Received("1", table.now, "0" * 64), {}
    for seat in (*table.game.seats, "gm"):
        held = table.game.seats.get(seat)
        if held is None or held.filled:
            view = status_view(table.game, seat, CAST)
            member = CAST.member((held.person or 0) if held is not None else table.game.gm)
            found[seat] = _text(
                answer_to_person(member, received, (), office=OFFICE, game=table.game, enclosures=(view,))
            )
    return found


def check_the_moments(table: Table, texts: Iterable[str]) -> None:
    """No text names a moment behind it as one to come, nor a deadline that will pass without anything while the game is
    on hold; all name one deadline; and in the reader's own zone it is the same moment.
    """
    deadlines = set()
    off = table.game.deadline.at if table.game.held_since is not None and table.game.deadline is not None else None
    for flat in texts:
        for match in _MOMENTS.finditer(flat):
            ahead, behind = flat[max(0, match.start() - 160) : match.start()], flat[match.end() : match.end() + 25]
            void = _read(match) == off and not _BESIDE.search(ahead)
            if (_read(match) < table.now.replace(second=0) or void) and not _VOID.match(behind):
                assert _PAST.search(ahead), f"at {table.now}: ...{ahead}{match[0]}{behind}"
        for match in _YOURS.finditer(flat):
            assert _read(match, 6) - timedelta(minutes=_OFFSET[match[11]]) == _read(match), match[0]
        due = [_read(match) for match in _DUE.finditer(flat)]
        assert all(_read(match) <= due[0] for match in _WAIT.finditer(flat) if due), flat
        deadlines.update(due)
    assert len(deadlines) <= 1, (table.now, deadlines)


def check_the_counts(table: Table, told: dict[str, str], texts: Iterable[str]) -> None:
    """Who is missing, and how many, is one number to everybody: what each reads of the others is what those read of
    themselves, and what the Gamemaster and the table are told.
    """
    game, own = table.game, dict[str, str]()
    for key, seat in game.seats.items():
        found = _STATUS.search(told.get(key, "STATUS nothing sent"))
        assert found is not None, told[key]
        said = found[1].split(" / ")
        own |= dict(zip(seat.powers, said if len(said) > 1 else said * len(seat.powers), strict=True))
    owed = {power for power, state in own.items() if state in OWED}
    open_ = {p for p, state in own.items() if state == "partial"} | {
        power for key, seat in game.seats.items() for power in seat.powers
        if "PUT RIGHT" in told.get(key, "") and own[power] != "nothing sent"
    }  # fmt: skip
    passed = game.deadline is not None and game.deadline.called
    for key, text in told.items():
        if (match := _OTHERS.search(text)) is not None:
            others = [set(seat.powers) for one, seat in game.seats.items() if one != key]
            missing = sum(bool(one & owed) for one in others)
            unfinished = sum(bool(one & open_) and not one & owed for one in others)
            shown = game.settings.early and not passed
            assert (int(match[1] or 0), int(match[3] or 0)) == (missing, unfinished if shown else 0), text
    gm = _WAITING.search(told["gm"])
    assert gm is not None
    most = owed if passed else owed | open_  # a line to be put right may be of any power of its seat
    assert len(owed) <= int(gm[1] or 0) <= len(most), told["gm"]
    assert int(gm[1] or 0) == len(most) or len(game.seats) < len(game.board.powers), told["gm"]
    for flat in texts:
        for match in _LATE.finditer(flat):
            names = [power_name(power, game.board).upper() for power in owed]
            assert sorted(one.upper() for one in re.split(r", | and ", match[1])) == sorted(names), flat


def check_what_is_promised(table: Table, told: dict[str, str], texts: Iterable[str]) -> None:
    """A turn is played when a letter says so, if nobody does anything more; whoever reads that all is in needs to do
    nothing; and where a word has it played sooner, it has.
    """
    moments = {match[1] or "now" for flat in texts for match in _PLAYED.finditer(flat)}
    assert len(moments) <= 1, moments
    game = table.game
    if moments:
        played = _left_alone(table)
        said = _MOMENTS.match(f"{moments.pop()} UTC")
        assert played is not None
        assert played == (_read(said) if said is not None else table.now), (table.now, played, said)
    for seat, text in told.items():
        all_in = "Others: all in." in text and re.search("STATUS complete(?! /)", text) and "PUT RIGHT" not in text
        if all_in and not game.votes and game.held_since is None and game.deadline is not None:
            assert (played := _left_alone(table)) is not None, text
            assert played <= max(game.deadline.at, table.now + timedelta(hours=1)), (seat, played)
    for flat in texts:
        if _PLAYED.search(flat) and "processed now" not in flat:
            assert ("sooner" in flat) is (_left_alone(table, ready=True) != _left_alone(table)), flat


def _left_alone(table: Table, *, ready: bool = False) -> datetime | None:
    """When the turn is played if nobody does anything any more, or if whoever waits is `ready` now."""
    alone = copy(table)
    alone.events = list(table.events)
    if ready:
        for seat in table.game.seats.values():
            if seat.person is not None and seat.wait:
                alone.tell(cmd.Wait(on=False), cmd.Actor(cmd.Role.PLAYER, seat.id, seat.person))
    for _ in range(40):
        alone.tick(alone.now)
        if any(isinstance(event, (PhaseAdjudicated, GameEnded)) for event in alone.last):
            return alone.now
        wake = next_wake(alone.game, alone.now)
        if wake is None or wake > table.now + timedelta(days=60):
            return None
        alone.now = max(alone.now, wake)
    return None


def check_the_votes(table: Table) -> None:
    """A vote that closes undecided says why, unless its moment has come."""
    before = table.before
    if before is None or table.game.ending is not None:
        return
    batch = Batch(before, table.last, table.game, CAST)
    for event, closed in zip(batch.every(VoteClosed), closed_votes(batch), strict=True):
        ballot = before.votes[event.number]
        words = list(event.ballots.values())
        undecided = "silent" in words and (
            "nay" not in words if ballot.kind == "draw" else settles(before, ballot) is None
        )
        if undecided and ballot.kind not in OWN_TIME:
            assert closed.note or ballot.until is None or event.at >= ballot.until, event


@example(seed=68)  # a wait that a word ends sooner
@example(seed=134)  # a grace that is over, in which everybody waits
@example(seed=6692)  # a pause that ends at the very moment at which the turn was due
@settings(max_examples=14, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10_000))
def test_letters_name_no_moment_past_and_the_clock_comes_to_rest(seed: int) -> None:
    dice = Random(seed)
    options = {"zone": "UTC", "holidays": dice.choice(("none", "11 Jan - 13 Jan"))}
    table = Table(MAPS, options, preset=dice.choice(("standard", "standard", "four"))).seated().started()
    table.tell(cmd.ChangeSettings("early", dice.choice(("yes", "no"))), table.gm)
    for _ in range(20):
        doer = step(table, dice)
        check_the_votes(table)
        if not isinstance(table.game, Running):
            return
        texts, told = list(letters_of(table, doer)), statuses(table)
        check_the_moments(table, [*texts, *told.values()])
        check_what_is_promised(table, told, texts)
        check_the_counts(table, told, texts)
        _settle(table)
        if not isinstance(table.game, Running):
            return
        assert all(moment >= table.now for moment in moments_to_come(table)), table.now
        wake = next_wake(table.game, table.now)
        assert wake is None or wake >= table.now
        check_what_is_said_of_the_others(table)


def _settle(table: Table) -> None:
    for _ in range(20):
        table.tick(table.now)
        if not table.last:
            return
