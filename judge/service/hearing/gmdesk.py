"""The Gamemaster's desk by mail: trying before doing, taking an act back, commands for somebody whose address is named,
the editors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from judge.acts.looking import checklist_view, imported_view, would_do
from judge.game.core import events as ev
from judge.game.core.commands import Context, Decision, Open, Process, Question, Refusal
from judge.game.core.evolve import rebuild
from judge.game.core.model import Game
from judge.game.office.rulings import ImportPosition
from judge.game.office.undoing import acts, begins, by_gm, inverse, taken_back, why_not
from judge.game.repair.importing import Imported, read_import
from judge.game.talk.editors import DismissEditor, NameEditor
from judge.languages import tell
from judge.mail.queries import ForPerson
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.gmdesk import DryRun, EditorByAddress, UndoAct
from judge.report.mailing import letters_for
from judge.report.table.acts import Teller
from judge.service.hearing.questions import answers_gm
from judge.service.posting.outgoing import cast_of
from judge.service.trust.heard import Done, HeardMail, Result, tried
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
    return Decision(said=heard.house.in_words(would_do(result.said, _would_write(heard, done, game))))


def _would_write(heard: HeardMail, done: Done, game: Game) -> Sequence[Any]:
    change = done.changes.get(game.key)
    if change is None:
        return ()
    events = change.events[len(heard.done.changes[game.key].events) if game.key in heard.done.changes else 0 :]
    return letters_for(game, events, change.after, cast_of(heard.house, heard.unit, change.after)) if events else ()


@answers_gm
def undo(heard: HeardMail, said: ReadRequest, game: Game, _: UndoAct) -> Result:
    """Take the Gamemaster's last act back, where something can be put in its place."""
    events = heard.story(game)
    standing = acts(events)
    if not standing:
        more = tell(" more") if any(by_gm(event) for event in events) else ""
        return Refusal(
            "nothing-done",
            tell("There is nothing{more} of yours here that could be taken back.", more=more),
            mend="log",
        )
    last, shelf = standing[-1], heard.house.shelf
    first = begins(events, last)
    command = inverse(events, last, lambda: rebuild(events[:first], shelf))
    if command is None:
        return _cannot_undo(heard, game, events, last)
    result = heard.apply(game, command)
    if isinstance(result, Refusal):
        return result
    done = taken_back(events, last, Context(heard.actor(game), heard.now))
    heard.house.keeper.apply(heard.change(game), (done,))
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
    teller = Teller(game, cast_of(heard.house, heard.unit, game))
    told = heard.house.in_words(teller.tell(act))
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
    also = tell(" and to the players") if game.settings.press_from_editors else ""
    said = tell(
        "{person} is an editor of {game}: they get all that is public, and may write to you{also}.",
        person=person.name,
        game=game.key,
        also=also,
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
    be = tell("More than one editor is") if found else tell("No editor is")
    called = tell(' called "{who}"', who=who[:40]) if who else tell(" named")
    return Refusal(
        "who-is-meant",
        tell("{be}{called}; there are: {names}.", be=be, called=called, names=names),
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
