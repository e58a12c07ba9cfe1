"""What every face prints, in its order: an issue laid out in divisions and sections, as plain values for templates.

The order of an issue is decided here, once. Words of others become trees (`tree.py`), everything else is a text, a
number or a name; nothing of it is markup of any face.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from judge.languages import ENGLISH, speak, tell
from judge.orders.spelled import listed
from judge.report.core.letter import plain
from judge.zine.issue import (
    BoardMap,
    GameEntry,
    GameOpening,
    Graph,
    Holdings,
    Issue,
    Item,
    ItemKind,
    Markup,
    Press,
    Report,
    StandbyWanted,
    Statistics,
    ZineChapter,
    graph_name,
)
from judge.zine.tree import Node, markdown, plain_text, words

View = dict[str, Any]
"""Names that templates know -> plain values, views of parts, and trees."""

TITLES: Mapping[ItemKind, tuple[str, str]] = {
    ItemKind.COMMENT: ("Comments", "Comment"),
    ItemKind.ERRATUM: ("Corrections", "Correction"),
    ItemKind.LETTER: ("Letters", "Letter"),
    ItemKind.ARTICLE: ("Articles", "Article"),
    ItemKind.RULES: ("Rules", "Rules"),
    ItemKind.BIOGRAPHY: ("Who we are", "Biography"),
    ItemKind.CARTOON: ("Cartoons", "Cartoon"),
    ItemKind.STATEMENT: ("Statements at the end of games", "Statement"),
    ItemKind.OPENING: ("Openings", "Opening"),
    ItemKind.CLASSIFIED: ("Classified", "Classified"),
}
"""What the division of such items is called, and one of them without a title in a chapter."""
READERS: Mapping[Markup, Callable[[str], tuple[Node, ...]]] = {Markup.TEXT: plain_text, Markup.MARKDOWN: markdown}
"""How somebody's words become a tree."""
_LAST = (ItemKind.OPENING, ItemKind.CLASSIFIED)
"""Items that stand behind openings and statistics."""


@speak(ENGLISH)  # an issue is for all its readers, in the language of its templates
def laid_out(issue: Issue) -> View:
    """The issue as templates see it: `masthead`, `epigraph`, `directory`, `divisions`, each of these with its
    `sections`. Every division and section has an `anchor` of its own and a `title`.
    """
    masthead = issue.masthead
    divisions = [division for division in _divisions(issue) if division["sections"]]
    _told_apart([*divisions, *(section for division in divisions for section in division["sections"])])
    return {
        "masthead": {
            "zine": words(masthead.zine),
            "issue": words(masthead.issue),
            "number": masthead.number,
            "errata": bool(masthead.suffix),
            "title": words(masthead.title),
            "date": f"{masthead.date:%A %-d %B %Y}",
            "iso": masthead.date.isoformat(),
            "editor": words(str(masthead.editor)),
            "address": words(masthead.address),
            "key": words(masthead.key),
        },
        "epigraph": plain_text(issue.epigraph.text) if issue.epigraph else (),
        "directory": [_listed_chapter(chapter) for chapter in issue.chapters],
        "divisions": divisions,
    }


def _told_apart(parts: Sequence[View]) -> None:
    """No two parts have one anchor, whatever games are called."""
    taken: set[str] = set()
    for part in parts:
        anchor = next(
            name for n in range(1, len(parts) + 2) if (name := part["anchor"] + (f"-{n}" if n > 1 else "")) not in taken
        )
        part["anchor"] = anchor
        taken.add(anchor)


def graphs_of(view: View) -> list[View]:
    """Every graph in it, in its order."""
    sections = [section for division in view["divisions"] for section in division["sections"]]
    return [graph for one in sections for graph in (one.get("statistics") or one).get("graphs", ())]


def sheet(view: View) -> View:
    """The same as plain JSON, trees included, for whoever reads no objects of ours."""
    made: View = plain(view)
    return made


def _listed_chapter(chapter: ZineChapter) -> View:
    names = [words(name).upper() for name in chapter.names]
    return {
        "anchor": f"chapter-{chapter.number}",
        "number": chapter.number,
        "heading": words(chapter.heading),
        "names": names,
        "contains": _and(names),
        "publisher": words(str(chapter.publisher)) if chapter.publisher else "",
        "printed": chapter.printed,
    }


def _and(names: Sequence[str]) -> str:
    """Names as the directory lists them, a comma ahead of the last of several.

    >>> _and(["D-DAY", "NAVARONE", "HMS HOOD"]), _and(["D-DAY", "NAVARONE"])
    ('D-DAY, NAVARONE, and HMS HOOD', 'D-DAY and NAVARONE')
    """
    if len(names) > 2:
        return f"{', '.join(names[:-1])}, and {names[-1]}"
    return " and ".join(names)


# -- divisions -------------------------------------------------------------------------------------------------------


def _divisions(issue: Issue) -> Iterator[View]:
    by_game = {one.game.casefold(): one for one in issue.statistics if one.game}
    if issue.masthead.suffix:
        yield from _of_items(issue.items, (ItemKind.ERRATUM,))
    for chapter in issue.printed:
        games = [_game(entry, chapter.number, by_game.get(entry.game.casefold())) for entry in chapter.entries]
        items = [_item(item, in_chapter=True) for kind in ItemKind for item in chapter.items if item.sort is kind]
        named = _listed_chapter(chapter)
        yield {**named, "kind": "chapter", "title": named["heading"], "sections": [*games, *items]}
    yield _division(
        "since", tell("Since the last issue"), [_sentences("changed", issue.changed)] if issue.changed else []
    )
    credit = issue.epigraph.credit if issue.epigraph else ""
    first = (ItemKind.ERRATUM,) if issue.masthead.suffix else ()
    yield from _of_items(issue.items, [kind for kind in ItemKind if kind not in (*first, *_LAST)], credit)
    yield _division("openings", tell("Openings and standbys"), list(_openings(issue)))
    shown = {entry.game.casefold() for chapter in issue.printed for entry in chapter.entries}
    yield _division(
        "statistics", "Statistics", [
            statistics_view(one, number)
            for number, one in enumerate(issue.statistics, 1) if not one.game or one.game.casefold() not in shown
        ],
    )  # fmt: skip
    yield from _of_items(issue.items, (ItemKind.CLASSIFIED,))
    yield _division("about", tell("About this zine"), [_sentences("notes", issue.notes)] if issue.notes else [])


def _division(anchor: str, title: str, sections: list[View], kind: str = "part") -> View:
    return {"anchor": anchor, "title": title, "kind": kind, "sections": sections}


def _of_items(items: Sequence[Item], kinds: Iterable[ItemKind], credit: str = "") -> Iterator[View]:
    """A division for each kind; the comments begin with whom the epigraph is from."""
    for kind in kinds:
        of_kind = [_item(item) for item in items if item.sort is kind]
        if kind is ItemKind.COMMENT and credit:
            of_kind.insert(0, _sentences("credit", (tell("Quote taken from {credit}.", credit=credit),)))
        yield _division(kind.value, TITLES[kind][0], of_kind)


def _sentences(anchor: str, lines: Sequence[str]) -> View:
    kind = "changed" if anchor == "changed" else "notes"
    return {"kind": kind, "anchor": f"the-{anchor}", "title": "", "lines": list(map(words, lines))}


def _openings(issue: Issue) -> Iterator[View]:
    for number, opening in enumerate(issue.openings, 1):
        yield _opening(opening, number)
    for item in issue.items:
        if item.sort is ItemKind.OPENING:
            yield _item(item)
    if issue.wanted:
        yield {
            "kind": "wanted",
            "anchor": "wanted",
            "title": tell("Players wanted"),
            "rows": list(map(_wanted, issue.wanted)),
        }
    if issue.standbys:
        names = list(map(words, issue.standbys))
        yield {"kind": "standbys", "anchor": "standbys", "title": "Standbys", "names": names, "listed": listed(names)}


def _opening(opening: GameOpening, number: int) -> View:
    return {
        "kind": "opening",
        "anchor": f"opening-{number}",
        "title": words(opening.game).upper(),
        "variant": words(opening.variant),
        "gm": words(str(opening.gm)) if opening.gm else "",
        "seats": words(opening.seats),
        "how": words(opening.how),
        "preferences": opening.preferences,
        "map_offered": opening.map_offered,
        "notes": list(map(words, opening.notes)),
    }


def _wanted(one: StandbyWanted) -> View:
    more = [words(one.state), tell("vacant since {words}", words=words(one.since)) if one.since else ""]
    return {
        "game": words(one.game).upper(),
        "power": words(one.power),
        "more": ", ".join(filter(None, more)),
        "how": words(one.how),
    }


# -- games -----------------------------------------------------------------------------------------------------------


def _game(entry: GameEntry, chapter: int, statistics: Statistics | None) -> View:
    return {
        "kind": "game",
        "anchor": f"chapter-{chapter}-{anchor_of(entry.game)}",
        "title": words(entry.game).upper(),
        "heading": words(entry.heading),
        "run_by": words(entry.run_by),
        "variant": words(entry.variant),
        "status": words(entry.status),
        "changes": list(map(words, entry.changes)),
        "reports": [_report(report, several=len(entry.reports) > 1) for report in entry.reports],
        "statistics": statistics_view(statistics, 0) if statistics else None,
    }


def anchor_of(name: str) -> str:
    """A name as a page can be linked to by it.

    >>> anchor_of("HMS Hood (2nd)")
    'hms-hood-2nd'
    """
    signs = "".join(sign if sign.isascii() and sign.isalnum() else " " for sign in name.casefold())
    return "-".join(signs.split()) or "game"


def _report(report: Report, *, several: bool) -> View:
    """`season`: only where a game has several reports, each under its own. Of phases in which nothing happened nothing
    is told beside others; `titled`: whether those that are told need their names.
    """
    told = [phase for phase in report.phases if phase.powers or phase.missing] or report.phases
    return {
        "season": words(report.season) if several else "",
        "headline": words(report.headline).upper(),
        "correction": words(report.correction),
        "phases": [
            {
                "title": words(phase.title),
                "said": words(phase.said),
                "missing": listed(map(words, phase.missing)),
                "powers": [
                    {
                        "power": words(one.power).upper(),
                        "orders": [{"text": words(order.text), "failed": order.failed} for order in one.orders],
                    }
                    for one in phase.powers
                ],
            }
            for phase in told
        ],
        "titled": len(told) > 1,
        "retreats": list(map(words, report.retreats)),
        "press": list(map(press_view, report.press)),
        "notes": list(map(words, report.notes)),
        "chart": _chart(report.chart),
        "wanted": listed(map(words, report.wanted)),
        "ended": words(report.ended),
        "map": _map(report.map),
        "words": words(report.words).strip("\n"),
        "blocks": plain_text(report.words) if report.words else (),
        "source": words(str(report.source)) if report.source else "",
    }


def press_view(press: Press) -> View:
    """Press as it is shown. `head`: who speaks, with the colour of the press first, in capitals where nobody knows."""
    source = words(press.source).strip()
    if press.colour == "white":
        head = f"[white] {source} to everybody:"
    elif press.colour == "grey":
        head = tell("[GREY] unsigned; the author is not named:")
    elif source in ("", "nobody"):
        head = tell("[BLACK] the author may be anybody:")
    else:
        head = tell('[BLACK] calls itself "{source}"; the author may be anybody:', source=source)
    return {"colour": str(press.colour), "head": head, "text": words(press.text).strip("\n")}


def _chart(chart: Holdings | None) -> View | None:
    if chart is None:
        return None
    rows = [
        {
            "power": words(row.power),
            "label": words(row.label),
            "centres": " ".join(map(words, row.centres)),
            "count": f"= {row.now}({row.was}){f' {row.mark}' if row.mark else ''}",
        }
        for row in chart.rows
    ]
    return {"title": words(chart.title), "rows": rows, "free": " ".join(map(words, chart.free))}


def _map(shown: BoardMap | None) -> View | None:
    return {"picture": shown.picture, "caption": words(shown.caption)} if shown else None


# -- items and statistics --------------------------------------------------------------------------------------------


def _item(item: Item, *, in_chapter: bool = False) -> View:
    credit = [
        tell("Taken from {words}", words=words(item.source)) if item.source else "",
        words(item.copyright),
        words(item.licence),
    ]
    return {
        "kind": "item",
        "anchor": f"item-{item.number}",
        "number": item.number,
        "sort": item.sort.value,
        "title": words(item.title) or (TITLES[item.sort][1] if in_chapter else ""),
        "author": words(item.author),
        "source": credit[0],
        "rights": [line for line in credit[1:] if line],
        "blocks": READERS[item.markup](item.text),
        "picture": item.picture,
        "alt": words(item.alt) or words(item.title) or "a picture",
        "credit": words(item.credit),
    }


def statistics_view(one: Statistics, number: int) -> View:
    """Tables and graphs that belong together. `number`: which such block of an issue it is, for its anchor."""
    return {
        "kind": "statistics",
        "anchor": f"statistics-{number}",
        "title": words(one.title),
        "notes": list(map(words, one.notes)),
        "tables": [
            {
                "title": words(table.title),
                "columns": list(map(words, table.columns)),
                "rows": [list(map(words, row)) for row in table.rows],
                "numbers": list(table.numbers),
                "notes": list(map(words, table.notes)),
            }
            for table in one.tables
        ],
        "graphs": list(map(_graph, one.graphs)),
    }


def _graph(graph: Graph) -> View:
    return {
        "title": words(graph.title),
        "picture": graph_name(graph),
        "labels": list(map(words, graph.labels)),
        "lines": [{"name": words(line.name), "values": list(line.values)} for line in graph.lines],
    }
