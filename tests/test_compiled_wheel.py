"""The wheel with the compiled adjudicator passes the tests of the rules, as the interpreted one does."""

import ast
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

COMPILER = (sysconfig.get_config_var("CC") or "cc").split()[0]
HEADERS = Path(sysconfig.get_path("include")) / "Python.h"

with_a_compiler = pytest.mark.skipif(
    shutil.which(COMPILER) is None or not HEADERS.is_file(),
    reason=f"compiling needs a C compiler ({COMPILER}) and {HEADERS}",
)

JUDGED = ("adjudicate", "cases", "games", "variants", "orders/test_canonical.py", "properties")
"""What is played under the compiled rules: the DATC and all other cases, recorded games, random positions against the
resolver that shares no code, and rule systems that stay interpreted, examples included.
"""

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import judge.adjudicate.solve, judge.cli
assert judge.adjudicate.solve.__file__.startswith(sys.argv[1]), judge.adjudicate.solve.__file__
assert not judge.adjudicate.solve.__file__.endswith(".py"), "it is interpreted"
"""
"""Ahead of anything else in a process of its own: the installed judge is the one that everything below asks."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the unpacked compiled wheel of this checkout."""
    wheels, site = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(wheels), str(ROOT)]
    subprocess.run(build, check=True, timeout=1800, env=os.environ | {"JUDGE_COMPILED": "yes"})
    with zipfile.ZipFile(next(wheels.glob("*.whl"))) as packed:
        packed.extractall(site)
    return site


def run(site: Path, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program that begins as `PROGRAM` does."""
    command = [sys.executable, "-P", "-c", PROGRAM + program, str(site), *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1800)


HOOK = ROOT / "deploy" / "build_hook.py"
TRANSLATE = """
import sys
from mypyc.build import mypycify
mypycify(sys.argv[2:], target_dir=sys.argv[1], group_name="judge.compiled")
"""


def test_every_module_that_is_compiled_can_be(tmp_path: Path) -> None:
    """It is translated into C, which needs no compiler: mypyc does not know all that Python does."""
    named = {"COMPILED", "CHECKED"}
    told = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(HOOK.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in named
    }
    paths = [f"judge/{folder}/{name}.py" for folder, names in told["COMPILED"].items() for name in names.split()]
    words = [str(tmp_path / "c"), *told["CHECKED"], f"--cache-dir={tmp_path / 'cache'}", *paths]
    done = subprocess.run([sys.executable, "-c", TRANSLATE, *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    assert list((tmp_path / "c").rglob("*.c"))


@pytest.mark.long
@with_a_compiler
def test_it_says_that_it_is_compiled(installed: Path) -> None:
    said = run(installed, "sys.argv = ['judge', '--version']; judge.cli.main()").stdout
    assert said.startswith("judge "), said
    assert said.endswith(", compiled\n"), said


@pytest.mark.long
@with_a_compiler
def test_it_passes_the_tests_of_the_rules(installed: Path) -> None:
    program = "import pytest; sys.exit(pytest.main(sys.argv[2:]))"
    folders = [f"tests/{folder}" for folder in JUDGED]
    done = run(installed, program, "-p", "no:cacheprovider", "-m", "not long and not wires", *folders)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    assert " passed" in done.stdout
