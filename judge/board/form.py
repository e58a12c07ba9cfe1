"""The form of a board once it is read: set-up that can stand, names that mean one place."""

from __future__ import annotations

from judge.board.model import Board
from judge.board.sheet import TomlTable
from judge.board.spelling import words_of


def check_names(board: Board, aliases: TomlTable) -> None:
    """Every code, name and alias means one place, unless it is declared ambiguous."""
    meaning: dict[str, str] = {}
    declared = {"".join(words_of(short)) for short in board.ambiguous}
    for code, province in board.provinces.items():
        for text in (code, province.name):
            other = meaning.setdefault("".join(words_of(text)), code)
            if other != code:
                aliases.wrong(f'"{text}" names {other} and {code}', "give one of them another name")
    for code, province in board.provinces.items():
        for alias in province.aliases:
            key = "".join(words_of(alias))
            other = meaning.setdefault(key, code)
            if other != code:
                mend = f'delete it, or write {key} = ["{other}", "{code}"] under [ambiguous]'
                aliases.wrong(f'the alias "{alias}" of {code} also means {other}', mend, code, alias)
            elif key in declared:
                aliases.wrong(f'the alias "{alias}" of {code} is declared ambiguous too', "delete one", code, alias)


def check_set_up(board: Board, powers: TomlTable) -> None:
    """Homes are centres and have one owner, start units can stand where they start."""
    homes: dict[str, str] = {}
    for power in board.powers.values():
        entry = powers.sheet(power.key)
        for home in power.homes:
            if not board.provinces[home].centre:
                entry.wrong(f"{home} is a home of {power.name} but no centre", "add it to centres", "homes", home)
            if home in homes:
                entry.wrong(f"{home} is a home of {homes[home]} and of {power.key}", "keep one", "homes", home)
            homes[home] = power.key
        for unit in power.start:
            kind, _, place = unit.partition(" ")
            if kind not in board.kinds or not board.can_stand(kind, place):
                mend = 'write it like "A PAR" or "F STP/SC", on land for armies, with the coast where there are two'
                entry.wrong(f'"{unit}" cannot stand where it starts', mend, "start", unit)
