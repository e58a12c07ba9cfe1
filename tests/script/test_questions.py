"""A question acts on nothing (4.1 no. 7), an answer by number does nothing grave, and no proposal says the opposite."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.game.core.commands import Extend, Process, Role, SendPress
from judge.game.settings.table import TABLE
from judge.mail.queries import Query, Request
from judge.mail.script import ScriptContext
from judge.mail.script.plain_words import more_time
from judge.mail.vocabulary import VERBS, BodyRule, Clause, Unclear, Verb, find_verb
from judge.mail.vocabulary.anyone import Help
from judge.mail.vocabulary.settings_text import split_setting
from tests.script.conftest import ReadMail

_TEXTS = ("poll", "amend rule", "headline")
"""Verbs whose argument is free text, which may be a question itself."""
_SHAPES = ("{}?", "{} ?", "May I {}?", "Can I {}?", "How do I {}?", "Should I {}?", "Do I have to {}?")

_NEGATED = ("no{}", "no {}", "not {}", "un{}", "non-{}", "dis{}", "without {}")
_OLDER = (
    "gunboat", "no gunboat", "dias", "nodias", "no dias", "list", "nolist", "unlisted", "public", "private", "none",
    "quiet", "secret", "show", "reveal", "white", "grey", "white/grey", "partial", "no partial", "partial may be faked",
    "partial fakes broadcast", "observer any", "observer white", "observer no", "late press", "minor press",
    "no minor press", "grace press", "must order", "postal press", "no postal press", "touch press", "blank press",
    "all press", "normal press", "watch all press", "nmr", "no nmr", "cd", "no cd", "strict grace", "late count",
    "max absence 20", "allow player a@b.example", "deny player a@b.example", "dedication 5", "ontimerat 0.9",
    "resrat 0.9", "level novice", "access any", "access different-site", "approval", "approved a@b.example",
    "variant blind", "not variant blind", "variant machiavelli", "centers 20", "players 5",
    "powers 5", "concessions", "no concessions", "rated", "unrated", "proxy",
    "no proxy", "strict convoy", "prflist", "prfboth", "comment hello",
    "any centre",
    "home centre", "one centre", "blank board", "auto disband", "any disband", "coastal convoys", "portage", "summer",
    "allied win", "capture win", "bn 1234", "mn 1234", "ep 5", "moderated", "unmoderated", "auto start", "manual start",
    "auto process", "manual process", "auto create", "move clock 1380 min 24 next 72 grace 72 delay 1 days -mtwtf-",
    "retreat clock 0", "adjust clock 0", "start Friday", "address x@y.example", "listed", "secret no",
)  # fmt: skip
"""What njudge and DPjudge take behind SET."""


def _read(verb: Verb, context: ScriptContext) -> object:
    """What the example of a verb comes to."""
    match = find_verb(verb.example)
    assert match is not None
    return verb.read(Clause(match.word, match.rest, context.around(), "text"))


def _acting(context: ScriptContext) -> list[Verb]:
    return [verb for verb in VERBS if not isinstance(_read(verb, context), Query)]


@pytest.mark.parametrize("shape", _SHAPES)
@pytest.mark.parametrize("who", ["player", "gm", "stranger"])
def test_no_command_with_a_question_mark_does_anything(
    shape: str, who: str, mail: ReadMail, request: pytest.FixtureRequest
) -> None:
    context = request.getfixturevalue(who)
    for verb in _acting(context):
        lines = [*verb.words] + (
            [] if verb.body is BodyRule.TEXT or verb.name in _TEXTS else [verb.example, *verb.usage]
        )
        for line in lines:
            asked = shape.format(line)
            script = mail(asked, to=context)
            if context.role is Role.PLAYER and more_time(asked):
                assert [type(said.request) for said in script.said] == [Extend], asked  # it asks for it politely
            else:
                assert all(_changes_nothing(said.request) for said in script.said), asked


def _changes_nothing(request: Request) -> bool:
    """A question of ours, or a letter that passes the question on to the Gamemaster."""
    return isinstance(request, Query) or (isinstance(request, SendPress) and request.to == ("GM",))


@pytest.mark.parametrize("line", ["Leave?", "Draw?", "Clear?", "Extension?", "May I leave the game?", "May I draw?"])
def test_a_question_about_a_command_is_answered_with_what_to_write(line: str, mail: ReadMail) -> None:
    [unread] = mail(line).unread
    assert unread.reason == "question" and "To do it, write `" in unread.sentence and not unread.candidates


def test_an_order_with_a_question_mark_is_asked_back(mail: ReadMail) -> None:
    script = mail("A Par - Bur?\nA Mar - Spa")
    assert [unread.candidates for unread in script.unread] == [("A Par - Bur",)]
    assert [line.text for orders in script.orders for line in orders.lines] == ["A Mar - Spa"]


@pytest.mark.parametrize("line", ["set dias yes", "end game", "vacate France", "disqualify Germany", "reveal"])
def test_an_answer_by_number_does_nothing_grave_by_itself(line: str, mail: ReadMail, gm: ScriptContext) -> None:
    script = mail("1", to=replace(gm, choices=(line,)))
    assert not script.said
    assert [(unread.reason, unread.candidates) for unread in script.unread] == [("by-number", ())]


def test_an_answer_by_number_processes_the_phase_that_its_line_names(mail: ReadMail, gm: ScriptContext) -> None:
    [said] = mail("1", to=replace(gm, choices=("process S1901M despite 62",))).said
    assert said.request == Process("S1901M", (62,))
    assert not mail("1", to=replace(gm, choices=("process",))).said


def test_an_answer_by_number_gives_no_seat_up(mail: ReadMail, player: ScriptContext) -> None:
    assert not mail("1", to=replace(player, choices=("leave",))).said


@pytest.mark.parametrize("words", _OLDER)
def test_what_is_offered_for_the_older_judges_words_is_no_setting_of_another_kind(words: str) -> None:
    """A proposal has a value that was written, or is what the words say: never an example, never the opposite."""
    found = split_setting(words)
    lines = found.candidates if isinstance(found, Unclear) else ()
    no = words.startswith(("no ", "not ", "un", "no", "private", "manual", "normal", "observer no")) and words != "none"
    for line in lines:
        _, name, value = line.split(" ", 2)
        assert value in words or (value == ("no" if no else "yes")) or name in ("nmr", "press", "autostart"), line


@pytest.mark.parametrize("shape", _NEGATED)
def test_no_negated_setting_offers_its_opposite(shape: str) -> None:
    for name, setting in TABLE.items():
        for word in (name, name.replace("_", " "), *setting.synonyms):
            found = split_setting(shape.format(word))
            if isinstance(found, tuple):
                assert found[0] != name, (shape, word)
                continue
            for line in found.candidates:
                said = ("set press none", "set nmr grace", "set nmr wait", f"set {name} no")
                assert line in said or not line.startswith(f"set {name} "), (shape, word, line)


def test_a_setting_misspelled_is_offered_with_the_value_that_was_written_or_not_at_all() -> None:
    for name, setting in TABLE.items():
        wrong = name[0] + name[2:] + "x" if len(name) > 3 else f"{name}q"
        for value in ("", "banana", *setting.examples):
            found = split_setting(f"{wrong} {value}")
            for line in found.candidates if isinstance(found, Unclear) else ():
                assert value and line.endswith(f" {value}"), line


@pytest.mark.parametrize("shape", ["un{}", "no{}", "not{}", "dis{}"])
def test_no_negated_command_offers_its_opposite(
    shape: str, mail: ReadMail, gm: ScriptContext, player: ScriptContext
) -> None:
    for verb in VERBS:
        line = shape.format(verb.example)
        script = mail(line, to=gm if Role.PLAYER not in verb.roles else player)
        offered = [candidate for unread in script.unread for candidate in unread.candidates]
        assert verb.example not in offered, line


@pytest.mark.parametrize("line", ["close vote 1", "unstart", "propose grace 24h"])
def test_an_unrelated_command_is_not_offered(
    line: str, mail: ReadMail, gm: ScriptContext, player: ScriptContext
) -> None:
    for context in (gm, player):
        offered = [candidate for unread in mail(line, to=context).unread for candidate in unread.candidates]
        assert offered in ([], ["propose rule grace 24h"]), offered


@pytest.mark.parametrize(
    "line",
    [
        *("How do I build?", "how do I convoy an army?", "How does one write a support", "What is a supply centre?"),
        *("what's a convoy?", "How can I leave the game?", "Hello, how do I retreat?"),
    ],
)
def test_a_question_how_to_do_something_is_one_to_the_help(line: str, mail: ReadMail) -> None:
    assert [type(said.request) for said in mail(line).said] == [Help]


@pytest.mark.parametrize(
    "line", ["What is Germany doing?", "How are you?", "Where is everybody?", "How do I know that you are honest?"]
)
def test_other_questions_are_none(line: str, mail: ReadMail) -> None:
    assert not mail(line).said


@pytest.mark.parametrize("question", ["status?", "history?", "list?", "help?", "orders?", "house rules?"])
def test_what_asks_as_a_command_is_meant_is_answered(question: str, mail: ReadMail) -> None:
    assert [isinstance(said.request, Query) for said in mail(question).said] == [True]
