"""Questions in plain words: what they ask us becomes one of our own questions.

A sentence is compared as a whole with the tables (`phrases/asked.py`), without the greeting before it and the thanks
behind it: what has more in it than a row expects says something else, and is left to the other readers.
"""

from __future__ import annotations

import re
from itertools import pairwise

from judge.board.names import gazetteer_of
from judge.board.phase import PhaseKind
from judge.game.core.commands import Role
from judge.mail.queries import Query
from judge.mail.script.phrases import asked, is_question, meant, patterns, wished
from judge.mail.script.phrases.ideas import idea_in
from judge.mail.script.plain_wishes import power_wished_for
from judge.mail.script.sentences import core
from judge.mail.vocabulary import Around, Clause, Unclear, find_verb
from judge.mail.vocabulary.clauses import known_game
from judge.mail.vocabulary.help import is_asked

_LONGEST = 200

_FEW_WORDS = 12


def our_question(line: str, around: Around) -> str:
    """Our own question that a line asks in free words: "due" for "When is the deadline?"; "" where it asks none.

    >>> from datetime import UTC, datetime
    >>> here = Around(datetime(1901, 3, 1, tzinfo=UTC), UTC, game="baltic")
    >>> [our_question(text, here) for text in ("When are orders due?", "Shall I quit?")]
    ['due', '']
    """
    if len(line) > _LONGEST:
        return ""
    if ours := question_in(line, around) or wish_to_join(line, around):
        return ours
    if patterns.ASKS_DUE.fullmatch(line):
        return "due" if around.game else "status"
    if is_question(line) and asks_help(line):
        return f"help {line}"
    match = patterns.FETCHES.fullmatch(line)
    if match and (fetched := _fetched(match["what"], around)):
        return fetched
    idea = idea_in(line, around)
    return idea.line if idea is not None and idea.kind == "ask" else ""


def question_in(sentence: str, around: Around) -> str:
    """Our question that a sentence asks, "" where it asks none.

    >>> from datetime import UTC, datetime
    >>> here = Around(datetime(1901, 3, 1, tzinfo=UTC), UTC, game="baltic")
    >>> question_in("Can I still change my orders?", here), question_in("When does the train start to leave?", here)
    ('help changing', '')
    """
    text = re.sub(r'[()"“”]', "", core(sentence))  # what a letter prints may be quoted: (VIII), "void"
    if around.phase is not None and around.phase.kind is PhaseKind.RETREATS and patterns.ASKS_RETREATS.fullmatch(text):
        return "status"
    if (match := patterns.ASKS_WAYS.fullmatch(text)) and around.board is not None:
        place = match["place"].strip()
        return f"help {place}" if len(gazetteer_of(around.board).places(place)) == 1 else ""
    if patterns.NEXT_GAME.match(text):
        return "list"
    games = [word for word in text.split() if known_game(word, around)]
    line = meant(asked.ASKED, " ".join("game" if word in games else word for word in text.split()))
    if line not in ("status", "due", "centres to win") or (around.game and not games):
        return line
    return f"status {games[0].lower()}" if len(games) == 1 else "list"


def need_in(sentence: str) -> str:
    """Our question that answers somebody who says that they are new, or lost; "" for any other sentence."""
    return meant(asked.IN_NEED, core(sentence))


def wish_to_join(sentence: str, around: Around) -> str:
    """The line for a wish of somebody who has no seat: "join baltic prefer Italy", or "list" where the wish is a
    question or names no game that there is; "" for any other sentence.
    """
    text = core(sentence)
    if around.role is not Role.STRANGER or not (wished.TO_JOIN.says(text) or power_wished_for(text, around)):
        return ""
    if re.search(r"\btournaments?\b", text, re.IGNORECASE):
        return "tournaments"
    words = [word.strip(",;:()\"'[]") for word in text.split()]
    games = list(dict.fromkeys(filter(None, (known_game(word, around) for word in words))))
    if len(games) != 1 or is_question(sentence) or patterns.CONDITION.search(text):
        return "list"
    names = gazetteer_of(around.games[games[0]])
    powers = [word for before, word in pairwise(words) if before == "as" and names.power(word)]
    return f"join {games[0]}" + (f" prefer {powers[0]}" if powers else "")


def asks_help(line: str) -> bool:
    """Whether a line is a question to the help, though it does not say so: "How do I build?", "What is a convoy?"."""
    match = patterns.ASKS_HELP.match(line) if len(line) <= _LONGEST else None
    if (
        match is None
        or patterns.ASKS_DUE.fullmatch(line)
        or re.search(patterns.GAMEMASTER + r"\b", line, re.IGNORECASE)
    ):
        return False
    asked = patterns.HERE.sub("", line[match.end() :])
    return is_asked(asked, whole=not match["how"])


def _fetched(what: str, around: Around) -> str:
    """ "the map", "the rules of the game": the line that asks for it, if it only asks."""
    plain = re.sub(r"^(?:the|a|an|my|current|latest|last|that|this)\s+", "", what.strip(" ?.!"), flags=re.IGNORECASE)
    for words in (what.strip(" ?.!"), plain):
        match = find_verb(words)
        found = match.verb.read(Clause(match.word, match.rest, around)) if match else None
        if isinstance(found, Query) and not isinstance(found, Unclear):
            return words
    return ""


def asks_for_own_orders(line: str) -> bool:
    """Whether a line asks in free words what is on file.

    >>> asks_for_own_orders("what orders do you have on file for me?"), asks_for_own_orders("Show me what I sent")
    (True, True)
    >>> asks_for_own_orders("What orders did Germany send you?"), asks_for_own_orders("What a turn!")
    (False, False)
    """
    if re.search(r"\babout me\b", line, re.IGNORECASE):
        return False
    if len(line) > _LONGEST or len(line.split()) > _FEW_WORDS or patterns.ASKS_FOR_OWN.fullmatch(line) is None:
        return False
    return (
        patterns.OF_WHAT_WAS_SENT.search(line) is not None
        and re.search(r"\b(?:i|i've|me|my|file)\b", line, re.IGNORECASE) is not None
    )
