"""`judge outbox`: letters on their way, with the status of every recipient."""

from __future__ import annotations

import click

from judge.cli.common import NUMBER, house, json_option, say_json, table
from judge.service.posting.bounces import SUSPENDED
from judge.store.rows import DeliveryState, LetterState, OutboxLine


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
    with house(context) as home, home.store.read() as view:
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
    with house(context) as home, home.store.write() as unit:
        done = unit.outbox.hold(number)
    _report(number, "is held", done=done)


@outbox_group.command("release")
@click.argument("number", type=NUMBER, required=False)
@click.option("--all", "everything", is_flag=True, help="Every one that is held, but for those of suspended addresses.")
@click.pass_context
def release_command(context: click.Context, number: int | None, *, everything: bool) -> None:
    """Let a held delivery go, or all of them."""
    _one_or_all(number, everything=everything)
    with house(context) as home, home.store.write() as unit:
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
    with house(context) as home, home.store.write() as unit:
        now = home.clock.now()
        done = unit.outbox.retry(number, now) if number is not None else unit.outbox.retry_all(now, domain=domain)
    _report(number, "will be tried again", done=done)


@outbox_group.command("resume")
@click.pass_context
def resume_command(context: click.Context) -> None:
    """Lift the pause that the relay's rejection caused."""
    with house(context) as home, home.store.write() as unit:
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
