"""House rules are settings, and a player reads them as prose."""

from pathlib import Path

import pytest

from judge.game.core.commands import Decision
from judge.game.settings.bundles import PRESETS, bundle
from judge.game.settings.table import Settings, settings_from_text, with_setting
from judge.report.core.houserules import deadline_rule, in_prose
from judge.report.mailing import letters_for
from tests.report.conftest import spoken
from tests.support.builders import Table, cast_of

ROOT = Path(__file__).parents[2]
MAPS = ROOT / "maps"
TITLE = "Diplomacy (1976 rules)"


def told(**settings: str) -> str:
    texts = {"nmr": "grace", **settings}
    return "\n".join(spoken(in_prose(settings_from_text(texts, Settings()), title=TITLE)))


def test_the_house_rules_are_a_few_paragraphs_without_a_setting_name() -> None:
    text = told()
    assert 5 <= text.count("\n") + 1 <= 8
    assert "_" not in text and "None" not in text and "timedelta" not in text


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("nmr", "hold", "Units without orders hold, and the game goes on."),
        ("nmr", "", "still to be decided"),
        ("grace", "3d", "the game waits for them, 3 days at most"),
        ("early", "no", "A turn is processed at its deadline, never before, unless"),
        ("press", "none", "The judge relays no press between players."),
        ("anonymous", "yes", "Nobody but the Gamemaster knows who plays what"),
        ("extensions", "1", "Each player has 1 free extension of 3 days"),
        ("no_mistakes", "no", "A faulty order is kept as it was written"),
        ("draw_from", "F1905", "A draw or a concession after F1905 needs the aye"),
        ("dias", "no", "shared by those of its powers that have a player"),
        ("nationality", "yes", "named with their nationality"),
        ("zone", "Europe/Berlin", "All times are in the zone Europe/Berlin"),
    ],
)
def test_each_setting_that_players_feel_is_told(name: str, value: str, sentence: str) -> None:
    assert sentence in told(**{name: value})


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_told(preset: str) -> None:
    settings = settings_from_text(bundle(preset), Settings())
    assert all(paragraph.endswith(".") for paragraph in spoken(in_prose(settings, title=TITLE)))
    others = settings.players + 1 if settings.players < 34 else 33
    more = with_setting(settings, "players", str(others))
    assert in_prose(settings, title=TITLE) != in_prose(more, title=TITLE)


@pytest.mark.parametrize(
    ("texts", "rule"),
    [
        ({}, "moves 7d, retreats and builds 2d, UTC time; earlier when everybody is ready"),
        (
            {"moves": "Friday 24:00", "retreats": "Sunday 24:00", "zone": "America/New_York", "early": "no"},
            "moves Friday 24:00, retreats Sunday 24:00, builds 2d, America/New_York time; never earlier",
        ),
        (
            {"first_moves": "14d", "days": "Mon-Wed", "holidays": "24 Dec - 1 Jan"},
            "moves 7d (the first: 14d), retreats and builds 2d, UTC time; only on Mon, Tue, Wed; "
            "none on 24 Dec - 1 Jan; earlier when everybody is ready",
        ),
    ],
)
def test_the_deadline_rule_says_what_it_comes_to(texts: dict[str, str], rule: str) -> None:
    """The list of games prints it."""
    assert spoken(deadline_rule(settings_from_text(texts, Settings()))) == rule


def test_the_rules_of_a_game_stand_in_every_letter_in_the_place_of_those_of_its_board() -> None:
    """The rules by name, and every single rule that differs."""
    table = Table(MAPS, {"rules": "2000"}).seated().started()
    frame = letters_for(table.before, table.last, table.game, cast_of())[0].view["frame"]
    assert frame["variant"] == "Diplomacy (2000 rules)" and frame["rules"] == "2000 rules"
    table = Table(MAPS, {"paradox": "thundar"})
    assert isinstance(table.answer, Decision) and "and paradox thundar." in table.answer.said
    table.seated().started()
    frame = letters_for(table.before, table.last, table.game, cast_of())[0].view["frame"]
    assert (frame["variant"], frame["differences"]) == ("Diplomacy (1976 rules)", "paradox = thundar")


def test_who_joins_reads_that_the_gamemaster_decides_and_that_they_agree_to_that() -> None:
    """And that the Gamemaster need not get copies."""
    text = " ".join(spoken(in_prose(Settings(), title=TITLE)))
    assert "The Gamemaster is impartial" in text and "decides what the rules do not say" in text
    assert "By taking part you accept these rules." in text
    assert "they need not send the Gamemaster a copy" in text


def test_letters_speak_of_deadlines_for_and_never_on() -> None:
    texts = [*(ROOT / "templates").rglob("*.txt"), *(ROOT / "judge").rglob("*.py")]
    assert texts and not [path.name for path in texts if "deadline on " in path.read_text(encoding="utf-8").lower()]
