"""One table of authority: the code, `help authority` and the handbook say the same."""

from __future__ import annotations

from pathlib import Path

from judge.service.trust.prove import MEANING, TABLE, lines
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge

FRANCE = player_of("FRANCE")


def test_the_handbook_has_the_table_that_is_in_force() -> None:
    proofs = "\n".join(f"- {proof}: {words}." for proof, words in MEANING.items())
    head = "| act | at once with | else | taken back by |\n|---|---|---|---|"
    rows = "\n".join(f"| {what} | {once} | {otherwise} | {undone} |" for what, once, otherwise, undone in lines())
    table = f"{proofs}\n\n{head}\n{rows}\n"
    page = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    assert table in page, f"write it again:\n{table}"


def test_help_authority_prints_every_row_and_every_proof(table: LocalJudge) -> None:
    table.send(FRANCE, "help authority", subject="baltic")
    text = " ".join(table.inbox(FRANCE)[-1].text.split())
    for row in TABLE.values():
        assert row.what in text and row.otherwise in text and row.undone in text
    for words in MEANING.values():
        assert words in text


def test_help_proof_is_for_strangers_too(table: LocalJudge) -> None:
    table.send("nora@else.test", "help proof", vouched=False)
    assert "How I know that a mail is yours".upper() in table.inbox("nora@else.test")[-1].text
