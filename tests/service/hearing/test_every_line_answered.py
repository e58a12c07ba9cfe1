"""Every line that somebody wrote is answered: done, refused, or named as passed over. "DONE" stands above no line that
by itself would have been answered otherwise, and no order is lost by a sentence beside it. So for whoever writes, and
whatever the game has come to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.mail.script.copies import is_stop
from judge.mail.script.plain_words import need_in
from judge.mail.script.sentences import single_sentences
from tests.script.test_plain_words import rows
from tests.script.test_small_talk import PIECES, ends_a_mail
from tests.support.tables import ADDRESSES, Hall, Table

COMMANDS = (
    "status", "due", "wait", "same again", "extension 24h", "extension because my mother is ill",
    "my zone Europe/Berlin", "my format text", "help build", "map", "history", "draw",
    "moves = 5d", "set press grey", "amend rule moves = 5d",
    "clear", "undo", "stauts", "frobnicate the game please", "press to Narnia: hello", "process now",
)  # fmt: skip
PRESS = ("press to England: shall we share the Channel?\n", "press to all\nWho wants Belgium?\nENDPRESS")
TALK = tuple(piece for piece in PIECES if "\n" not in piece and not ends_a_mail(piece))
HINTS = ("I am not sure what is meant, so nothing was done.", "I read nothing that is attached")
"""What only some mails are told: those that ask for nothing else, a guess at what their words are near to; those that
have no orders below, that none are attached.
"""
UNASKED = "ignored - a yes counts only in an answer to the letter that asks for it"
"""What is said of a yes that answers nothing, where the mail asks for something else."""
TURNING = frozenset(("clear", "undo", "same again", "process"))
"""Words that change what becomes of orders in the same mail."""
MOVES = ("A Par - Bur", "F Bre - Mao", "A Mar S A Par - Bur", "A Par H", "F Brest to the English Channel")


@dataclass(frozen=True)
class Writer:
    """Somebody who writes to a game. `at`: its state; `kind`: who they are, as `Table.say` has it; `speaks`: whose
    sentences are theirs; `own`: what only they would write; `files`: whether `orders` are filed for them.
    """

    at: str
    kind: str
    speaks: str = "player"
    orders: tuple[str, ...] = MOVES
    own: tuple[str, ...] = ()
    preset: str = "standard"
    files: bool = True


_TALKS = ("join tannenburg", "observe tannenburg", "list", "unsubscribe", "register name Otto", "who plays?", "rules")
_DESK = ("hold", "resume", "nudge Turkey", "set press white", "extend 24h", "preview", "invite ina@invited.test",
         "deadline 9 Jan 2027", "vacate Turkey", "press to all: we go on", "who is late?", "autostart 1h")  # fmt: skip
WRITERS = {
    "player": Writer("moves", "player"),
    "player who retreats": Writer(
        "retreats", "player", orders=("A Bur R Pic", "A Bur - Gas", "A Bur disband", "army Burgundy retreats to Paris")
    ),
    "player who adjusts": Writer(
        "adjustments", "player", orders=("build A Par", "Build fleet Brest", "waive", "A Mar", "remove A Bur")
    ),
    "player in grace": Writer("grace", "player"),
    "player on hold": Writer("held", "player"),
    "player who is out": Writer("out", "player", files=False),
    "Gamemaster": Writer("ordered", "gm", "gm", own=_DESK, files=False),
    "Gamemaster in grace": Writer("grace", "gm", "gm", own=_DESK, files=False),
    "deputy": Writer("moves", "deputy", "gm", own=_DESK, files=False),
    "observer": Writer("fall", "observer", "observer", own=_TALKS, files=False),
    "somebody without a game": Writer("open", "known", "stranger", own=_TALKS, files=False),
    "somebody invited": Writer("approval", "invited", "stranger", own=_TALKS, files=False),
    "player of 1958": Writer(
        "moves",
        "player",
        preset="1958",
        orders=("A1 Par - Bur", "F1 Bre - Mao", "A2 S A1 Par - Bur", "A1 hold", "A Par aboard F Bre"),
    ),
    "player of 1914": Writer(
        "moves", "player", preset="1914", orders=("influence 2 Spain", "give England 1", "claim Belgium")
    ),
    "player of 1914 in spring": Writer("played", "player", preset="1914"),
}


@dataclass(frozen=True)
class Fate:
    """What became of a mail: of each command and question its line, verb and status, the letter to its author, and
    what others were written.
    """

    said: tuple[tuple[int, str, str], ...]
    refused: tuple[tuple[int, str], ...]
    text: str
    to_others: str

    def of(self, numbers: range) -> frozenset[str]:
        """The verbs that lines brought about, and "asked" where they were asked back."""
        verbs = {verb for number, verb, _ in self.said if number in numbers}
        return frozenset(verbs | {"asked" for number, _ in self.refused if number in numbers})


HELD = Fate((), (), "", "")
"""A mail that waits as a whole until its author says yes once more, as a deputy's that cannot be taken back."""


class Desk:
    """A game at which one person writes mail after mail, each to the game as it stood at first."""

    def __init__(self, table: Table, writer: Writer) -> None:
        self.writer, self._table, self._alone = writer, table, dict[str, Fate]()

    def fate(self, text: str) -> Fate:
        """What becomes of a mail."""
        table = self._table
        table.say(self.writer.kind, text)
        if (verdict := table.mail.verdict) is None:
            table.reset()
            return HELD
        facts = json.loads(verdict)
        assert facts["verdict"] == "processed", f"{facts} for {text}"
        letters = [one.text for one in table.written if one.to == ADDRESSES[self.writer.kind]]
        to_others = " ".join(" ".join(one.text.split()) for one in table.written if one.text not in letters)
        assert letters, f"no answer to {text!r}"
        before = 1 if self.writer.kind == "gm" else 0  # the line of the password, which `say` puts above
        said = tuple((one["line"] - before, one["verb"], one["status"]) for one in facts["commands"])
        refused = tuple((one["line"] - before, one["reason"]) for one in facts["unread"])
        table.reset()  # who writes so much is answered no more
        return Fate(said, refused, "\n".join(letters), to_others)

    def alone(self, part: str) -> Fate:
        """What becomes of a part of a mail by itself."""
        if part not in self._alone:
            self._alone[part] = self.fate(part)
        return self._alone[part]

    def check(self, parts: Sequence[str]) -> None:
        """The law, of a mail that has these parts with a blank line between them."""
        parts = [part for part in parts if self.alone(part) is not HELD]
        mail, first = self.fate("\n\n".join(parts) or "status"), 1
        before = 1 if self.writer.kind == "gm" else 0
        done = re.search(r"^DONE\b.*", mail.text, re.MULTILINE)
        turned = any(verb in TURNING for part in parts for _, verb, _ in self.alone(part).said)
        for at, part in enumerate(parts):
            numbers = range(first, first + part.count("\n") + 1)
            first = numbers.stop + 1
            by_itself, here = self.alone(part), mail.of(numbers)
            verbs = {verb for _, verb, _ in mail.said}  # what is asked twice is answered once
            if not (meant := by_itself.of(range(99)) - verbs) or here or part in parts[:at]:
                continue
            if part in mail.to_others:
                continue  # passed on whole
            hint = any(one in sentence for one in HINTS for _, sentence in by_itself.refused) or any(
                map(need_in, single_sentences(part))
            )
            hint = hint or (meant == {"confirm"} and UNASKED in " ".join(mail.text.split()))
            named = re.search(rf"^ +{numbers[0] + before}  ", mail.text, re.MULTILINE) or part[:60] in mail.text
            assert named and not done, f"{part!r}, {set(meant)} by itself, is passed over:\n{mail.text}"
            assert hint or turned, f"{part!r}, {set(meant)} by itself, comes to nothing:\n{mail.text}"
        for part in set(self.writer.orders) & set(parts) if self.writer.files and not turned else ():
            lines = rf"^ +\d+  {re.escape(part)}"
            assert re.search(lines, mail.text, re.MULTILINE), f"{part!r} is lost:\n{mail.text}"


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Desk]]:
    halls, open_ones = dict[str, Hall](), ExitStack()
    made = dict[str, Desk]()

    def hall(preset: str) -> Hall:
        if preset not in halls:
            folder: Path = tmp_path_factory.mktemp("hall")
            draws = {"draw_from": "F1905"} if preset == "standard" else {}
            halls[preset] = Hall(folder, draws, preset)
        return halls[preset]

    def desk(who: str) -> Desk:
        if who not in made:
            writer = WRITERS[who]
            made[who] = Desk(open_ones.enter_context(hall(writer.preset).at(writer.at)), writer)
        return made[who]

    with open_ones:
        yield desk


def mails(writer: Writer) -> st.SearchStrategy[list[str]]:
    said = tuple(sentence for who, _, sentence in rows() if who == writer.speaks and not is_stop(sentence))
    other = tuple(sentence for who, _, sentence in rows() if who in ("player", "gm"))
    kinds = [writer.orders, COMMANDS, PRESS, said, said, other, TALK, *((writer.own,) if writer.own else ())]
    return st.lists(st.one_of(*map(st.sampled_from, kinds)), min_size=2, max_size=6)


def holds(desk: Desk, examples: int) -> None:
    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(parts=mails(desk.writer))
    def law(parts: list[str]) -> None:
        desk.check(parts)

    law()


def test_an_order_and_a_wish_beside_it_are_both_answered(desks: Callable[[str], Desk]) -> None:
    desks("player").check(["A Par - Bur", "I'd like the deadline to be later"])


@pytest.mark.parametrize("who", WRITERS)
def test_each_line_is_answered_whatever_stands_beside_it(desks: Callable[[str], Desk], who: str) -> None:
    holds(desks(who), 20 if who == "player" else 5)


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
def test_a_sentence_that_is_a_command_is_answered_beside_others_on_its_line(
    desks: Callable[[str], Desk], beside: str
) -> None:
    desk = desks("player")
    for command in BESIDE:
        by_itself = {verb for _, verb, _ in desk.alone(command).said} or {"asked"}
        for line in (f"{beside} {command}.", f"{beside} Please {command}, thanks.", f"{command}. {beside}"):
            mail = desk.fate(line)
            assert by_itself <= (found := mail.of(range(2))) or "asked" in found, (
                f"{line!r}: {mail.said} {mail.refused}\n{mail.text}"
            )
            assert beside in mail.text, f"{beside!r} is lost in {line!r}:\n{mail.text}"


@pytest.mark.long
@pytest.mark.parametrize("who", WRITERS)
def test_each_line_is_answered_in_many_mails(desks: Callable[[str], Desk], who: str) -> None:
    holds(desks(who), 300)
