"""The cases of 1914 in `cases/*.txt`, each under the clause that it shows; this folder's README has the grammar."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.catalogues import language_of, shipped
from judge.languages import speak
from judge.orders.model import Build, Disband, Waive
from judge.orders.reader import read_line
from judge.orders.reading import ReadOptions
from judge.orders.spelled import order_words
from judge.rules.reasons import REASONS
from judge.variants.pulsipher1914.state import BOMBER
from tests.variants.pulsipher1914.play import NATIONS, RULES, board, play

FOLDER = Path(__file__).parent / "cases"
FILES = sorted(FOLDER.glob("*.txt"))


class Case(NamedTuple):
    """A phase, and what is expected of it."""

    title: str
    phase: str
    data: Mapping[str, Any]
    expected: tuple[str, ...]


def cases_of(path: Path) -> Iterator[Case]:
    """The cases of a file."""
    for block in path.read_text().split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("//")]
        if not lines:
            continue
        title = lines[0].removeprefix("# ")
        data: dict[str, Any] = {"units": [], "orders": [], "points": {}, "centers": None, "marks": {}}
        expected: list[str] = []
        phase = ""
        for line in lines[1:]:
            word, _, rest = line.partition(" ")
            if word == "->":
                expected.append(rest)
            elif word in ("units", "orders"):
                data[word].append(rest)
            elif word == "points":
                data["points"] |= {_nation(k): int(v) for k, v in (each.split("=") for each in rest.split())}
            elif word == "centers":
                name, _, codes = rest.partition(":")
                data["centers"] = {**(data["centers"] or {}), _nation(name): codes.split()}
            elif word == "also":
                data |= json.loads(rest)
            elif word == "marks":
                data["marks"] |= json.loads(rest)
            else:
                assert not rest, line
                phase = word
        for part in ("units", "orders"):
            if isinstance(data[part], list):
                data[part] = "|".join(data[part])
        yield Case(title, phase, data, tuple(expected))


def _nation(word: str) -> str:
    return NATIONS.get(word, word)


def _found(result: Mapping[str, Any], word: str, rest: list[str]) -> Any:
    answers: dict[str, Callable[[], Any]] = {
        "spent": lambda: [str(result["spent"].get(_nation(rest[0]), 0))],
        "points": lambda: [str(result["points"].get(_nation(rest[0]), 0))],
        "unpaid": lambda: " ".join(result["unpaid"]).split(),
        "unsupplied": lambda: " ".join(result["unsupplied"]).split(),
        "winner": lambda: [str(result["winner"])],
        "unread": lambda: [each["reason"] for each in result["unread"]],
        "at": lambda: " ".join(sorted(result["units"].get(_nation(rest[0]), ()))).split(),
        "options": lambda: _dislodged(result).get(" ".join(rest[:2]), ["not-dislodged"]),
        "owner": lambda: [next((n for n, codes in result["centers"].items() if rest[0] in codes), "none")],
        "factors": lambda: [str(result["marks"]["factors"].get(rest[0], {}).get(_nation(rest[1]), 0))],
        "control": lambda: [result["marks"]["control"].get(rest[0], "none")],
        "allies": lambda: ["+".join(pair) for pair in result["marks"]["allies"]],
        "bombed": lambda: [result["marks"].get("spaces", {}).get(rest[0], {}).get("bombed", "no")],
        "power": lambda: [str(result["marks"].get("powers", {}).get(_nation(rest[0]), {}).get(rest[1], "none"))],
        "unit": lambda: [str(result["marks"].get("units", {}).get(" ".join(rest[:2]), {}).get(rest[2], "none"))],
    }
    return answers[word]()


def _dislodged(result: Mapping[str, Any]) -> dict[str, list[str]]:
    return {unit: options for units in result["dislodged"].values() for unit, options in units.items()}


_KEYS = {"spent": 1, "points": 1, "at": 1, "options": 2, "owner": 1, "factors": 2, "control": 1, "bombed": 1,
         "power": 2, "unit": 3}  # fmt: skip


def mismatch(result: Mapping[str, Any], line: str) -> str:
    """What is otherwise than a line expects; ""."""
    word, *rest = line.split()
    if word in ("result", "second", "country"):
        return _told(result, word, rest)
    keys = _KEYS.get(word, 0)
    wanted, found = rest[keys:], _found(result, word, rest)
    if word == "at":
        wanted = " ".join(sorted(f"{a} {b}" for a, b in zip(wanted[::2], wanted[1::2], strict=True))).split()
    if word == "control" or word in ("winner", "power", "owner"):
        wanted = [_nation(each) for each in wanted]
    if word == "winner":
        wanted = [each.replace("none", "None") for each in wanted]
    if word == "power":
        found = [each.replace("None", "none") for each in found]
    return "" if wanted == list(found) else f"{line}: found {found}"


def _told(result: Mapping[str, Any], word: str, rest: list[str]) -> str:
    if word == "country":
        entries = [e for e in result.get("country", ()) if e["power"] == _nation(rest[0])]
        found = entries[int(rest[1])]
        told, wanted = [found["result"][0], found["reason"]], rest[2:]
    else:
        entry = result["outcomes"][" ".join(rest[:2])]
        entry = entry.get("second", {"result": ["none"], "reason": "none"}) if word == "second" else entry
        *results, reason = rest[2:]
        told, wanted = [*entry["result"], entry["reason"]], [*results, reason]
    if told[-1] != "none":
        assert told[-1] in REASONS or told[0] == "ok", told
    return "" if told == wanted else f"{word} {' '.join(rest)}: found {told}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_cases(path: Path) -> None:
    wrong: list[str] = []
    for case in cases_of(path):
        assert case.title[0].isdigit(), f"{case.title}: begins with no clause"
        data = {key: value for key, value in case.data.items() if value not in (None, {})}
        result = play(case.phase, **data)
        assert case.expected, case.title
        wrong += [f"{case.title}: {found}" for line in case.expected if (found := mismatch(result, line))]
    assert not wrong, "\n" + "\n".join(wrong)


def test_there_are_as_many_cases_as_the_rules_deserve() -> None:
    titles = [case.title for path in FILES for case in cases_of(path)]
    assert len(titles) == len(set(titles))
    assert len({title.split()[0].split(".")[0] for title in titles}) >= 16


def season_of_1918() -> Position:
    start = replace(RULES.start(board()), phase=Phase.read("S1918M"))
    return replace(start, units=(*start.units, Unit(99, BOMBER, "PAR", "FRANCE")))


def test_orders_are_read_as_people_write_them() -> None:
    """`lines.txt`, line by line."""
    position = season_of_1918()
    wrong: list[str] = []
    for row in (FOLDER.parent / "lines.txt").read_text().splitlines():
        line, arrow, expected = row.partition(" -> ")
        if not arrow or line.startswith("#"):
            continue
        readings = read_line(line, position, "FRANCE", options=ReadOptions(kinds=RULES.kinds()))
        found = [each.problem.slug if each.problem else str(each.order) for each in readings]
        if found != [expected]:
            wrong.append(f"{line}: {found}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("code", shipped())
def test_orders_are_read_as_letters_print_them(code: str) -> None:
    """Whatever `lines.txt` orders, as a letter in a language spells it out; and what only winter has."""
    position, options, wrong = season_of_1918(), ReadOptions(kinds=RULES.kinds()), list[str]()
    rows = (row.partition(" -> ")[0] for row in (FOLDER.parent / "lines.txt").read_text().splitlines())
    read = [each.order for row in rows for each in read_line(row, position, "FRANCE", options=options)]
    winter = replace(position, phase=Phase.read("W1918A"))
    bomber = position.units[-1]
    given = [(order, position) for order in read if order] + [
        (order, winter) for order in (Build("FRANCE", BOMBER, "BRE"), Disband(bomber), Waive("FRANCE"))
    ]
    for order, where in given:
        with speak(language_of(code)):
            line = order_words(order, where.board, adjusting=where is winter)
        found = [str(each.order) for each in read_line(line, where, "FRANCE", options=options)]
        if found != [str(order)]:
            wrong.append(f"{line}: {found}")
    assert not wrong, "\n".join(wrong)
