"""House rules are settings, and a player reads them as prose."""

import pytest

from judge.game.bundles import PRESETS
from judge.game.settings import Settings, settings_from_text, with_setting
from judge.report.houserules import deadline_rule, in_prose

TITLE = "Diplomacy (1976 rules)"


def told(**settings: str) -> str:
    texts = {"nmr": "grace", **settings}
    return "\n".join(in_prose(settings_from_text(texts, Settings()), title=TITLE))


def test_the_house_rules_are_a_few_paragraphs_without_a_setting_name() -> None:
    text = told()
    assert 5 <= text.count("\n") + 1 <= 8
    assert "_" not in text and "None" not in text and "timedelta" not in text


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("nmr", "hold", "Units without orders hold, and the game goes on."),
        ("nmr", "", "still to be decided"),
        ("grace", "3d", "the game waits 3 days or until they come"),
        ("early", "no", "A turn is processed at its deadline, never before."),
        ("press", "none", "The judge relays no press between players."),
        ("anonymous", "yes", "Nobody but the Gamemaster knows who plays what"),
        ("extensions", "1", "Each player has 1 free extension of 3 days"),
        ("no_mistakes", "no", "A faulty order stands as it was written"),
        ("draw_from", "F1905", "A draw after F1905 needs the aye"),
        ("dias", "no", "those named share it"),
        ("nationality", "yes", "named with their nationality"),
        ("zone", "Europe/Berlin", "All times are those of Europe/Berlin"),
    ],
)
def test_each_setting_that_players_feel_is_told(name: str, value: str, sentence: str) -> None:
    assert sentence in told(**{name: value})


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_told(preset: str) -> None:
    settings = settings_from_text(dict(PRESETS[preset]), Settings())
    assert all(paragraph.endswith(".") for paragraph in in_prose(settings, title=TITLE))
    assert in_prose(settings, title=TITLE) != in_prose(with_setting(settings, "players", "5"), title=TITLE)


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
    assert deadline_rule(settings_from_text(texts, Settings())) == rule
