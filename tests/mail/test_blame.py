"""What refusals of mail servers speak of: the mailbox, the letter, the moment. Answers as servers give them."""

from __future__ import annotations

import pytest

from judge.mail.noise import Blame, blame

MAILBOX = (
    "550 5.1.1 <anna@players.test>: Recipient address rejected: User unknown in virtual mailbox table",
    "550-5.1.1 The email account that you tried to reach does not exist. Please try double-checking",
    "550 5.4.1 Recipient address rejected: Access denied. [AM0.eurprd.prod.example]",
    "550 5.2.1 The email account that you tried to reach is disabled",
    "554 5.7.1 <anna@players.test>: Relay access denied: no such user here",
    "550 No such user here",
    "550 Requested action not taken: mailbox unavailable",
    "553 sorry, that domain isn't in my list",
    "556 5.1.10 Recipient domain has null MX",
    "551 User not local",
    "554 delivery error: dd This user doesn't have an account: unknown user",
)
LETTER = (
    "552 5.3.4 Message size exceeds fixed limit",
    "552 5.2.3 Message length exceeds administrative limit",
    "552 Message too big for system",
    "523 the message size is too large",
    "554 5.7.1 Message rejected as spam by Content Filtering",
    "550 5.7.1 Our system has detected that this message is likely unsolicited mail",
    "550 5.7.26 Unauthenticated email from judge.test is not accepted due to domain's DMARC policy",
    "550 Blocked: see https://blocklist.test",
    "554 Transaction failed",
    "550 5.6.0 CAT.InvalidContent.Exception",
    "550 5.1.8 Sender address rejected: Domain not found",
    "571 5.7.1 virus found",
)
PASSING = (
    "552 5.2.2 Mailbox full",
    "552 Requested mail action aborted: exceeded storage allocation",
    "550 User is over quota",
    "421 4.7.0 Try again later",
    "450 4.2.0 Greylisted",
    "451 4.3.0 temporary lookup failure: user unknown",
    "550 5.4.7 Delivery expired (message too old)",
    "554 5.4.6 Too many hops",
    "550 5.3.0 Mail system failure",
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [(text, fault) for texts, fault in ((MAILBOX, Blame.MAILBOX), (LETTER, Blame.LETTER), (PASSING, Blame.PASSING))
     for text in texts],
)  # fmt: skip
def test_a_refusal_speaks_of(text: str, wanted: Blame) -> None:
    assert blame(text) is wanted


def test_code_and_status_may_come_apart_from_the_words() -> None:
    assert blame("too much mail", status="5.2.2") is Blame.PASSING
    assert blame("message is too large", code=552) is Blame.LETTER
    assert blame("", code=550) is Blame.MAILBOX
    assert blame("", code=554) is Blame.LETTER
    assert blame("", code=450) is Blame.PASSING
