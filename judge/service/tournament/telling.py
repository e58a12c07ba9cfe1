"""What the page of a tournament shows, and whom it is sent to: when a round begins, when a board has ended, at the
end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from judge.board.model import Board
from judge.game.core.model import Game, Stage
from judge.game.core.system import System
from judge.game.settings.bundles import bundle
from judge.game.settings.table import Settings, settings_from_text
from judge.people import tournament as tm
from judge.report.reply.tournament import (
    TournamentPlay,
    TournamentView,
    boards_over,
    ended,
    tournament_letter,
    tournament_view,
)
from judge.report.table.news import News
from judge.service.core.directory import Members
from judge.service.core.house import House
from judge.service.posting.outgoing import put
from judge.service.tournament.log import INDEX, load, record, results_of
from judge.store import Transaction, View

Find = Callable[[str], Game | None]


# --- the page -------------------------------------------------------------------------------------------------------


def page_for(
    house: House, view: View | Transaction, now: tm.Tournament, members: Members, reader: int, *news: News,
    find: Find | None = None,
) -> TournamentView:  # fmt: skip
    """The page for one reader, with what has just happened. `find`: a game by name, where it is not written yet."""
    members.gather((*now.entrants, now.terms.director))
    seen = find or (lambda key: house.keeper.load(view, key))
    system, settings = _system(house, now)
    games = {one.game: seen(one.game) for one in (now.rounds[-1] if now.rounds else ())}
    played = TournamentPlay(
        system.board, system.rules, settings, len(system.rules.seats(system.board)), games, results_of(view, now)
    )
    return tournament_view(now, played, lambda person: members[person].name, reader, news)


def hands_of(house: House, now: tm.Tournament) -> tuple[Board, tuple[tuple[str, ...], ...]]:
    """The board that is played, and the powers of each player."""
    system, _ = _system(house, now)
    return system.board, system.rules.seats(system.board)


def _system(house: House, now: tm.Tournament) -> tuple[System, Settings]:
    settings = settings_from_text({**bundle(now.terms.preset), **dict(now.terms.settings)})
    return house.shelf(settings), settings


# --- whom it is sent to ---------------------------------------------------------------------------------------------


def ended_boards(view: View) -> list[str]:
    """The tournaments of which boards have ended that were not noted yet."""
    rows = view.meta.all(INDEX).items()
    playing = [key.removeprefix(INDEX) for key, stage in rows if stage == tm.TournamentStage.PLAYING]
    return [name for name in playing if (now := load(view, name)) is not None and _ended(view, now)]


def note_boards(house: House, names: Sequence[str]) -> int:
    """Note boards that have ended, and tell everybody how the tournament stands. Returns how many had."""
    return sum(_note(house, name) for name in names)


def _ended(view: View | Transaction, now: tm.Tournament) -> list[str]:
    """Boards that are over, and were not noted yet."""
    on = [board.game for board in now.rounds[-1] if not board.over] if now.rounds else []
    cards = ((game, view.games.find(game)) for game in on)
    return [game for game, card in cards if card is None or card.state == Stage.ENDED]


def _note(house: House, name: str) -> int:
    at = house.clock.now()
    with house.store.write() as unit:
        now = load(unit, name)
        over = _ended(unit, now) if now is not None else []
        if now is None or not over:
            return 0
        events: list[tm.Happening] = [tm.BoardOver(game) for game in over]
        after = record(unit, name, now, events, at)
        final = after.stage is tm.TournamentStage.OPEN and len(after.rounds) == after.terms.rounds
        if final:
            after = record(unit, name, after, [tm.TournamentEnded()], at)
        closed = after.stage is tm.TournamentStage.OPEN
        told = boards_over(over, len(after.rounds), closed=closed)
        news = (told, ended(early=False)) if final else (told,)
        tell_all(house, unit, after, *news, about="+".join(over))
    return len(over)


def tell_director(house: House, unit: Transaction, now: tm.Tournament, news: News, *, about: str) -> None:
    """The page to the director, for what concerns nobody else. `about`: of which happening, once."""
    tell_some(house, unit, now, (now.terms.director,), news, about=about)


def tell_all(
    house: House, unit: Transaction, now: tm.Tournament, *news: News, about: str, find: Find | None = None
) -> None:
    """The page to everybody who takes part, or did, and to the director. `about`: of which happening, once."""
    tell_some(house, unit, now, (*now.entrants, now.terms.director), *news, about=about, find=find)


def tell_some(
    house: House, unit: Transaction, now: tm.Tournament, persons: Sequence[int], *news: News, about: str,
    find: Find | None = None,
) -> None:  # fmt: skip
    """The page to these persons. `about`: of which happening, once for each."""
    members = Members(unit)
    members.gather((*now.entrants, now.terms.director))
    for person in persons:
        view = page_for(house, unit, now, members, person, *news, find=find)
        letter = tournament_letter(view, members[person], house.office, about=about)
        put(house, unit, letter, house.clock.now(), members=members)
