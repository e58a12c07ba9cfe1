"""format=flowed (RFC 3676): lines that the mail program broke are put together again.

An order that was broken in two must become one line; an order that merely ends in a stray space must not swallow its
neighbour. So a soft break is believed only where the next word would not have fitted on the line.
"""

from collections.abc import Iterable

_NARROWEST = 60


def join_flowed(lines: Iterable[str], *, delsp: bool) -> list[str]:
    """Lines with soft breaks undone and space-stuffing removed; quoted ones keep their marks as `> > text`.

    >>> join_flowed(["A PAR - BUR ", "A MAR - SPA"], delsp=False)
    ['A PAR - BUR', 'A MAR - SPA']
    """
    joined: list[str] = []
    pieces: list[str] = []
    depth = 0
    for line in lines:
        level, text = _unstuffed(line)
        if pieces and (level != depth or text == "-- " or not _was_broken(pieces[-1], level, text)):
            joined.append(_whole(depth, pieces))
            pieces = []
        if pieces:
            pieces[-1] = pieces[-1][:-1] if delsp else pieces[-1]
        pieces.append(text)
        depth = level
        if text == "-- " or not text.endswith(" "):
            joined.append(_whole(depth, pieces))
            pieces = []
    if pieces:
        joined.append(_whole(depth, pieces))
    return joined


def _unstuffed(line: str) -> tuple[int, str]:
    depth = len(line) - len(line.lstrip(">"))
    rest = line[depth:]
    return depth, rest[1:] if rest.startswith(" ") else rest


def _was_broken(before: str, depth: int, after: str) -> bool:
    word = after.lstrip().partition(" ")[0]
    return bool(word) and len(before) + depth + len(word) >= _NARROWEST


def _whole(depth: int, pieces: list[str]) -> str:
    text = "".join(pieces)
    text = text if text == "-- " else text.rstrip(" ")
    return "> " * depth + text if depth else text
