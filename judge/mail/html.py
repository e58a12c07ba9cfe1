"""HTML mail as plain text, good enough to read orders from it, whatever the markup looks like."""

import html as entities
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from judge.mail.quoting import names_earlier_mail

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


_DEEPEST = 400
_DEEPEST_QUOTE = 20
_MOST_LINES = 5000

_BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "figure"),
        *("footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol", "p"),
        *("pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul"),
    )
)
_SPACED = frozenset(("blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "ol", "table", "ul"))
_KEPT_OPEN = frozenset(
    ("article", "blockquote", "body", "center", "div", "html", "main", "ol", "pre", "section", "table", "td", "ul")
)

_STRUCK = frozenset(("del", "s", "strike"))
"""What its author has crossed out is not what they say."""
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_ENDED_BY_NEXT = frozenset(("li", "p", "td", "th", "tr"))
_UNSEEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|line-through|opacity\s*:\s*0(?![.\d])|mso-hide\s*:\s*all"
    r"|(?<![\w-])(?:max-)?height\s*:\s*0(?![.\d]).{0,80}overflow\s*:\s*hidden"
    r"|overflow\s*:\s*hidden.{0,80}(?<![\w-])(?:max-)?height\s*:\s*0(?![.\d])",
    re.IGNORECASE,
)
_SIZE = re.compile(r"font-size\s*:\s*([\d.]+)", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")

_QUOTING_NAMES = ("yahoo_quoted", "protonmail_quote", "mail-editor-reference-message-container", "olk_src_body_section")
_SIGNATURE = re.compile(
    r"gmail_signature|moz-signature|applemailsignature|(?:x_)?ms-outlook-mobile-signature|protonmail_signature_block"
    r"|(?:^|\s)(?:x_)?signature(?:\s|$)",
    re.IGNORECASE,
)
"""Classes and names of the element in which a mail program puts a signature."""
_REPLY_HEADER = re.compile(r"(?:x_)*divrplyfwdmsg", re.IGNORECASE)
_INDENT = re.compile(r"border(?:-left)?\s*:\s*(?:none|0)|margin(?:-left)?\s*:[^;]*\b40px", re.IGNORECASE)

_ASCII = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2192\u21d2\u2794\u2799\u279c\u279d\u279e\u27a1\u27f6\u27f9\uf0e0\uf0e8", "->"),
        **dict.fromkeys("\u2190\u21d0\u27f5\uf0df", "<-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
        **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f", " "),
        "\u2026": "...",
    }
)
_WINGDINGS = str.maketrans({"\u00e0": "->", "\u00e8": "->", "\u00f0": "->", "\u00df": "<-"})


def html_to_text(source: str) -> str:
    """The text of an HTML document, one line per line that its reader sees. Total, and linear in its length.

    Reading stops after a few thousand lines, far beyond what any caller keeps.

    >>> html_to_text("<div>A PAR&nbsp;&rarr; BUR</div><blockquote>old<br>text</blockquote>")
    'A PAR -> BUR\\n\\n> old\\n> text'
    """
    page = _HtmlPage()
    for token in tokens(source):
        if isinstance(token, str):
            page.write(token)
        else:
            page.tag(token)
        if len(page.lines) > _MOST_LINES:
            break
    page.end_line()
    return "\n".join(page.lines).strip("\n")


@dataclass(slots=True)
class _HtmlFrame:
    """An open element and the levels of quotation that end with it."""

    name: str
    quotes: int = 0
    listed: int = 0


@dataclass(slots=True)
class _Veil:
    """An element that hides its text, or, with `hides` False, one that shows it again inside an element of font
    size 0.
    """

    name: str
    frames: int
    hides: bool = True
    by_size: bool = False
    depth: int = 1


@dataclass(slots=True)
class _HtmlPage:
    """The text written so far: whole lines, the line begun, and the elements that are open."""

    lines: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    frames: list[_HtmlFrame] = field(default_factory=lambda: [_HtmlFrame("")])
    open: Counter[str] = field(default_factory=Counter)
    quotes: int = 0
    wants_gap: bool = False
    wingdings: bool = False
    veils: list[_Veil] = field(default_factory=list)

    def write(self, text: str) -> None:
        """Put text on the line begun, unless its reader does not see it."""
        if self.is_hidden():
            return
        text = entities.unescape(re.sub(r"&#\d{8,}|&#[xX][0-9a-fA-F]{8,}", "\ufffd", text))
        text = text.translate(_WINGDINGS) if self.wingdings else text
        if self.open["pre"]:
            first, *others = text.translate(_ASCII).split("\n")
            self.pieces.append(first)
            for other in others:
                self.end_line(even_empty=True)
                self.pieces.append(other)
            return
        text = re.sub(r"[ \t\n\r\f]+", " ", text).translate(_ASCII)
        if text.startswith(" ") and (not self.pieces or self.pieces[-1].endswith(" ")):
            text = text[1:]
        if text:
            self.pieces.append(text)

    def end_line(self, *, even_empty: bool = False) -> None:
        """Finish the line begun, if there is one."""
        text = "".join(self.pieces).rstrip()
        self.pieces.clear()
        if (not text and not even_empty) or (text == "--" and self.lines and self.lines[-1] == "-- "):
            return  # nothing; or the mark of a signature once more
        marks = "> " * min(self.quotes, _DEEPEST_QUOTE)
        if self.wants_gap and self.lines and self.lines[-1].strip(" >") and text:
            self.lines.append(marks.rstrip() if marks and self.lines[-1].startswith(marks) else "")
        self.wants_gap = False
        text = "-- " if text == "--" else text
        self.lines.append(marks + text if text else marks.rstrip())

    def tag(self, tag: Tag) -> None:
        """Act on an opening or closing tag."""
        self.wingdings = not tag.closing and "wingdings" in tag.rest.lower()
        if tag.name == "br":
            self.end_line(even_empty=True)
            return
        if tag.name in ("td", "th") and self.pieces:
            self.pieces.append("  " if tag.closing else "")
        if tag.name in _BLOCKS:
            self.end_line()
            self.wants_gap = self.wants_gap or tag.name in _SPACED or _is_spaced_paragraph(tag)
        if tag.closing:
            self._close(tag.name)
            self._veil(tag)
        else:
            self._veil(tag)
            self._open(tag)

    def is_hidden(self) -> bool:
        """Whether what stands here is not seen."""
        return bool(self.veils) and self.veils[-1].hides

    def _veil(self, tag: Tag) -> None:
        """Follow the elements that hide what is in them."""
        while self.veils and self._ends(self.veils[-1], tag):
            self.veils.pop()
        if self.veils and self.veils[-1].name == tag.name and not tag.rest.endswith("/"):
            self.veils[-1].depth += -1 if tag.closing else 1
        if tag.closing or tag.name in _VOID or tag.rest.endswith("/") or len(self.veils) > _DEEPEST:
            return
        veil = self._veil_of(tag)
        if veil is not None and not (self.is_hidden() and not self.veils[-1].by_size):
            self.veils.append(veil)

    def _ends(self, veil: _Veil, tag: Tag) -> bool:
        if len(self.frames) < veil.frames:
            return True
        last = veil.depth == 1 and tag.name == veil.name
        return last and (tag.closing or tag.name in _ENDED_BY_NEXT)

    def _veil_of(self, tag: Tag) -> _Veil | None:
        frames = len(self.frames)
        if tag.name in _STRUCK:
            return _Veil(tag.name, frames)
        if not tag.rest:
            return None
        style = tag.attributes().get("style", "")
        if _UNSEEN.search(style) or re.search(r"(?:^|\s)hidden(?:\s|=|$)", _QUOTED.sub("", tag.rest), re.IGNORECASE):
            return _Veil(tag.name, frames)
        size = _SIZE.search(style)
        if size is None:
            return None
        nothing = not size[1].strip("0.")
        return _Veil(tag.name, frames, hides=nothing, by_size=True) if nothing or self.veils else None

    def _open(self, tag: Tag) -> None:
        if tag.name == "li" and not self.is_hidden():
            self.pieces.append(self._bullet())
        if tag.name not in _KEPT_OPEN or len(self.frames) > _DEEPEST:
            return
        attributes = tag.attributes()
        name = attributes.get("id", "")
        if _REPLY_HEADER.fullmatch(name):
            self.frames[-1].quotes += 1
            self.quotes += 1
            self.wants_gap = True
        if _SIGNATURE.search(f"{name} {attributes.get('class', '')}") and not self.quotes and self.lines:
            self.end_line()
            self.lines.append("-- ")
        own = int(
            _quotes(tag.name, name + " " + attributes.get("class", ""), attributes)
            or (tag.name == "blockquote" and self._names_its_author())
        )
        self.quotes += own
        self.frames.append(_HtmlFrame(tag.name, own))
        self.open[tag.name] += 1

    def _names_its_author(self) -> bool:
        """Whether the line just finished says beyond doubt whose words come next, as mail programs write it."""
        above = next((line for line in reversed(self.lines[-3:]) if line.strip(" >")), "")
        return names_earlier_mail(above.strip())

    def _close(self, name: str) -> None:
        while self.open[name]:
            frame = self.frames.pop()
            self.open[frame.name] -= 1
            self.quotes -= frame.quotes
            if frame.name == name:
                return

    def _bullet(self) -> str:
        for frame in reversed(self.frames[-4:]):
            if frame.name == "ol":
                frame.listed += 1
                return f"{frame.listed}. "
            if frame.name == "ul":
                break
        return "* "


def _quotes(name: str, names: str, attributes: dict[str, str]) -> bool:
    """Does this element hold somebody else's words? A block quotation that a program uses to indent does not."""
    if name == "blockquote":
        marked = "type" in attributes or "cite" in attributes or "class" in attributes
        return marked or not _INDENT.search(attributes.get("style", ""))
    return any(mark in names.lower() for mark in _QUOTING_NAMES)


def _is_spaced_paragraph(tag: Tag) -> bool:
    """A paragraph stands alone unless its program sets one per line, as Outlook does."""
    return tag.name == "p" and not re.search(r"MsoNormal|margin(?:-top|-bottom)?:\s*0", tag.rest)
