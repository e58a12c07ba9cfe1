"""A report is in the language of the mails: its form and its results can be sent back as orders."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from judge.adjudicate.outcome import End, Outcome, Result
from judge.board.position import position_from_json
from judge.catalogues import language_of, shipped
from judge.game.core.events import PhaseAdjudicated
from judge.history import OrderResult, played_phase
from judge.languages import speak
from judge.mail.letters import Composed, Posting, Printer, compose
from judge.mail.letters.layout import order_line
from judge.orders.model import Move
from judge.orders.reader import read_orders
from judge.report.core.letter import Kind, Letter, plain
from judge.report.mailing import letters_for
from judge.report.played.results import Causes
from judge.report.seat.desk import BLANK
from judge.rules.reasons import REASONS
from tests.support.builders import START, cast_of
from tests.support.sample import sample_game

MAPS = Path(__file__).parents[2] / "maps"


def printed(letter: Letter, code: str) -> Composed:
    """A letter as its reader gets it, in the language that is spoken."""
    posting = Posting(
        to="cleo@players.test",
        to_name="Cleo",
        from_address="judge@judge.test",
        reply_to="judge+kq7wseat@judge.test",
        date=START,
        domain="judge.test",
        secret=b"a key for tests",
    )
    press = Printer(MAPS.parent / "templates", language=language_of(code))
    return compose(letter.kind, letter.idem_key, json.loads(letter.frozen()), posting, press)


HEADINGS = {
    "en": ("( ) = failed", ("RETREATS DUE", "FINAL UNIT POSITIONS")),
    "de": ("( ) = gescheitert", ("FÄLLIGE RÜCKZÜGE", "ENDGÜLTIGE STELLUNG DER EINHEITEN")),
}
"""Language -> what stands above the results of a turn, and what below."""


@pytest.mark.parametrize("code", HEADINGS)
@pytest.mark.parametrize("turns", [1, 2, 3, 4, 5])
def test_the_results_block_as_printed_reads_back_as_the_orders_given(turns: int, code: str) -> None:
    table = sample_game(MAPS, turns)
    with speak(language_of(code)):
        letters = letters_for(table.before, table.last, table.game, cast_of())
        text = printed(next(letter for letter in letters if letter.kind is Kind.RESULTS), code).text
    event = next(event for event in table.last if isinstance(event, PhaseAdjudicated))
    before = position_from_json(event.before, table.game.board)
    above, below = HEADINGS[code]
    block = re.search(rf"{re.escape(above)} -+\n(.*?)\n(?:{'|'.join(below)})", text, re.DOTALL)
    assert block is not None
    readings = read_orders(block[1], before, None)
    read = {str(reading.order) for reading in readings if reading.order is not None}
    assert read == {str(result.order) for result in played_phase(event, table.game.board).results}


@pytest.mark.parametrize(
    ("code", "turns", "fills"),
    [
        ("en", 0, {"F Brest": "Picardy", "A Marseilles": "Spain", "A Paris": "Burgundy"}),
        ("en", 2, {"BUILD": "F Brest"}),
        ("en", 5, {"A Burgundy": "Gascony", "BUILD": "A Paris"}),
        ("de", 0, {"F Brest": "Picardie", "A Marseille": "Spanien", "A Paris": "Burgund"}),
        ("de", 2, {"AUFBAU": "F Brest"}),
        ("de", 5, {"A Burgund": "Gascogne", "AUFBAU": "A Paris"}),
    ],
)
def test_every_line_of_the_form_is_an_order_once_it_is_filled_in(code: str, turns: int, fills: dict[str, str]) -> None:
    table = sample_game(MAPS, turns)
    with speak(language_of(code)):
        letters = letters_for(table.before, table.last, table.game, cast_of())
    form = next(letter for letter in letters if letter.seat == "3").view["reply"]["form"]
    assert form
    filled = [line.replace(BLANK, fill) for line in form for start, fill in fills.items() if line.startswith(start)]
    answer = table.orders("FRANCE", *filled[: len(fills)])
    assert [verdict.status.value for verdict in answer.verdicts] == ["taken"] * len(fills), answer  # type: ignore[union-attr]


@pytest.mark.parametrize("code", shipped())
def test_no_cause_is_taken_for_a_part_of_the_order_beside_it(code: str) -> None:
    """Whatever word a reason has, its column is not read."""
    press = Printer(MAPS.parent / "templates", language=language_of(code))
    table = sample_game(MAPS, 5)
    before = position_from_json(
        next(event for event in table.last if isinstance(event, PhaseAdjudicated)).before, table.game.board
    )
    unit = next(unit for unit in before.units if str(unit) == "A BUR")
    for reason in REASONS:
        for result in ("bounced", "cut", "void", "illegal", "no-convoy"):
            ended = OrderResult(Outcome((Move(unit, "BEL"), End((Result(result),), reason))))
            with speak(language_of(code)):
                cause = press.spoken(plain(Causes([ended], table.game.board).of(ended)))
            line = {"order": "A Burgundy - Belgium", "code": "A BUR - BEL", "failed": True, "cause": cause}
            readings = read_orders(order_line("FRANCE", line, 9), before, None)
            assert [str(reading.order) for reading in readings] == ["A BUR - BEL"], cause
