"""`judge play`: a game at the terminal, against robots, in the language of the mails."""

import re
from pathlib import Path

from click.testing import CliRunner

from judge.cli.play import play_command


def test_a_year_is_played_at_the_terminal() -> None:
    typed = "A Par - Bur\nA Mar - Spa\nF Bre - Mid\n\nA Spa - Por\nA Bur - Bel\nF Mid H\n\nquit\n"
    result = CliRunner().invoke(play_command, ["--seed", "3"], input=typed)
    assert result.exit_code == 0, result.output
    assert "FALL 1901 MOVES - RESULTS" in result.output
    assert "reminder -" not in result.output and "LATE" not in result.output, "nobody is late who answers at once"
    assert "A Burgundy, A Portugal" in result.output or "A Portugal, A Burgundy" in result.output


def test_maps_are_files_and_quit_ends_it_wherever_it_is_typed(tmp_path: Path) -> None:
    typed = "A Par - Bur\nA Mar - Spa\nF Bre - Mid\nquit\nA Spa - Por\n\n"
    result = CliRunner().invoke(play_command, ["--seed", "3", "--maps", str(tmp_path)], input=typed)
    named = [Path(name) for name in re.findall(r"^Map: (.+)$", result.output, re.MULTILINE)]
    assert {path.name.partition("-")[2] for path in named} >= {"S1901M-position.png", "S1901M-orders.png"}
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in named)
    assert "FALL 1901 MOVES" not in result.output and "give up" not in result.output


def test_a_power_that_does_not_exist_is_answered_with_those_that_do() -> None:
    result = CliRunner().invoke(play_command, ["--power", "Spain"])
    assert result.exit_code == 1
    assert "there are Austria-Hungary, England, France" in result.output
