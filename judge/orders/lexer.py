"""From a line as typed to the letters of its shape: marks folded, words looked up, places and coasts found.

Second looks at a line whose shape is no order: a name split in two, a slip of the fingers, words too many.

Each function yields other letters for the same line, the likeliest first. Whether one of them makes sense is for the
reader to see; nothing here touches a line that is an order already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from judge.board.model import Board, province_of
from judge.board.names import Found, Gazetteer, gazetteer_of
from judge.board.spelling import DIRECTED, LONGEST_KEPT, MOST_KEPT, slips, words_of
from judge.orders.kinds import Kinds, family
from judge.orders.words import (
    BACKWARDS,
    BREAK,
    CARRIERS,
    COAST_NEXT,
    CONDITION,
    CROSSED,
    FILLERS,
    GLUED,
    KEYWORDS,
    MOVE,
    TURNED,
    TYPO_WORDS,
    UNIT,
    UNIT_LETTERS,
    agent,
    names_a_place,
    turned,
)

_ASIDE = frozenset("?O#,-NP")
"""What an aside may hold; a unit, an order's verb or a condition in it is part of the order."""

_ON_THE_WAY = re.compile("-?(?:P(?:[-,]*P)*|N?UP(?:[-,]*N?UP)*)-?")
""" "Nth", "Eng - Nth", "F Eng, F Nth"; "F Edi - Nwg" is an order."""

_COUNTS = {word: count for count, word in enumerate(("one", "two", "three", "four", "five", "six"), 1)}
""" "I waive two builds"."""

_LONGEST_TAIL = 8
_MOST_SPANS = 2 * MOST_KEPT
_LONGEST_SPAN = 2 * LONGEST_KEPT
"""Letters of the words behind a place's beginning that are remembered with what they mean."""


_MARKS = {"-": MOVE, ">": MOVE, "<": BACKWARDS, CROSSED: CONDITION}

_UNIT_WORDS = frozenset(("army", "fleet"))

OPENS, NATION, TURNS, DOUBLE = 1, 2, 4, 8
"""What about the neighbours of a word matters: it may begin a place's name of several words, or call a nation; its
letter depends on the words before it; it is the word of an order and the code of a place.
"""


class Named(NamedTuple):
    """A place as written and what it can mean; `number` is the n of "A PAR#n"."""

    text: str
    found: Found
    number: int = 0


class Slip(str):
    """A word of the order that was misspelt; the word that was meant."""

    __slots__ = ()


class LexedWord(NamedTuple):
    """What one word is by itself: letter of the shape, its value, and whether its neighbours matter."""

    kind: str
    value: Any
    flags: int = 0


class Lexed(NamedTuple):
    """A line in letters. `values[n]` and `tokens[n]` (index of its first token) belong to `shape[n]`."""

    shape: str
    values: list[Any]
    tokens: list[int]
    spelled: bool = False
    """Whether a unit is called "army" or "fleet": a lone "a" may be an article."""
    aside: bool = False
    """Whether words in parentheses were passed over."""


class Lexicon:
    """The words of orders and the places of one board, looked up once each. Make it with `lexicon_of`."""

    def __init__(self, gazetteer: Gazetteer, kinds: Kinds) -> None:
        self.gazetteer = gazetteer
        self._words = kinds.words
        """Words of orders that only these kinds have."""
        self._items: dict[str, LexedWord] = {}
        self._places: dict[tuple[str, ...], tuple[tuple[int, Named], ...]] = {}
        self._openings = _openings(gazetteer)
        self._units = UNIT_LETTERS | _unit_words(gazetteer.board)
        """Word for a kind of unit -> its letter."""
        codes = {code.lower() for code in gazetteer.board.provinces}
        self._doubles = {word: LexedWord("P", Named(word, gazetteer.find(word))) for word in codes & KEYWORDS.keys()}
        """Words of orders that are codes of places too, as places: "and" where AND is Andalusia."""

    def item(self, word: str) -> LexedWord:
        """What a word is when its neighbours do not matter."""
        item = self._items.get(word)
        if item is None:
            item = self._classify(word)
            if len(self._items) >= MOST_KEPT:
                self._items.clear()
            if len(word) <= LONGEST_KEPT:
                self._items[word] = item
        return item

    def lex(self, tokens: list[str], *, prefer_places: bool = False) -> Lexed:
        """The letters of a line. `prefer_places`: read "English" as a place, and no hyphen as part of a name."""
        kinds: list[str] = []
        values: list[Any] = []
        starts: list[int] = []
        opened, aside = -1, False
        index, count = 0, len(tokens)
        items, units = self._items, self._units
        while index < count:
            token = tokens[index]
            item = items.get(token) or self.item(token)
            kind, value, flags = item
            start = index
            index += 1
            following = tokens[index] if index < count else ""
            if flags:
                turns = flags & TURNS
                if flags & DOUBLE:
                    item = self._doubles[token] if names_a_place("".join(kinds[-2:]), following, units) else item
                    kind, value, _ = item
                    flags = 0
                if flags & (OPENS | NATION) or (kind == "P" and following in COAST_NEXT):
                    kind, value, index = self._in_company(item, tokens, start, prefer_places=prefer_places)
                if turns and index - start == 1:
                    kind = self._turned(tokens, start, starts, kinds, kind)
            elif kind == "P":
                if following in COAST_NEXT:
                    kind, value, index = self._in_company(item, tokens, start, prefer_places=prefer_places)
            elif kind == "U" and following in units:
                continue
            if not kind:
                if token in ("(", "["):
                    opened = len(kinds)
                elif token in (")", "]") and opened >= 0:
                    if not _put_on_the_way(kinds, values, starts, opened):
                        aside = _drop_aside(kinds, values, starts, opened) or aside
                    opened = -1
                elif token == "#" and following.isdecimal() and kinds and kinds[-1] in "P?":
                    if kinds[-1] == "P":  # a misspelt place forgets it: any of those alike there is meant
                        values[-1] = values[-1]._replace(number=int(following))
                    index += 1
                continue
            if kinds and (kinds[-1] == kind == "-" or (kind == "C" and kinds[-1] == "V")):
                continue
            if len(kind) == 2:
                kinds.append(kind[0])
                values.append(token)
                starts.append(start)
                kind, value = "U", kind[1]
            kinds.append(kind)
            values.append(value)
            starts.append(start)
        return Lexed("".join(kinds), values, starts, not _UNIT_WORDS.isdisjoint(tokens), aside)

    def _turned(self, tokens: list[str], start: int, starts: list[int], kinds: list[str], kind: str) -> str:
        """The letter of a word that depends on what stands before it. `kind`: its letter elsewhere."""
        token = tokens[start]
        if token in ("by", "from", "of", "with"):
            return agent(tokens, start, starts, kinds, self._units)
        if token == "+":
            return BREAK if kinds and kinds[-1] == "P" else kind
        if token == "except":
            last = next((one for one in reversed(kinds) if one != BREAK), "")
        else:
            last = kinds[-1] if kinds else ""
        return turned(token, tokens[start - 1] if start else "", last, kind)

    def _classify(self, word: str) -> LexedWord:
        """The word by itself, and what about its neighbours matters."""
        kind, value, flags = self._alone(word)
        if word in TURNED or word == "+":
            flags |= TURNS
        return LexedWord(kind, value, flags | DOUBLE if word in self._doubles else flags)

    def _alone(self, word: str) -> LexedWord:
        """Keywords are whole words and go first; then places, then powers."""
        if (kind := self._words.get(word, KEYWORDS.get(word))) is not None:
            if word in ("-", "and", "&"):
                return LexedWord(kind, word)
            return LexedWord(kind, UNIT_LETTERS.get(word, word))
        if word in self._units:
            return LexedWord("U", self._units[word])
        if word in GLUED:
            return LexedWord(GLUED[word], word)
        if not word[0].isalnum():
            return LexedWord(_MARKS.get(word[0], ""), word)
        if word.isdecimal():
            return LexedWord("#", int(word))
        flags = OPENS if word in self._openings else 0
        if len(word) >= 3 and self.gazetteer.power(word):
            flags |= NATION
        found = self.gazetteer.find(word)
        if found.known:
            return LexedWord("P", Named(word, found), flags)
        if word in _COUNTS:
            return LexedWord("#", _COUNTS[word])
        if (word in FILLERS and not flags) or word in CARRIERS:
            return LexedWord("", word)
        return LexedWord("?", word, flags)

    def _in_company(
        self, item: LexedWord, tokens: list[str], start: int, *, prefer_places: bool
    ) -> tuple[str, Any, int]:
        """A word whose neighbours matter: the longest place name from here, or a nationality."""
        token = tokens[start]
        if token == "the" and self._calls_a_nation(tokens, start + 1):
            return "", token, start + 1
        spans = self._spans(tokens, start, hyphens=bool(item.flags & OPENS) and not prefer_places)
        while spans and self._ends_in_a_word(tokens, start, *spans[0]):
            spans = spans[1:]
        if spans and spans[0][0] > 1:
            return "P", spans[0][1], start + spans[0][0]
        if item.flags & NATION and not prefer_places:
            powers = self.gazetteer.power(token)
            following = tokens[start + 1] if start + 1 < len(tokens) else ""
            if following == ":" or (following == "]" and tokens[start + 2 : start + 3] == [":"]):
                return "Z", powers, start + 2
            if following == "-" and (both := self.gazetteer.power("".join(tokens[start : start + 3]))):
                after = tokens[start + 3 : start + 4]
                return ("Z", both, start + 4) if after == [":"] else ("N", both, start + 3)
            opens = following == "]" and (start < 2 or KEYWORDS.get(tokens[start - 2]) == BREAK)
            if opens or following in self._units or item.kind != "P":
                return "N", powers, start + 1
        if token in FILLERS and item.kind == "?":
            return "", token, start + 1
        return item.kind, item.value, start + 1

    def _calls_a_nation(self, tokens: list[str], at: int) -> bool:
        """ "The English fleet": whose it is, and no place."""
        return (
            tokens[at + 1 : at + 2] != []
            and tokens[at + 1] in self._units
            and bool(self.item(tokens[at]).flags & NATION)
        )

    def _ends_in_a_word(self, tokens: list[str], start: int, count: int, named: Named) -> bool:
        """Whether a name of so many tokens ends in a letter that is a word by itself: of the next unit ("Mid. A Mar" is
        no "Mid A(tlantic)"), or of an order behind a name that needs no more ("EAS C A Smy": no "Eas(t) C(hina Sea)").
        """
        end = start + count
        last = tokens[end - 1]
        if count < 2 or len(last) > 1:
            return False
        if last in KEYWORDS and last not in self._units:
            return not named.found.exact and bool(self.gazetteer.find(" ".join(tokens[start : end - 1])).exact)
        return last in self._units and end < len(tokens) and self.item(tokens[end]).kind == "P"

    def _spans(self, tokens: list[str], start: int, *, hyphens: bool) -> tuple[tuple[int, Named], ...]:
        """Place names that begin here as (number of tokens, meaning), longest first."""
        tail = tuple(tokens[start : start + _LONGEST_TAIL])
        if not hyphens and "-" in tail:
            tail = tail[: tail.index("-")]
        known = self._places.get(tail)
        if known is None:
            known = tuple(
                (end, Named(" ".join(tail[:end]), found))
                for end, found in self.gazetteer.split_place(tail, 0)
                if not (_coast_after_dash(tail[:end], found) or self._arrow_within(tail, end, found))
            )
            if len(self._places) >= _MOST_SPANS:
                self._places.clear()
            if sum(map(len, tail)) <= _LONGEST_SPAN:
                self._places[tail] = known
        return known

    def _arrow_within(self, tail: tuple[str, ...], end: int, found: Found) -> bool:
        """Whether a dash in what may begin one name parts two: "Ion - Sea of Crete" is no Ion(ian) Sea."""
        if found.exact or "-" not in tail[:end]:
            return False
        dash = tail.index("-")
        if not self.gazetteer.find(" ".join(tail[:dash])).exact:
            return False
        behind = self.gazetteer.split_place(tail, dash + 1) if dash + 1 < len(tail) else []
        return bool(behind) and behind[0][0] > end


def _put_on_the_way(kinds: list[str], values: list[Any], starts: list[int], opened: int) -> bool:
    """Whether what stands in parentheses behind a place is a list of places: "A Wal - Hol (F Eng, F Nth)", "A Edi (Nth)
    - Nwy". They are on the way of the unit that goes, and none of the units there is ordered.
    """
    aside = "".join(kinds[opened:])
    if not opened or kinds[opened - 1] not in ("P", "-") or _ON_THE_WAY.fullmatch(aside) is None:
        return False
    keep = [index for index in range(opened, len(kinds)) if kinds[index] in "P-"]
    kinds[opened:] = [kinds[index] for index in keep]
    values[opened:] = [values[index] for index in keep]
    starts[opened:] = [starts[index] for index in keep]
    if kinds[opened - 1] == "P" and kinds[opened - 2 : opened - 1] == ["-"]:
        kinds.insert(opened, "V")
        values.insert(opened, "via")
        starts.insert(opened, starts[opened])
    return True


def _drop_aside(kinds: list[str], values: list[Any], starts: list[int], opened: int) -> bool:
    """Forget "(please!)" and "(to cover Brest)": what stands in parentheses and gives no order. Whether words went."""
    aside = kinds[opened:]
    chatter = "P" not in aside or "?" in aside
    if not opened or not aside or not chatter or not _ASIDE.issuperset(aside):
        return False
    del kinds[opened:], values[opened:], starts[opened:]
    return "?" in aside


def _coast_after_dash(tokens: tuple[str, ...], found: Found) -> bool:
    """Whether what was taken for a coast stands behind a dash and begins a destination: "Bul - East Med" names no
    coast.
    """
    if not found.coast or "-" not in tokens:
        return False
    last = len(tokens) - 1 - tokens[::-1].index("-")
    return len(words_of(" ".join(tokens[last:]))) <= 2 and tokens[last + 1] in COAST_NEXT


def _unit_words(board: Board) -> dict[str, str]:
    """Letters and names of the kinds of unit that only this board knows, where they mean nothing else."""
    named = {
        word: letter
        for letter, kind in board.kinds.items()
        for word in (letter.lower(), kind.name.lower(), f"{kind.name.lower()}s")
    }
    return {word: letter for word, letter in named.items() if word not in KEYWORDS and word not in FILLERS}


def _openings(gazetteer: Gazetteer) -> frozenset[str]:
    """Every beginning of the first word of a name of several words, and the words that may begin a coast."""
    first = {"the", *DIRECTED, "nc", "sc", "ec", "wc"}
    for province in gazetteer.board.provinces.values():
        for name in (province.name, *province.aliases):
            words = words_of(name)
            if len(words) > 1:
                first.update(words[0][:length] for length in range(1, len(words[0]) + 1))
        for name in (name for names in province.abroad.values() for name in names if "-" in name):
            first.update(words_of(name)[:1])
    return frozenset({*first, "saint", "sain", "st"} - KEYWORDS.keys())


def lexicon_of(gazetteer: Gazetteer, kinds: Kinds) -> Lexicon:
    """The lexicon over a gazetteer, with the words of some kinds of order, made on first use."""
    return _lexicon(gazetteer, kinds if kinds.words else family())


@lru_cache(maxsize=64)
def lexicon_on(board: Board, kinds: Kinds) -> Lexicon:
    """The lexicon over a board's own gazetteer."""
    return lexicon_of(gazetteer_of(board), kinds)


@lru_cache(maxsize=64)
def _lexicon(gazetteer: Gazetteer, kinds: Kinds) -> Lexicon:
    return Lexicon(gazetteer, kinds)


_APART = re.compile(
    r"(?<=\w)(?P<possessive>'s)?(?:\s*[,;:(\[-])?\s*(?:(?:on|at|along|by)\s+)?(?:(?:the|its|their)\s+)?"
    r"(?:(?P<long>(?:north|south|east|west)(?:ern)?|[nsew]\.?)[\s-]*(?:coast|cst|shore|side)\b(?!\s+of\b)"
    r"|(?P<short>[nsew])\.?c\b)"
    r"\.?(?:\s*[)\]])?",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?<=\w)(?:\s*[,;:-]\s*(?P<long>(?:north|south|east|west)(?:ern)?)|\s+(?P<short>[new])\s+c)\b\.?(?=\s*(?:$|[.,;:)]))",
    re.IGNORECASE,
)
""" "Bul, east", "Bul - east", "Bul e c" at the end of an order: a coast where it is not a place."""
_LONGEST_NAME = 3
"""Words before a coast that are looked up as its place."""


def with_coasts(folded: str, gazetteer: Gazetteer, *, bare: bool = False) -> str:
    """A line with such coasts joined to their places, "Bulgaria/ec"; as long as before, so that positions stay true.
    `bare`: directions that may be the beginning of another place too, "Bulgaria - east".
    """

    def joined(match: re.Match[str]) -> str:
        if " - " in folded[match.start() - 1 : match.end()] and match["short"]:
            return match[0]
        if not _has_coasts(folded[: match.start()], gazetteer):
            return match[0]
        return f"/{(match['long'] or match['short'])[0]}c".ljust(len(match[0]))

    return (_BARE if bare else _APART).sub(joined, folded)


def _has_coasts(before: str, gazetteer: Gazetteer) -> bool:
    """Whether a text ends with the name of a place whose coasts have names."""
    words, board = before.split(), gazetteer.board
    names = (" ".join(words[-count:]) for count in range(1, min(len(words), _LONGEST_NAME) + 1))
    places = (place for name in names for place in gazetteer.find(name.rpartition("-")[2]).places)
    return any(board.provinces[province_of(place)].coasts for place in places)


_PLACE_RUN = re.compile(r"[P?]+")
_SHORTEST_WORD = 4
_LONGEST_WORD = 1 + max(map(len, TYPO_WORDS))
"""A longer one is more than one slip away from every word of an order."""


def rejoined(lexed: Lexed, lexicon: Lexicon) -> Iterator[Lexed]:
    """Unknown words that make a known name with their neighbours: "W Md.". No slip, so nothing is corrected."""
    if "?" in lexed.shape:
        joined = _join(lexed, lexicon, only_known=True)
        if joined is not None:
            yield joined


def without_breaks(lexed: Lexed) -> Iterator[Lexed]:
    """Commas inside an order: "Fleet London, to the North Sea"."""
    if "," in lexed.shape:
        keep = [index for index, kind in enumerate(lexed.shape) if kind != ","]
        yield _picked(lexed, keep)


_LOC = "N?(?:UP|PU|P)"
_SHARED_END = re.compile(f"((?:{_LOC},)+{_LOC})O?(-?[HDSC][^,]*)")
_SHARED_START = re.compile(f"([HDB]-?)({_LOC}(?:,{_LOC})+)")
_ONE = re.compile(_LOC)


def shared_words(lexed: Lexed) -> Iterator[Lexed]:
    """One order word for several units: "F Lon, F Edi and A Lvp hold", "disband A Bur and F Bul"."""
    if match := _SHARED_END.fullmatch(lexed.shape):
        units, tail = match.span(1), range(*match.span(2))
        yield _picked(lexed, [index for one in _each(lexed, units) for index in (*one, *tail)])
    if match := _SHARED_START.fullmatch(lexed.shape):
        head, units = range(*match.span(1)), match.span(2)
        first, *others = _each(lexed, units)
        yield _picked(lexed, [*head, *first, *(index for one in others for index in (one[0], *head, *one[1:]))])


def _each(lexed: Lexed, units: tuple[int, int]) -> list[range]:
    """Where the units of a list stand, each but the first with the comma before it."""
    found = [one.span() for one in _ONE.finditer(lexed.shape, *units)]
    return [range(start - (number > 0), end) for number, (start, end) in enumerate(found)]


def corrections(lexed: Lexed, lexicon: Lexicon) -> Iterator[Lexed]:
    """Unknown words taken for misspelt order words, for places, or for both."""
    if "?" not in lexed.shape:
        return
    words = with_words(lexed)
    for candidate in (words, lexed) if words else (lexed,):
        if "?" not in candidate.shape:
            yield candidate
            continue
        joined = _join(candidate, lexicon, only_known=False)
        if joined is not None:
            yield joined
        yield _each_a_place(candidate)


def trimmed(lexed: Lexed) -> Lexed | None:
    """The line without the unknown words at its end; None where it has none."""
    end = len(lexed.shape.rstrip("?#,"))
    if end == len(lexed.shape) or "?" not in lexed.shape[end:]:
        return None
    return _picked(lexed, list(range(end)))


def untrimmed_front(lexed: Lexed) -> Lexed | None:
    """The line without the unknown words before its first unit: "Ok then A Par - Bur"."""
    front = re.match(r"[?#,]+", lexed.shape)
    if front is None:
        return None
    return _picked(lexed, list(range(front.end(), len(lexed.shape))))


def _picked(lexed: Lexed, keep: list[int]) -> Lexed:
    return Lexed(
        "".join(lexed.shape[index] for index in keep),
        [lexed.values[index] for index in keep],
        [lexed.tokens[index] for index in keep],
        lexed.spelled,
        lexed.aside,
    )


def with_words(lexed: Lexed) -> Lexed | None:
    """Unknown words that are one slip away from an order word."""
    kinds = list(lexed.shape)
    values = list(lexed.values)
    for index, kind in enumerate(kinds):
        if kind == "?" and len(values[index]) <= _LONGEST_WORD and (meant := _near_word(values[index])) is not None:
            kinds[index] = TYPO_WORDS[meant]
            values[index] = Slip(UNIT_LETTERS[meant] if kinds[index] == UNIT else meant)
    shape = "".join(kinds)
    return lexed._replace(shape=shape, values=values) if shape != lexed.shape else None


@lru_cache(maxsize=1024)
def _near_word(word: str) -> str | None:
    if len(word) < _SHORTEST_WORD:
        return None
    return next((known for known in TYPO_WORDS if slips(word, known, 1) is not None), None)


def _join(lexed: Lexed, lexicon: Lexicon, *, only_known: bool) -> Lexed | None:
    """Runs of place words and unknown words as one name each."""
    kinds: list[str] = []
    values: list[Any] = []
    starts: list[int] = []
    end = 0
    changed = False
    for match in _PLACE_RUN.finditer(lexed.shape):
        _copy(lexed, end, match.start(), kinds, values, starts)
        end = match.end()
        if "?" not in match[0]:
            _copy(lexed, match.start(), end, kinds, values, starts)
            continue
        text = " ".join(_word(lexed.values[index]) for index in range(match.start(), end))
        found = lexicon.gazetteer.find(text)
        if not found.known and (only_known or _is_goal(lexed, match.start())):
            _copy(lexed, match.start(), end, kinds, values, starts)
            continue
        kinds.append("P")
        values.append(Named(text, found if found.known else Found()))
        starts.append(lexed.tokens[match.start()])
        changed = True
    _copy(lexed, end, len(lexed.shape), kinds, values, starts)
    return Lexed("".join(kinds), values, starts, lexed.spelled, lexed.aside) if changed else None


def _is_goal(lexed: Lexed, index: int) -> bool:
    """Whether a run begins with the whole name of a goal: what comes after it is no slip in it ("- Pic appuie")."""
    value = lexed.values[index]
    return lexed.shape[index - 1 : index] == "-" and isinstance(value, Named) and bool(value.found.exact)


def _copy(lexed: Lexed, start: int, end: int, kinds: list[str], values: list[Any], starts: list[int]) -> None:
    kinds.extend(lexed.shape[start:end])
    values.extend(lexed.values[start:end])
    starts.extend(lexed.tokens[start:end])


def _each_a_place(lexed: Lexed) -> Lexed:
    values = [
        Named(value, Found()) if kind == "?" else value for kind, value in zip(lexed.shape, lexed.values, strict=True)
    ]
    return lexed._replace(shape=lexed.shape.replace("?", "P"), values=values)


def _word(value: Any) -> str:
    return value.text if isinstance(value, Named) else str(value)
