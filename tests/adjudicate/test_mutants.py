"""The tests notice every broken rule. All mutants take minutes; one of them is tried each time."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


def load() -> ModuleType:
    path = Path(__file__).parent / "mutants.py"
    spec = importlib.util.spec_from_file_location("adjudicate_mutants", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


mutants = load()


@pytest.mark.parametrize("mutant", mutants.MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_breaks_exactly_one_line(mutant: tuple[str, str, str, str]) -> None:
    name, module, old, new = mutant
    text = mutants.place(mutants.ROOT, module).read_text(encoding="utf-8")
    assert text.count(old) == 1, name
    assert old != new


def test_one_mutant_is_noticed() -> None:
    assert mutants.survivors(["equals-enter"], ["tests/adjudicate/test_solver.py"]) == []


@pytest.mark.long
def test_every_mutant_is_noticed() -> None:
    assert mutants.survivors([]) == []
