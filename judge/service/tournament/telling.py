"""What the page of a tournament shows, and whom it is sent to: when a round begins, when a board has ended, at the
end.

The log of a tournament: events of its own beside those of the games, under the key "tournament:NAME"; and what its
boards came to, read from the games' cards.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec

from judge.board.model import Board
from judge.game.core.model import Game, Stage, System
from judge.game.settings.bundles import bundle
from judge.game.settings.table import Settings, settings_from_text
from judge.game.table.scoring import answers_for, points_of, score_from_json
from judge.languages import speak
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
from judge.service.core.judge import Judge
from judge.service.posting.outgoing import put
from judge.store import Transaction, View
from judge.store.rows import NewEvent

INDEX = "tournament."
"""Of the settings under which the stage of each tournament is kept, by its name."""


def load(view: View | Transaction, name: str) -> tm.Tournament | None:
    """A tournament as it stands; None if there is none of that name."""
    found: tm.Tournament | None = None
    for stored in view.events.load(f"tournament:{name}"):
        event = tm.happening_from_json(stored.kind, msgspec.json.decode(stored.data))
        if found is None:
            assert isinstance(event, tm.Announced)
            found = tm.announce(name, event)
        else:
            found = tm.proceed(found, event)
    return found


def record(
    unit: Transaction, name: str, before: tm.Tournament | None, events: Sequence[tm.Happening], now: datetime,
    mail: int | None = None,
) -> tm.Tournament:  # fmt: skip
    """Let events happen to a tournament, and write them. Raises Conflict if somebody was first."""
    after, rows = before, []
    for event in events:
        kind, facts = tm.happening_to_json(event)
        rows.append(NewEvent(kind, 1, msgspec.json.encode(facts).decode()))
        if after is None:
            assert isinstance(event, tm.Announced)
            after = tm.announce(name, event)
        else:
            after = tm.proceed(after, event)
    assert after is not None
    unit.events.append(f"tournament:{name}", before.seq if before else 0, rows, at=now, mail_id=mail)
    unit.meta.set(f"{INDEX}{name}", str(after.stage))
    return after


def results_of(view: View | Transaction, now: tm.Tournament) -> dict[str, list[tm.BoardPart]]:
    """What the boards that are over came to, by the tournament's scoring."""
    found: dict[str, list[tm.BoardPart]] = {}
    for board in (board for boards in now.rounds for board in boards if board.over):
        card = view.games.find(board.game)
        kept = json.loads(card.summary).get("score") if card is not None else None
        found[board.game] = []
        if kept:
            score = score_from_json(kept)
            points = points_of(score.placings, (now.terms.scoring,))[now.terms.scoring]
            found[board.game] = [
                tm.BoardPart(person, part, points[placing.power], placing.best, placing.centres)
                for placing in score.placings
                for person, part in answers_for(placing.terms)
            ]
    return found


Find = Callable[[str], Game | None]


# --- the page -------------------------------------------------------------------------------------------------------


def page_for(
    judge: Judge, view: View | Transaction, now: tm.Tournament, members: Members, reader: int, *news: News,
    find: Find | None = None,
) -> TournamentView:  # fmt: skip
    """The page for one reader, with what has just happened. `find`: a game by name, where it is not written yet."""
    members.gather((*now.entrants, now.terms.director))
    seen = find or (lambda key: judge.keeper.load(view, key))
    system, settings = _system(judge, now)
    games = {one.game: seen(one.game) for one in (now.rounds[-1] if now.rounds else ())}
    played = TournamentPlay(
        system.board, system.rules, settings, len(system.rules.seats(system.board)), games, results_of(view, now)
    )
    return tournament_view(now, played, lambda person: members[person].name, reader, news)


def hands_of(judge: Judge, now: tm.Tournament) -> tuple[Board, tuple[tuple[str, ...], ...]]:
    """The board that is played, and the powers of each player."""
    system, _ = _system(judge, now)
    return system.board, system.rules.seats(system.board)


def _system(judge: Judge, now: tm.Tournament) -> tuple[System, Settings]:
    settings = settings_from_text({**bundle(now.terms.preset), **dict(now.terms.settings)})
    return judge.shelf(settings), settings


# --- whom it is sent to ---------------------------------------------------------------------------------------------


def ended_boards(view: View) -> list[str]:
    """The tournaments of which boards have ended that were not noted yet."""
    rows = view.meta.all(INDEX).items()
    playing = [key.removeprefix(INDEX) for key, stage in rows if stage == tm.TournamentStage.PLAYING]
    return [name for name in playing if (now := load(view, name)) is not None and _ended(view, now)]


def note_boards(judge: Judge, names: Sequence[str]) -> int:
    """Note boards that have ended, and tell everybody how the tournament stands. Returns how many had."""
    return sum(_note(judge, name) for name in names)


def _ended(view: View | Transaction, now: tm.Tournament) -> list[str]:
    """Boards that are over, and were not noted yet."""
    on = [board.game for board in now.rounds[-1] if not board.over] if now.rounds else []
    cards = ((game, view.games.find(game)) for game in on)
    return [game for game, card in cards if card is None or card.state == Stage.ENDED]


def _note(judge: Judge, name: str) -> int:
    at = judge.clock.now()
    with judge.store.write() as unit:
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
        tell_all(judge, unit, after, *news, about="+".join(over))
    return len(over)


def tell_director(judge: Judge, unit: Transaction, now: tm.Tournament, news: News, *, about: str) -> None:
    """The page to the director, for what concerns nobody else. `about`: of which happening, once."""
    tell_some(judge, unit, now, (now.terms.director,), news, about=about)


def tell_all(
    judge: Judge, unit: Transaction, now: tm.Tournament, *news: News, about: str, find: Find | None = None
) -> None:
    """The page to everybody who takes part, or did, and to the director. `about`: of which happening, once."""
    tell_some(judge, unit, now, (*now.entrants, now.terms.director), *news, about=about, find=find)


def tell_some(
    judge: Judge, unit: Transaction, now: tm.Tournament, persons: Sequence[int], *news: News, about: str,
    find: Find | None = None,
) -> None:  # fmt: skip
    """The page to these persons. `about`: of which happening, once for each."""
    members = Members(unit)
    members.gather((*now.entrants, now.terms.director))
    for person in persons:
        with speak(judge.language(members[person].language)):
            view = page_for(judge, unit, now, members, person, *news, find=find)
            letter = tournament_letter(view, members[person], judge.office, about=about)
        put(judge, unit, letter, judge.clock.now(), members=members)
