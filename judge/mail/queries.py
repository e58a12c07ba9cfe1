"""What a mail may ask for beside the commands of a game: questions, and acts upon persons and their addresses.

Nothing here changes a game by itself. Each stands with its verb in a module of `judge.mail.vocabulary`; the service
answers the questions, settles what concerns a person, and turns the requests that name somebody by address into game
commands once it knows the person.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from judge.game.core.commands import Command


@dataclass(frozen=True, slots=True)
class Query:
    """A question: it changes nothing at all."""

    enclosed: ClassVar[bool] = False
    """An enclosure of the receipt answers it."""
    once: ClassVar[bool] = False
    """Its answer is the same however often a mail asks it: it is enclosed once, and counted."""
    public: ClassVar[bool] = False
    """It asks for what everybody may know, so nobody has to prove who asks."""

    def __init_subclass__(cls, *, enclosed: bool = False, once: bool = False, public: bool = False) -> None:
        """Sets what a class says of itself: `class Ratings(Query, enclosed=True)`. A dataclass with slots is made
        twice, the second time without these arguments, which must not reset what the first time set.
        """
        for name, said in (("enclosed", enclosed), ("once", once), ("public", public)):
            if said:
                setattr(cls, name, said)


@dataclass(frozen=True, slots=True)
class AboutGame(Query):
    """A question about one game: of `judge.acts`, where it is answered."""

    game: str = field(default="", kw_only=True)
    """ "": the game of the address."""


@dataclass(frozen=True, slots=True)
class PersonRequest:
    """A request about persons and their addresses, or about something that is no game."""

    beside: ClassVar[bool] = False
    """It is about no game: an unknown address may ask for it once it is confirmed, and no turn waits for it."""

    @property
    def about(self) -> str:
        """The name of what it is about, where that is no game whose letters its author gets; for subjects."""
        return ""

    @property
    def doing(self) -> str:
        """What stands behind its verb and says what is done, where the verb alone does not: "close" of `zine close`."""
        return ""


@dataclass(frozen=True, slots=True)
class ForPerson(PersonRequest):
    """A command of the Gamemaster to a game, once the address is a person: its `person` is then known."""

    command: Command
    address: str


Request = Command | Query | PersonRequest
"""All that one line of a mail can ask for."""
