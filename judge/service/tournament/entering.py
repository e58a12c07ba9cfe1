"""Tournaments as players meet them: their pages, announcing one, entering and withdrawing."""

from __future__ import annotations

from judge.game.core.commands import GM_SEAT, Actor, Create, Role
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.office.desk import create
from judge.languages import tell
from judge.mail.script import ReadRequest
from judge.mail.vocabulary import Unclear
from judge.mail.vocabulary.powers import read_preferences
from judge.mail.vocabulary.tournament import AnnounceTournament, EnterTournament, ShowTournament, WithdrawFromTournament
from judge.people import tournament as tm
from judge.report.reply.tournament import entered, left, other_wishes, tournament_enclosure, tournaments_enclosure
from judge.service.core.house import House
from judge.service.core.persons import may_create, may_not_create
from judge.service.people.applicants import heard_from, ticket_for
from judge.service.people.participants import welcome
from judge.service.tournament.log import INDEX, load, record
from judge.service.tournament.telling import hands_of, page_for, tell_director, tell_some
from judge.service.trust.handlers import Result, answers
from judge.service.trust.heard import HeardMail

TO_TOURNAMENT = "tournament-invitation"
"""The errand of a letter that invites to a tournament: `name`, `address`, and when it was last `sent`."""


@answers
def show(heard: HeardMail, said: ReadRequest, request: ShowTournament) -> Result:
    """The page of a tournament, or the list of all."""
    if not request.name:
        names = sorted(key.removeprefix(INDEX) for key in heard.unit.meta.all(INDEX))
        found = [one for name in names if (one := load(heard.unit, name)) is not None]
        heard.enclose(tournaments_enclosure(found))
        return Decision()
    now = load(heard.unit, request.name)
    if now is None:
        return no_tournament(request.name)
    reader = heard.speaker.acting
    heard.enclose(
        tournament_enclosure(page_for(heard.house, heard.unit, now, heard.ledger.members, reader.id if reader else 0))
    )
    return Decision()


def no_tournament(name: str) -> Refusal:
    return Refusal(
        "no-tournament", tell("There is no tournament named {name} here.", name=name[:40]), mend="tournaments"
    )


@answers
def announce(heard: HeardMail, said: ReadRequest, request: AnnounceTournament) -> Result:
    """A new tournament, led by whoever announces it; they may create games."""
    person = heard.speaker.acting
    if person is None or not may_create(heard.house, heard.unit, person):
        return may_not_create(heard.house, "tournaments")
    if load(heard.unit, request.name) is not None:
        return Refusal(
            "exists", tell("There is a tournament named {request} already; choose another name.", request=request.name)
        )
    # A game on trial: every setting is read before anybody enters.
    tried = create(Create(f"{request.name}-1a", request.preset, request.settings), as_director(heard, person.id))
    if isinstance(tried, Refusal):
        return tried
    terms = tm.Announced(
        person.id, request.rounds, request.scoring, request.preset, request.settings, request.access, request.top,
        person.zone or heard.house.config.zone,
    )  # fmt: skip
    now = record(heard.unit, request.name, None, [terms], heard.now, heard.mail.id)
    heard.enclose(tournament_enclosure(page_for(heard.house, heard.unit, now, heard.ledger.members, person.id)))
    return Decision(
        said=tell("{request} is announced; people enter with: tournament {request} enter", request=request.name)
    )


@answers
def enter(heard: HeardMail, said: ReadRequest, request: EnterTournament) -> Result:
    """Take part from the next round on; once more with other wishes changes them."""
    heard, person = welcome(heard)
    now = load(heard.unit, request.name)
    if now is None:
        return no_tournament(request.name)
    if person is None:
        return Refusal("who", tell("I do not know you yet."), mend="register")
    if heard.speaker.address:
        heard_from(heard, heard.speaker.address)
    if (refusal := _kept_out(heard, now, person)) is not None:
        return refusal
    board, _ = hands_of(heard.house, now)
    wishes = read_preferences(request.wishes, board) if request.wishes else ()
    if isinstance(wishes, Unclear):
        return Refusal(wishes.reason, wishes.sentence, mend=f"tournament {now.name} enter")
    known = now.entrants.get(person)
    if known is not None and not known.gone and known.wishes == wishes:
        return Decision(said=tell("You take part in {now} already; once is enough.", now=now.name))
    after = record(heard.unit, now.name, now, [tm.Entered(person, wishes)], heard.now, heard.mail.id)
    name, size = heard.ledger.members[person].name, len(hands_of(heard.house, after)[1])
    drawn = now.draft is not None
    about = f"entered-{person}-{heard.mail.id}"
    if known is not None and not known.gone:
        if drawn:
            tell_director(heard.house, heard.unit, after, other_wishes(name), about=about)
        return Decision(said=tell("You take part in {now} already; your wishes are changed.", now=now.name))
    news = entered(name, len(after.staying), size, draft=drawn)
    tell_director(heard.house, heard.unit, after, news, about=about)
    when = tell("from the next round on") if now.rounds else tell("from the first round on")
    return Decision(
        said=tell("You take part in {now} {when}; you get a letter when it begins.", now=now.name, when=when)
    )


def _kept_out(heard: HeardMail, now: tm.Tournament, person: int) -> Refusal | None:
    """Why somebody may not enter."""
    if now.stage is tm.TournamentStage.OVER:
        return Refusal("over", tell("{now} is over.", now=now.name), mend=f"tournament {now.name}")
    if person == now.terms.director:
        return Refusal("director", tell("You lead {now}, and so you do not play in it.", now=now.name))
    if (entrant := now.entrants.get(person)) is not None and entrant.gone == "removed":
        return Refusal("removed", tell("The director has removed you from {now}; ask them.", now=now.name))
    if len(now.rounds) >= now.terms.rounds:
        return Refusal(
            "last-round", tell("The last round of {now} has begun.", now=now.name), mend=f"tournament {now.name}"
        )
    own = {ticket(heard.house, now, row.address) for row in heard.unit.people.addresses(person) if row.verified_at}
    if now.terms.access == "invitation" and not own & now.invited:
        return Refusal("not-invited", tell("{now} is by invitation; its director can invite you.", now=now.name))
    return None


def ticket(house: House, now: tm.Tournament, address: str) -> str:
    """What stands for an invited address."""
    return ticket_for(house, f"tournament:{now.name}", address)


@answers
def withdraw(heard: HeardMail, said: ReadRequest, request: WithdrawFromTournament) -> Result:
    """Take part in no further round; a board that is on goes on."""
    person, now = heard.speaker.acting, load(heard.unit, request.name)
    if now is None:
        return no_tournament(request.name)
    if now.stage is tm.TournamentStage.OVER:
        return Refusal("over", tell("{now} is over.", now=now.name), mend=f"tournament {now.name}")
    if person is None or person.id not in now.staying:
        return Refusal("not-in", tell("You do not take part in {now}.", now=now.name), mend=f"tournament {now.name}")
    after = record(heard.unit, now.name, now, [tm.Withdrawn(person.id, "left")], heard.now, heard.mail.id)
    on, name = board_on(now, person.id), heard.ledger.members[person.id].name
    about = f"left-{person.id}-{heard.mail.id}"
    size = len(hands_of(heard.house, after)[1])
    news = left(name, len(after.staying), size, on, draft=now.draft is not None)
    tell_director(heard.house, heard.unit, after, news, about=about)
    tell_if_late(heard, now, after, name, about=about)
    rest = tell(" Your game {on} goes on; to give that up too: leave {on}", on=on) if on else ""
    return Decision(said=tell("You take part in no further round of {now}.{rest}", now=now.name, rest=rest))


def board_on(now: tm.Tournament, person: int) -> str:
    """The board of the present round on which somebody still plays; "" for none."""
    boards = now.rounds[-1] if now.rounds else ()
    return next((board.game for board in boards if person in board.seats and not board.over), "")


def tell_if_late(heard: HeardMail, before: tm.Tournament, after: tm.Tournament, name: str, *, about: str) -> None:
    """Those who stay hear that somebody has gone, once rounds are drawn up or played, and another one is to come."""
    begun = before.draft is not None or bool(before.rounds)
    if not begun or len(after.rounds) >= after.terms.rounds:
        return
    news = left(name, len(after.staying), len(hands_of(heard.house, after)[1]), "", draft=False)
    tell_some(heard.house, heard.unit, after, after.staying, news, about=about)


def as_director(heard: HeardMail, person: int) -> Context:
    return Context(Actor(Role.GM, GM_SEAT, person), heard.now, heard.house.lot, heard.house.shelf)
