"""Verbs of those who watch, wait or want to be left alone: observing, the waiting queue, reminders, one's name."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from judge.board.spelling import allowance, slips
from judge.game.settings.bundles import PRESETS
from judge.mail.queries import PersonRequest
from judge.mail.vocabulary.account import ForgetMe, MyName, Reminders
from judge.mail.vocabulary.clauses import alone, missing, no_more, plain, read_game
from judge.mail.vocabulary.model import Clause, Reading, Unclear, Verb, VerbOfAll


@dataclass(frozen=True, slots=True)
class Observe(PersonRequest):
    """Get what a game publishes. `what`: "report" (everything that is for all), "results", or "digest"."""

    game: str
    what: str = "report"

    @property
    def about(self) -> str:
        return self.game


@dataclass(frozen=True, slots=True)
class Unobserve(PersonRequest):
    """Stop observing a game. Empty: the game of the address."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class Queue(PersonRequest):
    """Wait for a game of a preset to open; it opens when enough wait. Without `on`, wait no more."""

    preset: str = "standard"
    on: bool = True


_WHAT = {
    "report": "report", "reports": "report", "everything": "report", "all": "report",
    "results": "results", "result": "results",
    "digest": "digest", "weekly": "digest", "digests": "digest",
}  # fmt: skip
_FILLERS = frozenset({"every", "the", "as", "only", "game", "please", "a"})
_LONGEST = 60


def read_observe(clause: Clause) -> Reading:
    """`observe GAME [report|results|digest]`."""
    words = [word for word in plain(clause.rest).split() if word.lower() not in _FILLERS]
    what = next((_WHAT[word.lower()] for word in words if word.lower() in _WHAT), "report")
    names = [word for word in words if word.lower() not in _WHAT]
    if not names and clause.around.game:
        return Observe(clause.around.game, what)
    if not names:
        return missing("The game", "observe tannenburg results")
    game = read_game(names[0], clause.around, "observe")
    return game if isinstance(game, Unclear) else Observe(game, what)


def read_unobserve(clause: Clause) -> Reading:
    rest = re.sub(r"^\s*(?:me|us)\b|\bfrom (?:this|the|your) (?:game|list|mailing list|letters)\b", "", clause.rest)
    clause = replace(clause, rest=rest)
    if no_more(clause.rest):
        return Unobserve(clause.around.game)
    game = read_game(clause.rest, clause.around, "unobserve")
    return game if isinstance(game, Unclear) else Unobserve(game)


def _queue(clause: Clause) -> Reading:
    word = re.sub(r"^(?:for|a|game|of)\b", "", plain(clause.rest).lower()).strip() or "standard"
    if word in ("off", "no more", "leave"):
        return Queue(on=False)
    if word not in PRESETS:
        names = tuple(f"queue {name}" for name in PRESETS if slips(word, name, allowance(word)) is not None)
        known = ", ".join(PRESETS)
        return Unclear("no-preset", f'There is no kind of game called "{word[:40]}"; there are {known}.', names)
    return Queue(word)


def _name(clause: Clause) -> Reading:
    name = " ".join(plain(re.sub(r"^\s*(?:is|to)\b", "", clause.rest).strip("=: ")).strip("\"'").split())
    if not name:
        return missing("The name", "my name Jane Doe")
    if len(name) > _LONGEST or "@" in name:
        return Unclear("bad-name", f"A name has at most {_LONGEST} characters and is no address: my name Jane Doe")
    return MyName(name)


VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "observe",
        words=("observe", "watch", "monitor"),
        summary="Get what a game publishes: every report, results only, or now and then a digest of all your games.",
        usage=("observe GAME", "observe GAME results", "observe GAME digest"),
        example="observe tannenburg results",
        read=read_observe,
        names_game=True,
        topic="observing",
    ),
    VerbOfAll(
        "unobserve",
        words=("unobserve", "stop watching", "unwatch"),
        summary="Get no more letters about a game that you observe.",
        usage=("unobserve GAME",),
        example="unobserve tannenburg",
        read=read_unobserve,
        names_game=True,
        topic="observing",
    ),
    VerbOfAll(
        "queue",
        words=("queue", "wait for a game", "waiting list"),
        summary="Wait for a game; it opens when enough players wait for one of its kind.",
        usage=("queue", "queue PRESET", "queue off"),
        example="queue standard",
        read=_queue,
        risky=True,
        topic="joining",
    ),
    VerbOfAll(
        "my name",
        words=("my name", "change my name", "set my name", "call me"),
        summary="The name under which other players know you.",
        usage=("my name NAME",),
        example="my name Jane Doe",
        read=_name,
        topic="account",
    ),
    VerbOfAll(
        "pause my reminders",
        words=("pause my reminders", "no reminders", "stop reminders", "reminders off"),
        summary="Get no more reminders before deadlines; late notices come all the same.",
        usage=("pause my reminders",),
        example="pause my reminders",
        read=alone(Reminders(on=False), "pause my reminders"),
        topic="letters",
    ),
    VerbOfAll(
        "resume my reminders",
        words=("resume my reminders", "reminders on", "send reminders"),
        summary="Get reminders again.",
        usage=("resume my reminders",),
        example="resume my reminders",
        read=alone(Reminders(on=True), "resume my reminders"),
        topic="letters",
    ),
    VerbOfAll(
        "forget me",
        words=("forget me", "delete my account", "erase me"),
        summary="Erase your name, addresses and settings. The records of games keep what was played, without you.",
        usage=("forget me",),
        example="forget me",
        read=alone(ForgetMe(), "forget me"),
        risky=True,
        topic="account",
    ),
)
"""The rows, in the order in which help prints them."""
