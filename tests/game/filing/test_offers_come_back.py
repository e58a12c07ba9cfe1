"""Whatever a letter offers instead of a line, is taken when it comes back as it stands, and can be carried out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest

from judge.game.core.commands import Actor, Context, OrderLine, Role, Status, Verdict
from judge.game.core.model import Game, Running
from judge.game.filing.sheets import file_lines
from judge.report.core.naming import order_text
from tests.support.builders import START, Table
from tests.support.sample import sample_game

MAPS = Path(__file__).resolve().parents[3] / "maps"
_VERBS = (
    "- {}",
    "S A Bur - {}",
    "S {}",
    "C A Lon - {}",
    "C {}",
    "R {}",
    "to {} via convoy",
    "{}",
    "- {}?",
    "- {} - Nth",
)
_WHOLE = (
    "build A {}",
    "build F {}",
    "build {}",
    "remove {}",
    "A {} H",
    "F {} - Nor",
    "A {} - Liv",
    "F {} - Tyr",
    "{} D",
)
_ODD = (
    "Bre",
    "Ser",
    "Nor",
    "Liv",
    "Tyr",
    "Spa",
    "Bul",
    "StP/wc",
    "Gulf",
    "Moon",
    "Burgandy",
    "Con",
    "Swi",
    "Iri",
    "Mun",
)


def _verdicts(game: Running, power: str, text: str) -> tuple[Verdict, ...]:
    lines = (OrderLine(1, text),)
    return file_lines(game, lines, (power,), Context(Actor(Role.PLAYER), START), replace_all=False).verdicts


def _wrong_lines(game: Running, power: str) -> Iterator[str]:
    """Lines of all kinds for the units of a power and for places where it has none."""
    position = game.position
    assert position is not None
    own = [*position.of(power), *(lost.unit for lost in position.dislodged if lost.unit.power == power)]
    for unit, verb, place in product(own, _VERBS, _ODD):
        yield f"{unit} {verb.format(place)}"
        yield f"{'AF'[unit.kind == 'A']} {unit.at} {verb.format(place)}"
    for whole, place in product(_WHOLE, _ODD):
        yield whole.format(place)


def _games() -> Iterator[Game]:
    spring = Table(MAPS).seated().started()
    yield spring.game
    for turns in range(1, 8):
        yield sample_game(MAPS, turns).game


GAMES = list(_games())
LINES = 40
"""Lines of each power, picked from some hundreds."""


def _offered(game: Running) -> Iterator[tuple[str, str, str]]:
    """Power, wrong line, what is offered for it."""
    for power in game.survivors:
        lines = list(_wrong_lines(game, power))
        for text in Random(f"{game.phase} {power}").sample(lines, min(LINES, len(lines))):
            for verdict in _verdicts(game, power, text):
                yield from ((power, text, candidate) for candidate in verdict.candidates)


@pytest.mark.parametrize("strict", ["", "nationality", "spelled_names"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.phase))
def test_every_offer_is_taken_when_it_comes_back(game: Running, strict: str) -> None:
    settings = replace(game.settings, nationality=strict == "nationality", spelled_names=strict == "spelled_names")
    game = replace(game, settings=settings)
    offered = list(_offered(game))
    assert offered, "the lines are wrong in ways that can be mended"
    for power, text, candidate in offered:
        for form in (order_text(candidate, game.board), *([] if strict == "spelled_names" else [candidate])):
            again = _verdicts(game, power, form)
            said = [(verdict.status, verdict.reason) for verdict in again]
            assert said == [(Status.TAKEN, "")], f"{text!r} offers {form!r}: {again}"
