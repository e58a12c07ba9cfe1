"""Settings by what they are about: the pages on which help lists them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from judge.game.settings.table import TABLE


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
