"""The SMTP listener: what it takes, what it refuses, and in which words. Each test is a small dialogue."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from judge.transport.listener import CannotListen, Listener, ListenerLimits, Porch, read_endpoint
from judge.transport.ports import Arrival, TemporaryTrouble
from judge.transport.smtp_in import smtp_listener
from tests.support.tray import Tray
from tests.transport.conftest import MOMENT, PATIENCE, Dialogue, OpenListener, until


class Writer:
    """A judge that commits in groups: futures are done when the test says so."""

    def __init__(self) -> None:
        self.pending: list[tuple[Arrival, Future[bool]]] = []
        self.came = threading.Semaphore(0)

    def knows(self, recipient: str, /) -> bool:
        return True

    def answers(self, sender: str, /) -> bool:
        return True

    def take(self, mail: Arrival, /) -> Future[bool]:
        future: Future[bool] = Future()
        self.pending.append((mail, future))
        self.came.release()
        return future


def greeted(listener: Listener) -> Dialogue:
    client = Dialogue(listener.endpoint)
    assert client.greeting.startswith("220 judge.test")
    assert client.say("EHLO client.test").startswith("250-")
    return client


def test_a_mail_with_two_recipients_is_one_arrival(open_smtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_smtp(tray))
    assert client.mail("judge@judge.test", "judge+g1@judge.test") == "250 2.0.0 Stored"

    (arrival,) = tray.arrivals
    assert arrival.raw == b"Subject: x\r\n\r\nA PAR - BUR\r\n"
    assert arrival.rcpt_to == ("judge@judge.test", "judge+g1@judge.test")
    assert (arrival.mail_from, arrival.source, arrival.peer) == ("a@x.test", "smtp", "127.0.0.1")
    assert arrival.received_at == MOMENT


def test_the_size_limit_is_announced(open_smtp: OpenListener, tray: Tray) -> None:
    client = Dialogue(open_smtp(tray, limits=ListenerLimits(message=5000)).endpoint)
    assert "250-SIZE 5000" in client.say("EHLO client.test").splitlines()


def test_the_null_sender_is_the_empty_string(open_smtp: OpenListener, tray: Tray) -> None:
    assert greeted(open_smtp(tray)).mail("judge@judge.test", sender="").startswith("250")
    assert tray.arrivals[0].mail_from == ""


def test_every_acceptance_has_its_own_key(open_smtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_smtp(tray))
    client.mail("judge@judge.test")
    client.mail("judge@judge.test")
    assert len({arrival.transport_key for arrival in tray.arrivals}) == 2


def test_an_unknown_recipient_is_refused_and_the_known_one_still_served(open_smtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_smtp(tray))
    client.say("MAIL FROM:<a@x.test>")
    assert client.say("RCPT TO:<nobody@judge.test>") == "550 5.1.1 No such address here"
    assert client.say("RCPT TO:<judge@judge.test>").startswith("250")
    client.say("DATA")
    assert client.say("Subject: x\r\n\r\n.").startswith("250")
    assert tray.arrivals[0].rcpt_to == ("judge@judge.test",)


def test_nobody_known_means_no_data(open_smtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_smtp(tray))
    client.say("MAIL FROM:<a@x.test>")
    client.say("RCPT TO:<nobody@judge.test>")
    assert client.say("DATA").startswith("503")


def test_trouble_in_the_store_is_a_temporary_failure(open_smtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_smtp(tray))
    tray.trouble_for = lambda mail: True
    assert client.mail("judge@judge.test").startswith("451 4.3.0")
    tray.trouble_for = lambda mail: False
    assert client.mail("judge@judge.test").startswith("250")


def test_an_exception_of_ours_tells_the_client_nothing(open_smtp: OpenListener) -> None:
    class Broken(Tray):
        def take(self, mail: Arrival, /) -> bool:
            raise RuntimeError("secret /var/lib/judge/judge.db")

        def knows(self, recipient: str, /) -> bool:
            if recipient.startswith("boom@"):
                raise RuntimeError("secret /etc/judge")
            return True

    client = greeted(open_smtp(Broken()))
    client.say("MAIL FROM:<a@x.test>")
    in_knows = client.say("RCPT TO:<boom@judge.test>")
    client.say("RSET")
    in_take = client.mail("judge@judge.test")
    for reply in (in_knows, in_take):
        assert reply.startswith("451 4.3.0")
        assert "secret" not in reply and "RuntimeError" not in reply


def test_250_is_said_only_after_the_commit(open_smtp: OpenListener) -> None:
    writer = Writer()
    listener = open_smtp(writer)
    client = greeted(listener)
    client.say("MAIL FROM:<a@x.test>")
    client.say("RCPT TO:<judge@judge.test>")
    client.say("DATA")
    client.send("Subject: x\r\n\r\n.")
    assert writer.came.acquire(timeout=PATIENCE)
    other = Dialogue(listener.endpoint)
    assert other.say("NOOP").startswith("250"), "while one session waits for its commit, the others go on"

    assert client.hears_nothing_for(0.05)
    writer.pending[0][1].set_result(True)
    assert client.hear() == "250 2.0.0 Stored"


def test_a_commit_that_fails_is_answered_451(open_smtp: OpenListener) -> None:
    writer = Writer()
    client = greeted(open_smtp(writer))

    def fail() -> None:
        assert writer.came.acquire(timeout=PATIENCE)
        writer.pending[0][1].set_exception(TemporaryTrouble("disk full"))

    with ThreadPoolExecutor() as pool:
        pool.submit(fail)
        assert client.mail("judge@judge.test").startswith("451 4.3.0")


def test_an_oversize_mail_is_refused_before_and_after_data(open_smtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_smtp(tray, limits=ListenerLimits(message=2000)))
    assert client.say("MAIL FROM:<a@x.test> SIZE=2001").startswith("552")
    client.say("RSET")
    lines = b"\r\n".join([b"x" * 70] * 40)
    assert client.mail("judge@judge.test", body=lines).startswith("552")
    assert client.mail("judge@judge.test").startswith("250"), "the session goes on"
    assert len(tray.arrivals) == 1


def test_an_endless_line_is_refused(open_smtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_smtp(tray))
    assert client.mail("judge@judge.test", body=b"x" * 70_000).startswith("500")
    assert client.say("NOOP " + "x" * 600).startswith("500")
    assert tray.arrivals == []


def test_the_longest_line_is_a_setting(open_smtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_smtp(tray, limits=ListenerLimits(line=200)))
    assert client.mail("judge@judge.test", body=b"x" * 300).startswith("500")
    assert client.mail("judge@judge.test", body=b"x" * 100).startswith("250")


def test_recipients_are_counted_for_each_mail(open_smtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_smtp(tray, limits=ListenerLimits(recipients=3)))
    client.say("MAIL FROM:<a@x.test>")
    replies = [client.say(f"RCPT TO:<judge+{n}@judge.test>") for n in range(4)]
    assert [reply[:3] for reply in replies] == ["250", "250", "250", "452"]
    client.say("RSET")
    client.say("MAIL FROM:<a@x.test>")
    assert client.say("RCPT TO:<judge@judge.test>").startswith("250")


def test_idle_chatter_is_cut_off(open_smtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_smtp(tray, limits=ListenerLimits(other_commands=5)))
    replies = [client.say("NOOP") for _ in range(6)]
    assert replies[4].startswith("250") and replies[5].startswith("421")
    assert client.hear() == ""


def test_mails_on_one_connection_are_limited(open_smtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_smtp(tray, limits=ListenerLimits(mails_per_connection=2)))
    assert client.mail("judge@judge.test").startswith("250")
    assert client.mail("judge@judge.test").startswith("250")
    assert client.say("MAIL FROM:<a@x.test>").startswith("421")


def test_one_connection_brings_as_many_mails_as_it_may_however_few_words_of_another_kind_are_borne(
    open_smtp: OpenListener, tray: Tray
) -> None:
    client = greeted(open_smtp(tray, limits=ListenerLimits(other_commands=3)))
    for _ in range(30):
        assert client.mail("judge@judge.test").startswith("250")
        assert client.say("RSET").startswith("250")
    assert len(tray.arrivals) == 30


def test_connections_are_counted_in_all_and_per_host(open_smtp: OpenListener, tray: Tray) -> None:
    where = open_smtp(tray, limits=ListenerLimits(connections=10, connections_per_host=2)).endpoint
    first, second, third = Dialogue(where), Dialogue(where), Dialogue(where)
    assert third.greeting.startswith("421 4.7.0")
    first.close()
    until(lambda: Dialogue(where).greeting.startswith("220"))
    second.close()


def test_a_full_house_turns_everybody_away(open_smtp: OpenListener, tray: Tray) -> None:
    where = open_smtp(tray, limits=ListenerLimits(connections=1)).endpoint
    first = Dialogue(where)
    assert Dialogue(where).greeting.startswith("421 4.3.2")
    assert first.say("NOOP").startswith("250")


def test_a_silent_client_is_dropped(open_smtp: OpenListener, tray: Tray) -> None:
    client = Dialogue(open_smtp(tray, limits=ListenerLimits(idle=0.05)).endpoint)
    assert client.hear() == ""


def test_smuggled_line_ends_do_not_make_a_second_mail(open_smtp: OpenListener, tray: Tray) -> None:
    for trick in (b"\n.\n", b"\n.\r\n", b"\r.\r", b"\r\n.\n", b"\r\n.\r", b"\n.\r"):
        client = greeted(open_smtp(tray))
        body = (
            b"Subject: x\r\n\r\none" + trick + b"MAIL FROM:<evil@x.test>\r\nRCPT TO:<judge@judge.test>\r\nDATA\r\ntwo"
        )
        client.mail("judge@judge.test", body=body)
        client.close()
    assert len(tray.arrivals) == 6
    assert all(arrival.mail_from == "a@x.test" for arrival in tray.arrivals)


def test_postmaster_needs_no_domain(open_smtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_smtp(tray))
    assert client.mail("Postmaster").startswith("250")
    assert tray.arrivals[0].rcpt_to == ("Postmaster",)


def test_odd_addresses_are_still_read(open_smtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_smtp(tray))
    assert client.say('MAIL FROM:<"quoted user"@x.test>').startswith("250")
    assert client.say("RCPT TO:judge@judge.test").startswith("250")
    assert client.say("RCPT TO:<@@>").startswith("553")


def test_signs_that_no_address_has_are_refused(open_smtp: OpenListener, tray: Tray) -> None:
    client = greeted(open_smtp(tray))
    for odd in ("a\0b", "a\x07b", "a\x7fb", '"a\x01"'):
        assert client.say(f"MAIL FROM:<{odd}@evil.test>").startswith("553 5.1.7"), odd
    assert client.say("MAIL FROM:<a@x.test>").startswith("250")
    assert client.say("RCPT TO:<judge+\0@judge.test>").startswith("553 5.1.3")
    assert not tray.arrivals


def test_stopping_lets_the_mail_in_hand_be_finished(open_smtp: OpenListener) -> None:
    writer = Writer()
    listener = open_smtp(writer)
    client, idle = greeted(listener), greeted(listener)
    client.say("MAIL FROM:<a@x.test>")
    client.say("RCPT TO:<judge@judge.test>")
    client.say("DATA")
    client.send("Subject: x\r\n\r\n.")
    assert writer.came.acquire(timeout=PATIENCE)
    with ThreadPoolExecutor() as pool:
        stopped = pool.submit(listener.stop, grace=PATIENCE)
        assert idle.hear().startswith("421")
        writer.pending[0][1].set_result(True)
        assert client.hear() == "250 2.0.0 Stored"
        stopped.result(timeout=PATIENCE)
    assert not listener.running


def test_stopping_does_not_wait_for_ever(open_smtp: OpenListener) -> None:
    writer = Writer()
    listener = open_smtp(writer)
    client = greeted(listener)
    client.say("MAIL FROM:<a@x.test>")
    client.say("RCPT TO:<judge@judge.test>")
    client.say("DATA")
    client.send("Subject: x\r\n\r\n.")
    assert writer.came.acquire(timeout=PATIENCE)
    listener.stop(grace=0.05)
    assert not listener.running


def test_eight_sessions_at_once_lose_nothing(open_smtp: OpenListener, tray: Tray) -> None:
    listener = open_smtp(tray)

    def session(name: int) -> None:
        client = greeted(listener)
        for n in range(20):
            assert client.mail(f"judge+{name}.{n}@judge.test").startswith("250")

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(session, name) for name in range(8)]:
            done.result(timeout=PATIENCE)
    assert len({arrival.rcpt_to for arrival in tray.arrivals}) == 160


def test_a_port_in_use_is_named_with_its_mend(open_smtp: OpenListener, tray: Tray) -> None:
    taken = open_smtp(tray).endpoint
    second = smtp_listener(tray, taken, now=lambda: MOMENT)
    with pytest.raises(CannotListen, match=rf"cannot listen on 127.0.0.1:{taken.port}: .*choose another port"):
        second.start()


@pytest.mark.parametrize(
    "text", ["8025", "127.0.0.1", "host:port", "1.2.3.4:70000", "unix:relative", "unix:/" + "x" * 200]
)
def test_an_endpoint_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(CannotListen):
        read_endpoint(text)


@pytest.mark.parametrize("text", ["127.0.0.1:8025", "[::1]:25", "localhost:0", "unix:/run/judge/lmtp"])
def test_an_endpoint_reads_back_as_written(text: str) -> None:
    assert str(read_endpoint(text)) == text


def test_a_mail_with_a_line_longer_than_the_rule_is_taken_whole(open_smtp: OpenListener, tray: Tray) -> None:
    client = Dialogue(open_smtp(tray).endpoint)
    client.say("EHLO client.test")
    body = b"Subject: x\r\n\r\nA PAR - BUR\r\n" + b"x" * 20_000
    assert client.mail("judge@judge.test", body=body).startswith("250")
    assert tray.arrivals[-1].raw == body + b"\r\n"


def test_a_mail_that_drips_in_is_hung_up_on(open_smtp: OpenListener, tray: Tray) -> None:
    client = Dialogue(open_smtp(tray, limits=ListenerLimits(mail_within=0.2)).endpoint)
    client.say("EHLO client.test")
    client.say("MAIL FROM:<a@x.test>")
    client.say("RCPT TO:<judge@judge.test>")
    assert client.say("DATA").startswith("354")
    assert client.hear() == "" and not tray.arrivals


class Sitter:
    """A guest that is never ready to go."""

    busy = True

    def __init__(self) -> None:
        self.aborted = False

    def dismiss(self) -> None:
        raise AssertionError("a guest in the middle of a mail is not dismissed")

    def abort(self) -> None:
        self.aborted = True


def test_a_hundred_connections_of_ten_hosts_lock_nobody_out() -> None:
    porch = Porch(ListenerLimits())
    dripping = [(Sitter(), f"192.0.2.{number % 10}") for number in range(100)]
    assert all(porch.admit(guest, host) is None for guest, host in dripping)
    newcomer = Sitter()
    assert porch.admit(newcomer, "198.51.100.1") is None
    assert [guest.aborted for guest, _ in dripping].count(True) == 1 and dripping[0][0].aborted
    porch.leave(*dripping[0])  # its connection is lost a moment later: that counts nobody twice
    assert len(porch.guests) == 100


def test_a_host_with_its_share_gets_no_place_of_another_with_as_many() -> None:
    porch = Porch(ListenerLimits(connections=4))
    assert all(porch.admit(Sitter(), host) is None for host in ("a", "a", "b", "b"))
    assert (porch.admit(Sitter(), "a") or "").startswith("421")
    assert porch.admit(Sitter(), "c") is None
    assert (porch.admit(Sitter(), "d") or "") == "" and len(porch.guests) == 4
    assert (porch.admit(Sitter(), "e") or "").startswith("421")
