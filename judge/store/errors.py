"""Exceptions of the store.

These are exceptions for us and for the operator; each one's text names the mend.
"""


class StoreError(Exception):
    """Anything that the store itself reports."""


class StoreNewer(StoreError):
    """The database was written by a newer program than this one."""

    def __init__(self, found: str, known: str) -> None:
        super().__init__(
            f"the database has revision {found}, which this program does not know (its newest is {known}); "
            "install the newer program, or restore the snapshot that was taken before the upgrade"
        )
        self.found = found
        self.known = known


class StoreBehind(StoreError):
    """The database needs an upgrade before this program can use it."""

    def __init__(self, found: str | None, known: str) -> None:
        state = f"has revision {found}" if found else "has no tables yet"
        super().__init__(f"the database {state}, this program needs {known}; run `judge db upgrade`")
        self.found = found
        self.known = known


class StoreUnusable(StoreError, ValueError):
    """The configured URL names no database that this program can use."""


class BackupUnusable(StoreError):
    """A backup cannot be made, or a file cannot be restored; the text says why, and what to do."""


class StoreTrouble(StoreError):
    """The database cannot take this now (busy, full, unwritable); nothing of the transaction was kept.

    Intake answers 451 to it: the sender keeps the mail and tries again.
    """


class StoreBusy(StoreTrouble):
    """Somebody else held the write lock for longer than we are willing to wait."""


class StoreUndone(StoreBusy):
    """The database undid a transaction because it and another one waited for each other: do it again."""


class StoreCrowded(StoreBusy):
    """More mails came in at once than wait for the disk."""


class StoreFull(StoreTrouble):
    """The disk is full, or the file may not be written."""


class StoreDamaged(StoreTrouble):
    """The database's own bytes are broken. Nothing is to be taken in until a backup was restored."""


class Conflict(StoreError):
    """Somebody else wrote to this game since it was read: read it again and decide again."""

    def __init__(self, game: str, expected: int, found: int) -> None:
        super().__init__(f"game {game} stands at event {found}, not at {expected}; load it again and decide again")
        self.game = game
        self.expected = expected
        self.found = found


class Contended(Conflict):
    """Another daemon has this in hand: undo everything, and do it again when you hold its lock."""

    def __init__(self, what: str, name: str) -> None:
        StoreError.__init__(self, f"another daemon has {what} {name} in hand; do it again when it is free")
        self.game = name if what == "game" else ""
        self.key = (what, name)


class NotShared(StoreError):
    """A unit of work that shares the judge wanted to change what belongs to whoever is alone: do it again alone."""

    def __init__(self, table: str) -> None:
        super().__init__(f"{table} is changed only by a unit of work that is alone; do it again alone")


class NoSuchRow(StoreError, LookupError):
    """An identifier that names no row."""

    def __init__(self, what: str, key: object) -> None:
        super().__init__(f"there is no {what} {key}")
