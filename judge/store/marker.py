"""The marker: a small file beside the database that remembers how far the database had come.

Whoever restores an old backup without a word would make the judge mail old letters again and adjudicate old phases.
The database counts generations, the file remembers the last one; a database behind its marker is a restored one,
and the operator is asked before outbox and deadlines go on. The marker stays out of backups for that reason.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from judge.store.files import private_file
from judge.store.unit import Store

MARKER_FILE = "generation.json"
"""The marker's name, in var/."""


class MarkerState(StrEnum):
    """What the marker says about the database."""

    FRESH = "fresh"  # a new database, no marker yet
    CURRENT = "current"
    OLDER = "older"  # a restored backup: the marker has seen a later generation
    FOREIGN = "foreign"  # the marker belongs to another database
    MISSING = "missing"  # a used database without a (readable) marker: moved here, or restored elsewhere


@dataclass(frozen=True, slots=True)
class Marker:
    """The finding: the database's generation and the marker's (None: no marker)."""

    state: MarkerState
    generation: int
    marked: int | None

    @property
    def trusted(self) -> bool:
        """Whether letters and deadlines may go on without asking the operator."""
        return self.state in (MarkerState.FRESH, MarkerState.CURRENT)


def marker_state(store: Store, path: Path) -> Marker:
    """Compare the database with its marker file; changes nothing."""
    with store.read() as view:
        generation = view.meta.generation()
    found = _read(path)
    if found is None:
        return Marker(MarkerState.MISSING if generation else MarkerState.FRESH, generation, None)
    database, marked = found
    if database != store.id:
        return Marker(MarkerState.FOREIGN, generation, marked)
    return Marker(MarkerState.OLDER if generation < marked else MarkerState.CURRENT, generation, marked)


def advance_marker(store: Store, path: Path, *, also: Mapping[str, str] = MappingProxyType({})) -> int:
    """Begin a new generation and mark it: at start, and with each sweep. `also`: settings to write with it.

    The database goes first, so that a crash in between leaves it ahead of its marker, which is harmless. When the
    operator confirms a restored backup this is called too: the new generation passes the marker's. Returns it. Raises
    OSError where the marker cannot be written: the database is ahead of it then.
    """
    marked = _read(path)
    least = marked[1] if marked is not None and marked[0] == store.id else 0
    with store.write(shared=True) as unit:
        generation = unit.meta.advance_generation(at_least=least + 1)
        for key, value in also.items():
            unit.meta.set(key, value, safe=True)
    _write(path, json.dumps({"database": store.id, "generation": generation}))
    return generation


def _read(path: Path) -> tuple[str, int] | None:
    try:
        found = json.loads(path.read_text("utf-8"))
        return str(found["database"]), int(found["generation"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(path: Path, text: str) -> None:
    fresh = private_file(path.with_name(f"{path.name}.new"))
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
