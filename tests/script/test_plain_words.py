"""Sentences in nobody's words but their author's (`plain_words.txt`): each is answered, carried out, or answered with
the line that does it; and what only speaks of such things is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.game.core.commands import Submit
from judge.game.filing.submitting import SameAgain
from judge.mail.queries import Query
from judge.mail.script import ScriptContext
from judge.mail.script.phrases import ideas
from judge.mail.script.phrases.answers import SAID
from judge.mail.vocabulary import find_verb
from tests.script.conftest import ReadMail

TABLE = Path(__file__).with_name("plain_words.txt").read_text()


def rows() -> Iterator[tuple[str, str, str]]:
    for line in TABLE.splitlines():
        if line.strip() and not line.startswith("#"):
            who, what, sentence = line.split(" | ", 2)
            yield who, what, sentence


@pytest.fixture(scope="module")
def speakers(player: ScriptContext, gm: ScriptContext, stranger: ScriptContext) -> dict[str, ScriptContext]:
    return {
        "player": player,
        "before": replace(player, position=None, powers=()),
        "gm": gm,
        "observer": replace(player, role=stranger.role, powers=()),
        "stranger": stranger,
    }


def became_of(sentence: str, mail: ReadMail, speaker: ScriptContext) -> str:
    """ "asks NAME", "does NAME", "told" and all that it is told, or "nothing"."""
    script = mail(sentence, to=speaker)
    if script.said:
        request = script.said[0].request
        return f"{'asks' if isinstance(request, Query) else 'does'} {type(request).__name__}"
    told = " ".join(f"{one.sentence} {' '.join(one.candidates)}" for one in script.unread)
    return f"told {told}" if told else "nothing"


def test_every_wish_is_heard_and_no_musing_is(mail: ReadMail, speakers: dict[str, ScriptContext]) -> None:
    wrong = []
    for who, what, sentence in rows():
        found, (kind, _, line) = became_of(sentence, mail, speakers[who]), what.partition(" ")
        if not (found.startswith("told ") and line in found if kind == "told" else found == what):
            wrong.append(f"[{who}] {sentence!r} wants {what}: {found}")
    assert not wrong, "\n".join(wrong)


def test_beside_orders_a_musing_takes_nothing_from_them(mail: ReadMail, player: ScriptContext) -> None:
    orders = "A Par - Bur\nA Mar - Spa\nF Bre - Mao"
    for _, what, sentence in rows():
        if what == "nothing":
            script = mail(f"{orders}\n\n{sentence}", to=player)
            assert ([one.verb for one in script.said], script.unread) == (["orders"], ()), sentence


def test_every_line_that_an_idea_offers_or_asks_is_a_command() -> None:
    names = {"<power>": "Italy", "<address>": "ann@new.test", "{game}": "tannenburg"}
    for table in (ideas._PLAYERS, ideas._PERSONS, ideas._OBSERVERS, ideas._GAMEMASTERS):
        for kind, line, groups, _ in ideas._rows(table):
            for name, value in names.items():
                line = line.replace(name, value)
            assert line in SAID if kind == "say" else find_verb(line) is not None, line
            assert len(groups) > 1, f"one word is no idea: {groups}"


def test_the_same_again_but_for_some_units_is_both(mail: ReadMail) -> None:
    for line in ("Same again as last turn, but A Par - Pic instead.", "same again except A Par - Pic"):
        again, orders = mail(line).said
        assert again.request == SameAgain()
        assert isinstance(orders.request, Submit)
        assert [one.text for one in orders.request.lines] == ["A Par - Pic"]
