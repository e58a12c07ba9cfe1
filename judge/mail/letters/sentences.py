"""The table of sentences in `templates/words`: for each key the sentence that puts its facts into words.

A file of the table holds one sentence a paragraph: its key, a colon, and the sentence as a template of Jinja that
sees the facts of that key; further lines are indented."""

from __future__ import annotations

import re
from pathlib import Path

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
