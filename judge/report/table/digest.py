"""The digest: one letter with what happened in all games that somebody observes, since the one before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.board.position import position_from_json
from judge.game.core import events as ev
from judge.game.core.events import VoteClosed
from judge.game.core.model import Game, Running, Stage
from judge.game.office.rulings import HeadlineSet
from judge.game.repair.changes import changes_told
from judge.game.repair.correcting import PositionCorrected
from judge.game.repair.rewriting import PhaseReopened, RolledBack
from judge.report.core.letter import (
    Kind,
    Letter,
    Member,
    Office,
    Reply,
    Thread,
    labelled,
    moment,
    office_frame,
    plain,
    who,
)
from judge.report.core.naming import Said, Text, phase_fact, say
from judge.report.played.chart import CentreChart, chart, ending_sentence
from judge.report.played.results import Played, counting, results_of


@dataclass(frozen=True, slots=True)
class DigestRow:
    """One power's orders in one paragraph; those that failed in parentheses."""

    name: str
    text: Said


@dataclass(frozen=True, slots=True)
class Short:
    """One phase in short: a row for each power, `said` where there is nothing to tell."""

    title: str
    rows: tuple[DigestRow, ...]
    retreats: tuple[Said, ...]
    said: Text = ""


@dataclass(frozen=True, slots=True)
class DigestSection:
    """One game: `state` says where it stands; `headlines` are the Gamemaster's; `news`: who came and went, votes."""

    game: str
    variant: str
    state: Text | None
    headlines: tuple[str, ...]
    phases: tuple[Short, ...]
    news: tuple[Said | None, ...]
    chart: CentreChart | None = None


@dataclass(frozen=True, slots=True)
class DigestView:
    """`subject` names the games."""

    subject: Said
    sections: tuple[DigestSection, ...]


def section(game: Game, events: Sequence[ev.Event], reader: Member) -> DigestSection | None:
    """What these events, the last ones of the game, have brought; None if they are nothing to an onlooker."""
    played = counting(events, game.calendar)
    told = DigestSection(
        game=game.key,
        variant=labelled(game),
        state=_state(game, reader),
        headlines=tuple(event.text for event in events if isinstance(event, HeadlineSet) and event.text),
        phases=tuple(_short(event, game) for event in played),
        news=tuple(news for event in events for news in _news(event, game)),
        chart=_chart(game, played),
    )
    return told if told.phases or told.news else None


def digest(member: Member, sections: Sequence[DigestSection], office: Office, *, slot: str) -> Letter:
    """The letter; `slot` is the moment that it was due, by which there is one only."""
    subject = say("digest-subject", games=[one.game for one in sections])
    return Letter(
        kind=Kind.DIGEST,
        idem_key=f"judge/digest/p{member.person}/{slot}",
        view={
            "frame": plain(office_frame(member, office)),
            "reply": plain(Reply()),
            **plain(DigestView(subject, tuple(sections))),
        },
        person=member.person,
        thread=Thread.GAME,
        topic="digest",
    )


def _state(game: Game, reader: Member) -> Text | None:
    if game.stage is Stage.ENDED:
        return ending_sentence(game)
    if not isinstance(game, Running):
        return say("digest-not-begun")
    held = game.held_since is not None
    return say(
        "digest-due",
        phase=phase_fact(game, str(game.phase)),
        held=held,
        late=game.deadline.called,
        due=moment(game, game.deadline.at, reader),
    )


def _short(event: Played, game: Game) -> Short:
    result = results_of(event, game)
    rows = tuple(DigestRow(block.name, say("orders-in-a-row", orders=block.lines)) for block in result.blocks)
    return Short(result.title, rows, result.retreats, result.said)


def _chart(game: Game, played: Sequence[Played]) -> CentreChart | None:
    first = next((event for event in played if isinstance(event, ev.PhaseAdjudicated)), None)
    if first is None or game.position is None:
        return None
    before = position_from_json(first.before, game.board)
    return chart(before, game.position, projected=False, year=max(game.chart, default=0))


def _news(event: ev.Event, game: Game) -> Iterator[Said | None]:
    if isinstance(event, ev.GameStarted):
        yield say("digest-started")
    elif isinstance(event, ev.SeatVacated) and event.why != "replaced" and game.seats:
        yield say("digest-vacated", seat=who(game, event.seat))
    elif isinstance(event, ev.SeatFilled):
        yield say("digest-filled", seat=who(game, event.seat))
    elif isinstance(event, VoteClosed):
        yield say("digest-vote", number=event.number, passed=event.passed)
    elif isinstance(event, ev.GameHeld):
        yield say("digest-held")
    elif isinstance(event, ev.GameResumed):
        yield say("digest-resumed")
    elif isinstance(event, RolledBack):
        yield say("digest-rolled-back", void=event.void)
    elif isinstance(event, PhaseReopened):
        yield say("digest-reopened", phase=phase_fact(game, event.phase))
    elif isinstance(event, PositionCorrected):
        yield say(
            "digest-corrected",
            phase=phase_fact(game, event.phase),
            changes=changes_told(game, event.edits, event.changes),
        )
    elif isinstance(event, ev.GameEnded):
        yield ending_sentence(game)
