"""The answer to a command that cannot be followed, as a value (no exception)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why not, and what to do instead.

    `slug` is stable ("not-your-seat"); `sentence` is finished English for the receipt; `mend` the line to send
    instead, where there is one, or one of several to a line; `clause` the rule behind it, where there is one.
    """

    slug: str
    sentence: str
    mend: str = ""
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Question(Refusal):
    """Not done yet: its author is asked once, by a letter, whether it shall be.

    `sentence` is what the letter says; it names everything that the yes is about. `about` says the same for the
    program, exactly: the yes brings the command once more, with `about` among `Actor.agreed`. Whoever answers with a
    question computes it anew then, so that a yes is good for these names and this phase only:

        about = f"process {game.phase} without {' '.join(missing)}"
        if missing and about not in actor.agreed:
            return Question("sets-missing", f"{names} have sent nothing for {title}.", about=about)
    """

    about: str = ""


def over(game: str) -> Refusal:
    """The refusal of any change to a game that has ended."""
    return Refusal("game-over", f"{game} has ended.")
