"""The page of a tournament: its terms, the boards of the round, the running totals, and what can be written. It answers
`tournament NAME`, and goes to everybody who takes part when a round begins, a board ends, or all is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge.board.model import Board
from judge.game.core.model import Game, Stage
from judge.game.settings.table import Settings
from judge.people import tournament as tm
from judge.report.core.houserules import InShort, in_short_of
from judge.report.core.letter import (
    Enclosure,
    Json,
    Kind,
    Letter,
    Member,
    Office,
    Reply,
    Thread,
    office_frame,
    plain,
    played_by,
)
from judge.report.core.naming import Said, phase_fact, power_name, say
from judge.report.played.chart import figure
from judge.report.table.news import News, news
from judge.rules import Rules

Names = Callable[[int], str]
"""A person's number -> their name."""


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One board: the game, how it stands, and who plays what; `ended`: it is over, and `result` says how."""

    game: str
    stands: Said
    players: tuple[str, ...]
    ended: bool = False


@dataclass(frozen=True, slots=True)
class TotalLine:
    """One line of the table. `rounds`: points of each round, "-" for one not played; `mark`: "left" or "removed"."""

    place: int
    name: str
    rounds: tuple[str, ...]
    total: str
    wins: int
    centres: int
    mine: bool = False
    mark: str = ""


@dataclass(frozen=True, slots=True)
class TournamentView:
    """`news`: what has just happened, `brief`: the last of it for the subject; `terms`: its rules; `round`: how many
    were begun; `draft`: the boards that the director is shown before a round; `totals`: empty before the first board is
    over; `entered`: who takes part, before; `lines`: what the reader can write next.
    """

    name: str
    subject: Said
    news: tuple[Said, ...]
    terms: tuple[Said, ...]
    round: int
    rounds: int
    boards: tuple[BoardLine, ...]
    draft: tuple[BoardLine, ...]
    idle: tuple[str, ...]
    totals: tuple[TotalLine, ...]
    entered: tuple[str, ...]
    lines: tuple[str, ...]
    short: tuple[InShort, ...] = ()
    """The house rules of its games in short: pace, lateness, press, the end."""
    brief: Said | None = None
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """One tournament in the list of all."""

    name: str
    stands: Said


@dataclass(frozen=True, slots=True)
class TournamentsView:
    """All tournaments, the latest first."""

    tournaments: tuple[TournamentRow, ...]
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TournamentPlay:
    """What is played: the board and its rules, the settings of the games, players at each board, the games of the
    present round, and what boards came to.
    """

    board: Board
    rules: Rules
    settings: Settings
    size: int
    games: Mapping[str, Game | None]
    results: Mapping[str, Sequence[tm.BoardPart]]


def tournament_view(
    now: tm.Tournament, played: TournamentPlay, names: Names, reader: int, happened: Sequence[News] = ()
) -> TournamentView:
    """The page for one reader; a draft is for the director alone."""
    draft = now.draft if reader == now.terms.director else None
    table = tm.standings(now, played.results) if played.results else ()
    stands = say("tournament-stands", stage=now.stage, round=_rounds(now), rounds=now.terms.rounds)
    return TournamentView(
        name=now.name,
        subject=stands,
        news=tuple(one.said for one in happened),
        brief=happened[-1].in_short if happened else None,
        terms=tuple(_terms(now, names, played)),
        short=in_short_of(played.settings) if now.stage is not tm.TournamentStage.OVER else (),
        round=len(now.rounds),
        rounds=now.terms.rounds,
        boards=tuple(
            _line(played.games.get(one.game), one, names, late=now.stage is tm.TournamentStage.OVER and not one.over)
            for one in (now.rounds[-1] if now.rounds else ())
        ),
        draft=tuple(
            BoardLine("", say("tournament-board", number=number), _players(dict(seats), played.board, names))
            for number, seats in enumerate(draft.boards if draft is not None else (), 1)
        ),
        idle=tuple(map(names, draft.idle if draft is not None else ())),
        totals=tuple(_total(line, names, reader) for line in table),
        entered=() if now.rounds else tuple(map(names, now.staying)),
        lines=tuple(_lines(now, reader)),
    )


def _rounds(now: tm.Tournament) -> int:
    """Rounds so far; of a tournament that is over, those in which a board counted."""
    if now.stage is not tm.TournamentStage.OVER:
        return len(now.rounds)
    return sum(any(board.over for board in boards) for boards in now.rounds)


def _terms(now: tm.Tournament, names: Names, played: TournamentPlay) -> Iterator[Said]:
    terms, title = now.terms, played_by(played.board, played.rules)
    yield say("tournament-terms", rounds=terms.rounds, title=title, size=played.size,
              director=names(terms.director), private=terms.access == "invitation", top=terms.top)  # fmt: skip
    yield say("tournament-scoring", scoring=terms.scoring)


def _line(game: Game | None, board: tm.TournamentBoard, names: Names, *, late: bool) -> BoardLine:
    """`late`: the tournament was ended before the board was over, so that it counts no more."""
    if game is None:
        return BoardLine(board.game, say("tournament-board-gone"), (), ended=True)
    over = game.stage is Stage.ENDED
    hidden = game.settings.anonymous and not over
    if over and game.ending is not None:
        powers = [power_name(power, game.board) for power in game.ending.powers]
        stands = say("tournament-board-over", how=game.ending.how, powers=powers, late=late)
    else:
        stands = say("tournament-board-on", phase=phase_fact(game, str(game.phase)), late=late)
    players = () if hidden else _players(board.seats, game.board, names)
    return BoardLine(board.game, stands, players, ended=over)


def _players(seats: Mapping[int, tuple[str, ...]], board: Board, names: Names) -> tuple[str, ...]:
    """Who plays what, in the board's order of powers."""
    order = list(board.powers)
    by_power = sorted(seats.items(), key=lambda seat: min(map(order.index, seat[1]), default=0))
    return tuple(
        f"{'/'.join(power_name(power, board) for power in powers)}: {names(person)}" for person, powers in by_power
    )


def _total(line: tm.TableLine, names: Names, reader: int) -> TotalLine:
    rounds = tuple("-" if points is None else figure(round(points, 4)) for points in line.rounds)
    name, mine = names(line.person), line.person == reader
    return TotalLine(
        line.place, name, rounds, figure(round(line.total, 4)), line.wins, line.centres, mine, line.gone
    )  # fmt: skip


def _lines(now: tm.Tournament, reader: int) -> Iterator[str]:
    """What the reader can write next."""
    if now.stage is tm.TournamentStage.OVER:
        return
    more = len(now.rounds) < now.terms.rounds
    if reader == now.terms.director:
        if now.stage is tm.TournamentStage.OPEN and more:
            yield f"tournament {now.name} start" if now.draft is not None else f"tournament {now.name} seed"
        return
    if reader in now.staying:
        yield f"tournament {now.name} withdraw"
    elif more and not (reader in now.entrants and now.entrants[reader].gone == "removed"):
        yield f"tournament {now.name} enter"


def tournaments_enclosure(all_of_them: Iterable[tm.Tournament]) -> Enclosure:
    """The list of all tournaments."""
    rows = tuple(
        TournamentRow(
            one.name,
            say(
                "tournament-in-list",
                stage=one.stage,
                round=_rounds(one),
                rounds=one.terms.rounds,
                entered=len(one.staying),
            ),
        )
        for one in all_of_them
    )
    return Enclosure("tournaments", plain(TournamentsView(rows)))


# --- what has just happened ---------------------------------------------------------------------------------------


def invited(by: str, name: str) -> News:
    """Somebody is invited to a tournament."""
    return news("tournament-invited", 0, by=by, name=name)


def declined(who: str) -> News:
    """Somebody who was invited says no; `who`: their address."""
    return news("tournament-declined", 0, who=who)


def entered(who: str, staying: int, size: int, *, draft: bool) -> News:
    """Somebody takes part: `staying` now do, and a board needs `size`; `draft`: the next round was drawn up without
    them.
    """
    boards, more = staying // size, -staying % size
    return news("tournament-entered", 0, who=who, staying=staying, boards=boards, more=more, draft=draft)


def other_wishes(who: str) -> News:
    """Somebody has other wishes than those with which the next round was drawn up."""
    return news("tournament-other-wishes", 0, who=who)


def left(who: str, staying: int, size: int, game: str, *, draft: bool) -> News:
    """Somebody takes part in no further round; `game`: the board of theirs that goes on, "" for none; `draft`: the
    next round was drawn up with them.
    """
    boards, more = staying // size, -staying % size
    return news("tournament-left", 0, who=who, staying=staying, boards=boards, more=more, game=game, draft=draft)


def removed(name: str, game: str) -> News:
    """To whoever the director has taken out; `game`: the board of theirs that goes on, "" for none."""
    return news("tournament-removed", 0, name=name, game=game)


def round_begun(number: int) -> News:
    """The boards of a round are on."""
    return news("tournament-round-begun", 0, round=number)


def sits_out(*, last: bool) -> News:
    """To somebody without a place at a board in this round. `last`: it is the last round."""
    return news("tournament-sits-out", 0, last=last)


def boards_over(games: Sequence[str], number: int, *, closed: bool) -> News:
    """Boards of a round have ended; `closed`: they were its last."""
    return news("tournament-boards-over", 0, games=games, round=number, closed=closed)


def ended(*, early: bool) -> News:
    """There is no further round; `early`: the director closed it."""
    return news("tournament-over", 0, early=early)


# --- as letters and answers ---------------------------------------------------------------------------------------


def tournament_enclosure(view: TournamentView) -> Enclosure:
    """The page as the answer to a question."""
    return Enclosure(Kind.TOURNAMENT, plain(view))


def tournament_letter(
    view: TournamentView, member: Member, office: Office, *, about: str, address: str = "", reply_as: str = ""
) -> Letter:
    """The page as a letter of its own. `about`: what has happened, as part of the letter's key; `address`: where it
    goes if the reader is no person on file; `reply_as`: as a letter has it.
    """
    facts: Json = plain(view)
    enter = next((line for line in view.lines if line.split()[-1] == "enter"), "")
    reply = Reply(choices=view.lines, yes=enter)
    return Letter(
        kind=Kind.TOURNAMENT,
        idem_key=f"tournament/{view.name}/{about}/{address.lower() or f'p{member.person}'}",
        view={"frame": plain(office_frame(member, office)), "reply": plain(reply), **facts},
        person=member.person,
        address="" if member.person else address,
        reply_as=reply_as,
        thread=Thread.GAME,
        topic=f"tournament-{view.name}",
    )
