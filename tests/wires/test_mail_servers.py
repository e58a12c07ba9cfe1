"""The wires against real servers: what the small servers of the quick set pretend, Dovecot and Postfix do.

Every test uses addresses of its own, so that the tests may share the servers.
"""

import email
import email.policy
import itertools
import os
import smtplib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from flufl.bounce import all_failures

from judge.clock import SystemClock
from judge.config import Config
from judge.testing.sink import SunkMail
from judge.transport.imap_in import ImapHabits, ImapSource
from judge.transport.listener import Endpoint
from judge.transport.ports import Arrival, Parcel, PauseQueue, Sent, SourceUnreachable
from judge.transport.smtp_in import lmtp_listener
from judge.transport.smtp_out import SmtpCourier
from tests.support.milter import Milter
from tests.support.tray import Tray
from tests.wires.conftest import Servers, until

pytestmark = pytest.mark.wires

now = SystemClock().now
numbers = itertools.count(1)


def letter(text: str, *, to: str) -> bytes:
    mail = email.message.EmailMessage(policy=email.policy.SMTP)
    mail["From"], mail["To"], mail["Subject"] = "anna@players.test", to, text
    mail["Message-ID"] = f"<{next(numbers)}@players.test>"
    mail.set_content(f"{text}\nA PAR - BUR\n.\n")
    return mail.as_bytes()


def submit(servers: Servers, sender: str, *recipients: str, text: str = "orders") -> None:
    """Hand a letter to Postfix the way the judge does: STARTTLS, login, one connection."""
    courier = SmtpCourier(lambda domain: servers.submission("postman@judge.test"), helo="judge.test")
    data = letter(text, to=recipients[0])
    (handed,) = courier.deliver([Parcel(1, sender, recipients, data)])
    courier.close()
    assert all(isinstance(fate, Sent) for fate in handed.fates.values()), handed.fates


def subjects(tray: Tray) -> list[str]:
    return [str(email.message_from_bytes(arrival.raw)["Subject"]) for arrival in tray.arrivals]


@contextmanager
def watching(servers: Servers, address: str, tray: Tray, *, idle_slice: float = 30.0) -> Iterator[ImapSource]:
    """A judge that watches the mailbox of `address`; its pauses are short."""

    def briefly(stop: threading.Event, seconds: float) -> None:
        stop.wait(min(seconds, 0.2))

    source = ImapSource(servers.account(address), tray, now=now, habits=ImapHabits(idle_slice=idle_slice), wait=briefly)
    stop = threading.Event()
    thread = threading.Thread(target=source.run, args=(stop,), daemon=True)
    thread.start()
    try:
        until(lambda: source.last_success is not None)
        yield source
    finally:
        stop.set()
        thread.join(60)
    assert not thread.is_alive()


@contextmanager
def judge_lmtp(accept: Tray, where: Endpoint) -> Iterator[None]:
    listener = lmtp_listener(accept, where, now=now, hostname="judge.test")
    listener.start()
    try:
        if where.path:
            os.chmod(where.path, 0o666)
        yield
    finally:
        listener.stop()


@contextmanager
def arriving(servers: Servers) -> Iterator[smtplib.SMTP]:
    """A connection to port 25 from somewhere on the Internet; no filter says anything."""
    with (
        Milter(lambda client, fields: [], port=servers.ports["MILTER"]),
        smtplib.SMTP("127.0.0.1", servers.ports["MX"]) as line,
    ):
        _from_outside(line)
        yield line


def _outside(servers: Servers, address: str) -> list[SunkMail]:
    return [mail for mail in servers.outside.mails if address in mail.rcpt_to]


def _from_outside(line: smtplib.SMTP) -> None:
    line.ehlo()
    assert line.docmd("XCLIENT", "ADDR=192.0.2.7 NAME=mail.players.test")[0] == 220
    line.ehlo("mail.players.test")


def test_submit_deliver_push_take_and_move(servers: Servers) -> None:
    tray = Tray()
    with watching(servers, "round@judge.test", tray):
        before = datetime.now(UTC) - timedelta(seconds=2)  # noqa: TID251 - compared with the server's own clock
        submit(servers, "anna@players.test", "round+g17.austria.tok@judge.test", text="round trip")
        until(lambda: len(tray.arrivals) == 1)
    (arrival,) = tray.arrivals
    mail = email.message_from_bytes(arrival.raw)
    assert mail["Delivered-To"] == "round+g17.austria.tok@judge.test", "the plus-address survives"
    assert mail["Return-Path"] == "<anna@players.test>"
    assert b"A PAR - BUR\r\n.\r\n" in arrival.raw
    assert before <= arrival.received_at <= now() and arrival.received_at.tzinfo is UTC
    assert servers.folder("round@judge.test", "INBOX") == []
    assert servers.folder("round@judge.test", "Processed") == [arrival.raw]


def test_a_wrong_password_pauses_the_queue(servers: Servers) -> None:
    relay = servers.submission("anna@players.test", password="wrong")
    courier = SmtpCourier(lambda domain: relay, helo="judge.test")
    data = letter("x", to="b@judge.test")
    (handed,) = courier.deliver([Parcel(1, "anna@players.test", ("b@judge.test",), data)])
    assert isinstance(handed.fates["b@judge.test"], PauseQueue)


def test_starttls_on_the_imap_port(servers: Servers) -> None:
    tray = Tray()
    submit(servers, "anna@players.test", "plain@judge.test")
    source = ImapSource(servers.account("plain@judge.test", tls=False), tray, now=now)
    until(lambda: source.poll_once() == 1)


def test_an_oversize_mail_goes_to_quarantine(servers: Servers) -> None:
    tray, told = Tray(), []
    submit(servers, "anna@players.test", "large@judge.test", text="large")
    source = ImapSource(
        servers.account("large@judge.test"),
        tray,
        now=now,
        habits=ImapHabits(max_bytes=300),
        oversize=lambda head, size: told.append((head.raw, size)),
    )
    until(lambda: source.poll_once() == 0 and bool(told))
    (stored,) = servers.folder("large@judge.test", "Quarantine")
    assert told == [(stored, len(stored))] and tray.arrivals == []


def test_a_crash_between_storing_and_moving_takes_the_mail_once(servers: Servers) -> None:
    class Dying(Tray):
        dead = False

        def take(self, mail: Arrival, /) -> bool:
            fresh = super().take(mail)
            if not self.dead:
                self.dead = True
                raise SystemExit("killed between commit and MOVE")
            return fresh

    tray = Dying()
    submit(servers, "anna@players.test", "crash@judge.test")
    source = ImapSource(servers.account("crash@judge.test"), tray, now=now)

    def dies() -> bool:
        try:
            return source.poll_once() < 0
        except SystemExit:
            return True

    until(dies)
    patience = ImapHabits(patience=0.0)
    assert ImapSource(servers.account("crash@judge.test"), tray, now=now, habits=patience).poll_once() == 1
    assert len(tray.arrivals) == 1
    assert len(servers.folder("crash@judge.test", "Processed")) == 1


def test_a_server_killed_in_idle_is_noticed_and_mail_still_comes(servers: Servers) -> None:
    tray = Tray()
    with watching(servers, "killed@judge.test", tray):
        until(lambda: servers.kill_sessions("killed@judge.test") > 0)
        submit(servers, "anna@players.test", "killed@judge.test", text="after the kill")
        until(lambda: subjects(tray) == ["after the kill"])


def test_a_server_that_goes_away_and_comes_back(servers: Servers) -> None:
    tray = Tray()
    with watching(servers, "away@judge.test", tray) as source:
        servers.stop_dovecot()
        with pytest.raises(SourceUnreachable):
            source.poll_once()
        servers.start_dovecot()
        submit(servers, "anna@players.test", "away@judge.test", text="we are back")
        until(lambda: subjects(tray) == ["we are back"])


def test_a_new_uidvalidity_is_a_new_identity(servers: Servers) -> None:
    tray = Tray()
    source = ImapSource(servers.account("fresh@judge.test"), tray, now=now)
    submit(servers, "anna@players.test", "fresh@judge.test", text="one")
    until(lambda: source.poll_once() == 1)
    servers.forget_mailbox("fresh@judge.test")
    submit(servers, "anna@players.test", "fresh@judge.test", text="two")
    until(lambda: source.poll_once() == 1)
    keys = [arrival.transport_key for arrival in tray.arrivals]
    assert subjects(tray) == ["one", "two"] and len(set(keys)) == 2
    assert all(key.endswith(":1") for key in keys), "the same UID twice"


def test_two_judges_on_one_mailbox_take_every_mail_once_and_leave_none_behind(servers: Servers) -> None:
    tray = Tray()
    for n in range(20):
        submit(servers, "anna@players.test", "two@judge.test", text=f"mail {n}")
    until(lambda: len(servers.folder("two@judge.test", "INBOX")) == 20)
    sources = [ImapSource(servers.account("two@judge.test"), tray, now=now) for _ in range(2)]
    with ThreadPoolExecutor() as pool:
        for polled in [pool.submit(source.poll_once) for source in sources]:
            polled.result(timeout=60)
    assert len(tray.arrivals) == 20
    assert servers.folder("two@judge.test", "INBOX") == []
    assert len(servers.folder("two@judge.test", "Processed")) == 20


def test_a_550_comes_back_as_a_bounce_to_the_envelope_sender(servers: Servers) -> None:
    servers.outside.answer("gone@outside.test", "550 5.1.1 No such user")
    submit(servers, "bounce+abc123@judge.test", "gone@outside.test")
    tray = Tray()
    source = ImapSource(servers.account("bounce@judge.test"), tray, now=now)
    until(lambda: source.poll_once() == 1)
    report = email.message_from_bytes(tray.arrivals[0].raw)
    assert report["Return-Path"] == "<>"
    assert report["Delivered-To"] == "bounce+abc123@judge.test"
    assert report["Auto-Submitted"] == "auto-replied"
    assert all_failures(report)[1] == {b"gone@outside.test"}


def test_greylisting_is_waited_out(servers: Servers) -> None:
    servers.outside.answer("busy@outside.test", "451 4.7.1 Greylisted, try again")
    submit(servers, "judge@judge.test", "busy@outside.test")
    until(lambda: any(mail.rcpt_to == ("busy@outside.test",) for mail in servers.outside.mails))


def _socket(servers: Servers) -> Endpoint:
    return Endpoint(path=str(servers.run / "judge.lmtp"))


def _loopback(servers: Servers) -> Endpoint:
    return Endpoint("127.0.0.1", servers.ports["JUDGE_LMTP"])


@pytest.mark.parametrize(("domain", "where"), [("play.test", _loopback), ("unix.test", _socket)])
def test_lmtp_straight_into_the_judge(servers: Servers, domain: str, where: Callable[[Servers], Endpoint]) -> None:
    tray = Tray()
    with judge_lmtp(tray, where(servers)):
        submit(servers, "anna@players.test", f"judge+g1@{domain}", f"judge+g2@{domain}", text="by LMTP")
        until(lambda: len(tray.arrivals) == 2)
    assert sorted(arrival.rcpt_to for arrival in tray.arrivals) == [(f"judge+g1@{domain}",), (f"judge+g2@{domain}",)]
    assert {arrival.mail_from for arrival in tray.arrivals} == {"anna@players.test"}
    assert tray.arrivals[0].peer == ("unix" if domain == "unix.test" else "127.0.0.1")


def test_lmtp_trouble_with_one_recipient_is_retried_for_that_one_only(servers: Servers) -> None:
    refused: list[str] = []

    def once_for_g2(mail: Arrival) -> bool:
        trouble = mail.rcpt_to == ("judge+g2@play.test",) and not refused
        refused.extend(mail.rcpt_to if trouble else ())
        return trouble

    tray = Tray()
    tray.trouble_for = once_for_g2
    with judge_lmtp(tray, _loopback(servers)):
        submit(servers, "anna@players.test", "judge+g1@play.test", "judge+g2@play.test", "judge+g3@play.test")
        # A mail whose turn comes again while it is still being delivered is put by for a minute.
        until(lambda: len(tray.arrivals) == 3, seconds=300)
    recipients = sorted(arrival.rcpt_to[0] for arrival in tray.arrivals)
    assert recipients == ["judge+g1@play.test", "judge+g2@play.test", "judge+g3@play.test"]
    assert refused == ["judge+g2@play.test"]


def test_unknown_recipients_are_refused_at_the_door(servers: Servers) -> None:
    tray = Tray(knows=lambda recipient: not recipient.startswith("stranger"))
    with judge_lmtp(tray, _loopback(servers)), arriving(servers) as line:
        assert line.mail("forged@innocent.test")[0] == 250
        code, said = line.rcpt("stranger@play.test")
        assert (code, b"no such address" in said) == (550, True), said
        assert line.rcpt("judge@play.test")[0] == 250, "the others of the same mail are taken"
        line.data(letter("for one of two", to="judge@play.test"))
        until(lambda: subjects(tray) == ["for one of two"])
    assert servers.queue_is_empty() and not _outside(servers, "forged@innocent.test"), "nobody gets a bounce"


def test_an_address_that_was_unknown_is_soon_asked_for_again(servers: Servers) -> None:
    known: set[str] = set()
    with judge_lmtp(Tray(knows=lambda recipient: recipient in known), _loopback(servers)):

        def said() -> int:
            with arriving(servers) as line:
                line.mail("anna@players.test")
                return line.rcpt("judge+soon@play.test")[0]

        assert said() == 550
        known.add("judge+soon@play.test")
        until(lambda: said() == 250, seconds=20)


def test_while_the_judge_is_away_mail_waits_and_none_is_refused_for_good(servers: Servers) -> None:
    tray = Tray()
    with judge_lmtp(tray, _loopback(servers)), arriving(servers) as line:
        line.mail("anna@players.test")
        assert line.rcpt("judge+known@play.test")[0] == 250
    with arriving(servers) as line:
        line.mail("anna@players.test")
        assert line.rcpt("judge+known@play.test")[0] == 250, "Postfix remembers"
        line.data(letter("patience", to="judge+known@play.test"))
    with arriving(servers) as line:
        line.mail("anna@players.test")
        assert line.rcpt("judge+new@play.test")[0] == 450, "nobody can say now: try again"
    with judge_lmtp(tray, _loopback(servers)):
        until(lambda: subjects(tray) == ["patience"], seconds=240)  # Postfix tries again when its queue comes round


def test_a_mail_that_the_judge_would_refuse_for_its_size_is_refused_at_the_door(servers: Servers) -> None:
    tray = Tray()
    with judge_lmtp(tray, _loopback(servers)), arriving(servers) as line:
        assert int(line.esmtp_features["size"]) < Config().max_bytes
        line.mail("anna@players.test")
        line.rcpt("judge@play.test")
        code, _ = line.data(letter("large", to="judge@play.test") + b"large\r\n" * 90_000)
        assert code == 552


def test_a_letter_with_many_maps_leaves_by_the_relay_that_takes_from_this_machine_only(servers: Servers) -> None:
    data = letter("maps", to="anna@outside.test") + b"maps\r\n" * 400_000
    with smtplib.SMTP("127.0.0.1", servers.ports["RELAY"]) as line:
        line.sendmail("judge@play.test", ["anna@outside.test"], data)
    until(lambda: bool(_outside(servers, "anna@outside.test")), seconds=90)
    with smtplib.SMTP("127.0.0.1", servers.ports["RELAY"]) as line:
        _from_outside(line)
        assert line.mail("judge@play.test")[0] == 250
        assert line.rcpt("anna@outside.test")[0] == 554, "from elsewhere"


def test_nobody_outside_can_send_mail_to_third_parties(servers: Servers) -> None:
    with arriving(servers) as line:
        line.mail("judge@play.test")
        code, said = line.rcpt("anna@outside.test")
        assert (code, b"Relay access denied" in said) == (554, True)
