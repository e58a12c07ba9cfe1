"""A small IMAP server for tests: one account in memory, and the bad habits of real servers on demand.

It speaks what a mailbox used as a queue needs (SELECT, UID SEARCH, FETCH, MOVE, COPY, STORE, EXPUNGE, IDLE) and writes
down every command. Capabilities can be taken away, mails can arrive at the worst moment, and the line can be cut.
"""

import re
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

USER, PASSWORD = "judge", "secret"

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_COMMAND = re.compile(rb"(\S+) (UID \S+|\S+)(?: (.*))?", re.IGNORECASE | re.DOTALL)
_SIZES = re.compile(rb"LARGER (\d+) SMALLER (\d+)")
_SINCE = re.compile(rb"SINCE (\d+)-(\w+)-(\d+)")
_PARTIAL = re.compile(rb"BODY\.PEEK\[\]<0\.(\d+)>")


@dataclass
class StoredMail:
    """One mail in a folder."""

    uid: int
    raw: bytes
    arrived: datetime
    flags: set[bytes] = field(default_factory=set)


class ImapServer:
    """Listens on a free loopback port; use it as a context manager.

    `capabilities` may be changed before a client connects; `answers` holds replies to be given once instead of obeying,
    by command word (`"UID FETCH": deque(["NO broken"])`, or whole lines from `*` on with TAG for the tag);
    `late_mails` arrive in the packet that confirms the next IDLE; with `tells_count` each such packet says how many
    mails there are; `cut_line` says at each command whether to hang up "before" or "after" obeying.
    """

    def __init__(self, capabilities: Iterable[str] = ("IDLE", "MOVE", "UIDPLUS")) -> None:
        self.host, self.port = "127.0.0.1", 0
        self.capabilities = set(capabilities)
        self.folders: dict[str, list[StoredMail]] = {"INBOX": []}
        self.uidvalidity = 7
        self.commands: list[str] = []
        self.answers: dict[str, deque[str]] = {}
        self.unreadable: set[int] = set()
        self.late_mails: deque[bytes] = deque()
        self.tells_count = False
        self.cut_line: Callable[[str], str] = lambda command: ""
        self.connections = 0
        self._next_uid = 1
        self._lock = threading.RLock()
        self._sessions: set[_Session] = set()
        self._here = self.folders["INBOX"]
        self._socket: socket.socket | None = None
        self._thread: threading.Thread | None = None

    def put(self, raw: bytes, *, arrived: datetime | None = None) -> StoredMail:
        """A mail arrives in INBOX; clients that idle are told."""
        mail = self.put_quietly(raw, arrived=arrived)
        for session in list(self._sessions):
            session.announce()
        return mail

    def put_quietly(self, raw: bytes, *, arrived: datetime | None = None) -> StoredMail:
        """A mail arrives, and nobody is told."""
        with self._lock:
            mail = StoredMail(self._next_uid, raw, arrived or datetime(1901, 4, 1, 12, tzinfo=UTC))
            self._next_uid += 1
            self.folders["INBOX"].append(mail)
        return mail

    def renumber(self) -> None:
        """The mailbox is rebuilt: a new UIDVALIDITY, and UIDs start at one again."""
        with self._lock:
            self.uidvalidity += 1
            self._next_uid = 1
            for mail in self.folders["INBOX"]:
                mail.uid, self._next_uid = self._next_uid, self._next_uid + 1

    def cut(self) -> None:
        """Every connection breaks at once, without a word."""
        for session in list(self._sessions):
            session.cut()

    def idling(self) -> bool:
        """Whether some client waits in IDLE."""
        return any(session.idling for session in list(self._sessions))

    def folder(self, name: str) -> list[bytes]:
        """The mails in a folder."""
        with self._lock:
            return [mail.raw for mail in self.folders.get(name, [])]

    def __enter__(self) -> Self:
        self._socket = socket.create_server((self.host, self.port))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, args=(self._socket,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._socket is not None and self._thread is not None:
            # Closing alone does not wake a thread that waits in accept().
            self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()
            self._thread.join()
        self.cut()

    def _serve(self, listening: socket.socket) -> None:
        while True:
            try:
                line, _ = listening.accept()
            except OSError:
                return
            self.connections += 1
            session = _Session(self, line)
            self._sessions.add(session)
            threading.Thread(target=session.run, daemon=True).start()

    def farewell(self, session: "_Session") -> None:
        """A session has ended."""
        self._sessions.discard(session)

    # --- what the commands do; called under the lock by the sessions

    def obey(self, word: str, rest: bytes, folder: str) -> tuple[list[bytes], str]:
        """Untagged lines and the tagged status for one command of somebody who has this folder open."""
        if self.answers.get(word):
            return [], self.answers[word].popleft()
        with self._lock:
            self._here = self.folders.get(folder, [])
            act = getattr(self, f"_do_{word.lower().replace(' ', '_')}", None)
            return ([], "BAD unknown command") if act is None else act(rest)

    def _do_capability(self, rest: bytes) -> tuple[list[bytes], str]:
        return [f"CAPABILITY IMAP4rev1 {' '.join(sorted(self.capabilities))}".encode()], "OK done"

    def _do_login(self, rest: bytes) -> tuple[list[bytes], str]:
        good = rest.replace(b'"', b"").split() == [USER.encode(), PASSWORD.encode()]
        return [], "OK in" if good else "NO [AUTHENTICATIONFAILED] who are you?"

    def _do_noop(self, rest: bytes) -> tuple[list[bytes], str]:
        return [], "OK done"

    def _do_list(self, rest: bytes) -> tuple[list[bytes], str]:
        wanted = rest.split()[-1].strip(b'"').decode()
        return [f'LIST () "/" "{name}"'.encode() for name in self.folders if name == wanted], "OK done"

    def _do_create(self, rest: bytes) -> tuple[list[bytes], str]:
        self.folders[rest.strip(b'"').decode()] = []
        return [], "OK created"

    def _do_select(self, rest: bytes) -> tuple[list[bytes], str]:
        count = len(self._here)
        lines = [b"FLAGS (\\Seen \\Deleted)", b"%d EXISTS" % count, b"0 RECENT"]
        lines.append(b"OK [UIDVALIDITY %d] valid" % self.uidvalidity)
        return [*lines, b"OK [UIDNEXT %d] next" % self._next_uid], "OK [READ-WRITE] selected"

    _do_examine = _do_select

    def _do_uid_search(self, rest: bytes) -> tuple[list[bytes], str]:
        wanted = [mail for mail in self._here if b"UNDELETED" not in rest or b"\\Deleted" not in mail.flags]
        if sizes := _SIZES.search(rest):
            wanted = [mail for mail in wanted if int(sizes[1]) < len(mail.raw) < int(sizes[2])]
        if since := _SINCE.search(rest):
            day = datetime(int(since[3]), _MONTHS.index(since[2].decode()) + 1, int(since[1]), tzinfo=UTC)
            wanted = [mail for mail in wanted if mail.arrived >= day]
        return [b"SEARCH" + b"".join(b" %d" % mail.uid for mail in wanted)], "OK found"

    def _do_uid_fetch(self, rest: bytes) -> tuple[list[bytes], str]:
        wanted, _, items = rest.partition(b" ")
        lines: list[bytes] = []
        for place, mail in enumerate(self._here, start=1):
            if mail.uid not in _numbers(wanted):
                continue
            if b"BODY" in items and mail.uid in self.unreadable:
                return lines, "NO [SERVERBUG] cannot read that one"
            lines.append(b"%d FETCH (UID %d %s)" % (place, mail.uid, b" ".join(_facts(mail, items))))
        return lines, "OK fetched"

    def _do_uid_move(self, rest: bytes) -> tuple[list[bytes], str]:
        numbers, folder = _target(rest)
        if not numbers <= {mail.uid for mail in self._here}:
            return [], "NO [EXPUNGEISSUED] some of these are gone"
        self._copy(numbers, folder)
        return self._remove(numbers), "OK moved"

    def _do_uid_copy(self, rest: bytes) -> tuple[list[bytes], str]:
        self._copy(*_target(rest))
        return [], "OK copied"

    def _do_uid_store(self, rest: bytes) -> tuple[list[bytes], str]:
        numbers = _numbers(rest.split(b" ")[0])
        for mail in self._here:
            if mail.uid in numbers:
                mail.flags.add(b"\\Deleted")
        return [], "OK stored"

    def _do_uid_expunge(self, rest: bytes) -> tuple[list[bytes], str]:
        marked = {mail.uid for mail in self._here if b"\\Deleted" in mail.flags}
        return self._remove(_numbers(rest) & marked), "OK gone"

    def _do_expunge(self, rest: bytes) -> tuple[list[bytes], str]:
        raise AssertionError("a bare EXPUNGE removes what others have marked")

    def _copy(self, numbers: set[int], folder: str) -> None:
        self.folders[folder].extend(mail for mail in self._here if mail.uid in numbers)

    def _remove(self, numbers: set[int]) -> list[bytes]:
        places = [place for place, mail in enumerate(self._here, start=1) if mail.uid in numbers]
        self._here[:] = [mail for mail in self._here if mail.uid not in numbers]
        return [b"%d EXPUNGE" % place for place in reversed(places)]


class _Session:
    def __init__(self, server: ImapServer, line: socket.socket) -> None:
        self._server = server
        self._line = line
        self._file = line.makefile("rb")
        self._folder = "INBOX"
        self.idling = False

    def run(self) -> None:
        try:
            self._say(b"* OK ready")
            while self._answer(self._file.readline()):
                pass
        except (OSError, ValueError):
            pass
        finally:
            self._server.farewell(self)
            self.cut()

    def announce(self) -> None:
        if self.idling:
            with suppress(OSError):
                self._say(b"* %d EXISTS" % len(self._server.folders["INBOX"]))

    def cut(self) -> None:
        # At once, not when the thread notices: whoever waits for somebody to idle means somebody else now.
        self.idling = False
        try:
            self._line.shutdown(socket.SHUT_RDWR)
        except OSError:
            return

    def _answer(self, raw: bytes) -> bool:
        match = _COMMAND.fullmatch(raw.rstrip(b"\r\n"))
        if match is None:
            return False
        tag, word, rest = match[1], match[2].decode().upper(), match[3] or b""
        self._server.commands.append(f"{word} {rest.decode()}".strip())
        cut = self._server.cut_line(word)
        if cut == "before":
            return False
        if word == "LOGOUT":
            self._say(b"* BYE see you\r\n%s OK out" % tag)
            return False
        if word == "IDLE":
            return self._idle(tag)
        if word in ("SELECT", "EXAMINE"):
            self._folder = rest.strip(b'"').decode()
        untagged, status = self._server.obey(word, rest, self._folder)
        if cut == "after":
            return False
        if status.startswith("*"):
            self._say(status.replace("TAG", tag.decode()).encode())
        else:
            self._say(b"\r\n".join([*(b"* " + line for line in untagged), tag + b" " + status.encode()]))
        return True

    def _idle(self, tag: bytes) -> bool:
        news = self._server.tells_count or bool(self._server.late_mails)
        while self._server.late_mails:
            self._server.put_quietly(self._server.late_mails.popleft())
        self._say(b"+ idling" + (b"\r\n* %d EXISTS" % len(self._server.folders["INBOX"]) if news else b""))
        self.idling = True
        done = self._file.readline()
        self.idling = False
        self._say(tag + b" OK idle over")
        return done.strip() == b"DONE"

    def _say(self, text: bytes) -> None:
        self._line.sendall(text + b"\r\n")


def _facts(mail: StoredMail, items: bytes) -> list[bytes]:
    facts = []
    if b"RFC822.SIZE" in items:
        facts.append(b"RFC822.SIZE %d" % len(mail.raw))
    if b"INTERNALDATE" in items:
        facts.append(b'INTERNALDATE "%s"' % _date(mail.arrived))
    if partial := _PARTIAL.search(items):
        head = mail.raw[: int(partial[1])]
        facts.append(b"BODY[]<0> {%d}\r\n%s" % (len(head), head))
    elif b"BODY.PEEK[]" in items:
        facts.append(b"BODY[] {%d}\r\n%s" % (len(mail.raw), mail.raw))
    return facts


def _date(moment: datetime) -> bytes:
    zone = moment.strftime("%z")
    return f"{moment.day:02}-{_MONTHS[moment.month - 1]}-{moment.year:04} {moment:%H:%M:%S} {zone}".encode()


def _numbers(text: bytes) -> set[int]:
    return {int(number) for number in text.split(b",")}


def _target(rest: bytes) -> tuple[set[int], str]:
    numbers, _, folder = rest.partition(b" ")
    return _numbers(numbers), folder.strip(b'"').decode()
