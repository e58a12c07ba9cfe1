"""Who may do what with which proof: every row with every combination of proofs, forged mails included.

Proofs: `token` the mail went to the seat's own reply address; `vouched` our mail server says that From is genuine;
`denied` it says that it is not; `password` a right password line; `foreign` From is somebody else's address.
"""

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest

from judge.board.load import load_board
from judge.board.phase import Phase
from judge.game.core.commands import Role
from judge.game.core.evolve import REGISTRY
from judge.game.office.undoing import GRAVE
from judge.mail.tokens import Purpose, mint
from judge.mail.vocabulary import VERBS, Around, Clause, find_verb
from judge.mail.vocabulary.model import GMS
from judge.people.tournament import Announced, TournamentStage
from judge.resources import folder
from judge.service.core.directory import address_of
from judge.service.core.persons import PASSWORD
from judge.service.posting.outgoing import reply_address
from judge.service.tournament.telling import load, record
from judge.service.trust.prove import ActKind, Proof, act_of, suffices
from judge.store.people import hash_password
from judge.store.rows import MailState
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM
from tests.support.standing import seated

WORD = "copper-heron-41"

DONE, HELD, SILENT = "done", "held", "silent"

ACTS = {
    ActKind.PLAY: (player_of("FRANCE"), "A Par - Bur"),
    ActKind.GOVERN: (GM, 'hold "holidays"'),
    ActKind.OUTSIDE: (GM, "nudge: Your orders, please."),
    ActKind.LEAD: (GM, "create tournament winter rounds 1"),
    ActKind.CLOSE: (GM, "tournament autumn end"),
    ActKind.GRAVE: (GM, "vacate France"),
    ActKind.ACCOUNT: (player_of("FRANCE"), "my address jean@new.test"),
    ActKind.DATA: (player_of("FRANCE"), "my data"),
}
"""An act of each row of the table that is done or held."""

GIVEN = {"token": Proof.TOKEN, "vouched": Proof.WORD, "password": Proof.PASSWORD}

COMBINATIONS = [
    (*some, *other)
    for count in range(len(GIVEN) + 1)
    for some in itertools.combinations(GIVEN, count)
    for other in ((), ("denied",), ("foreign",), ("wrong password",))
    if not ("vouched" in some and "denied" in other) and not ("password" in some and "wrong password" in other)
]


def proved(given: tuple[str, ...]) -> frozenset[Proof]:
    """With a foreign From neither token nor password proves anything."""
    return frozenset() if "foreign" in given else frozenset(GIVEN[one] for one in given if one in GIVEN)


def wanted(act: ActKind, given: tuple[str, ...]) -> str:
    """What the ruling says of a row and what a mail brings, written out without the table."""
    proofs = proved(given)
    if "foreign" in given and "token" not in given:
        return SILENT  # a stranger's own mail: he is in no game
    counted = proofs - {Proof.TOKEN} if "denied" in given and act not in (ActKind.PLAY, ActKind.ACCOUNT) else proofs
    ones = dict.fromkeys((ActKind.PLAY, ActKind.GOVERN, ActKind.OUTSIDE, ActKind.LEAD, ActKind.DATA), 1)
    needed = {**ones, ActKind.GRAVE: 2, ActKind.CLOSE: 2, ActKind.ACCOUNT: 9}[act]
    return DONE if len(counted) >= needed else HELD


@cache
def _kept() -> str:
    """Slow to make, as it has to be: once for all."""
    return hash_password(WORD, salt=bytes(16))


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[LocalJudge]:
    stage = seated(tmp_path)
    stage.begin()
    with stage.judge.store.write() as unit:
        for address in (player_of("FRANCE"), GM):
            person = unit.people.by_address(address)
            assert person is not None
            unit.people.set_secret(person.id, PASSWORD, _kept(), stage.now)
        assert person is not None
        terms = Announced(person.id, 3, "squares", "standard", (), "open", top=False, zone="UTC")
        record(unit, "autumn", None, [terms], stage.now)
    yield stage
    stage.close()


def mail(stage: LocalJudge, owner: str, proofs: tuple[str, ...], line: str) -> MailState:
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
    with stage.judge.store.read() as view:
        return view.inbox.list(limit=1000)[-1].state


def meaning(state: MailState, *, changed: bool) -> str:
    if state is MailState.HELD:
        assert not changed
        return HELD
    return DONE if changed else SILENT


def happened(stage: LocalJudge, act: ActKind) -> bool:
    game = stage.game("baltic")
    if act is ActKind.PLAY:
        return "FRANCE" in game.sheets
    if act is ActKind.GOVERN:
        return game.held_since is not None
    if act is ActKind.OUTSIDE:
        return game.deadline is not None and bool(game.deadline.nudged)
    if act in (ActKind.LEAD, ActKind.CLOSE):
        with stage.judge.store.read() as view:
            found = load(view, "winter" if act is ActKind.LEAD else "autumn")
        return found is not None and (act is ActKind.LEAD or found.stage is TournamentStage.OVER)
    if act is ActKind.DATA:
        return any(letter.subject == "what is kept about you here" for letter in stage.inbox(player_of("FRANCE")))
    seat = game.seat_of("FRANCE")
    assert seat is not None
    return not seat.filled if act is ActKind.GRAVE else bool(stage.inbox("jean@new.test"))


@pytest.mark.parametrize("act", ACTS)
def test_a_person_who_writes_their_address_in_other_letters_is_who_they_are(stage: LocalJudge, act: ActKind) -> None:
    """Phones write Anna@ where anna@ is on file; no provider that counts tells them apart."""
    owner, line = ACTS[act]
    before = len(stage.inbox(owner))
    stage.send(owner.capitalize(), line, to="judge+baltic@judge.test", vouched=True)
    with stage.judge.store.read() as view:
        state = view.inbox.list(limit=1000)[-1].state
    assert meaning(state, changed=happened(stage, act)) == wanted(act, ("vouched",))
    assert len(stage.inbox(owner)) > before, "the answer goes to the address of record"
    with stage.judge.store.read() as view:
        written = {row.delivery.address for row in view.outbox.list(limit=1000)}
    assert owner in written and owner.capitalize() not in written, "and there alone"
    assert "another address" not in (said := stage.inbox(owner)[-1].text) and "not where I write to" not in said


@pytest.mark.parametrize("given", COMBINATIONS, ids="+".join)
@pytest.mark.parametrize("act", ACTS)
def test_every_row_with_every_combination_of_proofs(stage: LocalJudge, act: ActKind, given: tuple[str, ...]) -> None:
    owner, line = ACTS[act]
    state = mail(stage, owner, given, line)
    assert meaning(state, changed=happened(stage, act)) == wanted(act, given)
    if state is not MailState.HELD:
        return
    letter = stage.inbox(owner)[-1]
    stage.send(owner, "confirm", to=letter.reply_to, vouched=False)
    alone = act in (ActKind.GRAVE, ActKind.CLOSE) and not proved(given) - (
        {Proof.TOKEN} if "denied" in given else set()
    )
    assert happened(stage, act) != alone
    if alone:  # nothing ends in silence: the letter has said so, and the password beside the yes does it
        assert "not enough" in letter.text and "password" in stage.inbox(owner)[-1].text
        stage.send(owner, f"confirm\npassword {WORD}", to=letter.reply_to, vouched=False)
        assert happened(stage, act)


@pytest.mark.parametrize("given", [one for one in COMBINATIONS if "foreign" not in one], ids="+".join)
def test_a_seat_is_given_up_by_a_yes_whatever_proves_the_mail(stage: LocalJudge, given: tuple[str, ...]) -> None:
    france = player_of("FRANCE")
    mail(stage, france, given, "leave")
    assert not happened(stage, ActKind.GRAVE)
    stage.send(france, "confirm", to=stage.inbox(france)[-1].reply_to, vouched=False)
    assert happened(stage, ActKind.GRAVE)


@pytest.mark.parametrize("given", COMBINATIONS, ids="+".join)
def test_public_facts_are_told_without_proof(stage: LocalJudge, given: tuple[str, ...]) -> None:
    france = player_of("FRANCE")
    assert mail(stage, france, given, "status baltic") in (MailState.PROCESSED, MailState.IGNORED)


@pytest.mark.parametrize("act", [act for act in ActKind if act is not ActKind.LEAVE])
def test_the_table_says_what_the_ruling_says(act: ActKind) -> None:
    for count in range(len(Proof) + 1):
        for some in itertools.combinations(Proof, count):
            proofs = frozenset(some)
            yes, others = Proof.YES in proofs, len(proofs - {Proof.YES})
            enough = {
                ActKind.QUESTION: True,
                ActKind.PLAY: bool(proofs),
                ActKind.GOVERN: bool(proofs),
                ActKind.OUTSIDE: bool(proofs),
                ActKind.ACCEPT: bool(proofs),
                ActKind.LEAD: bool(others or yes),
                ActKind.CLOSE: others >= 2 or (yes and others >= 1),
                ActKind.GRAVE: others >= 2 or (yes and others >= 1),
                ActKind.ACCOUNT: yes,
                ActKind.DATA: bool(proofs),
            }[act]
            assert suffices(act, proofs) == enough


def test_the_grave_acts_are_those_of_the_ruling() -> None:
    """`process` with sets missing is asked about by the game itself; there is no command that deletes a game. A phase
    is reopened after a rollback only, and is as grave; removing somebody before the start is vacating a seat.
    """
    assert {act.__name__ for act in REGISTRY.grave} == {
        "EndGame", "Vacate", "RollBack", "Amend", "Disqualify", "Reveal", "HandOver", "Deputize", "Assign", "CarryVote",
        "Reopen",
    }  # fmt: skip


def test_letters_list_the_grave_acts_by_their_verbs() -> None:
    board = load_board(folder("maps") / "standard")
    around = Around(datetime(1901, 3, 1, tzinfo=UTC), UTC, Role.GM, "baltic", board, Phase.read("S1901M"))
    found = set()
    for verb in VERBS:
        match = find_verb(verb.example)
        assert match is not None
        if verb.roles == GMS and act_of(verb.read(Clause(match.word, match.rest, around)), Role.GM) is ActKind.GRAVE:
            found.add(verb.name)
    assert found == set(GRAVE)


@pytest.mark.parametrize("vouched", [True, False])
def test_another_player_at_a_seats_address_is_a_stranger_there(stage: LocalJudge, *, vouched: bool) -> None:
    france = player_of("FRANCE")
    stage.send(player_of("ENGLAND"), "A Par - Bur", to=stage.inbox(france)[-1].reply_to, vouched=vouched)
    with stage.judge.store.read() as view:
        assert view.inbox.list(limit=1000)[-1].state is MailState.HELD
    assert not {"FRANCE", "ENGLAND"} & set(stage.game("baltic").sheets)


@pytest.mark.parametrize("purpose", [each for each in Purpose if each not in (Purpose.SEAT, Purpose.UNSUBSCRIBE)])
def test_a_token_for_another_purpose_opens_no_seat(stage: LocalJudge, purpose: Purpose) -> None:
    with stage.judge.store.read() as view:
        seats = [row for row in view.games.seats("baltic") if row.person_id is not None]
        (seat,) = [row for row in seats if address_of(view, row.person_id or 0) == player_of("FRANCE")]
    token = mint(purpose, seat.nonce, stage.judge.store.secret)
    stage.send(player_of("FRANCE"), "baltic\nA Par - Bur", to=f"judge+{token}@judge.test", vouched=False)
    assert "FRANCE" not in stage.game("baltic").sheets


def test_a_letter_of_a_former_tenure_never_carries_the_token_of_the_present_one(stage: LocalJudge) -> None:
    with stage.judge.store.read() as view:
        seat = next(row for row in view.games.seats("baltic") if row.person_id is not None)
    ours = stage.judge.office.game_address("baltic")
    for written, token in ((seat.since, True), (seat.since - timedelta(seconds=1), False)):
        answer = reply_address(stage.judge, lambda *which: seat, seat.seat, "baltic", written)
        assert (answer != ours) == token


def test_a_held_mail_is_released_from_the_address_of_record_alone(stage: LocalJudge) -> None:
    france = player_of("FRANCE")
    mail(stage, france, ("token", "foreign"), "A Par - Bur")
    notice = stage.inbox(france)[-1]
    assert "mallory@players.test" in notice.text
    assert not stage.inbox("mallory@players.test")
    stage.send(france, "yes", to=notice.reply_to)
    assert [line.order for line in stage.game("baltic").sheets["FRANCE"].lines] == ["A PAR - BUR"]


@pytest.mark.parametrize("word", [WORD, "wrong-word"])
def test_signing_on_from_a_foreign_address_is_told_to_the_player_and_waits_for_his_yes(
    stage: LocalJudge, word: str
) -> None:
    """The player of record is told at once, whether the word is right or wrong."""
    france = player_of("FRANCE")
    stage.send("cafe@anywhere.test", f"sign on FBALTIC {word}\nA Par - Bur\nsign off", vouched=False)
    assert "FRANCE" not in stage.game("baltic").sheets and not stage.inbox("cafe@anywhere.test")
    told = stage.inbox(france)[-1]
    assert "cafe@anywhere.test" in told.text and ("is not yours" in " ".join(told.text.split())) == (word != WORD)
    stage.send(france, "confirm", to=told.reply_to, vouched=False)
    assert [line.order for line in stage.game("baltic").sheets["FRANCE"].lines] == ["A PAR - BUR"]
    assert "not on file for you" in stage.inbox(france)[-1].text


def test_the_password_of_a_stranger_is_no_password_of_the_seat(stage: LocalJudge) -> None:
    to = stage.inbox(player_of("FRANCE"))[-1].reply_to
    stage.send(GM, f"password {WORD}\nA Par - Bur", to=to)  # the Gamemaster of this test has the same word
    assert "FRANCE" not in stage.game("baltic").sheets


def test_a_token_dies_with_the_tenure(stage: LocalJudge) -> None:
    france = player_of("FRANCE")
    old = stage.inbox(france)[-1].reply_to
    assert mail(stage, GM, ("token", "password"), "vacate France") is MailState.PROCESSED
    stage.send(france, "A Par - Bur", to=old)
    assert "FRANCE" not in stage.game("baltic").sheets


def test_a_confirmations_token_orders_nothing_and_a_seats_token_confirms_nothing(stage: LocalJudge) -> None:
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


def test_a_password_is_never_shown_again(stage: LocalJudge) -> None:
    france = player_of("FRANCE")
    mail(stage, france, ("password",), "A Par - Bur")
    assert all(WORD not in letter.text for letter in stage.everything())
    with stage.judge.store.read() as view:
        assert all(WORD not in (row.verdict or "") for row in view.inbox.list(limit=100))


def test_public_questions_need_no_proof(stage: LocalJudge) -> None:
    before = len(stage.inbox("curious@players.test"))
    stage.send("curious@players.test", "list", vouched=False)
    assert len(stage.inbox("curious@players.test")) == before + 1


def test_status_without_proof_shows_only_what_everybody_may_know(stage: LocalJudge) -> None:
    france = player_of("FRANCE")
    mail(stage, france, ("vouched",), "A Par - Bur")
    stage.send(france, "status baltic", vouched=False)
    assert "Paris - Burgundy" not in stage.inbox(france)[-1].text


def test_the_addresses_of_record_are_what_letters_go_to(stage: LocalJudge) -> None:
    with stage.judge.store.read() as view:
        person = view.people.by_address(player_of("FRANCE"))
        assert person is not None
        assert address_of(view, person.id) == player_of("FRANCE")


@pytest.mark.parametrize(
    "above",
    [
        "On Tue, 7 Jan 1901, France <france@players.test> wrote:\n",
        "-----Original Message-----\nFrom: France <france@players.test>\nSent: Tue, 7 Jan 1901 10:00\nSubject: x\n\n",
        "Am 7.1.1901 schrieb France:\n\n",
        "> ",
    ],
    ids=["wrote", "original", "german", "marked"],
)
def test_a_password_in_a_quotation_proves_nothing(stage: LocalJudge, above: str) -> None:
    mark = above if above == "> " else ""
    text = f"A Par - Bur\n\n{'' if mark else above}{mark}password {WORD}\n"
    stage.send(player_of("FRANCE"), text, subject="baltic", vouched=False)
    assert "FRANCE" not in stage.game("baltic").sheets
    assert all(WORD not in letter.text for letter in stage.everything())


def test_every_letter_can_be_answered_with_orders(stage: LocalJudge) -> None:
    """Letters that belong to no seat, too: their own address says whose they are (4.1 no. 1)."""
    france = player_of("FRANCE")
    stage.send(france, "my zone Europe/Paris")
    answer = stage.inbox(france)[-1].reply_to
    assert answer != "judge@judge.test"
    stage.send(player_of("ENGLAND"), "baltic\nA Par - Pic", to=answer)
    assert "FRANCE" not in stage.game("baltic").sheets
    assert "ENGLAND" not in stage.game("baltic").sheets
    stage.send(france, "baltic\nA Par - Bur", to=answer, vouched=False)
    assert [line.order for line in stage.game("baltic").sheets["FRANCE"].lines] == ["A PAR - BUR"]


def test_a_deputys_letter_carries_a_proof(stage: LocalJudge) -> None:
    carla = "carla@players.test"
    stage.send(carla, "register")
    desk = next(letter for letter in stage.inbox(GM) if letter.header("X-Judge-Kind") == "started").reply_to
    stage.send(GM, "deputy carla@players.test until 5 March", to=desk)
    stage.send(carla, 'hold "holidays"', to=stage.inbox(carla)[-1].reply_to, vouched=False)
    assert stage.game("baltic").held_since is not None
    stage.send(carla, "resume", to=stage.inbox(carla)[-1].reply_to, vouched=False)
    assert stage.game("baltic").held_since is None
