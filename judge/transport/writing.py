"""A mail from somebody at this machine, like any other: made, and handed to the judge's own listener. The page with the
local mailboxes, `judge mail` and the robots of the demo write with it.
"""

from __future__ import annotations

import smtplib
from dataclasses import dataclass
from datetime import datetime
from email.errors import MessageError
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid, parseaddr

from judge.transport.listener import Endpoint


class NotSent(Exception):
    """The mail did not go; a sentence says why."""


@dataclass(frozen=True, slots=True)
class MailDraft:
    """A mail as a form has it."""

    to: str = ""
    subject: str = ""
    body: str = ""


def answer_to(letter: EmailMessage, asked: MailDraft) -> MailDraft:
    """The beginning of an answer to a letter: what was asked for, or else what the letter's own heads say."""
    subject = str(letter["Subject"] or "")
    return MailDraft(
        asked.to or str(letter["Reply-To"] or letter["From"] or ""),
        asked.subject or (subject if subject.lower().startswith("re:") else f"Re: {subject}"),
        asked.body.replace("\r\n", "\n"),
    )


def compose(sender: str, draft: MailDraft, now: datetime, answered: EmailMessage | None = None) -> EmailMessage:
    """The mail that a draft makes, with a Message-ID of its own. Raises NotSent for what no mail can say."""
    message = EmailMessage()
    try:
        message["From"] = sender
        message["To"] = " ".join(draft.to.split())
        message["Subject"] = " ".join(draft.subject.split())
    except (ValueError, IndexError, MessageError) as error:
        raise NotSent("That address cannot be written to; please look at it again.") from error
    message["Date"] = format_datetime(now)
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2] or "localhost")
    if answered is not None and answered["Message-ID"]:
        message["In-Reply-To"] = str(answered["Message-ID"])
    message.set_content(draft.body.replace("\r\n", "\n").rstrip("\n") + "\n")
    return message


def send(message: EmailMessage, listener: Endpoint) -> None:
    """Hand a mail to the judge. Raises NotSent with what the judge said, or that none listens."""
    recipient = parseaddr(str(message["To"]))[1]
    if "@" not in recipient:
        raise NotSent("Please say to whom: an address such as judge@localhost.")
    try:
        with smtplib.SMTP(listener.host, listener.port, timeout=30) as smtp:
            smtp.send_message(message, from_addr=parseaddr(str(message["From"]))[1], to_addrs=[recipient])
    except smtplib.SMTPRecipientsRefused as error:
        code, answer = next(iter(error.recipients.values()))
        raise NotSent(f"the judge refused the address: {code} {answer.decode(errors='replace')}") from error
    except smtplib.SMTPResponseException as error:
        said = error.smtp_error.decode(errors="replace") if isinstance(error.smtp_error, bytes) else error.smtp_error
        raise NotSent(f"the judge did not take it: {error.smtp_code} {said}") from error
    except smtplib.SMTPException as error:
        raise NotSent(f"the judge did not take it: {error}") from error
    except OSError as error:
        raise NotSent(f"no judge listens on {listener} ({error}); start one with: judge run") from error
