"""`judge feed`: mail from files or standard input, as a mail server's pipe delivers it. Exit codes are sysexits.

Exit 0 once every mail is safely stored, whatever its verdict; 75 when it could not be stored; 64 for a usage error.
`--dry-run` shows what would happen and commits nothing; it answers for any bytes whatsoever.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from judge.cli.common import judge as _open
from judge.cli.common import say_json
from judge.service.core.judge import Judge
from judge.service.intake.door import dry_run, new_mail
from judge.service.intake.worker import Worker
from judge.service.pictures.gallery import Gallery
from judge.service.posting.operator import tell_operator
from judge.service.posting.post import Post
from judge.service.trust.heard import Taken
from judge.store import StoreTrouble
from judge.store.rows import Duplicate, MailState
from judge.transport.ports import Arrival

EX_USAGE, EX_TEMPFAIL = 64, 75


class _Usage(click.UsageError):
    exit_code = EX_USAGE


class _Feed(click.Command):
    """Usage errors end with 64, and whatever keeps a mail from being stored with 75: the mail server keeps it then."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.UsageError, click.exceptions.Exit):
            raise
        except click.ClickException as error:
            click.echo(error.message, err=True)
        except Exception as error:
            click.echo(f"the mail was not stored: {type(error).__name__}: {error}", err=True)
        ctx.exit(EX_TEMPFAIL)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        try:
            return super().make_context(*args, **kwargs)
        except click.UsageError as error:
            raise _Usage(error.message, error.ctx) from error


@click.command("feed", cls=_Feed)
@click.option("--rcpt", metavar="ADDR", help="The envelope recipient (else Delivered-To, X-Original-To, To).")
@click.option(
    "--sender", metavar="ADDR", help='The envelope sender; "<>" or "" is the null sender of bounces (default: unknown).'
)
@click.option("--received", metavar="ISO", help="When it arrived (default: now).")
@click.option("--dry-run", is_flag=True, help="Show what would happen; commit nothing.")
@click.option("--json", "as_json", is_flag=True, help="One object per mail.")
@click.argument("files", nargs=-1, type=click.Path(dir_okay=False))
@click.pass_context
def feed_command(
    context: click.Context,
    *,
    rcpt: str | None,
    sender: str | None,
    received: str | None,
    dry_run: bool,
    as_json: bool,
    files: tuple[str, ...],
) -> None:
    """Take mail from FILES, or one mail from standard input."""
    moment = _moment(received)
    rcpt, sender = _text(rcpt), _text(sender)
    mails = _read(files)
    with _open(context, upgrade=True) as judge:
        for name, raw in mails:
            arrival = _arrival(judge, raw, rcpt, sender, moment)
            taken = _rehearse(judge, arrival) if dry_run else _take(judge, arrival)
            _show(_text(name) or name, taken, as_json=as_json)


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise _Usage(f'--received: "{text}" is no ISO time; write one like 2027-01-08T12:00Z') from error
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _text(word: str | None) -> str | None:
    """A word of the mail server's as text, whatever bytes it is made of."""
    return (
        None
        if word is None
        else os.fsencode(word).decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    )


def _read(files: tuple[str, ...]) -> list[tuple[str, bytes]]:
    if not files:
        return [("-", sys.stdin.buffer.read())]
    try:
        return [(name, Path(name).read_bytes()) for name in files]
    except OSError as error:
        raise _Usage(f"{_text(str(error.filename))}: {error.strerror}") from error
    except ValueError as error:  # a name with a zero byte
        raise _Usage(str(error)) from error


def _arrival(judge: Judge, raw: bytes, rcpt: str | None, sender: str | None, moment: datetime | None) -> Arrival:
    return Arrival(
        raw=raw,
        source="pipe",
        transport_key=f"pipe:{secrets.token_hex(16)}",
        mail_from=_envelope_sender(sender),
        rcpt_to=(rcpt,) if rcpt else (),
        received_at=moment or judge.clock.now(),
        peer="",
    )


def _envelope_sender(text: str | None) -> str:
    """The envelope sender as the inbox keeps it: "<>" for the null sender, "" where nobody knows it. Postfix writes
    MAILER-DAEMON for the null sender unless it is told otherwise, others nothing at all.

    >>> [_envelope_sender(text) for text in ("<>", "", "MAILER-DAEMON", "<anna@x.test>", None)]
    ['<>', '<>', '<>', 'anna@x.test', '']
    """
    if text is None:
        return ""
    bare = text.strip().removeprefix("<").removesuffix(">").strip()
    return "<>" if bare.upper() in ("", "MAILER-DAEMON") else bare


def _take(judge: Judge, arrival: Arrival) -> Taken:
    """Store the mail, then take it at once. Once it is stored nothing that happens later is the sender's trouble."""
    with judge.store.write() as unit:
        receipt = unit.inbox.put(new_mail(judge, arrival))
    if isinstance(receipt, Duplicate):
        return Taken("ignored", f"a duplicate of mail {receipt.first_id}")
    worker = Worker(judge)
    try:
        worker.drain()
        Post(judge, _NoCourier(), gallery=_daemons_gallery(judge)).compose_all()
    except Exception as error:
        with suppress(StoreTrouble):
            worker.put_back()
        why = error if isinstance(error, StoreTrouble) else type(error).__name__
        return Taken("held", f"stored; it will be taken when the judge is well again ({why})")
    with judge.store.read() as view:
        mail = view.inbox.get(receipt.id)
    if mail.state is MailState.DUPLICATE:
        return Taken("ignored", f"a duplicate of mail {mail.first_id}")
    return _recorded(mail.state, mail.verdict, mail.reason)


def _recorded(state: MailState, verdict: str | None, reason: str | None) -> Taken:
    if verdict:
        return Taken(**json.loads(verdict))
    return Taken(str(state) if state is not MailState.NEW else "held", reason or "")


def _rehearse(judge: Judge, arrival: Arrival) -> Taken:
    return dry_run(judge, arrival)


def _daemons_gallery(judge: Judge) -> Gallery | None:
    """What is drawn is there; letters that show what is not wait for the daemon, which draws."""
    return Gallery(judge, None, tell_operator) if judge.config.pictures else None


class _NoCourier:
    """`feed` composes letters; the daemon carries them."""

    def deliver(self, batch: Any, /) -> Any:
        return iter(())

    def close(self) -> None:
        """Nothing is open."""


def _show(name: str, taken: Taken, *, as_json: bool) -> None:
    if as_json:
        say_json({"file": name, **taken.facts()})
        return
    click.echo(f"{name}: {taken.verdict}{' - ' + taken.reason if taken.reason else ''}")
    for command in taken.commands:
        order = f" -> {command['order']}" if command["order"] else ""
        click.echo(
            f"  {command['line']:>3}  {command['status']:<8} {command['text']}{order}  {command['reason']}".rstrip()
        )
    for line in taken.unread:
        click.echo(f"  {line['line']:>3}  unread   {line['text']}  {line['reason']}")
    for letter in taken.letters:
        click.echo(f"  letter   {letter['kind']} to {letter['to']}: {letter['subject']}")
    for text in taken.texts:
        click.echo("\n" + text)
