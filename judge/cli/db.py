"""`judge db`: the schema of the database."""

from __future__ import annotations

import click

from judge import resources
from judge.cli.common import configured, json_option, say_json
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
