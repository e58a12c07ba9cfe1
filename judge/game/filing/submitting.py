"""Commands about the orders of the turn: give them, wait for the deadline, take back what is on file, the same as last
turn again; and deeds, which rules let players do beside ordering units.

Deeds: what a game's rules let players do beside ordering units, on file until it is played.

`undo`, `clear`, `drop that line`; and `same again`, the orders of the last turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from judge.board.phase import Phase, PhaseKind
from judge.board.unit import Unit
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Clear, Command, Context, Decision, OrderLine, Refusal, Role, Submit, Wait
from judge.game.core.events import DeedsFiled
from judge.game.core.evolve import Feature
from judge.game.core.immutable import altered
from judge.game.core.model import Begun, Game, Running, Stage
from judge.game.core.parts import Fault, Seat, Sheet
from judge.game.filing.advance import keep, later_phase, phase_to_come
from judge.game.filing.overtaken import TOO_LATE, WAIT, deed_word, fault_word
from judge.game.filing.read import filed
from judge.game.filing.sheets import file_lines, stay, still_open
from judge.game.filing.standing import rest_of_turn
from judge.game.instructions.kinds import FiledOrder, unit_of
from judge.languages import moment_mark, tell, together
from judge.orders.spelled import listed
from judge.rules.business import Business, Deed
from judge.rules.reasons import clause_of, meaning_in


def _own_powers(game: Game, seat: Seat, power: str) -> tuple[str, ...] | Refusal:
    """The power that is named, or all of a seat; nobody orders for another's."""
    if not power:
        return seat.powers
    if power in seat.powers:
        return (power,)
    name = game.board.powers[power].told
    return Refusal("not-your-power", tell("You do not play {powers} in {game}.", powers=name, game=game.key))


def submit(game: Game, command: Submit, context: Context, *, unseen: bool = False) -> Decision | Refusal:
    """Orders for the current turn, or to be kept for one to come. `unseen`: see `file_lines`."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    if isinstance(powers := _own_powers(game, seat, command.power), Refusal):
        return powers
    if command.turn and (to_come := phase_to_come(game, command.turn)) is not None:
        return keep(game, command, powers, to_come, context)
    if command.turn and (wrong := _wrong_turn(game, command.turn)) is not None:
        return wrong
    return _by_phase(game, command, powers, context, unseen=unseen)


def _by_phase(
    game: Begun, command: Submit, powers: tuple[str, ...], context: Context, *, unseen: bool
) -> Decision | Refusal:
    """Orders for the phase that is played now go on file; retreats and builds that are ordered with the moves are kept
    until it is known what there is to retreat or to build (setting `seasons`).
    """
    ahead: dict[Phase, list[OrderLine]] = {}
    present: list[OrderLine] = []
    for line in command.lines:
        phase = later_phase(game, powers, line.text) if not unseen else None
        (present if phase is None else ahead.setdefault(phase, [])).append(line)
    if not ahead:
        return file_lines(game, command.lines, powers, context, replace_all=command.replace, unseen=unseen)
    decisions = [
        keep(game, replace(command, lines=tuple(lines)), powers, phase, context) for phase, lines in ahead.items()
    ]
    decisions.append(file_lines(game, present, powers, context, replace_all=command.replace))
    refusal = next((one for one in decisions if isinstance(one, Refusal)), None)
    if refusal is not None:
        return refusal
    done = [one for one in decisions if isinstance(one, Decision)]
    return Decision(
        tuple(event for one in done for event in one.events), tuple(verdict for one in done for verdict in one.verdicts)
    )


def wait(game: Game, command: Wait, context: Context) -> Decision | Refusal:
    """Hold early processing back until the deadline, for this turn only."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    if command.turn and (to_come := phase_to_come(game, command.turn)) is not None:
        if (seat.id, str(to_come), WAIT) in context.actor.later:
            return Refusal("overtaken", tell(TOO_LATE))
        return _wait_then(game, seat, to_come, context.now, on=command.on)
    if command.turn and (wrong := _wrong_turn(game, command.turn)) is not None:
        return wrong
    if (seat.id, "", WAIT) in context.actor.later:
        return Refusal("overtaken", tell(TOO_LATE))
    said = (
        tell("I wait for the deadline this turn, as you ask.")
        if command.on
        else tell("You are ready: once every order is in, the turn may be processed early.")
    )
    if not game.settings.early:
        said = together(said, tell("(In this game nothing is processed before the deadline anyway.)"))
    return Decision((ev.WaitChanged(at=context.now, by=seat.id, seat=seat.id, on=command.on),), said=said)


def _wait_then(game: Begun, seat: Seat, phase: Phase, now: datetime, *, on: bool) -> Decision:
    """The same for a turn to come."""
    title = game.calendar.title(phase)
    said = (
        tell("I wait for the deadline of {title}, as you ask.", title=title)
        if on
        else tell("I do not wait in {title}.", title=title)
    )
    event = ev.WaitChanged(at=now, by=seat.id, seat=seat.id, on=on, phase=str(phase))
    return Decision((event,), said=said)


def ordering(game: Game, actor: Actor) -> tuple[Running, Seat] | Refusal:
    """The game and the seat that gives orders in it, or why this actor cannot."""
    if game.stage is Stage.ENDED:
        return Refusal("game-over", tell("{game} has ended; there is nothing to order any more.", game=game.key))
    if not isinstance(game, Running):
        return Refusal(
            "not-started", tell("{game} has not started yet; you will be told when orders are due.", game=game.key)
        )
    seat = game.seats.get(actor.seat)
    if actor.role is not Role.PLAYER or seat is None or not seat.powers:
        return _of_no_seat(game, actor)
    if not set(seat.powers) & set(game.survivors):
        return Refusal("eliminated", tell("Your power has no units and no centres left, so there is nothing to order."))
    return game, seat


def _of_no_seat(game: Running, actor: Actor) -> Refusal:
    """Whoever held a seat that is vacant now is told so, and the way back where there is one."""
    for seat in game.seats.values():
        lost = seat.terms[-1] if seat.terms and not seat.filled and seat.powers else None
        if lost is None or not actor.person or lost.person != actor.person:
            continue
        power = game.board.powers[seat.powers[0]]
        said = tell("You are no player of {game} any more: {name} has no player now.", game=game.key, name=power.told)
        if lost.why == "left" or (lost.why == "nmr" and not game.returns.get(actor.person, 0)):
            return Refusal(
                "seat-lost",
                tell("{said} You may have it back, if you are the first.", said=said),
                f"claim {game.key} {power.name}",
            )
        return Refusal("seat-lost", said)
    if game.sandbox is not None:
        own = f"sandbox {game.key}"
        return Refusal(
            "private",
            tell("Only whoever has {game} orders there. A board of your own is: {own}", game=game.key, own=own),
            mend=own,
        )
    return Refusal("no-seat", tell("Only the players of {game} order units.", game=game.key))


def _wrong_turn(game: Begun, named: str) -> Refusal | None:
    phases = rest_of_turn(game)
    word = named.upper()
    if any(str(phase).startswith(word) or word == f"{phase.season}{phase.year:04}" for phase in phases):
        return None
    return Refusal(
        "wrong-phase",
        tell(
            "These orders are for {phase_title}, but {game} is at {phase_title2}. Nothing was "
            "changed. If they are for that, send them again below the line `for {phases}:`.",
            phase_title=_phase_title(game, named),
            game=game.key,
            phase_title2=game.phase_title,
            phases=phases[0],
        ),
    )


def _phase_title(game: Begun, named: str) -> str:
    try:
        return game.calendar.title(named)
    except ValueError:
        return named


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
    if isinstance(powers := _own_powers(game, seat, command.power), Refusal):
        return powers
    powers = tuple(power for power in powers if deed_word(power, command.word) not in context.actor.later)
    if not powers:
        return Refusal("overtaken", tell(TOO_LATE))
    back, _, which = command.rest.strip().partition(" ")
    if back.lower() in _BACK:
        return _taken_back(game, command.word, which, powers, context)
    business = game.rules.business()[command.word]
    deeds = [Deed(power, command.word, tuple(command.rest.split())) for power in powers]
    faults = [_fault(game, deed, business) for deed in deeds]
    if all(faults):
        slug = faults[0]
        meaning = tell(meaning_in(game.rules.key, slug))
        sentence = tell(
            "{meaning}{meaning2}. It is written like this: `{usage}`",
            meaning=meaning[:1].upper(),
            meaning2=meaning[1:],
            usage=business.usage,
        )
        return Refusal(slug, sentence, clause=clause_of(slug))
    deed = deeds[faults.index("")]
    others = (old for old in game.deeds.get(deed.power, ()) if not business.replaces(deed, old))
    whose = f" ({game.board.powers[deed.power].told})" if len(seat.powers) > 1 else ""
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


@dataclass(frozen=True, slots=True)
class Undo(Command):
    """Take the last change of the orders back. A second `undo` takes the first one back."""


@dataclass(frozen=True, slots=True)
class SameAgain(Command):
    """Order again what was ordered in the last movement phase, for the units that still stand where they stood and have
    no order in this turn: "same as before" says nothing against what is on file.
    """


def undo(game: Game, command: Undo, context: Context) -> Decision | Refusal:
    """Put the set before the last mail in force again, as a new set."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    if any(power in seat.powers for power, *_ in context.actor.later):
        return Refusal("overtaken", tell(TOO_LATE))
    sheets = [game.sheets[power] for power in seat.powers if power in game.sheets]
    changed = [sheet for sheet in sheets if sheet.undo is not None and sheet.undo != sheet.lines]
    if not changed:
        return Refusal("nothing-to-undo", tell("There is no change of your orders in this turn to take back."))
    last = max(sheet.filed_at for sheet in changed if sheet.filed_at is not None)
    if any(grant.by == seat.id and grant.why == "extension" and grant.at >= last for grant in game.deadline.grants):
        return Refusal(
            "extended",
            tell(
                "What you did last was to take an extension: everybody knows the new deadline, so it "
                "stands. Your orders stand too; to withdraw these, clear them."
            ),
            mend="clear",
        )
    events = tuple(restored(sheet, context) for sheet in changed if sheet.filed_at == last)
    empty = all(not sheet.undo for sheet in changed)
    then = tell("nothing is on file, as before") if empty else tell("the set before them is in force again")
    return Decision(
        events,
        said=tell(
            "Your orders of {last} are taken back: {then}. `undo` once more takes that back, too.",
            last=moment_mark(last),
            then=then,
        ),
    )


def restored(sheet: Sheet, context: Context) -> ev.OrdersFiled:
    """The set before the last mail, filed once more as a new one; what that mail was asked back is gone with it."""
    faults = tuple(fault for fault in sheet.faults if fault.mail != sheet.mail)
    return filed(replace(sheet, number=sheet.number + 1, lines=sheet.undo or (), faults=faults), context)


def _stands(line: FiledOrder, standing: Collection[Unit]) -> bool:
    """Whether the unit of an order stands where it stood."""
    return unit_of(line.instruction) in standing


def same_again(game: Game, command: SameAgain, context: Context) -> Decision | Refusal:
    """The orders of the last movement phase once more; each is read and judged again, and answered."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    if game.position.phase.kind is not PhaseKind.MOVES:
        return Refusal("not-now", tell("Only moves can be ordered again; retreats and builds are never the same."))
    standing = {unit for power in seat.powers for unit in game.position.of(power)}
    lines = [line for power in seat.powers for line in game.played.get(power, ())]
    sheets = [sheet for power in seat.powers if (sheet := game.sheets.get(power)) is not None]
    kept = {unit_of(line.instruction) for sheet in sheets for line in sheet.lines}
    if kept and not any(_stands(line, standing - kept) for line in lines):
        return Decision(said=tell("Your orders on file stay as they are."))
    if not lines:
        return Refusal("nothing-again", tell("You ordered no moves last time; there is nothing to order again."))
    still = [line for line in lines if _stands(line, standing - kept)]
    if not still:
        return Refusal(
            "nothing-again", tell("None of your units stands where it stood; there is nothing to order again.")
        )
    written = tuple(OrderLine(0, line.order) for line in still)
    return file_lines(game, written, seat.powers, context, replace_all=False)


def clear(game: Game, command: Clear, context: Context) -> Decision | Refusal:
    """Withdraw everything on file for this turn."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    powers = [power for power in ((command.power,) if command.power else seat.powers) if power in seat.powers]
    sheets = [sheet for power in powers if (sheet := game.sheets.get(power)) and (sheet.lines or sheet.faults)]
    if not sheets and not any(game.deeds.get(power) for power in powers):
        return Refusal("nothing-on-file", tell("There are no orders on file to withdraw."))
    emptied = [event for sheet in sheets if (event := _cleared(sheet, context)) is not None]
    undone = cleared(game, powers, context)
    if not emptied and not undone:
        return Refusal("overtaken", tell(TOO_LATE))
    gone = [deed.word for event in undone for deed in game.deeds[event.power] if not _is_standing(deed, event)]
    names = [*([tell("orders")] if emptied else []), *dict.fromkeys(gone)]
    stays = any(event.lines for event in emptied) or any(event.deeds for event in undone)
    said = tell(
        (
            "Your {names} are withdrawn, but for those of mails that came after this one."
            if emptied or len(names) > 1
            else "Your {names} is withdrawn, but for those of mails that came after this one."
        )
        if stays
        else (
            "Your {names} are withdrawn; nothing is on file now."
            if emptied or len(names) > 1
            else "Your {names} is withdrawn; nothing is on file now."
        ),
        names=listed(names),
    )
    return Decision((*emptied, *undone), said=said)


def _is_standing(deed: Deed, event: ev.DeedsFiled) -> bool:
    return any(kept["word"] == deed.word for kept in event.deeds)


def _cleared(sheet: Sheet, context: Context) -> ev.OrdersFiled | None:
    """A set without what stood on it when the mail came; None where that changes nothing."""
    lines = stay(sheet, context.actor, replace_all=True)
    faults = still_open(sheet, context.actor, replace_all=True)
    if lines == sheet.lines and faults == sheet.faults:
        return None
    return filed(replace(sheet, number=sheet.number + (lines != sheet.lines), lines=lines, faults=faults), context)


ALL = "drop all lines"


@dataclass(frozen=True, slots=True)
class DropLine(Command):
    """Forget lines that wait to be put right: the one with this number in its mail, or that begins with these words;
    neither: the only one. `every`: all of them.
    """

    number: int = 0
    words: str = ""
    every: bool = False


def drop(game: Game, command: DropLine, context: Context) -> Decision | Refusal:
    """End faults without an order in their place; what is on file stays as it is."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    sheets = [game.sheets[power] for power in seat.powers if power in game.sheets]
    every = [(sheet.power, fault) for sheet in sheets for fault in sheet.faults]
    open_ones = [fault for power, fault in every if fault_word(power, fault) not in context.actor.later]
    if not open_ones:
        return Refusal("nothing-open", tell("No line of yours waits to be put right."), mend="status")
    gone = _meant(command, open_ones)
    if not gone:
        return _which(open_ones)
    events = tuple(_without(sheet, gone, context) for sheet in sheets if set(sheet.faults) & set(gone))
    lines = ", ".join(f'"{fault.text}"' for fault in gone)
    return Decision(events, said=tell("Dropped: {lines}. What is on file stays as it is.", lines=lines))


def _meant(command: DropLine, faults: Sequence[Fault]) -> list[Fault]:
    """The faults that are meant; of several with one number those of the last mail; none where that is not clear."""
    found = list(faults)
    if command.number:
        found = [fault for fault in faults if fault.line == command.number]
    elif command.words:
        found = _beginning_with(command.words, faults)
    if command.every or len(found) < 2:
        return found
    latest = [fault for fault in found if fault.mail == found[-1].mail and fault.at == found[-1].at]
    one_line = len({(fault.line, fault.mail) for fault in latest}) == 1 and bool(latest[0].line)
    return latest if one_line and (command.number or len(latest) == len(found)) else []


def _beginning_with(words: str, faults: Sequence[Fault]) -> list[Fault]:
    """The faults whose line these words are; else those that they begin."""
    meant, texts = _folded(words), [(_folded(fault.text), fault) for fault in faults]
    whole = [fault for text, fault in texts if text == meant]
    return whole or [fault for text, fault in texts if text.startswith(meant)]


def _folded(text: str) -> str:
    return " ".join(text.lower().replace('"', " ").split()).rstrip(".")


def _which(faults: Sequence[Fault]) -> Refusal:
    """Each line that waits, and what drops it."""
    drops = list(dict.fromkeys(how_to_drop(fault, faults) for fault in faults))
    lines = "; ".join(f'"{fault.text}" ({how_to_drop(fault, faults)})' for fault in faults)
    if len(faults) == 1:
        return Refusal("which-line", tell("This line waits to be put right: {lines}.", lines=lines), mend=drops[0])
    sentence = tell("These lines wait to be put right: {lines}. Say which, or: {all}", lines=lines, all=ALL)
    return Refusal("which-line", sentence, mend="\n".join((*drops, ALL)))


def how_to_drop(fault: Fault, faults: Sequence[Fault]) -> str:
    """The line that drops a fault, and of the others only those that stood on the same line of the same mail."""
    if len(faults) == 1:
        return "drop that line"
    if fault.line and len({one.mail for one in faults if one.line == fault.line}) == 1:
        return f"drop line {fault.line}"
    return f'drop line "{fault.text.partition(chr(10))[0]}"'


def _without(sheet: Sheet, gone: Sequence[Fault], context: Context) -> ev.OrdersFiled:
    return filed(replace(sheet, faults=tuple(fault for fault in sheet.faults if fault not in gone)), context)


FEATURE = Feature(
    decide={
        Submit: submit,
        Wait: wait,
        Do: do,
        Undo: undo,
        SameAgain: same_again,
        Clear: clear,
        DropLine: drop,
    },
    evolve={DeedsFiled: _deeds_filed},
)
