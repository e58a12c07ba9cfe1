"""What the database knows about itself: its identity, its secret, its generation, and settings of no person."""

from collections.abc import Callable

from sqlalchemy import Connection, bindparam, delete, select

from judge.store.sql import put, put_new
from judge.store.tables import meta

INSTANCE = "instance.id"
SECRET = "instance.secret"
GENERATION = "instance.generation"
EPOCH = "instance.epoch"
"""Drawn again when a backup is restored: so the letters from then on are not those of the time that was lost."""

_GET = select(meta.c.value).where(meta.c.key == bindparam("this"))


class MetaView:
    """The settings for those who only look."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, key: str, default: str | None = None) -> str | None:
        """The value under a key, or the default."""
        found: str | None = self._connection.scalar(_GET, {"this": key})
        return default if found is None else found

    def all(self, prefix: str = "") -> dict[str, str]:
        """Every setting whose key begins with the prefix, by key. The judge's secret is not among them."""
        query = select(meta.c.key, meta.c.value).where(meta.c.key.startswith(prefix, autoescape=True))
        return {key: value for key, value in self._connection.execute(query.order_by(meta.c.key)) if key != SECRET}

    def generation(self) -> int:
        """How often this database was marked as alive; see `judge.store.marker`."""
        return int(self.get(GENERATION, "0") or 0)


class Meta(MetaView):
    """The settings inside a unit of work."""

    def set(self, key: str, value: str) -> None:
        """Write a setting."""
        put(self._connection, meta, {"key": key, "value": value})

    def set_once(self, key: str, make: Callable[[], str]) -> str:
        """The value under a key, made and kept if there was none."""
        found = self.get(key)
        if found is not None:
            return found
        put_new(self._connection, meta, {"key": key, "value": make()})
        return self.get(key) or ""

    def unset(self, key: str) -> None:
        """Forget a setting."""
        self._connection.execute(delete(meta).where(meta.c.key == key))

    def advance_generation(self, *, at_least: int = 1) -> int:
        """Count one generation more, or as many as it takes to reach `at_least`; returns it."""
        generation = max(self.generation() + 1, at_least)
        self.set(GENERATION, str(generation))
        return generation
