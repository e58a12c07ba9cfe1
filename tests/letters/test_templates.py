"""The templates: one folder for each kind of letter, nothing missing, nothing silently empty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest

import judge.acts
import judge.report
from judge.mail.headers import self_test
from judge.mail.letters import Printer, TemplateError
from judge.report.core.letter import Kind, Letter
from tests.support.gallery import gallery

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates"
NO_LETTERS = ("browser", "languages", "manners", "words", "zine")
KINDS = sorted(path.name for path in TEMPLATES.iterdir() if path.is_dir() and path.name not in NO_LETTERS)


@cache
def letters() -> dict[str, Letter]:
    return gallery(ROOT / "maps")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_folder(kind: str) -> None:
    assert (TEMPLATES / kind / "subject.txt").is_file()
    assert (TEMPLATES / kind / "text.txt").is_file()


def test_no_folder_is_left_over() -> None:
    assert {letter.kind for letter in letters().values()} == {*KINDS} >= {*Kind}


@pytest.mark.parametrize("kind", KINDS)
def test_the_readme_names_every_kind(kind: str) -> None:
    assert f"`{kind}`" in (TEMPLATES / "README.md").read_text(encoding="utf-8")


def views() -> Iterator[Any]:
    """Every class of view, by the modules of the package."""
    for package in (judge.report, judge.acts):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            for name, found in vars(import_module(module.name)).items():
                if name.endswith("View") and is_dataclass(found) and found.__module__ == module.name:
                    yield found


@pytest.mark.parametrize("view", list(views()), ids=lambda view: view.__name__)
def test_the_readme_names_the_fields_of_every_view(view: Any) -> None:
    where = f"`{view.__name__}` in `{view.__module__.replace('.', '/')}.py`"
    listed = f"{where}: {', '.join(field.name for field in fields(view))} |"
    assert listed in (TEMPLATES / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["results-fall-1902", "receipt-complete", "press-white", "vote"])
def test_a_field_that_a_view_does_not_hold_is_an_error_and_never_empty(press: Printer, name: str) -> None:
    letter = letters()[name]
    first = {"results-fall-1902": "chart", "receipt-complete": "status", "press-white": "text", "vote": "open"}[name]
    view = {key: value for key, value in letter.view.items() if key != first}
    with pytest.raises(TemplateError, match=first):
        press.print(letter.kind, view)


def test_a_broken_template_names_itself(tmp_path: Path) -> None:
    (tmp_path / "help").mkdir()
    (tmp_path / "help" / "subject.txt").write_text("help", encoding="utf-8")
    (tmp_path / "help" / "text.txt").write_text("{% if %}", encoding="utf-8")
    with pytest.raises(TemplateError, match=r"help/text\.txt"):
        Printer(tmp_path).print("help", {})


def test_a_kind_without_templates_is_an_error(press: Printer) -> None:
    with pytest.raises(TemplateError, match=r"poem/subject\.txt"):
        press.print("poem", {})


def test_fields_come_before_the_methods_of_dictionaries(tmp_path: Path) -> None:
    (tmp_path / "help").mkdir()
    (tmp_path / "help" / "subject.txt").write_text("{{ view.items|join('+') }}", encoding="utf-8")
    (tmp_path / "help" / "text.txt").write_text("x", encoding="utf-8")
    assert Printer(tmp_path).print("help", {"items": ["a", "b"]}).subject == "a+b"


def test_no_template_carries_code() -> None:
    """Layout only: no macros with logic of the game, no calls into objects of the program."""
    for path in TEMPLATES.rglob("*.txt"):
        text = path.read_text(encoding="utf-8")
        assert "__" not in text.replace("______", ""), path
        assert "{% macro" not in text, path


def test_this_python_writes_no_header_that_was_smuggled_in() -> None:
    self_test()
