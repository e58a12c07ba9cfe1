"""Reads conversation files: what comes in, what must go out, what happens in between (grammar: tests/README.md).

-> From: france@players.test      a mail to the judge: headers, an empty line, text
<- To: france@players.test        a letter that must come: headers, then lines of its text; "..." skips lines
advance 25h                       anything else is a direction
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_HEADER = re.compile(r"([A-Za-z][A-Za-z0-9-]*):(?:\s+(.*))?$")
_KNOWN = re.compile(
    r"from|to|cc|bcc|subject|date|sender|reply-to|message-id|in-reply-to|references|return-path|delivered-to|received|"
    r"authentication-results|auto-submitted|precedence|mime-version|list-.*|content-.*|x-.*|importance|user-agent",
    re.IGNORECASE,
)
_NAME = re.compile(r"\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?")
_TO_SOMEBODY = re.compile(r"To:.*@", re.IGNORECASE)

Headers = list[tuple[str, str]]


class TranscriptError(Exception):
    """A conversation file says something that is no part of its language. The message names the line and the mend."""


@dataclass
class TranscriptMail:
    """A mail to the judge. `headers` are those that the file gives, with their values as written."""

    at: int
    headers: Headers = field(default_factory=list)
    body: list[str] = field(default_factory=list)


@dataclass
class Expected:
    """A letter that must come, or `nothing`. `body`: lines; "..." alone skips some lines, "." alone is the end."""

    at: int
    headers: Headers = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    nothing: bool = False


@dataclass
class Direction:
    """Anything else: a word and what follows it."""

    at: int
    verb: str
    rest: str


Step = TranscriptMail | Expected | Direction


@dataclass
class Transcript:
    """A whole conversation. `rule`: the comment at its head, which says what it shows."""

    name: str
    rule: str
    steps: list[Step]


def read_transcript(text: str, name: str = "a conversation") -> Transcript:
    """The steps of a file. Raises TranscriptError.

    >>> t = read_transcript("# No orders, no receipt.\\n-> From: a@x\\n->\\n-> hello\\n<- nothing\\nadvance 1h\\n")
    >>> t.rule, [type(step).__name__ for step in t.steps]
    ('No orders, no receipt.', ['TranscriptMail', 'Expected', 'Direction'])
    """
    rule: list[str] = []
    steps: list[Step] = []
    block: list[str] = []
    mark = ""

    def finish(at: int) -> None:
        if block:
            steps.append(_said(block, at) if mark == "->" else _expected(block, at))
        block.clear()

    for number, line in enumerate([*text.split("\n"), ""], 1):
        kind = line[:2] if line[:2] in ("->", "<-") else ""
        content = line[2:].removeprefix(" ").rstrip()
        if kind != mark or (kind == "<-" and _begins_another(content, block)):
            finish(number - len(block))
        mark = kind
        if kind:
            block.append(content)
        elif line.startswith("#"):
            if not steps:
                rule.append(line.lstrip("# ").rstrip())
        elif line.strip():
            verb, _, rest = line.strip().replace(":", " :", line.split()[0].endswith(":")).partition(" ")
            steps.append(Direction(number, verb.lower(), rest.strip()))
    return Transcript(name, " ".join(part for part in rule if part), steps)


def _begins_another(content: str, block: list[str]) -> bool:
    """Whether an expectation begins: a To field with an address, when the one before has a To field already."""
    return bool(_TO_SOMEBODY.match(content)) and any(_TO_SOMEBODY.match(line) for line in block)


def _said(block: list[str], at: int) -> TranscriptMail:
    headers, body = _split(block)
    return TranscriptMail(at, headers, body)


def _expected(block: list[str], at: int) -> Expected:
    headers, body = _split(block)
    if [line.strip().lower() for line in body] == ["nothing"]:
        return Expected(at, headers, [], nothing=True)
    return Expected(at, headers, body)


def _split(block: list[str]) -> tuple[Headers, list[str]]:
    """Headers end at an empty line, or at a line that is none."""
    headers: Headers = []
    for place, line in enumerate(block):
        if not line:
            return headers, block[place + 1 :]
        if line[0] in " \t" and headers:
            headers[-1] = (headers[-1][0], f"{headers[-1][1]} {line.strip()}")
            continue
        match = _HEADER.match(line)
        if match is None or not _KNOWN.fullmatch(match[1]):
            return headers, block[place:]
        headers.append((match[1], (match[2] or "").strip()))
    return headers, []


def filled(text: str, names: Mapping[str, str], at: int) -> str:
    """A text of line `at` with its $NAMEs replaced by what was captured. Raises TranscriptError for an unknown one."""

    def value(match: re.Match[str]) -> str:
        if match[1] not in names:
            raise TranscriptError(f"line {at}: nothing was captured under the name {match[1]}")
        return names[match[1]]

    return _NAME.sub(value, text)
