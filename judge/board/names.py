"""How places and powers are written, and every written form of a board compiled for looking up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from judge.board.abroad import ARTICLES, COAST_WORDS, names_abroad
from judge.board.model import Board, Location, Power, coast_of, province_of
from judge.board.placenames import written
from judge.board.spelling import (
    COAST_ENDS,
    COAST_LETTERS,
    DIRECTED,
    DIRECTIONS,
    LONGEST_KEPT,
    MOST_KEPT,
    Words,
    allowance,
    cut_words,
    slips,
    spellings,
    without_kind_words,
    words_of,
)

SHORTEST_PREFIX = 3
"""Letters that a name cut short must keep (VII.4: usually the first three letters are enough)."""

Keys = dict[str, dict[str, None]]
"""Folded text -> province codes, in the order of their finding."""


@dataclass(slots=True)
class NameIndex:
    """Folded text without blanks -> province codes, in two ranks; and where running text may have its gaps."""

    exact: dict[str, tuple[str, ...]] = field(default_factory=dict)
    prefix: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Never repeats a code that `exact` has under the same text."""
    spaced: set[str] = field(default_factory=set)
    """Names of several words, with blanks: "gulf of l"."""
    openings: set[str] = field(default_factory=set)
    """How such names begin: "gulf", "gulf of"."""
    later: set[str] = field(default_factory=lambda: {word for words in COAST_WORDS for word in words} | {"of"})
    """Words that can stand second or later in a name or its coast."""
    forms: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Code -> all its full forms, to measure typing slips against."""
    impassable: dict[str, str] = field(default_factory=dict)
    """Places nobody may enter, also cut short -> the sentence that says so."""


def index_names(board: Board) -> NameIndex:
    """The index of a board's places."""
    index = NameIndex()
    explicit: Keys = {}
    derived: Keys = {}
    prefixes: Keys = {}
    for code, province in board.provinces.items():
        whole = list(spellings(words_of(province.name)))
        bare = [short for name in whole if (short := without_kind_words(name))]
        aliases = [written for alias in province.aliases for written in spellings(words_of(alias))]
        _note(explicit, [words_of(code), *whole, *aliases], code)
        _note(derived, bare, code)
        for long in (*whole, *bare, *(alias for alias in aliases if len(alias) == 1)):
            _note_cuts(index, prefixes, cut_words(long), code)
        _note_cuts(index, prefixes, aliases, code)
        index.forms[code] = tuple(dict.fromkeys(map("".join, (words_of(code), *whole, *bare, *aliases))))
    for text, meant in board.ambiguous.items():
        explicit["".join(words_of(text))] = dict.fromkeys(meant)
    index.exact = {key: _code_first(key, codes) for key, codes in {**derived, **explicit}.items()}
    for more in (derived, prefixes):
        _add_prefixes(index, more)
    index.impassable = _index_impassable(board)
    _add_names_abroad(index, board)
    return index


def _add_names_abroad(index: NameIndex, board: Board) -> None:
    """Names in other languages, as they are written in full: no short form that means something already changes."""
    for code, province in board.provinces.items():
        for name in (
            words_of(text) for language, names in province.abroad.items() for text in written(names, language)
        ):
            index.exact.setdefault("".join(name), (code,))
            _note_gaps(index, name)


_OTHER_WORDS = frozenset({"unit", "units", "united", "great", "frank", "rep", "the", "old", "new"})
"""Beginnings of names of powers ("United Kingdom", "Frankreich") that are a title, or a person's name, far oftener."""


def index_powers(powers: Iterable[Power]) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Names of powers, folded -> keys: the full ones, and the beginnings of at least three letters."""
    exact: Keys = {}
    prefixes: Keys = {}
    for power in powers:
        for text in (power.key, power.name, power.adjective, *power.aliases):
            name = "".join(words_of(text))
            exact.setdefault(name, {})[power.key] = None
            for length in range(SHORTEST_PREFIX, len(name)):
                if name[:length] not in _OTHER_WORDS:
                    prefixes.setdefault(name[:length], {})[power.key] = None
    return {key: tuple(found) for key, found in exact.items()}, {key: tuple(found) for key, found in prefixes.items()}


def index_powers_abroad(board: Board, index: NameIndex, english: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Names of powers in other languages, folded -> keys; none that is `english` for a power, or that is the name of a
    place which the power does not share its English name with.
    """
    taken = set(english)
    found: Keys = {}
    for power in board.powers.values():
        own = set(index.exact.get("".join(words_of(power.name)), ()))
        for name in names_abroad(power):
            elsewhere = name in index.impassable or (name in index.exact and own.isdisjoint(index.exact[name]))
            if name not in taken and not elsewhere:
                found.setdefault(name, {})[power.key] = None
    return {name: tuple(keys) for name, keys in found.items()}


def _note(keys: Keys, names: Iterable[Words], code: str) -> None:
    for name in names:
        keys.setdefault("".join(name), {})[code] = None


def _note_cuts(index: NameIndex, prefixes: Keys, cuts: Iterable[Words], code: str) -> None:
    for cut in cuts:
        key = "".join(cut)
        if len(key) >= SHORTEST_PREFIX:
            prefixes.setdefault(key, {})[code] = None
        _note_gaps(index, cut)


def _note_gaps(index: NameIndex, name: Words) -> None:
    if len(name) > 1:
        index.spaced.add(" ".join(name))
        index.openings.update(" ".join(name[:count]) for count in range(1, len(name)))
        index.later.update(name[1:])


def _add_prefixes(index: NameIndex, more: Mapping[str, Iterable[str]]) -> None:
    for key, codes in more.items():
        known = (*index.exact.get(key, ()), *index.prefix.get(key, ()))
        if others := tuple(code for code in codes if code not in known):
            index.prefix[key] = (*index.prefix.get(key, ()), *others)


def _index_impassable(board: Board) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, why in board.impassable.items():
        key = "".join(words_of(name))
        for length in range(min(len(key), SHORTEST_PREFIX + 1), len(key) + 1):
            found.setdefault(key[:length], why)
    return found


def _code_first(key: str, codes: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(codes, key=lambda code: code.casefold() != key))


_LONGEST_PLACE = 8
"""Tokens that one place may take: "the", "St", ".", "Petersburg", "(", "south", "coast", ")"."""

_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_MARKS_WITHIN = frozenset(".-/()[]_")
"""Marks that may stand inside a place name; any other ends it."""


class Found(NamedTuple):
    """What a written place can mean. Locations carry a coast where one was written and the province has it."""

    exact: tuple[Location, ...] = ()
    """Places whose code, name, alias or declared short form this is; the owner of the code comes first."""
    prefix: tuple[Location, ...] = ()
    """Further places whose name begins so, none of them in `exact`."""
    coast: str = ""
    """The coast that was written ("NC"), whether or not the province has it: then the location names none."""
    impassable: str = ""
    """The sentence of a place that nobody may enter, when the text is its name."""

    @property
    def places(self) -> tuple[Location, ...]:
        """The best rank that has candidates: `exact`, else `prefix`."""
        return self.exact or self.prefix

    @property
    def known(self) -> bool:
        """Whether the text means anything on this board, be it a place that nobody may enter."""
        return bool(self.exact or self.prefix or self.impassable)


class Guess(NamedTuple):
    """A did-you-mean: the place, and how many typing slips lie between."""

    place: Location
    distance: int


_NOTHING = Found()
_COAST_OPENINGS = DIRECTED | {direction[0] for direction in DIRECTIONS}


class Gazetteer:
    """Every way to write the places and powers of one board. Make it with `gazetteer_of`."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._index = index_names(board)
        self._powers, self._power_prefixes = index_powers(board.powers.values())
        self._abroad = index_powers_abroad(board, self._index, {**self._powers, **self._power_prefixes})
        self._not_played, _ = index_powers(board.not_played.values())
        self._whole = {
            "".join(words_of(text)) for code, place in board.provinces.items() for text in (code, place.name)
        }
        self._memory: dict[str | Words, Found] = {}

    # -- asking ------------------------------------------------------------------------------------------------------

    def find(self, text: str) -> Found:
        """What a text that is one place name can mean: on the standard board "Tyr" is exactly TYR and TYS, "Nort" the
        beginning of NAF, NAO and NTH, "Spa (nc)" exactly SPA/NC.
        """
        found = self._memory.get(text)
        return self._remember(text, self._read(words_of(text))) if found is None else found

    def places(self, text: str) -> tuple[Location, ...]:
        """The candidates of the best rank for a written place; empty when the board knows none."""
        return self.find(text).places

    def is_whole(self, text: str) -> bool:
        """Whether a text is the code or the full name of a place, with a coast or without, and not merely short."""
        words = _without_article(words_of(text))
        return "".join(words) in self._whole or "".join(_without_coast(words)[0]) in self._whole

    def split_place(self, tokens: Sequence[str], start: int) -> list[tuple[int, Found]]:
        """Every place name that begins at `tokens[start]`, longest first, as (end, meaning).

        Tokens are words of running text; marks such as "-", "(" or "/" may be tokens of their own. Words join to one
        name only where a name has its gap there, so "Mar S" is never read as "Mars".
        """
        first = start + 1 if tokens[start].casefold() == "the" else start
        words = words_of(tokens[first]) if first < len(tokens) else ()
        if not words:
            return []
        whole = self.find(tokens[first])
        found = [(first + 1, whole)] if whole.known else []
        dashed, after = False, first + 1
        for end in range(first + 1, min(len(tokens), first + _LONGEST_PLACE)):
            if tokens[end] in _MARKS_WITHIN:
                dashed = dashed or tokens[end] == "-"
                if tokens[end] in (")", "]") and found and found[0][0] == after and found[0][1].coast:
                    found[0] = (end + 1, found[0][1])
                continue
            more = words_of(tokens[end])
            if tokens[end] in COAST_LETTERS and tokens[end - 1] in ("(", "[", "/"):
                more = (COAST_LETTERS[tokens[end]],)
            if not more or (more[0] not in self._index.later and words[0] not in DIRECTED):
                break
            words, after = words + more, end + 1
            if dashed and more[-1] in DIRECTED:
                continue
            meaning = self._spaced(words)
            if meaning.known:
                found.insert(0, (end + 1, meaning))
            elif not self._opens(words):
                break
        return found

    def fuzzy(self, text: str, among: Iterable[Location] | None = None) -> tuple[Guess, ...]:
        """Places that the text may be a misspelling of, nearest first; only those in `among`, if given.

        Slips are letters left out, added, changed or exchanged; longer words may have more of them. A coast that
        was written must agree where the place names one.
        """
        words, coast = _without_coast(words_of(text))
        typed = "".join(words)
        if len(typed) < SHORTEST_PREFIX:
            return ()
        guesses = []
        for place in self.board.provinces if among is None else dict.fromkeys(among):
            if coast and (coast_of(place) or coast) != coast:
                continue
            distance = self._distance(typed, province_of(place))
            if distance is not None:
                guesses.append(Guess(place, distance))
        return tuple(sorted(guesses, key=lambda guess: guess.distance))

    def power(self, text: str) -> tuple[str, ...]:
        """The powers that a written name can mean: name, adjective, alias, or at least three letters of one.

        "Austro-Hungarian", "Fre" and "England's" mean one power each, and so do "die Türkei" and "allemande"; a text
        that means none gives an empty tuple.
        """
        typed = "".join(_without_article(words_of(text)))
        for key in (typed, typed.removesuffix("s")):
            if found := self._powers.get(key) or self._power_prefixes.get(key):
                return found
        return self._abroad.get(typed) or self._abroad.get(_without_foreign_article(words_of(text)), ())

    def not_played(self, text: str) -> Power | None:
        """The power that a word names, by its whole name or adjective, where it is none of those that are played."""
        if not self._not_played:
            return None
        typed = "".join(words_of(text))
        found = self._not_played.get(typed) or self._not_played.get(typed.removesuffix("s"))
        return self.board.not_played[found[0]] if found else None

    def without_not_played(self, text: str) -> str:
        """A text without the names of powers that are not played."""
        return _WORD.sub(lambda word: "" if self.not_played(word[0]) else word[0], text)

    def fuzzy_power(self, text: str) -> tuple[str, ...]:
        """The powers that the text may be a misspelling of, the nearest only."""
        typed = "".join(words_of(text))
        near: dict[str, int] = {}
        for name, keys in self._powers.items():
            distance = slips(typed, name, allowance(typed))
            if len(typed) >= SHORTEST_PREFIX and distance is not None:
                for key in keys:
                    near[key] = min(distance, near.get(key, distance))
        return tuple(key for key, distance in near.items() if distance == min(near.values()))

    # -- reading -----------------------------------------------------------------------------------------------------

    def _remember(self, written: str | Words, found: Found) -> Found:
        if sum(map(len, written)) > LONGEST_KEPT:
            return found
        if len(self._memory) >= MOST_KEPT:
            self._memory.clear()
        self._memory[written] = found
        return found

    def _read(self, words: Words) -> Found:
        """A whole text: as it stands, else with a coast after or before it."""
        words = _without_article(words)
        if not words:
            return _NOTHING
        whole = self._look_up("".join(words))
        if whole.exact or whole.prefix:
            return whole
        rest, coast = _without_coast(words)
        if coast and (found := self._with_coast(rest, coast, words)):
            return found
        if len(words) == 1 and (found := self._with_glued_coast(words[0])):
            return found
        return whole

    def _spaced(self, words: Words) -> Found:
        """Words of running text: only names that have their gaps where these have."""
        found = self._memory.get(words)
        return self._remember(words, self._read_spaced(words)) if found is None else found

    def _read_spaced(self, words: Words) -> Found:
        if " ".join(words) in self._index.spaced:
            return self._look_up("".join(words))
        rest, coast = _without_coast(words)
        if not coast or not (len(rest) == 1 or " ".join(rest) in self._index.spaced):
            return _NOTHING
        return self._with_coast(rest, coast, words) or _NOTHING

    def _opens(self, words: Words) -> bool:
        """Whether a longer name, or a name with its coast, can begin with these words."""
        return (
            " ".join(words) in self._index.openings
            or words[-1] in _COAST_OPENINGS
            or words[0] in DIRECTED
            or words[-1] in ("coast", "shore", "side", "of")
        )

    def _look_up(self, key: str) -> Found:
        exact, prefix = self._index.exact.get(key, ()), self._index.prefix.get(key, ())
        if exact or prefix:
            return Found(exact, prefix)
        return Found(impassable=self._index.impassable[key]) if key in self._index.impassable else _NOTHING

    def _with_coast(self, rest: Words, coast: str, written: Words) -> Found | None:
        """The place of `rest` on a coast; where no candidate has that coast, the bare places, so that it can be said.

        A bare direction ("Spa north") is a coast only where the place has it.
        """
        found = self._look_up("".join(rest))
        exact, prefix = self._on_coast(found.exact, coast), self._on_coast(found.prefix, coast)
        if exact or prefix:
            return Found(exact, prefix, coast)
        bare = len(rest) + 1 == len(written) and (written[-1] in DIRECTED or written[0] in DIRECTED)
        return found._replace(coast=coast) if found.known and not bare else None

    def _with_glued_coast(self, word: str) -> Found | None:
        """ "stpsc", "spanorthcoast": only for a province that has this coast."""
        for end, coast in COAST_ENDS:
            rest = word.removesuffix(end)
            if rest != word and len(rest) >= SHORTEST_PREFIX:
                found = self._with_coast((rest,), coast, (rest, end))
                if found and any("/" in place for place in found.places):
                    return found
        return None

    def _on_coast(self, codes: tuple[str, ...], coast: str) -> tuple[Location, ...]:
        return tuple(f"{code}/{coast}" for code in codes if coast in self.board.provinces[code].coasts)

    def _distance(self, typed: str, code: str) -> int | None:
        """Slips between a text and the nearest form of a name: as many as the shorter of both allows."""
        most = allowance(typed)
        distances = [slips(typed, form, min(most, allowance(form))) for form in self._index.forms[code]]
        if len(typed) > SHORTEST_PREFIX:
            distances += [
                slips(typed, form[: len(typed)], 1) for form in self._index.forms[code] if len(form) > len(typed)
            ]
        return min((distance for distance in distances if distance is not None), default=None)


def _without_article(words: Words) -> Words:
    return words[1:] if words[:1] == ("the",) else words


def _without_foreign_article(words: Words) -> str:
    return "".join(words[1:] if words[:1] and words[0] in ARTICLES else words)


def _without_coast(words: Words) -> tuple[Words, str]:
    """The words without the coast that ends or begins them, and that coast ("" if none is written)."""
    for count in (2, 1):
        if len(words) > count and (coast := COAST_WORDS.get(words[-count:])):
            return words[:-count], coast
    for count in (2, 1):
        if len(words) > count and (coast := COAST_WORDS.get(words[:count])):
            rest = words[count + 1 :] if words[count] == "of" else words[count:]
            return (rest, coast) if rest else (words, "")
    return words, ""


@lru_cache(maxsize=64)
def gazetteer_of(board: Board) -> Gazetteer:
    """The gazetteer of a board, compiled on first use."""
    return Gazetteer(board)
