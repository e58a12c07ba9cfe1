"""Changes to a position by hand, in words: "A Bur at Gas", "remove F Lon", "add France F Bre", "centre Bel France".

Whole positions, of games that were begun elsewhere, are read by `judge.game.repair.importing`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from judge.adjudicate.riding import wrongly_carried
from judge.board.model import Board, Location, province_of
from judge.board.names import gazetteer_of
from judge.board.position import Position
from judge.board.status import crowds, riders
from judge.board.unit import ABOARD, NUMBER, ORDINAL, Dislodged, Unit
from judge.game.core.commands import Refusal
from judge.languages import tell, told_later
from judge.orders.kinds import ORDERS
from judge.orders.spelled import foreign, listed, unit_text
from judge.rules import Rules
from judge.rules.model import RULE_SYSTEMS
from judge.rules.questions import Corrections, Remembered

_NUMBERED = re.compile(r"(.+?)\s*#\s*(\d+)")
_CALLED = re.compile(r"(army|fleet|[a-z]) ?(\d{1,2}) +(.+)", re.IGNORECASE)
_MOVED = re.compile(r"(.+?)\s+(?:at|is\s+(?:at|in)|is|in|to|->|-|stands\s+(?:at|in))\s+(.+)", re.IGNORECASE)
_GONE = re.compile(r"(?:remove|delete|no)\s+(.+)", re.IGNORECASE)
_NEW = re.compile(r"add\s+(.+)", re.IGNORECASE)
_CENTRE = re.compile(
    r"(?:centre|center|owner(?:\s+of)?)\s+(.+?)\s+(?:is\s+|to\s+|belongs\s+to\s+)?(\S+)", re.IGNORECASE
)
_ABOARD = re.compile(r"(.+?)\s+(?:is\s+)?(?:aboard|on\s+board)\s+(.+)", re.IGNORECASE)
_ASHORE = re.compile(r"(.+?)\s+(?:is\s+)?ashore", re.IGNORECASE)
_NUMBER = re.compile(r"number\s+(.+?)\s+(?:is\s+)?(\d{1,2})", re.IGNORECASE)
_CAPITAL = re.compile(r"capital\s+(?:of\s+)?(\S+)\s+(?:is\s+|at\s+|to\s+)?(.+)", re.IGNORECASE)
_SAY = "A Bur at Gas; remove F Lon; add France F Bre; centre Bel France"


BEGUN, CLEARED = told_later("everything is as it began"), told_later("no unit is on the board")
"""Changes of the whole board."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: a unit `was` there and `now` is here (None: none), a centre gets an owner ("": nobody), or a rule
    system is to remember something: `mark` is of whom, under which name, what ("": nothing any more).
    """

    was: Unit | None = None
    now: Unit | None = None
    centre: str = ""
    owner: str = ""
    mark: tuple[str, str, str] | None = None
    account: tuple[str, str, int] | None = None
    """Whose purse holds how much."""


def read_edits(text: str, position: Position) -> tuple[Edit, ...] | Refusal:
    """The changes that a text names, in order; a Refusal says which of them cannot be read."""
    edits: list[Edit] = []
    for part in parts_of(text):
        edit = read_edit(part, position)
        if isinstance(edit, Refusal) and edits:  # what it names may be there by an earlier change
            later = read_edit(part, put_together(position, edits))
            edit = edit if isinstance(later, Refusal) else later
        if isinstance(edit, Refusal):
            return edit
        edits.append(edit)
    return tuple(edits) or Refusal("no-change", tell("Say what to change, like this: {say}.", say=_SAY))


def parts_of(text: str) -> list[str]:
    """The changes of a text, one by one: they stand on lines of their own, or between semicolons or commas."""
    return [part.strip(" .") for part in re.split(r"[;\n]|,(?!\s*\d)", text) if part.strip(" .")]


def read_edit(text: str, position: Position) -> Edit | Refusal:
    """One change."""
    if position.board.facts.get(ORDERS) and (edit := _remembered(text, position)) is not None:
        return edit
    if match := _GONE.fullmatch(text):
        unit = _unit_here(match[1], position)
        return unit if isinstance(unit, Refusal) else Edit(was=unit)
    if match := _NEW.fullmatch(text):
        unit = read_piece(match[1], position.board)
        return unit if isinstance(unit, Refusal) else Edit(now=unit)
    if match := _CENTRE.fullmatch(text):
        return read_centre(match[1], match[2], position.board)
    if match := _MOVED.fullmatch(text):
        return _read_moved(match[1], match[2], position)
    return Refusal(
        "no-change", tell('I cannot read "{text}"; write changes like these: {say}.', text=text[:60], say=_SAY)
    )


def _remembered(text: str, position: Position) -> Edit | Refusal | None:
    """Who is aboard whom, a unit's number, where a capital is: in games whose rules remember such; None: none of it."""
    if match := _ABOARD.fullmatch(text):
        new = _NEW.fullmatch(match[1])
        unit = read_piece(new[1], position.board) if new else _unit_here(match[1], position)
        carrier = _unit_here(match[2], position)
        if isinstance(unit, Refusal):
            return unit
        if isinstance(carrier, Refusal):
            return carrier
        aboard = unit.marked(ABOARD, str(carrier.id))._replace(at=province_of(carrier.at))
        return Edit(None if new else unit, aboard)
    if match := _ASHORE.fullmatch(text):
        unit = _unit_here(match[1], position)
        return unit if isinstance(unit, Refusal) else Edit(unit, unit.marked(ABOARD, ""))
    if match := _NUMBER.fullmatch(text):
        unit = _unit_here(match[1], position)
        return unit if isinstance(unit, Refusal) else Edit(unit, unit.marked(NUMBER, match[2]))
    if match := _CAPITAL.fullmatch(text):
        powers = gazetteer_of(position.board).power(match[1].strip().lower())
        places = gazetteer_of(position.board).places(match[2].strip())
        if len(powers) == len(places) == 1:
            return Edit(mark=(powers[0], "capital", province_of(places[0])))
    return _booked(text, position)


def _corrections(board: Board) -> Corrections | None:
    """What the rules of a board let be put right of their own."""
    system = RULE_SYSTEMS.get(str(board.facts.get(ORDERS, "")))
    return system.rules.corrections() if system is not None else None


def _booked(text: str, position: Position) -> Edit | None:
    """What rules keep books of, in the words of their own."""
    own = _corrections(position.board)
    found = own.read(text, position) if own is not None else None
    if found is None:
        return None
    key, name, value = found
    return Edit(account=(key, name, value)) if isinstance(value, int) else Edit(mark=(key, name, value))


def _read_moved(was: str, now: str, position: Position) -> Edit | Refusal:
    unit = _unit_here(was, position)
    if isinstance(unit, Refusal):
        return unit
    kind, place = _kind_first(now, position.board)
    kind = kind or unit.kind
    at = _place(place, kind, position.board)
    return at if isinstance(at, Refusal) else Edit(unit, replace_unit(unit, kind, at))


def replace_unit(unit: Unit, kind: str, at: Location) -> Unit:
    """The same unit in another place; its identity stays."""
    return unit._replace(kind=kind, at=at)


def read_centre(centre: str, owner: str, board: Board) -> Edit | Refusal:
    """ "Belgium", "France" as an owner of a centre; "nobody" for none. A code or name that several places share means
    the one among them that is a centre.
    """
    named = dict.fromkeys(province_of(place) for place in gazetteer_of(board).places(centre))
    codes = tuple(code for code in named if code in board.centres)
    if len(codes) > 1 and centre.strip().upper() in codes:
        codes = (centre.strip().upper(),)
    if len(codes) > 1:
        meant = listed(map(board.place_name, codes), "or")
        return Refusal("which-centre", tell("{centre} can mean {meant}; say which.", centre=centre[:40], meant=meant))
    if not codes:
        return Refusal("no-centre", tell('"{centre}" is not a centre of this board.', centre=centre[:40]))
    if owner.lower() in ("nobody", "none", "neutral"):
        return Edit(centre=codes[0])
    powers = gazetteer_of(board).power(owner)
    if len(powers) != 1:
        return Refusal("no-power", tell('"{owner}" is not a power of this board.', owner=owner[:40]))
    return Edit(centre=codes[0], owner=powers[0])


def _unit_here(text: str, position: Position) -> Unit | Refusal:
    """The one unit on the board that a text names: "A Paris", "A Paris#2", "A2 Paris" by its number."""
    called = _CALLED.fullmatch(text.strip())
    kind, place = _kind_first(f"{called[1]} {called[3]}" if called else text, position.board)
    named = _NUMBERED.fullmatch(place)
    provinces = {province_of(at) for at in gazetteer_of(position.board).places(named[1] if named else place)}
    found = [unit for unit in position.units if province_of(unit.at) in provinces and kind in ("", unit.kind)]
    if named:
        found = [unit for unit in found if int(str(unit).partition("#")[2] or 1) == int(named[2])]
    if called:
        found = [unit for unit in found if unit.mark(NUMBER) == called[2]]
    if len(found) > 1:
        several = listed(map(str, found))
        return Refusal(
            "which-unit", tell("{several} stand there; say which.", several=several), mend=f"remove {found[-1]}"
        )
    return (
        found[0]
        if found
        else Refusal("no-unit", tell('No single unit on the board is "{text}".', text=text.strip()[:40]))
    )


def _kind_first(text: str, board: Board) -> tuple[str, str]:
    """Letter of a kind of unit and the rest of "F Bre" or "Army Paris"; "" where no kind is named."""
    word, _, rest = text.strip().partition(" ")
    kind = _kind_of(word, board)
    return (kind, rest.strip()) if kind and rest.strip() else ("", text.strip())


def _kind_of(word: str, board: Board) -> str:
    """The letter of a kind that a word names: its letter, the board's name for it, or the one that everybody knows."""
    known = {name.lower(): letter for letter, kind in board.kinds.items() for name in (letter, kind.name)}
    return known.get(word.lower().rstrip("."), {"army": "A", "fleet": "F"}.get(word.lower().rstrip("."), ""))


def read_piece(text: str, board: Board, power: str = "") -> Unit | Refusal:
    """ "France F Bre" as a unit without identity (0); `power` where the text does not name one."""
    words = text.split()
    if not power:
        powers = gazetteer_of(board).power(words[0]) if words else ()
        if len(powers) != 1 or len(words) < 3:
            return Refusal("no-piece", tell('"{text}" is not a unit; write one like France F Bre.', text=text[:40]))
        power, words = powers[0], words[1:]
    kind = _kind_of(words[0], board) if words else ""
    called = _CALLED.fullmatch(" ".join(words))
    if called and not kind:
        kind, words = _kind_of(called[1], board), [called[1], called[3]]
    if not kind or len(words) < 2:
        return Refusal("no-piece", tell('"{text}" is not a unit; write one like F Bre.', text=text[:40]))
    at = _place(" ".join(words[1:]).partition("#")[0], kind, board)
    if isinstance(at, Refusal):
        return at
    return Unit(0, kind, at, power).marked(NUMBER, called[2] if called else "")


def _place(text: str, kind: str, board: Board) -> Location | Refusal:
    """Where a unit of a kind can stand; a coast must be named where there are several."""
    places = gazetteer_of(board).places(text.strip())
    provinces = {province_of(place) for place in places}
    named = [place for place in places if board.can_stand(kind, place)]
    named = [place for place in named if place == text.strip().upper()] or named
    fitting = named or [p for p in board.locations() if province_of(p) in provinces and board.can_stand(kind, p)]
    if len(fitting) == 1:
        return fitting[0]
    if not places:
        return Refusal("no-place", tell('"{text}" is not a place on this board.', text=text.strip()[:40]))
    if fitting:
        meant = listed(map(board.place_name, fitting), "or")
        return Refusal("which-coast", tell("{text} can mean {meant}; say which.", text=text.strip(), meant=meant))
    name = board.kinds[kind].name
    sentence = tell(
        "An {kind} cannot stand in {text}." if name[0] in "AEIOU" else "A {kind} cannot stand in {text}.",
        kind=tell(name.lower()),
        text=text.strip()[:40],
    )
    return Refusal("no-place", sentence)


def apply_edits(position: Position, edits: Iterable[Edit], rules: Rules) -> Position | Refusal:
    """The position after all changes; no more units may end in a province than the rules let stand there."""
    after = put_together(position, edits)
    for flaw in crowds(after.units, rules.stacks(after)):
        return Refusal("crowded", crowd_words(flaw.where, after))
    for flaw in (*riders(after.units), *wrongly_carried(after, rules)):
        return Refusal("no-carrier", f"{flaw.what}.")
    return after


def crowd_words(province: str, position: Position) -> str:
    """That too many units stand somewhere."""
    count = len(position.at(province))
    many = {2: tell("Two"), 3: tell("Three")}.get(count, str(count))
    return tell("{many} units would stand in {place_name}.", many=many, place_name=position.board.place_name(province))


def put_together(position: Position, edits: Iterable[Edit]) -> Position:
    """The position after all changes, whatever is wrong with it."""
    units, owners, marks = list(position.units), dict(position.owners), dict(position.marks)
    accounts = dict(position.accounts)
    next_id = max([position.next_id, *(unit.id + 1 for unit in units)])
    for edit in edits:
        if edit.mark is not None:
            key, name, value = edit.mark
            kept = {**marks.get(key, {}), name: value}
            marks[key] = MappingProxyType({each: text for each, text in kept.items() if text})
        elif edit.account is not None:
            power, purse, amount = edit.account
            accounts[power] = MappingProxyType({**accounts.get(power, {}), purse: amount})
        elif edit.centre:
            owners.pop(edit.centre, None)
            if edit.owner:
                owners[edit.centre] = edit.owner
        elif edit.was is not None:
            units = [changed for unit in units if (changed := _changed(unit, edit.was, edit.now)) is not None]
        elif edit.now is not None:
            units.append(edit.now._replace(id=next_id, built=edit.now.at))
            next_id += 1
    where = {unit.id: province_of(unit.at) for unit in units}
    return replace(
        position,
        units=tuple(unit._replace(at=where[unit.aboard]) if unit.aboard in where else unit for unit in units),
        owners=MappingProxyType(owners),
        next_id=next_id,
        marks=MappingProxyType(marks),
        accounts=MappingProxyType(accounts),
    )


def _changed(unit: Unit, was: Unit, now: Unit | None) -> Unit | None:
    """A unit after a change of one that it is, or is not: what the change says is another, what it leaves out stays."""
    if unit.id != was.id:
        return unit
    if now is None:
        return None
    for name in {*dict(was.marks), *dict(now.marks)} - {ORDINAL}:
        if was.mark(name) != now.mark(name):
            unit = unit.marked(name, now.mark(name))
    same = (was.kind, was.at) == (now.kind, now.at)
    return unit if same else unit._replace(kind=now.kind, at=now.at)


def edit_words(edit: Edit, board: Board) -> str:
    """A change as the log and the letters say it: "A Burgundy is A Gascony"."""
    if edit.mark is not None:
        key, name, value = edit.mark
        if name != "capital" and (own := _corrections(board)) is not None:
            return own.words(Remembered(*edit.mark), board)
        owner, place = board.powers[key].told, board.place_name(value)
        if name == "capital":
            return tell("the capital of {power} is {place}", power=owner, place=place)
        return tell("{name} of {power}: {value}", name=name, power=owner, value=place)
    if edit.account is not None:
        own = _corrections(board)
        assert own is not None  # nobody else reads accounts
        return own.words(Remembered(*edit.account), board)
    if edit.centre:
        return tell(
            "{place_name} belongs to {powers}",
            place_name=board.place_name(edit.centre),
            powers=board.powers[edit.owner].told if edit.owner else tell("nobody"),
        )
    was, now = (unit_text(unit, board) if unit is not None else "" for unit in (edit.was, edit.now))
    if edit.now is None:
        return tell("{was} is not on the board", was=was)
    if edit.was is None:
        return tell("{foreign} is on the board", foreign=foreign(edit.now, board))
    return tell("{was} is {now}", was=was, now=_now_known(now, edit.was, edit.now))


def _now_known(unit: str, was: Unit, now: Unit) -> str:
    """A unit with what is remembered of it that was not, in words."""
    if bool(was.aboard) != bool(now.aboard):
        unit = tell("{unit}, aboard" if now.aboard else "{unit}, ashore", unit=unit)
    number = now.mark(NUMBER)
    return tell("{unit}, number {number}", unit=unit, number=number) if number != was.mark(NUMBER) else unit


def changes_between(was: Position, now: Position) -> str:
    """The changes that make one position the other, as `correct position` reads them; "" if they are the same."""
    before, after = ({unit.id: unit for unit in position.units} for position in (was, now))
    words = [f"remove {unit}" for number, unit in before.items() if number not in after]
    words += [f"add {_new_unit(unit)}" for number, unit in after.items() if number not in before and not unit.aboard]
    named = {**{number: str(unit) for number, unit in after.items()}, **{n: str(unit) for n, unit in before.items()}}
    for number, unit in before.items():
        if number in after:
            words += _unit_changes(unit, after[number], named)
    words += [
        f"add {_new_unit(unit)} aboard {named[unit.aboard]}"
        for number, unit in after.items()
        if number not in before and unit.aboard in after
    ]
    centres = sorted({*was.owners, *now.owners})
    words += [
        f"centre {centre} {now.owners.get(centre, 'nobody')}"
        for centre in centres
        if was.owners.get(centre) != now.owners.get(centre)
    ]
    for key, power in now.board.powers.items():
        capitals = [position.marks.get(key, {}).get("capital", "") for position in (was, now)]
        if capitals[0] != capitals[1]:
            words.append(f"capital {key} {capitals[1] or power.facts.get('capital') or power.homes[0]}")
    own = _corrections(now.board)
    words += own.between(was, now) if own is not None else ()
    return "; ".join(words)


def _new_unit(unit: Unit) -> str:
    return f"{unit.power} {unit.kind}{unit.mark(NUMBER)} {unit.at}"


def _unit_changes(was: Unit, now: Unit, named: Mapping[int, str]) -> Iterator[str]:
    """What became of a unit that stays on the board. `named`: identity -> what a unit is called, before if it was."""
    if was.aboard and not now.aboard:
        yield f"{was} ashore"
    if not now.aboard and (was.kind, was.at) != (now.kind, now.at):
        yield f"{was} at {now.kind} {now.at}"
    if now.aboard != was.aboard and now.aboard in named:
        yield f"{was} aboard {named[now.aboard]}"
    if (number := now.mark(NUMBER)) and number != was.mark(NUMBER):
        yield f"number {was} {number}"


def assumed_owners(edits: Iterable[Edit], beaten: Iterable[Dislodged], board: Board, rules: Rules) -> list[Edit]:
    """Who owns what where nobody says: as at the start, but for what the rules give to whoever stands there.

    A power without any unit, dislodged ones counted, owns nothing: lists of units leave out who is eliminated.
    """
    units = [edit.now for edit in edits if edit.now]
    alive = {unit.power for unit in units} | {lost.unit.power for lost in beaten}
    owners = rules.owners(rules.start(board), units)
    return [Edit(centre=centre, owner=power) for centre, power in owners.items() if power in alive]
