"""A phase of a real game through real servers: orders by submission, Postfix, LMTP and IMAP; reports back by the relay.

The judge is a process of its own that knows nothing but its configuration: an IMAP account to watch and a relay with
STARTTLS and a login, or a place to listen for LMTP and the relay of deploy/postfix. Only its clock is moved by hand,
from today on, because Dovecot dates arrivals by today.
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.clock import SystemClock
from judge.config import Config, Imap, Relay
from judge.daemon.wires import make_courier
from judge.mail.tokens import read_token
from judge.service.posting.post import Post
from judge.service.turning.barrier import Surroundings
from judge.service.turning.sweep import sweep
from judge.testing.casting import player_of, seat_everybody
from judge.testing.process import DaemonUnderTest
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import RawMail, rehearsal_config
from judge.transport.ports import Parcel, Sent
from judge.transport.smtp_out import SmtpCourier
from tests.support.sample import SPRING_1901
from tests.wires.conftest import PASSWORD, Servers, listens, until

pytestmark = pytest.mark.wires

JUDGE = "judge@judge.test"


class PostalTour(DaemonUnderTest):
    """A judge behind real servers. `door`: whether it fetches its mail by IMAP or is brought it by LMTP."""

    def __init__(self, servers: Servers, folder: Path, *, door: str) -> None:
        self._servers = servers
        self._door = door
        self._came = 0
        (folder / "password").write_text(PASSWORD)
        (folder / "password").chmod(0o600)
        super().__init__(folder, start=SystemClock().now().replace(microsecond=0), config=self._by_post)
        with open(folder / "judge.toml", "a", encoding="utf-8") as settings:
            settings.write(self._sections())

    def deliver(self, mail: RawMail) -> None:
        """Submit a mail to Postfix, and wait until the judge has fetched it."""
        self.await_judge()
        courier = SmtpCourier(lambda domain: self._servers.submission("postman@judge.test"), helo="players.test")
        (handed,) = courier.deliver([Parcel(1, mail.mail_from, mail.rcpts, mail.raw)])
        courier.close()
        assert all(isinstance(fate, Sent) for fate in handed.fates.values()), handed.fates
        self._came += len(mail.rcpts)
        until(lambda: self._fetched() >= self._came or bool(self.dead), seconds=180.0)

    def await_judge(self) -> None:
        """Postfix asks the judge before it takes a mail: wait until it listens and a "not there" is forgotten."""
        if self._door == "lmtp" and not listens(self._servers.ports["JUDGE_LMTP"]):
            until(lambda: listens(self._servers.ports["JUDGE_LMTP"]))
            time.sleep(2.5)  # address_verify_negative_expire_time

    def inbox(self, address: str) -> list[ReceivedLetter]:
        """What this judge has sent to a player, in its order, once Postfix has nothing left to deliver.

        A mailbox keeps letters of earlier games, too, and numbers those that arrive side by side as it likes.
        """
        until(self._servers.queue_is_empty)
        letters = [ReceivedLetter(0, address, raw) for raw in self._servers.folder(address, "INBOX")]
        numbered = ((self._delivery(letter), letter) for letter in letters)
        ours = {number: letter for number, letter in numbered if number is not None}
        return [replace(letter, number=number) for number, letter in sorted(ours.items())]

    def _delivery(self, letter: ReceivedLetter) -> int | None:
        """The number of the delivery that brought a letter, which its envelope sender tells to this judge alone."""
        _, _, detail = letter.header("Return-Path").strip("<>").partition("@")[0].partition("+")
        token = read_token(detail, self.judge.store.secret)
        return None if token is None else int(token.reference, 16)

    def _fetched(self) -> int:
        with self.judge.store.read() as view:
            return sum(view.inbox.counts().values())

    def _settle_scenery(self) -> None:
        post = Post(self.judge, make_courier(self._config))
        sweep(self.judge, Surroundings())
        post.run()
        post.close()

    def _by_post(self, var: Path) -> Config:
        ports = self._servers.ports
        relay = Relay("localhost", ports["SUBMISSION"], JUDGE, str(var / "password"), "starttls")
        config = replace(rehearsal_config(var), relay=relay)
        if self._door == "lmtp":  # as deploy/postfix has it: a port for this machine only
            here = Relay("127.0.0.1", ports["RELAY"])
            return replace(config, domain="play.test", lmtp_listen=f"127.0.0.1:{ports['JUDGE_LMTP']}", relay=here)
        box = Imap("main", "localhost", JUDGE, str(var / "password"), ports["IMAPS"], "tls")
        return replace(config, imap=(box,))

    def _sections(self) -> str:
        where = self._config.lmtp_listen
        return f'[lmtp]\nlisten = "{where}"\n' if where else ""


@pytest.fixture(params=["imap", "lmtp"])
def tour(
    servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[PostalTour]:
    # The certificate authority of this machine, as far as the judge is concerned.
    monkeypatch.setenv("SSL_CERT_FILE", str(servers.run / "cert.pem"))
    judge = PostalTour(servers, tmp_path, door=request.param)
    yield judge
    judge.close()


def test_a_phase_is_played_by_real_mail(tour: PostalTour) -> None:
    seat_everybody(tour, "baltic")
    tour.begin()
    before = {power: len(tour.inbox(player_of(power))) for power in SPRING_1901}
    assert all(before.values()), "everybody was told that the game has begun"

    for power, orders in SPRING_1901.items():
        seat = tour.inbox(player_of(power))[-1].reply_to  # these servers give no word of their own for a sender
        tour.send(player_of(power), "\n".join(orders), subject="baltic", to=seat)
        receipt = tour.inbox(player_of(power))[-1]
        assert len(tour.inbox(player_of(power))) > before[power], f"{power} got a receipt"
        assert receipt.header("In-Reply-To"), "the receipt answers the mail"
    tour.advance(timedelta(hours=1))

    position = tour.game("baltic").position
    assert position is not None and str(position.phase) == "F1901M", "all orders were in: adjudicated early"
    for power in SPRING_1901:
        (report,) = tour.inbox(player_of(power))[before[power] + 1 :]
        assert "results" in report.subject, power
        assert "(A Budapest - Galicia)" in report.text, "the report tells of the stand-off"
