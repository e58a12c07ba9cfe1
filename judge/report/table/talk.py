"""Press: what players say to each other through the judge.

The privacy of press lives here and in the letter writer: a press letter is made from decoded text, the
colour and the claimed name alone. Unsigned press carries nothing that differs from author to author.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

from judge.board.model import Board
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, Colour
from judge.game.core.model import Game
from judge.game.talk.press import PressRecalled, edits, longest_veil, seat_name
from judge.report.core.audience import Batch
from judge.report.core.letter import Cast, Kind, Letter, Reader, shown_name, who
from judge.report.core.naming import Said, Text, Who, power_name, say

EVERYBODY, GM, OBSERVERS, EDITORS = "ALL", "GM", "OBSERVERS", "EDITORS"


@dataclass(frozen=True, slots=True)
class PressView:
    """Words relayed. `source`: who signed white press; `claims`: the name that black press gives itself; `to`: all who
    get it; `answer`: the line that answers it, "" for unsigned press; `official`: from the Gamemaster."""

    number: int
    colour: str
    source: Said | None
    claims: str
    to: Said
    text: str
    answer: str
    official: bool = False
    copy: bool = False
    """The Gamemaster's copy in a game whose press is watched: `source` is the author, signed or not."""


@dataclass(frozen=True, slots=True)
class Clipping:
    """Broadcast press repeated in a report: colour, signature as far as there is one, text."""

    colour: str
    source: Text
    text: str


def press_letters(batch: Batch) -> Iterator[Letter]:
    """Press to each of its readers but the author, whose receipt is the echo."""
    for seq, event in batch.numbered():
        if not isinstance(event, ev.PressSent) or event.postal:
            continue
        source, claims = signature(batch.after, batch.cast, event)
        to = addressees(batch.after, event.to)
        wait = timedelta() if event.by == GM_SEAT else batch.after.settings.recall
        for reader in batch.readers():
            if reader.seat == GM_SEAT and _watched(batch.after, event):
                yield replace(_copy(batch, event, seq, reader, to), wait=wait)
            if reader.seat == event.by or not _addressed(batch.after, reader, event.to):
                continue
            answer = _answer(batch.after, event, reader) if source else ""
            view = PressView(
                event.number, event.colour, source, claims, to, event.text, answer, official=event.by == GM_SEAT
            )
            letter = batch.letter(Kind.PRESS, str(seq), reader, view)
            veil = timedelta() if source else longest_veil(batch.after, event.at)
            yield replace(letter, topic=_topic(batch.after, event, reader), veil=veil, wait=wait)


def _watched(game: Game, event: ev.PressSent) -> bool:
    """Whether the Gamemaster gets a copy, because the game is set so and they are not addressed themselves."""
    return game.settings.watch_press and event.by != GM_SEAT and GM not in event.to and EVERYBODY not in event.to


def _copy(batch: Batch, event: ev.PressSent, seq: int, reader: Reader, to: Said) -> Letter:
    """The Gamemaster's copy names the author, whatever the press calls itself."""
    game = batch.after
    source = signed(game, event.by, shown_name(game, batch.cast, event.by))
    claims = event.dateline if event.colour == Colour.BLACK else ""
    view = PressView(event.number, event.colour, source, claims, to, event.text, "", copy=True)
    letter = batch.letter(Kind.PRESS, str(seq), reader, view)
    return replace(letter, topic=f"{game.key}/press/watched")


def power_word(game: Game, seat: str) -> str:
    """The word that addresses a seat in a press command: its first power, or GM."""
    powers = game.seats[seat].powers if seat in game.seats else ()
    if powers:
        return power_name(powers[0], game.board)
    return "GM" if seat == GM_SEAT else seat_name(seat).lower() if seat in game.seats else "all"


def _answer(game: Game, event: ev.PressSent, reader: Reader) -> str:
    """The line that answers signed press; "" for onlookers who may not write to players."""
    editor = edits(game, reader.member.person)
    allowed = game.settings.press_from_editors if editor else game.settings.press_from_observers
    if not reader.seat and event.by != GM_SEAT and not allowed:
        return ""
    return f"press to {power_word(game, event.by)}"


def _topic(game: Game, event: ev.PressSent, reader: Reader) -> str:
    """Signed letters between two seats make one thread; broadcasts another; each unsigned one stands alone."""
    if event.colour != Colour.WHITE:
        return f"{game.key}/press/{event.number}"
    if EVERYBODY in event.to:
        return f"{game.key}/press"
    return f"{game.key}/press/{'-'.join(sorted((event.by, reader.slot)))}"


def signature(game: Game, cast: Cast, event: ev.PressSent, *, former: bool = False) -> tuple[Said | None, str]:
    """(who signed, what the unsigned press claims to be). `former`: somebody else sits there by now."""
    if event.colour == Colour.BLACK:
        return None, event.dateline or "nobody"
    if event.colour == Colour.GREY:
        return None, ""
    acts = bool(event.deputy) and (event.by == GM_SEAT or bool(shown_name(game, cast, event.by)))
    name = cast.member(event.deputy).name if acts else shown_name(game, cast, event.by)
    return signed(game, event.by, name, former=former), ""


def signed(game: Game, seat: str, name: str, *, former: bool = False) -> Said:
    """A seat and the name of whoever holds it, "" where that is a secret."""
    return say("signed", who=who(game, seat), name="" if former else name, former=former)


def addressees(game: Game, to: Iterable[str]) -> Said:
    """All to whom press goes."""
    board = game.board
    return say("addressees", to=[_addressee(board, name) for name in to])


def _addressee(board: Board, name: str) -> Who:
    others = {GM: "gm", EVERYBODY: "everybody", OBSERVERS: "observers", EDITORS: "editors"}
    if name in others:
        return Who(others[name])
    if name in board.powers:
        return Who("powers", (power_name(name, board),))
    return Who("seat", (name.rpartition(" ")[2],))


def has_followed(batch: Batch, press: ev.PressSent) -> bool:
    """Whether the seat from which a piece of press came has another player by now."""
    every = iter((*batch.earlier, *batch.events))
    for event in every:
        if event is press:
            break
    return any(isinstance(event, ev.SeatFilled) and event.seat == press.by for event in every)


def _addressed(game: Game, reader: Reader, to: tuple[str, ...]) -> bool:
    if EVERYBODY in to:
        return True
    if reader.seat == GM_SEAT:
        return GM in to
    if reader.seat == "":
        return OBSERVERS in to or (EDITORS in to and edits(game, reader.member.person))
    powers = game.seats[reader.seat].powers
    return any(power in to for power in powers) if powers else seat_name(reader.seat) in to


def clippings(batch: Batch) -> tuple[Clipping, ...]:
    """The players' broadcast press since the last report."""
    rows = []
    for event in _broadcasts(batch):
        if event.by != GM_SEAT:
            source, claims = signature(batch.after, batch.cast, event, former=has_followed(batch, event))
            rows.append(Clipping(event.colour, source or claims, event.text))
    return tuple(rows)


def announcements(batch: Batch) -> tuple[str, ...]:
    """The Gamemaster's own broadcasts since the last report: they stand among their notes, never among press."""
    return tuple(event.text for event in _broadcasts(batch) if event.by == GM_SEAT)


def _broadcasts(batch: Batch) -> Iterator[ev.PressSent]:
    every = (*batch.earlier, *batch.events)
    recalled = {event.number for event in every if isinstance(event, PressRecalled)}
    for event in every:
        if isinstance(event, ev.PressSent) and EVERYBODY in event.to and event.number not in recalled:
            yield event
