"""Orders below press, without ENDPRESS between: nobody can tell whether they belong to the letter. So nothing is sent
and nothing ordered until their author says it, however the mail is laid out: an ally who reads orders that were meant
for the judge has been told a secret, and the player has ordered nothing.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.game.core.commands import Colour, Decision, Question, Refusal, SendPress
from judge.mail.script import Script, ScriptContext
from tests.game.conftest import MAPS
from tests.script.conftest import ReadMail
from tests.support.builders import Table

ORDERS = ("A Par - Bur\nA Mar - Spa\nF Bre - Mid", "A Par - Bur, A Mar - Spa, F Bre - Mid")
TITLES = ("\n", "\nMy orders:\n", "\nOrders\n", "\nmy orders for this turn:\n\n", "\nand my orders: ", "My moves: ", "")
BEHIND = ("", "\nPierre", "\n\nRegards,\nPierre Dupont", "\n\nThanks!")


def _own_orders(script: Script) -> list[bool]:
    return [said.request.own_orders for said in script.said if isinstance(said.request, SendPress)]


@pytest.mark.parametrize("orders", ORDERS)
@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("behind", BEHIND)
def test_a_whole_set_below_press_is_asked_about(
    title: str, orders: str, behind: str, mail: ReadMail, player: ScriptContext
) -> None:
    script = mail(f"press to Russia\nThe Turk is yours.\n{title}{orders}{behind}\n", to=player)
    assert _own_orders(script) == [True]
    assert not list(script.orders) and not script.unread


@pytest.mark.parametrize(
    "text",
    [
        "The Turk is yours. I shall play A Par - Bur, F Bre - Mid.",
        "What do you think of this?\nA Par - Bur\nIf you agree, I'll do it.",
        "Could you order this:\nF Sev - Bla\nA Mos - Ukr",
        "I suggest for you:\n\nF Sev - Bla\nA Mos - Ukr",
    ],
)
def test_what_is_only_spoken_of_goes(text: str, mail: ReadMail, player: ScriptContext) -> None:
    script = mail(f"press to Russia\n{text}\n", to=player)
    assert not script.unread
    assert _own_orders(script) == [False]


@pytest.mark.parametrize("orders", ORDERS)
def test_behind_the_end_they_are_orders(orders: str, mail: ReadMail, player: ScriptContext) -> None:
    script = mail(f"press to Russia\nThe Turk is yours.\nENDPRESS\n{orders}\n", to=player)
    assert not script.unread and _own_orders(script) == [False]
    assert [line.text for one in script.orders for line in one.lines]


def test_the_game_asks_once_and_sends_what_was_agreed_to() -> None:
    """The yes is good for these words and these readers only."""
    table = Table(MAPS).seated().started()
    press = SendPress("The Turk is yours.\n\nA Par - Bur", ("RUSSIA",), own_orders=True)
    france = table.player("FRANCE")
    question = table.tell(press, france)
    assert isinstance(question, Question) and table.game.press_sent == 0
    agreed = replace(france, agreed=(question.about,))
    for other in (replace(press, text="The Turk is mine."), replace(press, to=("ITALY",))):
        assert isinstance(table.tell(other, agreed), Question)
    assert isinstance(table.tell(press, agreed), Decision) and table.game.press_sent == 1
    refused = table.tell(replace(press, colour=Colour.GREY), france)
    assert isinstance(refused, Refusal) and refused.slug == "colour-off"  # nobody is asked about what is not allowed
