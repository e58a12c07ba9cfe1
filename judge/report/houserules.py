"""The house rules of a game as people read them: its settings in sentences, a paragraph for each matter."""

from __future__ import annotations

from collections.abc import Iterator

from judge.game.core.model import Game
from judge.game.settings.quiet import show_days
from judge.game.settings.spans import spell_span
from judge.game.settings.table import Settings
from judge.report.naming import joined, many


def in_prose(settings: Settings, *, title: str, version: int = 1) -> tuple[str, ...]:
    """The house rules of a game on the board `title`, in paragraphs."""
    makers = (_frame(settings, title, version), _calendar(settings), _orders(settings), _lateness(settings))
    more = (_time(settings), _press(settings), _end(settings))
    return tuple(" ".join(sentences) for sentences in (*makers, *more))


def rules_said(settings: Settings) -> tuple[str, ...]:
    """The sentences of the house rules, one by one, but for those that only name the game and its version."""
    makers = (_calendar, _orders, _lateness, _time, _press, _end)
    return (*tuple(_frame(settings, "", 1))[1:], *(sentence for make in makers for sentence in make(settings)))


def deadline_rule(settings: Settings) -> str:
    """When turns are due, as it comes to: "moves 3d, retreats and builds 2d, UTC time; none on 24 Dec - 1 Jan"."""
    first = f" (the first: {settings.first_moves})" if settings.first_moves else ""
    parts = [f"moves {settings.moves}{first}"]
    if settings.retreats == settings.adjustments:
        parts.append(f"retreats and builds {settings.retreats}")
    else:
        parts += [f"retreats {settings.retreats}", f"builds {settings.adjustments}"]
    rule = f"{', '.join(parts)}, {settings.zone} time"
    if settings.days:
        rule += f"; only on {show_days(settings.days)}"
    if settings.holidays:
        rule += f"; none on {joined(str(day) for day in settings.holidays)}"
    return rule + ("; earlier when everybody is ready" if settings.early else "; never earlier")


def in_force(game: Game) -> tuple[str, ...]:
    """What votes have added to the house rules in words, each with the version that it came with."""
    return tuple(f'Since version {one.version} also, by vote: "{one.text}"' for one in game.amendments)


def _frame(settings: Settings, title: str, version: int) -> Iterator[str]:
    rules = "" if f"{settings.rules} rules" in title else f" by the {settings.rules} rules"
    yield f"We play {title}{rules} with {settings.players} players; house rules, version {version}."
    if settings.autostart is not None:
        yield f"The game begins by itself {spell_span(settings.autostart)} after its last seat is taken."
    if settings.choices:
        yield f"Single rules differ: {joined(settings.choices)}."
    yield "The Gamemaster is impartial, advises on rules and never on play, and decides where the rules are silent."
    if settings.anonymous:
        yield "Nobody but the Gamemaster knows who plays what before the end."


def _calendar(settings: Settings) -> Iterator[str]:
    yield f"All times are those of {settings.zone}; what counts is when a mail reaches the judge's site."
    first = f" (the first: {settings.first_moves})" if settings.first_moves else ""
    yield f"Movement phases: {settings.moves}{first}; retreats: {settings.retreats}; builds: {settings.adjustments}."
    if settings.holidays:
        yield f"There are no deadlines on {joined(str(day) for day in settings.holidays)}."
    if settings.early:
        delay = spell_span(settings.early_delay)
        yield f"A turn is processed {delay} after the last needed order, unless somebody waits."
    else:
        yield "A turn is processed at its deadline, never before, unless the Gamemaster has it processed."
    yield f"Results come within {spell_span(settings.results_within)}."


def _orders(settings: Settings) -> Iterator[str]:
    until = "until the turn is processed" if settings.early else "until the deadline"
    yield f"Every mail of orders is confirmed, and orders may be changed {until}."
    if settings.no_mistakes:
        yield "A faulty order is asked back" + (
            ", and nothing is processed early until it is put right." if settings.early else "."
        )
        yield "At the deadline the order on file for its unit stands; where there is none, its player is late."
    else:
        yield "A faulty order stands as it was written; the unit holds."
    if settings.show_orders == "verbatim":
        yield "Reports print beside each order what its player wrote."
    if settings.spelled_names:
        yield "Names of provinces are spelled out."
    if settings.nationality:
        yield "Foreign units are named with their nationality."
    if settings.proxy:
        yield "A player may give another a proxy, to order their units too, until the phase is processed."


def _lateness(settings: Settings) -> Iterator[str]:
    if settings.reminders:
        yield f"Whoever has something missing is reminded {joined(f'{h} hours' for h in settings.reminders)} before."
    grace = spell_span(settings.grace)
    yield {
        "grace": f"If orders are missing, the game waits for them, {grace} at most; after that the power is vacant.",
        "wait": "If orders are missing, the game waits until they come.",
        "hold": "Units without orders hold, and the game goes on.",
        "disorder": "A power without orders is in civil disorder for that turn.",
        "removals": "Without orders units hold, and the judge chooses what is removed by the rulebook's order.",
    }.get(settings.nmr, "What happens when orders are missing is still to be decided.")
    if settings.nmr == "grace":
        yield "Its player may come back once, by being the first to claim it."
    wait = spell_span(settings.held_wait)
    if settings.held_wait:
        yield f"For a word on a mail that came in time and lacks proof a turn waits {wait} at most."
    if settings.hide_late:
        yield "Who is late is told to nobody else."


def _time(settings: Settings) -> Iterator[str]:
    length = spell_span(settings.extension_length)
    if settings.extensions:
        count = many(settings.extensions, "free extension")
        yield f"Each player has {count} of {length}, to be asked for 24 hours ahead; no reason is needed."
    yield "More time can be voted by a majority, and the Gamemaster may extend any deadline."
    yield f"Absences of up to {spell_span(settings.max_absence)} may be announced; no new deadline falls into them."


def _press(settings: Settings) -> Iterator[str]:
    if not settings.press:
        yield "The judge relays no press between players."
        return
    yield f"The judge relays {joined(settings.press)} press."
    if settings.watch_press:
        yield "The Gamemaster gets a copy of all press that goes to some of you, and sees who wrote it."
    if not settings.anonymous:
        yield "Players may also write to each other directly; the Gamemaster need not get a copy."
    if settings.inherit_press:
        yield "Whoever takes a power over reads the press of its last turns."
    yield "To pose as another player in any other way leads to disqualification."


def _end(settings: Settings) -> Iterator[str]:
    since = f" after {settings.draw_from}" if settings.draw_from else ""
    who = "all survivors" if settings.dias else "those of its powers"
    if settings.end_after:
        by = {"units": "most units win", "centres": "most centres win"}.get(settings.short_winner, "its survivors draw")
        yield f"The game ends after {settings.end_after}, builds included, if nobody has won before; then {by}."
    what = "A draw or a concession" if settings.concessions else "A draw"
    yield f"{what}{since} needs the aye of every active player; who is silent says nay."
    yield "Once all have said it, the game ends when the turn would be processed, before any orders are carried out."
    yield f"A draw is shared by {who} that have a player."
    if settings.statements:
        yield f"Statements after the end are sealed until all are in, at most {spell_span(settings.statements)}."
    yield "House rules are changed by the Gamemaster openly, or by a majority of the active players."
    yield "By taking part you accept these rules."
