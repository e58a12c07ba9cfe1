"""`judge mail` and `judge inbox`: a mail program in two commands, for local play and for trying things out."""

from __future__ import annotations

import email
import email.policy
import json
import smtplib
import sys
from contextlib import suppress
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from pathlib import Path
from typing import Any

import click

from judge.cli.common import configured, json_option, say_json
from judge.clock import SystemClock
from judge.config import Config
from judge.transport.listener import CannotListen, read_endpoint
from judge.transport.maildir_out import LocalMail, mailboxes, read_mailbox


@click.command("mail")
@click.option("--from", "sender", required=True, metavar="ADDRESS", help="Who writes.")
@click.option("--to", "recipient", metavar="ADDRESS", help="To whom (default: the judge).")
@click.option("--subject", default="", help="The subject.")
@click.option("--reply", type=int, metavar="N", help="Answer letter N of your inbox (0: the last one).")
@click.argument("text", nargs=-1)
@click.pass_context
def mail_command(
    context: click.Context, sender: str, recipient: str | None, subject: str, reply: int | None, text: tuple[str, ...]
) -> None:
    """Send one mail through the judge's listener. TEXT: its lines, each in quotes; none: standard input."""
    config = configured(context)
    answered = _letter(config, sender, reply) if reply is not None else None
    message = EmailMessage()
    message["From"] = sender
    message["To"] = recipient or (str(answered["Reply-To"] or answered["From"]) if answered else config.address)
    message["Subject"] = subject or (f"Re: {answered['Subject']}" if answered else "")
    message["Date"] = format_datetime(SystemClock().now())
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2] or "localhost")
    if answered:
        message["In-Reply-To"] = str(answered["Message-ID"])
    message.set_content("\n".join(text) + "\n" if text else sys.stdin.read())
    host, port = _listener(config)
    try:
        with smtplib.SMTP(host, port, timeout=30) as smtp:
            smtp.send_message(message, from_addr=sender, to_addrs=[_bare(str(message["To"]))])
    except smtplib.SMTPRecipientsRefused as error:
        code, answer = next(iter(error.recipients.values()))
        raise click.ClickException(
            f"the judge refused the address: {code} {answer.decode(errors='replace')}"
        ) from error
    except OSError as error:
        raise click.ClickException(f"no judge listens on {host}:{port} ({error}); start one with: judge run") from error
    click.echo(f"Sent to {message['To']}. Read the answer with: judge inbox {sender}")


@click.command("inbox")
@click.argument("address", required=False)
@click.argument("number", required=False, type=int)
@click.option("--all", "everything", is_flag=True, help="Print every letter, not only the last one.")
@json_option
@click.pass_context
def inbox_command(
    context: click.Context, address: str | None, number: int | None, *, everything: bool, as_json: bool
) -> None:
    """Read the local mail of ADDRESS: a list and the last letter, or letter NUMBER. Without ADDRESS: who has mail."""
    config = configured(context)
    root = config.var / "mail"
    if address is None:
        for name in mailboxes(root):
            click.echo(name)
        return
    letters = read_mailbox(root, address)
    if number is not None:
        letters = [letter for letter in letters if letter.number == number]
        if not letters:
            raise click.ClickException(f"{address} has no letter {number}")
    if as_json:
        for letter in letters:
            say_json(_facts(letter))
        return
    _print(address, letters, everything=everything or number is not None)


def _print(address: str, letters: list[LocalMail], *, everything: bool) -> None:
    if not letters:
        click.echo(f"There is no mail for {address}.")
        return
    if not everything:
        for letter in letters:
            click.echo(f"{letter.number:>4}  {_facts(letter)['subject']}")
        click.echo()
        letters = letters[-1:]
    for letter in letters:
        facts = _facts(letter)
        for name in ("from", "to", "subject", "date", "reply_to"):
            click.echo(f"{name.replace('_', '-').capitalize()}: {facts[name]}")
        click.echo()
        click.echo(facts["text"])


def _facts(letter: LocalMail) -> dict[str, Any]:
    message = email.message_from_bytes(letter.raw, policy=email.policy.default)
    body = message.get_body(preferencelist=("plain",)) if isinstance(message, EmailMessage) else None
    return {
        "number": letter.number,
        "from": str(message["From"]),
        "to": str(message["To"]),
        "subject": str(message["Subject"]),
        "date": str(message["Date"]),
        "reply_to": str(message["Reply-To"] or ""),
        "message_id": str(message["Message-ID"]),
        "text": body.get_content() if body is not None else "",
    }


def _letter(config: Config, address: str, number: int) -> Any:
    letters = read_mailbox(config.var / "mail", address)
    wanted = [letter for letter in letters if number in (0, letter.number)]
    if not wanted:
        raise click.ClickException(f"{address} has no letter {number or 'yet'}; see: judge inbox {address}")
    return email.message_from_bytes(wanted[-1].raw, policy=email.policy.default)


def _listener(config: Config) -> tuple[str, int]:
    place = config.smtp_listen
    written = Path(config.var / "listen.json")
    with suppress(FileNotFoundError, ValueError):
        place = json.loads(written.read_text(encoding="utf-8"))["smtp"]
    try:
        endpoint = read_endpoint(place)
    except CannotListen as error:
        raise click.ClickException(f"the judge takes no mail by SMTP here ({error})") from error
    return endpoint.host, endpoint.port


def _bare(address: str) -> str:
    return address.rpartition("<")[2].rstrip(">").strip() if "<" in address else address.strip()
