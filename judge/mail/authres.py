"""What mail servers and signatures prove of a mail: Authentication-Results (RFC 8601), DKIM (RFC 6376)."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import authres
from authres import AuthenticationResultsHeader

from judge.mail.raw.addresses import read_address
from judge.mail.raw.fields import Fields, entry, handed_over_by_us

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


AuthVerdict = Literal["pass", "fail", "none"]

DIFFER = "verdicts-differ"
_NOTHING = "nothing-aligned"
COVERS_PART = "signature-covers-part"
_SIGNED_AT_LEAST = ("from", "subject")
_LONGEST = 4096


@dataclass(frozen=True, slots=True)
class Witness:
    """Our own mail servers: the name under which they judge senders, their hosts, and whether they write their verdicts
    `below` their own Received line.
    """

    authserv_id: str = ""
    trusted_mx: frozenset[str] = frozenset()
    below: bool = False


class SenderVerdict(NamedTuple):
    """'pass' proves that the domain in From sent the mail, 'fail' that its checks spoke against it; 'none' proves
    nothing either way. `reason` is a slug; `proved` are the fields that a pass proves, of another verdict all of them.
    """

    auth: AuthVerdict
    reason: str
    proved: Fields


def judge_sender(
    fields: Fields, from_address: str | None, witness: Witness, peer: str | None = None, body: bytes = b""
) -> SenderVerdict:
    """The verdict of our own servers on the domain of `from_address`. `peer` is the host that handed us the mail,
    `body` what follows the fields, with LF. Never raises: a field that cannot be read proves nothing.
    """
    if not witness.authserv_id:
        return SenderVerdict("none", "no-authserv-id-configured", fields)
    if not handed_over_by_us(peer, witness.trusted_mx):
        return SenderVerdict("none", "handed-over-by-a-stranger", fields)
    values = list(_ours(fields, witness))
    if not values:
        return SenderVerdict("none", "no-verdict-of-ours", fields)
    if from_address is None:
        return SenderVerdict("none", "no-single-sender", fields)
    domain = from_address.rpartition("@")[2]
    results = [_results(value) for value in values]
    together = [result for one in results for result in one or ()]
    auth, reason = _together([_decide(one, domain) for one in results])
    if reason == _NOTHING and _only_failed(together):
        return SenderVerdict("fail", "spf-fail", fields)
    if auth != "pass" or _sent_by(together, domain):
        return SenderVerdict(auth, reason, fields)
    proved = covered_fields(fields, body, domain)
    if proved is None or any(fields.all(name) != proved.all(name) for name in _SIGNED_AT_LEAST):
        return SenderVerdict("none", COVERS_PART, fields)
    return SenderVerdict(auth, reason, proved)


def _ours(fields: Fields, witness: Witness) -> Iterator[str]:
    """The values of the fields that our own servers wrote."""
    place = entry(fields, witness.trusted_mx)
    if place is None:
        return
    later = (at for at, (name, _) in enumerate(fields.items) if at > place and name == "received")
    end = next(later, len(fields.items)) if witness.below else place
    for at, (name, value) in enumerate(fields.items[:end]):
        if name == "authentication-results" and _is_named(value, witness.authserv_id, exactly=at > place):
            yield value


def _is_named(value: str, authserv_id: str, *, exactly: bool) -> bool:
    """Whether a field bears our server's name; `exactly`: as it writes it, not in any form that means the same."""
    words = value.partition(";")[0].split()
    name = words[0] if words else ""
    return name == authserv_id if exactly else name.strip('"').lower() == authserv_id.lower()


def _results(value: str) -> list[authres.AuthenticationResult] | None:
    """What one field says; None if it cannot be read."""
    if len(value) > _LONGEST:
        return None
    try:
        return list(AuthenticationResultsHeader.parse("Authentication-Results: " + value).results or ())
    except (authres.AuthResError, ValueError, IndexError, TypeError, AttributeError, RecursionError):
        return None


def _together(verdicts: list[tuple[AuthVerdict, str]]) -> tuple[AuthVerdict, str]:
    """What several fields say: each of our filters may write one of its own."""
    telling = [one for one in verdicts if one[0] != "none"]
    if len({verdict for verdict, _ in telling}) > 1 or any(reason == DIFFER for _, reason in verdicts):
        return "none", DIFFER
    return (telling or verdicts)[0]


def _decide(results: list[authres.AuthenticationResult] | None, domain: str) -> tuple[AuthVerdict, str]:
    if results is None:
        return "none", "verdict-unreadable"
    dmarc = [result for result in results if result.method == "dmarc"]
    verdicts = {str(result.result).lower() for result in dmarc}
    against = sorted(verdicts - {"pass", "none"})
    if against and "pass" in verdicts:
        return "none", DIFFER
    if against:
        return "fail", f"dmarc-{against[0]}"
    if "pass" in verdicts:
        about = {_property(result, "header", "from") for result in dmarc if result.result.lower() == "pass"}
        if about <= {"", domain}:
            return "pass", "dmarc-pass"
        return "fail", "dmarc-pass-for-another-domain"
    return _by_alignment(results, domain)


def _by_alignment(results: list[authres.AuthenticationResult], domain: str) -> tuple[AuthVerdict, str]:
    if any(aligned(_signer(result), domain) for result in results if _passed(result, "dkim")):
        return "pass", "dkim-aligned"
    if _sent_by(results, domain):
        return "pass", "spf-aligned"
    return "none", _NOTHING


def _passed(result: authres.AuthenticationResult, method: str = "") -> bool:
    return result.method in (method or result.method,) and str(result.result).lower() == "pass"


def _only_failed(results: list[authres.AuthenticationResult]) -> bool:
    """Whether SPF failed and nothing passed."""
    failed = any(result.method == "spf" and str(result.result).lower() == "fail" for result in results)
    return failed and not any(_passed(result) for result in results)


def _signer(result: authres.AuthenticationResult) -> str:
    """The domain that signed (d=). A user of it (i=) may have any sub-domain, and speaks only where d= is not told:
    then it is within that domain (RFC 6376, 3.5).
    """
    return _property(result, "header", "d") or _property(result, "header", "i")


def _sent_by(results: list[authres.AuthenticationResult], domain: str) -> bool:
    """Whether the domain's own server handed the mail to ours."""
    passed = (result for result in results if _passed(result, "spf"))
    return any(aligned(_property(result, "smtp", "mailfrom"), domain) for result in passed)


def _property(result: authres.AuthenticationResult, kind: str, name: str) -> str:
    """The domain in a property such as header.d or smtp.mailfrom, in lower case; ''."""
    for one in result.properties:
        if one.type == kind and one.name == name:
            address = read_address("x@" + str(one.value).rpartition("@")[2])
            return address.partition("@")[2] if address else "?"
    return ""


def aligned(signer: str, domain: str) -> bool:
    """Does `signer` speak for mail from `domain`: the same domain, or one that it is a sub-domain of?

    Sub-domains do not speak for their parents: without a list of public suffixes that would let a tenant of a shared
    domain speak for its neighbours.

    >>> aligned("players.test", "mail.players.test"), aligned("evil.players.test", "players.test")
    (True, False)
    """
    return "." in signer and (domain == signer or domain.endswith("." + signer))
