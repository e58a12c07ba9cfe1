"""The text of a line of orders cut into tokens: folded, without marks, word by word."""

from __future__ import annotations

import re
from unicodedata import normalize

_FOLDED = str.maketrans(
    {
        **dict.fromkeys("–—−‐‑‒―⁃", "-"),
        **dict.fromkeys("→⇒➔➜➞⟶⇨►▶", ">"),
        **dict.fromkeys("←⇐⟵⟸↔⇔⟷", "<"),
        **dict.fromkeys("’‘´ʼ′", "'"),
        "；": ";",
        "，": ",",
    }
)
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|\d+|<[-<>]*|[->]+|[+,;:/()\[\]&#]")
_SMILEY = re.compile(r"(?<=\s)[:;]'?(?:-[)(DPp]|[)(])(?=\s|$)")
_MISLABELLED = re.compile("\u00e2[\u0080\u20ac][\u0093\u0094\u201c\u201d]")
"""A dash of UTF-8 under the label of another character set: "â€“"."""

_DOTTED_COAST = re.compile(r"\b([nsew])\.c\b", re.IGNORECASE)
_BULLET = re.compile(r"[\s>*•·‣▪◦\-–—]+")
_NUMBERING = re.compile(r"\(?\d{1,3}(?:[.):\]]\s*|\s+)(?=[^\W\d_(\[])(?!\s*(?:w|waives?|pass)\b)", re.IGNORECASE)
COMMENT = re.compile(r"//.*|(?:^|\s)#\s.*")


def fold(text: str) -> str:
    """A line with its dashes, arrows and quotes made plain; as long as before, so that positions stay true.

    >>> fold("F. Pic. – Bel. (s.c.)")
    'F. Pic. - Bel. (sc .)'
    """
    if ".c" in text or ".C" in text:
        text = _DOTTED_COAST.sub(r"\1c ", text)
    if ":" in text or ";" in text:
        text = _SMILEY.sub(lambda match: " " * len(match[0]), text)
    return text if text.isascii() else _plain(text)


def _plain(text: str) -> str:
    """Marks and letters of other shapes as those of a typewriter: "Ａ Ｐａｒ － Ｂｕｒ"."""
    text = _MISLABELLED.sub("---", text).translate(_FOLDED)
    if text.isascii():
        return text
    return "".join(plain if len(plain := normalize("NFKC", sign)) == 1 else sign for sign in text).translate(_FOLDED)


def strip_marks(text: str) -> str:
    """A line without bullets, numbering and comments.

    >>> strip_marks(" * 1. F Lon - Nth // go")
    'F Lon - Nth'
    """
    if "//" in text or "#" in text:
        text = COMMENT.sub("", text)
    if text[:1].isalpha():
        return text.rstrip()
    match = _BULLET.match(text)
    start = match.end() if match else 0
    number = _NUMBERING.match(text, start)
    return text[number.end() if number else start :].strip()


def tokens_of(folded: str) -> list[str]:
    """The words and marks of a folded line, in small letters."""
    return _TOKEN.findall(folded.lower())


def token_spans(folded: str) -> list[tuple[int, int]]:
    """Where the tokens of `tokens_of` stand."""
    return [match.span() for match in _TOKEN.finditer(folded)]
