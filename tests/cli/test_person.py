"""`judge person`: what is kept about somebody, as they may ask for it; and what becomes of their games."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from tests.service.people.test_forgetting import places
from tests.support.standing import seated

FRANCE, CARLA = player_of("FRANCE"), "carla@players.test"


def judge(home: Path, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["--config", str(home / "judge.toml"), *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[LocalJudge]:
    """A game that runs, and Carla, who observes it."""
    stage = seated(tmp_path)
    stage.begin()
    stage.send(FRANCE, "A Par - Bur", subject="baltic")
    stage.send(CARLA, "register name Carla", vouched=False)
    stage.send(CARLA, "yes", to=stage.inbox(CARLA)[-1].reply_to, vouched=False)
    stage.send(CARLA, "observe baltic")
    (tmp_path / "judge.toml").write_text('[judge]\ndomain = "judge.test"\n')
    yield stage
    stage.close()


def test_what_is_kept_is_shown(stage: LocalJudge) -> None:
    code, said = judge(stage.folder, "person", "show", FRANCE)
    assert code == 0
    for words in (f"{FRANCE}  (of record, proved)", "FRANCE in baltic, running", "1 mails from them", "password: none"):
        assert words in said
    facts = json.loads(judge(stage.folder, "person", "show", CARLA, "--json")[1])
    assert facts["name"] == "Carla" and facts["subscriptions"] == ["game:baltic"] and facts["mails"] == 3


def test_all_of_it_is_handed_out_and_nothing_of_others(stage: LocalJudge, tmp_path: Path) -> None:
    pack = tmp_path / "carla.zip"
    assert judge(stage.folder, "person", "export", CARLA, str(pack))[0] == 0
    assert pack.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(pack) as files:
        names = files.namelist()
        texts = b"".join(files.read(name) for name in names)
    assert sum(name.startswith("from-you/") for name in names) == 3 and any(n.startswith("to-you/") for n in names)
    assert b"observe baltic" in texts and FRANCE.encode() not in texts
    code, said = judge(stage.folder, "person", "export", CARLA, str(pack))
    assert code == 1 and "there already" in said


def test_of_nobody(stage: LocalJudge) -> None:
    for words in (("show",), ("erase", "--yes")):
        code, said = judge(stage.folder, "person", *words, "nobody@x.test")
        assert code == 1 and "nobody here has the address nobody@x.test" in said
    assert judge(stage.folder, "person", "export", "no address", str(stage.folder / "z"))[0] == 1
    assert not (stage.folder / "z").exists()


def test_who_plays_is_not_erased_unless_the_seat_may_fall_vacant(stage: LocalJudge) -> None:
    code, said = judge(stage.folder, "person", "erase", FRANCE, "--yes")
    assert code == 1 and "they play in baltic" in said and "--leave-games" in said
    code, said = judge(stage.folder, "person", "erase", FRANCE, "--yes", "--leave-games")
    assert code == 0 and "Vacant for it: baltic" in said
    stage.restart()
    seat = stage.game("baltic").seat_of("FRANCE")
    assert seat is not None and not seat.filled
    with stage.judge.store.read() as view:  # the commands have another clock: these letters go later
        told = {line.delivery.address for line in view.outbox.list(kind="notice", limit=1000)}
    assert {player_of("ITALY"), "gm@players.test", FRANCE} <= told, "the table is told, and they themselves"
    code, said = judge(stage.folder, "replay", "--rebuild")
    assert code == 0 and "as recorded" in said, "the game is whole"


def test_who_runs_a_game_hands_it_over_first(stage: LocalJudge) -> None:
    code, said = judge(stage.folder, "person", "erase", "gm@players.test", "--yes", "--leave-games")
    assert code == 1 and "they run baltic" in said and "judge game adopt baltic ADDRESS" in said
    assert judge(stage.folder, "person", "show", "gm@players.test")[0] == 0


def test_who_only_looked_on_is_gone(stage: LocalJudge) -> None:
    assert CARLA in judge(stage.folder, "person", "show", CARLA)[1]
    assert judge(stage.folder, "person", "erase", CARLA)[0] == 1, "it asks first"
    assert judge(stage.folder, "person", "erase", CARLA, "--yes")[0] == 0
    assert places(stage, CARLA) == set()
    assert judge(stage.folder, "person", "show", CARLA)[0] == 1
