"""Tables of phrases, and how a sentence is compared with them: what people's own sentences mean is a table, not code.

A table says what something comes to, and the phrases for it. A row begins with a dash and is compared with a whole
sentence, word by word:

- `(a | b c)` one of these, `[a | b c]` one of them or nothing, and one may stand within the other; `a|b` by itself is
  one of these words
- `{a b}` any number of these words, in any order
- `...` up to eight words of any kind, `<any>` whatever else the sentence has, `<because>` a reason or nothing
- `<name>` one to eight words that are taken over into our line, `<name:kind>` what is of a kind (`KINDS`)

A comma may stand ahead of every word; other marks stand where a row has them. Rows are tried in their order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from operator import methodcaller

from judge.mail.script.phrases.patterns import ADDRESS

_ROW = re.compile(r"^\s*- ", re.MULTILINE)
_TOKEN = re.compile(
    r"<\w+(?::\w+)?>(?:'s)?|[:,](?=\s)|\{[^}]*\}|\.\.\.|[()\[\]|]|[^\s()\[\]|{}]+?(?=:?(?:[\s()\[\]|{}]|$))|\S"
)
KINDS = {
    "": r"\S+(?: \S+){0,7}",
    "word": r"[\w-]+",
    "name": r"[\w-]{3,}",
    "other": r"(?!me\b)[\w-]+",
    "count": r"\d+",
    "span": (
        r"(?:(?:another|\d{1,3}|an?|one|two|three|four|five|six|seven|ten|fourteen)\s+)+(?:(?:more|extra)\s+)?"
        r"(?:days?|hours?|weeks?)|\d{1,3}\s?[dhw]"
    ),
    "address": ADDRESS.pattern,
    "clause": r"[^,;(]+?",
    "part": r"[^,;.(]+?",
    "until": r"(?:until|till|for)\s+[^,;.(]+?",
    "till": r"(?:until|till)\s+[^,;.(]+",
    "setting": "moves|retreats|adjustments|builds|grace|reminders|zone|time ?zone|press|extensions",
    "text": ".+",
    "before": ".*[:;,.]",
    "elided": r"(?:all|l)'\S+(?: [^\s:;.!?]+){0,8}",
    "powers": r"[^\s:;.!?]+(?: [^\s:;.!?]+){0,9}",
    "when": r"[^;:!?]{1,40}?(?::\d\d(?: ?[a-z]{3,4})?)?",
    "length": r"(?:\d{1,3} ?[^\W\d_]+|[^\W\d_]+ [^\W\d_]+)",
    "phase": r"[^,;:!?]{3,30}",
    "key": r"[a-z][\w-]{1,31}",
    "named": r"[^,;:!?]{2,60}",
    "tongue": r"[^\W\d_]{3,20}",
    "zone": r"[\w/+-]{2,40}",
    "statement": r"(?!that\b|to\b|about\b|me\b|how\b|what\b|again\b)\w+ \w+ .+",
}
"""What is taken over: by default one to eight words; a `clause` ends at a comma, a `part` at a full stop too."""
_MARKS = (",", ":")
_FREE = {
    "...": r"(?:,? \S+){0,8}",
    "<any>": r"(?!\w).*",
    "<because>": r"(?:\s*(?:[,;.(–—-]|\b(?:because|since|as|so that|due to|for the reason)\b).*)?",
}


class Phrases:
    """The rows for one thing.

    >>> Phrases("- who [else] plays {here now}").says("Who plays now here")
    True
    """

    def __init__(self, rows: str, spelt: Callable[[str], str] = str) -> None:
        """`spelt`: what is done to a pattern so that words are read in other spellings too."""
        self._rows = [row for row in _ROW.split(rows) if row.strip()]
        self._spelt = spelt

    @cached_property
    def ways(self) -> tuple[re.Pattern[str], ...]:
        """Patterns of a sentence with a blank before it: one for all rows that take nothing over, else one each."""
        found = [self._spelt(_pattern(row)) for row in self._rows]
        together = found if any("(?P<" in one for one in found) else ["|".join(found)]
        return tuple(re.compile(one, re.IGNORECASE) for one in together)

    def says(self, sentence: str) -> bool:
        """Whether a sentence is one of the rows, as a whole."""
        return bool(sentence) and any(map(methodcaller("fullmatch", f" {sentence}"), self.ways))


def listed(text: str) -> frozenset[str]:
    """The words of a list, without blanks and ends of lines."""
    return frozenset(text.split())


def is_question(line: str) -> bool:
    """Whether a line ends in a question mark."""
    return line.rstrip(" \t\"'”’)!").endswith("?")


def phrase_table(rows: Mapping[str, str]) -> dict[str, Phrases]:
    """Phrases by what they come to."""
    return {what: Phrases(phrases) for what, phrases in rows.items()}


def meant(phrases: Mapping[str, Phrases], sentence: str) -> str:
    """What a sentence comes to by a table, "" for none of its rows."""
    return next((what for what, _ in taken(phrases, sentence)), "")


def taken(phrases: Mapping[str, Phrases], sentence: str) -> Iterator[tuple[str, dict[str, str]]]:
    """For each row of a table that a sentence is, what it comes to, and the words that it takes over.

    >>> list(taken(phrase_table({"my name {name}": "- (call me | my name (is|was)) <name>"}), "my name is Tom Jones"))
    [('my name {name}', {'name': 'Tom Jones'})]
    """
    text = f" {sentence}"
    for what, one in phrases.items() if sentence else ():
        for way in one.ways:
            if match := way.fullmatch(text):
                yield what, {name: words or "" for name, words in match.groupdict().items()}


def _pattern(row: str) -> str:
    tokens = _TOKEN.findall(row)
    found, at = "", 0
    while at < len(tokens):
        part, at = _part(tokens, at, ",? ")
        if tokens[at : at + 1] == ["|"]:
            words = [tokens[at - 1]]
            while tokens[at : at + 1] == ["|"]:
                words.append(tokens[at + 1])
                at += 2
            part = f"(?:,? (?:{'|'.join(map(re.escape, words))}))"
        found += part
    return found


def _part(tokens: list[str], at: int, blank: str) -> tuple[str, int]:
    """The pattern of what begins at a token, and the index after it. `blank`: what stands ahead of a word."""
    token = tokens[at]
    if token in ("(", "["):
        return _group(tokens, at + 1, blank)
    if token in _FREE:
        return _FREE[token], at + 1
    if token[0] == "{":
        return f"(?:{blank}(?:{'|'.join(map(re.escape, token[1:-1].split()))}))*", at + 1
    if token[0] == "<":
        name, _, kind = token.removesuffix("'s")[1:-1].partition(":")
        return f"{blank}(?P<{name}>{KINDS[kind]})" + "'s?" * token.endswith("'s"), at + 1
    if token in _MARKS:
        return f" ?{token}", at + 1
    return f"{blank}{re.escape(token)}", at + 1


def _group(tokens: list[str], at: int, blank: str) -> tuple[str, int]:
    """The alternatives from `at` on, down to the bracket that closes them."""
    ways, plain = [""], True
    while tokens[at] not in (")", "]"):
        if tokens[at] == "|":
            ways.append("")
            at += 1
            continue
        first = not ways[-1]
        plain = plain and not (first and (tokens[at] in ("(", "[", *_MARKS, *_FREE) or tokens[at][0] in "{<"))
        part, at = _part(tokens, at, blank if first else " ")
        ways[-1] += part
    if plain:
        ways = [f"{blank}(?:{'|'.join(way.removeprefix(blank) for way in ways)})"]
    return f"(?:{'|'.join(ways)})" + "?" * (tokens[at] == "]"), at + 1
