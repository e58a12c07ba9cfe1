"""Questions about the house rules of a game, at any time of its life: in words, setting by setting, their changes."""

from __future__ import annotations

from judge.game.core.decision import Decision, Refusal
from judge.game.core.model import Game
from judge.game.settings.quiet import show_days
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.reading import AllSettings, HolidaysAsked, HouseRules, RulesChanged
from judge.mail.vocabulary.repairing import ListAppeals
from judge.report.reply.rulebook import changes_view, rules_view, settings_view
from judge.service.hearing.questions import which_game
from judge.service.posting.mailbag import cast_of
from judge.service.trust.handlers import Result, answers
from judge.service.trust.seeing import not_to_see
from judge.service.trust.sitting import Sitting


@answers
def house_rules(sitting: Sitting, said: ReadRequest, request: HouseRules) -> Result:
    """`rules`: of a game that forms, runs or is over."""
    game = _readable(sitting, said, request.game)
    if isinstance(game, Refusal):
        return game
    sitting.enclosures.append(rules_view(game))
    return Decision()


@answers
def holidays(sitting: Sitting, said: ReadRequest, request: HolidaysAsked) -> Result:
    """`holidays`: the days on which no deadline falls."""
    game = _readable(sitting, said, request.game)
    if isinstance(game, Refusal):
        return game
    days = ", ".join(map(str, game.settings.holidays))
    free = f" Turns that go by days end only on {show_days(game.settings.days)}." if game.settings.days else ""
    told = f"No deadline falls on: {days}." if days else f"{game.key} knows no holidays."
    return Decision(said=told + free)


@answers
def open_appeals(sitting: Sitting, said: ReadRequest, _: ListAppeals) -> Result:
    """`appeals`: those that wait for an answer, each with the order in doubt; who made it everybody reads with it."""
    game = _readable(sitting, said, "")
    if isinstance(game, Refusal):
        return game
    found = [f"appeal {one.number}: {one.order} ({one.phase})" for one in game.appeals.values() if not one.how]
    return Decision(said=f"Open: {'; '.join(found)}." if found else f"No appeal is open in {game.key}.")


@answers
def all_settings(sitting: Sitting, said: ReadRequest, request: AllSettings) -> Result:
    """`settings`: each with its value."""
    game = _readable(sitting, said, request.game)
    if isinstance(game, Refusal):
        return game
    sitting.enclosures.append(settings_view(game))
    return Decision()


@answers
def rules_changed(sitting: Sitting, said: ReadRequest, request: RulesChanged) -> Result:
    """`rules changed`: what, when, by whom."""
    game = _readable(sitting, said, request.game)
    if isinstance(game, Refusal):
        return game
    events = sitting.story(game)
    cast = cast_of(sitting.house, sitting.unit, game, sitting.ledger.members)
    sitting.enclosures.append(changes_view(game, events, cast))
    return Decision()


def _readable(sitting: Sitting, said: ReadRequest, key: str) -> Game | Refusal:
    """The game that a question is about, or why it is not answered."""
    game = sitting.game(key or said.game)
    if game is None:
        return which_game(said)
    return not_to_see(sitting, game) or game
