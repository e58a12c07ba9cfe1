"""Single lines: those that are never commands (courtesies, stop words, comments), and passwords, made unreadable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from judge.board.model import Board
from judge.board.names import gazetteer_of
from judge.game.filing.conditional import bare_condition
from judge.game.settings.table import TABLE
from judge.mail.phrases import WROTE
from judge.mail.script.sayings import OF_THE_GAME, ORDINARY
from judge.mail.vocabulary import Unclear
from judge.orders.reader import looks_like_order

_COMMENT = re.compile(r"(?:^|\s)//.*$")
_BULLET = re.compile(r"^\s*(?:[*•·‣▪◦+-]\s+|\(?\d{1,3}[.)]\s+)")

_LONGEST_ORDERS = 2000

STOP_WORDS = frozenset(
    {"end", "signoff", "sign off", "sign-off", "endorders", "end orders", "end of orders", "stop", "eof", "bye", "--"}
)
"""A line that is nothing but one of these ends the mail."""

_COURTESY = re.compile(
    r"(?:(?:hi|hello|hey|hallo|dear|greetings|good (?:morning|day|afternoon|evening))\b[^:;?]{0,40}"
    r"|(?:many |best |kind |warm )?(?:thanks|thank you|thx|cheers|regards|wishes|greetings|best)\b[^:;?]{0,40}"
    r"|(?:yours(?: sincerely| truly| faithfully)?|sincerely|ciao|tia|mfg|see you|take care|good luck)\b[^:;]{0,30}"
    r"|(?:here are |these are |here come |below are )?my (?:orders|moves)\b[^:;]{0,40}:?"
    r"|(?:on|am|le|el|op)\b.{0,90}\b(?:wrote|writes|schrieb|a écrit|escribió|schreef) ?:"
    r"|(?:happy (?:new year|birthday|holidays|easter|christmas)|merry (?:christmas|xmas)|season's greetings"
    r"|congratulations|congrats|well (?:played|done)|good game|nice (?:game|move|to meet you)|have (?:a|fun)"
    r"|all the best|enjoy|welcome|no (?:problem|worries)|sorry for the (?:delay|trouble|noise)"
    r"|(?:i )?hope (?:you|this|all|everybody|everyone))\b"
    r"[^:;?]{0,50}"
    r"|sent from my [^:;]{0,40}|get outlook for [^:;]{0,20})[,.!\s-]*",
    re.IGNORECASE,
)

_SECRET = re.compile(
    r"^[\s>|*-]*(?:my\s+)?(?:p[aoe]?s+w?o?r?d|passwo?rt|passwd|pass\s?word|pswd|pw|pin(?:\s?code)?)"
    r"(?:\s+is)?\s*[:=]?\s+(\S+)\s*$|^[\s>|*-]*(?:my\s+)?(?:password|passwd|pw|pin)\s*[:=]\s*(\S+)\s*$",
    re.IGNORECASE,
)
_SIGN_ON = re.compile(r"^[\s>|*-]*(?:sign\s?on|log\s?in)\s+\S+\s+(\S+)\s*$", re.IGNORECASE)

_NEW_SECRET = re.compile(
    r"^[\s>|*-]*(?:set|change|new|please)[\s\w]{0,20}?\b(?:password|passwd|pw|pin)\b\s*(?:[:=]|to\b|is\b)?\s*(\S+)\s*$",
    re.IGNORECASE,
)

_SIGNED = re.compile(
    r"^[\s>|*-]*(?:(?P<any>sign\s?on|log\s?in)|create(?: game)?|observe|watch|monitor|subscribe|join(?: game)?|resign"
    r"|withdraw|leave|claim|take\s?over|adopt|invest|revive|dummy|(?P<greets>hello)|register)\s+(?P<target>\S+)\s+(?P<rest>\S.*)$",
    re.IGNORECASE,
)
"""How the older judges' lines with a password in them begin: a verb, a game or POWER@GAME, the password, more words."""

_OPEN = frozenset(
    [
        "preset",
        "standard",
        "zone",
        "timezone",
        "name",
        "prefer",
        "preferences",
        "preference",
        "results",
        "report",
        "reports",
        "digest",
        "good",
        "weekly",
        "everything",
        "with",
        "game",
        "games",
        "only",
        "every",
        "because",
        "reason",
        "please",
        "thanks",
        "until",
        "from",
        "this",
        "that",
        "france",
        "england",
        "germany",
        "italy",
        "russia",
        "turkey",
        "austria",
        "austria-hungary",
        "hungary",
        "spain",
        "called",
        "named",
        "power",
        "good",
        "ever",
        "forever",
        "orders",
        "seat",
        "vote",
        "editor",
        "pdf",
        "epub",
        "html",
        "text",
        "notice",
        "letter",
        "booklet",
        "ascii",
    ]
)
"""Words of our own forms of these lines, which are shown as they are; so are the names of settings, and what is said of
them.
"""
_SETTINGS = frozenset(word for name, one in TABLE.items() for words in (name, *one.synonyms) for word in words.split())
_FREE = frozenset({"prefer", "preference", "preferences", "name", "reason", "because"})
"""Behind these everything is the author's own words."""

_NAMES_NEXT = frozenset({"in", "of", "for"})
"""Behind these a game is named: "claim France in baltic"."""

_ARTICLES = frozenset({"a", "an", "the", "my", "our", "me", "us", "it", "this", "that", "new", "some", "game"})
"""Where these stand in the place of a game or a power, the line is a sentence of ours, and no older judge's."""
_NAMED_SECRET = re.compile(r"\b(?:password|passwd|pw|pin)\b(?:\s+(?:is|of))?\s*[:=]?\s+(\S+)", re.IGNORECASE)
_VALUES = frozenset(
    ["private", "public", "open", "closed", "approval", "invitation", "gunboat", "anonymous", "white", "grey", "alone"]
)
"""Settings that are said by their value alone, and the word that ends "leave me alone"."""

_SAID_OF_ONESELF = frozenset({"name", "zone", "timezone"})
"""Behind these, in `register`, is no password."""

HIDDEN = "****"


def plain_line(text: str) -> str:
    """A line without comment, bullet or number before it, and blanks around it."""
    return _BULLET.sub("", _COMMENT.sub("", text)).strip()


def is_comment(text: str) -> bool:
    """Whether a line is nothing but a comment."""
    return text.lstrip().startswith("//")


def is_stop(text: str) -> bool:
    """Whether a line ends what is to be read."""
    word = " ".join(text.lower().split()).rstrip(".!")
    return word in STOP_WORDS


def begins_copy(text: str) -> bool:
    """Whether a line says whose words stand below it, as mail programs do above an earlier mail.

    >>> begins_copy("On Tue, 7 Jan 2031, France <france@players.test> wrote:"), begins_copy("As I wrote: A Par - Bur")
    (True, False)
    """
    return text.rstrip().endswith((":", "：")) and WROTE.search(text) is not None


def is_courtesy(text: str) -> bool:
    """Whether a line is a greeting, thanks, or the like.

    >>> is_courtesy("Thanks, all"), is_courtesy("Hi Judge,"), is_courtesy("Bestest of plans: A Par - Bur")
    (True, True, False)
    """
    return len(text) <= 80 and _COURTESY.fullmatch(text.strip()) is not None


def is_order(text: str, board: Board | None) -> bool:
    """Whether a line is meant as an order, on a board that is known."""
    if board is None or len(text) > _LONGEST_ORDERS:
        return False
    if _CONDITIONAL.fullmatch(text):
        return continues_condition(text, board)
    return looks_like_order(_TIME_OF_DAY.sub(" ", text), board) or continues_condition(text, board)


_CONDITIONAL = re.compile(
    r"\s*(?:else|else\s*:|endif|end if|otherwise\s*:?|if\s+\S.{0,200}\b(?:then|dislodged)\b.*)[\s.;]*", re.IGNORECASE
)
_ELSE = re.compile(r"\s*(?:else|otherwise)\b[\s:,]+(\S.*)", re.IGNORECASE)


_TIME_OF_DAY = re.compile(r"\b\d{1,2}(?:[:.]\d\d)? ?[ap]\.? ?m\b\.?", re.IGNORECASE)
""" "3 a.m.", which is no army."""
_IF_THEN = re.compile(r"\s*if\b(?P<case>.{0,200}?)\bthen\b(?P<deed>.*)", re.IGNORECASE)
_STATED = re.compile(
    r"\W*(?:i|we|you|he|she|it|they|everybody|everyone|somebody|nobody|there|this|that|so|my|your|at|by)\b",
    re.IGNORECASE,
)
"""How what follows "then" begins where it says something and orders nothing."""


def _is_talk(text: str, board: Board) -> bool:
    """Whether "if ..., then ..." is a sentence among others: it orders nothing, and depends on no place of the board.

    "If I do exactly that, then Germany cannot complain" is one; "if Italy attacks Trieste then hold" is not.
    """
    match = _IF_THEN.fullmatch(text)
    if match is None:
        return False
    case, deed = match["case"].strip(" ,"), match["deed"].strip(" ,:")
    if _names_place(case, board):
        return False
    return bool(_STATED.match(deed)) or not (
        looks_like_order(deed, board) or _names_place(deed, board) or _orders(deed)
    )


def _orders(words: str) -> bool:
    return not _ORDERING.isdisjoint(words.lower().split())


_ORDERING = frozenset((
    "hold", "holds", "move", "moves", "support", "supports", "convoy", "convoys", "stand", "stands", "stay",
    "stays",
))  # fmt: skip


def _names_place(words: str, board: Board) -> bool:
    """Whether capitalised or coded words name a place."""
    names = gazetteer_of(board)
    return any(bool(names.find(word).exact) for word in re.findall(r"[A-Z][\w.'’-]{2,}", words))


def continues_condition(text: str, board: Board) -> bool:
    """Whether a line belongs to a condition written over several lines: it must never be passed over as chatter."""
    if len(text) > 400 or _is_talk(text, board):
        return False
    if _CONDITIONAL.fullmatch(text) or bare_condition(text, board):
        return True
    return (other := _ELSE.fullmatch(text)) is not None and looks_like_order(other[1], board)


_HALF_AN_ORDER = re.compile(
    r"(?P<from>[A-Z][\w'’.]+(?: [A-Z][\w'’.]+)?)\s*(?:->|=>|[-–—→])\s*"
    r"(?P<to>[A-Z][\w'’.()/]*(?: [A-Z][\w'’.()/]*){0,2})"
)


def half_an_order(text: str, board: Board | None) -> Unclear | None:
    """What to ask of a line such as "Lapland - Finland": the shape of a move, to a place of the board, from none."""
    match = _HALF_AN_ORDER.fullmatch(text.strip()) if board is not None else None
    if match is None or board is None:
        return None
    names = gazetteer_of(board)
    start, goal = match["from"], match["to"]
    if names.places(start) or names.power(start) or not names.places(goal):
        return None
    sentence = (
        f'No place on this board is called "{start}", so I cannot read that as an order. If it was meant as one, '
    )
    return Unclear("no-place", f"{sentence}please write it again; nothing else of yours waits for it.")


def secret_in(text: str) -> str:
    """The password on a password line, however the word is spelled; "" on any other line."""
    match = _SECRET.match(text) if len(text) <= 300 else None
    return (match[1] or match[2] or "") if match else ""


def secrets_of(texts: Iterable[str]) -> tuple[str, ...]:
    """Every password in a mail, quoted or typed: none of them may be shown or passed on."""
    found: dict[str, None] = {}
    for text in texts:
        if value := secret_in(text):
            found[value] = None
        elif len(text) <= 300 and (match := _SIGN_ON.match(text) or _NEW_SECRET.match(text)):
            found[match[1]] = None
    return tuple(found)


def named_secret(text: str) -> str:
    """The word behind "password" within a line: "create baltic private password heron-41"; "" where none is."""
    match = _NAMED_SECRET.search(text) if len(text) <= 300 else None
    return match[1] if match and len(match[1].strip(AROUND)) > 3 else ""


def signed_with(text: str) -> frozenset[str]:
    """The words of a line that may be a password, as the older judges have it in sign-ons, `create`, `observe` ..."""
    match = _SIGNED.match(text) if len(text) <= 300 else None
    if match is None or match["target"].lower() in ("tournament", "zine"):  # which the older judges do not know
        return frozenset()
    found, before, words = set(), match["target"].lower(), match["rest"].split()
    if before.strip(AROUND) in _ARTICLES and not match["any"]:
        named = named_secret(match["rest"])
        return frozenset({named, named.strip(AROUND)}) if named else frozenset()
    if match["greets"] and (len(words) > 1 or before[-1] in AROUND):
        return frozenset()  # "Hello judge, I am lost"
    if before.startswith("?"):
        words = words[:1]  # "create ?game PASSWORD variant": what follows is none
    if len(words) == 1 and before in _SAID_OF_ONESELF:
        return frozenset()
    if len(words) == 1 and words[0].strip(AROUND).lower() not in _OPEN | _FREE | _VALUES and "=" not in words[0]:
        return frozenset({words[0], words[0].strip(AROUND)})
    for word in words:
        bare, before, last = word.strip(AROUND), word.lower(), before
        if last in _NAMES_NEXT or (match["any"] is None and (bare.lower() in _SETTINGS or last in _SETTINGS)):
            continue
        if match["any"] is None and bare.lower() in _FREE:
            break
        plain = bare.lower() in _OPEN | _VALUES | ORDINARY | OF_THE_GAME or "=" in bare or len(bare) < 4
        if match["any"] or not plain:
            found |= {word, bare}
    return frozenset(found)


def without_secrets(texts: Sequence[str]) -> tuple[str, ...]:
    """Lines of a mail, its subject among them, fit for other eyes: no password that any of them has stands in one.

    >>> without_secrets(["password heron-41", "A Par - Bur", "(heron-41)"])
    ('password ****', 'A Par - Bur', '(****)')
    """
    words = secret_words(texts)
    return tuple(hide(_value_hidden(text), words) for text in texts)


def secret_words(texts: Sequence[str]) -> frozenset[str]:
    """Every word of these lines that is a password or may be one, with and without the marks around it."""
    found = {form for value in secrets_of(texts) for form in (value, value.strip(AROUND)) if len(form) >= 4}
    return frozenset(found).union(*(signed_with(text) for text in texts))


def _value_hidden(text: str) -> str:
    value = secret_in(text)
    return text.replace(value, HIDDEN) if value else text


_WORD = re.compile(r"\S+")
AROUND = ",;:.!?\"'()<>[]`*_"


def hide(text: str, secrets: frozenset[str]) -> str:
    """A text with every password in it made unreadable, also where marks stand around it."""
    if not secrets:
        return text
    return _WORD.sub(lambda word: _hidden(word[0], secrets), text)


def _hidden(word: str, secrets: frozenset[str]) -> str:
    bare = word.strip(AROUND)
    if word in secrets:
        return HIDDEN
    return word.replace(bare, HIDDEN) if bare in secrets else word
