"""What Masters write, but for their many SETs."""

from __future__ import annotations

from judge.languages import tell
from judge.mail.vocabulary.older.model import BOTH, DP, GAME, SECRET, Here, Row, Words

_OPERATOR = "That is done by the operator of this judge, at the machine itself."

_KINDS = {"standard": "", "gunboat": " anonymous=yes", "european": " preset european", "global2": " preset global2"}
"""Words of variants -> what stands behind `create NAME` for them."""


def _create(words: Words) -> Here:
    """`CREATE ?NAME PASSWORD VARIANT OPTIONS`: a game has no password here, and its variant is settings."""
    variants = words["variants"].lower().split()
    unknown = [word for word in variants if word not in _KINDS]
    line = f"create {words['game'].lower()}{''.join(_KINDS.get(word, '') for word in variants)}"
    if not unknown:
        return Here((line,), tell("A game has no password here."))
    said = tell(
        "There is no variant {unknown} here; `help settings` shows what a game is made of.",
        unknown=" ".join(unknown)[:40],
    )
    return Here((line,), tell("{said} No game was made.", said=said), asks=True)


ROWS: tuple[Row, ...] = (
    Row(
        "CREATE ?omega mysecret standard gunboat",
        _create,
        form=r"create \?(?P<game>[a-z][\w-]+)(?: \S+(?P<variants>(?: [\w-]+)*))?",
    ),
    Row(
        "CREATE omega mysecret standard",
        _create,
        form=r"create (?P<game>[a-z][\w-]+) (?!preset\b)[^\s=]+ (?P<variants>(?:standard|payola|xtalball)(?: [\w-]+)*)",
        judges=DP,
    ),
    Row("BECOME FRANCE", said="The same as `order as France`, for orders. Press still comes from you.", same=True),
    Row(
        "BECOME MASTER",
        said="You are the Gamemaster of a game that you create, without asking. `my games` lists yours.",
        form=rf"become (?:the )?(?:master|gm){SECRET}",
    ),
    Row(
        "PROMOTE jane@home.example",
        ("deputy {address} until DATE", "hand over to {address}"),
        "A deputy acts in your place for a time; `hand over` gives the game away.",
        asks=True,
        form=r"promote (?P<address>\S+@\S+)",
    ),
    Row("EJECT FRANCE", said="The same as `vacate France`, or an address; you are asked to confirm.", same=True),
    Row(
        "DUMMY ITALY",
        "disorder {power}",
        "A power in civil disorder keeps no seat: its units stand, and its retreats and removals follow the rules.",
        asks=True,
        form=rf"dummy (?P<power>[\w-]+){SECRET}",
        judges=DP,
    ),
    Row("REVIVE ITALY mysecret", "revive {power}", form=r"revive (?P<power>[\w-]+) \S+", judges=DP),
    Row("TAKEOVER MASTER@alpha mysecret", "adopt {game}", form=rf"takeover master@{GAME}{SECRET}", judges=DP),
    Row(
        "PROCESS S1901M",
        said="The same. If orders are missing, you are told which and asked to confirm.",
        judges=BOTH,
        same=True,
    ),
    Row("PROCESS!", said="The same as `process`.", judges=DP, same=True),
    Row("PREDICT", said="The same as `preview`.", same=True),
    Row("PREVIEW", said="The same.", judges=DP, same=True),
    Row(
        "ROLLBACK 1",
        said="One phase back; to go further, name the phase: `rollback S1901M`. You are asked to confirm.",
        same=True,
    ),
    Row(
        "ROLLBACK S1901M FULL",
        "rollback {phase}",
        form=r"rollback (?P<phase>[a-z]\d{4}[a-z]) (?:full|restore)",
        judges=DP,
        said="Orders of the phases that were taken back are kept, and can be played again: `rollforward`.",
    ),
    Row("ROLLFORWARD", said="The same.", judges=DP, same=True),
    Row("PAUSE", said="The same as `hold`.", same=True),
    Row("RESUME", said="The same.", same=True),
    Row("TERMINATE", said="The same as `end game`; you are asked to confirm.", judges=BOTH, same=True),
    Row(
        "FORCE BEGIN",
        said="Nothing was begun. Powers that nobody is to play are named first: `set unplayed Italy`; then `start`.",
        form=r"force (?:begin|start)",
    ),
    Row(
        "UNSTART",
        said="A game that has begun does not go back; `end game` closes it, `create` makes another.",
        form=r"(?:unstart|un-start)",
    ),
    Row(
        "ACTIVATE",
        "start",
        "A game begins with `start`, once its seats are taken.",
        asks=True,
        form=r"(?:activate|form)",
        judges=DP,
    ),
    Row("OFFICIAL A word to all", said="The same as `broadcast`, from you.", judges=DP, same=True),
    Row("REVEAL", said="The same.", judges=DP, same=True),
    Row(
        "PURGE alpha", said="A game that has not begun is closed with `end game`.", form=r"purge(?: [\w-]+)?", judges=DP
    ),
    Row("RENAME alpha beta", said="A game keeps its name.", form=r"rename [\w-]+ [\w-]+", judges=DP),
    Row("NO CONTROL", said=_OPERATOR, form=r"(?:no|mcontrol|control)(?: control)+(?: .+)?"),
    Row("ADJUST 12 5 mysecret", said=_OPERATOR, form=r"adjust \d+ -?\d+(?: .+)?"),
    Row("RECORD 12 CD", said="Records are kept by themselves: `ratings`.", form=r"record \d+(?: .+)?"),
    Row("FIX ID", said=_OPERATOR, form=r"fix id(?: .+)?"),
)
