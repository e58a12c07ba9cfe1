"""A language in which every word that is translated can be seen to be: its letters are those of another alphabet.

`Your orders` is `Шофс осгдст`: each letter of a message is exchanged for one of its own, so that words keep their
length, their capitals and their places, and facts, tags and names of files keep their letters. Whatever a letter then
says in ours has not been translated: it is somebody's own words, a name, an order or a line to be sent, or it is
forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from judge import resources
from judge.cli.translate import all_messages
from judge.mail.letters.translating import literals

CODE = "eo"
"""A language that nothing else is said in."""
_OURS, _THEIRS = "abcdefghijklmnopqrstuvwxyz", "абвгдежзийклмнопрстуфхцчшщ"
_MARKED = str.maketrans(_OURS + _OURS.upper(), _THEIRS + _THEIRS.upper())
_PLAIN = str.maketrans(_THEIRS + _THEIRS.upper(), _OURS + _OURS.upper())
_FACT = re.compile(r"\{\w*(?:![rs])?(?::[^{}]*)?\}")
_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<[^<>]*>|&\w+;|\\u[0-9a-f]{4}")
_TEMPLATES = ("letters", "words", "help")


def marked(text: str) -> str:
    """The text in the letters of the other alphabet."""
    return text.translate(_MARKED)


def plain(text: str) -> str:
    """The inverse of `marked`, to read what a letter says."""
    return text.translate(_PLAIN)


def _around(pattern: re.Pattern[str], text: str, within: Callable[[str], str]) -> str:
    """The text marked, but for what a pattern finds."""
    made, end = [], 0
    for match in pattern.finditer(text):
        made += [marked(text[end : match.start()]), within(match[0])]
        end = match.end()
    return "".join((*made, marked(text[end:])))


@cache
def styles() -> frozenset[str]:
    """Names of rules of the style sheet, which templates hand to one another."""
    sheet = (resources.folder("templates") / "style.css").read_text(encoding="utf-8")
    return frozenset(re.findall(r"\.([a-z-]+)", sheet))


def _of_template(line: str) -> str:
    def tag(text: str) -> str:
        for literal in reversed(list(literals(text, line)) if text.startswith("{") else []):
            if literal.text not in styles():
                text = text[: literal.start] + marked(literal.text) + text[literal.end :]
        return text

    if not re.search(r"\{[{%]", line) and re.search(r'" if |" ~ |\] if ', line):  # inside a tag of several lines
        return tag("{{" + line + "}}")[2:-2]
    return _around(_TAG, line, tag)


def write_catalogues(home: Path) -> None:
    """The catalogues of the marked language, `home`/CODE/*.po."""
    (home / CODE).mkdir(parents=True)
    for name, found in all_messages().items():
        catalog, made = Catalog(CODE), _of_template if name in _TEMPLATES else _of_answer
        for message in found:
            said = made(message) if isinstance(message, str) else tuple(map(made, message))
            catalog.add(message, said)
        with (home / CODE / f"{name}.po").open("wb") as file:
            write_po(file, catalog)


def _of_answer(message: str) -> str:
    return _around(_FACT, message, lambda fact: fact)
