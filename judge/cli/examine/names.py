"""What the world can look up about the judge's domain: MX, SPF, DKIM, DMARC, and the name of the sending address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

import dns.exception
import dns.name
import dns.rdatatype
import dns.resolver
import dns.reversename

from judge.cli.dns import host_of, public_key
from judge.cli.examine.finding import Diagnosis, look, ok, wrong
from judge.config import Config, ConfigError

_PRIVATE = re.compile(r"(?:.*\.)?(?:localhost|test|example|invalid|local|internal|example\.(?:org|com|net))|[^.]+")
"""Domains that no public name server knows (RFC 2606, RFC 6761, RFC 6762)."""
_MEND = "judge dns prints the record to publish; a change is seen everywhere after an hour or so"


class Unanswered(Exception):
    """The name server could not be asked; nothing follows for the record."""


class Lookup(Protocol):
    """Asks for the records of a type; [] where there are none. Raises Unanswered."""

    def __call__(self, name: str, kind: str, /) -> list[str]:
        """The values: texts joined, names without the last dot."""
        ...


def resolver(nameserver: str = "") -> Lookup:
    """A lookup at the system's name servers, or at HOST or HOST:PORT."""
    found = dns.resolver.Resolver(configure=not nameserver)
    if nameserver:
        host, _, port = nameserver.partition(":")
        found.nameservers, found.port = [host], int(port or 53)
    found.lifetime = 6.0

    def lookup(name: str, kind: str, /) -> list[str]:
        try:
            answer = found.resolve(name, kind)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except (dns.exception.DNSException, OSError) as error:
            raise Unanswered(str(error) or type(error).__name__) from error
        return [_value(record) for record in answer]

    return lookup


def names(config: Config, lookup: Lookup, *, anyway: bool = False) -> Iterator[Diagnosis]:
    """What is published for the judge, each record with its mend."""
    if _PRIVATE.fullmatch(config.domain) and not anyway:
        yield ok("dns", f"{config.domain} is no name of the Internet: nothing to look up")
        return
    host = host_of(config)
    for what, check in (
        ("mx", _mx), ("spf", _spf), ("dkim", _dkim), ("dmarc", _dmarc), ("reverse dns", _reverse),
    ):  # fmt: skip
        try:
            yield check(config, host, lookup)
        except Unanswered as error:
            yield wrong(what, f"no name server answers ({error})", "mend /etc/resolv.conf, or try again with a network")


def _mx(config: Config, host: str, lookup: Lookup) -> Diagnosis:
    hosts = sorted(value.split()[-1] for value in lookup(config.domain, "MX"))
    if not hosts:
        return wrong("mx", f"{config.domain} has no MX record: mail to the judge finds no way", _MEND)
    missing = [name for name in hosts if not (lookup(name, "A") or lookup(name, "AAAA"))]
    if missing:
        return wrong("mx", f"the mail host {missing[0]} has no address", f"publish an A record for {missing[0]}")
    if not config.imap and host.lower() not in hosts:
        mend = f"publish an MX record for {host}, or name the host that is right in mail.authserv_id"
        return look("mx", f"mail goes to {', '.join(hosts)}, and this machine is {host}", mend)
    return ok("mx", f"mail for {config.domain} goes to {', '.join(hosts)}")


def _spf(config: Config, host: str, lookup: Lookup) -> Diagnosis:
    found = [text for text in lookup(config.domain, "TXT") if text.lower().split(" ")[0] == "v=spf1"]
    if not found:
        return wrong("spf", "there is no SPF record: big providers refuse our letters or call them spam", _MEND)
    if len(found) > 1:
        return wrong("spf", "there are two SPF records, which counts as none (RFC 7208, 3.2)", "remove all but one")
    words = found[0].lower().split()
    if any(word in ("+all", "all", "?all") for word in words):
        return wrong("spf", f'"{found[0]}" lets anybody send in our name', 'let it end in "-all"')
    if len(words) < 3 and words[-1].endswith("all"):
        return wrong("spf", f'"{found[0]}" lets nobody send in our name, not even us', _MEND)
    return ok("spf", found[0])


def _dkim(config: Config, host: str, lookup: Lookup) -> Diagnosis:
    if not config.relay.dkim_selector:
        mend = "set relay.dkim_selector and relay.dkim_key_file, if your mail server does not sign"
        return look("dkim", "we do not sign letters ourselves; does the relay?", mend)
    name = f"{config.relay.dkim_selector}._domainkey.{config.domain}"
    try:
        key = public_key(config)
    except ConfigError as error:
        return wrong("dkim", str(error), "make a key: openssl genrsa -out dkim.pem 2048")
    found = [re.sub(r"\s", "", text) for text in lookup(name, "TXT")]
    if not found:
        return wrong("dkim", f"{name} publishes no key: our signatures count as broken", _MEND)
    if not any(f"p={key}" in text for text in found):
        return wrong("dkim", f"{name} publishes another key than the one that we sign with", _MEND)
    return ok("dkim", f"{name} publishes our key")


def _dmarc(config: Config, host: str, lookup: Lookup) -> Diagnosis:
    domain = dns.name.from_text(config.domain)
    for name in (config.domain, domain.parent().to_text(omit_final_dot=True)):
        found = [text for text in lookup(f"_dmarc.{name}", "TXT") if text.replace(" ", "").startswith("v=DMARC1")]
        if found:
            return ok("dmarc", f"{found[0]} (of {name})")
    return wrong("dmarc", "there is no DMARC record: big providers ask for one", _MEND)


def _reverse(config: Config, host: str, lookup: Lookup) -> Diagnosis:
    if config.relay.host not in ("", "localhost", "127.0.0.1", "::1"):
        return ok("reverse dns", f"letters leave by {config.relay.host}, which sees to that")
    addresses = [*lookup(host, "A"), *lookup(host, "AAAA")]
    if not addresses:
        return wrong("reverse dns", f"{host} has no address", f"publish an A record for {host}")
    for address in addresses:
        called = lookup(dns.reversename.from_address(address).to_text(), "PTR")
        if host.lower() not in (name.lower() for name in called):
            mend = f"have whoever rents you the address {address} name it {host}"
            return wrong("reverse dns", f"{address} is called {', '.join(called) or 'nothing'}, not {host}", mend)
    return ok("reverse dns", f"{', '.join(addresses)} is {host}, and the other way round")


def _value(record: object) -> str:
    strings = getattr(record, "strings", None)
    if strings is not None:
        return b"".join(strings).decode("utf-8", "replace")
    return " ".join(word.rstrip(".") or "." for word in str(record).split())
