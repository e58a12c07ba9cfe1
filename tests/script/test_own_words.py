"""Sentences of newcomers: every question is answered, every wish is asked back, and chatter stays chatter.

The tables of `judge.mail.script.phrases` are swept in every dressing that people give a sentence; what stands here is
what they say, not what the tables have.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.acts.records import ShowDue
from judge.game.core.commands import Leave, SendPress
from judge.game.talk.ballots import ProposeDraw
from judge.mail.queries import Query
from judge.mail.script import Script, ScriptContext
from judge.mail.vocabulary.anyone import Help, ListGames, ShowStatus
from judge.mail.vocabulary.help import find_page
from judge.mail.vocabulary.player import JoinGame
from tests.script.conftest import ReadMail

DRESSED = ("{}", "Hello judge, {}", "Hi! {}", "{} Thanks!", "Sorry, {}", "Dear judge,\n\n{}\n\nRegards,\nTom", "  {}  ")

ASKS_STATUS = """Which country do I play?|what power am I|Who do I play in this game?|Which units do I have?
Where are my units?
What do I have?|Is it too late to send my orders?|Am I too late?|Is it still possible to send orders?
Can I still send orders?
Have I missed the deadline?|How much time do I have left?|How long do we have?|When does the turn end?
When are orders due?
When is the next deadline?|When do we start?|what’s the deadline?|Who else plays?|Who are the other players?
Has everybody sent their orders?|Who are we waiting for?|How many players are missing?
When will the results come out?"""

ASKS_HELP = {
    "changing": "Can I change my orders?|May I still change my mind?|Could I correct my orders later?"
    "|What if I made a mistake?",
    "late": "What happens if I don't send any orders?|What happens if I miss the deadline?|What if I am late?"
    "|what happens when somebody forgets to order?|What happens if I do nothing?",
    "orders": "Can the other players see my orders?|Do they see what I order?|Are my orders secret?",
    "": "Can you help me?|What can I do now?|What should I write?|I don't understand anything."
    "|I'm lost.|Please help me!"
    "|I need help.|I have no idea what to do here.|Help!",
    "first steps": "I'm new here.|This is my first game.|I am a complete beginner.",
    "diplomacy": "How does this game work?|What are the rules of the game?",
}

WISHES = {
    "perhaps-draw": "I propose a draw.|I'd like to propose a draw|Let's call it a draw|Shall we call it a draw?"
    "|I suggest a draw to everybody|How about a draw?|We propose a three-way draw",
    "perhaps-leave": "I have to stop playing.|I can't play any more.|I can no longer play, my boss is mad"
    "|I want to leave the game|"
    "I'm quitting.|I must drop out, sorry.|Please find a replacement for me"
    "|I need to quit the game because of my job",
    "perhaps-away": "I'll be on holiday from 10 to 20 December.|I am going abroad next week"
    "|We are away from 3 December to 9 December",
    "no-unit": "Support my ally.|Swap my two armies|Attack the French|Defend the capital!",
}

CHATTER = """I like the draw of this game.|A draw is a boring result.|Nobody wants a draw.|I will not quit.
If Italy attacks, I quit.
I never leave.|The holiday was nice.|My friend is new here.|You are late with the results again
I can't play football this week
Who said that?|When I was young we had stamps.|What a game!|I don't play chess.|Which is the best opening, I wonder
I understand everything now.|Support is what I need in life|The deadline of my thesis is near
What about the weather?"""


IN_PLAIN_WORDS = """
    asks Resend | what did Italy do last turn; show last turn's results again; I lost the last results, please resend.
    asks Help | what does (VIII) mean?; what does "void" mean?; what other maps do you have?; can I have the map as svg?
    asks Help | can I have the map bigger?
    asks ShowStatus | what season is it?; what year is it?; what happens now?; what next?; what do I have to do?
    asks ListGames | which games are there?
    told my format text | send me plain text only; please stop sending me html mail; no more html please
    told my format no maps | no pictures please; stop sending me pictures
    told wait | don't process yet; no wait, I'm not ready
    told ready | you can process; I am done for this turn; cancel my wait
    told nay | I take back my vote.; I take back my proposal.; withdraw my draw proposal
    told aye | I accept the draw; I am in favour of the draw.
    told substitute wanted | I need a substitute for two weeks; please find someone to cover for me next week
    told leave | I resign, sorry. Too much to do.; I resign; I quit, sorry.; Surrender.; I step down.
    told leave | I can't go on playing
    told press | ask all three to wait; tell Germany that I agree
    gm told rollback Spring 1901 | I made a mistake: please go back to Spring 1901
    gm told process | don't wait for Italy any longer; please process now
    gm told vacate Italy | Italy needs a new player
    asks History | what were the results of Spring 1901?; can I see everybody's orders?; what happened last turn?
    asks HouseRules | which press is allowed?; is this game anonymous?; are we allowed to write to each other?
    asks HouseRules | what rules are we using?; when does the game end?; send me the rules
    asks HouseRules | is it allowed to have a private chat with Germany?
    asks Archive | may I have the whole press?
    asks Ratings | what's my rating?; how reliable are the others?
    asks ShowGoal | how do I win?
    asks ShowMap | I want to see the map; send the map again
    asks ShowDue | how long until the next turn?
    asks Help | how do convoys work in this game?; how do I vote?; how do I send a message to Austria?
    asks Help | can I get reminders earlier?
    asks ShowOrders | what did I order?; show me what you have on file for me; did you get my orders?; are my orders ok?
    asks ShowStatus | how many centres does Turkey have?; who is winning?; who hasn't sent orders yet?; who won?
    asks ShowStatus | what votes are open?; is there a vote going on?; who has voted so far?; is my game still running?
    asks ShowStatus | who played Turkey?; could you tell me where everybody's units are?; who's playing England?
    asks Extend | can you extend the deadline by two days please; I need more time
    told press to GM | who is the GM?; I want to talk to the gamemaster; what's the email address of the gamemaster
    told new password | I forgot my password
    told appeal LINE | the adjudication is wrong: my army in Paris should have moved
    told substitute wanted | somebody else will play for me, her address is eve@new.test
    told substitute wanted | I give France to my brother Bob
    told substitute wanted | could someone fill in for me until I am back
    told away | I'm away next week until Friday; I will be away from tomorrow, back on the 9th
    told aye | count me in for the draw; I agree to the draw proposal
    told nay | no draw from me
    told clear | scrap all my orders; delete everything I sent
    told draw | let's end this as a draw
    told extension | I can't send orders before Monday; my wife had a baby, I need a week off
    told extension 1d | could we have another day?
    told extension 24h | give me 24 hours more
    told forget me | delete my data
    told my address tom@new.test | I have a new email address: tom@new.test; please change my address to tom@new.test
    told my format no maps | I would rather not have the pictures
    told my format text | please use plain text for my mails
    told my name Tim Brown | my new name should be Tim Brown; my name is now Tim Brown
    told my zone New York | show times in New York time
    told my zone London | I'd like all times in London time
    told pause my reminders | stop reminding me
    told press to Italy: let us be friends | send this to Italy: let us be friends
    told press to Russia: I will support you | please pass on to Russia: I will support you
    told ready | go ahead without me; I'm happy with my orders; I'm ready, go
    told undo | let me take back my last mail; undo what I just did; I sent the wrong orders, take them back
    told wait | don't process until I say so; hold on, don't run it yet
    before asks ShowStatus | who has joined so far?; how many players are still needed?
    before told leave | I changed my mind, I don't want to play; count me out
    before told prefer | anything but Italy; I don't want to be Austria; I'd like to play Turkey
    before told join | can my friend sue@new.test join too?
    gm told amend as | there is an error in the results, A Par - Bur should have bounced
    gm told orders of POWER | show me all the orders
    gm told orders of Germany | show me Germany's orders; what orders has Germany sent?
    gm asks OrdersOf | show me the orders of Germany
    gm told deadline 12 March | move the deadline to 12 March
    gm told end game by agreement | make it a draw of all; the game is over, France wins
    gm told end game abandoned | cancel the game; finish the game, nobody wins
    gm told extend one day | everyone has one more day
    gm told extend one week | push everything back a week
    gm told extend two days | give them two more days
    gm told hand over to ann@new.test | I want to hand the game over to Ann, ann@new.test
    gm told deputy bob@new.test until | bob@new.test should be my deputy while I'm away
    gm told hold | stop the game for now; please freeze the game over Christmas
    gm told press to all: I am away next week | tell the players that I am away next week
    gm told resend | send the results again to everyone
    gm told resume | let the game go on
    gm told set broadcast_press yes | allow broadcasts
    gm told set moves Tuesday at 20:00 | deadlines every Tuesday at 20:00
    gm told set nmr hold | switch off the grace
    gm told vacate Germany | Germany never answers, find somebody else; throw Germany out
    gm before told set access private | make it a private game
    gm before told start | let's begin; draw the powers at random
    gm before told victory 15 | 15 centres are enough to win
    stranger asks Help | can I watch tannenburg?; I'd like to take over a country; put me on the waiting list
    stranger asks Help | how can I start my own game?; what do I have to do as editor?
    stranger asks ListGames | what games are open?; is there a game I can join?
    stranger told standby off | I don't want to be a standby any more
    stranger told unobserve | I want to stop watching; please don't send me this game any more
    """

SENTENCES = tuple(
    text for row in IN_PLAIN_WORDS.splitlines() if row.strip() for text in row.partition(" | ")[2].split("; ")
)
"""All sentences of the table."""


def test_what_is_said_in_plain_words_is_understood_or_answered_with_the_line_for_it(
    mail: ReadMail, player: ScriptContext, gm: ScriptContext, stranger: ScriptContext
) -> None:
    speakers = {
        "gm before": replace(gm, position=None),
        "gm": gm,
        "before": replace(player, position=None, powers=()),
        "stranger": stranger,
        "": player,
    }
    wrong = []
    for row in filter(None, map(str.strip, IN_PLAIN_WORDS.splitlines())):
        what, _, sentences = row.partition(" | ")
        who = next(one for one in speakers if what.startswith(f"{one} ") or not one)
        kind, _, line = what.removeprefix(who).strip().partition(" ")
        for text in sentences.split("; "):
            script = mail(text, to=speakers[who])
            asked = [type(one).__name__ for one in _asked(script)]
            told = " ".join(f"{one.sentence} {' '.join(one.candidates)}" for one in script.unread)
            said = line in told or line in [one.verb for one in script.said]
            if not (asked == [line] if kind == "asks" else said):
                wrong.append(f"{text!r} wants {what}: {asked} {told}")
    assert not wrong, "\n".join(wrong)


def test_a_wish_that_nobody_foresaw_is_told_what_comes_near_it(mail: ReadMail, gm: ScriptContext) -> None:
    rows = (
        ("send my results as plain text please", None, "`my format"),
        ("I need to replace the player of Austria", gm, "`vacate Austria-Hungary`"),
        ("show what the turn would bring", gm, "`preview`"),
    )
    for text, speaker, line in rows:
        (one,) = (mail(text, to=speaker) if speaker else mail(text)).unread
        assert line in f"{one.sentence} {[f'`{offer}`' for offer in one.candidates]}", (text, one.sentence)


def _asked(script: Script) -> list[object]:
    return [said.request for said in script.said]


def _sentences(table: str) -> list[str]:
    return table.replace("\n", "|").split("|")


@pytest.mark.parametrize("dress", DRESSED)
def test_what_a_glance_at_the_game_answers_is_answered_with_its_status(dress: str, mail: ReadMail) -> None:
    found = {text: _asked(mail(dress.format(text))) for text in _sentences(ASKS_STATUS)}
    answers = ([ShowStatus(game="tannenburg")], [ShowDue()])
    assert {text: asked for text, asked in found.items() if asked not in answers} == {}
    assert found["When are orders due?"] == [ShowDue()]  # a date is answered with a date


@pytest.mark.parametrize("topic", ASKS_HELP)
@pytest.mark.parametrize("dress", DRESSED)
def test_what_a_page_of_help_answers_is_answered_with_that_page(topic: str, dress: str, mail: ReadMail) -> None:
    for text in _sentences(ASKS_HELP[topic]):
        (asked,) = _asked(mail(dress.format(text)))
        assert isinstance(asked, Help), text
        assert find_page(asked.topic) == find_page(topic), text


@pytest.mark.parametrize("reason", WISHES)
@pytest.mark.parametrize("dress", DRESSED)
def test_a_wish_in_plain_words_does_nothing_and_is_asked_back(reason: str, dress: str, mail: ReadMail) -> None:
    for text in _sentences(WISHES[reason]):
        script = mail(dress.format(text))
        assert [one.reason for one in script.unread] == [reason], text
        assert all(isinstance(request, Query) for request in _asked(script)), text


@pytest.mark.parametrize("text", _sentences(CHATTER))
def test_what_only_sounds_like_it_is_left_alone(text: str, mail: ReadMail) -> None:
    script = mail(text)
    assert not any(isinstance(one, (ProposeDraw, Leave)) for one in _asked(script))
    assert not {one.reason for one in script.unread} & set(WISHES)


def test_what_is_offered_for_a_wish_does_it(mail: ReadMail) -> None:
    (asked,) = mail("I'll be on holiday from 10 to 20 December.").unread
    assert asked.candidates == ("away 10 December to 20 December",)
    assert mail("1", choices=asked.candidates).said
    (asked,) = mail("I propose a draw.").unread
    (vote,) = _asked(mail("1", choices=asked.candidates))
    assert isinstance(vote, ProposeDraw)


def test_in_an_answer_to_press_a_wish_is_for_whoever_wrote_it(mail: ReadMail) -> None:
    (asked,) = mail("I propose a draw.", press="press to Germany").unread
    assert asked.reason == "unsent"


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("I'd like to join verdun please. My name is Tom.", JoinGame("verdun")),
        ("Hello, I would like to play in Verdun as Italy.", JoinGame("verdun", (("ITALY",),))),
        ("I want to take part in verdun!", JoinGame("verdun")),
        ("Can I join verdun?", ListGames()),
        ("I'd like to play.", ListGames()),
        ("Please sign me up for the next game", ListGames()),
        ("Guten Tag, ich möchte gern mitspielen.", ListGames()),
        ("I'd like to join verdun if my wife agrees.", ListGames()),
        ("When does verdun start?", ShowStatus(game="verdun")),
        ("How many players are missing?", ListGames()),
    ],
    ids=str,
)
def test_a_stranger_who_wants_to_play_is_heard(
    text: str, request_: object, mail: ReadMail, stranger: ScriptContext
) -> None:
    assert _asked(mail(text, to=stranger)) == [request_]


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Dear GM,\n\nHow does support work?", ""),
        ("Can I change my orders?", "A question for the GM"),
        ("GM, what happens if I don't order?", ""),
        ("Hello Gamemaster,\nis it too late to send my orders?", ""),
    ],
)
def test_a_question_to_the_gamemaster_goes_there_whatever_it_is_about(text: str, subject: str, mail: ReadMail) -> None:
    asked = _asked(mail(text, subject=subject))
    (letter,) = (one for one in asked if isinstance(one, SendPress))
    assert letter.to == ("GM",)
    assert text.splitlines()[-1] in letter.text


def test_before_the_start_a_power_is_wished_for_and_not_taken(mail: ReadMail, player: ScriptContext) -> None:
    (asked,) = mail("Can I be France?", to=replace(player, position=None, powers=())).unread
    assert asked.candidates == ("prefer France",)
