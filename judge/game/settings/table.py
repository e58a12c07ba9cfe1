"""The settings of a game: house rules as data. One table reads them, prints them and explains them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
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
    several,
    show_list,
    show_number,
    show_percent,
    text_up_to,
)
from judge.pace import Pace
from judge.rules.choices import CHOICES
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

JOINING: tuple[Setting, ...] = (
    Setting(
        "access",
        "who may join: open (anybody), approval (whom the Gamemaster lets in), invitation (whom they invited), "
        "phrase (who knows the pass phrase)",
        "invitation",
        ValueForm(_access, str),
        synonyms=("joining", "admission"),
        words=(
            ("open", "anybody"),
            ("approval", "whom the Gamemaster lets in"),
            ("invitation", "whom the Gamemaster has invited"),
            ("phrase", "who knows the pass phrase"),
        ),
    ),
    Setting(
        "min_reliability",
        "share of turns on time that a player needs to join; players with fewer than five turns have no share yet",
        "80%",
        ValueForm(percent, show_percent),
        synonyms=("reliability", "min_ontime", "ontime"),
    ),
    Setting(
        "min_turns",
        "turns that a player must have played here to join",
        "20",
        ValueForm(number_or_none(1, 10_000), show_number),
        synonyms=("experience",),
    ),
    Setting(
        "max_games",
        "games that a player may have at once, this one included",
        "3",
        ValueForm(number_or_none(1, 1_000), show_number),
        synonyms=("games_at_once",),
    ),
    Setting(
        "reserve",
        "how many may wait on the reserve list of a full game for a seat that becomes free",
        "3",
        ValueForm(number_or_none(1, 34), show_number),
        synonyms=("reserves", "reserve_list"),
    ),
    Setting(
        "fill_within",
        "how long the game may take to fill, from the opening",
        "14d",
        SPAN_OR_NEVER,
        synonyms=("fill", "must_fill"),
    ),
    Setting(
        "unfilled",
        "what happens to a game that is not full after `fill_within`: close, or wait (as long again)",
        "wait",
        ValueForm(among("close", "wait"), str),
        words=(("close", "it is given up, and everybody is told"), ("wait", "it stays open for as long again")),
    ),
    Setting(
        "about",
        "a text about the game, for players who think of joining",
        "For friends of slow and courteous play.",
        ValueForm(text_up_to(LONGEST_ABOUT), lambda text: text or "none"),
        synonyms=("description", "describe"),
        prose=True,
        after_end=True,
    ),
    Setting("observers", "anybody may observe the game", "yes", FLAG),
    Setting(
        "press_from_observers",
        "observers may write to the players; to the Gamemaster they always may",
        "no",
        FLAG,
        synonyms=("observers_write",),
        after_end=True,
    ),
    Setting(
        "press_from_editors",
        "editors may write to the players; to the Gamemaster they always may",
        "no",
        FLAG,
        synonyms=("editors_write",),
        after_end=True,
    ),
)
"""Rows of the table of settings, in its order."""


PAUSE_VOTES = ("majority", "all", "off")
"""Whose ayes carry a vote on a pause: those of most active players, of all; off: there is no such vote."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one game, typed. `nmr` is empty until the GM has decided."""

    map: str = "standard"
    rules: str = "1976"
    choices: tuple[str, ...] = ()
    players: int = 7
    unplayed: tuple[str, ...] = ()
    """Names of powers without a seat."""
    first_year: int = 0
    """0: the board's."""
    victory: int = 0
    """Centres that win; 0: as many as the board says."""
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
    held_wait: timedelta = timedelta(hours=24)
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
    proxy: bool = False
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
    watch_press: bool = False
    recall: timedelta = timedelta()
    headlines: bool = True
    blanket: bool = True
    seasons: str = ""
    draw_from: str = ""
    end_after: str = ""
    short_winner: str = ""
    concessions: bool = True
    pause_vote: str = "majority"
    dias: bool = True
    scoring: tuple[str, ...] = USUAL_SYSTEMS
    explain: bool = False
    show_orders: str = "plain"
    listed: bool = True
    waiting_shown: bool = True
    statements: timedelta = timedelta(days=14)
    autostart: timedelta | None = None
    inherit_press: bool = False
    access: str = "open"
    min_reliability: int = 0
    """Percent of turns on time; 0: whoever likes."""
    min_turns: int = 0
    max_games: int = 0
    """0: as many as they like."""
    reserve: int = 3
    fill_within: timedelta | None = None
    unfilled: str = "close"
    about: str = ""
    observers: bool = True
    press_from_observers: bool = False
    press_from_editors: bool = False


def _centres(text: str) -> int:
    """A number of centres; 0 for "board"."""
    word = re.sub(r"\s*(?:supply\s+)?(?:centres?|centers?)$", "", text.strip().lower())
    return 0 if word in ("", "board", "usual", "standard") else number(2, 999)(word)


_LEADER = {"": "draw", "none": "draw", "most_units": "units", "most_centres": "centres", "centers": "centres"}


_TABLE: tuple[Setting, ...] = (
    Setting("map", "the board", "standard", WORD, frozen_after_start=True),
    Setting(
        "rules", "the rules of play, an edition of the rulebook or a variant", "1976", WORD, frozen_after_start=True
    ),
    Setting(
        "choices",
        "single rules that differ from the preset",
        "paradox=szykman",
        ValueForm(choices, show_list),
        frozen_after_start=True,
        synonyms=("choice",),
    ),
    Setting("players", "number of players", "7", ValueForm(number(2, 34), str), frozen_after_start=True),
    Setting(
        "unplayed",
        "powers that nobody plays: their units hold, as in civil disorder; so fewer players are needed",
        "Italy, or Italy and Germany",
        ValueForm(names, show_list),
        frozen_after_start=True,
    ),
    Setting(
        "first_year",
        "the year in which the game begins, if not the board's; `draw_from` and `end_after` move with it",
        "1870",
        ValueForm(
            lambda text: 0 if text.strip().lower() in ("", "board") else number(1000, 9000)(text),
            lambda year: str(year) if year else "board",
        ),
        frozen_after_start=True,
        synonyms=("begins", "year"),
    ),
    Setting(
        "victory",
        "how many centres win, if not as many as the board says; where two have as many at once, the game goes on",
        "15",
        ValueForm(_centres, lambda centres: str(centres) if centres else "board"),
        frozen_after_start=True,
        synonyms=("centres_to_win", "centers_to_win", "win", "to_win"),
    ),
    *TIMING,
    Setting("no_mistakes", "faulty orders are sent back to be put right instead of being kept as written", "yes", FLAG),
    Setting("spelled_names", "province names must be spelled out", "no", FLAG),
    Setting("nationality", "foreign units must be named with their nationality", "no", FLAG),
    Setting("proxy", "a player may let another order their units for a phase", "yes", FLAG, synonyms=("proxies",)),
    Setting("extensions", "free extensions per player", "2", ValueForm(number(0, 20), str)),
    Setting("extension_length", "length of a free extension", "72h", SPAN),
    Setting("max_extension", "longest single extension", "7d", SPAN),
    Setting("extension_cap", "most that players may add to one turn", "14d", SPAN),
    Setting("takeover_extension", "extension offered to a replacement", "7d", SPAN),
    Setting("max_absence", "most days of absence a player may announce", "14d", SPAN),
    Setting(
        "press",
        "kinds of press relayed",
        "white, grey, black",
        ValueForm(several("white", "grey", "black"), show_list),
        after_end=True,
        words=(
            ("white", "press that says which power wrote it"),
            ("grey", "press that says only that a player wrote it"),
            ("black", "press that may name another author"),
        ),
    ),
    Setting(
        "broadcast_press",
        "players may write to everybody at once",
        "yes",
        FLAG,
        synonyms=("broadcast",),
        after_end=True,
    ),
    Setting(
        "partial_press", "players may write to some of the others", "yes", FLAG, synonyms=("partial",), after_end=True
    ),
    Setting(
        "postal_press", "players may write press that waits for the next report", "yes", FLAG, synonyms=("postal",)
    ),
    Setting("observer_press", "players may write to the observers and the editors", "yes", FLAG, after_end=True),
    Setting(
        "watch_press",
        "the Gamemaster gets a copy of all press to some",
        "no",
        FLAG,
        synonyms=("watch", "show_press", "watch_all_press"),
        after_end=True,
    ),
    Setting("recall", "how long press waits so that it can be recalled", "10m", SPAN_OR_NONE, after_end=True),
    Setting("headlines", "results may have a headline", "yes", FLAG),
    Setting("blanket", "`all others hold` is written out for each unit", "yes", FLAG),
    Setting(
        "seasons",
        "turns of a year: 5 (every phase), 3 (retreats with the moves), 2 (builds with them too), "
        "rules (as they have it)",
        "5",
        ValueForm(
            lambda text: "" if text.strip().lower() in ("", "rules", "4") else among("5", "3", "2")(text),
            lambda value: value or "rules",
        ),
        words=(
            ("5", "each phase is a turn of its own: moves, retreats, moves, retreats, builds"),
            ("3", "retreats are ordered with the moves before them"),
            ("2", "retreats and builds are ordered with the moves before them"),
            ("rules", "as the rules of the game have it"),
        ),
    ),
    Setting(
        "pause_vote",
        "how many ayes put the game on hold for a while: " + ", ".join(PAUSE_VOTES),
        "majority",
        ValueForm(among(*PAUSE_VOTES), str),
        words=(
            ("majority", "more than half of the active players"),
            ("all", "all active players"),
            ("off", "players vote on no pause; the Gamemaster may `hold`"),
        ),
    ),
    Setting("concessions", "players may concede the game to one of them", "yes", FLAG),
    Setting("minor_press", "players may write press while retreats and builds are due", "yes", FLAG),
    Setting(
        "anonymous", "players do not learn who plays what", "no", FLAG, frozen_after_start=True, synonyms=("gunboat",)
    ),
    Setting(
        "draw_from",
        "first season after which draws may be proposed",
        "F1905",
        ValueForm(season, lambda v: v or "always"),
    ),
    Setting(
        "end_after",
        "the season after which the game ends, its adjustments included",
        "F1908",
        ValueForm(lambda text: season("" if text.strip().lower() == "never" else text), lambda v: v or "never"),
        synonyms=("time_limit", "turn_limit"),
    ),
    Setting(
        "short_winner",
        "who wins when the game ends by `end_after`: draw (all survivors), units, centres (who has most)",
        "draw",
        ValueForm(
            lambda text: among("draw", "units", "centres")(_LEADER.get(text.strip().lower(), text)).replace("draw", ""),
            lambda v: v or "draw",
        ),
        words=(
            ("draw", "nobody: it is a draw of all who are left"),
            ("units", "the power with most units; if several have as many, they draw"),
            ("centres", "the power with most centres; if several have as many, they draw"),
        ),
    ),
    Setting("dias", "a draw includes all survivors", "yes", FLAG),
    Setting(
        "scoring",
        "how the end of the game is scored, by up to four systems",
        "squares, carnage",
        ValueForm(read_systems, show_list),
        synonyms=("points", "scoring_system", "scoring_systems"),
    ),
    Setting("explain", "reports explain each conflict in a sentence", "no", FLAG),
    Setting(
        "show_orders",
        "orders in reports: plain, or verbatim with what each player wrote beside it",
        "verbatim",
        ValueForm(among("plain", "verbatim"), str),
        words=(
            ("plain", "each order as the judge read it"),
            ("verbatim", "with the line that its player wrote beside it"),
        ),
    ),
    Setting("listed", "the game is shown in the list of games", "yes", FLAG, after_end=True),
    Setting("waiting_shown", "receipts say how many sets of orders are still missing", "yes", FLAG),
    Setting("inherit_press", "a replacement reads the last turns' press to and from the power", "no", FLAG),
    Setting(
        "autostart",
        "the game begins by itself this long after its last seat is taken",
        "24h",
        SPAN_OR_NEVER,
    ),
    *JOINING,
    Setting("statements", "how long statements are sealed after the end", "14d", SPAN_OR_NONE),
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
    return Setting(name, f"a rule: {', '.join(answers)}", answers[-1], WORD, frozen_after_start=True)


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
