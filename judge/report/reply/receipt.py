"""The receipt: the one answer to a mail, line by line, with the full set of orders on file.

It says first how the player stands, then what must be put right and which line does that, then what is on file now,
then what became of every line of the mail.

The first words of a receipt: how the player stands, by when the rest is due, until when they may change it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import chain
from typing import Any

from judge.board.phase import PhaseKind
from judge.game.clock.clockwork import early_moment
from judge.game.core.commands import Status, Verdict
from judge.game.core.model import Game, Running, Stage
from judge.game.core.parts import Seat
from judge.game.filing.standing import Standing, State, forecast, standing
from judge.game.settings.table import NEVER_WAITS
from judge.orders.spelled import unit_texts
from judge.report.core.letter import (
    Answer,
    Cast,
    Enclosure,
    Frame,
    Kind,
    Letter,
    Member,
    Office,
    Reader,
    Received,
    Reply,
    Thread,
    letterhead,
    moment,
    office_frame,
    plain,
)
from judge.report.core.naming import Moment, Said, Text, power_name, say
from judge.report.reply.lessons import lessons
from judge.report.reply.lines import MailLine, lines_of
from judge.report.seat.desk import (
    ClosedDeadline,
    OpenLine,
    acts_after,
    due,
    due_said,
    flag_of,
    given_up,
    named,
    open_lines_of,
    waits_beside,
)
from judge.report.seat.onfile import FiledSet, KeptSet, filed_now, filed_set, kept_sets, waiting_for


@dataclass(frozen=True)  # without slots, for what is worked out once
class AuthorsSeat:
    """A game that the mail is about, the seat that its author holds there, and the game ahead of the mail's events."""

    game: Game
    seat: Seat | None
    before: Game | None = None

    @property
    def plays(self) -> bool:
        """Whether there are orders to be shown: the game has begun and goes on."""
        return self.seat is not None and self.game.position is not None and self.game.stage is Stage.RUNNING

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """How each of the seat's powers stands."""
        return tuple([standing(self.game, power) for power in self.seat.powers]) if self.seat is not None else ()

    @property
    def state(self) -> State:
        """The worst of their states."""
        return min([one.state for one in self.standings], key=_WORST.index, default=State.NOTHING_NEEDED)

    @cached_property
    def open(self) -> tuple[OpenLine, ...]:
        """Its lines that were asked back and still wait to be put right."""
        return open_lines_of(self.game, self.standings)


_WORST = (State.NEEDS_CORRECTION, State.MISSING, State.PARTIAL, State.COMPLETE, State.NOTHING_NEEDED)


def verdict(
    places: Sequence[AuthorsSeat], lines: Sequence[MailLine], answers: Sequence[Answer], received: Received
) -> tuple[str, Said]:
    """(status, headline) of a receipt for a mail; about several games, the worst status, and a headline that names
    them.
    """
    at = received.at
    if received.unfilled and places[0].plays:
        return _unfilled(places[0], at)
    first = places[0].game.key
    ordered = [place for place in places if place.plays and _ordered(answers, place.game.key, first)]
    if not ordered:
        return done(lines, playing=places[0].plays)
    played = any(answer.verb == "process" and answer.status is Status.TAKEN for answer in answers)
    found = [
        _of_place(place, [line for line in lines if (line.game or first) == place.game.key], at, played=played)
        for place in ordered
    ]
    if len(found) == 1:
        return found[0]
    status = min((status for status, _ in found), key=lambda status: _WORST.index(State(status.lower())))
    games = [
        {"game": place.game.key, "status": state, "headline": headline}
        for place, (state, headline) in zip(ordered, found, strict=True)
    ]
    return status, say("headline-of-games", games=games)


def tells(fact: Any, part: Text) -> bool:
    """Whether `part` is `fact` itself or a fact inside it."""
    return fact == part or (isinstance(fact, Said) and any(tells(inner, part) for inner in fact.facts.values()))


def _ordered(answers: Sequence[Answer], game: str, first: str) -> bool:
    """Whether the mail gave orders for a game; what names none is about the first."""
    return any((answer.game or first) == game and answer.orders_own for answer in answers)


def _of_place(place: AuthorsSeat, lines: Sequence[MailLine], at: datetime, *, played: bool) -> tuple[str, Said]:
    """(status, headline) of one game for which the mail gave orders. `played`: it has a phase played at once, too."""
    game, seat = place.game, place.seat
    assert seat is not None
    wrong = list(dict.fromkeys(line.number for line in lines if line.refused))  # several orders may stand on one
    orders = [number for number in wrong if any(line.number == number and not line.of_command for line in lines)]
    if orders and game.settings.no_mistakes:
        return "NEEDS CORRECTION", _correction(place, orders)
    word, headline = _as_it_stands(game, seat, place.state, place.open, at)
    if played and game.sandbox is not None:
        word, headline = "DONE", say("headline-played")
    return word, say("headline-not-taken", lines=wrong, rest=headline) if wrong else headline


def _as_it_stands(game: Game, seat: Seat, state: State, waiting: Sequence[OpenLine], at: datetime) -> tuple[str, Said]:
    """(status, headline) if every line of the mail was taken. `waiting`: lines of earlier mails that still wait to be
    put right.
    """
    due = due_said(game)
    still = {"count": len(waiting), "line": named(waiting[0])} if waiting else {}
    if state is State.NEEDS_CORRECTION:
        return state.value.upper(), say("headline-still-open", due=due, **still)
    if game.sandbox is not None and state in (State.MISSING, State.PARTIAL):
        return "PARTIAL", say("headline-sandbox", kind=_kind(game), disbands=game.rules.may_disband())
    if state is State.MISSING:
        if any(filed_now(game, power) for power in seat.powers):
            return "PARTIAL", say("headline-not-enough", due=due, late=not waits_beside(game, seat))
        return "MISSING", say("headline-nothing-filed", due=due)
    if state is State.COMPLETE:
        headline = say("headline-complete", until=_until(game, seat, at))
    elif state is State.PARTIAL:
        headline = say("headline-partial", due=due, kind=_kind(game), disbands=game.rules.may_disband())
    else:
        headline = say("headline-nothing-asked")
    return state.value.upper(), say("headline-but", rest=headline, **still) if waiting else headline


def _kind(game: Game) -> PhaseKind:
    phase = game.phase
    return phase.kind if phase else PhaseKind.MOVES


def _unfilled(place: AuthorsSeat, at: datetime) -> tuple[str, Said]:
    """(status, headline) for an order form that came back as it was sent: what is missing, by when, and one example."""
    game, seat = place.game, place.seat
    assert seat is not None
    for found in place.standings:
        if (awaited := _awaited(game, found)) is not None:
            kind, example = awaited
            return "NOTHING FILLED IN", say("headline-unfilled", kind=kind, due=due_said(game), example=example)
    word, headline = _as_it_stands(game, seat, place.state, place.open, at)
    return word, say("headline-unchanged", rest=headline)


def _awaited(game: Game, found: Standing) -> tuple[PhaseKind, str] | None:
    """(kind of phase, a line) of the first thing for which a power that stands so has no order: its first possibility
    is no advice. None where nothing is missing.
    """
    if not isinstance(game, Running) or not (found.unordered or found.builds_open or found.removals_open):
        return None
    position = game.position if found.unordered else forecast(game, found.power) or game.position
    written = lessons(position, found.power, game.rules).shown.now
    units = tuple(unit_texts(found.unordered, game.board))
    line = next((line for line in written if not units or line.startswith(units)), "")
    return (position.phase.kind, line) if line else None


def _until(game: Game, seat: Seat, at: datetime) -> Said:
    """Until when what is on file may be changed: no later moment is promised than the turn may be processed at."""
    if game.held_since is not None or game.deadline is None:
        return say("change-until", due=due_said(game))
    if said := soon(game, at, seat):
        return said
    if game.deadline.called:
        return say("change-until-processed", delay=0, due="")
    never = not game.settings.early or game.reopened == str(game.phase) or game.deliberates
    if never or (seat.wait and seat.wait_until is None) or game.practice is not None:
        return say("change-until", due=due_said(game))
    waits = game.terms.nmr not in NEVER_WAITS
    return say("change-until-processed", delay=game.settings.early_delay, due=due_said(game), waits=waits)


def soon(game: Game, at: datetime, seat: Seat | None = None) -> Said | None:
    """When the turn is processed, where that is not its deadline; None where it is, or where something is missing.

    Where it is a wait that makes it so late, its end may come sooner: by the reader's own word, or by another's.
    """
    early = early_moment(game)
    if early is None:
        return None
    waiting = [one for one in game.active_seats if one.wait and one.wait_until == early]
    ready = ("own" if waiting == [seat] else "another") if waiting else ""
    named = early.replace(second=0, microsecond=0)  # as it is printed: one that is past by then is no promise
    return say("processed-soon", at=None if named <= at else moment(game, early), ready=ready)


def _correction(place: AuthorsSeat, wrong: Sequence[int]) -> Said:
    """Which lines were not taken, and what stands nevertheless."""
    game, board = place.game, place.game.board
    filed = [one for one in place.standings if filed_now(game, one.power)]
    sets = [game.sheets[one.power].number for one in filed]
    complete = all(one.full for one in filed)
    of = [power_name(one.power, board) for one in filed] if len(place.standings) > 1 else []
    late = complete and place.state is State.NEEDS_CORRECTION  # the line stands in no order's place
    return say(
        "headline-correction",
        lines=wrong,
        sets=sets,
        complete=complete,
        of=of,
        late=due_said(game) if late else "",
        called=waits_beside(game, place.seat),
    )


def done(lines: Sequence[MailLine], *, playing: bool = False) -> tuple[str, Said]:
    """(status, headline) of a mail without orders. `playing`: its author has orders to write in the game; if nothing in
    it was understood, they are told how.
    """
    refused = sum(line.status == Status.REFUSED for line in lines)
    taken = sum(line.status == Status.TAKEN for line in lines)
    status = ("PARTLY DONE" if taken else "NOT DONE") if refused else "DONE" if taken else "NOTHING TO DO"
    lost = playing and any(isinstance(line.said, Said) and line.said.facts.get("reason") == "chatter" for line in lines)
    return status, say("headline-done", refused=refused, taken=taken, lost=lost)


@dataclass(frozen=True, slots=True)
class Provenance:
    """What proves that the mail came: the judge's number for it, its own Message-ID, when, and its hash.

    `code` is the beginning of the hash in the form that `verify` takes: "7c1e-9a42".
    """

    id: str
    message_id: str
    received: Moment
    sha256: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class EchoRoom:
    """How many lines of the mail a receipt repeats, and how many bytes of text it may have; 0: as many as there are."""

    lines: int = 0
    octets: int = 0


AMPLE = EchoRoom()


@dataclass(frozen=True, slots=True)
class ReceiptView:
    """`status` is one of COMPLETE, PARTIAL, MISSING, NEEDS CORRECTION, NOTHING NEEDED for orders, NOTHING FILLED IN for
    an order form sent back as it was, DONE or NOT DONE for other commands; `headline` says it in a sentence. `wrong`:
    the refused lines, first of all; `waits`: whether the game waits until they are put right; `open`: what earlier
    mails left to put right; `lines`: all lines.
    """

    status: str
    headline: Said
    received: Moment
    subject: Said
    wrong: tuple[MailLine, ...]
    lines: tuple[MailLine, ...]
    sets: tuple[FiledSet, ...]
    proof: Provenance
    due: Moment | None = None
    waiting: Said | None = None
    flags: Text = ""
    mistrusted: str = ""
    enclosures: tuple[Enclosure, ...] = ()
    kept: tuple[KeptSet, ...] = ()
    unshown: Said | None = None
    """What became of the lines that are not among `lines`, counted."""
    open: tuple[OpenLine, ...] = ()
    drop: str = ""
    """What gives a line of this mail up that waits to be put right; "" where none does."""
    waits: bool = True
    soon: Said | None = None
    """When the turn is processed, where that is before its deadline and the headline does not say it."""
    acts: tuple[str, ...] = ()
    """What can be done now, as lines to send."""
    closes: ClosedDeadline | None = None
    """The deadline that is the reader's no more, for calendars: they have just left."""
    undone: tuple[MailLine, ...] = ()
    """Commands that were refused, which nothing written instead would change."""


def receipt(
    game: Game,
    seat: str,
    member: Member,
    received: Received,
    answers: Sequence[Answer],
    *,
    office: Office,
    before: Game | None = None,
    unread: Sequence[Verdict] = (),
    enclosures: Sequence[Enclosure] = (),
    names: Mapping[str, str] | None = None,
    others: Sequence[AuthorsSeat] = (),
    room: EchoRoom = AMPLE,
) -> Letter:
    """The answer to a mail from a seat ("gm" too): `game` behind the mail's events, `before` ahead of them.

    `others`: further games for which the mail gave orders. A mail that asked one question and held nothing else is
    answered by a letter of that kind. Whoever has just left their seat is shown nothing of it.
    """
    reader = Reader(seat, member)
    head = letterhead(game)
    around = head.to(reader, Cast({member.person: member}, office, names=names or {}), most=room.octets)
    lines = lines_of(answers, unread, head.board, {place.game.key: place.game.board for place in others})
    held = game.seats.get(seat)
    left = held is not None and not held.filled
    held = None if left else held
    place = AuthorsSeat(game, held, before)
    places = (place, *others)
    sets = tuple(one for place in places for one in _sets(place, member, named=bool(others)))
    status, headline = verdict(places, lines, answers, received)
    lines, unshown = _shown(lines, room)
    quiet = bool(others) or head.alone  # one plays at once there, and is told so
    processed = soon(game, received.at, held) if held is not None and not quiet else None
    view = ReceiptView(
        status=status,
        headline=headline,
        received=Moment(received.at, game.settings.zone),
        subject=_subject(sets, status, answers),
        wrong=tuple(line for line in lines if line.to_mend),
        undone=tuple(line for line in lines if line.refused and not line.to_mend),
        lines=lines,
        sets=sets,
        open=tuple(one for place in places for one in _still_open(place, lines, named=place.game is not game)),
        drop=next((one.drop for one in place.open if _in_mail(one, lines)), ""),
        soon=None if processed is None or tells(headline, processed) else processed,
        waits=game.settings.no_mistakes or not any(answer.verdicts for answer in answers),
        proof=_proof(received, game.settings.zone),
        due=None if others or left or head.alone else due(game, member),
        waiting=None if others else waiting_for(game, held),
        flags=flag_of(game, held) if held is not None else "",
        mistrusted=received.mistrusted,
        enclosures=tuple(enclosures),
        kept=kept_sets(game, held),
        unshown=unshown,
        acts=acts_after(game, before, held, place.standings) if held is not None and not others else (),
        closes=given_up(before, game, member.person),
    )
    return _letter(view, around, received, lines, enclosures, head.reply, game=game, seat=seat, member=member)


def answer_to_person(
    member: Member,
    received: Received,
    answers: Sequence[Answer],
    *,
    office: Office,
    game: Game | None = None,
    before: Game | None = None,
    unread: Sequence[Verdict] = (),
    enclosures: Sequence[Enclosure] = (),
    address: str = "",
    room: EchoRoom = AMPLE,
) -> Letter:
    """The answer to a mail from somebody without a seat in the game it is about, or about no game at all.

    `address` is needed only for somebody who is no person of ours (`member.person` 0); `before`: as for `receipt`.
    """
    reader = Reader("", member)
    head = letterhead(game) if game else None
    around = head.to(reader, Cast({}, office)) if head else office_frame(member, office)
    lines = lines_of(answers, unread, head.board if head else None)
    zone = member.zone or (game.settings.zone if game else "UTC")
    status, headline = done(lines)
    lines, unshown = _shown(lines, room)
    around = replace(around, most=room.octets)
    view = ReceiptView(
        status=status,
        headline=headline,
        received=Moment(received.at, zone),
        subject=_subject((), status, answers),
        wrong=tuple(line for line in lines if line.to_mend),
        undone=tuple(line for line in lines if line.refused and not line.to_mend),
        lines=lines,
        sets=(),
        proof=_proof(received, zone),
        mistrusted=received.mistrusted,
        enclosures=tuple(enclosures),
        unshown=unshown,
        closes=given_up(before, game, member.person) if game is not None else None,
    )
    reply = head.reply if head else Reply()
    return _letter(view, around, received, lines, enclosures, reply, game=game, seat="", member=member, address=address)


_FIRST = (Status.REFUSED, Status.TAKEN)
"""What a reader must see of a mail that has more lines than a receipt repeats."""


def _shown(lines: tuple[MailLine, ...], room: EchoRoom) -> tuple[tuple[MailLine, ...], Said | None]:
    """(the lines that are repeated, in their order; the others, counted)."""
    if not room.lines or len(lines) <= room.lines:
        return lines, None
    ranked = sorted(lines, key=lambda line: _FIRST.index(Status(line.status)) if line.status in _FIRST else len(_FIRST))
    shown = sorted(ranked[: room.lines], key=lambda line: line.number)
    rest = Counter(line.status for line in ranked[room.lines :])
    return tuple(shown), say("unshown", counts=dict(rest))


def _still_open(place: AuthorsSeat, lines: Sequence[MailLine], *, named: bool) -> Iterator[OpenLine]:
    """What earlier mails left to put right in one game; `named`: another than the letter's, so that each says which."""
    for one in place.open:
        if not _in_mail(one, lines):
            yield replace(one, text=f"{place.game.key}: {one.text}") if named else one


def _in_mail(one: OpenLine, lines: Sequence[MailLine]) -> bool:
    """Whether a line that waits to be put right is of the mail that is answered."""
    return any(line.to_mend and (line.number, line.text) == (one.line, one.text) for line in lines)


def _sets(place: AuthorsSeat, member: Member, *, named: bool) -> tuple[FiledSet, ...]:
    """What is on file in one game; `named`: one of several, so that each says which, and when it is due."""
    game, seat = place.game, place.seat
    if seat is None or not place.plays:
        return ()
    sets = [filed_set(game, place.before, one) for one in place.standings]
    if game.sandbox is not None:
        sets = [replace(one, missing=()) for one in sets if one.number]
    if not named or not sets:
        return tuple(sets)
    last = replace(sets[-1], due=due(game, member), waiting=waiting_for(game, seat))
    return tuple(replace(one, game=game.key) for one in (*sets[:-1], last))


def _letter(
    view: ReceiptView,
    around: Frame,
    received: Received,
    lines: Sequence[MailLine],
    enclosures: Sequence[Enclosure],
    reply: Reply,
    *,
    game: Game | None,
    seat: str,
    member: Member,
    address: str = "",
) -> Letter:
    alone = len(enclosures) == 1 and not any(line.worth_saying for line in lines)
    kind = enclosures[0].kind if alone else Kind.RECEIPT
    choices = tuple(chain.from_iterable({line.first_choice: line.mends for line in view.wrong if line.mends}.values()))
    reply = replace(reply, choices=choices)
    key = game.key if game else ""
    ignored = [say("numbered", number=line.number, text=line.text) for line in lines if line.missed]
    content = {**enclosures[0].view, "ignored": plain(ignored)} if alone else plain(view)
    return Letter(
        kind=kind,
        idem_key=f"{key or 'judge'}/mail/{received.id}/{seat or f'p{member.person}'}",
        view={"frame": plain(around), "reply": plain(reply), **content},
        game=key,
        seat=seat,
        person=member.person,
        address=address,
        reply_as=seat,
        thread=Thread.MAIL if received.message_id else Thread.ALONE,
        parent=received.message_id,
    )


def _proof(received: Received, zone: str) -> Provenance:
    code = f"{received.sha256[:4]}-{received.sha256[4:8]}"
    return Provenance(received.id, received.message_id, Moment(received.at, zone), received.sha256, code)


def _subject(sets: Sequence[FiledSet], status: str, answers: Sequence[Answer]) -> Said:
    ordered = any(answer.orders_own for answer in answers)
    games = {one.game for one in sets}
    if ordered and len(games) > 1:
        return say("receipt-of-games", games=len(games), status=status)
    if ordered and any(one.number for one in sets):
        numbered = [{"number": one.number, "power": one.power} for one in sets if one.number]
        return say("receipt-of-sets", sets=numbered, status=status)
    if ordered and sets:
        return say("receipt-of-orders", powers=[one.power for one in sets], status=status)
    verbs = list(dict.fromkeys(f"{answer.verb} {answer.about}".strip() for answer in answers if answer.verb))
    return say("receipt-of-mail", verbs=verbs, status=status)
