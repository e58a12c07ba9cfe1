"""The Gamemaster's desk by mail: looking before doing, their log, taking an act back, their deputy and their heir."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from judge.game.clock.turnover import turn_page
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, Open, Process, Role, Submit
from judge.game.core.decision import Context, Decision, Question, Refusal, gm_only
from judge.game.core.evolve import rebuild
from judge.game.core.model import Game, Running
from judge.game.filing.standing import standing
from judge.game.office.offices import Deputize, GamemasterChanged, HandOver
from judge.game.office.rulings import ImportPosition, OrderAs
from judge.game.office.undoing import acts, begins, inverse, taken_back, why_not
from judge.game.repair.importing import Imported, read_import
from judge.game.repair.rewriting import replayed
from judge.game.table.substitutes import BeSubstitute
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.founding import Checklist
from judge.mail.vocabulary.gmdesk import DeputyByAddress, DryRun, GmLog, HandOverByAddress, OrdersOf, Preview, UndoAct
from judge.mail.vocabulary.proxies import SubstituteByAddress
from judge.report.mailing import letters_for
from judge.report.reply.deskview import acts_view, checklist_view, imported_view, preview_view, would_do
from judge.report.table.acts import Teller
from judge.service.hearing.questions import which_game
from judge.service.hearing.trying import tried
from judge.service.posting.mailbag import cast_of
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting


@answers
def preview(sitting: Sitting, said: ReadRequest, _: Preview) -> Result:
    """What the turn would come to now, for the Gamemaster's eyes only."""
    game = _own_running(sitting, said, "there is nothing to preview")
    if isinstance(game, Refusal):
        return game
    turn = replayed if game.replay is not None else turn_page
    sitting.enclosures.append(preview_view(game, turn(game, sitting.now, by=GM_SEAT)))
    return Decision()


@answers
def orders_of(sitting: Sitting, said: ReadRequest, request: OrdersOf) -> Result:
    """What a power has on file, order by order."""
    game = _own_running(sitting, said, "nobody has orders on file")
    if isinstance(game, Refusal):
        return game
    name = game.board.powers[request.power].name
    state = standing(game, request.power).state
    sheet = game.sheets.get(request.power)
    orders = [str(line.order) for line in sheet.lines] if sheet else []
    return Decision(said=f"{name}, {game.phase_title}: {state}. {'; '.join(orders) or 'Nothing is on file'}.")


@answers
def dry_run(sitting: Sitting, said: ReadRequest, request: DryRun) -> Result:
    """What a command would do: it is carried out in a part of the transaction that is undone."""
    game = own_game(sitting, said)
    if isinstance(game, Refusal):
        return game
    wanted = request.request
    if isinstance(wanted, Process):
        wanted = replace(wanted, phase=wanted.phase or sitting.quoted[0] or str(game.phase), despite=())
    result, trial = tried(sitting, replace(said, request=wanted, verb=request.verb))
    if isinstance(result, Question):
        return Decision(said=f"I would ask you once more first: {result.sentence}")
    if isinstance(result, Refusal):
        return replace(result, sentence=f"It would be refused: {result.sentence}")
    return Decision(said=sitting.house.in_words(would_do(result.said, _would_write(sitting, trial, game))))


def _would_write(sitting: Sitting, trial: Sitting, game: Game) -> Sequence[Any]:
    after = trial.game(game.key)
    change = trial.changes.get(game.key)
    if after is None or change is None:
        return ()
    events = change.events[len(sitting.changes[game.key].events) if game.key in sitting.changes else 0 :]
    return letters_for(game, events, after, cast_of(sitting.house, sitting.unit, after)) if events else ()


@answers
def log(sitting: Sitting, said: ReadRequest, request: GmLog) -> Result:
    """Every act of the Gamemaster and their deputies, and who took the office over."""
    game = own_game(sitting, said)
    if isinstance(game, Refusal):
        return game
    events = sitting.story(game)
    numbered = [(seq, event) for seq, event in enumerate(events, 1) if request.everything or _by_gm(event)]
    cast = cast_of(sitting.house, sitting.unit, game)
    sitting.enclosures.append(acts_view(game, numbered, cast, everything=request.everything))
    return Decision()


def _by_gm(event: ev.Event) -> bool:
    return event.by in (GM_SEAT, Role.OPERATOR.value) or isinstance(event, GamemasterChanged)


@answers
def undo(sitting: Sitting, said: ReadRequest, _: UndoAct) -> Result:
    """Take the Gamemaster's last act back, where something can be put in its place."""
    game = own_game(sitting, said)
    if isinstance(game, Refusal):
        return game
    events = sitting.story(game)
    standing = acts(events)
    if not standing:
        more = " more" if any(_by_gm(event) for event in events) else ""
        return Refusal("nothing-done", f"There is nothing{more} of yours here that could be taken back.", mend="log")
    last, shelf = standing[-1], sitting.house.shelf
    first = begins(events, last)
    command = inverse(events, last, lambda: rebuild(events[:first], shelf))
    if command is None:
        return _cannot_undo(sitting, game, events, last)
    result = sitting.tell(game, command)
    if isinstance(result, Refusal):
        return result
    done = taken_back(events, last, Context(sitting.actor(game), sitting.now))
    sitting.house.keeper.apply(sitting.change(game), (done,))
    act = _in_words(sitting, game, events[last])
    return replace(result, said=f"Taken back: {act} {result.said}")


def _cannot_undo(sitting: Sitting, game: Game, events: Sequence[ev.Event], place: int) -> Refusal:
    why, mend = why_not(events, place)
    said = f"Your last act cannot be taken back: {_in_words(sitting, game, events[place])} {why}."
    return Refusal("cannot-undo", said, mend=mend)


def _in_words(sitting: Sitting, game: Game, act: ev.Event) -> str:
    """An act as the log tells it, as a sentence."""
    teller = Teller(game, cast_of(sitting.house, sitting.unit, game))
    told = sitting.house.in_words(teller.tell(act))
    return told if told.endswith(("?", "!", ".")) else f"{told}."


@answers
def open_game(sitting: Sitting, said: ReadRequest, request: Open) -> Result:
    """Open a game; where something is undecided, the checklist says what, with a line for each."""
    game = own_game(sitting, said)
    if isinstance(game, Refusal):
        return game
    result = sitting.tell(game, request)
    if isinstance(result, Refusal) and result.slug == "undecided":
        sitting.enclosures.append(checklist_view(game))
    return result


@answers
def import_position(sitting: Sitting, said: ReadRequest, request: ImportPosition) -> Result:
    """Take a position over; the receipt shows what was understood of it, what is doubtful, and what was left out."""
    game = own_game(sitting, said)
    if isinstance(game, Refusal):
        return game
    result = sitting.tell(game, request)
    found = read_import(request.text, request.phase, game.board, game.rules)
    if isinstance(result, Decision) and isinstance(found, Imported):
        sitting.enclosures.append(imported_view(game, found))
    return result


@answers
def checklist(sitting: Sitting, said: ReadRequest, _: Checklist) -> Result:
    """What is still to be decided before the game can open."""
    game = own_game(sitting, said)
    if isinstance(game, Refusal):
        return game
    sitting.enclosures.append(checklist_view(game))
    return Decision()


@answers
def deputy(sitting: Sitting, said: ReadRequest, request: DeputyByAddress) -> Result:
    """`deputy ADDRESS until DATE`."""
    return _with_person(sitting, said, request.address, lambda person: Deputize(person, request.until))


@answers
def substitute(sitting: Sitting, said: ReadRequest, request: SubstituteByAddress) -> Result:
    """`substitute for POWER by ADDRESS`: the Gamemaster says who plays."""
    return _with_person(sitting, said, request.address, lambda person: BeSubstitute(request.power, person))


@answers
def hand_over(sitting: Sitting, said: ReadRequest, request: HandOverByAddress) -> Result:
    """`hand over to ADDRESS`."""
    return _with_person(sitting, said, request.address, HandOver)


def _with_person(sitting: Sitting, said: ReadRequest, address: str, command: Any) -> Result:
    game = own_game(sitting, said)
    if isinstance(game, Refusal):
        return game
    person = sitting.unit.people.by_address(address, verified=True)
    if person is None:
        return Refusal("unknown-person", f"{address} is not registered; ask them to send: register")
    return sitting.tell(game, command(person.id))


def submit(sitting: Sitting, request: Submit, game: Game) -> Result | None:
    """Orders from the Gamemaster for a power that a heading names; orders that answer a superseded letter.

    None: these are a player's orders like any others.
    """
    actor = sitting.actor(game)
    if actor.role is Role.GM:
        if not request.power:
            return Refusal("which-power", "Say for which power these are.", mend="order as France")
        return sitting.tell(game, OrderAs(request.power, request.lines, request.replace, request.amends))
    turn, version = sitting.quoted
    if turn and turn == str(game.phase) and version < game.results_version:
        return Refusal(
            "superseded",
            f"You answer a letter that stands on version {version} of the results; version {game.results_version} "
            "counts now. Nothing was changed. Please look at the new letter and order again in answer to it.",
            mend="resend",
        )
    return None


def own_game(sitting: Sitting, said: ReadRequest) -> Game | Refusal:
    """The game that the mail means, if its author governs it."""
    game = sitting.game(said.game)
    if game is None:
        return which_game(said)
    if sitting.actor(game).role not in (Role.GM, Role.OPERATOR):
        return gm_only(game.key, alone=game.practice is not None)
    return game


def _own_running(sitting: Sitting, said: ReadRequest, otherwise: str) -> Running | Refusal:
    """The same, if the game runs. `otherwise`: what follows where it does not, for the refusal."""
    game = own_game(sitting, said)
    if isinstance(game, (Running, Refusal)):
        return game
    return Refusal("not-running", f"{game.key} is not running; {otherwise}.")
