"""`judge gm`: who may create games and run them."""

from __future__ import annotations

import click

from judge.cli.common import house, json_option, say_json
from judge.service.core.persons import GmExists, add_gm, list_gms


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
