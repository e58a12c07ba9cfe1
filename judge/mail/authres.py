"""What our own mail server says of a sender: Authentication-Results (RFC 8601), read with suspicion.

Anybody may write such a field, so only the topmost one that bears our own server's name counts (that server removes
forged ones). A DMARC verdict decides alone; only where there is none do aligned DKIM or SPF results speak.
"""

from typing import Literal

import authres
from authres import AuthenticationResultsHeader

from judge.mail.raw.addresses import read_address
from judge.mail.raw.fields import Fields

AuthVerdict = Literal["pass", "fail", "none"]

_LONGEST = 4096


def judge_sender(fields: Fields, from_address: str | None, authserv_id: str) -> tuple[AuthVerdict, str]:
    """('pass' | 'fail' | 'none', reason slug) for the domain of `from_address`.

    'pass' proves that the domain in From sent the mail, 'fail' that its checks spoke against it; 'none' proves nothing
    either way. Never raises: a field that cannot be read proves nothing.
    """
    if not authserv_id:
        return "none", "no-authserv-id-configured"
    value = _topmost(fields, authserv_id)
    if value is None:
        return "none", "no-verdict-of-ours"
    if from_address is None:
        return "none", "no-single-sender"
    domain = from_address.rpartition("@")[2]
    try:
        header = AuthenticationResultsHeader.parse("Authentication-Results: " + value)
        return _decide(header.results or [], domain)
    except (authres.AuthResError, ValueError, IndexError, TypeError, AttributeError, RecursionError):
        return "none", "verdict-unreadable"


def _topmost(fields: Fields, authserv_id: str) -> str | None:
    for value in fields.all("authentication-results"):
        name = value.partition(";")[0].strip().strip('"').split()
        if name and name[0].lower() == authserv_id.lower():
            return value if len(value) <= _LONGEST else ""
    return None


def _decide(results: list[authres.AuthenticationResult], domain: str) -> tuple[AuthVerdict, str]:
    dmarc = [result for result in results if result.method == "dmarc"]
    verdicts = {str(result.result).lower() for result in dmarc}
    against = sorted(verdicts - {"pass", "none"})
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
    for entry in result.properties:
        if entry.type == kind and entry.name == name:
            address = read_address("x@" + str(entry.value).rpartition("@")[2])
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
