"""Local delivery: a Maildir for each address, and a reader for it.

Without a relay every letter is delivered into `ROOT/ADDRESS/{tmp,new,cur}`; any mail program can open these folders,
and `judge inbox ADDRESS` reads them. Folder names are made from addresses so that no address can lead out of the root.
A mail appears whole or not at all: written to tmp, flushed to the disk, then renamed.
"""

import hashlib
import itertools
import os
import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.transport.ports import NO_CODE, Deferred, Fate, Handed, Parcel, Refused, Sent

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.@_+=-")
_LONGEST = 180
_NUMBER = re.compile(r"(\d{10})\.")


def folder_name(address: str) -> str:
    """The folder of an address: lower case, everything unusual as %XX, cut with a hash where it grows too long.

    >>> folder_name("Anna+Judge@Example.org")
    'anna+judge@example.org'
    >>> folder_name("../../etc@x"), folder_name("a/b@x")
    ('%2E.%2F..%2Fetc@x', 'a%2Fb@x')
    """
    folded = address.strip().casefold()
    name = "".join(char if char in _PLAIN else _percent(char) for char in folded)
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) > _LONGEST:
        digest = hashlib.sha256(folded.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        name = f"{name[: _LONGEST - 17]}-{digest}"
    return name or "%"


def _percent(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogateescape"))


@dataclass(frozen=True)
class LocalMail:
    """One mail in a local mailbox; `number` counts from 1 in order of delivery."""

    number: int
    path: Path

    @property
    def raw(self) -> bytes:
        """Its bytes, read from the disk. Raises OSError."""
        return self.path.read_bytes()


class MaildirCourier:
    """Delivers parcels into Maildirs under `root`; a `judge.transport.ports.Courier`."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._counters: dict[Path, itertools.count[int]] = {}

    def deliver(self, batch: Iterable[Parcel], /) -> Iterator[Handed]:
        """Every recipient's fate is Sent(250), or Deferred where the disk has trouble."""
        for parcel in batch:
            yield Handed(parcel, {recipient: self._deliver_to(recipient, parcel) for recipient in parcel.rcpt_to})

    def close(self) -> None:
        """Nothing to close."""

    def _deliver_to(self, recipient: str, parcel: Parcel) -> Fate:
        if not recipient.strip() or not recipient.isprintable():
            return Refused(NO_CODE, "553 5.1.3 malformed address")
        folder = self._root / folder_name(recipient)
        trace = f"Return-Path: <{_printable(parcel.mail_from)}>\r\nDelivered-To: {recipient}\r\n"
        try:
            write_mail(folder, self._next_number(folder), trace.encode() + parcel.data)
        except OSError as error:
            return Deferred(NO_CODE, f"cannot write to the local mailbox: {os.strerror(error.errno or 0)}")
        return Sent(250, "delivered to the local mailbox")

    def _next_number(self, folder: Path) -> int:
        if folder not in self._counters:
            self._counters[folder] = itertools.count(max(map(_number, _mail_files(folder)), default=0) + 1)
        return next(self._counters[folder])


def write_mail(folder: Path, number: int, raw: bytes) -> Path:
    """Put one mail into a Maildir, made if need be, durably; returns its path in new/. Raises OSError."""
    for part in ("tmp", "new", "cur"):
        (folder / part).mkdir(mode=0o700, parents=True, exist_ok=True)
    name = f"{number:010d}.{os.getpid()}_{secrets.token_hex(6)}.judge"
    draft, final = folder / "tmp" / name, folder / "new" / name
    try:
        with open(draft, "xb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.rename(draft, final)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    flush_folder(final.parent)
    return final


def flush_folder(folder: Path) -> None:
    """Make a rename durable."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_mailbox(root: Path, address: str) -> list[LocalMail]:
    """The mails of one address in order of delivery; empty where there is no such mailbox."""
    files = sorted(_mail_files(root / folder_name(address)), key=lambda path: (_number(path), path.name))
    return [LocalMail(place, path) for place, path in enumerate(files, start=1)]


def mailboxes(root: Path) -> list[str]:
    """The names of the local mailboxes, sorted; for usual addresses the name is the address."""
    if not root.is_dir():
        return []
    return sorted(entry.name for entry in root.iterdir() if (entry / "new").is_dir())


def _mail_files(folder: Path) -> list[Path]:
    found: list[Path] = []
    for part in ("new", "cur"):
        if (folder / part).is_dir():
            found.extend(path for path in (folder / part).iterdir() if path.is_file() and not path.name.startswith("."))
    return found


def _number(path: Path) -> int:
    match = _NUMBER.match(path.name)
    return int(match[1]) if match else 0


def _printable(address: str) -> str:
    return "".join(char for char in address if char.isprintable())
