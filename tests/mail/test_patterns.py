"""No pattern of ours takes more than a few steps a character, whatever the text: repeats inside repeats are bounded.

Every compiled pattern of the packages that read what strangers write is taken apart. A repeat without end that holds
another one is allowed only where each round of the outer must begin with something that the inner cannot take.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

import judge.acts
import judge.game
import judge.mail
import judge.orders
import judge.people
import judge.zine

parser: Any = importlib.import_module("re._parser")
constants: Any = importlib.import_module("re._constants")
MANY = 8
"""A repeat of more rounds than this counts as one without end."""


def modules() -> Iterator[ModuleType]:
    for package in (judge.mail, judge.orders, judge.people, judge.game, judge.acts, judge.zine):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield importlib.import_module(found.name)


def patterns() -> dict[str, re.Pattern[Any]]:
    """Every pattern that a module keeps, those of its lists and tables as well."""
    kept = (one for module in modules() for value in vars(module).values() for one in inside(value))
    return {f"{one.pattern!r} {one.flags}": one for one in kept}


def inside(value: Any) -> Iterator[re.Pattern[Any]]:
    """The patterns in a value, at any depth of lists and tables."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from inside(tuple(value.values()))
    elif isinstance(value, (list, tuple)):
        yield from (one for part in value for one in inside(part))


PATTERNS = patterns()


def repeats(tree: Any) -> Iterator[tuple[int, Any]]:
    """(most rounds, what is repeated) for every backtracking repeat, at any depth."""
    for operator, argument in tree:
        if operator in (constants.MAX_REPEAT, constants.MIN_REPEAT):
            yield int(argument[1]), argument[2]
            yield from repeats(argument[2])
        else:
            yield from (one for part in parts_of(argument) for one in repeats(part))


def parts_of(argument: Any) -> Iterator[Any]:
    """The sequences inside an operator's argument, whatever its shape."""
    if isinstance(argument, parser.SubPattern):
        yield argument
    elif isinstance(argument, (list, tuple)):
        for part in argument:
            yield from parts_of(part)


def letters(tree: Any) -> set[int]:
    """Which of the first 256 characters a sequence may begin with."""
    found: set[int] = set()
    for operator, argument in tree:
        if operator is constants.SUBPATTERN:
            found |= letters(argument[3])
        elif operator in (constants.MAX_REPEAT, constants.MIN_REPEAT):
            found |= letters(argument[2])
        elif operator is constants.BRANCH:
            found |= {letter for branch in argument[1] for letter in letters(branch)}
        elif operator not in (constants.AT, constants.ASSERT, constants.ASSERT_NOT):
            found |= singles(operator, argument)
        if not may_be_empty(operator, argument):
            break
    return found


def singles(operator: Any, argument: Any) -> set[int]:
    """The characters that a single-character operator takes."""
    if operator is constants.LITERAL:
        return {argument} & set(range(256))
    if operator is constants.IN:
        taken = [one for one in argument if one[0] is not constants.NEGATE]
        found = {n for kind, value in taken for n in members(kind, value)}
        return set(range(256)) - found if len(taken) < len(argument) else found
    return set(range(256))


def members(kind: Any, value: Any) -> set[int]:
    if kind is constants.LITERAL:
        return {value} & set(range(256))
    if kind is constants.RANGE:
        return set(range(value[0], min(value[1], 255) + 1))
    tests: dict[Any, Callable[[str], bool]] = {
        constants.CATEGORY_DIGIT: str.isdigit,
        constants.CATEGORY_SPACE: str.isspace,
        constants.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
    }
    test = tests.get(value, bool)
    return {number for number in range(256) if test(chr(number))}


def last_ones(tree: Any) -> Iterator[tuple[int, Any]]:
    """The repeats with which a sequence may end: only these can run into its next round."""
    for operator, argument in reversed(list(tree)):
        if operator in (constants.MAX_REPEAT, constants.MIN_REPEAT):
            yield int(argument[1]), argument[2]
            yield from last_ones(argument[2])
        elif operator is constants.SUBPATTERN:
            yield from last_ones(argument[3])
        elif operator is constants.BRANCH:
            yield from (one for branch in argument[1] for one in last_ones(branch))
        if not may_be_empty(operator, argument):
            return


def may_be_empty(operator: Any, argument: Any) -> bool:
    """Whether an operator may take nothing, so that what stands before it may come last."""
    if operator in (constants.MAX_REPEAT, constants.MIN_REPEAT):
        return bool(argument[0] == 0 or argument[2].getwidth()[0] == 0)
    if operator is constants.SUBPATTERN:
        return bool(argument[3].getwidth()[0] == 0)
    if operator is constants.BRANCH:
        return any(branch.getwidth()[0] == 0 for branch in argument[1])
    return operator in (constants.AT, constants.ASSERT, constants.ASSERT_NOT)


def ambiguous(outer: Any) -> bool:
    """Whether one text may be parted among the rounds of a repeat in many ways."""
    return any(most > MANY and letters(inner) & letters(outer) for most, inner in last_ones(outer))


@pytest.mark.parametrize("where", PATTERNS)
def test_no_repeat_without_end_holds_one_that_takes_the_same(where: str) -> None:
    pattern = PATTERNS[where]
    tree = parser.parse(pattern.pattern, pattern.flags)
    found = [inner for most, inner in repeats(tree) if most > MANY and ambiguous(inner)]
    assert not found, pattern.pattern


def test_the_scan_would_find_one() -> None:
    for bad in (r"(a+)+b", r"(?:\w+\s?)*x", r"(?:[a-z]+|[0-9]+)*$"):
        assert any(most > MANY and ambiguous(inner) for most, inner in repeats(parser.parse(bad))), bad
    for good in (r"(?:a+,)?b+", r"(?: [a-z]+)*", r"(?:-\w+)*"):
        assert not any(most > MANY and ambiguous(inner) for most, inner in repeats(parser.parse(good))), good
    assert len(PATTERNS) > 150
