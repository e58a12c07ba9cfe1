"""A line that names another power as its own is nobody's order but theirs: asked back, never filed for its author.

The name may stand above the line, before it or behind it, in any writing; under it a line is not even a misorder.
"""

from __future__ import annotations

from itertools import product

import pytest

from judge.board.names import gazetteer_of
from judge.board.position import Position
from judge.orders.reader import read_line, read_orders
from judge.orders.reading import Reading, ReadOptions

_OTHERS = ("GERMANY", "FRANCE", "AUSTRIA", "RUSSIA", "TURKEY", "ITALY")
_ORDERS = (
    "A Lvp - Yor", "F Lon H", "F Edi S F Lon - Nth", "F Edinburgh to the Norwegian Sea", "A Lvp - Edi, F Lon - Eng",
    "A Lvp-Yor; F Lon-Nth; F Edi-Nwg", "A Lvp - Wal soon", "Lvp - Cly", "A Lvp launches a probe", "all hold",
)  # fmt: skip
_BEFORE = ("{}: {}", "For {}: {}", "{} - {}", "{}\n{}", "{}:\n{}", "Orders for {}: {}", "({}) {}", "{}, {}")
_STRICTNESS = (ReadOptions(), ReadOptions(no_mistakes=True), ReadOptions(permissive=True))


def _taken(readings: tuple[Reading, ...]) -> list[str]:
    return [str(reading.order) for reading in readings if reading.order is not None]


def _names(start: Position, power: str) -> list[str]:
    known = start.board.powers[power]
    return [known.name, known.name.upper(), known.adjective, known.name[:3], f"{known.name}'s"]


@pytest.mark.parametrize("options", _STRICTNESS, ids=["usual", "no-mistakes", "permissive"])
@pytest.mark.parametrize("power", _OTHERS)
def test_nothing_headed_with_another_power_is_an_order(start: Position, power: str, options: ReadOptions) -> None:
    for name, shape, order in product(_names(start, power), _BEFORE, _ORDERS):
        if not gazetteer_of(start.board).power(name):
            continue
        text = shape.format(name, order)
        single = ":" in shape or "\n" in shape or not {",", ";"} & set(order)
        readings = read_orders(text, start, "ENGLAND", options=options)
        assert not (single and _taken(readings)), text


@pytest.mark.parametrize("power", _OTHERS)
def test_nor_is_what_names_it_behind(start: Position, power: str) -> None:
    for name in _names(start, power):
        for order in ("A Lvp - Wal", "F Lon H", "F Edi S F Lon - Nth"):
            assert not _taken(read_line(f"{order} {name}", start, "ENGLAND")), f"{order} {name}"


@pytest.mark.parametrize("order", _ORDERS[:4])
def test_it_is_offered_without_the_name(start: Position, order: str) -> None:
    (meant,) = read_line(order, start, "ENGLAND")
    (asked,) = read_line(f"Germany: {order}", start, "ENGLAND")
    assert asked.problem is not None
    assert (asked.problem.slug, asked.problem.candidates) == ("not-your-power", (meant.order,))


@pytest.mark.parametrize("shape", ["England: {}", "English {}", "ENG: {}", "{} England", "Orders for England: {}"])
def test_ones_own_name_is_no_other(start: Position, shape: str) -> None:
    for order in _ORDERS[:4]:
        (meant,) = read_line(order, start, "ENGLAND")
        assert _taken(read_line(shape.format(order), start, "ENGLAND")) == [str(meant.order)]


def test_a_name_before_an_order_is_for_its_line_and_one_above_for_all_below(start: Position) -> None:
    assert _taken(read_orders("Germany: F Kie - Den\nF Lon - Nth", start, "ENGLAND")) == ["F LON - NTH"]
    assert _taken(read_orders("Germany:\nF Edi H\nF Lon - Nth\nEngland:\nA Lvp H", start, "ENGLAND")) == ["A LVP H"]


def test_the_nationality_of_a_helped_unit_names_nobody_else(start: Position) -> None:
    assert _taken(read_line("F Lon S German F Kie - Nth", start, "ENGLAND")) == ["F LON S F KIE - NTH"]
