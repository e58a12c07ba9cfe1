"""Settings of deadlines, early processing and lateness."""

from __future__ import annotations

import re

from judge.languages import tell, told_later
from judge.mail.vocabulary.older.model import BOTH, DP, Here, Row, Words
from judge.pace import read_span

_PACES = {"move": "moves", "retreat": "retreats", "adjust": "adjustments", "adjustment": "adjustments"}
_CLAUSE = re.compile(
    r"(?P<name>clock|min|next|grace|delay|days)\s+(?P<value>-?\d*\.?\d+|[-smtwf]{7})(?=\s|$)", re.IGNORECASE
)
_WEEK = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
"""njudge's week begins on Sunday."""
_DAY = 24
_LEFT_OUT = {
    "min": told_later("MIN has no counterpart: `min_notice` is the shortest notice for an earlier deadline."),
    "clock": told_later("The hour stands behind a number of days, as in `set moves 3d at 23:00`."),
    "grace": told_later("`grace` is one length for all phases, and for movement only is it set so."),
    "days": told_later("`days` names whole days, for all phases."),
}
_NMR = (
    "`disorder` and `hold` process at the deadline, without a time of grace; with `grace` the seat is vacant after it."
)
_ONE_LATENESS = "Lateness is called once for a deadline, and its grace is not shortened by anything."


def _clock(words: Words) -> Here:
    """ "SET MOVE CLOCK 1380 NEXT 72 GRACE 72 DELAY .5 DAYS -MTWTF-": one line of ours for each clause of it."""
    kind, text = words["kind"].lower(), words["clauses"]
    clauses = {match["name"].lower(): match["value"] for match in _CLAUSE.finditer(text)}
    if not clauses or _CLAUSE.sub(" ", text).strip():
        said = tell(
            "Times are settings of their own here: `set moves 3d at 23:00`, `retreats`, `adjustments`, `grace`."
        )
        return Here(said=tell("{said} Nothing was changed.", said=said))
    lines = {name: _line_of(name, clauses, kind) for name in clauses}
    left = [tell(_LEFT_OUT[name]) for name, line in lines.items() if not line and name in _LEFT_OUT]
    found = tuple(dict.fromkeys(line for line in lines.values() if line))
    return Here(found, " ".join(dict.fromkeys(left)), asks=bool(left))


def _line_of(name: str, clauses: dict[str, str], kind: str) -> str:
    """Our line for one clause; "" where there is none."""
    value = clauses[name]
    if name in ("next", "clock"):
        return _pace(kind, clauses.get("next", ""), clauses.get("clock", "-1"))
    if name == "grace":
        return f"set grace {_hours(value)}" if kind == "move" else ""
    if name == "delay":
        return f"set early_delay {round(float(value) * 60)}m"
    if name == "days":
        return _days(value)
    return ""


def _pace(kind: str, hours: str, minute: str) -> str:
    """ "set moves 3d at 23:00" of NEXT 72 and CLOCK 1380; no hour where the clock is off or the days are broken."""
    if not hours or float(hours) <= 0:
        return ""
    timed = float(minute) >= 0
    if timed and float(hours) % _DAY:
        return ""
    hour = f" at {int(float(minute)) // 60:02}:{int(float(minute)) % 60:02}" if timed else ""
    return f"set {_PACES[kind]} {_hours(hours)}{hour}"


def _hours(text: str) -> str:
    hours = float(text)
    if hours and hours % _DAY == 0:
        return f"{int(hours) // _DAY}d"
    return f"{int(hours)}h" if hours == int(hours) else f"{round(hours * 60)}m"


def _days(week: str) -> str:
    """ "-MTWTF-": the days on which a deadline may fall; small letters mean "not before noon", which is not here."""
    if week.lower() != week.upper() and week != week.upper():
        return ""
    names = [day for day, sign in zip(_WEEK, week, strict=True) if sign != "-"]
    return f"set days {', '.join(names)}" if names else ""


def _grace(words: Words) -> Here | None:
    """A length is ours; a bare number is hours, as there; a date is none of either."""
    value = words["value"]
    if re.fullmatch(r"\d+(?:\.\d+)?", value):
        return Here((f"set grace {_hours(value)}",))
    try:
        read_span(value)
    except (ValueError, OverflowError):
        said = tell(
            "Grace is a length of time behind the deadline: `set grace 48h`; `deadline DATE` moves the deadline itself."
        )
        return Here(said=tell("{said} Nothing was changed.", said=said))
    return None


ROWS: tuple[Row, ...] = (
    Row("SET DEADLINE Dec 1 23:30", said="The same as `deadline 1 Dec 23:30`.", judges=BOTH, same=True),
    Row("SET GRACE Dec 3", _grace, form=r"set grace (?:to |= ?)?(?P<value>(?!press).+)"),
    Row("SET GRACE 72", _grace, form=r"set grace (?P<value>\d+)"),
    Row(
        "SET START Dec 1",
        said="When the first turn is due is said as the game begins: `start deadline 1 Dec`. Nothing was changed.",
        form=r"set start .+",
    ),
    *(
        Row(
            written,
            _clock,
            form=r"set (?P<kind>move|retreat|adjust(?:ment)?) (?P<clauses>(?:clock|min|next|grace|delay|days)\b.*)",
        )
        for written in (
            "SET MOVE CLOCK 1380 NEXT 72 GRACE 72 DELAY .5 DAYS -MTWTF-",
            "SET MOVE NEXT 72",
            "SET RETREAT NEXT 24",
            "SET ADJUST NEXT 24",
            "SET MOVE GRACE 72",
            "SET MOVE DELAY 1",
            "SET MOVE DAYS -MTWTF-",
            "SET MOVE MIN 24",
            "SET RETREAT CLOCK 1380 NEXT 48",
            "SET ADJUST CLOCK -1 NEXT 36",
        )
    ),
    Row("SET MAX ABSENCE 20", "set max_absence {days}d", form=r"set max(?:imum)? absence (?P<days>\d+)"),
    Row("SET AUTO PROCESS", "set early yes", form=r"set auto ?process"),
    Row(
        "SET MANUAL PROCESS",
        ("set early no", "hold"),
        "Turns are processed at their deadline by themselves; `set early no` keeps them from being processed before "
        "it, and `hold` stops the clock until you write `process`.",
        asks=True,
        form=r"set (?:manual|no ?auto) ?process",
    ),
    Row(
        "SET AUTO START",
        "set autostart 24h",
        "A game that begins by itself does so a length of time after its last seat is taken.",
        asks=True,
        form=r"set auto ?start",
    ),
    Row("SET MANUAL START", "set autostart none", form=r"set (?:manual|no ?auto) ?start"),
    Row(
        "SET AUTO CREATE",
        said="No game makes its successor: `create NAME` makes one.",
        form=r"set (?:no ?)?auto ?create",
    ),
    Row("SET NMR", ("set nmr disorder", "set nmr hold"), _NMR, asks=True, form=r"set nmr"),
    Row(
        "SET CD", ("set nmr disorder", "set nmr hold"), _NMR, asks=True, form=r"set (?:cd|civil ?disorder)", judges=BOTH
    ),
    Row("SET NO NMR", "set nmr grace", form=r"set no ?nmr"),
    Row("SET NO CD", "set nmr grace", form=r"set no ?cd"),
    Row("SET STRICT GRACE", said=_ONE_LATENESS, form=r"set (?:no(?:t)? ?)?strict ?grace"),
    Row("SET LATE COUNT", said=_ONE_LATENESS, form=r"set (?:no ?)?late ?count"),
    Row("SET STRICT WAIT", said="Who has no orders due keeps nobody waiting.", form=r"set (?:no ?)?strict ?wait"),
    Row(
        "SET QUIET",
        said="That a seat is vacant is always told: somebody is looked for. Whether the others learn who is late is "
        "`hide_late`.",
        form=r"set quiet",
    ),
    Row(
        "SET SECRET",
        ("set hide_late yes", "set anonymous yes"),
        "`hide_late` keeps from the others who is late, `anonymous` who plays what.",
        asks=True,
        form=r"set secret",
    ),
    Row(
        "SET SHOW",
        ("set hide_late no", "set anonymous no"),
        "`hide_late` keeps from the others who is late, `anonymous` who plays what.",
        asks=True,
        form=r"set show",
    ),
    Row(
        "SET REVEAL",
        said="Who played what is told when an anonymous game ends; `reveal` tells it at once.",
        form=r"set (?:no ?)?reveal",
    ),
    Row(
        "TIMING AT 23:00 NEXT 1D MOVE 3D GRACE 3D WARN 1D,12H,4H",
        said="Times are settings of their own: `moves`, "
        "`retreats`, `adjustments`, `grace`, `reminders`, `days`, `holidays`.",
        form=r"timing (?:at|next|move|grace|warn|days|not)\b.+",
        judges=DP,
    ),
)
