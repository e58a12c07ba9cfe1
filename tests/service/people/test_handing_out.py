"""`my data`: all that is kept about somebody reaches their address of record, as a file, and nobody else."""

from __future__ import annotations

import io
import json
import zipfile
from email import message_from_bytes, policy

from judge.service.people.dossiers import pack
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge

FRANCE, ENGLAND = player_of("FRANCE"), player_of("ENGLAND")
SUBJECT = "what is kept about you here"


def handed_out(table: LocalJudge) -> zipfile.ZipFile:
    """The file of the newest such letter, read from the bytes that were sent."""
    with table.judge.store.read() as view:
        (letter, *_) = [row for row in view.letters.list(limit=1000) if row.kind == "dossier"]
        mime = view.letters.mime(letter.id)
    assert mime
    (part,) = message_from_bytes(mime, policy=policy.default).iter_attachments()
    assert part.get_content_type() == "application/zip"
    return zipfile.ZipFile(io.BytesIO(part.get_content()))


def test_the_file_has_their_mails_and_letters_and_nothing_of_others(table: LocalJudge) -> None:
    table.send(ENGLAND, "F Lon - ENG", subject="baltic")
    table.send(FRANCE, "A Par - Bur", subject="baltic")
    table.send(FRANCE, "my data")
    with handed_out(table) as files:
        assert files.testzip() is None
        texts = {name: files.read(name) for name in files.namelist()}
    facts = json.loads(texts["person.json"])
    assert [row["address"] for row in facts["addresses"]] == [FRANCE]
    assert any(b"A Par - Bur" in text for name, text in texts.items() if name.startswith("from-you/"))
    assert any(name.startswith("to-you/") for name in texts)
    assert not any(b"F Lon - ENG" in text for text in texts.values())
    for name, text in texts.items():
        if name.endswith(".eml"):
            mail = message_from_bytes(text, policy=policy.default)
            assert FRANCE in str(mail["From" if name.startswith("from-you/") else "To"]), name


def test_it_can_be_had_once_a_day_and_is_not_in_itself(table: LocalJudge) -> None:
    table.send(FRANCE, "my data")
    table.send(FRANCE, "my data")
    assert [letter.subject for letter in table.inbox(FRANCE)].count(SUBJECT) == 1
    assert "once a day" in " ".join(table.inbox(FRANCE)[-1].text.split())
    with table.judge.store.read() as view:
        person = view.people.by_address(FRANCE)
        assert person is not None
        found = pack(table.judge, view, person)
    assert b"PK\x03\x04" in found.data and SUBJECT.encode() not in found.data
    with zipfile.ZipFile(io.BytesIO(found.data)) as files:
        assert not any(SUBJECT.encode() in files.read(name) for name in files.namelist())


def test_what_finds_no_room_is_counted_and_the_newest_is_kept(table: LocalJudge) -> None:
    for month in range(3):
        table.send(FRANCE, f"my name Jean {month}")
    with table.judge.store.read() as view:
        person = view.people.by_address(FRANCE)
        assert person is not None
        whole, some = pack(table.judge, view, person), pack(table.judge, view, person, most=6000)
    assert whole.left_out == 0 and some.left_out > 0
    assert some.mails + some.letters + some.left_out == whole.mails + whole.letters
    assert len(some.data) < len(whole.data)


def test_a_forged_mail_gets_nothing_before_the_address_of_record_says_yes(table: LocalJudge) -> None:
    table.send(FRANCE, "my data", vouched=False)
    assert SUBJECT not in [letter.subject for letter in table.inbox(FRANCE)]
    table.send(FRANCE, "confirm", to=table.inbox(FRANCE)[-1].reply_to, vouched=False)
    assert SUBJECT in [letter.subject for letter in table.inbox(FRANCE)]


def test_a_stranger_gets_nothing(table: LocalJudge) -> None:
    table.send("mallory@else.test", f"my data\n{FRANCE}", vouched=False)
    assert SUBJECT not in [letter.subject for letter in (*table.inbox("mallory@else.test"), *table.inbox(FRANCE))]
