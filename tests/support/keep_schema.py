"""Keeps the present schema as a fixture: a small game is played, and the database written down as compressed SQL.

    python -m tests.support.keep_schema FOLDER

Each migration that lands has its fixture in `tests/store/schemas`, made once by the program of that day and never
again: `tests/store/test_upgrades.py` upgrades them all.
"""

from __future__ import annotations

import gzip
import sqlite3
import sys
import tempfile
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge

DAY = timedelta(days=1)
SPRING = {
    "AUSTRIA": "A Bud - Ser\nA Vie - Tri\nF Tri - Alb",
    "ENGLAND": "F Lon - Nth\nF Edi - Nwg\nA Lvp - Yor",
    "FRANCE": "A Par - Bur\nF Bre - Mid\nA Mar S A Par - Bur",
    "GERMANY": "F Kie - Den\nA Mun - Bur\nA Ber - Kie",
    "ITALY": "A Ven - Tri\nA Rom - Ven\nF Nap - Ion",
    "RUSSIA": "A War - Gal\nA Mos - Ukr\nF Sev - Bla\nF StP - Bot",
    "TURKEY": "A Con - Bul\nA Smy - Con\nF Ank - Bla",
}


def play(folder: Path) -> Path:
    """A turn and a half of a game, with press, a held mail and an observer; returns the database."""
    stage = LocalJudge(folder)
    seat_everybody(stage, "baltic")
    stage.begin()
    for power, orders in SPRING.items():
        stage.send(player_of(power), orders, subject="baltic")
    stage.send(player_of("ITALY"), "press to France\nShall we leave Piedmont empty?", subject="baltic")
    stage.send("olga@players.test", "observe baltic")
    stage.advance(DAY)
    stage.send(player_of("GERMANY"), "A Mun - Ruh", subject="baltic", vouched=False)
    stage.send(player_of("ENGLAND"), "F Nth - Nwy\nA Yor - Mars", subject="baltic")
    stage.advance(DAY)
    stage.close()
    return folder / "judge.db"


def write_down(database: Path) -> tuple[str, bytes]:
    """The revision of a database, and all of it as compressed SQL."""
    with closing(sqlite3.connect(database)) as base:
        (revision,) = base.execute("SELECT version_num FROM alembic_version").fetchone()
        text = "\n".join(base.iterdump())
    return revision, gzip.compress(text.encode(), 9, mtime=0)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        revision, packed = write_down(play(Path(scratch)))
    target = Path(sys.argv[1], f"{revision}.sql.gz")
    target.write_bytes(packed)
    print(f"{target}: {len(packed)} bytes")
