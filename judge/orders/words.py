"""The words of orders: every way in which people say "hold" or "supports", whole words only.

Each word stands for one letter of the order's *shape* (see `judge.orders.grammar`). Matching whole words keeps "to"
from being "t", "mid" from being "m" and "sc" from being "s".
"""

from __future__ import annotations

UNIT, PLACE, MOVE, SUPPORT, CONVOY, HOLD, RAILWAY = "U", "P", "-", "S", "C", "H", "L"
RETREAT, DISBAND, BUILD, WAIVE, VIA = "R", "D", "B", "W", "V"
NATION, HEADING, ALL, NUMBER, BREAK, UNKNOWN, CONDITION = "N", "Z", "O", "#", ",", "?", "X"
PASSIVE = "Y"
""" "Is supported by": who helps stands behind it. Two words make it, so `judge.orders.lexer` finds it."""
BACKWARDS = "E"
""" "<-", "from" behind the goal, "is attacked by": the line runs against the way in which orders are read."""

_WORDS = {
    UNIT: "a f army armies fleet fleets armee armeen armée flotte flotten flota flotta vloot",
    MOVE: """- m move moves moving moved mv to into onto toward towards against on attack attacks attacking attacked
        advance advances advancing march marches marching sail sails sailing go goes going enter enters entering
        proceed proceeds head heads heading travel travels invade invades invading
        nach vers naar hacia verso zieht ziehen geht gehen bewegt bewegen va vont""",
    SUPPORT: "s sup supp supports support supporting supported assist assists assisting aid aids aiding help helps",
    CONVOY: """c conv convoy convoys convoying convoyed transport transports transporting transp ferry ferries
        ferrying""",
    HOLD: """h hold holds holding held stand stands standing stood stay stays staying remains defend defends bleibt
        bleiben blijft steht stehen reste restent""",
    RETREAT: """r ret retreat retreats retreating retreated withdraw withdraws withdrawing withdrew flee flees rückzug
        rueckzug""",
    DISBAND: """d disband disbands disbanding disbanded remove removes removing removed removal destroy destroys
        destroyed delete dissolve dissolves scrap scraps scuttle
        removals disbandments off otb entferne entfernen entfernt""",
    BUILD: "b + build builds building built raise raises construct constructs baue bauen baut",
    WAIVE: "waive waives waiving waived pass passes skip",
    VIA: "via overseas through thru across",
    RAILWAY: "rr rail rails railway railways railroad",
    ALL: """all everyone everybody everything others other rest remaining remainder units every each any
        anything unordered""",
    BREAK: ", ; & and then also but u und et",
    CONDITION: """if unless else otherwise or when except not never cancel cancels canceled cancelled don't dont instead
        until maybe perhaps either neither without provided assuming depending forget ignore disregard scratch undo
        revoke rescind old was were formerly previously originally alternative alternatively possibly
        before previous earlier later next tomorrow yesterday
        void invalid wrong mistaken mistake obsolete outdated superseded withdrawn
        nicht kein keine keinen wenn falls statt ohne jamais sans sauf niet geen tenzij nunca ikke inte ikkje""",
}

KEYWORDS: dict[str, str] = {word: kind for kind, words in _WORDS.items() for word in words.split()}
"""Word -> letter of the shape."""

GLUED: dict[str, str] = {
    "sa": "SA",
    "sf": "SF",
    "ca": "CA",
    "s.a": "SA",
    "s.f": "SF",
}
"""Letters written together, as in the rule book's "A Bur SA Tyr-Mun"."""

_FILLERS = """
    the an my our his her its their your this that which where it i we me us please pls kindly in at of from by with for
    as order orders ordered ordering will shall would should like is are be being has have let lets unit force forces
    province position place board put try tries trying attempt attempts attempting again still self itself
    directly straight coast shore send sends sending
    die der das le la les il el het sich zurück zurueck en"""

FILLERS = frozenset(_FILLERS.split())
"""Words that say nothing about the order."""

UNIT_LETTERS = {"a": "A", "army": "A", "armies": "A", "f": "F", "fleet": "F", "fleets": "F"} | {
    **dict.fromkeys(("armee", "armeen", "armée"), "A"),
    **dict.fromkeys(("flotte", "flotten", "flota", "flotta", "vloot"), "F"),
}

TYPO_WORDS: dict[str, str] = {
    word: kind
    for word, kind in KEYWORDS.items()
    if len(word) >= 5 and kind in (SUPPORT, CONVOY, HOLD, RETREAT, DISBAND, BUILD, WAIVE)
} | {"holds": HOLD, "hold": HOLD, "army": UNIT, "fleet": UNIT, "moves": MOVE, "move": MOVE}
"""Order words long enough to be recognised through one typing slip."""
