"""Tables of words of a language: a row that cannot be used is refused with its file and its place."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from judge import wordbook
from judge.cli.translate import emptied
from judge.mail import assent
from judge.mail.script.phrases.tongues import tongue_of
from judge.orders.tongues import words_abroad
from judge.orders.words import tokens_of
from judge.wordbook import Wordbook, WrongWordsError

Write = Callable[[str, str], Wordbook]
GERMAN = sorted(wordbook.folder().glob("de/*.toml"))


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Makes a table of Swedish: its name, its text."""

    def make(name: str, text: str) -> Wordbook:
        path = tmp_path / "sv" / f"{name}.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return Wordbook(path)

    return make


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[words]\narmy = armé", "languages/sv/orders.toml: Invalid value (at line 2, column 8)"),
        ('army = ["armé"]', 'languages/sv/orders.toml: "army" stands above the first [section]'),
        ('[word]\narmy = ["armé"]', "languages/sv/orders.toml, [word]: no such section; there are words"),
        ('[words]\narmi = ["armé"]', "languages/sv/orders.toml, [words], armi: no such row; there are army, fleet"),
    ],
)
def test_a_table_that_is_written_wrong_says_where(text: str, said: str, write: Write) -> None:
    with pytest.raises(WrongWordsError) as error:
        write("orders", text).only({"words": ("army", "fleet")})
    assert str(error.value) == said


@pytest.mark.parametrize("value", ['"armé"', '["armé", 2]', '["armé", ""]', "true"])
def test_words_are_a_list_of_words(value: str, write: Write) -> None:
    with pytest.raises(WrongWordsError) as error:
        write("orders", f"[words]\narmy = {value}").words("words", "army")
    assert str(error.value) == (
        'languages/sv/orders.toml, [words], army: must be a list of words, as in ["...", "..."]'
    )


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('move = ["to"]', 'move: "to" is an English word of orders'),
        ('move = ["går"]\nhold = ["gar"]', 'hold: "gar" is a word for "move" already'),
    ],
)
def test_a_word_of_orders_says_one_thing(row: str, said: str, write: Write) -> None:
    table = write("orders", f"[words]\n{row}")
    with pytest.raises(WrongWordsError) as error:
        list(words_abroad(tokens_of("a par to bur"), [table]))
    assert str(error.value) == f"languages/sv/orders.toml, [words], {said}"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ('"map" = "- [visa] karta"', 'map: a row begins with what may be left out: "[visa] karta"'),
        ('"map" = "karta"', 'map: its rows begin with a dash: "- ..."'),
        ('"map" = "- $SHOW kartan"', "map: $SHOW is none of the [parts]"),
        (
            '"press to {powers}" = "- press till <power:powers>"',
            "press to {powers}: its rows take over nothing as <powers>",
        ),
        ('"map" = "- (karta | kartan"', 'map: "(karta | kartan" has a bracket that does not close'),
        ('"map {phase}" = "- karta för <phase:fase>"', 'map {phase}: "<phase:fase>" takes over no known kind of words'),
    ],
)
def test_a_row_of_a_command_can_be_compared(rows: str, said: str, write: Write) -> None:
    with pytest.raises(WrongWordsError) as error:
        tongue_of(write("phrases", f"[commands]\n{rows}"))
    assert str(error.value) == f"languages/sv/phrases.toml, [commands], {said}"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ('[yes]\nagrees = ["ja"]\n[no]\nrefuses = ["Ja!"]', '[no], refuses: "Ja!" stands in [yes] already'),
        (
            '[yes]\nvotes = ["tack"]\n[courtesies]\nbeside = ["tack"]',
            '[courtesies], beside: "tack" stands in [yes] already',
        ),
    ],
)
def test_an_answer_means_one_thing(rows: str, said: str, write: Write) -> None:
    with pytest.raises(WrongWordsError) as error:
        assent.check([write("answers", rows)])
    assert str(error.value) == f"languages/sv/answers.toml, {said}"


def test_a_language_may_have_any_of_the_tables() -> None:
    found = {path.stem: {each.parent.name for each in wordbook.folder().glob(f"*/{path.name}")} for path in GERMAN}
    assert found["answers"] >= {"en", "de", "pl", "ru"} and found["orders"] >= {"de", "sv"}
    assert found["phrases"] >= {"de", "es", "fr", "it", "nl"} and found["copies"] >= {"de", "nl"}


def test_a_judge_with_a_wrong_table_says_so_in_a_sentence(tmp_path: Path) -> None:
    """Whatever is asked of it, and without a list of the places in our code through which it came."""
    shutil.copytree(wordbook.folder(), tmp_path / "templates" / "languages")
    table = tmp_path / "templates" / "languages" / "sv" / "orders.toml"
    table.write_text(table.read_text(encoding="utf-8").replace("[words]", '[words]\nmove = ["to"]'), encoding="utf-8")
    program = (
        "import sys; from pathlib import Path; from judge import cli, resources; real = resources.folder;"
        f"resources.folder = lambda name: Path({str(tmp_path)!r}) / name if name == 'templates' else real(name);"
        "sys.argv = ['judge', 'translate', 'sv']; cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100)
    assert done.returncode == 1
    assert done.stderr == 'Error: languages/sv/orders.toml, [words], move: "to" is an English word of orders\n'


@pytest.mark.parametrize("path", GERMAN, ids=lambda path: path.stem)
def test_a_new_language_begins_with_every_row_and_no_word(path: Path, tmp_path: Path) -> None:
    new = tmp_path / path.name
    new.write_text(emptied(path.read_text(encoding="utf-8")), encoding="utf-8")
    table, model = Wordbook(new), Wordbook(path)
    own = {"parts", "declined", "first-word"}
    assert [*table.sections()] == [*model.sections()]
    for section in table.sections():
        assert [*table.rows(section)] == ([] if section in own else [*model.rows(section)])
        assert not any(table.filled(section, row) for row in table.rows(section))
