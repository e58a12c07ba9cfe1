"""Orders for a player's own units at the end of their press, which may be part of the letter or orders for the
judge."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.board.model import province_of
from judge.board.names import gazetteer_of
from judge.board.position import Position
from judge.mail.script.lines import is_courtesy, is_order, plain_line
from judge.mail.script.signatures import signatures
from judge.mail.vocabulary import Around
from judge.orders.model import Build, Waive
from judge.orders.reader import read_line

_TITLE = re.compile(
    r"(?:(?:and|also|then|now|so|here|these|below|are|come|follow)\s+)*(?:(?:my|our|the|own)\s+)*(?:orders?|moves?)\b"
    r"(?:\s+(?:for|of|this|the|now|turn|phase|season|year|are|as|follows?|judge|spring|fall|autumn|winter|summer|below"
    r"|retreats?|builds?|[FSWfsw]?\d{2,4}\w?))*\s*(?:[:.–—-]\s*|$)",
    re.IGNORECASE,
)
""" "My orders:", alone on its line or before the first order."""
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
    if not run or not above or (len(above) == 1 and _TITLE.fullmatch(above[0])):
        return False
    parted = not lines[first].strip() or _TITLE.fullmatch(above[-1]) or _TITLE.match(run[0].strip())
    return bool(parted) or _orders_all(run, around, position)


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
    order = plain_line(_TITLE.sub("", line.strip(), count=1))
    if not is_order(order, around.board):
        return False
    if position is None or not around.powers:
        return True
    gazetteer = gazetteer_of(position.board)
    words = re.findall(r"[^\W\d_]+", order)[:2]
    places = {province_of(place) for word in words for place in gazetteer.places(word)}
    return any(unit.power in around.powers and province_of(unit.at) in places for unit in position.units)


def _orders_all(lines: Sequence[str], around: Around, position: Position | None) -> bool:
    """Whether each unit of the writer's has one of these orders."""
    if position is None:
        return False
    own = {unit for unit in position.units if unit.power in around.powers}
    orders = [plain_line(_TITLE.sub("", line.strip(), count=1)) for line in lines]
    readings = [one for line in orders for power in around.powers for one in read_line(line, position, power)]
    return bool(own) and own <= {
        one.order.unit for one in readings if one.order and not isinstance(one.order, Build | Waive)
    }
