"""Settings of who may join: to whom the table is open, what is asked of them, how long it may take to fill."""

from __future__ import annotations

import re

from judge.game.settings.forms import FLAG, SPAN_OR_NEVER, Setting, ValueForm
from judge.game.settings.values import among, number_or_none, percent, show_number, show_percent, text_up_to

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
