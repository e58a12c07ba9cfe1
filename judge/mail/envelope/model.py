"""A received mail as the judge sees it: an immutable Envelope, whatever the bytes were.

Which part of a mail is its text, and that text as lines.

Of format=flowed (RFC 3676) lines that the mail program broke are put together again: an order that was broken in two
must become one line; an order that merely ends in a stray space must not swallow its neighbour. So a soft break is
believed only where the next word would not have fitted on the line. Where the versions of a mail, text and HTML, do not
say the same, that is told.
"""

import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.mail.authres import AuthVerdict, Witness
from judge.mail.html import html_to_text
from judge.mail.noise import MachineSign
from judge.mail.quoting import LineKind, TextLine
from judge.mail.raw.charsets import decode_text, tidy
from judge.mail.raw.fields import LIMITS, MimePart, ReadingLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustedSite:
    """What the judge may believe of a mail: who it is itself, and whose word at its own site counts.

    `authserv_id` names our server in Authentication-Results ('' = it writes none), which it writes above its Received
    line or `verdicts_below` it. `trusted_mx` holds host names and IP addresses of our own mail servers. `own_addresses`
    are the judge's addresses without plus-detail. `instance` is the value that our letters carry in X-Judge-Loop.
    """

    authserv_id: str = ""
    trusted_mx: frozenset[str] = frozenset()
    own_addresses: frozenset[str] = frozenset()
    instance: str = ""
    verdicts_below: bool = False

    @property
    def witness(self) -> Witness:
        """Our own mail servers, as those who judge senders."""
        return Witness(self.authserv_id, self.trusted_mx, self.verdicts_below)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A part of the mail that was not read: its name ('' if none), its media type, its size as sent."""

    name: str
    kind: str
    size: int
    text: str = ""
    """What an attached file of settings says, if it is a short one; "" for anything else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """Everything the judge reads from one mail. Nothing in it is trusted that a stranger can write, except as noted.

    - `from_address`: the one address in the one From field, else None; `from_problem` then says why, for the log.
    - `subject` is decoded and clean; `topic` is the subject without Re:, AW:, Fwd: and their kin.
    - `date_claimed` (UTC) and `zone_claimed` come from the Date header and prove nothing.
    - `arrived_at` is when our site received the mail: what counts for a deadline; `received_at` when this program did.
    - `recipients`: the envelope recipient first, then Delivered-To, X-Original-To, To, Cc.
    - `addressed`: To and Cc, and Resent-To of its author, as far as whatever vouches for the author vouches for them.
    - `return_path`: envelope sender, '' for the null sender, None if unknown.
    - `auth` is 'pass', 'fail' or 'none' for the domain of `from_address`, by our own server's word alone.
    - `text_lines`: every line of the mail's text once; `lines_cut` counts lines beyond the limits.
    - `content_hash`: equal for the same mail by two routes; None without Message-ID or Date.
    - `only_in_text` and `only_in_html`: the author's lines that stand in one version of a mail with two, and not in the
      other; the text is what was read.
    - `defects`: slugs of what was odd; `unsafe`: a limit against hostile mail was met, the mail was read only in part.
    """

    received_at: datetime
    arrived_at: datetime
    from_address: str | None
    from_name: str
    from_problem: str
    subject: str
    topic: str
    message_id: str | None
    in_reply_to: str | None
    references: tuple[str, ...]
    date_claimed: datetime | None
    zone_claimed: timedelta | None
    recipients: tuple[str, ...]
    envelope_recipient: str | None
    return_path: str | None
    auth: AuthVerdict
    auth_reason: str
    text_lines: tuple[TextLine, ...]
    lines_cut: int
    attachments: tuple[Attachment, ...]
    noise: MachineSign
    content_hash: str | None
    defects: tuple[str, ...]
    unsafe: bool
    size: int
    addressed: tuple[str, ...] = ()
    only_in_text: tuple[str, ...] = ()
    only_in_html: tuple[str, ...] = ()

    @property
    def own_lines(self) -> tuple[TextLine, ...]:
        """The lines that the author typed, empty ones included."""
        return tuple(line for line in self.text_lines if line.kind is LineKind.OWN)

    @property
    def own_text(self) -> str:
        """The author's lines as one text without empty lines at either end."""
        return "\n".join(line.text for line in self.own_lines).strip("\n")

    def addressed_to(self, domain: str) -> list[tuple[str, str]]:
        """(local part, plus-detail) of every recipient at `domain`, in lower case, envelope recipient first.

        `judge+ab3c@judge.test` gives ('judge', 'ab3c') for 'judge.test'; without a detail the second is ''.
        """
        found: list[tuple[str, str]] = []
        for address in self.recipients:
            local, _, host = address.rpartition("@")
            if host == domain.lower():
                name, _, detail = local.lower().partition("+")
                found.append((name, detail))
        return list(dict.fromkeys(found))


_NARROWEST = 60


def join_flowed(lines: Iterable[str], *, delsp: bool) -> list[str]:
    """Lines with soft breaks undone and space-stuffing removed; quoted ones keep their marks as `> > text`.

    >>> join_flowed(["A PAR - BUR ", "A MAR - SPA"], delsp=False)
    ['A PAR - BUR', 'A MAR - SPA']
    """
    joined: list[str] = []
    pieces: list[str] = []
    depth = 0
    for line in lines:
        level, text = _unstuffed(line)
        if pieces and (level != depth or text == "-- " or not _was_broken(pieces[-1], level, text)):
            joined.append(_whole(depth, pieces))
            pieces = []
        if pieces:
            pieces[-1] = pieces[-1][:-1] if delsp else pieces[-1]
        pieces.append(text)
        depth = level
        if text == "-- " or not text.endswith(" "):
            joined.append(_whole(depth, pieces))
            pieces = []
    if pieces:
        joined.append(_whole(depth, pieces))
    return joined


def _unstuffed(line: str) -> tuple[int, str]:
    depth = len(line) - len(line.lstrip(">"))
    rest = line[depth:]
    return depth, rest[1:] if rest.startswith(" ") else rest


def _was_broken(before: str, depth: int, after: str) -> bool:
    word = after.lstrip().partition(" ")[0]
    return bool(word) and len(before) + depth + len(word) >= _NARROWEST


def _whole(depth: int, pieces: list[str]) -> str:
    text = "".join(pieces)
    text = text if text == "-- " else text.rstrip(" ")
    return "> " * depth + text if depth else text


_SIGNATURE = 0x223E9F78
_BODY = 0x0002800C
_HEAD = struct.Struct("<BII")


def tnef_text(octets: bytes) -> str:
    """The attribute attBody as text; '' if there is none or the bytes are no TNEF stream. Never raises.

    >>> tnef_text(b"not a TNEF stream")
    ''
    """
    if len(octets) < 6 or struct.unpack_from("<I", octets)[0] != _SIGNATURE:
        return ""
    at = 6
    while at + _HEAD.size <= len(octets):
        _, attribute, length = _HEAD.unpack_from(octets, at)
        start = at + _HEAD.size
        if attribute == _BODY:
            return decode_text(octets[start : start + length].rstrip(b"\0"))[0]
        at = start + length + 2
    return ""


_STUB = re.compile(r"\bHTML\b", re.IGNORECASE)
_MOST_STUB = 300
_MOST_COVER = 100
_COVER = re.compile(
    r"\battach|\benclosed?\b|\banbei\b|\banhang\b|angehängt|\bjointe?\b|ci-joint|\badjunt|\ballegat|\bbijlage\b|\bbifoga|\bvedlagt",
    re.IGNORECASE,
)
""" "Orders attached.", "im Anhang", "ci-joint": all that a body says, in some languages."""
_FILE_KINDS = ("text/plain", "application/octet-stream")
_ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
_ARMOUR = re.compile(r"^-----BEGIN PGP MESSAGE-----[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Body:
    """The text as lines, the number of lines that the limits cut off, the parts that were not read, and the defects."""

    lines: tuple[str, ...]
    lines_cut: int
    attachments: tuple[Attachment, ...]
    defects: tuple[str, ...]
    html: tuple[str, ...] = ()
    """The lines of the other version of the text, where there is one."""


def read_body(root: MimePart, limits: ReadingLimits = LIMITS) -> Body:
    """The text of the mail whose root part is given."""
    chosen = list(_texts(root, limits))
    defects: list[str] = []
    pieces: list[list[str]] = []
    for part in chosen:
        pieces.append(_lines(part, limits, defects))
    if not _has_words(pieces):
        chosen, pieces = _fallback(root, limits, defects) or (chosen, pieces)
    elif root.children and _only_covers(pieces) and (attached := _attached_lines(root, limits, defects)):
        chosen, pieces = [*chosen, attached[0]], [attached[1], *pieces]
    lines, cut = _capped([line for piece in pieces for line in piece], limits)
    if cut:
        defects.append("text-cut")
    if root.kind in _ENCRYPTED or _ARMOUR.search("\n".join(lines)):
        is_signed = root.params.get("smime-type", "").lower() == "signed-data"
        defects.append("signed-opaque" if is_signed else "encrypted")
    if not _has_words([lines]):
        defects.append("no-text")
    return Body(
        tuple(lines), cut, tuple(_attachments(root, chosen)), tuple(dict.fromkeys(defects)), _html(root, chosen, limits)
    )


def _html(root: MimePart, chosen: list[MimePart], limits: ReadingLimits) -> tuple[str, ...]:
    """The lines of the HTML beside the only text that was read; none where the text has no such neighbour."""
    if len(chosen) != 1 or chosen[0].kind == "text/html":
        return ()
    for part in root.walk():
        if part.kind == "multipart/alternative" and any(child is chosen[0] for child in part.children):
            rich = [text for child in part.children for text in _texts(child, limits) if text.kind == "text/html"]
            return tuple(_capped(_lines(rich[-1], limits, []), limits)[0]) if rich else ()
    return ()


def _texts(part: MimePart, limits: ReadingLimits) -> Iterator[MimePart]:
    """The parts whose text a reader would see, in reading order."""
    if part.kind == "multipart/alternative":
        yield from _alternative(part, limits)
    elif part.kind == "multipart/related":
        yield from _texts(part.children[0], limits)
    elif part.kind == "multipart/encrypted":
        return
    elif part.is_multipart:
        for child in part.children:
            yield from _texts(child, limits)
    elif part.kind.startswith("text/") and _is_inline(part):
        yield part


def _is_inline(part: MimePart) -> bool:
    return part.disposition != "attachment" and not part.filename and part.kind not in _MACHINE_TEXT


_MACHINE_TEXT = frozenset(
    {"text/calendar", "text/x-amp-html", "text/rfc822-headers", "text/vcard", "text/x-vcard", "text/css"}
)


def _alternative(part: MimePart, limits: ReadingLimits) -> Iterator[MimePart]:
    """The first version that is plain text with something in it, else the richest readable one."""
    versions = [list(_texts(child, limits)) for child in part.children]
    plain = [one for one in versions if one and all(text.kind != "text/html" for text in one)]
    rich = [one for one in versions if one and any(text.kind == "text/html" for text in one)]
    for version in plain:
        if not rich or not _is_stub(version, limits):
            yield from version
            return
    yield from (rich or plain or [[]])[-1]


def _is_stub(version: list[MimePart], limits: ReadingLimits) -> bool:
    """Is the plain version empty, or a mere notice that there is an HTML version?"""
    text = "".join(part.text(limits.text)[0] for part in version).strip()
    return not text or (len(text) <= _MOST_STUB and "\n" not in text and bool(_STUB.search(text)))


def _lines(part: MimePart, limits: ReadingLimits, defects: list[str]) -> list[str]:
    text, found = part.text(limits.html)
    defects.extend(found)
    if part.kind == "text/html":
        if len(text) > limits.html:
            defects.append("html-cut")
        return _split(html_to_text(tidy(text[: limits.html])))
    lines = _split(tidy(text))
    if part.params.get("format", "").lower() == "flowed":
        return join_flowed(lines, delsp=part.params.get("delsp", "").lower() == "yes")
    return lines


def _split(text: str) -> list[str]:
    """Lines with tabs as spaces, without empty lines at the end."""
    return text.rstrip("\n").expandtabs(8).split("\n") if text.strip() else []


def _has_words(pieces: list[list[str]]) -> bool:
    return any(line.strip() for piece in pieces for line in piece)


def _only_covers(pieces: list[list[str]]) -> bool:
    """Whether a body only goes with its attachment: "Orders attached.", or nothing above the name of its author."""
    own = [line.strip() for piece in pieces for line in piece if line.strip() and not line.startswith(">")]
    end = next((number for number, line in enumerate(own) if line == "--"), len(own))
    said = own[:end]
    points = any(_COVER.search(line) for line in said)
    short = sum(map(len, said)) <= _MOST_COVER and all(_COVER.search(line) or " " not in line for line in said)
    return bool(own) and (not said or (points and short))


def _attached_lines(root: MimePart, limits: ReadingLimits, defects: list[str]) -> tuple[MimePart, list[str]] | None:
    """The first text file of a mail itself, and its lines."""
    for part in root.children:
        if part.kind in _FILE_KINDS and part.filename.lower().endswith(".txt"):
            lines = _lines(part, limits, defects)
            if _has_words([lines]):
                defects.append("text-from-attachment")
                return part, lines
    return None


def _fallback(
    root: MimePart, limits: ReadingLimits, defects: list[str]
) -> tuple[list[MimePart], list[list[str]]] | None:
    """Text from an attached text file, or from Outlook's winmail.dat."""
    for part in root.walk():
        if part.is_multipart:
            continue
        if part.kind == "text/plain" or part.filename.lower().endswith(".txt"):
            lines = _lines(part, limits, defects)
            if _has_words([lines]):
                defects.append("text-from-attachment")
                return [part], [lines]
        if part.kind == "application/ms-tnef" or part.filename.lower() == "winmail.dat":
            lines = _split(tidy(tnef_text(part.octets()[0])))
            defects.append("winmail-dat")
            if _has_words([lines]):
                return [part], [lines]
    return None


def _capped(lines: list[str], limits: ReadingLimits) -> tuple[list[str], int]:
    """At most `limits.lines` lines and `limits.text` characters; and how many lines were cut short or off."""
    kept: list[str] = []
    room = limits.text
    for line in lines[: limits.lines]:
        if len(line) + 1 > room:
            return [*kept, line[:room]], len(lines) - len(kept)
        kept.append(line)
        room -= len(line) + 1
    return kept, len(lines) - len(kept)


def _attachments(root: MimePart, chosen: list[MimePart]) -> Iterator[Attachment]:
    """The parts that were not read, except other versions of the text, signatures and pictures of an HTML part."""
    if root.kind in ("multipart/alternative", "multipart/related"):
        return
    for child in root.children:
        yield from _attachments(child, chosen)
    if root.is_multipart or any(root is part for part in chosen):
        return
    if root.kind in ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"):
        return
    if root.body.strip() and (root.kind not in ("text/plain", "text/html") or root.filename):
        yield Attachment(root.filename[:200], root.kind, len(root.body), _attached_text(root))


_MOST_ATTACHED = 20_000
_TEXT_KINDS = frozenset({"text/plain", "application/toml", "text/x-toml", "application/octet-stream"})


def _attached_text(part: MimePart) -> str:
    """The text of a small attached file of settings; anything else is left alone."""
    named = part.filename.lower().endswith((".toml", ".txt"))
    if not named or part.kind not in _TEXT_KINDS or len(part.body) > 2 * _MOST_ATTACHED:
        return ""
    text, _ = part.text(_MOST_ATTACHED)
    return "" if len(text) > _MOST_ATTACHED or "\0" in text else tidy(text)


_MOST = 20
_WORD = re.compile(r"\w+")


def disagreement(text: Sequence[TextLine], html: Sequence[TextLine]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(the author's lines that only the text has, those that only the HTML has). Line breaks and marks do not count.

    Two versions without a word in one of them are no two versions.
    """
    if not text or not html:
        return (), ()
    in_text, in_html = _words(line.text for line in text), _words(line.text for line in html)
    if not in_text.strip() or not in_html.strip():
        return (), ()
    return _missing(text, in_html), _missing(html, in_text)


def _missing(lines: Sequence[TextLine], there: str) -> tuple[str, ...]:
    found = (line.text.strip() for line in lines if line.kind is LineKind.OWN)
    return tuple(dict.fromkeys(text for text in found if _words([text]).strip() and _words([text]) not in there))[
        :_MOST
    ]


def _words(texts: Iterable[str]) -> str:
    return " " + " ".join(word for text in texts for word in _WORD.findall(text.casefold())) + " "
