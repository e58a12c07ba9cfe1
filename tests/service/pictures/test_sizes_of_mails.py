"""How large the mails are that bring results: with their pictures they stay small, on every board.

Whole mails are weighed: text, page, pictures, and what coding them costs. `tests/bench/weights.py` plays the games, and
says what the mails weigh.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest

from tests.bench.weights import GAMES, crowded_turns, weighed

LARGEST = 250_000
"""Octets of a mail of results with its pictures: two of the whole board, or one and two of its reader's part."""


@pytest.mark.parametrize("board", sorted(GAMES))
def test_results_with_their_pictures_are_small(tmp_path: Path, board: str) -> None:
    turns = crowded_turns(tmp_path, board)
    results = list(chain.from_iterable(next(turns) for _ in range(2)))
    turns.close()
    assert len(results) > 10
    for mail in results:
        pictures = [part for part in mail.walk() if part.get_content_type() == "image/png"]
        assert len(pictures) >= 2, mail["Subject"]
        assert weighed(mail)["mail"] < LARGEST, mail["Subject"]
