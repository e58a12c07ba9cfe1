"""Settings of the clock: how long phases take, when they end, and what happens to players who are late."""

from __future__ import annotations

from judge.game.settings.forms import FLAG, PACE, PACE_OR_SAME, SPAN, Setting, ValueForm
from judge.game.settings.quiet import read_days, read_holidays, show_days
from judge.game.settings.values import among, hours, show_list
from judge.spans import read_zone

NEVER_WAITS = ("hold", "disorder", "removals")

NMR_POLICIES = ("wait", "grace", *NEVER_WAITS)

TIMING: tuple[Setting, ...] = (
    Setting(
        "zone",
        "the game's official time zone",
        "America/New_York",
        ValueForm(read_zone, str),
        synonyms=("timezone", "tz"),
    ),
    Setting("moves", "time for movement phases", "7d, or Friday 24:00", PACE, synonyms=("movement",)),
    Setting("retreats", "time for retreats", "2d, or Sunday 24:00", PACE),
    Setting("adjustments", "time for builds and removals", "2d", PACE, synonyms=("builds",)),
    Setting("first_moves", "time for the first movement phase, if different", "14d", PACE_OR_SAME),
    Setting("late_adjustments", "time for builds when they are split from the retreats", "Tuesday 24:00", PACE_OR_SAME),
    Setting("min_phase", "shortest time for moves, at the start and after a delay", "72h", SPAN),
    Setting("min_minor", "shortest time for retreats or builds after a delay", "24h", SPAN),
    Setting("days", "days of the week on which deadlines may fall", "Mon-Fri", ValueForm(read_days, show_days)),
    Setting(
        "holidays", "days without deadlines", "24 Dec - 1 Jan", ValueForm(read_holidays, show_list), synonyms=("quiet",)
    ),
    Setting("results_within", "results come within this time after a deadline", "24h", SPAN),
    Setting("held_wait", "how long a turn waits at most for a mail without proof to be confirmed", "24h", SPAN),
    Setting("early", "a turn is processed early when every order is in and nobody asks to wait", "yes", FLAG),
    Setting("early_delay", "how long a turn waits, for changes, after the last missing order has come", "30m", SPAN),
    Setting("min_notice", "shortest notice when a deadline is brought forward", "24h", SPAN),
    Setting(
        "reminders",
        "how long before a deadline players with missing orders are reminded",
        "48h, 24h, 4h",
        ValueForm(hours, lambda v: ", ".join(f"{h}h" for h in v) or "none"),
    ),
    Setting(
        "nmr",
        "when orders are missing: " + ", ".join(NMR_POLICIES),
        "grace",
        ValueForm(among("", *NMR_POLICIES), str),
        words=(
            ("wait", "the game waits until the orders come, or until the Gamemaster acts"),
            ("grace", "it waits as long as `grace` says; then the seat is vacant, and a new player is looked for"),
            ("hold", "units without orders hold, and the game goes on"),
            (
                "disorder",
                "a power without orders is in civil disorder for that turn: its units hold, and nothing is built",
            ),
            ("removals", "units without orders hold; units to remove are chosen by the rulebook"),
        ),
    ),
    Setting("grace", "how long the game waits for orders after a missed deadline", "48h", SPAN),
    Setting("hide_late", "the others do not learn who is late", "no", FLAG),
    Setting("freeze_others", "orders on file cannot be changed while the game waits for others", "no", FLAG),
    Setting(
        "begun",
        "when a replacement counts as having begun: orders, moves",
        "orders",
        ValueForm(among("orders", "moves"), str),
        words=(
            ("orders", "when the first orders of the new player have come; then the former player cannot come back"),
            ("moves", "when the first moves of the new player have been printed"),
        ),
    ),
)
