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
from judge.mail.queries import Query
from judge.mail.script.lines import is_question
from judge.mail.script.phrases import words as known
from judge.mail.vocabulary import Around, BodyRule, Clause, Match, Unclear, Verb, find_verb, may_use
from judge.mail.vocabulary.clauses import known_game, without_thanks

_BIDS = frozenset((
    "adjudicate", "advertise", "amend", "announce", "appoint", "ask", "assign", "ban", "begin", "call", "cancel",
    "carry", "change", "claim", "clear", "close", "concede", "continue", "count", "create", "decline", "delete",
    "disqualify", "download", "drop", "end", "erase", "exclude", "export", "extend", "finish", "forget", "give",
    "hand", "hold", "import", "invite", "join", "kick", "leave", "list", "make", "message", "move", "name", "nudge",
    "observe", "open", "pause", "postpone", "process", "propose", "prod", "proxy", "publish", "quit", "recall",
    "register", "reinstate", "remind", "remove", "reopen", "repeat", "replace", "request", "resend", "reset",
    "resign", "restart", "resume", "retract", "reveal", "revive", "revoke", "roll", "rollback", "rollforward",
    "search", "send", "set", "share", "show", "split", "start", "step", "stop", "submit", "subscribe", "swap",
    "switch", "take", "undo", "unobserve", "unsubscribe", "use", "vacate", "verify", "vote", "wait", "watch",
    "withdraw",
))  # fmt: skip
"""English verbs with which people tell somebody what to do."""
_FACTS = frozenset((
    "absence", "absent", "away", "back", "civil", "deadline", "default", "deputy", "draw", "extension", "ready",
    "same",
))  # fmt: skip
"""Words of verbs that are no English verbs, and yet begin many a wish."""
_FOLLOWS = frozenset((
    "a", "again", "all", "an", "as", "at", "aye", "because", "before", "between", "both", "by", "during", "each",
    "every", "everybody", "everyone", "everything", "for", "from", "her", "him", "his", "if", "in", "it", "me",
    "my", "nay", "no", "not", "now", "of", "our", "please", "should", "since", "sending", "that", "the", "their",
    "them", "these", "this", "those", "till", "to", "until", "us", "what", "with", "without", "yes", "your", "you",
))  # fmt: skip
"""Words that go on after such a word, where it is meant; commas, "or" and "on" tell of prose."""
_OWN = re.compile(
    r"i (?:resign|quit|claim|take over|request|withdraw|concede|give up|need|want|would like|must|have to)\b", re.I
)
_NEXT = re.compile(r"\s*(?P<word>[\w'’-]+)")
_AMOUNT = re.compile(r"\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:to)?(?:day|morrow)\b|next\b", re.I)
_SAYS_OF_IT = re.compile(r"\s*(?:is|was|are|were|will|would|has|had|can|could|may|might|sounds|seems|looks)\b", re.I)
"""What makes the word the subject of a sentence: "Wait is what I do"."""


def bids(word: str, rest: str, names: frozenset[str]) -> bool:
    """Whether a line asks for something. `word`: of the verb, as written; `names`: of powers, in lower case."""
    first = word.lower().split()[0]
    if _OWN.match(word):
        return True
    if first not in _BIDS | _FACTS or _SAYS_OF_IT.match(rest):
        return False
    if " " in word and first in _BIDS | {"civil", "same"}:
        return True
    after = _NEXT.match(rest)
    if after is None:
        return False
    follower = after["word"].lower()
    return follower in _FOLLOWS or follower in names or _AMOUNT.match(follower) is not None


_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_COUNTED = re.compile(r"\d|@\w")
_LINK = re.compile(r"https?:|www\.|<https?|\b[\w-]+\.(?:com|org|net|example|io)\b", re.IGNORECASE)
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
    if _GIVES_UP.fullmatch(match.word) and (_OWN.match(match.word) or _ENDS.match(match.rest)):
        return False
    if _ADDRESSED.match(f"{match.word} {match.rest}") or _A_NAME.fullmatch(match.rest):
        return False
    if is_idiom(f"{match.word} {match.rest}") or (_LINK.search(match.rest) and not _names_address(match.rest)):
        return True
    if _HELD.match(f"{match.word} {match.rest}") and not speaks_of_game(words, around):
        return True
    if words in (["none"], ["on"], ["off"]) or (found and found.reason == "bad-name"):
        return False
    if _AS_SUBJECT.match(f"{match.word} {match.rest}") or _BOUGHT.search(f"{match.word} {match.rest}"):
        return True
    if around.role is Role.GM and (found is None or " " in match.word or match.verb.name == "hold"):
        return False
    if (
        not words
        or _COUNTED.search(match.rest)
        or _WISHED.search(match.rest)
        or around.role not in (Role.PLAYER, Role.GM)
    ):
        return False
    if speaks_of_game(words, around) or (found is not None and _is_slip(words, around)):
        return False
    if _SAYS_OF_IT.match(f" {match.rest}") or len(words) > _FEW:
        return True
    if found is not None and found.reason in _NAMELESS and len(words) > 1:
        return True
    return not may_use(match.verb, around.role) or not known.ORDINARY.isdisjoint(words)


_AS_SUBJECT = re.compile(
    r"(?:the|my|our) \S+ (?!(?:please|pls|this|yes|as|of|and|is)\b)[a-z]{3,}s\b(?! (?:please|pls))", re.IGNORECASE
)
""" "The tour passes through Burgundy": an article makes the word the subject of a sentence."""
_HELD = re.compile(
    r"(?:hold|pause|stop) (?:(?:my|your|our|his|her|the) (?:\S+ )?\S+[.! ]*$|(?:tight|fast|firm|steady|still)\b"
    r"|for (?:\S+ )?(?:effect|thought|breath|applause|breakfast|lunch|dinner|tea|coffee)\b)",
    re.IGNORECASE,
)
""" "Hold my beer", "Pause for dramatic effect"; whatever else is held is a game."""
_BOUGHT = re.compile(
    r"\border(?:ed|ing)? (?:a|an|another|some|this) (?!(?:new|last|old|own) )"
    r"(?!(?:turn|phase|season|move|one|unit|arm|fleet)\w*\b)\w+",
    re.IGNORECASE,
)
""" "I would like to order a coffee", "Who ordered this weather?"."""
_GIVES_UP = re.compile(r"(?:i )?(?:resign|quit|give up|surrender|drop out|step down|withdraw|leave)", re.IGNORECASE)
_ADDRESSED = re.compile(r"(?i:press|message|letter)\s+(?i:to)\s+(?:[A-Z]{1,7}|(?i:all|everybody|gm))\b")
_A_NAME = re.compile(r"\s*[A-Z][a-z]+\s*")
"""Behind a verb a name by itself is its argument: "remove Olga"."""
_ENDS = re.compile(r"\s*(?:[,.;!]|$|sorry\b)", re.IGNORECASE)
"""Behind the wish to give up: "Resign. Too much to do." is meant, "Quit smoking years ago" is not."""
_WISHED = re.compile(
    r"^(?:for|with) (?:me|us|him|her|them|all|now)\b|\bbecause\b|\b(?:please|pls|plz)\b", re.IGNORECASE
)
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
        or _BOUGHT.search(line)
    ):
        return None
    bid = word.lower() in _BIDS and bids(word, rest, power_names(around))
    if bid or _ASKS_POLITELY.fullmatch(" ".join(line.replace("’", "'").split())):
        return Unclear("unknown-bid", "I do not know how to do this; nothing was done for this line.", ("help",))
    return None


_MOST_BID = 25
_ASKS_POLITELY = re.compile(
    r"(?:please|kindly|pls|(?:can|could|would|will) (?:you|the judge|somebody|someone)"
    r"|(?:i|we) (?:want|would like|need)(?: you| the judge)? to|i'd like(?: you)? to)\s+"
    r"(?:please |kindly |just |also )?"
    r"(?!(?:don't |do not )?(?:find|consider|excuse|note|notify|forgive|be\b|bear|see\b|accept|ignore|believe|remember"
    r"|think|thank|say\b"
    r"|play\b|win\b|let\b|help|understand|guess|imagine|do\b(?! not)|know|hear|meet|talk|apologi)).*"
    r"|(?!(?:my|your|his|her|their|our|the|this|that|these|those|here|there|all|some|please|a|an)\b)[^\W\d_]+ "
    r"(?:the|my|this|our|all) [^,;:.!?]{1,60}\b(?:please|pls|plz)[.! ]*",
    re.IGNORECASE,
)
"""A wish in a sentence, and "frobnicate the game please"."""


def power_names(around: Around) -> frozenset[str]:
    """The first words of the powers' names, in lower case."""
    board = around.board
    return frozenset(power.name.split()[0].lower() for power in board.powers.values()) if board else frozenset()


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
