"""What would come of a mail: everything is done inside a transaction that is undone."""

from __future__ import annotations

import json
from dataclasses import replace

from judge.mail.letters import Posting
from judge.service.core.house import House
from judge.service.core.keeper import Ledger
from judge.service.hearing.stages import hear_mail
from judge.service.intake.door import new_mail
from judge.service.trust.heard import Taken
from judge.store import Transaction
from judge.store.rows import Duplicate
from judge.transport.ports import Arrival


def dry_run(house: House, arrival: Arrival) -> Taken:
    """The verdict, commands, events and letters that this mail would bring about; nothing is kept."""
    with house.store.rehearse() as unit:
        receipt = unit.inbox.put(new_mail(house, arrival))
        if isinstance(receipt, Duplicate):
            return Taken("ignored", f"a duplicate of mail {receipt.first_id}")
        mail = unit.inbox.get(receipt.id)
        taken = hear_mail(house, unit, Ledger(house.keeper, unit, house.directory), mail, arrival.raw)
        return replace(taken, texts=_texts(house, unit, receipt.id, taken))


def _texts(house: House, unit: Transaction, mail_id: int, taken: Taken) -> list[str]:
    """The letters as their readers would see them, and their subjects into the summary."""
    texts = []
    for number, letter in enumerate(unit.letters.list(mail_id=mail_id, limit=1000)):
        posting = Posting(
            to="reader@localhost",
            to_name="",
            from_address=house.office.address,
            reply_to=house.office.address,
            date=letter.created_at,
            domain=house.config.domain,
            secret=house.store.secret,
            instance=house.store.id,
            judge=house.config.name,
        )
        composed, _ = house.pressroom.compose(
            letter.kind, letter.idem_key, json.loads(letter.view), posting, game=letter.game or ""
        )
        if number < len(taken.letters):
            taken.letters[number]["subject"] = composed.subject
        texts.append(f"Subject: {composed.subject}\n\n{composed.text}")
    return texts
