"""Finds maps/, templates/, migrations/ and deploy/ in a checkout or in an installed wheel."""

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
