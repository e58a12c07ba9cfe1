"""The house rules of a game, asked for: as they are in words, setting by setting, and how they came to be so; on which
days no deadline falls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.acts.declared import Ask, Seen
from judge.game.core.events import Event, GameCreated, PhaseAdjudicated, PhaseSkipped, SettingChanged
from judge.game.core.model import Game
from judge.game.office.rulings import Revealed
from judge.game.office.undoing import SettingsRestored
from judge.game.settings.quiet import show_days
from judge.game.settings.table import TABLE
from judge.game.table.deciding import PresetTaken
from judge.game.talk.ballots import RulesAmended
from judge.game.talk.press import EditorDismissed, EditorNamed
from judge.languages import tell, together
from judge.mail.queries import AboutGame
from judge.mail.vocabulary.clauses import alone, of_game
from judge.mail.vocabulary.model import VerbOfAll, named
from judge.report.core.houserules import agreed, in_force, in_prose
from judge.report.core.letter import Cast, Enclosure, moment, plain, variant_words, who
from judge.report.core.naming import Moment, PhaseFact, Said, phase_fact, say
from judge.report.table.arrivals import Rule, house_rules, own_rules
from judge.rules.choices import ASKED, read_choice
from judge.rules.model import RULE_SYSTEMS
from judge.rules.questions import Block


@dataclass(frozen=True, slots=True)
class HouseRules(AboutGame, enclosed=True, once=True, public=True):
    """The house rules of a game in words."""


@dataclass(frozen=True, slots=True)
class RulesView:
    """The house rules of a game as they are now, in prose; before them the page of its rule system, if that has one.

    `differ`: single rules that are not those of 1976: name, question, answer.
    """

    game: str
    page: tuple[Block, ...]
    prose: tuple[Said, ...]
    differ: tuple[tuple[str, str, str], ...] = ()
    ignored: tuple[str, ...] = ()


def rules_view(game: Game) -> Enclosure:
    """The answer to `rules`."""
    prose = (*in_prose(agreed(game), title=variant_words(game), version=game.rules_version), *in_force(game))
    system = RULE_SYSTEMS.get(game.settings.rules)
    page = tuple(Block(tell(block.title), tuple(map(tell, block.lines))) for block in (system.page if system else ()))
    return Enclosure("rules", plain(RulesView(game.key, page, prose, _differ(game))))


def _differ(game: Game) -> tuple[tuple[str, str, str], ...]:
    """The single rules that are not those of 1976, but for what the page of the rule system tells of."""
    system = RULE_SYSTEMS.get(game.settings.rules)
    told = system.rules.choices() if system is not None and system.page else {}
    found = game.rules.differences().items()
    return tuple(
        (name, tell(ASKED[name]), tell(read_choice(name, word).said)) for name, word in found if told.get(name) != word
    )


@dataclass(frozen=True, slots=True)
class AllSettings(AboutGame, enclosed=True, once=True, public=True):
    """Every setting of a game."""


@dataclass(frozen=True, slots=True)
class SettingsView:
    """Every setting of a game: `own`, those that are not the usual ones, and rules in words; `usual`: all others.

    `version`: of the house rules.
    """

    game: str
    version: int
    own: tuple[Rule, ...]
    usual: tuple[Rule, ...]
    ignored: tuple[str, ...] = ()


def settings_view(game: Game) -> Enclosure:
    """The answer to `settings`."""
    own = own_rules(game)
    usual = tuple(rule for rule in house_rules(game) if rule not in own)
    return Enclosure("settings", plain(SettingsView(game.key, game.rules_version, own, usual)))


@dataclass(frozen=True, slots=True)
class RulesChanged(AboutGame, enclosed=True, once=True, public=True):
    """How the house rules of a game have changed, when and by whom."""


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One change of the house rules: when, after which phase's results (None before the first), whose doing, what."""

    when: Moment
    after: PhaseFact | None
    by: Said
    what: Said


@dataclass(frozen=True, slots=True)
class ChangesView:
    """How the house rules of a game have changed since it was made, oldest first. `version`: which they are now."""

    game: str
    made: Moment
    version: int
    changes: tuple[RuleChange, ...]
    ignored: tuple[str, ...] = ()


def changes_view(game: Game, events: Sequence[Event], cast: Cast) -> Enclosure:
    """The answer to `rules changed`, from the whole log of a game."""
    view = ChangesView(game.key, moment(game, game.created_at), game.rules_version, tuple(_changes(game, events, cast)))
    return Enclosure("changes", plain(view))


def _changes(game: Game, events: Sequence[Event], cast: Cast) -> Iterator[RuleChange]:
    phase = ""
    voted = ""
    for event in events:
        if isinstance(event, (PhaseAdjudicated, PhaseSkipped)):
            phase = event.phase
        what = None if isinstance(event, GameCreated) else _what(event, cast)
        if isinstance(event, SettingChanged) and voted.startswith(f"{event.name} = "):
            what = None  # the vote that brought it has told of it
        voted = event.text if isinstance(event, RulesAmended) and event.setting else ""
        if what is not None:
            after = phase_fact(game, phase) if phase else None
            yield RuleChange(moment(game, event.at), after, _by(game, event), what)


def _by(game: Game, event: Event) -> Said:
    if isinstance(event, RulesAmended):
        return say("by-vote", number=event.number)
    return say("actor", who=who(game, event.by), deputy="")


def _what(event: Event, cast: Cast) -> Said | None:
    """What an event changes in the house rules, or in who reads the game, if it does."""
    if isinstance(event, SettingChanged):
        summary = TABLE[event.name].summary if event.name in TABLE else ""
        return say("rule-change", name=event.name, summary=summary, old=event.old, new=event.new)
    if isinstance(event, RulesAmended):
        return say("rule-voted", text=event.text, setting=event.setting, version=event.version)
    if isinstance(event, PresetTaken):
        return say("rule-preset", preset=event.preset)
    if isinstance(event, SettingsRestored):
        return say("rule-restored")
    if isinstance(event, (EditorNamed, EditorDismissed)):
        return say("rule-editor", name=cast.member(event.person).name, named=isinstance(event, EditorNamed))
    return say("rule-revealed") if isinstance(event, Revealed) else None


@dataclass(frozen=True, slots=True)
class Holidays(AboutGame, once=True, public=True):
    """On which days no deadline of a game falls."""


def _holidays(seen: Seen, _: Holidays) -> str:
    settings = seen.game.settings
    days = ", ".join(map(str, settings.holidays))
    free = (
        tell("Turns that go by days end only on {show_days}.", show_days=show_days(settings.days))
        if settings.days
        else ""
    )
    closed = (
        tell("No deadline falls on: {days}.", days=days)
        if days
        else tell("{game} knows no holidays.", game=seen.game.key)
    )
    return together(closed, free)


ACTS = (
    Ask(
        HouseRules,
        lambda seen, _: rules_view(seen.game),
        VerbOfAll(
            "house rules",
            words=("house rules", "rules", "show rules", "the rules"),
            summary="The house rules of a game as they are now, in words.",
            usage=("rules", "rules GAME"),
            example="rules",
            read=of_game(HouseRules, "rules"),
            names_game=True,
            topic="rules",
        ),
    ),
    Ask(
        AllSettings,
        lambda seen, _: settings_view(seen.game),
        VerbOfAll(
            "settings",
            words=("settings", "show settings", "parameters", "the settings", "all settings"),
            summary="Every setting of a game with its value; those that are not the usual ones first.",
            usage=("settings", "settings GAME"),
            example="settings",
            read=of_game(AllSettings, "settings"),
            names_game=True,
            topic="rules",
        ),
    ),
    Ask(
        RulesChanged,
        lambda seen, _: changes_view(seen.game, seen.story(), seen.cast()),
        VerbOfAll(
            "rules changed",
            words=named("rules changed, rule changes, changed rules, changes of rules, settings changed, what changed"),
            summary="How the house rules of a game have changed: what, when, by whom.",
            usage=("rules changed", "rules changed GAME"),
            example="rules changed",
            read=of_game(RulesChanged, "rules changed"),
            names_game=True,
            topic="rules",
        ),
    ),
    Ask(
        Holidays,
        _holidays,
        VerbOfAll(
            "holidays",
            words=named(
                "holidays, which days are holidays, what days are holidays, which holidays are there, "
                "when are the holidays, which days have no deadline, days without deadlines"
            ),
            summary="On which days no deadline falls.",
            usage=("holidays",),
            example="holidays",
            read=alone(Holidays(), "holidays"),
            topic="time",
        ),
    ),
)
"""What may be asked about them, in the order in which help prints it."""
