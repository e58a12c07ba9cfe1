"""The stream of `judge adjudicate --jsonl`: any bytes in, for each line of them one line of valid JSON out.

Whatever a line contains, it is answered, and the next one is read. An `id` comes back as it was written: numbers that
no machine number holds keep their digits.
"""

from __future__ import annotations

import json
import logging
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import msgspec

from judge.adjudicate.jsonin import BadPhase
from judge.adjudicate.jsonl import adjudicate_object
from judge.board.model import Board
from judge.rules import Rules

log = logging.getLogger("judge.adjudicate")

LONGEST = 1_000_000
"""Bytes of one line. A phase of the largest board takes some ten thousand."""

_DIGITS = 300
"""A whole number of more digits is kept as it was written."""

_ID_FIRST = re.compile(r'\s*\{\s*"id"\s*:\s*')


class Verbatim(str):
    """A number as it was written, which would not come back the same."""

    __slots__ = ()


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream, blank ones left out; of one that is too long its beginning, one byte more than allowed."""
    while line := stream.readline(LONGEST + 1):
        rest = line
        while len(rest) > LONGEST and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST + 1)
        if line.strip():
            yield line


Options = Callable[[Any], tuple[Board, Rules, frozenset[str]]]
"""What a phase says under "options" -> its board, its rules, the powers in civil disorder. May raise BadPhase."""


def answer_line(
    line: bytes | str, board: Board, rules: Rules, *, explained: bool = False, options: Options | None = None
) -> dict[str, Any]:
    """The answer to one line, whatever it contains: a result, or `{"id", "error"}`. Without a reader of `options` a
    line has none.
    """
    if len(line) > LONGEST:
        return {"id": _id_of(_text(line)), "error": f"this line is longer than {LONGEST} bytes"}
    twice: list[str] = []
    try:
        data = _loads(line, twice)
    except UnicodeDecodeError as error:
        return {"id": None, "error": f"this is no JSON: byte {error.start + 1} is not UTF-8"}
    except RecursionError:
        return {"id": _id_of(_text(line)), "error": "this is nested too deeply"}
    except ValueError as error:
        return {"id": None, "error": f"this is no JSON: {error}"}
    if not isinstance(data, dict):
        return {"id": None, "error": "this is no JSON object"}
    if twice:
        return {"id": data.get("id"), "error": f"the key {twice[0]!r} stands twice in one object"}
    try:
        disorder = frozenset[str]()
        if options is not None:
            board, rules, disorder = options(data.get("options"))
        return adjudicate_object(data, board, rules, explained=explained, disorder=disorder)
    except BadPhase as error:
        flaws = {"flaws": [flaw._asdict() for flaw in error.flaws]} if error.flaws else {}
        return {"id": data.get("id"), "error": str(error), **flaws}
    except Exception as error:  # a mistake of ours in one phase is no reason to leave all later ones unanswered
        log.exception("a line made the adjudicator stumble")
        return {"id": data.get("id"), "error": f"the adjudicator stumbled ({type(error).__name__}); please report it"}


def write_line(answer: dict[str, Any]) -> bytes:
    """An answer as one line of UTF-8. Half characters, which UTF-8 has no bytes for, are written as escapes."""
    rest = {key: value for key, value in answer.items() if key != "id"}
    try:
        number = _written(answer["id"])
        try:
            return f'{{"id": {number}, '.encode() + msgspec.json.format(msgspec.json.encode(rest), indent=0)[1:]
        except (TypeError, UnicodeEncodeError):  # what only the slower writer can write
            text = f'{{"id": {number}, {_dumps(rest)[1:]}'
    except RecursionError:
        return write_line({"id": None, "error": "the id is nested too deeply"})
    try:
        return text.encode()
    except UnicodeEncodeError:
        return "".join([_escaped(char) if "\ud800" <= char <= "\udfff" else char for char in text]).encode()


def _loads(line: bytes | str, twice: list[str]) -> Any:
    """The value of a line; the keys that stand twice in one object are noted. Raises ValueError, RecursionError."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice.extend(key for key, often in Counter([key for key, _ in pairs]).items() if often > 1)
        return found

    text = line if isinstance(line, str) else line.decode("utf-8-sig")
    return json.loads(text, object_pairs_hook=unique, parse_int=_whole, parse_float=_broken, parse_constant=_no_number)


def _whole(text: str) -> int | Verbatim:
    return int(text) if len(text) <= _DIGITS and text != "-0" else Verbatim(text)


def _broken(text: str) -> float | Verbatim:
    number = float(text)
    return number if math.isfinite(number) and repr(number) == text else Verbatim(text)


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


def _text(line: bytes | str) -> str:
    return line if isinstance(line, str) else line.decode("utf-8", "replace")


def _id_of(text: str) -> Any:
    """The id of an object that cannot be read as a whole, where it comes first; else None."""
    start = _ID_FIRST.match(text)
    if start is None:
        return None
    try:
        value, _ = json.JSONDecoder(parse_constant=_no_number).raw_decode(text, start.end())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, (str, int)) else None


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _written(value: Any) -> str:
    """A value that was read, as it was written."""
    if isinstance(value, Verbatim):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_dumps(key)}: {_written(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    return _dumps(value)


def _escaped(char: str) -> str:
    return f"\\u{ord(char):04x}"
