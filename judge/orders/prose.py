"""Tells prose that merely begins like an order from an order that went wrong: "A question: may I retreat to Wales?".

Asked only of lines that are no order as they stand. What is called prose here is answered as ignored and is never a
fault, so a line must show that it is prose: an article before a noun, a question, a verb of being.
"""

from __future__ import annotations

import re

from judge.board.model import Board
from judge.orders.lexer import Lexed, Lexicon
from judge.orders.shape import named_abroad

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
_REPORTED = frozenset(("failed", "effect", "bounced", "illegal", "impossible", "cut", "void"))
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
        if token in SPOKEN and _only_thought_of(token, tokens[index + 1 : index + 2], index, lexed):
            return True
    return False


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
