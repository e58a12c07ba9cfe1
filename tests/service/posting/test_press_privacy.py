"""Unsigned press tells nothing about its author: the whole way from his mail to the bytes that others get."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from judge.game.core.events import PressSent
from judge.service.core.keeper import thaw
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import GM, RawMail
from tests.service.conftest import kind_of, last_mail
from tests.support.standing import seated


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LocalJudge]:
    """A game in which every colour of press is allowed."""
    stage = seated(tmp_path, {"press": "white, grey, black"})
    stage.begin()
    yield stage
    stage.close()


FRANCE, ENGLAND, ITALY = player_of("FRANCE"), player_of("ENGLAND"), player_of("ITALY")

TELLTALE = b"""\
Authentication-Results: mx.judge.test; dmarc=pass header.from=players.test
Received: from smtp.players.test ([203.0.113.8]) by mx.judge.test; Fri, 01 Mar 1901 22:01:03 +1000
Received: from laptop.marianne-home.fr ([203.0.113.9]) by smtp.players.test; Fri, 01 Mar 1901 22:01:02 +1000
DKIM-Signature: v=1; d=players.test; s=marianne; h=from:to:subject:date; b=AAAA
From: "M. de la Tour" <france@players.test>
Sender: secretary@tour-family.test
Reply-To: tour@private.test
To: judge@judge.test
Subject: baltic
Date: Fri, 01 Mar 1901 22:01:02 +1000
Message-ID: <20010301.tell.tale@marianne-home.fr>
In-Reply-To: <earlier@marianne-home.fr>
References: <earlier@marianne-home.fr>
User-Agent: RareMailer/0.3 (AmigaOS)
X-Originating-IP: [203.0.113.9]
X-Mailer: RareMailer
Organization: Tour et Fils
Content-Language: fr-AU
Disposition-Notification-To: tour@private.test
List-Unsubscribe: <mailto:tour@private.test>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="tell-tale-boundary"

--tell-tale-boundary
Content-Type: text/plain; charset=iso-8859-15; format=flowed; delsp=yes
Content-Transfer-Encoding: quoted-printable

press %(colour)s to England, Italy
The Channel is =A4 worth nothing.

Let us talk.
endpress
--=20
Marianne, 12 rue de la Tour
+33 1 2345
> On Thursday the secretary wrote:
> quoted tail
--tell-tale-boundary
Content-Type: image/jpeg; name="marianne.jpg"
Content-Transfer-Encoding: base64

TUFSSUFOTkU=
--tell-tale-boundary--
"""

SECRETS = (
    "marianne", "tour", "203.0.113", "rare", "amiga", "tell", "+1000", "22:01", "iso-8859", "flowed", "jpeg", "rue de",
    "2345", "quoted tail", "france@", "fr-au", "earlier", "secretary", "dkim",
)  # fmt: skip
"""Whatever stands in the author's mail beside his words."""


def say(stage: LocalJudge, colour: str = "black as Rome") -> None:
    """France's mail with every telltale in it."""
    headless = TELLTALE.replace(b"List-Unsubscribe: <mailto:tour@private.test>\n", b"")
    raw = headless.replace(b"%(colour)s", colour.encode()).replace(b"\n", b"\r\n")
    stage.offer(RawMail(raw, FRANCE, ("judge@judge.test",)))


def alike(letter: ReceivedLetter) -> list[bytes]:
    """The lines of a letter but for those that differ from any letter to any other."""
    names = (b"Date:", b"Message-ID:", b"In-Reply-To:", b"References:", b" boundary=", b"--=_")
    return [line for line in letter.raw.split(b"\r\n") if not line.startswith(names)]


def received(stage: LocalJudge, address: str) -> ReceivedLetter:
    return [letter for letter in stage.inbox(address) if kind_of(letter) == "press"][-1]


@pytest.mark.parametrize("colour", ["grey", "black as Rome"])
def test_nothing_of_the_authors_mail_but_his_words_comes_through(table: LocalJudge, colour: str) -> None:
    say(table, colour)
    table.advance(timedelta(minutes=31))
    letter = received(table, ENGLAND)
    assert "| The Channel is € worth nothing." in letter.text and "| Let us talk." in letter.text
    whole = (letter.raw.decode("ascii", "replace") + letter.text).lower()
    assert not [secret for secret in SECRETS if secret in whole]
    assert "france" not in whole


@pytest.mark.parametrize("colour", ["grey", "black as Rome"])
def test_two_authors_letters_differ_in_nothing_but_what_they_must(table: LocalJudge, colour: str) -> None:
    letters = []
    for author in (FRANCE, player_of("RUSSIA")):
        table.send(author, f"press {colour} to England\nThe same words.", subject="baltic")
        table.advance(timedelta(minutes=31))
        letters.append(received(table, ENGLAND))
    one, two = (alike(letter) for letter in letters)
    assert one == two


def test_its_date_is_that_of_its_sending_and_its_identities_are_opaque(table: LocalJudge) -> None:
    written = table.now
    say(table)
    table.advance(timedelta(minutes=31))
    letter = received(table, ENGLAND)
    assert letter.message["Date"].datetime > written
    assert letter.header("Date").endswith("+0000")
    assert letter.message_id.endswith("@judge.test>") and "baltic" not in letter.message_id
    assert letter.header("References").endswith("@judge.test>") and "baltic" not in letter.header("References")


def test_it_comes_after_a_delay_that_differs_from_letter_to_letter(table: LocalJudge) -> None:
    say(table)
    assert all(kind_of(letter) != "press" for letter in table.everything())
    with table.judge.store.read() as view:
        waits = [letter.not_before - table.now for letter in view.letters.list(kind="press") if letter.not_before]
    assert len(set(waits)) == len(waits) == 2
    assert all(timedelta(minutes=1) <= wait <= timedelta(minutes=30) for wait in waits)


def test_each_reader_gets_a_letter_of_his_own(table: LocalJudge) -> None:
    say(table)
    table.advance(timedelta(minutes=31))
    sent = [parcel for parcel in table.post.tried if b"The Channel" in parcel.data]
    assert sorted(parcel.rcpt_to for parcel in sent) == [(ENGLAND,), (ITALY,)]
    assert len({parcel.mail_from for parcel in sent}) == 2
    assert ITALY not in received(table, ENGLAND).raw.decode("ascii")


def test_what_comes_back_ends_at_the_judge(table: LocalJudge) -> None:
    say(table)
    table.advance(timedelta(minutes=31))
    letter = received(table, ENGLAND)
    sender = next(parcel.mail_from for parcel in table.post.tried if parcel.data == letter.raw)
    before = len(table.inbox(FRANCE))
    table.send(ENGLAND, "I am away.", to=sender, headers={"Auto-Submitted": "auto-replied", "Return-Path": "<>"})
    table.send(ENGLAND, "I am away.", to=letter.reply_to, headers={"Auto-Submitted": "auto-replied"})
    assert last_mail(table).state == "ignored" and len(table.inbox(FRANCE)) == before


def test_the_reply_address_is_the_readers_own(table: LocalJudge) -> None:
    say(table)
    table.advance(timedelta(minutes=31))
    own = next(letter.reply_to for letter in table.inbox(ENGLAND) if kind_of(letter) == "started")
    assert received(table, ENGLAND).reply_to == own


@pytest.mark.parametrize("words", ["Regards, France (player france@players.test)", "Trust de la Montagne."])
def test_the_authors_name_in_his_words_is_asked_back_once(table: LocalJudge, words: str) -> None:
    def send() -> None:
        headers = {"From": f'"Amelie de la Montagne" <{FRANCE}>'}
        raw = f"press grey to England\n{words}"
        table.perform([("From", headers["From"]), ("Subject", "baltic")], raw)

    send()
    assert "It was not sent" in " ".join(table.inbox(FRANCE)[-1].text.split())
    table.advance(timedelta(minutes=31))
    assert not [letter for letter in table.inbox(ENGLAND) if kind_of(letter) == "press"]
    send()
    table.advance(timedelta(minutes=31))
    assert words.split()[0] in received(table, ENGLAND).text


def test_signed_press_may_hold_its_authors_name(table: LocalJudge) -> None:
    table.send(FRANCE, f"press to England\nWrite to me at {FRANCE}.", subject="baltic")
    assert FRANCE in received(table, ENGLAND).text


def test_nothing_passes_as_from_the_gamemaster_or_the_judge(table: LocalJudge) -> None:
    before = len(table.inbox(ENGLAND))
    for name in ("the Gamemaster", "GM", "Judge"):
        table.send(FRANCE, f"press black as {name} to England\nThe deadline is moved.", subject="baltic")
    table.advance(timedelta(minutes=31))
    assert len(table.inbox(ENGLAND)) == before


def test_the_gamemaster_can_see_the_author_in_the_log(table: LocalJudge) -> None:
    say(table)
    with table.judge.store.read() as view:
        events = [thaw(stored) for stored in view.events.load("baltic")]
    (sent,) = (event for event in events if isinstance(event, PressSent))
    assert table.game("baltic").seats[sent.by].powers == ("FRANCE",)
    assert all("The Channel" not in letter.text for letter in table.inbox(GM))


def test_in_an_anonymous_game_signed_press_that_names_its_author_is_asked_back_too(tmp_path: Path) -> None:
    stage = seated(tmp_path, {"anonymous": "yes"}, key="fog")
    stage.begin()
    stage.send(FRANCE, "press to England\nWrite to france@players.test and it says hello.", subject="fog")
    assert "It was not sent" in " ".join(stage.inbox(FRANCE)[-1].text.split())
    assert not any("says hello" in letter.text for letter in stage.inbox(ENGLAND))
    stage.close()


def fog(tmp_path: Path) -> LocalJudge:
    """A game in which nobody knows who plays."""
    stage = seated(tmp_path, {"anonymous": "yes"}, key="fog")
    stage.begin()
    return stage


@pytest.mark.parametrize(
    "signature",
    ["Best wishes,\nMarianne Latour", "M.\n+33 6 12 34 56 78", "mobile: 0170 1234567", "Write to marie@home.test.",
     "Viele Grüße\nKarl-Heinz Muster", "Cheers,\nAnna"],
)  # fmt: skip
def test_a_signature_in_signed_press_of_an_anonymous_game_is_asked_back_once(tmp_path: Path, signature: str) -> None:
    stage = fog(tmp_path / "fog")
    text = f"press to England\nShall we talk?\n\n{signature.replace('Karl-Heinz Muster', 'Karl Muster')}"
    stage.send(FRANCE, text, subject="fog")
    assert "It was not sent" in " ".join(stage.inbox(FRANCE)[-1].text.split())
    assert not any("Shall we talk" in letter.text for letter in stage.inbox(ENGLAND))
    stage.send(FRANCE, text, subject="fog")
    assert any("Shall we talk" in letter.text for letter in stage.inbox(ENGLAND))
    stage.close()


@pytest.mark.parametrize(
    "words", ["Yours,\nThe Sultan", "Best regards,\nFrance", "1901, 12 units, 34 centres.", "Cheers"]
)
def test_a_signature_in_character_passes(tmp_path: Path, words: str) -> None:
    stage = fog(tmp_path)
    stage.send(FRANCE, f"press to England\nShall we talk?\n\n{words}", subject="fog")
    assert any("Shall we talk" in letter.text for letter in stage.inbox(ENGLAND))
    stage.close()


def test_in_a_game_of_known_players_they_may_sign(table: LocalJudge) -> None:
    table.send(
        FRANCE, "press to England\nCall me.\n\nBest wishes,\nMarianne Latour\n+33 6 12 34 56 78", subject="baltic"
    )
    assert "+33 6 12" in received(table, ENGLAND).text


@pytest.mark.parametrize("colour", ["", "grey ", "black as Rome "])
def test_a_letter_of_ours_in_the_press_is_never_passed_on(table: LocalJudge, colour: str) -> None:
    """Quoted without marks, its first line lost: a whole receipt, with orders and check phrase."""
    table.send(FRANCE, "A Par - Bur", subject="baltic")
    receipt = "\n".join(table.inbox(FRANCE)[-1].text.splitlines()[1:])
    before = len(table.inbox(ENGLAND))
    for _ in range(2):
        table.send(FRANCE, f"press {colour}to England\nSee here:\n{receipt}\nend press", subject="baltic")
        assert "not sent" in " ".join(table.inbox(FRANCE)[-1].text.split())
    table.advance(timedelta(minutes=31))
    assert len(table.inbox(ENGLAND)) == before


def test_the_receipt_for_unsigned_press_says_when_it_goes_and_its_number(table: LocalJudge) -> None:
    table.send(FRANCE, "press grey to England\nThe same words.", subject="baltic")
    said = " ".join(table.inbox(FRANCE)[-1].text.split())
    when = "within 30 minutes, at a random moment, so that its time tells nothing about you"
    assert f'goes to England {when}. Until it has left, "recall 1"' in said
    table.send(FRANCE, "recall 1", subject="baltic")
    assert "Press 1 is recalled" in " ".join(table.inbox(FRANCE)[-1].text.split())
    table.advance(timedelta(minutes=31))
    assert not [letter for letter in table.inbox(ENGLAND) if kind_of(letter) == "press"]


@pytest.mark.parametrize("minutes", [25, 10, 4])
def test_unsigned_press_arrives_ahead_of_the_deadline_that_it_was_sent_ahead_of(
    table: LocalJudge, minutes: int
) -> None:
    deadline = table.game("baltic").deadline
    assert deadline is not None
    table.advance(to=deadline.at - timedelta(minutes=minutes))
    for number in range(5):
        table.send(FRANCE, f"press grey to England\nWords {number}.", subject="baltic")
    with table.judge.store.read() as view:
        moments = [letter.not_before for letter in view.letters.list(kind="press") if letter.not_before]
    assert len(moments) == 5 and all(moment < deadline.at for moment in moments)
    assert len(set(moments)) == 5
