"""Every request that a mail can make has one function that answers it."""

import re
from pathlib import Path

import pytest

import judge.acts
import judge.service.hearing.act
from judge.acts import ASKS
from judge.acts.declared import Act, Ask, May
from judge.game.core.commands import Command
from judge.mail.queries import AboutGame, PersonRequest, Query
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.reading import MyGames
from judge.service.hearing.commands import command
from judge.service.trust.heard import HeardMail, Result, answers, handler_of
from judge.subjects import acts


def below(*bases: type) -> list[type]:
    """Their subclasses; a dataclass with slots leaves a twin without them behind."""
    found: list[type] = []
    for base in bases:
        found += base.__subclasses__()
    return [kind for kind in found if "__slots__" in vars(kind)]


@pytest.mark.parametrize("kind", below(Query, PersonRequest), ids=lambda kind: kind.__name__)
def test_every_question_and_every_errand_has_a_function_of_its_own(kind: type) -> None:
    assert handler_of(kind) is not command


def test_every_question_about_one_game_is_declared_once() -> None:
    asked = [one.asked for one in acts() if isinstance(one, Ask)]
    assert len(asked) == len(set(asked)) and set(asked) == set(below(AboutGame)) == set(ASKS)


def test_no_file_of_acts_leans_on_another() -> None:
    """What two of them need is a rule of the game, or a part of letters: an act can be taken out by taking its file."""
    for path in Path(judge.acts.__path__[0]).glob("*.py"):
        named = re.findall(r"^from judge\.acts\.(\w+) import", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert set(named) <= {"declared"}, path.name


def test_every_act_that_is_the_gamemasters_can_be_taken_back_or_says_why_not() -> None:
    theirs = [one for one in acts() if isinstance(one, Act) and one.may is not May.ANYBODY and one.verb is not None]
    assert theirs and all(one.undo is not None for one in theirs)


@pytest.mark.parametrize("kind", below(Command), ids=lambda kind: kind.__name__)
def test_every_command_to_a_game_is_answered(kind: type) -> None:
    assert callable(handler_of(kind))


def test_two_functions_cannot_answer_one_request() -> None:
    with pytest.raises(ValueError, match="MyGames is answered for twice"):

        @answers
        def again(heard: HeardMail, said: ReadRequest, _: MyGames) -> Result:
            raise NotImplementedError
