"""Lines that are read as other lines: an answer by number as the line that was offered, a player's name as their power.

A line that can be read as it stands is left alone. Where names are secret nobody is resolved, and the answer is the
same whoever is named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from judge.board.model import Board
from judge.game.core.commands import ChangeSettings, EndGame, Leave, Process, Role, Vacate
from judge.game.office.rulings import Disqualify, Reveal
from judge.game.repair.rewriting import Amend, Reopen, RollBack
from judge.game.table.deciding import TakePreset
from judge.game.talk.closing import CarryVote
from judge.languages import tell
from judge.mail.script.phrases import patterns
from judge.mail.vocabulary import Around, Clause, Match, Unclear, find_verb, may_use
from judge.mail.vocabulary.account import DropAddress, ForgetMe
from judge.mail.vocabulary.gm import VacateByAddress
from judge.orders.spelled import listed

_WRITTEN_OUT = (
    ChangeSettings,
    TakePreset,
    EndGame,
    Leave,
    Vacate,
    VacateByAddress,
    Disqualify,
    ForgetMe,
    DropAddress,
    Reveal,
    RollBack,
    Amend,
    Reopen,
    CarryVote,
    Process,
)
"""What an answer by number never does by itself."""


def chosen(choice: int, choices: Sequence[str], aim: Callable[[Match], tuple[str, str, Around]]) -> str | Unclear:
    """The line for which a number stands, from 1; or why there is none, or why it has to be written out.

    `aim`: game, rest and surroundings of a line that begins with a verb.
    """
    if not 1 <= choice <= len(choices):
        return Unclear(
            "no-such-choice",
            tell("There are answers 1 to {choices}, and no {choice}.", choices=len(choices), choice=choice),
        )
    line = choices[choice - 1]
    return line if (match := find_verb(line)) is None else _by_number(line, match, aim) or line


def _by_number(line: str, match: Match, aim: Callable[[Match], tuple[str, str, Around]]) -> Unclear | None:
    """The question to ask if the chosen line would change the rules, end the game or give up a seat; None for other
    lines.
    """
    _, rest, around = aim(match)
    found = match.verb.read(Clause(match.word, rest, around))
    if not isinstance(found, _WRITTEN_OUT) or (isinstance(found, Process) and found.phase):
        return None  # `process S1901M despite 62` is bound to its phase, and asks once more where something is missing
    return Unclear(
        "by-number", tell("That is more than a number should do. To do it, write it out: `{line}`", line=line)
    )


Players = Mapping[str, tuple[str, ...]]
"""A name or an address in small letters -> the powers of whoever is called so."""

_TAKES_A_POWER = re.compile(r"\b(?:POWER|LIST)\b")
_NO_POWER = ("no-such-power", "no-power")


def by_their_powers(
    line: str, match: Match, around: Around, players_of: Callable[[], Players | None]
) -> str | Unclear | None:
    """The line with powers in place of the players that it names, or what to ask about it; None where it names none,
    or is no line of this kind. `players_of`: asked only for a line that cannot be read as it stands; None where that
    is secret, empty where it is nothing to the reader.
    """
    board = around.board
    if board is None or not any(map(_TAKES_A_POWER.search, match.verb.usage)):
        return None
    if around.role is not Role.STRANGER and not may_use(match.verb, around.role):
        return None
    found = match.verb.read(Clause(match.word, match.rest, around, "text"))
    if not isinstance(found, Unclear) or (players := players_of()) == {}:
        return None
    if (named := _resolved(line, match, around, board, players or {})) is not None:
        return named
    name = patterns.A_PLAYER.fullmatch(match.rest.strip())
    if name is None or found.reason not in _NO_POWER or (found.candidates and found.reason == "no-such-power"):
        return None
    if players is None:
        sentence = tell("Who plays what is secret in this game, so name the power and not its player.")
    else:
        sentence = tell(
            'No power and no player in this game is called "{name}"; `status` lists them.', name=name["name"][:60]
        )
    return Unclear("no-such-player", sentence)


def _resolved(line: str, match: Match, around: Around, board: Board, players: Players) -> str | Unclear | None:
    """The line with powers, if it can be read so."""
    known = sorted(players, key=len, reverse=True)
    said = re.compile(rf"(?<![\w@.+-])(?:{'|'.join(map(re.escape, known))})(?![\w@+-])", re.IGNORECASE)
    names = {one.group() for one in said.finditer(match.rest)} if known else set()
    if not names:
        return None
    several = next((name for name in names if len(players[name.lower()]) > 1), None)
    before = line[: len(line) - len(match.rest)] if line.endswith(match.rest) else f"{match.word} "
    if several is not None:
        powers = [board.powers[key] for key in players[several.lower()]]
        lines = tuple(f"{before}{match.rest.replace(several, power.name)}" for power in powers)
        return Unclear(
            "which-power",
            tell(
                "{several} plays {powers}; name the power that you mean.",
                several=several,
                powers=listed(power.told for power in powers),
            ),
            lines,
        )
    rest = said.sub(lambda one: board.powers[players[one.group().lower()][0]].name, match.rest)
    read = match.verb.read(Clause(match.word, rest, around, "text"))
    return None if isinstance(read, Unclear) else before + rest
