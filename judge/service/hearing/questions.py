"""Questions that a mail may ask: the list, a game's status and history, its house rules, a report again, a dry run."""

from __future__ import annotations

from datetime import datetime

from judge.game.clock.clockwork import early_moment
from judge.game.core.commands import GM_SEAT, OrderLine
from judge.game.core.decision import Decision, Refusal
from judge.game.core.model import Game, Stage
from judge.game.core.moments import told
from judge.game.settings.quiet import show_days
from judge.game.table.speculation import PER_DAY, speculate
from judge.game.talk.editors import edits
from judge.game.talk.epilogue import pages_of
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.anyone import (
    WELCOME,
    History,
    ListGames,
    Resend,
    ShowDue,
    ShowGoal,
    ShowStatus,
)
from judge.mail.vocabulary.assembly import ReadDiary
from judge.mail.vocabulary.participants import STOPS, TourLetter
from judge.mail.vocabulary.planning import ShowOrders, WhatIf
from judge.mail.vocabulary.reading import AllSettings, HolidaysAsked, HouseRules, MyGames, RulesChanged
from judge.mail.vocabulary.repairing import ListAppeals
from judge.report.core.letter import Kind
from judge.report.core.naming import Said
from judge.report.reply import account, inquiries
from judge.report.reply.helppages import tour_view
from judge.report.reply.inquiries import speculation_view
from judge.report.reply.rulebook import changes_view, rules_view, settings_view
from judge.report.seat.desk import term
from judge.service.core.directory import deputies_of, topic_of
from judge.service.people.applicants import of_game, sent
from judge.service.people.sandbox import others_board
from judge.service.posting.outgoing import cast_of, post_again
from judge.service.trust.authority import Act
from judge.service.trust.handlers import Result, answers
from judge.service.trust.heard import HeardMail
from judge.service.trust.seeing import not_to_see

_ARRIVALS = (Kind.WELCOME, Kind.STARTED, Kind.TAKEOVER, Kind.CREATED)
"""The letters with which somebody comes into a game; the last one of them is the one to have."""
_REPORTS = (Kind.STARTED, Kind.RESULTS, Kind.ENDED)

_BEGINNING = 50
"""Letters of a page as a list of pages shows it."""


def which_game(said: ReadRequest) -> Refusal:
    """The answer to a mail that names no game, or one that is not here."""
    if said.game:
        return Refusal("no-game", f"There is no game named {said.game} here.", mend="list")
    return Refusal(
        "which-game", "Say which game you mean: put its name in front, or answer one of its letters.", mend="list"
    )


@answers
def list_games(heard: HeardMail, said: ReadRequest, _: ListGames) -> Result:
    """Games that look for players, and games that run."""
    enclose_list(heard)
    return Decision()


def enclose_list(heard: HeardMail, missing: str = "", *, unfiled: bool = False) -> None:
    """Answer with the list of games, whatever was asked. `missing`: the name that was given to a game, and that no
    game has; `unfiled`: the mail brought orders that are for no game.
    """
    openings = []
    for row in heard.unit.games.list():
        game = heard.game(row.key)
        if game is not None and game.settings.listed and game.stage is not Stage.FORMING:
            openings.append(inquiries.opening(game, cast_of(heard.house, heard.unit, game)))
    heard.enclose(inquiries.list_view(openings, heard.house.office, missing, unfiled=unfiled))


@answers
def tour(heard: HeardMail, said: ReadRequest, request: TourLetter) -> Result:
    """A letter of the tour; the last one names games that may be joined, others the asker's own."""
    openings = []
    for row in heard.unit.games.list(states=(str(Stage.OPEN),)) if request.number == STOPS else ():
        game = heard.game(row.key)
        if game is not None and game.settings.listed and game.practice is None and game.settings.access == "open":
            openings += [game.key] if len(game.seats) < game.settings.players else []
    person = heard.speaker.person
    played = heard.games_of(person.id) if person is not None else ()
    heard.enclose(tour_view(request.number, STOPS, openings, played))
    return Decision()


@answers
def status(heard: HeardMail, said: ReadRequest, request: ShowStatus) -> Result:
    """How a game stands; the asker's own orders only if they are proved."""
    game = _looked_at(heard, said, request.game)
    if isinstance(game, Refusal):
        return game
    actor = heard.actor(game)
    trusted = heard.speaker.may(Act.PLAY)
    cast = cast_of(heard.house, heard.unit, game)
    seat = actor.seat if trusted else ""
    waiting = (*inquiries.hopefuls_said(game, cast), *_invited(heard, game)) if seat == GM_SEAT else ()
    heard.enclose(inquiries.status_view(game, seat, cast, actor.person if trusted else 0, waiting))
    return Decision()


@answers
def due(heard: HeardMail, said: ReadRequest, _: ShowDue) -> Result:
    """The deadline alone."""
    game = _looked_at(heard, said)
    if isinstance(game, Refusal):
        return game
    if game.ending is not None or game.stage is Stage.ENDED:
        return Decision(said=f"{game.key} is over; nothing is due any more.")
    if game.phase is None or game.stage is not Stage.RUNNING:
        return Decision(said=f"{game.key} has not begun; you are told when orders are due.")
    if game.held_since is not None:
        until = f" until {told(game.held_until)}" if game.held_until is not None else ""
        sentence = f"{game.key} is on hold{until}, and no deadline runs. You are told the next one when it goes on."
        return Decision(said=sentence)
    if game.deadline is None:
        return Decision(said=f"{game.phase_title} have no deadline at the moment; you are told when one is set.")
    plays = bool(heard.actor(game).seat)
    return Decision(said=f"{game.phase_title} {_when_due(game, heard.now, plays=plays)}")


def _when_due(game: Game, now: datetime, *, plays: bool) -> str:
    """The deadline as what a phase has or had; to who `plays`, also whether all orders are in, and when they are
    carried out then.
    """
    assert game.deadline is not None
    at, early, called = told(game.deadline.at), early_moment(game), game.deadline.called
    if not plays:
        return f"were due {at}." if called else f"are due by {at}."
    if early is not None:
        when = "now" if early <= now else f"on {told(early)}"
        return f"{'were' if called else 'are'} due {at}; all orders are in, and they are carried out {when}."
    if not called:
        return f"are due by {at}."
    end = term(game)
    return f"were due {at}; " + (
        f"what is missing still counts until {told(end)}." if end is not None else "the game waits for what is missing."
    )


@answers
def goal(heard: HeardMail, said: ReadRequest, _: ShowGoal) -> Result:
    """How many centres win; or units, where the rules count those."""
    game = _looked_at(heard, said)
    if isinstance(game, Refusal):
        return game
    needed = game.rules.needed(game.board)
    return Decision(said=f"{needed} {game.rules.won_by} win {game.key}. `house rules` says when they are counted.")


def _looked_at(heard: HeardMail, said: ReadRequest, key: str = "") -> Game | Refusal:
    """The game that a question is about, or why it is not answered: it is somebody's own board."""
    game = heard.game(key or said.game)
    if game is None:
        return which_game(said)
    return others_board(heard, game) or game


def _invited(heard: HeardMail, game: Game) -> tuple[Said, ...]:
    """To whom invitations went, for the Gamemaster who gave the addresses; not of those who sit by now."""
    return tuple(
        inquiries.invited_said(game, errand.facts["address"], state, sent(errand)[-1])
        for state, errand in of_game(heard.house, heard.unit, game)
        if state != "accepted"
    )


@answers
def my_games(heard: HeardMail, said: ReadRequest, _: MyGames) -> Result:
    """Every game in which the asker sits or governs, or which they read, but for those
    that are over.
    """
    person = heard.speaker.acting
    if person is None:
        return Refusal("who", "I do not know you yet.", mend="register")
    games = [(game, seat) for game, seat in heard.games_of(person.id) if game.ending is None]
    own = {game.key for game, _ in games}
    topics = {row.topic for row in heard.unit.lists.subscriptions(person.id)}
    every = heard.ledger.keys() if topics else ()
    read = (key for key in every if topics & {topic_of(key), deputies_of(key)} and key not in own)
    games += [(game, "") for game in filter(None, map(heard.game, read)) if game.ending is None]
    heard.enclose(account.agenda_view(games, heard.ledger.members[person.id], heard.now))
    return Decision()


@answers
def show_orders(heard: HeardMail, said: ReadRequest, _: ShowOrders) -> Result:
    """The asker's own orders: every receipt of a running game lists them."""
    game = heard.game(said.game)
    if game is None:
        return which_game(said)
    seat = game.seats.get(heard.actor(game).seat)
    if game.stage is not Stage.RUNNING or seat is None:
        return Refusal("no-orders", f"You have no orders in {game.key}.", mend="status")
    return Decision(said="What is on file is listed above.")


@answers
def history(heard: HeardMail, said: ReadRequest, request: History) -> Result:
    """The results of past phases."""
    game = _looked_at(heard, said, request.game)
    if isinstance(game, Refusal):
        return game
    events = heard.story(game)
    heard.enclose(inquiries.history_view(game, events, request.since, request.until))
    return Decision()


@answers
def read_diary(heard: HeardMail, said: ReadRequest, request: ReadDiary) -> Result:
    """The asker's own diary: a list of its pages, or one of them."""
    game = heard.game(said.game)
    if game is None:
        return which_game(said)
    seat = heard.actor(game).seat
    if seat not in game.seats:
        return Refusal("no-seat", f"Only the players of {game.key} have a diary.")
    if heard.actor(game).deputy:
        return Refusal("substitute", "A diary is the player's own; a substitute does not read it.")
    pages = pages_of(game, seat)
    if request.page == 0:
        listed = "; ".join(f'{n} ({page.phase}) "{_begin(page.text)}"' for n, page in enumerate(pages, start=1))
        return Decision(said=f"Your diary has {listed}." if pages else "Your diary has no pages yet.")
    if not 1 <= request.page <= len(pages):
        return Refusal("no-page", f"Your diary has no page {request.page}; `diary list` shows those that it has.")
    page = pages[request.page - 1]
    return Decision(said=f'Page {request.page}, {page.phase}: "{page.text}"')


def _begin(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _BEGINNING else f"{words[:_BEGINNING].rstrip()} ..."


@answers
def resend(heard: HeardMail, said: ReadRequest, request: Resend) -> Result:
    """The same report again, as it was then."""
    game = heard.game(said.game)
    person = heard.speaker.acting
    if game is None or person is None:
        return which_game(said)
    arrival = request.what == WELCOME
    wanted: str = "" if arrival else request.what.upper()
    kinds: tuple[Kind, ...] = _ARRIVALS if arrival else _REPORTS
    if arrival and edits(game, person.id):
        wanted, kinds = "/OFFICE/", (Kind.NOTICE,)
    found = [
        letter
        for kind in kinds
        for letter in heard.unit.letters.list(game=game.key, kind=kind, person_id=person.id, limit=10_000)
        if wanted in letter.idem_key.upper()
    ]
    if not found and arrival:
        return Refusal("no-welcome", f"You have had no letter of welcome to {game.key}.", mend="rules")
    if not found:
        return Refusal("no-report", f"There is no such report of {game.key} for you.", mend="history")
    last = max(found, key=lambda letter: letter.id)
    post_again(heard.house, heard.unit, last, heard.now, mail_id=heard.mail.id)
    return Decision(said="It is on its way to you again.")


@answers
def what_if(heard: HeardMail, said: ReadRequest, request: WhatIf) -> Result:
    """A dry run with own and guessed orders; so many a day and person."""
    game = heard.game(said.game)
    person = heard.speaker.acting
    if game is None or person is None:
        return which_game(said)
    seat = game.seats.get(heard.actor(game).seat)
    if seat is None:
        return Refusal("no-seat", f"Only the players of {game.key} try orders out.")
    # The lines of the request are the first line of the command itself, where it holds an order, and those below.
    first = 0 if len(said.lines) == len(request.lines) else 1
    numbers = (*said.lines[first:], *[said.lines[0]] * len(request.lines))
    lines = tuple(OrderLine(number, text) for number, text in zip(numbers, request.lines, strict=False))
    found = speculate(game, lines, seat.powers)
    if isinstance(found, Refusal):
        return found
    if not heard.unit.contacts.allow(f"person:{person.id}", "what-if", heard.now.date(), PER_DAY):
        return Refusal("enough-today", f"That was your {PER_DAY}th dry run today; I try more for you tomorrow.")
    heard.enclose(speculation_view(game, found, request.form, printed=request.printed, asked=request.asked))
    return Decision()


# --- the house rules of a game: in words, setting by setting, their changes -----------------------------------------


@answers
def house_rules(heard: HeardMail, said: ReadRequest, request: HouseRules) -> Result:
    """`rules`: of a game that forms, runs or is over."""
    game = _readable(heard, said, request.game)
    if isinstance(game, Refusal):
        return game
    heard.enclose(rules_view(game))
    return Decision()


@answers
def holidays(heard: HeardMail, said: ReadRequest, request: HolidaysAsked) -> Result:
    """`holidays`: the days on which no deadline falls."""
    game = _readable(heard, said, request.game)
    if isinstance(game, Refusal):
        return game
    days = ", ".join(map(str, game.settings.holidays))
    free = f" Turns that go by days end only on {show_days(game.settings.days)}." if game.settings.days else ""
    told = f"No deadline falls on: {days}." if days else f"{game.key} knows no holidays."
    return Decision(said=told + free)


@answers
def open_appeals(heard: HeardMail, said: ReadRequest, _: ListAppeals) -> Result:
    """`appeals`: those that wait for an answer, each with the order in doubt; who made it everybody reads with it."""
    game = _readable(heard, said, "")
    if isinstance(game, Refusal):
        return game
    found = [f"appeal {one.number}: {one.order} ({one.phase})" for one in game.appeals.values() if not one.how]
    return Decision(said=f"Open: {'; '.join(found)}." if found else f"No appeal is open in {game.key}.")


@answers
def all_settings(heard: HeardMail, said: ReadRequest, request: AllSettings) -> Result:
    """`settings`: each with its value."""
    game = _readable(heard, said, request.game)
    if isinstance(game, Refusal):
        return game
    heard.enclose(settings_view(game))
    return Decision()


@answers
def rules_changed(heard: HeardMail, said: ReadRequest, request: RulesChanged) -> Result:
    """`rules changed`: what, when, by whom."""
    game = _readable(heard, said, request.game)
    if isinstance(game, Refusal):
        return game
    events = heard.story(game)
    cast = cast_of(heard.house, heard.unit, game, heard.ledger.members)
    heard.enclose(changes_view(game, events, cast))
    return Decision()


def _readable(heard: HeardMail, said: ReadRequest, key: str) -> Game | Refusal:
    """The game that a question is about, or why it is not answered."""
    game = heard.game(key or said.game)
    if game is None:
        return which_game(said)
    return not_to_see(heard, game) or game
