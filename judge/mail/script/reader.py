"""Reads a mail's lines as a script: which are commands, which orders, which press, and what the others are.

`read_script` is pure and total: any lines, any subject, never an exception, and every line is accounted for once.
A line is read by the first of the readers in `READERS` that fits, and says by which (`Script.read`): an order, a
question in plain words, a setting, a command, a heading ... Near misses of a command, or of an order in other words
than ours (`doubtful.py`), are asked back, never followed.

Two things stop a line that would act: a question mark at its end (`bidding.py`), and a heading above it that cannot be
read (`headings.py`).

Goes through what the author typed, line by line, and hands each line to the first reader that knows it.

Parts of a mail are passed over whole: a report or a letter of ours sent back, an earlier mail, and what stands below a
stop. What was filled in on an order form in them is read all the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.game.core.commands import Role
from judge.languages import tell, told_later
from judge.mail.envelope.reader import topic_of
from judge.mail.quoting import LineKind, TextLine
from judge.mail.script import command_readers as commands
from judge.mail.script import order_readers as orders
from judge.mail.script import sentence_readers as sentences
from judge.mail.script.builder import ScriptBuilder, secret_in, secrets_of
from judge.mail.script.copies import (
    Copies,
    Form,
    PastedResults,
    Printed,
    begins_copy,
    has_blanks,
    is_comment,
    is_courtesy,
    is_report_end,
    is_report_title,
    is_stop,
    is_unfilled,
    plain_line,
    untabled,
    without_blanks,
)
from judge.mail.script.cursor import Cursor, Readers
from judge.mail.script.headings import (
    HeadingKind,
    UnreadableHeading,
    read_heading,
    split_game,
    split_tag,
    unreadable_heading,
)
from judge.mail.script.model import SUBJECT, Script, ScriptContext, Unasked
from judge.mail.script.phrases import abroad, patterns
from judge.mail.script.phrases.answers import only_stop
from judge.mail.script.rewritten import chosen
from judge.mail.script.sentence_readers import would_ask
from judge.mail.script.whole_mail import hear_whole
from judge.mail.vocabulary import Around, BodyRule, Clause, Unclear, find_verb
from judge.orders.reader import looks_like_order

READERS: Readers = (
    (told_later("an order"), orders.plain_order),
    (told_later("a command in another language"), commands.abroad_as_ours),
    (told_later("several sentences"), sentences.several_sentences),
    (told_later("an order"), orders.of_a_unit),
    (told_later("a line for your own power"), commands.for_own_power),
    (told_later("the last orders again, with changes"), orders.last_orders_but),
    (told_later("a player named for a power"), commands.for_a_player),
    (told_later("an idiom"), sentences.idiom),
    (told_later("a vote"), commands.ballot),
    (told_later("a word of other judges"), commands.older_word),
    (told_later("the game's own business"), orders.business),
    (told_later("a question"), sentences.question_of_ours),
    (told_later("a call for help"), sentences.call_for_help),
    (told_later("a setting"), commands.setting),
    (told_later("a condition over several lines"), orders.condition_over_lines),
    (told_later("a condition that I do not know"), orders.unknown_condition),
    (told_later("a wish for more time"), sentences.more_time_wished),
    (told_later("a preference in plain words"), sentences.preference),
    (told_later("a question about your own orders"), sentences.own_orders),
    (told_later("a title"), commands.title_above),
    (told_later("a wish put as a question"), sentences.wish_as_question),
    (told_later("a command"), commands.by_verb),
    (told_later("a heading"), orders.heading_line),
    (told_later("an order"), orders.any_order),
    (told_later("a command cut short"), commands.command_cut_short),
    (told_later("words that are neither command nor order"), sentences.not_understood),
)  # fmt: skip
"""Every reader of a line, by what it takes a line for, in their order: the first that knows a line takes it. Where two
could, the order decides.
"""

_MOST_FAILURES = 5


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
    if (match := patterns.CHOICE.fullmatch(" ".join(text.split()))) and _answers_by_number(cursor, match):
        return _choose(cursor, number, text, int(match["number"]), sure=_is_only_number(match["rest"]))
    if pasted.is_of_others(text, cursor.around):
        return cursor.script.ignore(number, text, Unasked.OTHERS)
    cursor.read(number, text, line, notes)


def _is_only_number(rest: str) -> bool:
    """Whether what stands behind a number leaves it an answer: nothing, or "is right, thanks"."""
    return patterns.CHOSEN.fullmatch(f"{rest} ") is not None or is_courtesy(rest.strip(" .,;:!–—-"))


def _answers_by_number(cursor: Cursor, match: re.Match[str]) -> bool:
    """Whether a line that begins with a number is an answer to the lines that we offered: with nothing behind it, or
    with more words than we can follow, as in "1, but from Monday on". "2 more days" and "1. A Par - Bur" are none.
    """
    rest = match["rest"]
    if not match["lead"] and not rest.strip(" .,;:!"):
        return True
    if not cursor.context.choices or cursor.is_order(plain_line(rest.strip(" .,;:!)–—-"))):
        return False
    return _is_only_number(rest) or (rest[0] in ",;:–—-" and find_verb(rest.strip(" .,;:!–—-")) is None)


def _choose(cursor: Cursor, number: int, text: str, choice: int, *, sure: bool) -> None:
    """An answer by number is the line that it stands for; one with more words is asked back."""
    if not cursor.context.choices:
        return cursor.script.ignore(number, text, Unasked.CHATTER)
    line = chosen(choice, cursor.context.choices, cursor.aim)
    if not isinstance(line, Unclear) and not sure:
        told = tell("I could not follow the words behind the number, and nothing was done. The line below does that.")
        line = Unclear("more-than-a-number", told, (line,))
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


def read_script(lines: Sequence[TextLine], *, subject: str, context: ScriptContext) -> Script:
    """The script of a mail. `lines` are all lines of its text (numbers from 1), `subject` its Subject as it came.

    Lines that the author did not write (quotations, signatures) are ignored by their kind, except changed lines of
    the order form that we sent. The subject is line 0.
    """
    form = Form(context.form, context.board)
    secrets = secrets_of([subject, *(line.text for line in lines)])
    script = ScriptBuilder(secrets)
    typed: list[tuple[int, str]] = []
    printed = Printed()
    signed: list[TextLine] = []
    copied = False
    for line in lines:
        result = printed(line.text)
        copied = copied or (line.kind is LineKind.OWN and begins_copy(line.text))
        if line.kind is LineKind.OWN and (secret := secret_in(line.text)):
            if not copied:
                script.keep(secret)  # in an earlier mail, repeated without marks, it proves nothing
            script.ignore(line.number, line.text, Unasked.PASSWORD)
        elif line.kind is LineKind.OWN:
            typed.append((line.number, untabled(line.text)))
        elif line.kind is LineKind.QUOTED and not result and (order := form.edited(line.text)):
            script.edited.append(line.number)
            typed.append((line.number, order))
        elif line.kind is LineKind.SIGNATURE:
            signed.append(line)
        else:
            script.ignore(line.number, line.text, _why(line.kind.value))
    cursor = Cursor(script, context, typed, READERS)
    _read_subject(subject, typed, cursor, context)
    walk(cursor, form)
    for line in signed:
        why = Unasked.AFTER_STOP if would_ask(cursor, line.text) else Unasked.SIGNATURE
        script.ignore(line.number, line.text, why)
    hear_whole(cursor, lines)
    return script.script()


def _why(kind: str) -> Unasked:
    try:
        return Unasked(kind)
    except ValueError:
        return Unasked.QUOTED


def _read_subject(subject: str, typed: list[tuple[int, str]], cursor: Cursor, context: ScriptContext) -> None:
    """A subject is a heading, or the first line of what was typed, or nothing.

    The subject of an answer is our own; it acts only where the mail says nothing else.
    """
    topic = topic_of(subject)[:200]
    around = context.around()
    game, rest = split_tag(topic, around)
    if secret := secret_in(topic):
        cursor.script.keep(secret)
    answered = topic != subject.strip()[:200]
    if game or secret:
        cursor.script.ignore(SUBJECT, subject, Unasked.PASSWORD if secret else Unasked.SUBJECT)
        cursor.subject = "" if answered or secret else rest
        if game and _says_which(context, answered=answered):
            cursor.turn_to(game=game)
        if game and rest and not _speaks(typed) and rest == topic_of(subject):
            typed.insert(0, (SUBJECT, rest))
        return
    if not answered and not _speaks(typed) and (named := split_game(topic, around))[0]:
        cursor.turn_to(game=named[0])
        typed.insert(0, (SUBJECT, named[1]))
        return
    if heading := read_heading(topic, around):
        cursor.script.ignore(SUBJECT, subject, Unasked.HEADING)
        says = _says_which(context, answered=answered)
        cursor.turn_to(game=heading.game if says else "", power=heading.power, turn=heading.turn)
        return
    if not answered and (lost := _lost(topic, around)):
        return cursor.stop_at(lost)
    if not answered and _is_said_below(topic, typed):
        cursor.script.ignore(SUBJECT, subject, Unasked.SUBJECT)
        return
    if not answered and (question := _too_grave(topic, typed)):
        cursor.script.question((SUBJECT,), subject, question)
        return
    if _acts(topic, cursor, context, typed, answered=answered):
        typed.insert(0, (SUBJECT, topic))
    else:
        cursor.script.ignore(SUBJECT, subject, Unasked.SUBJECT if topic else Unasked.BLANK)
        cursor.subject = "" if answered else topic


def _says_which(context: ScriptContext, *, answered: bool) -> bool:
    """Whether a subject says for which game a mail is. An address that names one goes before the subject of an answer,
    which is ours; before a subject that its author wrote, and before the only game that they play, it does not.
    """
    return not (context.game and context.addressed and answered)


def _lost(topic: str, around: Around) -> UnreadableHeading | None:
    """A subject that was to be a heading and cannot be read: "Fall 19011", "sign on france@tagos"."""
    match = find_verb(topic)
    if match is None or match.verb.name != "sign on":
        return unreadable_heading(SUBJECT, topic, around, subject=True) if match is None else None
    unclear = isinstance(match.verb.read(Clause(match.word, match.rest, around)), Unclear)
    return UnreadableHeading(SUBJECT, topic, HeadingKind.GAME) if unclear and "@" in topic else None


def _is_said_below(topic: str, typed: Sequence[tuple[int, str]]) -> bool:
    """Whether a line of the text is the command that the subject is, word for word: it is one, and acts where it stands
    in the text.
    """
    line = plain_line(topic).lower()
    command = find_verb(line) is not None or bool(abroad.command_in(line))
    return command and any(plain_line(text).lower() == line for _, text in typed)


def _too_grave(topic: str, typed: Sequence[tuple[int, str]]) -> Unclear | None:
    """A subject such as "resign" above a text may only name what the text is about."""
    match = find_verb(abroad.command_in(topic) or plain_line(topic))
    if match is None or not match.verb.risky or match.verb.body is not BodyRule.NONE or match.rest:
        return None
    if all(not text.strip() or is_courtesy(text) for _, text in typed):
        return None
    sentence = tell(
        "To be sure, please write `{verb}` on a line of the mail itself; as its subject it did nothing.",
        verb=match.verb.name,
    )
    return Unclear("in-subject", sentence, (match.verb.name,))


def _speaks(typed: Sequence[tuple[int, str]]) -> bool:
    return any(text.strip() for _, text in typed)


def _acts(
    topic: str, cursor: Cursor, context: ScriptContext, typed: Sequence[tuple[int, str]], *, answered: bool
) -> bool:
    """Whether a subject is to be read like a line of the text."""
    if not topic or is_stop(topic) or is_courtesy(topic):
        return False
    speaks = _speaks(typed)
    if answered and speaks:
        return False
    match = find_verb(abroad.command_in(topic) or plain_line(topic))
    if match is None:
        return not answered and context.board is not None and looks_like_order(topic, context.board)
    if answered and match.verb.risky:
        return False
    if not speaks:
        return True
    if match.verb.whole:
        return False  # "orders" heads many a mail that gives some
    body = "text" if match.verb.body is BodyRule.TEXT else ""
    _, aimed, around = cursor.aim(match)
    return not isinstance(match.verb.read(Clause(match.word, aimed, around, body)), Unclear)
