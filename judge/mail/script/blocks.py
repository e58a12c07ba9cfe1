"""Which lines below a command belong to it: letters, notes, settings, conditions; and own orders that end press."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from judge.board.model import province_of
from judge.board.names import gazetteer_of
from judge.board.position import Position
from judge.game.core.commands import Role, SendPress
from judge.game.filing.conditional import LONGEST, block_end
from judge.game.settings.table import TABLE
from judge.languages import tell
from judge.mail.script.copies import Typed, attribution, is_courtesy, is_foot, is_order, is_stop, plain_line, signatures
from judge.mail.script.phrases import abroad
from judge.mail.script.phrases import ordering as phrases
from judge.mail.vocabulary import Around, BodyRule, Clause, Match, Unclear, find_verb
from judge.mail.vocabulary.account import Register, read_person
from judge.mail.vocabulary.player import split_inline
from judge.mail.vocabulary.settings_text import is_assignment, read_all_below, read_below
from judge.orders.reader import read_line

_FULL = 60
"""Columns of the narrowest lines that mail programs make."""
_LONGEST_WRAP = 15
_FIELD = re.compile(r"(\w[\w ]{0,30}):\s*(.*)")


@dataclass(frozen=True, slots=True)
class VerbBlock:
    """The lines after a verb's line that belong to it: their text, and the index after them."""

    body: str
    after: int
    closed: bool = False
    """Whether its end was written."""


def text_block(lines: Sequence[Typed], start: int, ends: Sequence[str], *, opens: Callable[[str], bool]) -> VerbBlock:
    """Prose from `start` up to an end word, a stop word, or the next line that `opens` another; else all."""
    for at in range(start, len(lines)):
        text = lines[at][1]
        word = " ".join(text.lower().split()).rstrip(".")
        if word in ends:
            return VerbBlock(_join(lines[start:at]), at + 1, closed=True)
        if is_stop(text) or opens(text):
            return VerbBlock(_join(lines[start:at]), at)
    return VerbBlock(_join(lines[start:]), len(lines))


def _verbatim_block(lines: Sequence[Typed], start: int, ends: Sequence[str]) -> VerbBlock:
    """What was pasted from `start` up to an end word: it may hold press and stop words of its own. A stop word that is
    the last line of the mail is none of it.
    """
    last = max((at for at in range(start, len(lines)) if lines[at][1].strip()), default=start)
    for at in range(start, len(lines)):
        if " ".join(lines[at][1].lower().split()).rstrip(".") in ends:
            return VerbBlock(_join(lines[start:at]), at + 1, closed=True)
        if at == last and is_stop(lines[at][1]):
            return VerbBlock(_join(lines[start:at]), at)
    return VerbBlock(_join(lines[start:]), len(lines))


def inline_block(lines: Sequence[Typed], start: int, ends: Sequence[str], *, stops: Callable[[str], bool]) -> VerbBlock:
    """Prose that began on the verb's own line: its paragraph, cut before a line that is something else."""
    for at in range(start, len(lines)):
        text = lines[at][1]
        if " ".join(text.lower().split()).rstrip(".") in ends:
            return VerbBlock(_join(lines[start:at]), at + 1, closed=True)
        if not text.strip() or is_stop(text) or stops(text):
            return VerbBlock(_join(lines[start:at]), at)
    return VerbBlock(_join(lines[start:]), len(lines))


def settings_block(lines: Sequence[Typed], start: int) -> tuple[VerbBlock, list[tuple[int, str, Unclear]]]:
    """Lines NAME = VALUE or NAME VALUE, with blank lines, comments and TOML table heads between; and those that name no
    setting, or give it what it cannot be.
    """
    after, wrong, kept = start, [], list[str]()
    for at in range(start, len(lines)):
        if at < after:
            continue  # wrapped, and taken with the line above
        number, text = lines[at]
        line = text.strip()
        if not line or line.startswith("#") or (line[0] == "[" and line[-1] == "]"):
            continue
        several = read_all_below(line)
        found = several[0] if several else read_below(line)
        if (match := find_verb(line)) is not None and match.verb.name == "pass phrase":
            break
        if found is None and _settings_follow(lines, at):
            found = Unclear("no-such-setting", tell("This names no setting, so it was passed over."))
        if found is None or (isinstance(found, Unclear) and not is_assignment(line) and find_verb(line)):
            break
        if isinstance(found, Unclear):
            wrong.append((number, text, found))
            after = at + 1
            continue
        block = wrapped_block(lines, at, found[0])
        after = block.after
        kept.append(f"{text} {block.body}".rstrip())
    return VerbBlock("\n".join(kept), after), wrong


def _settings_follow(lines: Sequence[Typed], at: int) -> bool:
    """Whether a line that names no setting stands among some: it is no command, and one that does stands below it,
    ahead of any command.
    """
    if find_verb(lines[at][1].strip()) is not None:
        return False
    for _, text in lines[at + 1 : at + _FURTHER]:
        if read_all_below(text.strip()):
            return True
        if find_verb(text.strip()) is not None:
            return False
    return False


_FURTHER = 6
"""Lines that are looked at for the next setting."""


def wrapped_block(lines: Sequence[Typed], start: int, name: str) -> VerbBlock:
    """What a mail program wrapped of a setting that is free text, behind the line at `start` that gives it: the lines
    up to the closing quote, or those before which a line was too full for their first word. A line that is a command
    is one.
    """
    none = VerbBlock("", start + 1)
    if (setting := TABLE.get(name)) is None or not setting.prose:
        return none
    if lines[start][1].count('"') % 2:
        ends = (at for at in range(start + 1, min(len(lines), start + _LONGEST_WRAP)) if '"' in lines[at][1])
        end = next(ends, start)
        return VerbBlock(_joined(lines[start + 1 : end + 1]), end + 1)
    at = start + 1
    while at < min(len(lines), start + _LONGEST_WRAP) and _goes_on(lines[at - 1][1], lines[at][1]):
        at += 1
    return VerbBlock(_joined(lines[start + 1 : at]), at)


def _goes_on(above: str, text: str) -> bool:
    line = plain_line(text)
    if not line or is_stop(text) or is_assignment(line) or find_verb(line) is not None:
        return False
    return len(above.rstrip()) + 1 + len(text.split()[0]) > _FULL


def _joined(lines: Sequence[Typed]) -> str:
    return " ".join(" ".join(text.split()) for _, text in lines)


def condition_block(lines: Sequence[Typed]) -> Sequence[Typed]:
    """The lines from an IF down to its ENDIF, without marks and comments; none where no ENDIF follows."""
    plain = [(number, plain_line(text)) for number, text in lines[:LONGEST]]
    return plain[: block_end([text for _, text in plain], 0) or 0]


def condition_in_one_line(first: str, below: Sequence[str]) -> str:
    """A condition over several lines as one: "X then A; B else C"."""
    said = first.rstrip(" :,;")
    said = said if re.search(r"\bthen\b", said, re.IGNORECASE) else f"{said} then"
    for text in below:
        if phrases.END_IF.fullmatch(text):
            continue
        if match := phrases.ELSE.match(text):
            said, text = f"{said} else", text[match.end() :]
        if text.strip(" :"):
            joint = " " if re.search(r"\b(?:then|else)$", said, re.IGNORECASE) else "; "
            said += joint + text.strip()
    return said


def registration(lines: Sequence[Typed]) -> tuple[Register | Unclear, int] | None:
    """What the lines of FIELD: VALUE below REGISTER come to, down to END, as older judges have it (name and zone are
    taken from them), and how many lines that are. None where no such lines stand there.
    """
    end = next((at for at, (_, line) in enumerate(lines) if is_stop(line)), None)
    fields = [_FIELD.fullmatch(line.strip()) for _, line in lines[:end] if line.strip()]
    if end is None or not fields or not all(fields):
        return None
    known = {match[1].lower().replace(" ", ""): match[2].strip() for match in fields if match}
    zone = known.get("timezone") or known.get("zone") or ""
    read = read_person(f"name {known.get('name', '')}" + (f" zone {zone}" if zone else ""))
    return (read if isinstance(read, Unclear) else Register(*read)), end + 1


def _join(lines: Sequence[Typed]) -> str:
    return "\n".join(text.rstrip() for _, text in lines).strip("\n")


def letter_below(match: Match, lines: Sequence[Typed], at: int, around: Around, *, sure: bool) -> VerbBlock:
    """The lines of a letter whose verb stands above `at`: all up to its end word, or to the next letter.

    Prose that began on the verb's own line ends with its paragraph, unless an end word is written. With `sure` false
    (its recipients are not understood) no end word is looked for then, so that a mail is never searched over and over.
    """
    inline = _begins_inline(match, around)
    opens = partial(opens_letter, around=around)
    if match.verb.verbatim:
        return _verbatim_block(lines, at, match.verb.ends)
    ends = (*match.verb.ends, *abroad.ENDS_OF_PRESS)
    if sure or not inline:
        block = text_block(lines, at, ends, opens=opens)
        if block.closed or not inline:
            return block if block.closed else _above_copy(lines, at, block)
    return inline_block(lines, at, ends, stops=partial(_stops_letter, around=around))


def _above_copy(lines: Sequence[Typed], at: int, block: VerbBlock) -> VerbBlock:
    """A letter whose end is not written ends where a mail program repeats one of ours: its reader alone may see it."""
    foot = max((here for here in range(at, block.after) if is_foot(lines[here][1])), default=at)
    for here in range(at, foot):
        if attribution(lines, here):
            return VerbBlock("\n".join(text.rstrip() for _, text in lines[at:here]).strip("\n"), here)
    return block


def opens_letter(text: str, around: Around) -> bool:
    """Whether a line begins another letter: press with its recipients, or `note:`."""
    line = plain_line(text)
    match = find_verb(abroad.command_in(line) or line)
    if match is None or match.verb.body is not BodyRule.TEXT:
        return False
    if match.verb.name == "note":
        return around.role is Role.GM and (not match.rest or match.rest.startswith(":"))
    found = match.verb.read(Clause(match.word, match.rest, around, "text"))
    if isinstance(found, Unclear):
        return bool(found.candidates) and "to " in match.rest.lower()
    return isinstance(found, SendPress)


def _begins_inline(match: Match, around: Around) -> bool:
    """Whether prose begins on the verb's own line; a note needs no colon."""
    if match.verb.name == "import position":
        return False  # its line names the phase; the lists begin below
    if match.verb.name == "press":
        return bool(split_inline(Clause(match.word, match.rest, around))[1])
    return bool(match.rest.strip(" :"))


def _stops_letter(text: str, around: Around) -> bool:
    """Whether a line below prose that began inline is something else: a letter, an order, a sound command."""
    line = plain_line(text)
    if opens_letter(text, around) or is_order(line, around.board):
        return True
    match = find_verb(abroad.command_in(line) or line)
    if match is None or match.verb.body not in (BodyRule.NONE, BodyRule.SETTINGS):
        return False
    return not isinstance(match.verb.read(Clause(match.word, match.rest, around)), Unclear)


_NAME = re.compile(r"[-–—~]{0,2}\s*[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2}")


def ends_in_orders(body: str, around: Around, position: Position | None) -> bool:
    """Whether a letter ends in what may be its author's orders for the judge, without ENDPRESS above them.

    They are orders for the writer's own units, and a title or an empty line parts them from the words above, or every
    unit of the writer has one. A letter of nothing but orders shows them to an ally; so does one that goes on below.
    """
    lines = _without_closing(body.splitlines(), around)
    first = len(lines)
    while first and (not lines[first - 1].strip() or _is_own(lines[first - 1], around, position)):
        first -= 1
    run = [line for line in lines[first:] if line.strip()]
    above = [line.strip() for line in lines[:first] if line.strip()]
    if not run or not above or (len(above) == 1 and phrases.TITLE.fullmatch(above[0])):
        return False
    parted = not lines[first].strip() or phrases.TITLE.fullmatch(above[-1]) or phrases.TITLE.match(run[0].strip())
    orders = [plain_line(phrases.TITLE.sub("", line.strip(), count=1)) for line in run]
    return bool(parted) or orders_all(orders, around, position)


def _without_closing(lines: Sequence[str], around: Around) -> list[str]:
    """The lines without thanks, regards and names at their end."""
    kept = list(lines)
    names = signatures(enumerate(kept))
    while kept and _closes(kept[-1].strip(), around, signed=len(kept) - 1 in names):
        kept.pop()
    return kept


def _closes(line: str, around: Around, *, signed: bool) -> bool:
    if not line or signed:
        return True
    if is_order(line, around.board):
        return False
    return is_courtesy(line) or _NAME.fullmatch(line) is not None


def _is_own(line: str, around: Around, position: Position | None) -> bool:
    """Whether a line, without its title, is an order for a unit of the writer's; True for any order if the position or
    the writer's powers are not known.
    """
    order = plain_line(phrases.TITLE.sub("", line.strip(), count=1))
    if not is_order(order, around.board):
        return False
    if position is None or not around.powers:
        return True
    gazetteer = gazetteer_of(position.board)
    words = re.findall(r"[^\W\d_]+", order)[:2]
    places = {province_of(place) for word in words for place in gazetteer.places(word)}
    return any(unit.power in around.powers and province_of(unit.at) in places for unit in position.units)


def orders_all(lines: Sequence[str], around: Around, position: Position | None) -> bool:
    """Whether each unit of the writer's has one of these orders."""
    if position is None:
        return False
    own = {unit for unit in position.units if unit.power in around.powers}
    readings = [one for line in lines for power in around.powers for one in read_line(line, position, power)]
    return bool(own) and own <= {one.unit for one in readings if one.understood}
