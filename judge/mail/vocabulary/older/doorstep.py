"""What is written before signing on: papers, lists, and the way into a game."""

from __future__ import annotations

from judge.mail.vocabulary.older.model import BOTH, DP, GAME, POWER, SECRET, Row

_SIGN = r"(?:sign|signon|hello|login)(?: on)?"
_ASK = r"(?:get|send)(?: me)?"

ROWS: tuple[Row, ...] = (
    Row(
        "SIGN ON FALPHA mysecret",
        said="Says for which game and power the lines below are; from your own address it needs no password. To a "
        "power that nobody plays it is `claim GAME POWER`.",
        same=True,
    ),
    Row(
        "SIGN ON ?alpha mysecret gunboat",
        "join {game}",
        "A game has no password here.",
        form=rf"{_SIGN} \?(?P<game>[a-z][\w-]+)(?: .+)?",
    ),
    Row(
        "SIGN ON ? mysecret",
        ("list", "queue"),
        "A game is joined by its name here: `list` shows those that take players, `queue` waits for the next one.",
        asks=True,
        form=rf"{_SIGN} \?(?: .+)?",
    ),
    Row("SIGN ON oalpha mysecret", said="To watch is `observe GAME`.", same=True),
    Row("SIGNON FRANCE@alpha mysecret", said="The same here, without the password.", judges=DP, same=True),
    Row("JOIN alpha mysecret", said="The same here, without the password.", judges=DP, same=True),
    Row(
        "JOIN FRANCE@alpha mysecret",
        "join {game} prefer {power}",
        "Powers are drawn by lot; one that is named is a wish.",
        form=rf"join {POWER}@{GAME}(?: .+)?",
        judges=DP,
    ),
    Row(
        "TAKEOVER ITALY@alpha mysecret",
        "claim {game} {power}",
        form=rf"(?:takeover|take)(?: over)? (?!master@){POWER}@{GAME}{SECRET}",
        judges=DP,
    ),
    Row(
        "RESIGN ITALY@alpha mysecret", said="You are asked to confirm before the seat is vacant.", judges=DP, same=True
    ),
    Row("OBSERVE jane@alpha mysecret", "observe {game}", form=rf"(?:observe|watch) [\w.-]+@{GAME}(?: .+)?", judges=DP),
    Row("MONITOR jane@alpha mysecret", "observe {game} results", form=rf"monitor [\w.-]+@{GAME}(?: .+)?", judges=DP),
    Row("GET PACKAGE", said="The same as `help`; GET flist, GET INDEX and GET INFO, too.", same=True),
    Row("GET FORM", said="No form is needed: `register name NAME zone ZONE`.", same=True),
    Row("GET RULES", "house rules", form=rf"{_ASK} rules"),
    Row("GET DEDICATION", "my account", form=rf"{_ASK} dedication"),
    Row(
        "REGISTER ... END", said="Name and zone are read from its lines; nobody's address or phone is kept.", same=True
    ),
    Row("I AM ALSO jane@home.example", said="The same as `add address ADDRESS`.", same=True),
    Row(
        "WHOIS jane@home.example",
        said="Nobody's address or record is shown to others: `my account` shows yours, `status GAME` who plays.",
        form=r"(?:whois|get) (?:whois|\S+@\S+)(?: .+)?",
    ),
    Row("WHOGAME alpha FULL", "status {game}", "Addresses are shown to nobody.", form=rf"whogame {GAME} full"),
    Row(
        "INFO PLAYER jane@home.example",
        said="Nobody's record is shown by address: `ratings` has what everybody may read, `my account` yours.",
        form=r"info player \S+",
    ),
    Row("LIST alpha", said="The same as `status alpha`.", judges=BOTH, same=True),
    Row("LIST FULL", said="The same as `list`.", same=True),
    Row(
        "HISTORY alpha FROM Mar 1 TO Apr 1 LINES 200",
        "history {game}",
        "It is asked for by phases here, as `history alpha S1901 to F1903`, and comes whole.",
        form=rf"history(?: {GAME})? (?:(?:from|to|since) (?:[a-z]{{3}} \d|\d+ [a-z]{{3}}\b)|lines \d|excl|broad).*",
    ),
    Row("SUMMARY alpha", said="The same as `history alpha`.", judges=BOTH, same=True),
    Row("MAP alpha gif", said="Maps come as PNG, SVG or PDF: `map alpha pdf`.", judges=BOTH, same=True),
)
