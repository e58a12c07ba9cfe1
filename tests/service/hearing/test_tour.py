"""The tour as a newcomer takes it: each line that a letter tells to write is written as it tells, after those before
it, in answer to whatever letter; all are taken but the one that shows how a line is asked back.
"""

from __future__ import annotations

import pytest

from judge.mail.vocabulary.participants import STOPS
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from tests.service.conftest import kind_of

JUDGE = "judge@judge.test"
NORA, FRANCE = "nora@else.test", player_of("FRANCE")
ASKED_BACK = "A Bud - Par"
WITHOUT_PICTURES = "map bw"
"""The judge of these tests sends no maps."""


@pytest.mark.parametrize("where", ["the letter", "the letter before", "the judge"])
@pytest.mark.parametrize("who", [NORA, FRANCE])
def test_what_the_tour_tells_to_write_is_taken(table: LocalJudge, who: str, where: str) -> None:
    for number in range(1, STOPS + 1):
        letter = written(table, who, JUDGE, [f"tour {number}"])[-1]
        assert kind_of(letter) == "tour" and letter.subject.startswith(f"tour {number} of {STOPS}: "), letter.subject
        lines = [line for line in lines_to_try(letter) if line != WITHOUT_PICTURES]
        assert lines
        letters = table.inbox(who)
        to = {
            "the letter": letter.reply_to,
            "the letter before": letters[max(len(letters) - 2, 0)].reply_to,
            "the judge": JUDGE,
        }[where]
        told = written(table, who, to, lines)
        assert told, lines
        for answer in told:
            assert not refused(answer) and "put right" not in answer.subject, (number, lines, answer.text)
        assert (number == 3) is any(ASKED_BACK in answer.text for answer in told)


def written(table: LocalJudge, who: str, to: str, lines: list[str]) -> list[ReceivedLetter]:
    """What somebody gets for a mail."""
    before = len(table.inbox(who))
    table.send(who, "\n".join(lines), to=to)
    return table.inbox(who)[before:]


def lines_to_try(letter: ReceivedLetter) -> list[str]:
    """The lines that are set in, below what is said of them."""
    return [line.strip() for line in letter.text.splitlines() if line.startswith("    ")]


def refused(letter: ReceivedLetter) -> list[str]:
    """The headings of a receipt that has a line which was not taken, but for the one that is asked back."""
    if kind_of(letter) != "receipt":
        return []
    parts = letter.text.replace(f"  2  {ASKED_BACK}", "").split("\n\n")
    asked = [part for part in parts if part.startswith(("TO PUT RIGHT", "NOT TAKEN", "NOT DONE"))]
    wrong = [part for part in asked if "cannot go from Budapest to Paris" not in part or "  1  " in part]
    return wrong + [line for line in letter.text.splitlines() if "ignored - " in line or "NOTHING TO DO" in line]


def test_whoever_has_no_board_yet_is_told_how_to_get_one(table: LocalJudge) -> None:
    letter = written(table, NORA, JUDGE, ["tour 2"])[-1]
    assert 'Send "sandbox standard" first' in letter.text
