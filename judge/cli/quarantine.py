"""`judge quarantine`: mails that made the judge stumble, set aside until the operator has looked."""

from __future__ import annotations

import click

from judge.cli.common import NUMBER, house, json_option, say_json, table
from judge.store.rows import Mail, MailState


@click.group("quarantine")
def quarantine_group() -> None:
    """Mails that could not be processed, and mails that wait for a word: look at them, try again, or drop them."""


@quarantine_group.command("list")
@json_option
@click.pass_context
def list_command(context: click.Context, *, as_json: bool) -> None:
    """What is set aside, and what is held until its supposed author confirms it."""
    with house(context) as home, home.store.read() as view:
        mails = view.inbox.list(states=(MailState.QUARANTINED,), limit=1000)
        held = view.inbox.list(states=(MailState.HELD,), limit=1000)
    if as_json:
        for mail in (*mails, *held):
            say_json(_facts(mail))
        return
    if mails:
        rows = [(str(m.id), _arrived(m), m.sender or "?", m.game or "", _why(m)) for m in mails]
        table(rows, ("no.", "arrived", "from", "game", "why"))
    else:
        click.echo("Nothing is in quarantine.")
    if held:
        click.echo("\nHeld until confirmed:")
        table(
            [(str(m.id), _arrived(m), m.sender or "?", _speaks_for(m), _why(m)) for m in held],
            ("no.", "arrived", "from", "speaks for", "why"),
        )


@quarantine_group.command("show")
@click.argument("number", type=NUMBER)
@click.pass_context
def show_command(context: click.Context, number: int) -> None:
    """The traceback and the raw mail."""
    with house(context) as home, home.store.read() as view:
        mail, raw = view.inbox.get(number), view.inbox.raw(number)
    click.echo(mail.traceback or mail.reason or "(no traceback)")
    click.echo("-" * 78)
    click.echo((raw or b"(the bytes were purged)").decode("utf-8", "replace"))


@quarantine_group.command("retry")
@click.argument("number", type=NUMBER)
@click.pass_context
def retry_command(context: click.Context, number: int) -> None:
    """Give a mail three new attempts."""
    with house(context) as home, home.store.write() as unit:
        done = unit.inbox.retry(number, home.clock.now())
    _report(number, "will be tried again", done=done)


@quarantine_group.command("drop")
@click.argument("number", type=NUMBER)
@click.option("--reason", default="dropped by the operator")
@click.pass_context
def drop_command(context: click.Context, number: int, reason: str) -> None:
    """Throw a mail away; its row stays in the log."""
    with house(context) as home, home.store.write() as unit:
        done = unit.inbox.drop(number, home.clock.now(), reason=reason)
    _report(number, "is dropped", done=done)


def _report(number: int, what: str, *, done: bool) -> None:
    if not done:
        raise click.ClickException(f"mail {number} is not in quarantine")
    click.echo(f"Mail {number} {what}.")


def _arrived(mail: Mail) -> str:
    return f"{mail.arrived_at:%Y-%m-%d %H:%M}Z"


def _speaks_for(mail: Mail) -> str:
    """The seats whose turns may wait for this mail; else the game that it is about."""
    found = (claim.split(" ") for claim in mail.claims)
    return ", ".join(f"{game} seat {seat}" for game, seat, *_ in found) or mail.game or ""


def _why(mail: Mail) -> str:
    lines = (mail.traceback or mail.reason or "").strip().splitlines()
    return lines[-1][:60] if lines else ""


def _facts(mail: Mail) -> dict[str, object]:
    return {
        "number": mail.id,
        "state": str(mail.state),
        "arrived": mail.arrived_at.isoformat(),
        "from": mail.sender,
        "game": mail.game,
        "claims": list(mail.claims),
        "attempts": mail.attempts,
        "why": _why(mail),
    }
