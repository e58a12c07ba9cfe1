"""What njudge's and DPjudge's lines come to: the table is its own test, and takes no line of our own away."""

from __future__ import annotations

import re

import pytest

from judge.game.settings.table import TABLE
from judge.mail.script import ScriptContext
from judge.mail.vocabulary import VERBS, find_verb
from judge.mail.vocabulary.older import DPJUDGE, JUDGES, NJUDGE, ROWS, Row, here_for, rows_of
from tests.script.conftest import ReadMail

_TYPED = [row for row in ROWS if not row.same]
_SAME = [row for row in ROWS if row.same]
_OWN_LINES = [
    *(verb.example for verb in VERBS),
    *(usage for verb in VERBS for usage in verb.usage),
    *(f"set {name} {value}" for name, setting in TABLE.items() for value in setting.examples),
    *(f"{name} = {value}" for name, setting in TABLE.items() for value in setting.examples),
]
_SCENERY = (("alpha", "tannenburg"), ("jane@home.example", "jane@players.test"))


def _here(text: str) -> str:
    for name, ours in _SCENERY:
        text = text.replace(name, ours)
    return text.replace("FALPHA", "Ftannenburg").replace("RESIGN ITALY", "RESIGN FRANCE")


@pytest.mark.parametrize("row", _TYPED, ids=lambda row: row.written)
def test_each_line_of_the_table_is_answered_by_its_own_row(row: Row) -> None:
    found = here_for(row.written)
    assert found is not None and found == row.meaning
    assert found.said or found.read, "a line without a counterpart is answered by what there is instead"
    assert here_for(row.written.lower()) is not None and here_for(f"  {row.written}.") is not None


@pytest.mark.parametrize("row", [row for row in _TYPED if row.meaning.read], ids=lambda row: row.written)
def test_what_has_a_counterpart_is_read_as_our_line_and_says_so(
    row: Row, mail: ReadMail, gm: ScriptContext, player: ScriptContext, stranger: ScriptContext
) -> None:
    text = _here(row.written)
    scripts = [mail(f"{text}\n\nsome words\nendpress", to=writer) for writer in (gm, player, stranger)]
    best = max(scripts, key=lambda script: len(script.said))
    assert best.said and not best.unread, best.unread
    ours = [re.escape(line) for line in here_for(text).lines]  # type: ignore[union-attr]
    assert all(any(re.search(line, said.here) for said in best.said) for line in ours)


@pytest.mark.parametrize("row", _SAME, ids=lambda row: row.written)
def test_what_is_said_to_be_the_same_is_read_by_our_own_vocabulary(
    row: Row, mail: ReadMail, gm: ScriptContext, player: ScriptContext, stranger: ScriptContext
) -> None:
    text = _FULL.get(row.written, f"{_here(row.written)}\n\nsome words\nendpress")
    scripts = [mail(text, to=writer) for writer in (gm, player, stranger)]
    assert any(script.said or "heading" in script.accounts().values() or text == "SIGN OFF" for script in scripts)
    assert here_for(text.splitlines()[0]) is None


_FULL = {
    "REGISTER ... END": "REGISTER\nName: Lea Holm\nCountry: Norway\nEND",
    "IF GERMANY A BUR THEN ... ELSE ... ENDIF": "IF GERMANY A BUR THEN\nA Par H\nELSE\nA Par - Bur\nENDIF",
    "PHASE F1901M": "PHASE F1901M\nA Par - Bur",
    "SIGN OFF": "SIGN OFF",
    "SET DRAW FGR": "SET DRAW FGR",
    "DIARY RECORD": "DIARY RECORD\nA good year for wine.\nEND",
    "PRESS TO EF": "PRESS TO EG\nHello.\nENDPRESS",
    "PRESS GREY TO EF": "PRESS GREY TO EG\nHello.\nENDPRESS",
    "PRESS TO EF FAKE BROADCAST": "A Par - Bur\nPRESS TO EG FAKE BROADCAST\nHello.\nENDPRESS",
}


@pytest.mark.parametrize("line", _OWN_LINES)
def test_no_line_of_our_own_is_taken_for_one_of_theirs(line: str) -> None:
    assert here_for(line) is None


@pytest.mark.parametrize("row", _TYPED, ids=lambda row: row.written)
def test_every_line_that_the_answer_shows_is_one_of_ours(row: Row) -> None:
    for line in row.meaning.lines:
        assert here_for(line) is None, "our line would be read as theirs again"
        assert find_verb(line) is not None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.written)
def test_every_word_of_ours_that_a_sentence_names_is_one(row: Row) -> None:
    words = {name.replace("_", " ") for name in TABLE} | {name for verb in VERBS for name in verb.words} | _VALUES
    for named in re.findall(r"`([^`]+)`", row.said):
        found = find_verb(named) is not None or named.lower().replace("_", " ").split("=")[0].strip() in words
        assert found or re.match(r"(for F1901:|A |F )", named), f"{row.written} names `{named}`"


_VALUES = {"disorder", "hold", "grace", "removals", "choices"}


@pytest.mark.parametrize("judge", JUDGES)
def test_the_help_has_a_table_for_each_judge(judge: str) -> None:
    parts = rows_of(judge)
    assert {row for _, rows in parts for row in rows} == {row for row in ROWS if judge in row.judges}
    assert len(parts) >= 3
    assert {NJUDGE, DPJUDGE} == set(JUDGES)


def test_each_line_stands_once_in_the_table() -> None:
    written = [row.written for row in ROWS]
    assert len(written) == len(set(written))
