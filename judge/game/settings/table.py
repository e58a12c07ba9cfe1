"""The settings of a game: house rules as data. One table reads them, prints them and explains them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import timedelta

from judge.game.settings.quiet import Holiday, read_days, read_holidays, show_days
from judge.game.settings.values import (
    FLAG,
    PACE,
    PACE_OR_SAME,
    SPAN,
    SPAN_OR_NEVER,
    SPAN_OR_NONE,
    USUAL_SYSTEMS,
    WORD,
    Setting,
    ValueForm,
    among,
    choices,
    hours,
    names,
    number,
    number_or_none,
    percent,
    read_systems,
    season,
    setting,
    several,
    show_list,
    show_number,
    show_percent,
    text_up_to,
)
from judge.pace import Pace, read_zone
from judge.rules.choices import CHOICES

NEVER_WAITS = ("hold", "disorder", "removals")

NMR_POLICIES = ("wait", "grace", *NEVER_WAITS)


ACCESS = ("open", "approval", "invitation", "phrase")
"""Who may join: whoever likes, whom the Gamemaster approves, whom they invited, who knows the pass phrase."""

LONGEST_ABOUT = 400
"""Characters of the free text about a game."""


def _access(text: str) -> str:
    """One of `ACCESS`, by that word or by another that says the same."""
    word = re.sub(r"[\s_-]+", " ", text.strip().lower())
    return among(*ACCESS)(_SAME_ACCESS.get(word, word))


_SAME_ACCESS = {
    "public": "open", "anybody": "open", "anyone": "open", "everybody": "open", "all": "open",
    "private": "invitation", "invited": "invitation", "invite": "invitation", "by invitation": "invitation",
    "invitations": "invitation", "invitation only": "invitation", "closed": "invitation",
    "approved": "approval", "approve": "approval", "by approval": "approval", "ask": "approval",
    "moderated": "approval",
    "pass phrase": "phrase", "passphrase": "phrase", "password": "phrase", "by pass phrase": "phrase",
}  # fmt: skip


PAUSE_VOTES = ("majority", "all", "off")
"""Whose ayes carry a vote on a pause: those of most active players, of all; off: there is no such vote."""


def _centres(text: str) -> int:
    """A number of centres; 0 for "board"."""
    word = re.sub(r"\s*(?:supply\s+)?(?:centres?|centers?)$", "", text.strip().lower())
    return 0 if word in ("", "board", "usual", "standard") else number(2, 999)(word)


_LEADER = {"": "draw", "none": "draw", "most_units": "units", "most_centres": "centres", "centers": "centres"}


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one game, typed. `nmr` is empty until the GM has decided."""

    map: str = setting("standard", "the board", "standard", WORD, "board", frozen_after_start=True)
    rules: str = setting(
        "1976",
        "the rules of play, an edition of the rulebook or a variant",
        "1976",
        WORD,
        "board",
        frozen_after_start=True,
    )
    choices: tuple[str, ...] = setting(
        (),
        "single rules that differ from the preset",
        "paradox=szykman",
        ValueForm(choices, show_list),
        "board",
        frozen_after_start=True,
        synonyms=("choice",),
    )
    players: int = setting(7, "number of players", "7", ValueForm(number(2, 34), str), "board", frozen_after_start=True)
    unplayed: tuple[str, ...] = setting(
        (),
        "powers that nobody plays: their units hold, as in civil disorder; so fewer players are needed",
        "Italy, or Italy and Germany",
        ValueForm(names, show_list),
        "board",
        frozen_after_start=True,
    )
    """Names of powers without a seat."""
    first_year: int = setting(
        0,
        "the year in which the game begins, if not the board's; `draw_from` and `end_after` move with it",
        "1870",
        ValueForm(
            lambda text: 0 if text.strip().lower() in ("", "board") else number(1000, 9000)(text),
            lambda year: str(year) if year else "board",
        ),
        "board",
        frozen_after_start=True,
        synonyms=("begins", "year"),
    )
    """0: the board's."""
    victory: int = setting(
        0,
        "how many centres win, if not as many as the board says; where two have as many at once, the game goes on",
        "15",
        ValueForm(_centres, lambda centres: str(centres) if centres else "board"),
        "ending",
        frozen_after_start=True,
        synonyms=("centres_to_win", "centers_to_win", "win", "to_win"),
    )
    """Centres that win; 0: as many as the board says."""
    zone: str = setting(
        "UTC",
        "the game's official time zone",
        "America/New_York",
        ValueForm(read_zone, str),
        "time",
        synonyms=("timezone", "tz"),
    )
    moves: Pace = setting(
        Pace.read("7d"), "time for movement phases", "7d, or Friday 24:00", PACE, "time", synonyms=("movement",)
    )
    retreats: Pace = setting(Pace.read("2d"), "time for retreats", "2d, or Sunday 24:00", PACE, "time")
    adjustments: Pace = setting(
        Pace.read("2d"), "time for builds and removals", "2d", PACE, "time", synonyms=("builds",)
    )
    first_moves: Pace | None = setting(
        None, "time for the first movement phase, if different", "14d", PACE_OR_SAME, "time"
    )
    late_adjustments: Pace | None = setting(
        None, "time for builds when they are split from the retreats", "Tuesday 24:00", PACE_OR_SAME, "time"
    )
    min_phase: timedelta = setting(
        timedelta(hours=72), "shortest time for moves, at the start and after a delay", "72h", SPAN, "time"
    )
    min_minor: timedelta = setting(
        timedelta(hours=24), "shortest time for retreats or builds after a delay", "24h", SPAN, "time"
    )
    days: tuple[int, ...] = setting(
        (), "days of the week on which deadlines may fall", "Mon-Fri", ValueForm(read_days, show_days), "time"
    )
    holidays: tuple[Holiday, ...] = setting(
        (), "days without deadlines", "24 Dec - 1 Jan", ValueForm(read_holidays, show_list), "time", synonyms=("quiet",)
    )
    results_within: timedelta = setting(
        timedelta(hours=24), "results come within this time after a deadline", "24h", SPAN, "time", behind="min_notice"
    )
    held_wait: timedelta = setting(
        timedelta(hours=24),
        "how long a turn waits at most for a mail without proof to be confirmed",
        "24h",
        SPAN,
        "late",
        behind="freeze_others",
    )
    early: bool = setting(
        True, "a turn is processed early when every order is in and nobody asks to wait", "yes", FLAG, "time"
    )
    early_delay: timedelta = setting(
        timedelta(minutes=30),
        "how long a turn waits, for changes, after the last missing order has come",
        "30m",
        SPAN,
        "time",
    )
    min_notice: timedelta = setting(
        timedelta(hours=24), "shortest notice when a deadline is brought forward", "24h", SPAN, "time"
    )
    reminders: tuple[int, ...] = setting(
        (48, 24, 4),
        "how long before a deadline players with missing orders are reminded",
        "48h, 24h, 4h",
        ValueForm(hours, lambda v: ", ".join(f"{h}h" for h in v) or "none"),
        "late",
        behind="grace",
    )
    nmr: str = setting(
        "",
        "when orders are missing: " + ", ".join(NMR_POLICIES),
        "grace",
        ValueForm(among("", *NMR_POLICIES), str),
        "late",
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
    )
    grace: timedelta = setting(
        timedelta(hours=48), "how long the game waits for orders after a missed deadline", "48h", SPAN, "late"
    )
    hide_late: bool = setting(False, "the others do not learn who is late", "no", FLAG, "late")
    freeze_others: bool = setting(
        False, "orders on file cannot be changed while the game waits for others", "no", FLAG, "late"
    )
    begun: str = setting(
        "orders",
        "when a replacement counts as having begun: orders, moves",
        "orders",
        ValueForm(among("orders", "moves"), str),
        "late",
        words=(
            ("orders", "when the first orders of the new player have come; then the former player cannot come back"),
            ("moves", "when the first moves of the new player have been printed"),
        ),
    )
    no_mistakes: bool = setting(
        True, "faulty orders are sent back to be put right instead of being kept as written", "yes", FLAG, "orders"
    )
    spelled_names: bool = setting(False, "province names must be spelled out", "no", FLAG, "orders")
    nationality: bool = setting(False, "foreign units must be named with their nationality", "no", FLAG, "orders")
    proxy: bool = setting(
        False, "a player may let another order their units for a phase", "yes", FLAG, "orders", synonyms=("proxies",)
    )
    extensions: int = setting(2, "free extensions per player", "2", ValueForm(number(0, 20), str), "extensions")
    extension_length: timedelta = setting(timedelta(hours=72), "length of a free extension", "72h", SPAN, "extensions")
    max_extension: timedelta = setting(timedelta(days=7), "longest single extension", "7d", SPAN, "extensions")
    extension_cap: timedelta = setting(
        timedelta(days=14), "most that players may add to one turn", "14d", SPAN, "extensions"
    )
    takeover_extension: timedelta = setting(
        timedelta(days=7), "extension offered to a replacement", "7d", SPAN, "extensions"
    )
    max_absence: timedelta = setting(
        timedelta(days=14), "most days of absence a player may announce", "14d", SPAN, "extensions"
    )
    press: tuple[str, ...] = setting(
        ("white", "black"),
        "kinds of press relayed",
        "white, grey, black",
        ValueForm(several("white", "grey", "black"), show_list),
        "press",
        after_end=True,
        words=(
            ("white", "press that says which power wrote it"),
            ("grey", "press that says only that a player wrote it"),
            ("black", "press that may name another author"),
        ),
    )
    broadcast_press: bool = setting(
        True, "players may write to everybody at once", "yes", FLAG, "press", synonyms=("broadcast",), after_end=True
    )
    partial_press: bool = setting(
        True, "players may write to some of the others", "yes", FLAG, "press", synonyms=("partial",), after_end=True
    )
    postal_press: bool = setting(
        True, "players may write press that waits for the next report", "yes", FLAG, "press", synonyms=("postal",)
    )
    observer_press: bool = setting(
        True, "players may write to the observers and the editors", "yes", FLAG, "press", after_end=True
    )
    watch_press: bool = setting(
        False,
        "the Gamemaster gets a copy of all press to some",
        "no",
        FLAG,
        "press",
        synonyms=("watch", "show_press", "watch_all_press"),
        after_end=True,
        behind="press_from_editors",
    )
    recall: timedelta = setting(
        timedelta(),
        "how long press waits so that it can be recalled",
        "10m",
        SPAN_OR_NONE,
        "press",
        after_end=True,
        behind="minor_press",
    )
    headlines: bool = setting(True, "results may have a headline", "yes", FLAG, "letters")
    blanket: bool = setting(
        True, "`all others hold` is written out for each unit", "yes", FLAG, "orders", behind="no_mistakes"
    )
    seasons: str = setting(
        "",
        "turns of a year: 5 (every phase), 3 (retreats with the moves), 2 (builds with them too), "
        "rules (as they have it)",
        "5",
        ValueForm(
            lambda text: "" if text.strip().lower() in ("", "rules", "4") else among("5", "3", "2")(text),
            lambda value: value or "rules",
        ),
        "board",
        words=(
            ("5", "each phase is a turn of its own: moves, retreats, moves, retreats, builds"),
            ("3", "retreats are ordered with the moves before them"),
            ("2", "retreats and builds are ordered with the moves before them"),
            ("rules", "as the rules of the game have it"),
        ),
    )
    pause_vote: str = setting(
        "majority",
        "how many ayes put the game on hold for a while: " + ", ".join(PAUSE_VOTES),
        "majority",
        ValueForm(among(*PAUSE_VOTES), str),
        "extensions",
        words=(
            ("majority", "more than half of the active players"),
            ("all", "all active players"),
            ("off", "players vote on no pause; the Gamemaster may `hold`"),
        ),
    )
    concessions: bool = setting(True, "players may concede the game to one of them", "yes", FLAG, "ending")
    minor_press: bool = setting(
        True, "players may write press while retreats and builds are due", "yes", FLAG, "press", behind="postal_press"
    )
    anonymous: bool = setting(
        False,
        "players do not learn who plays what",
        "no",
        FLAG,
        "joining",
        frozen_after_start=True,
        synonyms=("gunboat",),
        behind="autostart",
    )
    draw_from: str = setting(
        "",
        "first season after which draws may be proposed",
        "F1905",
        ValueForm(season, lambda v: v or "always"),
        "ending",
        behind="victory",
    )
    end_after: str = setting(
        "",
        "the season after which the game ends, its adjustments included",
        "F1908",
        ValueForm(lambda text: season("" if text.strip().lower() == "never" else text), lambda v: v or "never"),
        "ending",
        synonyms=("time_limit", "turn_limit"),
    )
    short_winner: str = setting(
        "",
        "who wins when the game ends by `end_after`: draw (all survivors), units, centres (who has most)",
        "draw",
        ValueForm(
            lambda text: among("draw", "units", "centres")(_LEADER.get(text.strip().lower(), text)).replace("draw", ""),
            lambda v: v or "draw",
        ),
        "ending",
        words=(
            ("draw", "nobody: it is a draw of all who are left"),
            ("units", "the power with most units; if several have as many, they draw"),
            ("centres", "the power with most centres; if several have as many, they draw"),
        ),
    )
    dias: bool = setting(True, "a draw includes all survivors", "yes", FLAG, "ending", behind="draw_from")
    scoring: tuple[str, ...] = setting(
        USUAL_SYSTEMS,
        "how the end of the game is scored, by up to four systems",
        "squares, carnage",
        ValueForm(read_systems, show_list),
        "ending",
        synonyms=("points", "scoring_system", "scoring_systems"),
    )
    explain: bool = setting(False, "reports explain each conflict in a sentence", "no", FLAG, "letters")
    show_orders: str = setting(
        "plain",
        "orders in reports: plain, or verbatim with what each player wrote beside it",
        "verbatim",
        ValueForm(among("plain", "verbatim"), str),
        "letters",
        words=(
            ("plain", "each order as the judge read it"),
            ("verbatim", "with the line that its player wrote beside it"),
        ),
    )
    listed: bool = setting(
        True, "the game is shown in the list of games", "yes", FLAG, "joining", after_end=True, behind="about"
    )
    waiting_shown: bool = setting(
        True, "receipts say how many sets of orders are still missing", "yes", FLAG, "letters"
    )
    inherit_press: bool = setting(
        False, "a replacement reads the last turns' press to and from the power", "no", FLAG, "late"
    )
    autostart: timedelta | None = setting(
        None,
        "the game begins by itself this long after its last seat is taken",
        "24h",
        SPAN_OR_NEVER,
        "joining",
        behind="listed",
    )
    access: str = setting(
        "open",
        "who may join: open (anybody), approval (whom the Gamemaster lets in), invitation (whom they invited), "
        "phrase (who knows the pass phrase)",
        "invitation",
        ValueForm(_access, str),
        "joining",
        synonyms=("joining", "admission"),
        words=(
            ("open", "anybody"),
            ("approval", "whom the Gamemaster lets in"),
            ("invitation", "whom the Gamemaster has invited"),
            ("phrase", "who knows the pass phrase"),
        ),
    )
    min_reliability: int = setting(
        0,
        "share of turns on time that a player needs to join; players with fewer than five turns have no share yet",
        "80%",
        ValueForm(percent, show_percent),
        "joining",
        synonyms=("reliability", "min_ontime", "ontime"),
    )
    """Percent of turns on time; 0: whoever likes."""
    min_turns: int = setting(
        0,
        "turns that a player must have played here to join",
        "20",
        ValueForm(number_or_none(1, 10_000), show_number),
        "joining",
        synonyms=("experience",),
    )
    max_games: int = setting(
        0,
        "games that a player may have at once, this one included",
        "3",
        ValueForm(number_or_none(1, 1_000), show_number),
        "joining",
        synonyms=("games_at_once",),
    )
    """0: as many as they like."""
    reserve: int = setting(
        3,
        "how many may wait on the reserve list of a full game for a seat that becomes free",
        "3",
        ValueForm(number_or_none(1, 34), show_number),
        "joining",
        synonyms=("reserves", "reserve_list"),
    )
    fill_within: timedelta | None = setting(
        None,
        "how long the game may take to fill, from the opening",
        "14d",
        SPAN_OR_NEVER,
        "joining",
        synonyms=("fill", "must_fill"),
    )
    unfilled: str = setting(
        "close",
        "what happens to a game that is not full after `fill_within`: close, or wait (as long again)",
        "wait",
        ValueForm(among("close", "wait"), str),
        "joining",
        words=(("close", "it is given up, and everybody is told"), ("wait", "it stays open for as long again")),
    )
    about: str = setting(
        "",
        "a text about the game, for players who think of joining",
        "For friends of slow and courteous play.",
        ValueForm(text_up_to(LONGEST_ABOUT), lambda text: text or "none"),
        "joining",
        synonyms=("description", "describe"),
        prose=True,
        after_end=True,
    )
    observers: bool = setting(True, "anybody may observe the game", "yes", FLAG, "joining")
    press_from_observers: bool = setting(
        False,
        "observers may write to the players; to the Gamemaster they always may",
        "no",
        FLAG,
        "press",
        synonyms=("observers_write",),
        after_end=True,
    )
    press_from_editors: bool = setting(
        False,
        "editors may write to the players; to the Gamemaster they always may",
        "no",
        FLAG,
        "press",
        synonyms=("editors_write",),
        after_end=True,
    )
    statements: timedelta = setting(
        timedelta(days=14), "how long statements are sealed after the end", "14d", SPAN_OR_NONE, "ending"
    )


TABLE: Mapping[str, Setting] = {
    each.name: replace(each.metadata["setting"], name=each.name) for each in fields(Settings)
}
"""Name -> setting, in the order in which they are printed."""


def find_setting(name: str) -> Setting | None:
    """The setting of a name, a synonym, or a unique beginning; dashes and blanks count as underscores."""
    word = re.sub(r"[\s-]+", "_", name.strip().lower())
    if word in TABLE:
        return TABLE[word]
    for row in TABLE.values():
        if word in row.synonyms:
            return row
    if word in CHOICES:
        return _choice(word)
    near = [row for row in TABLE.values() if row.name.startswith(word)] if len(word) >= 3 else []
    return near[0] if len(near) == 1 else None


def _choice(name: str) -> Setting:
    """A single rule as a setting of its own: `set paradox szykman`. It is kept among the `choices`."""
    answers = [str(answer) for answer in CHOICES[name]]
    return Setting(name, f"a rule: {', '.join(answers)}", answers[-1], WORD, "board", frozen_after_start=True)


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
    return replace(settings, **{name: TABLE[name].form.read(text)})


def settings_to_text(settings: Settings) -> dict[str, str]:
    """Name -> text, complete, in the table's order."""
    return {f.name: TABLE[f.name].form.show(getattr(settings, f.name)) for f in fields(settings)}


def settings_from_text(texts: Mapping[str, str], base: Settings | None = None) -> Settings:
    """The inverse of `settings_to_text`; names that are absent keep the value of `base`."""
    return replace(base or Settings(), **{name: TABLE[name].form.read(text) for name, text in texts.items()})
