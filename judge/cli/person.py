"""`judge person` and `judge gm`: what is kept about one person; who may create games and run them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from judge.cli.common import house, json_option, say_json
from judge.service.core.persons import GmExists, add_gm, list_gms
from judge.service.people.dossiers import NobodyKnown, StillWanted, dossier, erase, packed
from judge.store.files import private_file


@click.group("person")
def person_group() -> None:
    """A person's data: show it, hand it out, erase it. They can do most of it by mail: my account, forget me."""


@person_group.command("show")
@click.argument("address")
@json_option
@click.pass_context
def show_command(context: click.Context, address: str, *, as_json: bool) -> None:
    """What is kept about the person behind ADDRESS."""
    with house(context) as home:
        facts: Any = _known(lambda: dossier(home, address))
    if as_json:
        say_json(facts)
        return
    click.echo(f"{facts['name']}, person {facts['person']}, known since {facts['known_since'][:10]}")
    for row in facts["addresses"]:
        marks = [
            "of record" if row["of_record"] else "",
            "proved" if row["proved_at"] else "not proved",
            "SUSPENDED after bounces" if row["suspended_at"] else "",
        ]
        click.echo(f"  {row['address']}  ({', '.join(filter(None, marks))})")
    for place in facts["games"]:
        click.echo(f"  {place['as']} in {place['game']}, {place['stage']}")
    click.echo(f"  check phrase: {facts['check_phrase']}; password: {'set' if facts['password'] else 'none'}")
    click.echo(f"  {facts['record']}")
    click.echo(f"  {facts['mails']} mails from them, {facts['letters']} letters to them")


@person_group.command("export")
@click.argument("address")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def export_command(context: click.Context, address: str, file: Path) -> None:
    """All of it with every mail and letter, as a ZIP file to hand to them. Passwords are not in it.

    Make sure that it is they who ask: mail the file to the address of record, and to no other.
    """
    if file.exists():
        raise click.ClickException(f"{file} is there already; give another name")
    with house(context) as home:
        data = _known(lambda: packed(home, address))
    private_file(file).write_bytes(data)
    click.echo(f"{file}: a zip of {len(data) / 1e3:,.0f} kB")


@person_group.command("erase")
@click.argument("address")
@click.option("--leave-games", is_flag=True, help="Vacate their seats first; every table is told.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def erase_command(context: click.Context, address: str, *, leave_games: bool, yes: bool) -> None:
    """Erase the person behind ADDRESS, as `forget me` by mail does. Games keep what was played, without them."""
    with house(context) as home:
        facts: Any = _known(lambda: dossier(home, address))
        if not yes:
            click.confirm(f"Erase {facts['name']}, {facts['mails']} mails, {facts['letters']} letters?", abort=True)
        done = _known(lambda: erase(home, address, leave_games=leave_games))
    left = f" Vacant for it: {', '.join(done.left)}." if done.left else ""
    click.echo(f"Person {done.person} is erased; what is still on its way to them is within a day after it went.{left}")


def _known(ask: Any) -> Any:
    try:
        return ask()
    except NobodyKnown as error:
        raise click.ClickException(str(error)) from error
    except StillWanted as error:
        raise click.ClickException(f"nothing was erased:\n{error}") from error


@click.group("gm")
def gm_group() -> None:
    """Gamemasters: add one, list them."""


@gm_group.command("add")
@click.argument("address")
@click.option("--name", default="", help="The name that players read.")
@click.option("--zone", default="", help="The GM's own time zone.")
@click.option("--reset", is_flag=True, help="Give a new password to somebody who is a GM already.")
@json_option
@click.pass_context
def add_command(context: click.Context, address: str, name: str, zone: str, *, reset: bool, as_json: bool) -> None:
    """Let ADDRESS create games; prints a password, once."""
    with house(context, upgrade=True) as home:
        try:
            added = add_gm(home, address, name=name, zone=zone, reset=reset)
        except (ValueError, GmExists) as error:
            raise click.ClickException(str(error)) from error
    if as_json:
        say_json({"address": added.address, "password": added.password})
        return
    click.echo(f"{added.address} may create and run games.")
    click.echo(f"Password (shown this once): {added.password}")
    click.echo("It goes on a line of its own in a mail:  password " + added.password)


@gm_group.command("list")
@json_option
@click.pass_context
def list_command(context: click.Context, *, as_json: bool) -> None:
    """Everybody who may create games."""
    with house(context) as home:
        gms = list_gms(home)
    for address in gms:
        say_json({"address": address}) if as_json else click.echo(address)
