"""Who is let in: conditions that a game sets, the Gamemaster's word where that is asked for, the pass phrase.

A game may be open to whoever likes, or ask for the Gamemaster's approval, an invitation or a pass phrase. Beside that
it may ask for a share of turns on time, for turns played, and for not too many games at once. Whoever is invited, or
let in by the Gamemaster, is asked for none of these.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge.game.core import events as ev
from judge.game.core.commands import Bearing, Command, Context, Decision, Join, Refusal
from judge.game.core.immutable import altered
from judge.game.core.model import Game, Stage
from judge.game.core.parts import Hopeful
from judge.game.core.registry import Feature
from judge.game.table import filling
from judge.game.table.filling import is_full, sit_down
from judge.languages import tell

FEWEST_TURNS = 5
"""Turns before which nobody has a share on time that says anything."""


@dataclass(frozen=True, slots=True)
class Approve(Command):
    """Let somebody in who has asked, or who was turned away before."""

    person: int


@dataclass(frozen=True, slots=True)
class TurnAway(Command):
    """Say no to somebody who has asked for a seat, or who waits on the reserve list; with a reason, which they read."""

    person: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SetPhrase(Command):
    """The pass phrase as a hash; "": none any more. `access`: who may join then, "" for those who know the phrase."""

    phrase: str
    access: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatApplied(ev.Event, told="person,preferences"):
    """Somebody asks for a seat, and the Gamemaster has to answer."""

    person: int
    number: int
    preferences: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedAway(ev.Event, told="person,reason"):
    """The Gamemaster said no."""

    person: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseSet(ev.Event, told=""):
    """The pass phrase is another, or there is none any more. `phrase`: as a hash, which is told to nobody."""

    phrase: str


def refused(game: Game, command: Join, context: Context) -> Refusal | None:
    """Why somebody who comes by themselves is not let in; None if they are, as far as the game's conditions go."""
    if context.actor.person in game.gathering.turned_away:
        sentence = tell("The Gamemaster of {game} has said no; only they can let you in.", game=game.key)
        return Refusal("turned-away", sentence, mend="list")
    access = game.settings.access
    if access == "invitation":
        sentence = tell(
            "Only people whom its Gamemaster has invited can join {game}, and you have no invitation.", game=game.key
        )
        return Refusal("not-invited", sentence, mend="list")
    if access == "phrase" and command.phrase is not True:
        return _phrase_asked(game, named=command.phrase is not None)
    return _too_little(game, command.bearing) if command.bearing is not None else None


def _phrase_asked(game: Game, *, named: bool) -> Refusal:
    if named:
        return Refusal("wrong-phrase", tell("That is not the pass phrase of {game}.", game=game.key))
    sentence = tell("You need the pass phrase to join {game}. Write: join {game} phrase, and the words.", game=game.key)
    return Refusal("phrase", sentence)


def _too_little(game: Game, bearing: Bearing) -> Refusal | None:
    """What is missing to the conditions of a game, with the figures, which nobody else reads."""
    settings = game.settings
    share = bearing.on_time * 100 // bearing.counted if bearing.counted >= FEWEST_TURNS else 100
    if settings.min_reliability and share < settings.min_reliability:
        return Refusal(
            "reliability",
            tell(
                "{game} takes players with {min_reliability}% of their turns on time; yours are "
                "{share}% ({on_time} of {counted}). Its Gamemaster may invite you all the same.",
                game=game.key,
                min_reliability=settings.min_reliability,
                share=share,
                on_time=bearing.on_time,
                counted=bearing.counted,
            ),
            mend="list",
        )
    if bearing.turns < settings.min_turns:
        return Refusal(
            "experience",
            tell(
                "{game} takes players who have played {min_turns} turns here; you have played "
                "{turns}. Its Gamemaster may invite you all the same.",
                game=game.key,
                min_turns=settings.min_turns,
                turns=bearing.turns,
            ),
            mend="list",
        )
    if settings.max_games and bearing.games >= settings.max_games:
        games = tell("one game") if bearing.games == 1 else tell("{games} games", games=bearing.games)
        return Refusal(
            "too-many-games",
            tell(
                "{game} takes players with at most {max_games} games at once, itself included; you play {games} now.",
                game=game.key,
                max_games=settings.max_games,
                games=games,
            ),
            mend="my games",
        )
    return None


def apply_for_seat(game: Game, command: Join, context: Context) -> Decision | Refusal:
    """Ask the Gamemaster for a seat; a second wish only changes the preferences."""
    person = context.actor.person
    known = next((one for one in game.gathering.applicants if one.person == person), None)
    if known is not None and (not command.preferences or known.preferences == command.preferences):
        return Refusal(
            "asked",
            tell("You have asked for a seat in {game} already; its Gamemaster has yet to answer.", game=game.key),
        )
    number = known.number if known is not None else game.gathering.counted + 1
    event = SeatApplied(at=context.now, person=person, number=number, preferences=command.preferences)
    said = tell("In {game} the Gamemaster decides who plays. They are asked, and you hear from me; ", game=game.key)
    return Decision((event,), said=tell("{said}`leave {game}` withdraws your request.", said=said, game=game.key))


def approve(game: Game, command: Approve, context: Context) -> Decision | Refusal:
    """A seat for somebody who has asked, or whom the Gamemaster had sent away; on the reserve list if none is free."""
    if game.stage is not Stage.OPEN:
        return _not_open(game)
    if game.seat_held_by(command.person) is not None:
        return Refusal("already-in", tell("They have a seat in {game} already.", game=game.key))
    known = next((one for one in game.gathering.hopefuls if one.person == command.person), None)
    if known is None and command.person not in game.gathering.turned_away:
        return Refusal(
            "not-asked", tell("They have not asked for a seat in {game}. Send: invite, and the address.", game=game.key)
        )
    preferences = known.preferences if known is not None else ()
    if not is_full(game):
        event = sit_down(game, command.person, preferences, context.now, by=context.seat)
        return Decision(
            (event,),
            said=tell(
                "They have a seat: {seats} of {players}.", seats=len(game.seats) + 1, players=game.settings.players
            ),
        )
    return filling.put_in_line(game, command.person, preferences, context, by=context.seat)


def turn_away(game: Game, command: TurnAway, context: Context) -> Decision | Refusal:
    """No seat for somebody who has asked or waits; they read the reason, and are off the lists."""
    if game.stage is not Stage.OPEN:
        return _not_open(game)
    if all(one.person != command.person for one in game.gathering.hopefuls):
        return Refusal("not-asked", tell("They have not asked for a seat in {game}.", game=game.key), mend="status")
    event = TurnedAway(at=context.now, by=context.seat, person=command.person, reason=command.reason)
    return Decision((event,), said=tell("They are told so; `approve` lets them in after all."))


def _not_open(game: Game) -> Refusal:
    if game.stage is Stage.FORMING:
        return Refusal("not-open", tell("{game} is not open yet; nobody can have asked.", game=game.key), mend="open")
    return Refusal(
        "not-open", tell("{game} has begun; `assign` and `vacate` say who plays.", game=game.key), mend="help assign"
    )


def set_phrase(game: Game, command: SetPhrase, context: Context) -> Decision | Refusal:
    """The pass phrase, and with it that one is asked for."""
    if game.stage is Stage.ENDED:
        return Refusal("game-over", tell("{game} has ended.", game=game.key))
    event = PhraseSet(at=context.now, by=context.seat, phrase=command.phrase)
    if command.access:
        return Decision(
            (*_access(game, command.access, context), event), said=tell("The pass phrase is what it was before.")
        )
    if not command.phrase:
        said = tell("{game} has no pass phrase any more.", game=game.key)
        if game.settings.access == "phrase":
            said += tell(" Nobody can join with one until you give it another; `set access open` lets anybody join.")
        return Decision((event,), said=said)
    said = tell(
        "{game} has this pass phrase now; none of my letters contains it, so tell it to your players.", game=game.key
    )
    changed = _access(game, "phrase", context)
    return Decision((*changed, event), said=tell("{said} Players need it to join.", said=said) if changed else said)


def _access(game: Game, access: str, context: Context) -> tuple[ev.Event, ...]:
    """The change that lets these join, if they are others."""
    old = game.settings.access
    changed = ev.SettingChanged(at=context.now, by=context.seat, name="access", old=old, new=access)
    return (changed,) if old != access else ()


def _applied(game: Game, event: SeatApplied) -> Game:
    others = tuple(one for one in game.gathering.applicants if one.person != event.person)
    wish = Hopeful(event.number, event.person, event.preferences)
    counted = max(game.gathering.counted, event.number)
    return altered(game, gathering=replace(game.gathering, applicants=(*others, wish), counted=counted))


def _turned_away(game: Game, event: TurnedAway) -> Game:
    return filling.without_hopeful(game, event.person, turned_away=game.gathering.turned_away | {event.person})


def _phrase_set(game: Game, event: PhraseSet) -> Game:
    return altered(game, gathering=replace(game.gathering, phrase=event.phrase))


FEATURE = Feature(
    evolve={SeatApplied: _applied, TurnedAway: _turned_away, PhraseSet: _phrase_set},
    decide={Approve: approve, TurnAway: turn_away, SetPhrase: set_phrase},
    gm_only=(Approve, TurnAway, SetPhrase),
    undo={
        PhraseSet: lambda act, before: SetPhrase(before().gathering.phrase, before().settings.access),
        TurnedAway: ("They have read it; `approve` lets them in after all", "status"),
    },
)
