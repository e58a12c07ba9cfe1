"""Long lines that tell the judge to do something: what is not understood is asked back, never passed over.

Passed over, such a line would stand as "ignored" below "DONE - all that you asked for". Prose that happens to begin
with the same words is none of it, and a line that a mail program broke off a sentence neither.
"""

from __future__ import annotations

import textwrap

import pytest

from judge.mail.script import ScriptContext
from tests.script.conftest import ReadMail

PLAYERS = """
clear all my orders for this turn because I want to start over
wait for me because I am going to be late this time
draw with England, France and Germany, I would like to propose that now
propose a draw between all the survivors of this long and boring game
resign from the game because I have got no time for it any more
I resign because my new job leaves me no time for games
ready to process as soon as everybody else has sent their orders
same orders as last turn but with the fleet going to Belgium instead
replace my orders with the ones that I sent you on Tuesday
use the plan that I made for the case that Italy attacks me
vote yes to the draw that England has proposed to all of us
vote no to the extension and yes to the draw please
concede the game to Turkey unless somebody else has a better idea
recall the press that I sent to England this morning, please do
proxy my orders to Italy until I am back from my holiday next week
observe the game baltic from now on and send me all reports
subscribe me to the reports of the game that is called verdun
stop sending me reminders every four hours, they are driving me mad
send me the map of the last turn as a picture please
show me the results of the last turn again because I lost them
resend the results of Spring 1901 because I have deleted them by mistake
away from Friday until Monday next week because of a family wedding
split the winter from the fall retreats this year please, if you can
export the game as a file that my own program is able to read
""".strip().splitlines()
MASTERS = """
process the turn as soon as England's orders have come in please
process now because everybody has sent orders and nobody wants to wait
deadline should move to next Friday because Christmas is in between
hold the game until all of the players are back from their holidays
rollback the last turn because I made a mistake with the deadline
amend the results of last turn: the army in Munich was dislodged
assign Italy to carla@players.test because Peter does not answer any more
nudge please send your orders, we all wait for them since Monday
nudge everybody please, the orders are late for the third time now
remind Italy and Turkey that their orders are due tomorrow at noon
change the deadline of this turn to next Tuesday at noon please
start the game as soon as the seventh player has joined us
open the game to everybody and tell the observers that it is open
reveal the names of the players now that the game is over
undo the deadline that I set an hour ago, it was wrong
reopen the game, it was ended by mistake and the players want to go on
carry the vote on the draw although Turkey has not voted yet
deputy for the next two weeks is dora@deputy.test, I am on holiday
civil disorder for Italy because he has sent nothing for three turns
import the position of the game that we have played so far elsewhere
advertise the game to all the people who asked for new games
close the vote on the extension, everybody has had enough time for it
""".strip().splitlines()
PROSE = """
Draw or not, who cares about that any more in this world?
Press on, everyone, and we shall win the day in the end
Hold on, I have an idea that you will all like very much
Wait, what did you mean when you wrote about Belgium and Holland?
Back home now after a long trip through the mountains of Norway
Ready or not, here I come, dear friends of the great game
Draw is what I think of when I see this position, honestly
Status quo is fine with all of us, or so I think
""".strip().splitlines()
LETTERS = (
    """Dear Sultan, I have thought about what you wrote and I would rather leave the army where it is for now, because I
    cannot afford to send the fleet to the north while England is still so strong, and if you hold the line in the
    Balkans I will propose a draw to everybody next year. We can use the time until then to make the others believe that
    we are enemies, and I shall take the blame for whatever goes wrong.""",
    """Hi all, I will not have the time to watch the game as closely as before, because my job makes me travel a lot, so
    do not wait for long letters from me. I shall start with the new job on Monday and end the travelling in March, and
    until then I will list my ideas in short letters and close them with a smile.""",
)


@pytest.mark.parametrize("line", PLAYERS)
def test_a_player_is_answered_however_long_the_wish(line: str, mail: ReadMail) -> None:
    script = mail(f"{line}\nA Par - Bur")
    assert script.unread or len(script.said) > 1, [ignored.why for ignored in script.ignored]


@pytest.mark.parametrize("line", MASTERS)
def test_a_gamemaster_is_answered_however_long_the_wish(line: str, mail: ReadMail, gm: ScriptContext) -> None:
    script = mail(f"{line}\nset grace 3d", to=gm)
    assert script.unread or len(script.said) > 1, [ignored.why for ignored in script.ignored]


def test_words_without_a_colon_are_offered_with_one(mail: ReadMail, gm: ScriptContext) -> None:
    script = mail("nudge please send your orders, we all wait for them", to=gm)
    assert script.unread[0].candidates == ("nudge", "nudge: please send your orders, we all wait for them")


@pytest.mark.parametrize("line", PROSE)
def test_prose_that_begins_with_such_a_word_is_passed_over(line: str, mail: ReadMail) -> None:
    script = mail(f"{line}\nA Par - Bur")
    assert not script.unread and len(script.said) == 1


@pytest.mark.parametrize("width", [60, 66, 72, 78])
@pytest.mark.parametrize("letter", LETTERS, ids=["to-a-sultan", "of-a-traveller"])
def test_a_line_that_goes_on_with_a_sentence_asks_for_nothing(letter: str, width: int, mail: ReadMail) -> None:
    broken = textwrap.fill(" ".join(letter.split()), width)
    script = mail(f"A Par - Bur\n\n{broken}")
    assert not script.unread and len(script.said) == 1
