"""Letters that come back: counted by address, another way tried, the Gamemaster told, silence until a sign of life."""

from datetime import timedelta
from pathlib import Path

import pytest

from judge.mail.tokens import Purpose, mint
from judge.store.rows import Address, DeliveryState
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import GM
from judge.transport.ports import Refused
from tests.service.conftest import OPERATOR, agreed, kind_of, last_mail, person_of
from tests.support.fates import DEFERRED, REFUSED
from tests.support.standing import seated

FRANCE = player_of("FRANCE")
SECOND = "jean@second.test"
WORDS = {"5.1.1": "no such user", "5.3.4": "message too big", "4.2.2": "mailbox full"}


def bounce(
    stage: LocalJudge, letter: ReceivedLetter, *, status: str = "5.1.1", verp: bool = True, diagnostic: str = ""
) -> None:
    """The notice that a mail server sends when a letter of ours cannot be delivered."""
    sender = next(parcel.mail_from for parcel in stage.post.tried if parcel.data == letter.raw)
    said = diagnostic or f"550 {status} <{letter.to}>: {WORDS.get(status, 'refused')}"
    action = "failed" if status.startswith("5") else "delayed"
    text = (
        "--b\nContent-Type: text/plain\n\nSorry.\n"
        f"--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.players.test\n\n"
        f"Final-Recipient: rfc822; {letter.to}\nAction: {action}\nStatus: {status}\n"
        f"Diagnostic-Code: smtp; {said}\n\n"
        f"--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: {letter.message_id}\n\n--b--\n"
    )
    headers = {
        "Return-Path": "<>",
        "Content-Type": 'multipart/report; report-type=delivery-status; boundary="b"',
        "Auto-Submitted": "auto-replied",
    }
    stage.send("mailer-daemon@mx.players.test", text, to=sender if verp else stage.address, headers=headers)


def row_of(stage: LocalJudge, address: str) -> Address:
    with stage.judge.store.read() as view:
        found = view.people.address(address)
    assert found is not None
    return found


def call(stage: LocalJudge, address: str = FRANCE) -> ReceivedLetter:
    """The letter that called for orders last."""
    return [letter for letter in stage.inbox(address) if kind_of(letter) in ("started", "results")][-1]


def add_second(stage: LocalJudge) -> None:
    agreed(stage, FRANCE, f"add address {SECOND}")
    stage.send(SECOND, "confirm", to=stage.inbox(SECOND)[-1].reply_to, vouched=False)


def test_a_hard_bounce_tells_the_gamemaster_without_the_address(table: LocalJudge) -> None:
    bounce(table, call(table))
    told = table.inbox(GM)[-1]
    assert "France came back" in told.subject and FRANCE not in told.text
    assert (row_of(table, FRANCE).bounce_hard, row_of(table, FRANCE).suspended_at) == (1, None)
    assert last_mail(table).state == "ignored"


def test_the_same_letter_goes_to_another_address(table: LocalJudge) -> None:
    add_second(table)
    letter = call(table)
    bounce(table, letter)
    again = table.inbox(SECOND)[-1]
    assert (again.message_id, again.raw) == (letter.message_id, letter.raw)
    assert "another address" in table.inbox(GM)[-1].text


def test_a_bounce_without_its_address_is_known_by_the_letter_that_it_encloses(table: LocalJudge) -> None:
    bounce(table, call(table), verp=False)
    assert row_of(table, FRANCE).bounce_hard == 1


def test_a_forged_bounce_counts_nothing(table: LocalJudge) -> None:
    forged = ReceivedLetter(1, FRANCE, b"Message-ID: <guess@judge.test>\r\n\r\n")
    table.post.tried.append(
        table.post.tried[0].__class__(0, "judge+" + "a" * 31 + "@judge.test", (FRANCE,), forged.raw)
    )
    bounce(table, forged, verp=False)
    assert row_of(table, FRANCE).bounce_hard == 0


def test_a_notice_at_a_token_of_another_kind_counts_nothing(table: LocalJudge) -> None:
    with table.judge.store.read() as view:
        number = next(line.delivery.id for line in view.outbox.list(limit=100) if line.delivery.address == FRANCE)
    for purpose in (Purpose.SEAT, Purpose.CONFIRM):
        token = mint(purpose, f"{number:016x}", table.judge.store.secret)
        forged = ReceivedLetter(1, FRANCE, f"Message-ID: <guess.{purpose}@judge.test>\r\n\r\n".encode())
        table.post.tried.append(table.post.tried[0].__class__(0, f"judge+{token}@judge.test", (FRANCE,), forged.raw))
        bounce(table, forged)
    assert row_of(table, FRANCE).bounce_hard == 0


def test_an_address_that_nobody_has_proved_is_no_other_way(table: LocalJudge) -> None:
    with table.judge.store.write() as unit:
        unit.people.add_address(person_of(table, FRANCE).id, SECOND, table.now)
    bounce(table, call(table))
    assert table.inbox(SECOND) == []
    assert "no other address" in " ".join(table.inbox(GM)[-1].text.split())


def test_soft_bounces_count_once_a_day(table: LocalJudge) -> None:
    for _ in range(3):
        bounce(table, call(table), status="4.2.2")
    assert row_of(table, FRANCE).bounce_soft == 1
    table.advance(timedelta(days=1))
    bounce(table, call(table), status="4.2.2")
    assert row_of(table, FRANCE).bounce_soft == 2


def test_after_two_hard_bounces_only_calls_for_orders_are_tried_until_a_sign_of_life(table: LocalJudge) -> None:
    bounce(table, call(table))
    table.send(player_of("ENGLAND"), "press to France\nAre you there?", subject="baltic")
    bounce(table, table.inbox(FRANCE)[-1])
    assert row_of(table, FRANCE).suspended_at is not None
    table.send(player_of("ENGLAND"), "press to France\nHello?", subject="baltic")
    assert "Hello?" not in table.inbox(FRANCE)[-1].text
    with table.judge.store.read() as view:
        assert len(view.outbox.list(states=(DeliveryState.HELD,))) == 1
    table.send(FRANCE, "status", subject="baltic")
    assert row_of(table, FRANCE).suspended_at is None and row_of(table, FRANCE).bounce_hard == 0
    assert any("Hello?" in letter.text for letter in table.inbox(FRANCE))


def test_a_refusal_at_the_relay_counts_like_a_bounce(table: LocalJudge) -> None:
    add_second(table)
    table.post.answers[FRANCE] = REFUSED
    table.send(player_of("ENGLAND"), "press to France\nAre you there?", subject="baltic")
    assert row_of(table, FRANCE).bounce_hard == 1


def test_a_letter_that_nobody_takes_for_days_is_given_up_and_the_gamemaster_told(table: LocalJudge) -> None:
    table.post.answers[FRANCE] = DEFERRED
    table.send(player_of("ENGLAND"), "press to France\nAre you there?", subject="baltic")
    table.advance(timedelta(days=6))
    assert any("could not be delivered" in letter.subject for letter in table.inbox(GM))


def test_when_the_gamemaster_cannot_be_reached_the_operator_is_told(table: LocalJudge) -> None:
    bounce(table, call(table, GM))
    assert GM in table.inbox(OPERATOR)[-1].text


@pytest.mark.parametrize(
    "refusal",
    [Refused(552, "5.3.4 Message too big"), Refused(554, "5.7.1 rejected as spam"), Refused(554, "")],
    ids=str,
)
def test_a_refusal_of_one_letter_says_nothing_about_the_mailbox(table: LocalJudge, refusal: Refused) -> None:
    table.post.answers[FRANCE] = refusal
    for _ in range(3):
        table.send(player_of("ENGLAND"), "press to France\nAre you there?", subject="baltic")
    row = row_of(table, FRANCE)
    assert (row.bounce_hard, row.bounce_soft, row.suspended_at) == (0, 0, None)
    bounce(table, table.inbox(FRANCE)[-1], status="5.3.4")
    assert row_of(table, FRANCE).bounce_hard == 0


def test_a_call_for_orders_that_is_refused_for_its_content_is_tried_elsewhere_and_told(table: LocalJudge) -> None:
    add_second(table)
    letter = call(table)
    bounce(table, letter, status="5.7.1", diagnostic="554 5.7.1 rejected as spam")
    assert table.inbox(SECOND)[-1].message_id == letter.message_id
    assert "France came back" in table.inbox(GM)[-1].subject
    assert row_of(table, FRANCE).bounce_hard == 0


def test_a_full_mailbox_counts_once_a_day_even_with_a_code_for_good(table: LocalJudge) -> None:
    for _ in range(3):
        bounce(table, call(table), status="5.2.2", diagnostic="552 5.2.2 mailbox full")
    row = row_of(table, FRANCE)
    assert (row.bounce_hard, row.bounce_soft) == (0, 1)


def test_who_writes_to_a_suspended_address_and_the_gamemaster_are_told(table: LocalJudge) -> None:
    for _ in range(2):
        bounce(table, call(table))
    told = [letter for letter in table.inbox(GM) if "letters to France come back" in letter.subject]
    assert len(told) == 1 and FRANCE not in told[0].text
    table.send(player_of("ENGLAND"), "press to France\nHello?", subject="baltic")
    receipt = " ".join(table.inbox(player_of("ENGLAND"))[-1].text.split())
    assert "goes to France. France's mailbox sends my letters back at present" in receipt
    table.send(player_of("ENGLAND"), "press to Italy\nHello?", subject="baltic")
    assert "sends my letters back" not in table.inbox(player_of("ENGLAND"))[-1].text


def test_in_an_anonymous_game_nothing_is_said_about_anybodys_mailbox(tmp_path: Path) -> None:
    stage = seated(tmp_path, {"anonymous": "yes"}, key="fog")
    stage.begin()
    for _ in range(2):
        bounce(stage, call(stage))
    stage.send(player_of("ENGLAND"), "press to France\nHello?", subject="fog")
    assert "sends my letters back" not in stage.inbox(player_of("ENGLAND"))[-1].text
    assert any("letters to France come back" in letter.subject for letter in stage.inbox(GM))
    stage.close()


EXCUSED = "Nobody is called late whose call for orders came back"


def told_of(stage: LocalJudge, letter: ReceivedLetter) -> str:
    """What the Gamemaster reads when a letter comes back."""
    before = len(stage.inbox(GM))
    bounce(stage, letter)
    return " ".join(letter.text for letter in stage.inbox(GM)[before:])


def test_nobody_is_said_to_be_excused_who_is_not(tmp_path: Path) -> None:
    """The game waits for a call that came back; not for an older one, nor where it never waits, nor in the grace."""
    stage = seated(tmp_path, {"nmr": "grace", "grace": "2d"})
    seat_everybody(stage, "hasty", {"nmr": "hold"})
    stage.begin()
    baltic, hasty = (
        next(one for one in stage.inbox(FRANCE) if one.subject.startswith(f"[{game}]") and kind_of(one) == "started")
        for game in ("baltic", "hasty")
    )
    assert EXCUSED not in told_of(stage, hasty)
    stage.advance(timedelta(days=1))
    assert EXCUSED in told_of(stage, baltic)
    stage.advance(timedelta(days=10))
    deadline = stage.game("baltic").deadline
    assert deadline is not None and not deadline.called, "the call came back: nobody is called late"
    stage.close()


def test_who_has_the_letter_at_another_address_is_late_like_everybody(table: LocalJudge) -> None:
    """The first copy came back, the second arrived: the call for orders has reached its reader."""
    add_second(table)
    bounce(table, call(table))
    assert kind_of(table.inbox(SECOND)[-1]) in ("started", "results")
    table.advance(timedelta(days=8))
    assert any(kind_of(letter) == "late" for letter in table.inbox(FRANCE) + table.inbox(SECOND))
