"""How large the house is, and in how many places one subject stands.

    python -m tests.bench.house [WORD ...]

Prints files, lines and short files of each room of the judge, how many lines are imports, which names of functions and
classes are made in more than one file, and for each word (a command, a setting) the files in which it stands. How many
files and functions a mail and a deadline enter: `tests.bench.lives`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

import judge

HOME = Path(judge.__file__).parent
SHORT = 100
"""Lines of a file that is called short."""


def room_of(path: Path) -> str:
    """The package of a file: the folder below `judge`, or the folder in it."""
    return "/".join(path.relative_to(HOME).parts[:-1][:2]) or "judge"


def imports(tree: ast.Module) -> int:
    """Lines that are imports at the top of a file."""
    found = (node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom)))
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in found)


def names(tree: ast.Module) -> set[str]:
    """Public functions and classes of a file."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in tree.body if isinstance(node, kinds) and not node.name.startswith("_")}


def main() -> None:
    """Print the tables."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(HOME.rglob("*.py"))}
    trees = {path: ast.parse(text) for path, text in texts.items()}
    lines = {path: text.count("\n") for path, text in texts.items()}
    files: Counter[str] = Counter(map(room_of, texts))
    total: Counter[str] = Counter()
    for path, count in lines.items():
        total[room_of(path)] += count
    print(f"{'room':32}{'files':>8}{'lines':>9}")
    for room, count in files.most_common():
        print(f"{room:32}{count:8}{total[room]:9}")
    print(f"{'in all':32}{len(texts):8}{sum(lines.values()):9}")
    print(f"{f'at most {SHORT} lines':32}{sum(count <= SHORT for count in lines.values()):8}")
    print(f"{'imports':32}{'':8}{sum(map(imports, trees.values())):9}")
    made: defaultdict[str, list[str]] = defaultdict(list)
    for path, tree in trees.items():
        for name in names(tree):
            made[name].append(path.relative_to(HOME).as_posix())
    twice = {name: places for name, places in made.items() if len(places) > 1}
    print(f"{'names made in several files':32}{len(twice):8}")
    for word in sys.argv[1:]:
        places = [path for path, text in texts.items() if re.search(rf"\b{re.escape(word)}\b", text)]
        print(f"{word}: {len(places)} files")
        for path in places:
            print(f"    {path.relative_to(HOME).as_posix()}")


if __name__ == "__main__":
    main()
