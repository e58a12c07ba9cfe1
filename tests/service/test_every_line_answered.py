"""Every line that somebody wrote is answered: done, refused, or named as passed over. "DONE" stands above no line that
by itself would have been answered otherwise, and no order is lost by a sentence beside it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from judge.mail.script.ownwords import need_in, sentences
from tests.script.test_plain_words import rows
from tests.script.test_small_talk import PIECES, ends_a_mail
from tests.support.tables import FRANCE, Hall, Table

ORDERS = ("A Par - Bur", "F Bre - Mao", "A Mar S A Par - Bur", "A Par H", "F Brest to the English Channel")
COMMANDS = (
    "status", "due", "wait", "same again", "extension 24h", "extension because my mother is ill",
    "my zone Europe/Berlin", "my format text", "help build", "map", "history", "draw",
    "moves = 5d", "set press grey", "amend rule moves = 5d",
    "clear", "undo", "stauts", "frobnicate the game please", "press to Narnia: hello", "process now",
)  # fmt: skip
PRESS = ("press to England: shall we share the Channel?\n", "press to all\nWho wants Belgium?\nENDPRESS")
SENTENCES = tuple(sentence for who, _, sentence in rows() if who in ("player", "gm"))
TALK = tuple(piece for piece in PIECES if "\n" not in piece and not ends_a_mail(piece))
HINT = "I am not sure what is meant, so nothing was done."
"""What only a mail that asks for nothing else is told: a guess at what its words are near to; and who is lost
gets help."""
TURNING = frozenset(("clear", "undo", "same again", "process"))
"""Words that change what becomes of orders in the same mail."""


@dataclass(frozen=True)
class Fate:
    """What became of a mail: of each command and question its line, verb and status, and the letter to its author."""

    said: tuple[tuple[int, str, str], ...]
    refused: tuple[tuple[int, str], ...]
    text: str

    def of(self, numbers: range) -> frozenset[str]:
        """The verbs that lines brought about, and "asked" where they were asked back."""
        verbs = {verb for number, verb, _ in self.said if number in numbers}
        return frozenset(verbs | {"asked" for number, _ in self.refused if number in numbers})


def fate(table: Table, text: str) -> Fate:
    """What becomes of a player's mail in a game as it stood at first."""
    table.say("player", text)
    facts = json.loads(table.mail.verdict or "{}")
    assert facts["verdict"] == "processed", text
    letters = [letter.text for letter in table.written if letter.to == FRANCE]
    assert letters, f"no answer to {text!r}"
    said = tuple((one["line"], one["verb"], one["status"]) for one in facts["commands"])
    refused = tuple((one["line"], one["reason"]) for one in facts["unread"])
    table.reset()  # who writes so much is answered no more
    return Fate(said, refused, "\n".join(letters))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with Hall(tmp_path_factory.mktemp("hall"), {"draw_from": "F1905"}).at("moves") as table:
        yield table


_ALONE: dict[str, Fate] = {}


def alone(table: Table, part: str) -> Fate:
    """What becomes of a part of a mail by itself."""
    if part not in _ALONE:
        _ALONE[part] = fate(table, part)
    return _ALONE[part]


def check(table: Table, parts: Sequence[str]) -> None:
    """The law, of a mail that has these parts with a blank line between them."""
    mail, first = fate(table, "\n\n".join(parts)), 1
    done = re.search(r"^DONE\b.*", mail.text, re.MULTILINE)
    turned = any(verb in TURNING for part in parts for _, verb, _ in alone(table, part).said)
    for at, part in enumerate(parts):
        numbers = range(first, first + part.count("\n") + 1)
        first = numbers.stop + 1
        by_itself, here = alone(table, part), mail.of(numbers)
        verbs = {verb for _, verb, _ in mail.said}  # what is asked twice is answered once
        if not (meant := by_itself.of(range(99)) - verbs) or here or part in parts[:at]:
            continue
        hint = any(HINT in sentence for _, sentence in by_itself.refused) or any(map(need_in, sentences(part)))
        named = re.search(rf"^ +{numbers[0]}  ", mail.text, re.MULTILINE) or part[:60] in mail.text
        assert named and not done, f"{part!r}, {set(meant)} by itself, is passed over:\n{mail.text}"
        assert hint or turned, f"{part!r}, {set(meant)} by itself, comes to nothing:\n{mail.text}"
    for part in set(ORDERS) & set(parts) if not turned else ():
        assert re.search(rf"^ +\d+  {re.escape(part)}", mail.text, re.MULTILINE), f"{part!r} is lost:\n{mail.text}"


PARTS = st.one_of(*map(st.sampled_from, (ORDERS, COMMANDS, PRESS, SENTENCES, SENTENCES, TALK)))
MAILS = st.lists(PARTS, min_size=2, max_size=6)


@example(parts=["A Par - Bur", "I'd like the deadline to be later"])
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(parts=MAILS)
def test_each_line_is_answered_whatever_stands_beside_it(table: Table, parts: list[str]) -> None:
    check(table, parts)


BESIDE = (
    "due",
    "wait",
    "same again",
    "extension 24h",
    "my zone Europe/Berlin",
    "map",
    "clear",
    "undo",
    "process now",
)


@pytest.mark.parametrize("beside", ["Who owns Belgium?", "A Par - Bur."])
def test_a_sentence_that_is_a_command_is_answered_beside_others_on_its_line(table: Table, beside: str) -> None:
    for command in BESIDE:
        by_itself = {verb for _, verb, _ in alone(table, command).said} or {"asked"}
        for line in (f"{beside} {command}.", f"{beside} Please {command}, thanks.", f"{command}. {beside}"):
            mail = fate(table, line)
            assert by_itself <= (found := mail.of(range(2))) or "asked" in found, (
                f"{line!r}: {mail.said} {mail.refused}\n{mail.text}"
            )
            assert beside in mail.text, f"{beside!r} is lost in {line!r}:\n{mail.text}"


@pytest.mark.long
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(parts=MAILS)
def test_each_line_is_answered_in_many_mails(table: Table, parts: list[str]) -> None:
    check(table, parts)
