"""`invite`: a letter to each address, and who gets none."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from judge.game.core.decision import Decision, Refusal, Status, Verdict
from judge.game.core.model import Game, Stage
from judge.game.core.moments import told
from judge.game.table.inviting import Invite, may_invite
from judge.game.table.reserve import place_in_line
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.gathering import InviteByAddress
from judge.orders.spelled import listed
from judge.report.reply.doorstep import NOBODY
from judge.report.table.gathering import invitation
from judge.service.hearing.gmdesk import own_game
from judge.service.people import door
from judge.service.people.door import BETWEEN, GOOD_FOR, INVITATION, LETTERS_A_GAME, REMEMBERED, UNANSWERED
from judge.service.posting.mailbag import CONFIRM, cast_of
from judge.service.trust import errands
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting

_A_DAY = "invited"


@answers
def invite(sitting: Sitting, said: ReadRequest, request: InviteByAddress) -> Result:
    """A letter to each address; those that get none are named, each with its reason."""
    game = own_game(sitting, said)
    if isinstance(game, Refusal):
        return game
    if (refusal := may_invite(game)) is not None:
        return refusal
    most = sitting.house.config.bounds.invitations_a_mail
    if len(request.addresses) > most:
        return Refusal(
            "too-many",
            f"One mail invites {most} at most, and these are {len(request.addresses)}; nobody was invited. Please "
            "send fewer.",
        )
    wrong = [(word, "that is not a mail address") for word in request.wrong]
    wrong += [(address, why) for address in request.addresses if (why := _why_not(sitting, game, address))]
    good = [address for address in request.addresses if address not in {one for one, _ in wrong}]
    within = _within_the_day(sitting, game, good)
    a_day = sitting.house.config.bounds.invitations_a_day
    wrong += [(one, f"that would be more than {a_day} invitations of yours today") for one in good[len(within) :]]
    if within:
        _send(sitting, game, within, request.words)
    refused = tuple(
        Verdict(said.lines[0], word, Status.REFUSED, reason="not-invited", sentence=f"Not invited: {why}.")
        for word, why in wrong
    )
    return Decision(verdicts=refused, said=_invited(game, within, sitting.now) if within else "")


def _invited(game: Game, addresses: Sequence[str], now: datetime) -> str:
    one = len(addresses) == 1
    what = "The letter asks" if one else "Each letter asks"
    till = told(now + GOOD_FOR)
    said = f"Invited: {listed(addresses)}. {what} for a one-word answer, until {till}; you are told of every answer."
    free = game.settings.players - len(game.seats)
    if len(addresses) > free and game.stage is Stage.OPEN:
        seats = {0: "No seat is free now", 1: "One seat is free"}.get(free, f"{free} seats are free")
        first = ": the first to answer have them, the others" if free > 1 else ": the first to answer has it, others"
        said += f" {seats}{first if free > 0 else '; anyone who answers'} may wait on the reserve list."
    return said


def _why_not(sitting: Sitting, game: Game, address: str) -> str:
    """Why an address gets no letter, as the rest of a sentence; "" if it gets one."""
    config = sitting.house.config
    person = sitting.unit.people.by_address(address, verified=True)
    local, _, domain = address.partition("@")
    if domain == config.domain and local.partition("+")[0] == config.local_part:
        return "that is my own address"
    if person is not None and person.id == game.gm:
        return "that is the Gamemaster's own address"
    if person is not None and game.seat_held_by(person.id) is not None:
        return f"{person.name} has a seat already"
    if person is not None and place_in_line(game, person.id):
        return f"{person.name} is on the reserve list already"
    if person is not None and any(one.person == person.id for one in game.gathering.applicants):
        return f"{person.name} has asked for a seat: write `approve {person.name}`"
    if sitting.unit.people.suspended([address]):
        return "letters to it come back"
    if door.wants_none(sitting, address):
        return "its reader wants no invitations"
    return _not_again(sitting, game, address)


def _not_again(sitting: Sitting, game: Game, address: str) -> str:
    """Why somebody who was invited before gets no letter now; "" if they get one."""
    ticket = door.ticket_for(sitting.house, game.key, address)
    errand, known = errands.find(sitting.unit, ticket), game.gathering.invitations.get(ticket)
    if errand is not None and known is not None:
        letters = door.sent(errand)
        if known.state == "declined":
            return "the answer to your invitation was no"
        if errand.facts.get("back"):
            return "your invitation to it came back"
        if known.state == "open" and len(letters) >= LETTERS_A_GAME:
            return f"they were written to {LETTERS_A_GAME} times, last on {told(letters[-1])}, and have not answered"
        if known.state == "open" and sitting.now < letters[-1] + BETWEEN:
            again = told(letters[-1] + BETWEEN)
            return f"they were invited on {told(letters[-1])}; a second letter can go out from {again} on"
    if door.unanswered(sitting, address) >= UNANSWERED:
        return f"{UNANSWERED} invitations to it were never answered, so I send no more"
    return ""


def _within_the_day(sitting: Sitting, game: Game, addresses: Sequence[str]) -> list[str]:
    """As many of the addresses as the Gamemaster may still invite today."""
    most, today = sitting.house.config.bounds.invitations_a_day, sitting.now.date()
    return [one for one in addresses if sitting.unit.contacts.allow(f"person:{game.gm}", _A_DAY, today, most)]


def _send(sitting: Sitting, game: Game, addresses: Sequence[str], words: str) -> None:
    tickets = [door.ticket_for(sitting.house, game.key, address) for address in addresses]
    until = sitting.now + GOOD_FOR
    sitting.tell(game, Invite(tuple(tickets), until))
    cast = cast_of(sitting.house, sitting.unit, game, sitting.ledger.members)
    for ticket, address in zip(tickets, addresses, strict=True):
        person = sitting.unit.people.by_address(address, verified=True)
        before = errands.find(sitting.unit, ticket)
        dates = [one.isoformat() for one in door.sent(before)] if before is not None else []
        errands.keep(
            sitting, INVITATION, person.id if person else 0, REMEMBERED, key=ticket, game=game.key, address=address,
            sent=[*dates, sitting.now.isoformat()],
        )  # fmt: skip
        door.count_letter(sitting, address)
        letter = invitation(
            game, cast, sitting.ledger.members[person.id] if person else NOBODY, address=address,
            key=f"{game.key}/invitation/{ticket}/{len(dates) + 1}/{sitting.mail.id}", reply_as=CONFIRM + ticket,
            until=until, words=words, again=bool(dates),
        )  # fmt: skip
        sitting.send(letter)
