"""The receipt: the one answer to a mail, line by line, with the full set of orders on file.

It says first how the player stands, then what must be put right and which line does that, then what is on file now,
then what became of every line of the mail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from judge.game.core.decision import Status, Verdict
from judge.game.core.model import Game
from judge.report.core.answer import Answer, Enclosure, Received
from judge.report.core.frame import Cast, Frame, Member, Office, Reader, letterhead, office_frame
from judge.report.core.letter import Kind, Letter, Reply, Thread, plain
from judge.report.core.naming import Moment, Said, Text, say
from judge.report.reply.headline import AuthorsSeat, done, soon, tells, verdict
from judge.report.reply.lines import MailLine, lines_of
from judge.report.seat.closing import ClosedDeadline, given_up
from judge.report.seat.desk import OpenLine, due, flag_of
from judge.report.seat.form import acts_after
from judge.report.seat.onfile import FiledSet, KeptSet, filed_set, kept_sets, waiting_for


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
