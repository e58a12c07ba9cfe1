"""What the machine gives: file descriptors, the time; and what a judge holds of it after many mails."""

from __future__ import annotations

import os
import resource
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from socket import create_connection

from judge.testing.faults.breakage import MANY, fault
from judge.testing.faults.findings import Findings
from judge.testing.faults.players import games_for
from judge.testing.faults.trial import Trial
from judge.testing.understudy import write


@fault("few-descriptors", "64 file descriptors, and a hundred lines that say nothing")
def few_descriptors(folder: Path, scale: int) -> Findings:
    """The door may put everybody off meanwhile; afterwards all is as before."""
    with Trial(folder, prepare=partial(resource.setrlimit, resource.RLIMIT_NOFILE, (64, 64))) as trial:
        with ExitStack() as idle:
            for _ in range(100):
                try:
                    idle.enter_context(create_connection(("127.0.0.1", trial.daemon.port), timeout=5))
                except OSError:
                    break
            trial.load(MANY * scale)
            trial.noticed.append(f"{len(trial.players.waiting())} mails were put off meanwhile")
        trial.recover()
        return trial.findings()


@fault("clock-steps", "the machine's clock jumps two days ahead over a deadline, and back")
def clock_steps(folder: Path, scale: int) -> Findings:
    """No phase runs, nobody is late, and the door is closed until the time is right again."""
    offset = folder / "clock"
    offset.write_text("+0", encoding="ascii")
    with Trial(folder, settings={"moves": "1d", "nmr": "grace"}, shifted=offset) as trial:
        trial.load(MANY)
        phases = {key: trial.game(key).phase for key in trial.keys}
        write(offset, "+172800")
        trial.load(MANY * scale)
        time.sleep(35)  # longer than a sweep
        trial.load(MANY)
        trial.noticed.append(f"{len(trial.players.waiting())} mails were put off while the clock was wrong")
        moved = [key for key in trial.keys if trial.game(key).phase != phases[key]]
        trial.noticed.append(f"phases that ran meanwhile: {', '.join(moved) or 'none'}")
        write(offset, "+0")
        time.sleep(35)
        trial.recover()
        return trial.findings()


@fault("many-mails", "3,000 mails for each point of the scale: memory, threads and descriptors")
def many_mails(folder: Path, scale: int) -> Findings:
    """What the process holds after each sixth of the mails, when it has come to rest."""
    with Trial(folder, games=games_for(3000 * scale)) as trial:
        held = []
        for _ in range(6):
            trial.load(500 * scale)
            trial.recover()
            held.append(_held(trial.daemon.pid))
        for name in held[0]:
            figures = ", ".join(str(each[name]) for each in held)
            trial.noticed.append(f"{name}, after each {500 * scale} mails: {figures}")
        return trial.findings()


def _held(pid: int) -> dict[str, int]:
    time.sleep(35)  # longer than a sweep, which gives memory back
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return {
        "memory in kB": int(fields["VmRSS"].split()[0]),
        "threads": int(fields["Threads"]),
        "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
    }
