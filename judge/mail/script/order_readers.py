"""Readers of orders, also those with a heading, under a condition, or in place of last turn's; and of headings."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile

from judge.game.core.commands import Role
from judge.game.filing.submitting import Do
from judge.mail.script.blocks import condition_block, condition_in_one_line
from judge.mail.script.copies import Typed, plain_line
from judge.mail.script.cursor import Cursor, LineToRead
from judge.mail.script.doubtful import order_in_words, unsaid_order
from judge.mail.script.headings import (
    ask_about_heading,
    belongs_below,
    case_above,
    read_heading,
    split_game,
    split_heading,
    tagged_game,
    unreadable_heading,
)
from judge.mail.script.model import Unasked
from judge.mail.script.phrases import is_question
from judge.mail.script.phrases import ordering as phrases
from judge.mail.script.sentence_readers import is_heard, wishes_otherwise
from judge.mail.vocabulary import Heading, Unclear, find_verb
from judge.orders.canonical import is_plainly_order
from judge.orders.reader import read_line
from judge.rules.business import begun
from judge.rules.questions import NO_BUSINESS

_UNIT_FIRST = re.compile(r"[AaFf] +[A-Za-z]{2}")

_LONGEST_WITH_A_WISH = 200


def plain_order(cursor: Cursor, one: LineToRead) -> bool:
    """By far the most lines are these: no other reader can take them for anything else."""
    board = cursor.around.board
    if board is None or not is_plainly_order(one.line, board):
        return False
    cursor.order(one.number, one.text, notes=one.notes)
    return True


def of_a_unit(cursor: Cursor, one: LineToRead) -> bool:
    """No verb begins so."""
    return _UNIT_FIRST.match(one.line) is not None and _take_order(cursor, one)


def any_order(cursor: Cursor, one: LineToRead) -> bool:
    """An order that begins with no unit, which no other reader takes for anything else."""
    if not cursor.is_order(one.line) or wishes_otherwise(cursor, one.line):
        return False
    if (unclear := _in_words(cursor, one.line)) is not None:
        cursor.ask_back(one.number, one.text, unclear)
        return True
    return _take_order(cursor, one)


def _in_words(cursor: Cursor, line: str) -> Unclear | None:
    """What to ask of a line with words of orders that the reader of orders would pass over: "Make Paris hold"."""
    here, around = cursor.position, cursor.around
    unclear = unsaid_order(line, around) or order_in_words(line, around, here)
    if unclear is None or here is None or not cursor.is_for_now or phrases.CONDITION.search(line):
        return None
    readings = [one for power in around.powers for one in read_line(line, here, power)]
    said = [one.text for one in readings if not one.order_like]
    if len(said) < len(readings):  # one of several pieces may be such words: "Make Paris hold, the rest as before"
        return next(filter(None, (order_in_words(text, around, here) for text in said)), None)
    return unclear


def _take_order(cursor: Cursor, one: LineToRead) -> bool:
    if not cursor.is_order(one.line):
        return False
    order, wish = _with_a_wish(cursor, one.line) or (one.text, "")
    cursor.order(one.number, order, notes=one.notes)
    if wish:
        cursor.read(one.number, wish, wish, one.notes)
    return True


def _with_a_wish(cursor: Cursor, line: str) -> tuple[str, str] | None:
    """The two halves of "A Paris - Burgundy, and I'd like two more days": the reader of orders would pass the second
    over as words that are not needed.
    """
    if cursor.unreadable or cursor.around.role is not Role.PLAYER or len(line) > _LONGEST_WITH_A_WISH:
        return None
    for match in phrases.BESIDE.finditer(line):
        order, wish = line[: match.start()], line[match.end() :]
        if cursor.is_order(order) and not cursor.is_order(wish) and is_heard(cursor, wish):
            return order, wish
    return None


def last_orders_but(cursor: Cursor, one: LineToRead) -> bool:
    """ "Same again, but A Par - Pic instead": the orders of the last turn, and this one in place of its unit's."""
    number, text, line, notes = one
    match = find_verb(line)
    if match is None or match.verb.name != "same again" or cursor.unreadable or is_question(line):
        return False
    but = phrases.BUT.fullmatch(match.rest)
    if but is None or not cursor.is_order(but["order"]):
        return False
    cursor.read(number, text, "same again", notes)
    cursor.order(number, but["order"], notes=notes)
    return True


def condition_over_lines(cursor: Cursor, one: LineToRead) -> bool:
    """A condition over several lines, down to its ENDIF: all of it is orders, whatever it looks like."""
    line = one.line
    block = condition_block(cursor.lines[cursor.at - 1 :]) if line[:2].lower() == "if" and cursor.around.board else ()
    for number, text in block:
        cursor.order(number, text, notes=()) if text else cursor.script.ignore(number, text, Unasked.BLANK)
    cursor.at += max(0, len(block) - 1)
    return bool(block)


def business(cursor: Cursor, one: LineToRead) -> bool:
    """A line whose first word is business of the game's own (`judge.rules.business`)."""
    number, text, line, notes = one
    game = cursor.game
    known = cursor.context.business_of(game) if game and cursor.around.role is Role.PLAYER else NO_BUSINESS
    found = begun(line, known) if known else None
    if found is None or is_question(text):
        return False
    word, rest = found
    below = _branches_below(cursor) if word.startswith("if ") else ()
    numbers = (number, *(each for each, _ in below))
    rest = condition_in_one_line(rest, [each for _, each in below]) if below else rest
    deed = Do(word, rest.strip().rstrip(".!"), cursor.heading.power)
    if cursor.unreadable:
        cursor.script.question(numbers, text, belongs_below(cursor.unreadable), word)
    else:
        cursor.script.say(deed, numbers, text, word, game=game, notes=notes)
    return True


def _branches_below(cursor: Cursor) -> tuple[Typed, ...]:
    """The lines below one with a condition that belong to it: down to ENDIF, or those that begin with "else"."""
    block = condition_block(cursor.lines[cursor.at - 1 :])[1:]
    if not block:
        rest = ((number, plain_line(text)) for number, text in cursor.lines[cursor.at :])
        block = list(takewhile(lambda each: phrases.ELSE.match(each[1]), rest))
    cursor.at += len(block)
    return tuple((number, text) for number, text in block if text)


def heading_line(cursor: Cursor, one: LineToRead) -> bool:
    """A line that says for what those below it are, or the orders on it."""
    number, text, line, notes = one
    return _whole_line(cursor, number, text, line) or _headed_orders(cursor, number, line, notes)


def _whole_line(cursor: Cursor, number: int, text: str, line: str) -> bool:
    heading = read_heading(line, cursor.around)
    heading = heading or _pasted_tag(cursor, line)
    if heading is None:
        return _unreadable_line(cursor, number, text, line)
    cursor.turn_to(game=heading.game, power=heading.power, turn=heading.turn)
    cursor.script.ignore(number, text, Unasked.HEADING)
    return True


def _pasted_tag(cursor: Cursor, line: str) -> Heading | None:
    """ "Re: [verdun] S1901 Moves: results", pasted into a mail for another game, with no order behind it."""
    game = tagged_game(line, cursor.around)
    if not game or game == cursor.game:
        return None
    return None if cursor.is_order(line.rpartition("]")[2].strip()) else Heading(game)


def _unreadable_line(cursor: Cursor, number: int, text: str, line: str) -> bool:
    heading = unreadable_heading(number, line, cursor.around)
    if heading is None:
        return False
    cursor.stop_at(replace(heading, text=text))
    return True


def unknown_condition(cursor: Cursor, one: LineToRead) -> bool:
    """ "If Germany is in Belgium:" above orders, in no form that we know: they are not unconditional for that."""
    case = case_above(one.number, one.line) if cursor.around.role is Role.PLAYER else None
    if case is None:
        return False
    cursor.stop_at(replace(case, text=one.text))
    return True


def _headed_orders(cursor: Cursor, number: int, line: str, notes: tuple[str, ...]) -> bool:
    """ "for S1902: A Par - Bur": a heading for these orders alone."""
    found = split_heading(line, cursor.around)
    if found is None and (named := split_game(line, cursor.around))[0]:
        found = Heading(named[0]), named[1]
    if found is None:
        return _unreadable_before_orders(cursor, number, line)
    before = cursor.heading, cursor.around, cursor.unreadable
    heading, orders = found
    cursor.turn_to(game=heading.game, power=heading.power, turn=heading.turn, replace_all=before[0].replace)
    ordered = cursor.is_order(orders)
    if ordered:
        cursor.order(number, orders, notes=notes)
    cursor.heading, cursor.around, cursor.unreadable = before
    return ordered


def _unreadable_before_orders(cursor: Cursor, number: int, line: str) -> bool:
    """ "for next year: A Par - Bur": a heading that cannot be read, for these orders alone."""
    before, colon, orders = line.partition(":")
    heading = (
        unreadable_heading(number, before + colon, cursor.around) if colon and cursor.is_order(orders.strip()) else None
    )
    if heading is None:
        return False
    cursor.script.question((number,), line, ask_about_heading(heading))
    return True
