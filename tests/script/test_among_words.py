"""An order among other words is asked back: it is no chatter, and no good order is lost without a word.

How people lead up to an order nobody can list; so any words may stand there, and what they may turn round is neither
offered again nor waited for.
"""

from __future__ import annotations

import pytest

from judge.game.core.commands import Submit
from judge.game.core.parts import NOT_OUR_WORDS
from judge.mail.script import ScriptContext
from judge.orders.reader import read_line
from tests.script.conftest import ReadMail

ORDERS = (
    "A Par - Bur", "A Mar S A Par - Bur", "F Bre -> Mid", "A Par - Bur, A Mar - Spa and F Bre to the Mid Atlantic",
    "Army Paris - Picardy.", "F Bre H",
)  # fmt: skip
LEADS = (
    "On second thought,", "Hi, I'd like my orders to be:", "My dear judge please do", "With kind regards to all",
    "Right then, here we go at last and hopefully in time -", "After a long talk with my wife I settled on",
)  # fmt: skip
TAILS = (
    "I'd also like to know who is still missing.", "Did it arrive?", "Greetings to all and a fine week to everybody!",
    "The rest comes tomorrow.", "Who is still missing?",
)  # fmt: skip
WISHES = (
    "Could I have two more days?", "Please extend by two days.", "I vote aye.", "What is my deadline?",
    "Please send me the map.", "I want to leave the game.", "Please send me plain text only.", "I am ready.",
    "How do I build?", "Show me the last results.", "Please wait for me.", "I propose a draw.", "Who is late?",
    "I will be away from 24 Dec to 2 Jan.", "Can we pause the game until Monday?", "Please undo my last orders.",
)  # fmt: skip
REVERSING = (
    "I told Germany that", "Nobody would want", "Perhaps he wants", "My friend said never to play", "It was no good:",
)  # fmt: skip


def test_a_wish_in_the_same_line_takes_no_order_away(mail: ReadMail) -> None:
    """Whatever else a line asks for, and is answered: orders in it are filed, offered, or asked back."""
    lost = []
    for lead in ("I'd like", "My plan:", "On second thought,"):
        for wish in WISHES:
            order = f"{lead} A Par - Bur, A Mar - Spa and F Bre - Mid."
            for line in (f"{order} {wish}", f"{wish} {order}"):
                script = mail(line)
                if not script.unread and not any(isinstance(said.request, Submit) for said in script.said):
                    lost.append(line)
    assert lost == []


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("lead", LEADS)
def test_an_order_behind_other_words_is_taken_or_asked_back(
    lead: str, order: str, mail: ReadMail, player: ScriptContext
) -> None:
    script = mail(f"{lead} {order}\n", to=player)
    lines = [line for orders in script.orders for line in orders.lines]
    assert lines, "nobody is told"
    assert all(line.doubt is None or line.doubt.reason == NOT_OUR_WORDS for line in lines)
    assert all(line.doubt is None or order.rstrip(".") in line.doubt.proposals for line in lines)


@pytest.mark.parametrize("order", [order.rstrip(".") for order in ORDERS])
@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("lead", ["", "I have trouble with my mail, did my last one arrive?", *LEADS[:3]])
def test_an_order_between_other_sentences_is_taken_or_asked_back(
    lead: str, tail: str, order: str, mail: ReadMail, player: ScriptContext
) -> None:
    script = mail(f"{lead} {order}. {tail}\n".lstrip(), to=player)
    lines = [line for orders in script.orders for line in orders.lines]
    assert lines or any("order" in one.sentence for one in script.unread), "nobody is told"
    offered = [text for line in lines if line.doubt for text in line.doubt.proposals]
    assert all(order in text for text in offered)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("lead", REVERSING)
@pytest.mark.parametrize("tail", ["", " Thanks!"])
def test_what_may_be_turned_round_is_asked_back_without_an_offer(
    lead: str, order: str, tail: str, mail: ReadMail, player: ScriptContext
) -> None:
    order = f"{order.rstrip('.')}.{tail}" if tail else order
    script = mail(f"{lead} {order}\n", to=player)
    lines = [line for orders in script.orders for line in orders.lines]
    assert lines or script.unread, "nobody is told"
    assert not any(one.candidates for one in script.unread)
    for line in lines:
        readings = read_line(line.text, player.position, "FRANCE") if player.position and line.doubt is None else ()
        assert not any(one.understood for one in readings), "taken"
        assert line.doubt is None or not line.doubt.proposals


@pytest.mark.parametrize(
    "line",
    ["I see A Mun - Bur coming", "The talk was of F Lon - Eng all evening", "A fine day, and Paris - Roubaix is on"],
)
def test_what_others_may_order_stays_chatter(line: str, mail: ReadMail, player: ScriptContext) -> None:
    script = mail(f"A Mar - Spa\n{line}\n", to=player)
    assert not script.unread and not any(one.doubt for orders in script.orders for one in orders.lines)


PLAIN = ("Paris to Burgundy", "Par-Bur, Mar-Spa", "my army in Paris goes to Burgundy", "Brest holds", "all hold")
CLEAR = ("Hello!", "Did my last mail arrive?", "When is the deadline?", "Thanks!", "How do I convoy?", "See you soon.")
OTHER = ("Well, here it is at last.", "The rest comes tomorrow.", "I hope that England does not mind.", "Just kidding!")


@pytest.mark.parametrize("order", PLAIN)
@pytest.mark.parametrize("before", ["", *CLEAR[:2], OTHER[0]])
@pytest.mark.parametrize("behind", [*CLEAR, *OTHER])
def test_orders_in_plain_words_among_sentences(
    before: str, order: str, behind: str, mail: ReadMail, player: ScriptContext
) -> None:
    """Taken where the other sentences are clear; else asked back, never lost."""
    script = mail(f"{before} {order}. {behind}\n".lstrip(), to=player)
    lines = [line for orders in script.orders for line in orders.lines]
    if {before, behind} & set(OTHER):
        assert lines or any("order" in one.sentence for one in script.unread), "nobody is told"
        return
    assert [line.text for line in lines if line.doubt is None] == [f"{order}."], "not taken"


def test_orders_that_full_stops_alone_tell_apart(mail: ReadMail) -> None:
    """Without letters for the units, too."""
    sentences = ["Paris to Burgundy.", "Marseilles to Spain.", "Brest holds."]
    script = mail(" ".join(sentences))
    assert [one.text for found in script.orders for one in found.lines] == sentences and not script.unread
