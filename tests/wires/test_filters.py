"""The filters of deploy/opendkim beside the Postfix of deploy/postfix: what they find out, the judge believes; what an
outsider claims that they found out, never reaches it.
"""

from __future__ import annotations

import base64
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import dkim
import pytest

from judge.cli.init import facts_of, filled
from judge.config import Config
from judge.testing.casting import player_of, seat_everybody
from judge.testing.under_test import AUTHSERV, RawMail
from tests.service.conftest import filed
from tests.wires.conftest import Servers, until
from tests.wires.test_verdicts import ELSEWHERE, RESULTS, FilteredTour, certificate

pytestmark = pytest.mark.wires
__all__ = ["certificate"]

FRANCE = player_of("FRANCE")
CLAIM = "dmarc=pass header.from=players.test"


class SignedTour(FilteredTour):
    """Players whose provider signs their mail, as long as `signed`."""

    signed = True

    def __init__(self, servers: Servers, folder: Path) -> None:
        self._key = _run("openssl", "genrsa", "2048")
        super().__init__(servers, folder, verdicts="below")

    @property
    def record(self) -> str:
        """What the players' domain publishes."""
        public = subprocess.run(
            ["openssl", "rsa", "-pubout", "-outform", "DER"], input=self._key, capture_output=True, check=True
        ).stdout
        return f"v=DKIM1; k=rsa; p={base64.b64encode(public).decode()}"

    def deliver(self, mail: RawMail) -> None:
        if self.signed:
            signature = dkim.sign(
                mail.raw, b"s1", b"players.test", self._key, include_headers=[b"From", b"To", b"Subject"]
            )
            mail = replace(mail, raw=signature + mail.raw)
        super().deliver(mail)

    def last(self) -> bytes:
        """The mail that came last, as the judge stored it."""
        with self.judge.store.read() as view:
            raw = view.inbox.raw(sum(view.inbox.counts().values()))
        assert raw is not None
        return raw

    def results(self) -> list[str]:
        """The Authentication-Results of the mail that came last, as the judge stored it."""
        raw = self.last()
        head = raw.partition(b"\r\n\r\n")[0].decode()
        return [
            " ".join(found.split()) for found in re.findall(r"(?mi)^authentication-results\s*:((?:.|\r\n\s)*)", head)
        ]


def _run(*words: str) -> bytes:
    return subprocess.run(words, capture_output=True, check=True).stdout


@contextmanager
def opendkim(servers: Servers, tour: SignedTour) -> Iterator[None]:
    """A real OpenDKIM as deploy/ has it, but for its port, and with the players' key from a file instead of DNS."""
    keys, settings = servers.run / "keys", servers.run / "opendkim.conf"
    keys.write_text(f"s1._domainkey.players.test {tour.record}\n")
    site = facts_of(Config(domain="play.test", authserv_id=AUTHSERV))
    settings.write_text(filled("opendkim/opendkim.conf", site) + f"\nTestPublicKeys {keys}\n")
    keys.chmod(0o644)
    port = servers.ports["MILTER"]
    command = [
        _opendkim(),
        "-f",
        "-l",
        "-x",
        str(settings),
        "-p",
        f"inet:{port}@127.0.0.1",
        "-P",
        str(servers.run / "pid"),
    ]
    with subprocess.Popen(command) as running:
        try:
            until(lambda: _answers(port) or running.poll() is not None, seconds=20)
            assert running.poll() is None, "OpenDKIM did not start"
            yield
        finally:
            running.terminate()


def _opendkim() -> str:
    return shutil.which("opendkim", path="/usr/sbin:/usr/bin") or "opendkim"


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_signature_is_believed_and_a_claim_of_one_is_not(servers: Servers, tmp_path: Path) -> None:
    tour = SignedTour(servers, tmp_path)
    try:
        with opendkim(servers, tour):
            seat_everybody(tour, "baltic")
            tour.begin()
            tour.send(FRANCE, "A Par - Bur", subject="baltic", headers={"Message-ID": "<1@players.test>"})
            assert filed(tour, "FRANCE") == ["A PAR - BUR"], "the signature proves the sender"

            tour.signed, tour.client = False, ELSEWHERE
            tour.send(
                FRANCE, "A Par - Pic", subject="baltic",
                headers={RESULTS: f"{AUTHSERV}; {CLAIM}", "Message-ID": "<2@players.test>"},
            )  # fmt: skip
            assert filed(tour, "FRANCE") == ["A PAR - BUR"], "a forger is not believed"
            assert "waits for your answer" in tour.inbox(FRANCE)[-1].subject
    finally:
        tour.close()


FORGERIES = [
    f"Authentication-Results: {AUTHSERV}; {CLAIM}",
    f"authentication-results: {AUTHSERV};\r\n\t{CLAIM}",
    f"Authentication-Results: (a; comment) {AUTHSERV} 1; {CLAIM}",
    f'Authentication-Results: "{AUTHSERV}"; {CLAIM}',
    f"Authentication-Results : {AUTHSERV}; {CLAIM}",
    f"Authentication-Results\t: {AUTHSERV}; {CLAIM}",
    f"Authentication-Results:\r\n {AUTHSERV}; {CLAIM}",
    f"Authentication-Results: mx.elsewhere.example; {CLAIM}",
]


def test_what_an_outsider_writes_into_a_mail_never_reaches_the_judge(servers: Servers, tmp_path: Path) -> None:
    tour = SignedTour(servers, tmp_path)
    try:
        with opendkim(servers, tour):
            seat_everybody(tour, "baltic")
            tour.begin()
            tour.signed, tour.client = False, ELSEWHERE
            for number, forgery in enumerate(FORGERIES):
                text = f"From: {FRANCE}\r\nTo: {tour.judge.config.address}\r\nSubject: baltic\r\n"
                text += f"Message-ID: <forged-{number}@players.test>\r\n{forgery}\r\n\r\nA Par - Pic\r\n"
                tour.deliver(RawMail(text.encode(), FRANCE, (tour.judge.config.address,)))
                (found,) = tour.results()
                assert found.startswith(f"{AUTHSERV}; dkim=none"), (forgery, found)
    finally:
        tour.close()


@pytest.mark.parametrize(("program", "flag"), [("opendkim", "-x"), ("opendmarc", "-c")])
def test_a_filter_reads_its_settings(servers: Servers, program: str, flag: str, tmp_path: Path) -> None:
    found = shutil.which(program, path="/usr/sbin:/usr/bin")
    assert found is not None, "tests/wires/install.sh brings it"
    settings = tmp_path / f"{program}.conf"
    settings.write_text(filled(f"opendkim/{program}.conf", facts_of(Config(domain="play.test", authserv_id=AUTHSERV))))
    done = subprocess.run([found, "-n", flag, str(settings)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
