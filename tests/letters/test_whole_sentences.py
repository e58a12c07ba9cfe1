"""Sentences for people are told whole: what is put together out of pieces cannot be said in another language.

The rule for a message: it is a sentence, or the part of one that stays in its place whatever stands beside it. So none
begins or ends with a space, none is a conjunction alone, and none is added to another. Its facts are names, numbers and
words that are told themselves, never English. And whoever refuses or answers tells what they say.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from judge import languages

HOME = Path(languages.__file__).parent
TELLERS = ("tell", "told_later", "tell_counted")
WORD = re.compile(r"[A-Za-z]{2,}")
LONE = re.compile(r"\W*(?:and|or|but|with|by|of|in|to|for|is|are|was|were|which)\W*")

SAYS: Mapping[str, tuple[int | None, str]] = {
    "Refusal": (1, "sentence"),
    "Unclear": (1, "sentence"),
    "Problem": (1, "sentence"),
    "Trouble": (1, "sentence"),
    "Decision": (None, "said"),
    "Verdict": (None, "sentence"),
    "BadDate": (1, "sentence"),
    "ValueError": (0, ""),
    "TooLong": (0, ""),
}
"""What is made with a sentence for somebody: at which place it stands, and under which name."""

LINES = frozenset(
    ("away", "claim", "deadline", "deputy", "help", "join", "prefer", "press", "process", "sandbox", "set", "subscribe")
) | {"if", "substitute", "zine"}
"""With what a line begins that a player may send."""

OF_VALUES = ("game/settings/", "pace.py", "zine/numbers.py")
"""Where a ValueError says to somebody what is wrong with the value that they wrote; elsewhere it speaks to us."""

NOT_FOR_READERS = ("cli", "draw", "daemon", "testing", "raster", "store", "browser")
"""Parts that speak to operators in English, or to nobody."""


@cache
def modules() -> Sequence[tuple[str, ast.Module]]:
    return [
        (path.relative_to(HOME).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted(HOME.rglob("*.py"))
        if path.relative_to(HOME).parts[0] not in NOT_FOR_READERS
    ]


def called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def told() -> Iterator[tuple[str, ast.Call]]:
    """Where something is told, and the call."""
    for name, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and called(node) in TELLERS:
                yield f"{name}:{node.lineno}", node


def texts(node: ast.AST) -> Iterator[str]:
    """The texts that an expression may come to."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
    elif isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from texts(value)
    elif isinstance(node, ast.BinOp):
        yield from texts(node.left)
        yield from texts(node.right)
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Dict):
        for value in node.value.values:
            yield from texts(value)
    elif called(node) == "join" and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield from texts(node.func.value)
    elif called(node) == "together" and isinstance(node, ast.Call):
        for value in node.args:
            yield from texts(value)


def is_told(node: ast.AST) -> bool:
    return any(called(part) == "tell" for part in ast.walk(node))


def test_no_message_begins_or_ends_with_a_space_or_is_a_conjunction() -> None:
    pieces = [
        (where, message)
        for where, call in told()
        for argument in call.args
        for message in texts(argument)
        if message != message.strip() or LONE.fullmatch(message)
    ]
    assert not pieces


def test_no_two_messages_are_glued_together() -> None:
    """`tell(...) + tell(...)`, `said += tell(...)`: whole sentences stand one behind the other in `together`."""
    glued = [
        (name, node.lineno)
        for name, tree in modules()
        for node in ast.walk(tree)
        if (
            (isinstance(node, ast.AugAssign) and called(node.value) == "tell")
            or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and is_glued(node))
        )
    ]
    assert not glued


def is_glued(node: ast.BinOp) -> bool:
    """Whether a message stands beside words; a blank, a mark or a list beside it is none."""
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if called(one) == "tell" and (called(other) == "tell" or any(WORD.search(text) for text in texts(other))):
            return True
    return False


def assigned(function: ast.AST) -> dict[str, list[ast.AST]]:
    """What the names inside a function were given."""
    found: dict[str, list[ast.AST]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found.setdefault(node.target.id, []).append(node.value)
    return found


def english(node: ast.AST, names: Mapping[str, list[ast.AST]]) -> Iterator[str]:
    """The English words that an expression may come to, of its own or by the name of a variable."""
    values = names.get(node.id, []) if isinstance(node, ast.Name) else [node]
    for value in values:
        for text in texts(value):
            said = re.sub(r"`[^`]*`", "", text)
            if WORD.search(said):
                yield text


def functions(tree: ast.Module) -> Iterator[ast.AST]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_no_fact_of_a_message_is_english() -> None:
    facts = [
        (f"{name}:{node.lineno}", keyword.arg, text)
        for name, tree in modules()
        for function in functions(tree)
        for names in [assigned(function)]
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and called(node) == "tell"
        for keyword in node.keywords
        for text in english(keyword.value, names)
        if not is_line(text)
    ]
    assert not facts


def test_powers_are_named_in_the_language_of_their_message() -> None:
    """`Power.told` beside `Power.name`, which lines to be sent have."""
    untold = [
        (f"{name}:{node.lineno}", keyword.arg)
        for name, tree in modules()
        for function in functions(tree)
        for names in [assigned(function)]
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and called(node) == "tell"
        for keyword in node.keywords
        for value in (names.get(keyword.value.id, []) if isinstance(keyword.value, ast.Name) else [keyword.value])
        if is_name_of_power(value)
    ]
    assert not untold


def is_name_of_power(node: ast.AST) -> bool:
    """Whether an expression is `powers[...].name`, or the adjective."""
    if not isinstance(node, ast.Attribute) or node.attr not in ("name", "adjective"):
        return False
    of = node.value.value if isinstance(node.value, ast.Subscript) else None
    return isinstance(of, (ast.Attribute, ast.Name)) and getattr(of, "attr", getattr(of, "id", "")) == "powers"


def is_line(text: str) -> bool:
    """Whether a text is a line that a player may send, an address or a time zone, which are never translated."""
    words = text.split()
    return words[0].strip("`") in LINES or "@" in text or words == ["UTC"]


@pytest.mark.parametrize("kind", SAYS)
def test_whoever_answers_tells_what_they_say(kind: str) -> None:
    at, name = SAYS[kind]
    untold = [
        (f"{module}:{node.lineno}", text)
        for module, tree in modules()
        if kind != "ValueError" or module.startswith(OF_VALUES)
        for function in functions(tree)
        for names in [assigned(function)]
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and called(node) == kind
        for argument in [
            *(keyword.value for keyword in node.keywords if keyword.arg == name),
            *(node.args[at : at + 1] if at is not None else ()),
        ]
        for text in english(argument, names)
        if len(WORD.findall(text)) > 1
    ]
    assert not untold
