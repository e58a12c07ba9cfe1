"""Sandboxes and practice games: private boards, begun when somebody asks for one.

What is taken from a game is a position that everybody may read in its reports: no orders on file, and nobody's name.
"""

from __future__ import annotations

from dataclasses import replace

from judge.acts.absences import Back
from judge.board.position import Position, position_from_json
from judge.game.core.commands import Decision, Process, Refusal, Submit, Wait
from judge.game.core.events import GameCreated, PhaseAdjudicated
from judge.game.core.model import Begun, Game, Stage
from judge.game.settings.bundles import PRESETS, bundle
from judge.game.settings.table import Settings, settings_from_text
from judge.game.table.sandbox import GoOn, ShareSandbox, StepBack, board_settings, practice_game, sandbox_game
from judge.languages import tell, together
from judge.mail.script import ReadRequest
from judge.mail.vocabulary import Unclear
from judge.mail.vocabulary.participants import PracticeGame
from judge.mail.vocabulary.powers import read_power
from judge.mail.vocabulary.sandbox import SandboxGame, ShowSandbox
from judge.report.core.letter import Member
from judge.report.played.results import counting
from judge.report.table.sandbox import shown_to
from judge.rules.calendar import read_phase
from judge.service.people.applicants import count_letter, heard_from, may_be_written
from judge.service.people.participants import welcome
from judge.service.trust.heard import HeardMail, Result, answers

PER_DAY = 10
"""Sandboxes that one person may begin in a day."""
AT_ONCE = 10
"""Sandboxes that one person may have at once."""
AT_A_TIME, SHOWN_PER_DAY, PER_ADDRESS = 40, 80, 3
"""Addresses that one mail may show a sandbox to, one person in a day, and letters of this kind to an address in a day,
whoever asks for them: a class, and nobody is flooded.
"""


@answers
def sandbox(heard: HeardMail, said: ReadRequest, request: SandboxGame) -> Result:
    """A new sandbox for the person who asks."""
    heard, person = welcome(heard)
    if person is None:
        return Refusal("who", tell("I do not know you yet."), mend="register")
    if heard.speaker.address:
        heard_from(heard, heard.speaker.address)
    game, words = _meant(heard, said, request)
    position: Position | None = None
    if game is not None:
        found = _position(heard, game, words)
        if isinstance(found, Refusal):
            return found
        of, position = board_settings(game.settings), found
    else:
        board = _board(heard, words)
        if isinstance(board, Refusal):
            return board
        of = board
    if (refusal := _enough(heard, person)) is not None:
        return refusal
    judge = heard.judge
    zone = heard.unit.people.get(person).zone or judge.config.zone
    source = game.key if game is not None else ""
    decision = sandbox_game(
        free_name(heard, "sandbox"), person, of, zone, heard.now, judge.lot, judge.shelf, position=position,
        source=source,
    )  # fmt: skip
    made = begun(heard, decision)
    own = heard.game(_key_of(made))
    return heard.apply(own, Submit(request.orders)) if request.orders and own is not None else made


def _key_of(decision: Decision) -> str:
    first = decision.events[0]
    assert isinstance(first, GameCreated)
    return first.key


@answers
def show_sandbox(heard: HeardMail, said: ReadRequest, request: ShowSandbox) -> Result:
    """`share with ADDRESS ...`: it is shared, and each address gets one letter about it, at most once a day."""
    game, person = heard.game(said.game), heard.speaker.acting
    if game is None or person is None:
        return Refusal("which-game", tell("Say which sandbox you mean: answer one of its letters."), mend="my games")
    if len(request.addresses) > AT_A_TIME:
        sentence = tell(
            "One mail shows a sandbox to {at_a_time} addresses at most, and this one names {addresses}; nobody was "
            "written to.",
            at_a_time=AT_A_TIME,
            addresses=len(request.addresses),
        )
        return Refusal("too-many", sentence, mend="share")
    decision = heard.apply(game, ShareSandbox())
    game = heard.game(game.key)
    if isinstance(decision, Refusal) or not isinstance(game, Begun):
        return decision
    told, today = 0, heard.now.date()
    for address in request.addresses:
        if not heard.unit.contacts.allow(f"person:{person.id}", "shown", today, SHOWN_PER_DAY):
            sentence = tell(
                "You have shown sandboxes to {shown_per_day} addresses today; {told} of these got a letter. It is "
                "shared all the same.",
                shown_per_day=SHOWN_PER_DAY,
                told=told,
            )
            return Refusal("enough-today", sentence)
        told += _show(heard, game, address, person.name)
    others = len(request.addresses) - told
    rest = tell("{others} get none: they had enough of such letters, or want none.", others=others) if others else ""
    goes = tell("A letter goes to one address." if told == 1 else "A letter goes to {told} addresses.", told=told)
    return replace(decision, said=together(goes, rest, decision.said))


def _show(heard: HeardMail, game: Begun, address: str, by: str) -> bool:
    """One letter, unless the address had enough of this kind today, whoever wrote them."""
    today = heard.now.date()
    allowed = may_be_written(heard, address)
    if not allowed or not heard.unit.contacts.allow(address, "shown", today, PER_ADDRESS):
        return False
    count_letter(heard, address)
    known = heard.unit.people.by_address(address)
    member = heard.ledger.members[known.id] if known is not None else Member(0, "")
    return heard.send(shown_to(game, by, member, address, heard.judge.office, day=today.isoformat()))


def _meant(heard: HeardMail, said: ReadRequest, request: SandboxGame) -> tuple[Game | None, str]:
    """The game that is meant, and the words about it; (None, words) for a board. A line that names neither is about
    the game of the mail.
    """
    first, _, rest = request.of.partition(" ")
    if first.lower() in (*PRESETS, *heard.judge.shelf.boards()):
        return None, request.of
    if first and (named := heard.game(first.strip("[],:;\"'").lower())) is not None:
        return named, rest.strip(" ,:;")
    here = heard.game(said.game)
    if here is not None and (not request.of or read_phase(request.of, here.calendar, here.phase) is not None):
        return here, request.of
    return None, request.of


def _board(heard: HeardMail, words: str) -> dict[str, str] | Refusal:
    """The settings of the board or preset that is named; the usual board for none."""
    name = words.strip().lower()
    if not name:
        return {}
    if name in PRESETS:
        return board_settings(settings_from_text(bundle(name)))
    boards = {*PRESETS, *heard.judge.shelf.boards()}
    sentence = tell(
        'I know no game and no board "{words}"; the boards are {boards}.',
        words=words[:60],
        boards=", ".join(sorted(boards)),
    )
    return Refusal("no-board", sentence, mend="sandbox")


def _position(heard: HeardMail, game: Game, words: str) -> Position | Refusal:
    """The public position of a game ahead of a phase; of the present one where none is named."""
    if (refusal := others_board(heard, game)) is not None:
        return refusal
    if not isinstance(game, Begun):
        sentence = tell(
            "{game} has not begun, so it has no position yet; its board is {map}.", game=game.key, map=game.settings.map
        )
        return Refusal("not-begun", sentence, mend=f"sandbox {game.settings.map}")
    if not words:
        return game.position
    code = read_phase(words, game.calendar, game.phase)
    if code is None:
        sentence = tell(
            '"{words}" is not a phase of {game}; write one like {phase}.',
            words=words[:40],
            game=game.key,
            phase=game.phase,
        )
        return Refusal("no-phase", sentence, mend=f"sandbox {game.key}")
    if code == str(game.position.phase):
        return game.position
    return _played(heard, game, code)


def _played(heard: HeardMail, game: Begun, code: str) -> Position | Refusal:
    played = counting(heard.story(game), game.calendar)
    for event in played:
        if event.phase == code and isinstance(event, PhaseAdjudicated):
            return position_from_json(event.before, game.board)
    label = game.calendar.label(code)
    mend = f"sandbox {game.key}"
    if game.calendar.rank(code) > game.calendar.rank(game.position.phase):
        here = game.calendar.label(game.position.phase)
        sentence = (
            tell("{game} has not come to {label}: it ended in {here}.", game=game.key, label=label, here=here)
            if game.stage is Stage.ENDED
            else tell("{game} has not come to {label}: it is at {here}.", game=game.key, label=label, here=here)
        )
        return Refusal("not-played", sentence, mend=mend)
    first = str(played[0].phase) if played else str(game.position.phase)
    return Refusal(
        "not-played",
        tell("Nothing was played in {label}: {game} began in {first}.", label=label, game=game.key, first=first),
        mend=mend,
    )


def _enough(heard: HeardMail, person: int) -> Refusal | None:
    """The bounds of what one person may begin."""
    own = [game.key for game, _ in heard.games_of(person) if _goes_on(game)]
    if len(own) >= AT_ONCE:
        sentence = tell(
            "You have {own} sandboxes ({own2}); leave one of them first.", own=len(own), own2=", ".join(own)
        )
        return Refusal("enough-boards", sentence, mend=f"leave {own[0]}")
    if not heard.unit.contacts.allow(f"person:{person}", "sandbox", heard.now.date(), PER_DAY):
        return Refusal(
            "enough-today",
            tell("You have begun {per_day} sandboxes today; there is another one tomorrow.", per_day=PER_DAY),
        )
    return None


def _goes_on(game: Game) -> bool:
    return game.sandbox is not None and game.stage is Stage.RUNNING


PRACTICES_PER_DAY = 5
"""Practice games that one person may begin in a day."""


@answers
def practice(heard: HeardMail, said: ReadRequest, request: PracticeGame) -> Result:
    """A new practice game for the person who asks, unless they are in the middle of one."""
    heard, person = welcome(heard)
    if person is None:
        return Refusal("who", tell("I do not know you yet."), mend="register")
    if (running := _running(heard, person)) is not None:
        return Refusal(
            "one-at-a-time",
            tell("You are in the middle of {running}: answer its last letter, or leave it first.", running=running.key),
            mend=f"leave {running.key}",
        )
    power = read_power(request.power, heard.judge.shelf.board(Settings().map)) if request.power else ""
    if isinstance(power, Unclear):
        return Refusal(power.reason, power.sentence, mend="practice")
    if not heard.unit.contacts.allow(f"person:{person}", "practice", heard.now.date(), PRACTICES_PER_DAY):
        return Refusal(
            "enough-today",
            tell(
                "You have begun {practices_per_day} practice games today; there is another one tomorrow.",
                practices_per_day=PRACTICES_PER_DAY,
            ),
        )
    return _begin(heard, person, power)


def _running(heard: HeardMail, person: int) -> Game | None:
    games = (game for game, _ in heard.games_of(person) if game.seat_held_by(person) is not None)
    return next((game for game in games if is_lesson(game) and game.stage is Stage.RUNNING), None)


def is_lesson(game: Game) -> bool:
    """Whether a game is practice with a lesson, which has an end; a sandbox has none."""
    return game.practice is not None and game.sandbox is None


def _begin(heard: HeardMail, person: int, power: str) -> Decision:
    judge = heard.judge
    zone = heard.unit.people.get(person).zone or judge.config.zone
    name = free_name(heard, "practice")
    return begun(heard, practice_game(name, person, power, zone, heard.now, judge.lot, judge.shelf))


def begun(heard: HeardMail, decision: Decision) -> Decision:
    """A new game among the changes of this heard."""
    first, *rest = decision.events
    assert isinstance(first, GameCreated)
    change = heard.judge.keeper.create(first)
    heard.judge.keeper.apply(change, rest)
    heard.done.changes[change.after.key] = change
    return decision


def free_name(heard: HeardMail, kind: str) -> str:
    """The next name, "practice-7"; numbers are never used again, because the logs of games that are cleared away stay.
    Where the last number of a kind is kept: "practice.last".
    """
    number = int(heard.unit.meta.get(f"{kind}.last", "0") or 0) + 1
    while heard.game(f"{kind}-{number}") is not None:
        number += 1
    heard.unit.meta.set(f"{kind}.last", str(number))
    return f"{kind}-{number}"


def others_board(heard: HeardMail, game: Game) -> Refusal | None:
    """The answer to a look at somebody else's practice game, or at their sandbox where they do not share it."""
    person = heard.speaker.acting
    if game.practice is None or (person is not None and game.seat_held_by(person.id) is not None):
        return None
    sandbox = game.sandbox
    if sandbox is not None and sandbox.shared:
        return None
    owner = next((seat.person for seat in game.seats.values() if seat.person), 0)
    whose = (
        tell("{name}'s", name=heard.ledger.members[owner].name)
        if owner and person is not None
        else tell("another player's")
    )
    if sandbox is None:
        return Refusal(
            "private",
            tell("{game} is {whose} practice game; nobody else reads it.", game=game.key, whose=whose),
            mend="practice",
        )
    return Refusal(
        "private",
        tell("{game} is {whose} own board, and it is not shared.", game=game.key, whose=whose),
        mend="sandbox",
    )


def at_once(heard: HeardMail, said: ReadRequest, game: Game) -> Result | None:
    """`ready` and `process` in a practice game: the phase is played with what is on file; `back` in a sandbox: the
    phase before. None: something else.
    """
    request = said.request
    if game.sandbox is not None and isinstance(request, Back):
        return heard.apply(game, StepBack())
    if game.practice is None or not isinstance(request, (Wait, Process)) or (isinstance(request, Wait) and request.on):
        return None
    return heard.apply(game, GoOn())
