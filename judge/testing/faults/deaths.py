"""The process dies, at any moment."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

from judge.testing.faults.breakage import MANY, fault
from judge.testing.faults.findings import Findings
from judge.testing.faults.players import games_for
from judge.testing.faults.trial import Trial


@fault("killed", "SIGKILL at any moment under load, again and again")
def killed(folder: Path, scale: int) -> Findings:
    """Three deaths at scale 1."""
    chance = random.Random(scale)
    with Trial(folder, games=games_for(3 * scale * MANY)) as trial:
        for _ in range(3 * scale):
            with trial.under_load(MANY):
                time.sleep(chance.uniform(0.02, 0.8))
                trial.daemon.kill()
            trial.start()
        trial.noticed.append(f"{3 * scale} deaths")
        trial.recover()
        return trial.findings()


@fault("killed-in-checkpoint", "death while the database's log is written back into its file")
def killed_in_checkpoint(folder: Path, scale: int) -> Findings:
    """A second process does nothing but write the log back; it and the judge die together."""
    chance = random.Random(scale)
    with Trial(folder, games=games_for(3 * scale * MANY)) as trial:
        for _ in range(3 * scale):
            with trial.under_load(MANY):
                writer = subprocess.Popen([sys.executable, "-c", _WRITE_BACK, str(trial.folder / "judge.db")])
                time.sleep(chance.uniform(0.2, 0.9))
                writer.kill()
                trial.daemon.kill()
                writer.wait()
            trial.start()
        trial.noticed.append(f"{3 * scale} deaths")
        trial.recover()
        return trial.findings()


_WRITE_BACK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=5, isolation_level=None)
while True:
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
"""
