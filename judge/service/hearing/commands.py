"""Requests that are commands to a game, and what stands around one: proxies, press on its way, mail that is not waited
for; and the Gamemaster's: trying before doing, taking an act back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from judge.acts.looking import checklist_view, imported_view, would_do
from judge.game.clock.clockwork import in_time, still_awaited
from judge.game.core import events as ev
from judge.game.core.commands import (
    Command,
    Context,
    Decision,
    Open,
    Process,
    Question,
    Refusal,
    Role,
    SendPress,
    Submit,
)
from judge.game.core.events import PhaseAdjudicated, PhaseSkipped
from judge.game.core.evolve import rebuild
from judge.game.core.model import Game, Running
from judge.game.filing.submitting import Undo
from judge.game.office.rulings import ImportPosition, OrderAs
from judge.game.office.undoing import acts, begins, by_gm, inverse, taken_back, why_not
from judge.game.repair.importing import Imported, read_import
from judge.game.table.substitutes import OrderByProxy, holds_proxy
from judge.game.talk.press import DismissEditor, NameEditor, PressRecalled, RecallPress
from judge.languages import tell
from judge.mail.queries import ForPerson
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.gmdesk import DryRun, EditorByAddress, UndoAct
from judge.report.core import naming
from judge.report.core.letter import Kind, seat_title
from judge.report.mailing import letters_for
from judge.report.table.acts import Teller
from judge.service.hearing import press, questions
from judge.service.hearing.press import from_onlooker, leak
from judge.service.hearing.questions import answers_gm
from judge.service.people import sandbox
from judge.service.posting.outgoing import cast_of
from judge.service.trust.heard import Done, HeardMail, Result, answers, tried
from judge.service.trust.lateness import too_late
from judge.service.turning.barrier import held_mails, unread_mails
from judge.store.rows import Person


@answers_gm
def dry_run(heard: HeardMail, said: ReadRequest, game: Game, request: DryRun) -> Result:
    """What a command would do: it is carried out in a part of the transaction that is undone."""
    wanted = request.request
    if isinstance(wanted, Process):
        wanted = replace(wanted, phase=wanted.phase or heard.letter.turn or str(game.phase), despite=())
    result, done = tried(heard, replace(said, request=wanted, verb=request.verb))
    if isinstance(result, Question):
        return Decision(said=tell("I would ask you once more first: {sentence}", sentence=result.sentence))
    if isinstance(result, Refusal):
        return replace(result, sentence=tell("It would be refused: {sentence}", sentence=result.sentence))
    return Decision(said=heard.judge.in_words(would_do(result.said, _would_write(heard, done, game))))


def _would_write(heard: HeardMail, done: Done, game: Game) -> Sequence[Any]:
    change = done.changes.get(game.key)
    if change is None:
        return ()
    events = change.events[len(heard.done.changes[game.key].events) if game.key in heard.done.changes else 0 :]
    return letters_for(game, events, change.after, cast_of(heard.judge, heard.unit, change.after)) if events else ()


@answers_gm
def undo_deed(heard: HeardMail, said: ReadRequest, game: Game, _: UndoAct) -> Result:
    """Take the Gamemaster's last act back, where something can be put in its place."""
    events = heard.story(game)
    standing = acts(events)
    if not standing:
        nothing = (
            tell("There is nothing more of yours here that could be taken back.")
            if any(by_gm(event) for event in events)
            else tell("There is nothing of yours here that could be taken back.")
        )
        return Refusal(
            "nothing-done",
            nothing,
            mend="log",
        )
    last, shelf = standing[-1], heard.judge.shelf
    first = begins(events, last)
    command = inverse(events, last, lambda: rebuild(events[:first], shelf))
    if command is None:
        return _cannot_undo(heard, game, events, last)
    result = heard.apply(game, command)
    if isinstance(result, Refusal):
        return result
    done = taken_back(events, last, Context(heard.actor(game), heard.now))
    heard.judge.keeper.apply(heard.change(game), (done,))
    act = _in_words(heard, game, events[last])
    return replace(result, said=tell("Taken back: {act} {said}", act=act, said=result.said))


def _cannot_undo(heard: HeardMail, game: Game, events: Sequence[ev.Event], place: int) -> Refusal:
    why, mend = why_not(events, place)
    said = tell(
        "Your last act cannot be taken back: {in_words} {why}.", in_words=_in_words(heard, game, events[place]), why=why
    )
    return Refusal("cannot-undo", said, mend=mend)


def _in_words(heard: HeardMail, game: Game, act: ev.Event) -> str:
    """An act as the log tells it, as a sentence."""
    teller = Teller(game, cast_of(heard.judge, heard.unit, game))
    told = heard.judge.in_words(teller.tell(act))
    return told if told.endswith(("?", "!", ".")) else f"{told}."


@answers_gm
def open_game(heard: HeardMail, said: ReadRequest, game: Game, request: Open) -> Result:
    """Open a game; where something is undecided, the checklist says what, with a line for each."""
    result = heard.apply(game, request)
    if isinstance(result, Refusal) and result.slug == "undecided":
        heard.enclose(checklist_view(game))
    return result


@answers_gm
def import_position(heard: HeardMail, said: ReadRequest, game: Game, request: ImportPosition) -> Result:
    """Take a position over; the receipt shows what was understood of it, what is doubtful, and what was left out."""
    result = heard.apply(game, request)
    found = read_import(request.text, request.phase, game.board, game.rules)
    if isinstance(result, Decision) and isinstance(found, Imported):
        heard.enclose(imported_view(game, found))
    return result


@answers_gm
def for_person(heard: HeardMail, said: ReadRequest, game: Game, request: ForPerson) -> Result:
    """A command for somebody whose address is named: `deputy ADDRESS until DATE`, `assign POWER to ADDRESS`."""
    person = _person(heard, request.address)
    command: Any = request.command
    return person if isinstance(person, Refusal) else heard.apply(game, replace(command, person=person.id))


def _person(heard: HeardMail, address: str) -> Person | Refusal:
    person = heard.unit.people.by_address(address, verified=True)
    return person or Refusal(
        "unknown-person", tell("{address} is not registered; ask them to send: register", address=address)
    )


# --- whoever prints the game in a zine ------------------------------------------------------------------------------


@answers_gm
def editor(heard: HeardMail, said: ReadRequest, game: Game, request: EditorByAddress) -> Result:
    """`editor ADDRESS`, `editor off ADDRESS`."""
    return _name(heard, game, request.who) if request.on else _dismiss(heard, game, request.who)


def _name(heard: HeardMail, game: Game, address: str) -> Result:
    person = _person(heard, address)
    if isinstance(person, Refusal):
        return person
    result = heard.apply(game, NameEditor(person.id))
    if isinstance(result, Refusal):
        return result
    said = tell(
        "{person} is an editor of {game}: they get all that is public, and may write to you and to the players."
        if game.settings.press_from_editors
        else "{person} is an editor of {game}: they get all that is public, and may write to you.",
        person=person.name,
        game=game.key,
    )
    return Decision(result.events, said=said)


def _dismiss(heard: HeardMail, game: Game, who: str) -> Result:
    """By address or name; where there is one editor, nobody need be named."""
    found = _meant(heard, game, who)
    if len(found) == 1:
        result = heard.apply(game, DismissEditor(found[0]))
        name = heard.ledger.members[found[0]].name
        if isinstance(result, Refusal):
            return result
        return Decision(
            result.events,
            said=tell("{name} is not an editor of {game} any more, and is told so.", name=name, game=game.key),
        )
    names = ", ".join(heard.ledger.members[person].name for person in game.editors)
    if not names:
        return Refusal("no-editor", tell("{game} has no editor.", game=game.key), mend="editor olga@zine.test")
    sentence = tell(
        "No editor is named; there are: {names}."
        if not who and not found
        else "More than one editor is named; there are: {names}."
        if not who
        else 'More than one editor is called "{who}"; there are: {names}.'
        if found
        else 'No editor is called "{who}"; there are: {names}.',
        who=who[:40],
        names=names,
    )
    return Refusal(
        "who-is-meant",
        sentence,
        mend=f"status {game.key}",
    )


def _meant(heard: HeardMail, game: Game, who: str) -> list[int]:
    people, wanted = heard.unit.people, who.casefold()
    if not who:
        return list(game.editors)
    if "@" in who:
        person = people.by_address(who, verified=True)
        return [person.id] if person is not None and person.id in game.editors else []
    return [person for person in game.editors if heard.ledger.members[person].name.casefold() == wanted]


# --- mail that is not settled: the Gamemaster goes on without a mail by naming its number ---------------------------


@dataclass(frozen=True, slots=True)
class UnsettledMail:
    """A mail that is not settled, for the Gamemaster; `needed`: the turn waits for it."""

    number: int
    came: datetime
    words: str
    needed: bool


def unsettled(heard: HeardMail, game: Game, command: Process) -> Refusal | None:
    """Why a Gamemaster's `process` has to wait for mail, or names a mail that does not wait; None if it may go on."""
    if not isinstance(game, Running) or heard.actor(game).role is not Role.GM:
        return None  # whoever may not process is told so
    waiting = _waiting(heard, game)
    unknown = sorted(set(command.despite) - {mail.number for mail in waiting})
    if unknown:
        return _no_such_mail(game, waiting, unknown)
    open_ones = [mail for mail in waiting if mail.needed and mail.number not in command.despite]
    if not open_ones:
        return None
    numbers = sorted({mail.number for mail in open_ones} | set(command.despite))
    return Refusal(
        "mail-unsettled",
        tell("Mail that came in time is not settled: {listed}. To go on without it:", listed=_listed(game, open_ones)),
        mend=f"process {game.phase} despite {' '.join(map(str, numbers))}",
    )


def go_on_without(heard: HeardMail, command: Process, result: Decision | Refusal) -> None:
    """Stop the named mails from holding up later phases, once the phase was processed without them."""
    if isinstance(result, Decision) and any(isinstance(one, (PhaseAdjudicated, PhaseSkipped)) for one in result.events):
        for number in command.despite:
            heard.unit.inbox.waive(number)


def _waiting(heard: HeardMail, game: Running) -> list[UnsettledMail]:
    unread = [mail for mail in unread_mails(heard.judge, heard.unit, game, heard.now) if mail.id != heard.mail.id]
    found = [UnsettledMail(mail.id, mail.arrived_at, tell("not read yet"), needed=True) for mail in unread]
    held = [mail for mail in held_mails(heard.unit, game, heard.now) if in_time(game, mail.came)]
    needed = {mail.number for mail in still_awaited(game, held, heard.now, heard.now)}
    for mail in held:
        state = tell("held, in the name of {who}", who=seat_title(game, mail.seat))
        found.append(UnsettledMail(mail.number, mail.came, state, mail.number in needed))
    return sorted(found, key=lambda mail: mail.number)


def _no_such_mail(game: Game, waiting: list[UnsettledMail], unknown: list[int]) -> Refusal:
    which = (
        tell("Mail {unknown} does", unknown=unknown[0])
        if len(unknown) == 1
        else tell("Mails {map} do", map=", ".join(map(str, unknown)))
    )
    said = tell(
        "{which} not wait in {phase} of {game}. Nothing was done.", which=which, phase=game.phase, game=game.key
    )
    if not waiting:
        return Refusal("no-such-mail", tell("{said} No mail waits here.", said=said), mend=f"process {game.phase}")
    numbers = " ".join(str(mail.number) for mail in waiting)
    return Refusal(
        "no-such-mail",
        tell("{said} What waits: {listed}.", said=said, listed=_listed(game, waiting)),
        mend=f"process {game.phase} despite {numbers}",
    )


def _listed(game: Game, mails: list[UnsettledMail]) -> str:
    return "; ".join(
        f"number {mail.number} ({mail.words}, came {naming.short(mail.came, game.settings.zone)})" for mail in mails
    )


# --- commands -------------------------------------------------------------------------------------------------------


@answers
def command(heard: HeardMail, said: ReadRequest, request: Command) -> Result:
    """A command to a game."""
    game = heard.game(said.game)
    if game is None:
        return questions.which_game(said)
    if (late := too_late(heard, said, game)) is not None:
        return late
    if game.practice is not None and (answer := sandbox.at_once(heard, said, game)) is not None:
        return answer
    return _submit(heard, request, game) if isinstance(request, Submit) else to_game(heard, game, request)


def _submit(heard: HeardMail, request: Submit, game: Game) -> Result:
    """Orders of a player, for their own powers or by proxy; of the Gamemaster for a power that a heading names."""
    actor = heard.actor(game)
    if actor.role is Role.GM:
        if not request.power:
            return Refusal("which-power", tell("Say for which power these are."), mend="order as France")
        return heard.apply(game, OrderAs(request.power, request.lines, request.replace, request.amends))
    turn, version = heard.letter.turn, heard.letter.version
    if turn and turn == str(game.phase) and version < game.results_version:
        return Refusal(
            "superseded",
            tell(
                "You answer a letter that stands on version {version} of the results; version "
                "{results_version} counts now. Nothing was changed. Please look at the new letter and "
                "order again in answer to it.",
                version=version,
                results_version=game.results_version,
            ),
            mend="resend",
        )
    if request.power and holds_proxy(game, actor, request.power):
        return heard.apply(game, OrderByProxy(request.power, request.lines, request.replace, request.turn))
    return heard.apply(game, request)


@answers
def undo(heard: HeardMail, said: ReadRequest, request: Undo) -> Result:
    """`undo` in a game of which the reader of the mail did not know that its author governs it."""
    game = heard.game(said.game)
    if game is not None and heard.actor(game).role is Role.GM:
        return undo_deed(heard, said, UndoAct())
    return command(heard, said, request)


def to_game(heard: HeardMail, game: Game, command: Command) -> Result:
    if isinstance(command, Process) and (wait := unsettled(heard, game, command)) is not None:
        return wait
    if isinstance(command, SendPress):
        return _press(heard, game, command)
    result = heard.apply(game, command)
    if isinstance(command, Process):
        go_on_without(heard, command, result)
    return result


def _press(heard: HeardMail, game: Game, command: SendPress) -> Result:
    """Press, if there was not too much of it and it gives its author away in nothing."""
    if (onlooker := from_onlooker(heard, game, command)) is not None:
        return onlooker
    if (refusal := press.too_much(heard, game) or leak(heard, game, command)) is not None:
        return refusal
    decision = heard.apply(game, command)
    if isinstance(decision, Refusal):
        return decision
    press.count(heard, game)
    waits = press.not_delivered(heard, game, decision.events)
    return replace(decision, said=f"{decision.said} {waits}") if waits else decision


@answers
def _recall(heard: HeardMail, said: ReadRequest, request: RecallPress) -> Result:
    """Stop the letters of recalled press; what has left has left, and that is said."""
    game = heard.game(said.game)
    if game is None:
        return questions.which_game(said)
    decision = to_game(heard, game, request)
    if isinstance(decision, Refusal):
        return decision
    for event in decision.events:
        if not isinstance(event, PressRecalled):
            continue
        begins = f"{game.key}/{event.event}/{Kind.PRESS}/"
        letters = heard.unit.letters.list(game=game.key, kind=str(Kind.PRESS), limit=10_000)
        gone = [one for one in letters if one.idem_key.startswith(begins) and not heard.unit.letters.withdraw(one.id)]
        if gone:
            count = tell("one letter") if len(gone) == 1 else tell("{gone} letters", gone=len(gone))
            return replace(
                decision,
                said=tell("Press {event} is recalled, but {count} had left already.", event=event.number, count=count),
            )
    return decision
