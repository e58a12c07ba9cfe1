"""Deadlines in calendars, as a player's calendar keeps them over a game: one entry a turn, always the last word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import icalendar
import pytest

from judge.mail.letters.mime import deadlines_of
from judge.mail.letters.rendering import Printer
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import GM
from tests.support.standing import seated

FRANCE = "france@players.test"
TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
_LINE = re.compile(r"[A-Z-]+(;[A-Z-]+=[^;:]+)*:.*")
_NEEDED = {"UID", "DTSTAMP", "DTSTART", "SEQUENCE", "SUMMARY", "STATUS", "ORGANIZER"}


@dataclass
class Calendar:
    """What a calendar does with the files that it is sent (RFC 5546, 2.1.4): of one UID the higher SEQUENCE counts, and
    among equal ones nothing may differ.
    """

    entries: dict[str, dict[str, str]]
    alarms: dict[str, int]
    read: int = 0

    def take(self, letters: list[ReceivedLetter]) -> None:
        """Files of letters that are new."""
        for letter in letters[self.read :]:
            for part in letter.message.walk():
                if part.get_content_type() == "text/calendar":
                    assert part.get_param("method") == "PUBLISH"
                    data = part.get_payload(decode=True)
                    assert isinstance(data, bytes)
                    self._take(data.decode("utf-8"))
        self.read = len(letters)

    def _take(self, text: str) -> None:
        assert text.endswith("END:VCALENDAR\r\n") and "\n" not in text.replace("\r\n", "")
        assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
        assert len(icalendar.Calendar.from_ical(text).events) == text.count("BEGIN:VEVENT")
        lines = text.replace("\r\n ", "").split("\r\n")[:-1]
        assert all(_LINE.fullmatch(line) for line in lines)
        assert lines[0] == "BEGIN:VCALENDAR" and {"VERSION:2.0", "METHOD:PUBLISH"} <= set(lines)
        for event in "\n".join(lines).split("BEGIN:VEVENT\n")[1:]:
            own, *alarms = event.partition("END:VEVENT")[0].split("BEGIN:VALARM\n")
            facts = dict(line.split(":", 1) for line in own.strip().split("\n"))
            assert facts.keys() >= _NEEDED and all("TRIGGER:-P" in alarm for alarm in alarms)
            self._keep(facts, len(alarms))

    def _keep(self, facts: dict[str, str], alarms: int) -> None:
        old = self.entries.get(facts["UID"])
        said = ("DTSTART", "STATUS", "SUMMARY")
        if old is not None and int(facts["SEQUENCE"]) <= int(old["SEQUENCE"]):
            assert int(facts["SEQUENCE"]) == int(old["SEQUENCE"]), "a letter brings an older word than the one before"
            assert [facts[name] for name in said] == [old[name] for name in said], "a change raises SEQUENCE"
            return
        self.entries[facts["UID"]], self.alarms[facts["UID"]] = facts, alarms

    def shows(self) -> list[tuple[str, str, str, int]]:
        """(turn, when, status, alarms) of each entry, in the order in which they came."""
        return [
            (uid.partition(".")[0].lower(), one["DTSTART"][:11], one["STATUS"], self.alarms[uid])
            for uid, one in self.entries.items()
        ]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[LocalJudge]:
    stage = seated(tmp_path, {"nmr": "hold", "reminders": "none", "moves": "7d"})
    stage.begin()
    yield stage
    stage.close()


def reply(stage: LocalJudge, line: str) -> None:
    """The Gamemaster answers their last letter."""
    letter = stage.inbox(GM)[-1]
    stage.send(GM, line, to=letter.reply_to, subject=f"Re: {letter.subject}")


def test_a_calendar_has_the_last_word_on_every_turn(stage: LocalJudge) -> None:
    calendar = Calendar({}, {})

    def shows() -> list[tuple[str, str, str, int]]:
        calendar.take(stage.inbox(FRANCE))
        return calendar.shows()

    assert shows() == [("s1901m", "19010308T12", "CONFIRMED", 2)]
    reply(stage, "extend 24h")
    assert shows() == [("s1901m", "19010309T12", "CONFIRMED", 2)]
    reply(stage, "hold the Gamemaster is away")
    assert shows() == [("s1901m", "19010309T12", "TENTATIVE", 0)]
    stage.advance(timedelta(days=2))
    reply(stage, "resume")
    assert shows() == [("s1901m", "19010311T12", "CONFIRMED", 2)]
    reply(stage, "process S1901M")
    reply(stage, "confirm")
    first, second = shows()
    assert first == ("s1901m", "19010311T12", "CANCELLED", 0)
    assert second[0] == "f1901m" and second[2:] == ("CONFIRMED", 2)
    reply(stage, "rollback S1901M")
    reply(stage, "confirm")
    assert stage.game("baltic").phase is not None and str(stage.game("baltic").phase) == "S1901M"
    assert shows()[0][2:] == ("TENTATIVE", 0), "nobody orders while the turn is taken back"
    reply(stage, "rollforward")
    reply(stage, "confirm")
    assert [one[2] for one in shows()][:2] == ["CANCELLED", "CONFIRMED"]
    reply(stage, "end game by agreement")
    reply(stage, "confirm")
    assert {one[2] for one in shows()} == {"CANCELLED"}, "nothing of a game that is over rings"


def test_who_leaves_has_nothing_due_and_who_comes_back_has(stage: LocalJudge) -> None:
    """By their own word, and by the Gamemaster's: the entry goes with the letter that tells of it, and the next holder
    of the seat has one of their own.
    """
    calendar, successor = Calendar({}, {}), Calendar({}, {})
    calendar.take(stage.inbox(FRANCE))
    stage.send(FRANCE, "resign baltic")
    stage.send(FRANCE, "confirm", to=stage.inbox(FRANCE)[-1].reply_to)
    calendar.take(stage.inbox(FRANCE))
    assert calendar.shows() == [("s1901m", "19010308T12", "CANCELLED", 0)]
    stage.send(FRANCE, "claim baltic France")
    calendar.take(stage.inbox(FRANCE))
    assert [one[2] for one in calendar.shows()] == ["CANCELLED", "CONFIRMED"], "the seat is theirs again"
    stage.send(GM, "vacate France", to="judge+baltic@judge.test")
    stage.send(GM, "confirm", to=stage.inbox(GM)[-1].reply_to)
    calendar.take(stage.inbox(FRANCE))
    assert {one[2] for one in calendar.shows()} == {"CANCELLED"}
    stage.send("next@players.test", "register name Next")
    stage.send("next@players.test", "confirm", to=stage.inbox("next@players.test")[-1].reply_to)
    stage.send("next@players.test", "claim baltic France")
    successor.take(stage.inbox("next@players.test"))
    assert [one[2] for one in successor.shows()] == ["CONFIRMED"]
    assert not successor.entries.keys() & calendar.entries.keys()


def test_what_a_game_is_called_breaks_no_line() -> None:
    """Names of games are bounded at the door; a calendar file holds whatever it is given all the same."""
    evil = "x\r\nEND:VEVENT\nBEGIN:VALARM;a,b\\c\u2028\x0b\x85" + "é" * 100
    closes = {"turn": "S1901M", "due_at": "1901-03-08T12:00:00+00:00", "version": 1, "seat": "F", "tenure": 1}
    found = deadlines_of(
        "notice", {"frame": {"game": evil, "to": evil, "phase": ""}, "closes": closes},
        uid=lambda turn, seat, tenure: f"{turn}.x@judge.test", organizer="judge@judge.test",
        now=datetime(1901, 3, 1, tzinfo=UTC), press=Printer(TEMPLATES),
    )  # fmt: skip
    assert found is not None
    lines = found.text.split("\r\n")
    assert lines.pop() == "" and all(len(line.encode()) <= 75 and line.isprintable() for line in lines)
    begun = [line for line in lines if line.startswith(("BEGIN:", "END:"))]
    assert begun == ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "END:VEVENT", "END:VCALENDAR"]
