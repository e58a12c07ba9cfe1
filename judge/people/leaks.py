"""What gives an author away: his own name and addresses in the words that he wants to send without them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import combining, normalize

_SHORTEST = 4
"""Shorter words than this say nothing: half of all texts hold "Ed" or "Jo" somewhere."""

_COMMON = frozenset(
    (
        *("mail", "info", "post", "home", "work", "judge", "master", "player", "admin", "office", "king", "army"),
        *("france", "germany", "england", "austria", "italy", "turkey", "russia", "fleet", "north", "south", "east"),
    )
)
"""Words that stand in many addresses and in all press."""


def giveaways(text: str, names: Iterable[str], addresses: Iterable[str]) -> tuple[str, ...]:
    """The parts of `text` that name its author, as he would write them; empty if there are none.

    Whole names and addresses count, and each longer word of a name and of an address' local part.

    >>> giveaways("Trust me. -- J. Dupont", ["Jean Dupont"], ["jd@players.test"])
    ('Dupont',)
    >>> giveaways("Jean is a fine name", ["Jeanne Roi"], ["judge.fan@players.test"])
    ()
    """
    plain = _plain(text)
    found: dict[str, None] = {}
    for address in addresses:
        if address and _plain(address) in plain:
            found[address] = None
    for word in _words(names, addresses):
        named = _plain(word)
        if any(named in _plain(one) for one in found):
            continue
        if re.search(rf"(?<!\w){re.escape(named)}(?!\w)", plain):
            found[word] = None
    return tuple(found)


def _words(names: Iterable[str], addresses: Iterable[str]) -> Iterable[str]:
    locals_ = (address.rpartition("@")[0].partition("+")[0] for address in addresses)
    for source in (*names, *locals_):
        for word in re.split(r"[\s.,_+\-\d]+", source):
            if len(word) >= _SHORTEST and word.lower() not in _COMMON:
                yield word


def _plain(text: str) -> str:
    """In small letters and without accents: "Günther" is "gunther"."""
    return "".join(sign for sign in normalize("NFKD", text.casefold()) if not combining(sign))
