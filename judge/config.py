"""The configuration: one TOML file, read once into one frozen Config. `deploy/judge.toml` documents every key.

Unknown keys are errors with a did-you-mean: a misspelt key that is silently ignored is a lost evening.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import timedelta
from pathlib import Path
from typing import Any

from judge.board.spelling import nearest
from judge.game.settings.pace import Pace
from judge.game.settings.spans import read_span, read_zone
from judge.transport.listener import CannotListen, read_endpoint


def read_points(text: str) -> Pace:
    """Points of the week: "Sunday 18:00", several parted by commas. Raises ValueError."""
    pace = Pace.read(text)
    if not pace.grid:
        raise ValueError(f'"{text}" is no point of the week; write one like Sunday 18:00')
    return pace


class ConfigError(Exception):
    """Something in the configuration is wrong. The message lists every mistake, with the mend."""


@dataclass(frozen=True, slots=True)
class Imap:
    """One mailbox to fetch mail from."""

    name: str
    host: str
    user: str
    password_file: str
    port: int = 993
    tls: str = "tls"
    folder: str = "INBOX"
    processed: str = "Processed"
    quarantine: str = "Quarantine"


@dataclass(frozen=True, slots=True)
class Relay:
    """Where outgoing mail goes; an empty host means local Maildirs under var/mail."""

    host: str = ""
    port: int = 25
    user: str = ""
    password_file: str = ""
    tls: str = "none"
    rate: int = 0
    dkim_selector: str = ""
    dkim_key_file: str = ""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much one mail, one sender and one day can make the judge say. `*_bytes` are of a letter's text."""

    unproved_answers: int = 4
    """A day and address, to mails that nothing proves: whoever forges a sender turns us against that address."""
    unproved_bytes: int = 8192
    unproved_lines: int = 20
    answer_bytes: int = 61_440
    echoed_lines: int = 200
    commands: int = 200
    """A mail; orders are not counted, and are never cut."""
    press_a_mail: int = 20
    press_an_hour: int = 60
    press_a_day: int = 200
    """Pieces of press of one player in one game, not copies."""


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that the operator decides. Paths are absolute."""

    file: Path | None = None
    domain: str = "localhost"
    local_part: str = "judge"
    name: str = "Judge"
    gms: tuple[str, ...] = ()
    open_creation: bool = False
    operator: str = ""
    demo: bool = False
    var: Path = Path("var")
    maps: Path | None = None
    templates: Path | None = None
    store_url: str = ""
    smtp_listen: str = "127.0.0.1:8025"
    lmtp_listen: str = ""
    maildir: str = ""
    http_listen: str = ""
    http_url: str = ""
    imap: tuple[Imap, ...] = ()
    relay: Relay = field(default_factory=Relay)
    authserv_id: str = ""
    verdicts: str = "above"
    trusted_mx: tuple[str, ...] = ()
    max_bytes: int = 524_288
    keep_raw: timedelta | None = None
    log: str = "text"
    zone: str = "UTC"
    backlog_window: timedelta = timedelta(minutes=30)
    digest: Pace = field(default_factory=lambda: read_points("Sunday 18:00"))
    bounds: Bounds = field(default_factory=Bounds)

    @property
    def address(self) -> str:
        """The judge's own address."""
        return f"{self.local_part}@{self.domain}"

    @property
    def database(self) -> str:
        """The store's URL; by default a SQLite file in var/."""
        return self.store_url or f"sqlite:///{self.var / 'judge.db'}"


@dataclass(frozen=True, slots=True)
class _Key:
    """A key of the file: its type and the Config field that it fills."""

    field: str
    kind: type


_KEYS: Mapping[str, Mapping[str, _Key]] = {
    "judge": {
        "domain": _Key("domain", str),
        "local_part": _Key("local_part", str),
        "name": _Key("name", str),
        "gms": _Key("gms", list),
        "open_creation": _Key("open_creation", bool),
        "operator": _Key("operator", str),
        "demo": _Key("demo", bool),
    },
    "paths": {"var": _Key("var", str), "maps": _Key("maps", str), "templates": _Key("templates", str)},
    "store": {"url": _Key("store_url", str)},
    "smtp": {"listen": _Key("smtp_listen", str)},
    "lmtp": {"listen": _Key("lmtp_listen", str)},
    "maildir": {"watch": _Key("maildir", str)},
    "http": {"listen": _Key("http_listen", str), "url": _Key("http_url", str)},
    "mail": {
        "authserv_id": _Key("authserv_id", str),
        "verdicts": _Key("verdicts", str),
        "trusted_mx": _Key("trusted_mx", list),
        "max_bytes": _Key("max_bytes", int),
        "keep_raw": _Key("keep_raw", str),
    },
    "log": {"format": _Key("log", str)},
    "time": {"zone": _Key("zone", str), "backlog_window": _Key("backlog_window", str), "digest": _Key("digest", str)},
}

_RELAY = {
    "host": str,
    "port": int,
    "user": str,
    "password_file": str,
    "tls": str,
    "rate": int,
    "dkim_selector": str,
    "dkim_key_file": str,
}
_IMAP = {
    "name": str, "host": str, "port": int, "user": str, "password_file": str, "tls": str, "folder": str,
    "processed": str, "quarantine": str,
}  # fmt: skip
_BOUNDS = {one.name: int for one in fields(Bounds)}
_SECTIONS = (*_KEYS, "relay", "imap", "limits")
_TLS = ("none", "starttls", "tls")
_LOGS = ("text", "json")
_LAST_PORT = 65_535


def find_config(path: str | None, environ: Mapping[str, str] = os.environ) -> Path | None:
    """Which file counts: the one named, else $JUDGE_CONFIG, else ./var/judge.toml if it is there."""
    if path or environ.get("JUDGE_CONFIG"):
        return Path(path or environ["JUDGE_CONFIG"])
    default = Path("var/judge.toml")
    return default if default.exists() else None


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
    """The configuration of parsed TOML; relative paths count from the file's own folder's parent, var/'s home."""
    wrong: list[str] = []
    values: dict[str, Any] = {"file": path.resolve()}
    for section, content in data.items():
        if section not in _SECTIONS:
            wrong.append(f"[{section}] is no section{_did_you_mean(section, _SECTIONS)}")
        elif section == "relay":
            values["relay"] = Relay(**_plain("relay", content, _RELAY, wrong))
        elif section == "imap":
            values["imap"] = _imap(content, wrong)
        elif section == "limits":
            values["bounds"] = _bounds(content, wrong)
        else:
            _section(section, content, values, wrong)
    _convert(values, path, wrong)
    _check_http(values, wrong)
    _check_values(values, wrong)
    if wrong:
        raise ConfigError(f"{path}:\n" + "\n".join(f"  {line}" for line in wrong))
    return Config(**values)


def _section(section: str, content: Any, values: dict[str, Any], wrong: list[str]) -> None:
    keys = _KEYS[section]
    if not isinstance(content, dict):
        wrong.append(f"{section}: write a section [{section}]")
        return
    for name, value in content.items():
        key = keys.get(name)
        if key is None:
            wrong.append(f"{section}.{name} is no key{_did_you_mean(name, keys)}")
        elif not _fits(value, key.kind):
            wrong.append(f"{section}.{name} must be {_TYPE_WORDS[key.kind]}")
        else:
            values[key.field] = tuple(value) if key.kind is list else value


_TYPE_WORDS = {str: "text in quotes", bool: "true or false", int: "a number", list: "a list of texts"}


def _fits(value: Any, kind: type) -> bool:
    if kind is list:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, kind) and (kind is not int or not isinstance(value, bool))


def _plain(section: str, content: Any, keys: Mapping[str, type], wrong: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in content.items() if isinstance(content, dict) else ():
        if name not in keys:
            wrong.append(f"{section}.{name} is no key{_did_you_mean(name, keys)}")
        elif not _fits(value, keys[name]):
            wrong.append(f"{section}.{name} must be {_TYPE_WORDS[keys[name]]}")
        else:
            values[name] = value
    if values.get("tls", "none") not in _TLS:
        wrong.append(f"{section}.tls must be one of {', '.join(_TLS)}")
    return values


def _bounds(content: Any, wrong: list[str]) -> Bounds:
    values = _plain("limits", content, _BOUNDS, wrong)
    for name in [name for name, value in values.items() if value < 1]:
        wrong.append(f"limits.{name} must be 1 or more")
    return Bounds(**values)


def _imap(content: Any, wrong: list[str]) -> tuple[Imap, ...]:
    accounts: list[Imap] = []
    if not isinstance(content, list):
        wrong.append("imap: write one [[imap]] section for each mailbox")
        return ()
    for entry in content:
        values = _plain("imap", entry, _IMAP, wrong)
        missing = [name for name in ("host", "user", "password_file") if name not in values]
        if missing:
            wrong.append(f"[[imap]] lacks {', '.join(missing)}")
            continue
        values.setdefault("name", values["user"])
        if any(values["name"] == other.name for other in accounts):
            wrong.append(f'two [[imap]] sections bear the name "{values["name"]}": give each a name of its own')
        accounts.append(Imap(**values))
    return tuple(accounts)


def _convert(values: dict[str, Any], path: Path, wrong: list[str]) -> None:
    home = path.resolve().parent
    values["var"] = (home / values["var"]).resolve() if "var" in values else home
    for name in ("maps", "templates"):
        if name in values:
            values[name] = (home / values[name]).resolve()
    for key, read in (
        ("time.backlog_window", read_span),
        ("time.zone", read_zone),
        ("time.digest", read_points),
        ("mail.keep_raw", _read_retention),
        ("mail.verdicts", _read_place),
    ):
        name = key.partition(".")[2]
        if isinstance(values.get(name), str):
            try:
                values[name] = read(values[name])
            except ValueError as error:
                wrong.append(f"{key}: {error}")


def _read_retention(text: str) -> timedelta | None:
    """How long something is kept: "90d"; "" keeps it for ever. Raises ValueError."""
    return read_span(text) if text.strip() else None


def _read_place(text: str) -> str:
    """Where our mail server writes its verdicts. Raises ValueError."""
    if text not in ("above", "below"):
        raise ValueError('write "above" or "below": where the verdicts stand, seen from the server\'s Received line')
    return text


_LINK = re.compile(r"https://[A-Za-z0-9.-]+(?::\d+)?(?:/[A-Za-z0-9._~/-]*)?")


def _check_http(values: dict[str, Any], wrong: list[str]) -> None:
    """Links that nobody answers, and a listener that no letter leads to, are both mistakes."""
    listen, url = values.get("http_listen", ""), values.get("http_url", "")
    if bool(listen) != bool(url):
        wrong.append("http.listen and http.url belong together: letters name the url, and its clicks come to listen")
    if url and _LINK.fullmatch(url) is None:
        wrong.append('http.url must be an https:// address without "?", as in https://judge.example.org')
    if url:
        values["http_url"] = url.rstrip("/")


def _check_values(values: dict[str, Any], wrong: list[str]) -> None:
    """What is of the right type and still cannot be: folders that are not there, places where nobody can listen."""
    for name in ("maps", "templates"):
        if name in values and not values[name].is_dir():
            wrong.append(f"paths.{name}: there is no folder {values[name]}")
    for name in ("smtp", "lmtp", "http"):
        if text := values.get(f"{name}_listen"):
            try:
                read_endpoint(text)
            except CannotListen as error:
                wrong.append(f"{name}.listen: {error}")
    if values.get("log", "text") not in _LOGS:
        wrong.append(f"log.format must be one of {', '.join(_LOGS)}")
    if values.get("max_bytes", 1) < 1:
        wrong.append("mail.max_bytes must be 1 or more")
    for name, box in (("relay", values.get("relay")), *(("[[imap]]", box) for box in values.get("imap", ()))):
        if box is not None and not 1 <= box.port <= _LAST_PORT:
            wrong.append(f"{name}.port must be a number from 1 to {_LAST_PORT}")
    if "relay" in values and values["relay"].rate < 0:
        wrong.append("relay.rate must be 0 (no limit) or more")


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
