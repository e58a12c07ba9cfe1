"""Headings: every sensible form of a phase is one; below one that cannot be read nothing is done (4.1 no. 10)."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from judge.mail.script import Script, ScriptContext
from judge.rules.calendar import CALENDAR_1976, read_phase
from tests.script.conftest import ReadMail

_SEASONS = {
    "S": ("S", "Sp", "Spr", "Spring", "SPRING"),
    "F": ("F", "Fa", "Fal", "Fall", "Aut", "Autumn", "autumn"),
    "W": ("W", "Win", "Winter"),
}
_KINDS = {
    "M": ("M", "moves", "Movement", "movement phase"),
    "R": ("R", "retreats", "Retreat phase"),
    "A": ("A", "B", "builds", "adjustments"),
}
_SHAPES = (
    "{season}{year}{kind}", "{season} {year} {kind}", "{season} '{year} {kind}", "{season}-{year} {kind}",
    "{season}.{year}.{kind}", "{season}, {year} {kind}", "{season}{year} {kind}",
)  # fmt: skip
_AROUND = ("{}", "PHASE {}", "for {}:", "Orders for {}:", "my orders for {}", "== {} ==", "{}.", "tannenburg {}")
_LOST = (
    "PHASE Fall 19011", "PHASE X1901M", "X1901M", "F19011", "Fall 19011", "Sprng 1901", "Autum 1901 moves",
    "Spring 191", "1902", "Höst 1901:", "Efterår 1901", "next turn", "Next year",
    "for next year:", "for next turn:", "Orders for the coming year:", "next year:", "Fall 1901 dinner:", "for 1902:",
    "sign on france@verona", "SIGN ON Fverona xyzzy", "sign on frnace@verdun", "sing on france@verona", "france@verona",
    "game verona", "GAME: verona", "Orders for verona:", "for verona:", "verdn germany F1901", "Orders for verdn:",
    "Orders for Germny:", "Germny:", "Germny F1901",
    "[adriatic]", "[Adriatic]:", "[verona]", "[verona] S1901 Moves", "Re: [verona] S1901 Moves: orders due",
    "Subject: [verona]", "[game 2]", "[next year]", "[Sprng 1901]", "game = verona", "Game name: verona",
    "in the game verona:", "Orders for game verona", "verona game:", "Spiel: verona", "Now for verona:",
    "== verdn ==", "*verdn*", "(verdn)", "verona S1901", "verona - Spring 1901", "Other game:", "For the other game:",
    "Game 2:", "F19O1M", "for 190l:", "1901 autumnn moves", "Turn 3:", "To Russia:",
)  # fmt: skip
_PROSE = (
    "My final orders:", "Here are my new orders:", "Orders as discussed:", "orders attached", "For your information:",
    "Fall comes early this year.", "Spring is here", "next year I will win", "I sign on for anything",
    "The phase is nearly over, sorry", "Dear Germany,", "hello Judge:", "this is my game", "For the record:",
    "in short:", "Sent in Spring", "I am in phase two of my life",
    "[snip]", "[...]", "[orders]", "[cid:image001.png]", "[image: logo]", "[External]", "[x]", "[ ] done", "(draft)",
    "=== ORDERS ===", "--- cut here ---", "*smile*", "# my orders", "North:", "In Iberia:", "*Fleets*", "Note:",
    "Comment:", "Spring 1901 - Tom", "to a new game!",
)  # fmt: skip
_BELOW = ("A Par - Bur", "wait", "clear", "extension", "leave", "same again", "draw", "press to Germany: hello")


def _taken(script: Script) -> list[str]:
    """The orders that may go on file; those that are asked back are handed on with a doubt."""
    return [line.text for orders in script.orders for line in orders.lines if line.doubt is None]


def _asked(script: Script) -> list[int]:
    """The lines that are asked back."""
    doubted = [line.number for orders in script.orders for line in orders.lines if line.doubt]
    return sorted([*(unread.line for unread in script.unread), *doubted])


@pytest.mark.parametrize("shape", _SHAPES)
def test_every_sensible_form_of_a_phase_is_one(shape: str) -> None:
    for (season, names), (kind, kinds), year in product(_SEASONS.items(), _KINDS.items(), ("1901", "01")):
        for name, word in product(names, ("", *kinds)):
            text = shape.format(season=name, year=year, kind=word).strip(" .:")
            default = "A" if season == "W" else "M"
            wanted = ("F" if season == "W" and word and kind == "R" else season) + "1901" + (kind if word else default)
            assert read_phase(text, CALENDAR_1976) == wanted, text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *(("Herbst 1901", "F1901M"), ("Frühjahr 1902 Rückzüge", "S1902R"), ("Fruehjahr 1902", "S1902M")),
        *(("FRÜHJAHR 1901, ZÜGE", "S1901M"), ("Winter 1901 Aufbau", "W1901A"), ("Herbst 01", "F1901M")),
        *(("Printemps 1903", "S1903M"), ("automne 1901 retraites", "F1901R"), ("hiver 1901 ajustements", "W1901A")),
        *(("Primavera 1901", "S1901M"), ("otono 1901 retiradas", "F1901R"), ("Inverno 1902 costruzioni", "W1902A")),
        *(("Voorjaar 1901 zetten", "S1901M"), ("herfst 1901", "F1901M"), ("1901 najaar", "F1901M")),
    ],
)
def test_a_phase_is_named_in_other_languages(text: str, code: str, mail: ReadMail) -> None:
    assert read_phase(text, CALENDAR_1976) == code
    if code == "F1901M":
        assert _taken(mail(f"{text}:\nA Par - Bur")) == ["A Par - Bur"]


@pytest.mark.parametrize("around", _AROUND)
@pytest.mark.parametrize("phase", ["F1901", "Fa01", "Fall '01", "Fall 1901 moves", "1901 Fall", "F 1901 M"])
def test_a_phase_in_a_heading_is_read(around: str, phase: str, mail: ReadMail) -> None:
    script = mail(f"{around.format(phase)}\nA Par - Bur")
    assert [orders.turn for orders in script.orders] == ["F1901M"]


@pytest.mark.parametrize("heading", _LOST)
@pytest.mark.parametrize("below", _BELOW)
def test_nothing_is_done_below_a_heading_that_cannot_be_read(heading: str, below: str, mail: ReadMail) -> None:
    script = mail(f"A Mar - Spa\n{heading}\n{below}\n")
    assert _taken(script) == ["A Mar - Spa"]
    stopped = (
        below.startswith("press")
        and script.unread[0].reason == "no-such-heading"
        and script.unread[0].sentence.startswith("I cannot tell which phase")
    )
    assert len(script.said) == 1 + stopped
    assert _asked(script) == ([2] if stopped else [2, 3])


@pytest.mark.parametrize("heading", _LOST)
def test_the_next_heading_that_can_be_read_ends_it(heading: str, mail: ReadMail) -> None:
    script = mail(f"{heading}\nA Mar - Spa\ntannenburg france F1901\nA Par - Bur")
    assert _taken(script) == ["A Par - Bur"] and 2 in _asked(script)
    assert [(orders.turn, orders.power) for orders in script.orders][-1] == ("F1901M", "FRANCE")


@pytest.mark.parametrize("line", _PROSE)
def test_prose_above_orders_stops_nothing(line: str, mail: ReadMail) -> None:
    script = mail(f"{line}\nA Par - Bur")
    assert [[line.text for line in orders.lines] for orders in script.orders] == [["A Par - Bur"]]
    assert not [orders.turn for orders in script.orders if orders.turn]


@pytest.mark.parametrize("tag", ["[verdun]", "Re: [verdun] S1901 Moves: results", "Subject: [verdun]", "<verdun>"])
def test_the_tag_of_another_game_is_its_heading(tag: str, mail: ReadMail) -> None:
    script = mail(f"A Mar - Spa\n{tag}\nA Par - Bur")
    assert [(said.game, said.text) for said in script.said] == [
        ("tannenburg", "A Mar - Spa"),
        ("verdun", "A Par - Bur"),
    ]


@pytest.mark.parametrize(
    ("word", "asked"),
    [("note the following", []), ("comment:  well", []), ("note my orders", [1]), ("import position", [1])],
)
def test_below_a_word_of_the_gamemasters_nothing_is_lost(word: str, asked: list[int], mail: ReadMail) -> None:
    script = mail(f"{word}\nA Par - Bur")
    assert _asked(script) == asked and _taken(script) == ["A Par - Bur"]


@pytest.mark.parametrize("subject", ["Fall 19011", "sign on france@verona", "france@verona", "PHASE X1901M"])
def test_a_subject_may_be_such_a_heading(subject: str, mail: ReadMail) -> None:
    script = mail("A Par - Bur", subject=subject)
    assert not _taken(script) and _asked(script) == [0, 1]


@pytest.mark.parametrize(
    "subject", ["My orders", "Fall is coming", "Orders for you all!", "Re: Fall 19011", "Hello Germany"]
)
def test_other_subjects_stop_nothing(subject: str, mail: ReadMail) -> None:
    assert len(mail("A Par - Bur", subject=subject).said) == 1


def test_an_order_below_may_be_sent_for_now_by_its_number(mail: ReadMail) -> None:
    script = mail("for next year:\nA Par - Bur\nextension")
    [below] = [line for orders in script.orders for line in orders.lines]
    assert below.doubt is not None and below.doubt.proposals == ("A Par - Bur",)
    assert [unread.candidates for unread in script.unread] == [(), ()]


@pytest.mark.parametrize(
    "case",
    ["If Germany is in Bel:", "unless France attacks:", "Otherwise:", "Only if all goes well:", "in case of war:"],
)
def test_orders_below_a_condition_in_no_form_of_ours_are_not_unconditional(case: str, mail: ReadMail) -> None:
    script = mail(f"A Mar - Spa\n{case}\nA Par - Bur")
    assert _taken(script) == ["A Mar - Spa"] and _asked(script) == [2, 3]


@pytest.mark.parametrize("line", ["for next year: A Par - Bur", "Fall 19011: A Par - Bur", "verdn france: A Par - Bur"])
def test_a_heading_on_the_line_of_its_orders_stops_these_alone(line: str, mail: ReadMail) -> None:
    script = mail(f"{line}\nA Mar - Spa")
    assert _taken(script) == ["A Mar - Spa"] and _asked(script) == [1]


@pytest.mark.parametrize(
    ("heading", "turn"), [("for this turn:", "S1901M"), ("Spring moves:", "S1901M"), ("Fall:", "F1901M")]
)
def test_the_present_turn_can_be_named(heading: str, turn: str, mail: ReadMail) -> None:
    orders = list(mail(f"for W1901:\nbuild A Par\n{heading}\nA Par - Bur").orders)
    assert [one.turn for one in orders] == ["W1901A", turn]


def test_a_title_is_not_the_history(mail: ReadMail, player: ScriptContext) -> None:
    for line in ("Summary", "Summary:", "SUMMARY"):
        script = mail(f"{line}\nA Par - Bur", to=replace(player))
        assert [said.verb for said in script.said] == ["orders"], line
    assert [said.verb for said in mail("summary").said] == ["history"]
