"""`judge db` and `judge replay`: the schema of the database; games rebuilt from their events, or judged again."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import click

from judge import resources
from judge.cli.common import configured, house, json_option, say_json
from judge.config import Config
from judge.daemon.continuity import Alone, NotAlone, lock_of
from judge.report.core.naming import many
from judge.service.core.house import open_house
from judge.service.turning.replaying import Replayed, adjudicate_again, rebuild_all
from judge.store import MARKER_FILE, SchemaState, StoreError, advance_marker, check, transfer, upgrade
from judge.store.engine import is_sqlite, parse


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
    if done.before == done.after:
        click.echo(f"The database is up to date ({done.after}).")
        return
    click.echo(f"The database is at {done.after} now; it was at {done.before or 'nothing'}.")
    if done.snapshot is not None:
        click.echo(f"As it was before, it is in {done.snapshot}")


def _at_work(config: Config) -> list[str]:
    """The daemons that work on a PostgreSQL; the one of an SQLite holds the lock."""
    if is_sqlite(parse(config.database)):
        return []
    with closing(open_house(config)) as home, home.store.read() as view:
        return [one.owner for one in view.daemons.others("")]


@db_group.command("move")
@click.argument("url")
@click.pass_context
def move_command(context: click.Context, url: str) -> None:
    """Move everything into the database at URL, which must be empty: from SQLite to a PostgreSQL, or back.

    Stop the judge first. Every table is compared afterwards, and every game is built again from its events. The old
    database stays as it is; a judge that is started on it by mistake writes to its operator alone.
    """
    config = configured(context)
    there = replace(config, store_url=url)
    locks = [Alone(path) for path in sorted({lock_of(config), lock_of(there)})]
    try:
        for lock in locks:
            lock.take()
        if others := _at_work(config):
            raise click.ClickException(f"a judge runs on this database ({', '.join(others)}); stop it first")
        moved = transfer(config.database, there.database, migrations=resources.folder("migrations"))
        with closing(open_house(there)) as home:
            drift = [found for found in rebuild_all(home, ()) if found.drift]
            for found in drift:
                click.echo(f"{found.game}: DRIFT")
            if drift:
                raise click.ClickException("not as recorded: go on with the old database, and report it")
            advance_marker(home.store, config.var / MARKER_FILE)
    except NotAlone as error:
        raise click.ClickException(str(error)) from error
    finally:
        for lock in locks:
            lock.free()
    rows, parsed = sum(moved.values()), parse(url)
    click.echo(
        f"{many(rows, 'row')} of {many(len(moved), 'table')} went over; every table is equal, every game as recorded."
    )
    shown = parsed.render_as_string() if parsed.password else url  # with *** for the password
    click.echo(f'Now write url = "{shown}" under [store] in judge.toml, and start the judge.')


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
