"""Leaving a list by one click (RFC 8058): the link in the letter, the listener behind it, and that nothing is lost."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.config import Config
from judge.daemon.wires import make_wires
from judge.service.core.directory import topic_of
from judge.service.intake.door import Door
from judge.service.posting.outgoing import OneClick
from judge.store import InboxWriter
from judge.store.rows import MailState
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import AUTHSERV, GM
from judge.transport.listener import Endpoint
from judge.transport.ports import Arrival, TemporaryTrouble
from tests.service.conftest import kind_of, last_mail, person_of
from tests.service.posting.test_signing import signing, verified

ENGLAND, FRANCE = player_of("ENGLAND"), player_of("FRANCE")
OLGA = "olga@else.test"
URL = "https://judge.example.org/mail"


def clickable(var: Path) -> Config:
    """A judge that signs its letters and answers by HTTP."""
    return replace(signing(var), http_listen="127.0.0.1:0", http_url=URL, authserv_id=AUTHSERV)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[LocalJudge]:
    """A running game, and Olga who looks on."""
    stage = LocalJudge(tmp_path, config=clickable)
    seat_everybody(stage, "baltic")
    stage.begin()
    stage.send(OLGA, "observe baltic")
    yield stage
    stage.close()


@pytest.fixture
def web(stage: LocalJudge) -> Iterator[Endpoint]:
    """Where the judge of the stage listens for clicks."""
    with InboxWriter(stage.judge.store) as writer:
        door = Door(stage.judge, writer)
        wires = make_wires(stage.judge, door)
        wires.start(stage.judge.config)
        yield wires.endpoints["http"]
        wires.stop(grace=1.0)
        door.close()


def news(stage: LocalJudge) -> ReceivedLetter:
    """A letter that goes to everybody, as Olga gets it."""
    stage.send(ENGLAND, "press to all\nTo whom it may concern", subject="baltic")
    return [letter for letter in stage.inbox(OLGA) if kind_of(letter) == "press"][-1]


def link_of(letter: ReceivedLetter) -> str:
    return letter.header("List-Unsubscribe").rpartition("<")[2].rstrip(">")


def token_of(letter: ReceivedLetter) -> str:
    return link_of(letter).rpartition("/")[2]


def click(web: Endpoint, letter: ReceivedLetter, method: str = "POST") -> int:
    """What a mail program does when its reader presses Unsubscribe; the web server has taken its own part off."""
    line = http.client.HTTPConnection(web.host, web.port, timeout=60)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    line.request(method, link_of(letter).removeprefix(URL), "List-Unsubscribe=One-Click", form)
    status = line.getresponse().status
    line.close()
    return status


def observers(stage: LocalJudge) -> int:
    with stage.judge.store.read() as view:
        return len(view.lists.subscribers(topic_of("baltic")))


def test_an_onlookers_letter_offers_both_ways_and_its_signature_covers_them(stage: LocalJudge) -> None:
    letter = news(stage)
    assert letter.header("List-Unsubscribe-Post") == "List-Unsubscribe=One-Click"
    mail, link = letter.header("List-Unsubscribe").split(", ")
    assert mail == f"<mailto:judge+{token_of(letter)}@judge.test?subject=unsubscribe>"
    assert link == f"<{URL}/u/{token_of(letter)}>"
    assert verified(letter.raw)
    assert not verified(letter.raw.replace(URL.encode(), b"https://evil.example"))
    assert not verified(letter.raw.replace(b"List-Unsubscribe-Post:", b"X-Nothing:"))


def test_letters_to_a_seat_offer_nothing_to_click(stage: LocalJudge) -> None:
    news(stage)
    for letter in stage.inbox(FRANCE):
        assert not letter.header("List-Unsubscribe") and not letter.header("List-Unsubscribe-Post")


def test_a_click_ends_the_subscription_and_is_told_by_letter(stage: LocalJudge, web: Endpoint) -> None:
    letter = news(stage)
    assert click(web, letter, "GET") == 200 and observers(stage) == 1
    assert click(web, letter) == 200
    assert (last_mail(stage).state, last_mail(stage).source) == (MailState.NEW, "http")
    stage.settle()
    assert observers(stage) == 0
    assert "ended" in stage.inbox(OLGA)[-1].subject
    count = len(stage.inbox(OLGA))
    stage.send(ENGLAND, "press to all\nOnce more", subject="baltic")
    assert len(stage.inbox(OLGA)) == count


def test_a_hundred_clicks_are_one_wish(stage: LocalJudge, web: Endpoint) -> None:
    letter = news(stage)
    before = last_mail(stage).id
    assert {click(web, letter) for _ in range(20)} == {200}
    stage.settle()
    assert {click(web, letter) for _ in range(20)} == {200}
    stage.settle()
    assert last_mail(stage).id == before + 1
    assert len([one for one in stage.inbox(OLGA) if "has ended" in one.subject]) == 1


def test_whoever_comes_back_can_leave_again_with_the_same_link(stage: LocalJudge, web: Endpoint) -> None:
    letter = news(stage)
    click(web, letter)
    stage.settle()
    stage.advance(timedelta(seconds=5))
    stage.send(OLGA, "observe baltic")
    assert observers(stage) == 1
    click(web, letter)
    stage.settle()
    assert observers(stage) == 0


def test_a_wish_that_was_acknowledged_survives_the_death_of_the_judge(stage: LocalJudge, web: Endpoint) -> None:
    click(web, news(stage))
    stage.restart()
    assert observers(stage) == 0


@pytest.mark.parametrize("arrow", ["before-desk-commit", "after-desk-commit"])
def test_and_is_told_once_wherever_it_dies(stage: LocalJudge, web: Endpoint, arrow: str) -> None:
    letter = news(stage)
    click(web, letter)
    stage.kill_at(arrow)
    stage.settle()
    assert stage.dead
    stage.restart()
    assert observers(stage) == 0
    assert len([one for one in stage.inbox(OLGA) if "has ended" in one.subject]) == 1


class Shut:
    """A door that stores nothing."""

    def __init__(self) -> None:
        self.mails: list[Arrival] = []

    def knows(self, recipient: str, /) -> bool:
        return True

    def answers(self, sender: str, /) -> bool:
        return True

    def take(self, mail: Arrival, /) -> Future[bool]:
        self.mails.append(mail)
        future: Future[bool] = Future()
        future.set_exception(TemporaryTrouble("full"))
        return future


def test_other_tokens_and_inventions_reach_no_door(stage: LocalJudge) -> None:
    shut = Shut()
    wishes = OneClick(stage.judge, shut)
    seat = stage.inbox(FRANCE)[0].reply_to.partition("+")[2].partition("@")[0]
    forged = token_of(news(stage))[:-1] + "2"
    for token in (seat, forged, "a" * 31, "", "ß"):
        assert wishes.wish(token) is None
    assert not shut.mails
    pending = wishes.wish(token_of(news(stage)))
    assert isinstance(pending, Future) and isinstance(pending.exception(), TemporaryTrouble)
    assert "judge+" not in shut.mails[0].transport_key and person_of(stage, OLGA).id


def test_whoever_is_invited_ends_all_invitations_by_a_click_that_says_no_as_well(
    stage: LocalJudge, web: Endpoint
) -> None:
    seat_everybody(stage, "narvik", stage="open")
    stage.send(GM, "invite anna@club.test", to="judge+narvik@judge.test")
    (letter,) = stage.inbox("anna@club.test")
    assert letter.header("List-Unsubscribe-Post") == "List-Unsubscribe=One-Click"
    assert letter.header("List-Unsubscribe").startswith("<mailto:judge+") and verified(letter.raw)
    assert click(web, letter) == click(web, letter) == 200
    stage.settle()
    assert "You get no more invitations from this judge" in stage.inbox("anna@club.test")[-1].text
    assert len(stage.inbox("anna@club.test")) == 2
    assert "anna@club.test has said no to your invitation" in " ".join(stage.inbox(GM)[-1].text.split())
    (known,) = stage.game("narvik").gathering.invitations.values()
    assert known.state == "declined"
    stage.send(GM, "invite anna@club.test", to="judge+narvik@judge.test")
    assert len(stage.inbox("anna@club.test")) == 2


def test_news_of_games_end_by_a_click_and_the_game_observed_stays(stage: LocalJudge, web: Endpoint) -> None:
    seat_everybody(stage, "narvik", stage="open")
    stage.send(OLGA, "hear of games")
    stage.send(OLGA, "observe narvik")
    stage.send(GM, "advertise", to="judge+narvik@judge.test")
    letter = stage.inbox(OLGA)[-1]
    assert "players wanted" in letter.subject
    assert click(web, letter) == 200
    stage.settle()
    assert "You get no more news of games that look for players" in stage.inbox(OLGA)[-1].text
    with stage.judge.store.read() as view:
        topics = {row.topic for row in view.lists.subscriptions(person_of(stage, OLGA).id)}
    assert topics == {topic_of("baltic"), topic_of("narvik")}
