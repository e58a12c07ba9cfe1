"""Authentication-Results fields (RFC 8601) of our own mail servers: what they say about a sender.

Anybody may write such a field, with our own server's name too. So a field counts only where no outsider can have put
it: above the Received line by which the mail entered our site. Where our server writes its own fields below that line,
it must be known to remove forged ones (`mail.verdicts`). A DMARC verdict decides alone; only where there is none do
aligned DKIM or SPF results speak. Verdicts that differ count as none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import authres
from authres import AuthenticationResultsHeader

from judge.mail.raw.addresses import read_address
from judge.mail.raw.fields import Fields
from judge.mail.raw.trace import entry, handed_over_by_us

AuthVerdict = Literal["pass", "fail", "none"]

DIFFER = "verdicts-differ"
_LONGEST = 4096


@dataclass(frozen=True, slots=True)
class Witness:
    """Our own mail servers: the name under which they judge senders, their hosts, and whether they write their verdicts
    `below` their own Received line.
    """

    authserv_id: str = ""
    trusted_mx: frozenset[str] = frozenset()
    below: bool = False


def judge_sender(
    fields: Fields, from_address: str | None, witness: Witness, peer: str | None = None
) -> tuple[AuthVerdict, str]:
    """('pass' | 'fail' | 'none', reason slug) for the domain of `from_address`.

    'pass' proves that the domain in From sent the mail, 'fail' that its checks spoke against it; 'none' proves nothing
    either way. `peer` is the host that handed us the mail. Never raises: a field that cannot be read proves nothing.
    """
    if not witness.authserv_id:
        return "none", "no-authserv-id-configured"
    if not handed_over_by_us(peer, witness.trusted_mx):
        return "none", "handed-over-by-a-stranger"
    values = list(_ours(fields, witness))
    if not values:
        return "none", "no-verdict-of-ours"
    if from_address is None:
        return "none", "no-single-sender"
    return _together([_read(value, from_address.rpartition("@")[2]) for value in values])


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


def _read(value: str, domain: str) -> tuple[AuthVerdict, str]:
    if len(value) > _LONGEST:
        return "none", "verdict-unreadable"
    try:
        header = AuthenticationResultsHeader.parse("Authentication-Results: " + value)
        return _decide(header.results or [], domain)
    except (authres.AuthResError, ValueError, IndexError, TypeError, AttributeError, RecursionError):
        return "none", "verdict-unreadable"


def _together(verdicts: list[tuple[AuthVerdict, str]]) -> tuple[AuthVerdict, str]:
    """What several fields say: each of our filters may write one of its own."""
    telling = [one for one in verdicts if one[0] != "none"]
    if len({verdict for verdict, _ in telling}) > 1 or any(reason == DIFFER for _, reason in verdicts):
        return "none", DIFFER
    return (telling or verdicts)[0]


def _decide(results: list[authres.AuthenticationResult], domain: str) -> tuple[AuthVerdict, str]:
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
    for method, kind, name in (("dkim", "header", "d"), ("dkim", "header", "i"), ("spf", "smtp", "mailfrom")):
        for result in results:
            passed = result.method == method and str(result.result).lower() == "pass"
            if passed and aligned(_property(result, kind, name), domain):
                return "pass", f"{method}-aligned"
    return "none", "nothing-aligned"


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
