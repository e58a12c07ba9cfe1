"""Published facts that orders may depend on: who stands where, who owns a centre, which retreats were made."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from judge.board.model import Board
from judge.board.position import Position


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What became of a unit that was driven out: it went from the province `at` to `to`, or was disbanded ("")."""

    power: str
    kind: str
    at: str
    to: str


class Topic(StrEnum):
    """What a fact is about, by the word of its canonical form."""

    AT = "IN"
    """A unit stands in a province."""
    OWNS = "OWNS"
    """A power owns a centre."""
    RETREATS = "R"
    """A unit has retreated, anywhere or to one place."""
    DISBANDS = "D"
    """A dislodged unit has been disbanded."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a fact is about. `power` and `kind` may be empty: anybody's, of any kind. `place`: a province."""

    power: str
    kind: str
    place: str

    def __str__(self) -> str:
        return f"{self.power or 'ANY'} {self.kind or 'UNIT'} {self.place}"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is so, or is not. `to`: where a retreat went; empty: wherever."""

    topic: Topic
    subject: Subject
    to: str = ""
    negated: bool = False

    def __str__(self) -> str:
        return ("NOT " if self.negated else "") + self._bare()

    def _bare(self) -> str:
        if self.topic is Topic.OWNS:
            return f"{self.subject.power} OWNS {self.subject.place}"
        if self.topic is Topic.RETREATS:
            return f"{self.subject} R {self.to or 'ANYWHERE'}"
        return f"{self.subject} {self.topic}"

    def words(self, board: Board) -> str:
        """As a sentence says it: "the German A Picardy does not retreat to Paris"."""
        place = board.provinces[self.subject.place].name
        does, is_ = ("does not", "is not") if self.negated else ("", "is")
        if self.topic is Topic.OWNS:
            owner = board.powers[self.subject.power].name
            return f"{owner} does not own {place}" if self.negated else f"{owner} owns {place}"
        if self.topic is Topic.AT:
            return f"there is {'no' if self.negated else 'a'} {self._kind(board)}in {place}"
        who = f"the {self._kind(board).replace('unit ', 'unit in ')}{place}"
        if self.topic is Topic.DISBANDS:
            return f"{who} {is_} disbanded"
        verb = f"{does} retreat" if does else "retreats"
        return f"{who} {verb}" + (f" to {board.provinces[self.to].name}" if self.to else "")

    def _kind(self, board: Board) -> str:
        nation = f"{board.powers[self.subject.power].adjective} " if self.subject.power else ""
        return f"{nation}{self.subject.kind or 'unit'} "


def holds(fact: Fact, position: Position, withdrawals: tuple[Withdrawal, ...]) -> bool:
    """Whether a fact is so, in a position and with the retreats that led to it."""
    return _is_so(fact, position, withdrawals) != fact.negated


def _is_so(fact: Fact, position: Position, withdrawals: tuple[Withdrawal, ...]) -> bool:
    subject = fact.subject
    if fact.topic is Topic.OWNS:
        return position.owners.get(subject.place) == subject.power
    if fact.topic is Topic.AT:
        return any(_matches(subject, unit.power, unit.kind) for unit in position.at(subject.place))
    for gone in withdrawals:
        if gone.at != subject.place or not _matches(subject, gone.power, gone.kind):
            continue
        if fact.topic is Topic.DISBANDS:
            return not gone.to
        return bool(gone.to) and fact.to in ("", gone.to)
    return False


def _matches(subject: Subject, power: str, kind: str) -> bool:
    return subject.power in ("", power) and subject.kind in ("", kind)
