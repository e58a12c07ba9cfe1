"""Carrying out what a mail asks for: commands to the game, questions to the report room, errands about persons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.game.core.commands import (
    Assign,
    Claim,
    Command,
    Create,
    Join,
    Process,
    Role,
    SendPress,
    Submit,
    Vacate,
    Vote,
)
from judge.game.core.decision import Decision
from judge.game.core.model import Game
from judge.game.core.refusal import Question, Refusal
from judge.game.filing.again import Undo
from judge.game.table.proxies import OrderByProxy, holds_proxy
from judge.game.talk.recall import PressRecalled, RecallPress
from judge.mail.queries import (
    Archive,
    AssignByAddress,
    Confirm,
    Deny,
    DropAddress,
    DryCreate,
    ForgetMe,
    Help,
    History,
    HouseRules,
    JoinGame,
    ListGames,
    MyName,
    MyZone,
    NewAddress,
    NewPassword,
    Observe,
    PracticeGame,
    Queue,
    Ratings,
    ReadDiary,
    Register,
    Reminders,
    ReportForgery,
    Resend,
    ShowOrders,
    ShowStatus,
    StandBy,
    Unobserve,
    VacateByAddress,
    Verify,
    WhatIf,
)
from judge.mail.script import Said
from judge.report.core.answer import BY_PROXY, Answer
from judge.report.core.letter import Kind
from judge.service.core.persons import enrol
from judge.service.hearing import archive, gmdesk, making, presses, questions
from judge.service.hearing.anonymity import leak
from judge.service.hearing.despite import go_on_without, unsettled
from judge.service.hearing.handlers import ENCLOSED, Result, handle, register
from judge.service.people import participants, practice, ratings, vacancies
from judge.service.trust import addresses, asking, forgeries
from judge.service.trust.confirmed import too_late
from judge.service.trust.sitting import Sitting

_ASKED = "I ask you once more, in a letter of its own; it is done when you answer that with: confirm"


def perform_all(sitting: Sitting) -> None:
    """Carry out what a mail asks for, in its order and within its bounds (ruling 39).

    Orders are counted apart from everything else, so that no flood of commands keeps them off the file.
    """
    most = sitting.house.config.bounds.commands
    orders, others = _parted(sitting.script.said)
    beyond = {id(said) for said in (*orders[most:], *others[most:])}
    for said in sitting.script.said:
        if id(said) not in beyond:
            perform(sitting, said)
    for kind, what in ((others, "commands"), (orders, "sets of orders")):
        if len(kind) > most:
            _refuse(sitting, kind[most], too_many(most, len(kind) - most, what))


def _parted(said: Sequence[Said]) -> tuple[list[Said], list[Said]]:
    """(orders, everything else), each request once that asks the same as another."""
    orders = [one for one in said if isinstance(one.request, Submit)]
    known: set[tuple[object, str]] = set()
    others = []
    for one in said:
        again = isinstance(one.request, ENCLOSED) and (one.request, one.game) in known
        if not isinstance(one.request, Submit) and not again:
            others.append(one)
        if isinstance(one.request, ENCLOSED):
            known.add((one.request, one.game))
    return orders, others


def perform(sitting: Sitting, said: Said) -> None:
    """Carry one request out and note its answer."""
    verb = BY_PROXY if _by_proxy(sitting, said) else said.verb
    result = _spelled(sitting, said, _on_its_line(handle(sitting, said), said.lines[0]))
    if isinstance(result, Question):
        asking.note(sitting, said, result)
        result = replace(result, sentence=f"{result.sentence} {_ASKED}")
    sitting.note(said, Answer.of(result, line=said.lines[0], text=said.text, verb=verb, game=said.game))


def _spelled(sitting: Sitting, said: Said, result: Result) -> Result:
    """The answer with its moments in the game's zone and the author's."""
    game = sitting.game(said.game)
    if isinstance(result, Refusal):
        return replace(result, sentence=sitting.spelled(result.sentence, game))
    return replace(result, said=sitting.spelled(result.said, game))


def _refuse(sitting: Sitting, said: Said, refusal: Refusal) -> None:
    sitting.note(said, Answer.of(refusal, line=said.lines[0], text=said.text, verb=said.verb, game=said.game))


def too_many(most: int, beyond: int, what: str) -> Refusal:
    """The answer to the first request beyond the bound of a mail, which counts the others."""
    rest = f" and {beyond - 1} more were" if beyond > 1 else " was"
    return Refusal("too-many", f"One mail may hold {most} {what}: this one{rest} not carried out. Send another mail.")


def _by_proxy(sitting: Sitting, said: Said) -> bool:
    game = sitting.game(said.game)
    orders = said.request
    return isinstance(orders, Submit) and game is not None and holds_proxy(game, sitting.actor(game), orders.power)


def _on_its_line(result: Result, line: int) -> Result:
    """Orders that were written elsewhere (a plan, the last turn's) are answered where they were called for."""
    if isinstance(result, Refusal) or not any(verdict.line == 0 for verdict in result.verdicts):
        return result
    return replace(result, verdicts=tuple(replace(v, line=v.line or line) for v in result.verdicts))


def _command(sitting: Sitting, said: Said) -> Result:
    """A command to a game."""
    game = sitting.game(said.game)
    if game is None:
        return questions.which_game(said)
    if (late := too_late(sitting, said, game)) is not None:
        return late
    if (answer := practice.at_once(sitting, said, game)) is not None:
        return answer
    if isinstance(said.request, Submit) and (answer := gmdesk.submit(sitting, said, game)) is not None:
        return answer
    if isinstance(said.request, Submit) and holds_proxy(game, sitting.actor(game), said.request.power):
        orders = said.request
        return sitting.tell(game, OrderByProxy(orders.power, orders.lines, orders.replace, orders.turn))
    return _to_game(sitting, game, said.request)  # type: ignore[arg-type]


def _undo(sitting: Sitting, said: Said) -> Result:
    """`undo` in a game of which the reader of the mail did not know that its author governs it."""
    game = sitting.game(said.game)
    if game is not None and sitting.actor(game).role is Role.GM:
        return gmdesk.undo(sitting, said)
    return _command(sitting, said)


def _to_game(sitting: Sitting, game: Game, command: Command) -> Result:
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
    if (refusal := presses.too_much(sitting, game) or leak(sitting, game, command)) is not None:
        return refusal
    decision = sitting.tell(game, command)
    if isinstance(decision, Refusal):
        return decision
    presses.count(sitting, game)
    waits = presses.not_delivered(sitting, game, decision.events)
    return replace(decision, said=f"{decision.said} {waits}") if waits else decision


# --- games ------------------------------------------------------------------------------------------------------


def _join(sitting: Sitting, said: Said) -> Result:
    request = said.request
    assert isinstance(request, JoinGame)
    game = sitting.game(request.game or said.game)
    if game is None:
        return questions.which_game(said)
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
        return questions.which_game(said)
    person = sitting.unit.people.by_address(request.address, verified=True)
    if person is None:
        return Refusal("unknown-person", f"{request.address} is not registered; ask them to send: register")
    return _to_game(sitting, game, Assign(request.power, person.id))


def _vacate(sitting: Sitting, said: Said) -> Result:
    """Take the seat from whoever has this address."""
    request = said.request
    assert isinstance(request, VacateByAddress)
    game = sitting.game(said.game)
    if game is None:
        return questions.which_game(said)
    if sitting.actor(game).role is not Role.GM:
        return Refusal("gm-only", f"Only the Gamemaster of {game.key} may do that.")
    person = sitting.unit.people.by_address(request.address, verified=True)
    seat = game.seat_held_by(person.id) if person is not None else None
    if seat is None:
        return Refusal("no-player", f"Nobody with that address plays in {game.key}.", mend="status")
    return _to_game(sitting, game, Vacate(seat.powers[0] if seat.powers else "", request.reason, seat.id))


# --- persons ----------------------------------------------------------------------------------------------------


def _register(sitting: Sitting, said: Said) -> Result:
    request = said.request
    assert isinstance(request, Register)
    _enrol(sitting, name=request.name, zone=request.zone)
    person = sitting.speaker.person
    if person is None:
        return Refusal("who", "This mail names no single sender whom I could register.")
    zone = f" Times in your letters are printed in {person.zone} too." if person.zone else ""
    return Decision(said=f"You are registered; others know you as {person.name}.{zone}")


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
    return _voiced(sitting, said, aye=True)


def _deny(sitting: Sitting, said: Said) -> Result:
    return _voiced(sitting, said, aye=False)


def _voiced(sitting: Sitting, said: Said, *, aye: bool) -> Result:
    """A yes or no where no confirmation is awaited: in answer to the call of a vote it is an aye or a nay."""
    if sitting.word_taken:
        return Decision(said=sitting.word_taken)
    game, word = sitting.game(said.game), "aye" if aye else "nay"
    asked = Refusal("nothing-to-confirm", "A yes or no counts only in an answer to the letter that asks for it.")
    if game is None or sitting.actor(game).role is not Role.PLAYER or not game.votes:
        return asked
    numbers = sorted(game.votes)
    if len(numbers) == 1 and sitting.answers_call():
        return sitting.tell(game, Vote(aye=aye, vote=numbers[0]))
    forms = " or ".join(f"`{word} {number}`" for number in numbers)
    return replace(asked, sentence=f"{asked.sentence} If it was your vote, write {forms}.")


def _recall(sitting: Sitting, said: Said) -> Result:
    """Stop the letters of recalled press; what has left has left, and that is said."""
    game = sitting.game(said.game)
    if game is None:
        return questions.which_game(said)
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
            count = "one letter" if len(gone) == 1 else f"{len(gone)} letters"
            return replace(decision, said=f"Press {event.number} is recalled, but {count} had left already.")
    return decision


register(
    {
        Create: making.make,
        DryCreate: making.try_out,
        JoinGame: _join,
        AssignByAddress: _assign,
        VacateByAddress: _vacate,
        Register: _register,
        MyZone: _my_zone,
        Confirm: _confirm,
        Deny: _deny,
        StandBy: vacancies.stand_by,
        Claim: _claim,
        NewAddress: addresses.new_address,
        DropAddress: addresses.drop_address,
        NewPassword: addresses.new_password,
        WhatIf: questions.what_if,
        Undo: _undo,
        RecallPress: _recall,
        Observe: participants.observe,
        Unobserve: participants.unobserve,
        ReportForgery: forgeries.report,
        Queue: participants.queue,
        PracticeGame: practice.practice,
        MyName: participants.my_name,
        Reminders: participants.reminders,
        ForgetMe: participants.forget_me,
        Help: questions.show_help,
        ListGames: questions.list_games,
        ShowStatus: questions.status,
        ShowOrders: questions.show_orders,
        History: questions.history,
        HouseRules: questions.house_rules,
        ReadDiary: questions.read_diary,
        Resend: questions.resend,
        Ratings: ratings.ratings,
        Archive: archive.archive,
        Verify: questions.verify,
        object: _command,
    }
)
register(gmdesk.HANDLERS)
