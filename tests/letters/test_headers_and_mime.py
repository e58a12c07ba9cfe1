"""The bytes of a letter: identity, threads, header lines that nobody can forge, and the nesting of its parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.letters import Composed, message_id
from judge.mail.letters.compose import address_field, encode_header
from judge.mail.letters.mime import Image
from judge.mail.raw.addresses import read_address, read_mailboxes
from judge.report.core.letter import Letter, Thread
from tests.support.gallery import gallery

MAPS = Path(__file__).parents[2] / "maps"

Post = Callable[..., Composed]


@cache
def letters() -> dict[str, Letter]:
    return gallery(MAPS)


def parsed(mail: Composed) -> EmailMessage:
    return message_from_bytes(mail.mime, policy=policy.default)


# --- identity and threads -----------------------------------------------------------------------------------------


def test_the_same_letter_composed_twice_is_the_same_bytes(post: Post) -> None:
    letter = letters()["results-fall-1902"]
    assert post(letter).mime == post(letter).mime


def test_a_message_id_follows_from_the_key_and_tells_nothing(post: Post) -> None:
    letter = letters()["press-black"]
    mail = post(letter)
    assert mail.message_id == message_id(letter.idem_key, b"a key for tests", "judge.test")
    assert message_id(letter.idem_key, b"another key", "judge.test") != mail.message_id
    assert "tannenburg" not in mail.message_id


def test_a_game_is_one_thread(post: Post) -> None:
    roots = {
        parsed(post(letters()[name]))["References"] for name in ("started", "results-fall-1902", "reminder", "vote")
    }
    assert len(roots) == 1
    assert parsed(post(letters()["press-white"]))["References"] not in roots


def test_a_receipt_hangs_under_the_mail_that_it_answers(post: Post) -> None:
    mail = parsed(post(letters()["receipt-complete"]))
    assert mail["In-Reply-To"] == mail["References"] == "<a1@players.test>"
    assert mail["Auto-Submitted"] == "auto-replied"


@pytest.mark.parametrize(
    "parent", ["", "no brackets", "<a b@c>", "<a@b>\r\nBcc: x@y", "<ü@b>", "<a@b> <c@d>", "<" * 400]
)
def test_a_message_id_that_is_none_is_not_repeated(post: Post, parent: str) -> None:
    letter = replace(letters()["receipt-complete"], thread=Thread.MAIL, parent=parent)
    mail = parsed(post(letter))
    assert mail["In-Reply-To"] is None
    assert mail["Bcc"] is None


def test_every_letter_says_that_a_machine_sent_it(post: Post) -> None:
    mail = parsed(post(letters()["results-fall-1902"], instance="judge-7", unsubscribe="judge+u@judge.test"))
    assert mail["From"] == "France via Judge tannenburg <judge@judge.test>"
    assert mail["Reply-To"] == "judge+kq7wseat@judge.test"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["Precedence"] == "bulk"
    assert mail["X-Auto-Response-Suppress"] == "All"
    assert mail["X-Judge-Loop"] == "judge-7"
    assert mail["List-Id"] == "<tannenburg.judge.test>"
    assert mail["List-Unsubscribe"] == "<mailto:judge+u@judge.test?subject=unsubscribe>"
    assert mail["Date"] == "Fri, 01 Jan 2027 12:00:00 +0000"


# --- header values ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("Cleo", "Cleo <c@p.test>"),
        ("", "c@p.test"),
        ("Cleo (Paris)", '"Cleo (Paris)" <c@p.test>'),
        ('C "x" \\ D', '"C \\"x\\" \\\\ D" <c@p.test>'),
        ("Cleo\r\nBcc: x@y.test", '"Cleo Bcc: x@y.test" <c@p.test>'),
        ("=?utf-8?q?a=0ABcc=3A?=", "= ?utf-8?q?a=0ABcc=3A?= <c@p.test>"),
        ("Zoë", "=?utf-8?b?Wm/Dqw==?=\r\n <c@p.test>"),
    ],
)
def test_a_name_can_only_be_a_name(name: str, field: str) -> None:
    assert address_field(name, "c@p.test") == field


@pytest.mark.parametrize(
    "address", ["", "nobody", "a@b@c", "a b@c.test", "a@ü.test", "a@p.test>, x@y.test", "a,b@c.test"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="address of the form name@domain"):
        address_field("x", address)


@pytest.mark.parametrize("subject", ["plain", "Grüße aus Köln", "é" * 200, "日本語 " * 30, "a" * 200])
def test_a_subject_comes_back_as_it_was_written(subject: str) -> None:
    head = f"Subject: {encode_header('Subject', subject)}\r\n\r\n".encode("ascii")
    assert all(len(line) <= 998 for line in head.split(b"\r\n"))
    assert message_from_bytes(head, policy=policy.default)["Subject"] == subject.strip()


def test_what_looks_like_an_encoded_word_is_made_to_look_like_none() -> None:
    assert encode_header("Subject", "=?utf-8?q?a=0ABcc=3A_x?=") == "= ?utf-8?q?a=0ABcc=3A_x?="


# --- the parts ----------------------------------------------------------------------------------------------------

PICTURE = Image("map.png", "image/png", b"\x89PNG picture", cid="map", facts={"what": "position", "phase": "F1902R"})
TEXT_AND_PAGE = ("alternative", ["text/plain", "text/html"])
PAGE_WITH_PICTURE = ("related", ["text/html", "image/png"])


def shape(part: Any) -> Any:
    if part.is_multipart():
        return (part.get_content_subtype(), [shape(one) for one in part.iter_parts()])
    return part.get_content_type()


@pytest.mark.parametrize(
    ("extras", "expected"),
    [
        ({}, ("mixed", [TEXT_AND_PAGE, "text/calendar"])),
        ({"calendar": False}, TEXT_AND_PAGE),
        ({"images": [PICTURE]}, ("mixed", [("alternative", ["text/plain", PAGE_WITH_PICTURE]), "text/calendar"])),
        ({"images": [PICTURE], "calendar": False}, ("alternative", ["text/plain", PAGE_WITH_PICTURE])),
        ({"page": False, "calendar": False}, "text/plain"),
        ({"page": False, "images": [PICTURE]}, ("mixed", ["text/plain", "text/calendar", "image/png"])),
    ],
)
def test_the_parts_of_results_are_nested_as_ruled(post: Post, extras: dict[str, Any], expected: Any) -> None:
    mail = parsed(post(letters()["results-fall-1902"], **extras))
    assert shape(mail) == expected
    assert all(not part.defects for part in mail.walk())


def test_the_picture_is_where_the_page_looks_for_it(post: Post) -> None:
    """By an identity that is its own in all the world (RFC 2392)."""
    letter = letters()["results-fall-1902"]
    mail = parsed(post(letter, images=[PICTURE]))
    html = mail.get_body(("html",))
    picture = next(part for part in mail.walk() if part.get_content_type() == "image/png")
    identity = picture["Content-ID"].strip("<>")
    assert html is not None and f'src="cid:{identity}"' in html.get_content()
    assert identity == "1." + mail["Message-ID"].strip("<>")
    assert picture.get_payload(decode=True) == PICTURE.data
    assert picture.get_content_disposition() == "inline"


def test_a_picture_without_a_page_is_a_file(post: Post) -> None:
    mail = parsed(post(letters()["results-fall-1902"], images=[PICTURE], page=False))
    picture = next(part for part in mail.walk() if part.get_content_type() == "image/png")
    assert (picture.get_content_disposition(), picture.get_filename()) == ("attachment", "map.png")
    assert picture["Content-ID"] is None


@pytest.mark.parametrize("form", [{}, {"page": False}, {"images": [PICTURE]}, {"calendar": False}, {"unhung": 2}])
def test_the_text_is_the_same_whatever_comes_with_it(post: Post, form: dict[str, Any]) -> None:
    for letter in letters().values():
        if letter.kind == "map" and "unhung" in form:
            continue  # it tells of maps alone, and says what does not come
        body = parsed(post(letter, **form)).get_body(("plain",))
        assert body is not None
        alone = post(letter, page=False, calendar=False)
        assert body.get_content().splitlines() == alone.text.splitlines()


def test_ascii_text_goes_untouched_and_other_text_encoded(post: Post) -> None:
    letter = letters()["press-white"]
    plain = parsed(post(letter, page=False))
    assert (plain.get_content_charset(), plain["Content-Transfer-Encoding"]) == ("us-ascii", "7bit")
    view = {**letter.view, "text": "Grüße\nFrom here\n."}
    mail = parsed(post(replace(letter, view=view), page=False))
    assert (mail.get_content_charset(), mail["Content-Transfer-Encoding"]) == ("utf-8", "quoted-printable")
    assert "| Grüße" in mail.get_content()


def test_the_page_works_without_pictures_and_scripts(post: Post) -> None:
    html = parsed(post(letters()["results-fall-1902"])).get_body(("html",))
    assert html is not None
    page = html.get_content()
    assert len(page) < 100_000
    assert "<img" not in page and "<script" not in page and "http:" not in page and "https:" not in page
    assert '<html lang="en">' in page and 'scope="col"' in page


def test_words_of_players_are_text_on_the_page(post: Post) -> None:
    letter = letters()["results-fall-1902"]
    press = [{"colour": "white", "source": "France", "text": "<script>alert(1)</script>"}]
    html = parsed(post(replace(letter, view={**letter.view, "press": press}))).get_body(("html",))
    assert html is not None and "&lt;script&gt;" in html.get_content()


@given(
    local=st.from_regex(r"[a-zäöüß漢字]{1,8}(\.[a-z0-9_+'-]{1,8})?|\"[a-z .@,;]{1,12}\"", fullmatch=True),
    domain=st.sampled_from(["players.test", "bücher.test", "[192.0.2.1]"]),
)
def test_every_address_that_is_read_can_be_written_to(local: str, domain: str) -> None:
    """An address that the reader takes for sound must never break the letter that answers it."""
    address = read_address(f"{local}@{domain}")
    assert address is not None
    field = address_field("Jörg, the Judge's own", address)
    assert [box.address for box in read_mailboxes(field.replace("\r\n", ""))] == [address]
