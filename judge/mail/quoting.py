"""Classifies the lines of a mail: its author's own, quotation, signature, footer.

Two rules stand above the rest: no line is dropped, each is shown with a kind; and in doubt a line is the author's.
Losing an order is worse than reading "Kind regards" as one.
"""

import re
from collections.abc import Sequence

from judge.mail import endings, phrases
from judge.mail.endings import RULE
from judge.mail.lines import LineKind, MarkedLines, TextLine, strip_quote

__all__ = ["SENTINEL", "LineKind", "TextLine", "classify_lines", "strip_quote"]

SENTINEL = "=-=-=-=-=-=-=-=-=  Write your answer above this line  =-=-=-=-=-=-=-=-="
"""First line of every letter that can be answered: what follows it in an answer is our own letter."""

_SENTINEL = re.compile(r"[\s>*]{0,12}[=\u2010-\u2015-]{4,60}.{0,60}above this line", re.IGNORECASE)
_SENTINEL_HALF = re.compile(r"[\s>*]{0,12}(?:=-){4,}")
_BARRED = re.compile(r"\s{0,3}\|\s?(?:-{30}|(?:=-){4})")
"""A line across a letter of ours, quoted with a bar, as old programs quote."""
_TIME = re.compile(r"\b\d{1,2}[:.h]\d\d\b|\d{1,2}时|\d{1,2}시")
_LONGEST_ATTRIBUTION = 4
_HEADER_BLOCK = 10


def classify_lines(lines: Sequence[str]) -> tuple[TextLine, ...]:
    """Every line of a mail's text with its kind, in order and without omissions.

    >>> [line.kind.value for line in classify_lines(["A PAR - BUR", "-- ", "Anna"])]
    ['own', 'signature', 'signature']
    """
    if not lines:
        return ()
    sheet = MarkedLines(lines)
    for mark in (_mark_quotes, endings.mark_armour, _mark_tail, _mark_attributions):
        mark(sheet)
    sheet.measure()
    for mark in (endings.mark_footers, endings.mark_disclaimers, endings.mark_signatures):
        mark(sheet)
    sheet.fill_gaps()
    return tuple(
        TextLine(number, text, kind or LineKind.OWN, depth)
        for number, (text, kind, depth) in enumerate(zip(sheet.lines, sheet.kinds, sheet.depths, strict=True), 1)
    )


def _mark_quotes(sheet: MarkedLines) -> None:
    for at, depth in enumerate(sheet.depths):
        if depth and not _is_mbox_escape(sheet, at):
            sheet.kinds[at] = LineKind.QUOTED
    if any(_BARRED.match(line) for line in sheet.lines):
        for at, line in enumerate(sheet.lines):
            if line.lstrip().startswith("|"):
                sheet.kinds[at] = LineKind.QUOTED
    for at, line in enumerate(sheet.lines[:-1]):
        if (
            sheet.kinds[at] is LineKind.QUOTED
            and _SENTINEL_HALF.match(line)
            and re.fullmatch(r"[=\s-]{1,40}", sheet.lines[at + 1])
        ):
            sheet.claim(at + 1, at + 2, LineKind.QUOTED)  # the end of our line, wrapped by the mail program


def _is_mbox_escape(sheet: MarkedLines, at: int) -> bool:
    """Mail stores write `>From` for a line of text that begins with `From`; it quotes nobody."""
    if not sheet.lines[at].startswith(">From "):
        return False
    around = [near for near in (at - 1, at + 1) if 0 <= near < len(sheet.lines)]
    sheet.depths[at] = 0 if not any(sheet.depths[near] for near in around) else 1
    return sheet.depths[at] == 0


def _mark_tail(sheet: MarkedLines) -> None:
    """From an unquoted sentinel, separator or block of header lines on, all is an earlier letter.

    Where quotation marks follow the separator, only the separator is claimed: lines between them may be answers.
    """
    at = 0
    while at < len(sheet.lines):
        if sheet.free(at):
            found = _tail_at(sheet, at)
            if found is not None:
                head, kind = found
                sheet.claim(at, head, LineKind.ATTRIBUTION if kind is LineKind.QUOTED else kind)
                if _marks_follow(sheet, head):
                    at = max(head, at + 1)
                    continue
                sheet.claim(at, len(sheet.lines), kind)
                _claim_rule_above(sheet, at)
                return
        at += 1


def _marks_follow(sheet: MarkedLines, head: int) -> bool:
    """Is the earlier letter after the separator quoted by marks, perhaps after an attribution of its own?"""
    start = sheet.next_words(head)
    for at in range(start, min(start + _LONGEST_ATTRIBUTION + 2, len(sheet.lines))):
        if sheet.depths[at]:
            end = at
            while end > start and sheet.blank(end - 1):
                end -= 1
            return at == start or _attribution_start(sheet, end) == start
    return False


def _tail_at(sheet: MarkedLines, at: int) -> tuple[int, LineKind] | None:
    """(end of the tail's head, kind of the tail) if an earlier letter begins at line `at`."""
    line = sheet.lines[at]
    if _is_sentinel(sheet, at):
        return at, LineKind.QUOTED
    if phrases.FORWARD.fullmatch(line.strip()):
        return _header_block(sheet, sheet.next_words(at + 1)) or at + 1, LineKind.FORWARDED
    if phrases.ORIGINAL.fullmatch(line.strip()):
        return _header_block(sheet, sheet.next_words(at + 1)) or at + 1, LineKind.QUOTED
    end = _header_block(sheet, at)
    return (end, LineKind.QUOTED) if end is not None else None


def _is_sentinel(sheet: MarkedLines, at: int) -> bool:
    line = sheet.lines[at]
    if _SENTINEL.match(line):
        return True
    following = sheet.lines[at + 1] if at + 1 < len(sheet.lines) else ""
    return bool(_SENTINEL_HALF.match(line)) and "above this line" in following.lower()


def _header_block(sheet: MarkedLines, start: int) -> int | None:
    """The line after a block such as From/Sent/To/Subject that begins at `start`; None if there is no such block.

    A sender, a date and one more label are needed, and an address or a time of day: press may well begin with
    "From: Paris, Date: Spring 1901, To: Berlin". Hotmail wrote the date first.
    """
    if start >= len(sheet.lines) or not _is_labelled(sheet.lines[start]):
        return None
    sender = dated = other = exact = False
    end = start
    for at in range(start, min(start + _HEADER_BLOCK, len(sheet.lines))):
        line = sheet.lines[at]
        if phrases.FROM_LABEL.match(line):
            sender, end = True, at + 1
            exact = exact or "@" in line
        elif phrases.DATE_LABEL.match(line) and re.search(r"\d", line):
            dated, end = True, at + 1
            exact = exact or bool(_TIME.search(line))
        elif phrases.OTHER_LABEL.match(line):
            other, end = True, at + 1
        elif not line.strip() and dated and other:
            break
    return end if sender and dated and other and exact else None


def _is_labelled(line: str) -> bool:
    """Whether a line can begin such a block: it names a sender, or a date with its time of day."""
    return bool(phrases.FROM_LABEL.match(line) or (phrases.DATE_LABEL.match(line) and _TIME.search(line)))


def _claim_rule_above(sheet: MarkedLines, at: int) -> None:
    above = at - 1
    while sheet.free(above) and sheet.blank(above):
        above -= 1
    if sheet.free(above) and RULE.fullmatch(sheet.lines[above]):
        sheet.claim(above, at, LineKind.ATTRIBUTION)


def _mark_attributions(sheet: MarkedLines) -> None:
    """`On ... wrote:` counts only right above a quotation; elsewhere it is a sentence of the author's."""
    for at, kind in enumerate(sheet.kinds):
        if kind is not LineKind.QUOTED or (at and sheet.kinds[at - 1] is LineKind.QUOTED):
            continue
        end = at
        while end and sheet.free(end - 1) and sheet.blank(end - 1) and at - end < 2:
            end -= 1
        start = _attribution_start(sheet, end)
        if start is not None:
            sheet.claim(start, at, LineKind.ATTRIBUTION)


def _attribution_start(sheet: MarkedLines, end: int) -> int | None:
    """Where the attribution that ends before line `end` begins; it may be wrapped over a few lines."""
    best: int | None = None
    text = ""
    for start in range(end - 1, end - 1 - _LONGEST_ATTRIBUTION, -1):
        if not sheet.free(start) or sheet.blank(start):
            break
        text = f"{sheet.lines[start].strip()} {text}".strip()
        if len(text) > 400:
            break
        if not _is_attribution(text):
            continue
        if phrases.STARTS_ATTRIBUTION.match(sheet.lines[start]):
            return start
        best = start if best is None else best
    return best


def _is_attribution(text: str) -> bool:
    if not text.endswith((":", "：")) or not re.search(r"[\d@]", text):
        return False
    return bool(phrases.WROTE.search(text) or phrases.ADDRESS_COLON.search(text) or text.lower().startswith("quoting "))
