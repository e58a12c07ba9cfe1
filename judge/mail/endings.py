"""Finds the parts of a mail that its author did not write as text: signatures, boilerplate, list footers, OpenPGP
armour.
"""

import re
from collections.abc import Iterator

from judge.mail import phrases
from judge.mail.lines import LineKind, MarkedLines

RULE = re.compile(r"\s{0,3}[_*=~#-]{5,}\s*")
"""A line drawn across the page."""

_ARMOUR = re.compile(r"-----(BEGIN|END) PGP (SIGNED MESSAGE|SIGNATURE|MESSAGE|PUBLIC KEY BLOCK)-----\s*")
_LINK = re.compile(r"https?://|www\.|mailto:|\S@\S")
_ORDERLY = re.compile(r"\W{0,4}(?:[AF]|army|fleet)\s+[a-z]{2}", re.IGNORECASE)
_BARE_SIGNATURE = 6
_DEVICE_LINE = 120
_FOOTER = 14
_SHORT = 45


def mark_armour(sheet: MarkedLines) -> None:
    """Mark OpenPGP frames: the head of a signed message, a signature, an encrypted block, a key."""
    begun: dict[str, int] = {}
    for at, line in enumerate(sheet.lines):
        match = _ARMOUR.fullmatch(line) if line.startswith("-----") else None
        if match is None:
            continue
        if match[2] == "SIGNED MESSAGE":
            end = at + 1
            while end < len(sheet.lines) and re.match(r"Hash: |Charset: ", sheet.lines[end]):
                end += 1
            sheet.claim(at, end, LineKind.SIGNATURE)
        elif match[1] == "BEGIN":
            begun[match[2]] = at
        elif match[2] in begun:
            sheet.claim(begun.pop(match[2]), at + 1, LineKind.SIGNATURE)


def _paragraphs(sheet: MarkedLines) -> Iterator[tuple[int, int]]:
    """[start, end) of every run of unmarked lines without an empty one."""
    start: int | None = None
    for at in range(len(sheet.lines) + 1):
        inside = sheet.free(at) and not sheet.blank(at)
        if inside and start is None:
            start = at
        if not inside and start is not None:
            yield start, at
            start = None


def mark_footers(sheet: MarkedLines) -> None:
    """Mark what a mailing list appends at the end of a mail, or of the author's part of it."""
    for at in range(len(sheet.lines)):
        if not sheet.free(at) or not phrases.LIST_FOOTER.match(sheet.lines[at]):
            continue
        end = sheet.ends[at]
        if sheet.words_between(at, end) > _FOOTER or not any(map(_LINK.search, sheet.lines[at:end])):
            continue
        start = at
        while (
            sheet.free(start - 1) and at - start < 3 and not sheet.blank(start - 1) and _opens_footer(sheet, start, at)
        ):
            start -= 1
        sheet.claim(start, end, LineKind.FOOTER)


def _opens_footer(sheet: MarkedLines, start: int, at: int) -> bool:
    """Is there a rule or a signature mark within two lines above the footer's first phrase?"""
    above = range(max(0, at - 3), start)
    return any(RULE.fullmatch(sheet.lines[near]) or sheet.lines[near].strip() == "--" for near in above)


def mark_disclaimers(sheet: MarkedLines) -> None:
    """Mark paragraphs of legal or virus-scanner boilerplate, recognised by their first words and their vocabulary."""
    for start, end in list(_paragraphs(sheet)):
        first = start + 1 if RULE.fullmatch(sheet.lines[start]) and end - start > 1 else start
        end = _end_of_prose(sheet, first, end)
        text = " ".join(sheet.lines[first:end])[:2000]
        if phrases.VIRUS_FOOTER.match(text) or _is_disclaimer(text):
            sheet.claim(start, end, LineKind.DISCLAIMER)


def _end_of_prose(sheet: MarkedLines, start: int, end: int) -> int:
    """Where running text ends: a short line after the end of a sentence begins something else, an order perhaps."""
    for at in range(start + 1, end):
        if len(sheet.lines[at]) < _SHORT and sheet.lines[at - 1].rstrip().endswith((".", "!", "]")):
            return at
    return end


def _is_disclaimer(text: str) -> bool:
    return len(text) > 80 and bool(phrases.DISCLAIMER.match(text)) and bool(phrases.DISCLAIMER_WORDS.search(text))


def mark_signatures(sheet: MarkedLines) -> None:
    """Mark signatures: from a line `-- ` up to the next quotation or the end; below a bare `--` only if few lines
    follow; and lines with which telephones sign.
    """
    for at, line in enumerate(sheet.lines):
        if not sheet.free(at):
            continue
        end = sheet.ends[at]
        if line in ("-- ", "- -- ") or (line.strip() == "--" and _is_bare_signature(sheet, at + 1, end)):
            sheet.claim(at, end, LineKind.SIGNATURE)
        elif len(line) < _DEVICE_LINE and phrases.is_device_line(line.strip()):
            sheet.claim(at, at + 1, LineKind.SIGNATURE)


def _is_bare_signature(sheet: MarkedLines, start: int, end: int) -> bool:
    """Few lines, and none that looks like an order: a mark without its space may be a mere divider."""
    few = sheet.words_between(start, end) <= _BARE_SIGNATURE
    return few and not any(map(_ORDERLY.match, sheet.lines[start:end]))
