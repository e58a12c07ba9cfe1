"""`map`: pictures of a game's phases; public facts, for whoever may read the game's history."""

from __future__ import annotations

from judge.game.core.decision import Decision, Refusal
from judge.game.core.model import Stage
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.maps import ShowMap
from judge.report.reply.inquiries import map_view
from judge.service.hearing.questions import which_game
from judge.service.people.sandbox import others_board
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting


@answers
def show_map(sitting: Sitting, said: ReadRequest, request: ShowMap) -> Result:
    """The maps of a phase that was played, or of the last turn and of now."""
    game = sitting.game(request.game or said.game)
    if game is None:
        return which_game(said)
    person = sitting.speaker.acting
    if person is None:
        return Refusal("who", "I send maps only to registered people; `history` tells all that they would show.",
                       mend="register")  # fmt: skip
    if (refusal := others_board(sitting, game)) is not None:
        return refusal
    if game.stage in (Stage.FORMING, Stage.OPEN) or game.position is None:
        return Refusal("not-begun", f"{game.key} has not begun; there is nothing on its map yet.", mend="status")
    if not sitting.house.config.pictures:
        return Refusal("no-pictures", "This judge sends no maps; `history` tells all that they would show.")
    events = sitting.story(game)
    found = map_view(game, events, request.phase, request.form, printed=request.printed)
    if found is None:
        name = game.calendar.label(request.phase)
        return Refusal("not-played", f"{game.key} has no {name} to show.", mend="map")
    sitting.enclosures.append(found)
    return Decision()
