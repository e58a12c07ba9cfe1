"""Every phrasing of "the rest" is either kept or held: what is on file for the others stays, or they hold.

"Stays", "stands", "remains", "same", "unchanged", "as it is" and "as before" keep; "hold" and "stand still" hold.
"""

from __future__ import annotations

import pytest

from judge.board.position import Position, start_position
from judge.orders.reader import looks_like_order, read_orders
from judge.orders.reading import KEPT
from tests.support.archipelago import board_named

KEEP = """The rest stays as it is.|the rest stays|The rest stays the same|The rest remains|The rest remains the same
The rest remains as is|The rest is unchanged|Rest unchanged|rest: unchanged|Rest as before|Rest as is|rest same
The rest stands|All other orders stand|All other orders remain|All my other orders stay the same|Others unchanged
The other orders are unchanged|Everything else stays|Everything else stays as it is|Everything else remains as it was
everything else unchanged|Everything else the same|Everything else as before|everything else is as before
All others stay|All others stay as they are|All others remain unchanged|all others as before|All else as before
All else stays the same|Otherwise no change|Otherwise unchanged|Otherwise no changes|Otherwise as before
No other changes|No further changes|no changes to the rest|No change to the others|Nothing else changes
Don't change anything else|Do not change the others|Keep the rest|Keep the rest as it is|Keep everything else
Keep my other orders|Keep all other orders as they are|Leave the rest as it is|Leave everything else unchanged
Leave the other orders alone|Please leave the others as they are|Same for the rest|The others stay the same
My other orders are still valid|My other orders still stand|The remaining orders stand|Remaining orders unchanged
The remaining units keep their orders|All other units as before|The other units stay as ordered|rest ditto
The rest is fine as it is|Everything as before|All as before|All orders unchanged|No changes|Rest like before
Der Rest bleibt|Rest wie gehabt|Alles andere bleibt wie es ist|Le reste inchangé|De rest blijft
Everything else as ordered|The rest as per my last mail|Rest wie vorher|Die anderen Befehle bleiben bestehen
Le reste sans changement|El resto igual|Others keep the orders that they have|All else stays in force""".replace(
    "\n", "|"
)

HOLD = """The rest holds|The rest hold.|Rest hold|rest: hold|Rest H|All others hold|all others H|Others hold
Other units hold|All other units hold|Everything else holds|Everyone else holds|everybody else hold|Hold the rest
Hold all others
All others are to hold|The rest stand still|All others stand still|The others stand still|all remaining units hold
The remaining units hold|All hold|all units hold|everything holds|Everyone hold|every other unit holds|Hold everything
The others stay put|All others stay where they are|All other units hold position|everything else stays in place
The rest does nothing|All others do not move|All other armies and fleets hold|Hold all
Rest halten|The others just sit tight""".replace("\n", "|")

NEITHER = """Everything is fine|All the best|The rest is history|Same to you|Change everything|Leave me alone
I will send the rest later|No other news|The rest is up to you|Otherwise I would resign|Nothing new here
Everything changes when Italy moves|All in all a good year|The others are late again|Keep the change
Same procedure as last year|No, everything is wrong|Change the rest|The rest will follow
As per my last mail I am away|All my orders were in my last letter, I hope|The rest of my letter is lost""".replace(
    "\n", "|"
)


def _of_others(text: str, start: Position) -> set[bool] | None:
    """Whether the readings for the other units keep what is on file; None where none of them got one."""
    readings = read_orders(text, start, "RUSSIA")
    assert all(one.understood or not one.order_like for one in readings), text
    others = [one for one in readings if one.unit is not None and one.unit.at != "SEV"]
    return {KEPT in one.notes for one in others} if len(others) == 3 else None


def _beside(sentence: str) -> list[str]:
    """The ways in which people put the sentence beside an order."""
    forms = (
        "F Sev - Rum\n{}",
        "{}\nF Sev - Rum",
        "F Sev - Rum, {}",
        "F Sev - Rum. {}.",
        "F Sev - Rum; {}!",
        "{}. F Sev - Rum",
    )
    return [form.format(sentence.rstrip(".")) for form in forms]


@pytest.mark.parametrize("phrases", [KEEP, HOLD], ids=["kept", "held"])
def test_each_phrasing_is_one_or_the_other(start: Position, phrases: str) -> None:
    wrong = []
    for sentence in phrases.split("|"):
        assert looks_like_order(sentence, start.board), sentence
        wrong += [
            f"{text!r}: {found}"
            for text in _beside(sentence)
            if (found := _of_others(text, start)) != {phrases is KEEP}
        ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("key", ["european", "global2"])
@pytest.mark.parametrize("phrases", [KEEP, HOLD], ids=["kept", "held"])
def test_names_of_other_boards_are_no_words_of_these_sentences(key: str, phrases: str) -> None:
    start, wrong = start_position(board_named(key)), []
    power = max(start.board.powers, key=lambda one: len(start.of(one)))
    first, *others = start.of(power)
    for sentence in phrases.split("|"):
        readings = read_orders(f"{first} H\n{sentence}", start, power)
        found = {one.unit: KEPT in one.notes for one in readings if one.unit and one.unit != first}
        if found != dict.fromkeys(others, phrases is KEEP):
            wrong.append(f"{sentence!r}: {[(one.text, one.problem) for one in readings]}")
    assert not wrong, "\n".join(wrong)


def test_small_talk_keeps_and_holds_nothing(start: Position) -> None:
    taken = [text for text in NEITHER.split("|") if any(one.order for one in read_orders(text, start, "RUSSIA"))]
    assert not taken


@pytest.mark.parametrize(
    "line", ["A Mos stays as it is", "A Mos: unchanged", "A Mos as before", "Army Moscow - no change"]
)
def test_one_unit_may_stay_as_it_is_too(start: Position, line: str) -> None:
    [reading] = read_orders(line, start, "RUSSIA")
    assert (str(reading.order), KEPT in reading.notes) == ("A MOS H", True)


@pytest.mark.parametrize("line", ["A Mos stays", "A Mos stands", "A Mos stays put", "A Mos stays in Moscow"])
def test_one_unit_that_stays_holds(start: Position, line: str) -> None:
    [reading] = read_orders(line, start, "RUSSIA")
    assert (str(reading.order), KEPT in reading.notes) == ("A MOS H", False)
