"""Sentences that were false under some condition: each is put to that condition, and says what is so."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from judge.acts.house_rules import settings_view
from judge.acts.looking import checklist_view
from judge.acts.office import Deputize
from judge.game.clock.holds import HoldGame
from judge.game.core import commands as cmd
from judge.game.core.commands import Context, Decision
from judge.game.core.evolve import evolve, rebuild
from judge.game.core.model import Game, Stage
from judge.game.office.rulings import Headline
from judge.game.office.undoing import acts, begins, inverse, taken_back
from judge.game.repair.correcting import CorrectPosition
from judge.game.repair.rewriting import RollBack
from judge.game.settings.table import TABLE, settings_from_text
from judge.game.talk.epilogue import Statement
from judge.mail.letters import Printer
from judge.report.core.houserules import in_prose
from judge.report.core.letter import Kind, Letter, Received, office_frame, plain
from judge.report.core.naming import Moment, Said, say
from judge.report.mailing import letters_for
from judge.report.reply import unproved
from judge.report.reply.inquiries import list_view, opening
from judge.report.seat.desk import desk
from judge.report.table.arrivals import own_rules, unusual
from judge.report.table.digest import section
from tests.report.conftest import spoken
from tests.support.builders import START, Table, cast_of

ROOT = Path(__file__).parents[2]
Letters = Callable[..., tuple[Letter, ...]]


@pytest.fixture(scope="module")
def press() -> Printer:
    return Printer(ROOT / "templates")


def text_of(letter: Letter, press: Printer) -> str:
    """The letter as it is read: all of its text, in one line."""
    return " ".join(press.print(letter.kind, letter.view).text.split())


def for_(letters: tuple[Letter, ...], kind: Kind, seat: str) -> Letter:
    return next(letter for letter in letters if letter.kind is kind and letter.seat == seat)


def new_table(**settings: str) -> Table:
    return Table(ROOT / "maps", settings)


def seat(table: Table, power: str) -> str:
    found = table.game.seat_of(power)
    assert found is not None
    return found.id


# --- times ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("days", "word"), [(-2, "EARLIER than before, by 2 days"), (2, "LATER than before, by 2 days")]
)
def test_a_moved_deadline_is_told_beside_the_old_one(
    table_: Table, letters: Letters, press: Printer, days: int, word: str
) -> None:
    """An earlier deadline looked like any other."""
    assert table_.game.deadline is not None
    table_.tell(cmd.SetDeadline(table_.game.deadline.at + timedelta(days=days)), table_.gm)
    letter = for_(letters(table_), Kind.NOTICE, "3")
    said = text_of(letter, press)
    assert f"That is {word}." in said
    assert "It was Fri 8 Jan 2027, 23:59 EST (UTC-5) (yours: Sat 9 Jan, 05:59 CET)." in said
    assert ("EARLIER" in letter.view["subject"]) is (days < 0)


def test_another_zone_is_no_other_deadline(table_: Table, letters: Letters, press: Printer) -> None:
    table_.tell(cmd.ChangeSettings("zone", "Asia/Kolkata"), table_.gm)
    said = text_of(for_(letters(table_), Kind.NOTICE, "3"), press)
    assert "Times are written in the time of Asia/Kolkata from now on (before: America/New_York)." in said
    assert "The deadline is the same moment as before: Fri 8 Jan 2027, 23:59 EST (UTC-5) is Sat 9 Jan 2027, " in said
    assert "NEW DEADLINE" not in said


def test_a_changed_setting_is_told_as_the_house_rules_say_it(table_: Table, letters: Letters, press: Printer) -> None:
    """A list of values ("grace" to "hold") tells a player nothing."""
    table_.tell(cmd.ChangeSettings("nmr", "hold"), table_.gm)
    said = text_of(for_(letters(table_), Kind.NOTICE, "3"), press)
    assert "No longer in the house rules: If orders are missing, a grace begins: the game waits for them, " in said
    assert "From now on: Units without orders hold, and the game goes on." in said


def test_a_setting_without_a_sentence_shows_its_values(table_: Table, letters: Letters, press: Printer) -> None:
    table_.tell(cmd.ChangeSettings("waiting_shown", "no"), table_.gm)
    said = text_of(for_(letters(table_), Kind.NOTICE, "3"), press)
    assert 'It was "yes", and is "no" now.' in said


def test_a_reminder_says_what_is_missing_and_offers_what_can_be_had(
    table_: Table, letters: Letters, press: Printer
) -> None:
    """24 hours ahead it is too late for a free extension."""
    table_.orders("FRANCE", "A Par - Bur")
    table_.orders("FRANCE", "A Par - Xyz")
    assert table_.game.deadline is not None
    due = table_.game.deadline.at
    table_.tick(due - timedelta(hours=48))
    early = {letter.seat: text_of(letter, press) for letter in letters(table_) if letter.kind is Kind.REMINDER}
    table_.tick(due - timedelta(hours=24))
    late = {letter.seat: text_of(letter, press) for letter in letters(table_) if letter.kind is Kind.REMINDER}
    france, england = seat(table_, "FRANCE"), seat(table_, "ENGLAND")
    both = {**early, **late}
    assert "Your orders are not here. The deadline is Fri 8 Jan 2027, 23:59 EST (UTC-5), in " in both[england]
    assert "reply with: extension" not in late[england]
    assert "Your orders are not here" not in both.get(france, "")


# --- the desk -------------------------------------------------------------------------------------------------------


def test_no_example_gives_a_move_or_a_build_away(fall_1902: Table, table_: Table) -> None:
    for one in (table_, fall_1902, fall_1902.process()):
        for key, held in one.game.seats.items():
            example = desk(one.game, key, cast_of().member(held.person or 0)).example
            assert not example or " - " in example, example


def test_extensions_are_shown_to_whom_they_are_of_use(table_: Table) -> None:
    def labels(game: Game) -> list[str]:
        return [item.label for item in desk(game, "3", cast_of().member(3)).facts]

    game, at = table_.game, table_.game.deadline
    assert at is not None
    assert "extensions-left" in labels(game)
    soon = replace(at, at=START + timedelta(hours=24), set_at=START)
    assert "extensions-left" not in labels(replace(game, deadline=soon)), "they are asked for 24 hours ahead"


def test_nobody_is_wanted_once_the_game_is_over(table_: Table, letters: Letters) -> None:
    from judge.game.core.model import Stage
    from judge.report.table.turns import vacant_powers

    seats = {**table_.game.seats, "1": replace(table_.game.seats["1"], person=None)}
    game = replace(table_.game, seats=seats)
    assert vacant_powers(game) == ("Austria-Hungary",)
    assert vacant_powers(replace(game, stage=Stage.ENDED)) == ()


# --- words ----------------------------------------------------------------------------------------------------------


def test_the_rules_promise_no_change_until_a_deadline_that_may_not_come() -> None:
    """With early processing the turn is over before it; the Gamemaster may end it in any game."""
    early = " ".join(spoken(in_prose(settings_from_text({"early": "yes"}), title="Diplomacy")))
    fixed = " ".join(spoken(in_prose(settings_from_text({"early": "no"}), title="Diplomacy")))
    assert "orders may be changed until the turn is processed." in early
    assert "never before, unless the Gamemaster has it processed." in fixed


def test_a_faulty_line_waits_as_ruling_30_has_it() -> None:
    said = " ".join(spoken(in_prose(settings_from_text({"no_mistakes": "yes"}), title="Diplomacy")))
    assert "At the deadline the order on file for its unit stands; where there is none, or the line names no" in said


def test_secret_powers_without_press_are_not_told_to_write(letters: Letters, press: Printer) -> None:
    silent = new_table(anonymous="yes", press="none").seated().started()
    said = text_of(for_(letters(silent), Kind.STARTED, "3"), press)
    assert "It stays secret until the end who plays which power." in said
    assert "by press" not in said


WAITS = say("turn-waits-for-no-word", due=Moment(START, "UTC"), stands=None)


@pytest.mark.parametrize(("turn", "more"), [(None, False), (None, True), (WAITS, True)])
def test_a_held_mail_lapses_at_the_moment_that_its_letter_names(
    press: Printer, turn: Said | None, *, more: bool
) -> None:
    """ "In 72 hours" was false for whoever read it later, and where a turn decides before."""
    received = Received("7", START, "0" * 64, "<m@x>")
    letter = unproved.held(
        cast_of().member(3), received, cast_of().office, what="extend", sender="x@else.test", when="now",
        lapses="Mon 4 Jan 07:00 EST", reply_as="confirm:7", game="tannenburg", more=more, turn=turn,
    )  # fmt: skip
    said = text_of(letter, press)
    assert ("Otherwise it lapses by itself on Mon 4 Jan 07:00 EST." in said) is not bool(turn)
    assert "hours" not in said


def test_a_welcome_shows_the_settings_that_are_not_usual_and_the_rules_letter_all() -> None:
    """Nobody reads 60 lines of settings; nobody may miss the one that is another than everywhere else."""
    table = new_table(grace="5d", moves="3d")
    shown = {rule.name for rule in own_rules(table.game)}
    assert {"grace", "moves"} <= shown and "extensions" not in shown
    assert set(unusual(table.game)) == shown
    told = settings_view(table.game).view
    assert {rule["name"] for rule in told["own"]} == shown
    assert {rule["name"] for rule in (*told["own"], *told["usual"])} == set(TABLE)


# --- what a letter promises -----------------------------------------------------------------------------------------


def test_an_address_has_until_a_moment_to_be_confirmed(press: Printer) -> None:
    """ "In 72 hours" is false for whoever reads it a day later."""
    received = Received("7", START, "0" * 64, "<m@x>")
    letter = unproved.confirm(
        "x@else.test", received, cast_of().office, what="join", reply_as="confirm:7", lapses="Mon 4 Jan 07:00 EST"
    )
    said = text_of(letter, press)
    assert "do nothing: on Mon 4 Jan 07:00 EST the request expires." in said
    assert "hours" not in said


def test_only_who_played_to_the_end_is_thanked_for_it(fall_1902: Table, letters: Letters, press: Printer) -> None:
    """An observer, the Gamemaster and an empty seat read the same letter; so does an eliminated power."""
    thanks = "Thank you for playing to the end."
    fall_1902.tell(cmd.EndGame("agreement"), fall_1902.gm)
    ended = [letter for letter in letters(fall_1902) if letter.kind is Kind.ENDED]
    playing = {key for key, held in fall_1902.game.seats.items() if set(held.powers) & set(fall_1902.game.survivors)}
    assert {letter.seat for letter in ended if thanks in text_of(letter, press)} == playing
    assert {letter.seat for letter in ended} - playing, "somebody else reads it, too"


def test_last_words_promise_a_letter_only_of_what_is_written(table_: Table, letters: Letters, press: Printer) -> None:
    """Where all answer "no statement" no letter goes round; an answer without words is an answer."""
    table_.tell(Statement(none=False, text="Never again."), table_.player("TURKEY"))
    table_.tell(cmd.EndGame("agreement"), table_.gm)
    for letter in letters(table_):
        if letter.kind is Kind.ENDED:
            said = text_of(letter, press)
            assert "All statements are sent in one letter when everybody has answered, at the latest on" in said
            assert "nobody reads them before, not even the Gamemaster. Answers so far: 1 of 7 players." in said
            assert "Never again" not in said
    for power in ("AUSTRIA", "ENGLAND"):
        table_.tell(Statement(none=True), table_.player(power))
        assert not [letter for letter in letters(table_) if letter.kind is Kind.STATEMENTS]


@pytest.mark.parametrize("freezes", ["no", "yes"])
def test_no_letter_promises_changes_that_the_house_rules_forbid(letters: Letters, press: Printer, freezes: str) -> None:
    """With `freeze_others` the orders on file cannot be changed while the game waits for others."""
    table = new_table(freeze_others=freezes).seated().started()
    table.tell(cmd.Assign("GERMANY", 8), table.gm)
    said = text_of(for_(letters(table), Kind.TAKEOVER, seat(table, "GERMANY")), press)
    limit = ", but not while it waits for others after the deadline"
    assert f"you may change your orders until the turn is processed{limit if freezes == 'yes' else ''}." in said
    rules = " ".join(spoken(in_prose(settings_from_text({"freeze_others": freezes}), title="Diplomacy")))
    frozen = "While the game waits for others after the deadline, orders on file cannot be changed."
    assert (frozen in said, frozen in rules) == (freezes == "yes", freezes == "yes")


def test_nobody_is_asked_to_join_a_game_that_is_full(press: Printer) -> None:
    """Between the last seat and the start a game is open, and takes nobody."""
    table = new_table(autostart="24h").seated()
    game = table.game
    assert game.stage is Stage.OPEN and len(game.seats) == game.settings.players
    view = list_view([opening(game, cast_of())], cast_of().office).view
    assert not view["open"]
    said = " ".join(
        press.print("list", {**view, "frame": plain(office_frame(cast_of().member(3), cast_of().office))}).text.split()
    )
    assert "join" not in said and "GAMES THAT ARE FULL AND ABOUT TO BEGIN" in said


def test_a_digest_calls_no_deadline_due_that_has_passed(table_: Table) -> None:
    """While the game waits for orders its last deadline lies behind it."""

    def state() -> str:
        told = section(table_.game, table_.events, cast_of().member(3))
        assert told is not None
        return str(spoken(told.state))

    assert state().startswith("Spring 1901 moves are due Fri 8 Jan 2027, 23:59 EST")
    assert table_.game.deadline is not None
    table_.tick(table_.game.deadline.at)
    assert table_.game.deadline.called
    assert state().startswith("Spring 1901 moves were due Fri 8 Jan 2027, 23:59 EST")
    assert state().endswith("; the game waits.")


@pytest.fixture(name="table_")
def running(table: Any) -> Any:
    """A game that has just begun."""
    return table


@pytest.mark.parametrize(
    ("stage", "said"),
    [
        (Stage.FORMING, "is decided. Reply with: open"),
        (Stage.OPEN, "is decided; it is open for players."),
        (Stage.RUNNING, "is decided; it has begun."),
        (Stage.ENDED, "is decided; it is over."),
    ],
)
def test_a_checklist_asks_to_open_only_what_can_be_opened(
    table_: Table, press: Printer, stage: Stage, said: str
) -> None:
    game = replace(table_.game, stage=stage, seats={})
    frame = plain(office_frame(cast_of().member(3), cast_of().office))
    text = " ".join(press.print("checklist", {"frame": frame, **checklist_view(game).view}).text.split())
    assert said in text
    assert ("Reply with" in text) is (stage is Stage.FORMING)


UNDONE: tuple[tuple[cmd.Command, str], ...] = (
    (HoldGame("a flood"), "taken back the hold."),
    (cmd.ChangeSettings("press", "white"), "taken back a change of the house rules."),
    (cmd.SetDeadline(START + timedelta(days=12)), "taken back a change of the deadline."),
    (Deputize(8, START + timedelta(days=9)), "taken back the choice of a deputy."),
    (CorrectPosition("A Par at Gas"), "the correction is taken back"),
    (RollBack(), "taken back the rollback, so that everything is as it was"),
)


def test_whoever_hears_of_an_undo_reads_which_act_is_taken_back() -> None:
    """Every act of the Gamemaster that players are told of; and an undo that nobody hears of writes no letter."""
    for act, words in (*UNDONE, (Headline("Quiet"), "")):
        table = Table(ROOT / "maps").seated().started().process()
        assert isinstance(table.tell(act, table.gm), Decision)
        place = acts(table.events)[-1]
        ahead = rebuild(table.events[: begins(table.events, place)], table.systems)
        command = inverse(table.events, place, partial(copy, ahead))
        assert command is not None
        done = taken_back(table.events, place, Context(table.gm, table.now))
        before = table.game
        table.tell(command, table.gm)
        after = evolve(table.game, done, table.systems)
        letters = letters_for(before, (*table.last, done), after, cast_of(), ())
        players = [letter for letter in letters if letter.seat in table.game.seats]
        assert len(players) == (len(table.game.seats) if words else 0), act
        for letter in players:
            assert words in json.dumps(spoken(letter.view)), (act, letter.kind)
