"""`verify` tells nobody that or when somebody else has written: its author learns it, and their Gamemaster."""

from __future__ import annotations

import re

import pytest

from judge.testing.casting import player_of
from tests.support.tables import ADDRESSES, FRANCE, GAME, GOVERNING, WRITERS, Hall, Table

GERMANY = player_of("GERMANY")


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    return Hall(tmp_path_factory.mktemp("hall"))


def _proof(table: Table) -> str:
    """The proof of a mail of orders that France has sent now."""
    table.say("player", "A Par - Bur\nA Mar S A Par - Bur\nF Bre - Mao")
    found = re.search(r"Proof: (\w{4}-\w{4})", table.stage.inbox(FRANCE)[-1].text)
    assert found is not None
    return found[1]


def _said(table: Table, writer: str, proof: str) -> tuple[str, ...]:
    """What somebody's question about a proof brings, with the proof's own digits left out."""
    table.say(writer, f"verify {proof}")
    to = ADDRESSES.get(writer)
    texts = (" ".join(one.text.split()) for one in table.written if to in (None, one.to))
    return tuple(re.sub(rf"{proof}|\(mail \d.*?sha256 \w+|Proof: \S+", "", text) for text in texts)


def test_only_the_author_and_the_gamemaster_learn_of_a_mail(hall: Hall) -> None:
    with hall.at("moves") as table:
        proof, none = _proof(table), "0123-4567"
        for writer in ("player", *GOVERNING):
            assert any("is a match: mail" in text for text in _said(table, writer, proof)), writer
        for writer in (one for one in WRITERS if one not in ("player", *GOVERNING)):
            known, unknown = _said(table, writer, proof), _said(table, writer, none)
            assert not any("is a match" in text for text in (*known, *unknown)), writer
            assert len(known) <= len(unknown) + 1 and not any("received 2027-" in text for text in known), writer
        table.stage.send(GERMANY, f"verify {proof}", to=f"judge+{GAME}@judge.test")
        assert "No mail that is yours to ask about" in " ".join(table.stage.inbox(GERMANY)[-1].text.split())


def test_a_gamemaster_asks_about_their_own_game_only(hall: Hall) -> None:
    with hall.at("moves") as table:
        table.stage.send(FRANCE, "my account")
        digest = table.mail.digest
        table.say("gm", f"verify {digest}")
        assert "No mail that is yours to ask about" in " ".join(table.stage.inbox(ADDRESSES["gm"])[-1].text.split())
        table.say("player", f"verify sha256 {digest}")
        assert "is a match" in " ".join(table.stage.inbox(FRANCE)[-1].text.split())
