"""The machine is lost, its backup is put back, and the mails that came since lie in a real Dovecot.

A judge that fetches its mail by IMAP hears them once more, answers nobody twice for what the backup knew, and tells
what is lost.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path

import pytest

from judge.config import Config
from judge.service.core.judge import open_judge
from judge.store.meta import ROUND
from judge.testing.casting import player_of, seat_everybody
from judge.testing.process import command, environment
from judge.testing.transcript import ReceivedLetter
from tests.support.sample import SPRING_1901
from tests.wires.conftest import Servers, until
from tests.wires.test_a_phase_by_mail import JUDGE, PostalTour

pytestmark = pytest.mark.wires

OPERATOR = "operator@players.test"
FRANCE, ITALY, AUSTRIA = "FRANCE", "ITALY", "AUSTRIA"


class LostTour(PostalTour):
    """A judge whose machine can be lost."""

    def shell(self, *words: str) -> dict[str, object]:
        """A command of the shell; what it says to programs."""
        done = subprocess.run(
            [*command(self.folder), *words, "--json"], env=environment(), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        said: dict[str, object] = json.loads(done.stdout)
        return said

    def lose(self) -> None:
        """Nothing is left but the configuration: the process dies, its database is gone."""
        self.kill()
        self.judge.close()
        self._dead = "lost"
        for path in (*self.folder.glob("judge.db*"), *self.folder.glob("*.json")):
            path.unlink()

    def go_on(self) -> None:
        """Start the judge on what was restored."""
        self.judge = open_judge(self._config, clock=self.clock)
        self._dead = ""
        assert self.daemon.start(), self.daemon.log
        self.settle()

    def answers(self, power: str) -> list[ReceivedLetter]:
        """The letters of a player that answer mails of theirs."""
        asked = {message_from_bytes(mail.raw)["Message-ID"] for mail in self.sent}
        return [letter for letter in self.inbox(player_of(power)) if letter.header("In-Reply-To") in asked]

    def seat(self, power: str) -> str:
        """The seat's own address, as the last letter to its player says it."""
        return self.inbox(player_of(power))[-1].reply_to

    def order(self, power: str, *, to: str = "") -> None:
        """Orders of a player; they wait in the mailbox while there is no judge."""
        seat = to or self.seat(power)
        self.send(player_of(power), "\n".join(SPRING_1901[power]), subject="baltic", to=seat)

    def _fetched(self) -> int:
        return self._came if self.dead else super()._fetched()

    def _by_post(self, var: Path) -> Config:
        return replace(super()._by_post(var), operator=OPERATOR)


@pytest.fixture
def tour(servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LostTour]:
    monkeypatch.setenv("SSL_CERT_FILE", str(servers.run / "cert.pem"))
    servers.forget_mailbox(JUDGE)  # what other judges have fetched there is none of this one's
    (tmp_path / "judge").mkdir()
    judge = LostTour(servers, tmp_path / "judge", door="imap")
    yield judge
    judge.close()


def test_what_came_after_the_backup_is_heard_and_what_came_before_is_answered_once(
    tour: LostTour, tmp_path: Path
) -> None:
    seat_everybody(tour, "baltic")
    tour.begin()
    tour.order(FRANCE)
    backup = tmp_path / "judge.backup"
    tour.shell("backup", str(backup))

    tour.set_clock(tour.now + timedelta(minutes=10))
    tour.order(ITALY)
    assert [len(tour.answers(power)) for power in (FRANCE, ITALY, AUSTRIA)] == [1, 1, 0]
    seat, again = tour.seat(AUSTRIA), tour.seat(ITALY)
    tour.lose()
    tour.order(AUSTRIA, to=seat)
    tour.send(player_of(ITALY), "A Venice - Trieste", subject="baltic", to=again)
    restored = tour.shell("restore", str(backup))
    assert restored["held"] == 0, "every letter of the backup had gone"

    tour.go_on()
    until(lambda: all(tour.game("baltic").sheets.get(power) for power in (FRANCE, ITALY, AUSTRIA)), seconds=120)
    tour.settle()
    for power in (FRANCE, ITALY, AUSTRIA):
        assert len(tour.game("baltic").sheets[power].lines) == len(SPRING_1901[power]), power
    assert len(tour.answers(FRANCE)) == 1, "the backup knew that this one was answered"
    first, second, third = tour.answers(ITALY)
    assert first.header("In-Reply-To") == second.header("In-Reply-To"), "the judge forgot that it had answered"
    assert first.message_id != second.message_id, "so no mailbox takes the second for a copy"
    assert "A Venice - Trieste" in third.text
    assert "A Venice - Trieste" in [line.text for line in tour.game("baltic").sheets[ITALY].lines], (
        "the last word stands"
    )
    assert len(tour.answers(AUSTRIA)) == 1

    for power in SPRING_1901:
        told = [letter for letter in tour.inbox(player_of(power)) if "restored from a backup" in flat(letter)]
        assert len(told) == 1, f"{power} was told what is lost, once"
    (report,) = [letter for letter in tour.inbox(OPERATOR) if "runs again from a backup" in letter.subject]
    assert "1 mail that the backup did not know" in flat(report)
    assert "with their time given back: baltic" in flat(report)
    with tour.judge.store.read() as view:
        numbers = sorted(mail.id for mail in view.inbox.list(limit=100))
    assert len(numbers) == 4 and numbers[0] < ROUND < numbers[1], "no number is given twice"


def flat(letter: ReceivedLetter) -> str:
    """A letter's text without its line breaks."""
    return " ".join(letter.text.split())
