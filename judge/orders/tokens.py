"""The text of a line of orders cut into tokens: folded, without marks, word by word."""

from __future__ import annotations

import re
from html import unescape
from unicodedata import normalize

_FOLDED = str.maketrans(
    {
        **dict.fromkeys("–—−‐‑‒―⁃", "-"),
        **dict.fromkeys("→⇒➔➜➞⟶⇨►▶", ">"),
        **dict.fromkeys("←⇐⟵⟸↔⇔⟷", "<"),
        **dict.fromkeys("’‘´ʼ′", "'"),
        **dict.fromkeys("↛⇏⇸⇹↮⇎", "≠"),
        "；": ";",
        "，": ",",
    }
)
CROSSED = "≠"
"""The one mark for every arrow that denies its move: "!-", "-/->", "↛"."""
_TOKEN = re.compile(rf"[^\W\d_]+(?:'[^\W\d_]+)*|\d+|<[-<>]*|[->]+|[+,;:/()\[\]&#{CROSSED}]")
_SMILEY = re.compile(r"(?<=\s)[:;]'?(?:-[)(DPp]|[)(])(?=\s|$)")
_MISLABELLED = re.compile("\u00e2[\u0080\u20ac][\u0093\u0094\u201c\u201d]")
"""A dash of UTF-8 under the label of another character set: "â€“"."""

_DOTTED_COAST = re.compile(r"\b([nsew])\.c\b", re.IGNORECASE)
_BULLET = re.compile(r"[\s>*•·‣▪◦\-–—]+")
_CROSSED_ARROW = re.compile(r"![-=~]*>|![-=]+|[-=]+/+[-=]*>|[-=]/[-=]+|[-=]+[xX][-=]+>?")
_STRUCK_OUT = re.compile(r"~~(?=\S).*?\S~~|<(s|del|strike)>.*?</\1>|(?:[^\n]\u0336)+", re.IGNORECASE)
_STRIKES = re.compile(r"~~|</?(?:s|del|strike)>|\u0336", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{2,6}|#x[0-9a-f]{2,5}|[a-z]{2,8}\d?);", re.IGNORECASE)
_LETTERED = re.compile(
    r"(?:#\s?\d{1,3}[.):]?|\(?(?:[a-z]|[ivx]{2,4}|\d{1,3}\.)\)|[ivx]{2,4}\.|\d{1,3}(?:st|nd|rd|th)[.:)]?(?=\s)"
    r"|[a-z](?<![bdrw])[.:](?=\s)"
    r"|[bdrw][.:](?=\s.*(?:[->–—→]|\b(?:to|s|c|h|supports?|convoys?|holds?)\b))|\[[\sx✓\d]{0,3}\]|[①-⑳]|\d\ufe0f?\u20e3"
    r"|(?:no|nr)\.? ?\d{1,3}[.):]?|(?:order|unit|move) \d{1,3}[.):])"
    r"\s*(?=(?:a|f|army|fleet|the|my|build|remove)\b)",
    re.IGNORECASE,
)
""" "#1", "a)", "b.", "C:", "[x]", "iv.", "1st", "No. 1:", "Order 1:" before a unit; "B. A Par" alone builds."""
_NUMBERING = re.compile(r"\(?\d{1,3}(?:[.):\]/|]\s*|\s+(?!(?:w|waives?|pass)\b))(?=[^\W\d_(\[])", re.IGNORECASE)
_ANGLED = re.compile(r"<((?!(?:s|del|strike)>)\w[^<>]*(?:->[^<>]*)?)>\s*", re.IGNORECASE)
""" "<A Par - Bur>", as people who were shown a pattern write it."""
_TAG = re.compile(
    r"</?(?:[abipu]|em|strong|br|li|ul|ol|div|span|tt|pre|code|font|t[dr]|h[1-6])(?:\s+[\w-]+=[^<>]{0,200})?\s*/?>",
    re.IGNORECASE,
)
""" "<b>", "</li>": marks of a page that came as plain text; "<s>" strikes out."""
_LAST_MARKS = re.compile(rf"(?:[*`\s]|{_TAG.pattern}){{1,20}}$", re.IGNORECASE)
_ELISION = re.compile(r"\bl'(?=arm[ée]e)|(?:(?<=arm[ée]e )|(?<=flotte ))d'", re.IGNORECASE)
""" "L'armée d'Ankara"."""
_IS_NUMBERED = re.compile(r".{0,5}\)|.{1,4}\.|.:|(?:order|unit |move |no\.? )", re.IGNORECASE)
""" How a line that begins with a letter may begin, if the letter is a number of sorts: "b. A Par", "iv) A Par"."""
COMMENT = re.compile(r"//.*|(?:^|\s)#\s.*")


def fold(text: str) -> str:
    """A line with its dashes, arrows and quotes made plain; as long as before, so that positions stay true.

    >>> fold("F. Pic. – Bel. (s.c.)")
    'F. Pic. - Bel. (sc .)'
    """
    if ".c" in text or ".C" in text:
        text = _DOTTED_COAST.sub(r"\1c ", text)
    if "&" in text and ";" in text:
        text = _ENTITY.sub(_plain_mark, text)
    if "!" in text or "/" in text or "~~" in text or "x-" in text or "X-" in text:
        text = _STRUCK_OUT.sub(_blank, text)
        text = _CROSSED_ARROW.sub(lambda match: CROSSED.ljust(len(match[0])), text)
    if "<" in text and ">" in text:
        text = _TAG.sub(_blank, text)
    if ":" in text or ";" in text:
        text = _SMILEY.sub(lambda match: " " * len(match[0]), text)
    text = text if text.isascii() else _plain(text)
    return _ELISION.sub(_blank, text) if "'" in text else text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _plain_mark(match: re.Match[str]) -> str:
    """A mark that a program spelt for the web, "&gt;" or "&rarr;", as the mark; letters stay as they are."""
    sign = unescape(match[0])
    return match[0] if len(sign) != 1 or sign.isalnum() else sign.ljust(len(match[0]))


def unstruck(text: str) -> str:
    """A line without the marks that strike out its words, and with the words: what it spoke of."""
    return _STRIKES.sub(" ", text) if "~~" in text or "<" in text or "\u0336" in text else text


def is_struck(text: str) -> bool:
    """Whether words of a line are struck out."""
    return _STRUCK_OUT.search(text) is not None


def _plain(text: str) -> str:
    """Marks and letters of other shapes as those of a typewriter: "Ａ Ｐａｒ － Ｂｕｒ"."""
    if "\u0336" in text:
        text = _STRUCK_OUT.sub(_blank, text)
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
    begin = text[:1]
    if begin == "<" or text[-1:] in "*`>":
        text = _without_marks_of_pages(text)
        begin = text[:1]
    if begin.isalpha() and (text[1:2] == " " or not _IS_NUMBERED.match(text)):
        return text.rstrip()
    match = _BULLET.match(text)
    start = match.end() if match else 0
    number = _LETTERED.match(text, start) or _NUMBERING.match(text, start)
    return text[number.end() if number else start :].strip()


def _without_marks_of_pages(text: str) -> str:
    """A line without the marks of a page around it: "<li>", "**"; "<A Par - Bur>" is the pattern of an order."""
    while (match := _TAG.match(text)) is not None:
        text = text[match.end() :].lstrip()
    text = _LAST_MARKS.sub("", text)
    match = _ANGLED.fullmatch(text) if text[:1] == "<" else None
    return match[1] if match else text


def tokens_of(folded: str) -> list[str]:
    """The words and marks of a folded line, in small letters."""
    return _TOKEN.findall(folded.lower())


def token_spans(folded: str) -> list[tuple[int, int]]:
    """Where the tokens of `tokens_of` stand."""
    return [match.span() for match in _TOKEN.finditer(folded)]
