"""The judge's own files: mails, letters, secrets and logs of persons, which nobody else on the machine may read.

Files are 0600 and folders 0700. Those that were made wider (by an older judge, a restored backup, a copy by hand) are
made narrow when the judge opens its judge.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

FILE, FOLDER = 0o600, 0o700
_OTHERS = 0o077


def private_folder(path: Path) -> Path:
    """A folder, made private where it is made. Raises OSError."""
    path.mkdir(mode=FOLDER, parents=True, exist_ok=True)
    return path


def private_file(path: Path) -> Path:
    """A file, made empty and private where there is none. Raises OSError."""
    private_folder(path.parent)
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, FILE))
    return path


def public_folder(path: Path) -> Path:
    """A folder made for others to read, with those above it; one that is there stays as it is. Raises OSError."""
    for folder in reversed([one for one in (path, *path.parents) if not one.is_dir()]):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)
    return path


def public_file(path: Path) -> Path:
    """A file that is made for others to read, whatever else this process makes. Raises OSError."""
    private_file(path).chmod(0o644)
    return path


def too_open(root: Path) -> Iterator[Path]:
    """The paths under a folder, itself included, that others may read or write. Links are not followed."""
    for path in _under(root):
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            continue  # a mail was moved while we looked
        if mode & _OTHERS and not stat.S_ISLNK(mode):
            yield path


def narrow(path: Path) -> bool:
    """Remove the rights of group and others. False if the process may not change them."""
    try:
        path.chmod(path.lstat().st_mode & ~_OTHERS & 0o777)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _under(root: Path) -> Iterator[Path]:
    if not root.exists():
        return
    yield root
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            yield Path(folder, name)
