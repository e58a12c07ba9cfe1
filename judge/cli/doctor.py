"""`judge doctor`: is everything as it should be? Each finding says what to do. Exit 1 if something is wrong."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

import click

from judge.cli.common import configured, json_option, say_json
from judge.cli.examine import keeping, machine, names, ways
from judge.cli.examine.finding import Diagnosis, Health
from judge.config import Config
from judge.service.core.house import open_house
from judge.store import StoreError


@click.command("doctor")
@click.option("--trust-database", is_flag=True, help="The restored database is the right one: go on with it.")
@click.option("--mail", "by_mail", is_flag=True, help="Send a mail to ourselves, too; it has to come back.")
@click.option("--patience", type=click.IntRange(1), default=120, show_default=True, help="Seconds to wait for it.")
@click.option("--offline", is_flag=True, help="Ask nobody: no name server, no relay, no mailbox.")
@click.option("--nameserver", default="", metavar="HOST[:PORT]", help="Ask this name server instead of the system's.")
@json_option
@click.pass_context
def doctor_command(
    context: click.Context,
    *,
    trust_database: bool,
    by_mail: bool,
    patience: int,
    offline: bool,
    nameserver: str,
    as_json: bool,
) -> None:
    """Check the machine, the files, the database, the queues, the DNS and how mail comes and goes.

    "look": nothing is broken, but you should know. "WRONG": mend it; the exit status is 1 then.
    """
    config = configured(context)
    findings = []
    for finding in (
        *_here(config, trust=trust_database),
        *(() if offline else _outside(config, nameserver)),
        *(_by_mail(config, patience) if by_mail else ()),
    ):
        findings.append(finding)
        _say(finding, as_json=as_json)
    if not all(finding.well for finding in findings):
        context.exit(1)


def _here(config: Config, *, trust: bool) -> Iterator[Diagnosis]:
    """What can be seen without asking anybody."""
    yield from machine.python()
    yield from machine.boards(config)
    yield from machine.fonts()
    yield from machine.files(config)
    yield machine.disk(config)
    yield machine.clock()
    yield from keeping.database(config, trust=trust)
    try:
        house = open_house(config)
    except StoreError:
        return  # said above
    with closing(house):
        yield from ways.verdicts(house)


def _outside(config: Config, nameserver: str) -> Iterator[Diagnosis]:
    """What others say: name servers, relay, mailboxes."""
    yield from names.names(config, names.resolver(nameserver), anyway=bool(nameserver))
    yield ways.relay(config)
    yield from ways.mailboxes(config)


def _by_mail(config: Config, patience: int) -> Iterator[Diagnosis]:
    try:
        house = open_house(config)
    except StoreError:
        return
    with closing(house):
        yield ways.round_trip(house, patience=timedelta(seconds=patience))


def _say(finding: Diagnosis, *, as_json: bool) -> None:
    if as_json:
        say_json(
            {
                "what": finding.what,
                "ok": finding.well,
                "health": str(finding.health).lower(),
                "say": finding.say,
                "mend": finding.mend,
            }
        )
        return
    click.echo(f"{finding.health:<5}  {finding.what}: {finding.say}")
    if finding.mend and finding.health is not Health.OK:
        click.echo(textwrap.indent(f"mend: {finding.mend}", " " * 7))
