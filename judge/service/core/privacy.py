"""Permissions of what lies in var/ (mails, letters, the key of every token): only its owner may read it.

Left as they are: a Maildir that a mail server fills, with the way to it, and the configuration, which its author may
want to show.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

from judge.config import Config
from judge.store.engine import file_of, parse
from judge.store.files import narrow, too_open

log = logging.getLogger("judge.daemon")


def open_to_others(config: Config) -> Iterator[Path]:
    """The files and folders of the judge that others may read or write."""
    watched = (config.var / config.maildir).resolve() if config.maildir else None
    for path in (*too_open(config.var), *_database(config)):
        way = watched and (path.is_relative_to(watched) or watched.is_relative_to(path))
        if path != config.file and not way:
            yield path


def narrow_own(config: Config) -> None:
    """Remove others' rights from all files of the judge; failures are logged."""
    left = [path for path in open_to_others(config) if not narrow(path)]
    if left:
        log.warning(
            "others may read what is ours; see: judge doctor", extra={"files": len(left), "first": str(left[0])}
        )


def _database(config: Config) -> Iterator[Path]:
    """The files of an SQLite database that lies elsewhere."""
    database = file_of(parse(config.database))
    if database is not None and not database.resolve().is_relative_to(config.var.resolve()):
        for ending in ("", "-wal", "-shm", ".lock"):
            path = database.with_name(database.name + ending)
            if path.is_file():
                yield from too_open(path)
