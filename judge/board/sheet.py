"""A TOML file read with care: typed questions, everything wrong collected, each problem with its file, line and mend.

The files of a board are written by hand, so an author is told all mistakes at once and where to put the pen.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from judge.board.spelling import nearest

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*(?:"([^"]+)"|'([^']+)'|([A-Za-z0-9_-]+))\s*=""")


class TomlProblem(NamedTuple):
    """One thing wrong in a board's file: where, what, and what to do about it."""

    file: str
    line: int
    """0 where no line can be named."""
    what: str
    mend: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.what}; {self.mend}"


class BoardError(Exception):
    """A board's file cannot be used. `problems` says everything that is wrong with it."""

    def __init__(self, problems: Sequence[TomlProblem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


class TomlSource:
    """One file: its data, and the line where each key stands."""

    def __init__(self, path: Path) -> None:
        """Raises BoardError when the file cannot be opened or is no TOML."""
        self.name = f"{path.parent.name}/{path.name}"
        self._lines: dict[tuple[str, str], int] = {}
        try:
            self._text = path.read_text(encoding="utf-8").splitlines()
            self.data: dict[str, Any] = tomllib.loads("\n".join(self._text) + "\n")
        except FileNotFoundError:
            raise BoardError(
                [TomlProblem(self.name, 0, "there is no such file", "write it, or name another board")]
            ) from None
        except UnicodeDecodeError:
            raise BoardError([TomlProblem(self.name, 0, "the file is not UTF-8", "save it as UTF-8")]) from None
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"line (\d+)", str(error))
            what = f"the file is no TOML: {error}"
            raise BoardError([TomlProblem(self.name, int(line[1]) if line else 0, what, "mend that line")]) from None
        self._index()

    def line(self, table: str, key: str = "", word: str = "") -> int:
        """The line of a table, of a key in it, or of a quoted word in that key's value; 0 if it is not here."""
        first = self._lines.get((table, key), 0)
        if not first or not word:
            return first
        for number in range(first, len(self._text) + 1):
            if number > first and number in self._lines.values():
                break
            if re.search(rf"(?<![\w/]){re.escape(word)}(?![\w/])", self._text[number - 1]):
                return number
        return first

    def _index(self) -> None:
        table, seen = "", dict[str, int]()
        for number, text in enumerate(self._text, start=1):
            if header := _HEADER.match(text):
                table = header[2].replace('"', "")
                if header[1] == "[[":
                    seen[table] = seen.get(table, -1) + 1
                    table = f"{table}.{seen[table]}"
                self._lines.setdefault((table, ""), number)
            elif key := _KEY.match(text):
                self._lines.setdefault((table, key[1] or key[2] or key[3]), number)


class TomlTable:
    """One table of a file (or of a file and the one it is based on). Asking for a key marks it as known."""

    def __init__(
        self, sources: Sequence[TomlSource], data: Mapping[str, Any], problems: list[TomlProblem], path: str = ""
    ) -> None:
        self._sources, self._data, self._problems, self._path = sources, data, problems, path
        self._asked: set[str] = set()

    def wrong(self, what: str, mend: str, key: str = "", word: str = "") -> None:
        """Note a problem, at the line of `key` and there of `word`, if they can be found."""
        for source in self._sources:
            if line := source.line(self._path, key, word):
                self._problems.append(TomlProblem(source.name, line, what, mend))
                return
        self._problems.append(TomlProblem(self._sources[0].name, 0, what, mend))

    def names(self) -> Iterator[str]:
        """Every key of a table whose keys the author chooses."""
        self._asked.update(self._data)
        yield from self._data

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        return key in self._data

    def text(self, key: str, default: str | None = None) -> str:
        """A text; without a default it must be there."""
        return str(self._typed(key, str, "a text", default, ""))

    def number(self, key: str) -> int:
        """A whole number, which must be there."""
        return int(self._typed(key, int, "a whole number", None, 0))

    def flag(self, key: str) -> bool:
        """True or false; false where it is missing."""
        return bool(self._typed(key, bool, "true or false", False, False))

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; empty where it is missing."""
        found = self._typed(key, list, "a list of texts", [], [])
        if not all(isinstance(item, str) for item in found):
            self.wrong(f"{self._full(key)} must be a list of texts", 'write it as ["...", "..."]', key)
            return ()
        return tuple(found)

    def sheet(self, key: str) -> TomlTable:
        """A table below this one; empty where it is missing."""
        data = self._typed(key, dict, "a table", {}, {})
        return TomlTable(self._sources, data, self._problems, self._full(key))

    def sheets(self, key: str) -> list[TomlTable]:
        """A list of tables; empty where it is missing."""
        found = self._typed(key, list, "a list of tables", [], [])
        paths = [f"{self._full(key)}.{number}" for number in range(len(found))]
        tables = zip(found, paths, strict=True)
        return [TomlTable(self._sources, data, self._problems, path) for data, path in tables if isinstance(data, dict)]

    def plain(self) -> dict[str, Any]:
        """The table as it stands, lists made tuples; for facts that only a variant understands."""
        self._asked.update(self._data)
        return {key: tuple(value) if isinstance(value, list) else value for key, value in self._data.items()}

    def done(self) -> None:
        """Complain about every key that nobody asked for."""
        for key in self._data:
            if key not in self._asked:
                near = nearest(key, self._asked)
                mend = f'did you mean "{near[0]}"?' if near else f"known here: {', '.join(sorted(self._asked))}"
                self.wrong(f'unknown key "{self._full(key)}"', mend, key)

    def _full(self, key: str) -> str:
        return f"{self._path}.{key}" if self._path else key

    def _typed(self, key: str, kind: type, words: str, default: Any, fallback: Any) -> Any:
        self._asked.add(key)
        if key not in self._data:
            if default is None:
                self.wrong(f'"{self._full(key)}" is missing', f"add it: {words}")
                return fallback
            return default
        value = self._data[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.wrong(f'"{self._full(key)}" must be {words}, not {value!r}', "write it so", key)
            return fallback
        return value
