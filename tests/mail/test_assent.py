"""What a reply to our question says: yes, no, or neither. One row, one reply."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from email.header import Header
from pathlib import Path

import pytest

from judge.mail.assent import BESIDE, NO, UNDO, YES, Word, answer_of, is_undo, word_of
from judge.mail.envelope import Envelope, read_envelope

NOON = datetime(2031, 1, 7, 12, tzinfo=UTC)
OURS = "a mail in your name waits for your answer"
LETTER = (
    "=-=-=-=-=-=-=-=-=  Write your answer above this line  =-=-=-=-=-=-=-=-=\n\nA mail that speaks for you came from "
    "france@players.test, which I cannot take\nas proof. It is held, and nothing has changed.\n\nIf it is yours, reply "
    "to this letter with: confirm.\n"
)
QUOTED = "".join(f"> {line}\n" for line in LETTER.splitlines())
WROTE = "On Tue, 7 Jan 2031 at 10:00, Judge <judge@judge.test> wrote:\n"


def reply(
    text: str, *, subject: str = f"Re: {OURS}", headers: str = "Content-Type: text/plain; charset=utf-8\n"
) -> Envelope:
    raw = (
        f"From: france@players.test\nTo: judge+token@judge.test\nSubject: {subject}\nMessage-ID: <1@players.test>\n"
        f"Date: Tue, 07 Jan 2031 12:00:00 +0000\nMIME-Version: 1.0\n{headers}\n{text}"
    )
    return read_envelope(raw.encode().replace(b"\n", b"\r\n"), NOON)


def parts(kind: str, *bodies: str) -> dict[str, str]:
    text = "".join(f"--b\n{body}\n" for body in bodies) + "--b--\n"
    return {"text": text, "headers": f"Content-Type: multipart/{kind}; boundary=b\n"}


PLAIN = "Content-Type: text/plain; charset=utf-8\n\n"
HTML = "Content-Type: text/html; charset=utf-8\n\n"
PICTURE = "Content-Type: image/png; name=no.png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n"
TNEF = (
    "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n"
    + base64.b64encode(b"\x78\x9f\x3e\x22 No, that was not me").decode()
)

ENCODED = "Content-Transfer-Encoding: base64\n"
ARMOUR = "-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----\n"
SEALED = "Content-Type: application/pkcs7-mime; name=smime.p7m\n"
FILE = "Content-Type: text/plain; name=answer.txt\nContent-Disposition: attachment\n\nyes"
AGENDA = {"text": "BEGIN:VCALENDAR\nEND:VCALENDAR", "headers": "Content-Type: text/calendar; method=REPLY\n"}

PEOPLE: list[tuple[str, Word | None]] = [
    ("confirm", Word.YES),
    ("Confirm.", Word.YES),
    ("CONFIRM!", Word.YES),
    ("**confirm**", Word.YES),
    ("I confirm.", Word.YES),
    ("Yes, that was me. Thanks!", Word.YES),
    ("Hello Judge,\n\nyes", Word.YES),
    ("Dear Judge,\nok, thank you\n\nJean", Word.YES),
    ("Hi, yes please", Word.YES),
    ("ok", Word.YES),
    ("Okay", Word.YES),
    ("It was me", Word.YES),
    ("Ja!", Word.YES),
    ("Guten Tag,\nja, das war ich", Word.YES),
    ("Ja. Viele Grüße", Word.YES),
    ("Oui, c’est moi", Word.YES),
    ("D'accord, merci", Word.YES),
    ("Sí", Word.YES),
    ("Sim, fui eu", Word.YES),
    ("Va bene, grazie", Word.YES),
    ("Ja, dat was ik", Word.YES),
    ("Ja, det var jag", Word.YES),
    ("Да", Word.YES),
    (f"yes\n\n{WROTE}{QUOTED}", Word.YES),
    (f"confirm\n\n{LETTER}", Word.YES),
    ("yes\n-- \nJean\nI am not the judge", Word.YES),
    ("no", Word.NO),
    ("No!", Word.NO),
    ("Hello,\n\nNo, I did not send that!", Word.NO),
    ("No, I didn't send this.", Word.NO),
    ("not me", Word.NO),
    ("Not me, sorry", Word.NO),
    ("I did not send this.", Word.NO),
    ("I never sent that mail", Word.NO),
    ("This is a fake.", Word.NO),
    ("That wasn’t me!", Word.NO),
    ("That wasn't me. Please ignore it.", Word.NO),
    ("Not mine, please delete it. Thanks", Word.NO),
    ("Ignore that mail", Word.NO),
    ("Nein, das war ich nicht.", Word.NO),
    ("Non, ce n'est pas moi !", Word.NO),
    ("No fui yo", Word.NO),
    ("Não fui eu", Word.NO),
    ("Non sono stato io", Word.NO),
    ("Nee, dat was ik niet", Word.NO),
    ("Nej, det var inte jag", Word.NO),
    ("Нет, это не я", Word.NO),
    (f"no\n\n{WROTE}{QUOTED}", Word.NO),
    ("everything is fine, I will answer soon", None),
    ("Your request was accepted", None),
    ("Right, someone is forging my mail", None),
    ("Das war ich nicht, ok?", None),
    ("Ce n'est pas moi, oui?", None),
    ("yes?", None),
    ("yes or no", None),
    ("Yes, no, I mean", None),
    ("I am not sure", None),
    ("Who wrote this?", None),
    ("Is this from you? I did write something.", None),
    ("ok, but what is it about", None),
    ("yes, but only the first line", None),
    ("confirm the deadline for me", None),
    ("thanks", None),
    ("Tak!", None),
    ("Hello Judge,", None),
    ("", None),
    ("\n\n", None),
    ("-- \nFrance", None),
    ("A Par - Bur", None),
    ("yes\n\nwait\nno, that was not me", None),
    (f"{QUOTED}> No, not me\n", None),
    (f"{WROTE}{QUOTED}> yes\n", None),
    (f"\n{LETTER}\nNo, that was not me!\n", None),
    (f"{LETTER}\nyes\n", None),
    ("> confirm", None),
]

MACHINES: list[tuple[str, dict[str, str]]] = [
    ("a ticket", {"text": "This is to confirm receipt of your e-mail. Ticket #123."}),
    ("a ticket with ok", {"text": "OK: your message was received."}),
    ("an absence", {"text": "I am out of office and will be right back on Monday."}),
    ("an absence that begins with yes", {"text": "Yes, I am away until Monday."}),
    ("a marked answer", {"text": "yes", "headers": "Auto-Submitted: auto-replied\n"}),
    ("a generated answer", {"text": "ok", "headers": "Auto-Submitted: auto-generated\n"}),
    ("an autoreply mark", {"text": "confirm", "headers": "X-Autoreply: yes\n"}),
    ("bulk", {"text": "yes", "headers": "Precedence: bulk\n"}),
    ("a list", {"text": "yes", "headers": "List-Id: <friends.list.test>\n"}),
    ("a bounce", {"text": "yes", "headers": "Return-Path: <>\n"}),
    ("a vacation subject", {"text": "yes", "subject": f"Out of office: {OURS}"}),
    ("another judge", {"text": "yes", "headers": "X-Judge-Loop: elsewhere\n"}),
]

SHAPES: list[tuple[str, dict[str, str], Word | None]] = [
    ("a word in plain and HTML", parts("alternative", PLAIN + "yes", HTML + "<p>yes</p>"), Word.YES),
    ("HTML alone", {"text": "<p>Yes, that was me</p>", "headers": "Content-Type: text/html\n"}, Word.YES),
    ("HTML, denied", {"text": "<div>No, not me</div>", "headers": "Content-Type: text/html\n"}, Word.NO),
    (
        "HTML, the word inside the quotation",
        {"text": "<blockquote type=cite>yes</blockquote>", "headers": "Content-Type: text/html\n"},
        None,
    ),
    (
        "a picture alone",
        {
            "text": "iVBORw0KGgo=",
            "headers": "Content-Type: image/png; name=no.png\nContent-Transfer-Encoding: base64\n",
        },
        None,
    ),
    ("a picture and empty text", parts("mixed", PLAIN, PICTURE), None),
    ("a yes and a picture", parts("mixed", PLAIN + "yes", PICTURE), Word.YES),
    (
        "S/MIME",
        {
            "text": "TUlJQg==",
            "headers": "Content-Type: application/pkcs7-mime; name=smime.p7m\nContent-Transfer-Encoding: base64\n",
        },
        None,
    ),
    (
        "PGP/MIME",
        {
            "text": "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\n"
            f"Content-Type: application/octet-stream\n\n{ARMOUR}--b--\n",
            "headers": 'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b\n',
        },
        None,
    ),
    ("PGP in the text", {"text": ARMOUR}, None),
    (
        "an armoured text below a yes",
        {"text": f"yes\n{ARMOUR}"},
        None,
    ),
    ("winmail.dat", parts("mixed", TNEF), None),
    (
        "a text file",
        parts("mixed", "Content-Type: text/plain; name=answer.txt\nContent-Disposition: attachment\n\nyes"),
        None,
    ),
    (
        "a calendar answer",
        {"text": "BEGIN:VCALENDAR\nEND:VCALENDAR", "headers": "Content-Type: text/calendar; method=REPLY\n"},
        None,
    ),
    ("a forwarded mail", parts("mixed", PLAIN, "Content-Type: message/rfc822\n\nSubject: yes\n\nyes"), None),
    ("a subject, no text", {"text": "", "subject": "confirm"}, Word.YES),
    ("a subject with Re:", {"text": "", "subject": "Re: yes"}, Word.YES),
    ("a subject that denies", {"text": "", "subject": "NOT ME"}, Word.NO),
    ("a subject that denies, a text that does not say", {"text": "see above", "subject": "not me"}, Word.NO),
    ("a subject and the text say the same", {"text": "no, not me", "subject": "no"}, Word.NO),
    ("a subject against the text", {"text": "no", "subject": "yes"}, None),
    (
        "a subject above a denial in other words",
        {"text": "I was not at home, and this is not mine", "subject": "ok"},
        None,
    ),
    ("a subject above a picture", parts("mixed", PICTURE) | {"subject": "yes"}, None),
    ("a subject that only contains it", {"text": "", "subject": "yes and no"}, None),
]


@pytest.mark.parametrize(("text", "said"), PEOPLE, ids=[repr(text[:40]) for text, _ in PEOPLE])
def test_people(text: str, said: Word | None) -> None:
    assert answer_of(reply(text)) == said


@pytest.mark.parametrize(("name", "mail"), MACHINES, ids=[name for name, _ in MACHINES])
def test_machines_say_nothing(name: str, mail: dict[str, str]) -> None:
    assert answer_of(reply(**mail)) is None


@pytest.mark.parametrize(("name", "mail", "said"), SHAPES, ids=[name for name, _, _ in SHAPES])
def test_shapes(name: str, mail: dict[str, str], said: Word | None) -> None:
    assert answer_of(reply(**mail)) == said


def test_a_mail_that_meets_a_limit_says_nothing() -> None:
    depth = 20
    opening = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(depth))
    closing = "".join(f"\n--b{n}--" for n in reversed(range(depth)))
    mail = reply(f"\n{closing}", headers=f"{opening}{PLAIN}confirm")
    assert mail.unsafe and answer_of(mail) is None


def test_no_phrase_says_two_things_and_each_says_its_own() -> None:
    assert not YES & NO and not (YES | NO) & BESIDE and not (YES | NO) & UNDO
    assert all(word_of(phrase) is Word.YES for phrase in YES)
    assert all(word_of(phrase) is Word.NO for phrase in NO)
    assert all(is_undo(phrase) for phrase in UNDO)
    assert not any(map(is_undo, ("", "Thank you, I know.", "undo nothing please", "Did I undo it?", "yes")))


REPLIES = Path(__file__).with_name("replies-to-a-question.txt")


def test_collected_replies_say_what_their_readers_say() -> None:
    """Replies in many languages, written down before anybody looked at how they are read."""
    wrong = []
    for line in REPLIES.read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        meant, _, said = line.partition(" ")
        said, subject = said.strip(), f"Re: {OURS}"
        if said.startswith("subject: "):
            subject, _, said = said.removeprefix("subject: ").partition(" /")
        plain, _, rich = said.partition(" html: ")
        text = "\n".join(part.strip() for part in plain.split("/"))
        sent = parts("alternative", PLAIN + text, HTML + rich) if rich else {"text": text}
        word = answer_of(reply(**sent, subject=encoded(subject)), [OURS])
        if (word or "neither") != meant:
            wrong.append((line, word))
    assert not wrong


def encoded(subject: str) -> str:
    return subject if subject.isascii() else Header(subject, "utf-8").encode()
