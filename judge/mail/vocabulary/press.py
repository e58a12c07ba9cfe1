"""The verb of press: how it is signed, and to whom it goes."""

from __future__ import annotations

import re

from judge.game.core.commands import Colour, SendPress
from judge.mail.vocabulary.clauses import plain
from judge.mail.vocabulary.model import Around, Clause, Reading, Unclear
from judge.mail.vocabulary.powers import CORRESPONDENTS, is_power_word, read_powers

_COLOURS = {
    "white": Colour.WHITE,
    "grey": Colour.GREY,
    "gray": Colour.GREY,
    "black": Colour.BLACK,
    "fake": Colour.BLACK,
}
_EVERYBODY = re.compile(r"(?:to\s+)?(?:all|everybody|everyone|the world)(?:\s+(?:but|except)\s+(.+))?", re.IGNORECASE)
_AS = re.compile(r"\b(?:as|from)\s+(.+?)(?=\s+to\b|\s*$)", re.IGNORECASE)
_SENDER = frozenset({"as", "from"})
_FAKED = re.compile(r"\bfake\s+(?:broadcast|to|all)\b", re.IGNORECASE)
_NO_FAKE = Unclear(
    "faked",
    "Recipients are never faked here: everybody who gets press reads to whom it went. It was not sent. `press black to "
    "LIST` hides who writes.",
)
_FLAGS = re.compile(r"\s*(?:to|but|except|white|gr[ea]y|black|as|from)\b", re.IGNORECASE)
_NEEDS_TO = Unclear(
    "no-recipients",
    "Press needs recipients: nothing was sent. Name them, or write `broadcast` for everybody.",
    ("press to England", "press to all"),
)


def read_press(clause: Clause) -> Reading:
    """`press [white|grey|black] [as NAME] to LIST`, `press to all but LIST`, `broadcast`; the body follows."""
    head, inline = split_inline(clause)
    if _FAKED.search(head):
        return _NO_FAKE
    body = "\n".join(part for part in (inline, clause.body) if part).strip("\n")
    words = [*(word for word in clause.word.split() if word in _COLOURS), *head.split()]
    colour = Colour.WHITE
    while words and words[0].lower() in _COLOURS:
        colour = _COLOURS[words.pop(0).lower()]
    while words and words[-1].lower() in _COLOURS and (len(words) == 1 or words[-2].lower() not in _SENDER):
        colour = _COLOURS[words.pop().lower()]
    head, dateline = " ".join(words), ""
    if match := _AS.search(head):
        dateline, head = plain(match[1]).strip("\"'"), f"{head[: match.start()]} {head[match.end() :]}".strip()
        if dateline.lower() in _COLOURS:  # "from white" is how the press is signed, and nobody's name
            colour, dateline = _COLOURS[dateline.lower()], ""
        elif _is_own(dateline, clause.around):  # DPjudge's FROM with one's own power is a signature
            dateline = ""
    postal = "postal" in clause.word or bool(re.search(r"\bpostal\b", head, re.IGNORECASE))
    head = re.sub(r"\bpostal\b\s*", "", head, flags=re.IGNORECASE)
    if clause.word.startswith(("broadcast", "postal")) and not head.lower().startswith("to "):
        head = f"to all {head}".strip()
    address = _addressees(head, clause)
    if isinstance(address, Unclear):
        return address
    to, everyone, but = address
    if dateline and colour is Colour.WHITE:
        colour = Colour.BLACK
    if not body.strip():
        return Unclear(
            "no-text", "The press has no text: write it on the lines below.", (f"{clause.word} {clause.rest}".strip(),)
        )
    return SendPress(body, to, everyone, but, colour, dateline, postal)


def _is_own(name: str, around: Around) -> bool:
    """Whether a name is that of a power of the author's own."""
    return around.board is not None and is_power_word(name, around.board) in around.powers


def split_inline(clause: Clause) -> tuple[str, str]:
    """(recipients, text on the same line) of a press line; "press: to England" and "broadcast hello" are let pass."""
    if clause.word.startswith(("broadcast", "postal")) and not _FLAGS.match(clause.rest):
        return "", clause.rest.lstrip(": ")
    head, _, inline = clause.rest.partition(":")
    if not plain(head) and _FLAGS.match(inline):
        head, _, inline = inline.partition(":")
    return plain(head), inline.strip()


def _addressees(head: str, clause: Clause) -> tuple[tuple[str, ...], bool, tuple[str, ...]] | Unclear:
    board = clause.around.board
    if match := _EVERYBODY.fullmatch(head):
        but = read_powers(match[1], board, others=CORRESPONDENTS) if match[1] else ()
        return but if isinstance(but, Unclear) else ((), True, but)
    if not head.lower().startswith("to "):
        return _NEEDS_TO
    to = read_powers(head[3:], board, others=CORRESPONDENTS)
    if isinstance(to, Unclear):
        return Unclear(
            to.reason, f"{to.sentence} Nothing was sent.", tuple(f"press to {name}" for name in to.candidates)
        )
    return to, False, ()
