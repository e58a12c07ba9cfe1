"""Verbs about what comes with a letter: maps, and the form in which somebody wants to read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from judge.mail.queries import PersonRequest, Query
from judge.mail.vocabulary.clauses import plain, read_game
from judge.mail.vocabulary.model import Clause, Reading, Unclear, Verb, VerbOfAll


@dataclass(frozen=True, slots=True)
class ShowMap(Query, enclosed=True, once=True, public=True):
    """Maps of a phase: its orders and what became of them, and where everything stood after it. Without a phase: of the
    last turn, and of the position now. `form`: "png", "svg" or "pdf".
    """

    game: str = ""
    phase: str = ""
    form: str = "png"
    printed: bool = False


@dataclass(frozen=True, slots=True)
class MyFormat(PersonRequest):
    """What is to come with the text of letters ("page", "pictures", "calendar"), yes or no; how it is put ("manner":
    "spoken", "terse" or ""), whether outcomes are explained ("explain"); the rest stays as it is.
    """

    changes: tuple[tuple[str, bool | str], ...] = ()


_FORMS: Mapping[str, str] = {"png": "png", "gif": "png", "svg": "svg", "pdf": "pdf", "ps": "pdf"}
"""Words for forms of a picture, those of older judges among them."""
_PRINTED = re.compile(r"\b(?:bw|b/w|b&w|black(?: and |-and-| & )white|for print(?:ing)?)(?!\w)", re.IGNORECASE)
_FILLER = re.compile(
    r"\b(?:of|for|the|as|in|an?|please|pls|plz|now|current|last|latest|phase|turn|to me)\b", re.IGNORECASE
)


def form_in(text: str) -> tuple[str, bool] | None:
    """The form of a picture and whether it is black and white, where a line names nothing else; None otherwise.

    >>> form_in("bw"), form_in("as PDF please"), form_in("A Par - Bur"), form_in("")
    (('png', True), ('pdf', False), None, None)
    """
    rest, printed = _PRINTED.subn(" ", text)
    named = plain(_FILLER.sub(" ", rest)).lower().split()
    if not text.strip() or any(word not in _FORMS for word in named) or not (named or printed):
        return None
    return _FORMS[named[-1]] if named else "png", bool(printed)


def _map(clause: Clause) -> Reading:
    rest, printed = _PRINTED.subn(" ", clause.rest)
    form, game = "png", clause.around.game
    named: list[str] = []
    for word in plain(_FILLER.sub(" ", rest)).split():
        if word.lower() in _FORMS:
            form = _FORMS[word.lower()]
        elif not named and not isinstance(found := read_game(word, clause.around, "map"), Unclear):
            game = found
        else:
            named.append(word)
    if not named:
        return ShowMap(game, "", form, bool(printed))
    phase = clause.around.phase_in(" ".join(named))
    if phase is None:
        said = " ".join(named)
        return Unclear("no-phase", f'"{said}" is not a phase; write one like F1901.', ("map",))
    return ShowMap(game, phase, form, bool(printed))


_PARTS: Mapping[str, str] = {
    **dict.fromkeys(("html", "page", "pages"), "page"),
    **dict.fromkeys(("map", "maps", "picture", "pictures", "images"), "pictures"),
    **dict.fromkeys(("calendar", "calendars", "ics"), "calendar"),
    **dict.fromkeys(("explain", "explained", "explanations"), "explain"),
    **dict.fromkeys(("njudge", "jdip", "realpolitik", "floc"), "njudge"),
}
_MANNERS: Mapping[str, str] = {
    **dict.fromkeys(("spoken", "sentences", "accessible"), "spoken"),
    **dict.fromkeys(("terse", "short", "brief"), "terse"),
    **dict.fromkeys(("usual", "normal", "default", "tables"), ""),
}
_NO, _YES = frozenset(("no", "without", "not", "off")), frozenset(("with", "and", "yes", "on"))
_TEXT = frozenset(("text", "plain", "txt"))
_ALONE = frozenset(("only", "alone", "just"))


def _my_format(clause: Clause) -> Reading:
    changes: dict[str, bool | str] = {}
    wanted = True
    words = plain(re.sub(r"[=:,;]", " ", clause.rest)).lower().split()
    for place, word in enumerate(words, 1):
        if changes and (word in ("off", "on") or (word in ("no", "yes") and place == len(words))):
            _put_last(changes, on=word in _YES)
        elif word in _NO or word in _YES:
            wanted = word in _YES
        elif word in _TEXT:
            changes |= {"page": False, "pictures": False}
        elif word in _PARTS:
            changes[_PARTS[word]] = wanted
            if _PARTS[word] == "page" and wanted:
                changes.setdefault("pictures", True)
        elif word in _MANNERS:
            changes["manner"] = _MANNERS[word] if wanted else ""
        elif word in _ALONE and "page" in changes:
            changes["calendar"] = False
        else:
            return Unclear(
                "no-format",
                f'"{word}" is not a form of a letter; there are text, html, maps, calendar, spoken, terse, usual, '
                "explain and njudge.",
                ("my format text", "my format html", "my format no maps", "my format spoken"),
            )  # fmt: skip
    return MyFormat(tuple(changes.items()))


def _put_last(changes: dict[str, bool | str], *, on: bool) -> None:
    """Apply a yes or no that follows the thing it is about to the last of the changes."""
    name, value = next(reversed(changes.items()))
    changes[name] = on if isinstance(value, bool) else (value if on else "")


VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "map",
        words=("map", "maps", "send map", "send me the map", "show map"),
        summary="The map of the last turn and of the position, or of any past phase; bw and pdf are for printing.",
        usage=("map", "map PHASE", "map bw", "map svg", "map pdf"),
        example="map F1902",
        read=_map,
        names_game=True,
        topic="reading",
    ),
    VerbOfAll(
        "my format",
        words=("my format", "format", "mail format", "set format", "set my format"),
        summary="In what form letters come: text alone, or html too; with or without maps; with deadlines for a "
        "calendar; in sentences to be read aloud (spoken), short (terse) or as usual; with what failed explained; with "
        "the results once more in njudge's layout, for its tools.",
        usage=(
            "my format text",
            "my format html",
            "my format no maps",
            "my format no calendar",
            "my format spoken",
            "my format terse",
            "my format usual",
            "my format explain",
            "my format njudge",
            "my format",
        ),
        example="my format no maps",
        read=_my_format,
        topic="letters",
    ),
)
"""The rows, in the order in which help prints them."""
