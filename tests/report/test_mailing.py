"""Which letters follow from what happened, who gets them, and what they keep to themselves."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.game.clock.clockwork import PATIENCE
from judge.game.clock.holds import HoldGame, Resume
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.events import VoteCalled
from judge.game.talk.ballots import ProposeDraw, Vote
from judge.mail.letters.words import deadline
from judge.report.core.letter import Kind, Letter, Thread
from judge.report.mailing import filed_under, letters_for
from tests.report.conftest import read
from tests.support.builders import GM, OFFICE, Table, as_anonymous, cast_of

MAPS = Path(__file__).parents[2] / "maps"
PLAYERS = ("1", "2", "3", "4", "5", "6", "7")


def made(table: Table, *kinds: Kind) -> tuple[Letter, ...]:
    letters = tuple(map(read, letters_for(table.before, table.last, table.game, cast_of())))
    return tuple(read(letter) for letter in letters if not kinds or letter.kind in kinds)


def seats(letters: tuple[Letter, ...]) -> list[str]:
    return [letter.seat for letter in letters]


# --- arrivals -----------------------------------------------------------------------------------------------------


def test_a_new_game_is_announced_to_its_gamemaster_alone() -> None:
    table = Table(MAPS, {"nmr": ""})
    (letter,) = made(table)
    assert (letter.kind, letter.seat, letter.person, letter.answers) == (Kind.CREATED, "gm", GM, True)
    assert [matter["name"] for matter in letter.view["matters"]] == ["nmr"]


def test_who_joins_is_welcomed_and_the_gamemaster_hears_of_it_once_a_day_and_when_all_are_there() -> None:
    table = Table(MAPS)
    table.tell(cmd.Open(), table.gm)
    table.tell(cmd.Join((("FRANCE",), ("GERMANY", "AUSTRIA"))), cmd.Actor(cmd.Role.STRANGER, "", 1))
    (welcome,) = made(table)
    assert (welcome.kind, welcome.seat, welcome.reply_as, welcome.answers) == (Kind.WELCOME, "1", "1", True)
    assert welcome.view["preferences"] == "France, then Germany or Austria-Hungary, then any"

    def comes(person: int) -> list[str]:
        table.tell(cmd.Join(), cmd.Actor(cmd.Role.STRANGER, "", person))
        return [one for letter in made(table) if letter.seat == "gm" for one in letter.view["items"]]

    assert comes(2) == []
    table.tick(table.now + timedelta(hours=23))
    assert made(table) == ()
    table.tick(table.now + timedelta(hours=1))
    (told,) = made(table)
    assert (told.kind, told.seat) == (Kind.NOTICE, "gm")
    assert told.view["items"] == ["Ada and Ben have joined: 2 of 7 players."]
    table.tick(table.now + timedelta(days=3))
    assert made(table) == (), "nobody has joined since"
    assert [one for person in range(3, 7) for one in comes(person)] == []
    (all_there,) = comes(7)
    assert all_there.startswith("Cleo, Dora, Emil, Fay and Gus have joined: 7 of 7 players. All seats are taken")
    table.tick(table.now + timedelta(days=2))
    assert made(table) == ()


def test_the_start_calls_everybody_to_order_and_says_nothing_twice(table: Table) -> None:
    letters = made(table)
    assert {letter.kind for letter in letters} == {Kind.STARTED}
    assert seats(letters) == [*PLAYERS, "gm"]
    france = letters[2].view
    assert france["frame"]["to"] == "France"
    assert deadline(france["desk"]["due"]) == "Fri 8 Jan 2027, 23:59 EST (UTC-5)"
    assert france["reply"]["turn"] == "S1901M"
    assert france["players"][2] == {
        "power": "France",
        "name": "Cleo",
        "address": "cleo@players.test",
        "free": False,
        "vacant": False,
    }


def test_players_may_write_to_each_other_unless_nobody_knows_who_they_are(table: Table) -> None:
    """Every address stands in the call for the first orders, and none in that of an anonymous game."""
    addresses = [player["address"] for player in made(table)[0].view["players"]]
    assert len(set(addresses)) == 7 and all("@" in address for address in addresses)
    table.game = as_anonymous(table.game)
    assert {player["address"] for player in made(table)[0].view["players"]} == {""}


def test_a_replacement_gets_the_whole_file_and_the_others_a_notice(table: Table) -> None:
    table.tell(cmd.Assign("ITALY", 8), table.gm)
    letters = made(table)
    assert Counter(letter.kind for letter in letters) == {Kind.TAKEOVER: 1, Kind.NOTICE: 7}
    takeover = letters[0]
    assert (takeover.seat, takeover.person) == ("5", 8)
    farewell = letters[-1]
    assert (farewell.seat, farewell.person, farewell.reply_as) == ("", 5, "")
    assert "gm" not in seats(letters)


# --- the calendar -------------------------------------------------------------------------------------------------


def test_a_processed_turn_is_one_letter_to_each_reader(fall_1902: Table) -> None:
    letters = made(fall_1902)
    assert {letter.kind for letter in letters} == {Kind.RESULTS}
    assert seats(letters) == [*PLAYERS, "gm"]


def test_observers_read_results_without_a_desk_of_their_own(table: Table) -> None:
    table.process()
    cast = cast_of()
    watched = type(cast)(cast.members, OFFICE, observers=(8, 3))
    letters = letters_for(table.before, table.last, table.game, watched)
    (observer,) = [letter for letter in letters if letter.seat == ""]
    assert (observer.person, observer.reply_as) == (8, "")
    assert observer.view["desk"]["form"] == []


def test_two_phases_of_one_turn_are_blocks_of_one_letter(fall_1902: Table) -> None:
    fall_1902.all_orders({"RUSSIA": ("A StP R Mos", "remove A Gal"), "FRANCE": ("A Bur R Gas", "build A Par")})
    fall_1902.process()
    letters = made(fall_1902, Kind.RESULTS)
    assert len(letters) == 8
    assert [block["phase"] for block in letters[0].view["results"]] == ["F1902R", "W1902A"]


def test_only_those_with_something_missing_are_reminded(table: Table) -> None:
    table.orders("FRANCE", "A Par H", "A Mar H", "F Bre H")
    table.tick(table.running.deadline.at - timedelta(hours=23))
    letters = made(table)
    assert {letter.kind for letter in letters} == {Kind.REMINDER}
    assert seats(letters) == ["1", "2", "4", "5", "6", "7"]
    assert letters[0].idem_key == "tannenburg/S1901M/d1/24h/reminder/1"


def test_late_players_hear_of_it_first_and_personally(table: Table) -> None:
    """The Gamemaster, who is last, is never told that he is late."""
    table.orders("AUSTRIA", "A Vie H", "A Bud H", "F Tri H")
    table.tick(table.running.deadline.at)
    letters = made(table)
    assert [(letter.seat, letter.view["personal"]) for letter in letters][-2:] == [("1", False), ("gm", False)]
    assert all(letter.view["personal"] for letter in letters[:6])
    assert "Austria-Hungary" not in letters[-1].view["late"]


def test_a_delay_tells_the_players_no_reason(table: Table) -> None:
    table.now = table.running.deadline.at + PATIENCE
    table.tell(cmd.Tick(blocked="a mail of France is not read", cause="unread"), cmd.Actor(cmd.Role.JUDGE))
    letters = made(table)
    assert "not read" in letters[-1].view["items"][0]
    assert all("France" not in json.dumps(letter.view["items"]) for letter in letters[:-1])


def test_the_lot_of_an_anonymous_game_is_the_gamemasters_until_its_end() -> None:
    """Whoever knows its number and in what order the players came can draw it again."""
    table = Table(MAPS, {"anonymous": "yes"}).seated().started()
    seeds = {letter.seat: letter.view["seed"] for letter in made(table)}
    assert seeds.pop("gm") == table.game.seed is not None
    assert set(seeds.values()) == {None}
    table.tell(cmd.EndGame(), table.gm)
    assert {letter.view["seed"] for letter in made(table, Kind.ENDED)} == {table.game.seed}


def test_the_end_names_everybody_even_in_an_anonymous_game() -> None:
    table = Table(MAPS, {"anonymous": "yes"}).seated().started()
    table.tell(cmd.EndGame("by agreement"), table.gm)
    letters = made(table)
    assert {letter.kind for letter in letters} == {Kind.ENDED}
    assert {row["players"] for row in letters[0].view["finishers"]} == {
        "Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus",
    }  # fmt: skip


def test_nothing_is_asked_of_anybody_when_the_game_is_over() -> None:
    table = Table(MAPS, {"end_after": "S1901"}).seated().started()
    table.process()
    results = [letter for letter in made(table) if letter.kind is Kind.RESULTS]
    assert len(results) == 8
    for letter in results:
        desk = letter.view["desk"]
        assert [item["text"] for item in desk["tasks"]] == ["is asked of you: the game is over."]
        assert (desk["form"], desk["example"], desk["due"], desk["idle"]) == ([], "", None, True)


# --- notices ------------------------------------------------------------------------------------------------------


def test_a_moved_deadline_is_news_to_all_but_who_moved_it(table: Table) -> None:
    table.tell(cmd.Extend(timedelta(hours=24), "power cut"), table.gm)
    letters = made(table)
    assert seats(letters) == list(PLAYERS)
    assert letters[0].view["items"] == ['The Gamemaster has extended the deadline. Reason: "power cut"']
    assert letters[0].view["subject"] == "deadline now Sat 9 Jan 23:59 EST"
    assert letters[0].view["deadline_moved"]


def test_a_free_extension_needs_no_reason_and_counts(table: Table) -> None:
    table.tell(cmd.Extend(), table.player("FRANCE"))
    letters = made(table)
    assert "3" not in seats(letters)
    assert letters[0].view["items"] == ["France has taken a free extension. It needs no reason. 1 of 2 left."]


def test_several_events_of_one_mail_are_one_notice(table: Table) -> None:
    table.tell(HoldGame("holidays"), table.gm)
    before = table.before
    first = table.last
    table.tell(Resume(), table.gm)
    letters = tuple(map(read, letters_for(before, (*first, *table.last), table.game, cast_of())))
    assert seats(letters) == list(PLAYERS)
    assert len(letters[0].view["items"]) == 3


def test_of_two_deadlines_set_by_one_mail_the_last_is_named(table: Table) -> None:
    table.tell(cmd.Extend(timedelta(hours=24)), table.player("FRANCE"))
    before, first = table.before, table.last
    table.tell(cmd.Extend(timedelta(hours=48)), table.player("FRANCE"))
    letters = tuple(map(read, letters_for(before, (*first, *table.last), table.game, cast_of())))
    assert letters[0].view["subject"] == "deadline now Mon 11 Jan 23:59 EST"


def test_while_a_game_is_on_hold_no_letter_names_a_deadline_that_runs(table: Table) -> None:
    table.tell(HoldGame("holidays"), table.gm)
    assert made(table)[0].view["desk"]["due"]["note"] == "ON HOLD, no deadline runs"
    table.process()
    results = [letter for letter in made(table) if letter.kind is Kind.RESULTS]
    assert len(results) == 8
    assert {letter.view["desk"]["todo"] for letter in results} == {"on hold"}
    assert all(letter.view["desk"]["due"]["note"] == "ON HOLD, no deadline runs" for letter in results)


def test_orders_filed_by_somebody_else_are_shown_to_their_player(table: Table) -> None:
    table.orders("FRANCE", "A Par H")
    filed = [event for event in table.last if isinstance(event, ev.OrdersFiled)]
    letters = tuple(map(read, letters_for(table.before, [replace(filed[0], by="gm")], table.game, cast_of())))
    assert seats(letters) == ["3"]
    assert letters[0].view["on_file"] == ["A Paris H"]


def test_filing_orders_voting_and_waiting_are_nobody_elses_business(table: Table) -> None:
    for command in (cmd.Wait(on=True), cmd.Submit((cmd.OrderLine(1, "A Par H"),))):
        table.tell(command, table.player("FRANCE"))
        assert made(table) == ()


# --- press and votes ----------------------------------------------------------------------------------------------


def test_signed_press_reaches_those_named_and_nobody_else(table: Table) -> None:
    table.tell(cmd.SendPress("Peace?", to=("GERMANY", "GM")), table.player("FRANCE"))
    letters = made(table)
    assert seats(letters) == ["4", "gm"]
    assert letters[0].view["source"] == "France (Cleo)"
    assert letters[0].view["answer"] == "press to France"
    assert letters[0].topic == "tannenburg/press/3-4"
    assert not letters[0].veil


def test_black_press_holds_no_trace_of_its_author(table: Table) -> None:
    """The same words from two authors make the same letter."""
    views = []
    for author in ("FRANCE", "TURKEY"):
        fresh = Table(MAPS).seated().started()
        press = cmd.SendPress("I come in peace.", to=("RUSSIA",), colour=cmd.Colour.BLACK, dateline="GERMANY")
        fresh.tell(press, fresh.player(author))
        (letter,) = made(fresh)
        assert letter.veil
        views.append((letter.frozen(), letter.idem_key, letter.topic))
    assert views[0] == views[1]


def test_broadcast_press_is_repeated_in_the_next_report(table: Table) -> None:
    table.tell(cmd.SendPress("Long live the king", everyone=True), table.player("FRANCE"))
    assert seats(made(table)) == ["1", "2", "4", "5", "6", "7", "gm"]
    earlier = table.last
    table.tell(cmd.Note("A ruling."), table.gm)
    assert made(table) == ()
    table.process()
    (view, *_) = [read(letter).view for letter in letters_for(table.before, table.last, table.game, cast_of(), earlier)]
    assert view["press"] == [{"colour": "white", "source": "France (Cleo)", "text": "Long live the king"}]
    assert view["notes"] == ["A ruling."]


def test_a_vote_names_its_proposer_at_once_and_ballots_only_at_the_close(table: Table) -> None:
    table.tell(ProposeDraw(), table.player("ENGLAND"))
    letters = made(table)
    assert seats(letters) == ["1", "3", "4", "5", "6", "7", "gm"]
    assert letters[0].view["open"]["proposer"] == {"what": "powers", "names": ["England"]}
    assert letters[0].view["ballots"] == ["AYE 1", "NAY 1"]
    assert letters[-1].view["ballots"] == []
    table.tell(Vote(aye=False), table.player("ITALY"))
    assert made(table) == ()
    table.process()
    closed = made(table, Kind.RESULTS)[0].view["closed"]
    assert closed == [
        {
            "number": 1,
            "about": closed[0]["about"],
            "passed": False,
            "ayes": ["England"],
            "nays": ["Italy"],
            "silent": ["Austria-Hungary", "France", "Germany", "Russia", "Turkey"],
            "outcome": "FAILED",
            "note": "",
            "chosen": [],
        }
    ]


def test_an_anonymous_game_lets_no_name_slip_before_its_end() -> None:
    table = Table(MAPS, {"anonymous": "yes"}).seated()
    names = {"Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal"}
    seen: list[Letter] = []
    table.started()
    seen += made(table)
    for command, actor in (
        (cmd.SendPress("x", everyone=True), table.player("FRANCE")),
        (cmd.Extend(), table.player("FRANCE")),
        (ProposeDraw(), table.player("FRANCE")),
        (cmd.Assign("ITALY", 8), table.gm),
    ):
        table.tell(command, actor)
        seen += made(table)
    seen += made(table.process())
    assert seen
    cast = cast_of()
    for letter in seen:
        own = cast.member(letter.person).name
        text = json.dumps(letter.view)
        leaked = {name for name in names - {own} if f'"{name}"' in text or f"({name})" in text or f": {name}." in text}
        assert not leaked, (letter.kind, letter.seat, leaked)


# --- keys ---------------------------------------------------------------------------------------------------------


def test_every_letter_of_a_game_has_a_key_of_its_own(table: Table) -> None:
    keys = [letter.idem_key for letter in made(table)]
    for command, actor in (
        (cmd.SendPress("one", everyone=True), table.player("FRANCE")),
        (cmd.SendPress("one", everyone=True), table.player("FRANCE")),
        (cmd.Extend(), table.player("ITALY")),
        (cmd.Extend(), table.player("ITALY")),
        (ProposeDraw(), table.player("ITALY")),
    ):
        table.tell(command, actor)
        keys += [letter.idem_key for letter in made(table)]
    for _ in range(2):
        keys += [letter.idem_key for letter in made(table.process())]
    assert len(keys) > 40
    assert len(keys) == len(set(keys))


def test_a_letter_is_plain_json_and_may_be_filed_under_a_mail(table: Table) -> None:
    letter = made(table)[0]
    stored = json.loads(letter.frozen())
    assert stored["view"] == json.loads(json.dumps(letter.view))
    assert (stored["thread"], stored["topic"]) == ("game", "tannenburg")
    under = filed_under(letter, "<x@players.test>")
    assert (under.thread, under.parent) == (Thread.MAIL, "<x@players.test>")
    assert filed_under(letter, "").thread is Thread.ALONE


def test_the_gamemasters_own_words_are_never_among_press(table: Table) -> None:
    table.tell(cmd.SendPress("A word from me.", everyone=True), table.gm)
    letter = made(table)[0]
    assert (letter.kind, letter.view["official"], letter.view["source"]) == (Kind.PRESS, True, "the Gamemaster (Gina)")
    earlier = table.last
    table.process()
    view = read(letters_for(table.before, table.last, table.game, cast_of(), earlier)[0]).view
    assert (view["press"], view["notes"]) == ([], ["A word from me."])


def test_a_vote_for_more_time_says_what_it_takes(table: Table) -> None:
    event = VoteCalled(at=table.now, by="2", number=1, kind="extension", text="3d")
    letter = read(letters_for(table.game, [event], table.game, cast_of())[0])
    assert letter.view["open"]["about"] == "an extension of 3 days"
    assert "more than half" in letter.view["terms"]


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("vote", "The players have voted for more time."),
        ("outage", "The judge was out of reach for a while, so the deadline is moved."),
        ("something new", "The judge has moved the deadline."),
    ],
)
def test_a_deadline_moved_by_the_judge_says_why(table: Table, why: str, words: str) -> None:
    at = table.now + timedelta(days=9)
    event = ev.DeadlineSet(at=table.now, phase="S1901M", deadline=at, version=2, why=why)
    letters = tuple(map(read, letters_for(table.game, [event], table.game, cast_of())))
    assert seats(letters) == [*PLAYERS, "gm"]
    assert letters[0].view["items"] == [words]


def overdue(table: Table, hours: int, tick: cmd.Tick) -> dict[str, str]:
    """Who reads what, so many hours after the deadline."""
    due = table.running.deadline.at
    for hour in range(hours + 1):
        table.now = due + timedelta(hours=hour)
        table.tell(tick, cmd.Actor(cmd.Role.JUDGE))
    return {letter.seat: " ".join(letter.view["items"]) for letter in made(table)}


def test_a_turn_that_is_late_for_a_technical_reason_says_so_and_what_it_means_for_the_readers_orders(
    table: Table,
) -> None:
    table.orders("AUSTRIA", "A Vie H", "A Bud H", "F Tri H")
    told = overdue(table, 24, cmd.Tick(blocked="mail cannot be fetched", cause="unreachable"))
    assert told["1"].startswith("Results were promised within 1 day and are late: there is a technical reason.")
    assert "Your orders are on file and stay there." in told["1"]
    assert "Your orders are not in yet; until then you may send them" in told["2"]
    assert told["gm"] == "For 24 hours nothing has been processed: mail cannot be fetched."


def test_a_turn_that_waits_for_a_word_calls_that_no_technical_reason() -> None:
    table = Table(MAPS, {"nmr": "hold", "held_wait": "30h"}).seated().started()
    held = cmd.HeldMail(7, "3", table.now, token=True)
    told = overdue(table, 24, cmd.Tick(held=(held,)))
    assert told["1"].startswith("Results were promised within 1 day and are late: a mail is not confirmed yet.")
    assert "technical" not in " ".join(told.values()) and "safe" not in " ".join(told.values())
    assert "mail 7 came in time, lacks proof and waits to be confirmed" in told["gm"]
    assert "process S1901M despite 7" in told["gm"]
