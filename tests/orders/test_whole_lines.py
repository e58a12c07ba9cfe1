"""What a line was read as and what was asked back cover every word of it; each reading quotes a stretch of the mail.

Sentences of `tests.support.handwriting` with conditions, struck-out stretches, second choices and extra words.
"""

from __future__ import annotations

from random import Random

import pytest

from judge.board.model import province_of
from judge.orders.reader import read_orders
from judge.orders.reading import Reading
from judge.orders.scene import Reach
from tests.support.archipelago import board_named
from tests.support.handwriting import Crossing, Hand, crossings

MEANINGFUL = """if Italy attacks, {}|{} if Italy attacks|{} unless Germany agrees|{} or {place}|{} or else {place}
{}, otherwise {place}|{} xyzzy|{} rather {place}|not {}|{} - not|{} instead of {place}|only if you like {}
~~{}~~|<s>{}</s>|maybe {}|{} maybe|{} twice|{} when ready|{} before winter|{} but not now|{} (or {place})
{} and {place}|{} / {place}|{}, then {place}|{} {place}|{}, {place}
xyzzy {}|{}: xyzzy|xyzzy: {}|{} as a feint|{} ~~or {place}~~|{} against my will|never {}|{} by Tuesday"""
"""What is written around an order and may change it."""


def _accounted(readings: tuple[Reading, ...], plain: list[str]) -> bool:
    """Whether the words around the order were asked back, noted, or made something else of it."""
    if not readings or any(one.problem or one.notes or one.corrected for one in readings):
        return True
    return [str(one.order) for one in readings] != plain


def _may_be_on_the_way(crossing: Crossing) -> set[str]:
    """The places of an order, and the seas that may make its way longer: each may be named once more."""
    reach = Reach(crossing.position)
    named = {crossing.goal, *(province_of(unit.at) for unit in crossing.position.units)}
    return named | {sea for place in named for sea in reach.seas_at(place)}


@pytest.mark.parametrize("key", ["standard", "european", "global2", "calhamer1958"])
def test_words_around_an_order_are_accounted_for_and_each_reading_quotes_the_mail(key: str) -> None:
    board, rng = board_named(key), Random(1976)
    lost, misquoted = [], []
    for crossing in crossings(board, rng, 6):
        hand = Hand(board, rng)
        for written in rng.sample(list(hand.ways(crossing)), 12):
            before = read_orders(written.text, crossing.position, crossing.power)
            plain = [str(one.order) for one in before if one.understood]
            place = board.provinces[rng.choice(sorted(board.provinces.keys() - _may_be_on_the_way(crossing)))].name
            for form in MEANINGFUL.replace("\n", "|").split("|"):
                text = form.format(written.text, place=place)
                readings = read_orders(text, crossing.position, crossing.power)
                if plain and not _accounted(readings, plain):
                    lost.append(f"{text!r}: {[str(one.order) for one in readings]}")
                misquoted += [f"{text!r}: {one.text!r}" for one in readings if one.text not in text]
    assert not misquoted, "\n".join(misquoted)
    assert not lost, "\n".join(lost)
