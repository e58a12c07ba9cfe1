"""What one player keeps is kept: two games that differ in nothing but the secrets of one player are the same to others.

Whatever a reader may ask is asked in both, and each reader's letters are compared, headers, pages, pictures' words and
files included; and no word that the secret player wrote, nor name nor address, stands in any of them.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter

ENGLAND, TURKEY, RUSSIA = player_of("ENGLAND"), player_of("TURKEY"), player_of("RUSSIA")
READERS = {
    "player": ENGLAND, "observer": "olga@watch.test", "former": "felix@former.test", "known": "karl@known.test",
    "unknown": "ulf@unknown.test",
}  # fmt: skip

SECRET = (
    {"who": "zqadam@secret.test", "name": "Zqadam Secretone", "zone": "Europe/Paris", "word": "zqalpha", "vote": "aye",
     "orders": "A Par - Pic\nA Mar - Gas\nF Bre - Eng", "plan": "A Par - Gas", "always": "A Par H",
     "next": "A Pic - Bel"},
    {"who": "zqbert@hidden.test", "name": "Zqbert Hiddentwo", "zone": "Asia/Tokyo", "word": "zqbravo", "vote": "nay",
     "orders": "A Par - Bur\nA Mar - Spa\nF Bre - Mao", "plan": "A Par H", "always": "A Mar H", "next": "A Gas - Spa"},
)  # fmt: skip
"""Of France's player, in the one game and in the other."""
CANARIES = ("zqadam", "zqbert", "secretone", "hiddentwo", "secret.test", "hidden.test", "zqalpha", "zqbravo")

ASKED = (
    "status\nlist\nhistory\nhistory S1901 to F1903\nmap\nmap svg\nmy games\nmy account\nratings\nrules\nsettings\n"
    "rules changed\nplayers\nwho\nresults\nvotes\nhelp France\nchecklist\nlog\nlog all\npreview",
    "export fog json\nexport fog diplomacy\nexport fog datc\narchive fog",
    "search zqalpha\nsearch zqbravo\nsearch Picardy\nmy press\npress with France\nletters\nletters S1901\nresend\n"
    "resend welcome\nresend S1901M\nresend F1901M",
    "orders\nshow my orders\nwhat if A Par - Bur\ndiary\ndiary list\nplan\nuse plan zqplan\nforget plan zqplan\n"
    "same again\nundo\nrecall 1\nrecall 2\norder as France\nproxy France\ndry-run: process",
    "sandbox fog\nsandbox fog S1901M\nclaim fog France\nstandby fog\njoin fog\nobserve fog",
    "appeal F Bre - Mao\naye 1\nmy data\nreport forgery\nwhere is France\nwho is France?",
)
"""Mails in which somebody asks everything there is."""


def game_of(folder: Path, number: int, *, played: bool) -> LocalJudge:
    """A game without names with one or the other secret; `played`: its first orders are no secret any more."""
    stage, secret = LocalJudge(folder), SECRET[number]
    france = secret["who"]
    settings = {"anonymous": "yes", "press": "white, grey, black", "proxy": "yes"}
    seat_everybody(stage, "fog", settings, who=lambda power: france if power == "FRANCE" else player_of(power))
    stage.begin()

    def say(who: str, text: str) -> None:
        stage.send(who, text, to="judge+fog@judge.test")

    for address in ("olga@watch.test", "karl@known.test", "felix@former.test"):
        stage.send(address, "register")
    say("olga@watch.test", "observe fog")
    say(player_of("ITALY"), "leave for good")
    say("felix@former.test", "claim fog Italy\nleave for good")
    say(ENGLAND, "propose draw")
    say(france, f"my name {secret['name']}\nmy zone {secret['zone']}")
    say(france, SECRET[0]["orders"] if played else secret["orders"])
    say(france, f"plan zqplan: {secret['plan']}\nalways {secret['always']}\n{secret['vote']} 1")
    say(france, f"for F1901:\n{secret['next']}")
    say(france, f"diary: {secret['word']}")
    say(france, f"statement: {secret['word']}")
    say(france, f"press to Russia: {secret['word']}")
    say(france, f"press grey to Russia: {secret['word']}")
    one, other = (france, TURKEY) if number == 0 else (TURKEY, france)
    say(one, "press black as Vienna to England: I am here.")
    say(other, "press black as Vienna to Austria: I am there.")
    say(one, "press grey to all: Hello to all of you.")
    stage.advance(timedelta(minutes=40))
    if played:
        stage.advance(timedelta(days=9.5))
    return stage


def read_by(stage: LocalJudge, reader: str) -> list[ReceivedLetter]:
    """All letters to a reader, after everything was asked."""
    for mail in ASKED:
        stage.send(reader, mail, to="judge+fog@judge.test")
    stage.advance(timedelta(days=3))
    return [letter for letter in stage.post.letters if letter.to == reader]


def parts(letter: ReceivedLetter) -> Iterator[str]:
    """A letter with all its parts and files, line by line."""
    yield from (f"{name}: {value}" for name, value in letter.message.items())
    for part in letter.message.walk():
        if part.is_multipart():
            continue
        payload = part.get_payload(decode=True)
        assert isinstance(payload, bytes)
        if payload.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(payload)) as files:
                payload = b"".join(name.encode() + b"\n" + files.read(name) for name in files.namelist())
        yield f"{part.get_content_type()} {part.get('Content-Disposition', '')}"
        yield from payload.decode("utf-8", "replace").splitlines()


_CHANCE = re.compile(r"=_[0-9a-f]+|[0-9a-f]{32}@|judge\+[a-z2-7]+@|UID:.*|=-=-.*")
"""What differs from any letter to any other, as letters are counted: Message-IDs, tokens and boundaries."""


def plain(letter: ReceivedLetter) -> list[str]:
    return [_CHANCE.sub("#", line) for line in parts(letter)]


def leaks(tmp_path: Path, reader: str, *, played: bool) -> list[str]:
    """What somebody learns of another player's secrets."""
    read = []
    for number in (0, 1):
        stage = game_of(tmp_path / str(number), number, played=played)
        read.append(read_by(stage, READERS[reader]))
        stage.close()
    found = [] if len(read[0]) == len(read[1]) else [f"{len(read[0])} letters, not {len(read[1])}"]
    for one, other in zip(*read, strict=False):
        lines, others = plain(one), plain(other)
        found += [f"{one.subject}: {line} / {twin}" for line, twin in zip(lines, others, strict=False) if line != twin]
    asked = " ".join(ASKED)
    for letter in (*read[0], *read[1]):
        whole = "\n".join(parts(letter)).lower() + letter.raw.decode("utf-8", "replace").lower()
        found += [f"{letter.subject}: {word}" for word in CANARIES if word in whole and word not in asked]
    return found


@pytest.mark.parametrize("reader", ["player"])
def test_another_player_learns_nothing_of_what_is_kept(tmp_path: Path, reader: str) -> None:
    assert leaks(tmp_path, reader, played=True) == []


@pytest.mark.long
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("played", [False, True])
def test_nobody_learns_anything_of_what_is_kept(tmp_path: Path, reader: str, *, played: bool) -> None:
    assert leaks(tmp_path, reader, played=played) == []
