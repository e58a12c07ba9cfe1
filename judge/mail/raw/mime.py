"""The parts of a mail (RFC 2045, RFC 2046): a flat list of leaves, each knowing the way that leads to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from judge.mail.raw.charsets import decode_text, undo_transfer
from judge.mail.raw.fields import Fields, decode_words, parameters, split_mail
from judge.mail.raw.limits import LIMITS, TOO_DEEP, TOO_MANY_PARTS, ReadingLimits


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
