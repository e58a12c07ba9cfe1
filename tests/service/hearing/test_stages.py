"""The way of a mail and that of a deadline are what the page of `judge/service` says: these stages, in this order."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from judge.service.hearing import stages
from judge.service.trust import heard
from judge.service.turning import barrier, sweep

SERVICE = Path(stages.__file__).parents[1]
_PAGE = (SERVICE / "README.md").read_text(encoding="utf-8")
_ROW = re.compile(r"^\| `(\w+)` \| `([\w/.]+)` \|", re.MULTILINE)


def rows(heading: str) -> list[tuple[str, str]]:
    """The stages in the table below a heading, each with the module or the function that is named beside it."""
    return _ROW.findall(_PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0])


def called(source: Path, *functions: str) -> Iterator[str]:
    """The names of what some functions of a file call, in the order in which it is written."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    for name in functions:
        body = next(one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == name)
        calls = (one for one in ast.walk(body) if isinstance(one, ast.Call) and isinstance(one.func, ast.Name))
        # An argument is called before what it is an argument of.
        for call in sorted(calls, key=lambda one: (one.end_lineno or 0, one.end_col_offset or 0)):
            assert isinstance(call.func, ast.Name)
            yield call.func.id


def test_a_mail_goes_through_the_stages_of_the_page() -> None:
    found = rows("A mail's way")
    assert [stage for stage, _ in found] == ["read", "prove", "hear", "act", "tell", "compose", "post"]
    in_transaction = found[:5]
    for stage, file in in_transaction:
        module = import_module("judge.service." + file.removesuffix(".py").replace("/", "."))
        assert callable(vars(module)[stage]) and vars(module)[stage].__module__ == module.__name__
    assert all((SERVICE / file).is_file() for _, file in found)
    names = [stage for stage, _ in in_transaction]
    source = SERVICE / "hearing" / "stages.py"
    assert [one for one in called(source, "hear_mail") if one in names] == names


def test_a_deadline_goes_through_the_stages_of_the_page() -> None:
    names = [stage for stage, _ in rows("A deadline's way")]
    assert names == ["due", "barrier", "turn", "tell"]
    assert all(callable(vars(sweep)[stage]) for stage in names) and vars(sweep)["barrier"] is barrier.barrier
    source = SERVICE / "turning" / "sweep.py"
    assert [one for one in called(source, "sweep", "tick") if one in names] == names


def test_no_stage_writes_to_what_another_one_has_found_out() -> None:
    values = (heard.HeardMail, heard.AnsweredLetter, heard.Consent, heard.Lateness, heard.Ready)
    for value in values:
        assert vars(value)["__dataclass_params__"].frozen, value
