"""The record of a game as files: by mail once it is over, for the operator at any time as far as it was published."""

from __future__ import annotations

from judge.game.core.decision import Decision, Refusal
from judge.game.core.model import Game, Stage
from judge.mail.letters import files_of
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.records import Archive
from judge.report.core.letter import Kind, plain
from judge.report.reply.archive import archive_enclosure, archive_view
from judge.service.core.house import House
from judge.service.core.keeper import thaw
from judge.service.hearing.questions import which_game
from judge.service.posting.mailbag import cast_of
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting
from judge.store import View

PER_DAY = 20
"""So many archives a day and person: they are the largest letters that can be asked for."""


@answers
def archive(sitting: Sitting, said: ReadRequest, request: Archive) -> Result:
    """`archive GAME`."""
    game = sitting.game(request.game or said.game)
    person = sitting.speaker.acting
    if game is None or person is None:
        return which_game(said)
    if game.stage is not Stage.ENDED or game.practice is not None:
        sentence = f"{game.key} is not over; its archive can be had when it is. What was played so far is its history."
        return Refusal("not-over", sentence, mend=f"history {game.key}")
    if not sitting.unit.contacts.allow(f"person:{person.id}", "archive", sitting.now.date(), PER_DAY):
        return Refusal("enough-today", f"That were {PER_DAY} archives today; ask again tomorrow.")
    events = [thaw(stored) for stored in sitting.unit.events.load(game.key)]
    view = archive_view(game, events, cast_of(sitting.house, sitting.unit, game, sitting.ledger.members))
    sitting.enclosures.append(archive_enclosure(view))
    return Decision()


def archive_files(house: House, view: View, game: Game) -> dict[str, str]:
    """Name -> contents of the files of a game's record, as far as it was published."""
    events = [thaw(stored) for stored in view.events.load(game.key)]
    record = plain(archive_view(game, events, cast_of(house, view, game)))
    files, _ = house.pressroom.do(lambda press: files_of(Kind.ARCHIVE, record, press), game=game.key)
    return {file.name: file.text for file in files}
