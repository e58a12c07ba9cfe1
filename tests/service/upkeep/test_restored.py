"""A backup restored in the middle of a game: nothing goes twice, what is lost is told, what can be fetched is."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.service.intake.door import new_mail
from judge.service.upkeep.backups import (
    Restored,
    awaits_recovery,
    back_up,
    go_on_from,
    recover,
    restore,
    trust_database,
)
from judge.store import advance_marker
from judge.store.errors import BackupUnusable
from judge.store.meta import KEPT_BACK, ROUND, lost_time
from judge.store.rows import DeliveryState
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.transport.maildir import MaildirSource
from judge.transport.ports import Arrival, Knows, SourceUnreachable
from tests.service.conftest import OPERATOR, filed, last_mail

FRANCE, ITALY = player_of("FRANCE"), player_of("ITALY")
HOUR = timedelta(hours=1)

Lose = Callable[[], Restored]


@pytest.fixture
def lose(table: LocalJudge, tmp_path: Path) -> Lose:
    """A backup is taken now; when called, the database is lost and the backup restored."""
    backup = tmp_path / "judge.backup"
    back_up(table.judge.config, backup, table.clock)

    return lambda: put_back(table, backup)


def put_back(stage: LocalJudge, backup: Path, *, moved: bool = False) -> Restored:
    """The database is lost, and the backup restored."""
    stage.stop()
    for path in stage.folder.glob("judge.db*"):
        path.unlink()
    done = restore(stage.judge.config, backup, stage.clock, moved=moved)
    stage.restart()
    return done


class Mailbox:
    """A source that keeps what it handed over."""

    name = "imap:main"
    mailbox = ""

    def __init__(self, stage: LocalJudge, *kept: tuple[datetime, bytes]) -> None:
        self.stage, self.kept, self.reached = stage, kept, True

    def poll_once(self) -> int:
        return 0

    def run(self, stop: threading.Event, /) -> None:
        stop.wait()

    def silent_for(self) -> float | None:
        return 0.0

    def recall(self, since: datetime, knows: Knows, /) -> int:
        if not self.reached:
            raise SourceUnreachable("imap:main: no route to host")
        new = [(at, raw) for at, raw in self.kept if at >= since and not knows(raw)]
        for number, (at, raw) in enumerate(new):
            arrival = Arrival(raw, self.name, f"imap:main:{at}:{number}", "", (self.stage.address,), at, "")
            with self.stage.judge.store.write() as unit:
                unit.inbox.put(new_mail(self.stage.judge, arrival))
        return len(new)


def flat(letter: ReceivedLetter) -> str:
    return " ".join(letter.text.split())


def sent_again(stage: LocalJudge) -> list[ReceivedLetter]:
    recover(stage.judge, [])
    before = len(stage.everything())
    stage.settle()
    return stage.everything()[before:]


def test_what_was_sent_is_not_sent_again(table: LocalJudge, tmp_path: Path) -> None:
    table.send(FRANCE, "press to England\nMeet me in the Channel.", subject="baltic")
    with table.judge.store.write() as unit:  # as if the relay had been away when the backup was taken
        delivery = unit.outbox.list(kind="press", limit=1000)[-1].delivery
        unit.outbox.bounced(delivery.id, table.now)
        unit.outbox.retry(delivery.id, table.now)
    back_up(table.judge.config, tmp_path / "b", table.clock)
    table.settle()
    done = put_back(table, tmp_path / "b")
    assert done.lost is not None and done.lost.kept_back == 1
    told = sent_again(table)
    assert told and all("Channel" not in letter.text for letter in told)
    with table.judge.store.read() as view:
        kept = view.outbox.get(delivery.id)
    assert (kept.state, kept.last_text) == (DeliveryState.HELD, KEPT_BACK)
    with table.judge.store.write() as unit:
        assert unit.outbox.release_all(table.now, but="") == 1
    table.settle()
    assert any("Channel" in letter.text for letter in table.everything()[-2:]), "the operator may send it after all"


def test_a_judge_that_moves_goes_on_where_it_was_stopped(table: LocalJudge, tmp_path: Path) -> None:
    """What waits for the relay goes, and nobody is told that anything is lost."""
    table.send(FRANCE, "press to England\nMeet me in the Channel.", subject="baltic")
    with table.judge.store.write() as unit:
        delivery = unit.outbox.list(kind="press", limit=1000)[-1].delivery
        unit.outbox.bounced(delivery.id, table.now)
        unit.outbox.retry(delivery.id, table.now)
    back_up(table.judge.config, tmp_path / "b", table.clock, stopped=True)
    before = len(table.everything())
    assert put_back(table, tmp_path / "b", moved=True).lost is None
    assert not awaits_recovery(table.judge) and recover(table.judge, [])
    table.settle()
    (letter,) = table.everything()[before:]
    assert "Channel" in letter.text
    table.send(FRANCE, "A Par - Bur", subject="baltic")
    assert filed(table, "FRANCE") != []


def test_a_backup_of_a_judge_that_ran_is_no_move(table: LocalJudge, tmp_path: Path) -> None:
    back_up(table.judge.config, tmp_path / "b", table.clock)
    table.stop()
    for path in table.folder.glob("judge.db*"):
        path.unlink()
    with pytest.raises(BackupUnusable, match="the judge ran while this backup was taken"):
        restore(table.judge.config, tmp_path / "b", table.clock, moved=True)
    restore(table.judge.config, tmp_path / "b", table.clock)
    table.restart()


def test_numbers_and_message_ids_of_the_lost_time_are_not_used_again(table: LocalJudge, lose: Lose) -> None:
    table.send(FRANCE, "A Par - Bur", subject="baltic")
    lost_mail, lost_answer = last_mail(table).id, table.inbox(FRANCE)[-1]
    lose()
    table.send(FRANCE, "A Par - Gas", subject="baltic")
    again = table.inbox(FRANCE)[-1]
    assert "Gas" in again.text
    assert last_mail(table).id > ROUND > lost_mail
    assert again.message_id != lost_answer.message_id, "a mailbox that keeps one of each would drop the second"
    table.send(FRANCE, "status", to=lost_answer.reply_to, vouched=False)
    assert "baltic" in table.inbox(FRANCE)[-1].text, "letters of before are answered as ever"


def test_every_table_hears_what_is_lost_and_gets_its_time_back(table: LocalJudge, lose: Lose) -> None:
    table.send(ITALY, "A Ven - Tyr", subject="baltic")
    due = table.game("baltic").deadline
    assert due is not None
    lost = timedelta(days=6, hours=12)
    table.advance(lost)
    table.send(FRANCE, "A Par - Bur", subject="baltic")
    lose()
    assert filed(table, "FRANCE") == [] == filed(table, "ITALY")
    assert awaits_recovery(table.judge)
    assert recover(table.judge, [])
    table.settle()
    letter = table.inbox(FRANCE)[-1]
    assert "restored from a backup" in flat(letter)
    assert "Nothing is on file for you now" in flat(letter)
    assert "NEW DEADLINE" in letter.text
    moved = table.game("baltic").deadline
    assert moved is not None and moved.at - due.at == lost
    assert (
        "baltic" in flat(table.inbox(OPERATOR)[-1]) and "runs again from a backup" in table.inbox(OPERATOR)[-1].subject
    )
    count = len(table.everything())
    assert recover(table.judge, []) and not awaits_recovery(table.judge)
    table.settle()
    assert len(table.everything()) == count, "told once"


def test_a_death_while_telling_tells_nobody_twice(table: LocalJudge, lose: Lose) -> None:
    table.advance(HOUR)
    lose()
    with table.judge.store.read() as view:
        pending = view.meta.get("restored.pending")
    recover(table.judge, [])
    with table.judge.store.write() as unit:
        unit.meta.set("restored.pending", pending or "")
    recover(table.judge, [])
    table.settle()
    assert sum("restored from a backup" in flat(letter) for letter in table.inbox(FRANCE)) == 1


def test_what_is_on_file_is_shown(table: LocalJudge, tmp_path: Path) -> None:
    table.send(FRANCE, "A Par - Bur\nF Bre - Mid\nA Mar - Spa", subject="baltic")
    back_up(table.judge.config, tmp_path / "b", table.clock)
    put_back(table, tmp_path / "b")
    recover(table.judge, [])
    table.settle()
    assert "A Paris - Burgundy" in table.inbox(FRANCE)[-1].text
    assert sorted(filed(table, "FRANCE")) == ["A MAR - SPA", "A PAR - BUR", "F BRE - MAO"]


def test_mail_of_the_lost_time_is_fetched_once_more(table: LocalJudge, tmp_path: Path) -> None:
    table.send(ITALY, "A Ven - Tyr", subject="baltic")
    back_up(table.judge.config, tmp_path / "b", table.clock)
    table.advance(HOUR)
    table.send(FRANCE, "A Par - Bur", subject="baltic")
    with table.judge.store.read() as view:
        box = Mailbox(table, *((mail.received_at, view.inbox.raw(mail.id) or b"") for mail in view.inbox.list()))
    assert len(box.kept) == 2
    table.advance(HOUR)
    put_back(table, tmp_path / "b")
    box.reached = False
    assert not recover(table.judge, [box]), "as long as it is out of reach nobody is told"
    assert awaits_recovery(table.judge)
    box.reached = True
    assert recover(table.judge, [box])
    table.settle()
    assert filed(table, "FRANCE") == ["A PAR - BUR"]
    assert "imap:main: 1 mail that the backup did not know" in flat(table.inbox(OPERATOR)[-1])
    assert recover(table.judge, [box])


def test_mail_that_is_fetched_once_more_goes_behind_newer_mail_that_came_by_another_way(
    table: LocalJudge, tmp_path: Path
) -> None:
    table.send(FRANCE, "A Mar H", subject="baltic")
    back_up(table.judge.config, tmp_path / "b", table.clock)
    table.advance(HOUR)
    table.send(FRANCE, "A Par - Bur\nF Bre - Mao", subject="baltic")
    with table.judge.store.read() as view:
        box = Mailbox(table, *((mail.received_at, view.inbox.raw(mail.id) or b"") for mail in view.inbox.list()))
    put_back(table, tmp_path / "b")
    box.reached = False
    assert not recover(table.judge, [box])
    table.advance(HOUR)
    table.send(FRANCE, "A Par - Pic", subject="baltic")
    box.reached = True
    assert recover(table.judge, [box])
    table.settle()
    assert sorted(filed(table, "FRANCE")) == ["A MAR H", "A PAR - PIC", "F BRE - MAO"]
    assert any("came too late: a mail" in flat(letter) for letter in table.inbox(FRANCE))


def test_a_maildir_gives_what_it_handed_over(tmp_path: Path) -> None:
    taken: list[Arrival] = []

    class Tray:
        def knows(self, recipient: str, /) -> bool:
            return True

        def answers(self, sender: str, /) -> bool:
            return True

        def take(self, mail: Arrival, /) -> bool:
            taken.append(mail)
            return True

    folder = tmp_path / "in"
    now = datetime(2027, 1, 8, 12, tzinfo=UTC)
    source = MaildirSource(folder, Tray(), now=lambda: now)
    source.poll_once()
    for name, at in (("old", now - 2 * HOUR), ("new", now + HOUR)):
        (folder / "new" / name).write_bytes(f"Subject: {name}\n\nhelp\n".encode())
        os.utime(folder / "new" / name, (at.timestamp(), at.timestamp()))
    assert source.poll_once() == 2
    taken.clear()
    assert source.recall(now, lambda raw: False) == 1
    assert [mail.raw for mail in taken] == [b"Subject: new\n\nhelp\n"] and taken[0].received_at == now + HOUR
    assert source.recall(now, lambda raw: True) == 0


@pytest.fixture
def marker(table: LocalJudge) -> Iterator[Path]:
    path = table.folder / "generation.json"
    advance_marker(table.judge.store, path)
    yield path


def test_a_database_put_back_by_hand_is_treated_with_the_same_care(table: LocalJudge, marker: Path) -> None:
    assert trust_database(table.judge, marker) is None, "its own marker: nothing is lost"
    text = marker.read_text("utf-8").replace('"generation": ', '"generation": 9')
    marker.write_text(text)
    assert trust_database(table.judge, marker) is not None
    assert awaits_recovery(table.judge)
    assert trust_database(table.judge, marker) is None
    table.send(FRANCE, "status", subject="baltic")
    assert last_mail(table).id > ROUND


def test_a_database_without_heartbeat_has_lost_nothing_that_we_know_of(table: LocalJudge) -> None:
    lost = go_on_from(table.judge)
    assert lost.since == lost.until == table.now
    with table.judge.store.read() as view:
        assert lost_time(view.meta) == lost
