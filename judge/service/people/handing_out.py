"""`my data`: all that is kept about the person who asks, mailed to their address of record and to no other."""

from __future__ import annotations

from judge.game.core.decision import Decision, Refusal
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.account import MyData
from judge.report.reply.dossier import dossier_letter
from judge.service.people.dossiers import pack
from judge.service.posting.mailbag import put
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting

LARGEST = 6_000_000
"""Bytes of the file: in Base64 some 8 MB, which every large provider takes."""


@answers
def my_data(sitting: Sitting, said: ReadRequest, _: MyData) -> Result:
    """The file, in a letter of its own."""
    person = sitting.speaker.acting
    if person is None:
        return Refusal("who", "I do not know you, so nothing is kept about you.", mend="register")
    member = sitting.ledger.members[person.id]
    if not member.address:
        return Refusal("no-address", "You have no address of record to which it could go.", mend="my account")
    day = sitting.now.date()
    if not sitting.unit.contacts.allow(f"person:{person.id}", "my-data", day, 1):
        return Refusal("enough-today", "I have sent it today; you can have it once a day (UTC). Ask again tomorrow.")
    found = pack(sitting.house, sitting.unit, sitting.unit.people.get(person.id), most=LARGEST)
    letter = dossier_letter(
        member, sitting.house.office, found.data,
        mails=found.mails, letters=found.letters, left_out=found.left_out, day=day.isoformat(),
    )  # fmt: skip
    put(sitting.house, sitting.unit, letter, sitting.now, mail_id=sitting.mail.id, noted=sitting.letters)
    return Decision(said="All that is kept about you goes to your address of record, as a file in a letter of its own.")
