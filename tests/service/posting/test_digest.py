"""Digests: written once for each point of the week, whatever dies in between, and ended by one mail."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from judge.config import ConfigError, load_config
from judge.game.clock.holds import HoldGame
from judge.game.core.commands import GM_SEAT, Actor, Context, Decision, Process, Question, Role
from judge.game.decide import decide
from judge.service.core.keeper import GameChange
from judge.service.posting.digest import LAST, due_this_week, send_week
from judge.service.posting.outgoing import post_letters
from judge.testing.local import LocalJudge
from tests.service.conftest import kind_of

OLGA = "olga@else.test"
SUNDAY = datetime(1901, 3, 3, 18, tzinfo=UTC)


@pytest.fixture
def watched(table: LocalJudge) -> LocalJudge:
    """Olga gets a digest of baltic, and a turn of it has been processed."""
    table.send(OLGA, "observe baltic digest")
    process(table)
    return table


def process(table: LocalJudge) -> None:
    tell(table, Process(str(table.game("baltic").phase)))


def tell(table: LocalJudge, command: Process | HoldGame) -> None:
    """The Gamemaster's word, without the mail that it would come by."""
    judge, game = table.judge, table.game("baltic")
    actor = Actor(Role.GM, GM_SEAT, game.gm)
    decision = decide(game, command, Context(actor, table.now, judge.lot, judge.shelf))
    if isinstance(decision, Question):
        decision = decide(
            game, command, Context(replace(actor, agreed=(decision.about,)), table.now, judge.lot, judge.shelf)
        )
    assert isinstance(decision, Decision)
    with judge.store.write() as unit:
        change = GameChange(game, game)
        judge.keeper.apply(change, decision.events)
        judge.keeper.save(unit, change, table.now, judge.entropy)
        post_letters(judge, unit, change, table.now)
    judge.keeper.settle(change)
    table.settle()


def digests(table: LocalJudge) -> list[str]:
    """The texts of Olga's digests."""
    return [letter.text for letter in table.inbox(OLGA) if kind_of(letter) == "digest"]


def test_no_other_letter_about_the_game_reaches_her(watched: LocalJudge) -> None:
    assert [kind_of(letter) for letter in watched.inbox(OLGA)] == ["receipt"]


def test_a_judge_that_died_before_it_noted_the_point_of_the_week_writes_no_digest_twice(watched: LocalJudge) -> None:
    watched.advance(to=SUNDAY)
    assert len(digests(watched)) == 1
    with watched.judge.store.write() as unit:
        unit.meta.set(LAST, (SUNDAY - timedelta(days=7)).isoformat())
    with watched.judge.store.read() as view:
        due = due_this_week(watched.judge, view, watched.now)
    assert due.digests and send_week(watched.judge, due) == 0
    watched.settle()
    assert len(digests(watched)) == 1


def test_a_week_without_news_brings_no_letter(watched: LocalJudge) -> None:
    watched.advance(to=SUNDAY)
    tell(watched, HoldGame())
    watched.advance(to=SUNDAY + timedelta(days=7))
    watched.advance(to=SUNDAY + timedelta(days=21))
    assert len(digests(watched)) == 2 and "on hold" in digests(watched)[1]


def test_a_mail_to_its_list_address_ends_all_digests(watched: LocalJudge) -> None:
    watched.advance(to=SUNDAY)
    letter = next(letter for letter in watched.inbox(OLGA) if kind_of(letter) == "digest")
    address = letter.header("List-Unsubscribe").removeprefix("<mailto:").partition("?")[0]
    watched.send(OLGA, "", to=address)
    assert "You get no more digests" in watched.inbox(OLGA)[-1].text
    process(watched)
    watched.advance(to=SUNDAY + timedelta(days=7))
    assert len(digests(watched)) == 1


def test_whoever_changes_to_every_report_gets_no_digest_of_that_game(watched: LocalJudge) -> None:
    watched.send(OLGA, "observe baltic")
    watched.advance(to=SUNDAY)
    assert not digests(watched)


def test_the_point_of_the_week_is_the_operators(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("config") / "judge.toml"
    path.write_text('[judge]\ndomain = "judge.test"\n[time]\ndigest = "Wed 7:30, Sunday 18:00"\n')
    assert str(load_config(path).digest) == "Wednesday 07:30, Sunday 18:00"
    path.write_text('[time]\ndigest = "3 days"\n')
    with pytest.raises(ConfigError, match=r"time\.digest"):
        load_config(path)
