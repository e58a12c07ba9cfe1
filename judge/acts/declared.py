"""What a file of acts declares: an `Act` is a command to a game, with its event, its words and what is told of it; an
`Ask` a question about one game, with its words, its answer and who gets it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Generic, TypeVar

from judge.game.core.commands import Actor, Command, Context, Decision, Refusal
from judge.game.core.events import Event
from judge.game.core.evolve import REGISTRY, Feature
from judge.game.core.model import Game
from judge.languages import told_later
from judge.mail.queries import AboutGame
from judge.mail.vocabulary.model import Verb
from judge.report.core.audience import AUDIENCE, Batch, Involvements
from judge.report.core.letter import Cast, Enclosure, Letter, Reader
from judge.report.core.naming import Said
from judge.report.mailing import LETTERS
from judge.report.table.news import News
from judge.report.table.notices import NEWS

Q = TypeVar("Q", bound=AboutGame)

STRANGER = Refusal("who", told_later("I do not know you yet."), mend="register")
"""The answer to somebody unknown, where a person has to ask."""


class MayAsk(Enum):
    """Who may ask a question about a game, and is answered."""

    ANYBODY = "anybody"
    """The answer itself looks at who asks."""
    SHARED = "shared"
    """Whoever asks, but about nobody's own board that is not shared."""
    LISTED = "listed"
    """Whoever asks about a game that is on the list; of others those who have to do with it."""
    GM = "gm"
    """The Gamemaster and the operator."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A game that its asker may read about. What costs a look into the store is a function, called where needed."""

    game: Game
    now: datetime
    actor: Actor
    """In which capacity they ask, as far as their address tells."""
    proved: bool
    """Whether their proofs suffice for a player's own affairs."""
    person: int
    """0 for somebody unknown."""
    lines: tuple[int, ...]
    """Numbers of the lines of the mail that ask."""
    story: Callable[[], Sequence[Event]]
    cast: Callable[[], Cast]
    invited: Callable[[], tuple[Said, ...]]
    """To whom invitations went that nobody has taken, for the Gamemaster."""
    allowed: Callable[[str, int], bool]
    """(what, so often a day) -> whether the asker may have it once more today; it is counted."""
    pictures: bool
    """Whether this judge sends maps."""


@dataclass(frozen=True, slots=True)
class Ask(Generic[Q]):
    """A question about one game, its answer (an enclosure, or a sentence of the receipt, as text or as a fact with its
    template) and its words.
    """

    asked: type[Q]
    answer: Callable[[Seen, Q], Enclosure | Said | str | Refusal]
    verb: Verb
    may: MayAsk = MayAsk.LISTED


C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)


class May(Enum):
    """Who may give a command."""

    ANYBODY = "anybody"
    """`check` looks at who acts; one proof suffices."""
    GM = "gm"
    """The Gamemaster and the operator."""
    GRAVE = "grave"
    """They too, with a second proof."""
    OUTSIDE = "outside"
    """They too; it is a letter, which stays read."""


@dataclass(frozen=True, slots=True)
class Act(Generic[C, E]):
    """A command to a game. `check`: what it comes to; `apply`: its event, None where another act has it too; `verb`:
    None where other words bring it about; `undo`: what takes it back, or why it stands (`judge.game.core.evolve`);
    `told`: who hears of it; `news`: what it says to a reader in a notice; `letters` (batch, its number, event): those
    beside the notice.
    """

    command: type[C]
    event: type[E]
    check: Callable[[Game, C, Context], Decision | Refusal]
    apply: Callable[[Game, E], Game] | None = None
    may: May = May.ANYBODY
    verb: Verb | None = None
    undo: Callable[[E, Callable[[], Game]], Command | None] | tuple[str, str] | None = None
    told: Involvements = frozenset()
    news: Callable[[Batch, E, Reader], Iterator[News]] | None = None
    letters: Callable[[Batch, int, E], Iterator[Letter]] | None = None

    def install(self) -> None:
        """Let the game decide and evolve it, and letters follow from it."""
        feature = Feature(
            decide={self.command: self.check},
            evolve={self.event: self.apply} if self.apply else {},
            gm_only=(self.command,) if self.may is not May.ANYBODY else (),
            grave=(self.command,) if self.may is May.GRAVE else (),
            outside=(self.command,) if self.may is May.OUTSIDE else (),
            undo={self.event: self.undo} if self.undo else {},
        )
        REGISTRY.add([feature])
        if self.told:
            AUDIENCE[self.event] = self.told
        if self.news:
            NEWS[self.event] = self.news
        if self.letters:
            LETTERS[self.event] = self.letters
