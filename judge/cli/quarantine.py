"""`judge quarantine`: mails whose processing failed, set aside for the operator."""

from __future__ import annotations

import email
from collections.abc import Iterator

import click

from judge.cli.common import NUMBER, house, json_option, say_json, table
from judge.mail.envelope import read_envelope
from judge.mail.script import HIDDEN, secret_words, without_secrets
from judge.service.intake.worker import error_sentence
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
        why = {mail.id: error_sentence(_trouble(mail, view.inbox.raw(mail.id)))[:LONGEST] for mail in mails}
    why |= {mail.id: error_sentence(mail.reason or "")[:LONGEST] for mail in held}
    if as_json:
        for mail in (*mails, *held):
            say_json(_facts(mail, why[mail.id]))
        return
    if mails:
        rows = [(str(m.id), _arrived(m), m.sender or "?", m.game or "", why[m.id]) for m in mails]
        table(rows, ("no.", "arrived", "from", "game", "why"))
    else:
        click.echo("Nothing is in quarantine.")
    if held:
        click.echo("\nHeld until confirmed:")
        table(
            [(str(m.id), _arrived(m), m.sender or "?", _speaks_for(m), why[m.id]) for m in held],
            ("no.", "arrived", "from", "speaks for", "why"),
        )


@quarantine_group.command("show")
@click.argument("number", type=NUMBER)
@click.option("--raw", "as_it_came", is_flag=True, help="The bytes as they came, any passwords in them included.")
@click.pass_context
def show_command(context: click.Context, number: int, *, as_it_came: bool) -> None:
    """The traceback, and the mail as it is read: its head and its lines, without passwords."""
    with house(context) as home, home.store.read() as view:
        mail, raw = view.inbox.get(number), view.inbox.raw(number)
    if as_it_came:
        click.echo(raw or b"", nl=False)
        return
    click.echo(_trouble(mail, raw) or "(no traceback)")
    click.echo("-" * 78)
    for line in _as_read(mail, raw) if raw else ("(the bytes were purged)",):
        click.echo(line)


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


LONGEST = 60


def _trouble(mail: Mail, raw: bytes | None) -> str:
    """Traceback or reason; an exception may quote the mail, but no password of it."""
    text = mail.traceback or mail.reason or ""
    for word in secret_words(_lines(mail, raw)) if raw else ():
        text = text.replace(word, HIDDEN)
    return text


def _lines(mail: Mail, raw: bytes) -> list[str]:
    """The subject, and below it the text."""
    envelope = read_envelope(raw, mail.received_at)
    return [envelope.subject, *(line.text for line in envelope.text_lines)]


def _as_read(mail: Mail, raw: bytes) -> Iterator[str]:
    """The head and the lines, decoded; without passwords."""
    subject, *lines = without_secrets(_lines(mail, raw))
    for name, value in email.message_from_bytes(raw).items():
        yield f"{name}: {subject if name.lower() == 'subject' else value}"
    yield ""
    yield from lines


def _facts(mail: Mail, why: str) -> dict[str, object]:
    return {
        "number": mail.id,
        "state": str(mail.state),
        "arrived": mail.arrived_at.isoformat(),
        "from": mail.sender,
        "game": mail.game,
        "claims": list(mail.claims),
        "attempts": mail.attempts,
        "why": why,
    }
