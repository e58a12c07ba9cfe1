"""A page as its readers' programs see it: a strict reading of HTML, and the colours in which every word stands.

Only what letters use is known here, so that anything else is an error: elements, attributes, what may stand in what,
and styles of the forms that mail programs understand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img"}
_FLOW = {"div", "p", "h1", "h2", "h3", "pre", "blockquote", "table", "ul", "ol", "hr"}
_PHRASING = {"b", "i", "a", "code", "span", "br", "img"}
_WITHIN: dict[str, set[str]] = {
    "": {"html"},
    "html": {"head", "body"},
    "head": {"meta", "title", "style"},
    "table": {"caption", "tr"},
    "tr": {"th", "td"},
    "ul": {"li"},
    "ol": {"li"},
    **dict.fromkeys(("body", "div", "blockquote", "td", "li"), _FLOW | _PHRASING),
    **dict.fromkeys(("p", "h1", "h2", "h3", "pre", "caption", "th", "b", "i", "code", "span", "a"), _PHRASING),
    **{name: set() for name in ("title", "style")},
}
_BARE = {"html", "head", "table", "tr", "ul", "ol"}
"""Where no words may stand."""
_ATTRIBUTES: dict[str, set[str]] = {
    "html": {"lang"}, "meta": {"charset", "name", "content"}, "a": {"href"}, "img": {"src", "alt", "width"},
    "p": {"tabindex"},  # a wide picture is moved sideways by keys, too
    "table": {"role"}, "th": {"scope", "rowspan", "colspan"}, "td": {"rowspan", "colspan"},
}  # fmt: skip
_EVERYWHERE = {"style", "class"}
_NEEDED = {"html": {"lang"}, "a": {"href"}, "img": {"src", "alt", "width"}, "th": {"scope"}}
_PROPERTIES = {
    "margin", "padding", "color", "background", "border", "border-top", "border-bottom", "border-left", "border-color",
    "border-radius", "border-collapse", "font-family", "font-size", "font-weight", "font-style", "line-height",
    "text-align", "text-decoration", "vertical-align", "white-space", "overflow-wrap", "width", "max-width", "height",
    "display", "list-style", "opacity", "padding-left", "padding-right",
}  # fmt: skip

Style = dict[str, str]


@dataclass
class Element:
    """One element; `words`: text that stands in it, between its children."""

    name: str
    attributes: dict[str, str]
    parent: Element | None = None
    children: list[Element] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())

    @property
    def style(self) -> Style:
        return declarations(self.attributes.get("style", ""))

    def all(self, name: str = "") -> Iterator[Element]:
        """The elements inside, itself included, in their order."""
        if name in ("", self.name):
            yield self
        for child in self.children:
            yield from child.all(name)

    def text(self) -> str:
        """All words inside, in their order as far as it matters here."""
        return " ".join([*self.words, *(child.text() for child in self.children)])


def declarations(text: str) -> Style:
    """Declarations of a style; anything that is none is an error."""
    found: Style = {}
    for part in text.split(";"):
        if not part.strip():
            continue
        name, colon, value = part.partition(":")
        assert colon and name.strip() in _PROPERTIES, part
        found[name.strip()] = value.replace("!important", "").strip()
    return found


class Page(HTMLParser):
    """Reads a page, and fails where it is not what a validator would pass. `root`: the element html; `said`: the words
    of its body in their order.
    """

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        assert text.startswith("<!DOCTYPE html>")
        self.top = Element("", {})
        self.said: list[str] = []
        self._at = self.top
        # A page in ASCII has references for whatever is beyond it.
        self.feed(re.sub(r"&#(\d{3,});", lambda found: chr(int(found[1])), text))
        self.close()
        assert self._at is self.top, f"{self._at.name} is not closed"
        (self.root,) = self.top.children
        assert [child.name for child in self.root.children] == ["head", "body"]
        assert next(self.root.all("title")).text().strip()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in _WITHIN[self._at.name], f"{tag} inside {self._at.name}"
        assert all(value is not None for _, value in attrs), attrs
        facts = {name: value or "" for name, value in attrs}
        assert len(facts) == len(attrs), f"an attribute stands twice in {tag}"
        assert set(facts) <= _ATTRIBUTES.get(tag, set()) | _EVERYWHERE, (tag, attrs)
        assert _NEEDED.get(tag, set()) <= set(facts), (tag, attrs)
        element = Element(tag, facts, self._at)
        assert element.style or not facts.get("style")
        self._at.children.append(element)
        if self._at.name == "ol":
            self.said.append(f"{len(self._at.children)}.")
        if tag == "a":
            assert not any(parent.name == "a" for parent in self._outwards(self._at))
        if tag not in VOID:
            self._at = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID, f"<{tag}/>"
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self._at.name == tag and self._at.parent is not None, f"</{tag}> inside {self._at.name}"
        self._at = self._at.parent

    def handle_data(self, data: str) -> None:
        assert self._at.name not in _BARE or not data.strip(), f"{data.strip()!r} inside {self._at.name}"
        assert self._at.name == "style" or not re.search(r"[&<]", data), data
        self._at.words.append(data)
        if not {"head", "style", "title"} & {element.name for element in self._outwards(self._at)}:
            self.said += data.split()

    def handle_entityref(self, name: str) -> None:
        assert name in ("amp", "lt", "gt", "quot", "nbsp"), name
        self._join({"amp": "&", "lt": "<", "gt": ">", "quot": '"', "nbsp": "\xa0"}[name])

    def handle_charref(self, name: str) -> None:
        assert name in ("34", "39"), name
        self._join(chr(int(name)))

    def _join(self, char: str) -> None:
        self._at.words.append(char)
        self.said.append(char)

    @staticmethod
    def _outwards(element: Element | None) -> Iterator[Element]:
        while element is not None and element.name:
            yield element
            element = element.parent

    # --- colours ---

    def dark(self) -> list[tuple[str, Style]]:
        """The rules for dark programs: selector, declarations."""
        sheet = "".join(element.text() for element in self.root.all("style"))
        found = re.search(r"@media \(prefers-color-scheme: dark\) \{(.*?)\n\}", sheet, re.DOTALL)
        assert found is not None
        rules = re.findall(r"([^{}]+)\{([^{}]*)\}", found[1])
        return [(one.strip(), declarations(body)) for many, body in rules for one in many.split(",")]

    def colours(self, *, dark: bool = False) -> Iterator[tuple[str, str, str]]:
        """(words, colour, background) of everything that is written, without its classes or in a dark program."""
        rules = self.dark() if dark else []
        yield from _coloured(next(self.root.all("body")), "#000000", "#ffffff", rules)


def _coloured(
    element: Element, colour: str, background: str, rules: list[tuple[str, Style]]
) -> Iterator[tuple[str, str, str]]:
    style = dict(element.style)
    for selector, body in rules:
        name, _, wanted = selector.partition(".")
        if name in ("", element.name) and (not wanted or wanted in element.classes):
            style |= body
    colour, background = style.get("color", colour), style.get("background", background)
    if element.name == "a" and "color" not in style:
        colour = "#0000ee"
    for words in element.words:
        if words.strip():
            yield words.strip(), colour, background
    for child in element.children:
        yield from _coloured(child, colour, background, rules)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours "#rrggbb" (WCAG 2.2, relative luminance).

    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    assert re.fullmatch(r"#[0-9a-f]{6}", colour), colour
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
