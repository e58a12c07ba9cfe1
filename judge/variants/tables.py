"""Under which rules, from which year and with which powers in play a phase is judged that comes without a game.

A game has settings for that. A stream of phases has its rules, and each phase may say more under "options":

    {"players": "six", "first_year": 1914, "disorder": ["ITALY"]}

`players` names a game for fewer players than the board has powers, `first_year` moves the year in which the game
began, `disorder` names powers in civil disorder. Powers that are in no player's hand by the rules are so besides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.adjudicate.jsonin import BadPhase, power_named
from judge.board.model import Board
from judge.board.spelling import nearest
from judge.languages import tell
from judge.rules import model
from judge.rules.model import Rules

OPTIONS = ("players", "first_year", "disorder")
_WORDS = {
    "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "three-1": "three", "three-2": "three-otherwise",
}  # fmt: skip


Table = tuple[Board, Rules, frozenset[str]]
"""A board as a game of these rules has it, the rules, and the powers that were said to be in civil disorder."""


class Tables:
    """The tables of one board and one rule system, each made once. `table(options)` raises BadPhase with a sentence.

    `usual`: what holds for a phase that says nothing about it.
    """

    def __init__(self, board: Board, rules: Rules, usual: Mapping[str, Any] | None = None) -> None:
        self._board, self._rules, self._usual = board, rules, usual or {}
        self._made: dict[tuple[str, int], Table] = {}

    def table(self, options: Any) -> Table:
        """The table for what a phase says under "options"; None where it says nothing."""
        if options is not None and not isinstance(options, Mapping):
            raise BadPhase('"options" is not an object such as {"first_year": 1914}')
        said = {**self._usual, **(options or {})}
        for name in said:
            if name not in OPTIONS:
                near = nearest(name, OPTIONS)
                meant = (
                    tell("did you mean {near!r}?", near=near[0])
                    if near
                    else tell("there are {options}", options=", ".join(OPTIONS))
                )
                raise BadPhase(f'"options" name {name!r}; {meant}')
        players = _players(said.get("players"))
        if players == str(sum(not power.minor for power in self._board.powers.values())):
            players = ""  # one for each
        table = self._plain(players, _year(said.get("first_year")))
        disorder = said.get("disorder")
        return table if disorder is None else (*table[:2], _powers(disorder, table[0]))

    def _plain(self, players: str, year: int) -> Table:
        made = self._made.get((players, year))
        if made is None:
            rules = with_players(self._rules, players) if players else self._rules
            board = rules.board(self._board.begun_in(year or _first_year(rules)))
            made = self._made[players, year] = (board, rules, frozenset())
        return made


def with_players(rules: Rules, players: str) -> Rules:
    """These rules for fewer players: "six", "three-otherwise". Raises BadPhase where there is no such game of them.

    A system that has such games of its own registers them as KEY-PLAYERS ("1958-six"); those of 1976 are for every
    edition of these rules, whose choices they keep.
    """
    own = model.RULE_SYSTEMS.get(f"{rules.key}-{players}")
    if own is not None:
        return own.rules.with_choices(rules.choices())
    few = model.RULE_SYSTEMS.get(players)
    if type(rules) is not Rules or few is None or not hasattr(few.rules, "hands"):
        raise BadPhase(f'"players": there is no game of {rules.key} for {players!r} players')
    return few.rules.with_choices(rules.choices())


def _first_year(rules: Rules) -> int:
    """The year in which games of these rules begin, where they have one of their own; else 0."""
    system = model.RULE_SYSTEMS.get(rules.key)
    return int(system.presets.get(rules.key, {}).get("first_year", "0")) if system else 0


def _players(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, (str, int)) or isinstance(value, bool):
        raise BadPhase('"players" is not a word such as "six"')
    word = str(value).strip().lower()
    return _WORDS.get(word, word)


def _year(value: Any) -> int:
    if value is None:
        return 0
    if type(value) is not int or not 1 <= value <= 9999:
        raise BadPhase('"first_year" is not a year such as 1914')
    return value


def read_option(name: str, text: str) -> Any:
    """What a word of a command line says for one of the options: "1914", "six", "ITALY, TURKEY".

    >>> read_option("first_year", "1914"), read_option("disorder", "ITALY, TURKEY")
    (1914, ['ITALY', 'TURKEY'])
    """
    if name == "disorder":
        return [each.strip() for each in text.split(",") if each.strip()]
    return int(text) if name == "first_year" and text.isdecimal() else text


def _powers(value: Any, board: Board) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise BadPhase('"disorder" is not a list of powers')
    return frozenset(power_named(each, board) for each in value)
