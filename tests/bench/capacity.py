"""What many games and mails need, computed from what one mail, one turn and one picture cost on this machine.

    python -m tests.bench.capacity [--write]          # `--write`: into deploy/CAPACITY.md

Measured are, on a PostgreSQL that waits for the disk, the processor time of the judge and of the database, the commits
and the bytes that they write, for order mails (read, stored, heard, answered, sent) and for turns of games (processed,
eight letters composed and sent). From that follows what a busy hour needs, and what is short first. It needs root and
Debian's postgresql.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from math import ceil
from pathlib import Path
from statistics import median

from sqlalchemy import Engine, create_engine

from judge.adjudicate import adjudicate
from judge.board.load import load_board
from judge.config import Config
from judge.draw import BoardPictures, Caption, orders_picture
from judge.raster import Plates, finished_png
from judge.rules import RULES_1976
from judge.service.core.judge import Judge
from judge.service.intake.door import new_mail
from judge.service.intake.worker import Worker
from judge.service.pictures.artist import WIDTH
from judge.service.posting.post import Post
from judge.service.turning.barrier import Surroundings
from judge.service.turning.sweep import sweep
from judge.store.engine import READERS
from judge.transport.maildir import MaildirCourier
from judge.transport.ports import Arrival
from tests.bench import plausible
from tests.bench.deadlines import SETTINGS, Later
from tests.bench.full_judge import open_full_judge, order_mail, seat_addresses
from tests.bench.order_mails import five_lines
from tests.bench.reference import loop
from tests.support.postgres import PostgresServer, empty_database, missing, short_folder

PAPER = Path(__file__).parents[2] / "deploy" / "CAPACITY.md"
MAPS = Path(__file__).parents[2] / "maps"

GAMES_MEASURED, MAILS_MEASURED, GROUP = 60, 600, 20
COMMITS_TIMED = 300

GAMES, MAILS = 100_000, 1_000_000
DAYS_A_PHASE = 2
LETTERS_A_TURN, PICTURES_A_TURN = 8, 1
BUSY_HOUR_OF_MAIL, BUSY_HOUR_OF_TURNS = 0.10, 0.25
"""Shares of a day's mails and turns in its busiest hour: people write in the evening, and deadlines are set to it."""
RELAY_SECONDS, RELAY_CONNECTIONS = 0.08, 4
CONNECTIONS = 1 + 2 * READERS + 4
"""Of one daemon: it writes on one, reads on so many, and is known to live by the last."""
OF_THE_DATABASE = ("cores of the database", "times the disk here", "disks of 100 MB a second")
WELL_USED = 0.6
"""What is used more than that makes others wait."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one mail or one turn costs: milliseconds of the judge's and the database's processors, commits, kilobytes of
    the database's log, kilobytes that stay.
    """

    judge: float
    database: float
    commits: float
    log: float
    kept: float


@dataclass(frozen=True, slots=True)
class Figures:
    """All that is measured; `picture` in milliseconds and kilobytes, `flushes`: commits a second of one connection."""

    mail: Cost
    turn: Cost
    picture: tuple[float, float]
    flushes: float
    loop: float


class Meter:
    """Reads off what a server has done so far."""

    def __init__(self, server: PostgresServer, url: str) -> None:
        self._server = server
        self._engine: Engine = create_engine(url, isolation_level="AUTOCOMMIT")

    def cost(self, work: Callable[[], object], count: int) -> Cost:
        """What each of so many things costs that the work does."""
        before, begun = self._read(), time.process_time()
        work()
        spent = time.process_time() - begun
        after = self._read()
        processor, commits, log, kept = (now - then for now, then in zip(after, before, strict=True))
        return Cost(1000 * spent / count, 1000 * processor / count, commits / count, log / count, kept / count)

    def flushes(self) -> float:
        """How often a second one connection can commit."""
        with self._engine.connect() as connection:
            connection.exec_driver_sql("CREATE TABLE timed (n integer)")
            begun = time.perf_counter()
            for number in range(COMMITS_TIMED):
                connection.exec_driver_sql(f"INSERT INTO timed VALUES ({number})")
            return COMMITS_TIMED / (time.perf_counter() - begun)

    def close(self) -> None:
        self._engine.dispose()

    def _read(self) -> tuple[float, float, float, float]:
        time.sleep(2)  # sessions tell what they did a second later
        with self._engine.connect() as connection:
            asked = (
                "SELECT xact_commit, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') / 1000.0, "
                "pg_database_size(current_database()) / 1000.0 FROM pg_stat_database WHERE datname = current_database()"
            )
            commits, log, kept = connection.exec_driver_sql(asked).one()
        return self._processor(), float(commits), float(log), float(kept)

    def _processor(self) -> float:
        """Processor seconds of the server's processes."""
        first = int((self._server.data / "postmaster.pid").read_text().split()[0])
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == first or stat.parent.name == str(first):
                ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")


def measure() -> Figures:
    """Everything, one after the other."""
    with short_folder() as folder, tempfile.TemporaryDirectory() as var:
        server = PostgresServer(folder, durable=True)
        server.make()
        assert server.start(), server.log
        url = empty_database(server.url)
        config = Config(var=Path(var), store_url=url, smtp_listen="127.0.0.1:0")
        judge = open_full_judge(Path(var), GAMES_MEASURED, settings=SETTINGS, config=config)
        judge.store.company = True  # with the locks that keep several daemons apart
        meter = Meter(server, url)
        courier = MaildirCourier(Path(var) / "mail")
        Post(judge, courier).run()
        mail = meter.cost(lambda: _hear(judge, courier), MAILS_MEASURED)
        moved = replace(judge, clock=Later(judge.clock.now() + timedelta(days=1, minutes=1)))
        turn = meter.cost(lambda: _turn(moved, courier), GAMES_MEASURED)
        flushes = meter.flushes()
        meter.close()
        judge.close()
        server.stop()
    return Figures(mail, turn, _picture(), flushes, loop())


def _hear(judge: Judge, courier: MaildirCourier) -> None:
    """Order mails, from their bytes to the receipt that has gone."""
    seats, board, chance = seat_addresses(judge), judge.shelf.board("standard"), random.Random(1)
    worker, post = Worker(judge), Post(judge, courier)
    for first in range(0, MAILS_MEASURED, GROUP):
        with judge.store.write(shared=True) as unit:
            for number in range(first, first + GROUP):
                author, token, power = seats[number % len(seats)]
                raw = order_mail(number, author, token, five_lines(board, power, chance))
                arrival = Arrival(raw, "smtp", f"bench/{number}", author, (token,), judge.clock.now(), "127.0.0.1")
                unit.inbox.put(new_mail(judge, arrival))
        assert worker.drain() == GROUP
        post.run()


def _turn(judge: Judge, courier: MaildirCourier) -> None:
    post = Post(judge, courier)
    post.prepare()
    assert sweep(judge, Surroundings(), limit=GAMES_MEASURED) == GAMES_MEASURED
    post.run()


def _picture() -> tuple[float, float]:
    """A picture of some thirty units as letters show it: milliseconds, kilobytes."""
    board, pictures, plates = load_board(MAPS / "standard"), BoardPictures(MAPS), Plates()
    spent, sizes = [], []
    for before, orders in plausible.phases(random.Random(1), board, 12):
        outcomes = adjudicate(before, orders, RULES_1976).outcomes
        begun = time.process_time()
        picture = orders_picture(pictures(board), before, outcomes, Caption("bench", str(before.phase)))
        sizes.append(len(finished_png(picture, picture.pixels(WIDTH), plates)) / 1000)
        spent.append(1000 * (time.process_time() - begun))
    return median(spent), median(sizes)


# --- What follows ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Need:
    """What a busy second takes of something: how much, of how much that one unit gives; what the unit is."""

    what: str
    takes: float
    gives: float
    unit: str

    @property
    def units(self) -> float:
        """How many units that are well used."""
        return self.takes / self.gives / WELL_USED


def needs(found: Figures) -> list[Need]:
    """What a busy second takes, the scarcest first."""
    mails = MAILS * BUSY_HOUR_OF_MAIL / 3600
    turns = GAMES / DAYS_A_PHASE * BUSY_HOUR_OF_TURNS / 3600
    seconds = {"judge": 0.0, "database": 0.0}
    for name in seconds:
        seconds[name] = (mails * getattr(found.mail, name) + turns * getattr(found.turn, name)) / 1000
    letters = mails + turns * LETTERS_A_TURN
    commits = mails * found.mail.commits + turns * found.turn.commits
    log = (mails * found.mail.log + turns * found.turn.log) / 1000
    listed = [
        Need("hear, turn, compose, send", seconds["judge"], 1, "daemons (a core each)"),
        Need("draw", turns * PICTURES_A_TURN * found.picture[0] / 1000, 1, "cores that draw"),
        Need("the relay", letters, RELAY_CONNECTIONS / RELAY_SECONDS, "daemons that send"),
        Need("the database's processor", seconds["database"], 1, "cores of the database"),
        Need("the database's commits", commits, found.flushes, "times the disk here"),
        Need("the database's log", log, 100, "disks of 100 MB a second"),
    ]
    return sorted(listed, key=lambda need: -need.units)


def paper(found: Figures) -> str:
    """deploy/CAPACITY.md."""
    rows = needs(found)
    daemons = ceil(max(need.units for need in rows if need.unit.startswith("daemons")))
    artists = ceil(next(need.units for need in rows if need.what == "draw"))
    shared = next(need for need in rows if need.unit in OF_THE_DATABASE)
    kept = (MAILS * found.mail.kept + GAMES / DAYS_A_PHASE * found.turn.kept) / 1e6
    costs = "\n".join(
        f"| {name} | {cost.judge:.1f} ms | {cost.database:.1f} ms | {cost.commits:.1f} | {cost.log:.0f} kB | "
        f"{cost.kept:.0f} kB |"
        for name, cost in (("an order mail with its receipt", found.mail), ("a turn with its letters", found.turn))
    )
    listed = "\n".join(
        f"| {need.what} | {need.takes:.2f} of {need.gives:.0f} | {need.units:.2f} {need.unit} |" for need in rows
    )
    return f"""# What {GAMES:,} games and {MAILS:,} mails a day need

Computed by `python -m tests.bench.capacity --write` from what was measured on one machine, whose processor takes
{1000 * found.loop:.0f} ms for a million rounds of a plain loop. It is a plan, not a measurement of such a judge.

| measured | the judge's processor | the database's | transactions | log | stays |
|---|---|---|---|---|---|
{costs}

A map takes {found.picture[0]:.0f} ms and {found.picture[1]:.0f} kB. One connection commits {found.flushes:.0f} times a
second here.

Assumed, as `capacity.py` has it for whoever wants to assume something else:

- a phase each {DAYS_A_PHASE} days, {LETTERS_A_TURN} letters and {PICTURES_A_TURN} map a turn;
- in the busiest hour {BUSY_HOUR_OF_MAIL:.0%} of a day's mails and {BUSY_HOUR_OF_TURNS:.0%} of its turns;
- a relay that takes {1000 * RELAY_SECONDS:.0f} ms for a letter, on {RELAY_CONNECTIONS} connections of each daemon;
- nothing used for more than {WELL_USED:.0%} of the time.

In a second of that hour, the scarcest first:

| step | takes, of what one gives | needs |
|---|---|---|
{listed}

**What breaks first is {rows[0].what}.** {daemons} daemons do all of it, on a core each, and {artists} more for maps. Of
these there can be more. Of the one database there cannot: {shared.what} reach their end first, at
{1 / shared.units:.1f} times this load. Every transaction is counted as a flush of the disk, though several share one.

Each daemon opens at most {CONNECTIONS} connections, {daemons * CONNECTIONS} together (`max_connections`, or PgBouncer
in session mode). The database grows by {kept:.0f} GB a day until mails and letters are purged.

Not in these figures: deadlines that all fall on one minute (`tests/bench/storm.py`), and what has the whole judge for
itself (new persons, lists, zines, commands of the shell), while which all daemons wait.
"""


def main() -> None:
    if reason := missing():
        sys.exit(reason)
    text = paper(measure())
    print(text)
    if "--write" in sys.argv[1:]:
        PAPER.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
