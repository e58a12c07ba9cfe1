"""Deeds: what a game's rules let players do beside ordering units, on file until it is played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from judge.game.core.altering import altered
from judge.game.core.commands import Command
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.events import DeedsFiled
from judge.game.core.model import Begun, Game
from judge.game.core.registry import Feature
from judge.game.filing.overtaken import TOO_LATE, deed_word
from judge.game.filing.submitting import ordering
from judge.languages import tell
from judge.rules.business import Business, Deed
from judge.rules.reasons import clause_of, meaning_in

_BACK = ("none", "nothing", "off")


@dataclass(frozen=True, slots=True)
class Do(Command):
    """A line of the game's own business: its first word, in lower case, and the rest; "none" takes it back. `power`:
    for which of a player's powers, "" for the first that may do it.
    """

    word: str
    rest: str = ""
    power: str = ""


def do(game: Game, command: Do, context: Context) -> Decision | Refusal:
    """Put a deed on file, in the place of the last with the same word, or of the one that it replaces among several."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    powers = (command.power,) if command.power else seat.powers
    if not set(powers) <= set(seat.powers):
        return Refusal(
            "not-your-power",
            tell("You do not play {powers} in {game}.", powers=game.board.powers[command.power].name, game=game.key),
        )
    powers = tuple(power for power in powers if deed_word(power, command.word) not in context.actor.later)
    if not powers:
        return Refusal("overtaken", f"Your {command.word} {TOO_LATE}.")
    back, _, which = command.rest.strip().partition(" ")
    if back.lower() in _BACK:
        return _taken_back(game, command.word, which, powers, context)
    business = game.rules.business()[command.word]
    deeds = [Deed(power, command.word, tuple(command.rest.split())) for power in powers]
    faults = [_fault(game, deed, business) for deed in deeds]
    if all(faults):
        slug = faults[0]
        meaning = meaning_in(game.rules.key, slug)
        sentence = tell(
            "{meaning}{meaning2}. It is written like this: {usage}",
            meaning=meaning[:1].upper(),
            meaning2=meaning[1:],
            usage=business.usage,
        )
        return Refusal(slug, sentence, clause=clause_of(slug))
    deed = deeds[faults.index("")]
    others = (old for old in game.deeds.get(deed.power, ()) if not business.replaces(deed, old))
    whose = f" ({game.board.powers[deed.power].name})" if len(seat.powers) > 1 else ""
    back_with = " ".join((deed.word, "none", *(_telling(deed, business) if business.several else ())))
    said = tell(
        "{deed}{whose} is noted for {phase_title}. To take it back, send: {back_with}",
        deed=deed,
        whose=whose,
        phase_title=game.phase_title,
        back_with=back_with,
    )
    return Decision((_filed(deed.power, (*others, deed), context),), said=said)


def _fault(game: Begun, deed: Deed, business: Business) -> str:
    """Why a deed cannot be done, by itself or beside those that are on file."""
    if fault := business.fault(game.position, deed):
        return fault
    old = game.deeds.get(deed.power, ())
    others = tuple(each for each in old if each.word == deed.word and not business.replaces(deed, each))
    return business.among(game.position, deed, others)


def _taken_back(game: Game, word: str, which: str, powers: Iterable[str], context: Context) -> Decision | Refusal:
    """Take back all deeds with a word, or those among them that have all of some words."""
    wanted = set(which.lower().split())

    def goes(deed: Deed) -> bool:
        words = {each.lower() for each in deed.words}
        return deed.word == word and all(_among(one, words) for one in wanted)

    events = tuple(
        _filed(power, (deed for deed in game.deeds[power] if not goes(deed)), context)
        for power in powers
        if any(goes(deed) for deed in game.deeds.get(power, ()))
    )
    if not events:
        return Refusal("nothing-on-file", tell("There is no {word} of yours on file.", word=word))
    return Decision(events, said=tell("Your {fact} is taken back.", fact=" ".join((word, which)).strip()))


def _telling(deed: Deed, business: Business) -> tuple[str, ...]:
    """The words of a deed by which it is told from others with its word."""
    slot = business.slot(deed).upper().split() if business.slot is not None else ()
    named = dict.fromkeys(word for word in deed.words if word.upper().strip(".,:;") in slot)
    return tuple(named) if slot and len(named) >= len(set(slot)) else deed.words


def _among(wanted: str, words: Iterable[str]) -> bool:
    """Whether a word is among others, a name short or in full: "hol" is Holland."""
    return any(one == wanted or (min(len(one), len(wanted)) > 2 and _begin_alike(one, wanted)) for one in words)


def _begin_alike(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def cleared(game: Game, powers: Iterable[str], context: Context) -> tuple[DeedsFiled, ...]:
    """What withdraws all deeds of these powers, but for those of mails that came later."""
    events = []
    for power in powers:
        deeds = game.deeds.get(power, ())
        stay = tuple(deed for deed in deeds if deed_word(power, deed.word) in context.actor.later)
        if stay != deeds:
            events.append(_filed(power, stay, context))
    return tuple(events)


def _filed(power: str, deeds: Iterable[Deed], context: Context) -> DeedsFiled:
    return DeedsFiled(at=context.now, by=context.seat, power=power, deeds=deeds_to_json(deeds))


def deeds_of(game: Game) -> tuple[Deed, ...]:
    """All deeds on file, in the board's order of powers."""
    return tuple(deed for power in game.board.powers for deed in game.deeds.get(power, ()))


def deeds_to_json(deeds: Iterable[Deed]) -> list[dict[str, Any]]:
    """Deeds as events store them: {"power", "word", "words"}."""
    return [{"power": deed.power, "word": deed.word, "words": list(deed.words)} for deed in deeds]


def deeds_from_json(stored: Iterable[dict[str, Any]]) -> tuple[Deed, ...]:
    """The inverse of `deeds_to_json`."""
    return tuple(Deed(one["power"], one["word"], tuple(one["words"])) for one in stored)


def _deeds_filed(game: Game, event: DeedsFiled) -> Game:
    return altered(game, deeds=MappingProxyType({**game.deeds, event.power: deeds_from_json(event.deeds)}))


FEATURE = Feature(evolve={DeedsFiled: _deeds_filed}, decide={Do: do})
