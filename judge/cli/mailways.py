"""What `judge doctor` finds outside of this machine: the names of the domain, the relay, the mailboxes, what our mail
server writes into mail, and a mail to ourselves.

MX, SPF, DKIM, DMARC, and the name of the sending address.
"""

from __future__ import annotations

import re
import smtplib
import ssl
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from enum import StrEnum
from typing import Protocol

import dns.exception
import dns.name
import dns.rdatatype
import dns.resolver
import dns.reversename
from imapclient import IMAPClient, SocketTimeout

from judge.cli.init import host_of, public_key
from judge.config import Config, ConfigError, Imap, Relay, read_secret
from judge.mail.authres import Witness, judge_sender
from judge.mail.raw.fields import Fields, by_host, entry, split_mail
from judge.service.core.judge import Judge


class Health(StrEnum):
    """`LOOK`: nothing is broken, but somebody should know; only `WRONG` makes the whole examination fail."""

    OK = "ok"
    LOOK = "look"
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One check: what was checked, how it is, what was found, and how to mend it ("" where there is nothing to)."""

    what: str
    health: Health
    say: str
    mend: str = ""

    @property
    def well(self) -> bool:
        """Whether nothing has to be done."""
        return self.health is not Health.WRONG


def ok(what: str, say: str) -> Diagnosis:
    """All is as it should be."""
    return Diagnosis(what, Health.OK, say)


def look(what: str, say: str, mend: str = "") -> Diagnosis:
    """Nothing is broken; somebody should know."""
    return Diagnosis(what, Health.LOOK, say, mend)


def wrong(what: str, say: str, mend: str) -> Diagnosis:
    """Something has to be done."""
    return Diagnosis(what, Health.WRONG, say, mend)


_LETTER = 2_000_000
"""Bytes that a letter with maps may have."""
_RECENT = 200
"""How many of the last mails are looked into."""
_TROUBLE = (OSError, smtplib.SMTPException)


def relay(config: Config) -> Diagnosis:
    """Whether the relay greets us, lets us in, and takes what we send."""
    server = config.relay
    if not server.host:
        return ok("relay", "none: letters go into local mailboxes (judge inbox ADDRESS)")
    where = f"{server.host}:{server.port}"
    try:
        with _greeted(server, config) as line:
            size = int(line.esmtp_features.get("size") or 0)
            utf8 = line.has_extn("smtputf8")
    except smtplib.SMTPAuthenticationError as error:
        return wrong("relay", f"{where} refuses our password: {_words(error.smtp_error)}", "mend relay.password_file")
    except _TROUBLE as error:
        return wrong("relay", f"{where} does not take our mail: {error}", "mend [relay], or start the mail server")
    if 0 < size < _LETTER:
        return wrong("relay", f"{where} takes {size} bytes at most; letters bring maps", "raise its message_size_limit")
    if not utf8:
        return look("relay", f"{where} lets us in, but writes to no address beyond ASCII (no SMTPUTF8)")
    return ok("relay", f"{where} lets us in")


def mailboxes(config: Config) -> Iterator[Diagnosis]:
    """Whether each mailbox can be read and has room."""
    for box in config.imap:
        try:
            yield _mailbox(box, config)
        except Exception as error:
            mend = "mend its [[imap]] section, or its password file"
            yield wrong(f"mailbox {box.name}", f"{box.host}: {_answer(error)}", mend)


def _answer(error: Exception) -> str:
    """What a server said; imaplib hands bytes on as they look in Python."""
    said = str(error)
    return said[2:-1] if said.startswith(("b'", 'b"')) else said


def _mailbox(box: Imap, config: Config) -> Diagnosis:
    what = f"mailbox {box.name}"
    password = read_secret(box.password_file, config.var)
    with IMAPClient(box.host, box.port, ssl=box.tls == "tls", timeout=SocketTimeout(10, 30)) as client:
        if box.tls == "starttls":
            client.starttls(ssl.create_default_context())
        client.login(box.user, password)
        waiting = client.select_folder(box.folder, readonly=True).get(b"EXISTS", 0)
        full = ""
        if client.has_capability("QUOTA"):
            for quota in client.get_quota(box.folder):
                if quota.limit and quota.usage > 0.8 * quota.limit:
                    full = f"{quota.usage} of {quota.limit} {quota.resource.lower()} are used"
    if full:
        return wrong(what, full, f"empty the folder {box.processed}: the judge keeps what it has taken itself")
    return ok(what, f"{waiting} mails wait there")


# --- what our mail server writes ----------------------------------------------------------------------------------


def verdicts(judge: Judge) -> Iterator[Diagnosis]:
    """What mail that really came says of mail.authserv_id, mail.verdicts and mail.trusted_mx."""
    config = judge.config
    mails = list(_from_outside(judge))
    if not mails:
        yield look("verdicts", "no mail from outside has come yet, so nobody can tell", "send the judge a mail: help")
        return
    witness = Witness(config.authserv_id, frozenset(config.trusted_mx), config.verdicts == "below")
    found = Counter(judge_sender(fields, _from(fields), witness, peer)[1] for fields, peer in mails)
    entered = [fields for fields, _ in mails if entry(fields, witness.trusted_mx) is not None]
    if config.trusted_mx and not entered:
        hosts = Counter(by_host(fields.all("received")[0]) for fields, _ in mails if fields.all("received"))
        name = hosts.most_common(1)[0][0] if hosts else "nobody"
        say = f"none of {', '.join(config.trusted_mx)} has written a Received line; {name} has"
        yield wrong("trusted relays", say, f'if {name} is ours: trusted_mx = ["{name}"] in [mail]')
    else:
        yield ok("trusted relays", f"{len(entered)} of the last {len(mails)} mails came in by a server of ours")
    yield _authserv(config, mails, found)


def _authserv(config: Config, mails: list[tuple[Fields, str | None]], found: Counter[str]) -> Diagnosis:
    seen = Counter(value.split(";")[0].strip() for fields, _ in mails for value in fields.all("authentication-results"))
    told = len(mails) - sum(found[reason] for reason in ("no-verdict-of-ours", "no-authserv-id-configured"))
    if not config.authserv_id:
        say = "mail.authserv_id is not set: players prove themselves by answering our letters"
        name = seen.most_common(1)[0][0] if seen else ""
        mend = f"if {name} is our server's filter: mail.authserv_id, as deploy/README.md says" if name else ""
        return look("verdicts", say, mend)
    if told:
        return ok("verdicts", f"{told} of the last {len(mails)} mails bear a verdict of {config.authserv_id}")
    if seen[config.authserv_id]:
        other = "above" if config.verdicts == "below" else "below"
        say = f"{config.authserv_id} writes its verdicts, but not where we look ({config.verdicts})"
        return wrong("verdicts", say, f'mail.verdicts = "{other}", if forged ones are removed; see deploy/README.md')
    say = f"none of the last {len(mails)} mails bears a verdict of {config.authserv_id}"
    names = f"; they bear those of {', '.join(sorted(seen))}" if seen else ""
    return wrong("verdicts", say + names, "mend mail.authserv_id, or start the filters (opendkim, opendmarc)")


def _from_outside(judge: Judge) -> Iterator[tuple[Fields, str | None]]:
    """The heads of the last mails that came by a server: not what was typed here, nor our own."""
    with judge.store.read() as view:
        last = sum(view.inbox.counts().values())
        rows = view.inbox.list(after_id=max(0, last - _RECENT), limit=_RECENT)
        raws = view.inbox.raws([row.id for row in rows if row.source != "http"])
    for row in rows:
        if row.id not in raws:
            continue
        fields, _, _ = split_mail(raws[row.id].replace(b"\r\n", b"\n"))
        if fields.all("received") and _DOCTOR not in (row.message_id or ""):
            yield fields, row.peer


def _from(fields: Fields) -> str | None:
    match = re.search(r"[^\s<>]+@[^\s<>]+", next(iter(fields.all("from")), ""))
    return match[0].lower() if match else None


# --- the whole way round ------------------------------------------------------------------------------------------

_DOCTOR = "doctor-"


def round_trip(
    judge: Judge,
    *,
    patience: timedelta,
    pause: Callable[[float], object] = time.sleep,
    tick: Callable[[], float] = time.monotonic,
) -> Diagnosis:
    """Send a mail to ourselves by the relay, and wait until a judge that runs has taken it in."""
    config, now = judge.config, judge.clock.now()
    if not config.relay.host:
        return look("round trip", "there is no relay to send by", "set relay.host")
    mark = f"<{_DOCTOR}{judge.entropy(8).hex()}@{config.domain}>"
    began = tick()
    try:
        with _greeted(config.relay, config) as line:
            line.sendmail(config.address, [config.address], _note(config, mark, now))
    except _TROUBLE as error:
        return wrong("round trip", f"the relay does not take it: {error}", "mend [relay]; what it says is the reason")
    while tick() - began < patience.total_seconds():
        with judge.store.read() as view:
            last = sum(view.inbox.counts().values())
            recent = view.inbox.list(after_id=max(0, last - _RECENT), limit=_RECENT)
        if any(row.message_id and mark.strip("<>") in row.message_id for row in recent):
            return ok("round trip", f"a mail to {config.address} came back after {tick() - began:.0f} s")
        pause(0.5)
    mend = "what became of it stands in the mail server's log; does a judge run, and does the MX name this machine?"
    return wrong("round trip", f"a mail to {config.address} was sent, and has not come back", mend)


def _note(config: Config, mark: str, now: datetime) -> bytes:
    note = EmailMessage(policy=SMTP)
    note["From"] = note["To"] = config.address
    note["Subject"], note["Message-ID"], note["Date"] = "From the doctor", mark, format_datetime(now)
    note["Auto-Submitted"] = "auto-generated"
    note.set_content("Does this come back? Nobody needs to answer.\n")
    return note.as_bytes()


def _greeted(server: Relay, config: Config) -> smtplib.SMTP:
    """A connection to the relay, as the judge would have it: greeted, in TLS, logged in."""
    context = ssl.create_default_context()
    if server.tls == "tls":
        line: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, server.port, local_hostname=config.domain, timeout=20, context=context
        )
    else:
        line = smtplib.SMTP(server.host, server.port, local_hostname=config.domain, timeout=20)
    try:
        line.ehlo()
        if server.tls == "starttls":
            line.starttls(context=context)
            line.ehlo()
        if server.user:
            line.login(server.user, read_secret(server.password_file, config.var))
    except BaseException:
        with suppress(OSError, smtplib.SMTPException):
            line.close()
        raise
    return line


def _words(said: bytes | str) -> str:
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else said


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
