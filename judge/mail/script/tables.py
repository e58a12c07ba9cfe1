"""Tables drawn with bars, as Markdown has them: their rows as lines."""

from __future__ import annotations

_RULE = frozenset("|:+=- ")


def untabled(text: str) -> str:
    """A row of a table drawn with bars as one line, "" for a rule of it; any other line as it is.

    >>> untabled("| A Paris | - Burgundy |"), untabled("|------|:-----|"), untabled("| A Par - Bur")
    ('A Paris - Burgundy', '', '| A Par - Bur')
    """
    row = text.strip()
    if not row.startswith("|") or not row.endswith("|") or row.count("|") < 3:
        return text
    return "" if _RULE.issuperset(row) else " ".join(" ".join(row.split("|")).split())
