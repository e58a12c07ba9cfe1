"""Whatever letter of ours somebody answers with a word, and whatever the word is: each further line of the answer is
done, refused or named, and DONE stands above none that was passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from tests.support.tables import FRANCE, GAME, KNOWN, UNKNOWN, Hall, Table

YES, NO = ("yes", "Yes, please do."), ("no", "No thanks, not this time.")
GERMANY, NEW = player_of("GERMANY"), "frank@new.test"


@dataclass(frozen=True)
class Letter:
    """How a letter is brought about: the state, then mails of (a kind of writer to the game, or an address
    to the judge; text); who answers it; the words that do.
    """

    state: str
    mails: tuple[tuple[str, str], ...]
    reader: str
    words: tuple[str, ...] = (*YES, *NO)


LETTERS: Mapping[str, Letter] = {
    "an invitation": Letter("open", (("gm", f"invite {KNOWN}"),), KNOWN, ("I'd love to play!", "never", *YES, *NO)),
    "an invitation to a stranger": Letter("open", (("gm", f"invite {UNKNOWN}"),), UNKNOWN, ("Count me in!", *NO)),
    "an invitation that is over": Letter(
        "open", (("gm", f"invite {KNOWN}"), (KNOWN, f"join {GAME}")), KNOWN, ("accept", *YES, *NO)
    ),
    "an invitation to a tournament": Letter(
        "open", (("gm", f"create tournament cup 1 round preset two private\ntournament cup invite {KNOWN}"),), KNOWN
    ),
    "a question": Letter("moves", (("player", f"leave {GAME}"),), FRANCE, ("yes", "no", "No, I did not mean that.")),
    "a mail without proof": Letter("waiting mail", (), FRANCE, ("yes", "no")),
    "a new address": Letter("moves", ((FRANCE, f"add address {NEW}"), (FRANCE, "confirm")), NEW, ("yes", "confirm")),
    "a board that is shown": Letter("moves", ((GERMANY, f"sandbox\nshare with {KNOWN}"),), KNOWN),
    "an offer of the office": Letter("moves", (("gm", f"hand over to {KNOWN}"),), KNOWN),
    "a vacant seat": Letter("vacant", (), KNOWN),
    "a call to vote": Letter("moves", ((GERMANY, f"[{GAME}] propose draw"),), FRANCE),
}


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    return Hall(tmp_path_factory.mktemp("hall"))


def lines_for(letter: Letter) -> tuple[str, ...]:
    """What else its reader writes: a question, a command, what nobody can follow, and orders of a seat."""
    orders = ("F Bre - Mao",) if letter.reader == FRANCE else ()
    return ("list", "my zone Europe/Berlin", *orders, "frobnicate the game please")


def answered(table: Table, letter: Letter, word: str) -> list[str]:
    """What the reader is written when they answer the letter with the word and further lines."""
    stage: LocalJudge = table.stage
    for writer, text in letter.mails:
        if text == "confirm":
            stage.send(writer, text, to=stage.inbox(writer)[-1].reply_to)
        elif "@" in writer:
            stage.send(writer, text)
        else:
            table.say(writer, text)
    assert stage.inbox(letter.reader), f"no letter to {letter.reader}"
    last, known = stage.inbox(letter.reader)[-1], len(stage.inbox(letter.reader))
    text = "\n".join((word, "", *lines_for(letter)))
    headers = {"In-Reply-To": last.message_id, "References": last.message_id}
    stage.send(letter.reader, text, to=last.reply_to, subject=f"Re: {last.subject}", headers=headers)
    return [one.text for one in stage.inbox(letter.reader)[known:]]


def named(letter: Letter) -> Iterator[str]:
    for number, line in enumerate(lines_for(letter), start=3):
        yield rf"^ +{number}  {re.escape(line)}"


@pytest.mark.parametrize("name", LETTERS)
def test_each_line_below_the_word_that_answers_a_letter_is_answered(hall: Hall, name: str) -> None:
    letter = LETTERS[name]
    with hall.at(letter.state) as table:
        for word in letter.words:
            letters = answered(table, letter, word)
            for line in named(letter):
                saying = [text for text in letters if re.search(line, text, re.MULTILINE)]
                assert saying, f"{name}, {word!r}: {line} is lost:\n" + "\n".join(letters)
                assert not re.search(r"^DONE\b", saying[0], re.MULTILINE), f"{name}, {word!r}:\n{saying[0]}"
            table.reset()
