"""The house rules of a game as people read them: what its settings come to, a paragraph for each matter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from judge.game.clock.holds import LONGEST
from judge.game.core.model import Game
from judge.game.settings.quiet import show_days
from judge.game.settings.table import Settings
from judge.languages import tell
from judge.pace import DAYS, Pace
from judge.report.core.naming import Said, say


def agreed(game: Game) -> Settings:
    """A game's settings; if they name no season in which it ends, with the one that the board has."""
    return replace(game.settings, end_after=game.end_after)


def in_prose(settings: Settings, *, title: str, version: int = 1) -> tuple[Said, ...]:
    """The house rules of a game on the board `title`, in paragraphs."""
    makers = (_frame(settings, title, version), _calendar(settings), _orders(settings), _lateness(settings))
    more = (_time(settings), _press(settings), _end(settings))
    return tuple(say("paragraph", sentences=list(sentences)) for sentences in (*makers, *more))


def rules_said(settings: Settings) -> tuple[Said, ...]:
    """The sentences of the house rules one by one, without the one that names the game and the version of the rules."""
    makers = (_calendar, _orders, _lateness, _time, _press, _end)
    return (*tuple(_frame(settings, "", 1))[1:], *(sentence for make in makers for sentence in make(settings)))


def deadline_rule(settings: Settings) -> Said:
    """When turns are due, as one sentence."""
    days = show_days(settings.days) if settings.days else ""
    return say("deadline-rule", **_pace(settings), zone=settings.zone, days=days, early=settings.early)


@dataclass(frozen=True, slots=True)
class InShort:
    """One matter of the house rules in a line or two. `label`: a code, "pace", "missing", "time", "press", "end" or
    "also".
    """

    label: str
    text: Said


def in_short(game: Game) -> tuple[InShort, ...]:
    """What a player must know of a game's house rules before the first turn. `in_prose` has all of them."""
    return _as_parts(agreed(game), in_force(game))


def in_short_of(settings: Settings) -> tuple[InShort, ...]:
    """The same of games that are still to be made with some settings."""
    return _as_parts(settings, ())


def _as_parts(settings: Settings, more: tuple[Said, ...]) -> tuple[InShort, ...]:
    parts = {
        "pace": [deadline_rule(settings)],
        "missing": _when_missing(settings),
        "time": [*_extensions(settings), say("rule-more-time")],
        "press": list(_press(settings)),
        "end": list(_ends(settings)),
        "also": [*_unusual(settings), *more],
    }
    return tuple(InShort(label, say("paragraph", sentences=said)) for label, said in parts.items() if said)


def _when_missing(settings: Settings) -> list[Said]:
    if settings.nmr == "grace":
        return [say("rule-grace", grace=settings.grace)]
    return [say("rule-missing", nmr=settings.nmr)]


def _unusual(settings: Settings) -> Iterator[Said]:
    """The rules that differ from the usual in what is played, or in how orders are to be written."""
    yield from _variations(settings)
    if settings.anonymous:
        yield say("rule-anonymous")
    if settings.freeze_others:
        yield say("rule-freezes")
    if not settings.no_mistakes:
        yield say("rule-mistakes-stand")
    yield from _manner_of_orders(settings)


def in_force(game: Game) -> tuple[Said, ...]:
    """What votes have added to the house rules in words, each with the version that it came with."""
    return tuple(say("rule-in-words", version=one.version, text=one.text) for one in game.amendments)


def _pace(settings: Settings) -> dict[str, object]:
    return {
        "moves": _when(settings.moves),
        "first": _when(settings.first_moves) if settings.first_moves else "",
        "retreats": _when(settings.retreats),
        "builds": _when(settings.adjustments),
        "holidays": [str(day) for day in settings.holidays],
    }


def _when(pace: Pace) -> str:
    """As the setting has it, with its days in the reader's language: "Friday 24:00", "3d at 18:00"."""
    days = (f"{tell(DAYS[day].capitalize())} {minutes // 60:02}:{minutes % 60:02}" for day, minutes in pace.grid)
    return ", ".join(days) or str(pace)


def _frame(settings: Settings, title: str, version: int) -> Iterator[Said]:
    yield say("rule-game", title=title, players=settings.players, version=version)
    yield from _variations(settings)
    yield from _joining(settings)
    if settings.autostart is not None:
        yield say("rule-autostart", after=settings.autostart)
    yield say("rule-gamemaster")
    if settings.anonymous:
        yield say("rule-anonymous")


def _variations(settings: Settings) -> Iterator[Said]:
    if settings.first_year:
        yield say("rule-first-year", year=settings.first_year)
    if settings.unplayed:
        yield say("rule-unplayed", powers=settings.unplayed)
    if settings.choices:
        yield say("rule-choices", choices=settings.choices)


def _joining(settings: Settings) -> Iterator[Said]:
    """Who may join, and how long the table may take to fill."""
    if settings.about:
        yield say("rule-about", text=settings.about)
    if settings.access != "open":
        yield say("rule-access", access=settings.access)
    conditions = {
        "reliability": settings.min_reliability, "turns": settings.min_turns, "games": settings.max_games,
    }  # fmt: skip
    if any(conditions.values()):
        yield say("rule-thresholds", **conditions)
    if settings.fill_within is not None:
        yield say("rule-filling", within=settings.fill_within, closes=settings.unfilled == "close")


def _calendar(settings: Settings) -> Iterator[Said]:
    yield say("rule-zone", zone=settings.zone)
    pace = _pace(settings)
    holidays = pace.pop("holidays")
    yield say("rule-pace", **pace)
    if holidays:
        yield say("rule-holidays", days=holidays)
    yield say("rule-early", delay=settings.early_delay) if settings.early else say("rule-never-early")
    yield say("rule-results", within=settings.results_within)


def _orders(settings: Settings) -> Iterator[Said]:
    yield say("rule-orders", early=settings.early)
    if settings.freeze_others:
        yield say("rule-freezes")
    if settings.no_mistakes:
        yield say("rule-mistakes", early=settings.early)
        yield say("rule-mistakes-late")
    else:
        yield say("rule-mistakes-stand")
    yield from _manner_of_orders(settings)


def _manner_of_orders(settings: Settings) -> Iterator[Said]:
    if settings.show_orders == "verbatim":
        yield say("rule-verbatim")
    if settings.spelled_names:
        yield say("rule-spelled")
    if settings.nationality:
        yield say("rule-nationality")
    if settings.proxy:
        yield say("rule-proxy")


def _lateness(settings: Settings) -> Iterator[Said]:
    if settings.reminders:
        yield say("rule-reminders", hours=settings.reminders)
    if settings.nmr == "grace":
        yield say("rule-grace", grace=settings.grace)
        yield say("rule-way-back")
    else:
        yield say("rule-missing", nmr=settings.nmr)
    if settings.held_wait:
        yield say("rule-held", wait=settings.held_wait)
    if settings.hide_late:
        yield say("rule-hide-late")


def _time(settings: Settings) -> Iterator[Said]:
    yield from _extensions(settings)
    yield say("rule-more-time")
    if settings.pause_vote != "off":
        yield say("rule-pause", all=settings.pause_vote == "all", most=LONGEST)
    yield say("rule-absences", most=settings.max_absence)


def _extensions(settings: Settings) -> Iterator[Said]:
    if settings.extensions:
        yield say("rule-extensions", count=settings.extensions, length=settings.extension_length)


def _press(settings: Settings) -> Iterator[Said]:
    if not settings.press:
        yield say("rule-no-press")
        return
    yield say("rule-press", colours=settings.press)
    if settings.watch_press:
        yield say("rule-watched")
    if not settings.anonymous:
        yield say("rule-direct")
    if settings.inherit_press:
        yield say("rule-inherited")
    if settings.press_from_observers:
        yield say("rule-observers-write")
    if settings.press_from_editors:
        yield say("rule-editors-write")
    yield say("rule-posing")


def _ends(settings: Settings) -> Iterator[Said]:
    if settings.victory:
        yield say("rule-victory", centres=settings.victory)
    if settings.end_after:
        yield say("rule-limit", after=settings.end_after, winner=settings.short_winner)
    yield say("rule-draw", concessions=settings.concessions, since=settings.draw_from)


def _end(settings: Settings) -> Iterator[Said]:
    yield from _ends(settings)
    yield say("rule-draw-first")
    yield say("rule-shares", dias=settings.dias)
    if settings.statements:
        yield say("rule-statements", most=settings.statements)
    yield say("rule-amended")
    yield say("rule-accepted")
