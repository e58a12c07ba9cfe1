"""Letters in another language: the catalogues that come with the judge are whole and true to the English, and what is
really played in such a language is readable.

The names in a template and the facts of a message are what may go wrong without anybody seeing it: a translator who
loses `{game}` makes a sentence that says nothing, one who writes `view.gm` for `view.game` a letter that never leaves.
"""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from jinja2 import Environment

from judge.catalogues import language_of, named, shipped
from judge.languages import ENGLISH, Message, speak, tell, tell_counted
from judge.mail.letters.layout import WIDTH, columns
from judge.mail.letters.translating import pieces, translated
from judge.testing.exhibition import SHOWS, Exhibits, kind_of, play
from judge.wordbook import folder

WHOLE = ("de",)
"""Languages in which nothing may be missing; the others may be on their way."""
ABROAD = [code for code in shipped() if code != ENGLISH.code]
JINJA = ("letters", "words", "help")
"""Catalogues whose messages are templates; those of the others have facts in braces."""


COLLECT = """
import pickle, sys
from judge.cli.translate import all_messages
pickle.dump(all_messages(), sys.stdout.buffer)
"""


@cache
def messages() -> dict[str, set[Message]]:
    """File of a catalogue -> its messages, in a process of its own: other tests make rule systems that do not ship."""
    done = subprocess.run([sys.executable, "-c", COLLECT], capture_output=True, check=True)
    return {name: set(found) for name, found in pickle.loads(done.stdout).items()}


@cache
def catalogue(code: str, name: str) -> Catalog:
    with (folder() / code / f"{name}.po").open("rb") as file:
        return read_po(file, locale=code)


def translations(code: str, *names: str) -> Iterator[tuple[object, object]]:
    """Each message that is translated, and how."""
    for name in names or tuple(messages()):
        for one in catalogue(code, name):
            if one.id and one.string and all(one.string):
                yield one.id, one.string


@pytest.mark.parametrize("code", ABROAD)
def test_the_catalogues_hold_the_messages_of_today(code: str) -> None:
    for name, found in messages().items():
        kept = {one.id for one in catalogue(code, name) if one.id}
        assert kept == found, f"judge translate {code} brings {name}.po up to date"


@pytest.mark.parametrize("code", WHOLE)
def test_nothing_is_missing(code: str) -> None:
    missing = [
        one.id
        for name in messages()
        for one in catalogue(code, name)
        if one.id and not (one.string and all(one.string))
    ]
    assert not missing


@pytest.mark.parametrize("code", ABROAD)
def test_a_translation_has_the_facts_of_its_message(code: str) -> None:
    for message, said in translations(code, "grammar", "tables", "answers"):
        if isinstance(message, str) and isinstance(said, str):
            assert facts(said) == facts(message), (message, said)
            assert said[:1].isspace() == message[:1].isspace(), (message, said)
            assert said[-1:].isspace() == message[-1:].isspace(), (message, said)


def facts(message: str) -> set[str]:
    try:
        return {name for _, name, _, _ in Formatter().parse(message) if name}
    except ValueError:  # a brace that is none of a fact's: such a message has no facts
        return set()


@pytest.mark.parametrize("code", ABROAD)
def test_a_translated_line_asks_its_view_for_the_same(code: str) -> None:
    environment = Environment()
    for message, said in translations(code, *JINJA):
        assert isinstance(message, str)
        assert isinstance(said, str)
        assert names(environment, said) - {"told"} == names(environment, message) - {"told"}, (message, said)
        assert "\n" not in said


def names(environment: Environment, source: str) -> set[str]:
    return {value for _, kind, value in environment.lex(source) if kind == "name"}


@pytest.mark.parametrize("code", ABROAD)
def test_every_template_is_still_one(code: str) -> None:
    home, language, environment = folder().parent, language_of(code), Environment(trim_blocks=True, lstrip_blocks=True)
    for path in sorted(home.rglob("*")):
        if path.suffix in (".txt", ".html") and "words" not in path.parts:
            environment.parse(translated(path.relative_to(home).as_posix(), path.read_text(encoding="utf-8"), language))


def test_a_template_is_the_sum_of_its_pieces() -> None:
    source = "{% if a %}\n  Words, {{ b }}\n\n{% endif %}\n"
    assert "".join(map("".join, pieces("late/text.txt", source)))[:-1] == source


# --- What is really played -----------------------------------------------------------------------------------------


@cache
def played(code: str, name: str) -> Exhibits:
    return play(SHOWS / f"{name}.mail", pictures=False, language=code)


SHOWN = [(code, name) for code in WHOLE for name in ("a-game-begins", "the-sample-game", "beside-the-game")]


@pytest.mark.parametrize(("code", "name"), SHOWN)
def test_a_conversation_shows_the_same_letters_as_in_english(code: str, name: str) -> None:
    """It goes on whatever letters say, so that nobody would see if another letter stood under a name."""
    here, there = (
        {which: kind_of(letter) for which, letter in played(spoken, name).letters.items()} for spoken in (code, "en")
    )
    assert here == there


@pytest.mark.parametrize(("code", "name"), SHOWN)
def test_letters_that_are_played_in_it_fit_their_width(code: str, name: str) -> None:
    wide = [
        (which, line)
        for which, letter in played(code, name).letters.items()
        for line in letter.lines
        if columns(line) > WIDTH
    ]
    assert not wide


@pytest.mark.parametrize(("code", "name"), SHOWN)
def test_nothing_stays_english_for_which_there_is_a_word(code: str, name: str) -> None:
    """Whole lines of English that the catalogue has: whatever the letter shows, it was not said in the language."""
    known = {
        message: said
        for message, said in translations(code)
        if isinstance(message, str) and message != said and len(message) > 20 and not re.search(r"[{}%]", message)
    }
    left = [
        (which, message)
        for which, letter in played(code, name).letters.items()
        for message in known
        if message in " ".join(letter.text.split())
    ]
    assert not left


# --- Speaking ------------------------------------------------------------------------------------------------------


def test_a_language_is_known_by_its_code_and_its_names() -> None:
    assert {named(word) for word in ("de", "Deutsch", "german", " DEUTSCH ")} == {language_of("de")}
    assert named("Klingon") is None


def test_what_is_told_is_told_in_the_language_that_is_spoken_and_in_no_other() -> None:
    german = language_of("de")
    with speak(german):
        assert tell("Fri") == "Fr"
        assert tell_counted(2, "unit", "units") == "Einheiten"
        assert tell("a sentence that nobody has translated") == "a sentence that nobody has translated"
    assert tell("Fri") == "Fri"
