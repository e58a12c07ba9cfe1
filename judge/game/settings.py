"""The settings of a game: house rules as data. One table reads them, prints them and explains them.

A setting is stored in events as the text that reads back to the same value, so that the welcome letter, `set`,
`create` and the log all speak the same words. Nothing else in the program parses a setting.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from judge.game.pace import Pace
from judge.game.quiet import Holiday, read_days, read_holidays, show_days
from judge.rules.choices import CHOICES


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one game, typed. `nmr` is empty until the GM has decided (A85)."""

    map: str = "standard"
    rules: str = "1976"
    choices: tuple[str, ...] = ()
    players: int = 7
    zone: str = "UTC"
    moves: Pace = field(default_factory=lambda: Pace.read("7d"))
    retreats: Pace = field(default_factory=lambda: Pace.read("2d"))
    adjustments: Pace = field(default_factory=lambda: Pace.read("2d"))
    first_moves: Pace | None = None
    late_adjustments: Pace | None = None
    min_phase: timedelta = timedelta(hours=72)
    min_minor: timedelta = timedelta(hours=24)
    days: tuple[int, ...] = ()
    holidays: tuple[Holiday, ...] = ()
    results_within: timedelta = timedelta(hours=24)
    early: bool = True
    early_delay: timedelta = timedelta(minutes=30)
    min_notice: timedelta = timedelta(hours=24)
    reminders: tuple[int, ...] = (48, 24, 4)
    nmr: str = ""
    grace: timedelta = timedelta(hours=48)
    hide_late: bool = False
    freeze_others: bool = False
    begun: str = "orders"
    no_mistakes: bool = True
    spelled_names: bool = False
    nationality: bool = False
    extensions: int = 2
    extension_length: timedelta = timedelta(hours=72)
    max_extension: timedelta = timedelta(days=7)
    extension_cap: timedelta = timedelta(days=14)
    takeover_extension: timedelta = timedelta(days=7)
    max_absence: timedelta = timedelta(days=14)
    press: tuple[str, ...] = ("white", "black")
    minor_press: bool = True
    anonymous: bool = False
    broadcast_press: bool = True
    partial_press: bool = True
    postal_press: bool = True
    observer_press: bool = True
    recall: timedelta = timedelta()
    headlines: bool = True
    blanket: bool = True
    seasons: str = ""
    draw_from: str = ""
    concessions: bool = True
    dias: bool = True
    explain: bool = False
    listed: bool = True
    waiting_shown: bool = True
    statements: timedelta = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Setting:
    """One line of the table. `read` raises ValueError with a sentence; `show` is its inverse."""

    name: str
    summary: str
    example: str
    read: Callable[[str], Any]
    show: Callable[[Any], str]
    frozen_after_start: bool = False
    synonyms: tuple[str, ...] = ()


_YES = {"yes", "y", "on", "true", "1"}
_NO = {"no", "n", "off", "false", "0"}


def _flag(text: str) -> bool:
    word = text.strip().lower()
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise ValueError(f'"{text}" is neither yes nor no')


def _show_flag(value: bool) -> str:  # noqa: FBT001 - a formatter of flags
    return "yes" if value else "no"


_SPAN = re.compile(r"(\d+)\s*(minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)\b", re.IGNORECASE)
_UNIT = {"m": 1, "h": 60, "d": 24 * 60, "w": 7 * 24 * 60}


def read_span(text: str) -> timedelta:
    """A length of time: "48h", "2 days", "1d 12h". Raises ValueError.

    >>> read_span("1d 12h") == read_span("36 hours")
    True
    """
    parts = _SPAN.findall(text)
    if not parts or _SPAN.sub("", text).strip(" ,+and"):
        raise ValueError(f'"{text}" is no length of time; write one like 48h, 2 days or 30 minutes')
    return timedelta(minutes=sum(int(n) * _UNIT[unit[0].lower()] for n, unit in parts))


def show_span(span: timedelta) -> str:
    """The shortest text that reads back: "2d", "36h", "30m"."""
    minutes = int(span.total_seconds() // 60)
    for letter in ("d", "h"):
        if minutes and minutes % _UNIT[letter] == 0:
            return f"{minutes // _UNIT[letter]}{letter}"
    return f"{minutes}m"


def read_span_or_none(text: str) -> timedelta:
    """A length of time, or none at all."""
    return timedelta() if text.strip().lower() in ("0", "0m", "none", "no", "off") else read_span(text)


def _number(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        try:
            value = int(text.strip())
        except ValueError:
            raise ValueError(f'"{text}" is no number') from None
        if not low <= value <= high:
            raise ValueError(f"it must be from {low} to {high}")
        return value

    return read


FIXED_ZONES = {"EST": "Etc/GMT+5", "UTC": "UTC", "GMT": "Etc/GMT", "CST": "Etc/GMT+6", "PST": "Etc/GMT+8"}
"""Zone words that mean a fixed offset all year round (R04)."""


def zone_info(name: str) -> ZoneInfo:
    """The zone of a setting's text: an IANA name, or one of FIXED_ZONES."""
    return ZoneInfo(FIXED_ZONES.get(name, name))


def read_zone(text: str) -> str:
    """A zone's name as settings keep it. Raises ValueError with near names."""
    word = text.strip()
    if word.upper() in FIXED_ZONES:
        return word.upper()
    zones = {name.lower(): name for name in available_timezones()}
    if (known := zones.get(word.lower().replace(" ", "_"))) is not None:
        return known
    near = sorted(name for low, name in zones.items() if word and word.lower() in low)[:3]
    hint = f"; did you mean {' or '.join(near)}?" if near else "; write one like Europe/Berlin, America/New_York or UTC"
    raise ValueError(f'"{text}" is no time zone that I know{hint}')


def _hours(text: str) -> tuple[int, ...]:
    if text.strip().lower() in ("", "none", "off"):
        return ()
    spans = [read_span(part if re.search("[a-z]", part, re.I) else part + "h") for part in re.split(r"[,\s]+", text)]
    return tuple(sorted((int(span.total_seconds() // 3600) for span in spans), reverse=True))


def _among(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        word = text.strip().lower()
        if word not in words:
            raise ValueError(f'"{text}" is none of: {", ".join(w for w in words if w)}')
        return word

    return read


def _several(*words: str) -> Callable[[str], tuple[str, ...]]:
    def read(text: str) -> tuple[str, ...]:
        chosen = [word for word in re.split(r"[,+/\s]+|\band\b", text.strip().lower()) if word]
        if chosen == ["none"]:
            return ()
        for word in chosen:
            if word not in words:
                raise ValueError(f'"{word}" is none of: {", ".join(words)}, none')
        return tuple(word for word in words if word in chosen)

    return read


def _show_list(value: tuple[Any, ...]) -> str:
    return ", ".join(str(item) for item in value) or "none"


def _choices(text: str) -> tuple[str, ...]:
    if text.strip().lower() in ("", "none"):
        return ()
    return tuple(sorted(part.strip() for part in re.split(r"[,;\s]+", text) if part.strip()))


_PHASE = re.compile(r"([SFW])(\d{4})[MRA]?", re.IGNORECASE)


def _season(text: str) -> str:
    if text.strip().lower() in ("", "always", "none", "any"):
        return ""
    match = _PHASE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f'"{text}" is no season; write one like F1905')
    return f"{match[1].upper()}{match[2]}"


def _pace_or_same(text: str) -> Pace | None:
    return None if text.strip().lower() in ("", "none", "same") else Pace.read(text)


def _show_pace(pace: Pace | None) -> str:
    return str(pace) if pace else "same"


NMR_POLICIES = ("wait", "grace", "hold", "disorder", "removals")

_TABLE: tuple[Setting, ...] = (
    Setting("map", "the board", "standard", str.strip, str, frozen_after_start=True),
    Setting("rules", "the rules preset", "1976", str.strip, str, frozen_after_start=True),
    Setting(
        "choices",
        "single rules that differ from the preset",
        "paradox=szykman",
        _choices,
        _show_list,
        frozen_after_start=True,
        synonyms=("choice",),
    ),
    Setting("players", "number of players", "7", _number(2, 7), str, frozen_after_start=True),
    Setting("zone", "the game's official time zone", "America/New_York", read_zone, str, synonyms=("timezone", "tz")),
    Setting("moves", "time for movement phases", "7d, or Friday 24:00", Pace.read, str, synonyms=("movement",)),
    Setting("retreats", "time for retreats", "2d, or Sunday 24:00", Pace.read, str),
    Setting("adjustments", "time for builds and removals", "2d", Pace.read, str, synonyms=("builds",)),
    Setting(
        "first_moves",
        "time for the first movement phase, if different",
        "14d",
        _pace_or_same,
        _show_pace,
    ),
    Setting(
        "late_adjustments",
        "time for builds when they are split from the retreats",
        "Tuesday 24:00",
        _pace_or_same,
        _show_pace,
    ),
    Setting("min_phase", "shortest movement phase at the start and after a slip", "72h", read_span, show_span),
    Setting("min_minor", "shortest retreat or build phase after a slip", "24h", read_span, show_span),
    Setting("days", "days of the week on which an interval may end", "Mon-Fri", read_days, show_days),
    Setting("holidays", "days without deadlines", "24 Dec - 1 Jan", read_holidays, _show_list, synonyms=("quiet",)),
    Setting("results_within", "results come within this time after a deadline", "24h", read_span, show_span),
    Setting("early", "process early when every order is in and nobody waits", "yes", _flag, _show_flag),
    Setting("early_delay", "time between the last needed order and processing", "30m", read_span, show_span),
    Setting("min_notice", "shortest notice when a deadline comes nearer", "24h", read_span, show_span),
    Setting(
        "reminders",
        "hours before the deadline",
        "48h, 24h, 4h",
        _hours,
        lambda v: ", ".join(f"{h}h" for h in v) or "none",
    ),
    Setting("nmr", "when orders are missing: " + ", ".join(NMR_POLICIES), "grace", _among("", *NMR_POLICIES), str),
    Setting("grace", "how long a missed deadline is suspended", "48h", read_span, show_span),
    Setting("hide_late", "the others do not learn who is late", "no", _flag, _show_flag),
    Setting("freeze_others", "orders that are in stand while the game waits for others", "no", _flag, _show_flag),
    Setting(
        "begun",
        "a replacement has begun with: orders, or moves printed",
        "orders",
        _among("orders", "moves"),
        str,
    ),
    Setting("no_mistakes", "faulty orders are asked back instead of standing", "yes", _flag, _show_flag),
    Setting("spelled_names", "province names must be spelled out", "no", _flag, _show_flag),
    Setting("nationality", "foreign units must be named with their nationality", "no", _flag, _show_flag),
    Setting("extensions", "free extensions per player", "2", _number(0, 20), str),
    Setting("extension_length", "length of a free extension", "72h", read_span, show_span),
    Setting("max_extension", "longest single extension", "7d", read_span, show_span),
    Setting("extension_cap", "most that players may add to one turn", "14d", read_span, show_span),
    Setting("takeover_extension", "extension offered to a replacement", "7d", read_span, show_span),
    Setting("max_absence", "most days of absence a player may announce", "14d", read_span, show_span),
    Setting("press", "kinds of press relayed", "white, grey, black", _several("white", "grey", "black"), _show_list),
    Setting("broadcast_press", "press to everybody", "yes", _flag, _show_flag, synonyms=("broadcast",)),
    Setting("partial_press", "press to some", "yes", _flag, _show_flag, synonyms=("partial",)),
    Setting("postal_press", "press that waits for the next report", "yes", _flag, _show_flag, synonyms=("postal",)),
    Setting("observer_press", "players may write to the observers", "yes", _flag, _show_flag),
    Setting(
        "recall",
        "how long press waits so that it can be recalled",
        "10m",
        read_span_or_none,
        lambda v: show_span(v) if v else "none",
    ),
    Setting("headlines", "a headline at the top of results", "yes", _flag, _show_flag),
    Setting("blanket", "`all others hold` is written out for each unit", "yes", _flag, _show_flag),
    Setting(
        "seasons",
        "turns of a year: 5 (every phase), 3 (retreats with the moves), 2 (builds with them too), rules",
        "5",
        lambda text: "" if text.strip().lower() in ("", "rules", "4") else _among("5", "3", "2")(text),
        lambda value: value or "rules",
    ),
    Setting("concessions", "players may concede the game to one of them", "yes", _flag, _show_flag),
    Setting("minor_press", "press in retreat and adjustment phases", "yes", _flag, _show_flag),
    Setting(
        "anonymous",
        "players do not learn who plays what",
        "no",
        _flag,
        _show_flag,
        frozen_after_start=True,
        synonyms=("gunboat",),
    ),
    Setting("draw_from", "first season after which draws may be proposed", "F1905", _season, lambda v: v or "always"),
    Setting("dias", "draws include all survivors", "yes", _flag, _show_flag),
    Setting("explain", "reports explain each conflict in a sentence", "no", _flag, _show_flag),
    Setting("listed", "shown in the list of games", "yes", _flag, _show_flag),
    Setting("waiting_shown", "receipts say how many sets are still missing", "yes", _flag, _show_flag),
    Setting(
        "statements",
        "how long statements are sealed after the end",
        "14d",
        read_span_or_none,
        lambda v: show_span(v) if v else "none",
    ),
)

TABLE: Mapping[str, Setting] = {setting.name: setting for setting in _TABLE}
"""Name -> setting, in the order in which they are printed."""


def find_setting(name: str) -> Setting | None:
    """The setting of a name, a synonym, or a unique beginning; dashes and blanks count as underscores."""
    word = re.sub(r"[\s-]+", "_", name.strip().lower())
    if word in TABLE:
        return TABLE[word]
    for setting in _TABLE:
        if word in setting.synonyms:
            return setting
    if word in CHOICES:
        return _choice(word)
    near = [setting for setting in _TABLE if setting.name.startswith(word)] if len(word) >= 3 else []
    return near[0] if len(near) == 1 else None


def _choice(name: str) -> Setting:
    """A single rule as a setting of its own: `set paradox szykman`. It is kept among the `choices`."""
    answers = [str(answer) for answer in CHOICES[name]]
    return Setting(name, f"a rule: {', '.join(answers)}", answers[-1], str.strip, str, frozen_after_start=True)


def filed_as(name: str, value: str, choices: tuple[str, ...]) -> tuple[str, str]:
    """(setting, text) under which a value is kept: a single rule joins the `choices` that there are.

    >>> filed_as("paradox", "thundar", ("paradox=szykman", "waiving=by-order"))
    ('choices', 'waiving=by-order, paradox=thundar')
    """
    if name not in CHOICES:
        return name, value
    others = [choice for choice in choices if choice.partition("=")[0].strip() != name]
    return "choices", ", ".join([*others, f"{name}={value.strip()}"])


def with_setting(settings: Settings, name: str, text: str) -> Settings:
    """The settings with one changed. Raises KeyError for an unknown name, ValueError for a bad value."""
    return replace(settings, **{name: TABLE[name].read(text)})


def settings_to_text(settings: Settings) -> dict[str, str]:
    """Name -> text, complete, in the table's order."""
    return {f.name: TABLE[f.name].show(getattr(settings, f.name)) for f in fields(settings)}


def settings_from_text(texts: Mapping[str, str], base: Settings | None = None) -> Settings:
    """The inverse of `settings_to_text`; names that are absent keep the value of `base`."""
    return replace(base or Settings(), **{name: TABLE[name].read(text) for name, text in texts.items()})
