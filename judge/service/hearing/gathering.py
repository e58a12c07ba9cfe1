"""A table that gathers: approval, refusals, the pass phrase, news of games; names and numbers made persons."""

from __future__ import annotations

import re

from judge.board.names import gazetteer_of
from judge.game.core.commands import Vacate
from judge.game.core.decision import Decision, Refusal
from judge.game.core.model import Game, Stage
from judge.game.settings.bundles import PRESETS
from judge.game.table.admission import Approve, SetPhrase, TurnAway
from judge.game.table.filling import Advertise, is_of_kind
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.gathering import ApproveByName, HearOfGames, PassPhrase, RefuseByName, RemoveByName
from judge.orders.spelled import listed
from judge.report.table.gathering import advertisement
from judge.service.hearing.gmdesk import own_game
from judge.service.people import door
from judge.service.people.participants import welcome
from judge.service.posting.mailbag import OPENINGS, QUEUE, cast_of
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting


@answers
def approve(sitting: Sitting, said: ReadRequest, request: ApproveByName) -> Result:
    """Whoever has asked for a seat, or was sent away before, has one."""
    game = own_game(sitting, said)
    if isinstance(game, Refusal):
        return game
    persons = [one.person for one in game.gathering.hopefuls] + sorted(game.gathering.turned_away)
    person = _person(sitting, game, request.who, persons, "asked for a seat in")
    return person if isinstance(person, Refusal) else sitting.tell(game, Approve(person))


@answers
def refuse(sitting: Sitting, said: ReadRequest, request: RefuseByName) -> Result:
    """Whoever has asked for a seat, or waits for one, does not get it."""
    game = own_game(sitting, said)
    if isinstance(game, Refusal):
        return game
    person = _person(sitting, game, request.who, [one.person for one in game.gathering.hopefuls], "asked for a seat in")
    return person if isinstance(person, Refusal) else sitting.tell(game, TurnAway(person, request.reason))


@answers
def remove(sitting: Sitting, said: ReadRequest, request: RemoveByName) -> Result:
    """Off the table before its start: a seat is free, or somebody waits no longer."""
    game = own_game(sitting, said)
    if isinstance(game, Refusal):
        return game
    if game.stage not in (Stage.FORMING, Stage.OPEN):
        sentence = f"{game.key} has begun: a power is taken from its player with `vacate`."
        names = gazetteer_of(game.board)
        power = next((word for word in re.findall(r"[^\W\d_]{3,}", request.who) if names.power(word)), request.who)
        return Refusal("begun", sentence, mend=f"vacate {power}")
    seated = {seat.person: seat.id for seat in game.seats.values() if seat.person is not None}
    persons = [*seated, *(one.person for one in game.gathering.hopefuls)]
    person = _person(sitting, game, request.who, persons, "joined")
    if isinstance(person, Refusal):
        return person
    if person in seated:
        return sitting.tell(game, Vacate("", request.reason, seated[person]))
    return sitting.tell(game, TurnAway(person, request.reason))


def _person(sitting: Sitting, game: Game, who: str, persons: list[int], what: str) -> int | Refusal:
    """Which of these persons has this name, this address or this number of the Gamemaster's list."""
    if "@" in who:
        found = sitting.unit.people.by_address(who, verified=True)
        matches = [found.id] if found is not None and found.id in persons else []
    elif who.isdigit():
        numbers = {str(one.number): one.person for one in game.gathering.hopefuls}
        matches = [numbers[who]] if who in numbers and numbers[who] in persons else []
    else:
        names = {person: sitting.ledger.members[person].name for person in dict.fromkeys(persons)}
        matches = [person for person, name in names.items() if name.casefold() == who.casefold()]
    if len(matches) == 1:
        return matches[0]
    if matches:
        numbered = [str(one.number) for one in game.gathering.hopefuls if one.person in matches]
        how = f"write their number: {' or '.join(numbered)}" if numbered else "give the address"
        return Refusal("two-players", f'{len(matches)} have the name "{who}"; please {how}.', mend=f"status {game.key}")
    known = listed(dict.fromkeys(sitting.ledger.members[person].name for person in persons))
    there = f"; there {'is' if len(set(persons)) == 1 else 'are'} {known}" if persons else "; nobody has so far"
    return Refusal("nobody", f'Nobody called "{who[:60]}" has {what} {game.key}{there}.', mend=f"status {game.key}")


@answers
def pass_phrase(sitting: Sitting, said: ReadRequest, request: PassPhrase) -> Result:
    """The words that whoever joins must name."""
    game = own_game(sitting, said)
    if isinstance(game, Refusal):
        return game
    return sitting.tell(game, SetPhrase(door.hashed(sitting, request.words)))


@answers
def advertise(sitting: Sitting, said: ReadRequest, request: Advertise) -> Result:
    """A letter to all who wish to hear of games, and to those who wait for one of this kind."""
    game = own_game(sitting, said)
    if isinstance(game, Refusal):
        return game
    result = sitting.tell(game, request)
    if isinstance(result, Refusal):
        return result
    kinds = [QUEUE + name for name in PRESETS if is_of_kind(game.settings, name)]
    readers = [row.person_id for topic in (OPENINGS, *kinds) for row in sitting.unit.lists.subscribers(topic)]
    busy = {seat.person for seat in game.seats.values()} | {one.person for one in game.gathering.hopefuls}
    wanted = [one for one in dict.fromkeys(readers) if one not in busy | {game.gm} | game.gathering.turned_away]
    cast = cast_of(sitting.house, sitting.unit, game, sitting.ledger.members)
    for person in wanted:
        key = f"{game.key}/advertised/{sitting.now.date().isoformat()}/p{person}"
        sitting.send(advertisement(game, cast, sitting.ledger.members[person], key=key))
    count = len(wanted)
    readers_told = "Nobody wishes" if not count else "One reader wishes" if count == 1 else f"{count} readers wish"
    told = "and was told" if count == 1 else "and were told" if count else "at present; it is in the list"
    return Decision(said=f"{readers_told} to hear of games {told}.")


@answers
def hear_of_games(sitting: Sitting, said: ReadRequest, request: HearOfGames) -> Result:
    """On the list of those who hear of games that look for players, or off it."""
    person = welcome(sitting)
    if person is None:
        return Refusal("who", "I do not know you yet.", mend="register")
    if request.on:
        sitting.unit.lists.subscribe(person, OPENINGS, sitting.now)
        return Decision(said="I write to you when a Gamemaster looks for players. `hear of games off` ends that.")
    gone = sitting.unit.lists.unsubscribe(person, OPENINGS)
    return Decision(said="You get no more letters about new games." if gone else "You were not on that list.")
