"""Our own letters sent back: whole they change nothing, and only their order form can be filled in."""

from __future__ import annotations

import json
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.board.position import start_position
from judge.game.core.commands import Submit
from judge.game.filing.standing import outlook
from judge.mail.letters import Posting, Printer, compose
from judge.mail.script import ScriptContext
from judge.report.core.letter import Kind
from judge.report.mailing import letters_for
from judge.report.seat.desk import open_form
from tests.script.conftest import ReadMail
from tests.support.builders import START, cast_of
from tests.support.sample import TURNS, sample_game

_GOLDEN = Path(__file__).parents[1] / "letters" / "golden"
_MAPS = Path(__file__).parents[2] / "maps"
_REPORTS = ["results-fall-1902.mail", "results-winter-1901.mail"]
_POSTING = Posting(
    "cleo@players.test",
    "Cleo",
    "judge@judge.test",
    "judge+kq7wseat@judge.test",
    START,
    "judge.test",
    b"a key for tests",
)
_LETTERS = sorted(path.name for path in _GOLDEN.glob("*.mail"))


@pytest.fixture(scope="module")
def press() -> Printer:
    """The templates of the checkout."""
    return Printer(_MAPS.parent / "templates")


def _text(name: str) -> str:
    letter = message_from_bytes((_GOLDEN / name).read_bytes(), policy=policy.default)
    assert isinstance(letter, EmailMessage)
    part = letter.get_body(("plain",))
    return str(part.get_content()) if part else str(letter.get_payload())  # of two parts the file keeps the text alone


def _form(text: str) -> tuple[str, ...]:
    """What counts as the order form of a letter: only one that has such a form can be filled in."""
    return () if "SPECULATION" in text else ("A Paris - ______",)


def _without_sentinel(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "above this line" not in line)


@pytest.mark.parametrize("name", _LETTERS)
def test_a_letter_sent_back_quoted_asks_for_nothing(name: str, mail: ReadMail) -> None:
    text = _text(name)
    quoted = "\n".join(f"> {line}" for line in text.splitlines())
    assert mail(f"{quoted}\n", form=_form(text)).empty


@pytest.mark.parametrize("turns", range(len(TURNS)))
def test_whoever_quotes_their_own_letter_asks_for_nothing(turns: int, mail: ReadMail, press: Printer) -> None:
    """Every player's first letter and reports, quoted whole by each of them, whatever their form asks for."""
    table = sample_game(_MAPS, turns)
    for letter in letters_for(table.before, table.last, table.game, cast_of()):
        seat = next((seat for seat in table.game.seats.values() if seat.person == letter.person), None)
        if letter.kind not in (Kind.STARTED, Kind.RESULTS) or seat is None:
            continue
        text = compose(letter.kind, letter.idem_key, json.loads(letter.frozen()), _POSTING, press).text
        quoted = "\n".join(f"> {line}" for line in text.splitlines())
        form, position = tuple(open_form(table.running, outlook(table.running, seat))), table.game.position
        script = mail(quoted, powers=tuple(seat.powers), form=form, position=position)
        assert script.empty, (seat.powers, script.said, script.unread)


@pytest.mark.parametrize("name", _LETTERS)
def test_a_letter_sent_back_below_its_own_dividing_line_asks_for_nothing(name: str, mail: ReadMail) -> None:
    text = _text(name)
    if "above this line" in text:
        assert mail(text, form=_form(text)).empty


@pytest.mark.parametrize("name", _REPORTS)
def test_a_report_pasted_whole_asks_for_nothing(name: str, mail: ReadMail) -> None:
    assert mail(_without_sentinel(_text(name))).empty


@pytest.mark.parametrize("name", _REPORTS)
def test_orders_above_a_pasted_report_are_the_only_ones(name: str, mail: ReadMail) -> None:
    script = mail(f"A Par - Bur\n\n{_without_sentinel(_text(name))}")
    assert [line.text for orders in script.orders for line in orders.lines] == ["A Par - Bur"]


@pytest.mark.parametrize(
    ("typed", "order"),
    [
        ("> A Paris - Burgundy", "A Paris - Burgundy"),
        ("> > A Paris - Burgundy", "A Paris - Burgundy"),
        (" > A Paris - Bur______", "A Paris - Bur"),
        ("> A Par - Burgundy", "A Par - Burgundy"),
        ("> a paris holds", "a paris holds"),
        ("> A Paris S A Marseilles - Burgundy", "A Paris S A Marseilles - Burgundy"),
        ("> F St Petersburg (south coast) - Finland", "F St Petersburg (south coast) - Finland"),
        ("> BUILD F Brest", "BUILD F Brest"),
        ("> WAIVE", "WAIVE"),
        ("> remove A Paris", "remove A Paris"),
        ("> A Paris - ______", ""),
        ("> BUILD ______", ""),
        ("> A Marseilles - Spain", ""),
        ("> A Paris was lost to Germany", ""),
        ("> press to Germany: hello", ""),
        ("> leave", ""),
    ],
)
def test_the_order_form_filled_in(typed: str, order: str, mail: ReadMail) -> None:
    form = ("A Paris - ______", "F St Petersburg (south coast) - ______", "BUILD ______", "REMOVE ______")
    script = mail(f"Here you are.\n\n{typed}\n", form=form)
    assert [line.text for orders in script.orders for line in orders.lines] == ([order] if order else [])
    assert script.edited == ((3,) if order else ())


def test_the_start_position_as_a_form(mail: ReadMail, player: ScriptContext) -> None:
    assert player.board is not None
    units = [unit for unit in start_position(player.board).units if unit.power == "FRANCE"]
    form = tuple(f"{unit} - ______" for unit in units)
    script = mail("\n".join(f"> {line.replace('- ______', 'H')}" for line in form), form=form)
    (said,) = script.said
    assert isinstance(said.request, Submit) and len(said.request.lines) == len(units) == 3
