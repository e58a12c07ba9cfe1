"""Powers by their names in German, French, Spanish, Italian and Dutch: wherever an English name is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.board.abroad import NAMES, names_abroad
from judge.board.load import load_board
from judge.board.model import Power
from judge.board.names import gazetteer_of, index_powers
from judge.board.phase import MANNERS
from judge.catalogues import language_of, shipped
from judge.game.core.commands import SendPress
from judge.languages import speak
from judge.orders.spelled import adjective
from judge.report.core.naming import power_name
from judge.variants import RULE_SYSTEMS
from tests.script.conftest import ReadMail

MAPS = Path(__file__).parents[2] / "maps"
BOARDS = sorted(folder.parent.name for folder in MAPS.glob("*/board.toml"))


@pytest.mark.parametrize("name", BOARDS)
def test_every_name_abroad_names_its_power(name: str) -> None:
    board = load_board(MAPS / name)
    names = gazetteer_of(board)

    wrong = [
        (text, names.power(text))
        for power in board.powers.values()
        for text in names_abroad(power)
        if names.power(text) != (power.key,)
    ]

    assert wrong == []


@pytest.mark.parametrize("name", BOARDS)
def test_no_english_name_changes_its_meaning(name: str) -> None:
    board = load_board(MAPS / name)
    names = gazetteer_of(board)
    whole, cut = index_powers(board.powers.values())

    assert {text: names.power(text) for text in (*cut, *whole)} == {**cut, **whole}


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("code", shipped())
def test_a_power_is_read_by_what_letters_call_it(code: str, name: str) -> None:
    board = load_board(MAPS / name)

    with speak(language_of(code)):
        told = {power: (power_name(power, board), adjective(power, board)) for power in board.powers}

    assert {power: tuple(map(gazetteer_of(board).power, names)) for power, names in told.items()} == {
        power: ((power,), (power,)) for power in told
    }


@pytest.mark.parametrize("name", BOARDS)
def test_every_power_has_a_row(name: str) -> None:
    def without(power: Power) -> bool:
        return not list(names_abroad(power))

    assert list(filter(without, load_board(MAPS / name).powers.values())) == []


@pytest.mark.parametrize(
    ("head", "power"),
    [
        ("press to Deutschland", "GERMANY"),
        ("press to die Türkei", "TURKEY"),
        ("press to Tuerkei", "TURKEY"),
        ("press to l'Allemagne", "GERMANY"),
        ("press to Inghilterra", "ENGLAND"),
        ("press to Oostenrijk", "AUSTRIA"),
        ("press to Rusia", "RUSSIA"),
        ("press to Österreich-Ungarn", "AUSTRIA"),
    ],
)
def test_press_goes_to_whom_a_foreign_name_names(head: str, power: str, mail: ReadMail) -> None:
    script = mail(f"{head}:\nBonjour!\nendpress\n")

    assert [said.request.to for said in script.said if isinstance(said.request, SendPress)] == [(power,)]


def test_a_row_is_a_power_of_a_board_and_has_german_names() -> None:
    boards = [load_board(MAPS / name) for name in BOARDS]
    powers = [power for board in boards for power in board.powers.values()]
    called = {name for power in powers for name in (power.key, power.key.capitalize(), power.name, *power.aliases)}
    (german,) = (table for table in NAMES if table.code == "de")
    for table in NAMES:
        assert [row for row in table.rows("powers") if row not in called or not german.words("powers", row)] == []


def test_a_row_is_a_season_or_a_kind_of_phase() -> None:
    calendars = [system.rules.calendar for system in RULE_SYSTEMS.values()]
    seasons = {season.name for calendar in calendars for season in calendar.seasons}
    kinds = {manner.name for manner in MANNERS.values()}
    for table in NAMES:
        assert [row for row in table.rows("phases") if row not in seasons | kinds] == [], table.code
