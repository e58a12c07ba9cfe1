"""Press: how it is sent, and the settings for it."""

from __future__ import annotations

from judge.languages import tell
from judge.mail.vocabulary.older.model import BOTH, DP, Here, Row, Words, none

_FAKED = "Recipients are never faked here: everybody who gets press reads to whom it went."
_HEAD = r"(?: (?:to|from) [\w,]+(?:, ?\w+)*)*"
_ALWAYS = "That is so in every game: nobody's press waits because they are late."


def _quiet(words: Words) -> Here:
    line = " ".join(f"{words['verb']} {words['head']} {words['tail']}".split())
    return Here((line,), tell("There is no press without an echo: QUIET changes nothing."))


ROWS: tuple[Row, ...] = (
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
