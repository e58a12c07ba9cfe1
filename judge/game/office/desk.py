"""The GM's desk: creating a game, changing its settings, commentary, closing it."""

from __future__ import annotations

import re
from dataclasses import replace

from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, ChangeSettings, Context, Create, Decision, EndGame, Note, Refusal, over
from judge.game.core.evolve import Feature
from judge.game.core.model import Game, Stage, System
from judge.game.settings.bundles import PRESETS, bundle
from judge.game.settings.redrawn import SEATING, check_seasons, moved_along
from judge.game.settings.table import (
    TABLE,
    Settings,
    filed_as,
    find_setting,
    settings_from_text,
    settings_to_text,
    with_setting,
)
from judge.game.settings.values import Setting, how_to_write
from judge.game.table.deciding import undecided
from judge.game.talk.closing import close_all
from judge.languages import moment_mark, tell, together
from judge.orders.spelled import listed
from judge.pace import spell_span
from judge.rules.choices import CHOICES
from judge.rules.model import SYSTEM_PRESETS

_KEY = re.compile(r"[a-z][a-z0-9-]{1,31}")
RESERVED = frozenset({"all", "gm", "judge", "help", "list", "orders", "press", "for", "to", "game", "new", "me"})


def create(command: Create, context: Context) -> Decision | Refusal:
    """A new game. That nobody else has the name, and that the actor may create, is checked by the service."""
    key = command.key.lower()
    if _KEY.fullmatch(key) is None or key in RESERVED:
        return Refusal(
            "bad-name",
            tell(
                '"{command}" is not a name for a game: use 2 to 32 letters, digits and dashes, a letter first.',
                command=command.key,
            ),
        )
    if command.preset and command.preset not in PRESETS:
        return Refusal(
            "no-preset",
            tell(
                'There is no preset "{preset}"; there are {presets}.', preset=command.preset, presets=", ".join(PRESETS)
            ),
        )
    texts = bundle(command.preset) if command.preset else {}
    decided = [ev.EVERYTHING] if command.preset else []
    absolute = set(texts if "first_year" in texts else ())  # seasons of a bundle that says the year, or of the command
    for written, value in command.settings:
        setting = find_setting(written)
        if setting is None:
            return _unknown_setting(written)
        name, text = filed_as(setting.name, value, TABLE["choices"].form.read(texts.get("choices", "")))
        texts[name] = text
        absolute.add(name)
        decided.append(setting.name)
    try:
        settings = settings_from_text(texts, Settings())
        system = context.systems(settings)
        along = _along(settings, context.systems(replace(settings, first_year=0)), system)
        settings = settings_from_text({name: along[name] for name in along.keys() - absolute}, settings)
        check_seasons(settings, system.rules.calendar)
    except ValueError as error:
        return Refusal("bad-setting", _sentence(error))
    if "players" not in decided:
        settings = replace(settings, players=len(system.rules.seats(system.board)))
    elif (refusal := _too_few(settings, system)) is not None:
        return refusal
    event = ev.GameCreated(
        at=context.now,
        by=GM_SEAT,
        key=key,
        gm=context.actor.person,
        settings=settings_to_text(settings),
        decided=tuple(dict.fromkeys(decided)),
    )
    said = tell("{key} is created.", key=key)
    if named := _as_written(command, settings):
        said = tell("{key} is created with {named}.", key=key, named=named)
    return Decision((event,), said=said)


def _as_written(command: Create, settings: Settings) -> str:
    """The settings that the command names, as they were understood; a text about the game by its name alone."""
    chosen = {choice.partition("=")[0].strip(): choice.partition("=")[2].strip() for choice in settings.choices}
    shown = {}
    for written, _ in command.settings:
        if (setting := find_setting(written)) is None:
            continue
        name = setting.name
        value = chosen.get(name) if name in CHOICES else TABLE[name].form.show(getattr(settings, name))
        shown[name] = name if name == "about" else f"{name} {value}"
    return listed(shown.values())


def change(game: Game, command: ChangeSettings, context: Context) -> Decision | Refusal:
    """Change one setting; refused for an unknown name or value, and where it is fixed by now."""
    setting = find_setting(command.name)
    if setting is None:
        return _unknown_setting(command.name)
    if (refusal := _fixed(game, setting)) is not None:
        return refusal
    name, text = filed_as(setting.name, command.value, game.settings.choices)
    try:
        settings = with_setting(game.settings, name, text)
        system = context.systems(settings)
        check_seasons(settings, system.rules.calendar)
    except ValueError as error:
        why = _sentence(error).removeprefix(f"{setting.name}: ")
        example = how_to_write(error, f"set {setting.name} {setting.examples[0]}")
        return Refusal("bad-setting", together(f"{setting.name}: {why}", example))
    if name == "players" and (refusal := _too_few(settings, system)) is not None:
        return replace(refusal, mend=f"set players {len(system.rules.seats(system.board))}")
    kept = TABLE[name]
    old, new = kept.form.show(getattr(game.settings, name)), kept.form.show(getattr(settings, name))
    event = ev.SettingChanged(at=context.now, by=context.seat, name=name, old=old, new=new)
    if old == new and not _decides(game, setting.name):
        return Decision(said=tell("{setting} is {value} already.", setting=name, value=new))
    if old == new:
        return Decision((event,), said=tell("{name} is {new}; that is now decided.", name=name, new=new))
    said = together(
        tell("{name} is now {new} (it was {old}).", name=name, new=new, old=old or tell("undecided")),
        _but(game, name),
        _beside(settings, name),
    )
    events = [event]
    for season, moved in (_along(settings, game.system, system) if name == "first_year" else {}).items():
        events.append(replace(event, name=season, old=getattr(settings, season), new=moved))
        said = together(said, tell("{season} moves with it to {moved}.", season=season, moved=moved))
    seats = len(system.rules.seats(system.board))
    if name in SEATING and settings.players != seats:
        if len(game.seats) > seats:
            return Refusal(
                "too-many-joined",
                tell(
                    "{seats} have joined, and there would be {seats2} seats; take one off the list first.",
                    seats=len(game.seats),
                    seats2=seats,
                ),
            )
        events.append(replace(event, name="players", old=str(settings.players), new=str(seats)))
        said = together(said, tell("It has {seats} seats, so that many players are needed.", seats=seats))
    return Decision(tuple(events), said=said)


def _fixed(game: Game, setting: Setting) -> Refusal | None:
    """Why a setting stays what it is at this stage of the game; None if it may change."""
    if game.stage is Stage.ENDED and not setting.after_end:
        still = listed(f"`{one.name}`" for one in TABLE.values() if one.after_end)
        sentence = tell(
            "{game} has ended, so {setting} stays as it was played. What may still change: {still}.",
            game=game.key,
            setting=setting.name,
            still=still,
        )
        return Refusal("game-over", sentence)
    if setting.frozen_after_start and game.stage is Stage.RUNNING:
        return Refusal("frozen", tell("{setting} cannot change once the game has started.", setting=setting.name))
    return None


def _along(settings: Settings, before: System, after: System) -> dict[str, str]:
    """Seasons that move with the first year."""
    old, new = before.board.first_phase.year, after.board.first_phase.year
    return moved_along(settings, old, new - old)


PROMISED = ("nmr", "grace", "no_mistakes", "freeze_others", "hide_late")
"""Settings about missing orders: a grace that runs was promised under what they were."""


def _but(game: Game, name: str) -> str:
    """What a setting leaves alone in the present turn: moments that were announced."""
    deadline = game.deadline
    if game.stage is not Stage.RUNNING or deadline is None:
        return ""
    if name in PROMISED and deadline.called:
        if deadline.grace is None:
            return tell("It counts from the next turn on: this one goes on waiting as was promised.")
        return tell(
            "It counts from the next turn on: this one goes on waiting as was promised, until {until}.",
            until=moment_mark(deadline.grace),
        )
    if name in ("moves", "retreats", "adjustments", "min_phase", "min_minor", "days", "holidays", "grace"):
        return tell("It counts from the next turn on; the present deadline stays, {at}.", at=moment_mark(deadline.at))
    if name == "zone":
        return tell("The deadline stays at the same moment: {at}.", at=moment_mark(deadline.at))
    return ""


def _beside(settings: Settings, name: str) -> str:
    """What another setting says to an interval that is shorter than it."""
    kinds = {"moves": "min_phase", "min_phase": "min_phase", "retreats": "min_minor", "adjustments": "min_minor"}
    kinds["min_minor"] = "min_minor"
    if (least := kinds.get(name)) is None:
        return ""
    paces = {"min_phase": ("moves",), "min_minor": ("retreats", "adjustments")}[least]
    floor = getattr(settings, least)
    short = [pace for pace in paces if (one := getattr(settings, pace).interval) is not None and one < floor]
    if not short:
        return ""
    named = listed(f"{pace} {TABLE[pace].form.show(getattr(settings, pace))}" for pace in short)
    return tell(
        "With {named} a {least} of {floor} is too long: half the interval is used instead.",
        named=named,
        least=least,
        floor=spell_span(floor),
    )


def _too_few(settings: Settings, system: System) -> Refusal | None:
    """Why a game of so many players could never begin; None if it could."""
    hands = system.rules.seats(system.board)
    wanted = len(hands)
    if settings.players == wanted:
        return None
    what = tell("powers") if all(len(hand) == 1 for hand in hands) else tell("seats")
    fewer = _games_for(settings.players, settings.map)
    offered = (
        tell(
            "There is another game for {players} on this board: {fewer}.",
            players=settings.players,
            fewer=listed(fewer, "or"),
        )
        if fewer
        else ""
    )
    return Refusal(
        "players",
        together(
            tell(
                "This judge begins a game only with a player for each of the {wanted} {what}, so it "
                "cannot be made for {players}.",
                wanted=wanted,
                what=what,
                players=settings.players,
            ),
            offered,
        ),
    )


def _games_for(players: int, board: str) -> list[str]:
    """The presets of games for so many players on a board, each as the words that open one."""
    return [
        f"preset {name}"
        for name, bundle in SYSTEM_PRESETS.items()
        if bundle.get("players") == str(players) and bundle.get("map", "standard") == board
    ]


def _decides(game: Game, name: str) -> bool:
    """Whether something undecided is settled by saying what it is already."""
    return game.stage is Stage.FORMING and any(name in matter.by for matter in undecided(game))


def note(game: Game, command: Note, context: Context) -> Decision | Refusal:
    """Commentary for the next report, under the Gamemaster's own heading."""
    if game.stage is Stage.ENDED:
        return over(game.key)
    if not command.text.strip():
        return Refusal("empty-note", tell("There is no text. Write it below the line that says note."))
    event = ev.NoteWritten(at=context.now, by=context.seat, text=command.text)
    lines = [line.strip() for line in command.text.splitlines() if line.strip()]
    whole = (
        tell(', all {lines} lines of it down to "{lines2}"', lines=len(lines), lines2=lines[-1][:60])
        if len(lines) > 1
        else ""
    )
    return Decision((event,), said=tell("Your note will appear in the next report{whole}.", whole=whole))


def end(game: Game, command: EndGame, context: Context) -> Decision | Refusal:
    """End the game by the Gamemaster's word, without a winner."""
    if game.stage is Stage.ENDED:
        return over(game.key)
    event = ev.GameEnded(at=context.now, by=context.seat, how="ended", reason=command.how)
    return Decision((*close_all(game, context.now, "ended"), event), said=tell("{game} is closed.", game=game.key))


def _unknown_setting(name: str) -> Refusal:
    return Refusal(
        "no-setting", tell('There is no setting "{name}"; there are {table}.', name=name, table=", ".join(TABLE))
    )


def _sentence(error: ValueError) -> str:
    text = str(error)
    return text if text.endswith(".") else text + "."


FEATURE = Feature(
    decide={ChangeSettings: change, Note: note, EndGame: end},
    grave=(EndGame,),
    gm_only=(ChangeSettings, Note, EndGame),
)
