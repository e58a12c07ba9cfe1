"""What a phase without a game says of its table: fewer players, another first year, powers in civil disorder (XIV)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from judge.cli.adjudicate import adjudicate_command

INTO_ITALY = {
    "phase": "S1914M",
    "units": {"AUSTRIA": ["A TYR", "F ADR"], "ITALY": ["A ROM"]},
    "orders": {"AUSTRIA": ["A Tyr - Ven", "F Adr - Apu"]},
}
AGAINST_ITALY = {
    "phase": "S1871M",
    "units": {"ITALY": ["A VEN", "A ROM"], "FRANCE": ["A PIE", "A TYR"]},
    "orders": {"FRANCE": ["A Pie - Ven", "A Tyr S A Pie - Ven"], "ITALY": ["A Rom - Tus"]},
}


def judged(phase: dict[str, Any], *words: str, **options: Any) -> dict[str, Any]:
    line = json.dumps(phase | ({"options": options} if options else {}))
    result = CliRunner().invoke(adjudicate_command, ["--jsonl", "-", *words], input=line)
    answer: dict[str, Any] = json.loads(result.output)
    return answer


def test_in_the_first_year_of_the_game_for_two_nobody_enters_italy() -> None:
    """ "the first year, Italy is neutral and cannot be entered": 1914, unless the phase says another first year."""
    outcomes = judged(INTO_ITALY, "--rules", "two")["outcomes"]
    assert {outcomes[unit]["reason"] for unit in ("A TYR", "F ADR")} == {"italy-is-neutral"}
    assert judged(INTO_ITALY, "--rules", "two", first_year=1913)["outcomes"]["A TYR"]["result"] == ["ok"]
    assert judged(INTO_ITALY, players="two")["outcomes"] == outcomes


@pytest.mark.parametrize("said", [{"players": "six"}, {"players": 6}, {"disorder": ["Italy"]}])
def test_units_that_are_in_nobodys_hand_hold_and_are_disbanded_when_dislodged(said: dict[str, Any]) -> None:
    """ "all of the units of that country hold ... If dislodged, they are disbanded": whatever is written for them."""
    answer = judged(AGAINST_ITALY, **said)
    assert answer["outcomes"]["A ROM"]["order"] == "A ROM H"
    assert answer["outcomes"]["A VEN"]["result"] == ["dislodged", "disbanded"]
    assert answer["dislodged"] == {"ITALY": {"A VEN": []}}
    assert [(row["text"], row["reason"]) for row in answer["unread"]] == [("A Rom - Tus", "civil-disorder")]
    assert judged(AGAINST_ITALY)["dislodged"] != answer["dislodged"], "with seven players Italy may retreat"


def test_a_stream_may_say_what_counts_for_lines_that_do_not() -> None:
    """`--choice` beside the choices of the rules; what a line says goes before it."""
    words = ("--choice", "players=six", "--choice", "paradox=szykman")
    assert judged(AGAINST_ITALY, *words) == judged(AGAINST_ITALY, "--choice", "paradox=szykman", players="six")
    assert judged(AGAINST_ITALY, *words, players=7) == judged(AGAINST_ITALY, "--choice", "paradox=szykman")
    assert judged(AGAINST_ITALY, "--choice", "disorder=Italy") == judged(AGAINST_ITALY, disorder=["Italy"])
    assert judged(INTO_ITALY, "--choice", "players=two", "--choice", "first_year=1913")["outcomes"]["A TYR"]["result"]
    for name in ("nine", "playrs"):
        result = CliRunner().invoke(adjudicate_command, ["--jsonl", "-", "--choice", f"players={name}"], input="")
        assert result.exit_code == 2 and "players" in result.output


@pytest.mark.parametrize(("name", "same"), [("three-1", "three"), ("three-2", "three-otherwise")])
def test_the_two_games_for_three_have_numbers_too(name: str, same: str) -> None:
    assert judged(AGAINST_ITALY, players=name) == judged(AGAINST_ITALY, players=same)


def test_an_edition_keeps_its_choices_with_fewer_players() -> None:
    army = {"AUSTRIA": ["A BOH"], "GERMANY": ["A BER", "A MUN"]}
    orders = {"GERMANY": ["A Mun - Boh", "A Ber - Pru"]}
    answer = judged({"phase": "S1901M", "units": army, "orders": orders}, "--rules", "1982", players="six")
    assert answer["outcomes"]["A BER"]["result"] == ["ok"] and answer["outcomes"]["A MUN"]["result"] == ["bounced"]


@pytest.mark.parametrize(
    ("options", "words", "sentence"),
    [
        ({"disordr": ["ITALY"]}, (), "\"options\" name 'disordr'; did you mean 'disorder'?"),
        ({"disorder": "ITALY"}, (), '"disorder" is not a list of powers'),
        ({"disorder": ["ITLY"]}, (), "there is no power 'ITLY' on this board"),
        ({"first_year": "1914"}, (), '"first_year" is not a year such as 1914'),
        ({"players": "six"}, ("--rules", "european", "--map", "european"), "there is no game of european for 'six'"),
        ({"players": "one"}, (), "there is no game of 1976 for 'one' players"),
        ([1914], (), '"options" is not an object'),
    ],
)
def test_options_that_mean_nothing_are_an_error_of_their_line(
    options: Any, words: tuple[str, ...], sentence: str
) -> None:
    line = json.dumps({"id": 7, "phase": "S1901M", "options": options})
    result = CliRunner().invoke(adjudicate_command, ["--jsonl", "-", *words], input=line)
    answer = json.loads(result.output)
    assert result.exit_code == 1 and answer["id"] == 7 and sentence in answer["error"]
