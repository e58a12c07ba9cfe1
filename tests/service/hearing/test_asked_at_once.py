"""What a mail asks below what it does is answered as the next mail would be: the answer knows what the mail has done.

After each deed all the questions of the vocabulary are asked twice: by the same mail, and by a mail of their own.
"""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from judge.game.core.commands import Role
from judge.mail.queries import Query
from judge.mail.quoting import classify_lines
from judge.mail.script import ScriptContext, read_script
from judge.mail.vocabulary import VERBS
from judge.mail.vocabulary.model import GMS
from tests.support.tables import ADDRESSES, Hall, Table

DEEDS = {
    "gm": ("set grace 3d", "extend 48h", "note: The server moves on Sunday.", "hold: A pause.", "correct Bel ITALY"),
    "player": (
        "A Par - Bur", "press to England\nWill you leave me Belgium?\nendpress", "propose draw", "extend 24h",
        "diary: Trust nobody.", "prefer Italy", "absence 5 March 2027 to 9 March 2027", "F1901M: A Par - Bur",
        "default A Par H", "observe",
    ),
}  # fmt: skip
"""Writer -> what they do, a line or a letter each."""
NOT_ASKED = {"letters"}
"""Its answer counts the receipts."""
AFTER = ("my press", "press with England")
"""Questions that are refused where there is nothing to tell."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    return Hall(tmp_path_factory.mktemp("asked"))


def _answer(table: Table, writer: str) -> str:
    """The letter that answers the last mail."""
    return next((one.text for one in reversed(table.written) if one.to == ADDRESSES[writer]), "")


def _questions(table: Table, writer: str) -> list[str]:
    """The examples that ask for something, of whoever writes."""
    game = table.stage.game(table.key)
    assert game.position is not None
    role = Role.GM if writer == "gm" else Role.PLAYER
    scene = ScriptContext(now=table.stage.now, zone=ZoneInfo("UTC"), role=role, game=table.key, board=game.board,
                          position=game.position, powers=("FRANCE",), games={table.key: game.board})  # fmt: skip
    examples = [verb.example for verb in VERBS if verb.name not in NOT_ASKED and (verb.roles != GMS or writer == "gm")]
    read = {example: read_script(classify_lines([example]), subject="", context=scene) for example in examples}
    return [example for example, script in read.items() if any(isinstance(one.request, Query) for one in script.said)]


def _parts(letter: str) -> list[str]:
    """What a letter says between its rules: the answers to the questions that it answers, among others."""
    return [part.strip() for part in letter.partition("Proof:")[0].split("-" * 78 + "\n")]


@pytest.mark.parametrize("writer", DEEDS)
def test_a_question_is_answered_as_of_the_end_of_what_was_done(hall: Hall, writer: str) -> None:
    with hall.at("ordered") as table:
        questions = _questions(table, writer)
        asked = "\n".join((*questions, *AFTER))
        assert len(questions) > 12, questions
        for deed in DEEDS[writer]:
            table.say(writer, f"{deed}\n{asked}")
            at_once = _parts(_answer(table, writer))
            table.reset()
            table.say(writer, deed)
            table.say(writer, asked)
            later = _parts(_answer(table, writer))[1:]
            table.reset()
            assert len(later) > 12 and [part for part in later if part not in at_once] == [], deed
