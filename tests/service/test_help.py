"""The help as its readers get it: every word of every command can be told from what is said of it."""

import re

from judge.testing.casting import player_of
from judge.testing.stage import Playhouse
from tests.service.conftest import kind_of

FRANCE = player_of("FRANCE")


def test_the_name_of_a_command_never_runs_into_its_explanation(table: Playhouse) -> None:
    table.send(FRANCE, "help")
    text = table.inbox(FRANCE)[-1].text
    assert kind_of(table.inbox(FRANCE)[-1]) == "help"
    assert "\n  pause my reminders\n" in text
    assert re.findall(r"^ +[a-z ]+[a-z][A-Z]\w*", text, re.MULTILINE) == []
