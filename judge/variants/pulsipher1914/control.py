"""Who controls minor countries: clause 16.C, 16.D, 16.K and 16.N."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Protocol

from judge.board.model import province_of
from judge.board.unit import Unit
from judge.rules.business import Deed
from judge.variants.pulsipher1914.lines import CountryLine, claim_fault, claim_of
from judge.variants.pulsipher1914.state import CONTROLLER, FREED, GRANTED, LEVEL, PARTNER, CountryState
from judge.variants.pulsipher1914.table import GREATS, MINORS

GRANT = 2


class Adjusting(Protocol):
    """The adjustments of a year while they are made."""

    state: CountryState
    year: int
    units: dict[int, Unit]
    next_id: int

    def note(self, country: str, text: str) -> None:
        """A line of the ledger."""
        ...


def settle_control(winter: Adjusting, claims: list[Deed]) -> list[CountryLine]:
    """Let those control minor countries who have what it takes; what became of the claims."""
    state = winter.state
    lines: list[CountryLine] = []
    joint: dict[str, list[tuple[str, str, str]]] = {}
    for deed in claims:
        minor, partner, chosen = claim_of(deed)
        fault = claim_fault(state, deed)
        if not fault and partner:
            joint.setdefault(minor, []).append((deed.power, partner, chosen))
        lines.append(CountryLine(deed, fault))
    gained: set[tuple[str, str]] = set()
    for minor in MINORS:
        if state.controller(minor) or not _is_open(winter, minor):
            continue
        player, partner = _winner(state, minor, winter.year, joint.get(minor, []))
        if player:
            _gain(winter, minor, player, partner)
            gained |= {(player, minor), (partner, minor)}
    checked: list[CountryLine] = []
    for line in lines:
        minor, _, _ = claim_of(line.deed)
        missed = not line.reason and (line.deed.power, minor) not in gained
        checked.append(line._replace(reason="not-enough-factors") if missed else line)
    return checked


def _is_open(winter: Adjusting, minor: str) -> bool:
    """Whether there is anything to control: a unit, or a centre; or a country that surrender has freed."""
    owns = any(owner == minor for owner in winter.state.position.owners.values())
    units = any(unit.power == minor for unit in winter.units.values())
    return owns or units or bool(winter.state.get(minor, FREED))


def _winner(state: CountryState, minor: str, year: int, joint: list[tuple[str, str, str]]) -> tuple[str, str]:
    """Who gains control, and with whose help. Who has enough alone may share it; whose factors cannot lead to control
    may still add them to those of another.
    """
    level, barred = state.level(minor, year), MINORS[minor].barred
    totals = {player: state.factors(player, minor) for player in GREATS}

    def reach(*players: str) -> bool:
        total = sum(totals[each] for each in players)
        rest = max((each for other, each in totals.items() if other not in players), default=0)
        return total > 0 and total >= level + rest

    alone = next((player for player in GREATS if player != barred and reach(player)), "")
    for player, partner, chosen in joint:
        match = next((each for each in joint if each[:2] == (partner, player)), None)
        if match is None or (chosen and match[2] and chosen != match[2]):
            continue
        if alone not in ("", player, partner) or not reach(player, partner):
            continue
        wanted = chosen or match[2]
        able = [each for each in (player, partner) if each != barred]
        able.sort(key=lambda each: (each != wanted, -totals[each], list(GREATS).index(each)))
        winner = able[0]
        return winner, partner if winner == player else player
    return alone, ""


def _gain(winter: Adjusting, minor: str, player: str, partner: str) -> None:
    """Control passes. A freed minor country has its first units again, and with each the centre in which it stands,
    where that is nobody's.
    """
    state = winter.state
    state.put(minor, CONTROLLER, player)
    state.put(minor, PARTNER, partner)
    state.put(minor, LEVEL, "")
    winter.note(player, f"control of {minor.title()} gained")
    position = state.position
    if state.get(minor, FREED):
        state.put(minor, FREED, "")
        taken = dict(position.owners)
        for line in MINORS[minor].start:
            kind, _, at = line.partition(" ")
            if not any(unit.at == at for unit in winter.units.values()):
                winter.units[winter.next_id] = Unit(winter.next_id, kind, at, minor, at)
                winter.next_id += 1
                taken.setdefault(province_of(at), minor)
        position = state.position = replace(position, owners=MappingProxyType(taken))
    if not state.get(minor, GRANTED):
        centres = sum(owner == minor for owner in position.owners.values())
        state.put(minor, GRANTED, "yes")
        state.points[minor] = state.points.get(minor, 0) + GRANT * centres
        winter.note(minor, f"+{GRANT * centres} for {centres} centres, now that it is controlled")
