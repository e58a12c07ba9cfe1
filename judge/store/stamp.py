"""A random word that changes with every change of a person, an address or a seat: the key of caches of them.

Who asks the same persons again and again may keep the answers as long as the stamp is the one that they saw with them,
whichever process changed what. The word is drawn, not counted: a restored backup never bears a stamp of later times.
"""

import secrets
from typing import Any

from sqlalchemy import Connection, Delete, Engine, Insert, Update, event

from judge.store.sql import put
from judge.store.tables import addresses, meta, persons, seats

STAMP = "directory.stamp"

_DIRECTORY = (persons, addresses, seats)
_TOUCHED = "directory touched"


def watch(engine: Engine) -> None:
    """Take note of every statement of this engine that may change the directory."""
    event.listen(engine, "before_execute", _note)


def touched(connection: Connection) -> bool:
    """Whether this transaction may have changed the directory: then only the tables themselves tell."""
    return bool(connection.info.get(_TOUCHED))


def renew(connection: Connection) -> None:
    """Before the commit: a new stamp, if the directory was touched."""
    if touched(connection):
        put(connection, meta, {"key": STAMP, "value": secrets.token_hex(8)})


def untouched(connection: Connection) -> None:
    """A transaction begins."""
    connection.info.pop(_TOUCHED, None)


def _note(connection: Connection, statement: Any, _many: Any, _values: Any, _options: Any) -> None:
    if isinstance(statement, (Insert, Update, Delete)) and statement.table in _DIRECTORY:
        connection.info[_TOUCHED] = True
