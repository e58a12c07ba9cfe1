"""HTML cut into tags and texts, whatever it looks like: mails are seldom well-formed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MARKUP = re.compile(r"<(?=(/?[a-zA-Z]|[!?]))")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]{0,30})")
_ATTRIBUTE = re.compile(r"""(class|id|style|type|cite)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_LONGEST_TAG = 4096
_UNREAD = frozenset({"script", "style", "title", "xml", "noscript", "template"})


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag: its lower-case name, whether it closes, and what stands between its angle brackets."""

    name: str
    closing: bool
    rest: str

    def attributes(self) -> dict[str, str]:
        if "=" not in self.rest:
            return {}
        return {m[1].lower(): (m[2] or m[3] or m[4] or "").strip() for m in _ATTRIBUTE.finditer(self.rest)}


def tokens(source: str) -> Iterator[str | Tag]:
    """Text runs and tags. What looks like a tag but never ends is text; an endless comment is skipped to its `>`."""
    endless: set[str] = set()
    begun = at = 0
    last = source.rfind(">")
    while match := _MARKUP.search(source, at, last + 1):
        start = match.start()
        after = _after_comment(source, start, endless) if match[1] in ("!", "?") else _tag_end(source, start)
        if after < 0:
            at = start + 1
            continue
        if start > begun:
            yield source[begun:start]
        begun = at = after
        tag_match = _TAG.match(source, start)
        if tag_match is None:
            continue
        tag = Tag(tag_match[2].lower(), tag_match[1] == "/", source[tag_match.end() : after - 1])
        if tag.name in _UNREAD and not tag.closing:
            begun = at = _after_unread(source, tag.name, after, endless)
        yield tag
    yield source[begun:]


def _after_comment(source: str, start: int, endless: set[str]) -> int:
    """Where reading goes on after the comment or declaration at `start`. An end is searched for in vain only once."""
    if source.startswith("<!--", start) and "-->" not in endless:
        end = source.find("-->", start + 2)
        if end >= 0:
            return end + 3
        endless.add("-->")
    end = source.find(">", start, start + _LONGEST_TAG)
    return end + 1 if end >= 0 else -1


def _tag_end(source: str, start: int) -> int:
    """The index after the `>` that ends the tag at `start`: one outside quotes if there is one nearby; -1 for none."""
    end = first = source.find(">", start, start + _LONGEST_TAG)
    for _ in range(4):
        if end < 0 or not (source.count('"', start, end) % 2 or source.count("'", start, end) % 2):
            break
        end = source.find(">", end + 1, start + _LONGEST_TAG)
    return (end if end >= 0 else first) + 1 or -1


def _after_unread(source: str, name: str, at: int, endless: set[str]) -> int:
    if name in endless:
        return at
    match = re.compile(f"</{name}", re.IGNORECASE).search(source, at)
    if match is None:
        endless.add(name)
        return at
    return match.start()
