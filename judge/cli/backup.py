"""`judge backup` and `judge restore`: a copy of everything that the judge must not lose, and the way back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from judge.cli.common import configured, json_option, say_json
from judge.clock import SystemClock
from judge.config import Config
from judge.daemon.continuity import Alone, NotAlone, lock_of, running_since
from judge.report.core.naming import many
from judge.service.upkeep.backups import Verified, back_up, restore, thin_out, verify
from judge.store.meta import LostTime

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
