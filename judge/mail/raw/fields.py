"""The header fields of a mail or of one of its parts, read from bytes without ever raising."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from judge.mail.raw.charsets import decode_text, unbase64
from judge.mail.raw.limits import (
    FIELD_TOO_LONG,
    HEADERS_TOO_LARGE,
    IDENTITY_TOO_LONG,
    LIMITS,
    TOO_MANY_FIELDS,
    ReadingLimits,
)

_FIELD = re.compile(rb"([!-9;-~]{1,80})[ \t]*:(.*)", re.DOTALL)
_END = re.compile(rb"\n(?=\n)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_WORD = re.compile(r"=\?([^?\s*]{1,40})(?:\*[^?\s]{0,20})?\?([bBqQ])\?([^?]*)\?=")
_IDENTITY = frozenset({"from", "sender", "reply-to", "return-path", "delivered-to", "x-original-to"})


@dataclass(frozen=True)
class Fields:
    """Header fields in their order: lower-case names, unfolded values still undecoded (RFC 5322, RFC 2047)."""

    items: tuple[tuple[str, str], ...] = ()

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of the fields called `name` (lower case), topmost first."""
        return tuple(self._values.get(name, ()))

    def first(self, name: str) -> str:
        """The topmost value of `name`, or ''."""
        return next(iter(self._values.get(name, ())), "")

    def has(self, name: str) -> bool:
        """Is there a field of that name?"""
        return name in self._values

    @cached_property
    def _values(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for key, value in self.items:
            found.setdefault(key, []).append(value)
        return found


def split_mail(octets: bytes, limits: ReadingLimits = LIMITS) -> tuple[Fields, bytes, tuple[str, ...]]:
    """(fields, body, defects) of a mail or a part whose line ends are LF.

    The header ends at the first empty line, or before the first line that cannot be a field. A missing header, a
    missing body and a missing empty line are all readable.
    """
    head, body = _halves(octets)
    defects: list[str] = []
    if len(head) > limits.header_block:
        defects.append(HEADERS_TOO_LARGE)
        head = head[: limits.header_block]
    items: list[tuple[str, str]] = []
    for start, lines in _folded(head):
        match = _FIELD.match(lines)
        if match is None and lines.startswith((b"From ", b">From ")):
            continue
        if match is None:
            return Fields(tuple(items)), octets[start:], (*dict.fromkeys(defects), "header-breaks-off")
        if len(items) == limits.fields:
            defects.append(TOO_MANY_FIELDS)
            break
        name = match[1].decode("ascii").lower()
        most = limits.identity_field if name in _IDENTITY else limits.field
        if len(match[2]) > most:
            defects.append(IDENTITY_TOO_LONG if name in _IDENTITY else FIELD_TOO_LONG)
        items.append((name, _unfold(match[2][:most])))
    return Fields(tuple(items)), body, tuple(dict.fromkeys(defects))


def _halves(octets: bytes) -> tuple[bytes, bytes]:
    if octets.startswith(b"\n"):
        return b"", octets[1:]
    match = _END.search(octets)
    if match is None:
        return octets, b""
    return octets[: match.start()], octets[match.end() + 1 :]


def _folded(head: bytes) -> Iterator[tuple[int, bytes]]:
    """Whole fields with their offsets: a line and the lines that continue it by white space."""
    start = 0
    while start < len(head):
        end = head.find(b"\n", start)
        while end >= 0 and head[end + 1 : end + 2] in (b" ", b"\t"):
            end = head.find(b"\n", end + 1)
        end = len(head) if end < 0 else end
        yield start, head[start:end]
        start = end + 1


def _unfold(octets: bytes) -> str:
    text, _ = decode_text(re.sub(rb"\n[ \t]+", b" ", octets) if b"\n" in octets else octets)
    return _CONTROL.sub(" ", text).strip()


def decode_words(value: str) -> str:
    """`value` with its encoded words (RFC 2047) as text; what cannot be decoded stays as it was written.

    Words of one charset that follow each other are joined before decoding: some programs split a letter in two.

    >>> decode_words("=?utf-8?q?M=C3?= =?utf-8?q?=BCnchen?= ok")
    'München ok'
    """
    if "=?" not in value:
        return value
    pieces: list[str] = []
    run: tuple[str, bytes] = ("", b"")
    at = 0
    for match in _WORD.finditer(value):
        between = value[at : match.start()]
        octets = _word_octets(match[2], match[3])
        charset = match[1].lower()
        if run[0] and not between.strip() and charset == run[0]:
            run = (charset, run[1] + octets)
        else:
            pieces.append(decode_text(run[1], run[0])[0])
            pieces.append("" if run[0] and not between.strip() else between)
            run = (charset, octets)
        at = match.end()
    pieces.append(decode_text(run[1], run[0])[0])
    pieces.append(value[at:])
    return "".join(pieces)


def _word_octets(encoding: str, text: str) -> bytes:
    octets = text.encode("utf-8", "replace")
    if encoding in "bB":
        return unbase64(octets)[0]
    return re.sub(rb"=([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), octets.replace(b"_", b" "))


def parameters(value: str) -> tuple[str, dict[str, str]]:
    """A structured value such as `text/plain; charset="utf-8"` as (main, {name: value}), names and main in lower case.

    RFC 2231 names (`filename*=utf-8''x`, `filename*0=`) are folded into the plain name.

    >>> parameters('text/Plain; format=flowed; charset="utf-8"')
    ('text/plain', {'format': 'flowed', 'charset': 'utf-8'})
    """
    main, _, rest = value.partition(";")
    found: dict[str, str] = {}
    for match in _PARAMETER.finditer(rest):
        name = match[1].lower()
        text = re.sub(r"\\(.)", r"\1", match[2]) if match[2] is not None else match[3].strip()
        plain, star, _ = name.partition("*")
        if star and name.endswith("*"):
            text = _percent(text)
        found[plain] = found[plain] + text if star and plain in found else found.get(plain, text)
    return main.strip().lower(), found


_PARAMETER = re.compile(r'([!#$&+.^_`|~0-9A-Za-z*-]{1,60})\s*=\s*(?:"((?:[^"\\]|\\.)*)(?:"|\\?$)|([^;"]*))', re.DOTALL)


def _percent(text: str) -> str:
    charset, quote, rest = text.partition("'")
    if quote:
        _, _, rest = rest.partition("'")
    else:
        charset, rest = "utf-8", text
    octets = re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), rest.encode("utf-8", "replace"))
    return decode_text(octets, charset)[0]
