"""Units called by the number of their marker ("2 - Holland", "3F - North Sea", "army 1"), in games that give numbers.

A line is put into the words of all other readers: each number becomes its unit's name. A place behind a number is where
the unit goes, unless it is where the unit stands; where a line says both a number and another place for one unit, it is
asked back.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from judge.board.model import Board, province_of
from judge.board.unit import NUMBER, Unit
from judge.languages import tell
from judge.orders.lexer import Lexicon
from judge.orders.reading import Problem
from judge.orders.scene import Scene
from judge.orders.spelled import listed, unit_text
from judge.orders.words import BREAK, fold, token_spans, tokens_of

_CALLED = re.compile(
    r"(?<![\w#/.])(?:(?P<word>army|fleet|a|f)[ .]*(?:no\.? *|nr\.? *|number +|#)?(?P<after>\d{1,2})"
    r"|(?P<before>\d{1,2}) ?(?P<letter>[af])?)(?![\w#/])",
    re.IGNORECASE,
)
_ABOARD = re.compile(r"\b(?:aboard|board|boards|embarks? on|on) *$", re.IGNORECASE)
_HELPS = re.compile(
    r"\b(?:s|sup|supports?|supporting|c|convoys?|convoying|carr(?:y|ies)|loads?|takes?|fetch(?:es)?|picks? up) *$"
    rf"|{_ABOARD.pattern}",
    re.IGNORECASE,
)
_BULLET = re.compile(r" *[.):]|  *(?:a|f|army|fleet)\b", re.IGNORECASE)
_BEGINS = re.compile(r"(?:^[ \-*\t]*|[,;] *(?:and +)?)$", re.IGNORECASE)
""" "1 - Burgundy, 2 - Flanders": where an order begins."""
_OWNER = re.compile(r"\W*([^\W\d][\w-]*)")
""" "English A1 London aboard F2": whose order it is, and so whose fleet."""
_NATION = re.compile(r"([^\W\d][\w-]*) *$")
_FOLLOWS = frozenset("P-SCHRDAG")
"""What stands behind the number of a unit: a place, or a word for what it does."""
_VERBS = frozenset("-SCHRDAGV")
_QUOTED = re.compile(r'(?<=")[^"]+(?=")')


class Called(NamedTuple):
    """A line with names in the place of numbers, or what is wrong with one of them."""

    text: str
    problem: Problem | None = None
    unit: Unit | None = None
    names: tuple[tuple[str, str], ...] = ()
    """The names that were put in, each with what stood there."""

    def as_written(self, text: str, sentence: str) -> str:
        """A sentence about the line with names, with what it quotes as the author of `text` wrote it."""

        def written(quoted: re.Match[str]) -> str:
            words = quoted[0]
            if words == self.text.strip():
                return text
            for name, number in self.names:
                words = words.replace(name, number)
            return words

        return _QUOTED.sub(written, sentence)


def by_name(text: str, scene: Scene) -> Called:
    """The line with each number as the name of its unit."""
    numbers = scene.ground.numbers
    if not numbers or not any(map(str.isdigit, text)):
        return Called(text)
    done, at = "", 0
    names: list[tuple[str, str]] = []
    for match in _CALLED.finditer(text):
        before, rest = text[: match.start()], text[match.end() :]
        power, kind = _meant(match, before, rest, scene)
        if not kind or power is None:
            continue
        number = match["after"] or match["before"]
        unit = numbers.get((power, kind, number))
        if unit is None:
            return Called(text, _no_such_number(power, kind, number, scene))
        left, fits = _without_own_place(unit, rest, scene, helped=_is_helped(before, scene))
        if not fits:
            return Called(text, _disagrees(unit, number, scene), unit)
        done += text[at : match.start()] + str(unit)
        at = len(text) - len(left)
        names.append((str(unit), text[match.start() : at].strip()))
    return Called(done + text[at:], names=tuple(names)) if done else Called(text)


def with_any_unit(text: str, board: Board, lexicon: Lexicon) -> str:
    """The line with each number of a unit as the name of some unit: it shows whether the line is an order, before it is
    known who stands where.
    """
    place = board.centres[0]
    done, at = "", 0
    for match in _CALLED.finditer(text):
        before, rest = text[: match.start()], text[match.end() :]
        called = match["word"] or match["letter"] or _HELPS.search(before)
        first = _BEGINS.search(before) is not None and not _BULLET.match(rest)
        if called or (first and lexicon.lex(tokens_of(fold(rest))).shape[:1] in _FOLLOWS):
            done += f"{text[at : match.start()]}A {place}"
            at = match.end()
    return done + text[at:]


def _meant(match: re.Match[str], before: str, rest: str, scene: Scene) -> tuple[str | None, str]:
    """Whose unit a number means, and of which kind; "" if it is no unit's number."""
    letter = match["word"] or match["letter"]
    first = _BEGINS.search(before) is not None
    if not letter and not (first and not _BULLET.match(rest)) and not _HELPS.search(before):
        named = _NATION.search(before)
        if named is None or not scene.lexicon.gazetteer.power(named[1].lower()):
            return None, ""
    kind = letter[0].upper() if letter else "F" if _ABOARD.search(before) else "A"
    named = _NATION.search(before)
    powers = scene.lexicon.gazetteer.power(named[1].lower()) if named is not None else ()
    if not powers and _ABOARD.search(before) and (owner := _OWNER.match(before)) is not None:
        powers = scene.lexicon.gazetteer.power(owner[1].lower())
    return (powers[0] if len(powers) == 1 else scene.power), kind


def _is_helped(before: str, scene: Scene) -> bool:
    """Whether what stands ahead of a number is a word like "supports", perhaps with whose unit it is."""
    named = _NATION.search(before)
    if named is not None and scene.lexicon.gazetteer.power(named[1].lower()):
        before = before[: named.start()]
    return _HELPS.search(before) is not None


def _without_own_place(unit: Unit, rest: str, scene: Scene, *, helped: bool) -> tuple[str, bool]:
    """What follows a number, without the unit's own name ("F2 London", "2F F London#2"); whether the place is right.
    A place at the end of an order is where a unit goes, unless another unit helps this one where it stands.
    """
    lexed = scene.lexicon.lex(tokens_of(fold(rest)))
    again = lexed.shape[:2] == "UP" and lexed.values[0] == unit.kind
    place = 1 if again else 0
    follows = lexed.shape[place + 1 : place + 2]
    ends = follows in ("", BREAK)
    if lexed.shape[place : place + 1] != "P" or not (again or helped if ends else follows in _VERBS):
        return rest, True
    places = [province_of(named) for rank in scene.ranks(lexed.values[place], ()) for named in rank]
    if province_of(unit.at) not in places:
        return rest, ends
    return (" " + rest[token_spans(fold(rest))[lexed.tokens[place + 1]][0] :], True) if follows else ("", True)


def _no_such_number(power: str, kind: str, number: str, scene: Scene) -> Problem:
    board = scene.board
    name = board.kinds[kind].name.lower()
    own = [unit for unit in scene.ground.position.of(power) if unit.kind == kind]
    have = listed(f"{unit.mark(NUMBER)} ({unit_text(unit, board)})" for unit in own) if own else tell("none")
    whose = tell("You have") if power == scene.power else tell("{powers} has", powers=board.powers[power].told)
    return Problem(
        "no-such-number",
        tell(
            "{whose} no {name} {number}; the numbers of its kind are {have}.",
            whose=whose,
            name=name,
            number=number,
            have=have,
        ),
        (),
        "Numbers",
    )


def _disagrees(unit: Unit, number: str, scene: Scene) -> Problem:
    board = scene.board
    name = board.kinds[unit.kind].name
    sentence = tell(
        "{name} {number} is {unit}; this line names another place for it.",
        name=name,
        number=number,
        unit=unit_text(unit, board),
    )
    return Problem("number-and-place", sentence, (), "Numbers")
