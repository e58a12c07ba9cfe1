"""What gives an author away in words that they want to send without their name: their name and addresses, a signature,
a telephone number; and what of our own letters to them nobody else may read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from unicodedata import combining, normalize

from judge.wordbook import any_of, wordbooks

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
    """The parts of `text` that name its author, as they would write them; empty if there are none.

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


_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_TELEPHONE = re.compile(
    r"(?<![\w.])(?:\+|00)[1-9][\d ()/.-]{6,20}\d(?!\w)"
    r"|\b(?:tel|telephone|telefon|phone|mobile|mobil|cell|handy|fax|whatsapp|signal)\b[ .:]{0,3}"
    r"[\d+(][\d ()/.-]{5,20}\d",
    re.IGNORECASE,
)
_FAREWELL = re.compile(
    r"(?:(?:best|kind|warm|kindest|warmest|many|with)[ ,]{1,2}){0,2}"
    r"(?:regards|wishes|greetings|cheers|best|thanks|yours)(?: (?:truly|sincerely|faithfully|ever))?"
    rf"|(?:yours )?sincerely(?: yours)?|{any_of(wordbooks('phrases'), 'courtesies', 'farewell')}",
    re.IGNORECASE,
)
_ROLES = frozenset(
    (
        *("the", "of", "your", "his", "her", "king", "kaiser", "tsar", "czar", "emperor", "sultan", "pope", "duke"),
        *("archduke", "prince", "president", "minister", "chancellor", "ambassador", "admiral", "general", "friend"),
        *("ally", "neighbour", "neighbor", "government", "court", "foreign", "prime", "majesty", "count", "baron"),
    )
)
"""Words of a signature in character: the game is full of kings."""

_MOST_OF_A_NAME = 4
"""Words of a line that may be a name."""


def contacts(text: str, powers: Iterable[str] = ()) -> tuple[str, ...]:
    """Addresses, telephone numbers and signatures in a text, whoever they belong to.

    A name below a farewell counts, unless it is one of the game: a power's, or somebody's in character.

    >>> contacts("See you in Munich.\\n\\nBest wishes,\\nMarianne Latour\\n+33 6 12 34 56 78", ["France"])
    ('+33 6 12 34 56 78', 'Marianne Latour')
    >>> contacts("Best wishes,\\nThe Kaiser of Germany", ["Germany"])
    ()
    """
    found = [match[0].strip() for pattern in (_ADDRESS, _TELEPHONE) for match in pattern.finditer(text)]
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    known = {_plain(word) for power in powers for word in power.split()}
    for line, below in pairwise(lines):
        if _FAREWELL.fullmatch(line.rstrip(" ,.!-")) and _is_name(below, known):
            found.append(below)
    return tuple(dict.fromkeys(found))


def _is_name(line: str, known: set[str]) -> bool:
    words = line.strip(" ,.!-").split()
    if not 0 < len(words) <= _MOST_OF_A_NAME or not all(word[:1].isupper() for word in words):
        return False
    return all(word.rstrip(".").isalpha() and _plain(word) not in _ROLES | known for word in words)


_PROOF = re.compile(r"\bsha256 ?[0-9a-f]{64}\b|\byour mail, line by line\b")
_MARKS = re.compile(r"(?m)^[> |]{1,10}")


def is_ours(text: str, phrase: str, address: str) -> bool:
    """Whether a text holds what we wrote to its author alone: the check phrase, a receipt's proof, a reply address.

    `address`: our own, to which the token of a reply address is added. Line breaks and marks of quotation do
    not hide it.

    >>> is_ours("> Your check phrase: warm\\n> ridge 81 - if", "warm ridge 81", "judge@judge.test")
    True
    """
    local, _, domain = address.partition("@")
    plain = " ".join(_MARKS.sub("", text).split()).casefold()
    token = rf"\b{re.escape(local)}\+[a-z2-7]{{26,64}}@{re.escape(domain)}"
    return bool((phrase and phrase.casefold() in plain) or _PROOF.search(plain) or re.search(token, plain))


def _words(names: Iterable[str], addresses: Iterable[str]) -> Iterable[str]:
    locals_ = (address.rpartition("@")[0].partition("+")[0] for address in addresses)
    for source in (*names, *locals_):
        for word in re.split(r"[\s.,_+\-\d]+", source):
            if len(word) >= _SHORTEST and word.lower() not in _COMMON:
                yield word


def _plain(text: str) -> str:
    """In small letters and without accents: "Günther" is "gunther"."""
    return "".join(sign for sign in normalize("NFKD", text.casefold()) if not combining(sign))
