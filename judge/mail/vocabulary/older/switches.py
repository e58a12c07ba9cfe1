"""Settings of rules, variants, draws, preferences and what remains; DPjudge's RULEs."""

from __future__ import annotations

from judge.languages import tell
from judge.mail.vocabulary.older.model import BOTH, DP, Here, Row, Words, none

_BOARDS = {"standard": "set map standard", "european": "preset european"}
_KINDS = {"gunboat": "set anonymous yes"}
_RULES = "A game's rules are its board's (`set map`), its preset (`set rules`) and single `choices`: `help editions`."
_CENTRES = (
    "A game is won by the centres of one power, as many as its setting `victory` says, decided before the start: "
    "`set victory 15`. One that is to end sooner has `end_after` (as F1908) and `short_winner`: draw, units or centres."
)
_LOT = "Powers are drawn by lot among those who wish them: `prefer`. It is the same for every game."


def _variant(words: Words) -> Here:
    name, no = words["name"].lower(), bool(words["no"])
    line = _KINDS.get(name, "") or ("" if no else _BOARDS.get(name, ""))
    if line:
        return Here((line.replace(" yes", " no") if no else line,))
    return Here(said=tell("{rules} Nothing was changed.", rules=_RULES))


def _rule(words: Words) -> Here:
    name = "_".join(words["name"].lower().replace("-", "_").split())
    found = _DP_RULES.get(name)
    return found or Here(said=tell("That rule has no counterpart here. {rules} Nothing was changed.", rules=_RULES))


_DP_RULES = {
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

ROWS: tuple[Row, ...] = (
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
        for name in _DP_RULES
        if name != "no_press"
    ),
)
"""Of two rows for one form the first counts."""
