"""Reasons of the judge's own that the log of a game keeps: in English, and told in the language of their reader."""

from __future__ import annotations

import re

from judge.languages import Recorded, tell, told_later
from judge.orders.spelled import listed

AWAY = told_later("the judge was away and is reading its mail first")
STORED = told_later("mail is being stored")
NOBODY_RECEIVES = told_later("no daemon takes mail in")
UNREACHABLE = told_later("mail cannot be fetched from {sources}")
UNREAD = told_later("mail of this game is not read yet, number {numbers}; to go on without it: {line}")
UNPROVED = told_later("mail {numbers} came in time, lacks proof and waits to be confirmed; to go on without it: {line}")
UNHEARD = told_later("the call for orders has not reached {names}")
OUT_OF_REACH = told_later("the judge was out of reach from {since} to {until} ({zone})")

_KEPT = Recorded(AWAY, STORED, NOBODY_RECEIVES, UNREACHABLE, UNREAD, UNPROVED, UNHEARD, OUT_OF_REACH)


def reason_told(reason: str) -> str:
    """A reason of ours in the language that is spoken; anybody else's as it is."""
    return _KEPT.told(reason, _fact)


def _fact(name: str, text: str) -> str:
    if name == "names":
        return listed(map(tell, re.split(", | and ", text)))
    return " ".join(map(tell, text.split())) if name in ("since", "until") else text
