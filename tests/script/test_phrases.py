"""The words by which a line is understood stand in tables: a translation of them need look nowhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from judge.mail import script
from judge.mail.vocabulary import BY_NAME

OWN_FORMS = {
    "copies.py": "what our own letters and forms look like",
    "builder.py": "the lines of the older judges that have a password in them, and our own",
    "cursor.py": "the two words that our ballots print",
}
"""Files whose patterns are forms of mails and not what people say."""
_FEW = 5
"""Words of a form, say of a unit: army, fleet, hold."""
_WORD = re.compile(r"(?<![\\\w<])[a-z]{3,}")
_REASON = re.compile(r"[a-z]+(?:-[a-z]+)+")
_MAKES = ("compile", "frozenset", "listed", "Phrases", "phrase_table")


def _pattern_calls(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in _MAKES:
                yield node


def _words(call: ast.Call) -> list[str]:
    """The words in the texts of a call, but for reasons of our own ("no-such-game") and names of verbs."""
    texts = [one.value for one in ast.walk(call) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    said = [text for text in texts if not _REASON.fullmatch(text) and text not in BY_NAME]
    return [word for text in said for word in _WORD.findall(text)]


def test_a_reader_has_no_table_of_words_of_its_own() -> None:
    folder = Path(script.__file__).parent
    found = [
        f"{path.name}:{call.lineno}: {' '.join(words[:8])}"
        for path in sorted(folder.glob("*.py"))
        if path.name not in OWN_FORMS
        for call in _pattern_calls(ast.parse(path.read_text(encoding="utf-8")))
        if len(words := _words(call)) > _FEW
    ]
    assert not found, "\n".join(found)
