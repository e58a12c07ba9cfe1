"""Texts for the end of a game: diaries that nobody reads before, and each player's last word on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, Actor, Command, Context, Decision, Lot, Refusal, Role
from judge.game.core.events import Event
from judge.game.core.evolve import Feature, OwnClock
from judge.game.core.model import Game, Stage
from judge.game.core.parts import DiaryPage, Epilogue
from judge.languages import tell
from judge.pace import later, zone_info

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
        return Refusal("no-seat", tell("Only the players of {game} write that.", game=game.key))
    if (refusal := unfit_text(command.text)) is not None:
        return refusal
    if game.stage is Stage.ENDED:
        return Refusal(
            "game-over", tell("{game} has ended and the diaries are open. Write a statement instead.", game=game.key)
        )
    if sum(page.seat == context.seat for page in game.diaries) >= MOST_PAGES:
        return Refusal(
            "too-many",
            tell(
                "Your diary is full: it has {most_pages} pages; `diary delete NUMBER` makes room.",
                most_pages=MOST_PAGES,
            ),
        )
    phase = str(game.phase) if game.phase else ""
    event = PageWritten(at=context.now, by=context.seat, seat=context.seat, phase=phase, text=command.text.strip())
    return Decision((event,), said=tell("The page is in your diary; it is opened when the game ends."))


def drop_page(game: Game, command: DropPage, context: Context) -> Decision | Refusal:
    """Nobody has read the page yet, so that it can go without a trace in the final letter."""
    if context.actor.role is not Role.PLAYER or context.seat not in game.seats:
        return Refusal("no-seat", tell("Only the players of {game} have a diary.", game=game.key))
    if game.stage is Stage.ENDED:
        return Refusal("game-over", tell("{game} has ended and the diaries are open.", game=game.key))
    count = len(pages_of(game, context.seat))
    if not 1 <= command.page <= count:
        return Refusal(
            "no-page",
            tell(
                "Your diary has {count} page{how}; there is no {page}.",
                count=count,
                how="" if count == 1 else "s",
                page=command.page,
            ),
        )
    event = PageDropped(at=context.now, by=context.seat, seat=context.seat, page=command.page)
    return Decision((event,), said=tell("Page {page} is taken out of your diary.", page=command.page))


def pages_of(game: Game, seat: str) -> tuple[DiaryPage, ...]:
    """The pages of one diary, in the order of their numbers."""
    return tuple(page for page in game.diaries if page.seat == seat)


def unfit_text(text: str) -> Refusal | None:
    """Why a text is no page and no statement; None if it can be one."""
    if not text.strip():
        return Refusal("no-text", tell("There is no text. Write it on the lines below."))
    if len(text) > LONGEST:
        return Refusal("too-long", tell("That is too long: at most {longest} letters.", longest=LONGEST))
    return None


def _page(game: Game, event: PageWritten) -> Game:
    return replace(game, diaries=(*game.diaries, DiaryPage(event.seat, event.phase, event.text)))


def _dropped(game: Game, event: PageDropped) -> Game:
    own = [at for at, page in enumerate(game.diaries) if page.seat == event.seat]
    gone = own[event.page - 1]
    return replace(game, diaries=(*game.diaries[:gone], *game.diaries[gone + 1 :]))


REMINDED = timedelta(days=3)
"""How long before their day those are reminded who have not written yet; half-way where there is less time."""


@dataclass(frozen=True, slots=True)
class Statement(Command):
    """What a player has to say about the game as a whole; with `none`, that they have nothing to say."""

    text: str = ""
    none: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementMade(ev.Event, told="seat,made"):
    """A statement, of a player or of the Gamemaster; the last one counts. Without text: they have nothing to say."""

    seat: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementsCalled(ev.Event, told="until"):
    """The game is over and statements are sealed until `until`."""

    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementsReminded(ev.Event, told="seats"):
    """These seats have not written yet."""

    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementsPublished(ev.Event, told=""):
    """All statements go round. `why`: "all" have spoken, or the "day" has come."""

    why: str


def sealed(game: Game) -> bool:
    """Whether statements on this game are still kept from everybody, although it is over."""
    return game.stage is Stage.ENDED and game.epilogue is not None and not game.epilogue.published


def silent(game: Game) -> tuple[str, ...]:
    """Seats whose players have neither written a statement nor said that they have none."""
    return tuple(seat.id for seat in game.seats.values() if seat.filled and seat.id not in game.statements)


def statement(game: Game, command: Statement, context: Context) -> Decision | Refusal:
    """Keep the statement until all have spoken; hand it round if they have."""
    governs = context.actor.role is Role.GM and context.seat == GM_SEAT
    if not governs and (context.actor.role is not Role.PLAYER or context.seat not in game.seats):
        return Refusal("no-seat", tell("Only the players of {game} and its Gamemaster write that.", game=game.key))
    if command.none and game.stage is not Stage.ENDED:
        return Refusal("not-over", tell("{game} is not over yet; you will be asked when it is.", game=game.key))
    if not command.none and (refusal := unfit_text(command.text)) is not None:
        return refusal
    event = StatementMade(at=context.now, by=context.seat, seat=context.seat, text=command.text.strip())
    return Decision((event,), said=_said(game, command, context.actor))


def _said(game: Game, command: Statement, actor: Actor) -> str:
    if command.none:
        return tell("Noted: you have nothing to say about the game.")
    if game.stage is not Stage.ENDED:
        return tell("Your statement is kept until the game ends; another one replaces it.")
    if not sealed(game):
        return tell("Your statement goes to everybody.")
    if set(silent(game)) <= {actor.seat}:
        return tell("Your statement was the last one: now all of them go to everybody.")
    return tell("Your statement is sealed until all have answered or the day has come; another one replaces it.")


# --- when it is over ----------------------------------------------------------------------------------------------


def _call(game: Game, event: ev.GameEnded) -> tuple[ev.Event, ...]:
    """Ask for what is missing; where nothing is, the final letter has it all."""
    span = game.settings.statements
    if not span or game.practice is not None or game.position is None or not silent(game):
        return ()
    return (StatementsCalled(at=event.at, until=later(event.at, span, zone_info(game.settings.zone))),)


def _last_one(game: Game, event: StatementMade) -> tuple[ev.Event, ...]:
    if not sealed(game) or silent(game):
        return ()
    return (StatementsPublished(at=event.at, why="all"),)


def next_moment(game: Game) -> datetime | None:
    """When somebody is to be reminded, or the day has come."""
    if game.epilogue is None or not sealed(game):
        return None
    return game.epilogue.until if game.epilogue.reminded else _reminder_moment(game.epilogue)


def _reminder_moment(epilogue: Epilogue) -> datetime:
    return epilogue.until - min(REMINDED, (epilogue.until - epilogue.called_at) / 2)


def events_due(game: Game, now: datetime, lot: Lot) -> tuple[ev.Event, ...]:
    """Remind once; publish when the day has come. A reminder that a downtime made us miss is left out."""
    moment = next_moment(game)
    if game.epilogue is None or moment is None or now < moment:
        return ()
    if now >= game.epilogue.until:
        return (StatementsPublished(at=now, why="day"),)
    return (StatementsReminded(at=now, seats=silent(game)),)


# --- state --------------------------------------------------------------------------------------------------------


def _made(game: Game, event: StatementMade) -> Game:
    page = DiaryPage(event.seat, str(game.phase) if game.phase else "", event.text)
    return replace(game, statements=MappingProxyType({**game.statements, event.seat: page}))


def _called(game: Game, event: StatementsCalled) -> Game:
    return replace(game, epilogue=Epilogue(event.at, event.until))


def _reminded(game: Game, event: StatementsReminded) -> Game:
    return replace(game, epilogue=replace(game.epilogue, reminded=True) if game.epilogue else None)


def _published(game: Game, event: StatementsPublished) -> Game:
    return replace(game, epilogue=replace(game.epilogue, published=True) if game.epilogue else None)


FEATURE = Feature(
    evolve={
        PageWritten: _page,
        PageDropped: _dropped,
        StatementMade: _made,
        StatementsCalled: _called,
        StatementsReminded: _reminded,
        StatementsPublished: _published,
    },
    decide={Diary: diary, DropPage: drop_page, Statement: statement},
    undo={StatementMade: ("It is kept as your statement on the game; another one replaces it", "help statement")},
    follow={ev.GameEnded: _call, StatementMade: _last_one},
    clock=OwnClock(next_moment, events_due, stage=Stage.ENDED),
)
