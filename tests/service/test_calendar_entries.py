"""Deadlines in calendars, as a player's calendar keeps them over a game: one entry a turn, always the last word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from judge.mail.letters.calendar import fold
from judge.testing.casting import seat_everybody
from judge.testing.letters import ReceivedLetter
from judge.testing.stage import Playhouse
from judge.testing.theatre import GM

FRANCE = "france@players.test"
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
        lines = text.replace("\r\n ", "").split("\r\n")[:-1]
        assert all(_LINE.fullmatch(line) for line in lines)
        assert lines[0] == "BEGIN:VCALENDAR" and {"VERSION:2.0", "METHOD:PUBLISH"} <= set(lines)
        for event in "\n".join(lines).split("BEGIN:VEVENT\n")[1:]:
            own, *alarms = event.partition("END:VEVENT")[0].split("BEGIN:VALARM\n")
            facts = dict(line.split(":", 1) for line in own.strip().split("\n"))
            assert facts.keys() >= _NEEDED and all("TRIGGER:-PT" in alarm for alarm in alarms)
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
def stage(tmp_path: Path) -> Iterator[Playhouse]:
    stage = Playhouse(tmp_path)
    seat_everybody(stage, "baltic", {"nmr": "hold", "reminders": "none", "moves": "7d"})
    stage.begin()
    yield stage
    stage.close()


def reply(stage: Playhouse, line: str) -> None:
    """The Gamemaster answers their last letter."""
    letter = stage.inbox(GM)[-1]
    stage.send(GM, line, to=letter.reply_to, subject=f"Re: {letter.subject}")


def test_a_calendar_has_the_last_word_on_every_turn(stage: Playhouse) -> None:
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


def test_what_a_game_is_called_breaks_no_line() -> None:
    """Names of games are bounded at the door; a calendar file holds whatever it is given all the same."""
    from judge.mail.letters.calendar import escaped

    evil = "x\r\nEND:VEVENT\nBEGIN:VALARM;a,b\\c\u2028" + "é" * 100
    lines = list(fold(f"SUMMARY:{escaped(evil)}"))
    assert all(len(line.encode()) <= 75 and line.isprintable() for line in lines)
    assert not any(line.startswith(("END", "BEGIN")) for line in lines)
