"""Tournaments as players meet them: their pages, announcing one, entering and withdrawing."""

from __future__ import annotations

from judge.game.core.commands import GM_SEAT, Actor, Create, Role
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.office.desk import create
from judge.mail.script import ReadRequest
from judge.mail.vocabulary import Unclear
from judge.mail.vocabulary.powers import read_preferences
from judge.mail.vocabulary.tournament import AnnounceTournament, EnterTournament, ShowTournament, WithdrawFromTournament
from judge.people import tournament as tm
from judge.report.reply.tournament import entered, left, tournament_enclosure, tournaments_enclosure
from judge.service.core.house import House
from judge.service.core.persons import may_create, may_not_create
from judge.service.people.invitations import heard_from, ticket_for
from judge.service.people.vacancies import welcome
from judge.service.tournament.log import INDEX, load, record
from judge.service.tournament.page import hands_of, page_for
from judge.service.tournament.telling import tell_director
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting


@answers
def show(sitting: Sitting, said: ReadRequest, request: ShowTournament) -> Result:
    """The page of a tournament, or the list of all."""
    if not request.name:
        names = sorted(key.removeprefix(INDEX) for key in sitting.unit.meta.all(INDEX))
        found = [one for name in names if (one := load(sitting.unit, name)) is not None]
        sitting.enclosures.append(tournaments_enclosure(found))
        return Decision()
    now = load(sitting.unit, request.name)
    if now is None:
        return no_tournament(request.name)
    reader = sitting.speaker.acting
    sitting.enclosures.append(
        tournament_enclosure(
            page_for(sitting.house, sitting.unit, now, sitting.ledger.members, reader.id if reader else 0)
        )
    )
    return Decision()


def no_tournament(name: str) -> Refusal:
    return Refusal("no-tournament", f"There is no tournament named {name[:40]} here.", mend="tournaments")


@answers
def announce(sitting: Sitting, said: ReadRequest, request: AnnounceTournament) -> Result:
    """A new tournament, led by whoever announces it; they may create games."""
    person = sitting.speaker.acting
    if person is None or not may_create(sitting.house, sitting.unit, person):
        return may_not_create(sitting.house, "tournaments")
    if load(sitting.unit, request.name) is not None:
        return Refusal("exists", f"There is a tournament named {request.name} already; choose another name.")
    # A game on trial: every setting is read before anybody enters.
    tried = create(Create(f"{request.name}-1a", request.preset, request.settings), as_director(sitting, person.id))
    if isinstance(tried, Refusal):
        return tried
    terms = tm.Announced(
        person.id, request.rounds, request.scoring, request.preset, request.settings, request.access, request.top,
        person.zone or sitting.house.config.zone,
    )  # fmt: skip
    now = record(sitting.unit, request.name, None, [terms], sitting.now, sitting.mail.id)
    sitting.enclosures.append(
        tournament_enclosure(page_for(sitting.house, sitting.unit, now, sitting.ledger.members, person.id))
    )
    return Decision(said=f"{request.name} is announced; people enter with: tournament {request.name} enter")


@answers
def enter(sitting: Sitting, said: ReadRequest, request: EnterTournament) -> Result:
    """Take part from the next round on; once more with other wishes changes them."""
    person, now = welcome(sitting), load(sitting.unit, request.name)
    if now is None:
        return no_tournament(request.name)
    if person is None:
        return Refusal("who", "Nobody knows you here yet.", mend="register")
    if sitting.speaker.address:
        heard_from(sitting, sitting.speaker.address)
    if (refusal := _kept_out(sitting, now, person)) is not None:
        return refusal
    board, _ = hands_of(sitting.house, now)
    wishes = read_preferences(request.wishes, board) if request.wishes else ()
    if isinstance(wishes, Unclear):
        return Refusal(wishes.reason, wishes.sentence, mend=f"tournament {now.name} enter")
    known = now.entrants.get(person)
    if known is not None and not known.gone and known.wishes == wishes:
        return Decision(said=f"You take part in {now.name} already; once is enough.")
    after = record(sitting.unit, now.name, now, [tm.Entered(person, wishes)], sitting.now, sitting.mail.id)
    if known is not None and not known.gone:
        return Decision(said=f"You take part in {now.name} already; your wishes are changed.")
    news = entered(sitting.ledger.members[person].name, len(after.staying), len(hands_of(sitting.house, after)[1]))
    tell_director(sitting.house, sitting.unit, after, news, about=f"entered-{person}-{sitting.mail.id}")
    when = "from the next round on" if now.rounds else "from the first round on"
    return Decision(said=f"You take part in {now.name} {when}; you get a letter when it begins.")


def _kept_out(sitting: Sitting, now: tm.Tournament, person: int) -> Refusal | None:
    """Why somebody may not enter."""
    if now.stage is tm.TournamentStage.OVER:
        return Refusal("over", f"{now.name} is over.", mend=f"tournament {now.name}")
    if person == now.terms.director:
        return Refusal("director", f"You lead {now.name}, and so you do not play in it.")
    if (entrant := now.entrants.get(person)) is not None and entrant.gone == "removed":
        return Refusal("removed", f"The director has removed you from {now.name}; ask them.")
    if len(now.rounds) >= now.terms.rounds:
        return Refusal("last-round", f"The last round of {now.name} has begun.", mend=f"tournament {now.name}")
    own = {ticket(sitting.house, now, row.address) for row in sitting.unit.people.addresses(person) if row.verified_at}
    if now.terms.access == "invitation" and not own & now.invited:
        return Refusal("not-invited", f"{now.name} is by invitation; its director can invite you.")
    return None


def ticket(house: House, now: tm.Tournament, address: str) -> str:
    """What stands for an invited address."""
    return ticket_for(house, f"tournament:{now.name}", address)


@answers
def withdraw(sitting: Sitting, said: ReadRequest, request: WithdrawFromTournament) -> Result:
    """Take part in no further round; a board that is on goes on."""
    person, now = sitting.speaker.acting, load(sitting.unit, request.name)
    if now is None:
        return no_tournament(request.name)
    if person is None or person.id not in now.staying:
        return Refusal("not-in", f"You do not take part in {now.name}.", mend=f"tournament {now.name}")
    after = record(sitting.unit, now.name, now, [tm.Withdrawn(person.id, "left")], sitting.now, sitting.mail.id)
    on = [board.game for boards in now.rounds[-1:] for board in boards if person.id in board.seats and not board.over]
    size = len(hands_of(sitting.house, after)[1])
    news = left(sitting.ledger.members[person.id].name, len(after.staying), size, on[0] if on else "")
    tell_director(sitting.house, sitting.unit, after, news, about=f"left-{person.id}-{sitting.mail.id}")
    rest = f" Your game {on[0]} goes on; to give that up too: leave {on[0]}" if on else ""
    return Decision(said=f"You take part in no further round of {now.name}.{rest}")


def as_director(sitting: Sitting, person: int) -> Context:
    return Context(Actor(Role.GM, GM_SEAT, person), sitting.now, sitting.house.lot, sitting.house.shelf)
