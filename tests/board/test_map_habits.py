"""Boards of ours as `.map` files, written as people write them: each habit makes the same board, and each line of
somebody else's programs is named with its number and is no power.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from judge.board.dotmap import MapError, board_toml, read_map
from judge.board.load import load_board
from judge.board.model import Board, Terrain
from tests.board.test_maps_of_others import facts

MAPS = Path(__file__).parents[2] / "maps"
WORDS = {Terrain.SEA: "WATER", Terrain.COAST: "COAST", Terrain.INLAND: "LAND"}


def as_map(board: Board) -> list[str]:
    """A board as the lines of a `.map` file."""
    phase = board.first_phase
    lines = [
        f"BEGIN {'SPRING' if phase.season == 'S' else 'FALL'} {phase.year} MOVEMENT",
        f"VICTORY {board.victory}",
    ]
    for key, power in board.powers.items():
        adjective = power.adjective.replace(" ", "+")
        lines += [f"{key.replace(' ', '_')} ({adjective}:{power.letter}) {' '.join(power.homes)}", *power.start]
    lines.append(f"UNOWNED {' '.join(code for code in board.centres if board.home_of.get(code) is None)}")
    for code, province in board.provinces.items():
        lines.append(f"{province.name.replace('=', ' ')} = {code.lower()}")
        lines += [
            f"{WORDS[province.terrain]} {spot} ABUTS {' '.join(_around(board, code, spot))}"
            for spot in _spots(board, code)
        ]
    return lines


def _spots(board: Board, code: str) -> list[str]:
    """A province, or one with coasts in small letters and each of these."""
    coasts = board.provinces[code].coasts
    return [code.lower(), *(f"{code}/{coast}" for coast in coasts)] if coasts else [code]


def _around(board: Board, code: str, spot: str) -> Iterator[str]:
    """Neighbours, in the letters that say who passes."""
    armies = set() if "/" in spot else set(board.reach("A", code))
    fleets = set() if spot.islower() else set(board.reach("F", spot))
    for near in sorted(armies | fleets):
        plain = near.partition("/")[0]
        if "/" in near or (near in armies and near in fleets) or board.provinces[plain].terrain is Terrain.SEA:
            yield near
        elif near in armies:
            yield near if board.provinces[near].terrain is Terrain.INLAND else near.lower()
        else:
            yield near.capitalize()


Habit = Callable[[list[str]], list[str]]


def each(pattern: str, put: str) -> Habit:
    """Lines in which something is written otherwise."""
    return lambda lines: [re.sub(pattern, put, line) for line in lines]


def _powers_last(lines: list[str]) -> list[str]:
    spaces = [line for line in lines if re.match(r"(WATER|COAST|LAND) ", line)]
    return [*spaces, *(line for line in lines if line not in spaces)]


def _homes_below(lines: list[str]) -> list[str]:
    found: list[str] = []
    for line in lines:
        power = re.fullmatch(r"(\S+ \(\S+\)) (.+)", line)
        found += [power[1], f"INHABITS {power[2]}"] if power else [line]
    return found


HABITS: dict[str, Habit] = {
    "as it is": list,
    "blanks and tabs": lambda lines: [f"\t {line}  ".replace(" ABUTS ", "\tABUTS\t") for line in lines],
    "remarks": lambda lines: [text for line in lines for text in ("# the next line", f"{line}   # so it is", "")],
    "small letters": lambda lines: [
        re.sub(r"^(BEGIN|VICTORY|UNOWNED|WATER|COAST|LAND)\b", lambda found: found[0].lower(), line) for line in lines
    ],
    "commas": lambda lines: [
        f"{head} ABUTS {', '.join(places.split())}" if places else head
        for head, _, places in (line.partition(" ABUTS ") for line in lines)
    ],
    "coasts in parentheses": each(r"/([ENSW]C)\b", r"(\1)"),
    "coasts in parentheses, apart": each(r"^([AF] \w+)/([ENSW]C)$", r"\1 (\2)"),
    "an adjective with room": each(r"\((\S+):(\S)\)", r"( \1 : \2 )"),
    "a power of two words": each(r"^(\w+)_(\w+)(?= \()", r"\1 \2"),
    "spaces first": _powers_last,
    "homes below": _homes_below,
    "no word ABUTS": each(r" ABUTS ", " "),
    "the year first": each(r"BEGIN (\S+) (\d+) MOVEMENT", r"BEGIN \2 \1"),
    "neutral": each(r"^UNOWNED", "NEUTRAL"),
}


def imported(lines: list[str], folder: Path) -> tuple[Board, tuple[str, ...], list[str]]:
    found = read_map("board", {"board.map": "\r\n".join(lines)}.__getitem__)
    text, remarks = board_toml(found)
    place = folder / "board"
    place.mkdir(exist_ok=True)
    (place / "board.toml").write_text(text, encoding="utf-8")
    return load_board(place), remarks, found.unread


@pytest.mark.parametrize("name", ["standard", "european", "global2"])
def test_the_same_board_however_it_is_written(name: str, tmp_path: Path) -> None:
    """Three boards and all habits: forty files and two, nothing unread, nothing left out."""
    board = load_board(MAPS / name)
    ours = _joined(facts(board))
    for habit, rewrite in HABITS.items():
        theirs, remarks, unread = imported(rewrite(as_map(board)), tmp_path)
        assert (unread, remarks) == ([], ()), habit
        assert _joined(facts(theirs)) == ours, habit
        assert {key: power.letter for key, power in theirs.powers.items()} == {
            key.replace(" ", "_"): power.letter for key, power in board.powers.items()
        }


def _joined(found: tuple[object, ...]) -> tuple[object, ...]:
    *rest, powers = found
    assert isinstance(powers, dict)
    return (*rest, {key.replace(" ", "_"): value for key, value in powers.items()})


DIRECTIVES = (
    "CAPITAL {home}", "NEWHOMES {home}", "CAPITALS {homes}", "SUPPLY {homes}", "IN", "IN {home} 1905", "TITLE (Beta)",
    "DESC (short:x) A fine board", "ULTIMA", "FLOW SPRING:MOVEMENT,RETREATS", "SEQ NEWYEAR IF SPRING",
    "VIEW {home} 12 40", "NATURE peaceful", "MASTER keeper@players.test", "GREAT IDEAS", "SITES:", "END", "OPTION none",
)  # fmt: skip


@pytest.mark.parametrize("name", ["standard", "european", "global2"])
def test_lines_for_other_programs_change_nothing_and_are_named(name: str, tmp_path: Path) -> None:
    """Wherever they stand: ahead of everything, between a power and its units, among the spaces, at the end."""
    board = load_board(MAPS / name)
    plain = as_map(board)
    chance = Random(name)
    homes = [code for power in board.powers.values() for code in power.homes]
    for _ in range(14):
        lines, added = list(plain), []
        for text in chance.sample(DIRECTIVES, 4):
            line = text.format(home=chance.choice(homes), homes=" ".join(chance.sample(homes, 4)))
            added.append(line)
            lines.insert(
                chance.randrange(_last_power(lines), len(lines) + 1)
                if "home" in text
                else chance.randrange(len(lines) + 1),
                line,
            )
        block = ["DIRECTIVES STANDARD", "PRESS WHITE", "VICTORY 3", "DUMMY FRANCE", "A PAR", "END"]
        if not set(added) & {"END"}:
            at = chance.randrange(len(lines) + 1)
            lines[at:at] = block
            added += block
        theirs, remarks, unread = imported(lines, tmp_path)
        assert _joined(facts(theirs)) == _joined(facts(board)), added
        assert remarks == ()
        assert sorted(row.partition('"')[2][:-1] for row in unread) == sorted(added)
        assert all(lines[int(number) - 1] in row for row in unread for number in re.findall(r"line (\d+)", row))


def _last_power(lines: list[str]) -> int:
    """Behind the line of the last power: whose homes are named before, they are nobody's yet."""
    return max(at for at, line in enumerate(lines) if re.match(r"\S+ \(\S+\) ", line)) + 1


def test_what_cannot_be_taken_over_is_named() -> None:
    board = load_board(MAPS / "standard")
    text = "\n".join(
        [*as_map(board), "Atlantis = atl", "LAND SWI ABUTS TYR MNU", "UNOWNED SWI", "A SWI", "NORMANS (NORMAN) "]
    )
    found = read_map("board", {"board.map": text}.__getitem__)
    said = "\n".join(board_toml(found)[1])
    for part in ('ATL is named "Atlantis"', "SWI abuts MNU", "SWI - TYR for armies", "A SWI is nobody's"):
        assert part in said
    assert len(found.unread) == 1 and "NORMANS" in found.unread[0]


def test_all_lines_that_are_wrong_are_named_at_once() -> None:
    text = "VICTORY many\nA PAR\nLAND PAR ABUTS BUR\nLAND BUR ABUTZ PAR\nFRANCE (FRENCH) PAR\nA PAR BUD\n"
    with pytest.raises(MapError) as refused:
        read_map("board", {"board.map": text}.__getitem__)
    assert [int(number) for number in re.findall(r"line (\d+)", str(refused.value))] == [1, 2, 4, 6]
