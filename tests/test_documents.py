"""The READMEs at the doors are documents that run: their examples are tests."""

import ast
import doctest
import importlib
import inspect
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent

DOORS = sorted(p.relative_to(ROOT).as_posix() for p in [ROOT / "README.md", *ROOT.glob("*/README.md")])


@pytest.mark.parametrize("door", DOORS)
def test_examples_run(door: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, _ = doctest.testfile(str(ROOT / door), module_relative=False, encoding="utf-8")
    assert failed == 0


@pytest.mark.parametrize("folder", ["judge", "templates", "migrations", "maps", "tests", "deploy"])
def test_every_door_has_a_readme(folder: str) -> None:
    assert (ROOT / folder / "README.md").read_text(encoding="utf-8").startswith("# ")


LISTINGS = sorted(door.parent for door in ROOT.glob("judge/**/README.md") if "| file | what |" in door.read_text())


@pytest.mark.parametrize("folder", LISTINGS, ids=lambda folder: folder.relative_to(ROOT).as_posix())
def test_a_listing_names_every_file_of_its_folder(folder: Path) -> None:
    named = re.findall(r"^\| `(\w+\.py)` \|", (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert named == sorted(path.name for path in folder.glob("*.py") if path.name != "__init__.py")


def test_the_page_of_the_tests_names_every_folder() -> None:
    page = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name[0].isalpha()}
    assert sorted(folder for folder in folders if f"`{folder}/`" not in page) == []


def test_a_page_names_only_files_that_are_there() -> None:
    """Of every page in the package: each file that it names stands beside it, or where its path leads from the top."""
    gone = []
    for page in sorted((ROOT / "judge").rglob("README.md")):
        named = re.findall(r"`((?:\.\./)*[a-z0-9_/]+\.(?:py|md))`", page.read_text(encoding="utf-8"))
        bases = (page.parent, ROOT, ROOT / "judge")
        gone += [(page.parent.name, name) for name in named if not any((base / name).exists() for base in bases)]
    architecture = (ROOT / "judge" / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:judge/|templates/|maps/)?[\w/]+\.(?:py|txt|md))`", architecture)
    assert len(named) > 30
    gone += [("judge", name) for name in named if not any((base / name).exists() for base in (ROOT, ROOT / "judge"))]
    assert gone == []


def test_the_page_of_the_architecture_names_only_functions_that_are_there() -> None:
    """A row that leads to a file and a function in it leads to where that function is made."""
    page = (ROOT / "judge" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"`([\w/]+\.py)`, `(\w+)`", page)
    assert len(rows) > 5
    made = {
        (path, name): any(
            isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name
            for node in ast.walk(ast.parse((ROOT / "judge" / path).read_text(encoding="utf-8")))
        )
        for path, name in rows
    }
    assert [row for row, there in made.items() if not there] == []


def test_the_readme_shows_only_commands_that_exist() -> None:
    import click

    from judge.cli import cli

    context = click.Context(cli)
    shown = {
        line.split()[1]
        for line in (ROOT / "README.md").read_text().splitlines()
        if line.strip().startswith(("judge ", ".venv/bin/judge "))
    }
    assert shown
    assert all(cli.get_command(context, name) is not None for name in shown)


def _module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


SHOWN = sorted(_module(path) for path in ROOT.glob("judge/**/*.py") if ">>> " in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("module", SHOWN)
def test_every_example_in_a_module_runs(module: str) -> None:
    """All of them: one that stands in no docstring would never be tried."""
    found = importlib.import_module(module)
    failed, attempted = doctest.testmod(found)
    assert (failed, attempted) == (0, inspect.getsource(found).count(">>> "))


def _is_there(name: str) -> bool:
    """Whether a dotted name is a module of the package, or something in one."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            found = getattr(found, part, None)
        return found is not None
    return False


def test_dotted_names_in_documents_and_docstrings_name_something() -> None:
    texts = [*ROOT.glob("judge/**/*.py"), *ROOT.glob("judge/**/*.md"), *ROOT.glob("*/README.md")]
    named = {name for path in texts for name in re.findall(r"`(judge(?:\.\w+)+)`", path.read_text(encoding="utf-8"))}
    assert len(named) > 30
    assert sorted(name for name in named - {"judge.toml", "judge.py"} if not _is_there(name)) == []


class Definition(NamedTuple):
    """A function or class of the package. `decorators`: the last parts of their names."""

    place: str
    name: str
    is_class: bool
    decorators: frozenset[str]


@cache
def _trees_read() -> tuple[tuple[Definition, ...], Counter[str]]:
    """The package's definitions, and how often its code says each word: names, and what stands in strings, since some
    are looked up by name; docstrings and comments do not count.
    """
    definitions: list[Definition] = []
    said: Counter[str] = Counter()
    for path in sorted((ROOT / "judge").rglob("*.py")):
        prose: set[int] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):  # statements come before what is in them
            if isinstance(node, ast.Expr):
                prose.add(id(node.value))
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                place = f"{path.relative_to(ROOT)}:{node.lineno}"
                decorators = frozenset(map(_decorator, node.decorator_list))
                definitions.append(Definition(place, node.name, isinstance(node, ast.ClassDef), decorators))
            elif id(node) not in prose:
                said.update(_said(node))
    return tuple(definitions), said


def _said(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        return [node.attr]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.findall(r"\w+", node.value)
    if isinstance(node, ast.keyword) and node.arg:
        return [node.arg]
    return re.findall(r"\w+", node.name) if isinstance(node, ast.alias) else []


def test_one_class_name_means_one_thing_in_the_whole_package() -> None:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for defined in _trees_read()[0]:
        if defined.is_class:
            places[defined.name.lstrip("_")].append(defined.place)
    assert len(places) > 500
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_no_table_answers_a_key_twice() -> None:
    """The second would silently take the place of the first: a feature would no longer follow what it followed."""
    twice = []
    for path in sorted((ROOT / "judge").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Dict):
                keys = Counter(ast.unparse(key) for key in node.keys if key is not None)
                twice += [f"{path.name}:{node.lineno}: {key}" for key, times in keys.items() if times > 1]
    assert not twice


LONGEST = 600
"""Lines of a file that are still taken in at once."""


def _lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_file_is_too_long_to_be_taken_in_at_once() -> None:
    long = {path.relative_to(ROOT).as_posix(): _lines_of(path) for path in ROOT.glob("judge/**/*.py")}
    assert {name: lines for name, lines in long.items() if lines > LONGEST} == {}, (
        f"more than {LONGEST} lines: give a subject out of each of these files a file of its own, with a name from the "
        "field; never an arbitrary cut"
    )


CALLED_FROM_OUTSIDE = re.compile(
    r"__\w+__|handle_\w+|process_(?:bind_param|result_value)|bind_processor|(?:load|dump)_bytecode|make_globals"
)
"""What Python and the libraries call by its name: SMTP commands, column types, what templates are asked for."""

_PLAIN = {"property", "cached_property", "staticmethod", "classmethod", "dataclass", "contextmanager", "lru_cache"}
"""Decorators that enter a function in no list from which it is called."""


def _decorator(node: ast.expr) -> str:
    named = node.func if isinstance(node, ast.Call) else node
    return named.attr if isinstance(named, ast.Attribute) else named.id if isinstance(named, ast.Name) else ""


def test_nothing_in_the_package_waits_for_a_caller() -> None:
    """A function or class that nothing else in the package names is dead, or serves tests alone and belongs to them."""
    definitions, said = _trees_read()
    named = Counter(said)
    for path in (ROOT / "templates").rglob("*"):
        if path.is_file():
            named.update(re.findall(r"\w+", path.read_text(encoding="utf-8", errors="replace")))
    alone = [
        f"{defined.place} {defined.name}"
        for defined in definitions
        if not named[defined.name]
        and not CALLED_FROM_OUTSIDE.fullmatch(defined.name)
        and _PLAIN.issuperset(defined.decorators)
    ]
    assert len(named) > 5_000
    assert alone == []
