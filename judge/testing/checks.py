"""Questions that a conversation may ask about the judge's state: `check phase baltic F1901M` and the like."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime

from judge.board.model import Board
from judge.game.core.model import Begun, Game, Stage
from judge.mail.vocabulary.powers import read_power
from judge.service.turning.replaying import adjudicate_again, rebuild_all
from judge.store.rows import Mail, MailState
from judge.testing.theatre import Theatre


class Unmet(Exception):
    """A check failed; the message says what was found."""


def check(theatre: Theatre, rest: str) -> None:
    """Hold one check against the judge. Raises Unmet, or ValueError for a check that is none."""
    verb, *args = shlex.split(rest)
    if verb not in CHECKS:
        raise ValueError(f"there is no check {verb!r}; there are {', '.join(CHECKS)}")
    CHECKS[verb](theatre, args)


def _stage(theatre: Theatre, args: list[str]) -> None:
    game, wanted = _game(theatre, args), args[1]
    _same(str(game.stage), wanted)


def _phase(theatre: Theatre, args: list[str]) -> None:
    _same(str(_game(theatre, args).phase), args[1])


def _deadline(theatre: Theatre, args: list[str]) -> None:
    deadline = _game(theatre, args).deadline
    found = deadline.at if deadline else None
    if found != datetime.fromisoformat(args[1]):
        raise Unmet(f"the deadline is {found:%Y-%m-%dT%H:%MZ}" if found else "there is no deadline")


def _centres(theatre: Theatre, args: list[str]) -> None:
    """`check centres GAME POWER N [POWER N ...]`"""
    game = _begun(theatre, args)
    for word, number in zip(args[1::2], args[2::2], strict=True):
        power = _power(game.board, word)
        found = sum(1 for owner in game.position.owners.values() if owner == power)
        if found != int(number):
            raise Unmet(f"{power} has {found} centres")


def _units(theatre: Theatre, args: list[str]) -> None:
    """`check units GAME POWER "A PAR, F BRE"`"""
    game = _begun(theatre, args)
    power = _power(game.board, args[1])
    found = sorted(str(unit) for unit in game.position.units if unit.power == power)
    _same_list(found, args[2])


def _orders(theatre: Theatre, args: list[str]) -> None:
    """`check orders GAME POWER "A PAR - BUR, F BRE H"`; "" for none"""
    game = _game(theatre, args)
    sheet = game.sheets.get(_power(game.board, args[1]))
    _same_list(sorted(line.order for line in sheet.lines) if sheet else [], args[2])


def _player(theatre: Theatre, args: list[str]) -> None:
    """`check player GAME POWER ADDRESS`; "nobody" for a vacant seat"""
    game = _game(theatre, args)
    seat = game.seat_of(_power(game.board, args[1]))
    person = seat.person if seat else None
    with theatre.house.store.read() as view:
        rows = view.people.addresses(person) if person is not None else ()
    _same(rows[0].address if rows else "nobody", args[2])


def _mail(theatre: Theatre, args: list[str]) -> None:
    """`check mail STATE [WORDS]`: what became of the last mail, and words of the logged reason"""
    with theatre.house.store.read() as view:
        mails = view.inbox.list(limit=1_000_000)
    if not mails:
        raise Unmet("no mail has come")
    _mail_is(mails[-1], args[0], " ".join(args[1:]))


def _mails(theatre: Theatre, args: list[str]) -> None:
    """`check mails STATE N`: how many mails stand so"""
    with theatre.house.store.read() as view:
        found = {str(state): number for state, number in view.inbox.counts().items()}
    _same(str(found.get(args[0], 0)), args[1])


def _refused(theatre: Theatre, args: list[str]) -> None:
    """`check refused N`: how many mails the door turned away so far"""
    _same(str(len(theatre.refused)), args[0])


def _persons(theatre: Theatre, args: list[str]) -> None:
    """`check persons N`: how many persons the judge knows"""
    with theatre.house.store.read() as view:
        _same(str(view.people.count()), args[0])


def _wishes(theatre: Theatre, args: list[str]) -> None:
    """`check wishes GAME ADDRESS "France, England, Germany = Austria"`: the preference list of whoever has joined"""
    game = _game(theatre, args)
    with theatre.house.store.read() as view:
        person = view.people.by_address(args[1])
    seat = next((seat for seat in game.seats.values() if person and seat.person == person.id), None)
    if seat is None:
        raise Unmet(f"{args[1]} has no seat")
    found = [" = ".join(sorted(game.board.powers[key].name for key in rank)) for rank in seat.preferences]
    _same(", ".join(found), args[2])


def _used(theatre: Theatre, args: list[str]) -> None:
    """`check used GAME POWER N`: so many free extensions are used up"""
    game = _game(theatre, args)
    seat = game.seat_of(_power(game.board, args[1]))
    _same(str(game.extensions.get(seat.person or 0, 0) if seat else 0), args[2])


def _events(theatre: Theatre, args: list[str]) -> None:
    """`check events GAME KIND N`: so many events of a kind are in the log"""
    with theatre.house.store.read() as view:
        kinds = [stored.kind for stored in view.events.load(args[0])]
    if kinds.count(args[1]) != int(args[2]):
        raise Unmet(f"there are {kinds.count(args[1])}; the kinds are {', '.join(sorted(set(kinds)))}")


def _replay(theatre: Theatre, args: list[str]) -> None:
    """`check replay GAME`: the log rebuilds the game, and adjudicating again gives the stored results"""
    for finding in (*rebuild_all(theatre.house, args), *adjudicate_again(theatre.house, args)):
        if finding.drift:
            raise Unmet("; ".join(finding.drift))


def _settled(theatre: Theatre, args: list[str]) -> None:
    """`check settled`: every mail has met with one end, and no letter has come twice to one address"""
    with theatre.house.store.read() as view:
        mails = view.inbox.list(limit=1_000_000)
    if open_ := [mail for mail in mails if mail.state in (MailState.NEW, MailState.QUARANTINED)]:
        raise Unmet(f"mail {open_[0].id} is {open_[0].state}")
    letters = Counter((letter.to, letter.message_id) for letter in theatre.everything())
    if twice := [key for key, number in letters.items() if number > 1]:
        raise Unmet(f"{twice[0][0]} has {twice[0][1]} twice")


def players_but(theatre: Theatre, silent: list[str]) -> list[str]:
    """The addresses of those who play in the first game that runs, but for some powers."""
    game = _running(theatre)
    seats = [seat for seat in game.seats.values() if seat.person is not None and not set(seat.powers) & set(silent)]
    with theatre.house.store.read() as view:
        rows = [view.people.addresses(seat.person) for seat in seats if seat.person is not None]
    return [of_one[0].address for of_one in rows if of_one]


def power_of(theatre: Theatre, word: str) -> str:
    """The power that a word means in the first game that runs."""
    return _power(_running(theatre).board, word)


def _running(theatre: Theatre) -> Game:
    with theatre.house.store.read() as view:
        keys = [row.key for row in view.games.list()]
    games = [theatre.game(key) for key in keys]
    found = next((game for game in games if game.stage is Stage.RUNNING), None)
    if found is None:
        raise ValueError("no game runs")
    return found


def _mail_is(mail: Mail, state: str, words: str) -> None:
    if str(mail.state) != state or words not in (mail.reason or ""):
        raise Unmet(f"mail {mail.id} is {mail.state}" + (f": {mail.reason}" if mail.reason else ""))


CHECKS: Mapping[str, Callable[[Theatre, list[str]], None]] = {
    "stage": _stage,
    "phase": _phase,
    "deadline": _deadline,
    "centres": _centres,
    "units": _units,
    "orders": _orders,
    "player": _player,
    "mail": _mail,
    "mails": _mails,
    "refused": _refused,
    "persons": _persons,
    "wishes": _wishes,
    "used": _used,
    "events": _events,
    "replay": _replay,
    "settled": _settled,
}


def _begun(theatre: Theatre, args: list[str]) -> Begun:
    game = _game(theatre, args)
    if not isinstance(game, Begun):
        raise Unmet("the game has not begun")
    return game


def _game(theatre: Theatre, args: list[str]) -> Game:
    try:
        return theatre.game(args[0])
    except KeyError:
        raise Unmet(f"there is no game {args[0]}") from None


def _power(board: Board, word: str) -> str:
    power = read_power(word, board)
    if not isinstance(power, str):
        raise ValueError(f"{word} is no power of this board")
    return power


def _same(found: str, wanted: str) -> None:
    if found != wanted:
        raise Unmet(f"it is {found}")


def _same_list(found: list[str], wanted: str) -> None:
    if found != sorted(item.strip() for item in wanted.split(",") if item.strip()):
        raise Unmet(f"there is {', '.join(found) or 'nothing'}")
