"""What may hold up a turn: mail in nobody's hand, or without proof; and the Gamemaster may go on by naming it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from judge.game.clock.clockwork import still_awaited
from judge.game.core.events import LadderStep, ProcessingDelayed, from_json
from judge.game.core.model import Running
from judge.service.intake.door import new_mail
from judge.service.turning.barrier import Surroundings, held_mails, unread_mails
from judge.service.turning.sweep import sweep, tick
from judge.store.rows import MailState
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM, build
from judge.transport.ports import Arrival
from tests.service.conftest import filed, last_mail, seat_address

FRANCE, ENGLAND, RUSSIA = player_of("FRANCE"), player_of("ENGLAND"), player_of("RUSSIA")
PHONE = "phone@else.test"
HOUR = timedelta(hours=1)


def deadline(stage: LocalJudge) -> datetime:
    found = stage.game("baltic").deadline
    assert found is not None
    return found.at


def called(stage: LocalJudge) -> bool:
    """Whether anybody was called late in this turn."""
    found = stage.game("baltic").deadline
    return found is None or found.called


def phase(stage: LocalJudge) -> str:
    return str(stage.game("baltic").phase)


def orders_from(stage: LocalJudge, *but: str) -> None:
    """Everybody sends a whole set, but for some."""
    game = stage.game("baltic")
    assert game.position is not None
    for power in game.board.powers:
        if power not in but:
            lines = [f"{unit.kind} {unit.at} H" for unit in game.position.units if unit.power == power]
            stage.send(player_of(power), "\n".join(lines), subject="baltic")


def waiting(stage: LocalJudge) -> list[int]:
    """The numbers of the mails for which the turn waits, if it is time to process it."""
    stage.advance(timedelta(minutes=1))
    game = stage.game("baltic")
    assert isinstance(game, Running)
    with stage.judge.store.write() as unit:
        unread = [mail.id for mail in unread_mails(stage.judge, unit, game, stage.now)]
        held = still_awaited(game, held_mails(unit, game, stage.now), stage.now, stage.now)
    return [*unread, *(mail.number for mail in held)]


def process(stage: LocalJudge, more: str = "") -> None:
    """The Gamemaster's command, with two proofs; asked about missing sets, he says yes."""
    stage.send(GM, f"process S1901M {more}".strip(), to=seat_address(stage, GM))
    asked = stage.inbox(GM)[-1]
    if "waits for your answer" in str(asked.message["Subject"]):
        stage.send(GM, "confirm", to=asked.reply_to)


def stumble(*_: object) -> None:
    """What the judge does over a mail that breaks it."""
    raise RuntimeError("a stone")


def in_other_hands(
    stage: LocalJudge, sender: str = FRANCE, *, subject: str = "baltic", to: str = "", came: datetime | None = None
) -> int:
    """A mail that came in time and that another process has in hand; its number."""
    headers = [("From", sender), ("Subject", subject)]
    raw = build(headers, "A Par - Bur", now=stage.now, number=99, to=to or stage.address, vouched=True)
    arrival = Arrival(raw.raw, "smtp", "smtp:other", raw.mail_from, raw.rcpts, came or stage.now, "127.0.0.1")
    with stage.judge.store.write() as unit:
        unit.inbox.put(new_mail(stage.judge, arrival))
    with stage.judge.store.write() as unit:
        (mail,) = unit.inbox.claim(stage.now, owner="another process", lease=timedelta(days=30))
    return mail.id


def told(stage: LocalJudge, address: str, words: str) -> int:
    """How many letters to somebody have these words, line breaks or none."""
    return sum(words in " ".join(letter.text.split()) for letter in stage.inbox(address))


# --- mail without proof ---


def test_the_turn_waits_for_a_word_for_a_seat_whose_orders_are_not_complete(table: LocalJudge) -> None:
    table.send(GM, "set nmr hold", to=seat_address(table, GM))
    orders_from(table, "FRANCE")
    table.advance(to=deadline(table) - HOUR)
    table.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    held = table.inbox(FRANCE)[-1]
    table.advance(to=deadline(table) + HOUR)
    assert phase(table) == "S1901M" and waiting(table) == [last_mail(table).id]
    table.send(FRANCE, "confirm", to=held.reply_to, vouched=False)
    position = table.game("baltic").position
    assert phase(table) == "F1901M" and position is not None
    assert ("A", "BUR") in {(unit.kind, unit.at) for unit in position.of("FRANCE")}


def test_at_most_held_wait_however_many_mails(table: LocalJudge) -> None:
    table.send(GM, "set nmr hold\nset held wait 6h", to=seat_address(table, GM))
    orders_from(table, "FRANCE")
    due = deadline(table)
    for hours in (5, 3, 1):
        table.advance(to=due - hours * HOUR)
        table.send(FRANCE, f"A Par - Bur\n// {hours}", subject="baltic", vouched=False)
    table.advance(to=due + 6 * HOUR - timedelta(minutes=1))
    assert phase(table) == "S1901M"
    table.advance(to=due + 6 * HOUR)
    assert phase(table) == "F1901M"


def test_the_wait_runs_beside_the_grace_and_not_after_it(table: LocalJudge) -> None:
    """France's half of a set is held, Russia is late by thirty hours: when its orders come nobody waits once more."""
    orders_from(table, "FRANCE", "RUSSIA")
    table.send(FRANCE, "A Mar H", subject="baltic")
    table.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    due = deadline(table)
    table.advance(to=due + 30 * HOUR)
    assert phase(table) == "S1901M" and told(table, FRANCE, "waits for your answer") == 2
    orders_from(table, "FRANCE")
    table.advance(HOUR)
    assert phase(table) == "F1901M"


@pytest.mark.parametrize(("complete", "verdict", "waits"), [(True, "none", 0), (False, "none", 1), (False, "fail", 0)])
def test_a_claim_by_name_counts_only_for_an_incomplete_seat_and_without_a_failed_verdict(
    table: LocalJudge, *, complete: bool, verdict: str, waits: int
) -> None:
    orders_from(table, *(() if complete else ("FRANCE",)))
    word = {"Authentication-Results": f"mx.judge.test; dmarc={verdict} header.from=players.test"}
    table.send(FRANCE, "A Par - Bur", subject="baltic", headers=word)
    assert last_mail(table).state == "held" and len(waiting(table)) == waits


@pytest.mark.parametrize("complete", [True, False])
def test_a_mail_to_the_live_address_of_a_seat_counts_from_whoever_it_comes(
    table: LocalJudge, *, complete: bool
) -> None:
    orders_from(table, *(() if complete else ("FRANCE",)))
    table.send(PHONE, "A Par - Bur", to=seat_address(table, FRANCE), vouched=False)
    assert waiting(table) == [last_mail(table).id]


def test_a_mail_to_a_live_address_from_where_our_server_says_that_it_is_not_holds_nothing(table: LocalJudge) -> None:
    word = {"Authentication-Results": "mx.judge.test; dmarc=fail header.from=else.test"}
    table.send(PHONE, "A Par - Bur", to=seat_address(table, FRANCE), headers=word)
    assert last_mail(table).state == "held" and waiting(table) == []


@pytest.mark.parametrize("sender", [GM, PHONE])
def test_a_mail_for_the_gamemaster_never_holds_up_a_turn(table: LocalJudge, sender: str) -> None:
    orders_from(table)
    to = seat_address(table, GM) if sender == PHONE else "judge+baltic@judge.test"
    table.send(sender, "extend 48h", to=to, vouched=False)
    assert last_mail(table).state == "held" and waiting(table) == []
    table.advance(to=deadline(table) + HOUR)
    assert phase(table) == "F1901M"


def test_a_mail_of_an_earlier_phase_holds_nothing(table: LocalJudge) -> None:
    table.send(PHONE, "A Par - Bur", to=seat_address(table, FRANCE), vouched=False)
    number = last_mail(table).id
    orders_from(table)
    process(table, f"despite {number}")
    assert phase(table) == "F1901M" and waiting(table) == []


def test_mail_that_came_too_late_holds_nothing(table: LocalJudge) -> None:
    table.advance(to=deadline(table))
    table.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    assert waiting(table) == []


def test_a_strangers_mail_holds_nothing(table: LocalJudge) -> None:
    table.send("mallory@else.test", "register name Mallory", vouched=False)
    assert last_mail(table).state == "held" and waiting(table) == []


def test_one_mail_for_two_games_counts_in_both(table: LocalJudge) -> None:
    """The second game is the first one's twin: whoever plays France here plays it there."""
    seat_everybody(table, "adria")
    text = "game baltic\nA Par - Bur\ngame adria\nA Par - Gas"
    table.send(FRANCE, text, subject="both", vouched=False)
    number = last_mail(table).id
    for key in ("baltic", "adria"):
        with table.judge.store.read() as view:
            assert [mail.number for mail in held_mails(view, table.game(key), table.now + HOUR)] == [number]


# --- what each is told ---


def test_who_is_to_confirm_reads_whether_the_turn_waits(table: LocalJudge) -> None:
    table.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    assert told(table, FRANCE, "The turn waits for your answer about this mail, until") == 1
    orders_from(table)
    table.send(FRANCE, "A Par - Gas", subject="baltic", vouched=False)
    assert told(table, FRANCE, "The turn does not wait for this mail: confirm it before") == 1
    assert told(table, FRANCE, "else your set of") == 1


def test_each_is_told_what_concerns_them_once(table: LocalJudge) -> None:
    table.send(GM, "set nmr hold", to=seat_address(table, GM))
    orders_from(table, "FRANCE")
    table.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    number = last_mail(table).id
    table.advance(to=deadline(table) + 5 * HOUR)
    assert told(table, GM, f"To go on without it, reply with: process S1901M despite {number}") == 1
    assert told(table, GM, f"Mail {number}, in the name of France, came in time") == 1
    assert told(table, FRANCE, "The turn waits for your answer about a mail in your name") == 1
    assert told(table, ENGLAND, "The turn waits for a mail that came in time and is not confirmed yet, until") == 1
    for address in (GM, FRANCE, ENGLAND):
        assert told(table, address, "technical") == 0 and told(table, address, "safe") == 0


def test_an_answer_to_the_second_letter_is_the_word(table: LocalJudge) -> None:
    table.send(GM, "set nmr hold", to=seat_address(table, GM))
    orders_from(table, "FRANCE")
    table.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    table.advance(to=deadline(table) + HOUR)
    table.send(FRANCE, "confirm", to=table.inbox(FRANCE)[-1].reply_to, vouched=False)
    assert phase(table) == "F1901M"


def test_with_a_no_the_turn_goes_on(table: LocalJudge) -> None:
    table.send(GM, "set nmr hold", to=seat_address(table, GM))
    orders_from(table, "FRANCE")
    table.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    table.advance(to=deadline(table) + HOUR)
    table.send(FRANCE, "no", to=table.inbox(FRANCE)[-1].reply_to, vouched=False)
    assert phase(table) == "F1901M"


# --- mail that is not read ---


def test_a_quarantined_mail_holds_it_too(table: LocalJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("judge.service.hearing.act.perform", stumble)
        table.send(FRANCE, "A Par - Bur", subject="baltic")
    table.advance(to=deadline(table) + HOUR)
    assert phase(table) == "S1901M" and not called(table)


def test_a_mail_that_nobody_has_read_holds_the_deadline(table: LocalJudge) -> None:
    number = in_other_hands(table)
    table.advance(to=deadline(table) + HOUR)
    assert waiting(table) == [number] and not called(table)
    with table.judge.store.write() as unit:
        assert unit.inbox.give_back("another process", table.now) == 1
    assert waiting(table) == [] and called(table)
    assert filed(table, "FRANCE") == ["A PAR - BUR"]


def test_an_unread_mail_of_the_grace_keeps_its_seat_from_falling_vacant(table: LocalJudge) -> None:
    orders_from(table, "FRANCE")
    table.advance(to=deadline(table) + HOUR)
    in_other_hands(table)
    table.advance(to=deadline(table) + timedelta(hours=50))
    seat = table.game("baltic").seat_of("FRANCE")
    assert seat is not None and seat.filled


@pytest.mark.parametrize(
    ("sender", "subject", "to", "concerned"),
    [
        (FRANCE, "hello", "", True),
        ("mallory@else.test", "hello", "", False),
        ("mallory@else.test", "my seat in Baltic", "", True),
        ("mallory@else.test", "baltic-two", "", False),
        ("mallory@else.test", "hello", "judge+baltic@judge.test", True),
        (FRANCE, "hello", "judge+adria@judge.test", False),
    ],
)
def test_a_mail_that_nobody_has_read_holds_up_its_own_game_only(
    table: LocalJudge, *, sender: str, subject: str, to: str, concerned: bool
) -> None:
    seat_everybody(table, "adria")
    number = in_other_hands(table, sender, subject=subject, to=to)
    assert waiting(table) == ([number] if concerned else [])


def test_nobody_is_told_of_a_delay_of_moments_and_each_once_of_a_longer_one(table: LocalJudge) -> None:
    orders_from(table, "FRANCE")
    number = in_other_hands(table)
    due = deadline(table)
    table.set_clock(due + timedelta(seconds=30))
    table.settle()
    assert told(table, ENGLAND, "come later than planned") == 0
    table.advance(to=due + 3 * HOUR)
    assert told(table, ENGLAND, "come later than planned, for a technical reason. Your orders are on file") == 1
    assert told(table, FRANCE, "Your orders are not in yet; until then you may send them") == 1
    assert told(table, GM, f"has not been processed yet: mail of this game is not read yet, number {number};") == 1
    assert told(table, GM, "For 2 hours nothing has been processed: mail of this game is not read yet") == 1


def test_the_letter_after_hours_says_that_everything_is_in_only_if_it_is(table: LocalJudge) -> None:
    orders_from(table)
    in_other_hands(table)
    table.advance(to=deadline(table) + 3 * HOUR)
    assert (
        told(table, GM, "All orders that are needed are in, but for 2 hours nothing has been processed: mail of") == 1
    )


def test_a_mail_in_the_hand_of_the_door_is_waited_for(table: LocalJudge) -> None:
    orders_from(table)
    due = deadline(table)
    table.set_clock(due)
    sweep(table.judge, Surroundings(in_hand=lambda: due - timedelta(milliseconds=5)))
    assert phase(table) == "S1901M"
    sweep(table.judge, Surroundings(in_hand=lambda: due))
    assert phase(table) == "F1901M"


def test_a_mail_stored_in_the_last_moment_is_seen(table: LocalJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    """The barrier is asked inside the transaction that turns the page, not before it."""
    orders_from(table)
    due, store = deadline(table), type(table.judge.store)
    write = store.write
    stored: list[int] = []

    def late(self: Any, **how: bool) -> Any:
        """The transaction of the tick begins: just before it another process has stored a mail."""
        if table.now == due and not stored:
            stored.append(0)
            stored.append(in_other_hands(table, came=due - timedelta(milliseconds=5)))
        return write(self, **how)

    table.clock.set(due)
    monkeypatch.setattr(store, "write", late)
    tick(table.judge, "baltic", Surroundings())
    monkeypatch.undo()
    assert stored and phase(table) == "S1901M"


# --- process despite ---


def test_process_despite_the_mail_goes_on(table: LocalJudge) -> None:
    orders_from(table)
    table.send(PHONE, "A Par - Bur", to=seat_address(table, FRANCE), vouched=False)
    number = last_mail(table).id
    process(table)
    assert phase(table) == "S1901M"
    assert f"despite {number}" in table.inbox(GM)[-1].text
    process(table, f"despite {number}")
    assert phase(table) == "F1901M"


def test_process_despite_a_quarantined_mail_goes_on_and_the_mail_stays_for_the_operator(
    table: LocalJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders_from(table)
    with monkeypatch.context() as broken:
        broken.setattr("judge.service.hearing.act.perform", stumble)
        table.send(FRANCE, "A Par - Bur", subject="baltic")
    number = last_mail(table).id
    table.advance(timedelta(minutes=1))
    process(table)
    assert phase(table) == "S1901M" and f"despite {number}" in table.inbox(GM)[-1].text
    process(table, f"despite {number}")
    assert phase(table) == "F1901M" and waiting(table) == []
    with table.judge.store.read() as view:
        assert view.inbox.get(number).state is MailState.QUARANTINED


def test_process_despite_a_mail_that_nobody_has_read_goes_on(table: LocalJudge) -> None:
    """As when another process has it in hand, and stands still."""
    orders_from(table)
    number = in_other_hands(table)
    table.advance(timedelta(minutes=1))
    process(table)
    assert phase(table) == "S1901M" and f"despite {number}" in table.inbox(GM)[-1].text
    process(table, f"despite {number}")
    assert phase(table) == "F1901M"


@pytest.mark.parametrize("named", ["99999", "1 99999 0", "1"])
@pytest.mark.parametrize("anything_waits", [True, False])
def test_a_number_that_does_not_wait_is_refused_with_what_does(
    table: LocalJudge, *, named: str, anything_waits: bool
) -> None:
    orders_from(table)
    if anything_waits:
        table.send(PHONE, "A Par - Bur", to=seat_address(table, FRANCE), vouched=False)
    number = last_mail(table).id
    process(table, f"despite {named}")
    answer = " ".join(table.inbox(GM)[-1].text.split())
    assert phase(table) == "S1901M" and "Nothing was done." in answer
    if anything_waits:
        assert f"What waits: number {number} (held, in the name of France" in answer
        assert f"process S1901M despite {number}" in answer
    else:
        assert "No mail waits here." in answer


def test_a_held_mail_that_nobody_waits_for_may_be_named_too(table: LocalJudge) -> None:
    orders_from(table)
    table.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    process(table, f"despite {last_mail(table).id}")
    assert phase(table) == "F1901M"


def test_only_the_gamemaster_can_name_a_mail(table: LocalJudge) -> None:
    table.send(PHONE, "A Par - Bur", to=seat_address(table, FRANCE), vouched=False)
    number = last_mail(table).id
    table.send(ENGLAND, f"process S1901M despite {number}", subject="baltic")
    assert waiting(table) == [number]


# --- logs of an older judge ---


def test_a_log_written_before_these_fields_reads_as_ever() -> None:
    at = "1901-03-08T12:00:00+00:00"
    step = from_json("LadderStep", 1, {"at": at, "kind": "overdue", "number": 2, "seats": [], "version": 1})
    assert isinstance(step, LadderStep) and step.reason == ""
    old = {"at": at, "reason": "mail is held", "version": 1}
    delayed = from_json("ProcessingDelayed", 1, old)
    assert isinstance(delayed, ProcessingDelayed) and delayed.cause == ""
