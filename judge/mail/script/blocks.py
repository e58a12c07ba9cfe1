"""Where the text of a press letter or a note ends, and which lines are settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from judge.game.filing.conditional import LONGEST, block_end
from judge.game.settings.table import TABLE
from judge.mail.script.lines import is_stop, plain_line
from judge.mail.vocabulary import Unclear, find_verb
from judge.mail.vocabulary.account import Register, read_person
from judge.mail.vocabulary.settings_text import is_assignment, read_all_below, read_below

Typed = tuple[int, str]
"""A line number and what its author typed."""


_FULL = 60
"""Columns of the narrowest lines that mail programs make."""
_LONGEST_WRAP = 15
_FIELD = re.compile(r"(\w[\w ]{0,30}):\s*(.*)")


@dataclass(frozen=True, slots=True)
class VerbBlock:
    """The lines after a verb's line that belong to it: their text, and the index after them."""

    body: str
    after: int
    closed: bool = False
    """Whether its end was written."""


def text_block(lines: Sequence[Typed], start: int, ends: Sequence[str], *, opens: Callable[[str], bool]) -> VerbBlock:
    """Prose from `start` up to an end word, a stop word, or the next line that `opens` another; else all."""
    for at in range(start, len(lines)):
        text = lines[at][1]
        word = " ".join(text.lower().split()).rstrip(".")
        if word in ends:
            return VerbBlock(_join(lines[start:at]), at + 1, closed=True)
        if is_stop(text) or opens(text):
            return VerbBlock(_join(lines[start:at]), at)
    return VerbBlock(_join(lines[start:]), len(lines))


def inline_block(lines: Sequence[Typed], start: int, ends: Sequence[str], *, stops: Callable[[str], bool]) -> VerbBlock:
    """Prose that began on the verb's own line: its paragraph, cut before a line that is something else."""
    for at in range(start, len(lines)):
        text = lines[at][1]
        if " ".join(text.lower().split()).rstrip(".") in ends:
            return VerbBlock(_join(lines[start:at]), at + 1, closed=True)
        if not text.strip() or is_stop(text) or stops(text):
            return VerbBlock(_join(lines[start:at]), at)
    return VerbBlock(_join(lines[start:]), len(lines))


def orders_block(lines: Sequence[Typed], start: int, ends: Sequence[str], *, stops: Callable[[str], bool]) -> VerbBlock:
    """Orders that are not to be filed, such as those below `what if`: up to an end word, a stop word or a line that is
    another command; else all.
    """
    return text_block(lines, start, ends, opens=stops)


def settings_block(lines: Sequence[Typed], start: int) -> tuple[VerbBlock, list[tuple[int, str, Unclear]]]:
    """Lines NAME = VALUE or NAME VALUE, with blank lines, comments and TOML table heads between; and those that name no
    setting, or give it what it cannot be.
    """
    after, wrong, kept = start, [], list[str]()
    for at in range(start, len(lines)):
        if at < after:
            continue  # wrapped, and taken with the line above
        number, text = lines[at]
        line = text.strip()
        if not line or line.startswith("#") or (line[0] == "[" and line[-1] == "]"):
            continue
        several = read_all_below(line)
        found = several[0] if several else read_below(line)
        if (match := find_verb(line)) is not None and match.verb.name == "pass phrase":
            break
        if found is None and _settings_follow(lines, at):
            found = Unclear("no-such-setting", "This names no setting, so it was passed over.")
        if found is None or (isinstance(found, Unclear) and not is_assignment(line) and find_verb(line)):
            break
        if isinstance(found, Unclear):
            wrong.append((number, text, found))
            after = at + 1
            continue
        block = wrapped_block(lines, at, found[0])
        after = block.after
        kept.append(f"{text} {block.body}".rstrip())
    return VerbBlock("\n".join(kept), after), wrong


def _settings_follow(lines: Sequence[Typed], at: int) -> bool:
    """Whether a line that names no setting stands among some: it is no command, and one that does stands below it,
    ahead of any command.
    """
    if find_verb(lines[at][1].strip()) is not None:
        return False
    for _, text in lines[at + 1 : at + _FURTHER]:
        if read_all_below(text.strip()):
            return True
        if find_verb(text.strip()) is not None:
            return False
    return False


_FURTHER = 6
"""Lines that are looked at for the next setting."""


def wrapped_block(lines: Sequence[Typed], start: int, name: str) -> VerbBlock:
    """What a mail program wrapped of a setting that is free text, behind the line at `start` that gives it: the lines
    up to the closing quote, or those before which a line was too full for their first word. A line that is a command
    is one.
    """
    none = VerbBlock("", start + 1)
    if (setting := TABLE.get(name)) is None or not setting.prose:
        return none
    if lines[start][1].count('"') % 2:
        ends = (at for at in range(start + 1, min(len(lines), start + _LONGEST_WRAP)) if '"' in lines[at][1])
        end = next(ends, start)
        return VerbBlock(_joined(lines[start + 1 : end + 1]), end + 1)
    at = start + 1
    while at < min(len(lines), start + _LONGEST_WRAP) and _goes_on(lines[at - 1][1], lines[at][1]):
        at += 1
    return VerbBlock(_joined(lines[start + 1 : at]), at)


def _goes_on(above: str, text: str) -> bool:
    line = plain_line(text)
    if not line or is_stop(text) or is_assignment(line) or find_verb(line) is not None:
        return False
    return len(above.rstrip()) + 1 + len(text.split()[0]) > _FULL


def _joined(lines: Sequence[Typed]) -> str:
    return " ".join(" ".join(text.split()) for _, text in lines)


def condition_block(lines: Sequence[Typed]) -> Sequence[Typed]:
    """The lines from an IF down to its ENDIF, without marks and comments; none where no ENDIF follows."""
    plain = [(number, plain_line(text)) for number, text in lines[:LONGEST]]
    return plain[: block_end([text for _, text in plain], 0) or 0]


def in_one_line(first: str, below: Sequence[str]) -> str:
    """A condition over several lines as one: "X then A; B else C"."""
    said = first.rstrip(" :,;")
    said = said if re.search(r"\bthen\b", said, re.IGNORECASE) else f"{said} then"
    for text in below:
        if _END_IF.fullmatch(text):
            continue
        if match := _OTHERWISE.match(text):
            said, text = f"{said} else", text[match.end() :]
        if text.strip(" :"):
            joint = " " if re.search(r"\b(?:then|else)$", said, re.IGNORECASE) else "; "
            said += joint + text.strip()
    return said


_END_IF = re.compile(r"\W*end ?if\W*", re.IGNORECASE)
_OTHERWISE = re.compile(r"\s*(?:else|otherwise)\b[\s:,]*", re.IGNORECASE)


def registration(lines: Sequence[Typed]) -> tuple[Register | Unclear, int] | None:
    """What the lines of FIELD: VALUE below REGISTER come to, down to END, as older judges have it (name and zone are
    taken from them), and how many lines that are. None where no such lines stand there.
    """
    end = next((at for at, (_, line) in enumerate(lines) if is_stop(line)), None)
    fields = [_FIELD.fullmatch(line.strip()) for _, line in lines[:end] if line.strip()]
    if end is None or not fields or not all(fields):
        return None
    known = {match[1].lower().replace(" ", ""): match[2].strip() for match in fields if match}
    zone = known.get("timezone") or known.get("zone") or ""
    read = read_person(f"name {known.get('name', '')}" + (f" zone {zone}" if zone else ""))
    return (read if isinstance(read, Unclear) else Register(*read)), end + 1


def _join(lines: Sequence[Typed]) -> str:
    return "\n".join(text.rstrip() for _, text in lines).strip("\n")
