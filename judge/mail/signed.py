"""What DKIM signatures cover of a mail (RFC 6376): only that is proved by them.

Our own mail server has checked the signatures; what it does not say is how much of the mail they are about. Somebody
who passes a signed mail on may write below what `l=` counts, may add a Cc that `h=` does not name, or a second To.
"""

import re
from collections import Counter
from collections.abc import Iterator

from judge.mail.raw.fields import Fields

_SPACE = re.compile(rb"[ \t]+")
_MOST = 20
"""Signatures that are looked at; a mail with more proves nothing by them."""


def covered_fields(fields: Fields, body: bytes, domain: str) -> Fields | None:
    """The fields that every signature for `domain` covers; None if some of the text (LF for line ends) is left out.

    Without any such signature that is all of them: then our server's word rests on something else.
    """
    signatures = list(_signatures(fields, domain))
    if not signatures:
        return fields
    if len(signatures) > _MOST or not all(_covers(tags, body) for tags in signatures):
        return None
    named = [Counter(tags.get("h", "").replace(" ", "").lower().split(":")) for tags in signatures]
    left = Counter({name: min(names[name] for names in named) for name in named[0]})
    kept: list[tuple[str, str]] = []
    for name, value in reversed(fields.items):  # of several fields of one name, signatures take the lowest first
        if left[name] > 0:
            left[name] -= 1
            kept.append((name, value))
    return Fields(tuple(reversed(kept)))


def _signatures(fields: Fields, domain: str) -> Iterator[dict[str, str]]:
    """The tags of the signatures that may have been counted for `domain`: its own, and those of its kin."""
    for value in fields.all("dkim-signature"):
        tags = {name.strip(): " ".join(text.split()) for name, _, text in map(_tag, value.split(";"))}
        if _kin(tags.get("d", "").lower(), domain):
            yield tags


def _tag(text: str) -> tuple[str, str, str]:
    return text.partition("=")


def _kin(signer: str, domain: str) -> bool:
    return signer.split(".")[-2:] == domain.split(".")[-2:]


def _covers(tags: dict[str, str], body: bytes) -> bool:
    """Whether a signature covers the whole text: it counts no letters of it, or all of them."""
    if "l" not in tags:
        return True
    counted = tags["l"].replace(" ", "")
    relaxed = tags.get("c", "").replace(" ", "").partition("/")[2] == "relaxed"
    return (
        counted.isascii() and counted.isdigit() and len(counted) < 9 and int(counted) >= _length(body, relaxed=relaxed)
    )


def _length(body: bytes, *, relaxed: bool) -> int:
    """How many bytes of a text are signed: canonical, with CRLF (RFC 6376, 3.4.3 and 3.4.4)."""
    lines = body.split(b"\n")
    if relaxed:
        lines = [_SPACE.sub(b" ", line).rstrip(b" ") for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    return sum(len(line) + 2 for line in lines)
