"""Integrity checks of a database file, used by `judge doctor` and by the daemon before it accepts mail.

A broken page is met only by whoever reads it. Without a look at all of them a judge could say yes to a mail whose game
it cannot read.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from judge.store.engine import damaged, is_sqlite, parse, read_engine, translated
from judge.store.tables import metadata

_MOST = 3
"""Findings that are told; one is enough to restore a backup."""


def check_soundness(url: str, *, thorough: bool = False) -> None:
    """Look at every page of the database; `thorough`: compare indexes with tables too, and read every table.

    Raises StoreDamaged with what is broken, StoreTrouble where it cannot be read now.
    """
    engine = read_engine(parse(url))
    try:
        with translated(), engine.connect() as connection:
            if is_sqlite(engine.url):
                _check_pages(connection, "integrity_check" if thorough else "quick_check")
            for table in metadata.sorted_tables if thorough else ():
                connection.scalar(select(func.count()).select_from(table))
    finally:
        engine.dispose()


def _check_pages(connection: Connection, how: str) -> None:
    found = [str(row[0]) for row in connection.exec_driver_sql(f"PRAGMA {how}({_MOST})")]
    if found != ["ok"]:
        raise damaged("; ".join(" ".join(line.split()) for line in found))
