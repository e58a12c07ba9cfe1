"""Every way to get a board wrong is caught with a sentence that names the place. The boards: tests/broken/maps.

Each of them says in its first lines what must be said about it; most are the standard board with one thing changed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.board.lint import lint, load_expectation
from judge.board.load import available_boards, load_board
from judge.board.model import COLOURS
from judge.board.sheet import BoardError
from judge.draw import faces

BROKEN = Path(__file__).parents[1] / "broken" / "maps"


def problems_of(folder: Path) -> list[str]:
    """All that loading, or else the lint, has to say."""
    try:
        board, expected = load_board(folder), load_expectation(folder)
    except BoardError as error:
        return [str(problem) for problem in error.problems]
    return list(lint(board, expected).problems)


@pytest.mark.parametrize("name", available_boards(BROKEN))
def test_a_broken_board_is_caught_by_name(name: str) -> None:
    folder = BROKEN / name
    lines = (folder / "board.toml").read_text().splitlines()
    says = [line.removeprefix("# says: ") for line in lines if line.startswith("# says: ")]
    said = problems_of(folder)
    assert says
    for sentence in says:
        assert any(sentence in problem for problem in said), "\n".join([sentence, *said])


def test_the_colours_that_are_told_are_the_ones_that_are_drawn() -> None:
    page = " ".join((BROKEN.parents[2] / "maps" / "README.md").read_text(encoding="utf-8").split())
    assert f"The colours of powers: {', '.join(COLOURS)}." in page
    assert set(faces.NAMED) == set(faces.DARK_GROUND) == set(COLOURS)


@pytest.mark.parametrize(
    ("place", "without", "ends"),
    [
        ("BOT", "F LVN STP/SC SWE", "BOT FIN"),
        ("BOT", "F FIN STP/SC SWE", "BOT LVN"),
        ("BOT", "F FIN LVN SWE", "BOT STP"),
        ("BOT", "F FIN LVN STP/SC", "BOT SWE"),
        ("CON", "A SMY", "CON SMY"),
        ("GAL", "A RUM SIL VIE WAR", "GAL UKR"),
        ("LVN", "AF PRU; A MOS STP; F STP/SC", "LVN WAR"),
        ("MAO", "F NAF NAO POR SPA/NC WES", "MAO SPA"),
        ("NWY", "AF SWE; F SKA STP/NC", "NWY STP"),
        ("NWY", "AF SWE; A STP; F SKA", "NWY STP"),
        ("TUS", "A VEN", "TUS TYS"),
    ],
)
def test_every_forgotten_border_would_be_missed(
    tmp_path: Path, maps: Path, place: str, without: str, ends: str
) -> None:
    """The eleven unit-borders that one program lacked: without any of them the lint names its two ends."""
    folder = tmp_path / "forgetful"
    folder.mkdir()
    base = maps / "standard"
    (folder / "board.toml").write_text(f'title = "Forgetful"\nbased_on = "{base}"\n[borders]\n{place} = "{without}"\n')
    said = problems_of(folder)
    assert any(all(end in problem for end in ends.split()) for problem in said)


def test_all_mistakes_are_told_at_once() -> None:
    assert len(problems_of(BROKEN / "set-up-impossible")) >= 4


def test_a_folder_without_a_board_says_so(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match="there is no such file; write it, or name another board"):
        load_board(tmp_path / "nowhere")


def test_a_file_that_is_not_utf_8_says_so(tmp_path: Path) -> None:
    (tmp_path / "board.toml").write_bytes(b'title = "M\xfcnchen"\n')
    with pytest.raises(BoardError, match="not UTF-8"):
        load_board(tmp_path)
