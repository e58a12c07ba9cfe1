"""`judge outbox` and `judge quarantine`: letters on their way, with the status of every recipient; mails whose
processing failed, set aside for the operator.
"""

from __future__ import annotations

import email
from collections.abc import Iterator

import click

from judge.cli.common import NUMBER, json_option, judge, say_json, table
from judge.mail.envelope import read_envelope
from judge.mail.script import HIDDEN, secret_words, without_secrets
from judge.service.intake.worker import error_sentence
from judge.service.posting.bounces import SUSPENDED
from judge.store.rows import DeliveryState, LetterState, Mail, MailState, OutboxLine


@click.group("outbox")
def outbox_group() -> None:
    """Letters on their way out: list, hold, release, try again."""


@outbox_group.command("list")
@click.option("--all", "everything", is_flag=True, help="Those already sent too.")
@click.option("--game", help="Of one game only.")
@click.option("--to", "address", metavar="ADDRESS", help="To one address only, those already sent too.")
@click.option("--limit", type=click.IntRange(min=1), default=1000, show_default=True, help="No more than the latest.")
@json_option
@click.pass_context
def list_command(
    context: click.Context, *, everything: bool, game: str | None, address: str | None, limit: int, as_json: bool
) -> None:
    """Every letter that is not yet delivered, the youngest last."""
    states = tuple(s for s in DeliveryState if everything or address or s is not DeliveryState.SENT)
    with judge(context) as home, home.store.read() as view:
        lines = view.outbox.list(states=states, game=game, address=address, limit=limit + 1, latest=True)
        paused = view.outbox.paused()
    older, lines = len(lines) > limit, lines[-limit:]
    if as_json:
        for line in lines:
            say_json(_facts(line))
        return
    if paused:
        click.echo(f"THE OUTBOX IS PAUSED: {paused}")
    if not lines:
        click.echo(f"There is no letter to {address}." if address else "The outbox is empty.")
        return
    rows = [
        (str(ln.delivery.id), f"{ln.created_at:%Y-%m-%d %H:%M}", _state(ln), str(ln.delivery.attempts), ln.kind,
         ln.game or "", ln.delivery.address, (ln.delivery.last_text or "")[:60])
        for ln in lines
    ]  # fmt: skip
    table(rows, ("no.", "written (UTC)", "state", "tries", "kind", "game", "to", "last answer"))
    if older:
        click.echo(f"There are older ones: --limit {limit * 10}")


@outbox_group.command("hold")
@click.argument("number", type=NUMBER)
@click.pass_context
def hold_command(context: click.Context, number: int) -> None:
    """Keep one delivery back."""
    with judge(context) as home, home.store.write() as unit:
        done = unit.outbox.hold(number)
    _report(number, "is held", done=done)


@outbox_group.command("release")
@click.argument("number", type=NUMBER, required=False)
@click.option("--all", "everything", is_flag=True, help="Every one that is held, but for those of suspended addresses.")
@click.pass_context
def release_command(context: click.Context, number: int | None, *, everything: bool) -> None:
    """Let a held delivery go, or all of them."""
    _one_or_all(number, everything=everything)
    with judge(context) as home, home.store.write() as unit:
        now = home.clock.now()
        done = unit.outbox.release(number, now) if number is not None else unit.outbox.release_all(now, but=SUSPENDED)
    _report(number, "may go", done=done)


@outbox_group.command("retry")
@click.argument("number", type=NUMBER, required=False)
@click.option("--all", "everything", is_flag=True, help="Every one that failed, was put off, or could not be written.")
@click.option("--to", "domain", metavar="DOMAIN", default="", help="With --all: only those to one provider.")
@click.pass_context
def retry_command(context: click.Context, number: int | None, *, everything: bool, domain: str) -> None:
    """Try a failed or deferred delivery again now, or one whose letter could not be written; or all of them."""
    _one_or_all(number, everything=everything)
    with judge(context) as home, home.store.write() as unit:
        now = home.clock.now()
        done = unit.outbox.retry(number, now) if number is not None else unit.outbox.retry_all(now, domain=domain)
    _report(number, "will be tried again", done=done)


@outbox_group.command("resume")
@click.pass_context
def resume_command(context: click.Context) -> None:
    """Lift the pause that the relay's rejection caused."""
    with judge(context) as home, home.store.write() as unit:
        unit.outbox.resume()
    click.echo("The outbox goes on.")


def _one_or_all(number: int | None, *, everything: bool) -> None:
    if (number is None) != everything:
        raise click.UsageError("name one delivery, or say --all")


def _report(number: int | None, what: str, *, done: int) -> None:
    if number is None:
        click.echo(f"{done} {'delivery' if done == 1 else 'deliveries'} {what}.")
        return
    if not done:
        raise click.ClickException(f"delivery {number} is not in a state for that; see: judge outbox list --all")
    click.echo(f"Delivery {number} {what}.")


def _state(line: OutboxLine) -> str:
    return str(line.letter_state) if line.letter_state is not LetterState.READY else str(line.delivery.state)


def _facts(line: OutboxLine) -> dict[str, object]:
    return {
        "number": line.delivery.id,
        "state": _state(line),
        "attempts": line.delivery.attempts,
        "next_try": line.delivery.next_try.isoformat() if line.delivery.next_try else None,
        "kind": line.kind,
        "game": line.game,
        "seat": line.seat,
        "to": line.delivery.address,
        "subject": line.subject,
        "written": line.created_at.isoformat(),
        "message_id": line.message_id,
        "last_code": line.delivery.last_code,
        "last_text": line.delivery.last_text,
    }


@click.group("quarantine")
def quarantine_group() -> None:
    """Mails that could not be processed, and mails that wait for a word: look at them, try again, or drop them."""


@quarantine_group.command("list")
@json_option
@click.pass_context
def list_mails(context: click.Context, *, as_json: bool) -> None:
    """What is set aside, and what is held until its supposed author confirms it."""
    with judge(context) as home, home.store.read() as view:
        mails = view.inbox.list(states=(MailState.QUARANTINED,), limit=1000)
        held = view.inbox.list(states=(MailState.HELD,), limit=1000)
        why = {mail.id: error_sentence(_trouble(mail, view.inbox.raw(mail.id)))[:LONGEST] for mail in mails}
    why |= {mail.id: error_sentence(mail.reason or "")[:LONGEST] for mail in held}
    if as_json:
        for mail in (*mails, *held):
            say_json(_facts_of_mail(mail, why[mail.id]))
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
    with judge(context) as home, home.store.read() as view:
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
def retry_mail(context: click.Context, number: int) -> None:
    """Give a mail three new attempts."""
    with judge(context) as home, home.store.write() as unit:
        done = unit.inbox.retry(number, home.clock.now())
    _report_mail(number, "will be tried again", done=done)


@quarantine_group.command("drop")
@click.argument("number", type=NUMBER)
@click.option("--reason", default="dropped by the operator")
@click.pass_context
def drop_command(context: click.Context, number: int, reason: str) -> None:
    """Throw a mail away; its row stays in the log."""
    with judge(context) as home, home.store.write() as unit:
        done = unit.inbox.drop(number, home.clock.now(), reason=reason)
    _report_mail(number, "is dropped", done=done)


def _report_mail(number: int, what: str, *, done: bool) -> None:
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


def _facts_of_mail(mail: Mail, why: str) -> dict[str, object]:
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
