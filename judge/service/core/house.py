"""`House`: what the use cases need (store, clock, configuration, boards, templates), passed in rather than global."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from judge import resources
from judge.catalogues import language_of
from judge.clock import Clock, SystemClock
from judge.config import Config
from judge.languages import Language
from judge.mail.envelope import Envelope, TrustedSite
from judge.mail.noise import undetailed
from judge.report.core.frame import Office
from judge.report.core.letter import plain
from judge.report.core.naming import Said
from judge.service.core.directory import Directory
from judge.service.core.keeper import Keeper
from judge.service.core.pressroom import Pressroom
from judge.service.core.systems import Shelf, shelf_of
from judge.store import Store, StoreTrouble, open_store
from judge.store.files import private_folder

V = TypeVar("V")


def _draw() -> int:
    return secrets.randbits(63)


class LastFew(OrderedDict[str, V]):
    """Remembers the last few things put in; safe to use from several threads, safe to lose."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def keep(self, key: str, value: V) -> None:
        """Remember one more, forget the oldest."""
        self[key] = value
        while len(self) > self._most:
            self.popitem(last=False)


@dataclass(frozen=True)
class House:
    """One running judge. `lot` draws seeds; `entropy` makes nonces and keys."""

    config: Config
    store: Store
    clock: Clock
    shelf: Shelf
    pressroom: Pressroom
    keeper: Keeper
    lot: Callable[[], int] = _draw
    entropy: Callable[[int], bytes] = secrets.token_bytes
    site: TrustedSite = field(default_factory=TrustedSite)
    office: Office = field(default_factory=Office)
    envelopes: LastFew[Envelope] = field(default_factory=lambda: LastFew(500))
    """Envelopes that the door has read and the desk will want in a moment, by transport key."""

    dates: LastFew[datetime] = field(default_factory=lambda: LastFew(5000))
    """When the mails that filed orders say that they were written, by what the set calls its mail."""
    directory: Directory = field(default_factory=Directory)
    """Who writes and who sits where, as long as nobody changes it."""

    def language(self, code: str = "") -> Language:
        """A language by its code; "": the usual one here."""
        return language_of(code or self.config.language)

    def in_words(self, fact: Said) -> str:
        """A fact of a view in the words of the letters, for an answer that tells it."""
        return self.pressroom.do(lambda press: str(press.spoken(plain(fact))))[0]

    def close(self) -> None:
        """Close the database."""
        self.store.close()


def open_house(
    config: Config,
    *,
    clock: Clock | None = None,
    lot: Callable[[], int] = _draw,
    entropy: Callable[[int], bytes] = secrets.token_bytes,
    upgrade: bool = False,
    careless: bool = False,
    instance: str | None = None,
) -> House:
    """Open a judge on its configuration. Raises what `open_store` raises.

    `instance` names the process in leases, for tests; by default each process has a name of its own, from which others
    can tell whether it still lives.
    `upgrade` makes or upgrades the database first. `careless` trades safety against loss of power for speed, for
    rehearsals in temporary folders.
    """
    try:
        private_folder(config.var)
    except OSError as error:
        raise StoreTrouble(f"paths.var: the folder {config.var} cannot be made ({error.strerror})") from error
    store = open_store(
        config.database,
        migrations=resources.folder("migrations"),
        instance=instance,
        upgrade=upgrade,
        synchronous="OFF" if careless else "FULL",
        entropy=entropy,
    )
    shelf = shelf_of(config.maps or resources.folder("maps"))
    return House(
        config=config,
        store=store,
        clock=clock or SystemClock(),
        shelf=shelf,
        pressroom=Pressroom(resources.folder("templates"), config.templates),
        keeper=Keeper(shelf),
        lot=lot,
        entropy=entropy,
        site=TrustedSite(
            authserv_id=config.authserv_id,
            trusted_mx=frozenset(config.trusted_mx),
            own_addresses=frozenset({config.address.lower(), *map(undetailed, config.aliases)}),
            instance=store.id,
            verdicts_below=config.verdicts == "below",
        ),
        office=Office(config.name, config.domain, config.address),
    )
