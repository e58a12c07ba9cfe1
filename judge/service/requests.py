"""Carrying out what a mail asks for: commands to the game, questions to the report room, errands about persons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from judge.game.commands import Actor, Assign, Claim, Command, Create, Join, OrderLine, Press, Process, Role, Submit
from judge.game.decide import decide
from judge.game.decision import Decision
from judge.game.desk import create
from judge.game.model import Game, Stage
from judge.game.recall import PressRecalled, RecallPress
from judge.game.refusal import Refusal
from judge.game.speculation import PER_DAY, speculate
from judge.mail.queries import (
    AssignByAddress,
    Confirm,
    DeputyByAddress,
    DropAddress,
    DryRun,
    ForgetMe,
    GmLog,
    HandOverByAddress,
    Help,
    History,
    JoinGame,
    ListGames,
    MyName,
    MyZone,
    NewAddress,
    NewPassword,
    Observe,
    Preview,
    Queue,
    Register,
    Reminders,
    Resend,
    StandBy,
    Status,
    UndoAct,
    Unobserve,
    Verify,
    WhatIf,
)
from judge.mail.script import Said
from judge.mail.vocabulary import Section, Unclear, overview, read_toml, topic
from judge.report import inquiries
from judge.report.answer import Answer
from judge.report.letter import Kind
from judge.report.whatif import speculation_view
from judge.service import addresses, gmdesk, participants, vacancies
from judge.service.anonymity import leak
from judge.service.barrier import waiting_mails
from judge.service.keeper import thaw
from judge.service.mailbag import cast_of, post_again
from judge.service.people import enrol, may_create
from judge.service.sitting import Sitting

Result = Decision | Refusal


def perform(sitting: Sitting, said: Said) -> None:
    """Carry one request out and note its answer."""
    result = _on_its_line(handle(sitting, said), said.lines[0])
    sitting.note(said, Answer.of(result, line=said.lines[0], text=said.text, verb=said.verb))


def _on_its_line(result: Result, line: int) -> Result:
    """Orders that were written elsewhere (a plan, the last turn's) are answered where they were called for."""
    if isinstance(result, Refusal) or not any(verdict.line == 0 for verdict in result.verdicts):
        return result
    return replace(result, verdicts=tuple(replace(v, line=v.line or line) for v in result.verdicts))


def handle(sitting: Sitting, said: Said) -> Result:
    """What comes of one request."""
    return _HANDLERS.get(type(said.request), _command)(sitting, said)


def _command(sitting: Sitting, said: Said) -> Result:
    """A command to a game."""
    game = sitting.game(said.game)
    if game is None:
        return _which_game(said)
    if isinstance(said.request, Submit) and (answer := gmdesk.submit(sitting, said, game)) is not None:
        return answer
    return _to_game(sitting, game, said.request)  # type: ignore[arg-type]


def _to_game(sitting: Sitting, game: Game, command: Command) -> Result:
    actor = sitting.actor(game)
    if isinstance(command, Process) and (wait := _unsettled(sitting, game, command)) is not None:
        return wait
    if isinstance(command, Press) and (asked := leak(sitting, game, command)) is not None:
        return asked
    decision = decide(game, command, actor, sitting.now, sitting.house.lot, sitting.house.shelf)
    if isinstance(decision, Decision) and decision.events:
        sitting.house.keeper.apply(sitting.change(game), decision.events)
    return decision


def _unsettled(sitting: Sitting, game: Game, command: Process) -> Refusal | None:
    """Mail of the seats that is not settled holds `process` up, unless the GM names it (`process despite N`)."""
    if game.deadline is None:
        return None
    for number in command.despite:
        sitting.unit.inbox.waive(number)
    waiting = [m for m in waiting_mails(sitting.unit, game, sitting.now) if m.id != sitting.mail.id]
    if not waiting:
        return None
    numbers = " ".join(str(mail.id) for mail in waiting)
    return Refusal(
        "mail-unsettled",
        f"Mail that came in time is held or not read yet: number {numbers.replace(' ', ', ')}.",
        mend=f"process {game.phase} despite {numbers}",
    )


def _which_game(said: Said) -> Refusal:
    if said.game:
        return Refusal("no-game", f"There is no game named {said.game} here.", mend="list")
    return Refusal(
        "which-game", "Say which game you mean: put its name in front, or answer one of its letters.", mend="list"
    )


# --- games ------------------------------------------------------------------------------------------------------


def _create(sitting: Sitting, said: Said) -> Result:
    command = said.request
    assert isinstance(command, Create)
    person = sitting.speaker.acting
    if person is None or not may_create(sitting.house, sitting.unit, person):
        return Refusal("may-not-create", "Only Gamemasters known to this judge create games; ask its operator.")
    if sitting.game(command.key.lower()) is not None:
        return Refusal("exists", f"There is a game named {command.key} already; choose another name.")
    actor = Actor(Role.GM, "gm", person.id)
    attached = attached_settings(sitting)
    if isinstance(attached, Refusal):
        return attached
    command = replace(command, settings=(*attached, *command.settings))
    decision = create(command, actor, sitting.now, sitting.house.shelf)
    if isinstance(decision, Decision):
        change = sitting.house.keeper.create(decision.events[0])  # type: ignore[arg-type]
        sitting.changes[change.after.key] = change
    return decision


def attached_settings(sitting: Sitting) -> tuple[tuple[str, str], ...] | Refusal:
    """Settings in an attached TOML file; what the mail itself says goes before them."""
    pairs: list[tuple[str, str]] = []
    for attachment in sitting.envelope.attachments:
        if not attachment.name.lower().endswith(".toml") or not attachment.text:
            continue
        found = read_toml(attachment.text)
        if isinstance(found, Unclear):
            return Refusal(found.reason, f"{attachment.name}: {found.sentence}", *found.candidates[:1])
        pairs += found
    return tuple(pairs)


def _join(sitting: Sitting, said: Said) -> Result:
    request = said.request
    assert isinstance(request, JoinGame)
    game = sitting.game(request.game or said.game)
    if game is None:
        return _which_game(said)
    _enrol(sitting, name=request.name, zone=request.zone)
    return _to_game(sitting, game, Join(request.preferences))


def _claim(sitting: Sitting, said: Said) -> Result:
    """Somebody takes a vacant seat; he may be new here."""
    vacancies.welcome(sitting)
    return _command(sitting, said)


def _assign(sitting: Sitting, said: Said) -> Result:
    request = said.request
    assert isinstance(request, AssignByAddress)
    game = sitting.game(said.game)
    if game is None:
        return _which_game(said)
    person = sitting.unit.people.by_address(request.address, verified=True)
    if person is None:
        return Refusal("unknown-person", f"{request.address} is not registered; ask them to send: register", "register")
    return _to_game(sitting, game, Assign(request.power, person.id))


# --- persons ----------------------------------------------------------------------------------------------------


def _register(sitting: Sitting, said: Said) -> Result:
    request = said.request
    assert isinstance(request, Register)
    _enrol(sitting, name=request.name, zone=request.zone)
    return Decision(said="You are registered.")


def _enrol(sitting: Sitting, *, name: str = "", zone: str = "") -> None:
    """Make the sender a person; his address is proved by now (confirmation, our server's word, or a token)."""
    address = sitting.speaker.address
    if address is None:
        return
    if sitting.speaker.person is None:
        name = name or sitting.envelope.from_name
    person = enrol(sitting.house, sitting.unit, address, name=name, zone=zone, verified=True)
    sitting.speaker = replace(sitting.speaker, person=person)
    sitting.ledger.members.learn(person)


def _my_zone(sitting: Sitting, said: Said) -> Result:
    request = said.request
    assert isinstance(request, MyZone)
    _enrol(sitting, zone=request.zone)
    return Decision(said=f"Times in your letters are printed in {request.zone} too.")


def _confirm(sitting: Sitting, said: Said) -> Result:
    return Refusal("nothing-to-confirm", "Nothing waits for a confirmation here.")


# --- questions --------------------------------------------------------------------------------------------------


def _help(sitting: Sitting, said: Said) -> Result:
    request = said.request
    assert isinstance(request, Help)
    game = sitting.game(said.game)
    if request.topic:
        entries = topic(request.topic)
        if not entries:
            return Refusal("no-topic", f'There is no help on "{request.topic}".', mend="help")
        sections: tuple[Section, ...] = (Section(request.topic, entries),)
    else:
        sections = overview(sitting.actor(game).role)
    sitting.enclosures.append(
        inquiries.help_view(sections, sitting.house.office, game=game.key if game else "", topic=request.topic)
    )
    return Decision()


def _list(sitting: Sitting, said: Said) -> Result:
    openings = []
    for row in sitting.unit.games.list():
        game = sitting.game(row.key)
        if game is not None and game.settings.listed and game.stage is not Stage.FORMING:
            openings.append(inquiries.opening(game, cast_of(sitting.house, sitting.unit, game)))
    sitting.enclosures.append(inquiries.list_view(openings, sitting.house.office))
    return Decision()


def _status(sitting: Sitting, said: Said) -> Result:
    request = said.request
    assert isinstance(request, Status)
    game = sitting.game(request.game or said.game)
    if game is None:
        return _which_game(said)
    actor = sitting.actor(game)
    trusted = sitting.speaker.may_play() or sitting.speaker.may_govern()
    cast = cast_of(sitting.house, sitting.unit, game)
    seat = actor.seat if trusted else ""
    sitting.enclosures.append(inquiries.status_view(game, seat, cast, actor.person if trusted else 0))
    return Decision()


def _history(sitting: Sitting, said: Said) -> Result:
    request = said.request
    assert isinstance(request, History)
    game = sitting.game(request.game or said.game)
    if game is None:
        return _which_game(said)
    events = [thaw(stored) for stored in sitting.unit.events.load(game.key)]
    sitting.enclosures.append(inquiries.history_view(game, events, request.since))
    return Decision()


def _resend(sitting: Sitting, said: Said) -> Result:
    """The same report again, as it was then."""
    request = said.request
    assert isinstance(request, Resend)
    game = sitting.game(said.game)
    person = sitting.speaker.acting
    if game is None or person is None:
        return _which_game(said)
    wanted = request.what.upper()
    found = [
        letter
        for kind in ("started", "results", "ended")
        for letter in sitting.unit.letters.list(game=game.key, kind=kind, limit=10_000)
        if letter.person_id == person.id and wanted in letter.idem_key.upper()
    ]
    if not found:
        return Refusal("no-report", f"There is no such report of {game.key} for you.", mend="history")
    last = max(found, key=lambda letter: letter.id)
    post_again(sitting.house, sitting.unit, last, sitting.now, mail_id=sitting.mail.id)
    return Decision(said="It is on its way to you again.")


def _what_if(sitting: Sitting, said: Said) -> Result:
    """A dry run with own and guessed orders; so many a day and person."""
    request = said.request
    assert isinstance(request, WhatIf)
    game = sitting.game(said.game)
    person = sitting.speaker.acting
    if game is None or person is None:
        return _which_game(said)
    seat = game.seats.get(sitting.actor(game).seat)
    if seat is None:
        return Refusal("no-seat", f"Only the players of {game.key} try orders out.")
    # The lines of the request are the first line of the command itself, where it holds an order, and those below.
    first = 0 if len(said.lines) == len(request.lines) else 1
    numbers = (*said.lines[first:], *[said.lines[0]] * len(request.lines))
    lines = tuple(OrderLine(number, text) for number, text in zip(numbers, request.lines, strict=False))
    found = speculate(game, lines, seat.powers)
    if isinstance(found, Refusal):
        return found
    if not sitting.unit.contacts.allow(f"person:{person.id}", "what-if", sitting.now.date(), PER_DAY):
        return Refusal("enough-today", f"That was your {PER_DAY}th dry run today; I try more for you tomorrow.")
    sitting.enclosures.append(speculation_view(game, found))
    return Decision()


def _recall(sitting: Sitting, said: Said) -> Result:
    """Stop the letters of recalled press; what has left has left, and that is said."""
    game = sitting.game(said.game)
    if game is None:
        return _which_game(said)
    decision = _to_game(sitting, game, said.request)  # type: ignore[arg-type]
    if isinstance(decision, Refusal):
        return decision
    for event in decision.events:
        if not isinstance(event, PressRecalled):
            continue
        begins = f"{game.key}/{event.event}/{Kind.PRESS}/"
        letters = sitting.unit.letters.list(game=game.key, kind=str(Kind.PRESS), limit=10_000)
        gone = [one for one in letters if one.idem_key.startswith(begins) and not sitting.unit.letters.withdraw(one.id)]
        if gone:
            count = "One letter" if len(gone) == 1 else f"{len(gone)} letters"
            return replace(decision, said=f"Press {event.number} is recalled, but {count} had left already.")
    return decision


def _verify(sitting: Sitting, said: Said) -> Result:
    request = said.request
    assert isinstance(request, Verify)
    proof = request.proof.strip().lower()
    if not proof:
        return Refusal("no-proof", "Give the proof of the receipt: its number, or the first digits of its hash.")
    mail = sitting.unit.inbox.find_proof(proof)
    if mail is None:
        return Decision(said=f"No mail on record matches {proof}.")
    return Decision(said=f"Match: mail {mail.id}, received {mail.arrived_at:%Y-%m-%d %H:%M:%S} UTC, is on record.")


_HANDLERS: Mapping[type[Any], Callable[[Sitting, Said], Result]] = {
    Create: _create,
    JoinGame: _join,
    AssignByAddress: _assign,
    Register: _register,
    MyZone: _my_zone,
    Confirm: _confirm,
    StandBy: vacancies.stand_by,
    Claim: _claim,
    NewAddress: addresses.new_address,
    DropAddress: addresses.drop_address,
    NewPassword: addresses.new_password,
    Preview: gmdesk.preview,
    WhatIf: _what_if,
    RecallPress: _recall,
    DryRun: gmdesk.dry_run,
    GmLog: gmdesk.log,
    UndoAct: gmdesk.undo,
    DeputyByAddress: gmdesk.deputy,
    HandOverByAddress: gmdesk.hand_over,
    Observe: participants.observe,
    Unobserve: participants.unobserve,
    Queue: participants.queue,
    MyName: participants.my_name,
    Reminders: participants.reminders,
    ForgetMe: participants.forget_me,
    Help: _help,
    ListGames: _list,
    Status: _status,
    History: _history,
    Resend: _resend,
    Verify: _verify,
}
