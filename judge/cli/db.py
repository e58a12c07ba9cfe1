"""`judge db`, `replay`, `backup` and `restore`: the schema of the database, games rebuilt from their events or judged
again, copies of everything, and the way back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import click

from judge import resources
from judge.cli.common import configured, json_option, judge, say_json
from judge.clock import SystemClock
from judge.config import Config
from judge.daemon.continuity import Alone, NotAlone, lock_of, running_since
from judge.report.core.naming import many
from judge.service.core.judge import open_judge
from judge.service.upkeep.backups import Verified, back_up, restore, thin_out, verify
from judge.service.upkeep.moving import Replayed, adjudicate_again, rebuild_all
from judge.store import MARKER_FILE, SchemaState, StoreError, advance_marker, check, transfer, upgrade
from judge.store.engine import is_sqlite, parse
from judge.store.meta import LostTime


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
    with closing(open_judge(config)) as home, home.store.read() as view:
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
        with closing(open_judge(there)) as home:
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
    with judge(context) as home:
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


FILE = click.Path(path_type=Path)


@click.command("backup")
@click.argument("target", metavar="FILE", type=FILE)
@click.option("--verify", "only_verify", is_flag=True, help="Make none: see whether FILE could be restored.")
@click.option("--keep", type=click.IntRange(1), metavar="N", help="FILE is a folder: keep the last N backups in it.")
@json_option
@click.pass_context
def backup_command(context: click.Context, target: Path, *, only_verify: bool, keep: int | None, as_json: bool) -> None:
    """Copy the database to FILE while the judge runs, and verify the copy.

    FILE may be a folder: the backup gets a dated name in it. Verifying reads every page and builds every game again
    from its events. Configuration, password files and keys are not in it: keep copies of them, too.
    """
    if only_verify:
        _say(verify(configured(context), target), "can be restored", as_json=as_json)
        return
    if keep is not None and not target.is_dir():
        raise click.UsageError(f"--keep is for a folder of backups, and there is no folder {target}")
    config = configured(context)
    made = back_up(config, target, SystemClock(), stopped=running_since(config) is None)
    _say(made, "is a verified backup", as_json=as_json)
    for old in thin_out(target, keep=keep) if keep is not None else ():
        if not as_json:
            click.echo(f"{old} is removed.")


@click.command("restore")
@click.argument("backup", metavar="FILE", type=FILE)
@click.option(
    "--moved",
    is_flag=True,
    help="The judge was stopped when FILE was made, and has not run since: nothing is lost, no letter is kept back.",
)
@json_option
@click.pass_context
def restore_command(context: click.Context, backup: Path, *, moved: bool, as_json: bool) -> None:
    """Put a backup where the configuration has its database, and nothing is yet.

    Nothing is sent twice: letters that were on their way are kept back. When the judge runs again it asks its mailboxes
    once more for what came since, and tells operator and games what is lost. Not so with --moved, for a judge that goes
    on elsewhere where it was stopped.
    """
    config = configured(context)
    alone = Alone(lock_of(config))
    try:
        alone.take()
    except NotAlone as error:
        raise click.ClickException(str(error)) from error
    try:
        done = restore(config, backup, SystemClock(), moved=moved)
    finally:
        alone.free()
    if as_json:
        say_json({**_facts(done.verified), "database": str(done.database), **_losses(done.lost)})
        return
    click.echo(f"{done.database} is restored: {_contents(done.verified)}.")
    for line in _what_now(config, done.lost):
        click.echo(line)


def _losses(lost: LostTime | None) -> dict[str, object]:
    if lost is None:
        return {"lost": None, "held": 0}
    return {"lost": {"since": lost.since.isoformat(), "until": lost.until.isoformat()}, "held": lost.kept_back}


def _what_now(config: Config, lost: LostTime | None) -> Iterator[str]:
    yield from _what_is_lost(config, lost) if lost else ("Nothing is lost: its judge had been stopped.",)
    yield "Start it: systemctl start judge, or judge run"


def _what_is_lost(config: Config, lost: LostTime) -> Iterator[str]:
    yield f"It knows nothing of what happened after {lost.since:%a %d %b %Y %H:%M} UTC."
    if lost.kept_back:
        held = many(lost.kept_back, "letter")
        yield f"{held} on their way then are kept back, since they may have gone: judge outbox list"
    if config.imap or config.maildir:
        yield "When it runs it fetches once more what came since, and tells you and every game what is lost."
    else:
        yield "When it runs it tells you and every game what is lost. Mail by SMTP or LMTP is lost too, unless your"
        yield "mail server keeps copies: those go in with judge feed, before the games go on."


def _say(backup: Verified, verdict: str, *, as_json: bool) -> None:
    if as_json:
        say_json(_facts(backup))
    else:
        click.echo(f"{backup.facts.path} {verdict}: {_contents(backup)}.")


def _contents(backup: Verified) -> str:
    facts = backup.facts
    taken = f"taken {facts.taken_at:%a %d %b %Y %H:%M} UTC, " if facts.taken_at else ""
    return (
        f"{taken}{facts.size / 1e6:.1f} MB, schema {facts.schema}; {many(backup.games, 'game')} built again from "
        f"{many(backup.events, 'event')}, {many(backup.mails, 'mail')}, {many(backup.letters, 'letter')}"
    )


def _facts(backup: Verified) -> dict[str, object]:
    facts = backup.facts
    return {
        "backup": str(facts.path),
        "taken_at": facts.taken_at.isoformat() if facts.taken_at else None,
        "bytes": facts.size,
        "schema": facts.schema,
        "stopped": facts.stopped,
        "games": backup.games,
        "events": backup.events,
        "mails": backup.mails,
        "letters": backup.letters,
    }
