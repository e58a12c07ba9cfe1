"""The ways of the mail: the relay, the mailboxes, what our mail server writes into mail, and a mail to ourselves."""

from __future__ import annotations

import re
import smtplib
import ssl
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from imapclient import IMAPClient, SocketTimeout

from judge.cli.examine.finding import Diagnosis, look, ok, wrong
from judge.config import Config, Imap, Relay
from judge.config_file import read_secret
from judge.mail.authres import Witness, judge_sender
from judge.mail.raw.fields import Fields, by_host, entry, split_mail
from judge.service.core.house import House

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


def verdicts(house: House) -> Iterator[Diagnosis]:
    """What mail that really came says of mail.authserv_id, mail.verdicts and mail.trusted_mx."""
    config = house.config
    mails = list(_from_outside(house))
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


def _from_outside(house: House) -> Iterator[tuple[Fields, str | None]]:
    """The heads of the last mails that came by a server: not what was typed here, nor our own."""
    with house.store.read() as view:
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
    house: House,
    *,
    patience: timedelta,
    pause: Callable[[float], object] = time.sleep,
    tick: Callable[[], float] = time.monotonic,
) -> Diagnosis:
    """Send a mail to ourselves by the relay, and wait until a judge that runs has taken it in."""
    config, now = house.config, house.clock.now()
    if not config.relay.host:
        return look("round trip", "there is no relay to send by", "set relay.host")
    mark = f"<{_DOCTOR}{house.entropy(8).hex()}@{config.domain}>"
    began = tick()
    try:
        with _greeted(config.relay, config) as line:
            line.sendmail(config.address, [config.address], _note(config, mark, now))
    except _TROUBLE as error:
        return wrong("round trip", f"the relay does not take it: {error}", "mend [relay]; what it says is the reason")
    while tick() - began < patience.total_seconds():
        with house.store.read() as view:
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
