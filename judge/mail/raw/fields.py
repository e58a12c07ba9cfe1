"""The header fields of a mail or of one of its parts, read from bytes without ever raising.

Where a mail entered our site: the Received line that its first server of ours wrote (RFC 5321, 4.4).

What stands above that line was written by our own servers. What stands below it may have been written by anybody,
and so may every later line that looks as if we had written it.

How much of a mail is read. Whatever lies beyond a limit is reported as a defect, never read on in silence.

The parts of a mail (RFC 2045, RFC 2046): a flat list of leaves, each knowing the way that leads to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from judge.mail.raw.charsets import decode_text, unbase64, undo_transfer


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """The figures at which reading stops; all sizes in bytes unless the name says otherwise."""

    mail: int = 1 << 20
    header_block: int = 64 << 10
    fields: int = 300
    field: int = 8 << 10
    identity_field: int = 2 << 10
    message_id: int = 250
    references: int = 100
    recipients: int = 200
    parts: int = 50
    depth: int = 10
    html: int = 256 << 10
    text: int = 64 << 10
    lines: int = 2000


LIMITS = ReadingLimits()
"""What the judge uses everywhere."""

TOO_LARGE = "mail-too-large"
HEADERS_TOO_LARGE = "header-block-too-large"
TOO_MANY_FIELDS = "too-many-fields"
FIELD_TOO_LONG = "field-too-long"
IDENTITY_TOO_LONG = "identity-field-too-long"
TOO_MANY_PARTS = "too-many-parts"
TOO_DEEP = "nested-too-deep"
READER_FAILED = "reader-failed"

UNSAFE = frozenset(
    {
        TOO_LARGE,
        HEADERS_TOO_LARGE,
        TOO_MANY_FIELDS,
        FIELD_TOO_LONG,
        IDENTITY_TOO_LONG,
        TOO_MANY_PARTS,
        TOO_DEEP,
        READER_FAILED,
    }
)
"""Defects that no honest mail program produces: the mail was read only as far as the limits allow."""


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


_BY = re.compile(r"\bby\s+([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f.:]{2,45}\])", re.IGNORECASE)
_IPV4 = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])")
_IPV6 = re.compile(r"(?<![\w:.])(?:ipv6:)?([0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7})(?![\w:.])", re.IGNORECASE)
_LOGGED = re.compile(r"\((?:[^()\[\]]*\s)?\[[^\[\]\s]+\]\)")
"""What a server writes of the client that it sees: a comment that ends with the address in brackets."""

OUR_MACHINE = frozenset({"unix", "127.0.0.1", "::1"})


def handed_over_by_us(peer: str | None, trusted_mx: frozenset[str]) -> bool:
    """Whether the host that handed us the mail is one of our servers, this machine, or a mailbox of ours (no peer)."""
    host = (peer or "").lower().strip("[]")
    return not host or host in OUR_MACHINE or host in _hosts(trusted_mx)


def entry(fields: Fields, trusted_mx: frozenset[str]) -> int | None:
    """The place, among all fields, of the Received line by which the mail entered our site; None if there is none.

    Without names of our servers that is the topmost one. With them it is the topmost one, too, or one further down as
    far as the lines above it say that one of ours took the mail from another of ours: by the client's address as our
    server saw it, never by the name that a client gave itself.
    """
    hosts = _hosts(trusted_mx)
    places = [(place, value) for place, (name, value) in enumerate(fields.items) if name == "received"]
    if not hosts:
        return places[0][0] if places else None
    found: int | None = None
    for place, value in places:
        if by_host(value) not in hosts:
            break
        found = place
        if not _from_ours(value, hosts):
            break
    return found


def _hosts(trusted_mx: frozenset[str]) -> frozenset[str]:
    return frozenset(host.lower().strip("[]") for host in trusted_mx)


def _from_ours(value: str, hosts: frozenset[str]) -> bool:
    """Whether our server took the mail from one of ours: it noted the client's address, and no other address than
    ours stands in the line.
    """
    trace = value.rpartition(";")[0] or value
    addresses = {found.lower() for found in (*_IPV4.findall(trace), *_IPV6.findall(trace))}
    return bool(_LOGGED.search(trace)) and bool(addresses) and addresses <= hosts | OUR_MACHINE


def by_host(received: str) -> str:
    """The host that says of itself that it wrote this Received line, in lower case; "" if none does.

    >>> by_host("from a.test (by mx.evil.test [192.0.2.7]) by MX.judge.test with ESMTP; Mon, 4 May 2026 19:55:00 +0200")
    'mx.judge.test'
    """
    trace = received.rpartition(";")[0] or received
    by = _BY.search(_uncommented(trace))
    return by[1].lower().strip("[]") if by else ""


def _uncommented(trace: str) -> str:
    """`trace` without comments: what the client called itself stands there and in `from`, and proves nothing."""
    kept: list[str] = []
    depth = 0
    for sign in trace:
        depth += sign == "("
        if not depth:
            kept.append(sign)
        depth -= sign == ")" and depth > 0
    text = "".join(kept)
    return text[text.lower().rfind(" by ") :] if " by " in text.lower() else text


@dataclass(frozen=True, slots=True)
class MimePart:
    """One part: a leaf with its bytes, or a multipart with its children. `body` is still transfer-encoded."""

    fields: Fields
    kind: str
    params: dict[str, str]
    body: bytes
    children: tuple[MimePart, ...] = ()

    @property
    def is_multipart(self) -> bool:
        return bool(self.children)

    @property
    def disposition(self) -> str:
        """'inline', 'attachment' or ''."""
        return parameters(self.fields.first("content-disposition"))[0]

    @property
    def filename(self) -> str:
        """The name that the sender gave to the part, decoded; ''."""
        _, params = parameters(self.fields.first("content-disposition"))
        return decode_words(params.get("filename") or self.params.get("name", ""))

    def octets(self) -> tuple[bytes, bool]:
        """The bytes without transfer encoding, and whether that was sound."""
        return undo_transfer(self.body, self.fields.first("content-transfer-encoding"))

    def text(self, most: int) -> tuple[str, tuple[str, ...]]:
        """(text, defects) of at most `most` bytes of a text part, by the charset ladder."""
        octets, sound = undo_transfer(self.body[: most * 4], self.fields.first("content-transfer-encoding"))
        text, honoured = decode_text(octets, self.params.get("charset", ""))
        defects = ([] if sound else ["broken-transfer-encoding"]) + ([] if honoured else ["charset-not-honoured"])
        return text, tuple(defects)

    def walk(self) -> Iterator[MimePart]:
        """This part and all below it, in reading order; embedded mails are leaves."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(slots=True)
class _Count:
    """How many parts were read so far, and what went wrong."""

    limits: ReadingLimits
    parts: int = 0
    defects: list[str] = field(default_factory=list)


def read_parts(fields: Fields, body: bytes, limits: ReadingLimits = LIMITS) -> tuple[MimePart, tuple[str, ...]]:
    """(root part, defects). Never deeper than `limits.depth`, never more than `limits.parts` parts in all."""
    count = _Count(limits)
    root = _part(fields, body, count, 0, "text/plain")
    return root, tuple(dict.fromkeys(count.defects))


def _part(fields: Fields, body: bytes, count: _Count, depth: int, default: str) -> MimePart:
    kind, params = parameters(fields.first("content-type"))
    if not re.fullmatch(r"[\w.+-]{1,60}/[\w.+-]{1,100}", kind):
        kind = default
    if not kind.startswith("multipart/"):
        return MimePart(fields, kind, params, body)
    boundary = params.get("boundary", "").rstrip()
    if not boundary or len(boundary) > 2048:
        count.defects.append("no-boundary")
        return MimePart(fields, "text/plain", {}, body)
    if depth >= count.limits.depth:
        count.defects.append(TOO_DEEP)
        return MimePart(fields, "application/octet-stream", {}, body)
    slices = list(_slices(body, boundary.encode("utf-8", "replace"), count))
    if not slices:
        count.defects.append("boundary-not-found")
        return MimePart(fields, "text/plain", {}, body)
    inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
    children: list[MimePart] = []
    for octets in slices:
        part_fields, part_body, _ = split_mail(octets, count.limits)
        children.append(_part(part_fields, part_body, count, depth + 1, inner))
    return MimePart(fields, kind, params, body, tuple(children))


def _slices(body: bytes, boundary: bytes, count: _Count) -> Iterator[bytes]:
    """The bytes between the boundary lines; a missing last boundary ends at the end of the mail."""
    line = re.compile(rb"^--" + re.escape(boundary) + rb"(--)?[ \t]*$\n?", re.MULTILINE)
    start = -1
    for match in line.finditer(body):
        if start >= 0:
            yield body[start : max(start, match.start() - 1)]
        start = -1 if match[1] else match.end()
        if match[1]:
            return
        count.parts += 1
        if count.parts > count.limits.parts:
            count.defects.append(TOO_MANY_PARTS)
            return
    if start >= 0:
        count.defects.append("last-boundary-missing")
        yield body[start:]
