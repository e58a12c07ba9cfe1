"""Letters out: what each answer of a relay means for each recipient, and how connections are kept."""

import smtplib
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

from judge.testing.sink import HANG_UP, KEEP_AND_HANG_UP, SinkServer, SunkMail
from judge.transport import smtp_out
from judge.transport.ports import Deferred, Fate, Parcel, PauseQueue, Refused, Sent
from judge.transport.smtp_out import OutOfService, RelayServer, SmtpCourier
from tests.transport.conftest import PATIENCE, Certificate

LETTER = b"Message-ID: <1@judge.test>\r\nSubject: x\r\n\r\nOne\r\n.\r\n..two\r\n"


def parcel(*recipients: str, number: int = 1, data: bytes = LETTER, sender: str = "judge+b1@judge.test") -> Parcel:
    return Parcel(number, sender, recipients, data)


def courier_to(sink: SinkServer, *, per_connection: int = 50) -> SmtpCourier:
    relay = RelayServer(sink.host, sink.port, tls="none", timeout=PATIENCE)
    return SmtpCourier(lambda domain: relay, helo="judge.test", per_connection=per_connection)


@pytest.fixture(params=[False, True], ids=["command by command", "pipelined"])
def sink(request: pytest.FixtureRequest) -> Iterator[SinkServer]:
    """Whatever a relay says to a letter means the same, however many commands it hears at once."""
    with SinkServer(pipelining=request.param) as server:
        yield server


@pytest.fixture
def courier(sink: SinkServer) -> Iterator[SmtpCourier]:
    out = courier_to(sink)
    yield out
    out.close()


def fates(courier: SmtpCourier, *parcels: Parcel) -> list[dict[str, Fate]]:
    return [dict(handed.fates) for handed in courier.deliver(parcels)]


def fate(courier: SmtpCourier, one: Parcel) -> Fate:
    ((only,),) = [tuple(result.values()) for result in fates(courier, one)]
    return only


def test_a_letter_arrives_as_stored(sink: SinkServer, courier: SmtpCourier) -> None:
    assert fate(courier, parcel("anna@x.test")) == Sent(250, "2.0.0 Kept")
    (mail,) = sink.mails
    assert (mail.mail_from, mail.rcpt_to, mail.data) == ("judge+b1@judge.test", ("anna@x.test",), LETTER)
    assert sink.helo_names == ["judge.test"]


def test_bare_line_ends_are_made_crlf(sink: SinkServer, courier: SmtpCourier) -> None:
    fate(courier, parcel("anna@x.test", data=b"Subject: x\n\none\n.\ntwo\rthree\n"))
    assert sink.mails[0].data == b"Subject: x\r\n\r\none\r\n.\r\ntwo\r\nthree\r\n"


@pytest.mark.parametrize(
    ("text", "body"), [(b"Hello", ()), ("Grüße".encode(), ("body=8bitmime",))], ids=["ASCII", "beyond ASCII"]
)
def test_the_relay_hears_of_size_and_of_eight_bits_before_the_letter(
    sink: SinkServer, courier: SmtpCourier, text: bytes, body: tuple[str, ...]
) -> None:
    letter = LETTER + text + b"\r\n"
    fate(courier, parcel("anna@x.test", data=letter))
    assert sink.mails[0].options == (f"size={len(letter)}", *body)


def test_a_relay_that_wants_the_text_of_a_letter_that_it_refused_gets_none() -> None:
    """Asked for MAIL, RCPT and DATA in one go it may say 550 and 354: whatever we sent then would be a letter."""
    said: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        relay = RelayServer("127.0.0.1", server.getsockname()[1], tls="none", timeout=PATIENCE)

        def serve() -> None:
            for _ in range(2):
                line, _ = server.accept()
                with suppress(ConnectionError), line, line.makefile("rb") as heard:
                    line.sendall(b"220 hasty\r\n")
                    for command in heard:
                        said.append(command)
                        line.sendall(_HASTY.get(command[:4].upper(), b"250 OK\r\n"))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        courier = SmtpCourier(lambda domain: relay, helo="judge.test")
        results = fates(courier, parcel("gone@x.test"), parcel("gone@x.test", number=2))
        courier.close()
        thread.join(PATIENCE)
    assert results == [{"gone@x.test": Refused(550, "5.1.1 nobody")}] * 2
    assert not [line for line in said if line.startswith((b".", b"Subject"))]


_HASTY = {b"EHLO": b"250-hasty\r\n250 PIPELINING\r\n", b"RCPT": b"550 5.1.1 nobody\r\n", b"DATA": b"354 go on\r\n"}


def test_the_null_sender_goes_out_as_such(sink: SinkServer, courier: SmtpCourier) -> None:
    fate(courier, parcel("anna@x.test", sender=""))
    assert sink.mails[0].mail_from == ""


def test_many_letters_share_one_connection(sink: SinkServer, courier: SmtpCourier) -> None:
    assert len(fates(courier, *(parcel("anna@x.test", number=n) for n in range(10)))) == 10
    fate(courier, parcel("anna@x.test", number=11))
    assert sink.connections == 1


def test_a_connection_is_renewed_after_its_share(sink: SinkServer) -> None:
    courier = courier_to(sink, per_connection=3)
    fates(courier, *(parcel("anna@x.test", number=n) for n in range(7)))
    courier.close()
    assert [mail.connection for mail in sink.mails] == [1, 1, 1, 2, 2, 2, 3]


def test_a_connection_that_died_between_letters_is_renewed_unnoticed(sink: SinkServer) -> None:
    moment = [0.0]
    relay = RelayServer(sink.host, sink.port, tls="none", timeout=PATIENCE)
    courier = SmtpCourier(lambda domain: relay, helo="judge.test", tick=lambda: moment[0])
    assert isinstance(fate(courier, parcel("anna@x.test")), Sent)
    sink.stop()
    sink.start()
    moment[0] += 60
    assert isinstance(fate(courier, parcel("anna@x.test", number=2)), Sent)
    courier.close()


def test_a_connection_that_dies_under_a_letter_defers_that_letter(sink: SinkServer, courier: SmtpCourier) -> None:
    assert isinstance(fate(courier, parcel("anna@x.test")), Sent)
    sink.stop()
    sink.start()
    assert isinstance(fate(courier, parcel("anna@x.test", number=2)), Deferred)
    assert isinstance(fate(courier, parcel("anna@x.test", number=2)), Sent)


def test_each_recipient_has_a_fate_of_its_own(sink: SinkServer, courier: SmtpCourier) -> None:
    sink.answer("gone@x.test", "550 5.1.1 No such user")
    sink.answer("busy@x.test", "451 4.7.1 Greylisted")
    (result,) = fates(courier, parcel("anna@x.test", "gone@x.test", "busy@x.test"))
    assert result == {
        "anna@x.test": Sent(250, "2.0.0 Kept"),
        "gone@x.test": Refused(550, "5.1.1 No such user"),
        "busy@x.test": Deferred(451, "4.7.1 Greylisted"),
    }
    assert sink.mails[0].rcpt_to == ("anna@x.test",)


def test_greylisting_ends_with_the_second_try(sink: SinkServer, courier: SmtpCourier) -> None:
    sink.answer("busy@x.test", "451 4.7.1 Greylisted")
    assert isinstance(fate(courier, parcel("busy@x.test")), Deferred)
    assert isinstance(fate(courier, parcel("busy@x.test")), Sent)


def test_a_refused_letter_does_not_spoil_the_next(sink: SinkServer, courier: SmtpCourier) -> None:
    sink.answer("anna@x.test", "552 5.3.4 Too large", at="DATA")
    results = fates(courier, parcel("anna@x.test"), parcel("anna@x.test", number=2))
    assert [type(result["anna@x.test"]) for result in results] == [Refused, Sent]
    assert sink.connections == 1


@pytest.mark.parametrize("answer", ["421 4.3.2 Going down", HANG_UP])
@pytest.mark.parametrize("stage", ["RCPT", "DATA"])
def test_a_broken_line_defers_and_the_next_letter_gets_a_new_one(
    sink: SinkServer, courier: SmtpCourier, answer: str, stage: str
) -> None:
    sink.answer("anna@x.test", answer, at="DATA" if stage == "DATA" else "RCPT")
    results = fates(courier, parcel("anna@x.test"), parcel("anna@x.test", number=2))
    assert [type(result["anna@x.test"]) for result in results] == [Deferred, Sent]
    assert sink.connections == 2


def test_what_cannot_be_known_counts_as_not_sent(sink: SinkServer, courier: SmtpCourier) -> None:
    sink.answer("anna@x.test", KEEP_AND_HANG_UP, at="DATA")
    first = fate(courier, parcel("anna@x.test"))
    assert isinstance(first, Deferred) and "may have arrived" in first.text
    assert isinstance(fate(courier, parcel("anna@x.test")), Sent)
    assert [mail.data for mail in sink.mails] == [LETTER, LETTER], "twice, with one Message-ID"


def test_a_relay_that_is_down_is_tried_once_per_batch() -> None:
    with SinkServer() as gone:
        port = gone.port
    tries = []

    def relay_for(domain: str) -> RelayServer:
        return RelayServer("127.0.0.1", port, tls="none", timeout=1)

    courier = SmtpCourier(relay_for, helo="judge.test", pace=lambda: tries.append(1))
    results = fates(courier, parcel("anna@x.test"), parcel("bert@x.test"), parcel("carl@x.test"))
    assert [type(fate) for result in results for fate in result.values()] == [Deferred] * 3
    assert len(tries) == 1


def test_recipients_go_to_the_relay_of_their_domain(sink: SinkServer) -> None:
    with SinkServer() as other:
        ports = {"x.test": sink.port, "y.test": other.port}
        courier = SmtpCourier(lambda domain: RelayServer("127.0.0.1", ports[domain], tls="none"), helo="judge.test")
        (result,) = fates(courier, parcel("anna@x.test", "bert@Y.test"))
        courier.close()
    assert all(isinstance(fate, Sent) for fate in result.values())
    assert (sink.mails[0].rcpt_to, other.mails[0].rcpt_to) == (("anna@x.test",), ("bert@Y.test",))


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_a_relay_that_wants_a_login_pauses_the_queue() -> None:
    with SinkServer(users={"judge": "secret"}) as strict:
        courier = courier_to(strict)
        results = fates(courier, parcel("anna@x.test"), parcel("bert@x.test", number=2))
    assert len(results) == 1, "the second letter is not touched"
    assert isinstance(results[0]["anna@x.test"], PauseQueue)


@pytest.mark.parametrize("password", ["secret", "wrong"])
def test_starttls_and_login(certificate: Certificate, password: str) -> None:
    with SinkServer(tls_context=certificate.server(), users={"judge": "secret"}) as sink:
        relay = RelayServer("localhost", sink.port, "judge", password, context=certificate.client(), timeout=PATIENCE)
        courier = SmtpCourier(lambda domain: relay, helo="judge.test")
        outcome = fate(courier, parcel("anna@x.test"))
        courier.close()
    if password == "secret":
        assert isinstance(outcome, Sent)
    else:
        assert isinstance(outcome, PauseQueue) and "535" in outcome.reason and password not in outcome.reason


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_a_password_that_no_login_can_carry_pauses_the_queue() -> None:
    with SinkServer(users={"judge": "secret"}) as sink:
        relay = RelayServer(sink.host, sink.port, "judge", "geheimniß", tls="none", timeout=PATIENCE)
        outcome = fate(SmtpCourier(lambda domain: relay, helo="judge.test"), parcel("anna@x.test"))
    assert isinstance(outcome, PauseQueue) and "ASCII" in outcome.reason and "geheimniß" not in outcome.reason


def test_a_letter_that_makes_the_library_stumble_waits_and_the_next_one_goes(
    sink: SinkServer, courier: SmtpCourier, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = smtp_out._options

    def stumbling(smtp: smtplib.SMTP, parcel: Parcel, recipients: list[str]) -> list[str] | None:
        if recipients == ["odd@x.test"]:
            raise KeyError(recipients)
        return whole(smtp, parcel, recipients)

    monkeypatch.setattr(smtp_out, "_options", stumbling)
    results = fates(courier, parcel("odd@x.test"), parcel("anna@x.test", number=2))
    assert [type(fate) for result in results for fate in result.values()] == [Deferred, Sent]
    assert "odd@x.test" not in str(results[0]["odd@x.test"])


def test_a_certificate_that_nobody_vouches_for_pauses_the_queue(certificate: Certificate) -> None:
    with SinkServer(tls_context=certificate.server()) as sink:
        relay = RelayServer("localhost", sink.port, context=ssl.create_default_context(), timeout=PATIENCE)
        outcome = fate(SmtpCourier(lambda domain: relay, helo="judge.test"), parcel("anna@x.test"))
    assert isinstance(outcome, PauseQueue) and "certificate" in outcome.reason and outcome.passes


def test_a_relay_without_starttls_pauses_the_queue(sink: SinkServer) -> None:
    relay = RelayServer(sink.host, sink.port, tls="starttls", timeout=PATIENCE)
    outcome = fate(SmtpCourier(lambda domain: relay, helo="judge.test"), parcel("anna@x.test"))
    assert isinstance(outcome, PauseQueue)
    assert sink.mails == []


@pytest.mark.parametrize(
    "answer", ["554 5.7.1 Relay access denied", "530 5.7.0 Authentication required", "530 Must issue STARTTLS first"]
)
def test_no_right_to_relay_pauses_the_queue(sink: SinkServer, courier: SmtpCourier, answer: str) -> None:
    sink.answer("anna@x.test", answer)
    assert isinstance(fate(courier, parcel("anna@x.test")), PauseQueue)


def test_a_sender_that_the_relay_forbids_pauses_the_queue(sink: SinkServer, courier: SmtpCourier) -> None:
    sink.answer("judge+b1@judge.test", "553 5.7.1 Sender address rejected: not owned by user", at="MAIL")
    assert isinstance(fate(courier, parcel("anna@x.test")), PauseQueue)


def test_one_refusal_by_policy_is_the_letters_own_three_are_ours(sink: SinkServer, courier: SmtpCourier) -> None:
    for name in ("a", "b", "c"):
        sink.answer(f"{name}@x.test", "550 5.7.1 This smells of spam", at="DATA")
    results = fates(courier, *(parcel(f"{name}@x.test", number=n) for n, name in enumerate("abcd")))
    assert [type(fate) for result in results for fate in result.values()] == [Refused, Refused, PauseQueue]


def test_an_envelope_with_line_ends_never_reaches_the_wire(sink: SinkServer, courier: SmtpCourier) -> None:
    evil = "anna@x.test>\r\nRCPT TO:<victim@x.test"
    assert isinstance(fate(courier, parcel(evil)), Refused)
    assert isinstance(fate(courier, parcel("anna@x.test", sender="a b@x.test")), Refused)
    assert sink.mails == [] and sink.connections == 0


def test_addresses_beyond_ascii_use_smtputf8(sink: SinkServer, courier: SmtpCourier) -> None:
    assert isinstance(fate(courier, parcel("jürgen@x.test")), Sent)
    assert sink.mails[0].rcpt_to == ("jürgen@x.test",)


def test_every_letter_waits_its_turn(sink: SinkServer) -> None:
    turns: list[int] = []
    relay = RelayServer(sink.host, sink.port, tls="none")
    courier = SmtpCourier(lambda domain: relay, helo="judge.test", pace=lambda: turns.append(len(sink.mails)))
    fates(courier, *(parcel("anna@x.test", number=n) for n in range(3)))
    courier.close()
    assert turns == [0, 1, 2]


def test_results_come_one_by_one(sink: SinkServer, courier: SmtpCourier) -> None:
    results = courier.deliver(parcel("anna@x.test", number=n) for n in range(3))
    next(results)
    assert len(sink.mails) == 1, "the second letter waits until the first result has been put away"
    assert len(list(results)) == 2


# --- several connections ------------------------------------------------------------------------------------------


def crowd(sink: SinkServer, *, connections: int = 4) -> SmtpCourier:
    relay = RelayServer(sink.host, sink.port, tls="none", timeout=PATIENCE)
    return SmtpCourier(lambda domain: relay, helo="judge.test", connections=connections)


def letters(readers: int, each: int) -> list[Parcel]:
    """So many letters to each of so many readers, in turn; the number of a letter is its place."""
    return [parcel(f"p{number % readers}@x.test", number=number) for number in range(readers * each)]


def numbers(mails: Iterable[SunkMail]) -> list[str]:
    return [mail.data.partition(b"Number: ")[2].partition(b"\r")[0].decode() for mail in mails]


def numbered(some: list[Parcel]) -> list[Parcel]:
    return [replace(one, data=f"Number: {one.id}\r\n\r\nx\r\n".encode()) for one in some]


def test_many_letters_go_side_by_side_and_none_overtakes_another_to_the_same_reader(sink: SinkServer) -> None:
    """Also where the address is written in another way."""
    courier = crowd(sink)
    batch = numbered(letters(6, 8))
    batch[6:12] = [replace(one, rcpt_to=(one.rcpt_to[0].upper(),)) for one in batch[6:12]]
    done = list(courier.deliver(iter(batch)))
    courier.close()
    assert sink.connections == 4
    assert sorted(int(one.parcel.id) for one in done) == list(range(48)), "each has its fate, and once"
    for reader in range(6):
        mine = [mail for mail in sink.mails if mail.rcpt_to[0].lower() == f"p{reader}@x.test"]
        assert numbers(mine) == [str(number) for number in range(reader, 48, 6)]


def test_few_letters_are_not_worth_a_further_connection(sink: SinkServer) -> None:
    courier = crowd(sink)
    assert len(list(courier.deliver(letters(7, 1)))) == 7
    courier.close()
    assert sink.connections == 1


@pytest.mark.parametrize("room", [0, 1, 2])
def test_a_relay_that_takes_fewer_connections_costs_no_letter_a_minute(
    sink: SinkServer, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    """Where nobody reaches it all letters are put off, without a try for each."""
    tries: list[int] = []

    def greet(*which: object) -> smtplib.SMTP:
        tries.append(1)
        if len(tries) > room:
            raise OutOfService(Deferred(421, "4.7.0 too many connections"))
        return opened(*which)  # type: ignore[arg-type]

    opened = smtp_out._open
    monkeypatch.setattr(smtp_out, "_open", greet)
    courier = crowd(sink)
    kinds = Counter(type(one) for handed in courier.deliver(iter(letters(40, 1))) for one in handed.fates.values())
    courier.close()
    assert kinds == {Sent if room else Deferred: 40}
    assert len(tries) <= 4


def test_a_pause_stops_all_connections_and_what_did_not_go_was_not_touched(sink: SinkServer) -> None:
    courier = crowd(sink)
    sink.mood = "550 5.7.1 Relay access denied"
    done = list(courier.deliver(iter(letters(40, 1))))
    courier.close()
    assert 1 <= len(done) <= 4 and all(isinstance(one, PauseQueue) for each in done for one in each.fates.values())


def test_a_batch_that_ends_early_yields_what_is_under_way(sink: SinkServer) -> None:
    courier = crowd(sink)
    batch = iter(numbered(letters(40, 1)))
    done: list[Parcel] = []
    for handed in courier.deliver(batch):
        done.append(handed.parcel)
        list(batch)  # whoever gave it has no more
    courier.close()
    assert {str(one.id) for one in done} == set(numbers(sink.mails)), "no letter has gone of which nobody hears"


def test_trouble_of_one_connection_is_no_silence(sink: SinkServer) -> None:
    """Whoever gave us the batch hears of it as with one connection, behind what the others have handed over."""
    calls: list[str] = []

    def relay_for(domain: str) -> RelayServer:
        calls.append(domain)
        if len(calls) == 5:
            raise LookupError("no relay for this domain")
        return RelayServer(sink.host, sink.port, tls="none", timeout=PATIENCE)

    courier = SmtpCourier(relay_for, helo="judge.test", connections=4)
    done: list[Parcel] = []
    with pytest.raises(LookupError):
        for handed in courier.deliver(iter(letters(40, 1))):
            done.append(handed.parcel)
    courier.close()
    assert len(done) == 39 == len(sink.mails)
