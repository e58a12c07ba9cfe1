"""People beside the players: observers, editors, standbys, those who wait for a game, what anybody may ask of
themselves.
"""

from __future__ import annotations

import json
from dataclasses import replace

from judge.catalogues import language_of, named, shipped
from judge.game.core.commands import Actor, Command, Context, Create, Decision, Join, Open, Refusal, Role
from judge.game.core.model import Game, Stage
from judge.game.decide import decide
from judge.game.office.desk import create
from judge.game.table.seating import begins
from judge.game.table.vacancies import Claim, claim, vacant_seats
from judge.game.talk.press import DismissEditor
from judge.languages import go_on_in, spoken, tell, together, told_later
from judge.mail.script import ReadRequest
from judge.mail.script.phrases.answers import SAID
from judge.mail.vocabulary.account import ForgetMe, MyName, Reminders
from judge.mail.vocabulary.participants import MyFormat, MyLanguage, Observe, Queue, StandBy, Unobserve
from judge.orders.spelled import listed
from judge.report.core import naming
from judge.service.core.directory import topic_of
from judge.service.core.judge import Judge
from judge.service.core.keeper import GameChange
from judge.service.core.persons import enrol
from judge.service.posting.outgoing import DIGEST, QUEUE, Format, set_format
from judge.service.trust.heard import HeardMail, Result, answers
from judge.store import View

# --- editors as persons ---------------------------------------------------------------------------------------------


def step_down(heard: HeardMail, game: Game, person: int) -> bool:
    """A person's own end as an editor; False if they are none."""
    if person not in game.editors or game.stage is Stage.ENDED:
        return False
    _dismissed(heard.judge, heard.change(game), person, Actor(Role.STRANGER, person=person))
    return True


def step_down_everywhere(heard: HeardMail, person: int) -> None:
    """The same in every game that somebody edits."""
    for key in edited(heard.judge, heard.unit, person):
        if (game := heard.game(key)) is not None:
            step_down(heard, game, person)


def edited(judge: Judge, view: View, person: int) -> list[str]:
    """Names of the games that somebody edits."""
    topics = {row.topic for row in view.lists.subscriptions(person)}
    keys = sorted(topic.removeprefix(topic_of("")) for topic in topics if topic.startswith(topic_of("")))
    games = [judge.keeper.load(view, key) for key in keys]
    return [game.key for game in games if game is not None and person in game.editors]


def taken_off(judge: Judge, view: View, person: int) -> list[GameChange]:
    """What takes somebody off the editors of every game that is not over, as the operator's act, not saved yet."""
    changes = []
    for key in edited(judge, view, person):
        game = judge.keeper.load(view, key)
        if game is not None and game.stage is not Stage.ENDED:
            changes.append(change := GameChange(game, game))
            _dismissed(judge, change, person, Actor(Role.OPERATOR))
    return changes


def _dismissed(judge: Judge, change: GameChange, person: int, actor: Actor) -> None:
    context = Context(actor, judge.clock.now(), judge.lot, judge.shelf)
    decision = decide(change.after, DismissEditor(person), context)
    assert isinstance(decision, Decision)
    judge.keeper.apply(change, decision.events)


# --- standbys and observers -----------------------------------------------------------------------------------------


@answers
def stand_by(heard: HeardMail, said: ReadRequest, request: StandBy) -> Result:
    """On the list of those who hear of vacant seats, or off it."""
    heard, person = welcome(heard)
    if person is None:
        return Refusal("who", tell("I do not know you yet."), mend="register")
    game = heard.game(request.game) if request.game else None
    if request.game and game is None:
        return Refusal("no-game", tell("There is no game named {game} here.", game=request.game), mend="list")
    where = tell("in {game}", game=game.key) if game else tell("in any game")
    if not request.on:
        return _stand_down(heard, person, game)
    if game is not None and game.stage is Stage.ENDED:
        return Refusal("game-over", tell("{game} has ended.", game=game.key), mend="standby")
    if game is not None and (person == game.gm or game.seat_held_by(person) is not None):
        return Refusal("in-it", tell("You take part in {game} yourself.", game=game.key), mend="standby")
    heard.unit.lists.stand_by(person, heard.now, game=game.key if game else "")
    return Decision(
        said=tell("You stand by {where}. {now_vacant}", where=where, now_vacant=_now_vacant(heard, person, game))
    )


def _stand_down(heard: HeardMail, person: int, game: Game | None) -> Decision:
    """Off one list, or off all of them."""
    keys = [game.key] if game else ["", *(row.key for row in heard.unit.games.list())]
    found = [key for key in keys if heard.unit.lists.stand_down(person, game=key)]
    if game is not None and any(row.person_id == person for row in heard.unit.lists.standbys(game.key)):
        return Decision(
            said=tell("You still stand by in any game, {game} among them; `standby off` ends that.", game=game.key)
        )
    return Decision(said=tell("You stand by no longer.") if found else tell("You did not stand by."))


def _now_vacant(heard: HeardMail, person: int, game: Game | None) -> str:
    """Whether there is something that this person may have at once."""
    games = [game] if game else [heard.game(row.key) for row in heard.unit.games.list(states=[Stage.RUNNING])]
    actor = Actor(Role.STRANGER, person=person)
    vacant = [
        f"claim {one.key} {seat.powers[0].title()}"
        for one in games
        if one is not None and one.stage is Stage.RUNNING
        for seat in vacant_seats(one)
        if isinstance(claim(one, Claim(seat.powers[0]), Context(actor, heard.now, heard.judge.lot)), Decision)
    ]
    if not vacant:
        return tell("I shall write when a seat falls vacant.")
    return tell("There is a vacancy now; to take it, reply with: {vacant}", vacant=vacant[0])


def welcome(heard: HeardMail) -> tuple[HeardMail, int | None]:
    """The mail and the person who writes it, made if need be; their address is proved by now."""
    if heard.speaker.acting is not None:
        return heard, heard.speaker.acting.id
    address = heard.speaker.address
    if address is None:
        return heard, None
    person = enrol(heard.judge, heard.unit, address, called=heard.envelope.from_name, verified=True)
    return heard.known(person), person.id


"""Where others do not read a person's name."""


def _who() -> Refusal:
    return Refusal("who", tell("I do not know you yet."), mend="register")


_WORDS = {
    "report": told_later(
        "You get every report of {game}, press to everybody, and news such as a new deadline or a new player."
    ),
    "results": told_later("You get the results of {game}."),
    "digest": told_later("You get a digest of {game} now and then."),
}
_NEXT = told_later("To see how it stands now, send: status {game} - and to stop the letters: unobserve {game}")


@answers
def observe(heard: HeardMail, said: ReadRequest, request: Observe) -> Result:
    """On the list of those who get what a game publishes."""
    game = heard.game(request.game or said.game)
    if game is None:
        return Refusal(
            "no-game", tell("There is no game named {game} here.", game=request.game or said.game), mend="list"
        )
    if game.practice is not None:
        return Refusal(
            "private",
            tell("{game} is a board on which one person plays alone; it has no observers.", game=game.key),
            mend="practice",
        )
    heard, person = welcome(heard)
    if person is None:
        return _who()
    if game.gm == person or game.seat_held_by(person) is not None:
        return Refusal("in-it", tell("You take part in {game} and get its letters anyway.", game=game.key))
    if game.stage is Stage.ENDED:
        return Refusal("game-over", tell("{game} has ended.", game=game.key), mend=f"history {game.key}")
    if not game.settings.observers and all(
        row.topic != topic_of(game.key) for row in heard.unit.lists.subscriptions(person)
    ):
        return Refusal("no-observers", tell("{game} has no observers.", game=game.key), mend="list")
    options: dict[str, object] = {"what": request.what}
    if request.what == "digest":
        options["seq"] = game.seq
        heard.unit.lists.subscribe(person, DIGEST, heard.now)
    heard.unit.lists.subscribe(person, topic_of(game.key), heard.now, options=json.dumps(options))
    return Decision(said=together(tell(_WORDS[request.what], game=game.key), tell(_NEXT, game=game.key)))


@answers
def unobserve(heard: HeardMail, said: ReadRequest, request: Unobserve) -> Result:
    """Off that list."""
    person = heard.speaker.acting
    key = request.game or said.game
    if person is None:
        return _who()
    if not heard.unit.lists.unsubscribe(person.id, topic_of(key)):
        game = heard.game(key)
        if game is not None and game.seat_held_by(person.id) is not None:
            return Refusal("plays", tell(SAID["no letters"]))
        return Refusal(
            "not-observing", tell("You do not observe {key}.", key=key) if key else tell("Say which game."), mend="list"
        )
    game = heard.game(key)
    if game is not None and step_down(heard, game, person.id):
        return Decision(said=tell("You are no editor of {key} any more, and get no more letters about it.", key=key))
    if game is not None and (game.gm == person.id or game.seat_held_by(person.id) is not None):
        return Decision(
            said=tell("You do not observe {key} any more; as you take part in it, you still get its letters.", key=key)
        )
    return Decision(said=tell("You get no more letters about {key}.", key=key))


@answers
def my_name(heard: HeardMail, said: ReadRequest, request: MyName) -> Result:
    """The name that others read."""
    heard, number = welcome(heard)
    if number is None:
        return _who()
    person = replace(heard.unit.people.get(number), name=request.name)
    heard.unit.people.save(person)
    heard.ledger.members.learn(person)
    return Decision(
        said=tell(
            "From now on others know you as {request}, except in games that keep names secret until their end.",
            request=request.name,
        )
    )


@answers
def reminders(heard: HeardMail, said: ReadRequest, request: Reminders) -> Result:
    """Whether reminders before deadlines are wanted."""
    heard, number = welcome(heard)
    if number is None:
        return _who()
    person = heard.unit.people.get(number)
    options = {**json.loads(person.options), "reminders": request.on}
    heard.unit.people.save(replace(person, options=json.dumps(options)))
    if request.on:
        return Decision(said=tell("You get reminders before deadlines again."))
    return Decision(said=tell("You get no more reminders. You are still told when you are late."))


@answers
def my_format(heard: HeardMail, said: ReadRequest, request: MyFormat) -> Result:
    """In what form letters come; all of it is told, changed or not."""
    heard, number = welcome(heard)
    if number is None:
        return _who()
    form = set_format(heard.unit, number, dict(request.changes))
    heard.ledger.members.forget(number)
    return _format_told(form)


@answers
def my_language(heard: HeardMail, said: ReadRequest, request: MyLanguage) -> Result:
    """In which language letters come; the answer is in it already."""
    heard, number = welcome(heard)
    if number is None:
        return _who()
    found = named(request.wanted) if request.wanted else heard.judge.language(heard.ledger.members[number].language)
    if found is None:
        known = [language_of(code).name for code in shipped()]
        sentence = tell(
            'I do not write in "{wanted}"; letters can be had in {known}.', wanted=request.wanted, known=listed(known)
        )
        return Refusal("no-language", sentence, mend=f"my language {known[0]}")
    set_format(heard.unit, number, {"language": found.code})
    heard.ledger.members.forget(number)
    go_on_in(found)
    return Decision(
        said=tell(
            "I write to you in {language} from now on. Orders and commands are read in English all the same.",
            language=found.name,
        )
    )


def _format_told(form: Format) -> Result:
    """In what form letters come."""
    parts = [
        tell("as text"),
        *([tell("as a page")] if form.page else []),
        *([tell("with maps")] if form.pictures else []),
    ]
    told = (
        tell("Your letters come {parts}, and with their deadlines for your calendar.", parts=listed(parts))
        if form.calendar
        else tell("Your letters come {parts}, and without their deadlines for your calendar.", parts=listed(parts))
    )
    if form.language:
        told = together(told, tell("They are written in {language}.", language=spoken().name))
    if form.manner:
        told += f" {tell(_MANNERS[form.manner])}"
    if form.face and form.pictures:
        told = together(told, tell("The maps are on dark ground."))
    if form.explain:
        told = together(told, tell("Reports explain in sentences what failed."))
    if form.njudge:
        told = together(told, tell("Reports end with their results in njudge's layout, for your tools."))
    return Decision(said=told)


_MANNERS = {
    "spoken": told_later("They are put in sentences, without tables, for the ear."),
    "terse": told_later("They are terse: codes instead of names, and nothing that you know."),
}


@answers
def forget_me(heard: HeardMail, said: ReadRequest, _: ForgetMe) -> Result:
    """Erase a person who neither plays nor runs a game now; games keep numbers, not names."""
    person = heard.speaker.acting
    if person is None:
        return Refusal("who", tell("I know nothing about you that I could forget."))
    for game, _seat in heard.games_of(person.id):
        if game.stage is Stage.ENDED or game.practice is not None:
            continue
        mend = f"leave {game.key}" if game.gm != person.id else "help hand over"
        return Refusal("in-a-game", tell("You still take part in {game}; leave it first.", game=game.key), mend=mend)
    step_down_everywhere(heard, person.id)
    heard.done.forgotten = person.id
    return Decision(
        said=tell(
            "With this letter you are forgotten: name, addresses and settings are erased, and "
            "within a day what we wrote to each other. Of games that you played, moves and press "
            "stay."
        )
    )


# --- the waiting queue --------------------------------------------------------------------------------------------


@answers
def queue(heard: HeardMail, said: ReadRequest, request: Queue) -> Result:
    """Wait for a game of a kind; whoever completes it makes the judge open one and seat everybody."""
    heard, person = welcome(heard)
    if person is None:
        return _who()
    if not request.on:
        return _leave_queues(heard, person)
    host = _host(heard)
    if host == person:
        return Refusal(
            "gm-plays", tell("You are the Gamemaster of the games that come together here, and do not play in them.")
        )
    topic = QUEUE + request.preset
    heard.unit.lists.subscribe(person, topic, heard.now)
    waiting = [row.person_id for row in heard.unit.lists.subscribers(topic)]
    if host is None:
        return Decision(
            said=tell("You wait for a game; {waiting} wait by now. A Gamemaster is still wanted.", waiting=len(waiting))
        )
    made = _found(heard, request.preset, host)
    if isinstance(made, Refusal):
        return made
    wanted = made.settings.players
    waiting = [number for number in waiting if number != host]
    if len(waiting) < wanted:
        heard.done.changes.pop(made.key)
        return Decision(
            said=tell(
                "You wait for a game; {waiting} of {wanted} have come together.", waiting=len(waiting), wanted=wanted
            )
        )
    return _seat(heard, made, waiting[:wanted], topic)


def _leave_queues(heard: HeardMail, person: int) -> Decision:
    rows = [row for row in heard.unit.lists.subscriptions(person) if row.topic.startswith(QUEUE)]
    for row in rows:
        heard.unit.lists.unsubscribe(person, row.topic)
    return Decision(said=tell("You wait for a game no longer.") if rows else tell("You did not wait for a game."))


def _host(heard: HeardMail) -> int | None:
    """The Gamemaster of games that open by themselves: the first on the operator's list who is known here."""
    for address in heard.judge.config.gms:
        person = heard.unit.people.by_address(address, verified=True)
        if person is not None:
            return person.id
    return None


_BY_ITSELF = (("autostart", "24h"),)
"""Settings of games from the queue beside those of their preset: a day for preferences, and then they begin."""


def _found(heard: HeardMail, preset: str, host: int) -> Game | Refusal:
    """A new game of a kind, under the first name that is free."""
    number = 1
    while heard.game(f"{preset}-{number}") is not None:
        number += 1
    decision = create(
        Create(f"{preset}-{number}", preset, _BY_ITSELF),
        Context(Actor(Role.GM, "gm", host), heard.now, systems=heard.judge.shelf),
    )
    if isinstance(decision, Refusal):
        return decision
    change = heard.judge.keeper.create(decision.events[0])  # type: ignore[arg-type]
    heard.done.changes[change.after.key] = change
    return change.after


def _seat(heard: HeardMail, game: Game, waiting: list[int], topic: str) -> Result:
    """Open the game and let everybody in."""
    change = heard.done.changes[game.key]
    steps: list[tuple[Command, Actor]] = [(Open(), Actor(Role.GM, "gm", game.gm))]
    steps += [(Join(), Actor(Role.STRANGER, person=number)) for number in waiting]
    for command, actor in steps:
        decision = decide(change.after, command, Context(actor, heard.now, heard.judge.lot, heard.judge.shelf))
        if isinstance(decision, Refusal):
            heard.done.changes.pop(game.key)
            return decision
        heard.judge.keeper.apply(change, decision.events)
    for number in waiting:
        heard.unit.lists.unsubscribe(number, topic)
    start = begins(change.after)
    when = (
        tell("; it begins by itself on {deadline}", deadline=naming.deadline(start, game.settings.zone))
        if start
        else ""
    )
    return Decision(
        said=tell(
            "Enough players have come together: {game} is open, and you are in it{when}.", game=game.key, when=when
        )
    )
