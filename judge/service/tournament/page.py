"""The page of a tournament for one reader: what is read for it, and what is played."""

from __future__ import annotations

from collections.abc import Callable

from judge.board.model import Board
from judge.game.core.model import Game
from judge.game.core.system import System
from judge.game.settings.bundles import bundle
from judge.game.settings.table import Settings, settings_from_text
from judge.people import tournament as tm
from judge.report.reply.tournament import TournamentPlay, TournamentView, tournament_view
from judge.report.table.news import News
from judge.service.core.house import House
from judge.service.core.members import Members
from judge.service.tournament.log import results_of
from judge.store import Transaction, View

Find = Callable[[str], Game | None]


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
