"""What a trial has found: whether the judge kept its two promises, and what it told everybody meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

from judge.testing.letters import ReceivedLetter


@dataclass(frozen=True)
class Findings:
    """What a trial found. `lost`, `false`: sentences, none when the judge kept its promises. `told`: other letters than
    receipts by subject, with their number. `noticed`: what the trial itself saw on the way.
    """

    mails: int
    letters: int
    twice: int
    lost: tuple[str, ...]
    false: tuple[str, ...]
    told: tuple[tuple[str, int], ...]
    noticed: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether both promises were kept."""
        return not self.lost and not self.false


def says_so(letter: ReceivedLetter) -> bool:
    """Whether a letter tells that the mail could not be dealt with."""
    return "could not be dealt with" in letter.subject
