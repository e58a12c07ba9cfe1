"""Words by which a unit is to do something else, in no form of an order, are asked back: whoever writes them with
orders on file would otherwise read that nothing more is needed, and other orders than theirs would be played.
"""

from __future__ import annotations

from judge.game.core.commands import Submit
from judge.game.core.parts import TAKES_BACK
from judge.mail.script import ScriptContext
from judge.mail.script.model import Unasked
from judge.orders.reader import read_line
from tests.script.conftest import ReadMail

SAID = (
    "On second thoughts let {own} go to Picardy.", "Change {own} to Picardy please", "Make {own} hold instead.",
    "I want to change {own}: it should go to Picardy.", "Let's move the {own} army to Picardy after all",
    "Sorry, I changed my mind about {own}. Let it go to Picardy instead.", "Oh, and {own} must stay where it is.",
    "Keep everything but send {own} to the English Channel.", "Rather {own} to Picardy, I think.",
    "Actually I'd like to have {own} moved to Gascony.", "Have {own} cover Marseilles.",
    "Now that I think of it {own} ought to support Brest", "Stop {own}, it shall not go to Burgundy!",
    "Please swap: {own} to the Channel instead of the Atlantic, the rest as before.",
    "Attack Burgundy with {own}.", "{own} grabs Gascony for me.",
)  # fmt: skip
NOT_MEANT = (
    "I will be in Paris next week.", "Paris is lovely in spring.", "Let us have a good game!", "I must go now.",
    "Have a nice day in Paris!", "We should have an ally in common.", "Have fun in Brest!",
    "Let me know when Germany answers.", "I hope that Paris holds.",
    "Paris was lost to Germany.", "Greetings from Paris, where Germany wins everything",
)  # fmt: skip
NEW_SET = "A Paris - Picardy\nA Marseilles - Burgundy\nF Brest - English Channel\n"
WITHDRAWN = (
    "Please ignore my last mail, here are my new orders:", "Cancel all my previous orders.",
    "Scrap everything I sent before. New plan:", "Forget my earlier orders!",
)  # fmt: skip


def is_read(text: str, player: ScriptContext) -> bool:
    """Whether the reader of orders answers all of a line, with orders or with what is wrong with them."""
    assert player.position is not None
    return all(one.order_like for one in read_line(text, player.position, "FRANCE"))


def test_words_that_a_unit_is_to_follow_are_asked_back(mail: ReadMail, player: ScriptContext) -> None:
    passed_over = []
    for said in SAID:
        for own in ("Paris", "Brest"):
            script = mail(said.format(own=own), to=player)
            lines = [line for orders in script.orders for line in orders.lines]
            if not (script.unread or any(line.doubt or is_read(line.text, player) for line in lines)):
                passed_over.append(said)
    assert passed_over == []


def test_words_about_a_place_are_no_orders(mail: ReadMail, player: ScriptContext) -> None:
    for said in NOT_MEANT:
        script = mail(NEW_SET + said, to=player)
        assert not script.unread, said
        assert not any(line.doubt for orders in script.orders for line in orders.lines), said


def test_taking_orders_back_above_new_ones_for_all_units_needs_nothing_more(
    mail: ReadMail, player: ScriptContext
) -> None:
    for said in WITHDRAWN:
        script = mail(f"{said}\n{NEW_SET}", to=player)
        assert not script.unread, said
        assert [one.why for one in script.ignored if one.text == said] == [Unasked.REPLACED], said
        assert [type(one.request) for one in script.said] == [Submit], said


def test_what_would_take_new_orders_back_too_is_never_offered(mail: ReadMail, player: ScriptContext) -> None:
    """`clear` and `undo` in answer would withdraw what the same mail has just ordered."""
    for said in WITHDRAWN:
        script = mail(f"{said}\nA Paris - Picardy\n", to=player)
        doubts = [line.doubt for orders in script.orders for line in orders.lines if line.doubt]
        asked = [(one.sentence, one.candidates) for one in script.unread]
        asked += [(doubt.sentence, doubt.proposals) for doubt in doubts]
        assert asked, said
        assert all(not offers and "this mail" in sentence for sentence, offers in asked), said
        assert all(doubt.reason == TAKES_BACK for doubt in doubts), said
