"""A refusal is a value: the kind, precise answer to a command that cannot be followed. Never an exception."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why not, and what to do instead.

    `slug` is stable ("not-your-seat"); `sentence` is finished English for the receipt; `mend` the line to send
    instead, where there is one; `clause` the rule behind it, where there is one.
    """

    slug: str
    sentence: str
    mend: str = ""
    clause: str = ""


def over(game: str) -> Refusal:
    """Nobody changes a game that has ended."""
    return Refusal("game-over", f"{game} has ended.")
