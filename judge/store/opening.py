"""Opening the store: the one way in."""

import secrets
from collections.abc import Callable
from pathlib import Path

from judge.store.engine import Synchronous, parse, read_engine, translated, write_engine
from judge.store.errors import StoreBehind
from judge.store.meta import INSTANCE, SECRET, Meta
from judge.store.owners import this_process
from judge.store.schema import SchemaState, check
from judge.store.schema import upgrade as upgrade_schema
from judge.store.unit import Store


def open_store(
    url: str,
    *,
    migrations: Path,
    instance: str | None = None,
    upgrade: bool = False,
    synchronous: Synchronous = "FULL",
    entropy: Callable[[int], bytes] = secrets.token_bytes,
) -> Store:
    """Open the database at `url` ("sqlite:///var/judge.db").

    `instance` names this process in leases (default: a name of its own, see `judge.store.owners`). With `upgrade` a
    missing or older database is made or upgraded first; without it StoreBehind is raised. `synchronous="OFF"` gives up
    safety against a loss of power, for rehearsals. `entropy` makes a new database's identity and secret. Raises
    StoreNewer and StoreTrouble too.
    """
    parsed = parse(url)
    schema = check(url, migrations=migrations)
    if schema.state is not SchemaState.OK:
        if not upgrade:
            raise StoreBehind(schema.found, schema.known)
        upgrade_schema(url, migrations=migrations)
    writer = write_engine(parsed, synchronous=synchronous)
    with translated(), writer.begin() as connection:
        meta = Meta(connection)
        meta.set_once(INSTANCE, lambda: entropy(8).hex())
        meta.set_once(SECRET, lambda: entropy(32).hex())
    return Store(writer, read_engine(parsed), owner=instance or str(this_process()))
