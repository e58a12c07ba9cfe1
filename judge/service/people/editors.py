"""Editors as persons: which games somebody edits, and how they step down, or are erased."""

from __future__ import annotations

from judge.game.core.commands import Actor, Role
from judge.game.core.decision import Context, Decision
from judge.game.core.model import Game, Stage
from judge.game.decide import decide
from judge.game.talk.editors import DismissEditor
from judge.service.core.house import House
from judge.service.core.keeper import GameChange
from judge.service.core.readers import topic_of
from judge.service.trust.sitting import Sitting
from judge.store import View


def step_down(sitting: Sitting, game: Game, person: int) -> bool:
    """A person's own end as an editor; False if they are none."""
    if person not in game.editors or game.stage is Stage.ENDED:
        return False
    _dismissed(sitting.house, sitting.change(game), person, Actor(Role.STRANGER, person=person))
    return True


def step_down_everywhere(sitting: Sitting, person: int) -> None:
    """The same in every game that somebody edits."""
    for key in edited(sitting.house, sitting.unit, person):
        if (game := sitting.game(key)) is not None:
            step_down(sitting, game, person)


def edited(house: House, view: View, person: int) -> list[str]:
    """Names of the games that somebody edits."""
    topics = {row.topic for row in view.lists.subscriptions(person)}
    keys = sorted(topic.removeprefix(topic_of("")) for topic in topics if topic.startswith(topic_of("")))
    games = [house.keeper.load(view, key) for key in keys]
    return [game.key for game in games if game is not None and person in game.editors]


def taken_off(house: House, view: View, person: int) -> list[GameChange]:
    """What takes somebody off the editors of every game that is not over, as the operator's act, not saved yet."""
    changes = []
    for key in edited(house, view, person):
        game = house.keeper.load(view, key)
        if game is not None and game.stage is not Stage.ENDED:
            changes.append(change := GameChange(game, game))
            _dismissed(house, change, person, Actor(Role.OPERATOR))
    return changes


def _dismissed(house: House, change: GameChange, person: int, actor: Actor) -> None:
    context = Context(actor, house.clock.now(), house.lot, house.shelf)
    decision = decide(change.after, DismissEditor(person), context)
    assert isinstance(decision, Decision)
    house.keeper.apply(change, decision.events)
