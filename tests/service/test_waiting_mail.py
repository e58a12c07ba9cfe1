"""A deadline waits for mail that came in time and is not settled; the Gamemaster may go on by naming it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from judge.service.barrier import MAX_PER_SENDER, waiting_mails
from judge.service.door import new_mail
from judge.store.rows import MailState
from judge.testing.casting import player_of
from judge.testing.mails import build
from judge.testing.stage import Stage
from judge.testing.theatre import GM
from judge.transport.ports import Arrival
from tests.service.conftest import filed, last_mail, seat_address

FRANCE = player_of("FRANCE")


def deadline(stage: Stage) -> datetime:
    found = stage.game("baltic").deadline
    assert found is not None
    return found.at


def called(stage: Stage) -> bool:
    """Whether anybody was called late in this turn."""
    found = stage.game("baltic").deadline
    return found is None or found.called


def all_other_orders(stage: Stage) -> None:
    """Everybody but France sends a whole set."""
    game = stage.game("baltic")
    assert game.position is not None
    for power in game.board.powers:
        if power != "FRANCE":
            lines = [f"{unit.kind} {unit.at} H" for unit in game.position.units if unit.power == power]
            stage.send(player_of(power), "\n".join(lines), subject="baltic")


def waiting(stage: Stage) -> list[int]:
    stage.advance(timedelta(minutes=1))
    with stage.house.store.read() as view:
        return [mail.id for mail in waiting_mails(view, stage.game("baltic"), stage.now)]


def process(stage: Stage, more: str = "") -> None:
    """The Gamemaster's command, with two proofs; asked about missing sets, he says yes."""
    stage.send(GM, f"process S1901M {more}".strip(), to=seat_address(stage, GM))
    asked = stage.inbox(GM)[-1]
    if "waits for your word" in str(asked.message["Subject"]):
        stage.send(GM, "confirm", to=asked.reply_to)


def stumble(*_: object) -> None:
    """What the judge does over a mail that breaks it."""
    raise RuntimeError("a stone")


def in_other_hands(stage: Stage) -> int:
    """A mail of France's that came in time and that another process has in hand; its number."""
    headers = [("From", FRANCE), ("Subject", "baltic")]
    raw = build(headers, "A Par - Bur", now=stage.now, number=99, to=stage.address, vouched=True)
    arrival = Arrival(raw.raw, "smtp", "smtp:other", raw.mail_from, raw.rcpts, stage.now, "127.0.0.1")
    with stage.house.store.write() as unit:
        unit.inbox.put(new_mail(stage.house, arrival))
    with stage.house.store.write() as unit:
        (mail,) = unit.inbox.claim(stage.now, owner="another process", lease=timedelta(days=30))
    return mail.id


def test_a_held_mail_holds_the_deadline_and_one_word_settles_it(table: Stage) -> None:
    table.advance(to=deadline(table) - timedelta(hours=1))
    table.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    held = table.inbox(FRANCE)[-1]
    table.advance(to=deadline(table) + timedelta(hours=1))
    assert str(table.game("baltic").phase) == "S1901M" and waiting(table) == [last_mail(table).id]
    table.send(FRANCE, "confirm", to=held.reply_to, vouched=False)
    assert waiting(table) == []


def test_process_despite_the_mail_goes_on(table: Stage) -> None:
    all_other_orders(table)
    table.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    number = last_mail(table).id
    table.advance(timedelta(minutes=1))
    process(table)
    assert str(table.game("baltic").phase) == "S1901M"
    assert f"despite {number}" in table.inbox(GM)[-1].text
    process(table, f"despite {number}")
    assert str(table.game("baltic").phase) == "F1901M"


def test_a_quarantined_mail_holds_it_too(table: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("judge.service.requests.perform", stumble)
        table.send(FRANCE, "A Par - Bur", subject="baltic")
    table.advance(to=deadline(table) + timedelta(hours=1))
    assert str(table.game("baltic").phase) == "S1901M"


def test_process_despite_a_quarantined_mail_goes_on_and_the_mail_stays_for_the_operator(
    table: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_other_orders(table)
    with monkeypatch.context() as broken:
        broken.setattr("judge.service.requests.perform", stumble)
        table.send(FRANCE, "A Par - Bur", subject="baltic")
    number = last_mail(table).id
    table.advance(timedelta(minutes=1))
    process(table)
    assert str(table.game("baltic").phase) == "S1901M" and f"despite {number}" in table.inbox(GM)[-1].text
    process(table, f"despite {number}")
    assert str(table.game("baltic").phase) == "F1901M"
    with table.house.store.read() as view:
        assert view.inbox.get(number).state is MailState.QUARANTINED


def test_process_despite_a_mail_that_nobody_has_read_goes_on(table: Stage) -> None:
    """As when another process has it in hand, and stands still."""
    all_other_orders(table)
    number = in_other_hands(table)
    table.advance(timedelta(minutes=1))
    process(table)
    assert str(table.game("baltic").phase) == "S1901M" and f"despite {number}" in table.inbox(GM)[-1].text
    process(table, f"despite {number}")
    assert str(table.game("baltic").phase) == "F1901M"


def test_a_mail_that_nobody_has_read_holds_the_deadline(table: Stage) -> None:
    number = in_other_hands(table)
    table.advance(to=deadline(table) + timedelta(hours=1))
    assert waiting(table) == [number] and not called(table)
    with table.house.store.write() as unit:
        assert unit.inbox.give_back("another process", table.now) == 1
    assert waiting(table) == [] and called(table)
    assert filed(table, "FRANCE") == ["A PAR - BUR"]


@pytest.mark.parametrize("named", ["1", "99999", "1 99999 0"])
def test_naming_another_mail_does_not_help(table: Stage, named: str) -> None:
    all_other_orders(table)
    table.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    number = last_mail(table).id
    table.advance(timedelta(minutes=1))
    process(table, f"despite {named}")
    assert str(table.game("baltic").phase) == "S1901M" and f"despite {number}" in table.inbox(GM)[-1].text


def test_only_the_gamemaster_can_name_a_mail(table: Stage) -> None:
    table.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    number = last_mail(table).id
    table.send(player_of("ENGLAND"), f"process S1901M despite {number}", subject="baltic")
    assert waiting(table) == [number]


def test_mail_that_came_too_late_holds_nothing(table: Stage) -> None:
    table.advance(to=deadline(table))
    table.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    assert waiting(table) == []


def test_a_flood_in_one_name_counts_as_a_few(table: Stage) -> None:
    for number in range(MAX_PER_SENDER + 2):
        table.send(FRANCE, f"A Par - Bur\n// {number}", subject="baltic", vouched=False)
    assert len(waiting(table)) == MAX_PER_SENDER


def test_a_strangers_mail_holds_nothing(table: Stage) -> None:
    table.send("mallory@else.test", "register name Mallory", vouched=False)
    assert last_mail(table).state == "held" and waiting(table) == []
