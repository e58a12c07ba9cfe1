"""Tells prose from orders: sentences that only mention places, excuse their author, or begin like an order."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.board.model import Board
from judge.board.phase import PhaseKind
from judge.orders.grammar import tile
from judge.orders.lexer import Lexed, Lexicon
from judge.orders.tongues import outcomes_abroad
from judge.orders.words import CONDITION, KEYWORDS, fold, tokens_of

_END = re.compile(
    r"[.!?;]+\)?(?:\s+|$)|\s*[:,–—-]\s+(?=(?:a|f|army|fleet)\b)"
    r"|\s*[,(–—-]\s*(?=(?:i(?:'|’)?m |i am )?(?:so |very )?(?:sorry|apologies|hope|hoping|i hope)\b)",
    re.IGNORECASE,
)
"""Where a sentence ends; a comma, colon or dash ends one only before a unit or an apology."""
_THINGS = r"orders?|moves?|units?|arm(?:y|ies)|fleets?|m(?:ail|essage)s?|ally|allies|plans?"
_SORRY = (
    r"(?:my |many |sincere )*apologies|(?:i['’]?m |i am )?(?:so |very |really |terribly |awfully )*sorry|excuse me"
    r"|pardon(?: me)?|forgive me"
)
_OPENS = re.compile(
    r"(?:(?:hi|hello|dear judge|judge|oh|and|but|so|again|very|really|well)\b[\s,!.]*)*"
    rf"(?:{_SORRY}|(?:i|we) (?:only |just )?(?:was|were|(?:have|had) been|had|could(?:n['’]?t)?|forgot|overslept|got"
    r"|(?:don['’]?t|do not|did not) feel)|(?:i|we)['’]ve been|(?:i |we )?(?:really |do |just |so )*hope|hoping"
    rf"|my (?!(?:{_THINGS})\b)[\w-]+ (?:was|were|had|broke|died|got)"
    r"|(?:work|life|things|the (?:train|bus|internet|power|network|line)) (?:was|were|had))\b",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\b(?:not|never)\s+(?:too|so|very|all that|that)?\s*(?:late|well|able|home|at home|at work|here|online|around|easy"
    r"|awake)\b|\b(?:don['’]?t|do not|did not) feel (?:so |very |too )?(?:well|good)\b|\bnext time\b|\bnot (?:be|been)"
    r" (?:able|well|here|home|late|too late)\b|\bcould(?: not|n['’]?t)\b"
    r"|\bhad to (?:work|travel|leave|drive|sleep)\b"
    r"|\bon (?:a |my |the )?(?:holidays?|vacation|leave|trip|business|road|train|plane|journey|duty)\b",
    re.IGNORECASE,
)
"""Phrases with a word in them that elsewhere turns an order round."""
_WHY = re.compile(
    r"\b(?:late|delay(?:ed)?|ill|sick|unwell|busy|away|offline|abroad|asleep|holidays?|vacation|hospital|tired|overslept"
    r"|in time|feel (?:so |very |too )?(?:well|good)"
    r"|(?:send|write|answer|reply)\b.{0,20}\b(?:earlier|sooner|before))\b",
    re.IGNORECASE,
)
"""What excuses. A sentence that runs on into the order ("I was ill, A War - Gal"), and one behind an order, must name
it: "I was told: A War - Gal" is none, and "A War - Gal. I was drunk." may take the order back.
"""
_SPOKEN_OF_ORDERS = re.compile(
    r"\b(?:orders?|moves?|m(?:ail|essage)s?|sets?|lines?|plans?|said|told|asked|wrote|wanted|meant|thinking|planning"
    r"|going)\b",
    re.IGNORECASE,
)
_OF_LATENESS = re.compile(r"\b(?:late|delayed) (?:orders?|moves?|m(?:ail|essage)s?)\b", re.IGNORECASE)
""" "Sorry for the late orders", and no more."""
_POINTS = re.compile(r"\b(?:that|this|it|these|those|they|which|what)\b.*\b(?:was|were)\b", re.IGNORECASE)
""" "That was yesterday" may speak of the order before it."""
_PAST = frozenset(["was", "were", "before", "earlier", "later", "yesterday"])
"""Words that take an order back, but in an excuse only say what happened."""
_SHAPE = re.compile(r"(?:U\?|[?,#X])*")
""" "a" before an unknown word is an article."""
_LONGEST = 300


def without_excuses(text: str, lexicon: Lexicon) -> str:
    """The line without sentences that only excuse its author; the line itself where there are none.

    "Sorry, I was ill. A War - Gal": "A War - Gal". "Sorry, that was wrong. A War - Gal" stays as it is.
    """
    if len(text) > _LONGEST or _OPENS.search(text) is None:
        return text
    kept: list[str] = []
    for sentence in _sentences(text):
        if not _is_excuse(sentence, lexicon, leading=not kept):
            kept.append(sentence)
    whole = "".join(kept)
    return text if not kept or whole == text else whole.rstrip(" ,;:(–—-")


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a line, each with what ends it."""
    start = 0
    for match in _END.finditer(text):
        yield text[start : match.end()]
        start = match.end()
    if text[start:].strip():
        yield text[start:]


def _is_excuse(sentence: str, lexicon: Lexicon, *, leading: bool) -> bool:
    """Whether a sentence only excuses. `leading`: no order stands before it, which it could speak of."""
    said = sentence.strip().rstrip(")")
    if _OPENS.match(said) is None or said.endswith("?") or _POINTS.search(said):
        return False
    if _SPOKEN_OF_ORDERS.search(said) and not _OF_LATENESS.search(said):
        return False
    plain = said.rstrip(" :,–—-.!;")
    if (not leading or said[-1:] in ":,–—-") and not _WHY.search(said) and not _OPENS.fullmatch(plain):
        return False
    words = tokens_of(fold(_HARMLESS.sub(" ", plain)))
    if any(KEYWORDS.get(word) == CONDITION and word not in _PAST for word in words):
        return False
    return _SHAPE.fullmatch(lexicon.lex(words).shape) is not None


_KINDS = tuple(PhaseKind)
_ANY_VERB = re.compile("[-SCHRD]")
_MEANT = re.compile(r"[NZ]*(?:U|P[-SCHRDV]|PP$|[BRD]U|WN?$|O+H|O+U?D)")
_UNDER_CONDITION = re.compile("U?P[-SCHRDB]|[-HBRDC]UP")
_GIVES_UP = re.compile("R?-?D")
""" "Disband", "retreat: disband": of the one unit that was driven out."""
_ADDRESSED = re.compile("^[NZ]+,")
""" "Russia, St. P.-Mos.": whose order it is, set off by a comma."""


_COMPLETE = re.compile("U|[-SCHRDBWV]|^N?PP$")


_NAME = r"([A-Z][\w.'’-]*(?: +[A-Z][\w.'’-]*){0,2})"
_PIECE = r"(?:[AF]|[Aa]rmy|ARMY|[Ff]leet|FLEET)\.? +(?:in +|at +|of +)?"
_GOAL = r"(?: +(?:[A-Z]|to\b|the\b).*)?"
_ABROAD = (
    re.compile(rf"{_PIECE}{_NAME} +(?:holds?|stands?|H){_GOAL}[ .!]*"),
    re.compile(
        rf"{_PIECE}{_NAME} +"
        r"(?:to|moves?(?: +to)?|goes +to|supports?|convoys?|retreats?(?: +to)?|attacks?) +(?:the +)?[A-Z].*"
    ),
    re.compile(rf"(?:[Aa]rmy|ARMY|[Ff]leet|FLEET) +(?:in|at) +{_NAME}(?: +[\w'’-]+){{1,5}}[ .!]*"),
)
_LONGEST_ABROAD = 120


def named_abroad(text: str) -> str:
    """The place, perhaps none of the board, of the unit that a line orders ("Army in Lapland launches probe"); "" for
    none.

    For lines in which too little is known to go by their shape: capitals and the words for a unit must tell.

    >>> named_abroad("A Lapland holds"), named_abroad("A friend holds the north")
    ('Lapland', '')
    """
    line = text.strip()
    if len(line) > _LONGEST_ABROAD:
        return ""
    return next((match[1] for pattern in _ABROAD if (match := pattern.fullmatch(line))), "")


def is_orderly(lexed: Lexed) -> bool:
    """Whether the line is an order, or was to be one."""
    written = _ADDRESSED.sub("", lexed.shape)
    shape = written.strip(",?#")
    if not shape or not _COMPLETE.search(shape):
        return False
    if "?" not in written and any(tile(written, kind) for kind in _KINDS):
        return not {"P", "U", "W", "O"}.isdisjoint(shape) or _gives_up(lexed, shape)
    if "X" in shape and _UNDER_CONDITION.search(shape):
        return True
    if not _MEANT.match(written.lstrip(",#")):
        return False
    return _begins_with_unit(lexed) or _mostly_known(lexed.shape)


def _gives_up(lexed: Lexed, shape: str) -> bool:
    words = map(str, lexed.values)
    return _GIVES_UP.fullmatch(shape) is not None and any(word.startswith(("disband", "scuttle")) for word in words)


def _begins_with_unit(lexed: Lexed) -> bool:
    """ "Army in Lapland ...", "F Lnodon - Nth": a word for a unit, then a place or a verb close by."""
    shape = lexed.shape.lstrip(",#NZ")
    if re.fullmatch(r"[BD]U\?{1,2}", shape):
        return True
    match = re.match(r"U(?:P|(\?*)[-SCHRDV])", shape)
    if match is None or _ANY_VERB.search(shape) is None:
        return False
    if not match[1] or lexed.spelled:
        return True
    dash = lexed.values[len(lexed.shape) - len(shape) + match.end() - 1]
    return len(match[1]) <= _LONGEST_NAME and str(dash)[0] in "->"


def _mostly_known(shape: str) -> bool:
    unknown = shape.count("?") + shape.count("X")
    return unknown * 2 <= len(shape) - unknown and ("P" in shape or "O" in shape or "W" in shape)


_NOUN_WORDS = "move support retreat hold convoy attack build stand removal draw march pass"
_NOUNS = frozenset(_NOUN_WORDS.split())
""" "A move to Wales would be good": after "a" these are things, while "A moves ..." is an order."""

_WHO = frozenset(("i", "we", "you", "he", "she", "they"))

_ASK_WORDS = """
    can could may might should shall will would is are am do does did what when where why who how which must has have"""
_ASKS = frozenset(_ASK_WORDS.split())
""" "Can A Par reach Brest?": how a question begins."""

_IS = frozenset(("is", "are", "be", "am", "was", "were", "been", "would", "look", "looks", "seem", "seems", "sounds"))
_PERHAPS = frozenset(("would", "could", "might", "may", "can", "should", "will"))
_ONLY_PERHAPS = frozenset(("would", "could", "might", "may", "can"))
SPOKEN = _IS | _PERHAPS
"""A line without any of these words speaks of no order; it gives one, or has nothing to do with orders."""
_REPORTED = frozenset(
    (*("failed", "effect", "bounced", "illegal", "impossible", "cut", "void"), *" ".join(outcomes_abroad()).split())
)
"""Of the column in which a report says what became of an order ("no effect: ...")."""
_OF_ORDERS = frozenset("-SCHRDBWVYPUE")
""" What tells of an order behind a verb of being: "A Par is moving to Bur"."""

_SCORE = re.compile(r"(?<![\d-])\d{1,2} ?[-–] ?\d{1,2}(?![\d-])")
""" "Paris - Marseilles ended 2-2": what was played there was another game."""
_LETTERS = re.compile(r"\b[AF]\b|^[af]\b")
_SUBJECT = re.compile("[NZ,]*(?:UP|PU|P)")
_VERB = re.compile("[-SCHRDBV]")
_NAMED_LATE = re.compile(r"N?U(\?+)(.*)")
_AIMED = re.compile(r"N?U?(?:P|\?{1,3}[,#]*$)")
_LONGEST_NAME = 3


def is_prose(text: str, tokens: list[str], lexed: Lexed) -> bool:
    """Whether a line begins as no order does: "A move to Wales would be good", "Can A Par reach Brest?"."""
    if "?" not in lexed.shape:
        return False
    return (
        is_of_things(text, tokens, lexed)
        or (tokens[0] in _WHO and "U" not in lexed.shape)
        or (tokens[0] in _ASKS and text.endswith("?"))
    )


def is_of_things(text: str, tokens: list[str], lexed: Lexed) -> bool:
    """Whether a line tells of a thing with words of orders: "A move to Wales would be good", "A moving story", and how
    another game ended that was played in two of our places.
    """
    if "?" not in lexed.shape:
        return False
    if tokens[0] == "a" and len(tokens) > 1:
        return tokens[1] in _NOUNS or (tokens[1].endswith("ing") and lexed.shape[:3] == "U-?")
    return _SCORE.search(text) is not None and not (lexed.spelled or _LETTERS.search(text))


def reads_as_prose(text: str, tokens: list[str], lexed: Lexed, lexicon: Lexicon, *, known: bool) -> bool:
    """Whether a line of which nothing could be understood was not meant as an order either. `known`: its unit is."""
    if text.endswith("?") and not _SUBJECT.match(lexed.shape):
        return True
    return "?" in lexed.shape and (
        (not known and "U" not in lexed.shape)
        or (_VERB.search(lexed.shape) is None and (_is_of_being(tokens) or not (known or named_abroad(text))))
        or _no_place_near(text, lexed, lexicon)
    )


def is_spoken_of(tokens: list[str], lexed: Lexed) -> bool:
    """Whether an order is spoken of and not given: "A Par - Bur is best", "... would be better", "A Par could go".
    This is the only place that decides it.
    """
    if "P" not in lexed.shape:
        return False
    for index, token in enumerate(tokens):
        if token in _REPORTED or (token == "no" and tokens[index + 1 : index + 2] == ["convoy"]):
            return False  # a line of a report: what follows is why, and no opinion
        if (
            token in SPOKEN
            and not _is_goal(index, lexed)
            and _only_thought_of(token, tokens[index + 1 : index + 2], index, lexed)
        ):
            return True
    return False


def _is_goal(index: int, lexed: Lexed) -> bool:
    """Whether a word is the place behind a dash: CAN is Canton."""
    place = sum(start < index for start in lexed.tokens)
    return lexed.shape[max(place - 1, 0) : place + 1] == "-P"


def _only_thought_of(token: str, following: list[str], index: int, lexed: Lexed) -> bool:
    place = sum(start < index for start in lexed.tokens)
    before, behind = lexed.shape[:place].rpartition(",")[2], lexed.shape[place:].partition(",")[0]
    if "P" not in before or following[:1] in (["like"], ["you"]):
        return False
    if token in _ONLY_PERHAPS and following and following[0].isalpha():
        return True
    said = behind.lstrip("#").replace("U?", "?")  # "is a bad idea"
    return ("?" in said or (token in _PERHAPS and not said)) and _OF_ORDERS.isdisjoint(said)


def _is_of_being(tokens: list[str]) -> bool:
    """ "The fleet in Brest is useless": a verb of being, where there is none of an order."""
    return not _IS.isdisjoint(tokens)


def _no_place_near(text: str, lexed: Lexed, lexicon: Lexicon) -> bool:
    """ "A friend told me to hold Paris": what follows the letter is not even nearly a place, nor set off as one."""
    match = _NAMED_LATE.match(lexed.shape.lstrip(",#"))
    if match is None or named_abroad(text):
        return False
    first = lexed.shape.index("?")
    words, rest = lexed.values[first : first + len(match[1])], match[2]
    if rest[:1] == "-" and len(words) <= _LONGEST_NAME and not str(lexed.values[first + len(words)]).isalpha():
        return _AIMED.match(rest[1:]) is None
    return not any(_is_near(" ".join(words[:count]), lexicon) for count in range(1, min(len(words), _LONGEST_NAME) + 1))


def _is_near(words: str, lexicon: Lexicon) -> bool:
    board: Board = lexicon.gazetteer.board
    return bool(lexicon.gazetteer.fuzzy(words, board.provinces))
