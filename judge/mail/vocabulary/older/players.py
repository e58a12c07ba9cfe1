"""Settings of who may play, and how a game finds its players.

What players write once they have signed on.

What is written before signing on: papers, lists, and the way into a game.
"""

from __future__ import annotations

from judge.mail.vocabulary.older.model import BOTH, DP, GAME, POWER, SECRET, Here, Row, Words, none

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


SEATS: tuple[Row, ...] = (
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


_ABSENT = r"(?:absence|holiday|vacation)"

PLAYERS: tuple[Row, ...] = (
    Row(
        "A Par-Bur, A Mar-Spa; F Bre-Mid",
        said="Orders are the same; yours are kept unit by unit.",
        judges=BOTH,
        same=True,
    ),
    Row("PHASE F1901M", said="The same as `for F1901:`; what stands below is kept for that phase.", same=True),
    Row("IF GERMANY A BUR THEN ... ELSE ... ENDIF", said="The same here, in the present phase, too.", same=True),
    Row(
        "CLEAR",
        said="Careful: it withdraws the orders of this turn. What was sent ahead: `clear F1901`.",
        judges=BOTH,
        same=True,
    ),
    Row("SET WAIT", said="The same as `wait`; it holds for one turn.", judges=BOTH, same=True),
    Row("SET NOWAIT", said="The same as `ready`.", judges=BOTH, same=True),
    Row("SET ABSENCE Dec 24 TO Dec 31", said="The same as `away 24 Dec to 31 Dec`.", judges=BOTH, same=True),
    Row("SET NO ABSENCE", said="The same as `back`, for all that you have announced.", same=True),
    Row(
        "SET NO ABSENCE Dec 24",
        "back",
        "It takes back all that you have announced; announce again what should stay.",
        asks=True,
        form=rf"set no ?{_ABSENT} .+",
    ),
    Row("SET DRAW", said="The same as `draw`: it calls a vote, or is your aye where one is open.", same=True),
    Row("SET DRAW FGR", said="The same as `draw F G R`, where the game's draws need not include everybody.", same=True),
    Row("SET NO DRAW", said="The same as `nay`.", same=True),
    Row("SET CONCEDE E", said="The same as `concede to E`.", same=True),
    Row("SET NO CONCEDE", said="The same as `nay`.", same=True),
    Row(
        "VOTE 3WAY",
        "draw",
        "A draw is shared by all survivors here; where the game lets fewer share it, name them: `draw LIST`.",
        asks=True,
        form=r"vote (?:for )?(?:an? )?\d{1,2}[ -]?way(?: draw)?",
        judges=DP,
    ),
    Row(
        "VOTE SOLO",
        said="There is no vote against every draw: `nay NUMBER` answers the open one; not voting counts as nay, too.",
        form=r"vote solo",
        judges=DP,
    ),
    Row("VOTE CONCEDE ENGLAND", "concede to {power}", form=r"vote concede(?: to)? (?P<power>.+)", judges=DP),
    Row("VOTE YES", said="The same as `aye`.", judges=DP, same=True),
    Row("SET PREFERENCE E[FGR][TAI]", said="The same as `prefer E [FGR] [TAI]`.", same=True),
    Row(
        "SET PASSWORD newsecret",
        said="The same as `new password WORD`; you are asked to confirm.",
        judges=BOTH,
        same=True,
    ),
    Row(
        "SET ADDRESS jane@home.example",
        said="The same as `my address ADDRESS`; you are asked to confirm.",
        judges=BOTH,
        same=True,
    ),
    Row("SET ZONE Europe/Berlin", said="The same as `my zone Europe/Berlin`.", judges=DP, same=True),
    Row("STATUS", said="The game, the deadline and your orders; `orders` alone shows these.", judges=DP, same=True),
    Row(
        "DIARY RECORD", said="The same as `diary`, its text on the lines below; also LIST, READ 1, DELETE 1.", same=True
    ),
    Row("RESIGN", said="You are asked to confirm; the seat is yours until you say yes.", judges=BOTH, same=True),
    Row("SIGN OFF", said="Nothing below it is read. It is never needed.", judges=BOTH, same=True),
)


_SIGN = r"(?:sign|signon|hello|login)(?: on)?"
_ASK = r"(?:get|send)(?: me)?"

BEFORE_SIGNING_ON: tuple[Row, ...] = (
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
