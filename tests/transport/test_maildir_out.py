"""Local delivery: whole mails or none, in order, and no address that leads out of the root."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.transport.maildir import MaildirCourier, folder_name, mailboxes, read_mailbox
from judge.transport.ports import Deferred, Parcel, Refused, Sent


def parcel(*recipients: str, text: bytes = b"Subject: x\r\n\r\nx\r\n") -> Parcel:
    return Parcel(1, "judge+b1@judge.test", recipients, text)


def test_a_letter_lies_in_new_and_reads_back(tmp_path: Path) -> None:
    (handed,) = MaildirCourier(tmp_path).deliver([parcel("Anna@X.test")])
    assert handed.fates == {"Anna@X.test": Sent(250, "delivered to the local mailbox")}
    (mail,) = read_mailbox(tmp_path, "anna@x.test")
    assert mail.raw == (b"Return-Path: <judge+b1@judge.test>\r\nDelivered-To: Anna@X.test\r\nSubject: x\r\n\r\nx\r\n")
    assert mail.number == 1 and mail.path.parent == tmp_path / "anna@x.test" / "new"
    assert list((tmp_path / "anna@x.test" / "tmp").iterdir()) == []


def test_every_recipient_gets_a_copy(tmp_path: Path) -> None:
    list(MaildirCourier(tmp_path).deliver([parcel("anna@x.test", "bert@x.test")]))
    assert mailboxes(tmp_path) == ["anna@x.test", "bert@x.test"]


def test_order_of_delivery_survives_a_restart_and_reading(tmp_path: Path) -> None:
    for start in (0, 12):
        courier = MaildirCourier(tmp_path)
        list(courier.deliver([parcel("anna@x.test", text=b"\r\n%d" % n) for n in range(start, start + 12)]))
    first = read_mailbox(tmp_path, "anna@x.test")[0].path
    first.rename(tmp_path / "anna@x.test" / "cur" / f"{first.name}:2,S")
    mails = read_mailbox(tmp_path, "anna@x.test")
    assert [int(mail.raw.rpartition(b"\n")[2]) for mail in mails] == list(range(24))
    assert [mail.number for mail in mails] == list(range(1, 25))


def test_an_unknown_mailbox_is_empty(tmp_path: Path) -> None:
    assert read_mailbox(tmp_path, "anna@x.test") == []
    assert mailboxes(tmp_path / "nowhere") == []


def test_a_mailbox_that_cannot_be_written_defers(tmp_path: Path) -> None:
    (tmp_path / "anna@x.test").write_text("in the way")
    (handed,) = MaildirCourier(tmp_path).deliver([parcel("anna@x.test", "bert@x.test")])
    assert isinstance(handed.fates["anna@x.test"], Deferred)
    assert isinstance(handed.fates["bert@x.test"], Sent)


def test_a_recipient_that_would_forge_headers_is_refused(tmp_path: Path) -> None:
    (handed,) = MaildirCourier(tmp_path).deliver([parcel("anna@x.test\r\nBcc: b@x.test", "  ")])
    assert all(isinstance(fate, Refused) for fate in handed.fates.values())
    assert mailboxes(tmp_path) == []


@pytest.mark.parametrize(
    "address", ["../x@y", "/etc/passwd", "..", ".", "a/../../b@x", "~root@x", "a\x00b@x", "x" * 500]
)
def test_no_address_leads_out_of_the_root(address: str, tmp_path: Path) -> None:
    folder = tmp_path / folder_name(address)
    assert folder.parent == tmp_path and folder.name not in ("", ".", "..") and "/" not in folder.name


@given(st.text(max_size=400))
def test_a_folder_name_is_always_one_plain_visible_name(address: str) -> None:
    name = folder_name(address)
    assert 0 < len(name) <= 180 and name.isascii() and not set(name) & set("/\x00\\ ") and not name.startswith(".")


@given(st.text(max_size=60), st.text(max_size=60))
def test_different_addresses_have_different_folders(one: str, other: str) -> None:
    same = one.strip().casefold() == other.strip().casefold()
    assert (folder_name(one) == folder_name(other)) is same
