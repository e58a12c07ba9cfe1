"""The static archive as values and as files: issues, games with a map of every phase, charts, ratings, feeds.

A small web site that any web server can show, or a folder that somebody opens from a disk: no script is needed, all
links are relative, nothing is fetched from elsewhere. `files(site, ...)` is pure: the same facts give the same bytes.
What a reader must not know is left out when the facts are gathered (`judge.zine.archive`).

Atom feeds (RFC 4287): one for each zine and for each public game.

An entry keeps its id for ever: it names the mail domain, the day on which the zine or the game began, and what the
entry is about, and nothing that may change. A correction makes an entry's `updated` later; nothing else does.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from judge.zine.contents import anchor_of, press_view
from judge.zine.html import ZinePrinter
from judge.zine.issue import GameOpening, Press, StandbyWanted, Statistics, StatTable
from judge.zine.pictures import graph_svg

_ATOM = "http://www.w3.org/2005/Atom"
_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

ET.register_namespace("", _ATOM)


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """`about`: what it tells of within its feed, for ever ("issue/96", "F1901M"); `link`: its page, from the feed;
    `published`, `updated`: aware UTC; `summary`: plain text.
    """

    about: str
    title: str
    link: str
    published: datetime
    updated: datetime
    summary: str = ""


@dataclass(frozen=True, slots=True)
class AtomFeed:
    """`about`: "zine/electronic-protocol", "game/verdun"; `since`: the day from which its ids date; `link`: its page
    and `own` its own name, both from the feed; `author`: a name, never an address. The newest entry stands first.
    """

    domain: str
    about: str
    since: date
    title: str
    link: str
    own: str
    author: str
    entries: Sequence[FeedEntry] = ()

    @property
    def id(self) -> str:
        """A tag URI (RFC 4151): "tag:judge.test,2027-01-01:game/verdun"."""
        return f"tag:{self.domain},{self.since:%Y-%m-%d}:{self.about}"


def atom(feed: AtomFeed, base: str = "") -> bytes:
    """The feed as a file. `base`: where the folder of the feed stands on the web, "" where nobody has said."""
    root = ET.Element(f"{{{_ATOM}}}feed")
    if base:
        root.set("{http://www.w3.org/XML/1998/namespace}base", base)
    _put(root, "id", feed.id)
    _put(root, "title", feed.title)
    never = datetime(feed.since.year, feed.since.month, feed.since.day, tzinfo=UTC)
    _put(root, "updated", _moment(max((entry.updated for entry in feed.entries), default=never)))
    _link(root, "self", feed.own, "application/atom+xml")
    _link(root, "alternate", feed.link, "text/html")
    _put(ET.SubElement(root, f"{{{_ATOM}}}author"), "name", feed.author)
    for entry in feed.entries:
        _entry(root, feed, entry)
    ET.indent(root)
    written: bytes = ET.tostring(root, "utf-8", xml_declaration=True)
    return written + b"\n"


def _entry(root: ET.Element, feed: AtomFeed, entry: FeedEntry) -> None:
    node = ET.SubElement(root, f"{{{_ATOM}}}entry")
    _put(node, "id", f"{feed.id}/{entry.about}")
    _put(node, "title", entry.title)
    _put(node, "published", _moment(entry.published))
    _put(node, "updated", _moment(entry.updated))
    _link(node, "alternate", entry.link, "text/html")
    if entry.summary:
        _put(node, "summary", entry.summary)


def _put(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, f"{{{_ATOM}}}{name}").text = _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _link(parent: ET.Element, rel: str, href: str, kind: str) -> None:
    ET.SubElement(parent, f"{{{_ATOM}}}link", {"rel": rel, "href": href, "type": kind})


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


TEMPLATES = "zine/site"
"""The folder of the site's templates, within the judge's and within a site's own."""
_ASSETS = ("style.css", "turn.js")


@dataclass(frozen=True, slots=True)
class PhasePage:
    """A phase that was played. `code`: "F1901M"; `season`: "Fall '01"; `results`: as `judge.report.played.results` has
    them, in words; `map`: the name of its picture, "" where there was nothing to draw; `published`, `updated`: of its
    first and of its present version.
    """

    code: str
    title: str
    season: str
    published: datetime
    updated: datetime
    results: Mapping[str, Any]
    map: str = ""
    alt: str = ""
    press: tuple[Press, ...] = ()
    corrected: tuple[str, ...] = ()
    """What was put right of the position behind these results, a sentence each."""

    @property
    def file(self) -> str:
        """The page's name in the folder of its game."""
        return f"{self.code}.html"


@dataclass(frozen=True, slots=True)
class Closing:
    """How a game ended: who played what, and the players' statements as (author, text)."""

    finishers: tuple[Mapping[str, Any], ...] = ()
    statements: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GamePage:
    """A public game. `heading`: as zines head it; `state`: "running" or "ended"; `sentence`: how it stands or ended;
    `now`: the picture of the position now; `units`: where everybody's units stand, in words.
    """

    key: str
    heading: str
    variant: str
    gm: str
    state: str
    sentence: str
    began: date
    phases: tuple[PhasePage, ...]
    statistics: Statistics
    number: str = ""
    ended: date | None = None
    now: str = ""
    now_title: str = ""
    units: tuple[Mapping[str, Any], ...] = ()
    closing: Closing = Closing()
    record: str = ""
    """The game as JSON, shaped as `judge.zine.figures` says."""

    @property
    def updated(self) -> datetime:
        """When anything of it changed last."""
        return max(phase.updated for phase in self.phases)


@dataclass(frozen=True, slots=True)
class IssuePage:
    """An issue that went out. `page`: the name of its page within its folder; `faces`: label -> name of the other files
    ("PDF" -> "electronic-protocol-96.pdf"); `updated`: when it went out, or was corrected.
    """

    number: int
    title: str
    day: date
    published: datetime
    updated: datetime
    page: str
    faces: Mapping[str, str]
    summary: str = ""


@dataclass(frozen=True, slots=True)
class ZinePage:
    """A zine with its issues, the newest first. `games`: keys of its games that have a page here."""

    key: str
    name: str
    editor: str
    since: date
    how: tuple[str, ...] = ()
    issues: tuple[IssuePage, ...] = ()
    games: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArchiveSite:
    """Everything that is shown. `downloads`: name -> contents of data files; `base`: where it stands on the web, with a
    slash at the end, "" where nobody has said; `mailboxes`: where letters are read beside it, seen from its front page.
    """

    judge: str
    domain: str
    zines: tuple[ZinePage, ...]
    games: tuple[GamePage, ...]
    results: StatTable
    ratings: Statistics
    openings: tuple[GameOpening, ...] = ()
    wanted: tuple[StandbyWanted, ...] = ()
    standbys: int = 0
    first_moves: StatTable | None = None
    downloads: Mapping[str, str] = field(default_factory=dict)
    base: str = ""
    mailboxes: str = ""


def files(site: ArchiveSite, *folders: Path) -> Iterator[tuple[str, bytes]]:
    """(path, contents) of every file but maps and issues. `folders`: of templates, the first one that has it."""
    press = _SitePress(site, folders)
    for asset in _ASSETS:
        yield asset, press.asset(asset)
    for name, text in site.downloads.items():
        yield name, text.encode()
    yield press.page("index.html", "front.html", "")
    yield press.page("results.html", "results.html", "Results")
    yield press.page("ratings.html", "ratings.html", "Ratings")
    for zine in site.zines:
        yield from _zine_files(press, site, zine)
    for game in site.games:
        yield from _game_files(press, site, game)


def _zine_files(press: _SitePress, site: ArchiveSite, zine: ZinePage) -> Iterator[tuple[str, bytes]]:
    home = f"zine/{zine.key}"
    games = [game for game in site.games if game.key in zine.games]
    yield press.page(f"{home}/index.html", "zine.html", zine.name, zine=zine, games=games, feed="feed.atom")
    yield f"{home}/feed.atom", atom(zine_feed(site, zine), site.base and f"{site.base}{home}/")


def _game_files(press: _SitePress, site: ArchiveSite, game: GamePage) -> Iterator[tuple[str, bytes]]:
    home = f"games/{game.key}"
    yield press.page(f"{home}/index.html", "game.html", game.heading, game=game, feed="feed.atom",
                     following=game.phases[0].file if game.phases else "")  # fmt: skip
    yield f"{home}/{game.key}.json", game.record.encode()
    yield f"{home}/feed.atom", atom(game_feed(site, game), site.base and f"{site.base}{home}/")
    for place, phase in enumerate(game.phases):
        before = game.phases[place - 1].file if place else "index.html"
        after = game.phases[place + 1].file if place + 1 < len(game.phases) else "now.html" if game.now else ""
        yield press.page(f"{home}/{phase.file}", "phase.html", f"{game.key.upper()}, {phase.title}", game=game,
                         phase=phase, previous=before, following=after)  # fmt: skip
    if game.now:
        before = game.phases[-1].file if game.phases else "index.html"
        yield press.page(f"{home}/now.html", "now.html", f"{game.key.upper()}, {game.now_title}", game=game,
                         previous=before)  # fmt: skip


def zine_feed(site: ArchiveSite, zine: ZinePage) -> AtomFeed:
    """The feed of a zine: an entry for each issue."""
    entries = [
        FeedEntry(f"issue/{issue.number}", f"{zine.name} #{issue.number}", f"{issue.number}/{issue.page}",
                  issue.published, issue.updated, issue.summary)
        for issue in zine.issues
    ]  # fmt: skip
    return AtomFeed(site.domain, f"zine/{zine.key}", zine.since, zine.name, "./", "feed.atom", zine.editor or zine.name,
                entries)  # fmt: skip


def game_feed(site: ArchiveSite, game: GamePage) -> AtomFeed:
    """The feed of a game: an entry for each phase, the newest first."""
    entries = [
        FeedEntry(phase.code, f"{game.key.upper()}: {phase.title}", phase.file, phase.published, phase.updated,
                  _summary(phase))
        for phase in reversed(game.phases)
    ]  # fmt: skip
    title = f"{game.key.upper()} on {site.judge}"
    return AtomFeed(site.domain, f"game/{game.key}", game.began, title, "./", "feed.atom", site.judge, entries)


def _summary(phase: PhasePage) -> str:
    lines = []
    for block in phase.results.get("blocks", ()):
        orders = [f"({row['order']})" if row["failed"] else row["order"] for row in block["lines"]]
        lines.append(f"{block['name']}: {', '.join(orders)}")
    return "\n".join(lines) or str(phase.results.get("said", ""))


class _SitePress:
    """Prints pages: knows the way from each of them to every other."""

    def __init__(self, site: ArchiveSite, folders: Sequence[Path]) -> None:
        self._site = site
        self._printer = ZinePrinter(*folders)
        self._printer.learn(
            {"day": _day, "slug": anchor_of, "press": press_view}, graph_svg=lambda graph: graph_svg(asdict(graph))
        )

    def asset(self, name: str) -> bytes:
        """A file that is shown as it is."""
        return self._printer.file(f"{TEMPLATES}/{name}").read_bytes()

    def page(self, path: str, template: str, title: str, **facts: Any) -> tuple[str, bytes]:
        """The page at a path, whose links lead from there."""
        here = posixpath.dirname(path)

        def to(where: str) -> str:
            return posixpath.relpath(where, here or ".")

        context = {"previous": "", "following": "", "feed": "", **facts}
        text = self._printer.render(f"{TEMPLATES}/{template}", site=self._site, title=title, to=to, **context)
        return path, text.encode()


def _day(moment: date | datetime | None) -> str:
    """
    >>> _day(date(2027, 1, 8))
    '8 January 2027'
    """
    return f"{moment.day} {moment:%B %Y}" if moment is not None else ""
