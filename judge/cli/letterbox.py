"""`judge mail` and `judge inbox`: a mail program in two commands, for local play and for trying things out."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import click

from judge.browser.mailbox import Mailboxes, parts_of, text_of
from judge.cli.common import configured, json_option, say_json
from judge.clock import SystemClock
from judge.config import Config
from judge.transport.listener import CannotListen, Endpoint, read_endpoint
from judge.transport.maildir import LocalMail, folder_name, mailboxes, read_mailbox
from judge.transport.writing import MailDraft, NotSent, answer_to, compose, send

_LONGEST_LOOK = 3.0
"""Seconds in which a judge that runs has looked at its demo again, on a busy machine too."""


@click.command("mail")
@click.option("--from", "sender", required=True, metavar="ADDRESS", help="Who writes.")
@click.option("--to", "recipient", metavar="ADDRESS", help="To whom (default: the judge).")
@click.option("--subject", default="", help="The subject.")
@click.option("--reply", type=int, metavar="N", help="Answer letter N of your inbox (0: the last one).")
@click.option("--wait", type=float, default=20, metavar="SECONDS", help="For the answer, at most (default: 20).")
@click.argument("text", nargs=-1)
@click.pass_context
def mail_command(
    context: click.Context,
    sender: str,
    recipient: str | None,
    subject: str,
    reply: int | None,
    wait: float,
    text: tuple[str, ...],
) -> None:
    """Send one mail through the judge's listener. TEXT: its lines, each in quotes; none: standard input."""
    config = configured(context)
    answered = _letter(config, sender, reply) if reply is not None else None
    asked = MailDraft(recipient or "", subject, "\n".join(text) if text else sys.stdin.read())
    draft = answer_to(answered, asked) if answered else replace(asked, to=recipient or config.address)
    listener = _listener(config)
    try:
        message = compose(sender, draft, SystemClock().now(), answered)
        send(message, listener)
    except NotSent as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"Sent to {message['To']}.")
    number = None if config.relay.host else _await_answer(config, sender, str(message["Message-ID"]), wait)
    if number is None:
        click.echo(f"Read the answer with: judge inbox {sender}")
    else:
        click.echo(f"The answer is letter {number}: judge inbox {sender}")


def _await_answer(config: Config, address: str, message_id: str, patience: float) -> int | None:
    """The number of the letter that answers a mail, None if it does not come in time."""
    boxes = Mailboxes(config.var / "mail")
    end = time.monotonic() + patience
    while (found := boxes.answer_to(address, message_id)) is None and time.monotonic() < end:
        time.sleep(0.1)
    return found


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
    if not letters:
        click.echo(f"There is no mail for {address}.")
    elif everything or number is not None:
        _print(root / folder_name(address), letters)
    else:
        for heading in reversed(Mailboxes(root).headings(address)):
            click.echo(f"{heading.number:>4}  {heading.subject}")
        click.echo()
        _print(root / folder_name(address), letters[-1:])
    if waits_for := _waits_for(config, address, letters):
        click.echo(waits_for)


def _print(mailbox: Path, letters: list[LocalMail]) -> None:
    for letter in letters:
        facts = _facts(letter)
        for name in ("from", "to", "subject", "date", "reply_to"):
            click.echo(f"{name.replace('_', '-').capitalize()}: {facts[name]}")
        for file in unpack(letter.message, mailbox / "files", letter.number):
            click.echo(f"File: {from_here(file)}")
        click.echo()
        click.echo(facts["text"])


def unpack(letter: EmailMessage, folder: Path, number: int) -> list[Path]:
    """The pictures and files of a letter, which a terminal cannot show, as files of their own, called after its number.
    Raises OSError.
    """
    found = []
    for part in parts_of(letter):
        folder.mkdir(exist_ok=True)
        found.append(folder / f"{number}-{part.name}")
        found[-1].write_bytes(part.content)
    return found


def from_here(path: Path) -> str:
    """A path as somebody in this folder would type it."""
    near = os.path.relpath(path)
    return str(path) if near.startswith("..") else near


def _waits_for(config: Config, address: str, letters: list[LocalMail]) -> str:
    """What the running judge says that its demo waits for, where this is the address of whoever plays it; "" where it
    has not looked since the newest letter, which it does every second.
    """
    end = time.monotonic() + _LONGEST_LOOK
    with suppress(OSError, ValueError):
        newest = max((letter.path.stat().st_mtime_ns for letter in letters), default=0)
        while time.monotonic() < end:
            note = config.var / "waiting.json"
            known_until = note.stat().st_mtime_ns
            noted = json.loads(note.read_text(encoding="utf-8"))
            if noted["address"] != address.lower():
                return ""
            if known_until >= newest:
                return str(noted["waits_for"])
            time.sleep(0.1)
    return ""


def _facts(letter: LocalMail) -> dict[str, Any]:
    message = letter.message
    return {
        "number": letter.number,
        "from": str(message["From"]),
        "to": str(message["To"]),
        "subject": str(message["Subject"]),
        "date": str(message["Date"]),
        "reply_to": str(message["Reply-To"] or ""),
        "message_id": str(message["Message-ID"]),
        "text": text_of(message),
    }


def _letter(config: Config, address: str, number: int) -> EmailMessage:
    letters = read_mailbox(config.var / "mail", address)
    wanted = [letter for letter in letters if number in (0, letter.number)]
    if not wanted:
        raise click.ClickException(f"{address} has no letter {number or 'yet'}; see: judge inbox {address}")
    return wanted[-1].message


def _listener(config: Config) -> Endpoint:
    place = config.smtp_listen
    written = Path(config.var / "listen.json")
    with suppress(FileNotFoundError, ValueError):
        place = json.loads(written.read_text(encoding="utf-8"))["smtp"]
    try:
        return read_endpoint(place)
    except CannotListen as error:
        raise click.ClickException(f"the judge takes no mail by SMTP here ({error})") from error
