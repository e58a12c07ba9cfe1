"""Facts in words: the table of sentences in `templates/words`, and the filters that sentences and letters use.

A file of the table holds one sentence a paragraph: its key, a colon, and the sentence as a template of Jinja's that
sees the facts of that key; further lines are indented. A moment, a person of the game, a phase or a span of time stays
a fact until a filter says how it is to be written. A text passes every filter as it is: letters that were frozen
before their facts had a key hold finished sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from judge.board.phase import Phase
from judge.game.settings.spans import spell_span
from judge.mail.letters.layout import keep, listed
from judge.report import times
from judge.report.naming import agreed, many
from judge.rules.calendar import CALENDAR_1976
from judge.rules.reasons import REASONS

Fact = Any
"""A moment ({"at", "zone", "own"}), somebody ({"what", "names"}), a code, a number; or a text, which stays."""

_KEY = re.compile(r"([a-z][a-z0-9-]*):(?: +|$)")


def template_of(key: str) -> str:
    """The name of the template that puts the facts under a key into words."""
    return f"words:{key}"


def sentences(folder: Path) -> dict[str, str]:
    """The table: name of the template -> sentence. Raises ValueError for a line that belongs to no key, and for a key
    that stands twice.
    """
    table: dict[str, str] = {}
    for path in sorted(folder.glob("*.txt")):
        key = ""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line or line.startswith("#"):
                continue
            if found := _KEY.match(line):
                key = template_of(found[1])
                if key in table:
                    raise ValueError(f"{path.name}:{number}: {key} has two sentences")
                table[key] = line[found.end() :]
            elif key and line.startswith("  "):
                table[key] += f"{' ' if table[key] else ''}{line.strip()}"
            else:
                raise ValueError(f"{path.name}:{number}: neither the key of a sentence nor more of one")
    return table


def worded(value: Fact) -> Fact:
    """What a template prints: no fact that was to be put into words. Raises ValueError."""
    if isinstance(value, Mapping):
        raise ValueError(f"a fact without words: {', '.join(map(str, value))}")
    return value


def _of_moment(form: Callable[[datetime, str], str]) -> Callable[[Fact], str]:
    """A filter that writes a moment in the game's zone; "" for none."""

    def write(moment: Fact) -> str:
        if not isinstance(moment, Mapping):
            return moment or ""
        return form(datetime.fromisoformat(moment["at"]), moment["zone"])

    return write


def yours(moment: Fact) -> str:
    """The moment in the reader's zone, "" where his clock shows the same."""
    if not isinstance(moment, Mapping):
        return ""
    return times.theirs(datetime.fromisoformat(moment["at"]), moment["zone"], moment["own"])


def both(moment: Fact, form: Callable[[Fact], str]) -> str:
    """The moment as sentences have it: in the game's zone, the reader's in parentheses."""
    own = yours(moment)
    return form(moment) + (f" (yours: {own})" if own else "")


deadline = _of_moment(times.deadline)
short = _of_moment(times.short)


def who(one: Fact) -> str:
    """Somebody as the others call them: "France", "the Gamemaster", "seat 3"."""
    if not isinstance(one, Mapping):
        return str(one)
    names = list(one["names"])
    return {"gm": "the Gamemaster", "judge": "the judge", "seat": f"seat {''.join(names)}"}.get(
        one["what"], listed(names)
    )


def everybody(several: Sequence[Fact]) -> str:
    """Several of them, as a sentence lists them."""
    return listed([who(one) for one in several])


def does(one: Fact, verb: str) -> str:
    """Somebody, or several, at the beginning of a sentence with the verb: "France has", "Austria and Italy have"."""
    several = one if isinstance(one, (list, tuple)) else [one]
    count = sum(len(each["names"]) if isinstance(each, Mapping) and each["what"] == "powers" else 1 for each in several)
    return capital(f"{everybody(several)} {agreed(verb, count)}")


def capital(text: str) -> str:
    """The text with a capital first."""
    return text[:1].upper() + text[1:]


def span(seconds: Fact) -> str:
    """A length of time: "2 days"."""
    return seconds if isinstance(seconds, str) else spell_span(timedelta(seconds=seconds))


def against(strengths: Sequence[int]) -> str:
    """Attack and defence: "2 against 1"; a line never ends inside."""
    return keep(f"{strengths[0]} against {strengths[1]}")


def meaning(code: str) -> str:
    """The code of a reason in the words of the rules; a room's own code without its hyphens."""
    return REASONS[code].meaning if code in REASONS else code.replace("-", " ")


def title(phase: Fact) -> str:
    """A phase in words: "Fall 1901 moves". Its fact has the words of its game's calendar (`report.facts.phase_fact`); a
    bare code is one of the house's, and what is the code of none stays.
    """
    if isinstance(phase, Mapping):
        return str(phase["title"])
    return CALENDAR_1976.title(phase) if _is_code(phase) else phase


def label(phase: Fact) -> str:
    """A phase for a subject: "F1901 Moves"."""
    if isinstance(phase, Mapping):
        return str(phase["label"])
    return CALENDAR_1976.label(phase) if _is_code(phase) else phase


def _is_code(text: str) -> bool:
    try:
        return bool(Phase.read(text))
    except ValueError:
        return False


FILTERS: Mapping[str, Callable[..., Any]] = {
    "deadline": deadline,
    "short": short,
    "written": _of_moment(times.written),
    "received": _of_moment(times.received),
    "yours": yours,
    "deadline_both": lambda moment: both(moment, deadline),
    "who": who,
    "everybody": everybody,
    "does": does,
    "capital": capital,
    "span": span,
    "against": against,
    "meaning": meaning,
    "title": title,
    "label": label,
    "many": many,
}
"""Name in templates -> how a fact is written."""
