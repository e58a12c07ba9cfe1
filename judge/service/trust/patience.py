"""How long the judge goes on answering: limits by sender, on what nothing proves, on mails in our own name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from judge.game.core.commands import Decision, Refusal, Role
from judge.game.core.model import Game
from judge.languages import speak, tell
from judge.mail.letters.words import capital
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.anyone import ReportForgery
from judge.report.core.letter import seat_title
from judge.service.posting.operator import LONGEST_QUOTE, tell_gm, tell_operator
from judge.service.trust.heard import HeardMail, Result, answers
from judge.store.people import OF_MAILBOX
from judge.store.rows import Person


class Sort(StrEnum):
    """What a mail came to. UNPROVED stands for all of them where nothing vouches for the sender."""

    DONE = "done"
    """Something was carried out."""
    ASKED = "asked"
    """Questions only."""
    FAILED = "failed"
    """Nothing but lines that could not be followed."""
    EMPTY = "empty"
    """Nothing was asked for: what an answering program sends."""
    UNPROVED = "unproved"
    IDLE = "idle"
    """Not proved, and nothing was asked for."""
    NOTICE = "notice"
    """No mail, but our word that there are no more answers."""


@dataclass(frozen=True, slots=True)
class Pail:
    """A leaky bucket: so many answers at once, and so many a day in the long run."""

    room: float
    a_day: float


@dataclass(frozen=True, slots=True)
class Habit:
    """What the same words may count on: `free` answers, then one only after a wait that doubles each time that they
    come, `doublings` times at most; `fades` of their comings a day are forgotten.
    """

    free: float
    wait: timedelta
    fades: float
    doublings: int


_QUARTER = timedelta(minutes=15)
_DAY = 86_400

PAILS: Mapping[Sort, tuple[Pail, ...]] = MappingProxyType(
    {
        Sort.DONE: (Pail(60, 24 * 60), Pail(300, 100)),
        Sort.ASKED: (Pail(30, 24 * 30), Pail(100, 8)),
        Sort.FAILED: (Pail(30, 24 * 30), Pail(40, 0.5)),
        Sort.EMPTY: (Pail(10, 24 * 10), Pail(12, 1 / 7)),
        Sort.UNPROVED: (Pail(12, 1),),
        Sort.IDLE: (Pail(5, 1 / 30),),
        Sort.NOTICE: (Pail(1, 1 / 7),),
    }
)

HABITS: Mapping[Sort, Habit] = MappingProxyType(
    {
        Sort.DONE: Habit(6, timedelta(minutes=5), 3, 12),
        Sort.ASKED: Habit(5, _QUARTER, 3, 7),
        Sort.FAILED: Habit(5, _QUARTER, 1, 9),
        Sort.EMPTY: Habit(3, _QUARTER, 0.25, 10),
        Sort.UNPROVED: Habit(2, timedelta(hours=1), 1, 8),
        Sort.IDLE: Habit(2, timedelta(hours=1), 1, 8),
    }
)

_KEPT = 12
"""Different words of one sender that are remembered."""


class Level(Struct, frozen=True, array_like=True):
    """How full a pail was, and when."""

    answers: float
    at: int


class Repeat(Struct, frozen=True, array_like=True):
    """The same words: how often they came, as far as that is not forgotten; when last, and when last answered."""

    comings: float
    seen: int
    answered: int | None = None


class PatienceState(Struct, frozen=True):
    """What is remembered of one sender, moments as seconds since 1970. `last`: the words of the last mail by which
    something was done.
    """

    levels: dict[Sort, tuple[Level, ...]] = {}
    repeats: dict[str, Repeat] = {}
    last: str = ""


FRESH = PatienceState()


@dataclass(frozen=True, slots=True)
class Answering:
    """Whether a mail is answered, why not, and whether its author is to be told that it is not."""

    answered: bool
    why: str = ""
    tell: bool = False
    last: bool = False
    """Whether the next mail of this sort would get no answer."""


def weigh(state: PatienceState, sort: Sort, words: str, now: datetime) -> tuple[PatienceState, Answering]:
    """The state after one more mail of this sort that says `words` (a digest), and what to do about it."""
    return _weigh(state, sort, words, round(now.timestamp()))


def _weigh(state: PatienceState, sort: Sort, words: str, now: int) -> tuple[PatienceState, Answering]:
    state = _done_anew(state, words) if sort is Sort.DONE else state
    repeat = _faded(state.repeats.get(words), HABITS[sort], now)
    due = _due(repeat, HABITS[sort], now)
    levels = _leaked(state, sort, now)
    room = _has_room(levels, sort)
    answered = due and room
    comings = min(repeat.comings + 1, HABITS[sort].free + HABITS[sort].doublings)
    state = _with_repeat(state, words, Repeat(round(float(comings), 3), now, now if answered else repeat.answered))
    if answered:
        state = _filled(state, sort, levels)
        return _relieved(state, sort), Answering(True, last=not _has_room(state.levels[sort], sort))
    why = f"enough answers to mails of this sort ({sort})" if due else "the same words again, answered lately"
    return _told(state, now, why)


def _relieved(state: PatienceState, sort: Sort) -> PatienceState:
    """Whoever gets something done is no answering program: what failed, or asked for nothing, is forgotten."""
    if sort is not Sort.DONE or not {Sort.FAILED, Sort.EMPTY} & set(state.levels):
        return state
    return replace(state, levels={one: to for one, to in state.levels.items() if one not in (Sort.FAILED, Sort.EMPTY)})


def _told(state: PatienceState, now: int, why: str) -> tuple[PatienceState, Answering]:
    levels = _leaked(state, Sort.NOTICE, now)
    tell = _has_room(levels, Sort.NOTICE)
    return (_filled(state, Sort.NOTICE, levels) if tell else state), Answering(False, why, tell)


# --- sameness -------------------------------------------------------------------------------------------------------


def _done_anew(state: PatienceState, words: str) -> PatienceState:
    """Whoever changes their mind and back is no machine: only the very same words twice running are a repetition."""
    if state.last in ("", words):
        return replace(state, last=words)
    return replace(state, last=words, repeats={key: one for key, one in state.repeats.items() if key != words})


def _faded(known: Repeat | None, habit: Habit, now: int) -> Repeat:
    if known is None:
        return Repeat(0.0, now)
    comings = max(0.0, known.comings - max(0, now - known.seen) / _DAY * habit.fades)
    return Repeat(comings, known.seen, known.answered)


def _due(repeat: Repeat, habit: Habit, now: int) -> bool:
    if repeat.comings < habit.free or repeat.answered is None:
        return True
    return now - repeat.answered >= habit.wait.total_seconds() * 2 ** (repeat.comings - habit.free)


def _with_repeat(state: PatienceState, words: str, repeat: Repeat) -> PatienceState:
    others = [(key, one) for key, one in state.repeats.items() if key != words]
    newest = sorted(others, key=lambda other: other[1].seen)[-(_KEPT - 1) :]
    return replace(state, repeats=dict([*newest, (words, repeat)]))


# --- number ---------------------------------------------------------------------------------------------------------


def _leaked(state: PatienceState, sort: Sort, now: int) -> tuple[Level, ...]:
    """How full the pails of a sort are now."""
    known = state.levels.get(sort, ())
    if len(known) != len(PAILS[sort]):
        return tuple(Level(0.0, now) for _ in PAILS[sort])
    return tuple(_leak(level, pail, now) for level, pail in zip(known, PAILS[sort], strict=True))


def _leak(level: Level, pail: Pail, now: int) -> Level:
    return Level(max(0.0, level.answers - max(0, now - level.at) / _DAY * pail.a_day), now)


def _has_room(levels: Iterable[Level], sort: Sort) -> bool:
    return all(level.answers + 1 <= pail.room for level, pail in zip(levels, PAILS[sort], strict=True))


def _filled(state: PatienceState, sort: Sort, levels: Iterable[Level]) -> PatienceState:
    fuller = tuple(Level(round(level.answers + 1.0, 3), level.at) for level in levels)
    return replace(state, levels={**state.levels, sort: fuller})


# --- as text --------------------------------------------------------------------------------------------------------


def write(state: PatienceState) -> str:
    """The state as short JSON."""
    return msgspec.json.encode(state).decode()


_READER = msgspec.json.Decoder(PatienceState)


def read(text: str) -> PatienceState:
    """What `write` wrote; "" is a sender of whom nothing is known."""
    return _READER.decode(text) if text else FRESH


UNPROVED = 5
"""Mails without proof, for one person in a day, that are asked back; what comes on top is put aside in silence."""

WRONG_PASSWORDS = 5
"""Wrong passwords, for one person in a day, after which no password is believed until tomorrow."""

_ANSWER = "unproved-answer"
"""What answers to mails that nothing proves are counted as, by day and whom (`limits.unproved_answers`)."""

_DOMAINS_SHARE = 4
"""A domain gets at most this part of what the judge says to strangers in a day: one in so many."""

_FOR_PROVED = 6
"""So many times more answers a day go to a stranger for whom our server vouches."""

_NUMBERED = re.compile(r"(?:[-_.=][0-9a-f]*\d[0-9a-f]*|\d{5,})+$")


def base_address(address: str) -> str:
    """The mailbox behind an address that a system makes anew for each mail.

    >>> [base_address(one) for one in ("desk+0001@crm.test", "Case-0002@crm.test", "anna1985@players.test")]
    ['desk@crm.test', 'case@crm.test', 'anna1985@players.test']
    """
    local, _, domain = address.lower().rpartition("@")
    name = local.partition("+")[0]
    return f"{_NUMBERED.sub('', name) or name}@{domain}"


def known_as(person: Person) -> str:
    """The name under which our patience with a person is kept."""
    return f"p{person.id}"


def no_room(heard: HeardMail, address: str) -> tuple[str, bool]:
    """Why a stranger's mail, or one that nothing proves, gets no answer to this address today, "" if it gets one. One
    more answer is counted then; second: whether it is the last.
    """
    bounds, contacts, day = list(_bounds(heard, address)), heard.unit.contacts, heard.now.date()
    left = [(most - contacts.count(whom, _ANSWER, day), what) for whom, most, what in bounds]
    if spent := next((what for more, what in left if more < 1), ""):
        return tell("{spent} had its answers today", spent=spent), False
    for whom, most, _ in bounds:
        contacts.allow(whom, _ANSWER, day, most)
    return "", any(more == 1 for more, _ in left)


def _bounds(heard: HeardMail, address: str) -> Iterator[tuple[str, int, str]]:
    """Under which name, up to which number, and in words, an answer is counted."""
    bounds, envelope = heard.judge.config.bounds, heard.envelope
    most = bounds.unproved_answers * (_FOR_PROVED if heard.proved else 1)
    yield address, most, "this address"
    if root := next(iter(envelope.references), envelope.in_reply_to):
        yield f"thread:{root}"[:250], most, "this thread"
    if heard.speaker.person is None:
        yield f"{OF_MAILBOX}{base_address(address)}", most, "this mailbox, under several addresses,"
        share = max(bounds.strangers_a_day // _DOMAINS_SHARE, 1)
        yield f"domain:{address.rpartition('@')[2].lower()}", share, "this domain"
        yield "strangers:all", bounds.strangers_a_day, "people unknown here"


SHORTEST = 20
"""Characters of a quotation in which a check phrase could stand."""


@answers
def report(heard: HeardMail, said: ReadRequest, _: ReportForgery) -> Result:
    """File a report of a forgery, and say what the quotation shows."""
    person = heard.speaker.acting
    if person is None:
        return Refusal(
            "unknown-person", tell("I take reports only from registered people; send: register"), mend="register"
        )
    game = heard.game(said.game)
    lines = _quoted(heard)
    mail, key = heard.mail.id, f"forgery/{heard.mail.id}"

    def words() -> tuple[str, Sequence[str]]:
        who = _who(heard, game) if game is not None else person.name
        filed = tell("{who} reports a forged mail (filed as mail {mail}).", who=who, mail=mail)
        return tell("a forgery is reported"), (filed, _finding(lines, person.check_phrase))

    told = game is not None and heard.actor(game).role is not Role.GM
    if game is not None and told:
        tell_gm(heard.judge, heard.unit, game.key, key, words, quoted=lines)
    with speak(heard.judge.language()):
        subject, items = words()
    tell_operator(heard.judge, heard.unit, key, subject=subject, items=items, quoted=lines)
    finding = _finding(lines, person.check_phrase)
    return Decision(
        said=tell(
            "Filed as mail {mail}; the Gamemaster and the operator are told. {finding}", mail=mail, finding=finding
        )
        if told
        else tell("Filed as mail {mail}; the operator is told. {finding}", mail=mail, finding=finding)
    )


def _quoted(heard: HeardMail) -> tuple[str, ...]:
    """The text of the mail but for the line of the command itself."""
    lines = [line.text for line in heard.envelope.text_lines if line.text.strip()]
    return tuple(lines[1 : LONGEST_QUOTE + 1])


def _finding(lines: tuple[str, ...], phrase: str) -> str:
    text = " ".join(" ".join(lines).replace(">", " ").lower().split())
    if len(text) < SHORTEST:
        return tell("Nothing was quoted; please send it once more with the whole mail below, headers too if you can.")
    if phrase.lower() in text:
        return tell(
            "The quotation shows the right check phrase: it is a letter of mine, or a copy of one that was changed."
        )
    return tell("The quotation does not show the check phrase, so it is no letter of mine.")


def _who(heard: HeardMail, game: Game) -> str:
    """The seat by its powers; whoever has none stays an onlooker, by the name of the game alone."""
    seat = heard.actor(game).seat
    return capital(seat_title(game, seat)) if seat else tell("An onlooker of {game}", game=game.key)
