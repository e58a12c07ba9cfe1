"""A configuration file made of the documented one: every key stays explained, those that are known are set."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_SECTION = re.compile(r"(?:# )?\[\[?(?P<name>\w+)\]\]?")
_KEY = re.compile(r"(?:# )?(?P<name>\w+) = (?P<value>\S.*?)?(?P<remark> {2,}#.*)?")


def with_settings(documented: str, settings: Mapping[str, Mapping[str, Any]]) -> str:
    """The text of `documented` with these keys set, by section. A key that it does not document is a KeyError.

    >>> print(with_settings("[relay]\\n# The host.\\n# host = \\"\\"\\n", {"relay": {"host": "mx.example.org"}}))
    [relay]
    # The host.
    host = "mx.example.org"
    <BLANKLINE>
    """
    left = {(section, key): value for section, keys in settings.items() for key, value in keys.items()}
    section, lines = "", []
    for line in documented.split("\n"):
        if (found := _SECTION.fullmatch(line)) is not None:
            section = found["name"]
            lines.append(line.removeprefix("# ") if section in settings else line)
            continue
        found = _KEY.fullmatch(line)
        if found is None or (section, found["name"]) not in left:
            lines.append(line)
            continue
        value = left.pop((section, found["name"]))
        lines.append(f"{found['name']} = {_written(value)}{found['remark'] or ''}")
    if left:
        raise KeyError(", ".join(".".join(each) for each in left))
    return "\n".join(lines)


def _written(value: Any) -> str:
    """A value as TOML has it; for text, numbers, truth and lists that is JSON."""
    return json.dumps(value, ensure_ascii=False)
