"""Whose word proves a sender, with a real Postfix and a filter beside it that writes Authentication-Results.

The Postfix is that of deploy/postfix: it removes every such field from what comes in. It counts places from its own
Received line: what a filter inserts at place 0 stands above that line, at place 1 (as OpenDKIM and OpenDMARC do it)
right below it, where a forged field would stand, too.
"""

from __future__ import annotations

import smtplib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from judge.config import Config
from judge.testing.casting import player_of, seat_everybody
from judge.testing.under_test import AUTHSERV, RawMail
from tests.service.conftest import filed
from tests.support.milter import Edit, Field, Insert, Milter, Remove
from tests.wires.conftest import Servers, until
from tests.wires.test_a_phase_by_mail import PostalTour

pytestmark = pytest.mark.wires

FRANCE = player_of("FRANCE")
RESULTS = "Authentication-Results"
FORGED = {RESULTS: f"{AUTHSERV}; dmarc=pass header.from=players.test"}
"""What an outsider writes into his mail."""
THEIRS = "192.0.2.7"
"""The host that the players' domain names as its own; mail from elsewhere proves nothing."""
ELSEWHERE = "192.0.2.66"


class FilteredTour(PostalTour):
    """A judge behind a Postfix with a filter; mail comes from other hosts, as it does to an MX."""

    vouching = False
    client = THEIRS

    def __init__(self, servers: Servers, folder: Path, *, verdicts: str) -> None:
        self._verdicts = verdicts
        super().__init__(servers, folder, door="lmtp")

    def deliver(self, mail: RawMail) -> None:
        self.await_judge()
        with smtplib.SMTP("127.0.0.1", self._servers.ports["MX"]) as line:
            line.ehlo()
            assert line.docmd("XCLIENT", f"ADDR={self.client} NAME=mail.players.test")[0] == 220
            line.ehlo("mail.players.test")
            line.sendmail(mail.mail_from, list(mail.rcpts), mail.raw)
        self._came += len(mail.rcpts)
        until(lambda: self._fetched() >= self._came or bool(self.dead), seconds=180.0)

    def _by_post(self, var: Path) -> Config:
        return replace(super()._by_post(var), verdicts=self._verdicts, trusted_mx=(AUTHSERV,))


def verdict(client: str, fields: Sequence[Field], place: int) -> list[Edit]:
    """What a good filter does: forged fields go, its own comes."""
    named = [value for name, value in fields if name == RESULTS]
    forged = [number for number, value in enumerate(named, 1) if value.startswith(AUTHSERV)]
    result = "pass" if client == THEIRS else "none"
    return [
        *(Remove(number, RESULTS) for number in reversed(forged)),
        Insert(place, RESULTS, f"{AUTHSERV}; dmarc={result} header.from=players.test"),
    ]


@contextmanager
def behind_a_filter(servers: Servers, folder: Path, *, place: int, verdicts: str) -> Iterator[FilteredTour]:
    """A running game behind a filter that writes at `place`; the judge looks where `verdicts` says."""
    with Milter(lambda client, fields: verdict(client, fields, place), port=servers.ports["MILTER"]):
        tour = FilteredTour(servers, folder, verdicts=verdicts)
        try:
            seat_everybody(tour, "baltic")
            tour.begin()
            yield tour
        finally:
            tour.close()


@pytest.fixture(autouse=True)
def certificate(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate authority of this machine, as far as the judge is concerned."""
    monkeypatch.setenv("SSL_CERT_FILE", str(servers.run / "cert.pem"))


@pytest.mark.parametrize(("place", "verdicts"), [(1, "below"), (0, "above")])
def test_our_filters_word_is_believed_and_a_forgers_is_not(
    servers: Servers, tmp_path: Path, place: int, verdicts: str
) -> None:
    with behind_a_filter(servers, tmp_path, place=place, verdicts=verdicts) as tour:
        tour.send(FRANCE, "A Par - Bur", subject="baltic", headers={"Message-ID": "<1@players.test>"})
        assert filed(tour, "FRANCE") == ["A PAR - BUR"], "acted on at once"

        tour.client = ELSEWHERE
        tour.send(FRANCE, "A Par - Pic", subject="baltic", headers={**FORGED, "Message-ID": "<2@players.test>"})
        assert filed(tour, "FRANCE") == ["A PAR - BUR"], "a forger is not believed"
        assert "waits for your answer" in tour.inbox(FRANCE)[-1].subject

        tour.client = THEIRS
        tour.send(FRANCE, "A Par - Gas", subject="baltic", headers={**FORGED, "Message-ID": "<3@players.test>"})
        assert filed(tour, "FRANCE") == ["A PAR - GAS"], "a forged field does no harm to a mail that is genuine"


def test_where_nobody_has_said_that_verdicts_stand_below_none_is_believed(servers: Servers, tmp_path: Path) -> None:
    with behind_a_filter(servers, tmp_path, place=1, verdicts="above") as tour:
        tour.send(FRANCE, "A Par - Bur", subject="baltic", headers={**FORGED, "Message-ID": "<4@players.test>"})
        assert filed(tour, "FRANCE") == []
        assert "waits for your answer" in tour.inbox(FRANCE)[-1].subject
