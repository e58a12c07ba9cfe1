"""What several commands need: the house on its configuration, whose files they make, answers a machine may read."""

from __future__ import annotations

import json
import os
import pwd
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judge.config import Config, ConfigError
from judge.config_file import find_config, load_config
from judge.resources import folder

if TYPE_CHECKING:
    from judge.service.core.house import House


def be_private() -> None:
    """Set the umask of this process so that new files and folders are private."""
    os.umask(0o077)


def act_as_owner(var: Path) -> None:
    """If this process is root's and the folder is another user's, be that user from here on; else do nothing."""
    if os.geteuid() != 0:
        return
    try:
        owner = var.stat().st_uid
    except OSError:
        return
    if owner != 0:
        become(owner)


def must_reach(uid: int) -> None:
    """Raises ClickException if this user cannot read the program: root may have installed it below /root."""
    os.seteuid(uid)
    try:
        reached = all(os.access(file, os.R_OK, effective_ids=True) for file in (os.__file__, __file__))
    finally:
        os.seteuid(0)
    if not reached:
        raise click.ClickException(
            f"the judge's own user (number {uid}) cannot read {sys.prefix} or its Python, where this program lies; "
            "install it where everybody can: deploy/RUNBOOK.md, step 1"
        )


def become(uid: int) -> None:
    """Be this user for the rest of the process, in all its groups. Raises OSError."""
    try:
        user = pwd.getpwuid(uid)
        os.initgroups(user.pw_name, user.pw_gid)
        os.setgid(user.pw_gid)
    except KeyError:  # a number without a name, as in containers
        os.setgroups([])
        os.setgid(uid)
    os.setuid(uid)


NUMBER = click.IntRange(0, 2**63 - 1)
"""What mails, letters and deliveries are numbered with."""

json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")


def configured(context: click.Context) -> Config:
    """The configuration that the options and the environment name; a mistake in it ends the command.

    What a command makes from then on is for the judge's eyes only; what is meant for others says so. Root's commands
    go on as the user whom the judge's folder belongs to.
    """
    be_private()
    config = read_configuration(context)
    act_as_owner(config.var)
    return config


def read_configuration(context: click.Context) -> Config:
    """The same for a command that only reads it: what that writes is its caller's."""
    try:
        return load_config(find_config(context.find_root().obj))
    except ConfigError as error:
        raise click.ClickException(str(error)) from error


def boards_folder(context: click.Context, given: Path | None = None) -> Path:
    """Where the boards lie: the folder given, else that of the configuration, else the one that ships."""
    return given or configured(context).maps or folder("maps")


def check_boards(maps: Path) -> None:
    """Raises ClickException with what `judge map lint` says of every board that cannot be used."""
    from judge.board.sheet import BoardError
    from judge.service.core.systems import Shelf

    shelf, wrong = Shelf(maps), []
    for name in shelf.boards():
        try:
            shelf.board(name)
        except BoardError as error:
            wrong.append(f"the board {name} cannot be used; see: judge map lint {name}\n{error}")
    if not shelf.boards():
        wrong.append(f"there are no boards in {maps}; mend paths.maps")
    if wrong:
        raise click.ClickException("\n".join(wrong))


@contextmanager
def house(context: click.Context, *, upgrade: bool = False) -> Iterator[House]:
    """An open house for one command."""
    from judge.service.core.house import open_house
    from judge.store import StoreError

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
