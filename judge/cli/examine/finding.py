"""What an examination finds: whether it is well, and if not, what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    """`LOOK`: nothing is broken, but somebody should know; only `WRONG` makes the whole examination fail."""

    OK = "ok"
    LOOK = "look"
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One check: what was checked, how it is, what was found, and how to mend it ("" where there is nothing to)."""

    what: str
    health: Health
    say: str
    mend: str = ""

    @property
    def well(self) -> bool:
        """Whether nothing has to be done."""
        return self.health is not Health.WRONG


def ok(what: str, say: str) -> Diagnosis:
    """All is as it should be."""
    return Diagnosis(what, Health.OK, say)


def look(what: str, say: str, mend: str = "") -> Diagnosis:
    """Nothing is broken; somebody should know."""
    return Diagnosis(what, Health.LOOK, say, mend)


def wrong(what: str, say: str, mend: str) -> Diagnosis:
    """Something has to be done."""
    return Diagnosis(what, Health.WRONG, say, mend)
