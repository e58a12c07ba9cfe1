"""What a subject that is a folder of its own (`judge.subjects`) adds to the running judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from judge import subjects
from judge.service.core.house import House
from judge.store import Transaction, View


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseSubject:
    """One subject.

    `prefix` ("zine-") begins the plus-detail of its addresses, and the `game` of its letters; what follows is the key
    of one thing of this subject, which `known` knows. Letters with such a `game` came by the subscription "zine:KEY".
    `due` names what is due, asked with every sweep; `sweep` does that and returns how much was done. `bulk`: kinds of
    letters that go to many at once, and wait for all others. `places`: what a person is to its things, a line each;
    `forgotten`: what is to be done before they are erased; `unasked`: what is said to words that ask for nothing, and
    what to send instead, in a mail to one of its addresses or in answer to a letter of it.
    """

    prefix: str
    known: Callable[[View, str], bool]
    due: Callable[[View, datetime], Sequence[str]]
    sweep: Callable[[House, Sequence[str]], int]
    places: Callable[[View, int], Sequence[str]] = lambda view, person: ()
    bulk: tuple[str, ...] = ()
    forgotten: Callable[[House, Transaction, int], None] | None = None
    unasked: tuple[str, str] = ("", "")

    @property
    def topic(self) -> str:
        """What begins the topics of its subscriptions."""
        return self.prefix.removesuffix("-") + ":"


@cache
def all_subjects() -> tuple[HouseSubject, ...]:
    """Every subject that there is."""
    return tuple(module.SUBJECT for module in subjects.modules("subject"))


def has_address(view: View, detail: str) -> bool:
    """Whether a plus-detail is the address of something of a subject."""
    return subject_at(view, detail) is not None


def subject_at(view: View, detail: str) -> HouseSubject | None:
    """The subject to something of which a plus-detail is the address."""
    found = (one for one in all_subjects() if detail.startswith(one.prefix))
    return next((one for one in found if one.known(view, detail.removeprefix(one.prefix))), None)


def topic_of_list(game: str) -> str:
    """The topic by which letters with this `game` come; "" where it is a game's."""
    found = (one for one in all_subjects() if game.startswith(one.prefix))
    return next((one.topic + game.removeprefix(one.prefix) for one in found), "")
