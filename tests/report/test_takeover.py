"""The file that a replacement gets: what is in it, and what is not."""

from __future__ import annotations

from judge.game.core import commands as cmd
from judge.game.repair.rewriting import RollBack
from judge.report.core.letter import Kind, Letter
from judge.report.mailing import letters_for
from judge.report.table.arrivals import recent_results
from tests.report.conftest import Letters, read
from tests.support.builders import Table, as_anonymous, cast_of
from tests.support.sample import WINTER_1902


def pack(table: Table, *, anonymous: bool = False) -> Letter:
    """What Hal gets when he takes Germany over."""
    table.tell(cmd.Assign("GERMANY", 8), table.gm)
    game = as_anonymous(table.game) if anonymous else table.game
    earlier = [event for event in table.events if event not in table.last]
    letters = tuple(map(read, letters_for(table.before, table.last, game, cast_of(), earlier)))
    return next(letter for letter in letters if letter.kind is Kind.TAKEOVER)


def test_the_last_season_is_printed_with_what_followed_it(fall_1902: Table) -> None:
    assert [result["phase"] for result in pack(fall_1902).view["results"]] == ["F1902M"]
    fall_1902.all_orders(WINTER_1902).process()
    fall_1902.tell(cmd.Assign("GERMANY", 4), fall_1902.gm)
    assert [result["phase"] for result in pack(fall_1902).view["results"]] == ["F1902M", "F1902R", "W1902A"]


def test_results_that_were_taken_back_are_not(fall_1902: Table) -> None:
    fall_1902.tell(RollBack("F1902M"), fall_1902.gm)
    assert [result.phase for result in recent_results(fall_1902.game)][-1] == "S1902M"


def test_at_the_first_turn_there_are_none(table: Table) -> None:
    assert pack(table).view["results"] == []


def test_predecessors_and_players_are_named_unless_names_are_secret(fall_1902: Table) -> None:
    letter = pack(fall_1902)
    assert letter.view["before"] == ["Dora"]
    fall_1902.tell(cmd.Assign("GERMANY", 4), fall_1902.gm)
    secret = pack(fall_1902, anonymous=True)
    assert secret.view["before"] == [] and not any(player["name"] for player in secret.view["players"])


def test_press_in_confidence_is_handed_on_only_where_the_house_rules_say_so(table: Table) -> None:
    table.tell(cmd.SendPress("Sweden is yours.", to=("GERMANY",)), table.player("RUSSIA"))
    table.tell(cmd.SendPress("The Channel is mine.", everyone=True), table.player("ENGLAND"))
    letter = pack(table)
    assert not letter.view["handed_on"] and not letter.view["inherits"]
    assert [item["text"] for item in letter.view["press"]] == ["The Channel is mine."]
    table.tell(cmd.ChangeSettings("inherit_press", "yes"), table.gm)
    table.tell(cmd.Assign("GERMANY", 4), table.gm)
    assert [item["text"] for item in pack(table).view["handed_on"]] == ["Sweden is yours."]


def test_his_predecessors_words_are_not_signed_with_his_name(table: Table) -> None:
    table.tell(cmd.SendPress("Berlin speaks.", everyone=True), table.player("GERMANY"))
    (item,) = pack(table).view["press"]
    assert item["source"] == "Germany (its former player)"


def test_nor_in_the_next_results(table: Table, letters: Letters) -> None:
    table.tell(cmd.SendPress("Berlin speaks.", everyone=True), table.player("GERMANY"))
    table.tell(cmd.Assign("GERMANY", 8), table.gm)
    table.tell(cmd.SendPress("Hal speaks.", everyone=True), table.player("GERMANY"))
    before = list(table.events)
    table.process()
    result = next(letter for letter in letters(table, "3", earlier=before) if letter.kind is Kind.RESULTS)
    assert [item["source"] for item in result.view["press"]] == ["Germany (its former player)", "Germany (Hal)"]
