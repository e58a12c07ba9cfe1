"""Commands of root's work as the judge's own user, so that no file of root's gets among what the judge has to write."""

from __future__ import annotations

import os
import pwd
from pathlib import Path


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
