"""Requests that are commands to a game, and what stands around one: proxies, press on its way, mail that is not
settled.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from judge.game.clock.awaiting import in_time, still_awaited
from judge.game.core.commands import Command, Decision, Process, Refusal, Role, SendPress, Submit
from judge.game.core.events import PhaseAdjudicated, PhaseSkipped
from judge.game.core.model import Game, Running
from judge.game.filing.withdrawing import Undo
from judge.game.office.rulings import OrderAs
from judge.game.table.proxies import OrderByProxy, holds_proxy
from judge.game.talk.press import PressRecalled, RecallPress
from judge.languages import tell
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.gmdesk import UndoAct
from judge.report.core import times
from judge.report.core.frame import seat_title
from judge.report.core.letter import Kind
from judge.service.hearing import gmdesk, press, questions
from judge.service.hearing.press import from_onlooker, leak
from judge.service.people import sandbox
from judge.service.trust.heard import HeardMail, Result, answers
from judge.service.trust.lateness import too_late
from judge.service.turning.barrier import held_mails, unread_mails

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
    unread = [mail for mail in unread_mails(heard.house, heard.unit, game, heard.now) if mail.id != heard.mail.id]
    found = [UnsettledMail(mail.id, mail.arrived_at, "not read yet", needed=True) for mail in unread]
    held = [mail for mail in held_mails(heard.unit, game, heard.now) if in_time(game, mail.came)]
    needed = {mail.number for mail in still_awaited(game, held, heard.now, heard.now)}
    found += [
        UnsettledMail(
            mail.number, mail.came, f"held, in the name of {seat_title(game, mail.seat)}", mail.number in needed
        )
        for mail in held
    ]
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
        f"number {mail.number} ({mail.words}, came {times.short(mail.came, game.settings.zone)})" for mail in mails
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
        return gmdesk.undo(heard, said, UndoAct())
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
