"""Reads a mail's lines as a script: which are commands, which orders, which press, and what the others are.

`read_script` is pure and total: any lines, any subject, never an exception, and every line is accounted for once.
A line is read by the first of the readers in `walk.READERS` that fits, and says by which (`Script.read`): an order, a
question in plain words, a setting, a command, a heading ... Near misses of a command, or of an order in other words
than ours (`doubtful.py`), are asked back, never followed.

Two things stop a line that would act: a question mark at its end (`bidding.py`), and a heading above it that cannot be
read (`headings.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from judge.languages import tell
from judge.mail.envelope.headers import topic_of
from judge.mail.quoting import LineKind, TextLine
from judge.mail.script.builder import ScriptBuilder
from judge.mail.script.copies import Form, Printed
from judge.mail.script.cursor import Cursor
from judge.mail.script.headings import (
    HeadingKind,
    UnreadableHeading,
    read_heading,
    split_game,
    split_tag,
    unreadable_heading,
)
from judge.mail.script.lines import begins_copy, is_courtesy, is_stop, plain_line, untabled
from judge.mail.script.model import SUBJECT, Script, ScriptContext, Unasked
from judge.mail.script.passwords import secret_in, secrets_of
from judge.mail.script.sentence_readers import would_ask
from judge.mail.script.walk import READERS, walk
from judge.mail.script.whole_mail import hear_whole
from judge.mail.vocabulary import Around, BodyRule, Clause, Unclear, find_verb
from judge.orders.reader import looks_like_order


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
    return find_verb(line) is not None and any(plain_line(text).lower() == line for _, text in typed)


def _too_grave(topic: str, typed: Sequence[tuple[int, str]]) -> Unclear | None:
    """A subject such as "resign" above a text may only name what the text is about."""
    match = find_verb(plain_line(topic))
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
    match = find_verb(plain_line(topic))
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
