"""What the judge needs may be used by everybody for everything: no GPL and no AGPL among all that is installed with it.

Asked of the metadata of every distribution that the judge needs, directly or through another, extras included.
"""

import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
FREE = re.compile(
    r"MIT|MIT-CMU|ISC|0BSD|Zlib|CC0-1\.0|PSF-2\.0|MPL-2\.0|Apache|BSD|New BSD|Mozilla Public License|Unlicense", re.I
)
GPL = re.compile(r"(?<!L)\bA?GPL|(?<!Lesser )General Public License|Affero", re.I)
LIBRARIES = {"psycopg": "LGPL-3.0-only", "psycopg-binary": "LGPL-3.0-only"}
"""The driver of the extra `postgres`, which nobody else installs. Using a library under the Lesser GPL obliges to
nothing but leaving it a library."""
READ = {"imapclient": "3-clause BSD", "resvg-py": "MIT", "dkimpy": "zlib"}
"""Whose metadata say nothing that a program understands: read in their licence files, which the test reads again."""
WORDS = {
    "imapclient": "Redistribution and use in source and binary forms",
    "resvg-py": "Permission is hereby granted, free of charge",
    "dkimpy": "Permission is granted to anyone to use this software for any purpose",
}


def needed() -> list[str]:
    """The names of all distributions that the judge and its extras need and that are installed here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [
        *project["dependencies"],
        *(line for extra in project["optional-dependencies"].values() for line in extra),
    ]
    found: set[str] = set()
    while wanted:
        name, more = _requirements(wanted.pop())
        if name and name not in found:
            found.add(name)
            wanted += more
    return sorted(found - {"diplomacy-judge"})


def _requirements(line: str) -> tuple[str, list[str]]:
    requirement = Requirement(line)
    if requirement.marker is not None and not any(
        requirement.marker.evaluate({"extra": extra}) for extra in ("", *requirement.extras)
    ):
        return "", []
    try:
        found = importlib.metadata.distribution(requirement.name)
    except importlib.metadata.PackageNotFoundError:
        return requirement.name.lower().replace("_", "-"), []
    return requirement.name.lower().replace("_", "-"), list(found.requires or ())


def licence(name: str) -> str:
    """What the metadata of a distribution say of its licence."""
    meta = importlib.metadata.metadata(name)
    said = [*meta.get_all("License-Expression", []), *meta.get_all("License", [])]
    said += [line for line in meta.get_all("Classifier", []) if line.startswith("License ::")]
    return " | ".join(word.split("\n")[0] for word in said if word)


def licence_file(name: str) -> str:
    files = importlib.metadata.files(name) or []
    return "\n".join(
        Path(str(file.locate())).read_text(errors="replace")
        for file in files
        if re.search(r"LICEN[CS]E|COPYING", file.name, re.I)
    )


def _is_installed(name: str) -> bool:
    return bool(list(importlib.metadata.distributions(name=name)))


NEEDED = needed()


def test_everything_that_is_needed_has_been_looked_at() -> None:
    assert {"sqlalchemy", "aiosmtpd", "jinja2", "markupsafe", "shapely", "hypothesis", "dnspython"} <= set(NEEDED)
    assert [name for name in NEEDED if not _is_installed(name) and name not in LIBRARIES] == []


@pytest.mark.parametrize("name", [name for name in NEEDED if _is_installed(name)])
def test_it_may_be_used_for_everything(name: str) -> None:
    said = licence(name)
    assert not GPL.search(said), said
    if name in READ:
        assert WORDS[name] in " ".join(licence_file(name).split()), f"{name} no longer has the licence that was read"
    else:
        assert name in LIBRARIES or FREE.search(said), f"what does {said!r} allow? Read it, and say so above"


@pytest.mark.parametrize(
    "said",
    ["GPL-3.0-or-later", "GNU General Public License v2", "AGPL-3.0", "GNU Affero General Public License"],
)
def test_the_search_finds_what_it_looks_for(said: str) -> None:
    assert GPL.search(said)


@pytest.mark.parametrize("said", ["LGPL-3.0", "GNU Lesser General Public License v3", "MIT"])
def test_the_search_finds_nothing_else(said: str) -> None:
    assert not GPL.search(said)
