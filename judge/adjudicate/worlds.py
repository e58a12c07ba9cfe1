"""Questions that hang on each other, and worlds: an answer to each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

Question = tuple[str, int]
"""("moves" | "stands" | "arrives", unit id)."""

World = dict[Question, bool]


class _Unknown(Exception):
    def __init__(self, question: Question) -> None:
        self.question = question


class _Partial(World):
    def __missing__(self, question: Question) -> bool:
        raise _Unknown(question)


def branches(follow: Callable[[World], bool], known: World) -> Iterator[tuple[World, bool]]:
    """The answer for every way to fill in what it looks at."""
    waiting: list[World] = [{}]
    while waiting:
        branch = waiting.pop()
        try:
            yield branch, follow(_Partial({**known, **branch}))
        except _Unknown as unknown:
            waiting += [{**branch, unknown.question: answer} for answer in (False, True)]


def reach(question: Question, needs: dict[Question, set[Question]]) -> frozenset[Question]:
    """Everything a question hangs on, and itself."""
    seen = {question}
    fresh = [question]
    while fresh:
        for other in needs.get(fresh.pop(), set()) - seen:
            seen.add(other)
            fresh.append(other)
    return frozenset(seen)


def fullest(worlds: list[World]) -> World:
    """The world with most successful moves."""
    best, most = worlds[0], -1
    for world in worlds:
        count = sum(answer for (sort, _), answer in world.items() if sort == "moves")
        if count > most:
            best, most = world, count
    return best
