"""One IMAP connection, reduced to the few verbs that a mailbox used as a queue needs.

Everything in INBOX waits; taken mail is moved away. Commands carry nothing but UIDs, fixed folder names and fixed
flags: no text from a mail ever enters an IMAP command, because the client library would pass line ends on. Flags on
mails mean nothing to us, people and programs set them at will.
"""

import logging
import socket
import ssl
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Literal

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

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
