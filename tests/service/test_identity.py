"""Who may do what with which proof (rulings.md, Mail 1): every cell of the table is a test, forged mails included.

Proofs: `token` the mail went to the seat's own reply address; `vouched` our mail server says that From is genuine;
`denied` it says that it is not; `password` a right password line; `foreign` From is somebody else's address.
"""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from judge.mail.tokens import Purpose, mint
from judge.service.mailbag import reply_address
from judge.service.members import address_of
from judge.service.people import PASSWORD, right_password
from judge.store.passwords import hash_password
from judge.store.rows import MailState
from judge.testing.casting import player_of, seat_everybody
from judge.testing.stage import Stage
from judge.testing.theatre import GM

WORD = "copper-heron-41"

DONE, HELD, SILENT = "done", "held", "silent"

#            proofs                           orders   gm's     new      new
#                                                     command  address  password
TABLE = {
    "nothing": ((), HELD, HELD, HELD, HELD),
    "denied by our server": (("denied",), HELD, HELD, HELD, HELD),
    "our server's word": (("vouched",), DONE, HELD, HELD, HELD),
    "the seat's address": (("token",), DONE, HELD, HELD, HELD),
    "address, but denied": (("token", "denied"), DONE, HELD, HELD, HELD),
    "address and our server's word": (("token", "vouched"), DONE, DONE, DONE, HELD),
    "password alone": (("password",), DONE, HELD, HELD, DONE),
    "password and our server's word": (("password", "vouched"), DONE, DONE, DONE, DONE),
    "password and the seat's address": (("password", "token"), DONE, DONE, DONE, DONE),
    "wrong password": (("wrong password",), HELD, HELD, HELD, HELD),
    "wrong password and our server's word": (("wrong password", "vouched"), DONE, HELD, HELD, HELD),
    "seat's address from a stranger": (("token", "foreign"), HELD, HELD, HELD, HELD),
    "seat's address from a stranger with proof of his own": (("token", "foreign", "vouched"), HELD, HELD, HELD, HELD),
    "seat's address and password from a stranger": (("token", "foreign", "password"), DONE, HELD, HELD, DONE),
    "a stranger with proof of his own": (("foreign", "vouched"), SILENT, SILENT, SILENT, SILENT),
}


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(tmp_path)
    seat_everybody(stage, "baltic")
    stage.begin()
    with stage.house.store.write() as unit:
        for address in (player_of("FRANCE"), GM):
            person = unit.people.by_address(address)
            assert person is not None
            kept = hash_password(WORD, salt=bytes(16))
            unit.people.set_secret(person.id, PASSWORD, kept, stage.now)
    yield stage
    stage.close()


def mail(stage: Stage, owner: str, proofs: tuple[str, ...], line: str) -> MailState:
    """Send one command with these proofs; the state in which its mail ends."""
    to = stage.inbox(owner)[-1].reply_to if "token" in proofs else "judge+baltic@judge.test"
    text = line
    if "password" in proofs:
        text = f"password {WORD}\n{line}"
    if "wrong password" in proofs:
        text = f"password open-sesame\n{line}"
    sender = "mallory@players.test" if "foreign" in proofs else owner
    headers = {}
    if "denied" in proofs:
        headers["Authentication-Results"] = "mx.judge.test; dmarc=fail header.from=players.test"
    stage.send(sender, text, to=to, headers=headers, vouched="vouched" in proofs)
    with stage.house.store.read() as view:
        return view.inbox.list(limit=1000)[-1].state


def meaning(state: MailState, *, changed: bool) -> str:
    if state is MailState.HELD:
        assert not changed
        return HELD
    return DONE if changed else SILENT


@pytest.mark.parametrize("proofs", TABLE, ids=str)
def test_orders(stage: Stage, proofs: str) -> None:
    given, wanted, _, _, _ = TABLE[proofs]
    state = mail(stage, player_of("FRANCE"), given, "A Par - Bur")
    assert meaning(state, changed="FRANCE" in stage.game("baltic").sheets) == wanted


@pytest.mark.parametrize("proofs", TABLE, ids=str)
def test_the_gamemasters_commands(stage: Stage, proofs: str) -> None:
    given, _, wanted, _, _ = TABLE[proofs]
    state = mail(stage, GM, given, 'hold "holidays"')
    assert meaning(state, changed=stage.game("baltic").held_since is not None) == wanted


@pytest.mark.parametrize("proofs", TABLE, ids=str)
def test_another_address(stage: Stage, proofs: str) -> None:
    given, _, _, wanted, _ = TABLE[proofs]
    state = mail(stage, player_of("FRANCE"), given, "my address jean@new.test")
    assert meaning(state, changed=bool(stage.inbox("jean@new.test"))) == wanted


@pytest.mark.parametrize("proofs", TABLE, ids=str)
def test_another_password(stage: Stage, proofs: str) -> None:
    given, _, _, _, wanted = TABLE[proofs]
    state = mail(stage, player_of("FRANCE"), given, "new password heron-and-oak-41")
    with stage.house.store.read() as view:
        person = view.people.by_address(player_of("FRANCE"))
        assert person is not None
        changed = right_password(view, person, "heron-and-oak-41")
    assert meaning(state, changed=changed) == wanted


@pytest.mark.parametrize("vouched", [True, False])
def test_another_player_at_a_seats_address_is_a_stranger_there(stage: Stage, *, vouched: bool) -> None:
    france = player_of("FRANCE")
    stage.send(player_of("ENGLAND"), "A Par - Bur", to=stage.inbox(france)[-1].reply_to, vouched=vouched)
    with stage.house.store.read() as view:
        assert view.inbox.list(limit=1000)[-1].state is MailState.HELD
    assert not {"FRANCE", "ENGLAND"} & set(stage.game("baltic").sheets)


@pytest.mark.parametrize("purpose", [each for each in Purpose if each not in (Purpose.SEAT, Purpose.UNSUBSCRIBE)])
def test_a_token_for_another_purpose_opens_no_seat(stage: Stage, purpose: Purpose) -> None:
    with stage.house.store.read() as view:
        seats = [row for row in view.games.seats("baltic") if row.person_id is not None]
        (seat,) = [row for row in seats if address_of(view, row.person_id or 0) == player_of("FRANCE")]
    token = mint(purpose, seat.nonce, stage.house.store.secret)
    stage.send(player_of("FRANCE"), "baltic\nA Par - Bur", to=f"judge+{token}@judge.test", vouched=False)
    assert "FRANCE" not in stage.game("baltic").sheets


def test_a_letter_of_a_former_tenure_never_carries_the_token_of_the_present_one(stage: Stage) -> None:
    with stage.house.store.read() as view:
        seat = next(row for row in view.games.seats("baltic") if row.person_id is not None)
    ours = stage.house.office.game_address("baltic")
    for written, token in ((seat.since, True), (seat.since - timedelta(seconds=1), False)):
        answer = reply_address(stage.house, lambda *which: seat, seat.seat, "baltic", written)
        assert (answer != ours) == token


def test_a_held_mail_is_released_from_the_address_of_record_alone(stage: Stage) -> None:
    france = player_of("FRANCE")
    mail(stage, france, ("token", "foreign"), "A Par - Bur")
    notice = stage.inbox(france)[-1]
    assert "mallory@players.test" in notice.text
    assert not stage.inbox("mallory@players.test")
    stage.send(france, "yes", to=notice.reply_to)
    assert [line.order for line in stage.game("baltic").sheets["FRANCE"].lines] == ["A PAR - BUR"]


def test_signing_on_from_any_address_as_with_the_judges_of_old(stage: Stage) -> None:
    stage.send("cafe@anywhere.test", f"sign on FBALTIC {WORD}\nA Par - Bur\nsign off", vouched=False)
    assert [line.order for line in stage.game("baltic").sheets["FRANCE"].lines] == ["A PAR - BUR"]
    receipt = stage.inbox(player_of("FRANCE"))[-1]
    assert "not on file for you" in receipt.text and not stage.inbox("cafe@anywhere.test")
    stage.send("cafe@anywhere.test", "sign on EBALTIC wrong-word\nF Lon - Nth\nsign off", vouched=False)
    assert "ENGLAND" not in stage.game("baltic").sheets


def test_the_password_of_a_stranger_is_no_password_of_the_seat(stage: Stage) -> None:
    to = stage.inbox(player_of("FRANCE"))[-1].reply_to
    stage.send(GM, f"password {WORD}\nA Par - Bur", to=to)
    assert "FRANCE" in stage.game("baltic").sheets  # the Gamemaster of this test has the same word
    with stage.house.store.write() as unit:
        person = unit.people.by_address(GM)
        assert person is not None
        unit.people.set_secret(person.id, PASSWORD, hash_password("another-word", salt=bytes(16)), stage.now)
    stage.send(GM, "password another-word\nA Par - Pic", to=to)
    assert [line.order for line in stage.game("baltic").sheets["FRANCE"].lines] == ["A PAR - BUR"]


def test_a_token_dies_with_the_tenure(stage: Stage) -> None:
    france = player_of("FRANCE")
    old = stage.inbox(france)[-1].reply_to
    assert mail(stage, GM, ("token", "password"), "vacate France") is MailState.PROCESSED
    stage.send(france, "A Par - Bur", to=old)
    assert "FRANCE" not in stage.game("baltic").sheets


def test_what_cannot_be_taken_back_needs_a_password_or_a_confirmation(stage: Stage) -> None:
    assert mail(stage, GM, ("token", "vouched"), "vacate France") is MailState.HELD
    stage.send(GM, "confirm", to=stage.inbox(GM)[-1].reply_to)
    seat = stage.game("baltic").seat_of("FRANCE")
    assert seat is not None and not seat.filled


def test_a_confirmations_token_orders_nothing_and_a_seats_token_confirms_nothing(stage: Stage) -> None:
    france = player_of("FRANCE")
    mail(stage, france, (), "A Par - Bur")
    held = stage.inbox(france)[-1].reply_to
    seat = next(letter.reply_to for letter in stage.inbox(france) if letter.reply_to != held)
    stage.send(france, "confirm", to=seat, vouched=False)
    assert "FRANCE" not in stage.game("baltic").sheets
    stage.send(france, "A Mar - Spa", to=held, vouched=False)
    assert "FRANCE" not in stage.game("baltic").sheets
    stage.send(france, "yes", to=held, vouched=False)
    assert [line.order for line in stage.game("baltic").sheets["FRANCE"].lines] == ["A PAR - BUR"]


def test_a_password_is_never_shown_again(stage: Stage) -> None:
    france = player_of("FRANCE")
    mail(stage, france, ("password",), "A Par - Bur")
    assert all(WORD not in letter.text for letter in stage.everything())
    with stage.house.store.read() as view:
        assert all(WORD not in (row.verdict or "") for row in view.inbox.list(limit=100))


def test_public_questions_need_no_proof(stage: Stage) -> None:
    before = len(stage.inbox("curious@players.test"))
    stage.send("curious@players.test", "list", vouched=False)
    assert len(stage.inbox("curious@players.test")) == before + 1


def test_status_without_proof_shows_only_what_everybody_may_know(stage: Stage) -> None:
    france = player_of("FRANCE")
    mail(stage, france, ("vouched",), "A Par - Bur")
    stage.send(france, "status baltic", vouched=False)
    assert "Paris - Burgundy" not in stage.inbox(france)[-1].text


def test_the_addresses_of_record_are_what_letters_go_to(stage: Stage) -> None:
    with stage.house.store.read() as view:
        person = view.people.by_address(player_of("FRANCE"))
        assert person is not None
        assert address_of(view, person.id) == player_of("FRANCE")
