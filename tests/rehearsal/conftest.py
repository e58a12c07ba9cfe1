"""A conversation is played, and whatever it shows, its letters keep to what holds for every letter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from judge.mail.vocabulary import VERBS
from judge.testing.casting import scenery_of
from judge.testing.rehearsal import Rehearsal
from judge.testing.transcript import ReceivedLetter, Transcript
from tests.support.standing import set_up

SUBJECT = 78
"""The longest subject. What is longer is cut, so that a list of mails shows it; no usual letter has to be."""


@pytest.fixture
def play(tmp_path: Path) -> Callable[[Transcript], None]:
    """Plays a conversation in this process."""
    return lambda transcript: _play(transcript, tmp_path)


def _play(transcript: Transcript, folder: Path) -> None:
    scenery, steps = scenery_of(transcript)
    stage, standing = set_up(folder, scenery)
    try:
        Rehearsal(transcript, stage).play(standing, steps)
    finally:
        stage.close()
    letters = stage.everything()
    subjects = {letter.subject for letter in letters}
    assert not [subject for subject in subjects if len(subject) > SUBJECT or subject.endswith("...")]
    assert not list(_without_its_game(letters))
    assert not list(_not_understood(letters))


OF_NO_GAME = frozenset({"account", "agenda", "ratings", "tour", "shown", "dossier", "list", "help", "tournament",
                         "zine-page"})  # fmt: skip
"""Kinds that may come from the address of a game, so that an answer is about it, and tell of something else."""


def _without_its_game(letters: Sequence[ReceivedLetter]) -> Iterator[str]:
    """Subjects that do not begin with the game from whose address the letter comes, or do not name its zine."""
    for letter in letters:
        game = _GAME.search(letter.header("From"))
        if game is None or letter.header("X-Judge-Kind") in OF_NO_GAME:
            continue
        _, zine, key = game[1].rpartition("zine-")
        named = key.replace("-", " ") in letter.subject.lower() if zine else letter.subject.startswith(f"[{game[1]}] ")
        if not named:
            yield letter.subject


_GAME = re.compile(r"<judge\+([a-z0-9-]+)@")


def _not_understood(letters: Sequence[ReceivedLetter]) -> Iterator[str]:
    """Lines that a letter tells its reader to send and that begin with no word of command, no answer and no unit."""
    for letter in letters:
        ours = "\n".join(line for line in letter.text.split("\n") if not line.lstrip().startswith(("|", ">")))
        for line in _PROPOSED.findall(ours):
            if not re.match(_BEGINNINGS, line.lower()):
                yield line


_PROPOSED = re.compile(r"(?:[Rr]eply with|or with|begin your reply with the line):\s+\"?(\S.*)")
_ANSWERS = ("accept", "confirm", "no", "never", "yes", "build", "remove", "waive")
_BEGINNINGS = r"[af]\d* [a-z .()]+ - |" + "|".join(
    sorted(
        (rf"{re.escape(word)}\b" for word in (*_ANSWERS, *(word for verb in VERBS for word in verb.words))),
        reverse=True,
    )
)
