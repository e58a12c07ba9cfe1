"""A player's own archive: the press and the letters of a game that they have had, to be read again or searched.

Only what was told to the very person who asks is told again: letters that have left for them, as they were, and press
that they wrote themselves. A seat's former player keeps what was theirs; whoever follows does not get it.
"""

from __future__ import annotations

import email
import email.policy
import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from judge.game.core.commands import Decision, Refusal
from judge.game.core.events import Event
from judge.game.core.model import Game
from judge.history.phases import Timeline, timeline
from judge.languages import tell
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.reading import MyLetters, MyPress, SearchLetters
from judge.report.core.letter import Kind
from judge.report.core.naming import power_name
from judge.report.reply.correspondence import (
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
from judge.rules.calendar import Calendar, read_phase
from judge.service.hearing.questions import which_game
from judge.service.trust.heard import HeardMail, Result, answers
from judge.store.rows import LetterRow, LetterState

SEARCHED = 5_000
"""So many letters are looked through, the last ones."""


def letters_of(heard: HeardMail, game: Game, kind: str | None = None) -> list[LetterRow]:
    """The letters about a game that have left for the person who asks, oldest first: none that waits to be sent, or
    that was recalled before it was.
    """
    person = heard.speaker.acting
    assert person is not None
    rows = heard.unit.letters.list(game=game.key, kind=kind, person_id=person.id, limit=SEARCHED)
    return [
        row
        for row in rows
        if row.state not in (LetterState.WITHDRAWN, LetterState.BROKEN)
        and (row.not_before is None or row.not_before <= heard.now)
    ]


def view_of(row: LetterRow) -> Mapping[str, Any]:
    """The facts of a letter, as they were frozen."""
    view: Mapping[str, Any] = json.loads(row.view)["view"]
    return view


def phase_of(row: LetterRow, game: Game, times: Timeline) -> str:
    """The phase that a letter belongs to: results to the one that was played, all others to the one then to come."""
    if row.kind == Kind.RESULTS and (played := read_phase(str(view_of(row)["phase"]), game.calendar)):
        return played
    return times.at(row.created_at)


def told(heard: HeardMail, game: Game, times: Timeline, row: LetterRow, found: str = "") -> PastLetter:
    """A letter as it is told again; `found`: the text around what was looked for."""
    subject, text = _printed(heard, row)
    return past_letter(game, row.created_at, phase_of(row, game, times), subject, text, found)


def _printed(heard: HeardMail, row: LetterRow) -> tuple[str, str]:
    """Subject and text of a letter as they went out, or as they would now where its bytes are gone."""
    mime = heard.unit.letters.mime(row.id)
    if mime is not None:
        mail = email.message_from_bytes(mime, policy=email.policy.default)
        part = mail.get_body(("plain",))
        if part is not None:
            return str(mail["Subject"]), str(part.get_content())
    sheets, _ = heard.house.pressroom.do(
        lambda press: press.print(row.kind, view_of(row), page=False), game=row.game or ""
    )
    return sheets.subject, sheets.text


def texts_of(view: Any) -> Iterator[str]:
    """Every text of a view: names, orders, people's own words."""
    if isinstance(view, str):
        yield view
    elif isinstance(view, Mapping):
        for name, each in view.items():
            if name not in ("frame", "reply", "say", "files"):
                yield from texts_of(each)
    elif isinstance(view, list):
        for each in view:
            yield from texts_of(each)


MOST = 200
"""So many letters go into one answer, the last ones."""
_LOOKED_UP = ("letters", "correspondence")
"""Answers that only repeat what other letters said: nothing is looked for in them."""
PER_DAY = 30
"""So many looks into the archive a day and person: their answers are long."""


@answers
def my_press(heard: HeardMail, said: ReadRequest, request: MyPress) -> Result:
    """`press with POWER`, `my press`."""
    game = _game(heard, said, request.game, (request.since, request.until))
    if isinstance(game, Refusal):
        return game
    held = game.seats.get(heard.actor(game).seat)
    if held is not None and set(request.others) & set(held.powers):
        return Refusal(
            "yourself",
            tell("You play {powers} yourself.", powers=power_name(held.powers[0], game.board)),
            mend="my press",
        )
    if heard.actor(game).deputy and held is not None:
        return _PLAYERS_OWN
    events = heard.story(game)
    times = timeline(events)
    pieces = [
        piece
        for piece in _pieces(heard, game, events, times, request.others)
        if _within(game.calendar, piece.phase.code if piece.phase else "", request.since, request.until)
    ]
    if not pieces:
        return Decision(said=_no_press(game, request))
    if (refusal := _enough(heard)) is not None:
        return refusal
    heard.enclose(correspondence_view(game, request.others, (request.since, request.until), pieces))
    return Decision()


@answers
def my_letters(heard: HeardMail, said: ReadRequest, request: MyLetters) -> Result:
    """`letters`, `letters F1903`."""
    game = _game(heard, said, request.game, (request.since, request.until))
    if isinstance(game, Refusal):
        return game
    times = timeline(heard.story(game))
    rows = [
        row
        for row in letters_of(heard, game)
        if _within(game.calendar, phase_of(row, game, times), request.since, request.until)
    ]
    if not rows:
        stretch = _stretch(request.since, request.until)
        return Decision(said=tell("No letter about {game}{stretch} has gone to you.", game=game.key, stretch=stretch))
    if (refusal := _enough(heard)) is not None:
        return refusal
    letters = [told(heard, game, times, row) for row in rows[-MOST:]]
    more = len(rows) - len(letters)
    heard.enclose(letters_view(game, (request.since, request.until), letters, more=more))
    return Decision()


@answers
def search(heard: HeardMail, said: ReadRequest, request: SearchLetters) -> Result:
    """`search WORDS`: among the letters that have gone to whoever asks, and their own press."""
    game = _game(heard, said, request.game, ("", ""))
    if isinstance(game, Refusal):
        return game
    if (refusal := _enough(heard)) is not None:
        return refusal
    events = heard.story(game)
    times = timeline(events)
    found = sorted(_found(heard, game, events, times, request.words), key=lambda letter: letter.at.at)
    if not found:
        quoted = " and ".join(f'"{word}"' for word in request.words)
        return Decision(said=tell("None of your letters about {game} holds {quoted}.", game=game.key, quoted=quoted))
    kept = found[-MOST:]
    heard.enclose(letters_view(game, ("", ""), kept, words=request.words, more=len(found) - len(kept)))
    return Decision()


_PLAYERS_OWN = Refusal(
    "substitute", "The press of before is the player's own; what came since you play for them is in your letters.",
    mend="letters",
)  # fmt: skip


# --- the game and its times ---------------------------------------------------------------------------------------


def _game(heard: HeardMail, said: ReadRequest, key: str, stretch: tuple[str, str]) -> Game | Refusal:
    """The game whose letters are asked for, or why there is no answer."""
    game = heard.game(key or said.game)
    if game is None:
        return which_game(said)
    if heard.speaker.acting is None:
        return Refusal("who", tell("I do not know you yet, so I have sent you no letters."), mend="register")
    return _out_of_time(game, *stretch) or game


def _out_of_time(game: Game, since: str, until: str) -> Refusal | None:
    """Why a stretch holds nothing of a game: it was over before the game began, or has not come yet."""
    calendar = game.calendar
    first = min(game.chart, default=0) + 1
    if until and game.chart and calendar.bounds(until)[1] < calendar.bounds(str(first))[0]:
        return Refusal(
            "before",
            tell(
                "{game} began with the year {first}: there is nothing of {until}.",
                game=game.key,
                first=first,
                until=until,
            ),
            "letters",
        )
    if since and game.phase is not None and calendar.bounds(since)[0] > calendar.rank(game.phase):
        return Refusal(
            "to-come",
            tell(
                "{since} is still to come: {game} has reached {phase_title}.",
                since=since,
                game=game.key,
                phase_title=game.phase_title,
            ),
            "letters",
        )
    if since and until and calendar.bounds(since)[0] > calendar.bounds(until)[1]:
        return Refusal(
            "backwards", tell("{since} comes after {until}.", since=since, until=until), f"letters {until} to {since}"
        )
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


def _enough(heard: HeardMail) -> Refusal | None:
    person = heard.speaker.acting
    assert person is not None
    if heard.unit.contacts.allow(f"person:{person.id}", "bygone", heard.now.date(), PER_DAY):
        return None
    return Refusal(
        "enough-today",
        tell("You have looked into your letters {per_day} times today; ask again tomorrow.", per_day=PER_DAY),
    )


# --- press --------------------------------------------------------------------------------------------------------


def _no_press(game: Game, request: MyPress) -> str:
    names = " and ".join(power_name(one, game.board) for one in request.others)
    return tell(
        "You have exchanged no press{names} in {game}", names=" with " + names if names else "", game=game.key
    ) + (f"{_stretch(request.since, request.until)}.")


def _pieces(
    heard: HeardMail, game: Game, events: list[Event], times: Timeline, others: tuple[str, ...]
) -> list[PressPiece]:
    """The press of the person who asks, oldest first. With `others`: what these signed, and what they were sent."""
    person = heard.speaker.acting
    assert person is not None
    mine = [
        sent(game, event, times.at(event.at))
        for event in written_by(events, person.id)
        if not others or set(others) & set(event.to)
    ]
    came = []
    for row in letters_of(heard, game, kind=Kind.PRESS):
        view = view_of(row)
        if not others or _signed_by(view, game, others):
            at = _written_at(row, events)
            came.append(got(game, PressLetter(at, view), times.at(at)))
    return sorted((*mine, *came), key=lambda piece: (piece.at.at, piece.number))


def _signed_by(view: Mapping[str, Any], game: Game, others: tuple[str, ...]) -> bool:
    """Whether one of these signed it; whoever signed nothing is nobody."""
    who = (view.get("source") or {}).get("who") or {}
    names = {power_name(one, game.board) for one in others}
    return ("GM" in others and who.get("what") == "gm") or bool(names & set(who.get("names", ())))


def _written_at(row: LetterRow, events: list[Event]) -> datetime:
    """When press was written that came with a letter: its key has the number of the event."""
    number = row.idem_key.split("/")[1]
    return events[int(number) - 1].at if number.isdigit() and int(number) <= len(events) else row.created_at


# --- letters ------------------------------------------------------------------------------------------------------


def _found(
    heard: HeardMail, game: Game, events: list[Event], times: Timeline, words: tuple[str, ...]
) -> Iterator[PastLetter]:
    person = heard.speaker.acting
    assert person is not None
    for row in letters_of(heard, game):
        view = view_of(row)
        if any(inside["kind"] in _LOOKED_UP for inside in view.get("enclosures", ())):
            continue
        said = (*texts_of(view), row.subject or "")
        whole = " ".join(said).casefold()
        if all(word in whole for word in words):
            where = next((text for text in said if words[0] in text.casefold()), "")
            yield told(heard, game, times, row, excerpt(where, words[0]))
    for event in written_by(events, person.id):
        if all(word in event.text.casefold() for word in words):
            subject = own_press(event.number, addressees(game, event.to))
            yield past_letter(game, event.at, times.at(event.at), subject, event.text, excerpt(event.text, words[0]))
