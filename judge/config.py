"""The configuration as one frozen value: what an operator decides; and its file, read with every mistake told at once
with its mend.

`deploy/judge.toml` documents every key. Unknown keys are errors with a did-you-mean: a misspelt key that is silently
ignored is a lost evening.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from judge.board.spelling import nearest
from judge.pace import Pace, read_span, read_zone
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
    """Answers of the judge in a day to people whom it does not know, all of them together."""
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


_WORDS = {str: "text in quotes", bool: "true or false", int: "a number", tuple[str, ...]: "a list of texts"}

SYSTEM_CONFIG = Path("/etc/judge/judge.toml")
"""Where a judge that is a service of its machine has its configuration."""


class Key(NamedTuple):
    """A key of a section: the field that it fills, what must stand in the file, and what makes the value of that."""

    field: str
    kind: Any
    read: Callable[[Any], Any] | None = None


def _keys_of(part: type[Any]) -> dict[str, Key]:
    return {name: Key(name, kind) for name, kind in get_type_hints(part, include_extras=True).items()}


def _sections() -> dict[str, dict[str, Key]]:
    found: dict[str, dict[str, Key]] = {}
    for name, kind in get_type_hints(Config, include_extras=True).items():
        for at in getattr(kind, "__metadata__", ()):
            if isinstance(at, At):
                section, _, key = at.key.partition(".")
                found.setdefault(section, {})[key] = Key(name, str if at.read else kind, at.read)
    return found | {"relay": _keys_of(Relay), "imap": _keys_of(Imap), "limits": _keys_of(Bounds)}


SECTIONS: Mapping[str, Mapping[str, Key]] = _sections()
"""Section -> the keys that it may have."""


def find_config(path: str | None, environ: Mapping[str, str] = os.environ) -> Path | None:
    """Which file counts: the one named, else $JUDGE_CONFIG, else ./var/judge.toml or the machine's, if it is there."""
    if path or environ.get("JUDGE_CONFIG"):
        return Path(path or environ["JUDGE_CONFIG"])
    return next((place for place in (Path("var/judge.toml"), SYSTEM_CONFIG) if place.exists()), None)


def load_config(path: Path | None) -> Config:
    """The configuration of a file; None: all defaults. Raises ConfigError with everything that is wrong."""
    if path is None:
        return Config(var=Path("var").resolve())
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: this is not valid TOML: {error}") from error
    return read_config(data, path)


def read_config(data: Mapping[str, Any], path: Path) -> Config:
    """The configuration of parsed TOML; relative paths count from the folder of the file."""
    wrong: list[str] = []
    values: dict[str, Any] = {"file": path.resolve()}
    for section, content in data.items():
        if section not in SECTIONS:
            wrong.append(f"[{section}] is no section{_did_you_mean(section, SECTIONS)}")
        elif section == "imap":
            values["imap"] = _mailboxes(content, wrong)
        elif section == "relay":
            values["relay"] = Relay(**_section(section, content, wrong))
        elif section == "limits":
            values["bounds"] = Bounds(**_section(section, content, wrong))
        else:
            values |= _section(section, content, wrong)
    _find_folders(values, path.resolve().parent, wrong)
    if bool(values.get("http_listen")) != bool(values.get("http_url")):
        wrong.append("http.listen and http.url belong together: letters name the url, and its clicks come to listen")
    if wrong:
        raise ConfigError(f"{path}:\n" + "\n".join(f"  {line}" for line in wrong))
    return Config(**values)


def _section(section: str, content: Any, wrong: list[str], title: str = "") -> dict[str, Any]:
    """Field -> value, for the keys of one section that are as they must be; `wrong` grows by a sentence for others."""
    title = title or section
    if not isinstance(content, dict):
        wrong.append(f"{section}: write a section [{section}]")
        return {}
    values: dict[str, Any] = {}
    for name, written in content.items():
        key = SECTIONS[section].get(name)
        if key is None:
            wrong.append(f"{title}.{name} is no key{_did_you_mean(name, SECTIONS[section])}")
            continue
        try:
            value = msgspec.convert(written, key.kind)
            values[key.field] = key.read(value) if key.read else value
        except msgspec.ValidationError:
            wrong.append(f"{title}.{name} must be {_must_be(key.kind)}")
        except ValueError as error:
            wrong.append(f"{title}.{name}: {error}")
    return values


def _must_be(kind: Any) -> str:
    """What must stand in the file, in words."""
    for meta in getattr(kind, "__metadata__", ()):
        if isinstance(meta, Meta) and meta.description:
            return meta.description
    return _WORDS[getattr(kind, "__origin__", kind) if get_origin(kind) is Annotated else kind]


def _mailboxes(content: Any, wrong: list[str]) -> tuple[Imap, ...]:
    if not isinstance(content, list):
        wrong.append("imap: write one [[imap]] section for each mailbox")
        return ()
    found: dict[str, Imap] = {}
    for entry in content:
        values = _section("imap", entry, wrong, "[[imap]]")
        missing = [name for name in ("host", "user", "password_file") if name not in values]
        if missing:
            wrong.append(f"[[imap]] lacks {', '.join(missing)}")
            continue
        box = Imap(**(values | {"name": values.get("name") or values["user"]}))
        if box.name in found:
            wrong.append(f'two [[imap]] sections bear the name "{box.name}": give each a name of its own')
        found[box.name] = box
    return tuple(found.values())


def _find_folders(values: dict[str, Any], home: Path, wrong: list[str]) -> None:
    """Make paths absolute; var is the file's own folder unless it says otherwise."""
    values["var"] = (home / values.get("var", "")).resolve()
    for name in ("maps", "templates"):
        if values.get(name):
            values[name] = (home / values[name]).resolve()
            if not values[name].is_dir():
                wrong.append(f"paths.{name}: there is no folder {values[name]}")


def secrets_missing(config: Config) -> list[str]:
    """What is wrong with the files that hold passwords and keys, a sentence for each."""
    files = [box.password_file for box in config.imap]
    files += [file for file in (config.relay.password_file, config.relay.dkim_key_file) if file]
    wrong = []
    for file in files:
        try:
            read_secret(file, config.var)
        except ConfigError as error:
            wrong.append(str(error))
    return wrong


def _did_you_mean(word: str, known: Any) -> str:
    near = nearest(word, known)
    return f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"


def read_secret(path: str, home: Path) -> str:
    """The first line of a secret's file. Raises ConfigError when it cannot be read."""
    file = home / path
    try:
        return file.read_text(encoding="utf-8").splitlines()[0].strip()
    except (OSError, IndexError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: the secret cannot be read; put it on the first line of that file") from error
