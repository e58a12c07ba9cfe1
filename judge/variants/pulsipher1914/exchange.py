"""Positions of 1914 in the JSON contract of `judge adjudicate --jsonl`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.board.model import Board
from judge.board.phase import ADJUSTMENTS
from judge.board.position import Position, start_position
from judge.rules.business import Deed
from judge.variants.pulsipher1914.orders import Later
from judge.variants.pulsipher1914.state import (
    ALLIES,
    BOOK,
    CAPITAL,
    CONTROLLER,
    COUNTRIES,
    GRANTED,
    GREATS,
    MINORS,
    NO_CAPITAL,
    TIES,
    CountryState,
    Permit,
)

_OWN = {"control", "allies", "factors"}
_PURPOSES = {"occupy", "retreat", "base"}
_HIDDEN = {BOOK, TIES, CONTROLLER}


class PulsipherExchange:
    """What comes in and goes out beside units, centres and orders."""

    def plain(self, data: Mapping[str, Any], board: Board) -> Mapping[str, Any]:
        """The object with marks as texts, and without those that are no marks of units, powers or spaces."""
        found = dict(data)
        marks = found.get("marks")
        if marks is not None:
            if not isinstance(marks, Mapping):
                raise ValueError('"marks" is not an object')
            found["marks"] = {key: _texts(entries) for key, entries in marks.items() if key not in _OWN}
        if found.get("centers") is None:
            start = start_position(board)
            found["centers"] = {power: list(start.centres(power)) for power in board.powers}
        return found

    def taken(self, data: Mapping[str, Any], position: Position) -> Position:
        """The position with points, factors, control, alliances, permissions and the list for ties."""
        return with_all(data, position)

    def told(self, answer: dict[str, Any], result: Any) -> dict[str, Any]:
        """The object with what the season cost and what is remembered."""
        state = CountryState(result.after)
        answer["points"] = {name: state.points[name] for name in COUNTRIES if name in state.points}
        season = state.marks.get("season", {})
        if result.before.phase.kind is ADJUSTMENTS:
            answer["supplied"] = _listed(season.get("supplied", ""))
            answer["unsupplied"] = _listed(season.get("unsupplied", ""))
        else:
            spent = (entry.partition("=") for entry in _listed(season.get("spent", "")))
            answer["spent"] = {name: int(amount) for name, _, amount in spent}
            answer["unpaid"] = _listed(season.get("unpaid", ""))
        answer["marks"] = _marks(answer.get("marks", {}), state)
        answer["unread"] = [each for each in answer["unread"] if not _is_idle(each)]
        answer["outcomes"] = _with_seconds(answer["outcomes"], result)
        if "country" in answer:
            answer["country"] = _countries(answer["country"], list(getattr(result, "lines", ())))
        return answer


def _is_idle(entry: Mapping[str, Any]) -> bool:
    """Whether a line was for a minor country that nobody controls: that changes nothing, and is no error."""
    return entry["power"] in MINORS and entry["reason"] == "civil-disorder"


def _texts(entries: Any) -> Any:
    """Marks whose values are texts: true is "true", null is the word for none; false is left out."""
    if not isinstance(entries, Mapping):
        return entries
    found: dict[str, Any] = {}
    for key, each in entries.items():
        if not isinstance(each, Mapping):
            raise ValueError(f"the marks of {key!r} are no object")
        texts = {name: _text(name, value) for name, value in each.items()}
        found[key] = {name: text for name, text in texts.items() if text}
    return found


def _text(name: str, value: Any) -> str:
    if value is True:
        return "true"
    if value is None:
        return NO_CAPITAL if name == CAPITAL else ""
    return "" if value is False else str(value)


def _listed(text: str) -> list[str]:
    return [part for part in text.split(",") if part]


def with_all(original: Mapping[str, Any], position: Position) -> Position:
    """The position with what an object says beside marks."""
    state = CountryState(position)
    marks = original.get("marks") or {}
    _take_points(state, original)
    _take_control(state, marks)
    _take_factors(state, marks)
    for pair in marks.get("allies") or ():
        if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not set(pair) <= GREATS.keys():
            raise ValueError('"allies" are not pairs of Great Powers')
        state.put("/".join(sorted(pair)), ALLIES, str(position.phase.year))
    for permit in _permits(original):
        state.permit(permit)
    for country, units in (original.get("ties") or {}).items():
        if country not in COUNTRIES or not isinstance(units, list):
            raise ValueError('"ties" is not an object of lists of units')
        state.put(country, TIES, ",".join(str(unit).strip().upper() for unit in units))
    return state.applied(position)


def _take_points(state: CountryState, data: Mapping[str, Any]) -> None:
    given = data.get("points")
    if given is None:
        state.points = {name: great.points for name, great in GREATS.items()}
        return
    if not isinstance(given, Mapping):
        raise ValueError('"points" is not an object')
    for name, amount in given.items():
        if name not in COUNTRIES or type(amount) is not int or amount < 0:
            raise ValueError(f'"points" of {name!r} are no number of a country')
        state.points[name] = amount
    for name in GREATS:
        state.points.setdefault(name, 0)


def _take_control(state: CountryState, marks: Mapping[str, Any]) -> None:
    for minor, player in (marks.get("control") or {}).items():
        if minor not in MINORS or (player is not None and player not in GREATS):
            raise ValueError(f'"control" of {minor!r} names no minor country or no Great Power')
        if player:
            state.put(minor, CONTROLLER, player)
            state.put(minor, GRANTED, "yes")
            state.points.setdefault(minor, 0)


def _take_factors(state: CountryState, marks: Mapping[str, Any]) -> None:
    given = marks.get("factors")
    if given is None:
        for name, minor in MINORS.items():
            for player, total in minor.factors.items():
                state.set_factors(player, name, total)
        return
    for name, totals in given.items():
        for player, total in totals.items():
            if name not in MINORS or player not in GREATS or type(total) is not int or total < 0:
                raise ValueError(f'"factors" of {player!r} in {name!r} are no number of a Great Power')
            state.set_factors(player, name, total)


def _permits(data: Mapping[str, Any]) -> Iterator[Permit]:
    for each in data.get("permits") or ():
        if not isinstance(each, Mapping) or not {"by", "to", "unit", "space", "for"} <= each.keys():
            raise ValueError('"permits" are objects with "by", "to", "unit", "space" and "for"')
        purpose = str(each["for"]).lower()
        if purpose not in _PURPOSES or each["by"] not in COUNTRIES or each["to"] not in COUNTRIES:
            raise ValueError(f"no such permission: {dict(each)}")
        unit = str(each["unit"]).strip().upper()
        yield Permit(each["by"], each["to"], unit.partition("/")[0], str(each["space"]).strip().upper(), purpose)


def _marks(known: Mapping[str, Any], state: CountryState) -> dict[str, Any]:
    found: dict[str, Any] = {}
    units = {
        name: {mark: value == "true" if value == "true" else value for mark, value in entry.items()}
        for name, entry in known.get("units", {}).items()
    }
    if units:
        found["units"] = units
    powers: dict[str, Any] = {}
    for name in COUNTRIES:
        entry = {key: value for key, value in state.marks.get(name, {}).items() if key not in _HIDDEN}
        if entry.get(CAPITAL) == NO_CAPITAL:
            entry[CAPITAL] = None  # type: ignore[assignment]
        if entry:
            powers[name] = entry
    if powers:
        found["powers"] = powers
    if spaces := known.get("spaces"):
        found["spaces"] = spaces
    found["control"] = {minor: master for minor in MINORS if (master := state.controller(minor))}
    found["allies"] = sorted([one, other] for one, other in state.allies())
    factors = {
        minor: {player: total for player in GREATS if (total := state.factors(player, minor))} for minor in MINORS
    }
    found["factors"] = {minor: totals for minor, totals in factors.items() if totals}
    return found


def _with_seconds(outcomes: Mapping[str, Any], result: Any) -> dict[str, Any]:
    """Each unit once, with what became of its second part."""
    later = {str(each.order.unit): each for each in result.outcomes if isinstance(each.order, Later)}
    found: dict[str, Any] = {}
    for name, entry in outcomes.items():
        base, _, number = name.rpartition("#")
        if base in later and number == "2":
            end = later[base].end
            found[base]["second"] = {"result": [str(each) for each in end.results], "reason": end.reason}
        elif base in later and number == "1":
            found[base] = entry
        else:
            found[name] = entry
    return found


def _countries(known: list[dict[str, Any]], lines: list[tuple[Deed, str]]) -> list[dict[str, Any]]:
    """What became of each line for a country, as the adjustments say, where they know it."""
    found: list[dict[str, Any]] = []
    for entry in known:
        said = (entry["power"], entry["order"])
        line = next((line for line in lines if (line[0].power, str(line[0]).upper()) == said), None)
        if line is not None:
            lines.remove(line)
            deed, reason = line
            entry = {**entry, "result": ["illegal" if reason else "ok"], "reason": reason or deed.word}
        found.append(entry)
    return found


EXCHANGE = PulsipherExchange()
