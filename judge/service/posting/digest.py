"""Letters of the week: what happened in games that somebody observes, and what waits for a Gamemaster."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.game.core.model import Game, Running, Stage
from judge.game.table.filling import is_full
from judge.game.table.vacancies import vacant_seats
from judge.languages import speak, tell
from judge.orders.spelled import listed
from judge.pace import zone_info
from judge.report.core import naming
from judge.report.core.letter import seat_title
from judge.report.reply.unproved import alert
from judge.report.table.digest import DigestSection, digest, section
from judge.service.core.directory import member
from judge.service.core.judge import Judge
from judge.service.core.keeper import thaw_all
from judge.service.posting.outgoing import DIGEST, put
from judge.store import Transaction, View
from judge.store.rows import Subscription

log = logging.getLogger("judge.turn")

LAST = "digest.last"
"""Where the point of the week is kept whose digests are written."""


LAST_DESKS = "desks.last"
"""Where the point of the week is kept whose letters to Gamemasters are written."""


@dataclass(frozen=True, slots=True)
class LettersOfTheWeek:
    """What is to be written for one point of the week; None of what is written already."""

    slot: datetime
    digests: Sequence[Subscription] | None = None
    desks: Mapping[int, Sequence[Game]] | None = None
    """Gamemaster -> their games that are not over."""


def due_this_week(judge: Judge, view: View, now: datetime) -> LettersOfTheWeek:
    """The letters that are due. In the first week that a judge is up there are none, and that is noted."""
    slot = last_point(judge, now)
    digests, desks = view.meta.get(LAST), view.meta.get(LAST_DESKS)
    return LettersOfTheWeek(
        slot,
        None if _is_done(digests, slot) else view.lists.subscribers(DIGEST) if digests is not None else (),
        None if _is_done(desks, slot) else _desks(judge, view) if desks is not None else {},
    )


def _is_done(last: str | None, slot: datetime) -> bool:
    return last is not None and last >= slot.isoformat()


def send_week(judge: Judge, due: LettersOfTheWeek) -> int:
    """Write all letters that are due; returns how many."""
    written = _send_digests(judge, due.slot, due.digests) if due.digests is not None else 0
    return written + (_send_desks(judge, due.slot.isoformat(), due.desks) if due.desks is not None else 0)


def _send_digests(judge: Judge, slot: datetime, people: Sequence[Subscription]) -> int:
    now, written = judge.clock.now(), 0
    for row in people:
        try:
            with judge.store.write() as unit:
                written += _write(judge, unit, row.person_id, slot, now)
        except Exception:  # one reader's trouble is not the others'; what they missed comes with the next digest
            log.exception("digest failed", extra={"person": row.person_id})
    with judge.store.write() as unit:
        unit.meta.set(LAST, slot.isoformat())
    return written


def last_point(judge: Judge, now: datetime) -> datetime:
    """The last point of the week at which digests were due."""
    last = now
    for moment in judge.config.digest.points(now - timedelta(days=8), zone_info(judge.config.zone)):
        if moment > now:
            return last
        last = moment
    raise AssertionError("a grid has no end")


def _write(judge: Judge, unit: Transaction, person: int, slot: datetime, now: datetime) -> bool:
    """One reader's digest, if there is anything to tell."""
    reader = member(unit, person)
    with speak(judge.language(reader.language)):
        found = [_section(judge, unit, row) for row in unit.lists.subscriptions(person)]
        sections = [section for section in found if section is not None]
        if not sections:
            return False
        put(judge, unit, digest(reader, sections, judge.office, slot=slot.isoformat()), now)
    return True


def _section(judge: Judge, unit: Transaction, row: Subscription) -> DigestSection | None:
    """What is new in one game, and the note that it is told."""
    options, key = json.loads(row.options), row.topic.removeprefix("game:")
    game = judge.keeper.load(unit, key) if options.get("what") == "digest" else None
    if game is None:
        return None
    stored = unit.events.load(key, after_seq=int(options.get("seq", 0)))
    events = thaw_all(stored)
    if not events:
        return None
    options["seq"] = game.seq
    unit.lists.subscribe(row.person_id, row.topic, row.since, options=json.dumps(options))
    return section(game, events, member(unit, row.person_id))


MANY = 2
"""Games from which on somebody gets the letter."""
LONG = timedelta(days=21)
"""A turn that lasts longer than this and twice its own interval is odd."""


def _send_desks(judge: Judge, slot: str, desks: Mapping[int, Sequence[Game]]) -> int:
    now = judge.clock.now()
    with judge.store.write() as unit:
        unit.meta.set(LAST_DESKS, slot)
        return sum(_write_desk(judge, unit, gm, games, slot, now) for gm, games in desks.items())


def _desks(judge: Judge, view: View) -> dict[int, list[Game]]:
    """Gamemaster -> their games that are not over, of those who have several."""
    found: dict[int, list[Game]] = {}
    for row in view.games.list(states=(str(Stage.FORMING), str(Stage.OPEN), str(Stage.RUNNING))):
        game = judge.keeper.load(view, row.key)
        if game is not None and game.gm and game.practice is None:
            found.setdefault(game.gm, []).append(game)
    return {gm: games for gm, games in found.items() if len(games) >= MANY}


def _write_desk(judge: Judge, unit: Transaction, gm: int, games: Sequence[Game], slot: str, now: datetime) -> bool:
    """One Gamemaster's letter, if anything waits and they have not paused their reminders."""
    if not json.loads(unit.people.get(gm).options).get("reminders", True):
        return False
    told = [f"{game.key}: {'; '.join(lines)}." for game in games if (lines := list(_waits(unit, game, now)))]
    if not told:
        return False
    rest = len(games) - len(told)
    fine = {0: (), 1: (tell("In one more game of yours nothing waits for you."),)}.get(
        rest, (tell("In {rest} more games of yours nothing waits for you.", rest=rest),)
    )
    letter = alert(
        member(unit, gm), judge.office, key=f"judge/desks/p{gm}/{slot}", subject=tell("your games: what waits for you"),
        items=(*told, *fine, tell("`my games` shows all of them; `pause my reminders` ends this weekly letter.")),
    )  # fmt: skip
    return put(judge, unit, letter, now)


def _waits(view: View | Transaction, game: Game, now: datetime) -> Iterator[str]:
    """What a game wants of its Gamemaster, and what is odd in it, each as the part of a sentence."""
    if game.stage is Stage.FORMING:
        yield tell("it is not open yet; `checklist` says what is to be decided")
    if game.stage is Stage.OPEN:
        yield from _gathering(game)
    if isinstance(game, Running):
        yield from _running(game, now)
    silent = [seat.id for seat in game.seats.values() if seat.person and _unreachable(view, seat.person)]
    if silent:
        yield tell("letters to {silent} come back", silent=listed(seat_title(game, seat) for seat in silent))


def _gathering(game: Game) -> Iterator[str]:
    if game.gathering.applicants:
        count = len(game.gathering.applicants)
        yield (
            tell("one asks for a seat; `status` says who")
            if count == 1
            else tell("{count} ask for a seat; `status` says who", count=count)
        )
    if not is_full(game):
        yield tell("{seats} of {players} have joined", seats=len(game.seats), players=game.settings.players)
    elif game.begins is None:
        yield tell("all seats are taken; `start` begins it")


def _running(game: Running, now: datetime) -> Iterator[str]:
    zone = game.settings.zone
    if game.held_since is not None:
        yield tell("it is on hold since {held_since}", held_since=naming.short(game.held_since, zone))
    elif game.deadline.called and now > game.deadline.promised:
        yield tell(
            "its turn was due {promised} and is not processed", promised=naming.short(game.deadline.promised, zone)
        )
    vacant = [power for seat in vacant_seats(game) if not seat.disorder for power in seat.powers]
    if vacant:
        yield (
            tell("{named} has no player", named=game.named(vacant))
            if len(vacant) == 1
            else tell("{named} have no player", named=game.named(vacant))
        )
    if game.replay is not None:
        yield tell("{phase} is taken back and not processed again yet", phase=game.replay.phase)
    opened = game.turn_opened_at
    if opened is not None and game.held_since is None and now - opened > max(LONG, 2 * _length(game)):
        yield tell("its turn lasts since {opened}", opened=naming.short(opened, zone))


def _length(game: Running) -> timedelta:
    """How long movement phases are, as the calendar has it."""
    interval = game.settings.moves.interval
    return interval if interval is not None else timedelta(days=7)


def _unreachable(view: View | Transaction, person: int) -> bool:
    rows = view.people.addresses(person)
    return bool(rows) and all(row.suspended_at is not None for row in rows if row.verified_at or row.primary)
