"""Verbs of proxies: let another player order one's units for a phase, and end that."""

from __future__ import annotations

import re

from judge.game.table.proxies import GiveProxy
from judge.mail.vocabulary.clauses import alone, missing, plain
from judge.mail.vocabulary.model import PLAYERS, Clause, Reading, Unclear, Verb
from judge.mail.vocabulary.powers import read_power

_NOBODY = ("off", "none", "nobody", "no more", "end")


def _proxy(clause: Clause) -> Reading:
    """`proxy POWER`, `proxy off`."""
    name = plain(re.sub(r"^\s*(?:to|for)\b", "", clause.rest, flags=re.IGNORECASE))
    if name.lower() in _NOBODY:
        return GiveProxy()
    if not name:
        return missing("The power", "proxy Germany")
    power = read_power(name, clause.around.board)
    return power if isinstance(power, Unclear) else GiveProxy(power)


VERBS: tuple[Verb, ...] = (
    Verb(
        "proxy",
        words=("proxy", "proxy to", "give proxy", "give proxy to"),
        summary="Let another player order your units too until this phase is processed (they write `order as`).",
        usage=("proxy POWER", "proxy off"),
        example="proxy Germany",
        read=_proxy,
        roles=PLAYERS,
        risky=True,
        topic="proxies",
    ),
    Verb(
        "no proxy",
        words=("no proxy", "end proxy", "revoke proxy"),
        summary="End the proxy that you gave; what was filed with it stands.",
        usage=("no proxy",),
        example="no proxy",
        read=alone(GiveProxy(), "no proxy"),
        roles=PLAYERS,
        risky=True,
        topic="proxies",
    ),
)
"""The rows, in the order in which help prints them."""
