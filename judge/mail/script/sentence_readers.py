"""Readers of sentences in their author's own words: what they ask of us is answered, what they wish is asked back.

The last of them takes what nobody else has taken: courtesies, near misses, which are asked back, and chatter.
"""

from __future__ import annotations

import re
from dataclasses import replace

from judge.board.names import gazetteer_of
from judge.board.position import Position
from judge.game.core.commands import Extend, Role
from judge.game.core.parts import NOT_OUR_WORDS
from judge.languages import tell
from judge.mail.script.bidding import is_command, is_idiom, not_known, sentence_about, words_in
from judge.mail.script.copies import is_courtesy, is_order, plain_line
from judge.mail.script.cursor import Cursor, LineToRead
from judge.mail.script.doubtful import (
    AMONG_WORDS,
    doubtful_order,
    is_understood,
    may_turn_round,
    near_miss,
    order_in_words,
    out_of_place,
    unsaid_order,
    within_a_sentence,
)
from judge.mail.script.model import Ignored, Unasked
from judge.mail.script.phrases import abroad, is_question, patterns
from judge.mail.script.phrases.answers import SAID
from judge.mail.script.plain_words import (
    asks_for_own_orders,
    asks_help,
    for_a_power,
    gm_wish_in,
    more_time,
    named_near,
    near_more_time,
    need_in,
    offered_to_anybody,
    order_without_unit,
    our_question,
    perhaps_orders,
    preference_in,
    question_in,
    told_to_anybody,
    wish_by_its_ideas,
    wish_in,
    wish_of_a_player,
)
from judge.mail.script.sentences import LONGEST_LINE, courtesies_apart, sentences_of, single_sentences
from judge.mail.vocabulary import BY_NAME, Around, BodyRule, Clause, Match, Unclear, find_verb, may_use
from judge.mail.vocabulary.settings_text import settings_in

SET_OFF = re.compile(r"(?P<mark>[=*~#_-])(?P=mark)+ *[^=*~#]{2,60}? *(?P=mark){2,}:?")
""" "==== Summary ====": what a program or a person puts above something."""


def several_sentences(cursor: Cursor, one: LineToRead) -> bool:
    """Orders, greetings, questions and wishes on one line, each of which is read by itself."""
    pieces = None if cursor.unreadable else _pieces_of(one.line, cursor.around, cursor.position)
    pieces = pieces if pieces is not None else courtesies_apart(one.line) or _heard_apart(cursor, one.line) or None
    if pieces is None:
        return False
    _piecewise(cursor, one.number, one.text, pieces, one.notes)
    return True


def _piecewise(
    cursor: Cursor, number: int, text: str, pieces: tuple[str, ...] | Unclear, notes: tuple[str, ...]
) -> None:
    """Orders and other sentences on one line: each by itself, or all of them asked back."""
    if isinstance(pieces, Unclear):
        cursor.ask_back(number, text, pieces)
        _in_own_words(cursor, number, text, plain_line(text))
        return
    for piece in pieces:
        cursor.read(number, piece, plain_line(piece), notes)


def _heard_apart(cursor: Cursor, line: str) -> tuple[str, ...]:
    """The sentences of a line in which two or more ask or wish something, each with the prose behind it: "Who plays
    Russia? I need more time." A question that is none of ours is one of them, so that it is not lost beside another's
    answer. Nothing for any other line, such as one of orders or the words of a letter.
    """
    parts = sentences_of(line)
    verb = find_verb(line) if len(parts) > 1 else None
    if (
        len(parts) < 2
        or cursor.context.press
        or _commands(cursor, line)
        or (verb is not None and verb.verb.body is not BodyRule.NONE)
    ):
        return ()
    if any(is_order(one, cursor.around.board) for one in parts):
        return ()
    found: list[str] = []
    for part in parts:
        if not found or is_question(part) or is_heard(cursor, part) or _commands(cursor, found[-1]):
            found.append(part)
        else:
            found[-1] += f" {part}"
    if len(found) > 1 and not is_question(parts[0]) and not is_heard(cursor, parts[0]):
        found[:2] = [" ".join(found[:2])]
    return tuple(found) if len(found) > 1 else ()


def is_heard(cursor: Cursor, sentence: str) -> bool:
    """Whether a sentence by itself is answered, or told what does as it wishes."""
    return bool(
        abroad.command_in(sentence)
        or our_question(sentence, cursor.around)
        or asks_help(sentence)
        or need_in(sentence)
        or asks_for_own_orders(sentence)
        or wish(cursor, sentence)
        or preference_in(sentence, cursor.around)
        or wish_by_its_ideas(sentence, cursor.around)
        or for_a_power(sentence, cursor.around)
        or not_known(sentence, cursor.around)
        or _commands(cursor, sentence)
        or (cursor.around.role is Role.PLAYER and (more_time(sentence) or near_more_time(sentence)))
    )


def would_ask(cursor: Cursor, text: str) -> bool:
    """Whether a line that is not read, below a signature's mark, would have ordered or asked something."""
    line = plain_line(text)
    return is_order(line, cursor.around.board) or any(is_heard(cursor, one) for one in sentences_of(line))


def _commands(cursor: Cursor, sentence: str) -> bool:
    return not is_courtesy(sentence) and is_command(sentence, cursor.around)


def idiom(cursor: Cursor, one: LineToRead) -> bool:
    """A saying that begins like a command: "Hold your horses". An order behind it is asked back."""
    if not is_idiom(one.line) or wish(cursor, one.line) is not None:
        return False
    if (unclear := within_a_sentence(one.line, cursor.around, cursor.position)) is not None:
        cursor.ask_back(one.number, one.text, unclear)
        return True
    return cursor.pass_over(one)


def question_of_ours(cursor: Cursor, one: LineToRead) -> bool:
    """A question in plain words, with what stands beside it."""
    if not _asks_ours(cursor, one.line):
        return False
    _order_among(cursor, one.number, one.text, one.line)
    _in_own_words(cursor, one.number, one.text, one.line)
    return True


def _asks_ours(cursor: Cursor, line: str) -> bool:
    """Whether a sentence of a line is a question of ours, and none of it a wish."""
    if cursor.unreadable or not ("?" in line or patterns.ASKS.match(line)):
        return False
    return any(question_in(one, cursor.around) for one in single_sentences(line)) and wish(cursor, line) is None


def _in_own_words(cursor: Cursor, number: int, text: str, line: str) -> bool:
    """Whether sentences of a line ask questions of ours: each of them is answered."""
    if wish(cursor, line) is not None:
        return False
    asked = dict.fromkeys(filter(None, (our_question(one, cursor.around) for one in single_sentences(line))))
    for ours in asked:
        cursor.read_as(number, text, ours, tell("I took that as `{ours}`.", ours=ours))
    if asked:
        cursor.answered.append(Ignored(number, text, Unasked.CHATTER))
    return bool(asked)


def _order_among(cursor: Cursor, number: int, text: str, line: str) -> None:
    """An order beside a question that is answered."""
    if unclear := within_a_sentence(line, cursor.around, cursor.position):
        cursor.ask_back(number, text, unclear)


def call_for_help(cursor: Cursor, one: LineToRead) -> bool:
    """A question to the help that does not say so: "How do I build?"."""
    line = one.line
    if not (cursor.may_guess and asks_help(line)) or asks_for_own_orders(line):
        return False
    helped = Match(BY_NAME["help"], "help", line)
    found = helped.verb.read(Clause("help", line, cursor.around))
    cursor.answered.append(Ignored(one.number, one.text, Unasked.CHATTER))
    _order_among(cursor, one.number, one.text, " ".join(part for part in sentences_of(line) if not asks_help(part)))
    cursor.write((one.number,), one.text, helped, found, cursor.around.game, one.notes)
    return True


def more_time_wished(cursor: Cursor, one: LineToRead) -> bool:
    """An extension in plain words, once in a mail: who asks twice in one letter means one."""
    number, text, line, notes = one
    asked = more_time(line) if cursor.around.role is Role.PLAYER else None
    if asked is None:
        return False
    if cursor.time_asked:
        return cursor.pass_over(one)
    cursor.time_asked = True
    match = Match(BY_NAME["extend"], "extension", "")
    cursor.write((number,), text, match, Extend(*asked), cursor.game, notes)
    _order_among(cursor, number, text, line)
    return True


def preference(cursor: Cursor, one: LineToRead) -> bool:
    """ "I'd like Russia or Turkey best", before the powers are dealt."""
    ours = "" if cursor.unreadable else preference_in(one.line, cursor.around)
    if not ours or find_verb(one.line) is not None:
        return False
    cursor.read_as(one.number, one.text, ours, tell("I took that as `{ours}`.", ours=ours), one.notes)
    return True


def own_orders(cursor: Cursor, one: LineToRead) -> bool:
    """A player's "What have I ordered so far"."""
    if cursor.around.role is not Role.PLAYER or cursor.is_order(one.line) or not asks_for_own_orders(one.line):
        return False
    shown = Match(BY_NAME["orders"], "orders", "")
    asked = shown.verb.read(Clause("orders", "", cursor.around))
    cursor.write((one.number,), one.text, shown, asked, cursor.game, one.notes)
    return True


def wish_as_question(cursor: Cursor, one: LineToRead) -> bool:
    """ "Could you hold the game until Sunday?": asked back, as the wish that it is."""
    wished = wish(cursor, one.line) if is_question(one.line) and cursor.may_guess else None
    if wished is not None:
        cursor.ask_back(one.number, one.text, wished)
    return wished is not None


def wish(cursor: Cursor, line: str) -> Unclear | None:
    """What to ask of a player's or a Gamemaster's wish; in an answer to press it is somebody else's to hear."""
    if cursor.context.press:
        return None
    if cursor.around.role is Role.GM:
        wishes = [gm_wish_in(one, cursor.around) for one in (line, *sentences_of(line))]
        wishes += [offered_to_anybody(line, cursor.around), told_to_anybody(line, cursor.around)]
        wishes += [wish_of_a_player(one, cursor.around) for one in single_sentences(line)]
    else:
        wishes = [wish_in(one, cursor.around) for one in single_sentences(line)]
        wishes += [_of_the_gamemaster(cursor, line)]
    return next(filter(None, wishes), None)


def _of_the_gamemaster(cursor: Cursor, line: str) -> Unclear | None:
    """What to say to a player's line that only the Gamemaster may write: of settings, which players vote on, or a
    wish that is theirs to fulfil.
    """
    if cursor.around.role is not Role.PLAYER:
        return None
    if found := settings_in(line):
        name, value = found[0]
        told = tell("Only the Gamemaster changes settings; nothing was changed. Players vote on them, like this:")
        return Unclear("not-for-you", tell("{told} amend rule {name} = {value}", told=told, name=name, value=value))
    wished = gm_wish_in(line, replace(cursor.around, role=Role.GM))
    verb = find_verb(wished.candidates[0]) if wished is not None and wished.candidates else None
    if wished is None or verb is None or may_use(verb.verb, Role.PLAYER):
        return None
    return Unclear(
        "not-for-you",
        tell(
            "That is for the Gamemaster to do (`{candidates}`); nothing was changed. To ask them, "
            "begin with `press to GM`, and write your words below it.",
            candidates=wished.candidates[0],
        ),
    )


def wishes_otherwise(cursor: Cursor, line: str) -> bool:
    """Whether a line that might be an order is a wish of some other kind: "Scrap all my orders", and from a
    Gamemaster who orders for nobody "Put the Italian army back to Rome".
    """
    if not cursor.may_guess:
        return False
    if cursor.around.role is Role.GM and not cursor.speaks_for_power:
        return wish_by_its_ideas(line, cursor.around) is not None
    return cursor.around.role is Role.PLAYER and wish(cursor, line) is not None


def not_understood(cursor: Cursor, one: LineToRead) -> bool:
    """Nothing that is followed: courtesy, a near miss that is asked back, or chatter."""
    _take_unknown(cursor, one.number, one.text, one.line)
    return True


def _take_unknown(cursor: Cursor, number: int, text: str, line: str) -> None:
    polite = number in cursor.signed or (is_courtesy(line) and not unsaid_order(line, cursor.around))
    if polite and not _says_more(cursor, line):
        return cursor.script.ignore(number, text, Unasked.COURTESY)
    if SET_OFF.fullmatch(line):
        return cursor.script.ignore(number, text, Unasked.CHATTER)
    if not cursor.unreadable and cursor.may_guess and _in_own_words(cursor, number, text, line):
        return _order_among(cursor, number, text, line)
    cursor.unknown += 1
    if cursor.may_guess and (unclear := _doubt(cursor, line)):
        cursor.script.failures += not cursor.around.game
        return cursor.ask_back(number, text, unclear)
    if cursor.around.game or cursor.around.board:
        return cursor.script.ignore(number, text, Unasked.CHATTER)
    cursor.script.failures += 1
    cursor.script.question((number,), text, out_of_place(line, cursor.context.offered()))


def _business_among(cursor: Cursor, line: str) -> Unclear | None:
    """What to ask of a player's sentence with a word of the game's own business in it: "Put 3 points of influence into
    Serbia" is told how such a line is written.
    """
    position = cursor.position
    if cursor.around.role is not Role.PLAYER or position is None or not cursor.game:
        return None
    names, words = gazetteer_of(position.board), [word.lower() for word in words_in(line)]
    if not any(len(word) > 2 and (names.power(word) or names.places(word)) for word in words):
        return None  # "I claim nothing, good luck"
    said = f" {' '.join(words)} "
    for word, one in cursor.context.business_of(cursor.game).items():
        if one.example is None or f" {word} " not in said:
            continue
        examples = (one.example(position, power) for power in cursor.around.powers)
        shown = next(filter(None, examples), one.usage)
        told = tell(
            "Nothing was noted. If `{word}` was meant, write it on a line of its own, like this: {line}",
            word=word,
            line=shown,
        )
        return Unclear("perhaps-business", told)
    return None


def _says_more(cursor: Cursor, line: str) -> bool:
    """Whether a line that greets or thanks says something besides: "Hello judge, I am lost"."""
    asks = any(our_question(one, cursor.around) or need_in(one) for one in single_sentences(line))
    wished = wish_by_its_ideas(line, cursor.around) or wish(cursor, line)
    return asks or (wished or order_without_unit(line, cursor.around)) is not None


def _doubt(cursor: Cursor, line: str) -> Unclear | None:
    """What to ask of a line that is neither a command nor an order, but was hardly chatter."""
    here = cursor.position
    if is_question(line):
        return (
            within_a_sentence(line, cursor.around, here)
            or wish(cursor, line)
            or for_a_power(line, cursor.around)
            or wish_by_its_ideas(line, cursor.around)
            or sentence_about(line, cursor.around.role)
            or _perhaps_time(cursor, line)
            or _business_among(cursor, line)
            or _not_known(cursor, line)
            or _command_among(cursor, line)
        )
    bids = cursor.around.role is Role.GM and not cursor.speaks_for_power  # units are then put right, and not ordered
    bids = bids or not (cursor.around.game or cursor.around.board)
    return (
        bids_a_unit(cursor, line)
        or wish(cursor, line)
        or (_orders_passed_on(cursor, line) or wish_by_its_ideas(line, cursor.around) if bids else None)
        or _perhaps_time(cursor, line)
        or for_a_power(line, cursor.around)
        or unsaid_order(line, cursor.around)
        or _nearly(cursor, line)
        or doubtful_order(line, cursor.around, here)
        or within_a_sentence(line, cursor.around, here)
        or order_without_unit(line, cursor.around)
        or perhaps_orders(line, cursor.around)
        or _business_among(cursor, line)
        or _not_known(cursor, line)
        or _command_among(cursor, line)
    )


def _orders_passed_on(cursor: Cursor, line: str) -> Unclear | None:
    """What to say to a Gamemaster's "Austria told me by phone: A Vie - Gal"."""
    orders = line.partition(":")[2].strip()
    if cursor.around.role is not Role.GM or not orders or not is_order(orders, cursor.around.board):
        return None
    return Unclear("perhaps-told", tell(SAID["gm: orders"]))


def bids_a_unit(cursor: Cursor, line: str) -> Unclear | None:
    """What to ask of words about a unit of the author's that are no order, nor said to somebody else."""
    unclear = order_in_words(line, cursor.around, cursor.position)
    if unclear is None or within_a_sentence(line, cursor.around, cursor.position) is not None:
        return None
    return unclear if for_a_power(line, cursor.around) is None else None


def _command_among(cursor: Cursor, line: str) -> Unclear | None:
    """What to ask of a line with a command in one of its sentences: "That is all I can say. I'm ready." """
    parts = sentences_of(line)
    found = tuple(one for one in parts[1:] if _commands(cursor, one)) if len(parts) > 1 else ()
    if not found:
        return None
    told = tell("This line has a command among other words, and nothing was done. Write it on a line of its own.")
    return Unclear("command-among-words", told, tuple(one.rstrip(" .!") for one in found))


def _perhaps_time(cursor: Cursor, line: str) -> Unclear | None:
    """A player's words near an extension that do not ask for one beyond doubt."""
    return near_more_time(line) if cursor.around.role is Role.PLAYER else None


def _nearly(cursor: Cursor, line: str) -> Unclear | None:
    """What to ask of a line that is nearly a command, unless it is a wish in words of its own."""
    found = near_miss(line, cursor.around, cursor.aim, about_game=cursor.is_about_game)
    return found and (wish_by_its_ideas(line, cursor.around) or found)


def _not_known(cursor: Cursor, line: str) -> Unclear | None:
    """A wish that no reader knows, with the commands that have to do with its words."""
    found = None if cursor.goes_on(line) else not_known(line, cursor.around)
    if found is not None and (meant := wish_by_its_ideas(line, cursor.around)) is not None:
        return meant
    near = named_near(line, cursor.around) if found is not None else ""
    return replace(found, sentence=f"{found.sentence} {near}") if found is not None and near else found


def _pieces_of(line: str, around: Around, position: Position | None) -> tuple[str, ...] | Unclear | None:
    """The sentences of a player's line, each to be read by itself; what to ask of them where one may change another;
    None for a line that holds no sentence of orders beside one of another kind.
    """
    if position is None or around.role is not Role.PLAYER or len(line) > LONGEST_LINE:
        return None
    parts = sentences_of(line)
    if len(parts) < 2:
        return None
    orders = [one for one in parts if _only_orders(one, around, position)]
    others = [one for one in parts if one not in orders]
    if not others and not is_understood(line, around, position):
        return parts  # "Kiel to Denmark. Munich holds.": orders that are told apart by their full stops alone
    if not orders or not others or any(is_order(one, position.board) for one in others):
        return None  # one that only looks like an order is for the reader of orders to find fault with
    if all(_clear(one, around) for one in others):
        return parts
    if is_order(line, position.board) and is_understood(line, around, position):
        return None  # sentences that only excuse their author are passed over by the reader of orders
    if any(map(may_turn_round, others)):
        return Unclear("order-among-words", tell(AMONG_WORDS))
    return Unclear(NOT_OUR_WORDS, tell(AMONG_WORDS), ("; ".join(one.rstrip(" .;!") for one in orders),))


def _only_orders(sentence: str, around: Around, position: Position) -> bool:
    if sentence.endswith("?") or ":" in sentence or not is_order(sentence, position.board):
        return False
    return is_understood(sentence, around, position)


def _clear(sentence: str, around: Around) -> bool:
    """Whether a sentence that is no order says nothing about any."""
    asks = our_question(sentence, around) or asks_for_own_orders(sentence) or more_time(sentence) is not None
    told = for_a_power(sentence, around) is not None
    return bool(asks) or told or is_courtesy(sentence) or is_command(sentence, around)
