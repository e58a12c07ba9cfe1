"""How much work of our own the judge's main works take, counted and not timed: the same in every run, on any machine.

    python -m tests.bench.steps                      # each work, beside what `steps.json` says for this Python
    python -m tests.bench.steps --table [WORK ...]   # and in which functions
    python -m tests.bench.steps --write              # what is counted now into `steps.json`

Counted are the instructions of the interpreter that are executed in functions and templates of the judge, and ten for
each call from them into what is written in C: by cachegrind a step of the interpreter takes about 20 instructions of
the machine, such a call some 200 beside what it calls for. Libraries are not counted, only how often they are called.
So the figures see a loop that goes round more often, a look-up that is made twice and a view that is built for nothing;
they do not see a slower regular expression, query or library. `adjudication.md` and `hearing` measure time.

The instructions are those of a version of Python: `steps.json` has the counts by version; whoever writes it has at
least one, and takes out those of the others that are no longer true. `tests/test_steps.py` holds
each function to them: three in a hundred more is a failure that names the work and the functions that grew.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any

from judge.adjudicate.jsonl import READING
from judge.adjudicate.lower import lower
from judge.adjudicate.movement import solved
from judge.adjudicate.settle import settle
from judge.adjudicate.why import outcomes
from judge.board.load import load_board
from judge.board.model import province_of
from judge.board.position import Position
from judge.orders.reader import canonical_readers, read_line
from judge.resources import folder
from judge.rules import RULES_1976
from judge.service.posting.post import Post
from tests.bench.lives import games_of, opened, prepared
from tests.bench.plausible import phases
from tests.bench.reading import FREE, position

FILE = Path(__file__).with_name("steps.json")
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"

CALL = 10
"""Steps for a call into C."""
MORE = 0.03
"""By how much a work may grow."""
_PHASES = 40
_HOME = str(folder("maps").parent) + "/"

_SMALL = 0.01
"""Functions with less of a work than that are not written down one by one."""
ELSEWHERE = "elsewhere"

Steps = Mapping[str, int]
"""Function -> its steps, those of what it calls left out: "judge/adjudicate/lower.py:_sort"."""


class Counted:
    """Counts while it is entered; use it as a context manager."""

    def __init__(self) -> None:
        self.steps: Counter[str] = Counter()
        self._of: dict[CodeType, str] = {}

    def __enter__(self) -> Counted:
        sys.setprofile(self._called)
        sys.settrace(self._entered)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.settrace(None)
        sys.setprofile(None)

    def _name(self, code: CodeType) -> str:
        """The function that code belongs to; "" for what is none of the judge's."""
        if (known := self._of.get(code)) is None:
            path = code.co_filename
            inside = path.startswith((_HOME + "judge/", _HOME + "templates/"))
            within = code.co_qualname.replace(".<locals>", "").partition(".<")[0]
            known = self._of[code] = f"{path[len(_HOME) :]}:{within}" if inside else ""
        return known

    def _entered(self, frame: FrameType, _event: str, _arg: object) -> Callable[..., Any] | None:
        if not self._name(frame.f_code):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self._stepped

    def _stepped(self, frame: FrameType, event: str, _arg: object) -> Callable[..., Any]:
        if event == "opcode":
            self.steps[self._of[frame.f_code]] += 1
        return self._stepped

    def _called(self, frame: FrameType, event: str, _arg: object) -> None:
        if event == "c_call" and (name := self._name(frame.f_code)):
            self.steps[name] += CALL


def count(work: Callable[[], object]) -> Steps:
    """The steps of a work, the second time that it is done: by then it has everything that it keeps."""
    work()
    with Counted() as counted:
        work()
    return counted.steps


def adjudication() -> dict[str, Steps]:
    """The parts of an adjudication, over phases of plausible games."""
    played = phases(Random(1), load_board(folder("maps") / "standard"), _PHASES)
    bouts = [[lower(position, orders, RULES_1976) for position, orders in played] for _ in range(2)]
    solvers = list(map(solved, bouts[0]))
    ousted = [(solver, solver.dislodgements()) for solver in solvers]
    again = iter((bouts[1], [lower(position, orders, RULES_1976) for position, orders in played]))
    return {
        "lower": count(lambda: [lower(position, orders, RULES_1976) for position, orders in played]),
        "solve": count(lambda: list(map(solved, next(again)))),
        "settle": count(lambda: [settle(solver, attackers, frozenset()) for solver, attackers in ousted]),
        "why": count(lambda: [outcomes(solver, attackers, ()) for solver, attackers in ousted]),
    }


def reading() -> dict[str, Steps]:
    """Order lines: canonical ones of whole sheets, on positions that were not read before, and freely written ones."""
    played = phases(Random(1), load_board(folder("maps") / "standard"), _PHASES)
    sheets = [[str(order) for order in orders] for _, orders in played]
    fresh = iter([[Position(at.board, at.phase, at.units, at.owners) for at, _ in played] for _ in range(2)])
    free, there = FREE.replace("\n", "|").strip("|").split("|"), position()

    def canonical() -> None:
        for at, lines in zip(next(fresh), sheets, strict=True):
            assert all(map(canonical_readers(at, READING)(None), lines))

    return {"read canonical": count(canonical), "read": count(lambda: [read_line(line, there, None) for line in free])}


def service() -> dict[str, Steps]:
    """A mail of orders, a deadline, and the letters of each; as in `lives`, but in all that they are."""
    stage = opened()
    post = Post(stage.judge, stage.post)
    found: dict[str, Steps] = {}
    for life, name, letters in (("order", "hear", "compose receipt"), ("deadline", "turn", "compose results")):
        for game in games_of(life):
            work = prepared(stage, life, game)
            with Counted() as heard:
                work()
            with Counted() as composed:
                post.compose_all()
            stage.settle()
            found |= {name: heard.steps, letters: composed.steps}
    stage.close()
    return found


def measure() -> dict[str, Steps]:
    """Work -> its steps by function, counted in a process of its own, in which sets keep one sequence."""
    asked = [sys.executable, "-m", "tests.bench.steps", "--count"]
    done = subprocess.run(
        asked, env=os.environ | {"PYTHONHASHSEED": "0"}, cwd=_HOME, check=True, capture_output=True, text=True
    )
    counted: dict[str, Steps] = json.loads(done.stdout)
    return counted


def known() -> dict[str, Steps]:
    """What was counted before with this version of Python; empty where nothing was."""
    stored: dict[str, dict[str, Steps]] = json.loads(FILE.read_text())
    return stored.get(VERSION, {})


def written(steps: Steps) -> Steps:
    """The steps as they are written down: of small functions the sum."""
    least = sum(steps.values()) * _SMALL
    large = {name: many for name, many in sorted(steps.items()) if many >= least}
    return large | {ELSEWHERE: sum(many for many in steps.values() if many < least)}


def grown(now: Mapping[str, Steps], before: Mapping[str, Steps]) -> list[str]:
    """A sentence for each work that takes more steps than it may, with the functions that did it."""
    found = []
    for work, steps in now.items():
        had, has = sum(before.get(work, {}).values()), sum(steps.values())
        if had and has > had * (1 + MORE):
            by = Counter({name: many - before[work].get(name, 0) for name, many in written(steps).items()})
            told = ", ".join(f"{name} (+{more:,})" for name, more in by.most_common(3) if more > 0)
            found.append(f"{work} takes {has:,} steps instead of {had:,} ({has / had - 1:+.1%}), most of it in {told}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.steps")
    parser.add_argument("works", nargs="*", metavar="WORK")
    parser.add_argument("--table", action="store_true", help="and in which functions")
    parser.add_argument("--write", action="store_true", help="write down what is counted now")
    parser.add_argument("--count", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.count:
        count(lambda: province_of("PAR"))  # Python 3.12 tells of instructions from the second time on
        print(json.dumps(adjudication() | reading() | service()))
        return
    now, before = measure(), known()
    for work, steps in now.items():
        if not asked.works or work in asked.works:
            had = sum(before.get(work, {}).values())
            print(f"{work:18}{sum(steps.values()):>12,}{had:>12,}")
            _print_functions(steps.items() if asked.table else ())
    if asked.write:
        stored = json.loads(FILE.read_text()) if FILE.is_file() else {}
        stored[VERSION] = {work: written(steps) for work, steps in now.items()}
        FILE.write_text(json.dumps(dict(sorted(stored.items())), indent=0) + "\n")


def _print_functions(steps: Iterable[tuple[str, int]]) -> None:
    for name, many in Counter(dict(steps)).most_common(20):
        print(f"    {many:>12,}  {name}")


if __name__ == "__main__":
    main()
