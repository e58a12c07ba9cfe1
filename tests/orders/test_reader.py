"""What a text of orders comes to beyond its single lines: headings, blankets, notes, strictness, chatter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from judge.board.model import Board
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Dislodged, Unit
from judge.orders.filing import settled
from judge.orders.model import Build, Hold, Misorder, Move, Order, Retreat
from judge.orders.problems import suggest
from judge.orders.reader import looks_like_order, read_line, read_orders
from judge.orders.reading import Reading, ReadOptions


def lines(readings: tuple[Reading, ...]) -> list[str]:
    """The canonical lines of readings; the slug of those with a problem."""
    return [reading.problem.slug if reading.problem else str(reading.order) for reading in readings]


def test_every_line_keeps_its_number_and_its_words(start: Position) -> None:
    readings = read_orders("\nA Par - Bur\n\n  F Bre holds, A Mar - Spa \n", start, "FRANCE")
    assert [(reading.line, reading.text) for reading in readings] == [
        (2, "A Par - Bur"),
        (4, "F Bre holds"),
        (4, "A Mar - Spa"),
    ]


@pytest.mark.parametrize(
    ("phase", "power", "text", "order"),
    [
        ("S1901M", "FRANCE", "A Paris - Burgundy", "A PAR - BUR"),
        ("S1901M", "FRANCE", "F Brest to English Channel", "F BRE - ENG"),
        ("S1901M", "FRANCE", "A Marseilles S A Paris - Burgundy", "A MAR S A PAR - BUR"),
        ("S1901M", "ITALY", "A Venice to Piedmont", "A VEN - PIE"),
        ("S1901M", "ITALY", "A Venice S A Rome to Tuscany", "A VEN S A ROM - TUS"),
        ("S1902M", "ENGLAND", "F North Sea C A London to Norway", "F NTH C A LON - NWY"),
        ("W1901A", "RUSSIA", "[Russia] B F Sevastopol", "F SEV B"),
    ],
)
def test_the_letters_that_are_encouraged_and_the_forms_of_the_house_rules(
    board: Board, start: Position, phase: str, power: str, text: str, order: str
) -> None:
    """A, F, S, C and B; the coast that St Petersburg's fleet needs is asked for in tolerance.txt."""
    where = start
    if phase == "S1902M":
        where = replace(start, units=(Unit(1, "A", "LON", "ENGLAND"), Unit(2, "F", "NTH", "ENGLAND")))
    elif phase == "W1901A":
        where = replace(start, phase=Phase.read(phase), units=())
    assert lines(read_line(text, where, power)) == [order]


def test_a_bad_line_takes_no_other_with_it(start: Position) -> None:
    readings = read_orders("A Par - Bur\nF Bre jumps over the moon\nA Mar - Spa", start, "FRANCE")
    assert [reading.understood for reading in readings] == [True, False, True]


def test_a_bad_order_among_others_on_its_line_is_answered_alone(start: Position) -> None:
    readings = read_line("A Par-Bur. F Bre-Xyzzy. A Mar-Spa.", start, "FRANCE")
    assert lines(readings) == ["A PAR - BUR", "no-such-place", "A MAR - SPA"]


REPORT = """
ENGLAND   A Norway - St Petersburg            ok, 2 against 1
          F Barents Sea S A Norway - St Petersburg
FRANCE   (A Burgundy - Belgium)               failed; DISLODGED by German
                                              A Ruhr (3 against 1)
          F Picardy S A Burgundy - Belgium    given, not enough
          A Spain S F Marseilles
         (F Marseilles S A Spain)             cut by Italian A Piedmont
"""


def test_our_own_results_can_be_sent_back_as_orders(board: Board) -> None:
    texts = {
        "ENGLAND": ("A NWY", "F BAR"),
        "FRANCE": ("A BUR", "F PIC", "A SPA", "F MAR"),
        "ITALY": ("A PIE",),
        "GERMANY": ("A RUH",),
    }
    pairs = [(power, *text.split()) for power, units in texts.items() for text in units]
    units = tuple(Unit(number, kind, at, power) for number, (power, kind, at) in enumerate(pairs, start=1))
    readings = read_orders(REPORT, Position(board, Phase.read("F1902M"), units, {}), None)
    assert lines(readings) == [
        "A NWY - STP",
        "F BAR S A NWY - STP",
        "A BUR - BEL",
        "F PIC S A BUR - BEL",
        "A SPA S F MAR",
        "F MAR S A SPA",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Army Paris supports the army in Marseilles\nto Burgundy\nF Bre holds",
        "Army Paris supports the army in Marseilles to\nBurgundy\nF Bre holds",
        "Army Paris\nsupports the army in Marseilles to Burgundy\nF Bre holds",
    ],
)
def test_an_order_broken_in_two_by_a_mail_program_is_one(start: Position, text: str) -> None:
    assert lines(read_orders(text, start, "FRANCE")) == ["A PAR S A MAR - BUR", "F BRE H"]


def test_a_mail_that_is_one_long_line_is_read(start: Position) -> None:
    readings = read_line("A Par-Bur. F Bre-Mid. A Mar-Spa. " * 1000, start, "FRANCE")
    assert [reading.understood for reading in readings] == [True] * 3000


def test_a_long_line_of_nothing_is_answered(start: Position) -> None:
    words = "once upon a time there was an army in  Paris that wanted to  go somewhere but did not know where "
    assert not any(reading.understood for reading in read_line(words * 40, start, "FRANCE"))


def test_headings_say_whose_orders_follow(start: Position) -> None:
    readings = read_orders("FRANCE:\nA Par - Bur\nGERMANY\nA Mun - Bur\nall hold", start, None)
    assert [(reading.power, str(reading.order)) for reading in readings] == [
        ("FRANCE", "A PAR - BUR"),
        ("GERMANY", "A MUN - BUR"),
        ("GERMANY", "F KIE H"),
        ("GERMANY", "A BER H"),
    ]


def test_a_unit_of_another_power_is_named_with_its_owner(start: Position) -> None:
    problem = read_line("A Mun H", start, "FRANCE")[0].problem
    assert problem is not None
    assert problem.slug == "not-your-unit"
    assert "Germany" in problem.sentence


def test_all_others_hold_is_one_order_for_each_unit_that_has_none(start: Position) -> None:
    readings = read_orders("A Par - Bur\nall others hold", start, "FRANCE")
    assert lines(readings) == ["A PAR - BUR", "F BRE H", "A MAR H"]
    assert [reading.notes for reading in readings[1:]] == [("expanded",)] * 2


def test_a_unit_whose_line_failed_is_not_held_by_the_others(start: Position) -> None:
    readings = read_orders("A Par - Moon\nall others hold", start, "FRANCE")
    assert lines(readings) == ["no-such-place", "F BRE H", "A MAR H"]


def test_all_armies_hold(start: Position) -> None:
    assert lines(read_orders("all armies hold", start, "FRANCE")) == ["A MAR H", "A PAR H"]


@pytest.mark.parametrize(
    ("power", "text", "notes"),
    [
        ("FRANCE", "F Paris - Burgundy", ("wrong-unit-letter",)),
        ("FRANCE", "A Mar - Spa/nc", ("coast-ignored",)),
        ("RUSSIA", "F Stp(nc) - Bot", ("coast-ignored",)),
        ("FRANCE", "A Par - Bur tonight", ("words-ignored",)),
        ("ENGLAND", "F Lon - Nth via convoy", ("via-ignored",)),
        ("FRANCE", "French A Par - Bur", ()),
        ("FRANCE", "A Par - Bur", ()),
    ],
)
def test_what_was_added_or_left_out_is_noted(start: Position, power: str, text: str, notes: tuple[str, ...]) -> None:
    assert [reading.notes for reading in read_line(text, start, power)] == [notes]


def test_a_correction_quotes_what_was_written(start: Position) -> None:
    readings = read_line("A Pzris - Bur", start, "FRANCE")
    assert [reading.corrected for reading in readings] == ['you wrote "A Pzris - Bur"']


def test_a_legal_order_is_never_corrected(start: Position) -> None:
    """A mistaken order, if legal, must be followed (VII.4)."""
    assert [reading.corrected for reading in read_line("A Par - Pic", start, "FRANCE")] == [""]


def test_a_listed_route_is_kept(start: Position) -> None:
    order = read_line("A Lvp - Nao - Nwg - Nwy", start, "ENGLAND")[0].order
    assert isinstance(order, Move)
    assert (order.via, order.route) == (True, ("NAO", "NWG"))


def test_nonsense_for_a_known_unit_is_a_misorder_where_the_game_permits_it(start: Position) -> None:
    text = "A Par launches probe to Jupiter"
    strict = read_line(text, start, "FRANCE")[0]
    assert strict.order is None
    loose = read_line(text, start, "FRANCE", options=ReadOptions(permissive=True))[0]
    assert isinstance(loose.order, Misorder)
    assert (loose.order.unit.at, loose.order.text) == ("PAR", text)
    assert loose.problem == strict.problem


def test_an_impossible_move_is_a_move_and_no_misorder(start: Position) -> None:
    """Whether it can be carried out is judged elsewhere."""
    readings = read_line("Army Paris - Moscow", start, "FRANCE", options=ReadOptions(permissive=True))
    assert lines(readings) == ["A PAR - MOS"]


@pytest.mark.parametrize(
    "text",
    [
        "A Par - Bur",
        "F Lnodon - Nth",
        "Army in Lapland launches probe to Jupiter",
        "1. bre mid",
        "(A Burgundy - Belgium)  failed",
        "London holds",
        "build a lvp",
        "waive",
        "all others hold",
        "F Edi - Nor",
        "A Xyzzy - Qwert",
        "do not move A Par - Bur",
        "if Germany attacks, A Par - Bur",
        "> A Mos - Stp",
    ],
)
def test_orders_look_like_orders(board: Board, text: str) -> None:
    assert looks_like_order(text, board)


@pytest.mark.parametrize(
    "text",
    [
        "Army in Lapland to Finland",
        "A Lapland - Finland",
        "Army in Lapland launches probe",
        "A Lapland holds",
        "F Atlantis H",
        "A Lapland to Finland",
        "Fleet in Atlantis supports the Martians",
        "Army in Rome launches probe to Jupiter",
    ],
)
def test_an_order_for_a_place_that_is_nowhere_looks_like_an_order(board: Board, text: str) -> None:
    assert looks_like_order(text, board)


def test_who_orders_a_unit_that_is_nowhere_hears_what_he_has(start: Position) -> None:
    [nowhere] = read_line("Army in Lapland launches probe", start, "ITALY")
    assert nowhere.problem is not None and nowhere.problem.slug == "no-such-place"
    assert "You have A Rome and A Venice." in nowhere.problem.sentence
    [near] = read_line("A Lapland - Piedmont", start, "ITALY")
    assert near.problem is not None and [str(order) for order in near.problem.candidates] == ["A VEN - PIE"]
    [probe] = read_line("Army in Rome launches probe to Jupiter", start, "ITALY")
    assert probe.problem is not None and probe.problem.slug == "unfinished"


@pytest.mark.parametrize(
    "text",
    [
        "Fleet street is nice in spring",
        "A Friend of mine says hello",
        "Fleet in Being is a doctrine that I like a lot",
        "A day to remember",
        "Army of the Rhine is gone.",
        "Thanks, all",
        "",
        "Regards,",
        "France",
        "See you in Paris!",
        "I will be in London until Sunday",
        "A quick question: when is the deadline",
        "A friend in Vienna told me that you hold a grudge",
        "Can you support me in Burgundy next year, my dear friend?",
        "Hold the line!",
        "I will not be in Paris when you arrive",
        "Do not forget to write",
        "Sent from my phone",
        "-- ",
        "On Mon, 4 Jan 2027, the judge wrote:",
    ],
)
def test_chatter_does_not(board: Board, text: str) -> None:
    assert not looks_like_order(text, board)


def _said(readings: Sequence[Reading]) -> list[tuple[str, tuple[str, ...]]]:
    return [(str(reading.order), reading.notes) for reading in readings]


def test_the_last_order_for_a_unit_counts(start: Position) -> None:
    readings = read_orders("A Par - Bur\nA Mar - Spa\nA Par - Pic", start, "FRANCE")
    assert _said(settled(readings, start.board)) == [
        ("A PAR - BUR", ("superseded",)),
        ("A MAR - SPA", ()),
        ("A PAR - PIC", ("same-line-twice",)),
    ]


@pytest.mark.parametrize("text", ["A Par - Bur\nA Par - Mos", "A Par - Mos\nA Par - Bur"])
@pytest.mark.parametrize("no_mistakes", [False, True])
def test_the_last_legal_order_counts(start: Position, text: str, no_mistakes: bool) -> None:  # noqa: FBT001
    def legal(order: Order) -> bool:
        return isinstance(order, Move) and order.to == "BUR"

    options = ReadOptions(no_mistakes=no_mistakes)
    found = settled(read_orders(text, start, "FRANCE"), start.board, legal, options=options)
    notes = {str(reading.order): reading.notes for reading in found}
    assert notes["A PAR - BUR"] == ("same-line-twice",)
    assert [reading.problem for reading in found] == [None, None]
    asked = no_mistakes and text.endswith("Mos")
    assert notes["A PAR - MOS"] == (() if asked else ("superseded",)), "an impossible one written last is asked back"


def test_two_different_orders_are_asked_back_in_a_no_mistakes_game(start: Position) -> None:
    readings = read_orders("A Par - Bur\nA Par H\nA Mar H\nA Mar H", start, "FRANCE")
    found = settled(readings, start.board, options=ReadOptions(no_mistakes=True))
    assert [reading.problem.slug for reading in found if reading.problem] == ["two-orders"] * 2
    assert _said(found[2:]) == [("A MAR H", ())] * 2


def _suggested(order: Order, position: Position) -> list[str]:
    return [str(other) for other in suggest(order, position)]


def test_suggestions_are_of_the_same_unit_and_the_nearest_first(start: Position) -> None:
    paris = next(unit for unit in start.units if unit.at == "PAR")
    assert _suggested(Move(paris, "BUD"), start)[0] == "A PAR - BUR", "near in writing"
    assert _suggested(Move(paris, "MUN"), start)[0] == "A PAR - BUR", "near on the board"
    assert _suggested(Move(paris, "SPA"), start)[0] == "A PAR - GAS", "near on the board"
    assert _suggested(Hold(paris), start) == []


def test_suggested_retreats_are_the_open_ones_and_at_last_the_end(board: Board) -> None:
    army = Unit(1, "A", "BUR", "FRANCE")
    position = Position(board, Phase.read("F1902R"), (), {}, (Dislodged(army, ("GAS", "PAR")),))
    assert sorted(_suggested(Retreat(army, "MUN"), position)[:2]) == ["A BUR R GAS", "A BUR R PAR"]
    assert _suggested(Retreat(army, "MUN"), position)[2:] == ["A BUR D"]


def test_suggested_builds_are_in_vacant_homes(board: Board) -> None:
    owners = {"PAR": "FRANCE", "BRE": "FRANCE", "MAR": "FRANCE"}
    position = Position(board, Phase.read("W1902A"), (Unit(1, "A", "MAR", "FRANCE"),), owners)
    assert _suggested(Build("FRANCE", "F", "MAR"), position) == ["F BRE B"]


def test_units_that_share_a_place_can_be_numbered(board: Board) -> None:
    units = (Unit(1, "A", "PAR", "FRANCE"), Unit(2, "A", "PAR", "FRANCE"))
    position = Position(board, Phase.read("S1958M"), units, {})
    first, second = position.units
    readings = read_orders("A Par - Bur\nA PAR#1 - Pic\nA PAR#2 - Bre", position, "FRANCE")
    assert [reading.order for reading in readings] == [
        Move(first, "BUR"),
        Move(first, "PIC"),
        Move(second, "BRE"),
    ]


def test_many_bad_lines_neither_cost_much_nor_harm_the_good_ones(start: Position) -> None:
    bad = [f"A Pzr{number % 7}is - Bxr{number % 5}gundy" for number in range(300)]
    readings = read_orders("\n".join((*bad, "A Par - Bur", *bad, "F Bre - Mid")), start, "FRANCE")
    assert [str(reading.order) for reading in readings if reading.understood][-2:] == ["A PAR - BUR", "F BRE - MAO"]
    assert len(readings) == 602, "each line is answered"


@pytest.mark.parametrize("line", ["A Par does nothing", "A Par sits tight", "A Par: nothing", "<A Par - Bur>"])
def test_a_unit_that_does_nothing_is_spoken_of_as_in_an_order(start: Position, line: str) -> None:
    assert looks_like_order(line, start.board)
