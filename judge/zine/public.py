"""What the public may know of the games of this judge: which ones, and each with its history, as values.

Public is a game on the list that has begun and is nobody's practice. Of one that is played without names nobody's name
is told before its end; press is told with the results of its turn and not before, and by whom black press is, never;
statements are kept until they go round. Archive, feeds, exports and statistics ask here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from judge.game.core.commands import GM_SEAT, Colour
from judge.game.core.events import Event, GameStarted, PhaseAdjudicated, PressSent, SeatFilled
from judge.game.core.model import Game, Stage
from judge.game.repair.correcting import PositionCorrected
from judge.game.table.vacancies import vacant_seats
from judge.game.talk.epilogue import sealed
from judge.game.talk.press import PressRecalled
from judge.history.phases import timeline
from judge.languages import tell, together
from judge.pace import zone_info
from judge.report.core.letter import Cast, labelled
from judge.report.core.naming import many, powers_named
from judge.report.played.chart import ending_sentence
from judge.report.played.results import counting
from judge.report.reply.inquiries import opening
from judge.report.table.talk import EVERYBODY, signature
from judge.report.table.turns import words_of
from judge.service.core.judge import Judge
from judge.service.core.keeper import thaw_all
from judge.service.people.ratings import FinishedGame, finished_games
from judge.service.posting.outgoing import cast_of
from judge.store import Transaction, View
from judge.store.people import ANY_GAME
from judge.store.zines import ZineGameRow
from judge.zine.desk import last_day
from judge.zine.issue import Byline, GameEntry, GameOpening, Press, StandbyWanted
from judge.zine.numbers import irregularities, read_number
from judge.zine.statistics import GameResult, season_of


def is_public(game: Game) -> bool:
    """Whether everybody may read of a game."""
    return game.settings.listed and game.practice is None


Shown = Callable[[Game], bool]
"""Whether a game is shown."""


@dataclass(frozen=True, slots=True, eq=False)
class PublicGame:
    """A game that is shown and has begun. `entry`: in the register, None where it has none yet."""

    game: Game
    events: Sequence[Event]
    cast: Cast
    entry: ZineGameRow | None = None

    def name(self, person: int) -> str:
        """Somebody's name."""
        return self.cast.member(person).name

    @property
    def started_at(self) -> datetime:
        """When it began."""
        return next(event.at for event in self.events if isinstance(event, GameStarted))

    @property
    def began(self) -> date:
        """The day on which it began."""
        return self.started_at.date()

    @property
    def ended(self) -> date | None:
        """The day on which it ended."""
        return self.game.ending.at.date() if self.game.ending else None

    @property
    def number(self) -> str:
        """Its number, "" before it has one."""
        return self.entry.number or "" if self.entry else ""

    @property
    def phases(self) -> tuple[PhaseAdjudicated, ...]:
        """The phases that were played and count, each in its last version."""
        return tuple(one for one in counting(self.events, self.game.calendar) if isinstance(one, PhaseAdjudicated))


def opened(
    judge: Judge, view: View | Transaction, key: str, entry: ZineGameRow | None, shown: Shown = is_public
) -> PublicGame | None:
    """A game with its history; None where there is none, or it is not to be shown, or has not begun."""
    game = judge.keeper.load(view, key)
    if game is None or not shown(game) or game.position is None:
        return None
    events = tuple(thaw_all(view.events.load(key)))
    if not any(isinstance(event, GameStarted) for event in events):
        return None
    return PublicGame(game, events, cast_of(judge, view, game), entry)


def public_games(judge: Judge, view: View | Transaction, shown: Shown = is_public) -> Iterator[PublicGame]:
    """Every public game that has begun, by name; or every one that is to be shown to somebody who may see more."""
    entries = {row.key: row for row in view.zines.games()}
    rows = view.games.list(states=(str(Stage.RUNNING), str(Stage.ENDED)))
    for row in sorted(rows, key=lambda each: each.key):
        if (one := opened(judge, view, row.key, entries.get(row.key), shown)) is not None:
            yield one


def game_entry(one: PublicGame) -> GameEntry:
    """A game as zines head it, without seasons; its Gamemaster by name alone."""
    number = read_number(one.number) if one.number else None
    return GameEntry(
        game=one.game.key,
        number=one.number,
        miller=bool(number and number.designator),
        kind=tell("gunboat game") if one.game.settings.anonymous else "game",
        variant=labelled(one.game),
        gm=Byline(one.name(one.game.gm)) if one.game.gm else None,
    )


def standing(judge: Judge, one: PublicGame) -> str:
    """How a game stands, or ended, as a sentence."""
    game = one.game
    if (ending := ending_sentence(game)) is not None:
        return judge.in_words(ending)
    if game.held_since is not None:
        return "On hold."
    due = ""
    if game.deadline:
        day = last_day(game.deadline.at, zone_info(game.settings.zone))
        due = f", due {day:%A %-d %B %Y}"
    vacant = vacant_seats(game)
    wanted = ""
    if vacant:
        names = powers_named(tuple(power for seat in vacant for power in seat.powers), game.board)
        wanted = tell("A standby is wanted for {names}.", names=names)
    return together(f"{game.phase_title}{due}.", wanted)


def game_result(judge: Judge, one: PublicGame) -> GameResult:
    """A game's row in the table of all games."""
    counted = max(one.game.chart, default=0)
    return GameResult(
        name=one.game.key,
        number=one.number,
        variant=labelled(one.game),
        gm=one.name(one.game.gm) if one.game.gm else "",
        began=one.began,
        ended=one.ended,
        year=counted if len(one.game.chart) > 1 else 0,
        result=standing(judge, one) if one.game.ending else "",
        irregular=bool(irregularities(one.events)),
    )


def rated_games(judge: Judge, view: View | Transaction) -> tuple[FinishedGame, ...]:
    """The public games that ended with a score, in the order in which they ended."""

    def load(key: str) -> Game | None:
        return judge.keeper.load(view, key)

    return tuple(one for one in finished_games(view, load) if (game := load(one.key)) is not None and is_public(game))


# --- press ----------------------------------------------------------------------------------------------------------


def public_press(judge: Judge, one: PublicGame) -> Mapping[str, tuple[Press, ...]]:
    """Press to everybody, by the phases that were played, where whoever likes may observe the game, or it is over."""
    game = one.game
    found: dict[str, tuple[Press, ...]] = {}
    if game.stage is not Stage.ENDED and not game.settings.observers:
        return found
    turns = timeline(one.events)
    played = [str(event.phase) for event in counting(one.events, game.calendar)]
    recalled = {event.number for event in one.events if isinstance(event, PressRecalled)}
    filled = {event.seat: place for place, event in enumerate(one.events) if isinstance(event, SeatFilled)}
    for place, event in enumerate(one.events):
        if not isinstance(event, PressSent) or EVERYBODY not in event.to or event.number in recalled:
            continue
        phase = turns.at(event.at)
        if phase in played:
            signed, claims = signature(game, one.cast, event, former=filled.get(event.by, -1) > place)
            press = Press(Colour(event.colour), judge.in_words(signed) if signed else claims, event.text)
            found[phase] = (*found.get(phase, ()), press)
    return found


def public_statements(judge: Judge, one: PublicGame) -> tuple[tuple[str, str], ...]:
    """(author, words) of the statements on a game that is over, once they have gone round."""
    game = one.game
    if game.stage is not Stage.ENDED or sealed(game):
        return ()
    order = [*game.seats, GM_SEAT]
    pages = sorted((page for page in game.statements.values() if page.text), key=lambda page: order.index(page.seat))
    return tuple((judge.in_words(words_of(game, page, one.cast).author), page.text) for page in pages)


# --- what writes itself ---------------------------------------------------------------------------------------------


def openings(judge: Judge, view: View | Transaction) -> Iterator[GameOpening]:
    """Games that take players, with what each is like and how one joins."""
    for game in _listed(judge, view, Stage.OPEN):
        told = opening(game, cast_of(judge, view, game))
        if told.players >= told.wanted:
            continue
        chosen = [] if told.access == "open" else [tell("Its Gamemaster chooses the players.")]
        notes = [f"Press: {told.press}.", *chosen, *([tell("Played without names.")] if told.anonymous else [])]
        if told.about:
            notes.append(told.about.strip().rstrip(".") + ".")
        yield GameOpening(
            game=game.key,
            variant=told.variant,
            gm=Byline(told.gm) if told.gm else None,
            seats=f"{told.players} of {many(told.wanted, 'player')}",
            how=tell(
                "Write to {game_address}: join {game}", game_address=judge.office.game_address(game.key), game=game.key
            ),
            preferences=True,
            map_offered=True,
            notes=tuple(notes),
        )


def standbys_wanted(judge: Judge, view: View | Transaction) -> Iterator[StandbyWanted]:
    """Powers without a player in games that run."""
    for game in _listed(judge, view, Stage.RUNNING):
        for seat in vacant_seats(game):
            names = powers_named(seat.powers, game.board)
            centres = sum(len(game.position.centres(power)) for power in seat.powers) if game.position else 0
            since = seat.terms[-1].until if seat.terms else ""
            yield StandbyWanted(
                game=game.key,
                power=names,
                since=season_of(game, since) if since else "",
                state=many(centres, "centre"),
                how=tell(
                    "Write to {game_address}: claim {powers}",
                    game_address=judge.office.game_address(game.key),
                    powers=seat.powers[0].title(),
                ),
            )


def standby_names(view: View | Transaction, names: Callable[[int], str]) -> tuple[str, ...]:
    """Those who would take a seat of any game, first come first."""
    return tuple(names(row.person_id) for row in view.lists.standbys(ANY_GAME))


def _listed(judge: Judge, view: View | Transaction, stage: Stage) -> Iterator[Game]:
    for row in view.games.list(states=(str(stage),)):
        game = judge.keeper.load(view, row.key)
        if game is not None and is_public(game):
            yield game


def corrections_of(one: PublicGame) -> Mapping[str, tuple[PositionCorrected, ...]]:
    """Phase -> how its Gamemaster has put right the position behind its results, those that count now."""
    since = {event.phase: event.at for event in one.phases}
    found: dict[str, tuple[PositionCorrected, ...]] = {}
    for event in one.events:
        if isinstance(event, PositionCorrected) and event.at >= since.get(event.phase, event.at):
            found[event.phase] = (*found.get(event.phase, ()), event)
    return found


def moments_of(one: PublicGame) -> Mapping[str, tuple[datetime, datetime]]:
    """Phase -> when its results were first told, and when they were put right last."""
    first: dict[str, datetime] = {}
    for event in one.events:
        if isinstance(event, PhaseAdjudicated):
            first.setdefault(event.phase, event.at)
    corrected = corrections_of(one)
    return {
        event.phase: (
            min(first[event.phase], event.at),
            max([event.at, *(each.at for each in corrected.get(event.phase, ()))]),
        )
        for event in one.phases
    }
