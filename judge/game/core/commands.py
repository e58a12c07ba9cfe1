"""What somebody wants done to a game. Frozen values; `judge.game.decide` answers them with events or a Refusal.

Questions that change nothing (help, list, status, history) are not commands; the service answers them.
Seats are named by their id ("1" ... "7", "gm"), powers by their key ("FRANCE"), persons by their number.

The values of a decision: in what circumstances a command is given, and what `decide` answers to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from judge.game.core.events import Event
from judge.game.core.evolve import Systems
from judge.game.core.model import System
from judge.game.instructions.kinds import Instruction
from judge.game.settings.table import Settings
from judge.languages import tell

GM_SEAT = "gm"


class Role(StrEnum):
    """In which capacity somebody acts."""

    PLAYER = "player"
    GM = "gm"
    STRANGER = "stranger"
    """A known person without a seat in this game: may join."""
    OPERATOR = "operator"
    JUDGE = "judge"
    """The clock."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a role, the seat it is exercised from, the person behind it and the mail that says so."""

    role: Role
    seat: str = ""
    person: int = 0
    mail: str = ""
    """Identity of the mail (its Message-ID or inbox number), for the log and the proof."""
    deputy: int = 0
    """The person who acts in the Gamemaster's place, if somebody does."""
    arrived: datetime | None = None
    """When the mail reached our site: what counts where a request has to come in time."""
    agreed: tuple[str, ...] = ()
    """What its author has said yes to, as `Question.about` had it (`judge.game.core.commands`)."""
    later: frozenset[tuple[str, str, str]] = frozenset()
    """What mails that came after this one have said, where it is heard after them: the power or seat, the phase,
    and the unit, site or question that it is about (`judge.game.filing.overtaken`).
    """


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a line that is about orders is none in words that are known: a slug, a sentence, what may be sent instead."""

    reason: str
    sentence: str
    proposals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One line of a mail that gives orders; `number` is its line number in that mail.

    `more`: numbers of the lines below that were joined to it, being of one condition. `doubt`: it is asked back as it
    stands, and nothing is processed early until that is put right.
    """

    number: int
    text: str
    more: tuple[int, ...] = ()
    doubt: Doubt | None = None


class Colour(StrEnum):
    """Press: signed, unsigned, or under a false name."""

    WHITE = "white"
    GREY = "grey"
    BLACK = "black"


@dataclass(frozen=True, slots=True)
class Command:
    """What somebody wants done to a game. A feature module declares its own beside what it does with them."""


# --- the Gamemaster ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Create(Command):
    """Make a game. The service has checked that the actor may.

    `preset` names a bundle of settings and decides everything; without one, what nobody says is undecided.
    """

    key: str
    preset: str = ""
    settings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeSettings(Command):
    """`set NAME VALUE`: change a setting, in words of the settings table."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Open(Command):
    """Put the game on the list of openings."""


@dataclass(frozen=True, slots=True)
class Start(Command):
    """Draw the powers and play; `deadline` overrides the first one."""

    deadline: datetime | None = None


@dataclass(frozen=True, slots=True)
class SetDeadline(Command):
    """Move the current deadline to a moment. `later`: whoever names it means to add time, and none is taken away."""

    at: datetime
    reason: str = ""
    later: bool = False


@dataclass(frozen=True, slots=True)
class Extend(Command):
    """Push the current deadline. From the GM at any time; from a player one of their free extensions."""

    by: timedelta | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Process(Command):
    """Adjudicate now, and only the phase that is meant ("S1901M"); `despite` names mails not to wait for."""

    phase: str = ""
    despite: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Assign(Command):
    """Give a power to a person (who must be registered), replacing whoever holds it."""

    power: str
    person: int


@dataclass(frozen=True, slots=True)
class Vacate(Command):
    """Take a power from its player; before the powers are drawn, a seat."""

    power: str
    reason: str = ""
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Note(Command):
    """GM commentary for the next report."""

    text: str


@dataclass(frozen=True, slots=True)
class EndGame(Command):
    """Close the game without a winner; `how` is free text for the record."""

    how: str = ""


# --- players ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bearing:
    """What is known here of somebody who asks for a seat: turns played, those that count for the share on time, and of
    these the ones on time; games that they play now."""

    turns: int = 0
    counted: int = 0
    on_time: int = 0
    games: int = 0


@dataclass(frozen=True, slots=True)
class Join(Command):
    """Take a seat; `preferences` in order of liking, equals together: (("FRANCE",), ("GERMANY", "AUSTRIA")).

    The service knows the rest: `bearing`, None where nothing is asked; `ticket` of an invitation, "" for none; whether
    the pass phrase was named: None for not at all.
    """

    preferences: tuple[tuple[str, ...], ...] = ()
    bearing: Bearing | None = None
    ticket: str = ""
    phrase: bool | None = None


@dataclass(frozen=True, slots=True)
class Prefer(Command):
    """Change one's preference list before the lot is drawn."""

    preferences: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Leave(Command):
    """Give up one's seat. `for_good`: its author is sure, and is not asked once more."""

    for_good: bool = False


@dataclass(frozen=True, slots=True)
class Submit(Command):
    """Orders for the current turn, as written. `power` is set when a heading named one.

    `replace`: forget what was on file. `turn`: the phase that the player believes is current ("F1901M"), from a
    heading or the letter replied to; orders for another phase change nothing and are answered so. `amends`: the
    Gamemaster puts right what was read wrongly in a phase that was taken back.
    """

    lines: tuple[OrderLine, ...]
    power: str = ""
    replace: bool = False
    turn: str = ""
    amends: bool = False


@dataclass(frozen=True, slots=True)
class Clear(Command):
    """Withdraw all orders and deeds on file for the current turn."""

    power: str = ""


@dataclass(frozen=True, slots=True)
class Wait(Command):
    """Do not process before the deadline (`on`), or stop waiting. `turn`: the phase that a heading names."""

    on: bool = field(kw_only=True)
    turn: str = ""


@dataclass(frozen=True, slots=True)
class SendPress(Command):
    """Words for other players. `to` holds power keys, "GM", "OBSERVERS", "EDITORS"; empty with `everyone`, for a
    broadcast.

    `but` excludes from a broadcast; `dateline` is the name that black press claims.
    """

    text: str
    to: tuple[str, ...] = ()
    everyone: bool = False
    but: tuple[str, ...] = ()
    colour: Colour = Colour.WHITE
    dateline: str = ""
    postal: bool = False
    """To everybody, with the next report."""
    own_orders: bool = False
    """It ends in what may be its author's orders for the judge: whether they are for its readers is asked once."""


# --- the clock --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HeldMail:
    """A mail that waits for a word from `seat`. `token`: it was sent to the seat's own address, from a foreign one."""

    number: int
    seat: str
    came: datetime
    token: bool = False


@dataclass(frozen=True, slots=True)
class Tick(Command):
    """Do whatever is due now.

    `blocked`: why no phase may be adjudicated now although its time has come (mail not read yet, a source out of reach,
    a downtime just over); empty: nothing stands in the way. `cause`: the same as a slug: each is told once.
    """

    blocked: str = ""
    cause: str = ""
    held: tuple[HeldMail, ...] = ()
    """Mails without proof that speak for seats of this game; which of them the turn waits for is decided here."""
    unheard: tuple[str, ...] = ()
    """Seats whose call for orders has not left the outbox, or bounced: they may not be called late."""
    away: tuple[datetime, datetime] | None = None
    """From when to when the judge was not there: what fell due meanwhile is made up for, and nothing else done."""


Lot = Callable[[], int]
"""Draws a fresh seed. Asked only when powers are drawn."""


def _no_lot() -> int:
    raise LookupError("nothing can be drawn here: no lot was handed in")


def _no_systems(settings: Settings) -> System:
    raise LookupError("settings cannot be changed here: no boards and rules were handed in")


@dataclass(frozen=True, slots=True)
class Context:
    """Who acts and at which moment; the lot, and boards and rules by name, for commands that need them."""

    actor: Actor
    now: datetime
    lot: Lot = _no_lot
    systems: Systems = _no_systems

    @property
    def seat(self) -> str:
        """The seat from which it is given; "gm" for the Gamemaster's."""
        return self.actor.seat


STAYS = "stays"
"""The note of a verdict on a line that leaves the order on file as it is."""

MENDED = "mended"
"""Among the notes of a refused line: another line of the same mail has put it right."""


class Status(StrEnum):
    """What became of one line of a mail."""

    TAKEN = "taken"
    REFUSED = "refused"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One line of a mail and what became of it. `line` is its number in the mail, `text` what was written.

    `order`: canonical, when one was understood. `sentence`: finished English, empty when there is nothing to say.
    `candidates`: lines to send instead. `notes`: slugs of what was put right ("wrong-unit-letter").
    """

    line: int
    text: str
    status: Status
    order: str = ""
    reason: str = ""
    sentence: str = ""
    candidates: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    clause: str = ""
    instruction: Instruction | None = None
    """What was understood, as a value."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A command accepted. `said` is a finished sentence for the receipt ("France's orders are withdrawn.")."""

    events: tuple[Event, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    said: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that cannot be followed, as a value (no exception): why not, and what to do instead.

    `slug` is stable ("not-your-seat"); `sentence` is finished English for the receipt; `mend` the line to send
    instead, where there is one, or one of several to a line; `clause` the rule behind it, where there is one.
    """

    slug: str
    sentence: str
    mend: str = ""
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Question(Refusal):
    """Not done yet: its author is asked once, by a letter, whether it shall be.

    `sentence` is what the letter says; it names everything that the yes is about. `about` says the same for the
    program, exactly: the yes brings the command once more, with `about` among `Actor.agreed`. Whoever answers with a
    question computes it again then, so that a yes is good for these names and this phase only:

        about = f"process {game.phase} without {' '.join(missing)}"
        if missing and about not in actor.agreed:
            return Question("sets-missing", f"{names} have sent nothing for {title}.", about=about)
    """

    about: str = ""


def over(game: str) -> Refusal:
    """The refusal of any change to a game that has ended."""
    return Refusal("game-over", tell("{game} has ended.", game=game))


def gm_only(game: str, *, alone: bool) -> Refusal:
    """The refusal of a Gamemaster's command from anybody else. `alone`: a board for one person, which has none."""
    if alone:
        sentence = tell("{game} is a board for one person: it has no Gamemaster, and needs none.", game=game)
        return Refusal("gm-only", sentence)
    return Refusal("gm-only", tell("Only the Gamemaster of {game} may do that.", game=game))


def not_drawn(game: str) -> Refusal:
    """The refusal of what names somebody by their power, where nobody has one yet."""
    sentence = tell("The powers of {game} are not drawn yet; give the player's name or address.", game=game)
    return Refusal("not-drawn", sentence, mend=f"status {game}")
