"""A saved game as we export it is one that the Python package `diplomacy` loads; played again there from each position
with the orders of its phase, it comes to the next one.

The package is fetched for the test: its licence is not ours, so nothing of it stands here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from judge.board.position import Position
from judge.report.reply.archive import export_view, public_record
from tests.bench.letters import order
from tests.report.conftest import MAPS
from tests.support.builders import Table
from tests.support.sample import sample_game

PACKAGE = "diplomacy==1.1.2"

REPLAY = """
import json, sys
from diplomacy import Game
from diplomacy.utils.export import from_saved_game_format
from diplomacy.utils.game_phase_data import GamePhaseData
saved = json.load(open(sys.argv[1]))
loaded = from_saved_game_format(saved)
wrong = [] if loaded.get_current_phase() == saved["phases"][-1]["name"] else ["reached " + loaded.get_current_phase()]
for this, following in zip(saved["phases"], saved["phases"][1:]):
    game = Game(saved["id"], map_name=saved["map"], rules=["SOLITAIRE"] + saved["rules"])
    game.set_phase_data(GamePhaseData.from_dict(this))
    game.clear_orders()
    for power, orders in this["orders"].items():
        game.set_orders(power, orders)
    game.process()
    for what, there in (("units", game.get_units()), ("centers", game.get_centers())):
        for power, found in there.items():
            if sorted(found) != sorted(following["state"][what][power]):
                wrong.append([this["name"], what, power, sorted(found), sorted(following["state"][what][power])])
print(json.dumps(wrong))
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package and what it needs."""
    folder = tmp_path_factory.mktemp("package")
    fetch = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), PACKAGE]
    try:
        subprocess.run(fetch, check=True, capture_output=True, timeout=180)
    except (subprocess.SubprocessError, OSError) as trouble:
        pytest.skip(f"NO SAVED GAME WAS LOADED: {PACKAGE} could not be fetched ({trouble})")
    return folder


def plausible(seed: int, turns: int) -> Table:
    random, table = Random(seed), Table(MAPS).seated().started()
    for _ in range(turns):
        order(table, random)
        table.tick(table.running.deadline.at)
    return table


@pytest.mark.parametrize("game", ["sample", "sample so far", "plausible"])
def test_the_package_loads_it_and_comes_to_the_same(game: str, package: Path, tmp_path: Path) -> None:
    table = {
        "sample": lambda: sample_game(MAPS), "sample so far": lambda: sample_game(MAPS, 5),
        "plausible": lambda: plausible(1, 12),
    }[game]()  # fmt: skip
    record = public_record(table.game, table.events)
    (file,) = export_view(table.game, table.events, record, "diplomacy").view["files"]
    saved = tmp_path / "game.json"
    saved.write_text(file["text"], encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", REPLAY, str(saved)], env={"PYTHONPATH": str(package)}, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout.splitlines()[-1]) == []


def test_each_of_its_phases_has_the_units_of_our_position() -> None:
    """That much needs no package."""
    table = sample_game(MAPS, 5)
    record = public_record(table.game, table.events)
    (file,) = export_view(table.game, table.events, record, "diplomacy").view["files"]
    *_, last = json.loads(file["text"])["phases"]
    position: Position = table.running.position
    assert last["name"] == "F1902R" and last["orders"] == {}
    assert last["state"]["units"]["FRANCE"] == [*map(str, position.of("FRANCE")), "*A BUR"]
    assert last["state"]["retreats"]["FRANCE"] == {"A BUR": ["GAS", "PAR"]}
