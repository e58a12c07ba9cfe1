"""Orders below press, without ENDPRESS between: nobody can tell whether they belong to the letter. So nothing is sent
and nothing ordered until their author says it, however the mail is laid out: an ally who reads orders that were meant
for the judge has been told a secret, and the player has ordered nothing.
"""

from __future__ import annotations

import pytest

from judge.game.core.commands import SendPress
from judge.mail.script import ScriptContext
from tests.script.conftest import ReadMail

ORDERS = ("A Par - Bur\nA Mar - Spa\nF Bre - Mid", "A Par - Bur, A Mar - Spa, F Bre - Mid")
TITLES = ("\n", "\nMy orders:\n", "\nOrders\n", "\nmy orders for this turn:\n\n", "\nand my orders: ", "My moves: ", "")
BEHIND = ("", "\nPierre", "\n\nRegards,\nPierre Dupont", "\n\nThanks!")


@pytest.mark.parametrize("orders", ORDERS)
@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("behind", BEHIND)
def test_a_whole_set_below_press_is_asked_about(
    title: str, orders: str, behind: str, mail: ReadMail, player: ScriptContext
) -> None:
    script = mail(f"press to Russia\nThe Turk is yours.\n{title}{orders}{behind}\n", to=player)
    assert [one.reason for one in script.unread] == ["orders-in-press"]
    assert not any(isinstance(getattr(said, "command", None), SendPress) for said in script.said)
    assert not list(script.orders)


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
    assert len(script.said) == 1


@pytest.mark.parametrize("orders", ORDERS)
def test_behind_the_end_they_are_orders(orders: str, mail: ReadMail, player: ScriptContext) -> None:
    script = mail(f"press to Russia\nThe Turk is yours.\nENDPRESS\n{orders}\n", to=player)
    assert not script.unread
    assert [line.text for one in script.orders for line in one.lines]
