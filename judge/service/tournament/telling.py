"""Everybody is told how a tournament stands: when a round begins, when a board has ended, and at the end."""

from __future__ import annotations

from collections.abc import Sequence

from judge.game.core.model import Stage
from judge.people import tournament as tm
from judge.report.reply.tournament import boards_over, ended, tournament_letter
from judge.report.table.news import News
from judge.service.core.house import House
from judge.service.core.members import Members
from judge.service.posting.mailbag import put
from judge.service.tournament.log import INDEX, load, record
from judge.service.tournament.page import Find, page_for
from judge.store import Transaction, View


def note_boards(house: House) -> int:
    """Note boards that have ended, and tell everybody how the tournament stands. Returns how many had."""
    with house.store.read() as view:
        playing = [
            key.removeprefix(INDEX)
            for key, stage in view.meta.all(INDEX).items()
            if stage == tm.TournamentStage.PLAYING
        ]
        due = [name for name in playing if (now := load(view, name)) is not None and _ended(view, now)]
    return sum(_note(house, name) for name in due)


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
