"""No main work of the judge takes three in a hundred more steps than when it was last counted (`tests.bench.steps`).

Counts, not times: they are the same in every run. Whoever adds to a work what it needs to do counts anew and says so
in the commit: `python -m tests.bench.steps --write`.
"""

from __future__ import annotations

import pytest

from tests.bench.steps import VERSION, grown, known, measure


def test_no_work_has_grown() -> None:
    before = known()
    if not before:
        pytest.skip(f"nothing was counted with Python {VERSION}: python -m tests.bench.steps --write")
    now = measure()
    assert now.keys() == before.keys()
    assert not (found := grown(now, before)), "; ".join(found) + " (python -m tests.bench.steps --write, if need be)"


def test_what_has_grown_is_named_with_the_functions_that_did_it() -> None:
    before = {"solve": {"a.py:one": 500, "a.py:two": 500}, "settle": {"b.py:three": 100}}
    assert not grown({"solve": {"a.py:one": 529, "a.py:two": 500}, "settle": {"b.py:three": 90}}, before)
    (said,) = grown(
        {"solve": {"a.py:one": 531, "a.py:two": 490, "a.py:new": 20}, "settle": {"b.py:three": 103}}, before
    )
    assert said == "solve takes 1,041 steps instead of 1,000 (+4.1%), most of it in a.py:one (+31), a.py:new (+20)"
