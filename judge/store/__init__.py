"""The store: what must survive, in one database: inbox, events, letters, persons.

`open_store` gives a Store; `store.write()` is the unit of work (one transaction over all repositories), `store.read()`
the look at one moment. The rows that go in and out are in `judge.store.rows` and `judge.store.rows`, what can go
wrong is in `judge.store.errors`. SQLite is what we run on; nothing outside `engine` and `schema` knows that.
"""

from judge.store.acceptance import Receipt
from judge.store.backup import MARKER_FILE, Marker, MarkerState, TransferFailed, advance_marker, marker_state, transfer
from judge.store.errors import (
    BackupUnusable,
    Conflict,
    NoSuchRow,
    StoreBehind,
    StoreBusy,
    StoreCrowded,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreNewer,
    StoreTrouble,
    StoreUnusable,
)
from judge.store.schema import Schema, SchemaState, Upgraded, check, check_soundness, snapshot, upgrade
from judge.store.unit import InboxWriter, Store, Transaction, View, open_store

__all__ = [
    "MARKER_FILE",
    "BackupUnusable",
    "Conflict",
    "InboxWriter",
    "Marker",
    "MarkerState",
    "NoSuchRow",
    "Receipt",
    "Schema",
    "SchemaState",
    "Store",
    "StoreBehind",
    "StoreBusy",
    "StoreCrowded",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreNewer",
    "StoreTrouble",
    "StoreUnusable",
    "Transaction",
    "TransferFailed",
    "Upgraded",
    "View",
    "advance_marker",
    "check",
    "check_soundness",
    "marker_state",
    "open_store",
    "snapshot",
    "transfer",
    "upgrade",
]
