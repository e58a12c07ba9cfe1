"""Letters that are put in another manner are known as ours, too, when they are repeated below or above an answer."""

from __future__ import annotations

import pytest

from judge.mail.letters import Printer
from tests.letters.test_manners import NAMES, SPOKEN, TERSE, letters
from tests.script.conftest import ReadMail
from tests.script.test_copies import orders
from tests.script.test_reports import _without_sentinel

LETTERS = [name for name in NAMES if name not in ("digest", "account")]
"""A digest holds reports of games without a foot."""


@pytest.mark.parametrize("press", [SPOKEN, TERSE], ids=["spoken", "terse"])
@pytest.mark.parametrize("layout", ["A Par - Pic\n\n{}", "{}\n\nA Par - Pic\n"], ids=["above", "below"])
@pytest.mark.parametrize("name", LETTERS)
def test_one_without_its_first_line_asks_for_nothing(name: str, layout: str, press: Printer, mail: ReadMail) -> None:
    text = press.print(letters()[name].kind, letters()[name].view).text
    script = mail(layout.replace("{}", _without_sentinel(text)))
    assert orders(script) == ["A Par - Pic"]
    assert len(script.said) == 1 and not script.unread
