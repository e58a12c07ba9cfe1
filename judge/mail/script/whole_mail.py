"""What a mail says as a whole if its lines ask for nothing: a vote, a question to the Gamemaster, a need of help."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.game.core.commands import SendPress
from judge.game.talk.ballots import Vote
from judge.mail.quoting import TextLine
from judge.mail.script.cursor import Cursor
from judge.mail.script.inwords import for_whom, of_others, speaks_to_gamemaster, to_gamemaster, unsent
from judge.mail.script.model import Ignored, ReadRequest, Unasked
from judge.mail.script.ownwords import near_it, need_in, sentences, wish_by_its_ideas
from judge.mail.vocabulary import Unclear
from judge.mail.vocabulary.account import Confirm

_FEW_LINES = 3
"""Lines of a mail in which somebody asks for something in words that are none of ours."""

_LETTER = 12
"""Lines of prose in which no wish is looked for any more: a letter, or a text of somebody else's."""

_ATTACHED = re.compile(
    r"(?=.*\b(?:orders?|moves?|builds?|retreats?|sheet)\b).*\b(?:attached|enclosed|attachment|in (?:the|a) file)\b",
    re.IGNORECASE,
)
_NOT_ATTACHED = "I read nothing that is attached to a mail; write your orders in the mail itself, one on a line."


def read_whole(cursor: Cursor, lines: Sequence[TextLine]) -> None:
    """What the mail as a whole says, where its lines do not: a vote, or a question to the Gamemaster."""
    _weigh_votes(cursor)
    if not cursor.script.asked and cursor.context.called:
        _vote_otherwise(cursor, lines)
    prose = cursor.script.ignored_as(Unasked.CHATTER)
    greetings = [one.text for one in cursor.script.ignored_as(Unasked.COURTESY)]
    if cursor.context.free and not cursor.context.votes:
        cursor.script.set_aside(_is_filler)
    here = bool(cursor.context.game) and cursor.heading.game in ("", cursor.context.game) and not cursor.unreadable
    if here and to_gamemaster(prose, greetings, cursor.context.around()):
        return _pass_on(cursor, prose)
    if here and cursor.answered and speaks_to_gamemaster([cursor.subject, *greetings], prose, cursor.context.around()):
        return _pass_on(cursor, (*prose, *cursor.answered))
    if cursor.script.asked:
        return None if cursor.context.press else _hear(cursor, prose)
    if unclear := of_others(cursor.script.ignored_as(Unasked.FORWARDED), cursor.around):
        return cursor.script.ask_about_forwarded(unclear)
    if cursor.context.press:
        return cursor.script.ask_instead(unsent(cursor.context.press), "press")
    if here and (unclear := for_whom(prose, cursor.context.around())):
        return cursor.script.ask_instead(unclear, "press")
    return _hear(cursor, prose)


def _weigh_votes(cursor: Cursor) -> None:
    """A vote that its author takes back in the next words is none."""
    requests = cursor.script.requests
    for one in requests:
        if isinstance(one.request, Vote) and one.game == cursor.context.game:
            others = {number for other in requests if other is not one for number in other.lines}
            if unclear := cursor.voting.unsaid(one.lines[-1], cursor.lines, others):
                cursor.script.retract(one, unclear)


def _pass_on(cursor: Cursor, words: Sequence[Ignored]) -> None:
    """Prose, and questions that were answered besides, as a letter to the Gamemaster."""
    cursor.script.take_up(words)
    lines = sorted(words, key=lambda one: one.line)
    text, begun = cursor.script.clean("\n".join(one.text for one in lines)), cursor.script.written
    numbers = [one.line for one in lines]
    cursor.script.say(SendPress(text, to=("GM",)), numbers, lines[0].text, "press", game=cursor.context.game)
    cursor.script.explain(begun, "I took that for a question to the Gamemaster.")


def _hear(cursor: Cursor, prose: Sequence[Ignored]) -> None:
    """What lines wish in words that no table has: each is offered what does it, whatever else the mail asks. A
    mail that asks for nothing gets help where its author is lost, and is told that attachments are not read. Beside
    questions help is offered to whoever is lost, and a question that nobody understands is told what it is near to,
    unless the mail has orders.
    """
    alone = not cursor.script.asked
    for one in (*prose, *cursor.script.ignored_as(Unasked.COURTESY)) if alone else ():
        if _ATTACHED.search(one.text):
            cursor.script.take_up((one,))
            return cursor.script.question((one.line,), one.text, Unclear("attached", _NOT_ATTACHED))
    for one in prose if alone else ():
        if ours := next(filter(None, map(need_in, sentences(one.text))), ""):
            cursor.script.take_up((one,))
            return cursor.read_as(one.line, one.text, ours, f"I took that as `{ours}`.")
    if len(prose) > _LETTER or cursor.unreadable:
        return None
    numbers = {one.line for one in prose}
    for one in prose:
        if len(prose) > _FEW_LINES and numbers & {one.line - 1, one.line + 1}:
            continue  # part of a paragraph, whose sentences go on from line to line
        meant = wish_by_its_ideas(one.text.strip(), cursor.around)
        near = alone or (cursor.script.requests and not cursor.script.ordered)
        guess = near_it(one.text.strip(), cursor.around) or _lost(one.text) if near else None
        if (unclear := meant or guess) is not None:
            cursor.script.take_up((one,))
            cursor.script.question((one.line,), one.text, unclear)
    return None


def _is_filler(said: ReadRequest) -> bool:
    """ "Agreed." and "OK, this is it", where no question of ours is open."""
    return isinstance(said.request, Confirm) and not said.request.code and "confirm" not in said.text.lower()


def _lost(text: str) -> Unclear | None:
    """The help that whoever says "I am lost" beside something else may want."""
    ours = next(filter(None, map(need_in, sentences(text))), "")
    return Unclear("lost", "If you would like help with that, the line below brings it.", (ours,)) if ours else None


def _vote_otherwise(cursor: Cursor, lines: Sequence[TextLine]) -> None:
    """An answer to the call of a vote that asks for nothing: the ballot that was left in it, or what to write."""
    if (left := cursor.voting.left_in(lines)) is not None:
        number, text, vote = left
        cursor.script.say(vote, (number,), text, "aye" if vote.aye else "nay", game=cursor.context.game)
    elif (unclear := cursor.voting.unheard()) is not None:
        cursor.script.ask_instead(unclear, "vote")
