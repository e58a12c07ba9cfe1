"""Whatever people say for themselves beside their orders, the same orders stand (VII.4).

Every excuse, at every place it is written, around every form of orders; and beside them what sounds like an excuse and
speaks of an order: that is never followed, for it may take the order back.
"""

from __future__ import annotations

import pytest

from judge.board.position import Position
from judge.orders.reader import read_orders

EXCUSES = """Sorry, I was ill.|Sorry I was ill.|I'm sorry for the delay, my train was late.|My apologies, I was busy.
Sorry for the late orders!|Hope I'm not too late!|I hope this is still in time.|I was on holiday.
Sorry, I couldn't write earlier.|Sorry for the delay, we had no internet.|My dog was sick.|Hoping this is in time!
I had to work late.|Sorry, I was on the train and could not send it earlier.|So sorry, life was busy.
Forgive me, I was away.|I don't feel well, sorry.|We were on holiday, sorry!|Sorry, I overslept, it's late.
Pardon me, I was asleep.|Excuse me, I had a cold and was ill.|I am so sorry, I was in hospital.""".replace("\n", "|")

SENT = (
    ("A War-Gal",),
    ("A War - Gal", "A Mos - Ukr"),
    ("Army Warsaw to Galicia", "Fleet Sevastopol holds"),
    ("A WAR S A MOS", "A Mos H", "F Sev-Bla"),
    ("F St. Petersburg (sc) - Gulf of Bothnia", "A Mos - St. Petersburg"),
)

OF_ORDERS = """Sorry, that was wrong.|Sorry, my order was:|Sorry, I was told:|I was going to say:|I was wrong.
It was a mistake.|Sorry, those were my old orders.|I hope not.|I was thinking of:|My last mail was:
I was not sure.|Sorry, I meant something else before.|Sorry, that was yesterday.|Never mind.""".replace("\n", "|")


def _orders(text: str, start: Position) -> list[str] | None:
    """The orders of a text for Russia; None where anything is asked back."""
    readings = read_orders(text, start, "RUSSIA")
    if any(reading.problem is not None and reading.problem.slug != "not-an-order" for reading in readings):
        return None
    return [str(reading.order) for reading in readings if reading.order is not None]


def _written(excuse: str, lines: tuple[str, ...]) -> list[str]:
    """The ways in which people put a sentence beside their orders: before, behind and between them."""
    said = excuse.rstrip(".! ")
    whole = ", ".join(lines)
    between = [f"{lines[0]}. {excuse} {lines[1]}", f"{lines[0]}; {excuse} {lines[1]}"] if len(lines) == 2 else []
    return [
        f"{excuse} {whole}",
        f"{said}: {whole}",
        f"{said}, {whole}",
        f"{said} - {whole}",
        f"Hello, {excuse} {whole}",
        f"{whole}. {excuse}",
        f"{excuse}\n{whole}",
        f"{whole}\n{excuse}",
        *between,
    ]


@pytest.mark.parametrize("excuse", EXCUSES.split("|"))
def test_the_same_orders_stand_whatever_excuse_is_beside_them(start: Position, excuse: str) -> None:
    wrong = []
    for lines in SENT:
        alone = _orders("\n".join(lines), start)
        assert alone
        wrong += [text for text in _written(excuse, lines) if _orders(text, start) != alone]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("words", OF_ORDERS.split("|"))
def test_words_that_may_take_an_order_back_are_never_passed_over(start: Position, words: str) -> None:
    followed = []
    for lines in SENT:
        whole = ", ".join(lines)
        written = [f"{words} {whole}", *([] if words.endswith(":") else [f"{whole}. {words}"])]
        followed += [text for text in written if _orders(text, start)]
    assert not followed, "\n".join(followed)
