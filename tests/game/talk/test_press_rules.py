"""Press: what a game does without is switched off by kind; what has not left can be recalled; nobody is the judge."""

from datetime import timedelta

import pytest

from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Refusal
from judge.game.core.events import PressSent
from judge.game.talk.epilogue import Diary, Statement
from judge.game.talk.press import RecallPress
from tests.support.builders import Table

TO_ENGLAND = cmd.SendPress("Psst.", ("ENGLAND",))
TO_ALL = cmd.SendPress("Peace!", everyone=True)
POSTAL = cmd.SendPress("Peace, in time.", everyone=True, postal=True)


@pytest.mark.parametrize(
    ("setting", "value", "press", "slug"),
    [
        ("press", "black", TO_ENGLAND, "colour-off"),
        ("partial_press", "no", TO_ENGLAND, "partial-off"),
        ("broadcast_press", "no", TO_ALL, "broadcast-off"),
        ("postal_press", "no", POSTAL, "postal-off"),
        ("observer_press", "no", cmd.SendPress("Hear!", ("OBSERVERS",)), "observers-off"),
    ],
)
def test_each_kind_has_its_switch(table: Table, setting: str, value: str, press: cmd.SendPress, slug: str) -> None:
    france = table.player("FRANCE")
    assert isinstance(table.tell(press, france), Decision)
    table.tell(cmd.ChangeSettings(setting, value), table.gm)
    answer = table.tell(press, france)
    assert isinstance(answer, Refusal) and answer.slug == slug
    assert isinstance(table.tell(cmd.SendPress("May I?", ("GM",)), france), Decision)


@pytest.mark.parametrize("name", ["GM", "the Gamemaster", '"Judge"', "moderator"])
def test_no_press_claims_to_be_the_judge(table: Table, name: str) -> None:
    press = cmd.SendPress("Deadline extended!", ("ENGLAND",), colour=cmd.Colour.BLACK, dateline=name)
    answer = table.tell(press, table.player("FRANCE"))
    assert isinstance(answer, Refusal) and answer.slug == "as-gm"


def test_press_is_recalled_by_its_author_within_the_time(table: Table) -> None:
    table.tell(cmd.ChangeSettings("recall", "10m"), table.gm)
    table.tell(TO_ENGLAND, table.player("FRANCE"))
    assert isinstance(table.tell(RecallPress(1), table.player("GERMANY")), Refusal)
    assert isinstance(table.tell(RecallPress(), table.player("FRANCE")), Decision)
    assert isinstance(table.tell(RecallPress(1), table.player("FRANCE")), Refusal)


def test_later_it_has_left(table: Table) -> None:
    table.tell(cmd.ChangeSettings("recall", "10m"), table.gm)
    table.tell(TO_ENGLAND, table.player("FRANCE"))
    table.now += timedelta(minutes=10)
    answer = table.tell(RecallPress(1), table.player("FRANCE"))
    assert isinstance(answer, Refusal) and answer.slug == "too-late"


def test_press_for_the_report_can_be_recalled_until_the_report(table: Table) -> None:
    table.tell(POSTAL, table.player("FRANCE"))
    table.now += timedelta(days=3)
    assert isinstance(table.tell(RecallPress(1), table.player("FRANCE")), Decision)
    table.tell(POSTAL, table.player("FRANCE"))
    table.process()
    assert isinstance(table.tell(RecallPress(2), table.player("FRANCE")), Refusal)


def test_diaries_and_statements_stay_with_the_game(table: Table) -> None:
    table.tell(Diary("They lie."), table.player("FRANCE"))
    table.tell(Statement("Draft."), table.player("FRANCE"))
    table.tell(Statement("Well played."), table.player("FRANCE"))
    assert [page.text for page in table.game.diaries] == ["They lie."]
    assert [page.text for page in table.game.statements.values()] == ["Well played."]
    assert not any(isinstance(event, PressSent) for event in table.events)
    assert isinstance(table.tell(Diary("I see all."), table.gm), Refusal)
