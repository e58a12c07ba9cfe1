"""Answers by number: a letter of ours offers lines, and a mail names one by its number."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from judge.game.core.commands import ChangeSettings, EndGame, Leave, Process, Vacate
from judge.game.office.rulings import Disqualify, Reveal
from judge.game.repair.reopening import Reopen
from judge.game.repair.rewriting import Amend, RollBack
from judge.game.table.deciding import TakePreset
from judge.game.talk.closing import CarryVote
from judge.mail.vocabulary import Around, Clause, Match, Unclear, find_verb
from judge.mail.vocabulary.account import DropAddress, ForgetMe
from judge.mail.vocabulary.gm import VacateByAddress

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
        return Unclear("no-such-choice", f"There are answers 1 to {len(choices)}, and no {choice}.")
    line = choices[choice - 1]
    return line if (match := find_verb(line)) is None else _by_number(line, match, aim) or line


def _by_number(line: str, match: Match, aim: Callable[[Match], tuple[str, str, Around]]) -> Unclear | None:
    """The question to ask if the chosen line would change the rules, end the game or give up a seat; None for other
    lines.
    """
    _, rest, around = aim(match)
    if not isinstance(match.verb.read(Clause(match.word, rest, around)), _WRITTEN_OUT):
        return None
    return Unclear("by-number", f"That is more than a number should do. To do it, write it out: `{line}`")
