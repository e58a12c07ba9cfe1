"""What players write once they have signed on."""

from __future__ import annotations

from judge.mail.vocabulary.older.model import BOTH, DP, Row

_ABSENT = r"(?:absence|holiday|vacation)"

ROWS: tuple[Row, ...] = (
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
