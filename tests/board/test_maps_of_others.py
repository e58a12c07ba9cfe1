"""Every `.map` file of the Python package `diplomacy` becomes a board that can be played at once.

The files are taken from the package's source archive, which is fetched for the test: their licence is not ours, so none
of them stands here.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path
from random import Random

import pytest

from judge.board.dotmap import board_toml, read_map
from judge.board.load import load_board
from judge.board.model import Board
from judge.game.core import commands as cmd
from judge.game.core.model import Stage
from tests.support.builders import Table
from tests.variants.test_whole_games import check_position, everybody_orders

PACKAGE = "diplomacy==1.1.2"
PHASES = 6
"""Of each game: a year and some more."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Name -> text of every map of the package."""
    folder = tmp_path_factory.mktemp("archive")
    fetch = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:", "--quiet", PACKAGE]
    try:
        subprocess.run([*fetch, "--dest", str(folder)], check=True, capture_output=True, timeout=120)
    except (subprocess.SubprocessError, OSError) as trouble:
        pytest.skip(f"NO MAP OF OTHERS WAS TRIED: {PACKAGE} could not be fetched ({trouble})")
    (archive,) = folder.glob("*.tar.gz")
    found: dict[str, str] = {}
    with tarfile.open(archive) as tar:
        for member in tar.getmembers():
            path = Path(member.name)
            if (
                path.suffix == ".map"
                and path.parts[-3:-1] == ("diplomacy", "maps")
                and (text := tar.extractfile(member))
            ):
                found.setdefault(path.name, text.read().decode("utf-8"))
    return found


@pytest.fixture(scope="module")
def maps(files: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a board made of each."""
    folder = tmp_path_factory.mktemp("maps")
    for name in files:
        text, _ = board_toml(read_map(name, files.__getitem__))
        place = folder / name.removesuffix(".map").replace("_", "-")
        place.mkdir()
        (place / "board.toml").write_text(text, encoding="utf-8")
    return folder


def test_all_of_them_are_boards(files: dict[str, str], maps: Path) -> None:
    boards = [load_board(place) for place in sorted(maps.iterdir())]
    assert len(boards) == len(files) >= 14
    assert {len(board.powers) for board in boards} >= {2, 5, 7, 10, 16, 17}


def test_theirs_of_the_standard_game_is_ours(maps: Path) -> None:
    ours, theirs = load_board(Path(__file__).parents[2] / "maps" / "standard"), load_board(maps / "standard")
    assert facts(theirs) == facts(ours)


def facts(board: Board) -> tuple[object, ...]:
    """What the rules ask of a board."""
    return (
        str(board.first_phase), board.victory, set(board.centres),
        {code: (province.terrain, set(province.coasts)) for code, province in board.provinces.items()},
        {(border.a, border.b): border.kinds for border in board.borders},
        {key: (set(power.homes), set(power.start)) for key, power in board.powers.items()},
    )  # fmt: skip


def test_each_is_played_at_once_by_as_many_as_it_has_powers(maps: Path) -> None:
    for place in sorted(maps.iterdir()):
        table = Table(maps, {"map": place.name}, key=place.name[:20].rstrip("-"))
        table.tell(cmd.Open(), table.gm)
        for person in range(1, table.game.settings.players + 1):
            table.tell(cmd.Join(()), cmd.Actor(cmd.Role.STRANGER, "", person))
        table.tell(cmd.Start(), table.gm)
        assert table.game.stage is Stage.RUNNING, (place.name, table.answer)
        chance = Random(place.name)
        for _ in range(PHASES):
            everybody_orders(table, chance)
            table.process()
            check_position(table.game)
