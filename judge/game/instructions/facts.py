"""Published facts that orders may depend on, and how people write them: German A Pic retreats to Bel."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from judge.board.model import Board, province_of
from judge.board.names import Gazetteer, gazetteer_of
from judge.board.position import Position
from judge.languages import tell, told_later
from judge.orders.spelled import listed
from judge.orders.words import fold, tokens_of


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
        """As a clause behind "if" says it: "the German A Picardy does not retreat to Paris"."""
        subject, place = self.subject, board.spelled[self.subject.place]
        unit = self.unit_words(board)
        so, not_so = _TO_A_PLACE if self.to else _CLAUSES[self.topic]
        return tell(
            not_so if self.negated else so,
            owner=board.powers[subject.power].told if subject.power else "",
            place=place,
            unit=unit,
            unit_there=f"{unit} {place}" if subject.kind else tell("{unit} in {place}", unit=unit, place=place),
            to=board.spelled[self.to] if self.to else "",
        )

    def unit_words(self, board: Board) -> str:
        """The unit that it is about: "German A", "A", "German unit", "unit"."""
        kind, power = self.subject.kind or tell("unit"), self.subject.power
        return tell("{nation} {unit}", nation=tell(board.powers[power].adjective), unit=kind) if power else kind


_CLAUSES = {
    Topic.AT: (told_later("there is a {unit} in {place}"), told_later("there is no {unit} in {place}")),
    Topic.OWNS: (told_later("{owner} owns {place}"), told_later("{owner} does not own {place}")),
    Topic.RETREATS: (told_later("the {unit_there} retreats"), told_later("the {unit_there} does not retreat")),
    Topic.DISBANDS: (told_later("the {unit_there} is disbanded"), told_later("the {unit_there} is not disbanded")),
}
_TO_A_PLACE = (
    told_later("the {unit_there} retreats to {to}"),
    told_later("the {unit_there} does not retreat to {to}"),
)
"""What is so, and what is not, as clauses behind "if"."""


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


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a condition cannot be used: a stable slug and a sentence."""

    slug: str
    sentence: str


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FILLERS = _words("""the an is are was were be been being do does did will would there that this in at on of by it still
    unit units any some stands standing sits stand sit stay stays then anywhere , ( ) . has have had""")
_NEGATIONS = _words("not no never doesn't isn't don't didn't wasn't won't hasn't cannot")
_RETREATS = _words("retreat retreats retreated retreating withdraw withdraws withdrew flee flees r")
_DISBANDS = _words(
    """disband disbands disbanded disbanding destroyed annihilated dies lost removed dissolved d otb eliminated"""
)
_OWNS = _words("own owns owned control controls controlled hold holds held possess possesses keeps belongs")
_OCCUPIES = _words("occupy occupies occupied")
_SIMULTANEOUS = _words("""
    build builds built building raise raises move moves moved moving attack attacks attacked attacking support
    supports supported supporting convoy convoys convoyed cut cuts order orders ordered enter enters waive waives
    remove removes b s c h""")
_KINDS = {"a": "A", "army": "A", "armies": "A", "f": "F", "fleet": "F", "fleets": "F"}
_ARTICLE_BEFORE = frozenset({"unit", "army", "fleet"})


@dataclass
class _Sentence:
    """What the words of one fact have said so far."""

    power: str = ""
    kind: str = ""
    places: list[str] = field(default_factory=list)
    topic: Topic | None = None
    negated: bool = False
    towards: bool = False
    """Whether "to" came before the first place: there is no subject then."""
    has: bool = False
    within: bool = False
    power_last: bool = False


def read_fact(text: str, board: Board, own: str, before: Fact | None = None) -> Fact | Trouble:
    """The fact that a text states, for the player of `own`; `before` lends its subject to a text without one."""
    said = _Sentence()
    tokens = list(tokens_of(fold(text)))
    at = 0
    while at < len(tokens):
        step = _read(tokens, at, said, board, own)
        if isinstance(step, Trouble):
            return step
        at += step
    return _fact(said, text, before)


def _read(tokens: list[str], at: int, said: _Sentence, board: Board, own: str) -> int | Trouble:
    """Takes in the word at `at`; how many tokens it was."""
    token, gazetteer = tokens[at].lower(), gazetteer_of(board)
    if token in ("i", "we", "my", "our", "mine"):
        said.power = own
        return 1
    if token in _NEGATIONS:
        said.negated = not said.negated
        return 1
    if _article(tokens, at, gazetteer):
        return 1
    if token in ("a", "f") and said.places:
        return Trouble(
            "condition-unclear", tell("A unit comes before its place in the condition. {what}", what=_what())
        )
    if token in _KINDS and not (token in ("a", "f") and said.kind):
        said.kind = _KINDS[token]
        return 1
    if token in ("to", "into", "towards", "-", "->"):
        said.towards = said.towards or not said.places
        if token in ("-", "->") and said.places:
            said.topic = said.topic or Topic.RETREATS
        return 1
    if (topic := _topic(token, said)) is not None:
        return topic
    if token in _SIMULTANEOUS:
        return _simultaneous()
    if token == "dislodged":
        return Trouble(
            "condition-unclear",
            tell(
                "Only a unit that was dislodged retreats, so that needs no condition; write its "
                "retreat alone, such as A Burgundy R Gascony."
            ),
        )
    if token in _FILLERS:
        said.has = said.has or token in ("has", "have")
        said.within = said.within or token in ("in", "at", "there", "unit", "units")
        return 1
    return _name(tokens, at, said, gazetteer)


def _article(tokens: list[str], at: int, gazetteer: Gazetteer) -> bool:
    """ "a" before "unit", "army", "German unit" ... is no army."""
    if tokens[at].lower() != "a":
        return False
    after = [token.lower() for token in tokens[at + 1 : at + 3]]
    if after and after[0] in _ARTICLE_BEFORE:
        return True
    return len(after) == 2 and bool(gazetteer.power(after[0])) and after[1] in _ARTICLE_BEFORE


def _topic(token: str, said: _Sentence) -> int | Trouble | None:
    if token in _RETREATS and (len(token) > 1 or said.places):
        said.topic = Topic.RETREATS
    elif token in _DISBANDS and (len(token) > 1 or said.places):
        said.topic = Topic.DISBANDS
    elif token in _OCCUPIES:
        said.topic = Topic.AT
    elif token in _OWNS:
        if said.kind:
            return _simultaneous()
        said.topic = Topic.OWNS
    else:
        return None
    return 1


def _name(tokens: list[str], at: int, said: _Sentence, gazetteer: Gazetteer) -> int | Trouble:
    """A power or a place."""
    powers = gazetteer.power(tokens[at])
    found = gazetteer.split_place(tokens, at)
    exact = bool(found) and bool(found[0][1].exact)
    if len(powers) == 1 and not exact:
        said.power, said.power_last = powers[0], bool(said.places)
        end = at + 1
        if tokens[end : end + 1] == ["-"] and gazetteer.power("".join(tokens[end + 1 : end + 2])) == powers:
            end += 2
        return end + 1 - at if tokens[end : end + 1] == ["s"] else end - at
    if not found:
        return Trouble(
            "condition-unclear",
            tell('I do not know "{tokens}" in the condition. {what}', tokens=tokens[at], what=_what()),
        )
    end, meaning = found[0]
    places = tuple(dict.fromkeys(province_of(place) for place in meaning.places))
    if len(places) != 1:
        written = " ".join(tokens[at:end])
        return Trouble(
            "condition-unclear",
            tell(
                '"{written}" in the condition can be {places}.',
                written=written,
                places=listed(places, "or") or tell("nowhere"),
            ),
        )
    said.places.append(places[0])
    return end - at


def _what() -> str:
    return tell("A condition says who stands where, who owns a centre, or which retreat was made.")


def _simultaneous() -> Trouble:
    return Trouble(
        "simultaneous",
        tell(
            "Orders may depend on published facts (where units stand, who owns what) and builds "
            "on retreats, but never on what others order, build or remove at the same time."
        ),
    )


def _fact(said: _Sentence, text: str, before: Fact | None) -> Fact | Trouble:
    alone = not said.power and not said.kind
    if before is not None and alone and (said.towards or not said.places):
        return _continued(said, text, before)
    if not said.places or len(said.places) > 2:
        return Trouble(
            "condition-unclear",
            tell('"{text}" names no place that I can look at. {what}', text=text.strip()[:60], what=_what()),
        )
    topic, subject = said.topic, Subject(said.power, said.kind, said.places[0])
    to = said.places[1] if len(said.places) > 1 else ""
    if topic is None:
        owned = not said.kind and not said.within and (said.has or said.power_last)
        topic = Topic.OWNS if owned else Topic.AT
    if (to and topic is not Topic.RETREATS) or (topic is Topic.OWNS and not said.power):
        return Trouble(
            "condition-unclear", tell('"{text}" is not clear to me. {what}', text=text.strip()[:60], what=_what())
        )
    return Fact(topic, subject, to, said.negated)


def _continued(said: _Sentence, text: str, before: Fact) -> Fact | Trouble:
    """ "and not to Paris", "or is disbanded": more about the subject before."""
    if said.topic is Topic.DISBANDS and not said.places:
        return replace(before, topic=Topic.DISBANDS, to="", negated=said.negated)
    if len(said.places) == 1 and before.topic is Topic.RETREATS:
        return replace(before, to=said.places[0], negated=said.negated)
    if said.topic is Topic.RETREATS:
        return replace(before, topic=Topic.RETREATS, to=said.places[0] if said.places else "", negated=said.negated)
    return Trouble(
        "condition-unclear", tell('"{text}" is not clear to me. {what}', text=text.strip()[:60], what=_what())
    )
