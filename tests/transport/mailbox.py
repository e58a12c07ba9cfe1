"""A mailbox with one mail, and a source that reads it: what the tests of IMAP share."""

from judge.transport.imap_in import ImapAccount, ImapHabits, ImapSource
from tests.support.imap_server import PASSWORD, USER, ImapServer
from tests.support.tray import Tray
from tests.transport.conftest import MOMENT, PATIENCE

MAIL = b"From: anna@x.test\r\nSubject: orders\r\n\r\nA PAR - BUR\r\n"


def account(server: ImapServer, *, password: str = PASSWORD) -> ImapAccount:
    return ImapAccount("main", server.host, USER, password, server.port, tls="none", read_timeout=PATIENCE)


def source(server: ImapServer, tray: Tray, *, habits: ImapHabits | None = None) -> ImapSource:
    return ImapSource(account(server), tray, now=lambda: MOMENT, habits=habits, chance=lambda: 0.0)
