"""The reserve list: who waits behind a full table, and sits down when a seat becomes free before the start.

After the start they are the first to hear of a vacant power.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge.game.core import events as ev
from judge.game.core.affairs import Hopeful
from judge.game.core.altering import altered
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.model import Game
from judge.game.core.registry import Feature
from judge.game.table.places import gathers, sit_down
from judge.languages import tell


@dataclass(frozen=True, slots=True, kw_only=True)
class ReserveJoined(ev.Event, told="person,preferences"):
    """Somebody waits for a free seat; `number` is what the Gamemaster may call them by."""

    person: int
    number: int
    preferences: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HopefulLeft(ev.Event, told="person"):
    """Somebody who had asked for a seat, or waited for one, does so no longer."""

    person: int


ORDINALS = ("first", "second", "third", "fourth", "fifth")


def place_in_line(game: Game, person: int) -> int:
    """Which place somebody has on the reserve list, from 1; 0 for none."""
    line = [one.person for one in game.gathering.reserve]
    return line.index(person) + 1 if person in line else 0


def put_in_line(
    game: Game, person: int, preferences: tuple[tuple[str, ...], ...], context: Context, *, by: str = ""
) -> Decision | Refusal:
    """On the reserve list of a full table; `by` is "gm" where the Gamemaster brings it about."""
    theirs, verb = (tell("They are"), "they take") if by else (tell("You are"), "you take")
    if place := place_in_line(game, person):
        sentence = tell(
            "{theirs} {ordinal} on the reserve list of {game} already.",
            theirs=theirs,
            ordinal=_ordinal(place),
            game=game.key,
        )
        return Refusal("in-line", sentence, mend="" if by else f"leave {game.key}")
    if len(game.gathering.reserve) >= game.settings.reserve:
        more = (
            tell(", and {reserve} wait for a free seat", reserve=len(game.gathering.reserve))
            if game.gathering.reserve
            else ""
        )
        return Refusal(
            "full",
            tell(
                "All {players} seats of {game} are taken{more}.",
                players=game.settings.players,
                game=game.key,
                more=more,
            ),
            mend="list",
        )
    known = next((one for one in game.gathering.applicants if one.person == person), None)
    number = known.number if known is not None else game.gathering.counted + 1
    event = ReserveJoined(at=context.now, by=by or "judge", person=person, number=number, preferences=preferences)
    ordinal = _ordinal(len(game.gathering.reserve) + 1)
    said = tell(
        "All {players} seats of {game} are taken. {theirs} {ordinal} on the reserve list: when a ",
        players=game.settings.players,
        game=game.key,
        theirs=theirs,
        ordinal=ordinal,
    )
    said += tell(
        "seat becomes free before the start, {verb} it and hear from me; after the start {split} are ",
        verb=verb,
        split=verb.split()[0],
    )
    said += tell("told of every vacant power.")
    return Decision(
        (event,), said=said if by else tell("{said} `leave {game}` takes you off the list.", said=said, game=game.key)
    )


def step_back(game: Game, person: int, context: Context) -> Decision | None:
    """Off the lists of those who would like a seat; None for somebody who is on none."""
    if all(one.person != person for one in game.gathering.hopefuls):
        return None
    event = HopefulLeft(at=context.now, person=person)
    return Decision(
        (event,), said=tell("You are off the list of those who would like a seat in {game}.", game=game.key)
    )


def _ordinal(place: int) -> str:
    return ORDINALS[place - 1] if place <= len(ORDINALS) else f"number {place}"


def without_hopeful(game: Game, person: int, *, turned_away: frozenset[int] | None = None) -> Game:
    """The game with somebody on none of the lists of those who would like a seat."""
    gathering = replace(
        game.gathering,
        applicants=tuple(one for one in game.gathering.applicants if one.person != person),
        reserve=tuple(one for one in game.gathering.reserve if one.person != person),
        turned_away=game.gathering.turned_away if turned_away is None else turned_away,
    )
    return altered(game, gathering=gathering)


def _move_up(game: Game, event: ev.Event) -> tuple[ev.Event, ...]:
    """The first in line takes a seat that is free."""
    if not gathers(game) or not game.gathering.reserve:
        return ()
    first = game.gathering.reserve[0]
    return (sit_down(game, first.person, first.preferences, event.at, by="judge"),)


def _more_seats(game: Game, event: ev.SettingChanged) -> tuple[ev.Event, ...]:
    return _move_up(game, event) if event.name == "players" else ()


def _in_line(game: Game, event: ReserveJoined) -> Game:
    game = without_hopeful(game, event.person)
    wish = Hopeful(event.number, event.person, event.preferences)
    counted = max(game.gathering.counted, event.number)
    return altered(game, gathering=replace(game.gathering, reserve=(*game.gathering.reserve, wish), counted=counted))


def _left(game: Game, event: HopefulLeft) -> Game:
    return without_hopeful(game, event.person)


FEATURE = Feature(
    evolve={ReserveJoined: _in_line, HopefulLeft: _left},
    undo={ReserveJoined: ("They have read it; `refuse` takes them off the reserve list", "status")},
    follow={ev.SeatVacated: _move_up, ev.SettingChanged: _more_seats, ev.PlayerJoined: _move_up},
)
