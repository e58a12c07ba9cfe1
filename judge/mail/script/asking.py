"""Lines that are questions: they change nothing, and are answered with what to write."""

from __future__ import annotations

import re

from judge.game.core.commands import Role
from judge.mail.queries import Query
from judge.mail.vocabulary import BodyRule, Clause, Match, Unclear, Verb, find_verb

_LEAD = re.compile(
    r"(?:(?:but|so|and|well|hi|hello|judge|please|sorry|then|also)[, ]+)*"
    r"(?:how|when|where|why|what if|whether)?\s*"
    r"(?:may|might|can|could|should|shall|must|do|does|did|would|will|am|(?:is|would) it (?:be )?(?:possible|allowed))"
    r"(?: (?:i|we|you|one|players?|a player|it))?"
    r"(?: (?:please|still|also|now|just|really|perhaps|ever|be|allowed|able|like|want|have|need|to|ask for|ask))*"
    r" ",
    re.IGNORECASE,
)
_LONGEST = 120
_FREE_TEXT = frozenset({"poll", "amend rule", "headline"})
"""Verbs whose argument may be a question itself."""
_WITH_WORDS = frozenset({"invite", "refuse", "remove", "appeal"})
"""Verbs behind whose argument words for somebody may stand, a question among them: `invite a@b.test: Will you join?`"""
_WORDS = re.compile(r":\s+\w|[\"“„«]\s*\w[^\"”“»]*\?")


def is_question(line: str) -> bool:
    """Whether a line ends in a question mark."""
    return line.rstrip(" \t\"'”’)!").endswith("?")


def asks_about(match: Match, clause: Clause) -> Unclear | None:
    """What to answer to a command with a question mark ("Draw?"), which is not carried out; None for a command that
    only asks anyway ("status?").
    """
    if match.rest.strip(" ?!:") and (match.verb.body is BodyRule.TEXT or match.verb.name in _FREE_TEXT):
        return None
    if match.verb.name in _WITH_WORDS and _WORDS.search(match.rest):
        return None
    words = Clause(clause.word, clause.rest.rstrip(" ?!"), clause.around, clause.body)
    return None if isinstance(match.verb.read(words), Query) else _answer(match.verb, clause.around.role)


def sentence_about(line: str, role: Role) -> Unclear | None:
    """What to answer to "May I leave the game?"; None where no command of ours is asked about."""
    lead = _LEAD.match(line) if len(line) <= _LONGEST and is_question(line) else None
    match = find_verb(line[lead.end() :].rstrip(" ?!")) if lead else None
    return _answer(match.verb, role) if match else None


def about_order(order: str) -> Unclear:
    """What to answer to an order with a question mark."""
    sentence = "A question orders nothing. If it is your order, send it without the question mark."
    return Unclear("question", sentence, (order.rstrip(" \t?!"),))


def _answer(verb: Verb, role: Role) -> Unclear:
    if role is Role.PLAYER and Role.PLAYER not in verb.roles and Role.GM in verb.roles:
        return Unclear("question", f"`{verb.name}` is for the Gamemaster to write. {_ASK_THEM}")
    forms = " or ".join(f"`{usage}`" for usage in verb.usage[:2] if usage not in verb.some_games)
    return Unclear("question", f"A question changes nothing. `{verb.name}`: {verb.summary} To do it, write {forms}.")


_ASK_THEM = (
    "Nothing was changed, and nobody was told. To ask them, begin with `press to GM`, and write your words below it; "
    "to ask the other players, write `poll` and the question."
)
