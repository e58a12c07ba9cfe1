"""The worst mails that one sender can write within the size that is read: name -> (text, whether it is proved)."""

from __future__ import annotations

import binascii
from collections.abc import Mapping

_WORDS = ("help", "status", "history", "list")
_PLACES = ("Paris", "Burgundy", "Marseilles", "Gascony", "Picardy", "Brest", "Munich", "Ruhr", "Belgium", "Holland")


def _typo(number: int) -> str:
    """A line that is nearly an order, of places misspelt in a way of its own."""
    one, other = _PLACES[number % 10], _PLACES[number // 10 % 10]
    at, letter = number // 100 % 5 + 1, chr(97 + number % 26)
    return f"A {one[:at]}{letter}{one[at + 1 :]} - {other[:at]}{chr(122 - number % 26)}{other[at:]}\n"


def _uuencoded(octets: int) -> str:
    """A file as old programs put it into the text."""
    data = bytes(number * 73 % 251 for number in range(octets))
    rows = (binascii.b2a_uu(data[at : at + 45]).decode() for at in range(0, octets, 45))
    return "begin 644 map.png\n" + "".join(rows) + "end\n"


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
    "1500 different typos": "".join(map(_typo, range(1500))),
    "help, status, history, list, rules x 500": "help\nstatus\nhistory\nlist\nrules\n" * 500,
    "uuencoded file": _uuencoded(105_000),
    "base64 file": "\n".join(["QSBQYXIgLSBCdXIKRiBCcmUgLSBNaWQKQSBNYXIgLSBTcGEKcHJlc3MgdG8gYWxsCmhlbGxv"] * 1500),
    "table of 2000 rows": "".join(f"{number};Paris;Burgundy;{number * 7}\n" for number in range(2000)),
    "1500 links": "".join(f"Read more at https://news.test/a/{number}?to=Paris\n" for number in range(1500)),
    "1500 questions": "".join(f"what is {place} {number}?\n" for number in range(150) for place in _PLACES),
    "one line of 60,000 letters": "A Par - Bur " * 5000,
    "2000 lines of other alphabets": "\u0410 \u041f\u0430\u0440 - \u0411\u0443\u0440 \u4eca\u65e5\u306f\n" * 2000,
    "2000 lines of prose": "I am out of the office until Monday and answer then.\n" * 1200,
}
"""Texts of mails; each is as long as the limits of the reader let a mail be, or nearly so."""
