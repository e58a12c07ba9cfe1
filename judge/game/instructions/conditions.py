"""Conditional orders with brackets, and, or, not, else: build A Paris if the German A Picardy retreats to Belgium."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from judge.board.model import Board
from judge.board.phase import Phase, PhaseKind
from judge.game.instructions.facts import Fact, Subject, Topic, Trouble, read_fact
from judge.languages import tell
from judge.orders.words import COMMENT

Terms = tuple[tuple[str, Fact], ...]
"""Facts joined from left to right; the first has the joint "AND"."""

_JOINT = re.compile(r"\s*\b(and|or)\b\s*", re.IGNORECASE)
_OPENS = re.compile(r"\s*(not\s*)?\(\s*", re.IGNORECASE)


def read_terms(text: str, read: Callable[[str, Fact | None], Fact | Trouble]) -> Terms | Trouble:
    """The terms of a condition. `read` reads one fact; the fact before lends it its subject."""
    pieces = _JOINT.split(text.strip(" ,;"))
    groups: list[tuple[str, bool, Terms]] = [("AND", False, ())]
    before: Fact | None = None
    for joint, piece in zip(("and", *pieces[1::2]), pieces[::2], strict=True):
        opened, words, closed = _bared(piece)
        fact = read(words, before)
        if isinstance(fact, Trouble):
            return fact
        before = fact
        for number, negated in enumerate(opened):
            groups.append((joint.upper() if number == 0 else "AND", negated, ()))
        own = "AND" if opened else joint.upper()
        groups[-1] = (*groups[-1][:2], (*groups[-1][2], (own, fact)))
        for _ in range(closed):
            if len(groups) == 1:
                return _unclear(text)
            folded = _folded(groups.pop(), groups[-1])
            if folded is None:
                return _unclear(text)
            groups[-1] = folded
    return groups[0][2] if len(groups) == 1 else _unclear(text)


def _bared(piece: str) -> tuple[list[bool], str, int]:
    """Groups that open before a fact (whether each is negated), the fact, and how many close behind it.

    Brackets inside it ("St Petersburg (north coast)") are its own.
    """
    opened: list[bool] = []
    while piece.count("(") > 0 and (match := _OPENS.match(piece)):
        opened.append(bool(match[1]))
        piece = piece[match.end() :]
    closed = 0
    while piece.rstrip().endswith(")") and piece.count(")") > piece.count("("):
        piece = piece.rstrip()[:-1]
        closed += 1
    return opened, piece, closed


def _folded(group: tuple[str, bool, Terms], outer: tuple[str, bool, Terms]) -> tuple[str, bool, Terms] | None:
    """The outer group with a closed one joined to it; None where no row of facts says the same."""
    joint, negated, inner = group
    inner = negated_terms(inner) if negated else inner
    before = outer[2]
    if not before:
        return *outer[:2], inner
    joined = _joined(before, joint, inner)
    return None if joined is None else (*outer[:2], joined)


def _joined(left: Terms, joint: str, right: Terms) -> Terms | None:
    if len(right) == 1 or _all(right, joint):
        return (*left, *((joint, fact) for _, fact in right))
    if len(left) == 1 or _all(left, joint):
        return (*right, *((joint, fact) for _, fact in left))
    return None


def _all(terms: Sequence[tuple[str, Fact]], joint: str) -> bool:
    return all(one == joint for one, _ in terms[1:])


def negated_terms(terms: Terms) -> Terms:
    """The contrary. Terms joined left to right stay so: only the joints turn round with the facts."""
    turned = [("AND" if joint == "OR" else "OR", replace(fact, negated=not fact.negated)) for joint, fact in terms]
    return (("AND", turned[0][1]), *turned[1:])


def _unclear(text: str) -> Trouble:
    return Trouble(
        "condition-unclear",
        tell('I cannot follow the brackets in "{text}"; please write it without them.', text=text.strip()[:80]),
    )


CLAUSE = "6E"

EXAMPLE = "if German A Picardy retreats to Belgium then build A Paris else build A Marseilles"
"""The form that is shown to who wrote something else."""

_CONDITION_WORD = re.compile(r"\b(?:if|unless|provided(?: that)?|in case)\b", re.IGNORECASE)
_ELSE = re.compile(r"(?<=\S)[\s,;.]*\b(?:or else|else|otherwise|if not)\b[\s,;:]*", re.IGNORECASE)
_THEN = re.compile(r"[\s,;]*\bthen\b[\s,:]*", re.IGNORECASE)
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Condition:
    """Facts joined from left to right; the first has the joint "AND"."""

    terms: Terms

    def __str__(self) -> str:
        words = [f"{joint} {fact}" for joint, fact in self.terms]
        return " ".join(words).removeprefix("AND ")

    def holds(self, asks: Callable[[Fact], bool]) -> bool:
        """Whether it is true, where `asks` says so of each fact."""
        value = True
        for joint, fact in self.terms:
            value = (value and asks(fact)) if joint == "AND" else (value or asks(fact))
        return value

    def negated(self) -> Condition:
        """Its contrary."""
        return Condition(negated_terms(self.terms))

    def words(self, board: Board) -> str:
        """As a clause behind "if" says it: "the German A Picardy retreats to Belgium"."""
        (_, first), *others = self.terms
        said = first.words(board)
        for joint, fact in others:
            after = fact.words(board)
            said = tell("{before} and {after}" if joint == "AND" else "{before} or {after}", before=said, after=after)
        return said


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to go as it was written: under a condition, or (the last one) without; its order is text yet."""

    condition: Condition | None
    order: str


Ways = tuple[Alternative, ...]


def mentions_condition(text: str) -> bool:
    """Whether a line is to depend on something."""
    return _CONDITION_WORD.search(text) is not None and len(text) <= _LONGEST


def read_branches(text: str, board: Board, power: str, is_order: Callable[[str], bool]) -> Ways | Trouble | None:
    """A conditional order in parts; what is wrong with its condition; None for a line that is none.

    `is_order` says whether a text is an order: it tells where a condition ends that is followed by no mark.
    """
    text = COMMENT.sub("", text)
    if not mentions_condition(text):
        return None
    plain = re.sub(r"[\[\]]", " ", text).strip().rstrip(".")
    parts = [part.strip(" ,;") for part in _ELSE.split(plain)]
    branches: list[Alternative] = []
    for number, part in enumerate(parts):
        match = _CONDITION_WORD.search(part)
        if number and match is None:
            branches.append(Alternative(None, part))
            continue
        found = _branch(part, match, board, power, is_order)
        if isinstance(found, Trouble):
            return found
        branches.append(found)
    if any(branch.condition is None for branch in branches[:-1]):
        return Trouble(
            "condition-unclear", tell("There is more than one way out; write it like this: {example}", example=EXAMPLE)
        )
    return tuple(branches)


def _branch(
    part: str, match: re.Match[str] | None, board: Board, power: str, is_order: Callable[[str], bool]
) -> Alternative | Trouble:
    """ "if X then ORDER", "if X, ORDER", "if X ORDER", "ORDER if X", and the same with unless. `match`: that word."""
    if match is None:
        return Trouble(
            "condition-unclear", tell("The condition comes first; write it like this: {example}", example=EXAMPLE)
        )
    before, after = part[: match.start()].strip(" ,;:"), part[match.end() :].strip(" ,;:")
    if before and not is_order(before):
        return Trouble(
            "condition-unclear",
            tell('"{before}" is not an order; write it like this: {example}', before=before[:60], example=EXAMPLE),
        )
    if before:
        condition, order = _condition(after, board, power), before
    else:
        condition, order = _split(after, board, power, is_order)
    if isinstance(condition, Trouble):
        return condition
    return Alternative(condition.negated() if match[0].lower() == "unless" else condition, order)


def _split(text: str, board: Board, power: str, is_order: Callable[[str], bool]) -> tuple[Condition | Trouble, str]:
    """The condition that begins a text, and the order behind it: the longest condition that leaves an order."""
    if match := _THEN.search(text):
        return _condition(text[: match.start()], board, power), text[match.end() :].strip()
    words = [word.start() for word in re.finditer(r"\S+", text)][1:]
    marked = [start for start in words if text[:start].rstrip().endswith((",", ";", ":"))]
    trouble: Condition | Trouble | None = None
    for start in (*reversed(marked), *reversed(words)):
        head, order = text[:start].strip(" ,;:"), text[start:]
        if not is_order(order):
            continue
        found = _condition(head, board, power)
        if isinstance(found, Condition):
            return found, order
        trouble = found if trouble is None or found.slug == "simultaneous" else trouble
    whole = _condition(text, board, power)
    if isinstance(whole, Condition):
        return Trouble(
            "condition-unclear", tell("The condition is clear, but no order follows it. {form}", form=_form())
        ), ""
    return trouble or whole, ""


def read_condition(text: str, board: Board, power: str) -> Condition | Trouble:
    """A condition by itself: "Germany A Bur and not Italy F Lyo"."""
    return _condition(text, board, power)


def read_head(text: str, board: Board, power: str, is_order: Callable[[str], bool]) -> tuple[Condition, str] | Trouble:
    """What follows IF at the head of a block: its condition, and the order behind it on the same line, or ""."""
    if not _THEN.search(text):
        whole = _condition(text, board, power)
        if isinstance(whole, Condition):
            return whole, ""
    condition, order = _split(text, board, power, is_order)
    return condition if isinstance(condition, Trouble) else (condition, order)


def _form() -> str:
    return tell("Write it like this: {example}", example=EXAMPLE)


def _condition(text: str, board: Board, power: str) -> Condition | Trouble:
    """The facts of a condition. A part without a subject of its own goes on with the one before: "and not to Paris"."""
    if not text.strip(" ,;()"):
        return Trouble("condition-unclear", tell("The condition is missing. {form}", form=_form()))
    terms = read_terms(text, lambda part, before: read_fact(part, board, power, before))
    return terms if isinstance(terms, Trouble) else Condition(terms)


# --- as events store it ---------------------------------------------------------------------------------------------


def condition_to_json(condition: Condition) -> list[dict[str, Any]]:
    """A condition as plain JSON: its facts, each with its joint."""
    return [
        {"joint": joint, "topic": fact.topic.value, "not": fact.negated, "to": fact.to, **asdict(fact.subject)}
        for joint, fact in condition.terms
    ]


def condition_from_json(data: Sequence[Mapping[str, Any]]) -> Condition:
    """The inverse of `condition_to_json`."""
    return Condition(
        tuple(
            (
                each["joint"],
                Fact(
                    Topic(each["topic"]),
                    Subject(each["power"], each["kind"], each["place"]),
                    each["to"],
                    negated=each["not"],
                ),
            )
            for each in data
        )
    )


def too_early(conditions: Iterable[Condition | None], phase: Phase) -> Trouble | None:
    """What nobody can know when a phase is played: retreats are ordered all at once, and moves before any retreat of
    their turn. Builds may depend on retreats.
    """
    about = {fact.topic for condition in conditions if condition for _, fact in condition.terms}
    if not about & {Topic.RETREATS, Topic.DISBANDS}:
        return None
    if phase.kind is PhaseKind.RETREATS:
        return Trouble(
            "simultaneous", tell("Retreats are made all at once; no retreat can depend on another. Builds can.")
        )
    if phase.kind is PhaseKind.MOVES:
        return Trouble(
            "simultaneous",
            tell(
                "Moves are made all at once, and retreats after them; no move can depend on either. "
                "It can depend on where units stand and who owns what."
            ),
        )
    return None
