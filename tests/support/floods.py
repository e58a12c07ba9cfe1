"""The worst mails that one sender can write within the size that is read: name -> (text, whether it is proved)."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS = ("help", "status", "history", "list")

FLOODS: Mapping[str, str] = {
    "help x 2000": "help\n" * 2000,
    "help, status, history, list x 500": "".join(f"{word}\n" for word in _WORDS) * 500,
    "help on 2000 topics": "".join(f"help topic{number}\n" for number in range(2000)),
    "history of 1000 spans": "".join(f"history {1901 + number % 90}\n" for number in range(1000)),
    "what if x 500": "what if A Par - Bur\n\n" * 500,
    "press x 667": "press to all\nhello\nend press\n" * 667,
    "2000 typo lines": "".join(f"A Prais - Burgnudy{number}\n" for number in range(2000)),
    "2000 orders of foreign units": "A Ber - Kie\n" * 2000,
    "2000 impossible orders": "".join(f"A Par - {place}\n" for place in ("Mos", "Ank", "Lon", "Rom")) * 500,
    "1500 if-lines": "if A Mun - Bur then A Par - Pic\n" * 1500,
    "1500 order lines": "A Par - Bur\nF Bre - MAO\nA Mar - Spa\n" * 500,
    "2000 near misses": "".join(f"pres tu all{number}\n" for number in range(2000)),
    "2000 settings": "set colour 1\n" * 2000,
    "2000 votes": "vote draw\nclear\nwait\nready\n" * 500,
    "2000 lines of prose": "I am out of the office until Monday and answer then.\n" * 1200,
}
"""Texts of mails; each is as long as the limits of the reader let a mail be, or nearly so."""
