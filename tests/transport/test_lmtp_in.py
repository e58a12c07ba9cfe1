"""LMTP: one answer per recipient, so that the mail server retries exactly those that we could not store."""

import socket
import stat
from pathlib import Path

import pytest

from judge.transport.listener import CannotListen, Endpoint, Listener, ListenerLimits
from judge.transport.smtp_in import lmtp_listener
from tests.support.tray import Tray
from tests.transport.conftest import MOMENT, Dialogue, OpenListener


def greeted(listener: Listener) -> Dialogue:
    client = Dialogue(listener.endpoint)
    assert client.greeting.startswith("220")
    assert client.say("LHLO mx.test").startswith("250-")
    return client


def test_each_recipient_is_an_arrival_and_an_answer(open_lmtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_lmtp(tray))
    answers = [client.mail("one@judge.test", "two@judge.test"), client.hear()]
    assert answers == ["250 2.0.0 Stored"] * 2
    assert [arrival.rcpt_to for arrival in tray.arrivals] == [("one@judge.test",), ("two@judge.test",)]
    assert {arrival.source for arrival in tray.arrivals} == {"lmtp"}
    assert len({arrival.transport_key for arrival in tray.arrivals}) == 2


def test_trouble_with_one_recipient_leaves_the_others_alone(open_lmtp: OpenListener, tray: Tray) -> None:
    tray.trouble_for = lambda mail: mail.rcpt_to == ("two@judge.test",)
    client = greeted(open_lmtp(tray))
    answers = [client.mail("one@judge.test", "two@judge.test", "three@judge.test"), client.hear(), client.hear()]
    assert [answer[:3] for answer in answers] == ["250", "451", "250"]


def test_a_recipient_named_twice_is_stored_once_and_answered_twice(open_lmtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_lmtp(tray))
    assert [client.mail("one@judge.test", "one@judge.test"), client.hear()] == ["250 2.0.0 Stored"] * 2
    assert len(tray.arrivals) == 1


def test_refused_recipients_get_no_second_answer(open_lmtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_lmtp(tray))
    assert client.mail("nobody@judge.test", "one@judge.test").startswith("250")
    assert client.say("NOOP").startswith("250"), "the reply to NOOP, not a left-over of DATA"
    assert len(tray.arrivals) == 1


@pytest.mark.parametrize("body", [b"\r\n".join([b"x" * 70] * 40), b"x" * 5000])
def test_a_mail_that_is_too_large_is_refused_for_each(open_lmtp: OpenListener, tray: Tray, body: bytes) -> None:
    client = greeted(open_lmtp(tray, limits=ListenerLimits(message=2000)))
    answers = [client.mail("one@judge.test", "two@judge.test", body=body), client.hear()]
    assert answers[0] == answers[1] and answers[0][:1] == "5"
    assert client.mail("one@judge.test").startswith("250"), "the dialogue is still in step"


def test_smtp_greetings_are_not_lmtp(open_lmtp: OpenListener, tray: Tray) -> None:
    client = Dialogue(open_lmtp(tray).endpoint)
    assert client.say("EHLO mx.test").startswith("500")
    assert client.say("HELO mx.test").startswith("500")
    assert client.say("MAIL FROM:<a@x.test>").startswith("503")


def test_a_unix_socket_serves_and_is_tidied_away(open_lmtp: OpenListener, tray: Tray, short_path: Path) -> None:
    listener = open_lmtp(tray, where=Endpoint(path=str(short_path)))
    assert stat.S_IMODE(short_path.stat().st_mode) == 0o660
    assert greeted(listener).mail("one@judge.test").startswith("250")
    assert tray.arrivals[0].peer == "unix"
    listener.stop()
    assert not short_path.exists()


def test_the_socket_of_a_dead_process_is_replaced(open_lmtp: OpenListener, tray: Tray, short_path: Path) -> None:
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(short_path))
    dead.close()
    assert greeted(open_lmtp(tray, where=Endpoint(path=str(short_path)))).mail("one@judge.test").startswith("250")


def test_the_socket_of_a_living_process_is_left_alone(open_lmtp: OpenListener, tray: Tray, short_path: Path) -> None:
    first = open_lmtp(tray, where=Endpoint(path=str(short_path)))
    with pytest.raises(CannotListen, match="is another judge running"):
        lmtp_listener(tray, Endpoint(path=str(short_path)), now=lambda: MOMENT).start()
    assert greeted(first).mail("one@judge.test").startswith("250")
