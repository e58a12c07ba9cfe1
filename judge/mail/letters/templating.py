"""The template engine as letters want it: a missing name is an error, pages are escaped, what was compiled is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, ChoiceLoader, DictLoader, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket

from judge.mail.letters.words import worded


class _Compiled(BytecodeCache):
    """What this process has compiled from templates: a new `Printer` need not do it again."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """The code of this very source, if it was compiled before."""
        if (code := self._codes.get((bucket.key, bucket.checksum))) is not None:
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a source."""
        self._codes[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


_COMPILED = {False: _Compiled(), True: _Compiled()}
"""For the eye and for the ear: what a filter makes of a constant is compiled along with it."""


class _ViewEnvironment(Environment):
    """Reads `view.items` as the view's own field, never as the method of a dictionary."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


def environment(folders: Sequence[Path], sentences: Mapping[str, str], *, aloud: bool) -> Environment:
    """An environment whose templates are each that of the first folder that has it, or else one of the sentences."""
    return _ViewEnvironment(
        loader=ChoiceLoader([FileSystemLoader(folders), DictLoader(sentences)]),
        finalize=worded,
        undefined=StrictUndefined,
        autoescape=lambda name: bool(name) and str(name).endswith(".html"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=_COMPILED[aloud],
    )
