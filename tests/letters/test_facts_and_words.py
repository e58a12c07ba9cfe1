"""Views carry facts, templates carry words: no English in `judge/report`, and a sentence for every fact."""

from __future__ import annotations

import ast
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.game.settings.values import SYSTEM_NAMES
from judge.mail.letters import Posting, Printer, TemplateError, compose
from judge.mail.letters.words import sentences, template_of
from judge.zine.statistics import METHODS
from tests.support.builders import START

ROOT = Path(__file__).parents[2]
REPORT, ACTS = ROOT / "judge" / "report", ROOT / "judge" / "acts"
TABLE = sentences(ROOT / "templates" / "words")

ENGLISH_LEFT = {
    "arrivals": 1,
    "unproved": 1,
    "inquiries": 2,
    "letter": 4,
    "naming": 4,
}
"""How many phrases are still made in a module of judge/report. It may only shrink."""


def phrases(path: Path) -> Iterator[tuple[int, str]]:
    """Every text in a module that reads as words of a sentence, with its line: docstrings are none, nor what is told
    in the language of its reader.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    passed = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "tell":
            passed |= {id(node.args[0])}
        if isinstance(node, ast.JoinedStr):
            passed |= {id(part) for part in ast.walk(node) if part is not node}
    for node in ast.walk(tree):
        if id(node) in passed:
            continue
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if " " in text and re.search(r"[a-z]{2,}", text) and not text.startswith(COMMANDS):
            yield getattr(node, "lineno", 0), text


COMMANDS = (
    *("claim ", "preset ", "press to ", "process ", "remove ", "sandbox ", "set ", "tour ", "tournament "),
    *("if {} ", "{} {} moves to "),
)
"""Lines that a reader may send back: they are the judge's language, not anybody's English."""


@pytest.mark.parametrize("path", sorted(REPORT.rglob("*.py")), ids=lambda path: path.stem)
def test_no_sentence_is_made_where_views_are_made(path: Path) -> None:
    found = list(phrases(path))
    assert len(found) == ENGLISH_LEFT.get(path.stem, 0), found


SAYING = ("say", "news", "_to_gamemaster")
"""Functions whose first argument is a key; those that make news have a second one for the subject."""


def keys(path: Path) -> Iterator[str]:
    """Every key under which a module says something; "cause-*" for one that is put together."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYING:
            key = node.args[0]
            if isinstance(key, ast.Name):
                continue
            if isinstance(key, ast.JoinedStr):
                name = "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in key.values)
            else:
                name = str(ast.literal_eval(key))
            yield from (name, f"{name}-in-short") if node.func.id != "say" else (name,)


def test_every_fact_has_a_sentence_and_every_sentence_a_fact() -> None:
    said = {"act-*", *(key for folder in (REPORT, ACTS) for path in folder.rglob("*.py") for key in keys(path))}
    plain = {template_of(key) for key in said if "*" not in key}
    made = [re.compile(re.escape(template_of(key)).replace(r"\*", "[a-z0-9-]+")) for key in said if "*" in key]
    assert plain <= set(TABLE)
    assert {name for name in TABLE if not any(one.fullmatch(name) for one in made)} <= plain


@pytest.mark.parametrize(
    ("table", "wrong"),
    [("a: one\na: two\n", "two sentences"), ("no key here\n", "neither"), ("  more of nothing\n", "neither")],
)
def test_a_table_that_is_broken_says_where(tmp_path: Path, table: str, wrong: str) -> None:
    (tmp_path / "odd.txt").write_text(table, encoding="utf-8")
    with pytest.raises(ValueError, match=wrong):
        sentences(tmp_path)


def test_a_fact_is_said_inside_out(tmp_path: Path) -> None:
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "all.txt").write_text("outer: {{ inner }}\n  and {{ n }}.\ninner: one\n", encoding="utf-8")
    assert Printer(tmp_path).spoken({"x": [{"say": "outer", "inner": {"say": "inner"}, "n": 2}]}) == {
        "x": ["one and 2."]
    }


def test_a_fact_without_words_is_an_error_that_names_the_letter(press: Printer) -> None:
    with pytest.raises(TemplateError, match=r"notice.*unheard-of"):
        press.print("notice", {"subject": {"say": "unheard-of"}})
    with pytest.raises(TemplateError, match="without words"):
        press.print("alert", {"subject": {"at": "2027-01-01T00:00:00+00:00", "zone": "UTC", "own": ""}, "items": []})


FROZEN = gzip.decompress((Path(__file__).parent / "frozen.jsonl.gz").read_bytes()).decode("utf-8").splitlines()


@pytest.mark.parametrize("letter", [json.loads(line) for line in FROZEN], ids=lambda letter: str(letter["name"]))
def test_a_letter_that_was_frozen_with_finished_sentences_is_still_composed(
    letter: dict[str, str], press: Printer
) -> None:
    posting = Posting("a@b.test", "A", "judge@judge.test", "judge@judge.test", START, "judge.test", b"k")
    assert compose(letter["kind"], letter["key"], letter["stored"], posting, press).text  # type: ignore[arg-type]


@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_every_scoring_system_has_its_words_and_its_rating(press: Printer, system: str) -> None:
    said = press.spoken({"x": {"say": "tournament-scoring", "scoring": system}})
    assert re.fullmatch(r"Scoring: \S.+\.", str(said["x"]))
    assert system in METHODS
