"""A line of several sentences, orders and others: "Hello! Paris to Burgundy. When is the deadline?"

Each sentence is read by itself where that is beyond doubt: an order is nothing but an order, and all others greet,
thank, or ask something of ours. Where another sentence says anything else it may turn the orders round, so they are
asked back, and offered only if no word of that kind stands in it.
"""

from __future__ import annotations

import re

from judge.board.position import Position
from judge.game.core.commands import Role
from judge.game.core.parts import NOT_OUR_WORDS
from judge.mail.script.bidding import is_command
from judge.mail.script.doubtful import AMONG_WORDS, may_turn_round
from judge.mail.script.inwords import our_question
from judge.mail.script.lines import is_courtesy, is_order
from judge.mail.script.plainwords import asks_for_own_orders, more_time
from judge.mail.vocabulary import Around, BodyRule, Unclear, find_verb
from judge.orders.reader import read_line

_END = re.compile(r"(?<!\b[AFaf])(?<!\b[Ss]t)[.!?]+\)?\s+(?=\S)")
"""Where a sentence ends: not behind "A." and "St."."""
_GREETED = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|day|evening|afternoon))(?: (?:there|sir|(?:mr\.? )?judge))?\s*,\s+(?=\S)",
    re.IGNORECASE,
)
"""A greeting with which a sentence begins; one to other players may begin words to them."""
_LONGEST = 400


def pieces_of(line: str, around: Around, position: Position | None) -> tuple[str, ...] | Unclear | None:
    """The sentences of a player's line, each to be read by itself; what to ask of them where one may change another;
    None for a line that holds no sentence of orders beside one of another kind.
    """
    if position is None or around.role is not Role.PLAYER or len(line) > _LONGEST or not _END.search(line):
        return None
    sentences = sentences_of(line)
    orders = [one for one in sentences if _only_orders(one, around, position)]
    others = [one for one in sentences if one not in orders]
    if not others and not _understood(line, around, position):
        return sentences  # "Kiel to Denmark. Munich holds.": orders that are told apart by their full stops alone
    if not orders or not others or any(is_order(one, position.board) for one in others):
        return None  # one that only looks like an order is for the reader of orders to find fault with
    if all(_clear(one, around) for one in others):
        return sentences
    if is_order(line, position.board) and _understood(line, around, position):
        return None  # sentences that only excuse their author are passed over by the reader of orders
    if any(map(may_turn_round, others)):
        return Unclear("order-among-words", AMONG_WORDS)
    return Unclear(NOT_OUR_WORDS, AMONG_WORDS, ("; ".join(one.rstrip(" .;!") for one in orders),))


def sentences_of(line: str) -> tuple[str, ...]:
    """The sentences of a line; a point inside an address or a date ends none.

    >>> sentences_of("Replace France by bob@friends.test. Thanks!")
    ('Replace France by bob@friends.test.', 'Thanks!')
    """
    return tuple(filter(None, (one.strip() for one in _END.sub(r"\g<0>\n", line).split("\n"))))


def courtesies_apart(line: str) -> tuple[str, ...]:
    """A line whose first or last sentences only greet or thank, in pieces: those, and the rest between them as one.
    Nothing for a line that is not of that kind. Thanks behind the words of a letter belong to the letter.

    >>> courtesies_apart("Hi judge. Extend by 2 days. Sorry! Thanks!")
    ('Hi judge.', 'Extend by 2 days. Sorry!', 'Thanks!')
    >>> courtesies_apart("Hello judge, press to England: Let us ally. Thanks!")
    ('Hello judge,', 'press to England: Let us ally. Thanks!')
    """
    if len(line) > _LONGEST or not (_END.search(line) or _GREETED.match(line)):
        return ()
    sentences = sentences_of(_GREETED.sub(r"\g<0>\n", line))
    polite = [is_courtesy(one) for one in sentences]
    if all(polite) or not (polite[0] or polite[-1]):
        return ()
    first, last = polite.index(False), len(polite) - polite[::-1].index(False)
    verb = find_verb(sentences[first])
    if verb is not None and verb.verb.body is not BodyRule.NONE:
        last = len(sentences)
    return (*sentences[:first], " ".join(sentences[first:last]), *sentences[last:]) if first or sentences[last:] else ()


def _only_orders(sentence: str, around: Around, position: Position) -> bool:
    if sentence.endswith("?") or ":" in sentence or not is_order(sentence, position.board):
        return False
    return _understood(sentence, around, position)


def _understood(text: str, around: Around, position: Position) -> bool:
    readings = [one for power in around.powers for one in read_line(text, position, power)]
    return bool(readings) and all(one.understood for one in readings)


def _clear(sentence: str, around: Around) -> bool:
    """Whether a sentence that is no order says nothing about any."""
    asks = our_question(sentence, around) or asks_for_own_orders(sentence) or more_time(sentence) is not None
    return bool(asks) or is_courtesy(sentence) or is_command(sentence, around)
