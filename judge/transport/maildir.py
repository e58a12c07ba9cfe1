"""Mail by Maildir: what a mail server drops into new/ is taken and moved to cur/; and letters delivered here.

Arrival is the time of the file, which a rename does not change. A mail that is larger than we read, or that cannot be
read in three attempts, goes to the subfolder `.Quarantine` with a word to the operator. The transport key is the file's
name and its content: taking a mail twice does no harm.

Without a relay every letter is delivered into `ROOT/ADDRESS/{tmp,new,cur}`; any mail program can open these folders,
and `judge inbox ADDRESS` reads them. Folder names are made from addresses so that no address can lead out of the root.
A mail appears whole or not at all: written to tmp, flushed to the disk, then renamed.
"""

import hashlib
import itertools
import logging
import os
import re
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from stat import S_ISREG

from judge.transport.ports import (
    AT_ONCE,
    ATTEMPTS,
    HEAD,
    NO_CODE,
    Accept,
    Arrival,
    Deferred,
    Fate,
    Handed,
    Knows,
    Oversize,
    Parcel,
    Refused,
    Sent,
    SourceUnreachable,
    TemporaryTrouble,
    content_mark,
    store_all,
)

log = logging.getLogger("judge.transport")


@dataclass(frozen=True)
class _Waiting:
    path: Path
    size: int
    modified: float


class MaildirSource:
    """Watches one Maildir. `poll_once()` for the deadline barrier, `run(stop)` for a thread of its own."""

    def __init__(
        self,
        folder: Path,
        accept: Accept,
        *,
        now: Callable[[], datetime],
        max_bytes: int = 1_048_576,
        interval: float = 2.0,
        oversize: Oversize | None = None,
    ) -> None:
        self.name = f"maildir:{folder}"
        self.mailbox = ""
        self._folder = folder
        self._accept = accept
        self._now = now
        self._max_bytes = max_bytes
        self._interval = interval
        self._oversize = oversize
        self._turn = threading.Lock()
        self._unreadable: Counter[str] = Counter()
        self.last_success: datetime | None = None

    def poll_once(self) -> int:
        """Take everything that waits, oldest first; returns how many were taken.

        Raises `SourceUnreachable` when the folder cannot be read or some mail could not be stored: such mails stay.
        """
        with self._turn:
            waiting = self._waiting()
            names = {mail.path.name for mail in waiting}
            self._unreadable = Counter({name: times for name, times in self._unreadable.items() if name in names})
            taken, first_trouble = 0, None
            for start in range(0, len(waiting), AT_ONCE):
                stored, trouble = self._take(waiting[start : start + AT_ONCE])
                taken, first_trouble = taken + stored, first_trouble or trouble
                if trouble is not None and not stored:
                    # Nothing at all can be stored: the rest would fare no better.
                    break
            if first_trouble is not None:
                raise SourceUnreachable(f"{self.name}: {first_trouble}") from first_trouble
            self.last_success = self._now()
            return taken

    def run(self, stop: threading.Event) -> None:
        """Poll until told to stop."""
        while not stop.is_set():
            try:
                self.poll_once()
            except SourceUnreachable as trouble:
                log.warning("maildir waits: %s", trouble)
            stop.wait(self._interval)

    def recall(self, since: datetime, knows: Knows, /) -> int:
        """Take from cur/ what came since a moment and is not known; nothing is moved there."""
        with self._turn:
            taken = 0
            for mail in self._lying_in("cur"):
                if mail.modified < since.timestamp() or mail.size > self._max_bytes:
                    continue
                try:
                    raw = self._read(mail)
                except TemporaryTrouble as trouble:
                    raise SourceUnreachable(f"{self.name}: {trouble}") from trouble
                if raw is None or knows(raw):
                    continue
                (verdict,) = store_all(self._accept, [self._arrival(mail, raw)])
                if isinstance(verdict, TemporaryTrouble):
                    raise SourceUnreachable(f"{self.name}: {verdict}") from verdict
                taken += 1
            return taken

    def silent_for(self) -> float | None:
        """Seconds since the folder was last read well; None before the first time."""
        return None if self.last_success is None else (self._now() - self.last_success).total_seconds()

    def _waiting(self) -> list[_Waiting]:
        return self._lying_in("new")

    def _lying_in(self, place: str) -> list[_Waiting]:
        try:
            for part in ("tmp", "new", "cur"):
                (self._folder / part).mkdir(parents=True, exist_ok=True)
            found = [_look(Path(entry.path)) for entry in os.scandir(self._folder / place) if entry.name[0] != "."]
        except OSError as error:
            raise self._unreachable("cannot read the folder", error) from error
        return sorted((mail for mail in found if mail), key=lambda mail: (mail.modified, mail.path.name))

    def _take(self, waiting: list[_Waiting]) -> tuple[int, TemporaryTrouble | None]:
        fitting: list[tuple[_Waiting, Arrival]] = []
        troubles: list[TemporaryTrouble] = []
        for mail in waiting:
            try:
                raw = self._read(mail)
                if raw is None:
                    continue
                if mail.size <= self._max_bytes and not self._given_up(mail):
                    fitting.append((mail, self._arrival(mail, raw)))
                else:
                    self._set_aside(mail, self._arrival(mail, raw))
            except TemporaryTrouble as trouble:
                troubles.append(trouble)
        verdicts = store_all(self._accept, [arrival for _, arrival in fitting])
        for (mail, _), verdict in zip(fitting, verdicts, strict=True):
            if isinstance(verdict, TemporaryTrouble):
                troubles.append(verdict)
            else:
                self._move(mail.path, self._folder / "cur" / f"{mail.path.name}:2,S")
        return len(verdicts) - sum(isinstance(verdict, TemporaryTrouble) for verdict in verdicts), next(
            iter(troubles), None
        )

    def _read(self, mail: _Waiting) -> bytes | None:
        """A mail, or the head of one that is too large; None when somebody else has taken it meanwhile.

        What cannot be read is trouble twice; the third time it counts as empty.
        """
        try:
            handle = os.open(mail.path, os.O_RDONLY | os.O_NOFOLLOW)
            with os.fdopen(handle, "rb") as file:
                return file.read(self._max_bytes if mail.size <= self._max_bytes else HEAD)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._unreadable[mail.path.name] += 1
            if self._given_up(mail):
                return b""
            raise TemporaryTrouble(f"cannot read a mail: {os.strerror(error.errno or 0)}") from error

    def _given_up(self, mail: _Waiting) -> bool:
        return self._unreadable[mail.path.name] >= ATTEMPTS

    def _arrival(self, mail: _Waiting, raw: bytes) -> Arrival:
        return Arrival(
            raw=raw,
            source="maildir",
            transport_key=f"{self.name}:{content_mark(raw)}:{mail.path.name}",
            mail_from="",
            rcpt_to=(),
            received_at=datetime.fromtimestamp(mail.modified, UTC),
            peer="",
        )

    def _set_aside(self, mail: _Waiting, head: Arrival) -> None:
        """Move a mail to the quarantine. Raises TemporaryTrouble if nobody can be told of it: then it stays."""
        if self._oversize is not None:
            self._oversize(head, mail.size)
        log.warning("a mail of %d bytes goes to .Quarantine", mail.size)
        folder = self._folder / ".Quarantine"
        for part in ("tmp", "new", "cur"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        self._move(mail.path, folder / "new" / mail.path.name)

    def _move(self, path: Path, target: Path) -> None:
        try:
            os.rename(path, target)
            flush_folder(target.parent)
        except FileNotFoundError:
            return
        except OSError as error:
            # Taken and stored, but still in new/: it will be recognised by its key.
            raise self._unreachable("cannot tidy up a mail", error) from error

    def _unreachable(self, what: str, error: OSError) -> SourceUnreachable:
        return SourceUnreachable(f"{self.name}: {what}: {os.strerror(error.errno or 0)}")


def _look(path: Path) -> _Waiting | None:
    """What lies there, if it is a plain file: links could lead anywhere."""
    try:
        facts = path.lstat()
    except FileNotFoundError:
        return None
    return _Waiting(path, facts.st_size, facts.st_mtime) if S_ISREG(facts.st_mode) else None


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

    @property
    def message(self) -> EmailMessage:
        """It as its reader's mail program has it. Raises OSError."""
        found = message_from_bytes(self.raw, policy=policy.default)
        assert isinstance(found, EmailMessage)
        return found


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
