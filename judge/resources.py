"""Finds maps/, templates/, migrations/ and deploy/ in a checkout or an installed wheel, and tells when they change."""

from pathlib import Path

_HERE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder that ships as `name` ("maps", "templates", "migrations", "deploy").

    In a wheel the folders lie in `judge/_data`; in a checkout beside the package.
    Raises FileNotFoundError when neither is there (a broken installation).
    """
    for root in (_HERE / "_data", _HERE.parent):
        if (root / name).is_dir():
            return root / name
    raise FileNotFoundError(f"the installation lacks its {name}/ folder; install the package again")


Stamp = tuple[tuple[str, int, int], ...]
"""Name, moment of the last change (ns) and size (bytes) of every file of a folder."""


def stamp(root: Path) -> Stamp:
    """What tells whether any file of a folder has changed since; empty for a folder that is not there."""
    found = ((path, path.stat()) for path in root.rglob("*") if path.is_file())
    return tuple(sorted((str(path), stat.st_mtime_ns, stat.st_size) for path, stat in found))
