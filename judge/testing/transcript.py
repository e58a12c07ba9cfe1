"""Conversation files, read: what comes in, what must go out, what happens in between (grammar: tests/README.md); and
letters held against that as their readers see them.

-> From: france@players.test      a mail to the judge: headers, an empty line, text
<- To: france@players.test        a letter that must come: headers, then lines of its text; "..." skips lines
advance 25h                       anything else is a direction
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.utils import parseaddr
from functools import cached_property, lru_cache

from judge.mail.quoting import SENTINEL
from judge.mail.raw.addresses import read_address

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


_POLICY = policy.default.clone(header_factory=lru_cache(maxsize=1024)(HeaderRegistry()))
"""While a mail is parsed, each Content-Type is asked for again and again; most letters have the same ones."""


@dataclass(frozen=True)
class ReceivedLetter:
    """One letter out of a mailbox. `number` counts all letters of a stage in the order of their delivery."""

    number: int
    to: str
    raw: bytes

    @cached_property
    def message(self) -> EmailMessage:
        """The parsed mail."""
        return message_from_bytes(self.raw, policy=_POLICY)

    def header(self, name: str) -> str:
        """A header field decoded and on one line; "" if there is none.

        >>> ReceivedLetter(1, "a@x", b"Subject: one\\r\\n two\\r\\n\\r\\n").header("subject")
        'one two'
        """
        return " ".join(str(self.message.get(name, "")).split())

    @property
    def subject(self) -> str:
        return self.header("Subject")

    @property
    def message_id(self) -> str:
        return self.header("Message-ID")

    @property
    def reply_to(self) -> str:
        """The bare address that an answer goes to."""
        return parseaddr(self.header("Reply-To") or self.header("From"))[1]

    @cached_property
    def text(self) -> str:
        """The plain text, with line ends as "\\n"."""
        body = self.message.get_body(preferencelist=("plain",))
        content = body.get_content() if body is not None else ""
        return str(content).replace("\r\n", "\n")

    @property
    def lines(self) -> list[str]:
        """The lines of the text without blanks at their ends."""
        return [line.rstrip() for line in self.text.rstrip("\n").split("\n")]

    def show(self) -> str:
        """As a person would print it."""
        heads = [f"{name}: {self.header(name)}" for name in ("To", "From", "Reply-To", "Subject", "Message-ID")]
        return "\n".join([*heads, "", *self.lines])

    def __str__(self) -> str:
        return f"{self.to}: {self.subject}"


def address(text: str) -> str:
    """The bare address of a field's value, in lower case; an international domain in the form that the judge keeps.

    >>> address("Ann <Ann@Players.test>")
    'ann@players.test'
    """
    bare = parseaddr(text)[1].lower()
    return read_address(bare) or bare


GAP = "..."
END = "."


def headers_fit(letter: ReceivedLetter, headers: Headers) -> str:
    """What is wrong with the first header that does not fit; "" if all fit.

    To compares addresses; every other value must be equal, but "..." in it stands for anything.
    """
    for name, wanted in headers:
        found = letter.header(name)
        if name.lower() == "to":
            if letter.to != address(wanted):
                return f"To: {letter.to}"
        elif not line_fits(found, wanted):
            return f"{name}: {found}"
    return ""


def line_fits(line: str, wanted: str) -> bool:
    """Whether a line is the one wanted; "..." inside it stands for any text.

    >>> line_fits("Proof: 5afb-d299 (mail 1)", "Proof: ... (mail 1)"), line_fits("A", "B")
    (True, False)
    """
    if GAP not in wanted:
        return line == wanted.rstrip()
    return re.fullmatch(".*".join(re.escape(part) for part in wanted.rstrip().split(GAP)), line) is not None


def body_of(letter: ReceivedLetter) -> list[str]:
    """The lines of a letter below the line above which answers are written."""
    lines = letter.lines
    if lines and lines[0] == SENTINEL:
        lines = lines[1:]
    return lines[1:] if lines and not lines[0] else lines


def first_miss(lines: Sequence[str], wanted: Sequence[str]) -> tuple[int, int] | None:
    """Where an expectation fails: (its line, the line of the text from which that was sought); None if it fits.

    The text must begin with the wanted lines, unless they begin with "..."; after the last wanted line it may go on,
    unless that line is ".", its end.
    """
    place, seeking, position = 0, False, 0
    while position < len(wanted):
        if wanted[position] == GAP:
            seeking, position = True, position + 1
            continue
        run = _run(wanted, position)
        ends = position + len(run) < len(wanted) and wanted[position + len(run)] == END
        found = _find(lines, run, place, seeking=seeking, ends=ends)
        if found is None:
            return position + _how_far(lines, run, place, seeking=seeking), place
        place, seeking, position = found, False, position + len(run) + ends
        if position < len(wanted) and wanted[position] == END:
            if not seeking and place != len(lines):
                return position, place
            position += 1
    return None


def _run(wanted: Sequence[str], start: int) -> Sequence[str]:
    end = start
    while end < len(wanted) and wanted[end] not in (GAP, END):
        end += 1
    return wanted[start:end]


def _find(lines: Sequence[str], run: Sequence[str], place: int, *, seeking: bool, ends: bool) -> int | None:
    """Where the text goes on behind a run of lines."""
    starts = range(place, len(lines) - len(run) + 1) if seeking else (place,)
    for start in starts:
        end = start + len(run)
        fits = end <= len(lines) and (not ends or end == len(lines))
        if fits and all(line_fits(lines[start + i], line) for i, line in enumerate(run)):
            return end
    return None


def _how_far(lines: Sequence[str], run: Sequence[str], place: int, *, seeking: bool) -> int:
    """How many lines of a run fit at the best place."""
    best = 0
    for start in range(place, len(lines)) if seeking else (place,):
        count = 0
        while count < len(run) and start + count < len(lines) and line_fits(lines[start + count], run[count]):
            count += 1
        best = max(best, count)
    return min(best, len(run) - 1)


def nearest(lines: Sequence[str], wanted: str, start: int = 0) -> str:
    """The line of a text that resembles a wanted one most; "" if none does at all."""
    scored = [(difflib.SequenceMatcher(None, wanted, line).ratio(), -i, line) for i, line in enumerate(lines[start:])]
    score, _, line = max(scored, default=(0.0, 0, ""))
    return line if score > 0.3 else ""


def difference(letter: ReceivedLetter, wanted: Sequence[str]) -> str:
    """Why a letter does not say what is wanted, for people; "" if it does."""
    lines = body_of(letter)
    miss = first_miss(lines, wanted)
    if miss is None:
        return ""
    line, place = miss
    expected = wanted[line]
    near = nearest(lines, expected, place)
    report = [f"  expected   {'the end of the text' if expected == END else expected or '(an empty line)'}"]
    if expected == END:
        report.append(f"  but came   {lines[place]}")
    elif near:
        report.append(f"  nearest    {near}")
        report += [f"             {mark}" for mark in _marks(expected, near)]
    else:
        report.append("  nothing in the rest of the letter resembles it")
    return "\n".join([*report, "  the letter:", *(f"  | {text}" for text in letter.show().split("\n"))])


def _marks(expected: str, near: str) -> list[str]:
    """A line of carets under the places where two lines differ."""
    if len(expected) > 200 or len(near) > 200:
        return []
    signs = [" "] * (len(near) + 1)
    for tag, _, _, start, end in difflib.SequenceMatcher(None, expected, near).get_opcodes():
        if tag != "equal":
            for i in range(start, max(end, start + 1)):
                signs[min(i, len(near))] = "^"
    return ["".join(signs).rstrip()] if "^" in signs else []


class Difference(Exception):
    """The judge did not do what the conversation says. The message shows both."""


def whole_text(letter: ReceivedLetter) -> str:
    """All that is in a letter, headers and parts decoded, in lower case."""
    heads = [f"{name}: {value}" for name, value in letter.message.items() if name.lower() not in ("to", "reply-to")]
    parts = [str(part.get_content()) for part in letter.message.walk() if part.get_content_maintype() == "text"]
    return "\n".join([*heads, *parts]).lower()


def missing(headers: Headers, waiting: list[ReceivedLetter]) -> str:
    """What was expected, and what came instead, the nearest letter whole."""
    wanted = ", ".join(f"{name}: {value}" for name, value in headers) or "any letter"
    if not waiting:
        return f"no letter came; expected was {wanted}"
    near = "\n".join(f"  {letter}   ({headers_fit(letter, headers)})" for letter in waiting)
    return f"no letter fits {wanted}; these came:\n{near}\n{quoted(waiting[0])}"


def listing(letters: list[ReceivedLetter]) -> str:
    """Letters line by line, the first one whole."""
    return "\n".join(f"  {letter}" for letter in letters) + ("\n" + quoted(letters[0]) if letters else "")


def quoted(letter: ReceivedLetter) -> str:
    """A letter as people see it, its lines marked."""
    return "\n".join(f"  | {line}" for line in letter.show().split("\n"))
