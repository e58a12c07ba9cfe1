"""`verify`: whether a copy of a mail is what came, told to whoever wrote it and to their Gamemaster alone."""

from __future__ import annotations

import re

from judge.game.core.commands import Role
from judge.game.core.decision import Decision, Refusal
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.anyone import Verify
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting
from judge.store.rows import Mail

MOST = 5
"""Proofs in one quoted text that are looked up."""
_PRINTED = re.compile(r"\bproof:\s*([0-9a-f]{4}-[0-9a-f]{4})\b", re.IGNORECASE)
_FOR_WHOM = "I tell it to whoever wrote the mail, and to the Gamemaster of its game."


@answers
def verify(sitting: Sitting, said: ReadRequest, request: Verify) -> Result:
    """Whether the mails with these proofs are on record; the proofs of receipts that are quoted, where none is given.

    Somebody else's mail is answered like none at all: when and that they have written is their own affair (A37a).
    """
    proofs = (request.proof.strip().lower(),) if request.proof.strip() else _quoted(sitting)
    if not proofs:
        sentence = "Give the proof that stands at the end of a receipt, or quote the receipt whole."
        return Refusal("no-proof", sentence, mend="help verify")
    return Decision(said=" ".join(_found(sitting, proof) for proof in proofs[:MOST]))


def _quoted(sitting: Sitting) -> tuple[str, ...]:
    found = (match[1].lower() for line in sitting.envelope.text_lines for match in _PRINTED.finditer(line.text))
    return tuple(dict.fromkeys(found))


def _found(sitting: Sitting, proof: str) -> str:
    mail = sitting.unit.inbox.find_proof(proof)
    if mail is None or not (_wrote(sitting, mail) or _governs(sitting, mail)):
        return f"No mail that is yours to ask about matches {proof}. {_FOR_WHOM}"
    at = f"{mail.arrived_at:%Y-%m-%d %H:%M:%S} UTC"
    return f"{proof} is a match: mail {mail.id}, received {at}, is on record as it came."


def _wrote(sitting: Sitting, mail: Mail) -> bool:
    person = sitting.speaker.acting
    author = sitting.unit.people.by_address(mail.sender) if mail.sender else None
    return person is not None and author is not None and author.id == person.id


def _governs(sitting: Sitting, mail: Mail) -> bool:
    game = sitting.game(mail.game) if mail.game else None
    return game is not None and sitting.actor(game).role in (Role.GM, Role.OPERATOR)
