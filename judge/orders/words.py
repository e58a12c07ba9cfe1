"""The words of orders: a line cut into tokens, what each word says, and what it says beside others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from unicodedata import normalize

from judge.board.spelling import DIRECTED
from judge.orders import tongues
from judge.orders.tongues import elisions_abroad, words_abroad

UNIT, PLACE, MOVE, SUPPORT, CONVOY, HOLD, RAILWAY = "U", "P", "-", "S", "C", "H", "L"
RETREAT, DISBAND, BUILD, WAIVE, VIA = "R", "D", "B", "W", "V"
NATION, HEADING, ALL, NUMBER, BREAK, UNKNOWN, CONDITION = "N", "Z", "O", "#", ",", "?", "X"
PASSIVE = "Y"
""" "Is supported by": who helps stands behind it. Two words make it, so `judge.orders.lexer` finds it."""
BACKWARDS = "E"
""" "<-", "from" behind the goal, "is attacked by": the line runs against the way in which orders are read."""

_WORDS = {
    UNIT: "a f army armies fleet fleets",
    MOVE: """- m move moves moving moved mv to into onto toward towards against on attack attacks attacking attacked
        advance advances advancing march marches marching sail sails sailing go goes going enter enters entering
        proceed proceeds head heads heading travel travels invade invades invading""",
    SUPPORT: "s sup supp supports support supporting supported assist assists assisting aid aids aiding help helps",
    CONVOY: """c conv convoy convoys convoying convoyed transport transports transporting transp ferry ferries
        ferrying""",
    HOLD: """h hold holds holding held stand stands standing stood stay stays staying remains defend defends""",
    RETREAT: """r ret retreat retreats retreating retreated withdraw withdraws withdrawing withdrew flee flees""",
    DISBAND: """d disband disbands disbanding disbanded remove removes removing removed removal destroy destroys
        destroyed delete dissolve dissolves scrap scraps scuttle
        removals disbandments off otb""",
    BUILD: "b + build builds building built raise raises construct constructs",
    WAIVE: "waive waives waiving waived pass passes skip",
    VIA: "via overseas through thru across",
    RAILWAY: "rr rail rails railway railways railroad",
    ALL: """all everyone everybody everything others other rest remaining remainder units every each any
        anything unordered""",
    BREAK: ", ; & and then also but u",
    CONDITION: """if unless else otherwise or when except not never cancel cancels canceled cancelled don't dont instead
        until maybe perhaps either neither without provided assuming depending forget ignore disregard scratch undo
        revoke rescind old was were formerly previously originally alternative alternatively possibly
        before previous earlier later next tomorrow yesterday
        void invalid wrong mistaken mistake obsolete outdated superseded withdrawn""",
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
    province position place board put try tries trying attempt attempts attempting again once more now too still self
    itself directly straight coast shore send sends sending"""

UNIT_LETTERS = {"a": "A", "army": "A", "armies": "A", "f": "F", "fleet": "F", "fleets": "F"}

TYPO_WORDS: dict[str, str] = {
    word: kind
    for word, kind in KEYWORDS.items()
    if len(word) >= 5 and kind in (SUPPORT, CONVOY, HOLD, RETREAT, DISBAND, BUILD, WAIVE)
} | {"holds": HOLD, "hold": HOLD, "army": UNIT, "fleet": UNIT, "moves": MOVE, "move": MOVE}
"""Order words long enough to be recognised through one typing slip."""

_ABROAD = list(words_abroad(KEYWORDS.keys() | _FILLERS.split()))
FILLERS = frozenset((*_FILLERS.split(), *(word for word, says in _ABROAD if says == tongues.FILLER)))
"""Words that say nothing about the order."""
UNIT_LETTERS |= {word: says for word, says in _ABROAD if says in (tongues.ARMY, tongues.FLEET)}
KEYWORDS |= {word: UNIT if word in UNIT_LETTERS else says for word, says in _ABROAD if word not in FILLERS}


COAST_NEXT = frozenset(("/", "(", "[", "nc", "sc", "ec", "wc", *DIRECTED))
"""What may stand between a place's name and its coast, or be the coast."""

CARRIERS = frozenset(("sea", "ship", "ships", "boat"))
""" "By sea" is by convoy; elsewhere the word says nothing ("Western Mediterranean Sea")."""

TURNED = CARRIERS | {"else", "except", "on", "from", "by", "of", "with"} | tongues.OF
"""Words whose letter depends on what stands before them."""

_RAILWAYS = tuple(word for word, kind in KEYWORDS.items() if kind == RAILWAY)

_WAYS = [[word] for word in (*CARRIERS, *_RAILWAYS, "convoy", "convoys", "land", "way")]


def _next(tokens: list[str], index: int) -> list[str]:
    """The next word, and the one behind an article."""
    after = tokens[index + 1 : index + 3]
    return after if after[:1] in (["the"], ["my"]) else after[:1]


_HAVING = frozenset(("with", "has", "have", "having", "under", "gets", "receives"))
""" "With support of A Bur": the support is what it has, not what it gives."""


def names_a_place(before: str, following: str, units: Mapping[str, str]) -> bool:
    """Whether a word that is both an order word and the code of a place means the place here. `before`: the letters of
    the shape so far; `following`: the next word, "" at the end of the line; `units`: the words for units.
    """
    if following in COAST_NEXT:
        return True
    last, joins = before[-1:], following in units or following in _JOINED
    if last in ("-", "L", "V", "B", "E"):
        return True
    if last == "U":
        return not joins
    goes_on = KEYWORDS.get(following, "") in tuple("-SCHRDL") or following[:1] in ("-", ">")
    ends = not following or KEYWORDS.get(following) == ","
    if last in ("", ",", "N", "Z"):
        return goes_on
    if last in ("S", "C", "R", "D"):
        return goes_on or ends
    return before == "UP" and ends


_JOINED = frozenset(("then", "also", "the"))
"""Words that may follow "and" in a row of orders, besides those for units."""


def turned(token: str, before: str, last: str, kind: str) -> str:
    """The letter of a word that follows others: in "everything else holds", "all hold except ...", "fleet on the south
    coast" and "by sea". `last`: the letter before it; `kind`: its letter elsewhere, given back for all other words.
    """
    if token in CARRIERS:
        return "V" if before == "by" else ""
    if token == "on" or token in tongues.OF:
        return "" if last == "U" else kind
    if last not in ("H", "O"):
        return kind
    return "" if token == "else" else ","


def agent(tokens: list[str], index: int, starts: list[int], kinds: list[str], units: Mapping[str, str]) -> str:
    """The letter for "by", "from", "of" or "with", which may introduce whoever carries out the order. The support or
    convoy word before it is changed in `kinds` to its passive; `BACKWARDS` is returned where the order would otherwise
    be read backwards ("A Par to Bur from Mar", "support Par to Bur with Mar"), that for "via" in "A Edi - Nwy by F
    Nth", "" where the word means nothing. `units`: the words for units.
    """
    token, last = tokens[index], kinds[-1] if kinds else ""
    if token == "with":
        named = not units.keys().isdisjoint(_next(tokens, index)) or kinds[:1] != ["-"]
        return BACKWARDS if kinds and kinds[0] in ("-", "S", "C") and "P" in kinds and named else ""
    if last == "S" and (token != "of" or not _HAVING.isdisjoint(tokens[max(0, starts[-1] - 3) : starts[-1]])):
        kinds[-1] = PASSIVE
        return ""
    if last == "C" and token == "by":
        kinds[-1] = "V"
        return ""
    if token == "by" and kinds[-2:] == ["-", "P"] and not units.keys().isdisjoint(_next(tokens, index)):
        return VIA
    done_by = token == "by" and last in ("-", "H", "D", "R") and tokens[index + 1 : index + 2] not in _WAYS
    goal_first = token == "from" and "P" in kinds and (last in ("P", "U") or kinds[-2:-1] == ["P"])
    return BACKWARDS if done_by or goal_first else ""


_FOLDED = str.maketrans(
    {
        **dict.fromkeys("–—−‐‑‒―⁃", "-"),
        **dict.fromkeys("→⇒➔➜➞⟶⇨►▶", ">"),
        **dict.fromkeys("←⇐⟵⟸↔⇔⟷", "<"),
        **dict.fromkeys("’‘´ʼ′", "'"),
        **dict.fromkeys("↛⇏⇸⇹↮⇎", "≠"),
        "；": ";",
        "，": ",",
    }
)
CROSSED = "≠"
"""The one mark for every arrow that denies its move: "!-", "-/->", "↛"."""
_TOKEN = re.compile(rf"[^\W\d_]+(?:'[^\W\d_]+)*|\d+|<[-<>]*|[->]+|[+,;:/()\[\]&#{CROSSED}]")
_SMILEY = re.compile(r"(?<=\s)[:;]'?(?:-[)(DPp]|[)(])(?=\s|$)")
_MISLABELLED = re.compile("\u00e2[\u0080\u20ac][\u0093\u0094\u201c\u201d]")
"""A dash of UTF-8 under the label of another character set: "â€“"."""

_DOTTED_COAST = re.compile(r"\b([nsew])\.c\b", re.IGNORECASE)
_BULLET = re.compile(r"[\s>*•·‣▪◦\-–—]+")
_CROSSED_ARROW = re.compile(r"![-=~]*>|![-=]+|[-=]+/+[-=]*>|[-=]/[-=]+|[-=]+[xX][-=]+>?")
_STRUCK_OUT = re.compile(r"~~(?=\S).*?\S~~|<(s|del|strike)>.*?</\1>|(?:[^\n]\u0336)+", re.IGNORECASE)
_STRIKES = re.compile(r"~~|</?(?:s|del|strike)>|\u0336", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{2,6}|#x[0-9a-f]{2,5}|[a-z]{2,8}\d?);", re.IGNORECASE)
_LETTERED = re.compile(
    r"(?:#\s?\d{1,3}[.):]?|\(?(?:[a-z]|[ivx]{2,4}|\d{1,3}\.)\)|[ivx]{2,4}\.|\d{1,3}(?:st|nd|rd|th)[.:)]?(?=\s)"
    r"|[a-z](?<![bdrw])[.:](?=\s)"
    r"|[bdrw][.:](?=\s.*(?:[->–—→]|\b(?:to|s|c|h|supports?|convoys?|holds?)\b))|\[[\sx✓\d]{0,3}\]|[①-⑳]|\d\ufe0f?\u20e3"
    r"|(?:no|nr)\.? ?\d{1,3}[.):]?|(?:order|unit|move) \d{1,3}[.):])"
    r"\s*(?=(?:a|f|army|fleet|the|my|build|remove)\b)",
    re.IGNORECASE,
)
""" "#1", "a)", "b.", "C:", "[x]", "iv.", "1st", "No. 1:", "Order 1:" before a unit; "B. A Par" alone builds."""
_NUMBERING = re.compile(r"\(?\d{1,3}(?:[.):\]/|]\s*|\s+(?!(?:w|waives?|pass)\b))(?=[^\W\d_(\[])", re.IGNORECASE)
_ANGLED = re.compile(r"<((?!(?:s|del|strike)>)\w[^<>]*(?:->[^<>]*)?)>\s*", re.IGNORECASE)
""" "<A Par - Bur>", as people who were shown a pattern write it."""
_TAG = re.compile(
    r"</?(?:[abipu]|em|strong|br|li|ul|ol|div|span|tt|pre|code|font|t[dr]|h[1-6])(?:\s+[\w-]+=[^<>]{0,200})?\s*/?>",
    re.IGNORECASE,
)
""" "<b>", "</li>": marks of a page that came as plain text; "<s>" strikes out."""
_LAST_MARKS = re.compile(rf"(?:[*`\s]|{_TAG.pattern}){{1,20}}$", re.IGNORECASE)
_ELISION = re.compile(elisions_abroad(), re.IGNORECASE)
""" "L'armée d'Ankara"."""
_IS_NUMBERED = re.compile(r".{0,5}\)|.{1,4}\.|.:|(?:order|unit |move |no\.? )", re.IGNORECASE)
""" How a line that begins with a letter may begin, if the letter is a number of sorts: "b. A Par", "iv) A Par"."""
COMMENT = re.compile(r"//.*|(?:^|\s)#\s.*")


def fold(text: str) -> str:
    """A line with its dashes, arrows and quotes made plain; as long as before, so that positions stay true.

    >>> fold("F. Pic. – Bel. (s.c.)")
    'F. Pic. - Bel. (sc .)'
    """
    if ".c" in text or ".C" in text:
        text = _DOTTED_COAST.sub(r"\1c ", text)
    if "&" in text and ";" in text:
        text = _ENTITY.sub(_plain_mark, text)
    if "!" in text or "/" in text or "~~" in text or "x-" in text or "X-" in text:
        text = _STRUCK_OUT.sub(_blank, text)
        text = _CROSSED_ARROW.sub(lambda match: CROSSED.ljust(len(match[0])), text)
    if "<" in text and ">" in text:
        text = _TAG.sub(_blank, text)
    if ":" in text or ";" in text:
        text = _SMILEY.sub(lambda match: " " * len(match[0]), text)
    text = text if text.isascii() else _plain(text)
    return _ELISION.sub(_blank, text) if "'" in text else text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _plain_mark(match: re.Match[str]) -> str:
    """A mark that a program spelt for the web, "&gt;" or "&rarr;", as the mark; letters stay as they are."""
    sign = unescape(match[0])
    return match[0] if len(sign) != 1 or sign.isalnum() else sign.ljust(len(match[0]))


def unstruck(text: str) -> str:
    """A line without the marks that strike out its words, and with the words: what it spoke of."""
    return _STRIKES.sub(" ", text) if "~~" in text or "<" in text or "\u0336" in text else text


def is_struck(text: str) -> bool:
    """Whether words of a line are struck out."""
    return _STRUCK_OUT.search(text) is not None


def _plain(text: str) -> str:
    """Marks and letters of other shapes as those of a typewriter: "Ａ Ｐａｒ － Ｂｕｒ"."""
    if "\u0336" in text:
        text = _STRUCK_OUT.sub(_blank, text)
    text = _MISLABELLED.sub("---", text).translate(_FOLDED)
    if text.isascii():
        return text
    return "".join(plain if len(plain := normalize("NFKC", sign)) == 1 else sign for sign in text).translate(_FOLDED)


def strip_marks(text: str) -> str:
    """A line without bullets, numbering and comments.

    >>> strip_marks(" * 1. F Lon - Nth // go")
    'F Lon - Nth'
    """
    if "//" in text or "#" in text:
        text = COMMENT.sub("", text)
    begin = text[:1]
    if begin == "<" or text[-1:] in "*`>":
        text = _without_marks_of_pages(text)
        begin = text[:1]
    if begin.isalpha() and (text[1:2] == " " or not _IS_NUMBERED.match(text)):
        return text.rstrip()
    match = _BULLET.match(text)
    start = match.end() if match else 0
    number = _LETTERED.match(text, start) or _NUMBERING.match(text, start)
    return text[number.end() if number else start :].strip()


def _without_marks_of_pages(text: str) -> str:
    """A line without the marks of a page around it: "<li>", "**"; "<A Par - Bur>" is the pattern of an order."""
    while (match := _TAG.match(text)) is not None:
        text = text[match.end() :].lstrip()
    text = _LAST_MARKS.sub("", text)
    match = _ANGLED.fullmatch(text) if text[:1] == "<" else None
    return match[1] if match else text


def tokens_of(folded: str) -> list[str]:
    """The words and marks of a folded line, in small letters."""
    return _TOKEN.findall(folded.lower())


def token_spans(folded: str) -> list[tuple[int, int]]:
    """Where the tokens of `tokens_of` stand."""
    return [match.span() for match in _TOKEN.finditer(folded)]
