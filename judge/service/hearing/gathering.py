"""A table that gathers, and who sits at it: invitations by address, approval, the pass phrase, names and numbers; who a
person is, and where they sit or want to sit.

Making a game by mail: with settings in the mail or in a file, for good or only to see what it would be like.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from judge.board.names import gazetteer_of
from judge.game.core.commands import (
    GM_SEAT,
    Actor,
    Context,
    Create,
    Decision,
    Open,
    Prefer,
    Refusal,
    Role,
    Status,
    Vacate,
    Verdict,
)
from judge.game.core.events import GameCreated
from judge.game.core.evolve import begin
from judge.game.core.model import Game, Stage
from judge.game.core.parts import Seat
from judge.game.office.desk import create
from judge.game.office.undoing import GRAVE_ACTS
from judge.game.settings.bundles import PRESETS
from judge.game.table.filling import Advertise, Approve, SetPhrase, TurnAway, is_of_kind, place_in_line
from judge.game.table.substitutes import BeSubstitute
from judge.game.table.vacancies import Claim, Invite, may_invite
from judge.languages import moment_mark, speak, tell, together, told_later
from judge.mail.script import ReadRequest
from judge.mail.vocabulary import SettingsFile, Unclear, read_toml
from judge.mail.vocabulary.account import Confirm, Deny, MyZone, Register
from judge.mail.vocabulary.founding import (
    ApproveByName,
    DryCreate,
    HearOfGames,
    InviteByAddress,
    PassPhrase,
    RefuseByName,
    RemoveByName,
)
from judge.mail.vocabulary.gm import VacateByAddress
from judge.mail.vocabulary.player import JoinGame
from judge.orders.spelled import listed
from judge.report.core.letter import Enclosure, Kind, plain
from judge.report.reply.unproved import NOBODY
from judge.report.table.arrivals import created_view
from judge.report.table.gathering import advertisement, invitation
from judge.service.core.directory import find_errand
from judge.service.core.persons import enrol, may_create, may_not_create
from judge.service.hearing import questions
from judge.service.hearing.commands import command, to_game
from judge.service.hearing.questions import answers_gm
from judge.service.people import applicants, participants
from judge.service.people.applicants import BETWEEN, GOOD_FOR, INVITATION, LETTERS_A_GAME, REMEMBERED, UNANSWERED
from judge.service.people.participants import welcome
from judge.service.posting.outgoing import CONFIRM, OPENINGS, QUEUE, cast_of
from judge.service.trust.heard import HeardMail, Result, answers, keep_errand


@answers_gm
def approve(heard: HeardMail, said: ReadRequest, game: Game, request: ApproveByName) -> Result:
    """Whoever has asked for a seat, or was sent away before, has one."""
    persons = [one.person for one in game.gathering.hopefuls] + sorted(game.gathering.turned_away)
    person = _person(heard, game, request.who, persons, tell("asked for a seat in"))
    return person if isinstance(person, Refusal) else heard.apply(game, Approve(person))


@answers_gm
def refuse(heard: HeardMail, said: ReadRequest, game: Game, request: RefuseByName) -> Result:
    """Whoever has asked for a seat, or waits for one, does not get it."""
    person = _person(
        heard, game, request.who, [one.person for one in game.gathering.hopefuls], tell("asked for a seat in")
    )
    return person if isinstance(person, Refusal) else heard.apply(game, TurnAway(person, request.reason))


@answers_gm
def remove(heard: HeardMail, said: ReadRequest, game: Game, request: RemoveByName) -> Result:
    """Off the table before its start: a seat is free, or somebody waits no longer."""
    if game.stage not in (Stage.FORMING, Stage.OPEN):
        sentence = tell("{game} has begun: a power is taken from its player with `vacate`.", game=game.key)
        names = gazetteer_of(game.board)
        power = next((word for word in re.findall(r"[^\W\d_]{3,}", request.who) if names.power(word)), request.who)
        return Refusal("begun", sentence, mend=f"vacate {power}")
    seated = {seat.person: seat.id for seat in game.seats.values() if seat.person is not None}
    persons = [*seated, *(one.person for one in game.gathering.hopefuls)]
    person = _person(heard, game, request.who, persons, "joined")
    if isinstance(person, Refusal):
        return person
    if person in seated:
        return heard.apply(game, Vacate("", request.reason, seated[person]))
    return heard.apply(game, TurnAway(person, request.reason))


def _person(heard: HeardMail, game: Game, who: str, persons: list[int], what: str) -> int | Refusal:
    """Which of these persons has this name, this address or this number of the Gamemaster's list."""
    if "@" in who:
        found = heard.unit.people.by_address(who, verified=True)
        matches = [found.id] if found is not None and found.id in persons else []
    elif who.isdigit():
        numbers = {str(one.number): one.person for one in game.gathering.hopefuls}
        matches = [numbers[who]] if who in numbers and numbers[who] in persons else []
    else:
        names = {person: heard.ledger.members[person].name for person in dict.fromkeys(persons)}
        matches = [person for person, name in names.items() if name.casefold() == who.casefold()]
    if len(matches) == 1:
        return matches[0]
    if matches:
        numbered = [str(one.number) for one in game.gathering.hopefuls if one.person in matches]
        how = (
            tell("write their number: {numbered}", numbered=listed(numbered, "or"))
            if numbered
            else tell("give the address")
        )
        return Refusal(
            "two-players",
            tell('{matches} have the name "{who}"; please {how}.', matches=len(matches), who=who, how=how),
            mend=f"status {game.key}",
        )
    known = listed(dict.fromkeys(heard.ledger.members[person].name for person in persons))
    there = (
        (
            tell("; there is {known}", known=known)
            if len(set(persons)) == 1
            else tell("; there are {known}", known=known)
        )
        if persons
        else tell("; nobody has so far")
    )
    return Refusal(
        "nobody",
        tell('Nobody called "{who}" has {what} {game}{there}.', who=who[:60], what=what, game=game.key, there=there),
        mend=f"status {game.key}",
    )


@answers_gm
def pass_phrase(heard: HeardMail, said: ReadRequest, game: Game, request: PassPhrase) -> Result:
    """The words that whoever joins must name."""
    return heard.apply(game, SetPhrase(applicants.hashed(heard, request.words)))


@answers_gm
def advertise(heard: HeardMail, said: ReadRequest, game: Game, request: Advertise) -> Result:
    """A letter to all who wish to hear of games, and to those who wait for one of this kind."""
    result = heard.apply(game, request)
    if isinstance(result, Refusal):
        return result
    kinds = [QUEUE + name for name in PRESETS if is_of_kind(game.settings, name)]
    readers = [row.person_id for topic in (OPENINGS, *kinds) for row in heard.unit.lists.subscribers(topic)]
    busy = {seat.person for seat in game.seats.values()} | {one.person for one in game.gathering.hopefuls}
    wanted = [one for one in dict.fromkeys(readers) if one not in busy | {game.gm} | game.gathering.turned_away]
    cast = cast_of(heard.judge, heard.unit, game, heard.ledger.members)
    for person in wanted:
        key = f"{game.key}/advertised/{heard.now.date().isoformat()}/p{person}"
        reader = heard.ledger.members[person]
        with speak(heard.judge.language(reader.language)):
            letter = advertisement(game, cast, reader, key=key)
        heard.send(letter)
    count = len(wanted)
    readers_told = (
        tell("Nobody wishes")
        if not count
        else tell("One reader wishes")
        if count == 1
        else tell("{count} readers wish", count=count)
    )
    told = (
        tell("and was told")
        if count == 1
        else tell("and were told")
        if count
        else tell("at present; it is in the list")
    )
    return Decision(said=tell("{readers_told} to hear of games {told}.", readers_told=readers_told, told=told))


@answers
def hear_of_games(heard: HeardMail, said: ReadRequest, request: HearOfGames) -> Result:
    """On the list of those who hear of games that look for players, or off it."""
    heard, person = welcome(heard)
    if person is None:
        return Refusal("who", tell("I do not know you yet."), mend="register")
    if request.on:
        heard.unit.lists.subscribe(person, OPENINGS, heard.now)
        return Decision(said=tell("I write to you when a Gamemaster looks for players. `hear of games off` ends that."))
    gone = heard.unit.lists.unsubscribe(person, OPENINGS)
    return Decision(
        said=tell("You get no more letters about new games.") if gone else tell("You were not on that list.")
    )


# --- `invite`: a letter to each address, and who gets none ----------------------------------------------------------


_A_DAY = "invited"


@answers_gm
def invite(heard: HeardMail, said: ReadRequest, game: Game, request: InviteByAddress) -> Result:
    """A letter to each address; those that get none are named, each with its reason."""
    if (refusal := may_invite(game)) is not None:
        return refusal
    most = heard.judge.config.bounds.invitations_a_mail
    if len(request.addresses) > most:
        return Refusal(
            "too-many",
            tell(
                "One mail invites {most} at most, and these are {addresses}; nobody was invited. Please send fewer.",
                most=most,
                addresses=len(request.addresses),
            ),
        )
    wrong = [(word, tell("that is not a mail address")) for word in request.wrong]
    wrong += [(address, why) for address in request.addresses if (why := _why_not(heard, game, address))]
    good = [address for address in request.addresses if address not in {one for one, _ in wrong}]
    within = _within_the_day(heard, game, good)
    a_day = heard.judge.config.bounds.invitations_a_day
    wrong += [
        (one, tell("that would be more than {a_day} invitations of yours today", a_day=a_day))
        for one in good[len(within) :]
    ]
    if within:
        _send(heard, game, within, request.words)
    refused = tuple(
        Verdict(
            said.lines[0], word, Status.REFUSED, reason="not-invited", sentence=tell("Not invited: {why}.", why=why)
        )
        for word, why in wrong
    )
    return Decision(verdicts=refused, said=_invited(game, within, heard.now) if within else "")


def _invited(game: Game, addresses: Sequence[str], now: datetime) -> str:
    said = tell(
        "Invited: {addresses}. The letter asks for a one-word answer, until {till}; you are told of every answer."
        if len(addresses) == 1
        else "Invited: {addresses}. Each letter asks for a one-word answer, until {till}; you are told of every "
        "answer.",
        addresses=listed(addresses),
        till=moment_mark(now + GOOD_FOR),
    )
    free = game.settings.players - len(game.seats)
    if len(addresses) > free and game.stage is Stage.OPEN:
        seats = tell(
            "{free} seats are free: the first to answer have them, the others may wait on the reserve list."
            if free > 1
            else "One seat is free: the first to answer has it, others may wait on the reserve list."
            if free == 1
            else "No seat is free now; anyone who answers may wait on the reserve list.",
            free=free,
        )
        said = together(said, seats)
    return said


def _why_not(heard: HeardMail, game: Game, address: str) -> str:
    """Why an address gets no letter, as the rest of a sentence; "" if it gets one."""
    config = heard.judge.config
    person = heard.unit.people.by_address(address, verified=True)
    local, _, domain = address.partition("@")
    if domain == config.domain and local.partition("+")[0] == config.local_part:
        return tell("that is my own address")
    if person is not None and person.id == game.gm:
        return tell("that is the Gamemaster's own address")
    if person is not None and game.seat_held_by(person.id) is not None:
        return tell("{person} has a seat already", person=person.name)
    if person is not None and place_in_line(game, person.id):
        return tell("{person} is on the reserve list already", person=person.name)
    if person is not None and any(one.person == person.id for one in game.gathering.applicants):
        return tell("{person} has asked for a seat: write `approve {person}`", person=person.name)
    if heard.unit.people.suspended([address]):
        return tell("letters to it come back")
    if applicants.wants_none(heard, address):
        return tell("its reader wants no invitations")
    return _not_again(heard, game, address)


def _not_again(heard: HeardMail, game: Game, address: str) -> str:
    """Why somebody who was invited before gets no letter now; "" if they get one."""
    ticket = applicants.ticket_for(heard.judge, game.key, address)
    errand, known = find_errand(heard.unit, ticket), game.gathering.invitations.get(ticket)
    if errand is not None and known is not None:
        letters = applicants.sent(errand)
        if known.state == "declined":
            return tell("the answer to your invitation was no")
        if errand.facts.get("back"):
            return tell("your invitation to it came back")
        if known.state == "open" and len(letters) >= LETTERS_A_GAME:
            return tell(
                "they were written to {letters_a_game} times, last on {letters}, and have not answered",
                letters_a_game=LETTERS_A_GAME,
                letters=moment_mark(letters[-1]),
            )
        if known.state == "open" and heard.now < letters[-1] + BETWEEN:
            again = moment_mark(letters[-1] + BETWEEN)
            return tell(
                "they were invited on {letters}; a second letter can go out from {again} on",
                letters=moment_mark(letters[-1]),
                again=again,
            )
    if applicants.unanswered(heard, address) >= UNANSWERED:
        return tell("{unanswered} invitations to it were never answered, so I send no more", unanswered=UNANSWERED)
    return ""


def _within_the_day(heard: HeardMail, game: Game, addresses: Sequence[str]) -> list[str]:
    """As many of the addresses as the Gamemaster may still invite today."""
    most, today = heard.judge.config.bounds.invitations_a_day, heard.now.date()
    return [one for one in addresses if heard.unit.contacts.allow(f"person:{game.gm}", _A_DAY, today, most)]


def _send(heard: HeardMail, game: Game, addresses: Sequence[str], words: str) -> None:
    tickets = [applicants.ticket_for(heard.judge, game.key, address) for address in addresses]
    until = heard.now + GOOD_FOR
    heard.apply(game, Invite(tuple(tickets), until))
    cast = cast_of(heard.judge, heard.unit, game, heard.ledger.members)
    for ticket, address in zip(tickets, addresses, strict=True):
        person = heard.unit.people.by_address(address, verified=True)
        before = find_errand(heard.unit, ticket)
        dates = [one.isoformat() for one in applicants.sent(before)] if before is not None else []
        keep_errand(
            heard, INVITATION, person.id if person else 0, REMEMBERED, key=ticket, game=game.key, address=address,
            sent=[*dates, heard.now.isoformat()],
        )  # fmt: skip
        applicants.count_letter(heard, address)
        reader = heard.ledger.members[person.id] if person else NOBODY
        with speak(heard.judge.language(reader.language)):
            letter = invitation(
                game, cast, reader, address=address,
                key=f"{game.key}/invitation/{ticket}/{len(dates) + 1}/{heard.mail.id}", reply_as=CONFIRM + ticket,
                until=until, words=words, again=bool(dates),
            )  # fmt: skip
        heard.send(letter)


_SECOND_WORD = told_later(
    "A few acts need a second proof: your password on a line of the same mail, or that it answers a letter of mine "
    "and comes from your own address; else I ask for your yes. They are: {acts}. `undo` takes back most others; "
    "where it cannot, as after `start` and `process`, it says so."
)


def _with_founder(heard: HeardMail) -> HeardMail:
    """The mail of somebody who may create games though they never wrote before: the configuration names their address,
    or lets everybody. They are a person here from now on.
    """
    config, address = heard.judge.config, heard.speaker.address
    named = address is not None and address.lower() in {one.lower() for one in config.gms}
    return participants.welcome(heard)[0] if named or config.open_creation else heard


@answers
def make(heard: HeardMail, said: ReadRequest, command: Create) -> Result:
    """`create NAME`."""
    heard = _with_founder(heard)
    decision = _decided(heard, command)
    if isinstance(decision, Decision):
        change = heard.judge.keeper.create(_first(decision))
        heard.done.changes[change.after.key] = change
        if any(isinstance(one.request, Open) for one in heard.script.said):
            # No letter about what is still to be decided will follow, which says this.
            return replace(decision, said=f"{decision.said} {tell(_SECOND_WORD, acts=GRAVE_ACTS)}")
    return decision


@answers
def try_out(heard: HeardMail, said: ReadRequest, request: DryCreate) -> Result:
    """`dry-run create NAME`: the rules that the game would have, and what would have to be decided."""
    heard = _with_founder(heard)
    decision = _decided(heard, request.command)
    if isinstance(decision, Refusal):
        return replace(decision, sentence=tell("It would be refused: {sentence}", sentence=decision.sentence))
    game = begin(_first(decision), heard.judge.shelf)
    shown = plain(created_view(game, heard.judge.office))
    heard.enclose(Enclosure(Kind.CREATED, {**shown, "ignored": []}))
    return Decision(said=tell("Nothing was done. {game} would be made as shown below.", game=game.key))


def _first(decision: Decision) -> GameCreated:
    event = decision.events[0]
    assert isinstance(event, GameCreated)
    return event


def _decided(heard: HeardMail, command: Create) -> Result:
    person = heard.speaker.acting
    if person is None or not may_create(heard.judge, heard.unit, person):
        return may_not_create(heard.judge)
    if heard.game(command.key.lower()) is not None:
        return Refusal(
            "exists", tell("There is a game named {command} already; choose another name.", command=command.key)
        )
    attached = attached_settings(heard)
    if isinstance(attached, Refusal):
        return attached
    preset = command.preset or attached.preset
    command = replace(command, preset=preset, settings=(*attached.pairs, *command.settings))
    return create(command, Context(Actor(Role.GM, GM_SEAT, person.id), heard.now, systems=heard.judge.shelf))


def attached_settings(heard: HeardMail) -> SettingsFile | Refusal:
    """A preset and settings in attached TOML files; what the mail itself says goes before them."""
    preset = ""
    pairs: list[tuple[str, str]] = []
    for attachment in heard.envelope.attachments:
        if not attachment.name.lower().endswith(".toml") or not attachment.text:
            continue
        found = read_toml(attachment.text)
        if isinstance(found, Unclear):
            write = tell("Write there: {candidates}", candidates=found.candidates[0]) if found.candidates else ""
            return Refusal(found.reason, together(f"{attachment.name}: {found.sentence}", write))
        preset = found.preset or preset
        pairs += found.pairs
    return SettingsFile(preset, tuple(pairs))


_ARRIVALS = (Kind.WELCOME, Kind.STARTED, Kind.TAKEOVER)
"""Letters to which newcomers like to say yes once more."""


@answers
def _join(heard: HeardMail, said: ReadRequest, request: JoinGame) -> Result:
    game = heard.game(request.game or said.game)
    if game is None:
        return questions.which_game(said)
    if (refusal := applicants.guessed_too_often(heard, game, request.phrase)) is not None:
        return refusal
    heard = _enrol(heard, name=request.name, zone=request.zone)
    if not request.preferences:
        wishes = (one.request.preferences for one in heard.script.said if isinstance(one.request, Prefer))
        request = replace(request, preferences=next(wishes, ()))  # the welcome knows what is wished further down
    return applicants.answered(heard, game, to_game(heard, game, applicants.asking(heard, game, request)))


@answers
def _claim(heard: HeardMail, said: ReadRequest, request: Claim) -> Result:
    """Somebody takes a vacant seat; they may be new here."""
    heard, _ = participants.welcome(heard)
    game, person = heard.game(said.game), heard.speaker.acting
    ticket = applicants.ticket_of(heard, game, person.id) if game is not None and person is not None else ""
    return command(heard, said, replace(request, ticket=ticket))


@answers
def _substitute(heard: HeardMail, said: ReadRequest, request: BeSubstitute) -> Result:
    """Somebody plays for a player for a while; they may be new here."""
    heard, _ = participants.welcome(heard)
    return command(heard, said, request)


def _seats_of(heard: HeardMail, game: Game, who: str) -> list[Seat]:
    """The seats of whoever has an address or a name, in any case."""
    people = heard.unit.people
    if "@" in who:
        person = people.by_address(who, verified=True)
        seat = game.seat_held_by(person.id) if person is not None else None
        return [seat] if seat is not None else []
    held = [(seat, seat.person) for seat in game.seats.values() if seat.person is not None]
    return [seat for seat, person in held if people.get(person).name.casefold() == who.casefold()]


@answers
def _vacate(heard: HeardMail, said: ReadRequest, request: VacateByAddress) -> Result:
    """Take the seat from whoever has this address, or this name."""
    game = heard.game(said.game)
    if game is None:
        return questions.which_game(said)
    if heard.actor(game).role is not Role.GM:
        return Refusal("gm-only", tell("Only the Gamemaster of {game} may do that.", game=game.key))
    seats = _seats_of(heard, game, request.address)
    if len(seats) > 1:
        sentence = tell(
            "{seats} players of {game} have that name; please give the address.", seats=len(seats), game=game.key
        )
        return Refusal("two-players", sentence, mend=f"status {game.key}")
    if not seats:
        wanted = request.address
        nobody = (
            tell("Nobody with that address plays in {game}.", game=game.key)
            if "@" in wanted
            else tell('No power and no player is named "{wanted}" in {game}.', wanted=wanted, game=game.key)
        )
        return Refusal("no-player", nobody, mend=f"status {game.key}")
    (seat,) = seats
    return to_game(heard, game, Vacate(seat.powers[0] if seat.powers else "", request.reason, seat.id))


@answers
def _register(heard: HeardMail, said: ReadRequest, request: Register) -> Result:
    heard = _enrol(heard, name=request.name, zone=request.zone)
    person = heard.speaker.person
    if person is None:
        return Refusal("who", tell("This mail names no single sender whom I could register."))
    zone = tell("Times in your letters are printed in {zone} too.", zone=person.zone) if person.zone else ""
    return Decision(
        said=together(
            tell(
                "You are registered; others know you as {person}, except in games that keep names secret until their "
                "end.",
                person=person.name,
            ),
            zone,
        )
    )


def _enrol(heard: HeardMail, *, name: str = "", zone: str = "") -> HeardMail:
    """The mail of somebody who is a person now: their address is proved (by a yes, our server's word, or a token)."""
    address = heard.speaker.address
    if address is None:
        return heard
    called = heard.envelope.from_name
    person = enrol(heard.judge, heard.unit, address, name=name, called=called, zone=zone, verified=True)
    heard.ledger.members.learn(person)
    return heard.known(person)


@answers
def _my_zone(heard: HeardMail, said: ReadRequest, request: MyZone) -> Result:
    _enrol(heard, zone=request.zone)
    return Decision(said=tell("Times in your letters are printed in {zone} too.", zone=request.zone))


@answers
def _confirm(heard: HeardMail, said: ReadRequest, _: Confirm) -> Result:
    return _voiced(heard, said, aye=True)


@answers
def _deny(heard: HeardMail, said: ReadRequest, _: Deny) -> Result:
    return _voiced(heard, said, aye=False)


def _voiced(heard: HeardMail, said: ReadRequest, *, aye: bool) -> Result:
    """A yes or no that answers nothing: what is a vote was read as one (`judge.mail.script.cursor`)."""
    game, word = heard.game(said.game), "aye" if aye else "nay"
    asked = Refusal("nothing-to-confirm", tell("A yes or no counts only in an answer to the letter that asks for it."))
    if aye and game is not None and heard.letter.kind in _ARRIVALS and not game.votes:
        return Decision(said=tell("There is nothing to confirm: you are in {game} already.", game=game.key))
    if game is None or heard.actor(game).role is not Role.PLAYER or not game.votes:
        return asked
    forms = "\n".join(f"{word} {number}" for number in sorted(game.votes))
    return replace(
        asked, sentence=tell("{sentence} If it was your vote, write it so.", sentence=asked.sentence), mend=forms
    )
