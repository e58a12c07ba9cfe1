"""The receipt: the one answer to a mail, line by line, with the full set of orders on file (B09-B11).

The most read letter of all. It says first how the player stands, then whatever must be put right with the line to
send, then every line of his mail as taken, refused or ignored, then what is on file now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge.board.phase import Phase
from judge.game.advance import moment
from judge.game.decision import Status, Verdict
from judge.game.model import Game, Seat, Stage
from judge.game.standing import State, standing, standings
from judge.report import times
from judge.report.answer import Answer, Enclosure, Received
from judge.report.batch import reply_to
from judge.report.cast import Cast, Member, Office
from judge.report.desk import deadline_texts, filed_lines
from judge.report.frame import Frame, Reader, frame, office_frame
from judge.report.letter import Kind, Letter, Reply, Thread, plain
from judge.report.lines import MailLine, lines_of
from judge.report.naming import joined, many, order_text, power_name, unit_text


@dataclass(frozen=True, slots=True)
class FiledSet:
    """The set on file for one power. `number` is 0 while nothing was sent; `lines` are spelled-out orders; `missing`
    says what is still asked for; `changed` what this mail changed."""

    power: str
    phase: str
    number: int
    state: str
    lines: tuple[str, ...]
    missing: tuple[str, ...] = ()
    changed: str = ""


@dataclass(frozen=True, slots=True)
class KeptSet:
    """Lines kept for a phase to come, as written; or, with `title` "always", orders that stand where none are given."""

    title: str
    power: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """What proves that the mail came: the judge's number for it, its own Message-ID, when, and its hash (B10).

    `code` is the beginning of the hash in the form that `verify` takes: "7c1e-9a42".
    """

    id: str
    message_id: str
    received: str
    sha256: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class ReceiptView:
    """`status` is one of COMPLETE, PARTIAL, MISSING, NEEDS CORRECTION, NOTHING NEEDED for orders, DONE or NOT DONE for
    other commands; `headline` says it in a sentence. `wrong`: the refused lines, first of all; `lines`: all lines."""

    status: str
    headline: str
    received: str
    subject: str
    wrong: tuple[MailLine, ...]
    lines: tuple[MailLine, ...]
    sets: tuple[FiledSet, ...]
    proof: Proof
    due: str = ""
    due_own: str = ""
    waiting: str = ""
    flags: str = ""
    mistrusted: str = ""
    enclosures: tuple[Enclosure, ...] = ()
    kept: tuple[KeptSet, ...] = ()


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
) -> Letter:
    """The answer to a mail from a seat ("gm" too): `game` behind the mail's events, `before` ahead of them.

    A mail that asked one question and held nothing else is answered by a letter of that kind.
    """
    reader = Reader(seat, member)
    around = frame(game, reader, Cast({member.person: member}, office, names=names or {}))
    lines = lines_of(answers, unread, game.board)
    due, own = deadline_texts(game, member)
    held = game.seats.get(seat)
    sets = tuple(_filed_set(game, before, power) for power in held.powers) if held and _plays(game) else ()
    status, headline = _verdict(game, held, lines, answers)
    view = ReceiptView(
        status=status,
        headline=headline,
        received=times.received(received.at, game.settings.zone),
        subject=_subject(sets, status, answers),
        wrong=tuple(line for line in lines if line.status == Status.REFUSED),
        lines=lines,
        sets=sets,
        proof=_proof(received, game.settings.zone),
        due=due,
        due_own=own,
        waiting=_waiting(game, held),
        flags="wait" if held and held.wait else "",
        mistrusted=received.mistrusted,
        enclosures=tuple(enclosures),
        kept=kept_sets(game, held),
    )
    return _letter(view, around, received, lines, enclosures, game=game, seat=seat, member=member)


def answer_to_person(
    member: Member,
    received: Received,
    answers: Sequence[Answer],
    *,
    office: Office,
    game: Game | None = None,
    unread: Sequence[Verdict] = (),
    enclosures: Sequence[Enclosure] = (),
    address: str = "",
) -> Letter:
    """The answer to a mail from somebody without a seat in the game it is about, or about no game at all.

    `address` is needed only for somebody who is no person of ours (`member.person` 0).
    """
    reader = Reader("", member)
    around = frame(game, reader, Cast({}, office)) if game else office_frame(member, office)
    lines = lines_of(answers, unread, game.board if game else None)
    zone = member.zone or (game.settings.zone if game else "UTC")
    status, headline = _done(lines)
    view = ReceiptView(
        status=status,
        headline=headline,
        received=times.received(received.at, zone),
        subject=_subject((), status, answers),
        wrong=tuple(line for line in lines if line.status == Status.REFUSED),
        lines=lines,
        sets=(),
        proof=_proof(received, zone),
        mistrusted=received.mistrusted,
        enclosures=tuple(enclosures),
    )
    return _letter(view, around, received, lines, enclosures, game=game, seat="", member=member, address=address)


def _plays(game: Game) -> bool:
    """Whether there are orders to be shown: the game has begun and goes on."""
    return game.position is not None and game.stage is Stage.RUNNING


def _letter(
    view: ReceiptView,
    around: Frame,
    received: Received,
    lines: Sequence[MailLine],
    enclosures: Sequence[Enclosure],
    *,
    game: Game | None,
    seat: str,
    member: Member,
    address: str = "",
) -> Letter:
    alone = len(enclosures) == 1 and not any(line.worth_saying for line in lines)
    kind = enclosures[0].kind if alone else Kind.RECEIPT
    choices = tuple(mend for line in view.wrong for mend in line.mends)
    reply = reply_to(game, choices=choices) if game else Reply(choices=choices)
    key = game.key if game else ""
    ignored = [f"{line.number}  {line.text}" for line in lines if line.status == Status.IGNORED]
    content = {**enclosures[0].view, "ignored": ignored} if alone else plain(view)
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


# --- how the player stands ----------------------------------------------------------------------------------------

ORDERING = ("orders", "clear", "undo")
"""Verbs after which the receipt says how the orders stand."""

_WORST = (State.NEEDS_CORRECTION, State.MISSING, State.PARTIAL, State.COMPLETE, State.NOTHING_NEEDED)


def _verdict(game: Game, seat: Seat | None, lines: Sequence[MailLine], answers: Sequence[Answer]) -> tuple[str, str]:
    """(status, headline) of a receipt."""
    ordered = any(answer.verdicts or answer.verb in ORDERING for answer in answers)
    if seat is None or game.stage is not Stage.RUNNING or not ordered:
        return _done(lines)
    states = [standing(game, power).state for power in seat.powers]
    state = min(states, key=_WORST.index, default=State.NOTHING_NEEDED)
    wrong = [line.number for line in lines if line.status == Status.REFUSED]
    if wrong:
        return "NEEDS CORRECTION", _correction(game, seat, wrong, state)
    due = times.short(game.deadline.at, game.settings.zone) if game.deadline else ""
    if game.held_since is not None:
        due = "the deadline that is set when the game goes on"
    if state is State.MISSING and any(power in game.sheets for power in seat.powers):
        return "PARTIAL", f"not enough yet: without the rest, due by {due}, you would be late."
    headline = {
        State.COMPLETE: f"nothing more is needed. You may change it until {due}.",
        State.PARTIAL: f"the rest is due by {due}; a unit without an order stands.",
        State.MISSING: f"nothing is on file yet; it is due by {due}.",
        State.NEEDS_CORRECTION: f"an earlier line still waits to be put right, by {due}.",
        State.NOTHING_NEEDED: "nothing is asked of you in this phase.",
    }[state]
    return state.value.upper(), headline


def _correction(game: Game, seat: Seat, wrong: Sequence[int], state: State) -> str:
    """Which lines were not taken, and what stands nevertheless."""
    lines = list(dict.fromkeys(wrong))  # several orders may stand on one line
    named = joined(str(number) if number else "the subject" for number in lines)
    which = f"line {named} was" if len(lines) == 1 else f"lines {named} were"
    which = "the subject was" if lines == [0] else which
    numbers = [sheet.number for power in seat.powers if (sheet := game.sheets.get(power)) and sheet.lines]
    if not numbers:
        return f"{which} not taken; nothing is on file."
    force = f"Set {joined(str(number) for number in numbers)} is in force"
    return f"{which} not taken. {force}" + (" and complete." if state is State.COMPLETE else ".")


def _done(lines: Sequence[MailLine]) -> tuple[str, str]:
    refused = sum(line.status == Status.REFUSED for line in lines)
    taken = sum(line.status == Status.TAKEN for line in lines)
    if refused and taken:
        return "PARTLY DONE", f"{many(refused, 'line')} could not be followed."
    if refused:
        return "NOT DONE", "nothing was changed."
    if taken:
        return "DONE", "all that you asked for."
    return "NOTHING TO DO", "I found no command in this mail."


def _filed_set(game: Game, before: Game | None, power: str) -> FiledSet:
    sheet = game.sheets.get(power)
    old = before.sheets.get(power) if before else None
    now = standing(game, power)
    missing = [f"no order for {unit_text(unit, game.board)}" for unit in now.unordered]
    if now.builds_open:
        missing.append(f"{many(now.builds_open, 'build')} not used")
    if now.removals_open:
        missing.append(f"{many(now.removals_open, 'unit')} to remove")
    return FiledSet(
        power=power_name(power, game.board),
        phase=game.phase.title if game.phase else "",
        number=sheet.number if sheet else 0,
        state=now.state.value.upper(),
        lines=filed_lines(game, power),
        missing=tuple(missing),
        changed=_changed(old.number, [o.order for o in old.lines], [o.order for o in sheet.lines])
        if old and sheet and old.number != sheet.number and old.phase == sheet.phase
        else "",
    )


def kept_sets(game: Game, seat: Seat | None) -> tuple[KeptSet, ...]:
    """What is kept for phases to come, in their order, and what always stands."""
    found = []
    for power in seat.powers if seat else ():
        name = power_name(power, game.board)
        phases = {Phase.read(code): groups for code, groups in game.kept.get(power, {}).items()}
        for phase in sorted(phases, key=moment):
            if game.phase is None or moment(phase) >= moment(game.phase):
                lines = tuple(line.replace("\n", " / ") for group in phases[phase] for line in group)
                found.append(KeptSet(phase.title, name, lines))
        if always := game.always.get(power):
            found.append(KeptSet("always", name, tuple(order_text(order, game.board) for order in always)))
    return tuple(found)


def _changed(number: int, old: Sequence[str], new: Sequence[str]) -> str:
    """What differs from the set before: "Changed since set 2: line 3."."""
    fresh = [str(index) for index, order in enumerate(new, 1) if order not in old]
    gone = len(old) - sum(order in new for order in old)
    replaced = min(gone, len(fresh))
    words = []
    if fresh:
        words.append(f"{'line' if len(fresh) == 1 else 'lines'} {joined(fresh)}")
    if gone > replaced:
        words.append(f"{many(gone - replaced, 'line')} withdrawn")
    return f"Changed since set {number}: {joined(words) or 'nothing'}."


def _waiting(game: Game, seat: Seat | None) -> str:
    """How many other sets are missing, never whose; "" where the game keeps that secret."""
    if not game.settings.waiting_shown or seat is None or game.deadline is None:
        return ""
    asked = standings(game)
    others = [one for one in asked if one.power not in seat.powers and one.late]
    return f"{len(others)} of {len(asked)} not in"


def _proof(received: Received, zone: str) -> Proof:
    code = f"{received.sha256[:4]}-{received.sha256[4:8]}"
    return Proof(received.id, received.message_id, times.received(received.at, zone), received.sha256, code)


def _subject(sets: Sequence[FiledSet], status: str, answers: Sequence[Answer]) -> str:
    ordered = any(answer.verdicts or answer.verb in ORDERING for answer in answers)
    numbered = [one for one in sets if one.number]
    if ordered and numbered:
        return f"{joined(f'set {one.number} for {one.power}' for one in numbered)} - {status}"
    verbs = list(dict.fromkeys(answer.verb for answer in answers if answer.verb))
    return f"{joined(verbs) or 'your mail'} - {status.lower()}"
