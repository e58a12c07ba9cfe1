"""Settings that go together: bundles known by a name (`preset houserules-003`), groups in which help lists them."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from judge.game.settings.table import TABLE
from judge.languages import told_later
from judge.rules.model import RULE_SYSTEMS, SYSTEM_PRESETS

HOUSE_PRESETS: dict[str, Mapping[str, str]] = {
    "standard": {"nmr": "grace"},
    "houserules-003": {
        "zone": "America/New_York",
        "moves": "Friday 24:00",
        "retreats": "Sunday 24:00",
        "adjustments": "Sunday 24:00",
        "late_adjustments": "Tuesday 24:00",
        "early": "no",
        "reminders": "24h, 4h",
        "nmr": "grace",
        "grace": "48h",
        "nationality": "no",
        "draw_from": "F1905",
        "recall": "10m",
        "pause_vote": "off",
    },
    "short": {"nmr": "grace", "end_after": "F1907", "short_winner": "units"},
    "fast": {
        "moves": "1d",
        "retreats": "12h",
        "adjustments": "12h",
        "nmr": "hold",
        "reminders": "4h",
        "min_phase": "12h",
        "min_minor": "6h",
    },
}
"""Those that decide how an ordinary game is run, whatever its rules."""

ABOUT: Mapping[str, str] = {
    "standard": told_later("The usual settings; who is late has two days of grace."),
    "houserules-003": told_later(
        "Moves on Fridays, the rest on Sundays, by the clock of New York; nothing is played early."
    ),
    "short": told_later("Ends after the year 1907; most units win."),
    "fast": told_later("A day for moves, half a day for the rest; the units of who is late hold."),
}
"""What the presets of the judge are good for, in a sentence. That of a system's own is what its rules are about."""

PRESETS: Mapping[str, Mapping[str, str]] = ChainMap(cast(dict[str, Mapping[str, str]], SYSTEM_PRESETS), HOUSE_PRESETS)
"""Name -> what a bundle says: ours, and those of the systems, which may be `like` one of ours."""


def about(name: str) -> str:
    """What a preset is good for, in a sentence."""
    return ABOUT.get(name) or RULE_SYSTEMS[PRESETS[name]["rules"]].about


def bundle(name: str) -> dict[str, str]:
    """The texts of the settings in which a preset differs from the judge's own. Raises KeyError for an unknown name."""
    own = dict(PRESETS[name])
    return {**HOUSE_PRESETS.get(own.pop("like", ""), {}), **own}


@dataclass(frozen=True, slots=True)
class Group:
    """Some settings: `about` says what they decide."""

    name: str
    about: str
    settings: tuple[str, ...]


_GROUPS = {
    "board": told_later("the board and its rules"),
    "joining": told_later("who may join, and how the game begins"),
    "time": "deadlines",
    "late": told_later("orders that do not come"),
    "extensions": told_later("more time, and days away"),
    "orders": told_later("how orders are read"),
    "press": told_later("letters between players"),
    "ending": told_later("how the game ends"),
    "letters": told_later("what reports show"),
}
"""Name -> what its settings decide."""


def _listed(group: str, behind: str = "") -> tuple[str, ...]:
    """The settings of a group as they are declared, each followed by those that stand behind it."""
    mine = (row.name for row in TABLE.values() if row.group == group and row.behind == behind)
    return tuple(name for first in mine for name in (first, *_listed(group, first)))


GROUPS: Mapping[str, Group] = {name: Group(name, about, _listed(name)) for name, about in _GROUPS.items()}
"""Name -> group, in the order in which help names them."""
