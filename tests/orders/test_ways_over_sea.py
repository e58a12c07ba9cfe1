"""No reading orders a unit that its line names only as a place inside another order.

"F Nwg S A Edi - Nth - Nwy" is one support, "A Wal - Hol via Eng, Nth" one move: the fleets on the way keep what they
have on file. Every way over one to three seas, on every board, in every separator and with names spelled out.
"""

from __future__ import annotations

from random import Random

import pytest

from judge.orders.reader import read_orders
from tests.support.archipelago import board_named
from tests.support.handwriting import Hand, crossings


@pytest.mark.parametrize("key", ["standard", "european", "global2"])
def test_only_who_is_ordered_gets_an_order(key: str) -> None:
    board, rng = board_named(key), Random(1901)
    wrong, read, all_ = [], 0, 0
    for crossing in crossings(board, rng, 30):
        for written in Hand(board, rng).ways(crossing):
            readings = read_orders(written.text, crossing.position, crossing.power)
            orders = [str(one.order) for one in readings if one.understood]
            others = [one for one in readings if one.understood and one.unit != written.unit]
            if others or (orders and orders != [written.order]):
                wrong.append(f"{written.text!r}: {orders}")
            read, all_ = read + bool(orders), all_ + 1
    assert not wrong, "\n".join(wrong)
    assert read > 0.8 * all_, "most of it is beyond doubt, and is read"
