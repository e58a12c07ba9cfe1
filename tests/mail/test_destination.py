"""What our server's word covers: of a signed mail that somebody passes on, only what the signature is about.

A row is a signature's tags, what somebody did to the mail on its way, and whether it is proved and addressed to us
still. The word of the author's own server that hands the mail to ours (SPF) covers all of it.
"""

from __future__ import annotations

from datetime import UTC, datetime

from judge.mail.envelope import Envelope, TrustedSite, read_envelope

NOON = datetime(2031, 1, 7, 12, tzinfo=UTC)
SITE = TrustedSite(authserv_id="mx.judge.test", own_addresses=frozenset({"judge@judge.test"}))
SIGNED, STRAIGHT = "dkim=pass header.d=players.test", "spf=pass smtp.mailfrom=france@players.test"
BODY = "A Par - Bur\n"
WHOLE = "d=players.test; c=relaxed/relaxed; h=from:to:subject:date"
TO_US, TO_GERMANY = "To: judge@judge.test", "To: germany@players.test"


def mail(says: str, signature: str, fields: list[str], body: str = BODY) -> Envelope:
    head = [
        f"Authentication-Results: mx.judge.test; {says}",
        "Received: from x (x [198.51.100.7]) by mx.judge.test with ESMTP; Tue, 07 Jan 2031 11:55:00 +0000",
        *([f"DKIM-Signature: v=1; a=rsa-sha256; {signature}; s=a; b=abc"] if signature else []),
        *fields,
        "From: france@players.test",
        "Subject: vistula",
        "Date: Tue, 07 Jan 2031 11:50:00 +0000",
    ]
    return read_envelope("\n".join([*head, "", body]).encode(), NOON, peer="127.0.0.1", trusted=SITE)


CASES: list[tuple[str, str, str, list[str], str, bool, bool]] = [
    ("whole", SIGNED, WHOLE, [TO_US], BODY, True, True),
    ("to somebody else", SIGNED, WHOLE, [TO_GERMANY], BODY, True, False),
    ("a Cc that is not signed", SIGNED, WHOLE, ["Cc: judge@judge.test", TO_GERMANY], BODY, True, False),
    ("a signed Cc", SIGNED, WHOLE + ":cc", ["Cc: judge@judge.test", TO_GERMANY], BODY, True, True),
    ("a second To on top", SIGNED, WHOLE, [TO_US, TO_GERMANY], BODY, True, False),
    ("a To that is not signed", SIGNED, WHOLE.replace("to:", ""), [TO_US], BODY, True, False),
    ("a subject that is not signed", SIGNED, WHOLE.replace("subject:", ""), [TO_US], BODY, False, True),
    ("text below what is counted", SIGNED, WHOLE + "; l=13", [TO_US], BODY + "F Bre - Mid\n", False, True),
    ("all of the text counted", SIGNED, WHOLE + "; l=13", [TO_US], BODY, True, True),
    ("empty lines at the end", SIGNED, WHOLE + "; l=13", [TO_US], BODY + "\n\n", True, True),
    ("a count that is none", SIGNED, WHOLE + "; l=x", [TO_US], BODY, False, True),
    ("counted, and sent straight", f"{SIGNED}; {STRAIGHT}", WHOLE + "; l=13", [TO_US], BODY + "F Bre\n", True, True),
    ("DMARC alone, with a count", "dmarc=pass header.from=players.test", WHOLE + "; l=13", [TO_US], BODY + "x\n",
     False, True),
    ("a signature of somebody else counts", SIGNED, "d=list.example; h=from; l=0", [TO_US], BODY, True, True),
    ("sent straight", STRAIGHT, "", [TO_US], BODY, True, True),
    ("sent straight, to somebody else", STRAIGHT, "", [TO_GERMANY], BODY, True, False),
    ("resent by its author", STRAIGHT, "",
     ["Resent-To: judge@judge.test", "Resent-From: france@players.test", TO_GERMANY], BODY, True, True),
    ("resent by somebody else", STRAIGHT, "",
     ["Resent-To: judge@judge.test", "Resent-From: germany@players.test", TO_GERMANY], BODY, True, False),
    ("resent by somebody else after its author", STRAIGHT, "",
     ["Resent-To: judge@judge.test", "Resent-From: germany@players.test", "Resent-To: germany@players.test",
      "Resent-From: france@players.test", TO_GERMANY], BODY, True, False),
    ("resent, not signed", SIGNED, WHOLE,
     ["Resent-To: judge@judge.test", "Resent-From: france@players.test", TO_GERMANY], BODY, True, False),
    ("resent and signed", SIGNED, WHOLE + ":resent-to:resent-from",
     ["Resent-To: judge@judge.test", "Resent-From: france@players.test", TO_GERMANY], BODY, True, True),
    ("a user of a domain that did not sign", "dkim=pass header.d=evil.example header.i=@players.test", WHOLE,
     [TO_US], BODY, False, True),
    ("a failed SPF beside which nothing passes", "spf=fail smtp.mailfrom=x@players.test; dkim=none; dmarc=none", "",
     [TO_US], BODY, False, True),
]  # fmt: skip


def test_only_what_a_signature_covers_is_proved() -> None:
    for what, says, signature, fields, body, proved, ours in CASES:
        read = mail(says, signature, fields, body)
        assert (read.auth == "pass") is proved, what
        assert ("judge@judge.test" in read.addressed) is ours, what
    assert mail(CASES[-1][1], "", [TO_US]).auth == "fail"
