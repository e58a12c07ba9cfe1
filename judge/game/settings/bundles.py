"""Settings that go together: bundles known by a name (`preset houserules-003`), groups in which help lists them."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from judge.game.settings.table import TABLE
from judge.rules.registry import ROOM_PRESETS, ROOMS

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
    "standard": "The usual settings; who is late has two days of grace.",
    "houserules-003": "Moves on Fridays, the rest on Sundays, by the clock of New York; nothing is played early.",
    "short": "Ends after the year 1907; most units win.",
    "fast": "A day for moves, half a day for the rest; the units of who is late hold.",
}
"""What the presets of the house are good for, in a sentence. That of a room's own is what its rules are about."""

PRESETS: Mapping[str, Mapping[str, str]] = ChainMap(cast(dict[str, Mapping[str, str]], ROOM_PRESETS), HOUSE_PRESETS)
"""Name -> what a bundle says: ours, and those of the rooms, which may be `like` one of ours."""


def about(name: str) -> str:
    """What a preset is good for, in a sentence."""
    return ABOUT.get(name) or ROOMS[PRESETS[name]["rules"]].about


def bundle(name: str) -> dict[str, str]:
    """The texts of the settings in which a preset differs from the house's own. Raises KeyError for an unknown name."""
    own = dict(PRESETS[name])
    return {**HOUSE_PRESETS.get(own.pop("like", ""), {}), **own}


@dataclass(frozen=True, slots=True)
class Group:
    """Some settings: `about` says what they decide."""

    name: str
    about: str
    settings: tuple[str, ...]


_GROUPS = (
    Group(
        "board", "the board and its rules", ("map", "rules", "choices", "players", "unplayed", "first_year", "seasons")
    ),
    Group(
        "joining",
        "who may join, and how the game begins",
        (
            *("access", "min_reliability", "min_turns", "max_games", "reserve", "fill_within", "unfilled", "about"),
            *("listed", "autostart", "anonymous", "observers"),
        ),
    ),
    Group(
        "time",
        "deadlines",
        (
            *("zone", "moves", "retreats", "adjustments", "first_moves", "late_adjustments", "min_phase", "min_minor"),
            *("days", "holidays", "early", "early_delay", "min_notice", "results_within"),
        ),
    ),
    Group(
        "late",
        "orders that do not come",
        ("nmr", "grace", "reminders", "hide_late", "freeze_others", "held_wait", "begun", "inherit_press"),
    ),
    Group(
        "extensions",
        "more time, and days away",
        (
            *("extensions", "extension_length", "max_extension", "extension_cap", "takeover_extension"),
            *("max_absence", "pause_vote"),
        ),
    ),
    Group("orders", "how orders are read", ("no_mistakes", "blanket", "spelled_names", "nationality", "proxy")),
    Group(
        "press",
        "letters between players",
        (
            *("press", "broadcast_press", "partial_press", "postal_press", "minor_press", "recall"),
            *("observer_press", "press_from_observers", "press_from_editors", "watch_press"),
        ),
    ),
    Group(
        "ending",
        "how the game ends",
        ("victory", "draw_from", "dias", "concessions", "end_after", "short_winner", "scoring", "statements"),
    ),
    Group("letters", "what reports show", ("headlines", "explain", "show_orders", "waiting_shown")),
)
_OTHER = "other"


def _groups() -> Mapping[str, Group]:
    """By name; settings that stand in none are in one of their own, so that help lists them all the same."""
    sorted_in = {name for group in _GROUPS for name in group.settings}
    left = tuple(name for name in TABLE if name not in sorted_in)
    last = (Group(_OTHER, "what is left", left),) if left else ()
    return {group.name: group for group in (*_GROUPS, *last)}


GROUPS: Mapping[str, Group] = _groups()
"""Name -> group, in the order in which help names them."""
