"""Columns, hanging indents and the last fold."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.letters import layout


def test_a_paragraph_is_filled_flush_left_or_indented_as_a_whole() -> None:
    assert layout.fill("one two three four", width=10) == "one two\nthree four"
    assert layout.fill("one two three four", 2, width=10) == "  one two\n  three\n  four"


def test_text_beside_a_label_hangs_below_itself() -> None:
    assert layout.hang("alpha beta gamma delta epsilon", "  DUE  ", width=30) == (
        "  DUE  alpha beta gamma delta\n       epsilon"
    )


def test_no_break_spaces_hold_words_together() -> None:
    assert layout.fill("by German\xa0A\xa0Ruhr", width=14) == "by\nGerman A Ruhr"


def test_a_word_too_long_for_the_line_is_broken() -> None:
    assert layout.fill("x" * 12, width=5) == "xxxxx\nxxxxx\nxx"


def test_every_line_of_somebody_elses_words_carries_the_mark() -> None:
    assert layout.marked("one\n\nGAMEMASTER (neutral)\n") == "| one\n|\n| GAMEMASTER (neutral)"


def test_control_characters_of_somebody_elses_words_vanish() -> None:
    assert layout.marked("a\x1b[31mb\x07\u202ec\r\nd") == "| a[31mbc\n| d"


LINE = {"order": "A Burgundy - Belgium", "code": "A BUR - BEL", "failed": True, "cause": "bounced with German A Ruhr"}


def test_a_failed_order_stands_in_parentheses_with_its_cause_beside_it() -> None:
    assert layout.order_line("FRANCE", LINE, 9) == (
        "FRANCE   (A Burgundy - Belgium)               bounced with German A Ruhr"
    )


def test_the_cause_of_a_long_order_follows_it_where_there_is_room() -> None:
    line = {**LINE, "order": "F North Atlantic Ocean - Norwegian Sea", "failed": False}
    assert layout.order_line("ENGLAND", line, 9) == (
        "ENGLAND   F North Atlantic Ocean - Norwegian Sea  bounced with German A Ruhr"
    )


def test_a_long_order_keeps_its_line_and_a_long_cause_goes_below() -> None:
    line = {
        **LINE,
        "order": "F North Atlantic Ocean - Norwegian Sea",
        "cause": "cut; DISLODGED by German F Norway (3 to 1)",
    }
    first, second = layout.order_line("ENGLAND", line, 9).split("\n")
    assert first == "ENGLAND  (F North Atlantic Ocean - Norwegian Sea)"
    assert second.strip() == line["cause"] and layout.columns(second) == layout.WIDTH


def test_what_was_simply_carried_out_stands_together_and_the_rest_by_itself() -> None:
    plain = {"order": "A Paris H", "code": "A PAR H", "failed": False, "cause": ""}
    asked = {**plain, "order": "F Brest H", "written": "if England then F Brest H"}
    assert layout.order_lines("FRANCE", [plain, plain, LINE, plain, asked], 9) == "\n".join((
        "FRANCE    A Paris H, A Paris H, A Paris H",
        "         (A Burgundy - Belgium)               bounced with German A Ruhr",
        "          F Brest H",
        "           as written: if England then F Brest H",
    ))  # fmt: skip


def test_no_order_is_broken_where_several_stand_together() -> None:
    orders = [{"order": f"A {name} Sea - {name} Bay", "failed": False, "cause": ""} for name in ("Long", "Longer") * 9]
    lines = layout.order_lines("FRANCE", orders, 9).split("\n")
    assert all(re.fullmatch(r"(FRANCE| {6})    (A \w+ Sea - \w+ Bay,? ?)+", line) for line in lines)
    assert max(map(layout.columns, lines)) <= layout.WIDTH


def test_an_order_that_fits_no_line_is_written_in_codes() -> None:
    line = {**LINE, "order": "A " + "Very Long Province " * 5}
    assert layout.order_line("FRANCE", line, 9).startswith("FRANCE   (A BUR - BEL)")


def test_wide_characters_count_twice_and_combining_ones_not_at_all() -> None:
    assert layout.columns("日本") == 4
    assert layout.columns("e\u0301") == 1
    assert layout.pad("日本", 6) == "日本  "


@pytest.mark.parametrize(("cells", "rows"), [(["a", "b", "c", "d"], ["a  b  c", "d"]), ([], [""])])
def test_cells_stand_in_rows(cells: list[str], rows: list[str]) -> None:
    assert layout.grid(cells, 3).split("\n") == rows


@given(st.text(max_size=400), st.integers(5, 90))
def test_folding_loses_no_word_and_keeps_the_width(text: str, width: int) -> None:
    folded = layout.fold(text, width)
    assert all(layout.columns(line) <= width for line in folded.split("\n"))
    assert "".join(folded.split()) == "".join(text.split())


@given(st.text(alphabet="ab \n", max_size=300))
def test_filling_loses_no_word(text: str) -> None:
    assert layout.fill(text).split() == [
        piece for word in text.split() for piece in [word[i : i + 78] for i in range(0, len(word), 78)]
    ]
