"""Whether a line that begins with the word of a verb bids the judge do something, asks about it, or is small talk.

"Clear all my orders, I have to think again" is meant; "Draw or not, who cares about that any more?" and "Clear skies
today" are not. A line that is meant and not understood is asked back, however long it is: passed over, it would count
as done with the author. What speaks of nothing that a judge has to do with is small talk, and changes nothing.

A question changes nothing either: it is answered with what to write.
"""

from __future__ import annotations

import re
from dataclasses import replace

from judge.board.names import gazetteer_of
from judge.board.spelling import slips
from judge.game.core.commands import Role
from judge.game.settings.table import TABLE
from judge.languages import tell, together
from judge.mail.queries import Query
from judge.mail.script.phrases import is_question
from judge.mail.script.phrases import words as known
from judge.mail.script.phrases import words as phrases
from judge.mail.vocabulary import Around, BodyRule, Clause, Match, Unclear, Verb, find_verb, may_use
from judge.mail.vocabulary.clauses import known_game, without_thanks
from judge.orders.spelled import listed

_NEXT = re.compile(r"\s*(?P<word>[\w'’-]+)")


def bids(word: str, rest: str, names: frozenset[str]) -> bool:
    """Whether a line asks for something. `word`: of the verb, as written; `names`: of powers, in lower case."""
    first = word.lower().split()[0]
    if phrases.OF_ONESELF.match(word):
        return True
    if first not in phrases.COMMANDS | phrases.FACTS or phrases.SAYS_OF_IT.match(rest):
        return False
    if " " in word and first in phrases.COMMANDS | {"civil", "same"}:
        return True
    after = _NEXT.match(rest)
    if after is None:
        return False
    follower = after["word"].lower()
    return follower in phrases.FOLLOWS or follower in names or phrases.AMOUNT.match(follower) is not None


_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_COUNTED = re.compile(r"\d|@\w")
_NEAREST = 4
"""Letters that a word must have to be a misspelling of one of ours."""
_NAMELESS = frozenset(("no-such-game", "no-recipients"))
"""Reasons for which a line is no command if it names two words or more, since a name is one."""


def is_small_talk(match: Match, found: Unclear | None, around: Around) -> bool:
    """Whether a line that begins with the word of a verb, and cannot be read as its command (`found` says why) or is
    read by one that takes any words, only happens to begin so: "Clear skies today", "Who dares wins", "Set phasers to
    stun". It speaks of nothing that a judge has to do with, and in words that are no slips of the pen either.
    """
    own = match.word.split()
    words = [word for word in words_in(without_thanks(match.rest)) if word not in own]
    if phrases.GIVES_UP.fullmatch(match.word) and (
        phrases.OF_ONESELF.match(match.word) or phrases.ENDS.match(match.rest)
    ):
        return False
    if phrases.ADDRESSED.match(f"{match.word} {match.rest}") or _A_NAME.fullmatch(match.rest):
        return False
    if is_idiom(f"{match.word} {match.rest}") or (phrases.LINK.search(match.rest) and not _names_address(match.rest)):
        return True
    if phrases.HELD.match(f"{match.word} {match.rest}") and not speaks_of_game(words, around):
        return True
    if words in (["none"], ["on"], ["off"]) or (found and found.reason == "bad-name"):
        return False
    if phrases.AS_SUBJECT.match(f"{match.word} {match.rest}") or phrases.BOUGHT.search(f"{match.word} {match.rest}"):
        return True
    if around.role is Role.GM and (found is None or " " in match.word or match.verb.name == "hold"):
        return False
    if (
        not words
        or _COUNTED.search(match.rest)
        or phrases.WISHED.search(match.rest)
        or around.role not in (Role.PLAYER, Role.GM)
    ):
        return False
    if speaks_of_game(words, around) or (found is not None and _is_slip(words, around)):
        return False
    if phrases.SAYS_OF_IT.match(f" {match.rest}") or len(words) > _FEW:
        return True
    if found is not None and found.reason in _NAMELESS and len(words) > 1:
        return True
    return not may_use(match.verb, around.role) or not known.ORDINARY.isdisjoint(words)


_A_NAME = re.compile(r"\s*[A-Z][a-z]+\s*")
"""Behind a verb a name by itself is its argument: "remove Olga"."""
_FEW = 2
"""Words behind a verb that may be its argument, misspelled."""


def words_in(text: str) -> list[str]:
    """The words of a text in lower case, without figures and marks."""
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


def is_idiom(line: str) -> bool:
    """Whether a line is one of the sayings that begin like a command and command nothing."""
    text = " ".join(re.sub(r"[^\w'’\s-]+", " ", line.replace("’", "'")).split())
    return len(text) <= _LONGEST_IDIOM and known.IDIOMS.says(text)


_LONGEST_IDIOM = 120


def speaks_of_game(words: list[str], around: Around) -> bool:
    """Whether one of these words (lower case) is about a game of ours: orders, seats, votes, dates, powers, places."""
    if not known.OF_THE_GAME.isdisjoint(words) or any(known_game(word, around) for word in words):
        return True
    if around.board is None:
        return False
    names = gazetteer_of(around.board)
    return any(
        len(word) > _FEW and word not in known.ORDINARY and (names.power(word) or names.find(word).exact)
        for word in words
    )


def _is_slip(words: list[str], around: Around) -> bool:
    """Whether one of the first words is almost one of ours, a power, or a game's name: "claim Frnce"."""
    ours = known.OF_THE_GAME | TABLE.keys()
    for word in words:
        if len(word) < _NEAREST or word in known.ORDINARY:
            continue
        if around.board is not None and gazetteer_of(around.board).fuzzy_power(word):
            return True
        alike = (meant for meant in ours if meant[0] == word[0])
        if len(word) > _NEAREST and any(slips(word, meant, 1) is not None for meant in alike):
            return True
    return False


def _names_address(text: str) -> bool:
    return re.search(r"[^\s@<>]+@[^\s@<>]+\.\w", text) is not None


ANSWERS = frozenset(("confirm", "no"))
"""Verbs that answer a question of ours, where one was asked."""
ANY_WORDS = frozenset(("register", "edit", "always", "hold"))
"""Verbs that any words may follow, also those of a sentence."""


def is_command(sentence: str, around: Around) -> bool:
    """Whether a sentence among others is, by itself, a command that is complete on its line, whoever may write it."""
    match = find_verb(sentence.rstrip(" .!"))
    if match is None or match.verb.body is not BodyRule.NONE or match.verb.name in ANSWERS or sentence.endswith("?"):
        return False
    match = replace(match, rest=without_thanks(match.rest))
    if match.verb.name in ANY_WORDS | {"help"} or is_small_talk(match, None, around):
        return False
    return not isinstance(match.verb.read(Clause(match.word, match.rest, around)), Unclear)


def not_known(line: str, around: Around) -> Unclear | None:
    """What to say to a line that no verb begins and that yet tells the judge to do something: "Close the vote on the
    extension, please", "frobnicate the game please"; None for any other. Capitals are a label of our own letters:
    "OPEN until Friday".
    """
    word, _, rest = line.partition(" ")
    words = words_in(rest)
    if (
        (word.isupper() and len(word) > 1)
        or len(words) > _MOST_BID
        or not speaks_of_game(words, around)
        or is_idiom(line)
        or phrases.BOUGHT.search(line)
    ):
        return None
    bid = word.lower() in phrases.COMMANDS and bids(word, rest, power_names(around))
    if bid or phrases.ASKS_POLITELY.fullmatch(" ".join(line.replace("’", "'").split())):
        return Unclear("unknown-bid", tell("I do not know how to do this; nothing was done for this line."), ("help",))
    return None


_MOST_BID = 25


def power_names(around: Around) -> frozenset[str]:
    """The first words of the powers' names, in lower case."""
    board = around.board
    return frozenset(power.name.split()[0].lower() for power in board.powers.values()) if board else frozenset()


_LONGEST = 120
_FREE_TEXT = frozenset({"poll", "amend rule", "headline"})
"""Verbs whose argument may be a question itself."""
_WITH_WORDS = frozenset({"invite", "refuse", "remove", "appeal"})
"""Verbs behind whose argument words for somebody may stand, a question among them: `invite a@b.test: Will you join?`"""
_WORDS = re.compile(r":\s+\w|[\"“„«]\s*\w[^\"”“»]*\?")


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
    lead = phrases.ASKS_WHETHER.match(line) if len(line) <= _LONGEST and is_question(line) else None
    match = find_verb(line[lead.end() :].rstrip(" ?!")) if lead else None
    return _answer(match.verb, role) if match else None


def about_order(order: str) -> Unclear:
    """What to answer to an order with a question mark."""
    sentence = tell("A question orders nothing. If it is your order, send it without the question mark.")
    return Unclear("question", sentence, (order.rstrip(" \t?!"),))


def _answer(verb: Verb, role: Role) -> Unclear:
    if role is Role.PLAYER and Role.PLAYER not in verb.roles and Role.GM in verb.roles:
        return Unclear(
            "question",
            together(tell("`{verb}` is for the Gamemaster to write.", verb=verb.name), tell(_ASK_THEM)),
        )
    forms = listed((f"`{usage}`" for usage in verb.usage[:2] if usage not in verb.some_games), "or")
    return Unclear(
        "question",
        tell(
            "A question changes nothing. `{verb}`: {summary} To do it, write {forms}.",
            verb=verb.name,
            summary=tell(verb.summary),
            forms=forms,
        ),
    )


_ASK_THEM = (
    "Nothing was changed, and nobody was told. To ask them, begin with `press to GM`, and write your words below it; "
    "to ask the other players, write `poll` and the question."
)
