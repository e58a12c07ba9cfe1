"""The answer to `my account`: what is on file about the person who asks, and which line changes it."""

from __future__ import annotations

from dataclasses import dataclass

from judge.report.core.answer import Enclosure
from judge.report.core.letter import plain


@dataclass(frozen=True, slots=True)
class AddressFact:
    """One address: whether letters go there, whether its owner has proved it, whether it is silenced by bounces."""

    address: str
    of_record: bool
    proved: bool
    silent: bool


@dataclass(frozen=True, slots=True)
class AccountView:
    """A person. `zone`: "" where none is known; `page`, `pictures`, `calendar`: what comes with a letter's text;
    `observes`: names of games, with `digest` in one letter now and then; `edits`: games of which they are an editor;
    `queues`: kinds of games waited for.
    """

    name: str
    zone: str
    addresses: tuple[AddressFact, ...]
    password: bool
    reminders: bool
    page: bool
    pictures: bool
    calendar: bool
    plays: tuple[tuple[str, str], ...] = ()
    """(as whom, in which game) for every game that is not over."""
    observes: tuple[str, ...] = ()
    edits: tuple[str, ...] = ()
    digest: bool = False
    queues: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


def account_enclosure(view: AccountView) -> Enclosure:
    """The view as something to enclose in a receipt."""
    return Enclosure("account", plain(view))
