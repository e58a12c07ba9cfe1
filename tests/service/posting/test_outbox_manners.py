"""A long queue has manners: results before press, everybody in turn, and no provider gets more than it bears."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.config import Config, Relay
from judge.mail.noise import too_fast
from judge.service.posting.post import BATCH, FIRST_DAY, REST, Allowance
from judge.store import outbox
from judge.store.rows import DeliveryState, NewLetter
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.sink import MemoryPost
from judge.testing.under_test import rehearsal_config
from judge.transport.ports import Deferred, Handed, Parcel, Sent

NOON = datetime(2027, 1, 8, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


# --- the allowance ------------------------------------------------------------------------------------------------


def go(allowance: Allowance, address: str, times: int, now: datetime = NOON) -> int:
    return sum(allowance.take(address, now) is None for _ in range(times))


def test_without_limits_all_may_go() -> None:
    assert go(Allowance(Relay()), "a@gmail.com", 1000) == 1000


def test_one_provider_gets_its_measure_and_the_others_theirs() -> None:
    allowance = Allowance(Relay(provider_hourly=5))
    assert go(allowance, "a@gmail.com", 3) + go(allowance, "b@googlemail.com", 4) == 5, "they are one provider"
    assert go(allowance, "c@gmx.net", 5) == 5
    assert allowance.take("a@gmail.com", NOON + timedelta(minutes=59)) == NOON + HOUR
    assert go(allowance, "a@gmail.com", 9, NOON + HOUR) == 5


def test_all_of_them_together_have_a_measure_too() -> None:
    allowance = Allowance(Relay(hourly=6, provider_hourly=5))
    assert [go(allowance, f"x@{name}.test", 4) for name in "abc"] == [4, 2, 0]


@pytest.mark.parametrize(("day", "most"), [(0, FIRST_DAY), (1, 2 * FIRST_DAY), (3, 8 * FIRST_DAY)])
def test_who_is_new_begins_with_little(day: int, most: int) -> None:
    allowance = Allowance(Relay(warm_up=NOON.date()))
    assert go(allowance, "a@gmail.com", 10 * FIRST_DAY, NOON + timedelta(days=day)) == most


def test_after_two_weeks_nobody_is_new() -> None:
    assert go(Allowance(Relay(warm_up=NOON.date())), "a@gmail.com", 5000, NOON + timedelta(days=14)) == 5000


def test_nothing_is_kept_of_providers_whose_letters_went_long_ago() -> None:
    allowance = Allowance(Relay(provider_hourly=5))
    for number in range(300):
        go(allowance, f"a@p{number}.test", 1)
        allowance.rest(f"b@q{number}.test", NOON)
    go(allowance, "a@gmail.com", 1, NOON + timedelta(days=1))
    assert (list(allowance._went), allowance._resting) == (["gmail.com"], {})


def test_a_provider_that_asked_for_it_has_its_rest() -> None:
    allowance = Allowance(Relay())
    allowance.rest("a@gmail.com", NOON)
    assert allowance.take("b@googlemail.com", NOON) == NOON + REST and go(allowance, "c@gmx.net", 1) == 1
    assert go(allowance, "a@gmail.com", 1, NOON + REST) == 1


# --- what providers say -------------------------------------------------------------------------------------------

ABOUT_OUR_PACE = (
    (421, "4.7.28 Our system has detected an unusual rate of unsolicited mail originating from your IP address."),
    (421, "4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to user complaints"),
    (421, "RP-001 The mail server IP connecting to Outlook.com server has exceeded the rate limit allowed."),
    (451, "4.7.650 The mail server [192.0.2.1] has been temporarily rate limited due to IP reputation."),
    (452, "4.5.3 Too many recipients"),
)
ABOUT_ONE_LETTER = (
    (450, "4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages"),
    (452, "4.2.2 The email account that you tried to reach is over quota"),
    (450, "4.2.0 Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/"),
    (451, "4.7.1 Greylisting in action, please come back later"),
    (421, "4.3.2 Service shutting down"),
    (550, "5.7.1 Our system has detected an unusual rate of mail"),
    (552, "5.2.2 Mailbox full"),
    (0, "connection refused"),
)


@pytest.mark.parametrize(("code", "text"), ABOUT_OUR_PACE)
def test_what_speaks_of_our_pace(code: int, text: str) -> None:
    assert too_fast(code, text)


@pytest.mark.parametrize(("code", "text"), ABOUT_ONE_LETTER)
def test_what_speaks_of_one_letter_or_of_none(code: int, text: str) -> None:
    assert not too_fast(code, text)


# --- the queue ----------------------------------------------------------------------------------------------------


class Provider(MemoryPost):
    """Answers as it is told to, and remembers in which order letters came."""

    def __init__(self) -> None:
        super().__init__()
        self.verdict: Callable[[str], Sent | Deferred] = lambda _: Sent(250, "ok")
        self.came: list[str] = []

    def deliver(self, batch: Iterable[Parcel], /) -> Iterator[Handed]:
        for handed in super().deliver(batch):
            to = handed.parcel.rcpt_to[0]
            self.came.append(to)
            yield replace(handed, fates={to: self.verdict(to)})


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[tuple[LocalJudge, Provider]]:
    provider = Provider()
    stage = LocalJudge(tmp_path, courier=provider)
    seat_everybody(stage, "baltic")
    stage.begin()
    provider.came.clear()
    yield stage, provider
    stage.close()


def put(stage: LocalJudge, kind: str, to: str, *, mail: int | None = None, count: int = 1) -> None:
    """Letters that are composed, and may go now."""
    with stage.judge.store.write() as unit:
        first = len(unit.letters.list(limit=100_000))
        keys = [f"{kind}/{to}/{first + number}" for number in range(count)]
        for key in keys:
            unit.letters.add(NewLetter(key, f"<{key}@x>", kind, "{}", (to,), stage.now, mail_id=mail))
    with stage.judge.store.write() as unit:
        letters = [unit.letters.by_key(key) for key in keys]
        unit.letters.composed_all([(letter.id, b"Subject: x\r\n\r\nx\r\n", "x") for letter in letters if letter])


def test_answers_go_before_results_and_these_before_press_when_the_queue_is_long(
    stage: tuple[LocalJudge, Provider],
) -> None:
    judge, provider = stage
    judge.send(player_of("FRANCE"), "status", subject="baltic")
    with judge.judge.store.read() as view:
        [mail] = (mail.id for mail in view.inbox.list())
    provider.came.clear()
    put(judge, "press", "storm@x.test", count=3 * BATCH, mail=mail)
    put(judge, "results", "plays@x.test", mail=mail)
    put(judge, "receipt", "asks@x.test", mail=mail)
    judge.settle()
    assert provider.came[:2] == ["asks@x.test", "plays@x.test"]
    assert len(provider.came) == 3 * BATCH + 2


def test_results_are_found_however_much_press_lies_before_them(
    stage: tuple[LocalJudge, Provider], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The letters that are put in turn are bounded; what must be on time may lie behind them all."""
    monkeypatch.setattr(outbox, "FORESIGHT", BATCH)
    judge, provider = stage
    put(judge, "press", "storm@x.test", count=3 * BATCH)
    put(judge, "results", "plays@x.test")
    judge.settle()
    assert provider.came[0] == "plays@x.test"
    assert len(provider.came) == 3 * BATCH + 1, "and each letter once"


def test_one_players_storm_costs_the_others_nothing(stage: tuple[LocalJudge, Provider]) -> None:
    judge, provider = stage
    for power in ("FRANCE", "ITALY"):
        judge.send(player_of(power), "status", subject="baltic")
    with judge.judge.store.read() as view:
        france, italy = (mail.id for mail in view.inbox.list())
    provider.came.clear()
    put(judge, "press", "flooded@x.test", mail=france, count=3 * BATCH)
    put(judge, "press", "waits@x.test", mail=italy)
    judge.settle()
    assert provider.came.index("waits@x.test") <= 1


def test_a_provider_that_is_too_busy_for_us_is_left_alone(stage: tuple[LocalJudge, Provider]) -> None:
    judge, provider = stage
    provider.verdict = lambda to: Deferred(421, "4.7.28 unusual rate of mail") if "gmail" in to else Sent(250, "ok")
    put(judge, "receipt", "a@gmail.com")
    judge.settle()
    put(judge, "receipt", "b@gmail.com", count=20)
    put(judge, "receipt", "c@gmx.net")
    judge.settle()
    assert provider.came == ["a@gmail.com", "c@gmx.net"], "not asked twenty times more"
    provider.verdict = lambda to: Sent(250, "ok")
    judge.advance(2 * REST)
    assert provider.came.count("b@gmail.com") == 20 and "a@gmail.com" in provider.came[2:]
    with judge.judge.store.read() as view:
        rows = view.outbox.list(states=(DeliveryState.SENT,), limit=1000)
    assert {row.delivery.attempts for row in rows if row.delivery.address == "b@gmail.com"} == {1}


def test_what_is_over_the_measure_goes_in_the_next_hour(tmp_path: Path) -> None:
    def config(var: Path) -> Config:
        return replace(rehearsal_config(var), relay=Relay(provider_hourly=5))

    stage = LocalJudge(tmp_path, config=config, courier=(provider := Provider()))
    stage.begin()
    put(stage, "receipt", "a@gmail.com", count=12)
    stage.settle()
    assert len(provider.came) == 5
    stage.advance(HOUR)
    assert len(provider.came) == 10
    stage.advance(HOUR)
    assert len(provider.came) == 12
    stage.close()
