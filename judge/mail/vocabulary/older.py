"""What the SET forms of the older judges come to here: our line for each that has one, a sentence for the others.

Whoever governed games there types them from habit. A form is never guessed at: it is one of these, or it is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from judge.board.spelling import slips
from judge.game.settings.table import TABLE, find_setting
from judge.mail.vocabulary.model import Unclear

_NOT = re.compile(r"(?:no|not|non|un|without|disable|dis)[\s_-]*(?=[a-z])")

_LINES: Mapping[str, tuple[str, ...]] = {
    "none": ("set press none",), "no press": ("set press none",), "nopress": ("set press none",),
    "white": ("set press white",), "grey": ("set press grey",), "gray": ("set press grey",),
    "white/grey": ("set press white, grey",), "grey/white": ("set press white, grey",),
    "public": ("set listed yes",), "private": ("set listed no",),
    "list": ("set listed yes",), "nolist": ("set listed no",), "no list": ("set listed no",),
    "all press": ("set watch_press yes",), "normal press": ("set watch_press no",),
    "auto process": ("set early yes",), "manual process": ("set early no",),
    "manual start": ("set autostart none",), "no auto start": ("set autostart none",),
    "nmr": ("set nmr hold", "set nmr disorder"), "cd": ("set nmr disorder", "set nmr hold"),
    "no nmr": ("set nmr grace", "set nmr wait"), "nonmr": ("set nmr grace", "set nmr wait"),
    "no cd": ("set nmr grace", "set nmr wait"), "nocd": ("set nmr grace", "set nmr wait"),
    "observer any": ("set observer_press yes",), "observer no": ("set observer_press no",),

}  # fmt: skip
"""The whole of what stands behind `set` -> what it is here, the likeliest first."""

_CLOCK = "Times are settings of their own here: `moves`, `retreats`, `adjustments` and `grace`; `help moves` has more."
_SAID: Mapping[str, str] = {
    "move clock": _CLOCK, "retreat clock": _CLOCK, "adjust clock": _CLOCK, "clock": _CLOCK, "next": _CLOCK,
    "min": _CLOCK, "delay": "That is `early_delay` here, a length of time.",
    "quiet": "There is no such setting. Whether the others learn who is late is `hide_late`.",
    "secret": "There is no such setting. Whether players learn who plays what is `anonymous`.",
    "show": "There is no such setting. Whether players learn who plays what is `anonymous`.",
    "start": "The game begins with `start`, or `start deadline DATE`.",
    "auto start": "A game that begins by itself has the setting `autostart`, a length of time.",
    "centers": "Victory is a matter of the board. When the game ends without it is `end_after`.",
    "centres": "Victory is a matter of the board. When the game ends without it is `end_after`.",
    "moderated": "Every game has a Gamemaster here; players change its rules by vote, with `propose rule`.",
    "unmoderated": "Every game has a Gamemaster here; players change its rules by vote, with `propose rule`.",
    "variant": "The board is `map`, the rules are `rules`; neither changes once a game has begun.",
    "comment": "A note for the next report is `note: TEXT`.",
}  # fmt: skip
"""First words behind `set` -> what there is instead."""


def older_setting(text: str) -> Unclear | None:
    """What to answer to the words behind a `set` that name no setting with a value; None where they are unknown."""
    words = " ".join(text.lower().replace("=", " ").rstrip(" .!").split())
    if lines := _LINES.get(words):
        return Unclear("older-word", f"Here that is {_shown(lines)}. Nothing was changed.", lines)
    if line := _flag(words):
        return Unclear("older-word", f"Here that is {_shown((line,))}. Nothing was changed.", (line,))
    for count in (2, 1):
        if said := _SAID.get(" ".join(words.split()[:count])):
            return Unclear("older-word", f"{said} Nothing was changed.")
    return None


def opposes(typed: str, meant: str) -> bool:
    """Whether one of two words is the other with a "not" before it, slips allowed: "unstart" and "start"."""
    return _is_not(typed, meant) or _is_not(meant, typed)


def _is_not(word: str, other: str) -> bool:
    match = _NOT.match(word.lower())
    return match is not None and slips(word.lower()[match.end() :], other.lower(), 1) is not None


def _flag(words: str) -> str:
    """ "dias", "nodias", "not dias", "unlisted": a setting of yes and no by its name alone, as the older judges say."""
    if name := _flag_named(words):
        return f"set {name} yes"
    match = _NOT.match(words)
    name = _flag_named(words[match.end() :]) if match else ""
    return f"set {name} no" if name else ""


def _flag_named(words: str) -> str:
    setting = find_setting(words)
    if setting is None or setting.name not in TABLE or setting.example not in ("yes", "no"):
        return ""
    return setting.name


def _shown(lines: tuple[str, ...]) -> str:
    return " or ".join(f"`{line}`" for line in lines)
