"""Supports and convoys in the word order of web sites: first what is done, then by whom.

"The army at Marseilles support move to Burgundy from Paris.", "F Nth convoy to Norway from London", "A Par support hold
to Marseilles". They are put into our order of words, which the readers know.
"""

from __future__ import annotations

import re

_WORDS = (
    (
        re.compile(
            r"\b(?P<does>supports?|convoys?)\s+(?:the\s+)?(?:move\s+|attack\s+)?to\s+(?P<to>[^,;]{2,40}?)\s+from\s+(?P<of>[^,;]{2,40})",
            re.IGNORECASE,
        ),
        r"\g<does> \g<of> to \g<to>",
    ),
    (
        re.compile(r"\bsupports?\s+hold\s+(?:(?:to|at|of|in|for)\s+)?(?P<of>[^,;]{2,40})", re.IGNORECASE),
        r"supports \g<of>",
    ),
)


def in_our_order(text: str) -> str:
    """A line with what sites write turned round; any other line as it is.

    >>> in_our_order("The army at Marseilles support move to Burgundy from Paris")
    'The army at Marseilles support Paris to Burgundy'
    >>> in_our_order("A Mar support hold to Paris"), in_our_order("A Mar S A Par - Bur")
    ('A Mar supports Paris', 'A Mar S A Par - Bur')
    """
    if "support" not in text.lower() and "convoy" not in text.lower():
        return text
    for pattern, ours in _WORDS:
        text = pattern.sub(ours, text, count=1)
    return text
