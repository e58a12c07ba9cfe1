"""Short games: an end that was agreed on beforehand, and who has won then."""

from pathlib import Path

import pytest

from judge.game.core import commands as cmd
from judge.game.core.events import GameEnded
from judge.game.core.model import Stage
from judge.game.settings.table import TABLE
from judge.report.core.houserules import agreed, rules_said
from judge.report.played.chart import ending_sentence
from tests.report.conftest import spoken
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[3] / "maps"


def played(settings: dict[str, str], phases: int) -> Table:
    """A table at which France takes Spain and Portugal in 1901 and builds for both."""
    table = Table(MAPS, settings).seated().started()
    orders = (("A Mar - Spa", "F Bre - Mao"), ("F Mao - Por",), ("build A Bre", "build A Mar"))
    for lines in orders[:phases]:
        table.orders("FRANCE", *lines)
        table.process()
    return table


def test_the_game_goes_on_until_the_adjustments_of_its_last_year() -> None:
    table = played({"end_after": "F1901"}, 2)
    assert table.game.stage is Stage.RUNNING and str(table.game.phase) == "W1901A"


def test_at_the_limit_all_survivors_share() -> None:
    table = played({"end_after": "F1901"}, 3)
    assert table.game.stage is Stage.ENDED and table.game.ending is not None
    assert table.game.ending.how == "limit" and table.game.ending.powers == table.game.survivors
    assert spoken(ending_sentence(table.game)).startswith("The game ends after F1901, its time limit, as a draw of ")


def test_a_board_says_when_its_games_end_and_settings_may_say_otherwise(tmp_path: Path) -> None:
    folder = tmp_path / "standard"
    folder.mkdir()
    text = (MAPS / "standard" / "board.toml").read_text()
    (folder / "board.toml").write_text(text.replace("first_phase =", 'last_phase = "W1901A"\nfirst_phase =', 1))
    for settings, stage in (({}, Stage.ENDED), ({"end_after": "F1902"}, Stage.RUNNING)):
        table = Table(tmp_path, settings).seated().started()
        while table.game.stage is Stage.RUNNING and str(table.game.phase) != "S1902M":
            table.process()
        assert table.game.stage is stage
        limit = [said for said in rules_said(agreed(table.game)) if said.key == "rule-limit"]
        assert len(limit) == 1


def test_who_has_no_player_has_no_share_at_the_limit() -> None:
    """Only who has a player shares; nobody else, not even with most units."""
    for by, shares in (("draw", 6), ("units", 1)):
        table = played({"end_after": "F1901", "short_winner": by}, 2)
        table.tell(cmd.Vacate("FRANCE"), table.gm)
        table.process()
        assert table.game.ending is not None and len(table.game.ending.powers) == shares
        assert "FRANCE" not in table.game.ending.powers and "FRANCE" in table.game.survivors


@pytest.mark.parametrize(("by", "words"), [("most_units", "most units"), ("centres", "most centres")])
def test_or_the_leader_wins(by: str, words: str) -> None:
    table = played({"end_after": "F1901", "short_winner": by}, 3)
    assert table.game.ending is not None and table.game.ending.powers == ("FRANCE",)
    assert (
        spoken(ending_sentence(table.game))
        == f"The game ends after F1901, its time limit: with {words} France has won."
    )


def test_leaders_who_are_equal_share_the_win() -> None:
    table = Table(MAPS, {"end_after": "F1901", "short_winner": "units"}).seated().started()
    table.orders("FRANCE", "A Mar - Spa")
    table.process()
    table.process()
    table.orders("FRANCE", "build A Mar")
    table.process()
    assert table.game.ending is not None and table.game.ending.powers == ("FRANCE", "RUSSIA")
    assert spoken(ending_sentence(table.game)).endswith("with most units France and Russia share the win.")


def test_spring_may_be_the_last_season() -> None:
    table = played({"end_after": "S1901"}, 1)
    assert [event.how for event in table.events if isinstance(event, GameEnded)] == ["limit"]


def test_without_a_limit_nothing_ends() -> None:
    assert played({}, 3).game.stage is Stage.RUNNING


@pytest.mark.parametrize("text", ["1908", "soon", "W19"])
def test_a_limit_is_a_season(text: str) -> None:
    with pytest.raises(ValueError, match="F1905"):
        TABLE["end_after"].form.read(text)
