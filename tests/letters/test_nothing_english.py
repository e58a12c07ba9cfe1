"""No sentence of ours is left in English in a letter whose reader has chosen another language.

Conversations are played in a language whose translations can be told from everything else by their alphabet
(`tests/support/marked.py`). What then stands in ours must be somebody's own words, a name, an order, or a line to be
sent; two English words of ours beside each other are a sentence that nobody has translated, or that is glued together.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import datetime
from functools import cache
from pathlib import Path

import pytest

from judge import catalogues, resources
from judge.board.load import available_boards, load_board
from judge.board.model import KINDS
from judge.game.settings.table import TABLE
from judge.mail.vocabulary.table import VERBS
from judge.mail.vocabulary.topics import TOPICS
from judge.testing.exhibition import SHOWS, kind_of, play
from judge.testing.local import LocalJudge
from judge.testing.rehearsal import rehearse
from judge.testing.transcript import ReceivedLetter, TranscriptError, read_transcript
from judge.testing.under_test import GM
from judge.variants import RULE_SYSTEMS
from judge.wordbook import folder
from tests.support.marked import CODE, plain, write_catalogues

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
ALWAYS = [SHOWS / f"{name}.mail" for name in ("a-game-begins", "beside-the-game", "the-sample-game")]
ALWAYS += [
    TRANSCRIPTS / f"{name}.mail"
    for name in (
        "pulsipher1914-words", "veterans-masters", "gm-undo", "gm-sets-the-centres-that-win", "why-a-line-was-read-so",
        "zine-numbers", "orders-if-endif",
    )
]  # fmt: skip
OF_THEIR_OWN = re.compile(r"my language|^-> .*njudge", re.MULTILINE)
"""Conversations whose letters choose another language, or another judge's layout."""

RUN = re.compile(r"(?<![\w@.$/=-])[A-Za-z][A-Za-z']+(?: +[A-Za-z][A-Za-z']*)+(?![\w@/=]|\.\w)")
QUOTED = re.compile(r'`[^`]{,200}`|"[^"]{,200}"')
COLUMN = re.compile(r"[\s>-]*(?:\d+\)?\s+)?([\w-]+).*?(?=\s{2}|$)")
"""The first column of a line, which may be a line to be sent, by its first word."""
NOTATION = {"via", "rr", "aboard", "ashore", "capital", "none", "aye", "nay", "from", "then", "else", "diplomacy"}
"""Words of orders, of business and of votes that are to be sent, and what the game is called."""
SCORING = {"calhamer", "hall", "of", "fame", "squares", "diplo"}
NEEDS = {"needs", "or"}
"""Words that templates have where translations cannot be marked, since they stand inside of a tag."""
CHECK_PHRASE = re.compile(r"\b[a-z]+ [a-z]+ \d\d\b")
SENT_BELOW = ("read", "game")
"""What the receipt says of a line that is a heading, behind the line itself."""
BRACKETED = re.compile(r"\[([^\]]*)\]")
"""The name of a game or of a zine, or of a section of a rulebook."""
FOLDED = re.compile(r"(: [a-z]+)\n +(?=[a-z]+ [a-z]+$)", re.MULTILINE)
"""A line to be sent that goes on in the next one: "...: drop", "that line"."""

PUBLISHED = frozenset({"zine-issue"})
"""Letters that are one for all their readers, in a language of their own: an issue is what its editor prints."""


@pytest.fixture(scope="module", autouse=True)
def _marked_language(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    home = tmp_path_factory.mktemp("languages")
    for path in folder().iterdir():
        (home / path.name).symlink_to(path)
    write_catalogues(home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogues, "folder", lambda: home)
        catalogues.language_of.cache_clear()
        yield
    catalogues.language_of.cache_clear()


@cache
def names() -> frozenset[str]:
    """Words that are names: of places and powers on any board, of settings and of what they may be."""
    maps, found = resources.folder("maps"), NOTATION | SCORING | NEEDS | business()
    for key in available_boards(maps):
        board = load_board(maps / key)
        texts = [text for place in board.provinces.values() for text in (place.name, place.code)]
        texts += [text for power in board.powers.values() for text in (power.name, power.adjective)]
        found |= {word for text in texts for word in re.findall(r"[a-z]+", text.lower())}
    return frozenset(found)


@cache
def first_words() -> frozenset[str]:
    """Words with which a line begins that is to be sent."""
    verbs = {word for verb in VERBS for line in (verb.name, *verb.words) for word in [line.lower().split()[0]]}
    return frozenset(verbs | business() | set(TABLE) | {kind.name.lower() for kind in KINDS.values()})


def business() -> set[str]:
    """Words of what rule systems let players do beside their orders: "give"."""
    return {word for one in RULE_SYSTEMS.values() for line in one.rules.business() for word in line.split()}


def written(file: Path) -> str:
    """Whatever stands in the mails of a conversation: who writes, and what."""
    lines = (line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("<-"))
    return " ".join(" ".join(line.removeprefix("->") for line in lines).lower().split())


GAME = re.compile(r"\b(?:game|create|join|observe|claim) ([a-z][\w-]+)")


def called(letters: Collection[ReceivedLetter]) -> frozenset[str]:
    """Names that a conversation gives: of its people, by their addresses, and of its games and zines, by subjects."""
    people = {word for letter in letters for word in re.findall(r"[a-z]+", letter.to.partition("@")[0].lower())}
    titles = " ".join(title for letter in letters for title in BRACKETED.findall(letter.subject))
    return frozenset(people | set(re.findall(r"[\w-]+", titles.lower())))


def left_in_english(text: str, said: str, own_names: Collection[str]) -> Iterator[str]:
    """Words of ours in a letter that are no names, nobody's own words, and no line to be sent."""
    known = names() | set(GAME.findall(said)) | set(own_names)
    for line in FOLDED.sub(r"\1 ", BRACKETED.sub("", QUOTED.sub('"', text))).splitlines():
        if (column := COLUMN.match(line)) and column[1].lower() in first_words():
            line = line[column.end() :]
        for match in RUN.finditer(CHECK_PHRASE.sub("", line)):
            words = match[0].lower().split()
            of_ours = [word for word in words if word not in known and len(word) > 1]
            if not of_ours or words[0] in first_words() or " ".join(words) in said or " ".join(words) in TOPICS:
                continue
            if re.match(r"Player [A-Z]|Gina Master", match[0]) or (len(words) == 2 and words[1] in SENT_BELOW):
                continue
            yield f"{match[0]}: {plain(line.strip())}"


def conversations() -> Iterator[object]:
    for file in dict.fromkeys((*ALWAYS, *sorted(SHOWS.glob("*.mail")), *sorted(TRANSCRIPTS.glob("*.mail")))):
        if not OF_THEIR_OWN.search(file.read_text(encoding="utf-8")):
            yield pytest.param(file, marks=() if file in ALWAYS else pytest.mark.long, id=file.stem)


@pytest.mark.parametrize("file", list(conversations()))
def test_what_we_say_is_said_in_the_language_of_the_letter(file: Path) -> None:
    said, letters = written(file), play(file, pictures=False, language=CODE).letters.values()
    left = {
        words
        for letter in letters
        if kind_of(letter) not in PUBLISHED
        for words in left_in_english(f"{letter.subject}\n{letter.text}", said, called(letters))
    }
    assert not left, "\n".join(sorted(left))


# --- and no sentence in somebody else's language --------------------------------------------------------------------

THEIRS = re.compile("[а-я]{2,}", re.IGNORECASE)
MIXED = ("gm-undo", "gm-private-game-in-three-mails", "takeover-pack", "appeal")
MIXED_TOO = ("calendar-vacancy", "proxy", "a-substitute-plays-while-a-player-is-away")


class _WithItsGamemastersLanguage(LocalJudge):
    """`before`: how many letters had gone out when the Gamemaster had chosen the marked language."""

    before = 0

    def begin(self) -> None:
        super().begin()
        self.send(GM, "my language Esperanto")
        self.before = len(self.everything())


@pytest.mark.parametrize("name", [*MIXED, *(pytest.param(name, marks=pytest.mark.long) for name in MIXED_TOO)])
def test_only_the_gamemaster_reads_what_the_gamemaster_chose(name: str, tmp_path: Path) -> None:
    """Whatever the Gamemaster's mails bring about for others, and others' mails for the Gamemaster."""
    transcript = read_transcript((TRANSCRIPTS / f"{name}.mail").read_text(encoding="utf-8"), name)
    in_english = rehearse(transcript, lambda start: LocalJudge(tmp_path / "english", start=start))
    stages: list[_WithItsGamemastersLanguage] = []

    def opened(start: datetime) -> LocalJudge:
        stages.append(_WithItsGamemastersLanguage(tmp_path / "mixed", start=start))
        return stages[-1]

    with suppress(TranscriptError):  # it goes on whatever letters say, as far as that leads
        rehearse(transcript, opened, as_in=in_english)
    letters = stages[-1].everything()[stages[-1].before :]
    assert any(letter.to == GM for letter in letters)
    wrong = [
        (letter.to, letter.subject)
        for letter in letters
        if bool(THEIRS.search(letter.subject + letter.text)) != (letter.to == GM)
    ]
    assert not wrong
