"""Atom feeds (RFC 4287): one for each zine and for each public game.

An entry keeps its id for ever: it names the mail domain, the day on which the zine or the game began, and what the
entry is about, and nothing that may change. A correction makes an entry's `updated` later; nothing else does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from xml.etree import ElementTree as ET

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
