"""What the worst mails cost: seconds, letters and bytes for each. Run: python -m tests.bench.worst_mails [WORD ...].

Exit 1 if one of them takes a second or more. Each is sent twice: unproved, as a forger sends it in a player's name, and
with our own mail server's word for it.
"""

from __future__ import annotations

import sys
from time import process_time
from typing import NamedTuple

from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from tests.support.floods import FLOODS

_ALLOWED_SECONDS = 1.0


class Cost(NamedTuple):
    """Processor seconds, letters that left, and their bytes."""

    seconds: float
    letters: int
    octets: int


def cost(text: str, *, vouched: bool) -> Cost:
    """Of one mail from a player of a game of seven, from the door to the last letter composed and handed over."""
    stage = LocalJudge()
    try:
        seat_everybody(stage, "baltic")
        stage.begin()
        stage.send(player_of("ENGLAND"), "A Lvp - Yor", subject="baltic")
        before = len(stage.everything())
        start = process_time()
        stage.send(player_of("FRANCE"), text, subject="baltic", vouched=vouched)
        seconds = process_time() - start
        letters = stage.everything()[before:]
        return Cost(seconds, len(letters), sum(len(letter.raw) for letter in letters))
    finally:
        stage.close()


def main(words: list[str]) -> int:
    """Print a row for each mail and proof; the exit code."""
    worst = 0.0
    for name, text in FLOODS.items():
        if words and not any(word in name for word in words):
            continue
        for vouched in (False, True):
            found = cost(text, vouched=vouched)
            worst = max(worst, found.seconds)
            proof = "proved" if vouched else "unproved"
            print(f"{found.seconds:7.2f} s {found.letters:6} letters {found.octets:10,} bytes  {proof:8}  {name}")
    return int(worst >= _ALLOWED_SECONDS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
