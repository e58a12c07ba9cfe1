"""`judge doctor`: is everything as it should be? Each finding says what to do. Exit 1 if something is wrong."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta

import click

from judge import resources
from judge.cli.common import configured, json_option, say_json
from judge.config import Config, secrets_missing
from judge.mail.headers import self_test
from judge.service.core.house import House, open_house
from judge.service.core.privacy import open_to_others
from judge.service.core.systems import Shelf
from judge.service.upkeep.recovering import trust_database
from judge.store import SchemaState, StoreError, check, check_soundness, marker_state
from judge.store.rows import DeliveryState, MailState


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One check: what was checked, whether it passed, and what to do if not."""

    what: str
    well: bool
    say: str


@click.command("doctor")
@click.option("--trust-database", is_flag=True, help="The restored database is the right one: go on with it.")
@json_option
@click.pass_context
def doctor_command(context: click.Context, *, trust_database: bool, as_json: bool) -> None:
    """Look after configuration, database, queues, boards and this Python."""
    config = configured(context)
    findings = [*_python(), *_boards(config), *_files(config), *_database(config, trust=trust_database)]
    for finding in findings:
        if as_json:
            say_json({"what": finding.what, "ok": finding.well, "say": finding.say})
        else:
            click.echo(f"{'ok   ' if finding.well else 'WRONG'}  {finding.what}: {finding.say}")
    if not all(finding.well for finding in findings):
        context.exit(1)


def _python() -> list[Diagnosis]:
    version = ".".join(str(part) for part in sys.version_info[:3])
    found = [Diagnosis("python", sys.version_info >= (3, 11), version)]
    try:
        self_test()
    except RuntimeError as error:
        return [*found, Diagnosis("header injection", False, str(error))]
    return [*found, Diagnosis("header injection", True, "an evil subject stays inside its line")]


def _boards(config: Config) -> list[Diagnosis]:
    maps = config.maps or resources.folder("maps")
    shelf = Shelf(maps)
    found = []
    for name in shelf.boards():
        try:
            board = shelf.board(name)
            found.append(Diagnosis(f"board {name}", True, f"{len(board.provinces)} spaces"))
        except Exception as error:
            found.append(Diagnosis(f"board {name}", False, f"{error}; see: judge map lint {name}"))
    return found or [Diagnosis("boards", False, f"there are none in {maps}; mend paths.maps")]


def _files(config: Config) -> list[Diagnosis]:
    wrong = secrets_missing(config)
    found = [Diagnosis("passwords", not wrong, "; ".join(wrong) or "every file that is named can be read")]
    bare = list(open_to_others(config))
    say = "nobody else may read our files"
    if bare:
        say = f"others may read or write {len(bare)} of our files, such as {bare[0]}; mend: chmod -R go= {config.var}"
    return [*found, Diagnosis("privacy", not bare, say)]


def _database(config: Config, *, trust: bool) -> list[Diagnosis]:
    try:
        schema = check(config.database, migrations=resources.folder("migrations"))
        if schema.state is not SchemaState.OK:
            return [Diagnosis("database", False, f"{schema.state}; run: judge db upgrade")]
        check_soundness(config.database, thorough=True)
        house = open_house(config)
    except StoreError as error:
        return [Diagnosis("database", False, str(error))]
    with closing(house):
        return [
            Diagnosis("database", True, f"schema {schema.found}, every page is sound"),
            *_contents(house, trust=trust),
        ]


def _contents(house: House, *, trust: bool) -> list[Diagnosis]:
    found: list[Diagnosis] = []
    config = house.config
    path = config.var / "generation.json"
    if trust:
        trust_database(house, path)
    marker = marker_state(house.store, path)
    say = (
        "of this judge"
        if marker.trusted
        else "looks like a restored backup; if it is right: judge doctor --trust-database"
    )
    found.append(Diagnosis("database marker", marker.trusted, say))
    now = house.clock.now()
    with house.store.read() as view:
        mails = view.inbox.counts()
        letters = view.outbox.counts()
        oldest = view.outbox.oldest_open()
        paused = view.outbox.paused()
    quarantined = mails.get(MailState.QUARANTINED, 0)
    found.append(Diagnosis("quarantine", quarantined == 0, f"{quarantined} mails; see: judge quarantine list"))
    held = mails.get(MailState.HELD, 0)
    found.append(
        Diagnosis("held mails", True, f"{held} wait to be confirmed" + ("; see: judge quarantine list" * (held > 0)))
    )
    found.append(Diagnosis("outbox", paused is None, f"paused: {paused}" if paused else "letters may go"))
    stuck = oldest is not None and now - oldest > timedelta(hours=4)
    waiting = sum(n for state, n in letters.items() if state not in (DeliveryState.SENT, DeliveryState.FAILED))
    found.append(Diagnosis("letters", not stuck, f"{waiting} waiting" + ("; see: judge outbox list" if stuck else "")))
    return found
