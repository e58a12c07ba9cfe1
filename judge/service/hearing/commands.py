"""Requests that are commands to a game, and what stands around one: proxies, limits of press, mail not settled."""

from __future__ import annotations

from dataclasses import replace

from judge.game.core.commands import Command, Process, Role, SendPress, Submit
from judge.game.core.decision import Refusal
from judge.game.core.model import Game
from judge.game.filing.again import Undo
from judge.game.table.proxies import OrderByProxy, holds_proxy
from judge.game.talk.press import PressRecalled, RecallPress
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.gmdesk import UndoAct
from judge.report.core.letter import Kind
from judge.service.hearing import gmdesk, presses, questions
from judge.service.hearing.anonymity import leak
from judge.service.hearing.despite import go_on_without, unsettled
from judge.service.hearing.onlookers import from_onlooker
from judge.service.people import sandbox
from judge.service.trust.confirmed import too_late
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting


@answers
def command(sitting: Sitting, said: ReadRequest, request: Command) -> Result:
    """A command to a game."""
    game = sitting.game(said.game)
    if game is None:
        return questions.which_game(said)
    if (late := too_late(sitting, said, game)) is not None:
        return late
    if (answer := sandbox.at_once(sitting, said, game)) is not None:
        return answer
    if isinstance(request, Submit) and (answer := gmdesk.submit(sitting, request, game)) is not None:
        return answer
    if isinstance(request, Submit) and request.power and holds_proxy(game, sitting.actor(game), request.power):
        return sitting.tell(game, OrderByProxy(request.power, request.lines, request.replace, request.turn))
    return to_game(sitting, game, request)


@answers
def undo(sitting: Sitting, said: ReadRequest, request: Undo) -> Result:
    """`undo` in a game of which the reader of the mail did not know that its author governs it."""
    game = sitting.game(said.game)
    if game is not None and sitting.actor(game).role is Role.GM:
        return gmdesk.undo(sitting, said, UndoAct())
    return command(sitting, said, request)


def to_game(sitting: Sitting, game: Game, command: Command) -> Result:
    if isinstance(command, Process) and (wait := unsettled(sitting, game, command)) is not None:
        return wait
    if isinstance(command, SendPress):
        return _press(sitting, game, command)
    result = sitting.tell(game, command)
    if isinstance(command, Process):
        go_on_without(sitting, command, result)
    return result


def _press(sitting: Sitting, game: Game, command: SendPress) -> Result:
    """Press, if there was not too much of it and it gives its author away in nothing."""
    if (onlooker := from_onlooker(sitting, game, command)) is not None:
        return onlooker
    if (refusal := presses.too_much(sitting, game) or leak(sitting, game, command)) is not None:
        return refusal
    decision = sitting.tell(game, command)
    if isinstance(decision, Refusal):
        return decision
    presses.count(sitting, game)
    waits = presses.not_delivered(sitting, game, decision.events)
    return replace(decision, said=f"{decision.said} {waits}") if waits else decision


@answers
def _recall(sitting: Sitting, said: ReadRequest, request: RecallPress) -> Result:
    """Stop the letters of recalled press; what has left has left, and that is said."""
    game = sitting.game(said.game)
    if game is None:
        return questions.which_game(said)
    decision = to_game(sitting, game, request)
    if isinstance(decision, Refusal):
        return decision
    for event in decision.events:
        if not isinstance(event, PressRecalled):
            continue
        begins = f"{game.key}/{event.event}/{Kind.PRESS}/"
        letters = sitting.unit.letters.list(game=game.key, kind=str(Kind.PRESS), limit=10_000)
        gone = [one for one in letters if one.idem_key.startswith(begins) and not sitting.unit.letters.withdraw(one.id)]
        if gone:
            count = "one letter" if len(gone) == 1 else f"{len(gone)} letters"
            return replace(decision, said=f"Press {event.number} is recalled, but {count} had left already.")
    return decision
