"""Text of people's own in a command: however long, in whatever letters, it is taken or answered, never passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from judge.game.core.commands import Role
from judge.mail.script import Script, ScriptContext
from judge.mail.script.command_readers import LONGEST_COMMAND
from judge.mail.vocabulary import VERBS, Verb
from tests.script.conftest import ReadMail

PLAIN = "they were away since Sunday"
FULL = f"{PLAIN}; " * (LONGEST_COMMAND // 40)
LONG = f"{PLAIN}; " * (LONGEST_COMMAND // 12)
"""Such as a line may have, and more than that."""


class Reader:
    """Reads a line as a mail of somebody who may write it."""

    def __init__(self, mail: ReadMail, player: ScriptContext, gm: ScriptContext) -> None:
        self._mail, self._player, self._gm = mail, player, gm

    def __call__(self, verb: Verb, line: str) -> Script:
        return self._mail(line, to=self._gm if Role.GM in verb.roles else self._player)

    def beginnings(self, verb: Verb) -> Iterator[str]:
        """Lines of a verb behind which stand words of people's own, as many as they like."""
        for line in (verb.example, verb.words[0]):
            said = self(verb, f"{line} {FULL}").said
            if len(said) == 1 and said[0].verb == verb.name and repr(said[0].request).count(PLAIN) > 1:
                yield line


@pytest.fixture
def read(mail: ReadMail, player: ScriptContext, gm: ScriptContext) -> Reader:
    return Reader(mail, player, gm)


def test_many_commands_take_words(read: Reader) -> None:
    assert sum(1 for verb in VERBS if list(read.beginnings(verb))) > 15


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_a_command_that_takes_words_takes_many_or_says_how_many_are_too_many(verb: Verb, read: Reader) -> None:
    for line in read.beginnings(verb):
        script = read(verb, f"{line} {LONG}")
        assert len(script.said) + len(script.unread) == 1, script.ignored
        assert all(len(re.findall(r"\d{3,}", unread.sentence)) == 2 for unread in script.unread), script.unread


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_a_command_that_takes_words_takes_those_of_any_language(verb: Verb, read: Reader) -> None:
    for line in read.beginnings(verb):
        for words in ("Grüße aus Åbo", "“schön” — they said", 'said "no" twice', "пора домой"):
            said = read(verb, f"{line} {PLAIN} {words}").said
            assert len(said) == 1 and words in repr(said[0].request), said


def test_a_text_about_the_game_is_told_by_its_setting_how_long_it_may_be(mail: ReadMail, gm: ScriptContext) -> None:
    for line in ("set about", "set about =", "about =", 'set about "Winter game."'):
        assert [type(one.request).__name__ for one in mail(f"{line} {LONG}", to=gm).said] == ["ChangeSettings"]


def test_a_paragraph_that_begins_with_the_word_of_a_command_is_none(mail: ReadMail, gm: ScriptContext) -> None:
    """As mail programs send that do not wrap."""
    for line in (
        "Status of my life:",
        "Help me understand, please.",
        "Orders from my wife.",
        "Deadline is a hard word.",
    ):
        assert mail(f"{line} {LONG}", to=gm).empty, line
