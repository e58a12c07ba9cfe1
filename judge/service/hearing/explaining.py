"""One's own mails: as what a line of one was read, by whom, and what came of it (`why line 3`); whether a copy of one
is what came (`verify`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from judge.game.core.commands import Decision, Refusal, Role
from judge.languages import tell, told_later
from judge.mail.script import ReadRequest
from judge.mail.script.builder import ScriptBuilder, secrets_of
from judge.mail.script.model import SUBJECT, Unasked
from judge.mail.vocabulary.anyone import Verify
from judge.mail.vocabulary.reading import WhyLine
from judge.report.core.letter import Kind
from judge.service.core.house import House
from judge.service.trust.heard import HeardMail, Result, answers
from judge.service.trust.read import read_again
from judge.store import Transaction, View
from judge.store.rows import Mail

_PASSED_OVER = {
    Unasked.COURTESY: told_later("it asks for nothing"),
    Unasked.CHATTER: told_later("it is no command and no order that I know"),
    Unasked.HEADING: told_later("it says what the lines below it are for"),
    Unasked.STOP: told_later("it ends your mail"),
    Unasked.AFTER_STOP: told_later("it stands below the end of your mail"),
    Unasked.AFTER_FAILURES: told_later("it stands below several lines that I could not read"),
    Unasked.REPEATED: told_later("it asks for what the line above it asks for"),
    Unasked.REPLACED: told_later("the orders of the mail take the place of all earlier ones, as it asks"),
    Unasked.OTHERS: told_later("it is another power's"),
}
"""Why a line that was read asks for nothing; for all other reasons their own word says it."""


@dataclass(frozen=True, slots=True)
class LineRead:
    """A line of a mail. `number`: from 1, the subject is 0; `text`: "" where the mail itself is no longer kept;
    `readers`: who took it, then who took its parts; `outcome`: what came of it, as a sentence without its full stop.
    """

    number: int
    text: str
    readers: tuple[str, ...]
    outcome: str

    def __str__(self) -> str:
        """For whoever asks."""
        line = tell("The subject") if self.number == SUBJECT else tell("Line {number}", number=self.number)
        shown = f', "{self.text}",' if self.text else ""
        first, *parts = self.readers or (tell("a part of what stands above it"),)
        within = tell(" (in it: {fromkeys})", fromkeys=", ".join(dict.fromkeys(parts))) if parts else ""
        return tell(
            "{line}{shown} was read as {first}{within}: {outcome}.",
            line=line,
            shown=shown,
            first=first,
            within=within,
            outcome=self.outcome,
        )


def lines_read(house: House, view: View | Transaction, mail: Mail) -> Iterator[LineRead]:
    """The lines of a mail that somebody typed, by number, as they were heard. Nothing of one that was not heard."""
    verdict: dict[str, Any] = json.loads(mail.verdict or "{}")
    raw = view.inbox.raw(mail.id)
    envelope = read_again(house, mail, raw) if raw is not None else None
    texts = {line.number: line.text.strip() for line in envelope.text_lines} if envelope is not None else {}
    texts |= {SUBJECT: envelope.subject} if envelope is not None else {}
    hidden = ScriptBuilder(secrets_of(texts.values()))
    for line in verdict.get("read", ()):
        number = int(line["line"])
        text = hidden.hide(texts.get(number, ""))
        yield LineRead(number, text, tuple(line["by"]), _outcome(number, str(line["as"]), verdict))


def _outcome(number: int, became: str, verdict: dict[str, Any]) -> str:
    unread = next((one for one in verdict["unread"] if one["line"] == number), None)
    if unread is not None:
        return f"asked back. {unread['reason']}".rstrip(".")
    done = [one for one in verdict["commands"] if one["line"] == number]
    if done:
        return "; ".join(f"{one['status']} ({_told(one)})" for one in done)
    if became == "said":
        return tell("taken with the lines that it belongs to")
    return f"passed over, {_PASSED_OVER.get(Unasked(became), f'being {became}')}"


def _told(command: dict[str, Any]) -> str:
    order, reason = command["order"] or "", str(command["reason"]).rstrip(".")
    return ": ".join(filter(None, (order, reason))) or str(command["verb"])


@answers
def why_line(heard: HeardMail, said: ReadRequest, request: WhyLine) -> Result:
    """Of the mail whose receipt is answered, or else of the last mail that was answered."""
    mail = _mail_meant(heard)
    if mail is None:
        return Refusal(
            "no-mail", tell("There is no mail of yours that I have answered; answer the receipt of the one you mean.")
        )
    lines = {line.number: line for line in lines_read(heard.house, heard.unit, mail)}
    if request.line in lines:
        return Decision(said=str(lines[request.line]))
    numbers = ", ".join(str(number) for number in sorted(lines)) or tell("none")
    return Refusal(
        "no-such-line",
        tell(
            "Line {line} of that mail is empty, quoted or not there; the lines that I have read are: {numbers}.",
            line=request.line,
            numbers=numbers,
        ),
    )


def _mail_meant(heard: HeardMail) -> Mail | None:
    person = heard.speaker.acting
    if person is None:
        return None
    letters = heard.unit.letters
    for reference in (heard.envelope.in_reply_to, *reversed(heard.envelope.references)):
        letter = letters.by_message_id(reference) if reference else None
        if letter is not None and letter.person_id == person.id and letter.kind == Kind.RECEIPT and letter.mail_id:
            return heard.unit.inbox.get(letter.mail_id)
    last = letters.last(kind=Kind.RECEIPT, person_id=person.id)
    return heard.unit.inbox.get(last.mail_id) if last is not None and last.mail_id else None


# --- `verify`: told to whoever wrote the mail and to their Gamemaster alone -----------------------------------------


MOST = 5
"""Proofs in one quoted text that are looked up."""
_PRINTED = re.compile(r"\bproof:\s*([0-9a-f]{4}-[0-9a-f]{4})\b", re.IGNORECASE)
_FOR_WHOM = told_later("I tell it to whoever wrote the mail, and to the Gamemaster of its game.")


@answers
def verify(heard: HeardMail, said: ReadRequest, request: Verify) -> Result:
    """Whether the mails with these proofs are on record; the proofs of receipts that are quoted, where none is given.

    Somebody else's mail is answered like none at all: when and that they have written is their own affair (A37a).
    """
    proofs = (request.proof.strip().lower(),) if request.proof.strip() else _quoted(heard)
    if not proofs:
        sentence = tell("Give the proof that stands at the end of a receipt, or quote the receipt whole.")
        return Refusal("no-proof", sentence, mend="help verify")
    return Decision(said=" ".join(_found(heard, proof) for proof in proofs[:MOST]))


def _quoted(heard: HeardMail) -> tuple[str, ...]:
    found = (match[1].lower() for line in heard.envelope.text_lines for match in _PRINTED.finditer(line.text))
    return tuple(dict.fromkeys(found))


def _found(heard: HeardMail, proof: str) -> str:
    mail = heard.unit.inbox.find_proof(proof)
    if mail is None or not (_wrote(heard, mail) or _governs(heard, mail)):
        return tell("No mail that is yours to ask about matches {proof}. {for_whom}", proof=proof, for_whom=_FOR_WHOM)
    at = f"{mail.arrived_at:%Y-%m-%d %H:%M:%S} UTC"
    return tell(
        "{proof} is a match: mail {mail}, received {at}, is on record as it came.", proof=proof, mail=mail.id, at=at
    )


def _wrote(heard: HeardMail, mail: Mail) -> bool:
    person = heard.speaker.acting
    author = heard.unit.people.by_address(mail.sender) if mail.sender else None
    return person is not None and author is not None and author.id == person.id


def _governs(heard: HeardMail, mail: Mail) -> bool:
    game = heard.game(mail.game) if mail.game else None
    return game is not None and heard.actor(game).role in (Role.GM, Role.OPERATOR)
