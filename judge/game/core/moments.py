"""Moments inside sentences: marks that are written out in a time zone only when a letter is composed.

A sentence carries a moment as a mark; `judge.report.core.times.spelled` writes it in the game's zone and the reader's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

_MARK = re.compile(r"<<([0-9T:.+-]+)>>")


def told(moment: datetime) -> str:
    """The mark of a moment, to be put into a sentence."""
    return f"<<{moment.astimezone(UTC).isoformat()}>>"


def replaced(text: str, spell: Callable[[datetime], str]) -> str:
    """The text with every mark spelled.

    >>> replaced(f"until {told(datetime(2027, 1, 9, tzinfo=UTC))}.", lambda at: f"{at:%d %b}")
    'until 09 Jan.'
    """
    return _MARK.sub(lambda match: spell(datetime.fromisoformat(match[1])), text)
