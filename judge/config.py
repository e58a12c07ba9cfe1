"""The configuration as one frozen value: what an operator decides, and what each key of the file may hold.

`judge.config_file` reads the file; `deploy/judge.toml` documents every key.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from judge.pace import Pace
from judge.spans import read_span, read_zone
from judge.transport.listener import CannotListen, read_endpoint

Port = Annotated[int, Meta(ge=1, le=65_535, description="a number from 1 to 65535")]
Count = Annotated[int, Meta(ge=1, description="1 or more")]
Connections = Annotated[int, Meta(ge=1, le=20, description="a number from 1 to 20")]
Rate = Annotated[int, Meta(ge=0, description="0 (no limit) or more")]
Tls = Annotated[Literal["none", "starttls", "tls"], Meta(description="one of none, starttls, tls")]
Day = Annotated[date | None, Meta(description="a day without quotes, as 2027-01-08")]
LogFormat = Annotated[Literal["text", "json"], Meta(description="one of text, json")]

_SQLITE_FILE = re.compile(r"(?P<driver>sqlite(?:\+\w+)?:///)(?P<path>(?!/|:memory:|file:).+)")
_LINK = re.compile(r"https://[A-Za-z0-9.-]+(?::\d+)?(?:/[A-Za-z0-9._~/-]*)?")


class ConfigError(Exception):
    """Something in the configuration is wrong. The message lists every mistake, with the mend."""


def _points(text: str) -> Pace:
    """Points of the week: "Sunday 18:00", several parted by commas."""
    pace = Pace.read(text)
    if not pace.grid:
        raise ValueError(f'"{text}" is not a point of the week; write one like Sunday 18:00')
    return pace


def _points_or_none(text: str) -> Pace | None:
    """Points of the week, "" for none."""
    return _points(text) if text.strip() else None


def _retention(text: str) -> timedelta | None:
    """How long something is kept: "90d"; "" keeps it for ever."""
    return read_span(text) if text.strip() else None


def _folder(text: str) -> Path | None:
    """A folder of the operator's own; "": the judge's."""
    return Path(text) if text else None


def _verdicts(text: str) -> str:
    """Where our mail server writes its verdicts."""
    if text not in ("above", "below"):
        raise ValueError('write "above" or "below": where the verdicts stand, seen from the server\'s Received line')
    return text


def _endpoint(text: str) -> str:
    """Where to listen; "": nowhere."""
    try:
        return str(read_endpoint(text)) if text else ""
    except CannotListen as error:
        raise ValueError(str(error)) from error


def _link(text: str) -> str:
    """The beginning of an https link, without a slash at its end; "" for none."""
    if text and _LINK.fullmatch(text) is None:
        raise ValueError('must be an https:// address without "?", as in https://judge.example.org')
    return text.rstrip("/")


class At(NamedTuple):
    """Where the file has the value of a field of Config: "smtp.listen" is `listen` in the section [smtp].

    `read` makes the value of the key's text; it raises ValueError with a sentence.
    """

    key: str
    read: Callable[[str], Any] | None = None


@dataclass(frozen=True, slots=True)
class Imap:
    """One mailbox to fetch mail from."""

    name: str
    host: str
    user: str
    password_file: str
    port: Port = 993
    tls: Tls = "tls"
    folder: str = "INBOX"
    processed: str = "Processed"
    quarantine: str = "Quarantine"


@dataclass(frozen=True, slots=True)
class Relay:
    """Where outgoing mail goes; an empty host means local Maildirs under var/mail."""

    host: str = ""
    port: Port = 25
    user: str = ""
    password_file: str = ""
    tls: Tls = "none"
    connections: Connections = 4
    rate: Rate = 0
    hourly: Rate = 0
    provider_hourly: Rate = 0
    warm_up: Day = None
    dkim_selector: str = ""
    dkim_key_file: str = ""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much one mail, one sender and one day can make the judge say. `*_bytes` are of a letter's text."""

    unproved_answers: Count = 4
    """A day and address, to mails that nothing proves: whoever forges a sender turns us against that address."""
    strangers_a_day: Count = 200
    """Answers of the house in a day to people whom it does not know, all of them together."""
    unproved_bytes: Count = 8192
    unproved_lines: Count = 20
    answer_bytes: Count = 61_440
    echoed_lines: Count = 200
    commands: Count = 200
    """A mail; orders are not counted, and are never cut."""
    press_a_mail: Count = 20
    press_an_hour: Count = 60
    press_a_day: Count = 200
    """Pieces of press of one player in one game, not copies."""
    invitations_a_mail: Count = 40
    invitations_a_day: Count = 60
    """Letters of one Gamemaster to people who may never have heard of us."""


def _language(text: str) -> str:
    from judge import catalogues  # only where a language is set: small commands start faster without

    found = catalogues.named(text)
    if found is None:
        raise ValueError(f"letters can be had in: {', '.join(catalogues.shipped())}")
    return found.code


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that the operator decides. Paths are absolute."""

    file: Path | None = None
    domain: Annotated[str, At("judge.domain")] = "localhost"
    local_part: Annotated[str, At("judge.local_part")] = "judge"
    name: Annotated[str, At("judge.name")] = "Judge"
    language: Annotated[str, At("judge.language", _language)] = "en"
    gms: Annotated[tuple[str, ...], At("judge.gms")] = ()
    open_creation: Annotated[bool, At("judge.open_creation")] = False
    operator: Annotated[str, At("judge.operator")] = ""
    alarm: Annotated[tuple[str, ...], At("judge.alarm")] = ()
    weekly: Annotated[Pace | None, At("judge.weekly", _points_or_none)] = field(
        default_factory=lambda: _points("Monday 08:00")
    )
    demo: Annotated[bool, At("judge.demo")] = False
    var: Annotated[Path, At("paths.var", Path)] = Path("var")
    maps: Annotated[Path | None, At("paths.maps", _folder)] = None
    templates: Annotated[Path | None, At("paths.templates", _folder)] = None
    store_url: Annotated[str, At("store.url")] = "sqlite:///judge.db"
    smtp_listen: Annotated[str, At("smtp.listen", _endpoint)] = "127.0.0.1:8025"
    smtp_vouched: Annotated[bool, At("smtp.vouched")] = False
    lmtp_listen: Annotated[str, At("lmtp.listen", _endpoint)] = ""
    maildir: Annotated[str, At("maildir.watch")] = ""
    health_listen: Annotated[str, At("health.listen", _endpoint)] = ""
    browser_listen: Annotated[str, At("browser.listen", _endpoint)] = ""
    http_listen: Annotated[str, At("http.listen", _endpoint)] = ""
    http_url: Annotated[str, At("http.url", _link)] = ""
    imap: tuple[Imap, ...] = ()
    relay: Relay = field(default_factory=Relay)
    authserv_id: Annotated[str, At("mail.authserv_id")] = ""
    verdicts: Annotated[str, At("mail.verdicts", _verdicts)] = "above"
    aliases: Annotated[tuple[str, ...], At("mail.aliases")] = ()
    trusted_mx: Annotated[tuple[str, ...], At("mail.trusted_mx")] = ()
    max_bytes: Annotated[Count, At("mail.max_bytes")] = 524_288
    keep_raw: Annotated[timedelta | None, At("mail.keep_raw", _retention)] = None
    pictures: Annotated[bool, At("mail.pictures")] = True
    log: Annotated[LogFormat, At("log.format")] = "text"
    zone: Annotated[str, At("time.zone", read_zone)] = "UTC"
    backlog_window: Annotated[timedelta, At("time.backlog_window", read_span)] = timedelta(minutes=30)
    digest: Annotated[Pace, At("time.digest", _points)] = field(default_factory=lambda: _points("Sunday 18:00"))
    bounds: Bounds = field(default_factory=Bounds)

    @property
    def address(self) -> str:
        """The judge's own address."""
        return f"{self.local_part}@{self.domain}"

    @property
    def database(self) -> str:
        """The store's URL; the relative path of a SQLite file counts from var/."""
        return _SQLITE_FILE.sub(lambda found: f"{found['driver']}{self.var / found['path']}", self.store_url)
