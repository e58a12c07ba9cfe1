"""Amendments of the house rules: proposed by any active player or the GM, carried by the majority of the active (9A).

An amendment is a setting with its new value, or a rule in words for the Gamemaster to keep. Whatever is carried holds
from the next turn on; every change raises the version of the house rules, which is printed with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from judge.game.core import events as ev
from judge.game.core.affairs import Amendment
from judge.game.core.commands import Command
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.events import Event, VoteClosed
from judge.game.core.model import Game
from judge.game.core.parts import Ballot
from judge.game.core.registry import Feature
from judge.game.settings.seasons import check_seasons
from judge.game.settings.table import find_setting, with_setting
from judge.game.settings.values import how_to_write
from judge.game.talk.ballots import call, may_not_propose
from judge.game.talk.closing import AMENDMENT
from judge.languages import tell

LONGEST = 1000
_EQUALS = " = "


@dataclass(frozen=True, slots=True)
class ProposeAmendment(Command):
    """Change a house rule: `name` and `value` of a setting, or a rule in words (`value` alone)."""

    value: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class ObjectHeadlines(Command):
    """One objection ends the headlines of a game (8A)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesAmended(Event, told="version,number,text"):
    """Vote `number` has carried this rule; `version` of the house rules since then. `setting`: whether it is one."""

    number: int
    version: int
    text: str
    setting: bool = False


def propose(game: Game, command: ProposeAmendment, context: Context) -> Decision | Refusal:
    """Put an amendment to the vote; a setting is looked up and its value read first."""
    if (refusal := may_not_propose(game, context.actor)) is not None:
        return refusal
    text = " ".join(command.value.split())
    if not text or len(text) > LONGEST:
        return Refusal(
            "no-rule",
            tell("Say what is to change: a setting and its value, or a rule in words."),
            "amend rule draw_from = F1905",
        )
    if command.name:
        found = _setting(game, command.name, text)
        if isinstance(found, Refusal):
            return found
        text = found
    for ballot in game.votes.values():
        if ballot.kind == AMENDMENT and ballot.text == text:
            return Refusal(
                "vote-open",
                tell("Vote {ballot} is about that already.", ballot=ballot.number),
                mend=f"aye {ballot.number}",
            )
    return call(game, AMENDMENT, context, text=text)


def _setting(game: Game, name: str, value: str) -> str | Refusal:
    """ "draw_from = F1905", or why that cannot be voted on."""
    setting = find_setting(name)
    if setting is None:
        return Refusal("no-setting", tell('There is no setting "{name}".', name=name), mend="help settings")
    if setting.frozen_after_start:
        return Refusal("frozen", tell("{setting} cannot change once the game has started.", setting=setting.name))
    try:
        changed = with_setting(game.settings, setting.name, value)
        check_seasons(changed, game.calendar)
    except ValueError as error:
        return Refusal(
            "bad-setting",
            f"{setting.name}: {str(error).rstrip('.')}."
            f"{how_to_write(error, f'amend rule {setting.name} = {setting.examples[0]}')}",
        )
    new, old = (
        setting.form.show(getattr(changed, setting.name)),
        setting.form.show(getattr(game.settings, setting.name)),
    )
    if new == old:
        return Refusal("no-change", f"{setting.name} is {new} already.")
    return f"{setting.name}{_EQUALS}{new}"


def carried(game: Game, closed: Sequence[Event], now: datetime) -> Iterable[Event]:
    """What the votes that have just closed change in the house rules. `game`: as it was when they were open."""
    version = game.rules_version
    for event in closed:
        ballot = game.votes.get(event.number) if isinstance(event, VoteClosed) and event.passed else None
        if ballot is None or ballot.kind != AMENDMENT:
            continue
        version += 1
        change = _change(game, ballot, now)
        yield RulesAmended(at=now, number=ballot.number, version=version, text=ballot.text, setting=change is not None)
        if change is not None:
            yield change


def _change(game: Game, ballot: Ballot, now: datetime) -> ev.SettingChanged | None:
    name, equals, value = ballot.text.partition(_EQUALS)
    setting = find_setting(name) if equals else None
    if setting is None or setting.name != name or setting.frozen_after_start:
        return None
    old = setting.form.show(getattr(game.settings, name))
    return ev.SettingChanged(at=now, name=name, old=old, new=value)


def object_to_headlines(game: Game, command: ObjectHeadlines, context: Context) -> Decision | Refusal:
    """Switch headlines off for this game; refused for those who have no vote, and where there are none."""
    if (refusal := may_not_propose(game, context.actor)) is not None:
        if refusal.slug == "no-vote":
            return replace(refusal, sentence=tell("Only players whose power is still in the game object to headlines."))
        return refusal
    if not game.settings.headlines:
        return Decision(said=tell("There are no headlines in this game any more."))
    event = ev.SettingChanged(at=context.now, by=context.seat, name="headlines", old="yes", new="no")
    return Decision((event,), said=tell("There will be no headlines any more; everybody is told."))


def _amended(game: Game, event: RulesAmended) -> Game:
    if event.setting:  # the change of the setting that follows raises the version
        return game
    amendments = (*game.amendments, Amendment(event.version, event.text))
    return replace(game, rules_version=event.version, amendments=amendments)


FEATURE = Feature(
    evolve={RulesAmended: _amended},
    decide={ProposeAmendment: propose, ObjectHeadlines: object_to_headlines},
)
