"""Powers as people name them in commands: "England", "FRG", "F, R and G", "E[FG][AT]*", "the Gamemaster"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from judge.board.model import Board
from judge.board.names import gazetteer_of
from judge.board.spelling import words_of
from judge.game.talk.press import seat_name
from judge.languages import tell
from judge.mail.vocabulary.model import Unclear
from judge.orders.spelled import listed

_LONGEST = 240
_BREAKS = re.compile(r"[,;/&+]|\band\b", re.IGNORECASE)
_SEAT = re.compile(r"seat\s+(\d{1,3})", re.IGNORECASE)
"""Whom press may name before the powers are drawn."""
_SILENT = frozenset({"the", "player", "players", "of"})

CORRESPONDENTS: Mapping[str, str] = {
    "gm": "GM", "master": "GM", "gamemaster": "GM", "moderator": "GM", "m": "GM",
    "observers": "OBSERVERS", "observer": "OBSERVERS", "o": "OBSERVERS",
    "editors": "EDITORS", "editor": "EDITORS",
}  # fmt: skip
"""Who may be written to beside the powers; a power's own letter goes first."""

Ranks = tuple[tuple[str, ...], ...]


def read_power(text: str, board: Board | None) -> str | Unclear:
    """One power, by name, adjective, letter or the beginning of a name."""
    found = read_powers(text, board)
    if isinstance(found, Unclear):
        return found
    if len(found) != 1:
        return Unclear("which-power", tell('"{text}" does not name one power.', text=text.strip()))
    return found[0]


def read_powers(
    text: str, board: Board | None, *, others: Mapping[str, str] | None = None
) -> tuple[str, ...] | Unclear:
    """A list of powers, as keys. `others` are further words that may stand in it (CORRESPONDENTS)."""
    if board is None:
        return Unclear("which-game", tell("Please name the game, so that I know its powers."))
    if len(text) > _LONGEST:
        return Unclear("too-long", tell("That is too long to be a list of powers."))
    found: list[str] = []
    for piece in _BREAKS.split(_glued(text, board)):
        keys = _read_piece(" ".join(piece.split()), board, others or {})
        if isinstance(keys, Unclear):
            return keys
        found += keys
    return tuple(dict.fromkeys(found)) if found else Unclear("no-power", tell("No power is named."))


def _glued(text: str, board: Board) -> str:
    """The text with hyphens in names of several words, so that they stay together: "F St-Petersburg E"."""
    for power in board.powers.values():
        for name in (power.name, *power.aliases):
            words = name.split()
            if len(words) > 1:
                text = re.sub(r"\.?\s+".join(map(re.escape, words)), "-".join(words), text, flags=re.IGNORECASE)
    return text


def _read_piece(piece: str, board: Board, others: Mapping[str, str]) -> tuple[str, ...] | Unclear:
    if not piece:
        return ()
    if others and (seat := _SEAT.fullmatch(piece)) is not None:
        return (seat_name(seat[1]),)
    if " " in piece and len(whole := gazetteer_of(board).power(piece)) == 1:
        return whole
    found: list[str] = []
    for word in piece.split(" "):
        if word.lower().strip(".'") in _SILENT:
            continue
        keys = _read_word(word.strip("\"'.()<>"), board, others)
        if isinstance(keys, Unclear):
            return keys
        found += keys
    return tuple(found)


def _read_word(word: str, board: Board, others: Mapping[str, str]) -> tuple[str, ...] | Unclear:
    """A name goes before letters, unless the word is written in capitals and could be both ("FRA", "GER")."""
    letters = _letters(word, board)
    names = gazetteer_of(board).power(word)
    if len(names) == 1 and not (len(letters) > 1 and word.isupper() and word not in board.powers):
        return names
    if len(names) == 1:
        return Unclear(
            "two-readings",
            tell(
                '"{word}" can be {powers}, or {names}.',
                word=word,
                powers=board.powers[names[0]].told,
                names=_names(letters, board),
            ),
            (board.powers[names[0]].name, " ".join(board.powers[key].letter for key in letters)),
            word,
        )
    if len(names) > 1:
        choices = tuple(board.powers[key].name for key in names)
        return Unclear(
            "two-readings", tell('"{word}" can be {choices}.', word=word, choices=_either(names, board)), choices, word
        )
    if letters:
        return letters
    if (other := others.get(word.lower())) is not None:
        return (other,)
    if (shared := _shared_letter(word, board)) is not None:
        return shared
    if (absent := gazetteer_of(board).not_played(word)) is not None:
        return Unclear("no-such-power", tell("{absent} is not played in this game.", absent=absent.told), (), word)
    keys = gazetteer_of(board).fuzzy_power(word)[:3] if word else ()
    near = tuple(board.powers[key].name for key in keys)
    sentence = tell(
        'There is no power "{word}" in this game; did you mean {near}?'
        if near
        else 'There is no power "{word}" in this game.',
        word=word,
        near=_either(keys, board),
    )
    return Unclear("no-such-power", sentence, near, word)


def _letters(word: str, board: Board) -> tuple[str, ...]:
    """The powers of "FRG", each at most once; empty if any letter is no power's, or several powers'."""
    keys = tuple(found[0] if len(found) == 1 else "" for found in _of_letters(word, board))
    return keys if keys and all(keys) and len(set(keys)) == len(keys) else ()


def _of_letters(word: str, board: Board) -> list[tuple[str, ...]]:
    """The powers of each letter of a word."""
    by_letter: dict[str, list[str]] = {}
    for key, power in board.powers.items():
        by_letter.setdefault(power.letter.upper(), []).append(key)
    return [tuple(by_letter.get(letter, ())) for letter in map(str.upper, word)]


def _shared_letter(word: str, board: Board) -> Unclear | None:
    """Why a word of letters cannot be read: one of them is several powers'."""
    meant = _of_letters(word, board)
    several = next(((letter, keys) for letter, keys in zip(word, meant, strict=True) if len(keys) > 1), None)
    if several is None or not all(meant):
        return None
    names = tuple(board.powers[key].name for key in several[1])
    return Unclear(
        "two-readings",
        tell('"{several}" can be {names}; write the name.', several=several[0], names=_either(several[1], board)),
        names,
    )


def _names(keys: Iterable[str], board: Board) -> str:
    return ", ".join(board.powers[key].told for key in keys)


def _either(keys: Iterable[str], board: Board) -> str:
    return listed((board.powers[key].told for key in keys), "or")


_RANKING = re.compile(r"\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|\*|[^\s,;<>\[\](){}*]+")
_ANYTHING = frozenset({"*", "any", "anything", "all", "none", "random", "rest", "whatever"})


def read_preferences(text: str, board: Board | None) -> Ranks | Unclear:
    """A preference list, best first, equals together; what is not named comes last and equal.

    "F E [GA]", "E[FG][AT]*", "FEG", "France, England, Germany=Austria" and "*" (no preference) are all understood.
    """
    if board is None:
        return Unclear("which-game", tell("Please name the game, so that I know its powers."))
    if len(text) > _LONGEST:
        return Unclear("too-long", tell("That is too long to be a list of powers."))
    ranks: list[tuple[str, ...]] = []
    rest_at: int | None = None
    for token in _RANKING.findall(re.sub(r"\s*=\s*", "=", _glued(text, board))):
        if token.lower() in _ANYTHING:
            rest_at = len(ranks)
            continue
        group = token[0] in "[({"
        keys = read_powers(token.strip("[](){}").replace("=", " "), board)
        if isinstance(keys, Unclear):
            return keys
        ranks += [keys] if group or "=" in token else [(key,) for key in keys]
    return _ranked(ranks, rest_at, board)


def _ranked(ranks: list[tuple[str, ...]], rest_at: int | None, board: Board) -> Ranks | Unclear:
    if not ranks and rest_at is None:
        return Unclear("no-power", tell("Name powers, best first, such as F E [GA], or * for no preference."))
    named = [key for rank in ranks for key in rank]
    if len(set(named)) < len(named):
        twice = next(key for key in named if named.count(key) > 1)
        return Unclear("named-twice", tell("{powers} is named twice.", powers=board.powers[twice].told))
    if rest_at is not None and rest_at < len(ranks):
        ranks.insert(rest_at, tuple(key for key in board.powers if key not in named))
    return tuple(rank for rank in ranks if rank)


def is_power_word(text: str, board: Board) -> str:
    """The key of the power that a text is, whole and in letters of its own name, else ""."""
    if not words_of(text) or len(text) > _LONGEST:
        return ""
    found = gazetteer_of(board).power(text)
    return found[0] if len(found) == 1 else ""
