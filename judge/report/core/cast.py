"""The persons behind the seats, as far as letters need them, and the judge's own name and addresses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from judge.game.core.commands import GM_SEAT
from judge.game.core.model import Game, Stage


@dataclass(frozen=True, slots=True)
class Member:
    """A person: number, name, address of record, own time zone ("": none known), check phrase."""

    person: int
    name: str
    address: str = ""
    zone: str = ""
    phrase: str = ""
    record: str = ""
    """Their reliability in words, for Gamemasters and for themselves."""


@dataclass(frozen=True, slots=True)
class Office:
    """The judge itself: its name, the mail domain, the address that takes commands."""

    name: str = "Judge"
    domain: str = "localhost"
    address: str = "judge@localhost"

    def game_address(self, key: str) -> str:
        """The public address of a game: "judge+tannenburg@..."."""
        local, _, domain = self.address.rpartition("@")
        return f"{local}+{key}@{domain}" if key else self.address


@dataclass(frozen=True, slots=True)
class Cast:
    """Everybody a batch of letters may name or reach. `observers`: persons who get what everybody gets."""

    members: Mapping[int, Member]
    office: Office = Office()
    observers: tuple[int, ...] = ()
    standbys: tuple[int, ...] = ()
    """Persons who would take a seat of this game."""
    openings: tuple[int, ...] = ()
    """Persons who wish to hear of every seat that is free."""
    writer: int = 0
    """The person whose mail brought it about, who gets an answer to it; 0 for nobody's."""
    names: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Further facts for footers: "number" (of the custodian), "house_rules" (version)."""

    def member(self, person: int) -> Member:
        """The person's facts; an unknown number yields a nameless member."""
        try:
            return self.members[person]  # of those who are looked up when asked for, `get` knows only who was
        except KeyError:
            return Member(person, f"player {person}")


def shown_name(game: Game, cast: Cast, seat: str) -> str:
    """The name of whoever holds a seat, as the other players may read it; "" when nobody does or it is secret.

    In an anonymous game names are secret until the end; the Gamemaster is always known.
    """
    if seat == GM_SEAT:
        return cast.member(game.gm).name
    person = game.seats[seat].person if seat in game.seats else None
    if person is None or (game.settings.anonymous and game.stage is not Stage.ENDED):
        return ""
    return cast.member(person).name
