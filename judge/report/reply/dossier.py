"""The letter that answers `my data`: all that is kept about the person who asks, as a file."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass

from judge.report.core.cast import Member, Office
from judge.report.core.frame import office_frame
from judge.report.core.letter import Kind, Letter, Reply, Thread, plain


@dataclass(frozen=True, slots=True)
class PackedFile:
    """A file that goes along: its name, media type and bytes in Base64."""

    name: str
    type: str
    base64: str


@dataclass(frozen=True, slots=True)
class DossierView:
    """How many mails from the reader and letters to them are in the file, and how many found no room there."""

    mails: int
    letters: int
    left_out: int
    files: tuple[PackedFile, ...]


def dossier_letter(
    member: Member, office: Office, data: bytes, *, mails: int, letters: int, left_out: int, day: str
) -> Letter:
    """The letter, to the address of record; one for a person and `day`."""
    file = PackedFile("my-data.zip", "application/zip", b64encode(data).decode("ascii"))
    return Letter(
        kind=Kind.DOSSIER,
        idem_key=f"judge/{Kind.DOSSIER}/p{member.person}/{day}",
        view={
            "frame": plain(office_frame(member, office)),
            "reply": plain(Reply()),
            **plain(DossierView(mails, letters, left_out, (file,))),
        },
        person=member.person,
        thread=Thread.ALONE,
    )
