"""The desk of a zine: what comes in, who may do what, and that an issue reaches everybody exactly once."""

from __future__ import annotations

import io
import json
import os
import zlib
from base64 import b64encode
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import select, update

from judge.daemon.wires import make_wires
from judge.service.intake.door import Door
from judge.service.posting.outgoing import OneClick
from judge.store import InboxWriter
from judge.store.tables import deliveries, pictures
from judge.testing.casting import seat_everybody
from judge.testing.doubles import Arrow
from judge.testing.exhibition import SHOWS, play
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.zine import mailing
from tests.service.posting.test_bounces import bounce
from tests.zine.desk import ADDRESS, ANNA, EDITOR, HARRY, KEY, OPERATOR, TED, THURSDAY, answer, issues, running, staffed

GOLDEN = Path(__file__).parent / "golden"
BEN = "ben@readers.test"
SIZES = (0, 100, 30, 5)
"""KB of one mail, 0 for any."""
HERO = "zine game hero by harry@hand.test Harry Hand number 2027AC"


def test_the_rehearsed_issue_is_word_for_word_the_golden_one() -> None:
    """Games of this judge and of others, press, statistics and what readers sent in, as a subscriber gets it."""
    text = play(SHOWS / "a-zine.mail").letters["issue-as-text"].text
    file = GOLDEN / "rehearsed-96-chapter-one.txt"
    if os.environ.get("GOLDEN") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")
    assert "england@players.test" not in text and "Player England" not in text.partition("VERDUN (MNC")[2]
    assert '[BLACK] calls itself "Turkey"; the author may be anybody' in text


@pytest.mark.parametrize("arrow", [arrow for arrow in Arrow if "turn" not in arrow and arrow is not Arrow.AFTER_SEND])
def test_a_death_in_the_middle_of_the_sending_sends_nothing_twice(tmp_path: Path, arrow: Arrow) -> None:
    """Nine readers in three forms; the judge dies at its fourth coming to an arrow, and rises."""
    stage = running(tmp_path)
    readers = [f"reader{number}@readers.test" for number in range(9)]
    for number, reader in enumerate(readers):
        stage.send(reader, f"subscribe {KEY} {('text', 'notice', 'html')[number % 3]}")
    stage.send(EDITOR, "article One\nWords.", to=ADDRESS)
    stage.kill_at(arrow, nth=4 if "inbox" not in arrow and "desk" not in arrow else 1)
    stage.send(EDITOR, "zine approve 96")
    if stage.dead:
        stage.restart()
    stage.advance(timedelta(hours=1))
    assert {reader: len(issues(stage, reader)) for reader in readers} == dict.fromkeys(readers, 1)
    assert len(issues(stage, ANNA)) == 1
    names = Counter((letter.to, letter.message_id) for letter in stage.everything())
    assert max(names.values()) == 1
    stage.close()


def test_mail_that_comes_back_twice_suspends_a_reader_and_the_editor_hears_of_it_once_a_week(tmp_path: Path) -> None:
    stage = running(tmp_path)
    stage.send("ben@readers.test", f"subscribe {KEY}")
    for number in (96, 97):
        stage.send(EDITOR, f"zine approve {number}")
        bounce(stage, issues(stage, ANNA)[-1])
    stage.advance(timedelta(days=2))
    stage.send(EDITOR, "zine approve 98")
    stage.advance(timedelta(days=3))
    told = [letter for letter in stage.inbox(EDITOR) if "cannot be reached" in letter.subject]
    assert len(told) == 1 and ANNA in told[0].text
    assert len(issues(stage, ANNA)) == 2 and len(issues(stage, "ben@readers.test")) == 3
    stage.close()


def test_one_click_ends_the_subscription_and_nothing_else(tmp_path: Path) -> None:
    stage = running(tmp_path)
    stage.send(EDITOR, "zine approve 96")
    letter = issues(stage, ANNA)[-1]
    assert letter.header("List-Id") == f"<zine-{KEY}.judge.test>"
    token = letter.header("List-Unsubscribe").partition("judge+")[2].partition("@")[0]
    with InboxWriter(stage.judge.store) as writer:
        done = OneClick(stage.judge, Door(stage.judge, writer)).wish(token)
        assert done is not None and (done is True or done.result(10))  # type: ignore[union-attr]
    stage.settle()
    stage.send(EDITOR, "zine approve 97")
    assert len(issues(stage, ANNA)) == 1
    with stage.judge.store.read() as view:
        person = view.people.by_address(ANNA)
        assert person is not None and not view.lists.subscriptions(person.id)
    assert make_wires is not None
    stage.close()


def test_who_is_forgotten_gets_no_issue_and_stands_in_none(tmp_path: Path) -> None:
    stage = running(tmp_path)
    stage.send(ANNA, "article Mine\nMy own words.", to=ADDRESS)
    stage.send("ben@readers.test", f"subscribe {KEY}")
    stage.send(ANNA, "forget me")
    stage.send(ANNA, "confirm", to=stage.inbox(ANNA)[-1].reply_to)
    stage.send(EDITOR, "zine approve 96")
    assert issues(stage, ANNA) == []
    assert "By Anna" not in issues(stage, "ben@readers.test")[-1].text
    stage.close()


def test_a_zine_of_external_games_alone(tmp_path: Path) -> None:
    stage = running(tmp_path, HERO)
    report = "WAR!\n\n> FRANCE:  A Par-Bur\n\n  ENG: EDI LON LVP = 3(3)\nEND\n  FRA: BRE MAR PAR = 3(3)"
    told = answer(stage, HARRY, f"report hero Fall '01\n{report}\nEND\n-- \nHarry")
    assert "the report of HERO is filed for #96" in told and told.count("nothing below this line was read") == 1
    stage.send(EDITOR, "zine approve 96")
    text = issues(stage, ANNA)[-1].text
    assert "Fall '01 of the game HERO (BNC number 2027AC)\n(GM is harry@hand.test/Harry Hand)" in text
    for line in filter(None, report.split("\n")):
        assert text.split("\n").count(line) == 1, line
    stage.close()


def test_an_item_can_be_moved_held_edited_dropped_and_runs_out(tmp_path: Path) -> None:
    stage = running(tmp_path, "zine chapter 2 games")
    stage.send(ANNA, "classified 2 issues: Old issues for sale", to=ADDRESS)
    stage.send(ANNA, "letter to the editor\nDear Eric, the first words.", to=ADDRESS)
    stage.send(ANNA, "article Held\nNot yet.", to=ADDRESS)
    stage.send(ANNA, "article Dropped\nNever.", to=ADDRESS)
    assert "has its new words" in answer(stage, ANNA, "item 2 edit\nDear Eric, the second words.")
    stage.send(EDITOR, "item 2 to chapter 2\nitem 3 hold\nitem 4 drop")
    assert "no item 2 of yours" in answer(stage, "ben@readers.test", "register name Ben\nitem 2 edit\nHa")
    stage.send(EDITOR, "zine approve 96")
    (first,) = (letter.text for letter in issues(stage, ANNA))  # no mail of a chapter in which nothing stands
    assert "Old issues for sale" in first and "Chapter Two\n----" in first and "the second words" in first
    assert "Not yet." not in first and "Never." not in first
    stage.send(EDITOR, "item 3 print\nzine approve 97")
    assert "Old issues for sale" in (again := issues(stage, ANNA)[-1].text) and "Not yet." in again
    stage.send(EDITOR, "zine approve 98")
    assert "Old issues for sale" not in issues(stage, ANNA)[-1].text
    assert "has no game and no item yet, so nothing was sent" in answer(stage, EDITOR, "zine approve 99 chapter 2")
    stage.close()


def png(width: int, height: int) -> bytes:
    """A picture that says it is so large, and is a few bytes."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")

    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")
    )


def with_picture(words: str, data: bytes) -> tuple[str, dict[str, str]]:
    """A mail with a picture attached: its body and headers."""
    parts = f"--b\nContent-Type: text/plain\n\n{words}\n--b\nContent-Type: image/png; name=a.png\n"
    parts += (
        f"Content-Transfer-Encoding: base64\nContent-Disposition: attachment\n\n{b64encode(data).decode()}\n--b--\n"
    )
    return parts, {"MIME-Version": "1.0", "Content-Type": 'multipart/mixed; boundary="b"'}


def test_what_is_sent_in_wrongly_gets_a_clear_answer_and_nothing_is_lost(tmp_path: Path) -> None:
    stage = running(tmp_path, HERO, "zine chapter 2 publisher ted@pub.test")
    stage.send(TED, "yes", to=stage.inbox(TED)[-1].reply_to)
    stage.send(ANNA, "register name Anna")
    assert "taken from its Gamemaster alone" in answer(stage, ANNA, "report hero Fall '01\nI won")
    assert "No zine prints a game named NOGAME" in answer(stage, HARRY, "report nogame F01\nwords")
    assert "You publish chapter 2 of Electronic Protocol" in answer(stage, TED, "zine approve 96")
    assert "You do not publish chapter 1" in answer(stage, TED, "zine approve 96 chapter 1")
    assert "Only the editor of Electronic Protocol" in answer(stage, ANNA, "zine approve 96")
    assert "The next issue of Electronic Protocol is #96" in answer(stage, EDITOR, "zine approve 99")
    assert "There is no #95" in answer(stage, ANNA, "zine back issue 95")
    assert "There are no results of nogame for F1901" in answer(stage, ANNA, "resend nogame F1901 to me")
    assert "one from 1 to 99999; the next of Electronic Protocol is still" in answer(stage, EDITOR, "zine number 0")
    assert "The next game gets 2027AD" in answer(stage, EDITOR, "zine numbers from 2027AC")  # which HERO has
    assert "There is no item 99" in answer(stage, EDITOR, "item 99 drop")
    assert "no number of a game" in answer(stage, EDITOR, "zine game hero number 12")
    assert "2027AC is the number of HERO" in answer(stage, EDITOR, "zine game nemo by gm@x.test number 2027AC")
    assert "Nothing stood below" in answer(stage, ANNA, "article Empty", to=ADDRESS)
    long = "\n".join(["a line of seventy-two characters that goes on and on until the end ...."] * 4500)
    assert "lines longer than I read, so nothing of it was filed" in answer(
        stage, ANNA, f"article Long\n{long}", to=ADDRESS
    )
    table = "article Table\n| a | b\n|--\n| 1 | 2 | 3 |\n<script>alert(1)</script>"
    assert "Item 1: your article is filed" in answer(stage, ANNA, table, to=ADDRESS)
    assert "nothing of it was filed" in answer(stage, ANNA, f"item 1 edit\n{long}")
    body, headers = with_picture("cartoon The stab", png(60_000, 60_000))
    assert "more pixels than can be printed" in answer(stage, ANNA, body, to=ADDRESS, headers=headers)
    good = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(good, "PNG")
    body, headers = with_picture("cartoon The stab\nCredit: Ben", good.getvalue())
    assert "your cartoon is filed" in answer(stage, ANNA, body, to=ADDRESS, headers=headers)
    stage.send(EDITOR, "zine approve 96")
    text = "".join(letter.text for letter in issues(stage, ANNA))
    assert "| 1 | 2 | 3 |" in text and "<script>alert(1)</script>" in text  # words, in a text
    assert "The stab" in text and "Ben" in text
    with stage.judge.store.read() as view:
        assert all(mail.state != "quarantined" for mail in view.inbox.list(limit=1000))
    stage.close()


def test_a_mail_of_ten_megabytes_is_turned_away_at_the_door(tmp_path: Path) -> None:
    """Its sender's own server says so; nothing of it is taken for an item."""
    stage = running(tmp_path)
    stage.send(ANNA, "article Big\n" + "x" * 10_000_000, to=ADDRESS)
    assert len(stage.refused) == 1
    stage.close()


def test_press_days_go_by_the_clock_and_the_editor_is_asked_once(tmp_path: Path) -> None:
    """On press day the draft comes by itself, and a plain yes to it sends the issue."""
    stage = running(tmp_path, "zine press day Wednesday 18:00 weekly")
    stage.advance(timedelta(days=7))
    drafts = [letter for letter in stage.inbox(EDITOR) if "draft of #96" in letter.subject]
    assert len(drafts) == 1
    assert sum("goes to press" in letter.subject for letter in stage.inbox(EDITOR)) == 1
    stage.send(EDITOR, "yes", to=drafts[0].reply_to, headers={"In-Reply-To": drafts[0].message_id})
    assert len(issues(stage, ANNA)) == 1
    stage.close()


def test_what_a_reader_chooses_is_kept(tmp_path: Path) -> None:
    stage = running(tmp_path)
    stage.send(ANNA, f"subscribe {KEY} epub at most 700 KB")
    with stage.judge.store.read() as view:
        (row,) = view.lists.subscribers(f"zine:{KEY}")
    assert json.loads(row.options) == {"form": "epub", "most": 700, "paused": False}
    assert "No issue of Electronic Protocol comes" in answer(stage, ANNA, "pause zine")
    stage.send(EDITOR, "zine approve 96")
    assert issues(stage, ANNA) == []
    stage.send(ANNA, "resume zine")
    stage.send(EDITOR, "zine approve 97")
    (letter,) = issues(stage, ANNA)
    assert [part.get_filename() for part in letter.message.walk() if part.get_filename()] == [f"{KEY}-97.epub"]
    stage.close()


def files_of(letter: ReceivedLetter) -> list[str]:
    return [name for part in letter.message.walk() if (name := part.get_filename())]


def test_whoever_asks_for_a_back_issue_gets_it_in_their_form_whatever_its_size(tmp_path: Path) -> None:
    """A limit holds for what comes unasked, and for what the editor sends again; word of an issue is no answer."""
    stage = running(tmp_path)
    forms = ("ascii", "text", "html", "pdf", "booklet", "epub", "notice", "pdf at most 5 KB", "text at most 1 KB")
    for form in forms:
        stage.send(f"{form.replace(' ', '-').lower()}@readers.test", f"subscribe {KEY} {form}")
    stage.send(EDITOR, "article One\nWords “so”.", to=ADDRESS)
    stage.send(EDITOR, "zine approve 96")
    stage.send(BEN, f"subscribe {KEY} a5")  # a form that nobody had then
    for form in forms:
        reader = f"{form.replace(' ', '-').lower()}@readers.test"
        (first,) = issues(stage, reader)
        stage.send(EDITOR, f"zine resend 96 to {reader}")
        stage.send(reader, "zine back issue 96")
        first, sent, asked = issues(stage, reader)
        assert "is out" not in asked.subject, form
        told = form == "notice" or " " in form
        assert told is ("is out" in first.subject)
        assert [first.text, files_of(first)] == [sent.text, files_of(sent)] or form == "notice"
        assert [first.text, files_of(first)] == [asked.text, files_of(asked)] or told
    assert files_of(issues(stage, "pdf-at-most-5-kb@readers.test")[-1]) == [f"{KEY}-96.pdf"]
    stage.send(BEN, "zine back issue 96")
    assert "Words “so”." in issues(stage, BEN)[-1].text
    assert 'Words "so".' in issues(stage, "ascii@readers.test")[-1].text
    stage.close()


def test_a_back_issue_has_the_chapters_that_went_out_by_themselves(tmp_path: Path) -> None:
    stage = running(tmp_path, "zine chapter 1 games", f"{HERO} chapter 1", "zine chapter 2 games")
    stage.send(HARRY, "report hero Fall '01\nWAR!")
    stage.send(EDITOR, "zine approve 96 chapter 1")
    told = answer(stage, EDITOR, "zine approve 96")
    assert "all of it went out before" in told and len(issues(stage, ANNA)) == 1
    assert "goes to ben once more" in answer(stage, "ben@readers.test", "zine back issue 96")
    assert ["WAR!" in letter.text for letter in issues(stage, "ben@readers.test")] == [True]
    stage.close()


def test_of_old_issues_their_text_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is large of them goes when another one is sent; who asks for it as PDF or page is told that it is text."""
    monkeypatch.setattr(mailing, "FACES_KEPT", timedelta(days=1))
    stage = running(tmp_path)
    seat_everybody(stage, "baltic", {"nmr": "hold", "reminders": "none"})
    stage.send(EDITOR, "zine chapter 1 games BALTIC")
    readers = {form: f"{form}@readers.test" for form in ("ascii", "html", "pdf", "epub")}
    for form, reader in readers.items():
        stage.send(reader, f"subscribe {KEY} {form}")
    stage.advance(timedelta(days=8))
    stage.send(EDITOR, "zine approve 96")
    kept_back = issues(stage, readers["pdf"])[-1]
    stage.advance(timedelta(days=2))
    stage.send(EDITOR, "zine approve 97")

    def kept(place: str) -> set[str]:
        query = select(pictures.c.kind).where(pictures.c.game == f"zine-{KEY}", pictures.c.phase == place)
        with stage.judge.store.read() as view:
            return {str(kind).partition("/")[0] for (kind,) in view.pictures._connection.execute(query)}

    assert kept("96.0") == {"text", "ascii", "cover"} and kept("maps") == set()
    assert kept("97.0") >= {"text", "ascii", "cover", "page", "pdf", "epub"}
    with stage.judge.store.write() as unit:  # a copy that waited until now stops no other letter
        letter = unit.letters.by_message_id(kept_back.message_id)
        assert letter is not None
        (copy,) = unit.outbox.of_letter(letter.id)
        set_fate = update(deliveries).where(deliveries.c.id == copy.id).values(state="held", done_at=None)
        unit.outbox._connection.execute(set_fate)
        assert unit.outbox.release(copy.id, stage.now)
    for form, reader in readers.items():
        told = answer(stage, reader, "zine back issue 96\nzine back issue 97")
        assert ("#96 of Electronic Protocol goes to" in told) and (told.count(", as text.") == (form != "ascii"))
        old, new = issues(stage, reader)[-2:]
        assert old.message.get_content_type() == "text/plain" and "BALTIC" in old.text
        assert (new.message.get_content_type() == "text/plain") is (form == "ascii")
    with stage.judge.store.read() as view:
        assert view.outbox.get(copy.id).state == "failed"
    stage.close()


def test_no_mail_is_larger_than_its_reader_wants(tmp_path: Path) -> None:
    """As it lies in the mailbox, with all maps of a page and what encodings add: what is too large comes as a page
    without pictures, then as text, then there is word.
    """
    stage = running(tmp_path)
    seat_everybody(stage, "baltic", {"nmr": "hold", "reminders": "none"})
    stage.send(EDITOR, "zine chapter 1 games BALTIC")
    stage.advance(timedelta(days=8))
    readers = {(form, most): f"{form}{most}@readers.test" for form in ("html", "pdf", "text") for most in SIZES}
    for (form, most), reader in readers.items():
        stage.send(reader, f"subscribe {KEY} {form}{f' at most {most} KB' if most else ''}")
    stage.send(EDITOR, "article Umlauts\n" + "Wörter für Österreich\n" * 300, to=ADDRESS)
    stage.send(EDITOR, "zine approve 96")
    kinds = {}
    for (form, most), reader in readers.items():
        letters = issues(stage, reader)
        assert letters, reader
        assert not most or all(len(letter.raw) <= most * 1000 or "is out" in letter.subject for letter in letters)
        kinds[form, most] = {part.get_content_type() for letter in letters for part in letter.message.walk()}
    assert kinds["html", 0] >= {"text/html", "image/png"}
    assert kinds["html", 100] == {"multipart/alternative", "text/plain", "text/html"}
    (bare,) = issues(stage, readers["html", 100])
    page = next(part for part in bare.message.walk() if part.get_content_type() == "text/html").get_content()
    assert "[Picture: Map: " in page and "Its pictures are left out, so that this mail is no larger" in page
    assert kinds["html", 30] == {"text/plain"}
    stage.close()


def test_an_editor_is_approved_once_there_is_somebody_to_approve(tmp_path: Path) -> None:
    """The operator who is named later is asked when the editor asks again, and once a day at most."""
    alone = LocalJudge(tmp_path, start=THURSDAY)
    alone.begin()
    assert "configuration names no operator" in answer(alone, EDITOR, 'zine new "Electronic Protocol"')
    alone.close()
    stage = LocalJudge(tmp_path, start=THURSDAY + timedelta(hours=1), config=staffed)
    stage.begin()
    assert "the operator of this judge is asked" in answer(stage, EDITOR, 'zine new "Electronic Protocol"')
    assert "waits for the word of the operator" in answer(stage, EDITOR, 'zine new "Electronic Protocol"')
    assert len(stage.inbox(OPERATOR)) == 1
    stage.send(OPERATOR, "yes", to=stage.inbox(OPERATOR)[-1].reply_to)
    assert "is yours" in answer(stage, EDITOR, 'zine new "Electronic Protocol"')
    stage.close()
