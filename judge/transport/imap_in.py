"""Mail by IMAP: INBOX is the queue. Fetch, store, and only then move to Processed.

A crash anywhere leaves a mail in INBOX, where it is found again; the transport key (account, content, UIDVALIDITY,
UID) makes the second taking harmless. Of several daemons on one database one watches the mailbox; before a turn each
looks, so two may find the same mail. Then the one that stored it moves it: two moves at one moment leave two copies.
What nobody has moved for a while is moved by whoever finds it.

News is awaited with IDLE in short slices and a SEARCH after each, or by polling where a server has no IDLE. A lost
connection is noticed, logged and tried again after a growing pause.

Commands carry nothing but UIDs, fixed folder names and fixed flags: no text from a mail ever enters an IMAP command,
because the client library would pass line ends on. Flags on mails mean nothing to us, people and programs set them at
will.
"""

import logging
import random
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from judge.transport.pace import BackOff
from judge.transport.ports import (
    AT_ONCE,
    ATTEMPTS,
    HEAD,
    Accept,
    Arrival,
    Knows,
    Oversize,
    SourceUnreachable,
    TemporaryTrouble,
    content_mark,
    store_all,
)

# The library logs whole dialogues.
logging.getLogger("imapclient").setLevel(logging.WARNING)

CONNECTION_TROUBLE = (IMAPClientError, OSError, EOFError)
"""What a lost or hostile connection may raise (ssl.SSLError and timeouts are OSErrors)."""

_PIECE = 0.5
_EMPTY_WAKES = 3
_MOST_ALIKE = 20


class LoginRefused(Exception):
    """The server refused our user name or password; trying again soon is of no use."""


class LineLost(Exception):
    """The connection is dead although nothing has said so."""


class Unreadable(Exception):
    """The server cannot show this one mail, while the connection is well."""


@dataclass(frozen=True)
class ImapAccount:
    """Where the mail is and how to get in. `name` stands for the account in keys and logs and never changes."""

    name: str
    host: str
    user: str
    password: str
    port: int = 993
    tls: Literal["tls", "starttls", "none"] = "tls"
    folder: str = "INBOX"
    processed: str = "Processed"
    quarantine: str = "Quarantine"
    connect_timeout: float = 10.0
    read_timeout: float = 60.0
    context: ssl.SSLContext | None = None


@dataclass(frozen=True)
class QueuedMail:
    """A mail in the queue, before its text is fetched."""

    uid: int
    size: int
    arrived: datetime | None


class MailBox:
    """An open connection with the queue selected. Every method may raise one of `CONNECTION_TROUBLE`."""

    def __init__(self, account: ImapAccount, client: IMAPClient) -> None:
        self._account = account
        self._client = client
        self._empty_wakes = 0
        self._cut_short = False
        self.can_idle: bool = client.has_capability("IDLE")
        self._can_move: bool = client.has_capability("MOVE")
        self._can_expunge: bool = client.has_capability("UIDPLUS")
        for folder in (account.processed, account.quarantine):
            _make_folder(client, folder)
        selected = client.select_folder(account.folder)
        self.uidvalidity = int(selected.get(b"UIDVALIDITY", 0))

    def waiting(self) -> list[int]:
        """The UIDs in the queue, in order. Where mail cannot be removed, deleted mail counts as gone."""
        removable = self._can_move or self._can_expunge
        return sorted(self._client.search("ALL" if removable else "UNDELETED"))

    def look(self, uids: Sequence[int]) -> list[QueuedMail]:
        """Size and arrival of these mails, in the order asked; those that have gone meanwhile are left out."""
        answer = self._client.fetch(list(uids), ["RFC822.SIZE", "INTERNALDATE"])
        found = ((uid, answer[uid]) for uid in uids if uid in answer)
        return [QueuedMail(uid, int(facts[b"RFC822.SIZE"]), _utc(facts.get(b"INTERNALDATE"))) for uid, facts in found]

    def read(self, uids: Sequence[int]) -> dict[int, bytes]:
        """The whole texts of these mails, unread marks untouched; those that have gone are left out."""
        return self._fetch(uids, "BODY.PEEK[]", b"BODY[]")

    def read_head(self, uid: int, octets: int) -> bytes:
        """The first octets of one mail; empty if it has gone."""
        return self._fetch([uid], f"BODY.PEEK[]<0.{octets}>", b"BODY[]<0>").get(uid, b"")

    @property
    def moves_by_copy(self) -> bool:
        """Whether a move takes several commands, so that a crash may leave a copy and the mail itself."""
        return not self._can_move

    def has_copy(self, folder: str, raw: bytes) -> bool:
        """Whether these very bytes lie in one of our folders. Asked by size: no word of a mail enters a command."""
        self._client.select_folder(folder, readonly=True)
        try:
            alike = sorted(self._client.search(["LARGER", len(raw) - 1, "SMALLER", len(raw) + 1]), reverse=True)
            return any(self.read([uid]).get(uid) == raw for uid in alike[:_MOST_ALIKE])
        except Unreadable:
            return False
        finally:
            self._client.select_folder(self._account.folder)

    def taken_since(self, day: date) -> list[int]:
        """Select the folder of taken mail, to look only, and find what arrived on this day or later, in order.

        Until the connection ends everything is about that folder.
        """
        selected = self._client.select_folder(self._account.processed, readonly=True)
        self.uidvalidity = int(selected.get(b"UIDVALIDITY", 0))
        return sorted(self._client.search(["SINCE", day]))

    def move(self, uids: Sequence[int], folder: str, *, copied: Collection[int] = ()) -> None:
        """Move mails to one of our two folders; mails that have gone meanwhile are no trouble.

        `copied`: those of which a copy lies there already.
        """
        if not uids:
            return
        if self._can_move:
            self._unless_gone(self._client.move, list(uids), folder)
            return
        if uncopied := [uid for uid in uids if uid not in copied]:
            self._unless_gone(self._client.copy, uncopied, folder)
        self._client.add_flags(list(uids), [rb"\Deleted"], silent=True)
        if self._can_expunge:
            # Never a bare EXPUNGE: it would remove what others have marked.
            self._client.uid_expunge(list(uids))

    def wait_for_news(self, seconds: float, stop: threading.Event, monotonic: Callable[[], float]) -> bool:
        """One slice of IDLE: returns early on news or when told to stop; whether there was news.

        News that comes in one packet with the server's `+` lies in the client library, which listens to the socket
        alone: IDLE is ended at once to hear it. A dead line shows as an empty answer before its time, for ever. Raises
        `LineLost` after some of these.
        """
        self._client.idle()
        # Not twice in a row: a server that greets each IDLE with its count would keep us running.
        self._cut_short = not self._cut_short and self._heard_already()
        early = [] if self._cut_short else self._listen(seconds, stop, monotonic)
        _, late = self._client.idle_done()
        news = [*early, *late]
        if any(response[0] == b"BYE" for response in news if response):
            raise LineLost("the server said goodbye")
        return any(len(response) > 1 and response[1] == b"EXISTS" for response in news)

    def close(self) -> None:
        """Log out; errors of a dead connection are ignored."""
        try:
            self._client.logout()
        except CONNECTION_TROUBLE:
            self.drop()

    def drop(self) -> None:
        """Close the socket without a word."""
        try:
            self._client.shutdown()
        except CONNECTION_TROUBLE as error:
            logging.getLogger("judge.transport").debug("closing a dead line: %s", error)

    def _heard_already(self) -> bool:
        """Whether the library has read more of the server's words than it has told: that mail has come."""
        line = self._client.socket()
        library = self._client._imap
        buffered = getattr(library, "_file", None) or getattr(library, "file", None)  # Python renames it in 3.14
        if buffered is None:
            return False
        patience = line.gettimeout()
        line.settimeout(0.0)
        try:
            return b" EXISTS\r\n" in buffered.peek(1)
        except ssl.SSLWantReadError:
            return False
        finally:
            line.settimeout(patience)

    def _listen(self, seconds: float, stop: threading.Event, monotonic: Callable[[], float]) -> list[Any]:
        end = monotonic() + seconds
        while not stop.is_set() and (left := end - monotonic()) > 0.0:
            piece = min(_PIECE, left)
            began = monotonic()
            news: list[Any] = self._client.idle_check(timeout=piece)
            if news:
                self._empty_wakes = 0
                return news
            if monotonic() - began < piece * 0.9:
                self._count_empty_wake()
                return []
            self._empty_wakes = 0
        return []

    def _count_empty_wake(self) -> None:
        self._empty_wakes += 1
        if self._empty_wakes >= _EMPTY_WAKES:
            raise LineLost("the line wakes us for nothing")

    def _fetch(self, uids: Sequence[int], item: str, key: bytes) -> dict[int, bytes]:
        try:
            answer = self._client.fetch(list(uids), [item])
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            raise Unreadable(str(error)) from error
        return {uid: answer[uid][key] for uid in uids if isinstance(answer.get(uid, {}).get(key), bytes)}

    def _unless_gone(self, act: Callable[[list[int], str], Any], uids: list[int], folder: str) -> None:
        """Another worker may have moved a mail before us; Dovecot calls that EXPUNGEISSUED, others do not mind."""
        try:
            act(uids, folder)
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            if "EXPUNGEISSUED" not in str(error).upper():
                raise
            if len(uids) > 1:
                for uid in uids:
                    self._unless_gone(act, [uid], folder)


def _make_folder(client: IMAPClient, folder: str) -> None:
    """Make a folder unless it is there; another judge may make it between our question and our deed."""
    if client.folder_exists(folder):
        return
    try:
        client.create_folder(folder)
    except IMAPClientAbortError:
        raise
    except IMAPClientError:
        if not client.folder_exists(folder):
            raise


def open_mailbox(account: ImapAccount) -> MailBox:
    """Connect, log in, make our folders and select the queue. Raises `LoginRefused` or one of `CONNECTION_TROUBLE`."""
    timeout = SocketTimeout(account.connect_timeout, account.read_timeout)
    context = None if account.tls == "none" else account.context or ssl.create_default_context()
    encrypted = account.tls == "tls"
    client = IMAPClient(account.host, account.port, ssl=encrypted, ssl_context=context, timeout=timeout)
    try:
        # Naive local times would move a deadline by the machine's zone.
        client.normalise_times = False
        client.socket().setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if account.tls == "starttls":
            client.starttls(context)
        client.login(account.user, account.password)
        return MailBox(account, client)
    except LoginError as error:
        _hang_up(client)
        raise LoginRefused(f"{account.host} refuses the login of {account.name}") from error
    except BaseException:
        _hang_up(client)
        raise


def _hang_up(client: IMAPClient) -> None:
    try:
        client.shutdown()
    except CONNECTION_TROUBLE:
        return


def _utc(moment: object) -> datetime | None:
    return moment.astimezone(UTC) if isinstance(moment, datetime) and moment.tzinfo else None


log = logging.getLogger("judge.transport")


@dataclass(frozen=True)
class ImapHabits:
    """How an account is watched. Times in seconds, sizes in bytes."""

    idle_slice: float = 45.0
    poll_interval: float = 30.0
    longest_connection: float = 25 * 60.0
    max_bytes: int = 1_048_576
    batch_bytes: int = 4_194_304
    patience: float = 60.0
    """How long a mail that was stored before, here or elsewhere, is left to whoever stored it."""


def _wait(stop: threading.Event, seconds: float) -> None:
    stop.wait(seconds)


class ImapSource:
    """Watches one account; see `judge.transport.ports.MailSource`.

    `now` dates successes and mails whose server gives no arrival; `wait`, `tick` and `chance` are injected by tests.
    `run` and `poll_once` may be used at once: each has a connection of its own, and one of them drains at a time.
    """

    def __init__(
        self,
        account: ImapAccount,
        accept: Accept,
        *,
        now: Callable[[], datetime],
        habits: ImapHabits | None = None,
        oversize: Oversize | None = None,
        wait: Callable[[threading.Event, float], None] = _wait,
        tick: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.name = f"imap:{account.name}"
        self.mailbox = f"{account.user} {account.host}:{account.port} {account.folder}"
        self._account = account
        self._accept = accept
        self._now = now
        self._habits = habits or ImapHabits()
        self._oversize = oversize
        self._wait = wait
        self._tick = tick
        self._back_off = BackOff(chance)
        self._turn = threading.Lock()
        self._unreadable: Counter[str] = Counter()
        self._left: dict[str, float] = {}
        """Mails in INBOX that are stored already, and since when we know."""
        self._failures = 0
        self.last_success: datetime | None = None
        self._began: datetime | None = None

    def poll_once(self) -> int:
        """Drain INBOX over a fresh connection and return how many mails were taken; raises `SourceUnreachable`."""
        with self._reached() as box:
            return self._drain(box, threading.Event())

    def run(self, stop: threading.Event) -> None:
        """Watch the account until told to stop."""
        self._began = self._now()
        while not stop.is_set():
            try:
                with self._reached() as box:
                    self._watch(box, stop)
            except SourceUnreachable as trouble:
                pause = self._pause_after(trouble)
                log.warning("%s, next try in %.0f s", trouble, pause)
                self._wait(stop, pause)

    def recall(self, since: datetime, knows: Knows, /) -> int:
        """Take from Processed what arrived since a moment and is not known; nothing is moved there."""
        with self._reached() as box, self._turn:
            # Servers search by days of their own zone (RFC 3501, 6.4.4).
            uids, taken = box.taken_since((since - timedelta(days=1)).date()), 0
            for start in range(0, len(uids), AT_ONCE):
                mails = [mail for mail in box.look(uids[start : start + AT_ONCE]) if self._counts(mail, since)]
                texts = box.read([mail.uid for mail in mails]) if mails else {}
                new = [mail for mail in mails if mail.uid in texts and not knows(texts[mail.uid])]
                arrivals = [self._arrival(box, mail, texts[mail.uid], folder=self._account.processed) for mail in new]
                verdicts = store_all(self._accept, arrivals)
                if trouble := next((each for each in verdicts if isinstance(each, TemporaryTrouble)), None):
                    raise SourceUnreachable(f"{self.name}: {trouble}") from trouble
                taken += len(arrivals)
            return taken

    def _counts(self, mail: QueuedMail, since: datetime) -> bool:
        return mail.size <= self._habits.max_bytes and (mail.arrived is None or mail.arrived >= since)

    def silent_for(self) -> float | None:
        """Seconds since INBOX was last searched and everything in it taken, or since `run` began, if that is later;
        None before either.
        """
        last = max(filter(None, (self.last_success, self._began)), default=None)
        return None if last is None else (self._now() - last).total_seconds()

    def _pause_after(self, trouble: SourceUnreachable) -> float:
        if isinstance(trouble.__cause__, LoginRefused):
            return self._back_off.longest
        pause = self._back_off.pause(self._failures)
        self._failures += 1
        return pause

    @contextmanager
    def _reached(self) -> Iterator[MailBox]:
        """An open mailbox; every trouble becomes `SourceUnreachable`, for a server may send anything."""
        box: MailBox | None = None
        try:
            box = open_mailbox(self._account)
            yield box
            box.close()
        except SourceUnreachable:
            raise
        except Exception as error:
            if not isinstance(error, (*CONNECTION_TROUBLE, LineLost, LoginRefused)):
                log.exception("%s: unexpected trouble", self.name)
            raise SourceUnreachable(f"{self.name}: {error or type(error).__name__}") from error
        finally:
            if box is not None:
                box.drop()

    def _watch(self, box: MailBox, stop: threading.Event) -> None:
        """Drain and wait, over and over, until the connection has had its time."""
        end = self._tick() + self._habits.longest_connection
        while not stop.is_set():
            self._drain(box, stop)
            self._failures = 0
            if self._tick() >= end:
                return
            if box.can_idle:
                box.wait_for_news(self._habits.idle_slice, stop, self._tick)
            else:
                self._wait(stop, self._habits.poll_interval)

    def _drain(self, box: MailBox, stop: threading.Event) -> int:
        with self._turn:
            uids = box.waiting()
            keys = {self._key(box, uid) for uid in uids}
            self._left = {key: since for key, since in self._left.items() if key in keys}
            self._unreadable = Counter({key: times for key, times in self._unreadable.items() if key in keys})
            taken, left = 0, 0
            for start in range(0, len(uids), AT_ONCE):
                if stop.is_set():
                    return taken
                mails = box.look(uids[start : start + AT_ONCE])
                stored, failed = self._take(box, mails)
                taken, left = taken + stored, left + failed
                if failed and not stored:
                    break
            if left:
                raise SourceUnreachable(f"{self.name}: {left} mails could not be stored")
            self.last_success = self._now()
            return taken

    def _take(self, box: MailBox, mails: list[QueuedMail]) -> tuple[int, int]:
        """Take mails in groups of bearable size; how many were stored, and how many stay in INBOX for trouble."""
        stored, failed = 0, 0
        group: list[QueuedMail] = []
        for mail in mails:
            if mail.size > self._habits.max_bytes:
                failed += not self._set_aside(box, mail, box.read_head(mail.uid, HEAD), mail.size)
                continue
            if group and sum(other.size for other in group) + mail.size > self._habits.batch_bytes:
                done = self._take_group(box, group)
                stored, failed, group = stored + done[0], failed + done[1], []
            group.append(mail)
        done = self._take_group(box, group)
        return stored + done[0], failed + done[1]

    def _take_group(self, box: MailBox, group: list[QueuedMail]) -> tuple[int, int]:
        if not group:
            return 0, 0
        try:
            texts = box.read([mail.uid for mail in group])
        except Unreadable as error:
            return self._take_singly(box, group, error)
        arrivals = [(mail, self._arrival(box, mail, texts[mail.uid])) for mail in group if mail.uid in texts]
        verdicts = store_all(self._accept, [arrival for _, arrival in arrivals])
        ours, orphans, failed = [], [], 0
        for (mail, arrival), verdict in zip(arrivals, verdicts, strict=True):
            if isinstance(verdict, TemporaryTrouble):
                log.warning("%s: mail not stored: %s", self.name, verdict)
                failed += 1
            elif verdict:
                ours.append(mail.uid)
            elif self._is_orphan(self._key(box, mail.uid)):
                orphans.append((mail.uid, arrival.raw))
        box.move(ours, self._account.processed)
        self._move_orphans(box, orphans)
        return len(arrivals) - failed, failed

    def _move_orphans(self, box: MailBox, orphans: list[tuple[int, bytes]]) -> None:
        """Move what a crash has left in INBOX; where a move takes several commands, it may have been copied before."""
        folder = self._account.processed
        if not box.moves_by_copy:
            box.move([uid for uid, _ in orphans], folder)
            return
        for uid, raw in orphans:
            box.move([uid], folder, copied=[uid] if box.has_copy(folder, raw) else ())

    def _is_orphan(self, key: str) -> bool:
        """Whether a mail that was stored before has waited long enough for whoever stored it."""
        now = self._tick()
        return now - self._left.setdefault(key, now) >= self._habits.patience

    def _take_singly(self, box: MailBox, group: list[QueuedMail], error: Unreadable) -> tuple[int, int]:
        """The server cannot show one of these mails: find it, and after some attempts set it aside."""
        if len(group) > 1:
            results = [self._take_group(box, [mail]) for mail in group]
            return sum(stored for stored, _ in results), sum(failed for _, failed in results)
        (mail,) = group
        key = self._key(box, mail.uid)
        self._unreadable[key] += 1
        if self._unreadable[key] < ATTEMPTS:
            log.warning("%s: UID %d cannot be read: %s", self.name, mail.uid, error)
            return 0, 1
        return 0, 0 if self._set_aside(box, mail, b"", mail.size) else 1

    def _set_aside(self, box: MailBox, mail: QueuedMail, head: bytes, size: int) -> bool:
        """Move a mail to the quarantine; False if it has to stay, because nobody could be told."""
        try:
            if self._oversize is not None:
                self._oversize(self._arrival(box, mail, head), size)
        except TemporaryTrouble as trouble:
            log.warning("%s: UID %d cannot be set aside yet: %s", self.name, mail.uid, trouble)
            return False
        log.warning("%s: UID %d of %d bytes goes to %s", self.name, mail.uid, size, self._account.quarantine)
        box.move([mail.uid], self._account.quarantine)
        return True

    def _arrival(self, box: MailBox, mail: QueuedMail, raw: bytes, *, folder: str = "") -> Arrival:
        place = f"{folder}:{box.uidvalidity}" if folder else str(box.uidvalidity)
        return Arrival(
            raw=raw,
            source=self.name,
            transport_key=f"{self.name}:{content_mark(raw)}:{place}:{mail.uid}",
            mail_from="",
            rcpt_to=(),
            received_at=mail.arrived or self._now(),
            peer="",
        )

    def _key(self, box: MailBox, uid: int) -> str:
        return f"{self.name}:{box.uidvalidity}:{uid}"
