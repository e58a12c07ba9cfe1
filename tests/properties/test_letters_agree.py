"""Whatever happens in a game, letters name one truth: no moment that lies behind them as one to come, one deadline to
everybody, and what they say of the others is what the clock waits for. The letters are read as they are sent: as texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.game.clock.absences import Away
from judge.game.clock.clockwork import early_moment, next_wake
from judge.game.clock.extensions import CallExtensionVote
from judge.game.clock.holds import HoldGame, Resume
from judge.game.clock.pausing import CallGoOnVote, CallPauseVote
from judge.game.core import commands as cmd
from judge.game.core.model import Running
from judge.game.filing.standing import standings
from judge.game.talk.ballots import ProposeDraw, Vote
from judge.game.talk.closing import closing
from judge.mail.letters import Posting, Printer, compose
from judge.report.core.answer import Answer, Received
from judge.report.core.cast import Member
from judge.report.core.letter import Letter
from judge.report.mailing import letters_for
from judge.report.reply.headline import soon
from judge.report.reply.inquiries import status_view
from judge.report.reply.receipt import answer_to_person, receipt
from judge.report.seat.desk import desk, due, due_said
from judge.report.seat.onfile import waiting_for
from tests.support.builders import OFFICE, Table, cast_of

MAPS = Path(__file__).resolve().parents[2] / "maps"
NOBODY = Member(0, "")
_MARK = re.compile(r"<<([^>]+)>>")
GOOD, SLIP, SOME = ("all hold",), ("all hold", "A Gas - Bur"), ("A Par H", "A Bud H", "F Lon H", "A Ber H", "A Rom H")


def step(table: Table, dice: Random) -> str:
    """Something that people do, or time that goes by. The seat that has done it, "" for the clock."""
    power = dice.choice([power for seat in table.game.seats.values() if seat.filled for power in seat.powers])
    player = table.player(power)
    deed = dice.randrange(11)
    if deed < 3:
        table.orders(power, *dice.choice((GOOD, GOOD, SLIP, SOME)))
    elif deed == 3:
        table.tell(cmd.Wait(on=dice.random() < 0.6), player)
    elif deed == 4:
        table.tell(cmd.Extend(timedelta(days=dice.randrange(1, 4))), player)
    elif deed == 5:
        table.tell(dice.choice((ProposeDraw(), CallPauseVote(), CallExtensionVote(), CallGoOnVote())), player)
    elif deed == 6:
        for number in list(table.game.votes):
            table.tell(Vote(aye=dice.random() < 0.8, vote=number), player)
    elif deed == 7:
        until = dice.choice((None, table.now + timedelta(hours=30)))
        table.tell(dice.choice((HoldGame("a flood", until), Resume(), cmd.Extend(timedelta(days=1)))), table.gm)
        return "gm"
    elif deed == 8:
        since = table.now + timedelta(days=dice.randrange(9))
        table.tell(Away(since, since + timedelta(days=2)), player)
    else:
        _time_goes_by(table, dice)
        return ""
    return player.seat


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
CAST = cast_of()
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\d{1,2}) (Jan|Feb|Mar|Apr|May)(?: (\d{4}))?,? (\d\d):(\d\d)(?::\d\d)? UTC"
_MOMENTS = re.compile(_DAY)
_PAST = re.compile(
    r"\b(?:was|were|Received|received|that of|line of|Sent|since|missed|passed)\b[^.;:,]*(?:, [a-z][^.;:,]*)?$"
)
"""Words ahead of a moment, in its own sentence, that do not speak of something to come."""
_BESIDE = re.compile(r"\b(?:away|goes on|on hold|pause)\b[^.;]*$")
"""Words ahead of a moment that is none of a deadline, but may be the same: of an absence, of the end of a pause."""
_VOID = re.compile(r"\s*(?:[,-]\s+|\()?(?:ON HOLD|PASSED|passed|has passed|does not count)")
_DUE = re.compile(r"\b(?:DUE|DEADLINE|Deadline:)\s+" + _DAY)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May")


def _read(match: re.Match[str]) -> datetime:
    day, month, year, hour, minute = match.groups()
    return datetime(int(year or 2027), _MONTHS.index(month) + 1, int(day), int(hour), int(minute), tzinfo=UTC)


def _text(letter: Letter) -> str:
    posting = Posting(
        to="a@players.test", to_name="A", from_address="judge@judge.test", reply_to="judge+a@judge.test",
        date=datetime(2027, 1, 1, tzinfo=UTC), domain="judge.test", secret=b"a key for tests",
    )  # fmt: skip
    return compose(letter.kind, letter.idem_key, json.loads(letter.frozen()), posting, PRESS).text


def letters_of(table: Table, doer: str) -> Iterator[str]:
    """The texts of what the last act brought: to one reader of each part in it, to its author, and a status."""
    if table.last:
        seen: set[tuple[str, str]] = set()
        for letter in letters_for(table.before, table.last, table.game, CAST, tuple(table.events)):
            part = (letter.kind, "gm" if letter.seat == "gm" else "player")
            if part not in seen:
                seen.add(part)
                yield _text(letter)
    received = Received("1", table.now, "0" * 64)
    if doer and table.answer is not None:
        member = CAST.member(table.game.gm if doer == "gm" else table.game.seats[doer].person or 0)
        answer = Answer.of(table.answer, line=1, text="a line")
        yield _text(receipt(table.game, doer, member, received, (answer,), office=OFFICE, before=table.before))
    for seat in (*tuple(table.game.seats)[:2], "gm"):
        view = status_view(table.game, seat, CAST)
        member = CAST.member(table.game.gm if seat == "gm" else table.game.seats[seat].person or 0)
        yield _text(answer_to_person(member, received, (), office=OFFICE, game=table.game, enclosures=(view,)))


def check_the_texts(table: Table, doer: str) -> None:
    """No text names a moment behind it as one to come, nor a deadline that will pass without anything while the game is
    on hold; and all name one deadline.
    """
    deadlines = set()
    off = table.game.deadline.at if table.game.held_since is not None and table.game.deadline is not None else None
    for text in letters_of(table, doer):
        flat = " ".join(text.split())
        for match in _MOMENTS.finditer(flat):
            ahead, behind = flat[max(0, match.start() - 160) : match.start()], flat[match.end() : match.end() + 25]
            void = _read(match) == off and not _BESIDE.search(ahead)
            if (_read(match) < table.now.replace(second=0) or void) and not _VOID.match(behind):
                assert _PAST.search(ahead), f"at {table.now}: ...{ahead}{match[0]}{behind}"
        deadlines |= {_read(match) for match in _DUE.finditer(flat)}
    assert len(deadlines) <= 1, (table.now, deadlines)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10_000))
def test_letters_name_no_moment_past_and_the_clock_comes_to_rest(seed: int) -> None:
    dice = Random(seed)
    table = Table(MAPS, {"zone": "UTC", "holidays": dice.choice(("none", "11 Jan - 13 Jan"))}).seated().started()
    table.tell(cmd.ChangeSettings("early", dice.choice(("yes", "no"))), table.gm)
    for _ in range(25):
        doer = step(table, dice)
        if not isinstance(table.game, Running):
            return
        check_the_texts(table, doer)
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
