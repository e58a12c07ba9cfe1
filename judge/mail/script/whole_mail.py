"""What a mail says as a whole if its lines ask for nothing: a vote, a question to the Gamemaster, a need of help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from judge.board.names import gazetteer_of
from judge.game.core.commands import Role, SendPress
from judge.game.talk.ballots import Vote
from judge.languages import tell, told_later
from judge.mail.quoting import TextLine
from judge.mail.script.bidding import is_idiom, speaks_of_game, words_in
from judge.mail.script.copies import is_order, plain_line
from judge.mail.script.cursor import Cursor
from judge.mail.script.model import Ignored, ReadRequest, Unasked
from judge.mail.script.phrases import is_question, patterns
from judge.mail.script.phrases.words import CALENDAR
from judge.mail.script.plain_words import near_it, need_in, wish_by_its_ideas
from judge.mail.script.sentences import single_sentences
from judge.mail.vocabulary import Around, Unclear
from judge.mail.vocabulary.account import Confirm

_FEW_LINES = 3
"""Lines of a mail in which somebody asks for something in words that are none of ours."""

_LETTER = 12
"""Lines of prose in which no wish is looked for any more: a letter, or a text of somebody else's."""

_NOT_ATTACHED = told_later(
    "I read nothing that is attached to a mail; write your orders in the mail itself, one on a line."
)


def hear_whole(cursor: Cursor, lines: Sequence[TextLine]) -> None:
    """What the mail as a whole says, where its lines do not: a vote, or a question to the Gamemaster."""
    _weigh_votes(cursor)
    if not cursor.script.asked and cursor.context.called:
        _vote_otherwise(cursor, lines)
    prose = cursor.script.ignored_as(Unasked.CHATTER)
    greetings = [one.text for one in cursor.script.ignored_as(Unasked.COURTESY)]
    if cursor.context.free and not cursor.context.votes:
        cursor.script.set_aside(_is_filler)
    elif not cursor.context.called and any(not isinstance(one.request, Confirm) for one in cursor.script.requests):
        cursor.script.set_aside(_opens_only)
    here = bool(cursor.context.game) and cursor.heading.game in ("", cursor.context.game) and not cursor.unreadable
    if here and to_gamemaster(prose, greetings, cursor.context.around()):
        return _pass_on(cursor, _from_their_name_on(prose))
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


def _from_their_name_on(prose: Sequence[Ignored]) -> Sequence[Ignored]:
    """Of a mail's prose what is the Gamemaster's to read: what stands above the line that speaks to them is not."""
    named = (at for at, one in enumerate(prose) if patterns.TO_GAMEMASTER.fullmatch(one.text.strip()))
    return prose[next(named, 0) :]


def _pass_on(cursor: Cursor, words: Sequence[Ignored]) -> None:
    """Prose, and questions that were answered besides, as a letter to the Gamemaster."""
    cursor.script.take_up(words)
    lines = sorted(words, key=lambda one: one.line)
    text, begun = cursor.script.clean("\n".join(one.text for one in lines)), cursor.script.written
    numbers = [one.line for one in lines]
    cursor.script.say(SendPress(text, to=("GM",)), numbers, lines[0].text, "press", game=cursor.context.game)
    cursor.script.explain(begun, tell("I took that for a question to the Gamemaster."))


def _hear(cursor: Cursor, prose: Sequence[Ignored]) -> None:
    """What lines wish in words that no table has: each is offered what does it, whatever else the mail asks. A
    mail that asks for nothing gets help where its author is lost. Beside questions help is offered to whoever is lost,
    and a question that nobody understands is told what it is near to, unless the mail has orders. Orders that are said
    to be attached, and do not stand below, are not read, which is told.
    """
    prose = [one for one in prose if not _is_of_attached(cursor, one)]
    for courtesy in cursor.script.ignored_as(Unasked.COURTESY):
        _is_of_attached(cursor, courtesy)
    alone = not cursor.script.asked
    for one in prose if alone else ():
        if ours := _need(one.text):
            cursor.script.take_up((one,))
            return cursor.read_as(one.line, one.text, ours, tell("I took that as `{ours}`.", ours=ours))
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


def _is_of_attached(cursor: Cursor, one: Ignored) -> bool:
    """Whether a line says that orders are attached and none stand below it: its author is told that they are unread."""
    if one.line < cursor.script.last_order or not patterns.ATTACHED.search(one.text):
        return False
    cursor.script.take_up((one,))
    cursor.script.question((one.line,), one.text, Unclear("attached", tell(_NOT_ATTACHED)))
    return True


def _is_filler(said: ReadRequest) -> bool:
    """ "Agreed." and "OK, this is it", where no question of ours is open."""
    return isinstance(said.request, Confirm) and not said.request.code and "confirm" not in said.text.lower()


def _opens_only(said: ReadRequest) -> bool:
    """ "Ok then!" above what is asked for."""
    return _is_filler(said) and patterns.OPENS_ONLY.match(said.text) is not None


def _lost(text: str) -> Unclear | None:
    """The help that whoever says "I am lost" beside something else may want."""
    ours = _need(text)
    return (
        Unclear("lost", tell("If you would like help with that, the line below brings it."), (ours,)) if ours else None
    )


def _need(text: str) -> str:
    """Our question that helps somebody who says that they are lost; "" where nobody says so."""
    return next(filter(None, map(need_in, single_sentences(text))), "")


def _vote_otherwise(cursor: Cursor, lines: Sequence[TextLine]) -> None:
    """An answer to the call of a vote that asks for nothing: the ballot that was left in it, or what to write."""
    if (left := cursor.voting.left_in(lines)) is not None:
        number, text, vote = left
        cursor.script.say(vote, (number,), text, "aye" if vote.aye else "nay", game=cursor.context.game)
    elif (unclear := cursor.voting.unheard()) is not None:
        cursor.script.ask_instead(unclear, "vote")


_MOST_PASSED_ON = 30

_FEWEST_WORDS = 5


def unsent(answer: str) -> Unclear:
    """What to say to an answer to press that does not say it is one. `answer`: the line that sends it."""
    return Unclear(
        "unsent",
        tell(
            "Nothing was sent to anybody. To answer that press, begin with `{answer}`, and write your words below it.",
            answer=answer,
        ),
    )


def to_gamemaster(prose: Sequence[Ignored], greetings: Sequence[str], around: Around) -> bool:
    """Whether a mail's prose is for the Gamemaster: it speaks to them, or asks what only they can answer. Words to
    another power are none, whatever they ask.
    """
    lines = [one.text.strip() for one in prose]
    if not lines or len(lines) > _MOST_PASSED_ON or around.role is not Role.PLAYER or around.board is None:
        return False
    names = gazetteer_of(around.board)
    if any(patterns.TO_GAMEMASTER.fullmatch(line) and len(line.split()) >= _FEWEST_WORDS for line in lines):
        return True
    if any(map(patterns.TO_GAMEMASTER.fullmatch, (*greetings, *lines))) and any(map(is_question, lines)):
        return True
    addressed = [word.strip(",:.!") for line in greetings for word in line.split()]
    if any(names.power(word) for word in addressed if len(word) > 1):
        return False
    return any(
        _asks_for_a_ruling(line)
        and not is_idiom(line)
        and speaks_of_game([word for word in words_in(line) if word not in CALENDAR], around)
        for line in lines
    )


def speaks_to_gamemaster(heads: Sequence[str], prose: Sequence[Ignored], around: Around) -> bool:
    """Whether a player's mail is for the Gamemaster, by its subject, a greeting or a line, whatever it asks besides."""
    lines = (*heads, *(one.text.strip() for one in prose))
    return (
        around.role is Role.PLAYER
        and len(prose) <= _MOST_PASSED_ON
        and any(map(patterns.TO_GAMEMASTER.fullmatch, lines))
    )


def for_whom(prose: Sequence[Ignored], around: Around) -> Unclear | None:
    """What to say to "Dear Greta, is that allowed?": a player's question to somebody whom no rule of ours knows."""
    lines = [one.text.strip() for one in prose]
    asks = any(line.endswith("?") and patterns.TO_SOMEBODY.match(line) for line in lines)
    if around.role is not Role.PLAYER or not asks:
        return None
    return Unclear(
        "for-whom",
        tell(
            "I cannot answer that, and it was sent to nobody. To ask the Gamemaster, begin with "
            "`press to GM`, to ask another player with `press to` and the power, and write your "
            "words below it."
        ),
    )


def of_others(forwarded: Iterable[Ignored], around: Around) -> Unclear | None:
    """What to say to a mail that only forwards orders: those are somebody's words, and nobody knows whether they are
    the sender's own.
    """
    if around.role is not Role.PLAYER or not any(is_order(plain_line(one.text), around.board) for one in forwarded):
        return None
    return Unclear(
        "forwarded",
        tell(
            "What a mail forwards I do not take for its sender's own words, so no order in it was "
            "taken. To give these orders, copy them into a mail of your own."
        ),
    )


def _asks_for_a_ruling(line: str) -> bool:
    words = line.split()
    return (
        is_question(line)
        and len(words) >= _FEWEST_WORDS
        and patterns.OF_RULES.fullmatch(line) is not None
        and patterns.YOU.search(line) is None
    )
