"""What the judge keeps in memory does not grow with the mails that it hears, whoever writes them.

A judge hears the same kinds of mails again and again, each with words, addresses and domains that never came before.
Everything that its modules hold is counted before and after: values by their class, tables in objects and modules.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import pkgutil
import platform
import resource
import subprocess
import sys
import weakref
from collections import Counter, deque
from collections.abc import Iterator
from datetime import timedelta
from functools import lru_cache
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest

import judge
from judge import resources
from judge.board import names
from judge.daemon.watching import give_back
from judge.game.core import immutable
from judge.game.settings.table import Settings
from judge.mail.letters import rendering
from judge.orders import lexer
from judge.service.core import directory
from judge.service.core import judge as core_judge
from judge.service.core.judge import Shelf
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.under_test import build

_LRU = type(lru_cache(lambda: None))
_TABLES = (dict, list, set, deque)

PR_SET_MDWE, PR_GET_MDWE = 65, 66
"""Memory of a process may not be made executable; an error where the kernel (before 6.3) cannot forbid it."""

ROUNDS = 3
"""Mails of each kind between two looks."""

LOW = 6
BOUNDS = (
    (immutable, "MOST"), (immutable, "FEW"), (names, "MOST_KEPT"), (lexer, "MOST_KEPT"), (directory, "MOST"),
    (rendering, "MOST_SENTENCES"),
)  # fmt: skip
"""The numbers that say how much is kept of what comes by mail. Here they are low, so that they are soon reached."""

UNBOUNDED = {
    "judge.board.chart": "boards that are installed",
    "judge.board.placenames": "one",
    "judge.daemon.watching": "one",
    "judge.draw.letters": "letters of our fonts",
    "judge.game.core.events": "classes of events",
    "judge.service.upkeep.moving": "classes of what a parcel holds",
    "judge.store.sql": "statements, one for a table and its columns",
    "judge.service.core.judge": "one, and boards that are installed",
    "judge.subjects": "one",
    "judge.zine.tree": "one",
}
"""Modules with caches without a bound, and what it is that these have one entry for; none of it is a stranger's."""

OF_A_GAME = {"Outgoing": "press that may still be taken back", "Fault": "lines of orders that nobody could read"}
"""What a game remembers of what was said in it. It ends with the turn, and their number is limited by the day."""

_words = count(1)


def fresh() -> str:
    """A word that nobody ever wrote."""
    return f"xq{next(_words)}z"


def kinds(judge: str) -> Iterator[tuple[list[tuple[str, str]], str]]:
    """Headers and text of one mail of each kind."""
    france = ("From", player_of("FRANCE"))
    yield [france, ("Subject", "baltic")], f"A Paris - Burgundy\nF Brest - {fresh()}\n{fresh()} {fresh()}: thanks"
    yield [france, ("Subject", "baltic")], f"press to Austria\n{fresh()}\nend press"
    yield [france, ("Subject", fresh())], f"help {fresh()}"
    yield [("From", f"{fresh()}@{fresh()}.test"), ("Subject", fresh())], f"join {fresh()}\n{fresh()}"
    yield [("From", f"{fresh()}@{fresh()}.test"), ("Subject", "baltic")], f"A Paris - {fresh() * 20}"
    yield [("From", f"{fresh()}@{fresh()}.test"), ("To", f"judge+{fresh()}@{judge.partition('@')[2]}")], "help"


def hear(table: LocalJudge, rounds: int) -> int:
    """So many mails of each kind, and their answers; returns the number."""
    heard = 0
    for _ in range(rounds):
        for number, (headers, text) in enumerate(kinds(table.address)):
            word = fresh()
            named = [*headers, ("Message-ID", f"<{word}@players.test>")]
            proved, arrival = number < 4, int(word[2:-1])
            table.deliver(build(named, text, now=table.now, number=arrival, to=table.address, vouched=proved))
            heard += 1
        table.clock.set(table.now + timedelta(hours=1))
    table.settle()
    table.post.letters.clear()
    table.post.tried.clear()
    return heard


def held() -> Counter[str]:
    """Everything of the judge's own that is held now, but for what the caches of functions hold."""
    for cache in [thing for thing in gc.get_objects() if isinstance(thing, _LRU)]:
        if _ours(str(cache.__module__)):
            cache.cache_clear()
    gc.collect()
    found: Counter[str] = Counter()
    for thing in gc.get_objects():
        kind = type(thing)
        if isinstance(thing, ModuleType) and _ours(thing.__name__):
            found.update({f"{thing.__name__}.{name}": size for name, size in _tables(vars(thing))})
        elif isinstance(getattr(kind, "__module__", None), str) and _ours(kind.__module__):
            found[kind.__name__] += 1
            found.update({f"{kind.__name__}.{name}": size for name, size in _tables(getattr(thing, "__dict__", {}))})
    return found


def _ours(module: str) -> bool:
    return module.startswith("judge.") and not module.startswith("judge.testing")


def _name(cache: object) -> str:
    return f"{getattr(cache, '__module__', '')}.{getattr(cache, '__qualname__', '')}"


def _tables(names: dict[str, object]) -> Iterator[tuple[str, int]]:
    for name, value in list(names.items()):
        if isinstance(value, _TABLES):
            yield name, len(value)


@pytest.fixture(autouse=True)
def thawed() -> None:
    """What a daemon of another test has frozen is seen again."""
    gc.unfreeze()


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalJudge]:
    for module, name in BOUNDS:
        monkeypatch.setattr(module, name, LOW)
    judge = LocalJudge(tmp_path)
    judge.judge.dates._most = judge.judge.envelopes._most = LOW
    seat_everybody(judge, "baltic")
    judge.begin()
    yield judge
    judge.close()


def test_nothing_grows_with_the_mails_that_come(table: LocalJudge) -> None:
    hear(table, 2 * ROUNDS)
    looks = [held()]
    for _ in range(2):
        hear(table, ROUNDS)
        looks.append(held())
    first, second, third = looks
    grew = {
        name: (first[name], second[name], third[name])
        for name in third
        if min(second[name] - first[name], third[name] - second[name]) >= ROUNDS and name not in OF_A_GAME
    }
    assert grew == {}


def test_boards_of_years_that_gamemasters_chose_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_judge, "MOST", LOW)
    shelf = Shelf(resources.folder("maps"))
    made = [weakref.ref(shelf(Settings(first_year=1000 + year)).board) for year in range(3 * LOW)]
    gc.collect()
    assert sum(board() is not None for board in made) == LOW


def test_memory_is_given_back_where_none_may_be_made_executable() -> None:
    """`MemoryDenyWriteExecute` of the unit is this flag of the kernel (prctl(2)), which children inherit."""
    if ctypes.CDLL(None).prctl(PR_GET_MDWE, 0, 0, 0, 0) < 0 or platform.libc_ver()[0] != "glibc":
        pytest.skip("this kernel has no such flag")
    shown = f"print(ctypes.CDLL(None).prctl({PR_GET_MDWE}, 0, 0, 0, 0), give_back())"
    asks = f"import ctypes; from judge.daemon.watching import give_back; {shown}"
    first = f"CDLL(None).prctl({PR_SET_MDWE}, 1, 0, 0, 0)"
    shut = f"from ctypes import CDLL; import os, sys; {first}; os.execv(sys.argv[1], sys.argv[1:])"
    shut_in = [sys.executable, "-c", shut, sys.executable, "-c", asks]
    done = subprocess.run(shut_in, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "1 True\n"), done.stderr


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only the GNU C library gives memory back")
def test_what_is_freed_goes_back_to_the_system() -> None:
    """Blocks with something left between them, as mails and letters leave them: the heap does not shrink by itself."""
    blocks = [bytearray(10_000) for _ in range(8000)]
    between = blocks[::40]
    before = resident()
    blocks.clear()
    assert before - resident() < 40_000_000, "the library keeps it"
    assert give_back()
    assert before - resident() > 60_000_000
    assert len(between) == 200


def resident() -> int:
    """Bytes of memory that this process has now (proc(5))."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def test_every_cache_of_a_function_has_a_bound() -> None:
    for module in pkgutil.walk_packages(judge.__path__, "judge."):
        if not module.name.startswith(("judge.testing", "judge.cli.__main__")):
            importlib.import_module(module.name)
    caches = [thing for thing in gc.get_objects() if isinstance(thing, _LRU) and _ours(str(thing.__module__))]
    assert len(caches) > 20
    most = {_name(cache): cache.cache_parameters()["maxsize"] for cache in caches}
    without = {name for name, size in most.items() if size is None}
    assert {name for name in without if not name.startswith(tuple(UNBOUNDED))} == set()
    assert {name for name, size in most.items() if (size or 0) > 8192 and "adjudicate.json" not in name} == set()
