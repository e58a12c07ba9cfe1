"""Conditions with brackets: "(France A Bur or Italy F Lyo) and not Germany A Mun" as facts joined from left to right.

What goes on file has no brackets, so a condition is turned until its facts can be joined one after the other. Where
that cannot be done (two groups of both kinds of joint), it is asked back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from judge.game.instructions.facts import Fact
from judge.game.instructions.factual import Trouble

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
        "condition-unclear", f'I cannot follow the brackets in "{text.strip()[:80]}"; please write it without them.'
    )
