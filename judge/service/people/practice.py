"""Practice games: one for a person at a time, begun when they ask for it; and what sandboxes share with them."""

from __future__ import annotations

from judge.game.clock.absences import Back
from judge.game.core.commands import Process, Wait
from judge.game.core.decision import Decision, Refusal
from judge.game.core.events import GameCreated
from judge.game.core.model import Game, Stage
from judge.game.settings.table import Settings
from judge.game.table.practice import GoOn, practice_game
from judge.game.table.sandbox_position import StepBack
from judge.mail.script import ReadRequest
from judge.mail.vocabulary import Unclear
from judge.mail.vocabulary.powers import read_power
from judge.mail.vocabulary.standby import PracticeGame
from judge.service.people.vacancies import welcome
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting

PER_DAY = 5
"""Practice games that one person may begin in a day."""


@answers
def practice(sitting: Sitting, said: ReadRequest, request: PracticeGame) -> Result:
    """A new practice game for the person who asks, unless they are in the middle of one."""
    person = welcome(sitting)
    if person is None:
        return Refusal("who", "I do not know you yet.", mend="register")
    if (running := _running(sitting, person)) is not None:
        return Refusal(
            "one-at-a-time",
            f"You are in the middle of {running.key}: answer its last letter, or leave it first.",
            mend=f"leave {running.key}",
        )
    power = read_power(request.power, sitting.house.shelf.board(Settings().map)) if request.power else ""
    if isinstance(power, Unclear):
        return Refusal(power.reason, power.sentence, mend="practice")
    if not sitting.unit.contacts.allow(f"person:{person}", "practice", sitting.now.date(), PER_DAY):
        return Refusal("enough-today", f"You have begun {PER_DAY} practice games today; there is another one tomorrow.")
    return _begin(sitting, person, power)


def _running(sitting: Sitting, person: int) -> Game | None:
    games = (game for game, _ in sitting.games_of(person) if game.seat_held_by(person) is not None)
    return next((game for game in games if is_lesson(game) and game.stage is Stage.RUNNING), None)


def is_lesson(game: Game) -> bool:
    """Whether a game is practice with a lesson, which has an end; a sandbox has none."""
    return game.practice is not None and game.sandbox is None


def _begin(sitting: Sitting, person: int, power: str) -> Decision:
    house = sitting.house
    zone = sitting.unit.people.get(person).zone or house.config.zone
    name = free_name(sitting, "practice")
    return begun(sitting, practice_game(name, person, power, zone, sitting.now, house.lot, house.shelf))


def begun(sitting: Sitting, decision: Decision) -> Decision:
    """A new game among the changes of this sitting."""
    first, *rest = decision.events
    assert isinstance(first, GameCreated)
    change = sitting.house.keeper.create(first)
    sitting.house.keeper.apply(change, rest)
    sitting.changes[change.after.key] = change
    return decision


def free_name(sitting: Sitting, kind: str) -> str:
    """The next name, "practice-7"; numbers are never used again, because the logs of games that are cleared away stay.
    Where the last number of a kind is kept: "practice.last".
    """
    number = int(sitting.unit.meta.get(f"{kind}.last", "0") or 0) + 1
    while sitting.game(f"{kind}-{number}") is not None:
        number += 1
    sitting.unit.meta.set(f"{kind}.last", str(number))
    return f"{kind}-{number}"


def others_board(sitting: Sitting, game: Game) -> Refusal | None:
    """The answer to a look at somebody else's practice game, or at their sandbox where they do not share it."""
    person = sitting.speaker.acting
    if game.practice is None or (person is not None and game.seat_held_by(person.id) is not None):
        return None
    sandbox = game.sandbox
    if sandbox is None:
        return Refusal("private", f"{game.key} is somebody's practice game.", mend="practice")
    if sandbox.shared:
        return None
    return Refusal("private", f"{game.key} is somebody's own board, and it is not shared.", mend="sandbox")


def at_once(sitting: Sitting, said: ReadRequest, game: Game) -> Result | None:
    """`ready` and `process` in a practice game: the phase is played with what is on file; `back` in a sandbox: the
    phase before. None: something else.
    """
    request = said.request
    if game.sandbox is not None and isinstance(request, Back):
        return sitting.tell(game, StepBack())
    if game.practice is None or not isinstance(request, (Wait, Process)) or (isinstance(request, Wait) and request.on):
        return None
    return sitting.tell(game, GoOn())
