"""Questions in plain words: what they ask us is answered, what they ask the Gamemaster is passed on.

Nothing is changed by any of it: a line becomes one of our own questions, or a letter to the Gamemaster.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from judge.board.model import Board
from judge.board.names import gazetteer_of
from judge.game.core.commands import Role
from judge.mail.queries import Query
from judge.mail.script.bidding import is_idiom, speaks_of_game, words_in
from judge.mail.script.ideas import idea_in
from judge.mail.script.lines import is_order, is_question, plain_line
from judge.mail.script.model import Ignored
from judge.mail.script.ownwords import question_in, wish_to_join
from judge.mail.script.sayings import CALENDAR
from judge.mail.vocabulary import Around, Clause, Unclear, find_verb
from judge.mail.vocabulary.help import is_asked

_LONGEST = 200
_POLITE = r"(?:(?:hi|hello|dear|judge|gm|please|sorry|and|but|so|also|ok)\b[\s,.!]*)*"
_FETCH = re.compile(
    rf"{_POLITE}(?:(?:can|could|would|will|may|might)\s+(?:you|i|we)\s+(?:please\s+|kindly\s+|just\s+)*)?"
    r"(?:(?:send|show|mail|give|get|have|see)\s+(?:(?:me|us)\s+)?)(?P<what>.+?)"
    r"(?:\s+(?:again|once more|please|to me|now|for me|anew))*[\s?.!]*",
    re.IGNORECASE,
)
_DUE = re.compile(
    rf"{_POLITE}(?:when|what|till when|until when|by when)\b.{{0,40}}\b(?:deadline|due|turn end|orders in)\b"
    r".{0,30}\?",
    re.IGNORECASE,
)
_HELP = re.compile(
    rf"{_POLITE}(?:(?P<how>how\s+(?:do|does|can|could|should|may|must|would)\s+(?:i|we|one|you|a player)\b|how\s+to\b"
    r"|how\s+(?:is|are)\b(?! (?:we|things|i|you)\b))|how\s+do(?:es)?\s+(?=(?:a |an |the )?[\w-]+(?: [\w-]+)? works?\b)"
    r"|what(?:'s|\s+(?:is|are|does|happens))\b|where\s+(?:is|are|do i|can i)\b|when\s+(?:is|are|do i|does)\b)",
    re.IGNORECASE,
)

_HERE = re.compile(r"\s+(?:in this game|here|in diplomacy|on this board)(?=[\s?.!]*$)", re.IGNORECASE)

_GAMEMASTER = r"(?:gm|g\.m\.|game ?-?master|master|moderator|referee|ref)"
_TO_GM = re.compile(
    rf"(?:(?:hi|hello|hey|dear|to|for"
    r"|(?:a |my |one |another |quick )*question (?:to|for)|ask|tell|inform|remind|let|sorry)\s+"
    rf"(?:the\s+|our\s+|mr\.? )?{_GAMEMASTER}\b"
    rf"|@?{_GAMEMASTER}\s*[:,]).*",
    re.IGNORECASE,
)
_OF_RULES = re.compile(
    r"(?:.*[,;:.!]\s+)?(?:am i|are we|may i|may we|can i|can we|could i|must i|should i|do i|did i|is it|is there"
    r"|is this"
    r"|are there|does|do (?:we|all|both)|what (?:happens|if|is|are|does)|why|which|who is|has the"
    r"|have the|will the)\b.*",
    re.IGNORECASE,
)
_YOU = re.compile(r"\b(?:you|your|yours|we|us|our)\b", re.IGNORECASE)
_TO_SOMEBODY = re.compile(r"(?:dear|hi|hello|hey)\s+\w+\s*,\s*\S", re.IGNORECASE)
_MOST_PASSED_ON = 30
_FEWEST_WORDS = 5

_MESSAGE = re.compile(
    r"(?:(?:please|and|but|so|also|judge)[\s,]+)*(?:(?:can|could|would|will)\s+(?:you|somebody|someone)\s+)?"
    r"(?:(?:please|kindly|also)\s+)*(?:(?:tell|inform|remind|warn|let|ask|pass on to)\s+"
    r"|(?:say|write|reply|answer)\s+(?:this\s+)?to\s+|dear\s+|message\s+(?:to|for)\s+)"
    r"(?P<name>(?:all\s+)?(?:the\s+)?[^\W\d_][\w-]*)\b.*",
    re.IGNORECASE,
)
_CALLED = re.compile(r"(?P<name>[^\W\d_]{5,}(?:-[^\W\d_]+)?)\s*[:,]\s+\S+\s+\S+\s+\S.*")
""" "Germany: shall we keep out of Burgundy?": words to whoever is called by their name."""
_EVERYBODY = re.compile(
    r"(?:all )?(?:the )?(?:others?|everybody|everyone|all|players|powers|rest|world|other (?:players|powers))",
    re.IGNORECASE,
)


_LETS_WIN = re.compile(r"let\b.*\b(?:win|victory|solo)\b", re.IGNORECASE)
""" "Let England have the win" is no message to England."""


def asks_help(line: str) -> bool:
    """Whether a line is a question to the help, though it does not say so: "How do I build?", "What is a convoy?"."""
    match = _HELP.match(line) if len(line) <= _LONGEST else None
    if match is None or _DUE.fullmatch(line) or re.search(_GAMEMASTER + r"\b", line, re.IGNORECASE):
        return False
    asked = _HERE.sub("", line[match.end() :])
    return is_asked(asked, whole=not match["how"])


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
    if _DUE.fullmatch(line):
        return "due" if around.game else "status"
    if is_question(line) and asks_help(line):
        return f"help {line}"
    match = _FETCH.fullmatch(line)
    if match and (fetched := _fetched(match["what"], around)):
        return fetched
    idea = idea_in(line, around)
    return idea.line if idea is not None and idea.kind == "ask" else ""


def _fetched(what: str, around: Around) -> str:
    """ "the map", "the rules of the game": the line that asks for it, if it only asks."""
    plain = re.sub(r"^(?:the|a|an|my|current|latest|last|that|this)\s+", "", what.strip(" ?.!"), flags=re.IGNORECASE)
    for words in (what.strip(" ?.!"), plain):
        match = find_verb(words)
        found = match.verb.read(Clause(match.word, match.rest, around)) if match else None
        if isinstance(found, Query) and not isinstance(found, Unclear):
            return words
    return ""


def for_a_power(line: str, around: Around) -> Unclear | None:
    """What to say to "Tell France that I agree" and "Could you let everybody know?": nobody is written to without a
    line that says so.
    """
    match = None
    if around.board is not None and around.role is Role.PLAYER:
        match = _MESSAGE.fullmatch(line) or _CALLED.fullmatch(line)
    if match is None or around.board is None:
        return None
    to = _addressed(" ".join(match["name"].split()), around.board, around)
    if not to or _LETS_WIN.search(line):
        return None
    return Unclear(
        "for-others",
        f"Nothing was sent to anybody. To write to {to[0]}, begin with `press to {to[1]}`, "
        "and write your words below it.",
    )


def _addressed(name: str, board: Board, around: Around) -> tuple[str, str] | None:
    """Whom words are for, as people and as `press to` call them; None for nobody but their author."""
    if _EVERYBODY.fullmatch(name):
        return "everybody", "all"
    found = gazetteer_of(board).power(name) if len(name) > 1 else ()
    if len(found) != 1 or found[0] in around.powers:
        return None
    return board.powers[found[0]].name, board.powers[found[0]].name


def unsent(answer: str) -> Unclear:
    """What to say to an answer to press that does not say it is one. `answer`: the line that sends it."""
    return Unclear(
        "unsent",
        f"Nothing was sent to anybody. To answer that press, begin with `{answer}`, and write your words below it.",
    )


def to_gamemaster(prose: Sequence[Ignored], greetings: Sequence[str], around: Around) -> bool:
    """Whether a mail's prose is for the Gamemaster: it speaks to them, or asks what only they can answer. Words to
    another power are none, whatever they ask.
    """
    lines = [one.text.strip() for one in prose]
    if not lines or len(lines) > _MOST_PASSED_ON or around.role is not Role.PLAYER or around.board is None:
        return False
    names = gazetteer_of(around.board)
    if any(_TO_GM.fullmatch(line) and len(line.split()) >= _FEWEST_WORDS for line in lines):
        return True
    if any(map(_TO_GM.fullmatch, (*greetings, *lines))) and any(map(is_question, lines)):
        return True
    addressed = [word.strip(",:.!") for line in greetings for word in line.split()]
    if any(names.power(word) for word in addressed if len(word) > 1):
        return False
    return any(
        _asks_for_a_ruling(line)
        and not is_idiom(line)
        and speaks_of_game([word for word in words_in(line) if word not in CALENDAR], around)
        for line in lines
    )


def speaks_to_gamemaster(heads: Sequence[str], prose: Sequence[Ignored], around: Around) -> bool:
    """Whether a player's mail is for the Gamemaster, by its subject, a greeting or a line, whatever it asks besides."""
    lines = (*heads, *(one.text.strip() for one in prose))
    return around.role is Role.PLAYER and len(prose) <= _MOST_PASSED_ON and any(map(_TO_GM.fullmatch, lines))


def for_whom(prose: Sequence[Ignored], around: Around) -> Unclear | None:
    """What to say to "Dear Greta, is that allowed?": a player's question to somebody whom no rule of ours knows."""
    lines = [one.text.strip() for one in prose]
    asks = any(line.endswith("?") and _TO_SOMEBODY.match(line) for line in lines)
    if around.role is not Role.PLAYER or not asks:
        return None
    return Unclear(
        "for-whom",
        "I cannot answer that, and it was sent to nobody. To ask the Gamemaster, begin with `press to GM`, to ask "
        "another player with `press to` and the power, and write your words below it.",
    )


def of_others(forwarded: Iterable[Ignored], around: Around) -> Unclear | None:
    """What to say to a mail that only forwards orders: those are somebody's words, and nobody knows whether they are
    the sender's own.
    """
    if around.role is not Role.PLAYER or not any(is_order(plain_line(one.text), around.board) for one in forwarded):
        return None
    return Unclear(
        "forwarded",
        "What a mail forwards I do not take for its sender's own words, so no order in it was taken. To give these "
        "orders, copy them into a mail of your own.",
    )


def _asks_for_a_ruling(line: str) -> bool:
    words = line.split()
    return (
        is_question(line)
        and len(words) >= _FEWEST_WORDS
        and _OF_RULES.fullmatch(line) is not None
        and _YOU.search(line) is None
    )
