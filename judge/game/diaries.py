"""Diaries and statements: words for posterity, sealed until the game is over.

A diary has as many pages as a player likes to write while he plays. A statement is his last word on the game; the
last one counts. Both are printed in the final letter; statements that come later are handed round at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from judge.game.commands import Actor, FeatureCommand, Role
from judge.game.decision import Decision
from judge.game.events import Event
from judge.game.model import Game, Page, Stage
from judge.game.refusal import Refusal

Lot = Callable[[], int]

MOST_PAGES = 200
LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Diary(FeatureCommand):
    """A page for the author's diary."""

    text: str


@dataclass(frozen=True, slots=True)
class Statement(FeatureCommand):
    """What a player has to say about the game as a whole."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWritten(Event):
    """A page of a diary."""

    seat: str
    phase: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementMade(Event):
    """A player's statement; his last one counts."""

    seat: str
    text: str


def diary(game: Game, command: Diary, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Keep a page; nobody reads it before the end, the Gamemaster neither."""
    if (refusal := _unfit(game, command.text, actor)) is not None:
        return refusal
    if game.stage is Stage.ENDED:
        return Refusal("game-over", f"{game.key} has ended and the diaries are open. Write a statement instead.")
    if sum(page.seat == actor.seat for page in game.diaries) >= MOST_PAGES:
        return Refusal("too-many", f"Your diary is full: it has {MOST_PAGES} pages.")
    phase = str(game.phase) if game.phase else ""
    event = PageWritten(at=now, by=actor.seat, seat=actor.seat, phase=phase, text=command.text.strip())
    return Decision((event,), said="The page is in your diary; it is opened when the game ends.")


def statement(game: Game, command: Statement, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Keep the statement until the end; after the end, hand it round."""
    if (refusal := _unfit(game, command.text, actor)) is not None:
        return refusal
    event = StatementMade(at=now, by=actor.seat, seat=actor.seat, text=command.text.strip())
    if game.stage is Stage.ENDED:
        return Decision((event,), said="Your statement goes to everybody.")
    return Decision((event,), said="Your statement is kept until the game ends; another one takes its place.")


def _unfit(game: Game, text: str, actor: Actor) -> Refusal | None:
    if actor.role is not Role.PLAYER or actor.seat not in game.seats:
        return Refusal("no-seat", f"Only the players of {game.key} write that.")
    if not text.strip():
        return Refusal("no-text", "There is no text. Write it on the lines below.")
    if len(text) > LONGEST:
        return Refusal("too-long", f"That is too long: at most {LONGEST} letters.")
    return None


def _page(game: Game, event: PageWritten) -> Game:
    return replace(game, diaries=(*game.diaries, Page(event.seat, event.phase, event.text)))


def _statement(game: Game, event: StatementMade) -> Game:
    page = Page(event.seat, str(game.phase) if game.phase else "", event.text)
    return replace(game, statements=MappingProxyType({**game.statements, event.seat: page}))


EVOLVE = {PageWritten: _page, StatementMade: _statement}
DECIDE = {Diary: diary, Statement: statement}
