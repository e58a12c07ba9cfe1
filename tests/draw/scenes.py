"""Help for the tests of pictures: positions in a few words, and what an SVG holds."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree

from judge.adjudicate import adjudicate
from judge.adjudicate.outcome import Adjudication
from judge.board.model import Board
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.draw import Caption
from judge.orders.reader import canonical_readers
from judge.orders.reading import ReadOptions
from judge.rules import RULES_1976

CAPTION = Caption("tannenburg", "Fall 1904 moves")
SVG = "{http://www.w3.org/2000/svg}"


def position(board: Board, units: Mapping[str, str], phase: str = "F1904M") -> Position:
    """FRANCE="A PAR, F BRE": these units, every power owning its home centres."""
    placed: list[Unit] = []
    for power, words in units.items():
        for word in words.split(", "):
            kind, at = word.split()
            placed.append(Unit(len(placed) + 1, kind, at, power, at))
    return Position(board, Phase.read(phase), tuple(placed), dict(board.home_of), next_id=len(placed) + 1)


def played(before: Position, orders: Mapping[str, str]) -> Adjudication:
    """FRANCE="A PAR - BUR; F BRE H": these orders, carried out by the rules of 1976."""
    read = []
    for power, lines in orders.items():
        reader = canonical_readers(before, ReadOptions(permissive=True))(power)
        for line in lines.split("; "):
            order = reader(line)
            assert order is not None, line
            read.append(order)
    return adjudicate(before, read, RULES_1976)


def elements(svg: str) -> list[ElementTree.Element]:
    """All elements of an SVG, which must be well-formed XML."""
    return list(ElementTree.fromstring(svg).iter())


def marked(svg: str, name: str) -> list[str]:
    """The values of a data attribute, in the order of drawing."""
    return [element.attrib[name] for element in elements(svg) if name in element.attrib]


def texts(svg: str) -> list[str]:
    """All texts."""
    return [element.text or "" for element in elements(svg) if element.tag == f"{SVG}text"]
