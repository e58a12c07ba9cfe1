"""What the director of a tournament does: inviting, seeding a round, beginning it, removing somebody, ending.

The boards of a round are ordinary games of which the director is Gamemaster.

Tournaments as players meet them: their pages, announcing one, entering and withdrawing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from judge.game.core.commands import (
    GM_SEAT,
    Actor,
    Command,
    Context,
    Create,
    Decision,
    Join,
    Open,
    Refusal,
    Role,
    Start,
)
from judge.game.decide import decide
from judge.game.office.desk import create
from judge.languages import speak, tell, together
from judge.mail.script import ReadRequest
from judge.mail.vocabulary import Unclear
from judge.mail.vocabulary.powers import read_preferences
from judge.mail.vocabulary.tournament import (
    AnnounceTournament,
    EnterTournament,
    InviteToTournament,
    LeadTournament,
    ShowTournament,
    WithdrawFromTournament,
)
from judge.orders.spelled import listed
from judge.people import tournament as tm
from judge.people.ratings import rate
from judge.people.tournament import Seed, seed_boards, swapped, top_board
from judge.report.core.letter import Kind, Member
from judge.report.core.naming import many, power_name
from judge.report.reply.tournament import (
    ended,
    entered,
    invited,
    left,
    other_wishes,
    removed,
    round_begun,
    sits_out,
    tournament_enclosure,
    tournament_letter,
    tournaments_enclosure,
)
from judge.service.core.judge import Judge
from judge.service.core.persons import may_create, may_not_create
from judge.service.people.applicants import REMEMBERED, count_letter, heard_from, may_be_written, ticket_for
from judge.service.people.participants import welcome
from judge.service.people.ratings import rated_parts
from judge.service.posting.outgoing import CONFIRM
from judge.service.tournament.telling import (
    INDEX,
    hands_of,
    load,
    page_for,
    record,
    results_of,
    tell_all,
    tell_director,
    tell_some,
)
from judge.service.trust.heard import HeardMail, Result, answers, keep_errand

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
        tournament_enclosure(page_for(heard.judge, heard.unit, now, heard.ledger.members, reader.id if reader else 0))
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
    if person is None or not may_create(heard.judge, heard.unit, person):
        return may_not_create(heard.judge, tournament=True)
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
        person.zone or heard.judge.config.zone,
    )  # fmt: skip
    now = record(heard.unit, request.name, None, [terms], heard.now, heard.mail.id)
    heard.enclose(tournament_enclosure(page_for(heard.judge, heard.unit, now, heard.ledger.members, person.id)))
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
    board, _ = hands_of(heard.judge, now)
    wishes = read_preferences(request.wishes, board) if request.wishes else ()
    if isinstance(wishes, Unclear):
        return Refusal(wishes.reason, wishes.sentence, mend=f"tournament {now.name} enter")
    known = now.entrants.get(person)
    if known is not None and not known.gone and known.wishes == wishes:
        return Decision(said=tell("You take part in {now} already; once is enough.", now=now.name))
    after = record(heard.unit, now.name, now, [tm.Entered(person, wishes)], heard.now, heard.mail.id)
    name, size = heard.ledger.members[person].name, len(hands_of(heard.judge, after)[1])
    drawn = now.draft is not None
    about = f"entered-{person}-{heard.mail.id}"
    if known is not None and not known.gone:
        if drawn:
            tell_director(heard.judge, heard.unit, after, other_wishes(name), about=about)
        return Decision(said=tell("You take part in {now} already; your wishes are changed.", now=now.name))
    news = entered(name, len(after.staying), size, draft=drawn)
    tell_director(heard.judge, heard.unit, after, news, about=about)
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
    own = {ticket(heard.judge, now, row.address) for row in heard.unit.people.addresses(person) if row.verified_at}
    if now.terms.access == "invitation" and not own & now.invited:
        return Refusal("not-invited", tell("{now} is by invitation; its director can invite you.", now=now.name))
    return None


def ticket(judge: Judge, now: tm.Tournament, address: str) -> str:
    """What stands for an invited address."""
    return ticket_for(judge, f"tournament:{now.name}", address)


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
    size = len(hands_of(heard.judge, after)[1])
    news = left(name, len(after.staying), size, on, draft=now.draft is not None)
    tell_director(heard.judge, heard.unit, after, news, about=about)
    tell_if_late(heard, now, after, name, about=about)
    rest = tell("Your game {on} goes on; to give that up too: leave {on}", on=on) if on else ""
    return Decision(said=together(tell("You take part in no further round of {now}.", now=now.name), rest))


def board_on(now: tm.Tournament, person: int) -> str:
    """The board of the present round on which somebody still plays; "" for none."""
    boards = now.rounds[-1] if now.rounds else ()
    return next((board.game for board in boards if person in board.seats and not board.over), "")


def tell_if_late(heard: HeardMail, before: tm.Tournament, after: tm.Tournament, name: str, *, about: str) -> None:
    """Those who stay hear that somebody has gone, once rounds are drawn up or played, and another one is to come."""
    begun = before.draft is not None or bool(before.rounds)
    if not begun or len(after.rounds) >= after.terms.rounds:
        return
    news = left(name, len(after.staying), len(hands_of(heard.judge, after)[1]), "", draft=False)
    tell_some(heard.judge, heard.unit, after, after.staying, news, about=about)


def as_director(heard: HeardMail, person: int) -> Context:
    return Context(Actor(Role.GM, GM_SEAT, person), heard.now, heard.judge.lot, heard.judge.shelf)


AT_A_TIME, INVITED_PER_DAY, PER_ADDRESS = 40, 80, 3
"""Addresses that one mail may invite, one person in a day, and invitations to an address in a day."""


def _led(heard: HeardMail, name: str) -> tm.Tournament | Refusal:
    """The tournament, if whoever speaks leads it."""
    person, now = heard.speaker.acting, load(heard.unit, name)
    if now is None:
        return no_tournament(name)
    if person is None or person.id != now.terms.director:
        return Refusal(
            "director-only", tell("Only the director of {name} does that.", name=name), mend=f"tournament {name}"
        )
    if now.stage is tm.TournamentStage.OVER:
        return Refusal("over", tell("{name} is over.", name=name), mend=f"tournament {name}")
    return now


@answers
def invite(heard: HeardMail, said: ReadRequest, request: InviteToTournament) -> Result:
    """Addresses that may enter, each with a letter."""
    now = _led(heard, request.name)
    if isinstance(now, Refusal):
        return now
    if len(request.addresses) > AT_A_TIME:
        sentence = tell(
            "One mail invites {at_a_time} at most, and this one names {addresses}; nobody was.",
            at_a_time=AT_A_TIME,
            addresses=len(request.addresses),
        )
        return Refusal("too-many", sentence)
    new = tuple(ticket(heard.judge, now, address) for address in request.addresses)
    now = record(heard.unit, now.name, now, [tm.InvitedTo(new)], heard.now, heard.mail.id)
    today, contacts, told = heard.now.date(), heard.unit.contacts, set[str]()
    for address in request.addresses:
        if not contacts.allow(f"person:{now.terms.director}", "invited", today, INVITED_PER_DAY):
            break
        if may_be_written(heard, address) and contacts.allow(address, "invited", today, PER_ADDRESS):
            count_letter(heard, address)
            told |= {address} if _invite(heard, now, address) else set()
    left = [address for address in request.addresses if address not in told]
    if not left:
        return Decision(
            said=tell(
                "{new} may enter {now}; a letter goes to each.", new=many(len(new), "person", "people"), now=now.name
            )
        )
    rest = tell("None goes to {left}: such letters are not sent there today, or are not wanted.", left=listed(left))
    return Decision(
        said=tell(
            "{new} may enter {now}; {told} go out. {rest}",
            new=many(len(new), "person", "people"),
            now=now.name,
            told=many(len(told), "letter"),
            rest=rest,
        )
    )


def _invite(heard: HeardMail, now: tm.Tournament, address: str) -> bool:
    known = heard.unit.people.by_address(address)
    member = heard.ledger.members[known.id] if known is not None else Member(0, "")
    by = heard.ledger.members[now.terms.director].name
    told = invited(by, now.name)
    with speak(heard.judge.language(member.language)):
        view = page_for(heard.judge, heard.unit, now, heard.ledger.members, member.person, told)
    about = f"invited-{heard.now.date().isoformat()}"
    key = ticket(heard.judge, now, address)
    keep_errand(
        heard, TO_TOURNAMENT, member.person, REMEMBERED, key=key, name=now.name, address=address,
        sent=heard.now.isoformat(),
    )  # fmt: skip
    letter = tournament_letter(view, member, heard.judge.office, about=about, address=address, reply_as=CONFIRM + key)
    return heard.send(letter)


@answers
def lead(heard: HeardMail, said: ReadRequest, request: LeadTournament) -> Result:
    """What the director does: seed, start, remove, end."""
    now = _led(heard, request.name)
    if isinstance(now, Refusal):
        return now
    acts = {"seed": _seed, "swap": _swap, "start": _start, "remove": _remove, "end": _end}
    return acts[request.act](heard, now, request.who)


def _meant(heard: HeardMail, now: tm.Tournament, who: str) -> int | Refusal:
    """Who of those that take part has this name or address."""
    members = heard.ledger.members
    wanted = who.strip().lower()
    found = [
        person
        for person in now.staying
        if members[person].name.lower() == wanted or members[person].address.lower() == wanted
    ]
    if len(found) != 1:
        names = ", ".join(members[person].name for person in now.staying)
        be = tell("Nobody") if not found else tell("More than one")
        return Refusal(
            "who-is-meant",
            tell(
                "{be} who takes part is called {who}; there are: {names}.",
                be=be,
                who=who[:40],
                names=names or tell("nobody yet"),
            ),
        )
    return found[0]


def _remove(heard: HeardMail, now: tm.Tournament, who: str) -> Result:
    person = _meant(heard, now, who)
    if isinstance(person, Refusal):
        return person
    after = record(heard.unit, now.name, now, [tm.Withdrawn(person, "removed")], heard.now, heard.mail.id)
    name, about = heard.ledger.members[person].name, f"removed-{person}-{heard.mail.id}"
    on = board_on(now, person)
    tell_some(heard.judge, heard.unit, after, (person,), removed(now.name, on), about=about)
    tell_if_late(heard, now, after, name, about=about)
    void = tell("The draft is void, so have the round drawn up again.") if now.draft is not None else ""
    said = tell(
        "{name} takes part in no further round, and is told so; {on} goes on."
        if on
        else "{name} takes part in no further round, and is told so.",
        name=name,
        on=on,
    )
    return Decision(said=together(said, void))


def _between(now: tm.Tournament) -> Refusal | None:
    if now.stage is tm.TournamentStage.PLAYING:
        on = [board.game for board in now.rounds[-1] if not board.over]
        return Refusal(
            "round-on", tell("Round {rounds} is on: {on} must end first.", rounds=len(now.rounds), on=", ".join(on))
        )
    if len(now.rounds) >= now.terms.rounds:
        return Refusal(
            "no-more", tell("All {rounds} rounds of {now} are played.", rounds=now.terms.rounds, now=now.name)
        )
    return None


def _seed(heard: HeardMail, now: tm.Tournament, _: str) -> Result:
    """The boards of the next round, as a draft that the director alone is shown."""
    if (refusal := _between(now)) is not None:
        return refusal
    hands = hands_of(heard.judge, now)[1]
    size, staying = len(hands), now.staying
    if len(staying) < size:
        more = size - len(staying)
        count = (
            tell("One takes part")
            if len(staying) == 1
            else tell("{staying} take part", staying=len(staying) or tell("None"))
        )
        sentence = tell(
            "{count}, and a board of {preset} needs {size}: {more} more must enter.",
            count=count,
            preset=now.terms.preset,
            size=size,
            more=more,
        )
        return Refusal("too-few", sentence, mend=f"tournament {now.name}")
    beyond = len(staying) % size
    # Whoever sat out least so far sits out now, the last to enter first.
    order = sorted(staying, key=lambda person: (now.entrants[person].sat_out, -staying.index(person)))
    idle = tuple(sorted(order[:beyond]))
    drafted = _drafted(heard, now, [person for person in staying if person not in idle], hands)
    boards = tuple(tuple(sorted(dealt.items())) for dealt in drafted)
    now = record(heard.unit, now.name, now, [tm.Seeded(boards, idle)], heard.now, heard.mail.id)
    _show_draft(heard, now)
    short = tell(
        "1 sits out; {size} more would make another board."
        if beyond == 1
        else "{number} sit out; {size} more would make another board.",
        number=beyond,
        size=size - beyond,
    )
    said = tell(
        "Round {rounds} is drawn up."
        if _starts_too(heard, now.name)
        else "Round {rounds} is drawn up as shown below, and nobody is told yet.",
        rounds=len(now.rounds) + 1,
    )
    return Decision(said=together(said, short if beyond else ""))


def _show_draft(heard: HeardMail, now: tm.Tournament) -> None:
    """The page with the draft as it is now, in place of what the same mail was shown before."""
    _hide_draft(heard, now.name)
    view = page_for(heard.judge, heard.unit, now, heard.ledger.members, now.terms.director)
    heard.enclose(tournament_enclosure(view))


def _hide_draft(heard: HeardMail, name: str) -> None:
    shown = [one for one in heard.done.enclosures if (one.kind, one.view.get("name")) == (Kind.TOURNAMENT, name)]
    for one in shown:
        heard.done.enclosures.remove(one)


def _starts_too(heard: HeardMail, name: str) -> bool:
    """Whether the same mail begins the round that it has drawn up."""
    requests = [said.request for said in heard.script.said]
    return any(isinstance(one, LeadTournament) and (one.name, one.act) == (name, "start") for one in requests)


def _swap(heard: HeardMail, now: tm.Tournament, who: str) -> Result:
    """Two of a draft change places."""
    if (refusal := _between(now)) is not None:
        return refusal
    if now.draft is None:
        return _not_seeded(now)
    names = [name for name in _BETWEEN_NAMES.split(who) if name]
    if len(names) != 2:
        return Refusal(
            "which-two", tell("Say which two are to change places."), f"tournament {now.name} swap Anna and Ben"
        )
    pair: list[int] = []
    for name in names:
        person = _meant(heard, now, name)
        if isinstance(person, Refusal):
            return person
        pair.append(person)
    if pair[0] == pair[1]:
        return Refusal("which-two", tell("That is the same person twice; say which two are to change places."))
    boards, idle = swapped(now.draft.boards, now.draft.idle, pair[0], pair[1])
    now = record(heard.unit, now.name, now, [tm.Seeded(boards, idle)], heard.now, heard.mail.id)
    _show_draft(heard, now)
    places = " ".join(sentence for person in pair for sentence in _place(heard, now, person))
    return Decision(
        said=places if _starts_too(heard, now.name) else tell("{places} Nobody else is told yet.", places=places)
    )


_BETWEEN_NAMES = re.compile(r"\s*(?:[,;&/]|\band\b|\bwith\b|\bfor\b)\s*", re.IGNORECASE)


def _place(heard: HeardMail, now: tm.Tournament, person: int) -> Iterator[str]:
    """Where somebody sits in the draft, and what it would have avoided."""
    assert now.draft is not None
    name = heard.ledger.members[person].name
    found = next(((at, dict(seats)) for at, seats in enumerate(now.draft.boards, 1) if person in dict(seats)), None)
    if found is None:
        yield tell("{name} sits out.", name=name)
        return
    number, seats = found
    board, _ = hands_of(heard.judge, now)
    powers = listed(power_name(power, board) for power in seats[person])
    yield tell(
        "{name} plays {powers} once more at board {number}."
        if any(power in now.played(person) for power in seats[person])
        else "{name} plays {powers} at board {number}.",
        name=name,
        powers=powers,
        number=number,
    )
    if old := [heard.ledger.members[other].name for other in seats if other in now.met(person)]:
        yield tell("{name} has met {old} before.", name=name, old=listed(old))


def _not_seeded(now: tm.Tournament) -> Refusal:
    sentence = tell("There is no draft of the next round yet; look at it first.")
    return Refusal("not-seeded", sentence, mend=f"tournament {now.name} seed")


def _drafted(
    heard: HeardMail, now: tm.Tournament, playing: Sequence[int], hands: Sequence[tuple[str, ...]]
) -> list[dict[int, tuple[str, ...]]]:
    figures = rate(rated_parts(heard))
    seeds = {
        person: Seed(
            person, figures[person].elo if person in figures else 1500.0, now.entrants[person].wishes,
            now.met(person), now.played(person),
        )
        for person in playing
    }  # fmt: skip
    lot = heard.judge.lot()
    if now.terms.top and now.last_round and now.rounds:
        table = tm.standings(now, results_of(heard.unit, now))
        return top_board([seeds[line.person] for line in table if line.person in seeds], hands, lot)
    return seed_boards(list(seeds.values()), hands, lot)


def _start(heard: HeardMail, now: tm.Tournament, _: str) -> Result:
    """All boards of the draft at once."""
    if (refusal := _between(now)) is not None:
        return refusal
    if now.draft is None:
        return _not_seeded(now)
    number = len(now.rounds) + 1
    games: list[str] = []
    for place, seats in enumerate(now.draft.boards):
        made = _board(heard, now, f"{now.name}-{number}{_letter(place)}", dict(seats))
        if isinstance(made, Refusal):
            for key in games:
                heard.done.changes.pop(key)
            return made
        games.append(made)
    idle = now.draft.idle
    _hide_draft(heard, now.name)  # the letter that tells of the round shows its boards
    now = record(heard.unit, now.name, now, [tm.RoundBegun(tuple(games))], heard.now, heard.mail.id)
    _tell_of_round(heard, now, idle)
    return Decision(
        said=tell(
            "Round {number} of {now} has begun: {games}. Everybody is told.",
            number=number,
            now=now.name,
            games=listed(games),
        )
    )


def _tell_of_round(heard: HeardMail, now: tm.Tournament, idle: Sequence[int]) -> None:
    """Everybody hears that the round is on; who sits out, that they do."""
    number = len(now.rounds)
    others = [person for person in (*now.entrants, now.terms.director) if person not in idle]
    begun, about, find = round_begun(number), f"round-{number}", heard.game
    tell_some(heard.judge, heard.unit, now, others, begun, about=about, find=find)
    tell_some(
        heard.judge, heard.unit, now, idle, begun, sits_out(last=number == now.terms.rounds), about=about, find=find
    )


def _letter(place: int) -> str:
    """a, b ... z, aa, ab ..."""
    first, last = divmod(place, 26)
    return (chr(96 + first) if first else "") + chr(97 + last)


def _board(heard: HeardMail, now: tm.Tournament, key: str, seats: Mapping[int, tuple[str, ...]]) -> str | Refusal:
    """One game: made, filled as the draft says, begun."""
    if heard.game(key) is not None:
        return Refusal("exists", tell("There is a game named {key} already, so the round cannot begin.", key=key))
    context = as_director(heard, now.terms.director)
    made = create(Create(key, now.terms.preset, (("scoring", now.terms.scoring), *now.terms.settings)), context)
    if isinstance(made, Refusal):
        return made
    change = heard.judge.keeper.create(made.events[0])  # type: ignore[arg-type]
    steps: list[tuple[Command, Actor]] = [(Open(), context.actor)]
    steps += [(Join((powers,)), Actor(Role.STRANGER, person=person)) for person, powers in seats.items()]
    for command, actor in (*steps, (Start(), context.actor)):
        decision = decide(change.after, command, replace(context, actor=actor))
        if isinstance(decision, Refusal):
            return replace(
                decision, sentence=tell("{key} could not begin: {sentence}", key=key, sentence=decision.sentence)
            )
        heard.judge.keeper.apply(change, decision.events)
    heard.done.changes[key] = change
    return key


def _end(heard: HeardMail, now: tm.Tournament, _: str) -> Result:
    """No further round: the totals as they stand are final; boards that are on go on and count no more."""
    now = record(heard.unit, now.name, now, [tm.TournamentEnded(early=True)], heard.now, heard.mail.id)
    tell_all(heard.judge, heard.unit, now, ended(early=True), about="over")
    return Decision(said=tell("{now} is over, and everybody is told.", now=now.name))
