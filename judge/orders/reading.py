"""What reading a text of orders comes to: one `Reading` for every order-like piece, understood or answered.

A reading is never an exception. What was not understood, or has two meanings, carries a `Problem`: a stable slug, one
sentence for the player and the lines that they may send instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from judge.board.model import province_of
from judge.board.unit import Unit
from judge.orders.kinds import Kinds, family
from judge.orders.model import Build, Order

CHATTER = "not-an-order"
"""The slug of a line that was never meant as an order."""

AWAY = "for-another-power"
"""The slug of a line that its author wrote for another power of theirs."""


KEPT = "kept"
"""The note of a reading that leaves its unit what is on file for it; where nothing is, its order counts."""

EXPANDED = "expanded"
"""The note of a reading that was written for several units at once."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a piece of text is no order yet.

    `slug`: "two-meanings", "no-such-place" ...; all are listed in `judge.orders.problems`. `candidates`: what to send
    instead, most likely first: orders, or lines where no order value fits (a nationality to add). `clause`: the rule.
    `guessed`: whether the candidates are guesses, so that the sentence holds without them. The sentence names none of
    them: whoever prints it prints them too, as lines that can be chosen.
    """

    slug: str
    sentence: str
    candidates: tuple[Order | str, ...] = ()
    clause: str = ""
    guessed: bool = False


class Reading(NamedTuple):
    """One order-like piece of text. A named tuple, because thousands are made of canonical lines: it takes a third of
    the time of a frozen dataclass.

    `notes` are slugs of what the receipt shows: "wrong-unit-letter", "coast-supplied", "coast-ignored",
    "words-ignored", "via-ignored", `EXPANDED`, `KEPT`, "same-line-twice".
    """

    line: int
    """1-based line number in the given text."""
    text: str
    """As written, trimmed."""
    order: Order | None = None
    power: str | None = None
    """Whose order it is, as far as it can be told."""
    corrected: str = ""
    """Empty, or what a typing slip looked like: 'you wrote "F Pic - Belguim"'."""
    notes: tuple[str, ...] = ()
    problem: Problem | None = None
    about: Unit | str | None = None
    """The unit, or the province of the build, that it speaks of where its order does not say it: see `unit`, `site`."""
    slot: int = 1
    """Of a build: which of several at one site, where the rules have room for more than one."""

    @property
    def unit(self) -> Unit | None:
        """The unit that it speaks of, refused or not; None where that is not known, and for builds."""
        found = self.about or getattr(self.order, "unit", None)
        return found if isinstance(found, Unit) else None

    @property
    def site(self) -> str:
        """The province of the build that it speaks of, refused or not; empty where that is not known."""
        if isinstance(self.order, Build):
            return province_of(self.order.at)
        return self.about if isinstance(self.about, str) else ""

    @property
    def order_like(self) -> bool:
        """Whether it is an order or was to be one; chatter is neither, and never a fault."""
        return self.problem is None or self.problem.slug != CHATTER

    @property
    def understood(self) -> bool:
        """Whether the piece is an order that can be filed."""
        return self.problem is None and self.order is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How strictly a game wants its orders written, and for whom they are read.

    `permissive`: a line that names a known unit and makes no sense as an order for it becomes a `Misorder`.
    `no_mistakes`: wrong unit letters are asked back, and so are two different orders for one unit.
    `spelled_names`: province names must be more than a code. `demand_nationality`: foreign units that are
    supported or convoyed must be given theirs. `refuse_blanket`: "all others hold" is refused. `kinds`:
    the kinds of order that the rules know; None: those of the board's rules, or of 1976. `others`: further powers
    of the same player; what stands under a heading with one of their names has the problem `AWAY`. `exact_codes`: a
    program wrote them, so a code in a canonical line means its place alone, though people write it for another
    place too ("F ROM - TYR"). `unplayed`: powers that nobody plays, whose units take orders from nobody.
    """

    permissive: bool = False
    no_mistakes: bool = False
    spelled_names: bool = False
    demand_nationality: bool = False
    refuse_blanket: bool = False
    kinds: Kinds | None = None
    others: frozenset[str] = frozenset()
    exact_codes: bool = False
    unplayed: frozenset[str] = frozenset()

    @property
    def known(self) -> Kinds:
        """The kinds of order that are read."""
        return self.kinds if self.kinds is not None else family()

    @property
    def words(self) -> frozenset[str]:
        """Their names."""
        return self.known.names


TOLERANT = ReadOptions()
