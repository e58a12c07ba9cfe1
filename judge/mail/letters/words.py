"""Facts in words: the sentences of `templates/words`, and the filters that they and letters use."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from judge.languages import tell
from judge.mail.letters.layout import GAP, keep
from judge.orders.spelled import listed
from judge.pace import spell_span
from judge.report.core import naming
from judge.report.core.naming import agreed, many
from judge.rules.reasons import meaning_in

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


def title(phase: Mapping[str, Any] | str) -> str:
    """A phase in words, from its fact (`report.core.facts.phase_fact`): "Fall 1901 moves". A text stays."""
    return str(phase["title"]) if isinstance(phase, Mapping) else phase


def label(phase: Mapping[str, Any] | str) -> str:
    """A phase for a subject: "F1901 Moves"."""
    return str(phase["label"]) if isinstance(phase, Mapping) else phase


_IN_ZINES = {
    ("Spring", "M"): "Spring", ("Spring", "R"): "Summer", ("Fall", "M"): "Fall", ("Fall", "R"): "Autumn",
    ("Winter", "A"): "Winter",
}  # fmt: skip
"""The season of a phase's title, and its kind -> what zines call it."""


def seasons(phases: Sequence[Mapping[str, str]]) -> str:
    """Phases of one year as zines head them; those of another calendar keep their titles.

    >>> fall = {"code": "F1903R", "title": "Fall 1903 retreats", "label": "F1903 Retreats"}
    >>> seasons([fall, {"code": "W1903A", "title": "Winter 1903 adjustments", "label": "W1903 Adjustments"}])
    "Autumn and Winter '03"
    """
    names = [_IN_ZINES.get((phase["title"].partition(" ")[0], phase["code"][-1])) for phase in phases]
    if all(names):
        return f"{listed(filter(None, names))} '{phases[0]['code'][3:5]}"
    return listed(phase["title"] for phase in phases)


Fact = Any
"""A moment ({"at", "zone", "own"}), somebody ({"what", "names"}), a code, a number; or a text, which stays."""


def worded(value: Fact) -> Fact:
    """The value, as the last check of what a template prints. Raises ValueError for a fact that was not put into
    words.
    """
    if isinstance(value, dict):
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
    """The moment in the reader's zone, "" where their clock shows the same."""
    if not isinstance(moment, Mapping):
        return ""
    return naming.theirs(datetime.fromisoformat(moment["at"]), moment["zone"], moment["own"])


def both(moment: Fact, form: Callable[[Fact], str]) -> str:
    """The moment as sentences have it: in the game's zone, the reader's in parentheses."""
    own = yours(moment)
    return tell("{moment} (yours: {theirs})", moment=form(moment), theirs=own) if own else form(moment)


def deadline(moment: Fact) -> str:
    """A deadline in the game's zone, with what is to be said beside it."""
    if not isinstance(moment, Mapping):
        return moment or ""
    note = f" - {moment['note']}" if moment["note"] else ""
    return naming.deadline(datetime.fromisoformat(moment["at"]), moment["zone"]) + note


def due(moment: Fact) -> str:
    """A deadline as a line of its own has it: in the game's zone, and behind a gap in the reader's."""
    own = yours(moment)
    return deadline(moment) + (f"{GAP}{keep(tell('yours: {theirs}', theirs=own))}" if own else "")


short = _of_moment(naming.short)


def who(one: Fact) -> str:
    """Somebody as the others call them: "France", "the Gamemaster", "seat 3"."""
    if not isinstance(one, Mapping):
        return str(one)
    names = list(one["names"])
    if one["what"] == "gm" and names:
        return tell("the Gamemaster's deputy {name}", name=names[0])
    if one["what"] in SOMEBODY:
        return tell(SOMEBODY[one["what"]])
    return tell("seat {number}", number=names[0]) if one["what"] == "seat" else listed(map(tell, names))


SOMEBODY = {
    "gm": "the Gamemaster",
    "judge": "the judge",
    "deputy": "the Gamemaster's deputy",
    "observer": "an observer",
    "editor": "an editor",
    "observers": "the observers",
    "editors": "the editors",
    "everybody": "everybody",
}


def everybody(several: Sequence[Fact]) -> str:
    """Several of them, as a sentence lists them: the powers of one seat are two of the list."""
    return listed([name for one in several for name in _each(one)])


def _each(one: Fact) -> Sequence[str]:
    if isinstance(one, Mapping) and one["what"] == "powers":
        return [tell(name) for name in one["names"]]
    return [who(one)]


def does(one: Fact, verb: str) -> str:
    """Somebody, or several, at the beginning of a sentence with the verb: "France has", "Austria and Italy have"."""
    return capital(do(one if isinstance(one, (list, tuple)) else [one], verb))


def _count(several: Sequence[Fact]) -> int:
    return sum(len(one["names"]) if isinstance(one, Mapping) and one["what"] == "powers" else 1 for one in several)


def verb(word: str, subjects: Sequence[Any]) -> str:
    """A verb in the third person, in the plural unless there is one subject: "has", "have"."""
    return agreed(word, len(subjects))


def do(several: Sequence[Fact], word: str) -> str:
    """Somebody, or several, with the verb, inside a sentence. Two powers of one seat count as two."""
    return f"{everybody(several)} {agreed(word, _count(several))}"


def because(reason: str) -> str:
    """The reason that somebody gave, as a sentence of its own to follow another; "" without one."""
    return " " + tell('Reason: "{reason}"', reason=reason.strip()) if reason.strip() else ""


def in_brief(text: str) -> str:
    """Somebody's words on one line, cut where they are long."""
    line = one_line(text)
    return line if len(line) <= 120 else f"{line[:117]}..."


def one_line(text: str) -> str:
    """A text without breaks and gaps."""
    return " ".join(text.split())


def why(reason: str) -> str:
    """The reason that somebody gave, after a colon; "" without one."""
    return f": {in_brief(reason)}" if reason.strip() else ""


def wishes(preferences: Sequence[Sequence[str]]) -> str:
    """A list of preferences, as it is written: "France, Germany = Austria"."""
    return ", ".join(" = ".join(rank) for rank in preferences) or tell("none")


def distance(minutes: int) -> str:
    """A length of time to the minute: "2 days and 3 hours"."""
    days, hours, rest = abs(minutes) // 1440, abs(minutes) // 60 % 24, abs(minutes) % 60
    parts = [many(n, word) for n, word in ((days, "day"), (hours, "hour"), (rest, "minute")) if n]
    return listed(parts) or tell("less than a minute")


def apart(moment: Fact, was: Fact) -> str:
    """How far a moment is from the one that it replaces: "3 days later"; "" if they are the same, or `was` is ""."""
    if not was:
        return ""
    return naming.apart(datetime.fromisoformat(was["at"]), datetime.fromisoformat(moment["at"]), moment["zone"])


def ends(results: Sequence[str]) -> str:
    """The results of an order, in the list of changed orders."""
    return listed(tell("succeeds" if result == "ok" else result) for result in results) or tell("not ordered")


def capital(text: str) -> str:
    """The text with a capital first."""
    return text[:1].upper() + text[1:]


def span(seconds: Fact) -> str:
    """A length of time: "2 days"."""
    return seconds if isinstance(seconds, str) else spell_span(timedelta(seconds=seconds))


def against(strengths: Sequence[int]) -> str:
    """Attack and defence: "2 against 1"; a line never ends inside."""
    return keep(tell("{attack} against {defence}", attack=strengths[0], defence=strengths[1]))


def meaning(code: str) -> str:
    """The code of a reason in the words of the rules; a system's own code without its hyphens."""
    return tell(meaning_in("", code))


def upcast(view: dict[str, Fact]) -> dict[str, Fact]:
    """A view, or a part of one, that was frozen with moments as texts: the reader's own beside the game's."""
    if _READERS_OWN.isdisjoint(view):
        return view
    for name in _READERS_OWN & view.keys():
        base = "due" if name == "own" else name.removesuffix("_own")
        if isinstance(view.get(base), str) and (own := view.pop(name)):
            view[base] += f" (yours: {own})"
    return view


_READERS_OWN = frozenset({"own", "due_own", "begins_own", "grace_own", "orders_own"})
"""Where views that were frozen with texts had the reader's own time; today "own" stands without a text beside it."""


def spelled(label: str) -> str:
    """The code of a label as letters print it: "PUT RIGHT"."""
    return tell(label.replace("-", " ").upper())


def state(code: str) -> str:
    """How orders stand, in the words of the desk."""
    return tell({"missing": "nothing sent"}.get(code, code))


def vote_number(vote: Mapping[str, Any]) -> str:
    """A vote among others: "no. 3 (draw)"."""
    return tell("no. {number} ({kind})", number=vote["number"], kind=tell(vote["kind"]))


def note(code: str) -> str:
    """What a reader of orders put right."""
    return tell(NOTES.get(code, code.replace("-", " ")))


NOTES = {
    "wrong-unit-letter": "unit letter put right",
    "coast-supplied": "the only coast in reach",
    "coast-ignored": "the coast does not matter here",
    "words-ignored": "some words were not needed",
    "via-ignored": "it goes by land; VIA is not needed",
    "stays": "as ordered before",
    "expanded": "written out for each unit",
    "kept": "nothing was on file for it",
    "same-line-twice": "the last order for a unit counts",
}


def which(lines: Sequence[int]) -> str:
    """Lines of a mail by number, with their verb: "lines 2 and 4 were"; number 0 is the subject."""
    if list(lines) == [0]:
        return tell("the subject was")
    named = listed(str(number) if number else tell("the subject") for number in lines)
    return tell("line {lines} was", lines=named) if len(lines) == 1 else tell("lines {lines} were", lines=named)


def counted(counts: Mapping[str, int]) -> str:
    """How many of each: "2 refused and 1 ignored"."""
    return listed(f"{count} {tell(word)}" for word, count in counts.items())


def voters(names: Sequence[str]) -> str:
    """Who voted so, seat by seat; seats with several powers are told apart: "England and France; Germany"."""
    several = any(" and " in name for name in map(str, names))
    return ("; " if several else ", ").join(map(str, names))


FILTERS: Mapping[str, Callable[..., Any]] = {
    "told": lambda word: tell(word) if isinstance(word, str) else word,
    "deadline": deadline,
    "due": due,
    "short": short,
    "of_day": _of_moment(naming.of_day),
    "written": _of_moment(naming.written),
    "written_both": lambda moment: both(moment, _of_moment(naming.written)),
    "received": _of_moment(naming.received),
    "yours": yours,
    "deadline_both": lambda moment: both(moment, deadline),
    "who": who,
    "everybody": everybody,
    "does": does,
    "do": do,
    "because": because,
    "in_brief": in_brief,
    "one_line": one_line,
    "why": why,
    "wishes": wishes,
    "distance": distance,
    "apart": apart,
    "ends": ends,
    "capital": capital,
    "agreed": verb,
    "span": span,
    "against": against,
    "spelled": spelled,
    "state": state,
    "note": note,
    "which": which,
    "counted": counted,
    "voters": voters,
    "vote_number": vote_number,
    "meaning": meaning,
    "title": title,
    "label": label,
    "seasons": seasons,
    "many": many,
}
"""Name in templates -> how a fact is written."""
