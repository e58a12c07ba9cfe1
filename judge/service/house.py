"""The house: everything that the use cases are handed instead of reaching for it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from judge import resources
from judge.clock import Clock, SystemClock
from judge.config import Config
from judge.mail.envelope import TrustedSite
from judge.report.cast import Office
from judge.service.keeper import Keeper
from judge.service.systems import Shelf
from judge.store import Store, open_store


def _draw() -> int:
    return secrets.randbits(63)


@dataclass(frozen=True)
class House:
    """One running judge. `lot` draws seeds; `entropy` makes nonces and keys."""

    config: Config
    store: Store
    clock: Clock
    shelf: Shelf
    templates: Path
    keeper: Keeper
    lot: Callable[[], int] = _draw
    entropy: Callable[[int], bytes] = secrets.token_bytes
    site: TrustedSite = field(default_factory=TrustedSite)
    office: Office = field(default_factory=Office)

    def close(self) -> None:
        """Let the database go."""
        self.store.close()


def open_house(
    config: Config,
    *,
    clock: Clock | None = None,
    lot: Callable[[], int] = _draw,
    entropy: Callable[[int], bytes] = secrets.token_bytes,
    upgrade: bool = False,
    careless: bool = False,
) -> House:
    """Open a judge on its configuration. Raises what `open_store` raises.

    `upgrade` makes or upgrades the database first. `careless` trades safety against loss of power for speed, for
    rehearsals in temporary folders.
    """
    config.var.mkdir(parents=True, exist_ok=True)
    store = open_store(
        config.database,
        migrations=resources.folder("migrations"),
        upgrade=upgrade,
        synchronous="OFF" if careless else "FULL",
        entropy=entropy,
    )
    shelf = Shelf(config.maps or resources.folder("maps"))
    return House(
        config=config,
        store=store,
        clock=clock or SystemClock(),
        shelf=shelf,
        templates=config.templates or resources.folder("templates"),
        keeper=Keeper(shelf),
        lot=lot,
        entropy=entropy,
        site=TrustedSite(
            authserv_id=config.authserv_id,
            trusted_mx=frozenset(config.trusted_mx),
            own_addresses=frozenset({config.address}),
            instance=store.id,
        ),
        office=Office(config.name, config.domain, config.address),
    )
