"""The record of a game as files, by mail once it is over, for the operator at any time as far as it was published;
`export`: what everybody has seen, at any time; `map`: pictures of its phases.
"""

from __future__ import annotations

from judge.game.core.decision import Decision, Refusal
from judge.game.core.model import Game, Stage
from judge.mail.letters import files_of
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.maps import ShowMap
from judge.mail.vocabulary.reading import Archive, Export
from judge.report.core.letter import Kind, plain
from judge.report.reply.archive import archive_enclosure, archive_view, export_view, public_record
from judge.report.reply.inquiries import map_view
from judge.service.core.house import House
from judge.service.core.keeper import thaw_all
from judge.service.hearing.questions import which_game
from judge.service.people.sandbox import others_board
from judge.service.posting.outgoing import cast_of
from judge.service.trust.handlers import Result, answers
from judge.service.trust.heard import HeardMail
from judge.service.trust.seeing import not_to_see
from judge.store import View

PER_DAY = 20
"""So many archives a day and person: they are the largest letters that can be asked for."""


@answers
def archive(heard: HeardMail, said: ReadRequest, request: Archive) -> Result:
    """`archive GAME`."""
    game = heard.game(request.game or said.game)
    person = heard.speaker.acting
    if game is None or person is None:
        return which_game(said)
    if game.stage is not Stage.ENDED or game.practice is not None:
        sentence = (
            f"{game.key} is not over; you can have its archive when it is. What was played so far is its history."
        )
        return Refusal("not-over", sentence, mend=f"history {game.key}")
    if not heard.unit.contacts.allow(f"person:{person.id}", "archive", heard.now.date(), PER_DAY):
        return Refusal("enough-today", f"That makes {PER_DAY} archives today; ask again tomorrow.")
    events = heard.story(game)
    view = archive_view(game, events, cast_of(heard.house, heard.unit, game, heard.ledger.members))
    heard.enclose(archive_enclosure(view))
    return Decision()


@answers
def export(heard: HeardMail, said: ReadRequest, request: Export) -> Result:
    """`export GAME`: of a game that runs only what everybody has seen on the board; one that is over whole."""
    game = heard.game(request.game or said.game)
    if game is None:
        return which_game(said)
    if (refusal := not_to_see(heard, game)) is not None:
        return refusal
    if game.position is None and request.form not in ("", "json"):
        sentence = f"{game.key} has not begun, so nothing has been played of it; `export {game.key} json` says so much."
        return Refusal("not-begun", sentence, mend=f"status {game.key}")
    if not heard.unit.contacts.allow(_whose(heard), "export", heard.now.date(), PER_DAY):
        return Refusal("enough-today", f"That makes {PER_DAY} exports today; ask again tomorrow.")
    events = heard.story(game)
    record = public_record(game, events)
    if game.stage is Stage.ENDED:
        cast = cast_of(heard.house, heard.unit, game, heard.ledger.members)
        record = plain(archive_view(game, events, cast))["record"]
    heard.enclose(export_view(game, events, record, request.form))
    return Decision()


def _whose(heard: HeardMail) -> str:
    """Under whose name it is counted how often somebody asks."""
    person = heard.speaker.acting
    return f"person:{person.id}" if person is not None else heard.envelope.from_address or ""


def archive_files(house: House, view: View, game: Game) -> dict[str, str]:
    """Name -> contents of the files of a game's record, as far as it was published."""
    events = thaw_all(view.events.load(game.key))
    record = plain(archive_view(game, events, cast_of(house, view, game)))
    files, _ = house.pressroom.do(lambda press: files_of(Kind.ARCHIVE, record, press), game=game.key)
    return {file.name: file.text for file in files}


@answers
def show_map(heard: HeardMail, said: ReadRequest, request: ShowMap) -> Result:
    """The maps of a phase that was played, or of the last turn and of now."""
    game = heard.game(request.game or said.game)
    if game is None:
        return which_game(said)
    person = heard.speaker.acting
    if person is None:
        return Refusal("who", "I send maps only to registered people; `history` tells all that they would show.",
                       mend="register")  # fmt: skip
    if (refusal := others_board(heard, game)) is not None:
        return refusal
    if game.stage in (Stage.FORMING, Stage.OPEN) or game.position is None:
        return Refusal("not-begun", f"{game.key} has not begun; there is nothing on its map yet.", mend="status")
    if not heard.house.config.pictures:
        return Refusal("no-pictures", "This judge sends no maps; `history` tells all that they would show.")
    events = heard.story(game)
    found = map_view(game, events, request.phase, request.form, printed=request.printed)
    if found is None:
        name = game.calendar.label(request.phase)
        return Refusal("not-played", f"{game.key} has no {name} to show.", mend="map")
    heard.enclose(found)
    return Decision()
