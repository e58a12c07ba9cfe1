"""Small talk beside a complete set of orders changes nothing: `small_talk.txt`, above and below the orders.

The receipt is that of the orders alone. Nothing else is asked for, asked back, or held to be a fault.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from judge.game.core.commands import Context, Decision, Role, Status, Submit
from judge.game.decide import decide
from judge.mail.quoting import LineKind, classify_lines
from judge.mail.script import ScriptContext
from judge.resources import folder
from judge.testing.local import LocalJudge
from tests.script.conftest import ReadMail
from tests.support.builders import Table
from tests.support.standing import seated

ORDERS = ("A Paris - Burgundy", "A Marseilles - Spain", "F Brest - Mid-Atlantic Ocean")
_TEXT = Path(__file__).with_name("small_talk.txt").read_text(encoding="utf-8")
PIECES = tuple(piece.strip("\n") for piece in _TEXT.split("\n\n") if piece.strip() and not piece.startswith("#"))


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(folder("maps")).seated().started()


def _came_of(text: str, mail: ReadMail, to: ScriptContext, table: Table) -> list[str]:
    """What a mail brings about besides its three orders."""
    script = mail(text, to=to)
    found = [f"asked back: {one.reason}" for one in script.unread]
    found += [f"asked for: {one.verb}" for one in script.said if not isinstance(one.request, Submit)]
    taken: list[str] = []
    for orders in script.orders:
        done = decide(table.game, orders, Context(table.player("FRANCE"), table.now, systems=table.systems))
        assert isinstance(done, Decision), done
        found += [f"fault: {fault}" for event in done.events for fault in getattr(event, "faults", ())]
        found += [f"refused: {one.text}" for one in done.verdicts if one.status is Status.REFUSED]
        taken += [one.order for one in done.verdicts if one.status is Status.TAKEN]
    if taken != ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"]:
        found.append(f"ordered: {taken}")
    return found


def ends_a_mail(piece: str) -> bool:
    """Whether nobody writes below it: what a program puts under the text."""
    return any(line.kind is not LineKind.OWN for line in classify_lines(f"{piece}\n{piece}".splitlines()))


def test_small_talk_beside_a_complete_set_changes_nothing(mail: ReadMail, player: ScriptContext, table: Table) -> None:
    assert len(set(PIECES)) == len(PIECES) > 400
    to = replace(player, position=table.game.position)
    orders, wrong = "\n".join(ORDERS), list[str]()
    for at, piece in enumerate(PIECES):
        near, far = ("\n", "\n\n") if at % 2 else ("\n\n", "\n")
        texts = [f"{orders}{near}{piece}"]
        if not ends_a_mail(piece):
            texts.append(f"{piece}{far}{orders}")
        for text in texts:
            wrong += [f"{piece!r}: {what}" for what in _came_of(text, mail, to, table)]
    assert not wrong, "\n".join(wrong)


def test_a_gamemaster_commands_nothing_by_it(mail: ReadMail, gm: ScriptContext, table: Table) -> None:
    """A game that is held for "Hold my beer" is the worst of it. A few sayings are asked back."""
    to, asked = replace(gm, position=table.game.position), []
    for piece in PIECES[::2]:
        script = mail(f"extension 24h\n\n{piece}", to=to)
        assert [one.verb for one in script.said] == ["extend"], piece
        asked += [piece] if script.unread else []
    assert len(asked) < len(PIECES) / 100, asked


def test_it_is_passed_over_by_the_whole_judge_too(tmp_path: Path) -> None:
    stage: LocalJudge = seated(tmp_path)
    for at, piece in enumerate(PIECES[::180]):
        text = "\n".join((*ORDERS, "", piece) if at % 2 else (piece, "", *ORDERS))
        stage.send("france@players.test", text, subject="baltic")
        stage.settle()
        (letter,) = stage.inbox("france@players.test")[-1:]
        assert "COMPLETE" in letter.subject, piece
        assert len(stage.game("baltic").sheets["FRANCE"].lines) == len(ORDERS)
        assert not stage.game("baltic").sheets["FRANCE"].faults, piece
    stage.close()


@pytest.mark.parametrize(
    "wish",
    ["frobnicate the game please", "Please recount the centres.", "Could you close the vote?", "clear my ordres",
     "wait until Germany has written", "claim Frnce", "join tanenburg", "I want you to swap the powers"],
)  # fmt: skip
def test_a_wish_is_named(wish: str, mail: ReadMail, player: ScriptContext) -> None:
    assert mail("\n".join((*ORDERS, wish)), to=replace(player, role=Role.PLAYER)).unread
