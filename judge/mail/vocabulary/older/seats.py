"""Settings of who may play, and how a game finds its players."""

from __future__ import annotations

from judge.mail.vocabulary.older.model import BOTH, Here, Row, Words, none

_LISTS = (
    "There is no list of addresses: with `set access approval` you let in whom you like, with `set access invitation` "
    "whom you invite, and `set access phrase` asks for a pass phrase."
)
_RECORD = (
    "What is asked of whoever joins: `set min_reliability 80%` (turns on time), `set min_turns 20`, `set max_games 3`."
)
_HIDDEN = "Whoever knows its name may still join; `set access invitation` keeps them out."
_OF_SITES = r"(?:any|same|different|one)(?:[ -]?sites?)?"


def _on_time(words: Words) -> Here:
    """njudge's ratio, in percent."""
    share = float(words["ratio"])
    return Here((f"set min_reliability {round(share * 100 if share <= 1 else share)}%",))


ROWS: tuple[Row, ...] = (
    Row("SET PUBLIC", "set listed yes", form=r"set public"),
    Row("SET LIST", "set listed yes", form=r"set list"),
    Row("SET LISTED", "set listed yes", form=r"set listed", judges=BOTH),
    Row("SET PRIVATE", "set listed no", _HIDDEN, form=r"set private"),
    Row("SET NOLIST", "set listed no", _HIDDEN, form=r"set no ?list"),
    Row("SET UNLISTED", "set listed no", _HIDDEN, form=r"set (?:unlisted|no ?listed)", judges=BOTH),
    Row(
        "SET ALLOW PLAYER jane@home.example",
        "invite {address}",
        "There is no list of addresses: with `set access invitation` those play whom you invite.",
        asks=True,
        form=r"set allow(?: players?)? -?(?P<address>\S+@\S+)",
    ),
    Row("SET DENY PLAYER jane@home.example", said=_LISTS, form=r"set deny(?: players?)?(?: .+)?"),
    Row("SET APPROVAL", "set access approval", form=r"set approval"),
    Row("SET NO APPROVAL", "set access open", form=r"set not? ?approval"),
    Row("SET APPROVED jane@home.example", said="The same as `invite ADDRESS`.", same=True),
    Row(
        "SET NOT APPROVED jane@home.example",
        said="Whoever asks to join is turned away with `refuse NAME`; who has joined is removed with `remove NAME`.",
        form=r"set not? ?approved(?: .+)?",
    ),
    Row("SET DEDICATION 100", said=f"Nobody has points of dedication here. {_RECORD}", form=r"set dedication(?: .+)?"),
    Row("SET ONTIMERAT .9", _on_time, form=r"set ontimerat(?:io)? (?P<ratio>\d*\.?\d+)"),
    Row(
        "SET RESRAT .1",
        said=f"Resignations are not counted by themselves. {_RECORD}",
        form=r"set resrat(?:io)?(?: .+)?",
    ),
    Row("SET LEVEL novice", said=f"Nobody has a level here. {_RECORD}", form=r"set level(?: .+)?"),
    Row(
        "SET ACCESS SAME-SITE",
        said="People are known by their address, not by the site they write from. Who may join is `access`: open, "
        "approval, invitation or phrase.",
        form=rf"set access {_OF_SITES}",
    ),
    *none(
        "Every game has a Gamemaster; players change its rules by vote: `propose rule SETTING = VALUE`.",
        *("SET MODERATED", "SET UNMODERATED"),
    ),
    Row("SET COMMENT A game for friends", "set about = {text}", form=r"set comment (?!begin\b)(?P<text>.+)"),
    Row(
        "SET COMMENT BEGIN",
        said="The text about a game is one line here: `set about = TEXT`.",
        form=r"set comment(?: begin)?",
    ),
    Row(
        "SET RATED",
        said="Every finished game counts in `ratings`, but for practice games and those of robots.",
        form=r"set (?:un|not? ?)?rated",
    ),
)
