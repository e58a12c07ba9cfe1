"""Letters are written in plain modern English: no archaic phrases, and verbs that agree with their numbers.

Both look at the templates, at the golden letters, and at what letters say in the conversations, where the sentences
that are made in code are met too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FEW = 120
"""Characters around a find that a failure shows."""

INSTEAD = {
    r"anew": "again",
    r"let it lie": "you can ignore this letter",
    r"the lot (?:has fallen|was drawn|gives you)": "the powers have been drawn",
    r"orders of then": "the orders that you gave then",
    r"not to be had|can be had": "not available; you can get",
    r"by return": "at once",
    r"for the asking": "if you ask",
    r"silence is nay|is silent says nay": "not voting counts as nay",
    r"(?:order|line) is asked back": "is sent back to be put right",
    r"lift(?:s|ed) the veil": "tells everybody who plays what",
    r"on account of": "because of",
    r"a chair is kept": "you have a seat",
    r"that were \d+": "that makes",
    r"orders or none": "whether orders are in or not",
    r"units? without an order stands?": "a unit without an order holds",
    r"stands? in civil disorder": "is in civil disorder",
    r"waits for (?:your|a) word": "waits for your answer; waits to be confirmed",
    r"whoever stands by": "the standbys",
    r"lest|thereof|whereof|hereof|albeit|forthwith|hitherto|henceforth|naught|whilst|save for": "a word of today",
    r"he|him|his|himself": "they, them, their: nobody knows who plays",
}
"""A phrase in lower case, which begins and ends with a word -> what to write instead."""

_ARCHAIC = re.compile(rf"\b(?:{'|'.join(INSTEAD)})\b")
_NO_SUCH = re.compile(r'"[^"\n]{1,40}" is no (?!longer|more)')
"""Of a word that was not understood: it "is not a phase"."""
_ONE = re.compile(
    r"(?<![\d/.,:-])\b1 (?!(?:less|was|is|has|across|always|plays|needs|sits|stands|waits|begins)\b)[a-z]{2,}s\b(?!')"
)
_SEVERAL = re.compile(r"(?<!owns )\b(?:[2-9]|[1-9]\d) [a-z]{3,}s (?:has|is|was|needs|stands|waits)\b")
_JOINED = re.compile(r"(?<!of )(?<!between )\b[A-Z][a-z]+ and [A-Z][a-z]+ (?:has|is|was|needs|stands|does)\b")
_PHASE = re.compile(r"(?:\|\s*title\s*\}\}|phase_title\})\"?\s*(?:f?\"\s*)?(?:is|was|has|does)\b")
"""A phase is several: "Fall 1901 moves are due"."""


@cache
def letters() -> tuple[tuple[str, str], ...]:
    """(file, text) of golden letters, and of the lines of conversations that letters must have."""
    found = [(path.name, path.read_text(encoding="utf-8")) for path in (ROOT / "tests/letters/golden").glob("*.mail")]
    for path in (ROOT / "tests/transcripts").rglob("*.mail"):
        lines = [line[3:] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("<- ")]
        found.append((path.name, "\n".join(line for line in lines if not line.lstrip().startswith(("|", ">")))))
    return tuple(found)


def finds(pattern: re.Pattern[str], texts: Iterator[tuple[str, str]]) -> list[str]:
    """What the pattern finds, with its file and the words around it."""
    return [
        f"{name}: {' '.join(text[max(0, match.start() - FEW // 2) : match.end() + FEW // 2].split())}"
        for name, text in texts
        for match in pattern.finditer(text)
    ]


def test_no_letter_has_a_phrase_that_nobody_writes_today() -> None:
    paths = (*(ROOT / "templates").rglob("*.txt"), *(ROOT / "templates").rglob("*.html"))
    plain = [
        (str(path.relative_to(ROOT)), re.sub(r"\{#.*?#\}", "", path.read_text(encoding="utf-8"))) for path in paths
    ]
    found = finds(_ARCHAIC, ((name, text.lower()) for name, text in (*plain, *letters())))
    assert found == [], f"write instead: {INSTEAD}"
    assert finds(_NO_SUCH, iter((*plain, *letters()))) == []


def test_numbers_and_verbs_agree() -> None:
    assert finds(_ONE, iter(letters())) == []
    assert finds(_SEVERAL, iter(letters())) == []
    assert finds(_JOINED, iter(letters())) == []


def test_a_phase_is_several() -> None:
    paths = (*(ROOT / "templates").rglob("*.txt"), *(ROOT / "judge").rglob("*.py"))
    texts = ((str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")) for path in paths)
    assert finds(_PHASE, texts) == []
