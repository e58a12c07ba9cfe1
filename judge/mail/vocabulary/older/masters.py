"""What Masters write, but for their many SETs.

Settings of rules, variants, draws, preferences and what remains; DPjudge's RULEs.

Press: how it is sent, and the settings for it.
"""

from __future__ import annotations

from judge.languages import tell, together, told_later
from judge.mail.vocabulary.older.model import BOTH, DP, GAME, SECRET, Here, Row, Words, none

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


MASTERS: tuple[Row, ...] = (
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


_BOARDS = {"standard": "set map standard", "european": "preset european"}
_SWITCHED = {"gunboat": "set anonymous yes"}
_RULES = told_later(
    "A game's rules are its board's (`set map`), its preset (`set rules`) and single `choices`: `help editions`."
)
_CENTRES = (
    "A game is won by the centres of one power, as many as its setting `victory` says, decided before the start: "
    "`set victory 15`. One that is to end sooner has `end_after` (as F1908) and `short_winner`: draw, units or centres."
)
_LOT = "Powers are drawn by lot among those who wish them: `prefer`. It is the same for every game."


def _variant(words: Words) -> Here:
    name, no = words["name"].lower(), bool(words["no"])
    line = _SWITCHED.get(name, "") or ("" if no else _BOARDS.get(name, ""))
    if line:
        return Here((line.replace(" yes", " no") if no else line,))
    return Here(said=together(tell(_RULES), tell("Nothing was changed.")))


def _rule(words: Words) -> Here:
    name = "_".join(words["name"].lower().replace("-", "_").split())
    found = DP_RULES.get(name)
    none = tell("That rule has no counterpart here.")
    return found or Here(said=together(none, tell(_RULES), tell("Nothing was changed.")))


DP_RULES = {
    "no_press": Here(("set press none",)),
    "grey_press": Here(("set press grey",)),
    "white_grey": Here(("set press white, grey",)),
    "white_grey_press": Here(("set press white, grey",)),
    "public_press": Here(("set partial_press no",)),
    "civil_disorder": Here(
        ("set nmr disorder", "set nmr removals"),
        "`disorder` processes at the deadline, without a time of grace; `removals` only for adjustments.",
        asks=True,
    ),
    "cd_dummies": Here(
        said="`disorder POWER` leaves a vacant power in civil disorder; one that nobody is to play from "
        "the start is among `unplayed`."
    ),
    "hide_late_powers": Here(("set hide_late yes",)),
    "hide_absentees": Here(said="All players are told who is away, so that nobody wonders."),
    "player_deadlines": Here(said="A player has so many free extensions: `set extensions 2`."),
    "always_wait": Here(("set early no",), "Turns are then processed at their deadline."),
    "no_minor_wait": Here(said="Who has nothing to order keeps nobody waiting."),
    "real_time": Here(("set early_delay 0h",), "A turn is then processed as soon as everything is in.", asks=True),
    "power_choice": Here(said=_LOT),
    "default_unordered": Here(said="A unit without an order holds; `always ORDER` gives it one for every turn."),
    "no_check": Here(("set no_mistakes no",), "Faulty orders are then kept as they are."),
    "no_draw": Here(said="When draws may be proposed is `draw_from`: `set draw_from F1910`."),
    "propose_dias": Here(("set dias yes",)),
    "broadcast_orders": Here(said="Orders are shown to nobody before the turn is processed."),
    "fake_press": Here(("set press white, black",), "Black press may be signed with any name.", asks=True),
}
"""DPjudge's RULEs that have a counterpart, or a reason of their own why not."""

SWITCHES: tuple[Row, ...] = (
    Row("SET VARIANT standard", _variant, form=r"set variant (?P<no>)(?P<name>[\w-]+)", judges=BOTH),
    Row("SET VARIANT gunboat", _variant, form=r"set variant (?P<no>)(?P<name>gunboat)"),
    Row("SET NOT VARIANT gunboat", _variant, form=r"set (?P<no>not?) variant (?P<name>[\w-]+)"),
    Row("SET GUNBOAT", "set anonymous yes", form=r"set gunboat"),
    Row("SET NO GUNBOAT", "set anonymous no", form=r"set not? ?gunboat"),
    Row("SET CENTERS 20", "set victory {count}", form=r"set cent(?:er|re)s (?P<count>\d+)"),
    Row("SET CENTERS", said=_CENTRES, form=r"set cent(?:er|re)s(?: \D.*)?"),
    Row("SET ALLIED WIN", said=_CENTRES, form=r"set (?:no ?)?allied ?win"),
    Row("SET CAPTURE WIN", said=_CENTRES, form=r"set (?:no ?)?capture ?win"),
    Row(
        "SET PLAYERS 5",
        said="The number of players, before the start. Who plays several powers, and which powers "
        "nobody plays, is settled by it and by `unplayed`.",
        same=True,
    ),
    Row("SET POWERS 5", said="Powers that nobody plays are named: `set unplayed Italy`.", form=r"set powers(?: \d+)?"),
    Row("SET DIAS", "set dias yes", form=r"set dias"),
    Row("SET NODIAS", "set dias no", form=r"set (?:not? ?dias)"),
    Row("SET CONCESSIONS", "set concessions yes", form=r"set concessions?"),
    Row("SET NO CONCESSIONS", "set concessions no", form=r"set not? ?concessions?"),
    Row("SET PROXY", "set proxy yes", form=r"set proxy"),
    Row("SET NO PROXY", "set proxy no", form=r"set not? ?proxy"),
    *none(_LOT, "SET PRFLIST", "SET PRFBOTH", "SET PRFRAND"),
    *none(
        _RULES,
        *("SET STRICT CONVOY", "SET COASTAL CONVOYS", "SET PORTAGE", "SET TRANSFORM", "SET SUMMER", "SET BLANK BOARD"),
        *("SET AUTO DISBAND", "SET ANY DISBAND", "SET ANY CENTRE", "SET HOME CENTRE", "SET ONE CENTRE"),
        *("SET BLIND", "SET DUPLEX", "SET INTIMATE", "SET WINGS", "SET CHAOS", "SET STORM"),
    ),
    Row("SET ANY CENTER", said=_RULES, form=r"set (?:no ?)?(?:any|home|one) cent(?:er|re)s?"),
    Row(
        "SET EP 12",
        said="A game has a name and no number. A note for the next report is `note: TEXT`.",
        form=r"set (?:ep|bn|mn)(?: .+)?",
    ),
    Row("RULE NO_PRESS", _rule, form=r"rule (?P<name>[a-z]+(?:[_-][a-z]+)+)", judges=DP),
    *(
        Row(f"RULE {name.upper()}", _rule, form=rf"rule (?P<name>{name})", judges=DP)
        for name in DP_RULES
        if name != "no_press"
    ),
)
"""Of two rows for one form the first counts."""


_FAKED = "Recipients are never faked here: everybody who gets press reads to whom it went."
_HEAD = r"(?: (?:to|from) [\w,]+(?:, ?\w+)*)*"
_ALWAYS = "That is so in every game: nobody's press waits because they are late."


def _quiet(words: Words) -> Here:
    line = " ".join(f"{words['verb']} {words['head']} {words['tail']}".split())
    return Here((line,), tell("There is no press without an echo: QUIET changes nothing."))


PRESS: tuple[Row, ...] = (
    Row("PRESS TO EF", said="The same; names are understood too. ENDPRESS ends it.", judges=BOTH, same=True),
    Row("PRESS GREY TO EF", said="The same: grey press is unsigned.", same=True),
    Row("BROADCAST", said="The same as `press to all`.", judges=BOTH, same=True),
    Row("PRESS TO ALL BUT EF", said="The same.", same=True),
    Row("POSTAL PRESS", said="The same: it waits for the next report.", same=True),
    Row("PRESS TO EF FAKE BROADCAST", said=f"{_FAKED} `press black to EF` hides who writes.", judges=BOTH, same=True),
    Row("PRESS TO EF FROM WHITE", said="The same as white press, signed; FROM GREY as grey.", judges=DP, same=True),
    Row("PRESS TO EF FROM RUSSIA", said="The same as `press black as RUSSIA to EF`.", judges=DP, same=True),
    Row(
        "BROADCAST QUIET",
        _quiet,
        form=rf"(?P<verb>press|broadcast)(?P<head>{_HEAD}) quiet(?P<tail>{_HEAD})",
        judges=DP,
    ),
)

SETTINGS: tuple[Row, ...] = (
    Row("SET WHITE", "set press white", form=r"set white"),
    Row("SET GREY", "set press grey", form=r"set gr[ea]y"),
    Row("SET WHITE/GREY", "set press white, grey", form=r"set (?:white ?/ ?gr[ea]y|gr[ea]y ?/ ?white)"),
    Row("SET NONE", "set press none", form=r"set (?:none|no ?press)"),
    Row("SET PARTIAL", "set partial_press yes", form=r"set partial(?: press)?"),
    Row("SET NO PARTIAL", "set partial_press no", form=r"set no ?partial(?: press)?"),
    Row("SET PARTIAL MAY BE FAKED", said=_FAKED, form=r"set (?:no ?)?partial may(?: not)? be faked"),
    Row("SET PARTIAL FAKES BROADCAST", said=_FAKED, form=r"set partial fakes broadcast(?: by default)?"),
    Row("SET MINOR PRESS", "set minor_press yes", form=r"set minor ?press"),
    Row("SET NO MINOR PRESS", "set minor_press no", form=r"set no ?minor ?press"),
    Row("SET POSTAL PRESS", "set postal_press yes", form=r"set postal ?press"),
    Row("SET NO POSTAL PRESS", "set postal_press no", form=r"set no ?postal ?press"),
    Row("SET ALL PRESS", "set watch_press yes", "You get a copy of all press.", form=r"set all ?press"),
    Row("SET NORMAL PRESS", "set watch_press no", form=r"set normal ?press"),
    Row(
        "SET WATCH ALL PRESS",
        said="Nobody but the Gamemaster reads press between players; `set watch_press yes` is theirs.",
        form=r"set (?:no ?)?watch all ?press",
    ),
    *none(_ALWAYS, "SET LATE PRESS", "SET GRACE PRESS"),
    Row(
        "SET NO LATE PRESS",
        said="Press is never barred to those who are late.",
        form=r"set no ?(?:late|grace) ?press",
    ),
    Row(
        "SET MUST ORDER",
        said="Press is never barred to those whose orders are not in.",
        form=r"set (?:no ?)?must ?order",
    ),
    Row(
        "SET TOUCH PRESS",
        said="Press goes to whom its author names, neighbour or not. `set partial_press no` leaves broadcasts alone.",
        form=r"set (?:no ?)?touch ?press",
    ),
    Row(
        "SET BLANK PRESS",
        said="There is no such setting; press without a text is never sent.",
        form=r"set (?:no ?)?blank ?press",
    ),
    Row("SET OBSERVER ANY", "set press_from_observers yes", form=r"set observer any(?: press)?"),
    Row(
        "SET OBSERVER WHITE",
        "set press_from_observers yes",
        "Observers sign what they write.",
        form=r"set observer white(?: press)?",
    ),
    Row("SET OBSERVER NO", "set press_from_observers no", form=r"set (?:observer no(?:ne)?|no ?observer)(?: press)?"),
)
