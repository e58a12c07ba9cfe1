"""A Gamemaster writes as people do; nothing is done by it, and the line that does it is offered."""

from __future__ import annotations

import pytest

from judge.mail.script import ScriptContext
from tests.script.conftest import ReadMail

OFFERED = [
    ("please hold the game until Sunday, Germany is in hospital", "hold until Sunday"),
    ("Could you please suspend the game for two weeks?", "hold for two weeks"),
    ("We need to pause the game because of the holidays.", "hold"),
    ("please extend the deadline by two days because of the storm", "extend two days"),
    ("Hi judge, could you postpone the turn by 3 days? Italy's computer broke.", "extend 3 days"),
    ("Let England have two more days", "extend two days"),
    ("Could you move the deadline to Sunday 20:00?", "deadline Sunday 20:00"),
    ("I'd like to set the new deadline to 12 March 2027, please.", "deadline 12 March 2027"),
    ("Change the deadline to every Sunday 20:00", "set moves Sunday 20:00"),
    ("Make retreats 24 hours", "set retreats 24 hours"),
    ("please replace France with bob@friends.test, he starts in the next season", "assign France to bob@friends.test"),
    ("bob@friends.test takes over France from now on.", "assign France to bob@friends.test"),
    ("Make bob@friends.test my deputy until 1 May, please.", "deputy bob@friends.test until 1 May"),
    ("I want to hand the game over to carla@friends.test.", "hand over to carla@friends.test"),
    ("Please cancel the game, nobody plays any more.", "end game abandoned"),
    ("Turn off press", "set press none"),
    ("Set the press to gunboat", "set press none"),
    ("Send everybody a reminder", "nudge"),
    ("Please send out a reminder, they are asleep.", "nudge"),
    ("Remind Italy please", "nudge Italy"),
    ("Run the turn now", "process"),
    ("Please un-pause the game", "resume"),
    ("Oops, undo my last command", "undo"),
]
"""What is written, and the line that is offered."""
CHATTER = [
    "I hope that everybody enjoys the game.",
    "Germany told me that he is in hospital.",
    "The game is going well, don't you think so?",
    "Bob asked me whether the deadline could be moved.",
    "I don't want to end the game yet.",
    "We should not extend the deadline.",
]


@pytest.mark.parametrize(("sentence", "line"), OFFERED)
def test_the_line_that_does_it_is_offered(sentence: str, line: str, mail: ReadMail, gm: ScriptContext) -> None:
    script = mail(f"{sentence}\n", to=gm)
    done = [one.verb for one in script.said]
    assert done or [one.candidates for one in script.unread] == [(line,)]
    assert not done or line.startswith(tuple(done)), "something else is done"


@pytest.mark.parametrize("sentence", CHATTER)
def test_what_only_speaks_of_it_does_and_offers_nothing(sentence: str, mail: ReadMail, gm: ScriptContext) -> None:
    script = mail(f"{sentence}\n", to=gm)
    assert not script.said
    assert not script.unread
