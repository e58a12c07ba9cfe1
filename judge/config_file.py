"""The file of the configuration: found, read into a Config, and every mistake in it told at once with its mend.

Unknown keys are errors with a did-you-mean: a misspelt key that is silently ignored is a lost evening.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from judge.board.spelling import nearest
from judge.config import At, Bounds, Config, ConfigError, Imap, Relay

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
