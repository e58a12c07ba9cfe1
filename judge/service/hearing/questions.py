"""Questions that a mail may ask: what `judge.acts` answers about one game, and those about no game or about letters."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from judge.acts import ASKS
from judge.acts.declared import Ask, MayAsk, Seen
from judge.game.core.commands import Decision, Refusal, Role, gm_only
from judge.game.core.model import Game, Stage
from judge.game.talk.press import edits
from judge.languages import tell
from judge.mail.queries import AboutGame
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.anyone import WELCOME, ListGames, Resend
from judge.mail.vocabulary.participants import STOPS, TourLetter
from judge.mail.vocabulary.reading import MyGames
from judge.report.core.letter import Enclosure, Kind
from judge.report.core.naming import Said
from judge.report.reply import account, inquiries
from judge.report.reply.helppages import tour_view
from judge.service.core.directory import deputies_of, topic_of
from judge.service.people.applicants import of_game, sent
from judge.service.people.sandbox import others_board
from judge.service.posting.outgoing import cast_of, post_again
from judge.service.trust.heard import Handler, HeardMail, R, Result, answers, not_to_see
from judge.service.trust.prove import ActKind

_ARRIVALS = (Kind.WELCOME, Kind.STARTED, Kind.TAKEOVER, Kind.CREATED)
"""The letters with which somebody comes into a game; the last one of them is the one to have."""
_REPORTS = (Kind.STARTED, Kind.RESULTS, Kind.ENDED)


def which_game(said: ReadRequest) -> Refusal:
    """The answer to a mail that names no game, or one that is not here."""
    if said.game:
        return Refusal("no-game", tell("There is no game named {game} here.", game=said.game), mend="list")
    return Refusal(
        "which-game", tell("Say which game you mean: put its name in front, or answer one of its letters."), mend="list"
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
            openings.append(inquiries.opening(game, cast_of(heard.judge, heard.unit, game)))
    heard.enclose(inquiries.list_view(openings, heard.judge.office, missing, unfiled=unfiled))


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


def _invited(heard: HeardMail, game: Game) -> tuple[Said, ...]:
    """To whom invitations went, for the Gamemaster who gave the addresses; not of those who sit by now."""
    return tuple(
        inquiries.invited_said(game, errand.facts["address"], state, sent(errand)[-1])
        for state, errand in of_game(heard.judge, heard.unit, game)
        if state != "accepted"
    )


@answers
def my_games(heard: HeardMail, said: ReadRequest, _: MyGames) -> Result:
    """Every game in which the asker sits or governs, or which they read, but for those that are over."""
    person = heard.speaker.acting
    if person is None:
        return Refusal("who", tell("I do not know you yet."), mend="register")
    games = [(game, seat) for game, seat in heard.games_of(person.id) if game.ending is None]
    own = {game.key for game, _ in games}
    topics = {row.topic for row in heard.unit.lists.subscriptions(person.id)}
    every = heard.ledger.keys() if topics else ()
    read = (key for key in every if topics & {topic_of(key), deputies_of(key)} and key not in own)
    games += [(game, "") for game in filter(None, map(heard.game, read)) if game.ending is None]
    heard.enclose(account.agenda_view(games, heard.ledger.members[person.id], heard.now))
    return Decision()


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
        return Refusal("no-welcome", tell("You have had no letter of welcome to {game}.", game=game.key), mend="rules")
    if not found:
        return Refusal("no-report", tell("There is no such report of {game} for you.", game=game.key), mend="history")
    last = max(found, key=lambda letter: letter.id)
    post_again(heard.judge, heard.unit, last, heard.now, mail_id=heard.mail.id)
    return Decision(said=tell("It is on its way to you again."))


# --- about one game ---------------------------------------------------------------------------------------------------


@answers
def about_game(heard: HeardMail, said: ReadRequest, request: AboutGame) -> Result:
    """What `judge.acts` answers, to those who may read it."""
    ask: Ask[AboutGame] = ASKS[type(request)]
    game = heard.game(request.game or said.game)
    if game is None:
        return which_game(said)
    if (refusal := _not_for(heard, game, ask.may)) is not None:
        return refusal
    answer = ask.answer(_seen(heard, said, game), request)
    if isinstance(answer, Enclosure):
        heard.enclose(answer)
        return Decision()
    if isinstance(answer, Refusal):
        return answer
    return Decision(said=answer if isinstance(answer, str) else heard.judge.in_words(answer))


def _not_for(heard: HeardMail, game: Game, may: MayAsk) -> Refusal | None:
    """Why the author of a mail gets no answer to a question about a game; None where they do."""
    if may is MayAsk.GM:
        return _not_governed(heard, game)
    if may is MayAsk.LISTED:
        return not_to_see(heard, game)
    return others_board(heard, game) if may is MayAsk.SHARED else None


def _seen(heard: HeardMail, said: ReadRequest, game: Game) -> Seen:
    """A game as whoever asks about it sees it."""
    person = heard.speaker.acting
    counted = f"person:{person.id}" if person is not None else heard.envelope.from_address or ""
    return Seen(
        game=game,
        now=heard.now,
        actor=heard.actor(game),
        proved=heard.speaker.may(ActKind.PLAY),
        person=person.id if person is not None else 0,
        lines=said.lines,
        story=lambda: heard.story(game),
        cast=lambda: cast_of(heard.judge, heard.unit, game, heard.ledger.members),
        invited=lambda: _invited(heard, game),
        allowed=lambda what, most: heard.unit.contacts.allow(counted, what, heard.now.date(), most),
        pictures=heard.judge.config.pictures,
    )


def answers_gm(handler: Callable[[HeardMail, ReadRequest, Game, R], Result]) -> Handler[R]:
    """As `answers`, for a function that gets the game of the mail too; its author must govern that."""

    @answers
    @wraps(handler)
    def governed(heard: HeardMail, said: ReadRequest, request: R) -> Result:
        game = heard.game(said.game)
        if game is None:
            return which_game(said)
        return _not_governed(heard, game) or handler(heard, said, game, request)

    return governed


def _not_governed(heard: HeardMail, game: Game) -> Refusal | None:
    """Why the author of a mail may not do what is the Gamemaster's; None for them and the operator."""
    if heard.actor(game).role in (Role.GM, Role.OPERATOR):
        return None
    return gm_only(game.key, alone=game.practice is not None)
