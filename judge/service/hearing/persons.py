"""Requests about persons: who they are, and where they sit or want to sit."""

from __future__ import annotations

from dataclasses import replace

from judge.game.core.commands import Decision, Refusal, Role, Vacate
from judge.game.core.model import Game
from judge.game.core.parts import Seat
from judge.game.table.substitutes import BeSubstitute
from judge.game.table.vacancies import Claim
from judge.languages import tell
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.account import Confirm, Deny, MyZone, Register
from judge.mail.vocabulary.gm import VacateByAddress
from judge.mail.vocabulary.player import JoinGame
from judge.report.core.letter import Kind
from judge.service.core.persons import enrol
from judge.service.hearing import questions
from judge.service.hearing.commands import command, to_game
from judge.service.people import applicants, participants
from judge.service.people.participants import BUT_NOT
from judge.service.trust.heard import HeardMail, Result, answers

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
        there = (
            tell("Nobody with that address plays in")
            if "@" in wanted
            else tell('No power and no player is named "{wanted}" in', wanted=wanted)
        )
        return Refusal("no-player", f"{there} {game.key}.", mend=f"status {game.key}")
    (seat,) = seats
    return to_game(heard, game, Vacate(seat.powers[0] if seat.powers else "", request.reason, seat.id))


@answers
def _register(heard: HeardMail, said: ReadRequest, request: Register) -> Result:
    heard = _enrol(heard, name=request.name, zone=request.zone)
    person = heard.speaker.person
    if person is None:
        return Refusal("who", tell("This mail names no single sender whom I could register."))
    zone = tell(" Times in your letters are printed in {zone} too.", zone=person.zone) if person.zone else ""
    return Decision(
        said=tell(
            "You are registered; others know you as {person}, {but_not}.{zone}",
            person=person.name,
            but_not=BUT_NOT,
            zone=zone,
        )
    )


def _enrol(heard: HeardMail, *, name: str = "", zone: str = "") -> HeardMail:
    """The mail of somebody who is a person now: their address is proved (by a yes, our server's word, or a token)."""
    address = heard.speaker.address
    if address is None:
        return heard
    called = heard.envelope.from_name
    person = enrol(heard.house, heard.unit, address, name=name, called=called, zone=zone, verified=True)
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
