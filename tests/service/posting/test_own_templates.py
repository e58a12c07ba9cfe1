"""Templates of the site and of one game: laid before the judge's own, and never able to hold up a letter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from judge.config import Config
from judge.mail.letters import Composed, TemplateError
from judge.service.core.judge import Pressroom
from judge.testing.casting import seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import rehearsal_config

SHIPPED = Path(__file__).parents[3] / "templates"
OPERATOR = "op@judge.test"
FRANCE = "france@players.test"


def configured(own: Path, var: Path) -> Config:
    return replace(rehearsal_config(var), templates=own, operator=OPERATOR)


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    return folder


@pytest.fixture
def stage(tmp_path: Path, own: Path) -> Iterator[LocalJudge]:
    stage = LocalJudge(tmp_path / "var", config=partial(configured, own))
    for key in ("baltic", "adria"):
        seat_everybody(stage, key)
    stage.begin()
    yield stage
    stage.close()


def status(stage: LocalJudge, game: str) -> ReceivedLetter:
    stage.send(FRANCE, "status", subject=game)
    return next(letter for letter in reversed(stage.inbox(FRANCE)) if "status" in letter.subject)


def page_of(letter: ReceivedLetter) -> str:
    body = letter.message.get_body(("html",))
    return "" if body is None else str(body.get_content())


def test_what_the_site_has_goes_before_and_what_it_lacks_is_the_judges_own(stage: LocalJudge, own: Path) -> None:
    write(own, "_frame.txt", "{{ sentinel }}\n\nThe Vienna club\n{% block body %}{% endblock %}")
    stage.restart()
    letter = status(stage, "baltic")
    assert "The Vienna club\n" in letter.text
    assert "YOUR TASKS, FRANCE" in letter.text


def test_a_game_has_templates_of_its_own(stage: LocalJudge, own: Path) -> None:
    write(own, "_positions.txt", "(of the site)")
    write(own, "games/baltic/_positions.txt", "(of baltic)")
    stage.restart()
    assert "(of baltic)" in status(stage, "baltic").text
    assert "(of the site)" in status(stage, "adria").text


def test_a_sentence_of_its_own_goes_before_the_others_stay(stage: LocalJudge, own: Path) -> None:
    write(own, "words/club.txt", "desk-title: {{ of|who|upper }} AT THE CLUB")
    stage.restart()
    text = status(stage, "baltic").text
    assert "FRANCE AT THE CLUB" in text
    assert "for 3 units: " in text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("status/text.txt", "{% if %}"),
        ("status/text.txt", "{{ view.no_such_field }}"),
        ("status/text.txt", "{{ 1 / 0 }}"),
        ("status/body.txt", "{% include 'gone.txt' %}"),
        ("status/subject.txt", "{{ nobody }}"),
        ("status/html.html", "{% block %}"),
        ("style.css", "p { color: red; }"),
        ("words/club.txt", "no key here"),
        ("words/club.txt", "desk-title: {{ nobody }}"),
        ("games/baltic/_desk.txt", "{{ desk.nothing }}"),
    ],
)
def test_a_broken_one_is_passed_over_and_told_to_the_operator_once(
    stage: LocalJudge, own: Path, name: str, text: str
) -> None:
    write(own, name, text)
    stage.restart()
    for _ in range(2):
        letter = status(stage, "baltic")
        assert "YOUR TASKS, FRANCE" in letter.text
        assert "YOUR TASKS, FRANCE" in page_of(letter)
    told = [letter for letter in stage.inbox(OPERATOR) if "template" in letter.subject]
    assert len([letter for letter in told if "status" in letter.subject or "notice" in letter.subject]) == 1
    assert name.rpartition("/")[2] in told[0].text or "desk-title" in told[0].text


def test_no_name_of_a_game_leads_out_of_the_folder(own: Path) -> None:
    write(own.parent, "elsewhere/_positions.txt", "(stolen)")
    room = Pressroom(SHIPPED, own)
    for game in ("../../elsewhere", "/etc", "..", "a/b", ""):
        assert room._owned(game) == (own,)


def test_where_a_page_of_the_judges_own_is_broken_the_text_goes_out(tmp_path: Path) -> None:
    from judge.mail.letters import Posting
    from tests.support.builders import START

    write(tmp_path, "help/subject.txt", "help")
    write(tmp_path, "help/text.txt", "The text.")
    write(tmp_path, "help/html.html", "{{ nobody }}")
    posting = Posting("a@b.test", "", "judge@judge.test", "judge@judge.test", START, "judge.test", b"k")
    stored = {"view": {}, "reply_as": "", "thread": "alone", "topic": "", "parent": ""}
    mail, flaw = Pressroom(tmp_path).compose("help", "k", stored, posting)
    assert isinstance(mail, Composed) and mail.text == "The text.\n" and b"text/html" not in mail.mime
    assert flaw.startswith("help/html.html")
    write(tmp_path, "help/text.txt", "{{ nobody }}")
    with pytest.raises(TemplateError):
        Pressroom(tmp_path).compose("help", "k", stored, posting)
