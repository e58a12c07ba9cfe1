"""Commands in other languages: a row is read as the line above it, is nothing else in English, and means one thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product
from unicodedata import combining, normalize

import pytest

from judge.board.abroad import NAMES
from judge.catalogues import language_of
from judge.game.core.commands import Submit
from judge.mail.script import Script, ScriptContext
from judge.mail.script import reader as readers
from judge.mail.script.phrases.abroad import ENDS_OF_PRESS, HEADING_WORDS, closes, command_in, greets, meanings
from judge.mail.script.phrases.tongues import TONGUES, Tongue
from judge.mail.vocabulary import BY_NAME, find_verb
from judge.wordbook import Wordbook, folder
from tests.script.conftest import ReadMail

_TAKEN = {
    "text": "Hallo!", "game": "tannenburg", "name": "Anna Berger", "zone": "Europe/Berlin", "language": "Deutsch",
    "number": "7", "address": "ann@players.test", "phase": "F1901",
}  # fmt: skip
_NAMES = {table.code: table for table in NAMES}
_FEW = 6
"""Lines of a row that are tried: those in which each of its alternatives stands, and some of their mixtures."""
_TOKEN = re.compile(r"<\w+(?::\w+)?>|\{[^}]*\}|\.\.\.|[()\[\]]|\||[^\s()\[\]{}<>|]+")
_EITHER = re.compile(r"(?<=\s)[^\s()\[\]<>|]+(?:\|[^\s()\[\]<>|]+)+(?=\s)")
""" "a|b" by itself, one of these words."""


def _ways(tokens: list[str]) -> list[list[str]]:
    """The alternatives of a group, each as the lines that it may be; tokens are consumed down to its end."""
    ways: list[list[list[str]]] = [[]]
    while tokens:
        token = tokens.pop(0)
        if token in ")]":
            break
        if token == "|":
            ways.append([])
        elif token in "([":
            inner = [line for way in _ways(tokens) for line in way]
            ways[-1].append(["", *inner] if token == "[" else inner)
        elif token == "...":
            ways[-1].append([""])
        else:
            ways[-1].append([token])
    return [_mixed(way) for way in ways]


def _mixed(parts: list[list[str]]) -> list[str]:
    """Lines in which every alternative of every part stands at least once."""
    each = [" ".join(part[at % len(part)] for part in parts) for at in range(max(map(len, parts), default=0))]
    return list(dict.fromkeys((*each, *(" ".join(line) for line in islice(product(*parts), _FEW)))))


def _grouped(row: str) -> str:
    """A row with "a|b" in brackets where it stands in none."""

    def outside(match: re.Match[str]) -> str:
        before = row[: match.start()]
        inside = sum(map(before.count, "([")) > sum(map(before.count, ")]"))
        return match[0] if inside else f"({match[0]})"

    return _EITHER.sub(outside, row)


def lines_of(rows: str) -> Iterator[str]:
    """Lines that rows are, with what they take over in angles."""
    for row in filter(str.strip, re.split(r"^\s*- ", rows, flags=re.MULTILINE)):
        for way in _ways(_TOKEN.findall(_grouped(f" {' '.join(row.split())} "))):
            yield from (re.sub(r" ([,:])", r"\1", " ".join(line.split())) for line in way)


def _filled(line: str, ours: str, tongue: Tongue) -> tuple[str, str]:
    """A line with something in its angles, and the power that it names in another form where it takes over a list."""
    dates = {english: word for word, english in reversed([*tongue.dates.items()])}
    december, days = dates.get("december", "december"), dates.get("days", "days")
    italy, russia = ((*_NAMES[tongue.code].words("powers", name), name)[0] for name in ("Italy", "Russia"))
    joins = Wordbook(folder() / tongue.code / "phrases.toml").words("lists", "and")
    alone = ours.startswith(("concede", "claim", "assign", "vacate", "press with")) or not joins
    taken = _TAKEN | {
        "powers": italy if alone else f"{italy} {joins[0]} {russia}", "power": italy, "span": f"2 {days}",
        "when": f"10 {december}", "since": f"3 {december}", "till": f"10 {december}",
    }  # fmt: skip
    elided = re.sub(r"<powers:elided>", "all'Italia", line)
    return re.sub(r"<(\w+)(?::\w+)?>", lambda name: taken[name[1]], elided), ours


CASES = [
    pytest.param(tongue, ours, [_filled(line, ours, tongue)[0] for line in lines_of(rows)], id=f"{tongue.code} {ours}")
    for tongue in TONGUES
    for ours, rows in tongue.commands.items()
]


def _plain(line: str) -> str:
    return "".join(mark for mark in normalize("NFKD", line.replace("ß", "ss")) if not combining(mark))


@pytest.mark.parametrize(("tongue", "ours", "lines"), CASES)
def test_a_line_means_one_thing_whatever_its_language(tongue: Tongue, ours: str, lines: list[str]) -> None:
    wrong = [(line, meanings(line)) for line in lines if len(set(meanings(line).values())) != 1]
    assert wrong == []


@pytest.mark.parametrize(("tongue", "ours", "lines"), CASES)
def test_a_line_is_read_as_the_command_above_it(tongue: Tongue, ours: str, lines: list[str]) -> None:
    begins = ours.partition(" {")[0].partition("{")[0].rstrip(": ")
    found = [(line, command_in(line)) for line in lines]
    assert [one for one in found if not one[1].startswith(begins) and one[0].casefold() != begins] == []


@pytest.mark.parametrize(("tongue", "ours", "lines"), CASES)
def test_accents_may_be_left_out(tongue: Tongue, ours: str, lines: list[str]) -> None:
    wrong = [line for line in lines if "@" not in line and bool(command_in(_plain(line))) != bool(command_in(line))]
    assert wrong == []


@pytest.mark.parametrize(("tongue", "ours", "lines"), CASES)
def test_a_line_is_nothing_else_in_english(
    tongue: Tongue,
    ours: str,
    lines: list[str],
    mail: ReadMail,
    player: ScriptContext,
    gm: ScriptContext,
    stranger: ScriptContext,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without these tables the line asks for nothing, or for the same."""
    english = tuple(one for one in readers.READERS if one[0] != "a command in another language")
    for context in (player, gm, stranger):
        for line in dict.fromkeys(lines):
            own = mail(line, to=context)
            with monkeypatch.context() as patched:
                patched.setattr(readers, "READERS", english)
                before = mail(line, to=context)
            assert not _asked(before) or _asked(before) == _asked(own), (context.role, line)


def _asked(script: Script) -> list[object]:
    """What a mail asks for, but for orders that are asked back."""
    requests = [said.request for said in script.said]
    return [one for one in requests if not (isinstance(one, Submit) and all(line.doubt for line in one.lines))]


@pytest.mark.parametrize(("tongue", "ours", "lines"), CASES)
def test_the_command_is_a_sound_one(
    tongue: Tongue, ours: str, lines: list[str], mail: ReadMail, player: ScriptContext, gm: ScriptContext
) -> None:
    verb = find_verb(ours)
    assert verb is not None
    scripts = [mail(f"{lines[0]}\nHallo!", to=context) for context in (player, gm)]
    assert any(not script.unread for script in scripts), [unread.sentence for one in scripts for unread in one.unread]


@pytest.mark.parametrize("tongue", TONGUES, ids=lambda tongue: tongue.code)
def test_greetings_and_closings_are_courtesies(tongue: Tongue) -> None:
    for rows, known in ((tongue.greetings, greets), (tongue.closings, closes)):
        assert [line for line in lines_of(rows) if not known(line)] == []


def test_no_english_command_is_read_as_another() -> None:
    """A name of a verb of ours is no row, unless it comes to the same verb."""
    wrong = [
        (word, ours)
        for verb in BY_NAME.values()
        for word in verb.words
        if (ours := command_in(word)) and ((found := find_verb(ours)) is None or found.verb.name != verb.name)
    ]
    assert wrong == []


def test_no_word_of_a_heading_or_an_end_is_a_command() -> None:
    known = {word for verb in BY_NAME.values() for word in verb.words}
    ours = {"orders"}  # Dutch has our word
    assert not (HEADING_WORDS - ours) & known
    assert not ENDS_OF_PRESS & known


def test_what_the_help_of_a_language_offers_beside_our_words_is_read() -> None:
    """German help names commands in German behind "auch:"."""
    told = " ".join(language_of("de").messages.values())
    behind = re.findall(r"auch: ((?:\"[^\"]+\"(?: und )?)+)", told)
    offered = [line for also in behind for line in also.split('"')[1::2]]
    assert len(offered) >= 20
    assert [line for line in offered if not command_in(line)] == []
