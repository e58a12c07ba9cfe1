"""A game on one page: what the README's page for Gamemasters says works as printed, with the configuration that
`deploy/run` writes. No mail server vouches for anybody there, so every proof is a letter of ours or a password.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.config import Config, load_config
from judge.service.core.persons import add_gm
from judge.store.rows import MailState
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from tests.service.conftest import kind_of, last_mail

ROOT = Path(__file__).parents[3]
GM = "gm@example.org"
PLAYERS = [f"player{number}@example.org" for number in range(1, 8)]


def as_deployed(var: Path) -> Config:
    """What `deploy/run` starts with, but for the demo game."""
    path = var / "judge.toml"
    path.write_text((ROOT / "deploy" / "judge.toml").read_text(encoding="utf-8"), encoding="utf-8")
    return load_config(path)


@pytest.fixture
def deployed(tmp_path: Path) -> Iterator[LocalJudge]:
    stage = LocalJudge(tmp_path, config=as_deployed)
    stage.vouching = False
    stage.begin()
    yield stage
    stage.close()


def page() -> str:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return text[text.index("## A game on one page") : text.index("The reader of orders and the adjudicator")]


def block(beginning: str, text: str = "") -> str:
    """The indented lines of the page, or of another text, from the one that begins so."""
    lines = (text or page()).splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(f"    {beginning}"))
    ends = (
        number for number in range(first, len(lines)) if lines[number].strip() and not lines[number].startswith("    ")
    )
    return "\n".join(line.removeprefix("    ") for line in lines[first : next(ends)]).rstrip()


def test_the_receipt_at_the_top_is_the_one_that_comes(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    stage = LocalJudge(tmp_path)
    seat_everybody(stage, "baltic")
    stage.begin()
    france = player_of("FRANCE")
    stage.send(france, block("A Par", readme), to=stage.inbox(france)[-1].reply_to)
    receipt = stage.inbox(france)[-1].text
    stage.close()
    for paragraph in block("Received", readme).split("\n\n"):
        assert paragraph in receipt
    assert (ROOT / "deploy" / "spring-1902.png").read_bytes().startswith(
        b"\x89PNG"
    ) and "(deploy/spring-1902.png)" in readme


def created(stage: LocalJudge) -> str:
    """The Gamemaster makes the game as printed; where the letter that comes asks to be answered."""
    word = add_gm(stage.judge, GM).password
    printed = next(line for line in block("password").splitlines() if line.startswith("password "))
    stage.send(GM, block("password").replace(printed, f"password {word}"))
    assert last_mail(stage).state is MailState.PROCESSED
    letter = stage.inbox(GM)[-1]
    assert kind_of(letter) == "created"
    return letter.reply_to


def test_the_page_works_as_printed(deployed: LocalJudge) -> None:
    assert block("password", (ROOT / "deploy" / "RUNBOOK.md").read_text(encoding="utf-8")) == block("password")
    desk = created(deployed)
    assert "They answer the letter that comes with `open`" in page()
    deployed.send(GM, "open", to=desk)
    assert deployed.game("baltic").stage == "open"
    (join,) = [piece for piece in page().split("`") if piece.startswith("join baltic")]
    for address in PLAYERS:
        deployed.send(address, join)
        deployed.send(address, "confirm", to=deployed.inbox(address)[-1].reply_to)
    assert len(deployed.game("baltic").seats) == 7
    deployed.send(GM, "start", to=desk)
    game = deployed.game("baltic")
    assert game.stage == "running"
    for address in PLAYERS:
        deployed.send(address, "all hold", to=deployed.inbox(address)[-1].reply_to)
    assert len(deployed.game("baltic").sheets) == 7


@pytest.mark.parametrize("command", ['hold "holidays"', "extend 48h", "vacate France"])
@pytest.mark.parametrize("where", ["judge", "judge+baltic"])
def test_a_gamemasters_command_to_the_judge_or_the_game_takes_effect_or_is_told_what_it_needs(
    deployed: LocalJudge, command: str, where: str
) -> None:
    desk = created(deployed)
    deployed.send(GM, "open", to=desk)
    for address in PLAYERS:
        deployed.send(address, "join baltic")
        deployed.send(address, "confirm", to=deployed.inbox(address)[-1].reply_to)
    deployed.send(GM, "start", to=desk)
    before = deployed.game("baltic")
    deployed.send(GM, f"baltic\n{command}", to=f"{where}@localhost")
    question = deployed.inbox(GM)[-1]
    assert last_mail(deployed).state is MailState.HELD
    deployed.send(GM, "confirm", to=question.reply_to)
    grave = command.startswith("vacate")
    assert (deployed.game("baltic").seq == before.seq) == grave
    if grave:
        said = " ".join(deployed.inbox(GM)[-1].text.split())
        assert "password" in said and "in answer to any other letter of mine" in said
        deployed.send(GM, command, to=desk)
        deployed.send(GM, "confirm", to=deployed.inbox(GM)[-1].reply_to)
        seat = deployed.game("baltic").seat_of("FRANCE")
        assert seat is not None and not seat.filled
