"""Plays a conversation with a judge under test, holds every letter against it, and asks about the judge's state (`check
phase baltic F1901M` and the like).

A conversation goes by exchanges: some things happen (mails, time, a restart), then letters are expected. Letters that
an exchange does not mention are set aside when the next one begins; those to one address are met in their order.

`check phase baltic F1901M` and the like.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from judge.board.model import Board
from judge.game.core.model import Begun, Game, Stage
from judge.mail.vocabulary.powers import read_power
from judge.pace import read_span
from judge.service.upkeep.moving import adjudicate_again, rebuild_all
from judge.store.rows import Mail, MailState
from judge.testing.casting import Scenery, scenery_of
from judge.testing.doubles import Arrow
from judge.testing.transcript import (
    Difference,
    Direction,
    Expected,
    Headers,
    ReceivedLetter,
    Transcript,
    TranscriptError,
    TranscriptMail,
    address,
    difference,
    filled,
    headers_fit,
    listing,
    missing,
    quoted,
    whole_text,
)
from judge.testing.under_test import JudgeUnderTest, as_answer, resent


class Unmet(Exception):
    """A check failed; the message says what was found."""


def check(under_test: JudgeUnderTest, rest: str) -> None:
    """Hold one check against the judge. Raises Unmet, or ValueError for a check that is none."""
    verb, *args = shlex.split(rest)
    if verb not in CHECKS:
        raise ValueError(f"there is no check {verb!r}; there are {', '.join(CHECKS)}")
    CHECKS[verb](under_test, args)


def _stage(under_test: JudgeUnderTest, args: list[str]) -> None:
    game, wanted = _game(under_test, args), args[1]
    _same(str(game.stage), wanted)


def _phase(under_test: JudgeUnderTest, args: list[str]) -> None:
    _same(str(_game(under_test, args).phase), args[1])


def _deadline(under_test: JudgeUnderTest, args: list[str]) -> None:
    deadline = _game(under_test, args).deadline
    found = deadline.at if deadline else None
    if found != datetime.fromisoformat(args[1]):
        raise Unmet(f"the deadline is {found:%Y-%m-%dT%H:%MZ}" if found else "there is no deadline")


def _centres(under_test: JudgeUnderTest, args: list[str]) -> None:
    """`check centres GAME POWER N [POWER N ...]`"""
    game = _begun(under_test, args)
    for word, number in zip(args[1::2], args[2::2], strict=True):
        power = _power(game.board, word)
        found = sum(1 for owner in game.position.owners.values() if owner == power)
        if found != int(number):
            raise Unmet(f"{power} has {found} centres")


def _units(under_test: JudgeUnderTest, args: list[str]) -> None:
    """`check units GAME POWER "A PAR, F BRE"`"""
    game = _begun(under_test, args)
    power = _power(game.board, args[1])
    found = sorted(str(unit) for unit in game.position.units if unit.power == power)
    _same_list(found, args[2])


def _orders(under_test: JudgeUnderTest, args: list[str]) -> None:
    """`check orders GAME POWER "A PAR - BUR, F BRE H"`; "" for none"""
    game = _game(under_test, args)
    sheet = game.sheets.get(_power(game.board, args[1]))
    _same_list(sorted(line.order for line in sheet.lines) if sheet else [], args[2])


def _player(under_test: JudgeUnderTest, args: list[str]) -> None:
    """`check player GAME POWER ADDRESS`; "nobody" for a vacant seat"""
    game = _game(under_test, args)
    seat = game.seat_of(_power(game.board, args[1]))
    person = seat.person if seat else None
    with under_test.judge.store.read() as view:
        rows = view.people.addresses(person) if person is not None else ()
    _same(rows[0].address if rows else "nobody", args[2])


def _mail(under_test: JudgeUnderTest, args: list[str]) -> None:
    """`check mail STATE [WORDS]`: what became of the last mail, and words of the logged reason"""
    with under_test.judge.store.read() as view:
        mails = view.inbox.list(limit=1_000_000)
    if not mails:
        raise Unmet("no mail has come")
    _mail_is(mails[-1], args[0], " ".join(args[1:]))


def _mails(under_test: JudgeUnderTest, args: list[str]) -> None:
    """`check mails STATE N`: how many mails stand so"""
    with under_test.judge.store.read() as view:
        found = {str(state): number for state, number in view.inbox.counts().items()}
    _same(str(found.get(args[0], 0)), args[1])


def _refused(under_test: JudgeUnderTest, args: list[str]) -> None:
    """`check refused N`: how many mails the door turned away so far"""
    _same(str(len(under_test.refused)), args[0])


def _persons(under_test: JudgeUnderTest, args: list[str]) -> None:
    """`check persons N`: how many persons the judge knows"""
    with under_test.judge.store.read() as view:
        _same(str(view.people.count()), args[0])


def _wishes(under_test: JudgeUnderTest, args: list[str]) -> None:
    """`check wishes GAME ADDRESS "France, England, Germany = Austria"`: the preference list of whoever has joined"""
    game = _game(under_test, args)
    with under_test.judge.store.read() as view:
        person = view.people.by_address(args[1])
    seat = next((seat for seat in game.seats.values() if person and seat.person == person.id), None)
    if seat is None:
        raise Unmet(f"{args[1]} has no seat")
    found = [" = ".join(sorted(game.board.powers[key].name for key in rank)) for rank in seat.preferences]
    _same(", ".join(found), args[2])


def _used(under_test: JudgeUnderTest, args: list[str]) -> None:
    """`check used GAME POWER N`: so many free extensions are used up"""
    game = _game(under_test, args)
    seat = game.seat_of(_power(game.board, args[1]))
    _same(str(game.extensions.get(seat.person or 0, 0) if seat else 0), args[2])


def _events(under_test: JudgeUnderTest, args: list[str]) -> None:
    """`check events GAME KIND N`: so many events of a kind are in the log"""
    with under_test.judge.store.read() as view:
        kinds = [stored.kind for stored in view.events.load(args[0])]
    if kinds.count(args[1]) != int(args[2]):
        raise Unmet(f"there are {kinds.count(args[1])}; the kinds are {', '.join(sorted(set(kinds)))}")


def _replay(under_test: JudgeUnderTest, args: list[str]) -> None:
    """`check replay GAME`: the log rebuilds the game, and adjudicating again gives the stored results"""
    for finding in (*rebuild_all(under_test.judge, args), *adjudicate_again(under_test.judge, args)):
        if finding.drift:
            raise Unmet("; ".join(finding.drift))


def _settled(under_test: JudgeUnderTest, args: list[str]) -> None:
    """`check settled`: every mail has met with one end, and no letter has come twice to one address"""
    with under_test.judge.store.read() as view:
        mails = view.inbox.list(limit=1_000_000)
    if open_ := [mail for mail in mails if mail.state in (MailState.NEW, MailState.QUARANTINED)]:
        raise Unmet(f"mail {open_[0].id} is {open_[0].state}")
    letters = Counter((letter.to, letter.message_id) for letter in under_test.everything())
    if twice := [key for key, number in letters.items() if number > 1]:
        raise Unmet(f"{twice[0][0]} has {twice[0][1]} twice")


def players_but(under_test: JudgeUnderTest, silent: list[str]) -> list[str]:
    """The addresses of those who play in the first game that runs, but for some powers."""
    game = _running(under_test)
    seats = [seat for seat in game.seats.values() if seat.person is not None and not set(seat.powers) & set(silent)]
    with under_test.judge.store.read() as view:
        rows = [view.people.addresses(seat.person) for seat in seats if seat.person is not None]
    return [of_one[0].address for of_one in rows if of_one]


def power_of(under_test: JudgeUnderTest, word: str) -> str:
    """The power that a word means in the first game that runs."""
    return _power(_running(under_test).board, word)


def _running(under_test: JudgeUnderTest) -> Game:
    with under_test.judge.store.read() as view:
        keys = [row.key for row in view.games.list()]
    games = [under_test.game(key) for key in keys]
    found = next((game for game in games if game.stage is Stage.RUNNING), None)
    if found is None:
        raise ValueError("no game runs")
    return found


def _mail_is(mail: Mail, state: str, words: str) -> None:
    if str(mail.state) != state or words not in (mail.reason or ""):
        raise Unmet(f"mail {mail.id} is {mail.state}" + (f": {mail.reason}" if mail.reason else ""))


CHECKS: Mapping[str, Callable[[JudgeUnderTest, list[str]], None]] = {
    "stage": _stage,
    "phase": _phase,
    "deadline": _deadline,
    "centres": _centres,
    "units": _units,
    "orders": _orders,
    "player": _player,
    "mail": _mail,
    "mails": _mails,
    "refused": _refused,
    "persons": _persons,
    "wishes": _wishes,
    "used": _used,
    "events": _events,
    "replay": _replay,
    "settled": _settled,
}


def _begun(under_test: JudgeUnderTest, args: list[str]) -> Begun:
    game = _game(under_test, args)
    if not isinstance(game, Begun):
        raise Unmet("the game has not begun")
    return game


def _game(under_test: JudgeUnderTest, args: list[str]) -> Game:
    try:
        return under_test.game(args[0])
    except KeyError:
        raise Unmet(f"there is no game {args[0]}") from None


def _power(board: Board, word: str) -> str:
    power = read_power(word, board)
    if not isinstance(power, str):
        raise ValueError(f"{word} is no power of this board")
    return power


def _same(found: str, wanted: str) -> None:
    if found != wanted:
        raise Unmet(f"it is {found}")


def _same_list(found: list[str], wanted: str) -> None:
    if found != sorted(item.strip() for item in wanted.split(",") if item.strip()):
        raise Unmet(f"there is {', '.join(found) or 'nothing'}")


_CAPTURE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s+/(.*)/\s*$")


@dataclass
class Rehearsal:
    """One conversation on its way. `names`: what was captured, by name; `shown`: letters that it wants seen; `met`:
    of each letter that it expected, the address and the place in its mailbox.
    """

    transcript: Transcript
    under_test: JudgeUnderTest
    names: dict[str, str] = field(default_factory=dict)
    captured: dict[str, ReceivedLetter] = field(default_factory=dict)
    shown: dict[str, ReceivedLetter] = field(default_factory=dict)
    met: list[tuple[str, int]] = field(default_factory=list)
    _seen: dict[str, int] = field(default_factory=dict)
    _began: dict[str, int] = field(default_factory=dict)
    _expecting: bool = True
    _speaker: ReceivedLetter | None = None
    _last: ReceivedLetter | None = None

    def play(self, scenery: Scenery, steps: list[TranscriptMail | Expected | Direction]) -> None:
        """The whole of it. Raises Difference, TranscriptError."""
        self.names |= scenery.build(self.under_test)
        self.under_test.begin()
        for step in steps:
            if isinstance(step, Expected):
                self._expect(step)
            elif isinstance(step, TranscriptMail):
                self._happens()
                self._say(step)
            else:
                self._direct(step)

    # --- mails in ---

    def _say(self, said: TranscriptMail) -> None:
        to, answered = "", self._speaker
        headers: Headers = []
        for name, raw in said.headers:
            value = self._fill(raw, said.at)
            if name.lower() == "to" and value.startswith("@"):
                answered = self.captured.get(value[1:]) or self._last_of(self._sender_of(said), said.at)
                continue
            headers.append((name, value))
        if answered is not None:
            headers, to = as_answer(headers, answered), answered.reply_to
        if not any(name.lower() == "from" for name, _ in headers):
            raise TranscriptError(f"line {said.at}: the mail has no From; write one, or `as NAME` before it")
        body = "\n".join(self._line(line, answered, said.at) for line in said.body)
        self.under_test.perform(headers, body, to=to)
        self._speaker = None

    def _line(self, line: str, answered: ReceivedLetter | None, at: int) -> str:
        if line in ("@quote", "@copy"):
            letter = answered or self._last
            if letter is None:
                raise TranscriptError(f"line {at}: there is no letter to quote yet")
            return "\n".join(f"> {text}" if line == "@quote" else text for text in letter.lines)
        return self._fill(line, at)

    def _sender_of(self, said: TranscriptMail) -> str:
        return address(next((value for name, value in said.headers if name.lower() == "from"), ""))

    # --- letters out ---

    def _expect(self, expected: Expected) -> None:
        self._expecting = True
        headers = [(name, self._fill(value, expected.at)) for name, value in expected.headers]
        waiting = self._waiting(headers)
        if expected.nothing:
            if waiting:
                raise self._differs(expected, "no letter was expected, but this came:\n" + listing(waiting))
            return
        fitting = next((letter for letter in waiting if not headers_fit(letter, headers)), None)
        if fitting is None:
            raise self._differs(expected, missing(headers, waiting))
        wanted = [self._fill(line, expected.at) for line in expected.body]
        if report := difference(fitting, wanted):
            raise self._differs(expected, f"the letter to {fitting} says something else:\n{report}")
        place = self.under_test.inbox(fitting.to).index(fitting)
        self._seen[fitting.to] = place + 1
        self.met.append((fitting.to, place))
        self._last = fitting

    def _waiting(self, headers: Headers) -> list[ReceivedLetter]:
        """Letters of this exchange that were not met yet, to one address or to all."""
        to = next((address(value) for name, value in headers if name.lower() == "to"), "")
        letters = self.under_test.inbox(to) if to else self.under_test.everything()
        counts: dict[str, int] = {}
        waiting = []
        for letter in letters:
            counts[letter.to] = counts.get(letter.to, 0) + 1
            if counts[letter.to] > self._seen.get(letter.to, 0):
                waiting.append(letter)
        return waiting

    def _happens(self) -> None:
        """Something happens: if letters were expected before, a new exchange begins."""
        if not self._expecting:
            return
        self._expecting = False
        self._seen = {}
        for letter in self.under_test.everything():
            self._seen[letter.to] = self._seen.get(letter.to, 0) + 1
        self._began = dict(self._seen)

    # --- directions ---

    def _direct(self, direction: Direction) -> None:
        act = _DIRECTIONS.get(direction.verb)
        if act is None:
            raise TranscriptError(
                f"line {direction.at}: there is no direction {direction.verb!r}; there are {', '.join(_DIRECTIONS)}"
            )
        try:
            act(self, direction)
        except ValueError as error:
            raise TranscriptError(f"line {direction.at}: {error}") from error

    def _now(self, direction: Direction) -> None:
        self._happens()
        self.under_test.advance(to=datetime.fromisoformat(direction.rest))

    def _advance(self, direction: Direction) -> None:
        self._happens()
        word, _, moment = direction.rest.partition(" ")
        if word == "to":
            self.under_test.advance(to=datetime.fromisoformat(moment.strip()))
        else:
            self.under_test.advance(read_span(direction.rest))

    def _restart(self, direction: Direction) -> None:
        self._happens()
        if self.under_test.armed:
            raise self._differs(direction, f"the judge never came to the arrow {self.under_test.armed}")
        word, _, border = direction.rest.partition(" ")
        if direction.rest and (word != "without" or not border):
            raise ValueError("write `restart`, or `restart without TYR-VEN` for maps that lack a border")
        self.under_test.restart(misprint=border.strip())

    def _stop(self, direction: Direction) -> None:
        self._happens()
        self.under_test.stop()

    def _kill_at(self, direction: Direction) -> None:
        if direction.rest not in list(Arrow):
            raise ValueError(f"there is no arrow {direction.rest!r}; there are {', '.join(Arrow)}")
        self.under_test.kill_at(direction.rest)

    def _as(self, direction: Direction) -> None:
        name = self._fill(direction.rest, direction.at)
        letter = self.captured.get(name)
        self._speaker = letter or self._last_of(name if "@" in name else f"{name}@players.test", direction.at)

    def _capture(self, direction: Direction) -> None:
        match = _CAPTURE.fullmatch(direction.rest)
        if match is None:
            raise ValueError("write it like this: capture NAME /a regular expression/")
        if self._last is None:
            raise ValueError("a letter must be met before anything can be captured from it")
        heads = "\n".join(f"{name}: {value}" for name, value in self._last.message.items())
        found = re.search(match[2], self._last.show()) or re.search(match[2], heads)
        if found is None:
            raise self._differs(direction, f"/{match[2]}/ is not in the letter:\n{quoted(self._last)}")
        self.names[match[1]] = found[1] if found.groups() else found[0]
        self.captured[match[1]] = self._last

    def _show(self, direction: Direction) -> None:
        """The letter just met is one to be looked at, under a name."""
        if self._last is None or not direction.rest:
            raise ValueError("write it like this, after a letter was met: show NAME")
        if direction.rest in self.shown:
            raise ValueError(f"{direction.rest} is shown already")
        self.shown[direction.rest] = self._last

    def _vouch(self, direction: Direction) -> None:
        if direction.rest not in ("yes", "no"):
            raise ValueError("write `vouch yes` or `vouch no`")
        self.under_test.vouching = direction.rest == "yes"

    def _again(self, direction: Direction) -> None:
        """The last mail once more, by another route."""
        if not self.under_test.sent:
            raise ValueError("there was no mail yet")
        self._happens()
        self.under_test.offer(resent(self.under_test.sent[-1], by=direction.rest or "mx2.judge.test"))

    def _check(self, direction: Direction) -> None:
        rest = self._fill(direction.rest, direction.at)
        if match := re.fullmatch(r"letters(?:\s+to\s+(\S+))?\s+(\d+)", rest):
            self._check_letters(direction, (match[1] or "").lower(), int(match[2]))
            return
        if match := re.fullmatch(r"(absent|width)\s+(\S+)(?:\s+(\S.*))?", rest):
            self._check_texts(direction, match)
            return
        try:
            check(self.under_test, rest)
        except Unmet as unmet:
            raise self._differs(direction, f"check {rest}: {unmet}") from unmet

    def _check_letters(self, direction: Direction, to: str, wanted: int) -> None:
        """How many letters this exchange brought."""
        letters = self.under_test.inbox(to) if to else self.under_test.everything()
        before = self._began.get(to, 0) if to else sum(self._began.values())
        if len(letters) - before != wanted:
            raise self._differs(direction, f"there were {len(letters) - before} letters:\n{listing(letters[before:])}")

    def _check_texts(self, direction: Direction, match: re.Match[str]) -> None:
        """What the letters of this exchange look like: `absent ADDRESS WORDS`, in no header either; `width N`."""
        for letter in self._brought("" if match[1] == "width" else match[2].lower()):
            if match[1] == "width" and (wide := [line for line in letter.lines if len(line) > int(match[2])]):
                raise self._differs(direction, f"a line of the letter to {letter} is wider:\n  | {wide[0]}")
            if match[1] == "absent" and (match[3] or "").strip('"').lower() in whole_text(letter):
                raise self._differs(direction, f"the letter to {letter} has it:\n{quoted(letter)}")

    def _brought(self, to: str) -> list[ReceivedLetter]:
        """The letters of this exchange, to one address or to all."""
        met: dict[str, int] = {}
        found = []
        for letter in self.under_test.inbox(to) if to else self.under_test.everything():
            met[letter.to] = met.get(letter.to, 0) + 1
            if met[letter.to] > self._began.get(letter.to, 0):
                found.append(letter)
        return found

    def _each(self, direction: Direction) -> None:
        """`each [but POWER, POWER]: TEXT`: every player of the first game that runs answers their last letter."""
        who, sign, text = direction.rest.partition(":")
        match = re.fullmatch(r"(?:but\s+(\S.*))?", who.strip())
        if not sign or match is None:
            raise ValueError("write it like this: each but Turkey, Italy: all hold")
        self._happens()
        silent = [power_of(self.under_test, word.strip()) for word in (match[1] or "").split(",") if word.strip()]
        for address_ in players_but(self.under_test, silent):
            letter = self._last_of(address_, direction.at)
            self.under_test.perform(as_answer([], letter), text.strip(), to=letter.reply_to)

    # --- small things ---

    def _last_of(self, whose: str, at: int) -> ReceivedLetter:
        letters = self.under_test.inbox(whose.lower())
        if not letters:
            raise TranscriptError(f"line {at}: {whose} has no letter to answer")
        return letters[-1]

    def _fill(self, text: str, at: int) -> str:
        return filled(text, self.names, at)

    def _differs(self, step: TranscriptMail | Expected | Direction, report: str) -> Difference:
        dead = f"\n(the judge is {self.under_test.dead})" if self.under_test.dead else ""
        return Difference(f"{self.transcript.name}, line {step.at}: {report}{dead}")


class Heedless(Rehearsal):
    """A conversation that is played on whatever the letters say, as where they are in another language: a letter is met
    where it lay when the conversation was played and heeded (`met`), and nothing is checked.
    """

    def _expect(self, expected: Expected) -> None:
        self._expecting = True
        if expected.nothing or not self.met:
            return
        to, place = self.met.pop(0)
        if place < len(inbox := self.under_test.inbox(to)):
            self._last = inbox[place]
            self._seen[to] = place + 1

    def _check(self, direction: Direction) -> None:
        """Nothing."""

    def _capture(self, direction: Direction) -> None:
        name = direction.rest.split()[0]
        self.names.setdefault(name, "")
        with suppress(Difference, ValueError):
            super()._capture(direction)
        if self._last is not None:
            self.captured[name] = self._last


_DIRECTIONS: dict[str, Callable[[Rehearsal, Direction], None]] = {
    "now": Rehearsal._now,
    "advance": Rehearsal._advance,
    "restart": Rehearsal._restart,
    "stop": Rehearsal._stop,
    "kill-at": Rehearsal._kill_at,
    "as": Rehearsal._as,
    "capture": lambda play, direction: play._capture(direction),
    "show": Rehearsal._show,
    "vouch": Rehearsal._vouch,
    "again": Rehearsal._again,
    "each": Rehearsal._each,
    "check": lambda play, direction: play._check(direction),
}


def rehearse(
    transcript: Transcript,
    open_under_test: Callable[[datetime], JudgeUnderTest],
    look: Callable[[JudgeUnderTest], None] = lambda under_test: None,
    *,
    as_in: Rehearsal | None = None,
) -> Rehearsal:
    """Play a conversation with a judge that is opened for it. `look`: sees the judge at the end, or at the first
    difference. `as_in`: the same conversation as it was played before; then it goes on whatever letters say. Raises
    Difference or TranscriptError.
    """
    scenery, steps = scenery_of(transcript)
    under_test = open_under_test(scenery.now)
    rehearsal = (
        Heedless(transcript, under_test, met=[*as_in.met]) if as_in is not None else Rehearsal(transcript, under_test)
    )
    try:
        rehearsal.play(scenery, steps)
    finally:
        look(under_test)
        under_test.close()
    return rehearsal
