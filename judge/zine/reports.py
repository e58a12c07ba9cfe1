"""What a game of this judge sent, as a report to print: the results letter that its editors get, put into words.

Such a letter holds public facts alone, as far as the game's settings let everybody know them; what only one reader is
told (the desk, the order form) is left out here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from judge.board.model import Board
from judge.game.core.commands import Colour
from judge.languages import tell
from judge.mail.letters.words import seasons
from judge.orders.spelled import places
from judge.report.core.naming import power_name
from judge.rules.calendar import CALENDAR_1976
from judge.rules.spoken import read_phase
from judge.zine.issue import (
    BoardMap,
    Holding,
    Holdings,
    PowerOrders,
    Press,
    Report,
    ReportedOrder,
    ReportedPhase,
    joined,
)


def report_of(view: Mapping[str, Any], board: Board, shown: BoardMap | None = None) -> Report:
    """The report of a results letter. `view`: the letter's, with its facts in words
    (`judge.mail.letters.Printer.spoken`); `shown`: the position in which it left the board.
    """
    version, why = view["supersedes"], view["why"]
    return Report(
        season=season_of([one["phase"] for one in view["results"]], [one["title"] for one in view["results"]]),
        headline=view["headline"],
        correction=tell(
            "This takes the place of version {version}{how}", version=version, how=f": {why}" if why else "."
        )
        if version
        else "",
        phases=tuple(map(_phase, view["results"])),
        retreats=tuple(view["retreats"]),
        press=tuple(Press(Colour(one["colour"]), one["source"] or "", one["text"]) for one in view["press"]),
        notes=tuple(view["notes"]),
        chart=holdings(view["chart"], board),
        wanted=tuple(view["vacant"]),
        ended=view["ended"] or "",
        map=shown,
    )


def season_of(codes: list[str], titles: list[str]) -> str:
    """Phases as zines call them; of several years each with its own.

    >>> season_of(["F1901R", "W1901A"], ["Fall 1901 retreats", "Winter 1901 adjustments"])
    "Autumn and Winter '01"
    """
    each = [seasons([{"code": code, "title": title}]) for code, title in zip(codes, titles, strict=True)]
    return joined(tuple(dict.fromkeys(each)))


_SEASON = re.compile(
    r"(?P<name>spring|summer|fall|autumn|winter)\s+(?:\d\d)?(?P<year>\d\d)"
    r"|(?P<code>[SFW])\s?(?:\d\d)?(?P<of>\d\d)(?P<step>[MRAB])?",
    re.IGNORECASE,
)
_BY_CODE = {"S": "Spring", "F": "Fall", "W": "Winter", "SR": "Summer", "FR": "Autumn"}


def as_zines_write(season: str) -> str:
    """A season that was read as zines have it; as it came where it is not one.

    >>> as_zines_write("F1901"), as_zines_write("spring 1902"), as_zines_write("S03R"), as_zines_write("the third turn")
    ("Fall '01", "Spring '02", "Summer '03", 'the third turn')
    """
    found = _SEASON.fullmatch(season.strip())
    if found is None:
        return season
    code = (found["code"] or "").upper() + ("R" if (found["step"] or "").upper() == "R" else "")
    name = found["name"].capitalize() if found["name"] else _BY_CODE.get(code, _BY_CODE[code[0]])
    return f"{name} '{found['year'] or found['of']}"


def in_order(reports: Sequence[Report]) -> list[Report]:
    """Reports by their seasons, of one season as they came; all as they came where any season cannot be read."""
    ranks = [season_rank(report.season) for report in reports]
    read = [rank for rank in ranks if rank is not None]
    if len(read) < len(ranks):
        return list(reports)
    return [report for _, report in sorted(zip(read, reports, strict=True), key=lambda one: one[0])]


def season_rank(season: str) -> tuple[int, ...] | None:
    """The place in time of a season as people write it, the last where several are named; None if it cannot be read.

    >>> season_rank("Fall '01") < season_rank("Autumn 1901") < season_rank("W01") < season_rank("Spring and Fall '02")
    True
    >>> season_rank("the third turn") is None
    True
    """
    last = re.split(r"\band\b|[,&]", season)[-1]
    code = read_phase(last, CALENDAR_1976)
    # the phases after Fall are Autumn in zines, where the calendar takes either word for the same
    return (*CALENDAR_1976.rank(code), "autumn" in last.lower()) if code is not None else None


def _phase(result: Mapping[str, Any]) -> ReportedPhase:
    return ReportedPhase(
        title=result["title"],
        powers=tuple(
            PowerOrders(
                block["name"], tuple(ReportedOrder(line["order"], bool(line["failed"])) for line in block["lines"])
            )
            for block in result["blocks"]
        ),
        said=result["said"] or "",
        missing=tuple(result["missing"]),
    )


def holdings(chart: Mapping[str, Any], board: Board) -> Holdings:
    """A centre chart in codes, as zines print it."""
    codes = dict(zip(places(board.centres, board), board.centres, strict=True))
    short = abbreviations(board)
    rows = tuple(
        Holding(
            power=row["name"],
            label=short[row["key"]],
            centres=tuple(sorted(codes.get(name, name) for name in row["centres"])),
            now=row["now"],
            was=row["was"],
        )
        for row in chart["rows"]
    )
    return Holdings(chart["title"], rows, tuple(codes.get(name, name) for name in chart["free"]))


def abbreviations(board: Board) -> Mapping[str, str]:
    """Power -> the letters of its name that part it from all others, three at least: "GER"."""
    names = {power: "".join(filter(str.isalnum, power_name(power, board).upper())) for power in board.powers}

    def short(name: str) -> str:
        starts = (name[:n] for n in range(3, len(name)))
        return next((start for start in starts if sum(one.startswith(start) for one in names.values()) == 1), name)

    return {power: short(name) for power, name in names.items()}
