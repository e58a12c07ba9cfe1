"""Whether a long line that begins with the word of a verb bids the judge do something, or only happens to begin so.

"Clear all my orders, I have to think again" is meant; "Draw or not, who cares about that any more?" is not. A line that
is meant and not understood is asked back, however long it is: passed over, it would count as done with the author.
"""

from __future__ import annotations

import re

from judge.mail.vocabulary import Unclear

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


def not_known(line: str, names: frozenset[str]) -> Unclear | None:
    """What to say to a line that no verb begins and that yet tells the judge to do something: "Close the vote on the
    extension, please"; None for any other. Capitals are a label of our own letters: "OPEN until Friday".
    """
    word, _, rest = line.partition(" ")
    if word.isupper() or word.lower() not in _BIDS or not bids(word, rest, names):
        return None
    return Unclear("unknown-bid", "I do not know how to do this; nothing was done for this line.", ("help",))
