"""Round the map: frame, title, stamps, the powers with their centres, what the signs mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from judge.board.extras import Badge, MapTable
from judge.board.position import Position
from judge.draw import glyphs
from judge.draw.letters import Type, fitted, safe, wrapped
from judge.draw.paths import number
from judge.draw.scene import Canvas
from judge.draw.topology import Point

MARGIN = 10.0
_TITLE, _SUBTITLE = Type("title", 26.0), Type("italic", 18.0)
_HEAD, _BAND = 46.0, 25.0
_KEY, _NOTE, _STAMP = Type("caps", 13.0), Type("italic", 14.0), Type("caps", 15.0)
_OF_TILES = "A map without geography: tiles are spaces, lines are borders."
_MANY = 16
"""With more powers than this the legend is a list in small type."""


@dataclass(frozen=True, slots=True)
class Caption:
    """What stands above a picture. `stamps`: what must be seen at once, such as "Speculation"."""

    game: str
    title: str
    version: int = 1
    stamps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MapFrame:
    """What is drawn around a map, and the page's box: left, top, width, height."""

    svg: str
    box: tuple[float, float, float, float]


def around(
    scene: Canvas, position: Position, caption: Caption, keys: Sequence[tuple[str, str]], notes: Iterable[str]
) -> MapFrame:
    """Everything around the map. `keys`: a sign about 0 0 and what it means."""
    width, height, theme = scene.topology.width, scene.topology.height, scene.theme
    stamps = caption.stamps
    top = -(_HEAD + (_BAND if stamps else 0))
    drawn = [_titles(caption, width, top, theme.ink)]
    if stamps:
        drawn.append(_stamps(stamps, width, scene))
    y = height + 26
    legend, y = _legend(scene, position, y)
    drawn.append(legend)
    if scene.extras.table is not None:
        table, y = _table(scene, position, scene.extras.table, y)
        drawn.append(table)
    row, y = _keys(keys, width, y, theme.ink)
    drawn.append(row)
    of_board = (scene.board.reconstruction, _OF_TILES if scene.topology.schematic else "")
    for note in (*scene.extras.notes, *_grouped(notes), *filter(None, of_board)):
        for text in wrapped(note, _NOTE, width - 4):
            drawn.append(f'<text x="2" y="{number(y)}" {_NOTE.attributes()} fill="{theme.ink}">{safe(text)}</text>')
            y += 18
    return MapFrame("".join(drawn), (-MARGIN, top - MARGIN, width + 2 * MARGIN, y - 8 - top + MARGIN))


def _grouped(notes: Iterable[str]) -> Iterable[str]:
    joined = "; ".join(notes)
    return (joined,) if joined else ()


def frame(width: float, height: float, ink: str) -> str:
    """The lines around a map."""
    w, h = number(width), number(height)
    return (
        f'<rect width="{w}" height="{h}" fill="none" stroke="{ink}" stroke-width="1.6"/>'
        f'<rect x="-4" y="-4" width="{number(width + 8)}" height="{number(height + 8)}" fill="none" stroke="{ink}" '
        'stroke-width=".7"/>'
    )


def _titles(caption: Caption, width: float, top: float, ink: str) -> str:
    title = fitted(caption.title, _TITLE, width * 0.7)
    version = f"version {caption.version}"
    room = width - _TITLE.width(title) - 30 - _SUBTITLE.width(f" \xb7 {version}")
    game = fitted(caption.game, _SUBTITLE, max(40.0, room))
    right = f"{game} \xb7 {version}" if game else version
    y = number(top + 32)
    return (
        f'<text x="2" y="{y}" {_TITLE.attributes()} fill="{ink}">{safe(title)}</text>'
        f'<text x="{number(width - 2)}" y="{y}" text-anchor="end" {_SUBTITLE.attributes()} fill="{ink}">'
        f"{safe(right)}</text>"
    )


def _stamps(stamps: Sequence[str], width: float, scene: Canvas) -> str:
    theme = scene.theme
    text = fitted(" \xb7 ".join(stamps), _STAMP, width - 20)
    fill, ink = (theme.halo, theme.ink) if theme.printed else (theme.bad, "#ffffff")
    return (
        f'<rect x="-4" y="-31" width="{number(width + 8)}" height="22" rx="3" fill="{fill}" stroke="{theme.ink}"/>'
        f'<text x="{number(width / 2)}" y="-15" text-anchor="middle" {_STAMP.attributes()} fill="{ink}">'
        f"{safe(text)}</text>"
    )


# -- the powers ----------------------------------------------------------------------------------------------------


def _legend(scene: Canvas, position: Position, y: float) -> tuple[str, float]:
    """The powers that are on the board, in even columns; and where the next row goes."""
    entries = [(key, f"{name} \xa0{count}{more}") for key, name, count, more in _entries(scene, position)]
    if not entries:
        return "", y
    type_ = Type("caps", 12.0 if len(entries) > _MANY else 15.0)
    widths = [type_.width(text) + 27 for _, text in entries]
    places, rows = _grid(widths, scene.topology.width, by_column=len(entries) > _MANY)
    drawn = []
    for (key, text), (x, row, room) in zip(entries, places, strict=True):
        drawn.append(_entry(scene, key, fitted(text, type_, room - 27), type_, x + 2, y + row * type_.size * 1.45))
    return "".join(drawn), y + rows * type_.size * 1.45 + 5


def _grid(widths: Sequence[float], room: float, *, by_column: bool) -> tuple[list[tuple[float, int, float]], int]:
    """For each entry where it begins, its row and its room; and the number of rows. One row if all fit into it."""
    gap = (room - sum(widths)) / max(1, len(widths) - 1)
    if gap >= 9:
        starts = [sum(widths[:n]) + n * min(gap, 60) for n in range(len(widths))]
        return [(start, 0, width + 1) for start, width in zip(starts, widths, strict=True)], 1
    columns = _columns([width + 10 for width in widths], room)
    rows = -(-len(widths) // columns)
    step = room / columns
    cells = [divmod(n, rows) if by_column else divmod(n, columns)[::-1] for n in range(len(widths))]
    return [(column * step, row, step - 8) for column, row in cells], rows


def _entries(scene: Canvas, position: Position) -> Iterable[tuple[str, str, int, str]]:
    charted = {row.power for row in scene.extras.table.rows} if scene.extras.table else set()
    for key, power in scene.board.powers.items():
        if key in charted:
            continue
        count = len(position.centres(key))
        if count or position.of(key) or any(lost.unit.power == key for lost in position.dislodged):
            more = scene.extras.powers.get(key, "")
            yield key, power.name, count, f", {more}" if more else ""


def _columns(widths: Sequence[float], room: float) -> int:
    """As many as fit, but rows of even length."""
    most = max(1, min(len(widths), int(room / max(widths))))
    rows = -(-len(widths) // most)
    return -(-len(widths) // rows)


def _entry(scene: Canvas, key: str, text: str, type_: Type, x: float, y: float) -> str:
    theme, paint = scene.theme, scene.paints[key]
    fill = f"url(#hatch{paint.hatch})" if theme.printed else paint.wash
    letter = scene.letter(key)
    initial = Type("caps", 12.0 if len(letter) < 2 else 8.0)
    height = 15.0 if type_.size > 13 else 13.0
    rim = ' paint-order="stroke" stroke="#ffffff" stroke-width="3"' if theme.printed else ""
    return (
        f'<rect x="{number(x)}" y="{number(y - height + 2)}" width="21" height="{number(height)}" rx="2.5" '
        f'fill="{fill}" stroke="{scene.ink(key)}" stroke-width="1.3"/>'
        f'<text x="{number(x + 10.5)}" y="{number(y - height / 2 + 2 + initial.size * 0.33)}" text-anchor="middle" '
        f'{initial.attributes()} fill="{scene.ink(key)}"{rim}>{safe(letter)}</text>'
        f'<text x="{number(x + 27)}" y="{number(y)}" {type_.attributes()} fill="{theme.ink}">{safe(text)}</text>'
    )


_CELL, _LINE = Type("caps", 12.5), 17.0


def _table(scene: Canvas, position: Position, table: MapTable, y: float) -> tuple[str, float]:
    """A table in as many columns as find room, and where the next row goes."""
    ink, powers = scene.theme.ink, scene.board.powers
    names = [f"{powers[row.power].name} \xa0{len(position.centres(row.power))}" for row in table.rows]
    first = 27 + max((_CELL.width(name) for name in (*names, table.title)), default=0.0) + 12
    widths = [
        max((_wide(cell) for cell in (head, *(row.cells[n] for row in table.rows))), default=0.0) + 15
        for n, head in enumerate(table.heads)
    ]
    across = first + sum(widths)
    columns = max(1, int((scene.topology.width + 20) // (across + 20)))
    rows, step = -(-len(table.rows) // columns), scene.topology.width / columns
    drawn = []
    for n in range(0, len(table.rows), max(1, rows)):
        left, at = n // rows * step + 2, y
        drawn.append(_cells(scene, (table.title, *table.heads), (left, at), first, widths, title=True))
        for row, name in zip(table.rows[n : n + rows], names[n : n + rows], strict=True):
            at += _LINE
            drawn.append(
                f'<path d="M{number(left)} {number(at - 12.5)}H{number(left + across)}" '
                f'stroke="{scene.theme.faint}" stroke-width=".5" stroke-opacity=".6"/>'
            )
            drawn.append(_entry(scene, row.power, name, _CELL, left, at))
            drawn.append(_cells(scene, ("", *row.cells), (left, at), first, widths, title=False))
    return f'<g fill="{ink}">{"".join(drawn)}</g>', y + rows * _LINE + 24


def _wide(cell: str | Badge) -> float:
    return _CELL.width(cell) if isinstance(cell, str) else max(11.0, _CELL.width(cell.text) + 5)


def _cells(
    scene: Canvas, cells: Sequence[str | Badge], at: Point, first: float, widths: Sequence[float], *, title: bool
) -> str:
    """The cells of a row behind the name, each about the middle of its column; the title stands where names do."""
    (left, y), x = at, at[0] + first
    drawn = [f'<text x="{number(left)}" y="{number(y)}" {_NOTE.attributes()}>{safe(str(cells[0]))}</text>'] * title
    for cell, width in zip(cells[1:], widths, strict=True):
        if isinstance(cell, Badge):
            drawn.append(glyphs.placed((x + width / 2, y - 4), scene.badge(cell)))
        elif cell:
            face = (_NOTE if title else _CELL).attributes()
            drawn.append(
                f'<text x="{number(x + width / 2)}" y="{number(y)}" text-anchor="middle" {face}>{safe(cell)}</text>'
            )
        x += width
    return "".join(drawn)


# -- the signs -----------------------------------------------------------------------------------------------------


def _keys(keys: Sequence[tuple[str, str]], width: float, y: float, ink: str) -> tuple[str, float]:
    """Signs and what they mean, one after the other, in as many rows as it takes."""
    drawn, x = [], 2.0
    for sign, meaning in keys:
        wide = 44 + _KEY.width(meaning) + 14
        if x + wide > width and x > 2:
            x, y = 2.0, y + 24
        drawn.append(
            glyphs.placed((x + 20, y - 3), sign)
            + f'<text x="{number(x + 44)}" y="{number(y + 1)}" {_KEY.attributes()} fill="{ink}">{safe(meaning)}</text>'
        )
        x += wide
    return "".join(drawn), y + (22 if keys else 0)


def page_sides(box: tuple[float, float, float, float]) -> Mapping[str, str]:
    """A page's box as the attributes of the svg element."""
    left, top, width, height = (number(side) for side in box)
    return {"viewBox": f"{left} {top} {width} {height}", "width": width, "height": height}
