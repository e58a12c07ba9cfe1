"""Where the two versions of one mail, plain text and HTML, do not say the same."""

import re
from collections.abc import Iterable, Sequence

from judge.mail.lines import LineKind, TextLine

_MOST = 20
_WORD = re.compile(r"\w+")


def disagreement(text: Sequence[TextLine], html: Sequence[TextLine]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(the author's lines that only the text has, those that only the HTML has). Line breaks and marks do not count.

    Two versions without a word in one of them are no two versions.
    """
    if not text or not html:
        return (), ()
    in_text, in_html = _words(line.text for line in text), _words(line.text for line in html)
    if not in_text.strip() or not in_html.strip():
        return (), ()
    return _missing(text, in_html), _missing(html, in_text)


def _missing(lines: Sequence[TextLine], there: str) -> tuple[str, ...]:
    found = (line.text.strip() for line in lines if line.kind is LineKind.OWN)
    return tuple(dict.fromkeys(text for text in found if _words([text]).strip() and _words([text]) not in there))[
        :_MOST
    ]


def _words(texts: Iterable[str]) -> str:
    return " " + " ".join(word for text in texts for word in _WORD.findall(text.casefold())) + " "
