"""What several commands need: the house on its configuration, and answers a machine may read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from judge.config import Config, ConfigError, find_config, load_config
from judge.service.house import House, open_house
from judge.store import StoreError

json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")


def configured(context: click.Context) -> Config:
    """The configuration that the options and the environment name; a mistake in it ends the command."""
    try:
        return load_config(find_config(context.find_root().obj))
    except ConfigError as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def house(context: click.Context, *, upgrade: bool = False) -> Iterator[House]:
    """An open house for one command."""
    config = configured(context)
    try:
        opened = open_house(config, upgrade=upgrade)
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    try:
        yield opened
    finally:
        opened.close()


def say_json(value: Any) -> None:
    """One object on one line."""
    click.echo(json.dumps(value, ensure_ascii=False, default=str))


def table(rows: Sequence[tuple[str, ...]], heads: tuple[str, ...]) -> None:
    """A plain table with aligned columns."""
    widths = [max(len(row[i]) for row in (heads, *rows)) for i in range(len(heads))]
    for row in (heads, *rows):
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
