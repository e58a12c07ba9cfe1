"""Standing by for a seat, and claiming one: requests about persons that end in a game."""

from __future__ import annotations

from dataclasses import replace

from judge.game.core.commands import Actor, Role
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.model import Game, Stage
from judge.game.table.vacancies import Claim, claim, vacant_seats
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.standby import StandBy
from judge.service.core.persons import enrol
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting


@answers
def stand_by(sitting: Sitting, said: ReadRequest, request: StandBy) -> Result:
    """On the list of those who hear of vacant seats, or off it."""
    person = welcome(sitting)
    if person is None:
        return Refusal("who", "I do not know you yet.", mend="register")
    game = sitting.game(request.game) if request.game else None
    if request.game and game is None:
        return Refusal("no-game", f"There is no game named {request.game} here.", mend="list")
    where = f"in {game.key}" if game else "in any game"
    if not request.on:
        return _stand_down(sitting, person, game)
    if game is not None and game.stage is Stage.ENDED:
        return Refusal("game-over", f"{game.key} has ended.", mend="standby")
    if game is not None and (person == game.gm or game.seat_held_by(person) is not None):
        return Refusal("in-it", f"You take part in {game.key} yourself.", mend="standby")
    sitting.unit.lists.stand_by(person, sitting.now, game=game.key if game else "")
    return Decision(said=f"You stand by {where}. {_now_vacant(sitting, person, game)}")


def _stand_down(sitting: Sitting, person: int, game: Game | None) -> Decision:
    """Off one list, or off all of them."""
    keys = [game.key] if game else ["", *(row.key for row in sitting.unit.games.list())]
    found = [key for key in keys if sitting.unit.lists.stand_down(person, game=key)]
    if game is not None and any(row.person_id == person for row in sitting.unit.lists.standbys(game.key)):
        return Decision(said=f"You still stand by in any game, {game.key} among them; `standby off` ends that.")
    return Decision(said="You stand by no longer." if found else "You did not stand by.")


def _now_vacant(sitting: Sitting, person: int, game: Game | None) -> str:
    """Whether there is something that this person may have at once."""
    games = [game] if game else [sitting.game(row.key) for row in sitting.unit.games.list(states=[Stage.RUNNING])]
    actor = Actor(Role.STRANGER, person=person)
    vacant = [
        f"claim {one.key} {seat.powers[0].title()}"
        for one in games
        if one is not None and one.stage is Stage.RUNNING
        for seat in vacant_seats(one)
        if isinstance(claim(one, Claim(seat.powers[0]), Context(actor, sitting.now, sitting.house.lot)), Decision)
    ]
    if not vacant:
        return "I shall write when a seat falls vacant."
    return f"There is a vacancy now; to take it, reply with: {vacant[0]}"


def welcome(sitting: Sitting) -> int | None:
    """The person who writes, made if need be; their address is proved by now."""
    if sitting.speaker.acting is not None:
        return sitting.speaker.acting.id
    address = sitting.speaker.address
    if address is None:
        return None
    person = enrol(sitting.house, sitting.unit, address, name=sitting.envelope.from_name, verified=True)
    sitting.speaker = replace(sitting.speaker, person=person)
    return person.id
