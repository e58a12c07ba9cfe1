"""Words and facts that letters share: what is on file, powers, lists and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from judge.board.model import Board, province_of
from judge.game.core.model import Game
from judge.game.instructions.kinds import Conditional, Instruction, Ranked
from judge.languages import SPOKEN, Language, spoken, tell, tell_counted
from judge.orders.model import Retreat
from judge.orders.spelled import listed, order_words, place


def instruction_words(instruction: Instruction, board: Board, *, adjusting: bool = False) -> str:
    """What is on file, spelled out with its condition or its list: "if Italy owns Trieste: build F Brest"."""
    if isinstance(instruction, Conditional):
        said = [
            tell(
                "if {condition}: {order}",
                condition=branch.condition.words(board),
                order=instruction_words(branch.order, board, adjusting=adjusting),
            )
            if branch.condition
            else instruction_words(branch.order, board, adjusting=adjusting)
            for branch in instruction.branches
        ]
        return tell("; otherwise ").join(said)
    if isinstance(instruction, Ranked):
        first, *others = instruction.orders
        places = [place(each.to, board) if isinstance(each, Retreat) else tell("or disband") for each in others]
        return ", ".join([order_words(first, board), *places])
    return order_words(instruction, board, adjusting=adjusting)


def order_text(code: str, board: Board, *, adjusting: bool = False) -> str:
    """A line that is offered to be sent, with its places spelled out; words that name no place stay."""
    return _order_text(code, board, adjusting, SPOKEN.get())


@lru_cache(maxsize=1 << 12)
def _order_text(code: str, board: Board, adjusting: bool, _language: Language) -> str:  # noqa: FBT001  a cache tells keywords from places
    words = code.split()
    verb = {"B": "build", "D": "remove" if adjusting else ""}.get(words[-1], "") if len(words) == 3 else ""
    if verb:
        return f"{verb} {words[0]} {place(words[1], board)}"
    return "waive" if code == "WAIVE" else " ".join(_word(word, board) for word in words)


def _word(word: str, board: Board) -> str:
    """A place of a line in its full name, also with the number of one unit of several there ("PAR#2")."""
    where, mark, number = word.partition("#")
    return f"{place(where, board)}{mark}{number}" if _is_place(where, board) else word


def _is_place(word: str, board: Board) -> bool:
    return len(word) > 1 and province_of(word) in board.provinces


def kept(text: str) -> str:
    """Words that belong on one line: their blanks become no-break spaces, which layouts honour and then drop."""
    return text.replace(" ", "\u00a0")


def power_name(power: str, board: Board) -> str:
    """A power as the board prints it: "Austria"; words that are no power ("GM") get their own name."""
    if power in OTHERS:
        return tell(OTHERS[power])
    known = board.powers.get(power)
    return tell(known.name) if known else power.title()


def powers_named(powers: tuple[str, ...], board: Board) -> str:
    """Powers as a sentence lists them: "Austria-Hungary, England and France"; "" for none."""
    return _powers_named(powers, board, spoken())


@lru_cache(maxsize=1 << 10)
def _powers_named(powers: tuple[str, ...], board: Board, language: Language) -> str:
    return listed([power_name(power, board) for power in powers])


OTHERS = {
    "GM": "the Gamemaster", "gm": "the Gamemaster", "OBSERVERS": "the observers", "EDITORS": "the editors",
    "ALL": "everybody",
}  # fmt: skip
"""Readers of press that are not powers."""


def many(number: int, word: str, plural: str = "") -> str:
    """A number and its noun: "1 unit", "2 units"."""
    return f"{number} {tell_counted(number, word, plural or word + 's')}"


_IRREGULAR = {"has": "have", "is": "are", "was": "were"}


def agreed(verb: str, subjects: int) -> str:
    """A verb in the third person, in the plural unless there is one subject.

    >>> agreed("proposes", 1), agreed("proposes", 2), agreed("has", 2)
    ('proposes', 'propose', 'have')
    """
    return tell_counted(subjects, verb, _IRREGULAR.get(verb, verb.removesuffix("s")))


def few(names: Sequence[str], word: str = "power") -> str:
    """Names for a subject line: one name as it is, several as a number. `names` must not be empty.

    >>> few(["England"]), few(["England", "France", "Turkey"])
    ('England', '3 powers')
    """
    return names[0] if len(names) == 1 else many(len(names), word)


@dataclass(frozen=True, slots=True)
class Said:
    """A fact to be put into words: the key of its sentence, and what the sentence tells."""

    key: str
    facts: Mapping[str, Any]


Text = Said | str
"""Something to be read: a fact to be put into words, or words that are somebody's own."""


def say(key: str, /, **facts: Any) -> Said:
    """A fact under its key.

    >>> say("vote-passed", number=3)
    Said(key='vote-passed', facts={'number': 3})
    """
    return Said(key, facts)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment in UTC, the IANA zone of its game, the IANA zone of the reader ("" if not known or not needed), and a
    fact to print beside it.
    """

    at: datetime
    zone: str
    own: str = ""
    note: Text = ""


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody in a game. `what`: "powers" (with their names), "seat" (with its number) before the lot, "gm" (with the
    name of the deputy who acts for them, if one does), "judge",
    "observers", "editors", "everybody"; of one reader without a seat "deputy", "observer", "editor".
    """

    what: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PhaseFact:
    """A phase of a game, with the words of that game's calendar: "F1901R", "December 1901 retreats", "F1901
    Retreats"."""

    code: str
    title: str
    label: str


def phase_fact(game: Game, code: str) -> PhaseFact:
    """A phase of a game, for templates to name."""
    return PhaseFact(code, game.calendar.title(code), game.calendar.label(code))
