"""The rooms: every rule system that there is, by the key that games record.

A room is one module of `judge.variants`; importing that package lets all of them join. Two rooms of one key, or two
presets of one name, are an error of the program and are refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from judge.board.spelling import nearest
from judge.languages import tell
from judge.orders.kinds import join_kinds
from judge.rules.model import Rules
from judge.rules.questions import Block
from judge.rules.reasons import Reason, add_reasons, retell

Bundle = Mapping[str, str]
"""Setting -> its text."""


@dataclass(frozen=True, slots=True)
class Room:
    """A rule system as players meet it: its rules, and the presets that open a game of it.

    `presets`: name -> texts of the settings in which such a game differs from the house's own; `rules` is one of them.
    `like` names a preset of the house (`judge.game.settings.bundles`), whose settings hold where these say nothing.
    """

    rules: Rules
    title: str
    presets: Mapping[str, Bundle] = field(default_factory=lambda: MappingProxyType({}))
    reasons: Mapping[str, Reason] = field(default_factory=lambda: MappingProxyType({}))
    """Slug -> what it means: reasons for outcomes and refusals that 1976 does not have."""
    retold: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Slug -> the sentence that is said here of a reason that 1976 has, too."""
    clauses: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Clause of 1976 -> the clause that is cited here in its place."""
    brief: tuple[str, ...] = ()
    """The rules in a dozen lines, for the letter with which a game begins: paragraphs; one behind "- " is an item."""
    page: tuple[Block, ...] = ()
    """The rules in words: in what they differ from those of 1976, as players read it when they ask for the rules. The
    first sentence says what is special about them."""

    @property
    def about(self) -> str:
        """What is special about these rules, in a sentence; "" for an edition of the ordinary ones."""
        first = self.page[0].lines[0] if self.page else ""
        return first[: end + 1] if (end := first.find(". ")) >= 0 else first


def page_of(docstring: str | None) -> tuple[Block, ...]:
    """The page of rules that a module's docstring is: "Title: what is special." and numbered clauses below it.

    >>> page_of("Tolls: attacks cost a crown.\\n\\n1. Every power\\n   has three.\\n2. No more.")
    (Block(title='Tolls', lines=('Attacks cost a crown.', '1. Every power has three.', '2. No more.')),)
    """
    head, _, clauses = (docstring or "").strip().partition("\n\n")
    title, _, about = " ".join(head.split()).partition(": ")
    lines = (" ".join(clause.split()) for clause in re.split(r"\n(?=\d+\. )", clauses))
    return (Block(title, (about[:1].upper() + about[1:], *filter(None, lines))),)


class UnknownRules(ValueError):
    """No rules have this key; the message lists the keys that exist."""


_rooms: dict[str, Room] = {}
_presets: dict[str, Bundle] = {}

ROOMS: Mapping[str, Room] = MappingProxyType(_rooms)
"""Key -> room."""
ROOM_PRESETS: Mapping[str, Bundle] = MappingProxyType(_presets)
"""Name -> bundle of settings, of all rooms."""


def join(room: Room) -> None:
    """Let a room join under its rules' key. Raises ValueError if the key, or the name of a preset, is taken."""
    if _rooms.get(room.rules.key, room) != room:
        raise ValueError(f"two rule systems call themselves {room.rules.key!r}")
    for name in room.presets:
        if _presets.get(name, room.presets[name]) != room.presets[name]:
            raise ValueError(f"two presets are called {name!r}")
    _rooms[room.rules.key] = room
    _presets.update(room.presets)
    add_reasons(room.reasons)
    if room.retold or room.clauses:
        retell(room.rules.key, room.retold, room.clauses)
    join_kinds(room.rules.kinds(), room.rules.key)


def rules_for(key: str) -> Rules:
    """The rules with this key; raises UnknownRules, which lists the keys that exist."""
    word = key.strip().lower()
    if word in _rooms:
        return _rooms[word].rules
    near = nearest(word, _rooms)
    known = tell("did you mean {near}?", near=near[0]) if near else tell("there are {rooms}", rooms=", ".join(_rooms))
    raise UnknownRules(f"there are no rules called {key!r}; {known}")
