"""Room on the judge's disk: for mail, and for a copy of the database, which a backup and an upgrade make."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from judge.config import Config
from judge.service.core.house import House
from judge.service.posting.operator import tell_operator
from judge.store.engine import file_of, parse

LITTLE, TOO_LITTLE = 1_000_000_000, 200_000_000
"""Bytes of free disk below which somebody should know, and below which the next backup or upgrade may fail."""
FEW_FILES = 10_000

Usage = Callable[[Path], tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class DiskRoom:
    """What is free on the disk of `place`, and what the database has, in bytes. `files`: for how many more; None: for
    any number.
    """

    place: Path
    free: int
    database: int
    files: int | None

    @property
    def short(self) -> str:
        """Why somebody has to make room now; "" while nobody has to."""
        if self.free < TOO_LITTLE + self.database:
            return self.said
        if self.files is not None and self.files < FEW_FILES:
            return f"room for {self.files} more files only"
        return ""

    @property
    def little(self) -> bool:
        """Whether somebody should know of it before long."""
        return self.free < LITTLE + 2 * self.database

    @property
    def said(self) -> str:
        """The figures."""
        return f"{megabytes(self.free)} are free, the database has {megabytes(self.database)}"


def room(config: Config, *, usage: Usage = shutil.disk_usage) -> DiskRoom:
    """How much room there is. Raises OSError."""
    database = file_of(parse(config.database))
    size = database.stat().st_size if database is not None and database.exists() else 0
    place = next(path for path in (config.var, *config.var.parents) if path.exists())
    inodes = os.statvfs(place)
    return DiskRoom(place, usage(place)[2], size, inodes.f_favail if inodes.f_files else None)


def warn_of_room(house: House, *, usage: Usage = shutil.disk_usage) -> bool:
    """Tell the operator while a letter can still be written: once a day for as long as room is short."""
    found = room(house.config, usage=usage).short
    if not found or not house.config.operator:
        return False
    key = f"disk/{house.clock.now().date().isoformat()}"
    with house.store.read() as view:
        if view.letters.by_key(f"judge/operator/{key}") is not None:
            return False
    with house.store.write() as unit:
        return tell_operator(
            house, unit, key, subject="the disk is nearly full",
            items=(
                f"On the disk of {house.config.var} {found}.",
                "When it is full I can take no mail: other servers keep it for some days, and turns wait. "
                f"What fills it: du -xh {house.config.var} | sort -h | tail",
            ),
        )  # fmt: skip


def megabytes(size: int) -> str:
    """A size in bytes, as a person reads it."""
    return f"{size / 1e6:,.0f} MB"
