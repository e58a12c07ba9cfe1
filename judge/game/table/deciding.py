"""What has to be decided before a game can open.

A matter is decided by whoever says it: with `create`, with `set`, or all at once by naming a bundle of settings. Values
that nobody chose are not decisions, however sensible they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge.game.core.commands import Command, Context, Decision, Refusal, over
from judge.game.core.events import EVERYTHING, Event
from judge.game.core.evolve import Feature
from judge.game.core.model import Game, Stage
from judge.game.settings.bundles import PRESETS
from judge.game.settings.table import Settings, settings_from_text, settings_to_text
from judge.languages import tell, told_later


@dataclass(frozen=True, slots=True)
class Matter:
    """Something to be decided: what it is about, and a line that would decide it. `by`: settings that do."""

    name: str
    about: str
    line: str
    by: tuple[str, ...]


MATTERS: tuple[Matter, ...] = (
    Matter("nmr", told_later("what happens when orders are missing"), "set nmr grace", ("nmr",)),
    Matter("moves", told_later("when movement phases are due"), "set moves Friday 24:00", ("moves",)),
    Matter("paradox", told_later("how convoy paradoxes are settled"), "set paradox szykman", ("rules", "paradox")),
    Matter("press", told_later("what press is relayed"), "set press white, black", ("press",)),
    Matter("draw_from", told_later("from when on draws may be voted"), "set draw_from F1905", ("draw_from",)),
)
"""In the order in which checklists print them."""


@dataclass(frozen=True, slots=True)
class TakePreset(Command):
    """`preset NAME`: the settings of a bundle, which decide everything."""

    preset: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetTaken(Event, told="preset"):
    """The game has these settings now, by name, and nothing is undecided. `settings`: complete."""

    preset: str
    settings: dict[str, str]


def undecided(game: Game) -> tuple[Matter, ...]:
    """What is still to be decided; nothing once the game has been opened."""
    return tuple(matter for matter in MATTERS if not _is_decided(game, matter))


def _is_decided(game: Game, matter: Matter) -> bool:
    if matter.name == "nmr" and not game.settings.nmr:
        return False
    if EVERYTHING in game.decided or not game.decided.isdisjoint(matter.by):
        return True
    return matter.name == "paradox" and any(choice.startswith("paradox=") for choice in game.settings.choices)


def may_open(game: Game) -> Refusal | None:
    """Why a game cannot open yet; None if it can."""
    open_matters = undecided(game)
    if not open_matters:
        return _no_phrase(game) if game.settings.access == "phrase" and not game.gathering.phrase else None
    named = "; ".join(tell(matter.about) for matter in open_matters)
    return Refusal(
        "undecided",
        tell(
            "Before {game} can open, one thing is still to be decided: {named}."
            if len(open_matters) == 1
            else "Before {game} can open, {count} things are still to be decided: {named}.",
            game=game.key,
            count=len(open_matters),
            named=named,
        ),
        mend=open_matters[0].line,
        clause="XIV.3",
    )


def _no_phrase(game: Game) -> Refusal:
    sentence = tell(
        "Players need a pass phrase to join {game}, and it has none yet. Write: pass phrase, and the words.",
        game=game.key,
    )
    return Refusal("no-phrase", sentence)


def take_preset(game: Game, command: TakePreset, context: Context) -> Decision | Refusal:
    """All settings of a bundle; what it does not say keeps the value that it has."""
    if command.preset not in PRESETS:
        return Refusal(
            "no-preset",
            tell(
                'There is no preset "{preset}"; there are {presets}.', preset=command.preset, presets=", ".join(PRESETS)
            ),
        )
    if game.stage is Stage.ENDED:
        return over(game.key)
    if game.stage is not Stage.FORMING:
        return Refusal(
            "opened",
            tell(
                "{game} is open already, and players rely on its settings; change single ones with `set`.",
                game=game.key,
            ),
        )
    settings = settings_from_text(PRESETS[command.preset], game.settings)
    event = PresetTaken(at=context.now, by=context.seat, preset=command.preset, settings=settings_to_text(settings))
    return Decision((event,), said=_said_of_preset(game, command.preset, settings))


def _said_of_preset(game: Game, preset: str, settings: Settings) -> str:
    """Which settings the game has now: what the bundle does not say keeps the value that it had."""
    plain = settings_to_text(settings_from_text(PRESETS[preset]))
    differ = [name for name, text in settings_to_text(settings).items() if plain.get(name) != text]
    but = (
        (
            tell(", but for {differ}, which stays as set", differ=", ".join(differ))
            if len(differ) == 1
            else tell(", but for {differ}, which stay as set", differ=", ".join(differ))
        )
        if differ
        else ""
    )
    return tell("{game} has the settings of {preset}{but}; it can open now.", game=game.key, preset=preset, but=but)


def _preset_taken(game: Game, event: PresetTaken) -> Game:
    settings = settings_from_text(event.settings, Settings())
    return replace(game, settings=settings, decided=frozenset({EVERYTHING}))


FEATURE = Feature(
    evolve={PresetTaken: _preset_taken},
    decide={TakePreset: take_preset},
    gm_only=(TakePreset,),
)
