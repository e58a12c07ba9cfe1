"""Diaries: texts that players write for the final letter, unread by anybody before.

A diary has as many pages as a player likes to write while they play; all of them are printed in the final letter.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge.game.core.affairs import DiaryPage
from judge.game.core.commands import Command, Role
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.events import Event
from judge.game.core.model import Game, Stage
from judge.game.core.registry import Feature

MOST_PAGES = 200
LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Diary(Command):
    """A page for the author's diary."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWritten(Event, told="seat"):
    """A page of a diary."""

    seat: str
    phase: str
    text: str


@dataclass(frozen=True, slots=True)
class DropPage(Command):
    """Take a page out of the author's diary. `page` counts from 1, as in the list of them."""

    page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PageDropped(Event, told="seat"):
    """A page is no longer in a diary; those behind it move up by one."""

    seat: str
    page: int


def diary(game: Game, command: Diary, context: Context) -> Decision | Refusal:
    """Keep a page; nobody reads it before the end, the Gamemaster neither."""
    if context.actor.role is not Role.PLAYER or context.seat not in game.seats:
        return Refusal("no-seat", f"Only the players of {game.key} write that.")
    if (refusal := unfit_text(command.text)) is not None:
        return refusal
    if game.stage is Stage.ENDED:
        return Refusal("game-over", f"{game.key} has ended and the diaries are open. Write a statement instead.")
    if sum(page.seat == context.seat for page in game.diaries) >= MOST_PAGES:
        return Refusal("too-many", f"Your diary is full: it has {MOST_PAGES} pages; `diary delete NUMBER` makes room.")
    phase = str(game.phase) if game.phase else ""
    event = PageWritten(at=context.now, by=context.seat, seat=context.seat, phase=phase, text=command.text.strip())
    return Decision((event,), said="The page is in your diary; it is opened when the game ends.")


def drop_page(game: Game, command: DropPage, context: Context) -> Decision | Refusal:
    """Nobody has read the page yet, so that it can go without a trace in the final letter."""
    if context.actor.role is not Role.PLAYER or context.seat not in game.seats:
        return Refusal("no-seat", f"Only the players of {game.key} have a diary.")
    if game.stage is Stage.ENDED:
        return Refusal("game-over", f"{game.key} has ended and the diaries are open.")
    count = len(pages_of(game, context.seat))
    if not 1 <= command.page <= count:
        return Refusal(
            "no-page", f"Your diary has {count} page{'' if count == 1 else 's'}; there is no {command.page}."
        )
    event = PageDropped(at=context.now, by=context.seat, seat=context.seat, page=command.page)
    return Decision((event,), said=f"Page {command.page} is taken out of your diary.")


def pages_of(game: Game, seat: str) -> tuple[DiaryPage, ...]:
    """The pages of one diary, in the order of their numbers."""
    return tuple(page for page in game.diaries if page.seat == seat)


def unfit_text(text: str) -> Refusal | None:
    """Why a text is no page and no statement; None if it can be one."""
    if not text.strip():
        return Refusal("no-text", "There is no text. Write it on the lines below.")
    if len(text) > LONGEST:
        return Refusal("too-long", f"That is too long: at most {LONGEST} letters.")
    return None


def _page(game: Game, event: PageWritten) -> Game:
    return replace(game, diaries=(*game.diaries, DiaryPage(event.seat, event.phase, event.text)))


def _dropped(game: Game, event: PageDropped) -> Game:
    own = [at for at, page in enumerate(game.diaries) if page.seat == event.seat]
    gone = own[event.page - 1]
    return replace(game, diaries=(*game.diaries[:gone], *game.diaries[gone + 1 :]))


FEATURE = Feature(
    evolve={PageWritten: _page, PageDropped: _dropped},
    decide={Diary: diary, DropPage: drop_page},
)
