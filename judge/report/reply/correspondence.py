"""What somebody was told and has said in a game, for themselves to read again: press, letters, what a search finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.game.core.commands import GM_SEAT
from judge.game.core.events import (
    Event,
    GameCreated,
    GamemasterChanged,
    PlayerJoined,
    PressSent,
    SeatFilled,
    SeatVacated,
)
from judge.game.core.model import Game
from judge.game.talk.press import PressRecalled
from judge.report.core.answer import Enclosure
from judge.report.core.frame import moment
from judge.report.core.letter import Plain, plain
from judge.report.core.naming import Moment, PhaseFact, Said, Text, phase_fact, power_name, say
from judge.report.table.talk import addressees

AT_HAND = 20
"""So many pieces of press stand in the letter itself, the last ones; the file has all."""


@dataclass(frozen=True, slots=True)
class PressPiece:
    """One piece of press. `sent`: by the reader; `source`: who signed it, `claims`: what black press calls itself."""

    at: Moment
    phase: PhaseFact | None
    number: int
    colour: str
    sent: bool
    source: Text | None
    claims: str
    to: Text
    text: str


@dataclass(frozen=True, slots=True)
class CorrespondenceView:
    """Press of one reader, oldest first. `others`: with whom, none for everybody; `since`, `until`: the bounds asked
    for; `shown`: how many of the last ones the letter prints.
    """

    game: str
    others: tuple[str, ...]
    since: str
    until: str
    pieces: tuple[PressPiece, ...]
    shown: int
    ignored: tuple[str, ...] = ()


def correspondence_view(
    game: Game, others: Sequence[str], stretch: tuple[str, str], pieces: Sequence[PressPiece]
) -> Enclosure:
    """The answer to `press with`."""
    names = tuple(power_name(one, game.board) for one in others)
    view = CorrespondenceView(game.key, names, *stretch, tuple(pieces), min(AT_HAND, len(pieces)))
    return Enclosure("correspondence", plain(view))


@dataclass(frozen=True, slots=True)
class PressLetter:
    """A letter of press as it was stored: when it was written, and the view that its reader got."""

    at: datetime
    view: Mapping[str, Any]


def got(game: Game, letter: PressLetter, phase: str) -> PressPiece:
    """Press that came, as it was told then."""
    told = letter.view
    source = Plain(told["source"]) if told["source"] else None
    return PressPiece(
        moment(game, letter.at), phase_fact(game, phase) if phase else None, told["number"], told["colour"],
        sent=False, source=source, claims=told["claims"], to=Plain(told["to"]), text=told["text"],  # type: ignore[arg-type]
    )  # fmt: skip


def sent(game: Game, event: PressSent, phase: str) -> PressPiece:
    """Press that the reader wrote."""
    claims = event.dateline if event.colour == "black" else ""
    return PressPiece(
        moment(game, event.at), phase_fact(game, phase) if phase else None, event.number, event.colour,
        sent=True, source=None, claims=claims, to=addressees(game, event.to), text=event.text,
    )  # fmt: skip


def written_by(events: Iterable[Event], person: int) -> Iterator[PressSent]:
    """The press that a person sent, from whatever seat was theirs at the time, but for what they recalled."""
    known = tuple(events)
    recalled = {event.number for event in known if isinstance(event, PressRecalled)}
    seats: set[str] = set()
    for event in known:
        if isinstance(event, (PlayerJoined, SeatFilled)):
            (seats.add if event.person == person else seats.discard)(event.seat)
        elif isinstance(event, GameCreated):
            (seats.add if event.gm == person else seats.discard)(GM_SEAT)
        elif isinstance(event, GamemasterChanged):
            (seats.add if event.person == person else seats.discard)(GM_SEAT)
        elif isinstance(event, SeatVacated):
            seats.discard(event.seat)
        elif isinstance(event, PressSent) and event.by in seats and event.number not in recalled:
            yield event


# --- letters ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PastLetter:
    """A letter that the reader got, or press that they sent: its subject and text, and where a word was found in it."""

    at: Moment
    phase: PhaseFact | None
    subject: Text
    text: str
    found: str = ""


@dataclass(frozen=True, slots=True)
class PastLettersView:
    """Letters of one reader about a game, oldest first. `words`: what was looked for; `more`: how many older ones there
    would be.
    """

    game: str
    since: str
    until: str
    words: tuple[str, ...]
    letters: tuple[PastLetter, ...]
    more: int = 0
    ignored: tuple[str, ...] = ()


def letters_view(
    game: Game, stretch: tuple[str, str], letters: Sequence[PastLetter], *, words: Sequence[str] = (), more: int = 0
) -> Enclosure:
    """The answer to `letters` and to `search`."""
    return Enclosure("letters", plain(PastLettersView(game.key, *stretch, tuple(words), tuple(letters), more)))


def past_letter(game: Game, at: datetime, phase: str, subject: Text, text: str, found: str = "") -> PastLetter:
    """One of them."""
    return PastLetter(moment(game, at), phase_fact(game, phase) if phase else None, subject, text, found)


def own_press(number: int, to: Said) -> Said:
    """What stands for a subject where the reader's own press is listed."""
    return say("own-press", number=number, to=to)


_AROUND = 30


def excerpt(text: str, word: str) -> str:
    """A word with what stands around it, on one line; "" where it does not stand there.

    >>> excerpt("We leave the Channel\\nempty this year.", "channel")
    'We leave the Channel empty this year.'
    """
    flat = " ".join(text.split())
    at = flat.casefold().find(word)
    if at < 0:
        return ""
    start, end = max(0, at - _AROUND), at + len(word) + _AROUND
    return f"{'...' if start else ''}{flat[start:end].strip()}{'...' if end < len(flat) else ''}"
