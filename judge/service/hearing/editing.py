"""`editor`: the Gamemaster names whoever prints the game in a zine, or takes them off again, by address or name."""

from __future__ import annotations

from judge.game.core.decision import Decision, Refusal
from judge.game.core.model import Game
from judge.game.talk.editors import DismissEditor, NameEditor
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.gmdesk import EditorByAddress
from judge.service.hearing.gmdesk import own_game
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting


@answers
def editor(sitting: Sitting, said: ReadRequest, request: EditorByAddress) -> Result:
    """`editor ADDRESS`, `editor off ADDRESS`."""
    game = own_game(sitting, said)
    if isinstance(game, Refusal):
        return game
    return _name(sitting, game, request.who) if request.on else _dismiss(sitting, game, request.who)


def _name(sitting: Sitting, game: Game, address: str) -> Result:
    person = sitting.unit.people.by_address(address, verified=True)
    if person is None:
        return Refusal("unknown-person", f"{address} is not registered; ask them to send: register")
    result = sitting.tell(game, NameEditor(person.id))
    if isinstance(result, Refusal):
        return result
    also = " and to the players" if game.settings.press_from_editors else ""
    said = f"{person.name} is an editor of {game.key}: they get all that is public, and may write to you{also}."
    return Decision(result.events, said=said)


def _dismiss(sitting: Sitting, game: Game, who: str) -> Result:
    """By address or name; where there is one editor, nobody need be named."""
    found = _meant(sitting, game, who)
    if len(found) == 1:
        result = sitting.tell(game, DismissEditor(found[0]))
        name = sitting.ledger.members[found[0]].name
        if isinstance(result, Refusal):
            return result
        return Decision(result.events, said=f"{name} is not an editor of {game.key} any more, and is told so.")
    names = ", ".join(sitting.ledger.members[person].name for person in game.editors)
    if not names:
        return Refusal("no-editor", f"{game.key} has no editor.", mend="editor olga@zine.test")
    be = "More than one editor is" if found else "No editor is"
    called = f' called "{who[:40]}"' if who else " named"
    return Refusal("who-is-meant", f"{be}{called}; there are: {names}.", mend=f"status {game.key}")


def _meant(sitting: Sitting, game: Game, who: str) -> list[int]:
    people, wanted = sitting.unit.people, who.casefold()
    if not who:
        return list(game.editors)
    if "@" in who:
        person = people.by_address(who, verified=True)
        return [person.id] if person is not None and person.id in game.editors else []
    return [person for person in game.editors if sitting.ledger.members[person].name.casefold() == wanted]
