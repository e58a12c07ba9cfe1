"""A player's addresses and password: proved before they count, told to the old address, to be undone from there."""

from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM
from tests.service.conftest import agreed, filed, kind_of, last_mail, person_of, seat_address

FRANCE = player_of("FRANCE")
NEW = "jean@new.test"
WORD = "heron-and-oak-41"


def move(stage: LocalJudge, to: str = NEW) -> None:
    """France asks for another address, with two proofs, and confirms it from there."""
    agreed(stage, FRANCE, f"my address {to}")
    stage.send(to, "confirm", to=stage.inbox(to)[-1].reply_to, vouched=False)


def test_a_new_address_counts_once_it_is_confirmed_from_there(table: LocalJudge) -> None:
    agreed(table, FRANCE, f"my address {NEW}")
    asked = table.inbox(NEW)[-1]
    assert "confirm" in asked.text and FRANCE not in asked.text and "France" not in asked.text
    with table.judge.store.read() as view:
        assert view.people.by_address(NEW, verified=True) is None
    table.send(NEW, "confirm", to=asked.reply_to, vouched=False)
    assert person_of(table, NEW) == person_of(table, FRANCE)
    table.send(NEW, "A Par - Bur", subject="baltic")
    assert filed(table, "FRANCE") == ["A PAR - BUR"]
    assert "set 1 for France" in table.inbox(NEW)[-1].subject


def test_the_old_address_is_told_at_once_and_may_undo_it(table: LocalJudge) -> None:
    move(table)
    told = table.inbox(FRANCE)[-1]
    assert NEW in told.text and "undo" in told.text
    table.send(FRANCE, "Thank you, I know.", to=told.reply_to, vouched=False)
    assert person_of(table, NEW) == person_of(table, FRANCE)
    table.send(FRANCE, "undo", to=told.reply_to, vouched=False)
    with table.judge.store.read() as view:
        assert view.people.by_address(NEW) is None
    table.send(FRANCE, "status", subject="baltic")
    assert kind_of(table.inbox(FRANCE)[-1]) == "status"


def test_another_address_is_asked_about_at_the_address_of_record(table: LocalJudge) -> None:
    table.send(FRANCE, f"my address {NEW}", to=seat_address(table, FRANCE), vouched=False)
    assert last_mail(table).state == "held" and not table.inbox(NEW)
    table.send(FRANCE, f"my address {NEW}")
    assert last_mail(table).state == "held" and not table.inbox(NEW)
    table.send(FRANCE, "confirm", to=table.inbox(FRANCE)[-1].reply_to, vouched=False)
    assert table.inbox(NEW)


def test_nobody_learns_that_an_address_is_somebody_elses(table: LocalJudge) -> None:
    before = len(table.inbox(GM))
    agreed(table, FRANCE, f"my address {GM}")
    said = " ".join(table.inbox(FRANCE)[-1].text.split())
    assert f"Unless {GM} is on file for somebody else, I have written to it." in said
    assert len(table.inbox(GM)) == before


def test_a_mail_from_a_second_address_is_told_to_the_first(table: LocalJudge) -> None:
    agreed(table, FRANCE, f"add address {NEW}")
    table.send(NEW, "yes", to=table.inbox(NEW)[-1].reply_to, vouched=False)
    table.send(NEW, "A Par - Pic", subject="baltic")
    assert filed(table, "FRANCE") == ["A PAR - PIC"]
    for address in (FRANCE, NEW):
        assert f"This came from {NEW}" in table.inbox(address)[-1].text


def test_the_last_proved_address_cannot_be_dropped(table: LocalJudge) -> None:
    agreed(table, FRANCE, f"drop address {FRANCE}")
    assert "only proved address" in table.inbox(FRANCE)[-1].text
    move(table)
    table.send(NEW, f"drop address {FRANCE}", to=seat_address(table, FRANCE))
    table.send(NEW, "confirm", to=table.inbox(NEW)[-1].reply_to, vouched=False)
    with table.judge.store.read() as view:
        assert view.people.by_address(FRANCE) is None
    assert "taken off" in table.inbox(FRANCE)[-1].text


def test_a_password_is_set_and_changed_by_confirmation(table: LocalJudge) -> None:
    table.send(FRANCE, f"new password {WORD}", to=seat_address(table, FRANCE))
    assert last_mail(table).state == "held"
    table.send(FRANCE, "confirm", to=table.inbox(FRANCE)[-1].reply_to)
    table.send(FRANCE, f"password {WORD}\nA Par - Bur", subject="baltic", vouched=False)
    assert filed(table, "FRANCE") == ["A PAR - BUR"]
    table.send(FRANCE, f"password {WORD}\nnew password another-word-9", subject="baltic", vouched=False)
    assert last_mail(table).state == "held"
    table.send(FRANCE, "confirm", to=table.inbox(FRANCE)[-1].reply_to)
    table.send(FRANCE, f"password {WORD}\nA Par - Pic", subject="baltic", vouched=False)
    assert last_mail(table).state == "held"
    table.send(FRANCE, "password another-word-9\nA Par - Gas", subject="baltic", vouched=False)
    assert filed(table, "FRANCE") == ["A PAR - GAS"]


def test_no_letter_and_no_verdict_shows_a_password(table: LocalJudge) -> None:
    table.send(FRANCE, f"new password {WORD}", to=seat_address(table, FRANCE))
    table.send(FRANCE, "confirm", to=table.inbox(FRANCE)[-1].reply_to)
    table.send(FRANCE, f"> new password {WORD}\npassword {WORD}\nstatus", subject=f"password {WORD}")
    assert all(WORD not in letter.text and WORD not in letter.subject for letter in table.everything())
    with table.judge.store.read() as view:
        assert all(WORD not in (row.verdict or "") for row in view.inbox.list(limit=1000))


def test_many_mails_without_proof_are_put_aside_and_the_gamemaster_hears_of_it(table: LocalJudge) -> None:
    for number in range(8):
        table.send(FRANCE, f"A Par - Bur\n// {number}", subject="baltic", vouched=False)
    assert last_mail(table).state == "ignored"
    held = [letter for letter in table.inbox(FRANCE) if kind_of(letter) == "held"]
    told = [letter for letter in table.inbox(FRANCE) if "without proof" in letter.subject]
    flagged = [letter for letter in table.inbox(GM) if "France" in letter.subject and "lack proof" in letter.subject]
    assert (len(held), len(told), len(flagged)) == (5, 1, 1)
    assert not filed(table, "FRANCE")


def test_guessing_a_password_ends_after_five_attempts(table: LocalJudge) -> None:
    table.send(FRANCE, f"new password {WORD}", to=seat_address(table, FRANCE))
    table.send(FRANCE, "confirm", to=table.inbox(FRANCE)[-1].reply_to)
    for number in range(5):
        table.send(FRANCE, f"password guess-{number}-wrong\nstatus", subject="baltic")
    table.send(FRANCE, f"password {WORD}\nA Par - Bur", subject="baltic", vouched=False)
    assert last_mail(table).state == "held"
