"""A player's own archive: the press and the letters of a game that they have had, to be read again or searched.

Only what was told to the very person who asks is told again: letters that have left for them, as they were, and press
that they wrote themselves. A seat's former player keeps what was theirs; whoever follows does not get it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from judge.game.core.decision import Decision, Refusal
from judge.game.core.events import Event
from judge.game.core.model import Game
from judge.history.phases import Timeline, timeline
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.reading import MyLetters, MyPress, SearchLetters
from judge.report.core.letter import Kind
from judge.report.core.naming import power_name
from judge.report.reply.bygone import (
    PastLetter,
    PressLetter,
    PressPiece,
    correspondence_view,
    excerpt,
    got,
    letters_view,
    own_press,
    past_letter,
    sent,
    written_by,
)
from judge.report.table.talk import addressees
from judge.rules.calendar import Calendar
from judge.service.hearing.past_letters import letters_of, phase_of, texts_of, told, view_of
from judge.service.hearing.questions import which_game
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting
from judge.store.rows import LetterRow

MOST = 200
"""So many letters go into one answer, the last ones."""
_LOOKED_UP = ("letters", "correspondence")
"""Answers that only repeat what other letters said: nothing is looked for in them."""
PER_DAY = 30
"""So many looks into the archive a day and person: their answers are long."""


@answers
def my_press(sitting: Sitting, said: ReadRequest, request: MyPress) -> Result:
    """`press with POWER`, `my press`."""
    game = _game(sitting, said, request.game, (request.since, request.until))
    if isinstance(game, Refusal):
        return game
    held = game.seats.get(sitting.actor(game).seat)
    if held is not None and set(request.others) & set(held.powers):
        return Refusal("yourself", f"You play {power_name(held.powers[0], game.board)} yourself.", mend="my press")
    if sitting.actor(game).deputy and held is not None:
        return _PLAYERS_OWN
    events = sitting.story(game)
    times = timeline(events)
    pieces = [
        piece
        for piece in _pieces(sitting, game, events, times, request.others)
        if _within(game.calendar, piece.phase.code if piece.phase else "", request.since, request.until)
    ]
    if not pieces:
        return Decision(said=_no_press(game, request))
    if (refusal := _enough(sitting)) is not None:
        return refusal
    sitting.enclosures.append(correspondence_view(game, request.others, (request.since, request.until), pieces))
    return Decision()


@answers
def my_letters(sitting: Sitting, said: ReadRequest, request: MyLetters) -> Result:
    """`letters`, `letters F1903`."""
    game = _game(sitting, said, request.game, (request.since, request.until))
    if isinstance(game, Refusal):
        return game
    times = timeline(sitting.story(game))
    rows = [
        row
        for row in letters_of(sitting, game)
        if _within(game.calendar, phase_of(row, game, times), request.since, request.until)
    ]
    if not rows:
        stretch = _stretch(request.since, request.until)
        return Decision(said=f"No letter about {game.key}{stretch} has gone to you.")
    if (refusal := _enough(sitting)) is not None:
        return refusal
    letters = [told(sitting, game, times, row) for row in rows[-MOST:]]
    more = len(rows) - len(letters)
    sitting.enclosures.append(letters_view(game, (request.since, request.until), letters, more=more))
    return Decision()


@answers
def search(sitting: Sitting, said: ReadRequest, request: SearchLetters) -> Result:
    """`search WORDS`: among the letters that have gone to whoever asks, and their own press."""
    game = _game(sitting, said, request.game, ("", ""))
    if isinstance(game, Refusal):
        return game
    if (refusal := _enough(sitting)) is not None:
        return refusal
    events = sitting.story(game)
    times = timeline(events)
    found = sorted(_found(sitting, game, events, times, request.words), key=lambda letter: letter.at.at)
    if not found:
        quoted = " and ".join(f'"{word}"' for word in request.words)
        return Decision(said=f"None of your letters about {game.key} holds {quoted}.")
    kept = found[-MOST:]
    sitting.enclosures.append(letters_view(game, ("", ""), kept, words=request.words, more=len(found) - len(kept)))
    return Decision()


_PLAYERS_OWN = Refusal(
    "substitute", "The press of before is the player's own; what came since you play for them is in your letters.",
    mend="letters",
)  # fmt: skip


# --- the game and its times ---------------------------------------------------------------------------------------


def _game(sitting: Sitting, said: ReadRequest, key: str, stretch: tuple[str, str]) -> Game | Refusal:
    """The game whose letters are asked for, or why there is no answer."""
    game = sitting.game(key or said.game)
    if game is None:
        return which_game(said)
    if sitting.speaker.acting is None:
        return Refusal("who", "I do not know you yet, so I have sent you no letters.", mend="register")
    return _out_of_time(game, *stretch) or game


def _out_of_time(game: Game, since: str, until: str) -> Refusal | None:
    """Why a stretch holds nothing of a game: it was over before the game began, or has not come yet."""
    calendar = game.calendar
    first = min(game.chart, default=0) + 1
    if until and game.chart and calendar.bounds(until)[1] < calendar.bounds(str(first))[0]:
        return Refusal("before", f"{game.key} began with the year {first}: there is nothing of {until}.", "letters")
    if since and game.phase is not None and calendar.bounds(since)[0] > calendar.rank(game.phase):
        return Refusal("to-come", f"{since} is still to come: {game.key} has reached {game.phase_title}.", "letters")
    if since and until and calendar.bounds(since)[0] > calendar.bounds(until)[1]:
        return Refusal("backwards", f"{since} comes after {until}.", f"letters {until} to {since}")
    return None


def _within(calendar: Calendar, phase: str, since: str, until: str) -> bool:
    """Whether a phase lies in a stretch; what was before the start lies in every one that has no beginning."""
    if not phase:
        return not since
    here = calendar.rank(phase)
    return (not since or calendar.bounds(since)[0] <= here) and (not until or here <= calendar.bounds(until)[1])


def _stretch(since: str, until: str) -> str:
    if since == until:
        return f" of {since}" if since else ""
    return f"{' since ' + since if since else ''}{' until ' + until if until else ''}"


def _enough(sitting: Sitting) -> Refusal | None:
    person = sitting.speaker.acting
    assert person is not None
    if sitting.unit.contacts.allow(f"person:{person.id}", "bygone", sitting.now.date(), PER_DAY):
        return None
    return Refusal("enough-today", f"You have looked into your letters {PER_DAY} times today; ask again tomorrow.")


# --- press --------------------------------------------------------------------------------------------------------


def _no_press(game: Game, request: MyPress) -> str:
    names = " and ".join(power_name(one, game.board) for one in request.others)
    return f"You have exchanged no press{' with ' + names if names else ''} in {game.key}" + (
        f"{_stretch(request.since, request.until)}."
    )


def _pieces(
    sitting: Sitting, game: Game, events: list[Event], times: Timeline, others: tuple[str, ...]
) -> list[PressPiece]:
    """The press of the person who asks, oldest first. With `others`: what these signed, and what they were sent."""
    person = sitting.speaker.acting
    assert person is not None
    mine = [
        sent(game, event, times.at(event.at))
        for event in written_by(events, person.id)
        if not others or set(others) & set(event.to)
    ]
    seats = _seats(game, others)
    came = []
    for row in letters_of(sitting, game, kind=Kind.PRESS):
        view = view_of(row)
        if not others or _signed_by(view, game, others, seats):
            at = _written_at(row, events)
            came.append(got(game, PressLetter(at, view), times.at(at)))
    return sorted((*mine, *came), key=lambda piece: (piece.at.at, piece.number))


def _seats(game: Game, others: tuple[str, ...]) -> frozenset[str]:
    """What signatures may name for these correspondents."""
    return frozenset({"gm"} if "GM" in others else ())


def _signed_by(view: Mapping[str, Any], game: Game, others: tuple[str, ...], seats: frozenset[str]) -> bool:
    """Whether one of these signed it; whoever signed nothing is nobody."""
    who = (view.get("source") or {}).get("who") or {}
    names = {power_name(one, game.board) for one in others}
    return who.get("what") in seats or bool(names & set(who.get("names", ())))


def _written_at(row: LetterRow, events: list[Event]) -> datetime:
    """When press was written that came with a letter: its key has the number of the event."""
    number = row.idem_key.split("/")[1]
    return events[int(number) - 1].at if number.isdigit() and int(number) <= len(events) else row.created_at


# --- letters ------------------------------------------------------------------------------------------------------


def _found(
    sitting: Sitting, game: Game, events: list[Event], times: Timeline, words: tuple[str, ...]
) -> Iterator[PastLetter]:
    person = sitting.speaker.acting
    assert person is not None
    for row in letters_of(sitting, game):
        view = view_of(row)
        if any(inside["kind"] in _LOOKED_UP for inside in view.get("enclosures", ())):
            continue
        said = (*texts_of(view), row.subject or "")
        whole = " ".join(said).casefold()
        if all(word in whole for word in words):
            where = next((text for text in said if words[0] in text.casefold()), "")
            yield told(sitting, game, times, row, excerpt(where, words[0]))
    for event in written_by(events, person.id):
        if all(word in event.text.casefold() for word in words):
            subject = own_press(event.number, addressees(game, event.to))
            yield past_letter(game, event.at, times.at(event.at), subject, event.text, excerpt(event.text, words[0]))
