"""`judge faults`: breaks a judge of its own in every way that is listed, and says what came of it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click

from judge.cli.common import json_option, say_json, table
from judge.testing.faults.breakage import FAULTS, Breakage
from judge.testing.faults.findings import Findings
from judge.testing.faults.troubles import play


@click.command("faults")
@click.argument("names", nargs=-1)
@click.option("--scale", type=click.IntRange(1, 100), default=1, show_default=True, help="More deaths, more mails.")
@click.option("--list", "only_list", is_flag=True, help="Say which there are, and break nothing.")
@json_option
@click.pass_context
def faults_command(
    context: click.Context, names: tuple[str, ...], *, scale: int, only_list: bool, as_json: bool
) -> None:
    """Break a judge under load, mend it, and count the mails that were lost and the answers that were false.

    Each fault is tried on a temporary judge: a process of its own with games, players and a relay on loopback.
    Without NAMES all of them.
    """
    if unknown := [name for name in names if name not in FAULTS]:
        raise click.BadParameter(f"there is no fault {unknown[0]!r}; there are {', '.join(FAULTS)}")
    chosen = [FAULTS[name] for name in names or FAULTS]
    if only_list:
        table([(fault.name, fault.what) for fault in chosen], ("fault", "what breaks"))
        return
    wrong = 0
    for fault in chosen:
        if fault.root and os.geteuid() != 0:
            _say_skipped(fault, as_json=as_json)
            continue
        with tempfile.TemporaryDirectory(prefix="judge-faults-") as folder:
            findings = play(fault.name, Path(folder), scale=scale)
        wrong += not findings.good
        _say(fault, findings, as_json=as_json)
    context.exit(1 if wrong else 0)


def _say_skipped(fault: Breakage, *, as_json: bool) -> None:
    if as_json:
        say_json({"fault": fault.name, "tried": False, "why": "only root can cause it"})
    else:
        click.echo(f"{fault.name}: NOT TRIED, only root can cause it")


def _say(fault: Breakage, findings: Findings, *, as_json: bool) -> None:
    if as_json:
        facts = {name: getattr(findings, name) for name in ("mails", "letters", "twice", "lost", "false", "noticed")}
        say_json({"fault": fault.name, "tried": True, **facts, "told": dict(findings.told)})
        return
    click.echo(
        f"{fault.name}: {fault.what}\n  {findings.mails} mails, lost {len(findings.lost)}, false answers "
        f"{len(findings.false)}; {findings.letters} letters arrived, {findings.twice} of them a second time"
    )
    for label, lines in (("LOST", findings.lost), ("FALSE", findings.false), ("noticed", findings.noticed)):
        for line in lines[:10]:
            click.echo(f"  {label}: {line}")
    for subject, number in findings.told:
        click.echo(f"  told {number} times: {subject}")
