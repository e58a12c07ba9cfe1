"""Where a mail entered our site: the Received line that its first server of ours wrote (RFC 5321, 4.4).

What stands above that line was written by our own servers. What stands below it may have been written by anybody,
and so may every later line that looks as if we had written it.
"""

import re

from judge.mail.raw.fields import Fields

_BY = re.compile(r"\bby\s+([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f.:]{2,45}\])", re.IGNORECASE)
_IPV4 = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])")
_IPV6 = re.compile(r"(?<![\w:.])(?:ipv6:)?([0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7})(?![\w:.])", re.IGNORECASE)
_LOGGED = re.compile(r"\((?:[^()\[\]]*\s)?\[[^\[\]\s]+\]\)")
"""What a server writes of the client that it sees: a comment that ends with the address in brackets."""

OUR_MACHINE = frozenset({"unix", "127.0.0.1", "::1"})


def handed_over_by_us(peer: str | None, trusted_mx: frozenset[str]) -> bool:
    """Whether the host that handed us the mail is one of our servers, this machine, or a mailbox of ours (no peer)."""
    host = (peer or "").lower().strip("[]")
    return not host or host in OUR_MACHINE or host in _hosts(trusted_mx)


def entry(fields: Fields, trusted_mx: frozenset[str]) -> int | None:
    """The place, among all fields, of the Received line by which the mail entered our site; None if there is none.

    Without names of our servers that is the topmost one. With them it is the topmost one, too, or one further down as
    far as the lines above it say that one of ours took the mail from another of ours: by the client's address as our
    server saw it, never by the name that a client gave itself.
    """
    hosts = _hosts(trusted_mx)
    places = [(place, value) for place, (name, value) in enumerate(fields.items) if name == "received"]
    if not hosts:
        return places[0][0] if places else None
    found: int | None = None
    for place, value in places:
        if by_host(value) not in hosts:
            break
        found = place
        if not _from_ours(value, hosts):
            break
    return found


def _hosts(trusted_mx: frozenset[str]) -> frozenset[str]:
    return frozenset(host.lower().strip("[]") for host in trusted_mx)


def _from_ours(value: str, hosts: frozenset[str]) -> bool:
    """Whether our server took the mail from one of ours: it noted the client's address, and no other address than
    ours stands in the line.
    """
    trace = value.rpartition(";")[0] or value
    addresses = {found.lower() for found in (*_IPV4.findall(trace), *_IPV6.findall(trace))}
    return bool(_LOGGED.search(trace)) and bool(addresses) and addresses <= hosts | OUR_MACHINE


def by_host(received: str) -> str:
    """The host that says of itself that it wrote this Received line, in lower case; "" if none does.

    >>> by_host("from a.test (by mx.evil.test [192.0.2.7]) by MX.judge.test with ESMTP; Mon, 4 May 2026 19:55:00 +0200")
    'mx.judge.test'
    """
    trace = received.rpartition(";")[0] or received
    by = _BY.search(_uncommented(trace))
    return by[1].lower().strip("[]") if by else ""


def _uncommented(trace: str) -> str:
    """`trace` without comments: what the client called itself stands there and in `from`, and proves nothing."""
    kept: list[str] = []
    depth = 0
    for sign in trace:
        depth += sign == "("
        if not depth:
            kept.append(sign)
        depth -= sign == ")" and depth > 0
    text = "".join(kept)
    return text[text.lower().rfind(" by ") :] if " by " in text.lower() else text
