"""Whose files a command makes: private ones of the judge's own user. Commands of root's work as that user, so that no
file of root's gets among what the judge has to write.
"""

from __future__ import annotations

import os
import pwd
import sys
from pathlib import Path

import click


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
