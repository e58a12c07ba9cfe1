"""A rule system as one frozen value: the answers to the questions that systems answer differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from judge.board.model import Board
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
from judge.rules.questions import Questions


@dataclass(frozen=True, slots=True)
class Rules(Questions):
    """All answers. The defaults are the rules of 1976 as the house reads them; `key` names the preset.

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
"""The rules of 1976: the house default."""
