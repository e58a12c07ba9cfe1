"""The rules of a system as one frozen value: the answers to the questions that systems answer differently; and every
system that there is, by the key that games record.

A system is one module of `judge.variants`; importing that package lets all of them join. Two systems of one key, or two
presets of one name, are an error of the program and are refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, ClassVar

from judge.board.model import Board
from judge.board.spelling import nearest
from judge.languages import tell
from judge.orders.kinds import join_kinds
from judge.rules.calendar import CALENDAR_1976, Calendar
from judge.rules.choices import (
    CHOICES,
    AdjacentConvoy,
    CoastalCrawl,
    ConvoyedOrigin,
    ConvoyedRetreat,
    ConvoyRoutes,
    Cutting,
    DislodgedEffect,
    DisorderRetreats,
    ForeignBoarding,
    ImpossibleOrders,
    JointVictory,
    LandFallback,
    MinorHomeSix,
    MinorsBlock,
    Paradox,
    Removals,
    RetreatCollisions,
    SupportCoast,
    Waiving,
    read_choice,
)
from judge.rules.questions import Block, Questions
from judge.rules.reasons import Reason, add_reasons, retell


@dataclass(frozen=True, slots=True)
class Rules(Questions):
    """All answers. The defaults are the rules of 1976 as the judge reads them; `key` names the preset.

    Questions with a closed set of answers are fields; the others are the methods of `judge.rules.questions`.
    """

    tells_winner: ClassVar[bool] = False
    """Whether every answer of `judge adjudicate --jsonl` names the winner."""

    on_board: ClassVar[frozenset[str]] = frozenset()
    """The choices that change what `board` answers."""

    key: str = "1976"
    calendar: Calendar = CALENDAR_1976
    victory: int | None = None
    """Centres that win; None: as the board says."""

    convoy_routes: ConvoyRoutes = ConvoyRoutes.ANY_BREAKS
    paradox: Paradox = Paradox.RULES_1971
    adjacent_convoy: AdjacentConvoy = AdjacentConvoy.SWAP_ONLY
    land_fallback: LandFallback = LandFallback.YES
    convoyed_origin: ConvoyedOrigin = ConvoyedOrigin.PROVINCE
    dislodged_effect: DislodgedEffect = DislodgedEffect.NEVER
    convoyed_retreat: ConvoyedRetreat = ConvoyedRetreat.NO
    support_coast: SupportCoast = SupportCoast.IGNORED
    coastal_crawl: CoastalCrawl = CoastalCrawl.FORBIDDEN
    cutting: Cutting = Cutting.FOREIGN
    foreign_boarding: ForeignBoarding = ForeignBoarding.NO
    retreat_collisions: RetreatCollisions = RetreatCollisions.RULES_1976
    removals: Removals = Removals.HOME_DISTANCE
    disorder_retreats: DisorderRetreats = DisorderRetreats.DISBAND
    impossible_orders: ImpossibleOrders = ImpossibleOrders.UNSUPPORTED
    waiving: Waiving = Waiving.ALLOWED
    joint_victory: JointVictory = JointVictory.NO
    minors_block: MinorsBlock = MinorsBlock.YES
    minor_home_six: MinorHomeSix = MinorHomeSix.NO

    in_battle: frozenset[str] = field(init=False, repr=False, compare=False, default=frozenset())
    """What these rules are asked in a battle: the questions that they answer themselves, and "cutting", where own
    attacks cut as others do.
    """

    def __post_init__(self) -> None:
        more = {"cutting"} if self.cutting is Cutting.ANY_ATTACK else frozenset[str]()
        object.__setattr__(self, "in_battle", self.answered | more)

    def for_players(self, board: Board) -> tuple[str, ...]:
        """The powers that are given to players, in the board's order."""
        given = {power for hand in self.seats(board) for power in hand}
        return tuple(power for power in board.powers if power in given)

    def words(self) -> frozenset[str]:
        """The names of the kinds of order that these rules know."""
        return self.kinds().names

    def may_disband(self) -> bool:
        """Whether a unit can be given up that could retreat (XI)."""
        return "disband" in self.words()

    def with_choices(self, choices: Mapping[str, str]) -> Rules:
        """These rules with some choices answered otherwise; raises UnknownChoice for what it does not know.

        >>> Rules().with_choices({"convoy_routes": "one-suffices"}).differences()
        {'convoy_routes': 'one-suffices'}
        """
        read: dict[str, Any] = {
            name.strip().lower().replace("-", "_"): read_choice(name, value) for name, value in choices.items()
        }
        return replace(self, **read)

    def choices(self) -> dict[str, str]:
        """Every choice and its answer, as words."""
        return {name: str(getattr(self, name)) for name in CHOICES}

    def differences(self) -> dict[str, str]:
        """The choices that are not answered as in 1976: what a report names when it is not empty."""
        house = RULES_1976.choices()
        return {name: answer for name, answer in self.choices().items() if answer != house[name]}


RULES_1976 = Rules()
"""The rules of 1976: the judge default."""


Bundle = Mapping[str, str]
"""Setting -> its text."""


@dataclass(frozen=True, slots=True)
class RuleSystem:
    """A rule system as players meet it: its rules, and the presets that open a game of it.

    `presets`: name -> texts of the settings in which such a game differs from the judge's own; `rules` is one of them.
    `like` names a preset of the judge (`judge.game.settings.bundles`), whose settings hold where these say nothing.
    """

    rules: Rules
    title: str
    presets: Mapping[str, Bundle] = field(default_factory=lambda: MappingProxyType({}))
    reasons: Mapping[str, Reason] = field(default_factory=lambda: MappingProxyType({}))
    """Slug -> what it means: reasons for outcomes and refusals that 1976 does not have."""
    retold: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Slug -> the sentence that is said here of a reason that 1976 has, too."""
    clauses: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Clause of 1976 -> the clause that is cited here in its place."""
    brief: tuple[str, ...] = ()
    """The rules in a dozen lines, for the letter with which a game begins: paragraphs; one behind "- " is an item."""
    page: tuple[Block, ...] = ()
    """The rules in words: in what they differ from those of 1976, as players read it when they ask for the rules. The
    first sentence says what is special about them."""

    @property
    def about(self) -> str:
        """What is special about these rules, in a sentence; "" for an edition of the ordinary ones."""
        first = self.page[0].lines[0] if self.page else ""
        return first[: end + 1] if (end := first.find(". ")) >= 0 else first


def page_of(docstring: str | None) -> tuple[Block, ...]:
    """The page of rules that a module's docstring is: "Title: what is special." and numbered clauses below it.

    >>> page_of("Tolls: attacks cost a crown.\\n\\n1. Every power\\n   has three.\\n2. No more.")
    (Block(title='Tolls', lines=('Attacks cost a crown.', '1. Every power has three.', '2. No more.')),)
    """
    head, _, clauses = (docstring or "").strip().partition("\n\n")
    title, _, about = " ".join(head.split()).partition(": ")
    lines = (" ".join(clause.split()) for clause in re.split(r"\n(?=\d+\. )", clauses))
    return (Block(title, (about[:1].upper() + about[1:], *filter(None, lines))),)


class UnknownRules(ValueError):
    """No rules have this key; the message lists the keys that exist."""


_systems: dict[str, RuleSystem] = {}
_presets: dict[str, Bundle] = {}

RULE_SYSTEMS: Mapping[str, RuleSystem] = MappingProxyType(_systems)
"""Key -> system."""
SYSTEM_PRESETS: Mapping[str, Bundle] = MappingProxyType(_presets)
"""Name -> bundle of settings, of all systems."""


def join(system: RuleSystem) -> None:
    """Let a system join under its rules' key. Raises ValueError if the key, or the name of a preset, is taken."""
    if _systems.get(system.rules.key, system) != system:
        raise ValueError(f"two rule systems call themselves {system.rules.key!r}")
    for name in system.presets:
        if _presets.get(name, system.presets[name]) != system.presets[name]:
            raise ValueError(f"two presets are called {name!r}")
    _systems[system.rules.key] = system
    _presets.update(system.presets)
    add_reasons(system.reasons)
    if system.retold or system.clauses:
        retell(system.rules.key, system.retold, system.clauses)
    join_kinds(system.rules.kinds(), system.rules.key)


def rules_for(key: str) -> Rules:
    """The rules with this key; raises UnknownRules, which lists the keys that exist."""
    word = key.strip().lower()
    if word in _systems:
        return _systems[word].rules
    near = nearest(word, _systems)
    known = (
        tell("did you mean {near}?", near=near[0]) if near else tell("there are {systems}", systems=", ".join(_systems))
    )
    raise UnknownRules(f"there are no rules called {key!r}; {known}")
