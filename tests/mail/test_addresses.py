"""Two addresses are one exactly when they are one mailbox: the model is the rule of each part, said anew."""

from __future__ import annotations

import unicodedata

import idna
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.mail.raw.addresses import read_address
from judge.store.people import alike

LOCALS = st.sampled_from(
    ["anna", "Anna", "anna+x", "an-na", "an\u200dna", "an\u00adna", "ann\u00e1", "anna\u0301", "stra\u00dfe", "strasse",
     "STRASSE", "\u212aate", "kate", "\u0130vo", "ivo", "a b", 'a"b', "a\\b", "a@b"]
)  # fmt: skip
DOMAINS = st.sampled_from(
    ["players.test", "PLAYERS.test", "players.test.", "play\u200ders.test", "play\u00aders.test", "play\u200bers.test",
     "stra\u00dfe.test", "strasse.test", "xn--strae-oqa.test", "Stra\u00dfe.TEST", "fa\u00df.test", "fass.test",
     "\uff50layers.test", "b\u00fccher.test", "bu\u0308cher.test", "xn--bcher-kva.test",
     "\u03b2\u03cc\u03bb\u03bf\u03c2.test",
     "\u03b2\u03cc\u03bb\u03bf\u03c3.test"]
)  # fmt: skip
UNSEEN = "\u200d\u00ad\u200b"


def written(local: str, *, quoted: bool) -> str:
    plain = not set(local) & set(' "\\@')
    if plain and not quoted:
        return local
    return '"' + local.replace("\\", "\\\\").replace('"', '\\"') + '"'


def mailbox(local: str, domain: str) -> tuple[str, str] | None:
    """The mailbox by the rules: letters of the local part as they are (composed, ASCII without case), the domain as
    DNS asks for it; a domain with signs that nobody sees is none.
    """
    if set(domain) & set(UNSEEN):
        return None
    host = idna.encode(domain.rstrip("."), uts46=True, transitional=False).decode().lower()
    composed = unicodedata.normalize("NFC", local)
    return "".join(sign.lower() if sign.isascii() else sign for sign in composed), host


@settings(max_examples=400)
@given(st.tuples(LOCALS, DOMAINS, st.booleans()), st.tuples(LOCALS, DOMAINS, st.booleans()))
def test_addresses_fold_together_exactly_when_they_are_one_mailbox(
    first: tuple[str, str, bool], second: tuple[str, str, bool]
) -> None:
    (one, here, quoted), (other, there, quoted_too) = first, second
    left = read_address(f"{written(one, quoted=quoted)}@{here}")
    right = read_address(f"{written(other, quoted=quoted_too)}@{there}")
    meant, meant_too = mailbox(one, here), mailbox(other, there)
    assert (left is None, right is None) == (meant is None, meant_too is None)
    if left is not None and right is not None:
        assert alike(left, right) is (meant == meant_too)
