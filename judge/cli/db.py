"""`judge db` and `judge replay`: the schema of the database; games rebuilt from their events, or judged again."""

from __future__ import annotations

import click

from judge import resources
from judge.cli.common import configured, house, json_option, say_json
from judge.service.turning.replaying import Replayed, adjudicate_again, rebuild_all
from judge.store import SchemaState, StoreError, check, upgrade


@click.group("db")
def db_group() -> None:
    """The database: is it up to date, and bring it there."""


@db_group.command("check")
@json_option
@click.pass_context
def check_command(context: click.Context, *, as_json: bool) -> None:
    """Whether the database fits this program; exit 1 if not."""
    config = configured(context)
    try:
        schema = check(config.database, migrations=resources.folder("migrations"))
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        say_json({"state": str(schema.state), "found": schema.found, "known": schema.known})
    else:
        click.echo(f"{schema.state}: found {schema.found or 'nothing'}, this program knows {schema.known}")
    if schema.state is not SchemaState.OK:
        context.exit(1)


@db_group.command("upgrade")
@click.pass_context
def upgrade_command(context: click.Context) -> None:
    """Make the database, or bring it up to date (an existing file is copied first)."""
    config = configured(context)
    try:
        done = upgrade(config.database, migrations=resources.folder("migrations"))
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    click.echo(str(done))


@click.command("replay")
@click.option("--rebuild", is_flag=True, help="Rebuild each game from zero and compare it with its index card.")
@click.option("--adjudicate", is_flag=True, help="Adjudicate each stored phase again and compare the results.")
@click.argument("games", nargs=-1)
@json_option
@click.pass_context
def replay_command(
    context: click.Context, *, rebuild: bool, adjudicate: bool, games: tuple[str, ...], as_json: bool
) -> None:
    """Replay GAMES (default: all). Exit 1 if anything differs."""
    if not rebuild and not adjudicate:
        raise click.UsageError("say what to do: --rebuild or --adjudicate")
    findings: list[Replayed] = []
    with house(context) as home:
        if rebuild:
            findings += rebuild_all(home, games)
        if adjudicate:
            findings += adjudicate_again(home, games)
    for finding in findings:
        if as_json:
            say_json({"game": finding.game, "phases": finding.phases, "drift": list(finding.drift)})
        else:
            click.echo(
                f"{finding.game}: {finding.phases} {finding.unit}, {'as recorded' if not finding.drift else 'DRIFT'}"
            )
            for line in finding.drift:
                click.echo(f"  {line}")
    if any(finding.drift for finding in findings):
        context.exit(1)
