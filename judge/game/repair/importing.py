"""Positions of games that were run elsewhere, read from what their Gamemasters have: lists, or a whole results letter.

    England: F Lon, F Nth, A Lvp          a list of units, in any order, with commas or without
    England owns Lon, Edi, Lvp            a list of centres; also under "Ownership of supply centers:"
    FINAL UNIT POSITIONS ...              a report as this judge prints it, or as others do

Every line is accounted for: it belongs to the position, or it is named among what was left out. Counts of centres in
a report are not ownership, but they are compared with it.

Reading a position line by line, from lists or from the results letter of any judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from judge.adjudicate.duty import asked_of
from judge.board.model import Board, province_of
from judge.board.names import gazetteer_of
from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position
from judge.board.unit import Dislodged, Unit
from judge.game.core.commands import Refusal
from judge.game.repair.edits import Edit, apply_edits, assumed_owners, read_centre, read_piece
from judge.languages import tell
from judge.rules import Rules
from judge.rules.calendar import Calendar, find_phase

_RULE = re.compile(r"\s*[-=_*]{5,}\s*")
_RULED = re.compile(r"(?<=\S) -{5,}$")
"""The line across the page that a heading of ours begins; older letters have it above."""
_NEXT = re.compile(r"next phase\b.*\bwill be\s+(.*)|status of the\s+(.*)", re.IGNORECASE)
_OWNS = re.compile(r"(.+?)\s+(?:owns|supply centres|supply centers|centres|centers)\b[\s:=]*(.*)", re.IGNORECASE)
_LIST = re.compile(r"(?P<power>[A-Za-z][A-Za-z'. -]*?)(?:\s*[:=]\s*|\s{2,}|\s+(?=(?:A|F|Army|Fleet)\.?\s))(?P<rest>.*)")
_TALLY = re.compile(r"([A-Z][A-Za-z'-]*(?: [A-Z][A-Za-z'-]*)*)\s+(\d+)\s+\(\d+\)")
_ACCOUNT = re.compile(
    r"(?P<power>[A-Z][A-Za-z' -]*?)\s+\d+\s+\(\d+\)(?:\s+[+-]+)?(?:\s{2,}(?P<names>(?!.*\(\d+\)).+))?"
)
"""A power's line in our table of centres: how many, how many before, which."""
_BUILDS = re.compile(r"(.+?):\s*(\d+)\s+supply cent(?:er|re)s?,\s*\d+\s+units?\b.*", re.IGNORECASE)
_BEATEN = re.compile(
    r"(?:the\s+)?([A-Za-z-]+)\s+((?:A|F|Army|Fleet)\b\.?)\s+(?:in\s+(?:the\s+)?)?(.+?)"
    r"(?::\s*|\s+(?:can|must|may)\s+retreat\s+to\s+)(.+)",
    re.IGNORECASE,
)
_LOST = re.compile(r".*\b(?:has no retreat|destroyed|is disbanded|was disbanded|annihilated)\b.*", re.IGNORECASE)
_APART = re.compile(r"[,;]|(?<=[\w)])\.?\s+(?=(?:A|F|Army|Fleet)\.?\s+[A-Z])")
_SECTIONS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "units",
            r"(?:final\s+)?unit\s+positions?\b.*|(?:(?:starting|final)\s+)?positions?\s*:?|units\s*:",
        ),
        (
            "owners",
            r"ownership of (?:supply )?cent(?:er|re)s\b.*|(?:supply\s+)?cent(?:er|re)s\s*:?|owners\s*:?",
        ),
        ("tally", r"centres(?: (?:after|at|if|now|as counted)|, not yet counted)\b.*"),
        ("retreats", r"retreats due\b.*|the following units were dislodged\s*:?"),
        ("desk", r"your (?:desk|tasks)\b.*"),
        ("order form", r"order form\b.*"),
        ("press", r"press - written by .*"),
        ("the Gamemaster's words", r"gamemaster \(neutral\).*"),
        (
            "results",
            r"[a-z]+ \d{4} (?:moves|retreats|adjustments)\b.*|.*\bresults for\b.*",
        ),
    )
)
_NOBODY = "-"
"""In the place of a power: what follows is the rest of the list of centres that nobody owns."""

_LEFT_WHOLE = frozenset({"desk", "order form", "press", "the Gamemaster's words", "results"})


@dataclass
class ImportReading:
    """What was found so far."""

    board: Board
    calendar: Calendar
    edits: list[Edit] = field(default_factory=list)
    beaten: list[Dislodged] = field(default_factory=list)
    tally: dict[str, int] = field(default_factory=dict)
    cut: str = ""
    """A retreat whose line goes on below."""
    forecast: bool = False
    """Whether the counts are those after retreats that are still to be made."""
    played: str = ""
    coming: str = ""
    section: str = ""
    power: str = ""
    left: dict[str, int] = field(default_factory=dict)


def take_line(reading: ImportReading, line: str) -> Refusal | None:
    """Add what one line says to the reading; a refusal where it belongs to a position and cannot be read."""
    text = _RULED.sub("", line.strip())
    if not text or _RULE.fullmatch(text):
        reading.power = ""
        reading.section = "" if text else reading.section
        return None
    told = _note_phase(reading, text)
    for name, pattern in _SECTIONS:
        if pattern.fullmatch(text):
            reading.section, reading.power = name, ""
            reading.forecast |= name == "tally" and " if " in text.lower()
            if name == "results" and (block := find_phase(text, reading.calendar, whole=True)):
                reading.played = block  # of several phases in one letter the last counts
            rest = re.sub(r"^retreats due[\s:]*", "", text, flags=re.IGNORECASE) if name == "retreats" else ""
            return _retreat(reading, rest) if rest and rest != text else None
    if reading.section in _LEFT_WHOLE:
        return _leave(reading, f"the section {reading.section}")
    if reading.section == "tally":
        account = _account(reading, line)
        if isinstance(account, Refusal) or account or _take_tally(reading, text):
            return account if isinstance(account, Refusal) else None
    if reading.section == "retreats":
        return _retreat(reading, text)
    return None if told else _position_line(reading, line)


def _note_phase(reading: ImportReading, text: str) -> bool:
    """Which phase the results are of, or which comes next; the first of each counts. Whether the line says so."""
    known = reading.coming, reading.played
    if match := _NEXT.search(text):
        words = match[1] or match[2]
        reading.coming = reading.coming or find_phase(words, reading.calendar)
    elif "result" in text.lower():
        reading.played = reading.played or find_phase(text, reading.calendar)
    return (reading.coming, reading.played) != known


def _leave(reading: ImportReading, what: str) -> Refusal | None:
    """Note a line, or one more line of a section, that is no part of the position: nothing is wrong with that."""
    reading.left[what] = reading.left.get(what, 0) + 1
    return None


def left_out(reading: ImportReading) -> Iterable[str]:
    """What was not used: a line as it was written, or a section with the number of its lines."""
    for what, count in reading.left.items():
        yield f"{what} ({count} lines)" if what.startswith("the section") and count > 1 else what


def _take_tally(reading: ImportReading, text: str) -> bool:
    """Counts of centres, and the lines of what was gained and lost, which the counts hold already."""
    board = reading.board
    found = {powers[0]: int(match[2]) for match in _TALLY.finditer(text) if (powers := _powers(match[1], board))}
    reading.tally |= found
    return bool(found) or re.search(r"\b(?:gains|loses)\b", text) is not None or (text[0].isupper() and "," in text)


def _account(reading: ImportReading, line: str) -> Refusal | bool:
    """A line of a table that says which centres each power has, with "+" and "-" for what it gains and loses; False
    for any other line.
    """
    text = line.strip()
    match, named = _ACCOUNT.fullmatch(text), text
    if match is not None and (powers := _powers(match["power"], reading.board)):
        reading.power = powers[0]
        _take_tally(reading, text)
        named = match["names"] or ""
    elif re.match(r"unowned\b", text, re.IGNORECASE):
        reading.power = _NOBODY
    elif not reading.power or not line.startswith("   ") or re.search(r"\b(?:gains|loses)\b", text):
        return False
    if reading.power == _NOBODY:
        return True
    gone = "+" if reading.forecast else "-"  # until the retreats are made nothing changes hands
    kept = (name.strip().lstrip("+-") for name in named.split(",") if name.strip()[:1] != gone)
    refusal = _take(reading, ", ".join(kept), reading.power, owned=True)
    return True if refusal is None else refusal


def _powers(name: str, board: Board) -> tuple[str, ...]:
    found = gazetteer_of(board).power(name.strip())
    return found if len(found) == 1 else ()


def _retreat(reading: ImportReading, text: str) -> Refusal | None:
    """ "French A Burgundy: Gascony, Paris."; a unit that was lost is on the board no more."""
    text, reading.cut = f"{reading.cut} {text}".strip(), ""
    if text.endswith((",", ":")):
        reading.cut = text
        return None
    if _LOST.fullmatch(text) and not _BEATEN.fullmatch(text):
        return None
    match = _BEATEN.fullmatch(text.rstrip(". "))
    powers = _powers(match[1], reading.board) if match else ()
    if match is None or not powers:
        return _leave(reading, text)
    unit = read_piece(f"{match[2]} {match[3]}", reading.board, powers[0])
    if isinstance(unit, Refusal):
        return unit
    options = []
    for word in re.split(r",|\bor\b", re.sub(r"\s*-?\s*or disband.*$", "", match[4])):
        there = read_piece(f"{unit.kind} {word.strip(' .')}", reading.board, powers[0])
        if isinstance(there, Refusal):
            return there
        options.append(there.at)
    reading.beaten.append(Dislodged(unit, tuple(options)))
    return None


def _position_line(reading: ImportReading, line: str) -> Refusal | None:
    text, board = line.strip(), reading.board
    if match := _BUILDS.fullmatch(text):
        if powers := _powers(match[1], board):
            reading.tally[powers[0]] = int(match[2])
            return None
        return _leave(reading, text)
    if re.match(r"(?:unowned|neutral|vacant)\b", text, re.IGNORECASE):
        reading.power = _NOBODY
        return None
    if reading.power == _NOBODY and line[:1] == " " and not _LIST.fullmatch(text):
        return None
    owns = _OWNS.fullmatch(text)
    if owns and (powers := _powers(owns[1], board)):
        return _take(reading, owns[2], powers[0], owned=True)
    if (powers := _powers(text.rstrip(":= "), board)) and _APART.split(text):
        reading.power = powers[0]
        return None
    named = _LIST.fullmatch(text)
    if named and (powers := _powers(named["power"], board)):
        reading.power = powers[0]
        return _take(reading, named["rest"], powers[0], owned=reading.section == "owners")
    if reading.power and (line[:1] == " " or reading.section in ("units", "owners") or _is_piece(text)):
        return _take(reading, text, reading.power, owned=reading.section == "owners")
    if named and not reading.section and _is_piece(named["rest"]):
        return Refusal(
            "no-power", tell('"{text}" names no power; write a line like this: France: A Par, F Bre', text=text[:60])
        )
    return _leave(reading, text)


def _is_piece(text: str) -> bool:
    return re.match(r"(?:A|F|Army|Fleet)\.?\s+\S", text, re.IGNORECASE) is not None


def _take(reading: ImportReading, text: str, power: str, *, owned: bool) -> Refusal | None:
    """A list of units or of centres."""
    for part in _APART.split(text):
        word = part.strip(" .")
        if not word or word.lower() in ("none", "no units", "-"):
            continue
        found = read_centre(word, power, reading.board) if owned else read_piece(word, reading.board, power)
        if isinstance(found, Refusal):
            return replace(found, sentence=f'In "{text.strip()[:60]}": {found.sentence}')
        reading.edits.append(Edit(now=found) if isinstance(found, Unit) else found)
    return None


@dataclass(frozen=True, slots=True)
class Imported:
    """What a text comes to. `left`: what was not used, a line or a whole section each; `doubts`: what to look at."""

    position: Position
    left: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def read_import(text: str, phase: str, board: Board, rules: Rules) -> Imported | Refusal:
    """The position of a text; the phase that is given goes before the one that the text says. A Refusal names the
    first line that belongs to it and cannot be read.
    """
    if phase and _phase(phase, rules.calendar) is None:
        return Refusal("no-phase", tell('"{phase}" is not a phase; write one like S1903M.', phase=phase))
    reading = ImportReading(board, rules.calendar)
    for line in text.splitlines():
        wrong = take_line(reading, line.expandtabs(4).rstrip())
        if wrong is not None:
            return wrong
    if not any(edit.now for edit in reading.edits):
        return Refusal("no-units", tell("There are no units in that; write them like this: France: A Par, F Bre"))
    return _finished(reading, phase, rules)


def _finished(reading: ImportReading, phase: str, rules: Rules) -> Imported | Refusal:
    board, edits = reading.board, reading.edits
    said = any(edit.centre for edit in edits)
    if not said:
        edits += assumed_owners(edits, reading.beaten, board, rules)
    elif reading.forecast:
        reading.tally.clear()  # who owns what now is said; what comes of it is another matter
    start = rules.start(board)
    nobodys: Mapping[str, str] = MappingProxyType({})
    begun = Position(board, board.first_phase, (), nobodys, accounts=start.accounts, next_id=1, marks=start.marks)
    position = apply_edits(begun, edits, rules)
    if isinstance(position, Refusal):
        return position
    number = position.next_id
    beaten = tuple(replace_unit(lost, number + place) for place, lost in enumerate(reading.beaten))
    position = replace(position, dislodged=beaten, next_id=number + len(beaten))
    at = (
        _phase(phase, rules.calendar)
        or _phase(reading.coming, rules.calendar)
        or _after(reading.played, position, rules)
    )
    if at is None:
        return Refusal("no-phase", tell("That does not say which phase comes next."), mend="import position S1903M")
    position = replace(position, phase=at, dislodged=beaten if at.kind is PhaseKind.RETREATS else ())
    doubts = [*_doubts(reading, position, beaten), *([] if said else _without_anything(position, beaten))]
    return Imported(position, tuple(left_out(reading)), tuple(doubts))


def replace_unit(lost: Dislodged, number: int) -> Dislodged:
    """A dislodged unit with an identity of its own."""
    return lost._replace(unit=lost.unit._replace(id=number))


def _phase(text: str, calendar: Calendar) -> Phase | None:
    try:
        return calendar.read(text) if text else None
    except ValueError:
        return None


def _after(played: str, position: Position, rules: Rules) -> Phase | None:
    """The phase that follows one whose results these are, as far as the position tells."""
    now = _phase(played, rules.calendar)
    if now is None:
        return None
    coming = rules.calendar.next_phase(now)
    while coming.kind is not PhaseKind.MOVES and not _asks(replace(position, phase=coming), rules):
        coming = rules.calendar.next_phase(coming)
    return coming


def _asks(position: Position, rules: Rules) -> bool:
    """Whether anything is left to be done in a phase that follows moves."""
    if position.phase.kind is PhaseKind.RETREATS:
        return any(lost.options for lost in position.dislodged)
    return bool(asked_of(replace(position, dislodged=()), rules))


# --- lines ----------------------------------------------------------------------------------------------------------


def _doubts(reading: ImportReading, position: Position, beaten: tuple[Dislodged, ...]) -> Iterable[str]:
    board = reading.board
    for power, count in reading.tally.items():
        owned = position.centres(power)
        if len(owned) != count:
            name = board.powers[power].told
            yield (
                tell(
                    "{name} has {count} centres by the report, and {owned} by what I could read "
                    "({owned2}); if that is wrong, add a line: {name} owns ...",
                    name=name,
                    count=count,
                    owned=len(owned),
                    owned2=", ".join(owned) or tell("none"),
                )
            )
    if beaten and position.phase.kind is not PhaseKind.RETREATS:
        lost = ", ".join(f"{board.powers[lost.unit.power].told} {lost.unit}" for lost in beaten)
        title = reading.calendar.title(position.phase)
        yield tell("Dislodged units are left off the board, since {title} comes next: {lost}.", title=title, lost=lost)
    strays = [unit for unit in position.units if not board.can_stand(unit.kind, unit.at)]
    if strays:
        yield tell("Look at {map} again.", map=", ".join(map(str, strays)))


def _without_anything(position: Position, beaten: tuple[Dislodged, ...]) -> Iterable[str]:
    """Who got nothing because no unit of theirs is named, where the text tells no owners."""
    alive = {unit.power for unit in (*position.units, *(lost.unit for lost in beaten))}
    powers = position.board.powers.items()
    names = [power.told for key, power in powers if key not in alive and not power.minor]
    if names:
        yield (
            tell(
                "No unit is named for {names}, and nothing says who owns which centres, so I left "
                "these without any; if that is wrong, add a line: {names2} owns ...",
                names=", ".join(names),
                names2=names[0],
            )
        )


def owners_by_power(position: Position) -> dict[str, tuple[str, ...]]:
    """Power -> names of the centres that it owns, for those that own any."""
    board = position.board
    found: dict[str, list[str]] = {}
    for centre, power in position.owners.items():
        found.setdefault(power, []).append(board.spelled[province_of(centre)])
    return {power: tuple(sorted(found[power])) for power in board.powers if power in found}
