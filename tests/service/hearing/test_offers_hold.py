"""Whatever an answer offers to send instead is not refused when it is sent as it stands, in the state in which it was
offered: the rules of the game, its settings, and who asks, are known when the answer is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from judge.mail.vocabulary import VERBS
from judge.mail.vocabulary.older import ROWS
from tests.service.hearing.test_gm_table import heard
from tests.support.tables import ADDRESSES, GAME, STATES, Hall, Table

SLIPS = (
    "vote", "set anonymous", "prefer Frnace", "claer", "I propose a draw", "I concede", "PROMOTE jane@home.example",
    "My mother is ill, and I thought of an extension.", "yes", "DUMMY ITALY",
)  # fmt: skip
"""Words in which something is meant, and that are not followed as they stand."""
MORE = (
    "draw Frnace", "Draw?", "extension 10d", "I have to stop playing", "I'll be on holiday from 10 to 20 January",
    "press to Frnace: hello", "wiat", "stauts", "concede Itly", "propose rule grace 24h", "Extension?", "undo?",
    "resume the game", "deadlin Friday",
)  # fmt: skip
EVERYTHING = tuple(dict.fromkeys((*SLIPS, *MORE, *(word for verb in VERBS for word in verb.words[:3]),
                                  *(row.written.replace("alpha", GAME) for row in ROWS))))  # fmt: skip


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    return Hall(tmp_path_factory.mktemp("hall"), {"draw_from": "F1905", "extensions": "0"})


def offered(table: Table, writer: str) -> Iterator[str]:
    for letter in table.written:
        if letter.to == ADDRESSES[writer]:
            yield from re.findall(r"^ {5}\d+\) (.*)$", letter.text, re.MULTILINE)


def refused(table: Table, writer: str, lines: tuple[str, ...]) -> Iterator[str]:
    """What of the offers that these lines bring is refused."""
    found: set[str] = set()
    for line in lines:
        log = table.log
        table.say(writer, line)
        new = [offer for offer in dict.fromkeys(offered(table, writer)) if offer not in found]
        found.update(new)
        for offer in new:  # in the state in which it was offered
            if offer.split()[-1].isupper() or "hand over" in offer:
                continue  # a form to be filled in; and whoever is named there is not known yet
            table.say(writer, f"{offer}\nsome words" if re.search(r"\b(press|broadcast)\b", offer) else offer)
            if any(letter.subject.endswith("waits for your answer") for letter in table.written):
                continue  # it is taken up, and asked once more by a letter of its own
            yield from (f"{line} -> {offer}: {sentence}" for _, status, sentence in heard(table).lines
                        if status != "taken" and sentence)  # fmt: skip
        if table.log != log:
            table.reset()


def test_no_offer_is_refused_to_a_player_who_moves(hall: Hall) -> None:
    with hall.at("moves") as table:
        assert list(refused(table, "player", SLIPS)) == []


@pytest.mark.long
@pytest.mark.parametrize("writer", ["player", "gm", "known", "observer"])
@pytest.mark.parametrize("state", STATES)
def test_no_offer_is_refused_in_any_state(hall: Hall, state: str, writer: str) -> None:
    with hall.at(state) as table:
        assert list(refused(table, writer, EVERYTHING)) == []


def test_what_would_be_refused_is_said_with_its_reason(hall: Hall) -> None:
    with hall.at("moves") as table:
        for line, why in (
            ("vote", "`aye` would not help now: No vote is open."),
            ("I propose a draw", "Draws and concessions may be proposed only once F1905 is over."),
            ("set anonymous", "Only the Gamemaster of tannenburg may do that."),
        ):
            table.say("player", line)
            assert why in " ".join(table.written[-1].text.split()), line
        table.say("player", "My mother is ill, and I thought of an extension.")
        assert list(offered(table, "player")) == ["call extension vote"]
