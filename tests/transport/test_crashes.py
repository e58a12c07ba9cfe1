"""Lines cut at every step: whatever breaks, each mail is stored once and each letter arrives, twice only where SMTP
cannot know.

The cuts are drawn from a seed, so that a failure can be repeated. A sample runs always, the rest with the long set.
"""

import random
from collections import Counter, deque
from pathlib import Path

import pytest

from judge.testing.sink import HANG_UP, KEEP_AND_HANG_UP, SinkServer, Stage
from judge.transport.imap_in import ImapAccount, ImapHabits, ImapSource
from judge.transport.maildir import MaildirSource
from judge.transport.ports import Arrival, Parcel, Sent, SourceUnreachable
from judge.transport.smtp_out import RelayServer, SmtpCourier
from tests.support.imap_server import PASSWORD, USER, ImapServer
from tests.support.tray import Tray
from tests.transport.conftest import MOMENT, PATIENCE

MAILS = 12
MOST_LIVES = 2000
SEEDS = [pytest.param(seed, marks=pytest.mark.long if seed >= 5 else ()) for seed in range(200)]
CAPABILITIES = (("IDLE", "MOVE", "UIDPLUS"), ("UIDPLUS",))


class Killed(BaseException):
    """The process dies here."""


class Frail(Tray):
    """A judge that dies before or after a commit, as the dice say."""

    def __init__(self, dice: random.Random) -> None:
        super().__init__()
        self._dice = dice

    def take(self, mail: Arrival, /) -> bool:
        if self._dice.random() < 0.03:
            raise Killed("before the commit")
        fresh = super().take(mail)
        if self._dice.random() < 0.03:
            raise Killed("after the commit")
        return fresh


@pytest.mark.parametrize("capabilities", CAPABILITIES)
@pytest.mark.parametrize("seed", SEEDS)
def test_imap_stores_every_mail_once(seed: int, capabilities: tuple[str, ...]) -> None:
    dice = random.Random(seed)
    tray = Frail(dice)
    with ImapServer(capabilities) as server:
        for n in range(MAILS):
            server.put(b"Subject: %d\r\n\r\n" % n)
        server.cut_line = lambda command: dice.choices(["", "before", "after"], [94, 3, 3])[0]
        rounds = _until_empty(server, tray)
        texts = Counter(arrival.raw for arrival in tray.arrivals)
        assert texts == {b"Subject: %d\r\n\r\n" % n: 1 for n in range(MAILS)}
        assert Counter(server.folder("Processed")) == texts, "everything has been moved, and nothing is there twice"
        assert rounds < MOST_LIVES


def _until_empty(server: ImapServer, tray: Tray) -> int:
    """Start a fresh judge again and again until INBOX is empty; how many it took."""
    account = ImapAccount("main", server.host, USER, PASSWORD, server.port, tls="none", read_timeout=PATIENCE)
    for lives in range(1, MOST_LIVES):
        try:
            ImapSource(account, tray, now=lambda: MOMENT, habits=ImapHabits(patience=0.0)).poll_once()
        except (Killed, SourceUnreachable):
            continue
        if not server.folder("INBOX"):
            return lives
    raise AssertionError("INBOX was never emptied")


@pytest.mark.parametrize("seed", SEEDS)
def test_maildir_stores_every_mail_once(seed: int, tmp_path: Path) -> None:
    tray = Frail(random.Random(seed))
    (tmp_path / "new").mkdir()
    for n in range(MAILS):
        (tmp_path / "new" / f"{n}.mail").write_bytes(b"%d" % n)
    while any((tmp_path / "new").iterdir()):
        try:
            MaildirSource(tmp_path, tray, now=lambda: MOMENT).poll_once()
        except Killed:
            continue
    assert Counter(arrival.raw for arrival in tray.arrivals) == {b"%d" % n: 1 for n in range(MAILS)}
    assert len(list((tmp_path / "cur").iterdir())) == MAILS


@pytest.mark.parametrize("seed", SEEDS)
def test_smtp_repeats_a_letter_only_where_nobody_can_know(seed: int) -> None:
    dice = random.Random(seed)
    with SinkServer() as sink:
        unknowable = _script(sink, dice)
        relay = RelayServer(sink.host, sink.port, tls="none", timeout=PATIENCE)
        waiting = deque(_parcel(n) for n in range(MAILS))
        courier = SmtpCourier(lambda domain: relay, helo="judge.test")
        for _ in range(20):
            handed = list(courier.deliver(tuple(waiting)))
            sent = {result.parcel.id for result in handed if all(isinstance(f, Sent) for f in result.fates.values())}
            waiting = deque(parcel for parcel in waiting if parcel.id not in sent)
        courier.close()
        assert not waiting
        copies = Counter(mail.rcpt_to[0] for mail in sink.mails)
        assert copies == {f"{n}@x.test": 1 + unknowable[n] for n in range(MAILS)}


def _script(sink: SinkServer, dice: random.Random) -> Counter[int]:
    """Let the relay misbehave; for each letter, how often it was kept without an answer."""
    unknowable: Counter[int] = Counter(dict.fromkeys(range(MAILS), 0))
    for n in range(MAILS):
        for _ in range(dice.randrange(3)):
            stage: Stage = dice.choice(("RCPT", "DATA"))
            reply = dice.choice((HANG_UP, "451 4.3.0 Later", "421 4.3.2 Going down", KEEP_AND_HANG_UP))
            if reply == KEEP_AND_HANG_UP:
                stage = "DATA"
                unknowable[n] += 1
            sink.answer(f"{n}@x.test", reply, at=stage)
    return unknowable


def _parcel(number: int) -> Parcel:
    return Parcel(number, "judge@judge.test", (f"{number}@x.test",), b"Message-ID: <%d@judge.test>\r\n\r\n" % number)
