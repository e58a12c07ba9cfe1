"""A game carried to another judge: whole, without anybody's secrets, and not where something is wrong with it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import get_type_hints

import pytest
from click.testing import CliRunner

from judge.board.position import position_to_json
from judge.cli import cli
from judge.game.core.events import kinds
from judge.service.upkeep.moving import PERSONS, adjudicate_again, rebuild_all
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from tests.support.keep_schema import DAY, SPRING

ADDRESSES = ("--address", "gm=chief@x.test")
FRANCE, GM = player_of("FRANCE"), "gm@players.test"
NUMBERS = {
    "act", "last", "since", "version", "secret", "tenure", "number", "page", "seed", "event", "rung", "count",
}  # fmt: skip
"""Whole numbers in events that stand for no person."""


def judge(home: Path, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["--config", str(home / "judge.toml"), *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def opened(folder: Path, seed: int) -> LocalJudge:
    folder.mkdir()
    (folder / "judge.toml").write_text('[judge]\ndomain = "judge.test"\n')
    return LocalJudge(folder, seed=seed)


@pytest.fixture
def old(tmp_path: Path) -> Iterator[LocalJudge]:
    """A judge with a game in its second turn."""
    stage = opened(tmp_path / "old", 1)
    seat_everybody(stage, "baltic")
    stage.begin()
    for power, orders in SPRING.items():
        stage.send(player_of(power), orders, subject="baltic")
    stage.advance(DAY)
    stage.send(FRANCE, "A Bur - Bel\npress to Italy\nLet us meet.", subject="baltic")
    yield stage
    stage.close()


@pytest.fixture
def new(tmp_path: Path) -> Iterator[LocalJudge]:
    """A judge on which Italy's player is known already."""
    stage = opened(tmp_path / "new", 2)
    stage.begin()
    stage.send(player_of("ITALY"), "register name Gina", vouched=False)
    stage.send(player_of("ITALY"), "yes", to=stage.inbox(player_of("ITALY"))[-1].reply_to, vouched=False)
    yield stage
    stage.close()


def exported(old: LocalJudge, *options: str) -> Path:
    code, said = judge(old.folder, "game", "export", "baltic", "--whole", *options)
    assert code == 0, said
    file = old.folder / "baltic.game"
    file.write_text(said, encoding="utf-8")
    return file


def test_every_number_in_an_event_is_known_for_a_person_or_for_none() -> None:
    """A new event that names a person in another field would carry the wrong one to another judge."""
    unknown = {
        f"{name}.{field.name}"
        for name, kind in kinds().items()
        for field in fields(kind)
        if get_type_hints(kind)[field.name] in (int, int | None) and field.name not in PERSONS | NUMBERS
    }
    assert unknown == set()


def test_the_game_is_the_same_and_is_played_on(old: LocalJudge, new: LocalJudge) -> None:
    file = exported(old, "--addresses")
    code, said = judge(new.folder, "game", "import", str(file))
    assert code == 0 and "of its persons 1 known before, 7 new" in said and "on hold" in said
    new.restart()
    then, now = old.game("baltic"), new.game("baltic")
    assert then.position is not None and now.position is not None
    assert position_to_json(then.position) == position_to_json(now.position)
    assert (then.sheets, then.chart) == (now.sheets, now.chart)
    assert rebuild_all(new.judge)[0].drift == () == adjudicate_again(new.judge)[0].drift
    with new.judge.store.read() as view:
        seats = {seat.seat: seat for seat in view.games.seats_in({"baltic"}).values()}
        gina = view.people.by_address(player_of("ITALY"))
        italy = now.seat_of("ITALY")
        assert gina is not None and italy is not None and seats[italy.id].person_id == gina.id and gina.name == "Gina"
        held = view.outbox.list(kind="notice", limit=100)
    assert {FRANCE, GM} <= {line.delivery.address for line in held}
    new.send(GM, "resume", subject="baltic")
    new.send(FRANCE, "A Bur - Mun", subject="baltic")
    assert "A Burgundy - Munich" in new.inbox(FRANCE)[-1].text


def test_no_secret_leaves(old: LocalJudge) -> None:
    with old.judge.store.read() as view:
        person = view.people.by_address(FRANCE)
        assert person is not None
        nonces = [seat.nonce for seat in view.games.seats_of(person.id)]
        words = [person.check_phrase, old.judge.store.secret.hex(), *nonces]
    for options in ((), ("--addresses",)):
        text = exported(old, *options).read_text("utf-8")
        assert nonces and not [word for word in words if word in text]
        assert ("players.test" in text) == bool(options)


def test_tokens_of_the_old_judge_open_nothing_here(old: LocalJudge, new: LocalJudge) -> None:
    token = old.inbox(FRANCE)[-1].reply_to
    judge(new.folder, "game", "import", str(exported(old, "--addresses")))
    new.restart()
    new.send(FRANCE, "A Bur - Mun", to=token, vouched=False)
    assert new.refused, "an address of the other judge is unknown at this door"


def test_without_addresses_seats_fall_vacant_and_the_gamemaster_is_named(old: LocalJudge, new: LocalJudge) -> None:
    file = str(exported(old))
    code, said = judge(new.folder, "game", "import", file)
    assert code == 1 and "--address gm=ADDRESS" in said
    code, said = judge(
        new.folder, "game", "import", file, "--address", "gm=chief@x.test", "--address", "Nobody=a@x.test"
    )
    assert code == 1 and "nobody in the game is called Nobody" in said
    code, said = judge(new.folder, "game", "import", file, "--address", "gm=chief")
    assert code == 1 and '"chief" is not a mail address' in said
    given = (*ADDRESSES, "--address", "Player France=anna@x.test")
    code, said = judge(new.folder, "game", "import", file, *given)
    assert code == 0 and "Vacant" in said and "ITALY" in said and "FRANCE" not in said
    new.restart()
    filled = [seat.powers for seat in new.game("baltic").seats.values() if seat.filled]
    assert filled == [("FRANCE",)]


def test_a_name_that_is_taken(old: LocalJudge) -> None:
    file = str(exported(old, "--addresses"))
    code, said = judge(old.folder, "game", "import", file)
    assert code == 1 and "there is a game named baltic here already" in said and "--as NAME" in said
    code, said = judge(old.folder, "game", "import", file, "--as", "9 lives")
    assert code == 1 and "is not a name for a game" in said
    assert judge(old.folder, "game", "import", file, "--as", "Adria")[0] == 0
    assert {"adria", "baltic"} <= set(judge(old.folder, "game", "list")[1].split())


def tampered(text: str, how: str) -> tuple[str, str]:
    """A file with something wrong, and words of the sentence that must come."""
    lines = text.splitlines(keepends=True)
    if how == "changed":
        return text.replace("A BUR - BEL", "A BUR - MUN").replace("BEL", "MUN", 1), "seal does not fit"
    if how == "cut":
        return "".join(lines[:-3]), "seal does not fit"
    if how == "no game":
        return "Dear judge,\nplease find the game attached.\n", "no game as judge game export --whole writes it"
    if how == "another format":
        return resealed([lines[0].replace('"judge_game": 1', '"judge_game": 2'), *lines[1:-1]]), "format 2"
    if how == "an event out of the middle":
        return resealed([*lines[:9], *lines[10:-1]]), "event 9 is missing"
    if how == "a kind of tomorrow":
        return resealed([lines[0], lines[1].replace("GameCreated", "GameDreamt"), *lines[2:-1]]), "does not know"
    if how == "a board that is not here":
        return resealed([lines[0], lines[1].replace('"standard"', '"atlantis"'), *lines[2:-1]]), "the board"
    assert how == "other results"
    told = [line.replace('"ok"', '"bounced"') if "PhaseAdjudicated" in line else line for line in lines[:-1]]
    return resealed(told), "other results"


def resealed(lines: list[str]) -> str:
    text = "".join(lines)
    return text + json.dumps({"sha256": hashlib.sha256(text.encode()).hexdigest()}) + "\n"


HOW = (
    "changed", "cut", "no game", "another format", "an event out of the middle", "a kind of tomorrow",
    "a board that is not here", "other results",
)  # fmt: skip


@pytest.mark.parametrize("how", HOW)
def test_a_file_with_something_wrong_is_refused(old: LocalJudge, new: LocalJudge, how: str) -> None:
    file = exported(old, "--addresses")
    text, words = tampered(file.read_text("utf-8"), how)
    file.write_text(text, encoding="utf-8")
    code, said = judge(new.folder, "game", "import", str(file))
    assert code == 1 and words in said, said
    assert "There are no games" in judge(new.folder, "game", "list")[1]
    with new.judge.store.read() as view:
        assert view.people.count() == 1, "nobody is enrolled either"


def test_a_game_that_is_not_there(old: LocalJudge) -> None:
    code, said = judge(old.folder, "game", "export", "adria", "--whole")
    assert code == 1 and "there is no game adria" in said
