"""Requests in plain words, where a player can only mean one thing: more time."""

from __future__ import annotations

import re
from datetime import timedelta

from judge.mail.vocabulary import Unclear

_CLAUSE = r"(?:^|[.,;!?–—-]\s*|\b(?:so|and|but|because|therefore|then)\s+)"
_SOFT = r"(?:\s+(?:please|kindly|possibly|perhaps|maybe|really|also|just|all))*"
_COUNT = r"\d{1,3}|an?|one|two|three|four|five|six|seven|a few|some|a couple of"
_TIME = (
    r"(?:(?:an?|some|the|one|my|one of my|a short|a little|a bit of|a bit|another|any)\s+)*"
    r"(?:(?:free|first|second|small|longer|more|extra|additional|further|little)\s+)*"
    rf"(?:extensions?(?:\s+(?:of|by|for)\s+((?:{_COUNT})\s+(?:days?|hours?|weeks?)))?|time"
    rf"|((?:{_COUNT}|more|extra)\s+(?:(?:more|extra)\s+)?(?:days?|hours?|weeks?)))\b"
)
_ASKED = re.compile(
    rf"{_CLAUSE}(?:please\s+|hi\s+|hello\s+)?(?:can|could|may|might)\s+(?:i|we){_SOFT}\s+"
    rf"(?:have|get|be given|be granted|request|ask for|take){_SOFT}\s+{_TIME}",
    re.IGNORECASE,
)
_WISHED = re.compile(
    rf"{_CLAUSE}(?:i|we)(?:'d|’d| would| do| must| have to| really)?{_SOFT}\s+"
    rf"(?:like|need|want|request|ask(?: for)?|am asking for|are asking for|beg for)"
    rf"(?:\s+to\s+(?:have|get|request|ask for|take))?{_SOFT}\s+{_TIME}",
    re.IGNORECASE,
)
_GRANT = re.compile(
    rf"{_CLAUSE}(?:please{_SOFT}\s+(?:grant|give|allow)\s+(?:me|us)|would it be possible to (?:have|get)"
    rf"|is it possible to (?:have|get)){_SOFT}\s+{_TIME}",
    re.IGNORECASE,
)
_IN_SHORT = re.compile(
    rf"(?:(?:sorry|please|hi|hello|judge|dear gm)[\s,!.]+)*(?:(?:still|really|just)\s+)?"
    rf"(?:need|needing|requesting|request for|asking for|looking for|hoping for)\s+{_TIME}"
    r"(?=\s*(?:[.,;!]|$|please|because|as\b|since\b|sorry|for\b))",
    re.IGNORECASE,
)
""" "Need more time, sorry!": no subject, but nobody else's."""
_PUSHED = re.compile(
    rf"{_CLAUSE}(?:(?:please|kindly|judge|hi|hello|dear gm)[\s,]+)*"
    rf"(?:(?:can|could|would|will|may|might)\s+(?:you|i|we){_SOFT}\s+)?"
    r"(?:move|extend|delay|postpone|defer|push|shift|put)\s+(?:back\s+|off\s+)?"
    r"(?:it|(?:the|this|our|my|next)\s+(?:deadline|turn|phase|date))"
    rf"(?:\s+(?:back|off|on))?(?:\s+(?:by|for)\s+((?:{_COUNT})(?:\s+more)?\s+(?:days?|hours?|weeks?)))?"
    r"(?=\s*(?:[.,;!?]|$|please|because|as\b|since\b))",
    re.IGNORECASE,
)
""" "I can't make the deadline, could you move it by a day?"; one to a date is the Gamemaster's to set."""

_OWN_ORDERS = re.compile(
    r"(?:(?:please|judge|hi|hello|dear judge|sorry|and|so|but)[\s,]+)*"
    r"(?:(?:can|could|would|will)\s+you\s+(?:please\s+)?)?(?:"
    r"(?:tell|show|send|give|remind)\s+me\s+(?:again\s+|once more\s+|of\s+)?(?:what|which|my|the)\b.*"
    r"|(?:what|which)\b.*"
    r"|(?:did|have)\s+you\s+(?:get|got|receive|received|have)\s+(?:all\s+)?(?:of\s+)?my\b.*"
    r"|(?:are|is)\s+(?:all\s+)?(?:of\s+)?my\b.*)",
    re.IGNORECASE,
)
_SENT = re.compile(
    r"\b(?:orders?|moves?)\b.*\b(?:on file|did i|have i|do you|did you|you have|i sent|in|there|safe|arrived?)\b"
    r"|\bon file\b|\b(?:i|i've|have i|did i)\s+(?:have\s+)?(?:sent?|ordered?|submit(?:ted)?|wrote|written)\b"
    r"|\bmy\s+(?:current\s+|present\s+)?(?:orders|moves)\b",
    re.IGNORECASE,
)
_FEW_WORDS = 12

_MORE = re.compile(r"\b(?:extension|more|extra|additional|another|longer)", re.IGNORECASE)
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_LONGEST = 300


def more_time(line: str) -> tuple[timedelta | None] | None:
    """A request for an extension in free words, as the length that it names; None where there is none.

    >>> more_time("I can't make it this week, could I have two more days please?")
    (datetime.timedelta(days=2),)
    >>> more_time("Could I have some more time please?"), more_time("I don't need an extension")
    ((None,), None)
    """
    if len(line) > _LONGEST:
        return None
    if "deadline" in line.lower() and (pushed := _PUSHED.search(line)) is not None:
        return (_length(pushed[1] or ""),)
    if not _MORE.search(line):
        return None
    match = _ASKED.search(line) or _WISHED.search(line) or _GRANT.search(line) or _IN_SHORT.match(line)
    if match is None or not _MORE.search(match[0]):
        return None
    return (_length(next(filter(None, match.groups()), "")),)


_NEAR = re.compile(
    r"\b(?:extensions?|(?:more|extra|additional|longer) time|(?:more|extra) (?:days?|hours?)|extend|postpone)\b",
    re.IGNORECASE,
)
_NOT_WANTED = re.compile(
    r"^(?:if|unless|when|should) (?:you|they|he|she|it|anybody|anyone|somebody)\b"
    r"|\b(?:no|not|never|without|nobody|nor|against|instead|refuse|already|thanks for|thank you for)\b|n['’]t\b",
    re.IGNORECASE,
)


def near_more_time(line: str) -> Unclear | None:
    """What to ask of a line that speaks of an extension and does not ask for one beyond doubt.

    >>> near_more_time("My mother is ill, and I thought of an extension.").candidates
    ('extension',)
    >>> near_more_time("I need no extension.") is None
    True
    """
    if len(line) > _LONGEST or not _NEAR.search(line) or _NOT_WANTED.search(line):
        return None
    return Unclear("perhaps-time", "If you would like more time, say so; nothing was changed yet.", ("extension",))


def asks_for_own_orders(line: str) -> bool:
    """Whether a line asks in free words what is on file.

    >>> asks_for_own_orders("what orders do you have on file for me?"), asks_for_own_orders("Show me what I sent")
    (True, True)
    >>> asks_for_own_orders("What orders did Germany send you?"), asks_for_own_orders("What a turn!")
    (False, False)
    """
    if re.search(r"\babout me\b", line, re.IGNORECASE):
        return False
    if len(line) > _LONGEST or len(line.split()) > _FEW_WORDS or _OWN_ORDERS.fullmatch(line) is None:
        return False
    return _SENT.search(line) is not None and re.search(r"\b(?:i|i've|me|my|file)\b", line, re.IGNORECASE) is not None


def _length(words: str) -> timedelta | None:
    first, *rest = words.lower().split()[:4] or [""]
    count = int(first) if first.isdigit() else _NUMBERS.get(first, 0)
    unit = rest[-1].rstrip("s") if rest else ""
    counted = count and unit in ("day", "hour", "week") and not {"few", "couple"} & set(rest)
    return timedelta(**{f"{unit}s": count}) if counted else None
