"""The log of a game as facts: what may be told of every kind of event.

What is secret even from the Gamemaster is no fact of it: ballots before the close, diaries and statements before the
end, and the words of press, which may have been recalled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from judge.game.core import events as ev
from judge.game.core.model import Game
from judge.game.core.reasons import reason_told
from judge.game.instructions.kinds import placed_from_json
from judge.game.repair.changes import changes_told
from judge.orders.spelled import order_words
from judge.report.core.letter import Cast, who
from judge.report.core.naming import Moment, PhaseFact, Said, Who, phase_fact, power_name
from judge.report.table.talk import addressees


def act_key(kind: type[ev.Event]) -> str:
    """The key under which a kind of event is told.

    >>> act_key(ev.GameHeld)
    'act-game-held'
    """
    return "act" + re.sub(r"(?=[A-Z])", "-", kind.__name__).lower()


class Teller:
    """Turns the events of one game into facts."""

    def __init__(self, game: Game, cast: Cast) -> None:
        self._game = game
        self._cast = cast

    def tell(self, event: ev.Event) -> Said:
        """What happened, without its author, who stands before it: that the game was put on hold, and why."""
        facts = {field: self._fact(field, event) for field in event.told.split(",") if field}
        return Said(act_key(type(event)), facts)

    def _fact(self, name: str, event: Any) -> Any:
        if name == "made":  # whether there is anything; what it is stays secret, or is too much
            return any(getattr(event, field, None) for field in ("text", "lines", "position"))
        value = getattr(event, name)
        if name == "changes":
            return changes_told(self._game, getattr(event, "edits", ()), value)
        if isinstance(value, datetime):
            return Moment(value, self._game.settings.zone)
        make = _FACTS.get(name)
        return make(self, value) if make is not None else value

    def _person(self, person: int) -> str:
        return self._cast.member(person).name if person else ""

    def _seat(self, seat: str) -> Who | None:
        return who(self._game, seat) if seat else None

    def _seats(self, seats: Iterable[str]) -> list[Who]:
        return [who(self._game, seat) for seat in seats]

    def _phase(self, code: str) -> PhaseFact | str:
        """A phase; what is the code of none stays."""
        try:
            return phase_fact(self._game, code)
        except ValueError:
            return code

    def _power(self, power: str) -> str:
        return power_name(power, self._game.board)

    def _powers(self, powers: Any) -> list[Any]:
        """Powers by name; of a lot, in the order of the seats that drew them; of wishes, rank by rank."""
        if isinstance(powers, Mapping):
            return [name for seat in sorted(powers, key=int) for name in self._powers(powers[seat])]
        return [self._power(power) if isinstance(power, str) else self._powers(power) for power in powers]

    def _lines(self, lines: Sequence[Mapping[str, Any]]) -> list[str]:
        return list(dict.fromkeys(line["text"] for line in lines))

    def _orders(self, orders: Iterable[Mapping[str, Any]]) -> list[str]:
        return [order_words(placed_from_json(order), self._game.board) for order in orders]

    def _ballots(self, ballots: Mapping[str, str]) -> list[dict[str, Any]]:
        cast = {
            word: [seat for seat, ballot in ballots.items() if ballot == word]
            for word in dict.fromkeys(("aye", "nay", *ballots.values(), "silent"))
        }
        return [{"word": word, "seats": self._seats(seats)} for word, seats in cast.items() if seats]

    def _to(self, to: Iterable[str]) -> Said:
        return addressees(self._game, to)


_FACTS: Mapping[str, Callable[[Teller, Any], Any]] = {
    "person": Teller._person,
    "gm": Teller._person,
    "before": Teller._person,
    "seat": Teller._seat,
    "holder": Teller._seat,
    "seats": Teller._seats,
    "phase": Teller._phase,
    "void": lambda teller, void: [teller._phase(code) for code in void],
    "power": Teller._power,
    "powers": Teller._powers,
    "missing": Teller._powers,
    "disorder": Teller._powers,
    "preferences": Teller._powers,
    "lines": Teller._lines,
    "orders": Teller._orders,
    "reason": lambda _, reason: reason_told(reason) if isinstance(reason, str) else reason,
    "faults": lambda _, faults: len(faults),
    "ballots": Teller._ballots,
    "to": Teller._to,
}
"""Name of a field -> how it is told; others as they are."""
