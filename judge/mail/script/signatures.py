"""Names below thanks and regards: a signature that no mark parts from the text."""

from __future__ import annotations

import re
from collections.abc import Iterable

_CLOSING = re.compile(
    r"(?:(?:many |best |kind |warm |warmest |with )?(?:thanks|thank you|thx|cheers|regards|wishes|greetings|best|love)"
    r"|yours|sincerely|ciao|tia|mfg|see you|take care|good luck|bye|so long|(?:viele |liebe )?grüße|gruß|saludos|saluti"
    r"|cordialement|amitiés)\b.{0,40}",
    re.IGNORECASE,
)
_NAME = re.compile(r"[-–—~]{0,2}\s*[^\W\d_][\w.'’-]*(?: \(?[^\W\d_][\w.'’)-]*){0,3}")
_BELOW_CLOSING = 2


def signatures(lines: Iterable[tuple[int, str]]) -> frozenset[int]:
    """The numbers of lines that are a name below thanks or regards.

    >>> sorted(signatures([(1, "A Par - Bur"), (2, "Kind regards,"), (3, "Anna Berger"), (4, "Berlin")]))
    [3, 4]
    """
    found, left = set(), 0
    for number, text in lines:
        line = text.strip()
        if _CLOSING.fullmatch(line):
            left = _BELOW_CLOSING
        elif left and _NAME.fullmatch(line) and line.lstrip("-–—~ ")[:1].isupper():
            found.add(number)
            left -= 1
        elif line:
            left = 0
    return frozenset(found)
