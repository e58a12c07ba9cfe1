"""Goes through what the author typed, line by line, and hands each line to the first reader that knows it.

Parts of a mail are passed over whole: a report or a letter of ours sent back, an earlier mail, and what stands below a
stop. What was filled in on an order form in them is read all the same.
"""

from __future__ import annotations

import re

from judge.game.core.commands import Role
from judge.languages import tell
from judge.mail.script import command_readers as commands
from judge.mail.script import order_readers as orders
from judge.mail.script import sentence_readers as sentences
from judge.mail.script.copies import (
    Copies,
    Form,
    PastedResults,
    Printed,
    has_blanks,
    is_report_end,
    is_report_title,
    is_unfilled,
    without_blanks,
)
from judge.mail.script.cursor import Cursor, Readers
from judge.mail.script.lines import is_comment, is_stop, plain_line
from judge.mail.script.model import Unasked
from judge.mail.script.phrases.answers import only_stop
from judge.mail.script.rewritten import chosen
from judge.mail.vocabulary import Unclear

READERS: Readers = (
    ("several sentences", sentences.several_sentences),
    ("an order", orders.of_a_unit),
    ("a line for your own power", commands.for_own_power),
    ("the last orders again, with changes", orders.last_orders_but),
    ("a player named for a power", commands.for_a_player),
    ("an idiom", sentences.idiom),
    ("a vote", commands.ballot),
    ("a word of other judges", commands.older_word),
    ("the game's own business", orders.business),
    ("a question", sentences.question_of_ours),
    ("a call for help", sentences.call_for_help),
    ("a setting", commands.setting),
    ("a condition over several lines", orders.condition_over_lines),
    ("a condition that I do not know", orders.unknown_condition),
    ("a wish for more time", sentences.more_time_wished),
    ("a question about your own orders", sentences.own_orders),
    ("a title", commands.title_above),
    ("a wish put as a question", sentences.wish_as_question),
    ("a command", commands.by_verb),
    ("a heading", orders.heading_line),
    ("an order", orders.any_order),
    ("a command cut short", commands.command_cut_short),
    ("words that are neither command nor order", sentences.not_understood),
)  # fmt: skip
"""Every reader of a line, by what it takes a line for, in their order: the first that knows a line takes it. Where two
could, the order decides.
"""

_MOST_FAILURES = 5
_CHOICE = re.compile(r"^(?:choice|option|answer|number)?\s*[#(]?(\d{1,2})[.)]?$", re.IGNORECASE)


def walk(cursor: Cursor, form: Form) -> None:
    """All lines, each accounted for once. `form`: the order form of the letter that the mail answers."""
    lines, copies, pasted = cursor.lines, Copies(cursor.lines), PastedResults()
    while cursor.at < len(lines):
        number, text = lines[cursor.at]
        cursor.at += 1
        if commands.registration_form(cursor, number, text):
            continue
        if is_stop(text):
            _stop(cursor, number, text)
        elif is_report_title(text):
            cursor.script.ignore(number, text, Unasked.REPORT)
            _pass_over(cursor, _end_of_report(cursor), Unasked.REPORT, form)
        elif spans := copies.begin(cursor.at - 1, asked=cursor.script.asked):
            cursor.at -= 1
            for end, why in spans:  # a letter of ours, its foot, or an earlier mail, sent back without marks
                _pass_over(cursor, end, why, form)
        else:
            _read_line(cursor, number, text, pasted)
            if cursor.script.failures >= _MOST_FAILURES:
                cursor.drop_rest(Unasked.AFTER_FAILURES)


def _read_line(cursor: Cursor, number: int, text: str, pasted: PastedResults) -> None:
    if not text.strip():
        return cursor.script.ignore(number, text, Unasked.BLANK)
    if is_comment(text):
        return cursor.script.ignore(number, text, Unasked.COMMENT)
    if is_unfilled(text):
        return cursor.script.ignore(number, text, Unasked.FORM)
    if has_blanks(text) and cursor.is_order(plain_line(filled := without_blanks(text))):
        text = filled
    line, notes = plain_line(text), ("form",) if number in cursor.script.edited else ()
    if match := _CHOICE.match(" ".join(text.split()).rstrip(".!,")):
        return _choose(cursor, number, text, int(match[1]))
    if pasted.is_of_others(text, cursor.around):
        return cursor.script.ignore(number, text, Unasked.OTHERS)
    cursor.read(number, text, line, notes)


def _choose(cursor: Cursor, number: int, text: str, choice: int) -> None:
    """An answer by number is the line that it stands for."""
    if not cursor.context.choices:
        return cursor.script.ignore(number, text, Unasked.CHATTER)
    line = chosen(choice, cursor.context.choices, cursor.aim)
    if isinstance(line, Unclear):
        return cursor.script.question((number,), text, line)
    cursor.read(number, line, plain_line(line), ("choice",))


def _stop(cursor: Cursor, number: int, text: str) -> None:
    """A stop word: no line below it is read. `end` as the first line of a Gamemaster's mail may mean the game, so it is
    asked back.
    """
    first = not any(line.strip() for _, line in cursor.lines[: cursor.at - 1])
    if first and cursor.context.role is Role.GM and text.strip().lower().rstrip(".!") == "end":
        sentence = tell("`end` alone ends what I read of a mail. To close the game, write `end game`.")
        return cursor.script.question((number,), text, Unclear("two-readings", sentence, ("end game",)), "end")
    below = any(line.strip() for _, line in cursor.lines[cursor.at :])
    if first and not below and text.strip().lower().rstrip(".!") == "stop":
        return cursor.script.question((number,), text, only_stop(cursor.around))
    cursor.script.ignore(number, text, Unasked.STOP)
    cursor.drop_rest(Unasked.AFTER_STOP)


def _end_of_report(cursor: Cursor) -> int:
    """The index after the last line of a report of ours that was sent back."""
    ends = (at for at, (_, text) in enumerate(cursor.lines[cursor.at :], cursor.at) if is_report_end(text))
    return next(ends, len(cursor.lines) - 1) + 1


def _pass_over(cursor: Cursor, end: int, why: Unasked, form: Form) -> None:
    """Leave the lines up to `end` unread, except what was changed in an order form."""
    printed = Printed(inside=True)
    for number, text in cursor.lines[cursor.at : end]:
        if not printed(text) and (order := form.edited(text)):
            cursor.order(number, order, notes=("form",))
        else:
            cursor.script.ignore(number, text, why if text.strip() else Unasked.BLANK)
    cursor.at = end
