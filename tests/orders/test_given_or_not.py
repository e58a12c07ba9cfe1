"""What is spoken of, struck out or crossed is not ordered; what only stands in a list, a table or a web page is.

Each way of writing around each form of order. No word vanishes: what is not read is asked back, noted or named.
"""

from __future__ import annotations

from itertools import product

import pytest

from judge.board.position import Position
from judge.orders.reader import looks_like_order, read_orders

ORDERS = ("A Mos - Ukr", "A Moscow to Ukraine", "A War S A Mos - Gal", "F Sev holds", "Army Warsaw moves to Galicia")
SPOKEN = """{} is best|{} is fine|{} might be wise|{} could work|{} would be better|{} would be nice|{} may be good
{} looks wise|{} seems right|{} sounds good|{} should be fine|{} will be funny|{} is a bad idea""".replace("\n", "|")
DENIED = ("~~{}~~", "<s>{}</s>", "<del>{}</del>", "was: {}", "not {}")
CROSSED = (
    "A Mos !- Ukr",
    "A Mos !-> Ukr",
    "A Mos -/-> Ukr",
    "A Mos ↛ Ukr",
    "A Mos -x-> Ukr",
    "A Mos =/=> Ukr",
    "A Mos !> Ukr",
)
LISTED = """#1 {}|#1: {}|1) {}|1. {}|(1) {}|1: {}|1.) {}|a) {}|(a) {}|b) {}|ii) {}|iv. {}|[x] {}|[ ] {}|[1] {}
No. 1: {}|Order 1: {}|Unit 2: {}|① {}|- {}|* {}|• {}|> {}|+ {}|`{}`|**{}**|"{}"|{}.|{}!|{};|{} :-)
\t{}"""
WEB = """A Mos -&gt; Ukr|A Mos =&gt; Ukr|A Mos &rarr; Ukr|A Mos &#8594; Ukr|A Mos &ndash; Ukr
A&nbsp;Mos&nbsp;-&nbsp;Ukr"""


def _orders(text: str, start: Position) -> list[str]:
    return [str(one.order) for one in read_orders(text, start, "RUSSIA") if one.understood]


@pytest.mark.parametrize("forms", [SPOKEN.split("|"), DENIED], ids=["spoken of", "struck out"])
def test_nothing_of_it_is_ordered(start: Position, forms: list[str]) -> None:
    wrong = []
    for form, order in product(forms, ORDERS):
        text = form.format(order)
        readings = read_orders(text, start, "RUSSIA")
        if not readings or any(one.understood for one in readings) or not looks_like_order(text, start.board):
            wrong.append(f"{text!r}: {_orders(text, start)}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("line", CROSSED)
def test_a_crossed_arrow_denies_its_move(start: Position, line: str) -> None:
    [reading] = read_orders(line, start, "RUSSIA")
    assert reading.problem is not None and reading.problem.slug == "condition"


def test_what_is_written_beside_struck_words_counts_with_a_note(start: Position) -> None:
    [reading] = read_orders("~~A Mos - Ukr~~ A Mos - StP", start, "RUSSIA")
    assert (str(reading.order), reading.notes) == ("A MOS - STP", ("words-ignored",))


def test_an_order_beside_an_opinion_has_the_line_asked_back(start: Position) -> None:
    [reading] = read_orders("A Mos - Ukr is best, F Sev - Rum", start, "RUSSIA")
    assert reading.problem is not None and reading.order_like


def test_marks_of_lists_and_tables_say_nothing(start: Position) -> None:
    wrong = []
    for form, order in product((*LISTED.replace("\n", "|").split("|"), "| {} |"), ORDERS):
        alone = _orders(order, start)
        assert len(alone) == 1
        text = form.format(order)
        if _orders(text, start) != alone or not looks_like_order(text.lstrip("+ "), start.board):
            wrong.append(f"{text!r}: {_orders(text, start)}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("line", WEB.replace("\n", "|").split("|"))
def test_marks_that_a_program_spelt_for_the_web_are_marks(start: Position, line: str) -> None:
    [reading] = read_orders(line, start, "RUSSIA")
    assert (str(reading.order), reading.text) == ("A MOS - UKR", line)
